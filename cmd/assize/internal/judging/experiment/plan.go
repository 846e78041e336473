// Package experiment scores the same dialogues in several ways, one after the other, and compares
// the runs in one table. `assize experiment --help` shows the file that describes an experiment.
package experiment

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"

	"assize/cmd/assize/internal/terminal/settings"
	"assize/cmd/assize/internal/terminal/ui"
)

// Plan is the content of an experiment's file. Paths are relative to the file.
type Plan struct {
	File      string
	Dialogues []string // files, folders and patterns
	Runs      []Run
}

// Run is one way of scoring.
type Run struct {
	Name  string
	Flags map[string]settings.Value // flags and settings of score
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$`)

// Read reads an experiment's file. The caller checks the flags of the runs.
func Read(file string) (*Plan, error) {
	data, err := settings.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; want the file of an experiment", err)
	}
	var in struct {
		Dialogues settings.Value
		Common    map[string]settings.Value
		Runs      []map[string]settings.Value
	}
	if err := settings.Read(file, data, &in, "dialogues, common or runs, as assize "+
		"experiment --help shows them"); err != nil {
		return nil, err
	}
	p := &Plan{File: file, Dialogues: in.Dialogues.Texts}
	used := map[string]bool{} // in lower case, since some file systems ignore case
	for _, flags := range in.Runs {
		r := Run{Flags: map[string]settings.Value{}}
		maps.Copy(r.Flags, in.Common)
		for key, value := range flags {
			if key != "name" {
				r.Flags[key] = value
			} else if r.Name, err = value.One(); err != nil {
				return nil, err
			}
		}
		if lower := strings.ToLower(r.Name); !nameForm.MatchString(r.Name) || used[lower] {
			return nil, &settings.Error{Place: cmp.Or(flags["name"].Place, file+":1:1"),
				Msg:  fmt.Sprintf("a run has the name %q", r.Name),
				Want: "a name of its own of letters, digits, dots and dashes for each run"}
		}
		used[strings.ToLower(r.Name)] = true
		p.Runs = append(p.Runs, r)
	}
	if len(p.Dialogues) == 0 || len(p.Runs) == 0 {
		return nil, &settings.Error{Place: file + ":1:1", Msg: "no dialogues, or no runs",
			Want: `dialogues: and runs: such as [{name: rules}, {name: both, model: tiny}]`}
	}
	return p, nil
}

// Path returns a path in the file as one that is relative to the working folder.
func (p *Plan) Path(path string) string {
	if filepath.IsAbs(path) || path == ui.Stdin {
		return path
	}
	return filepath.Join(filepath.Dir(p.File), path)
}
