// Package experiment compares models, panels and prompts on the same dialogues.
//
// An experiment is a YAML file, which `assize experiment --help` shows. Each run is of a model, with a panel, asked by
// some prompts, for one of the repeats. The rules are one run whatever the panels, the prompts and the repeats: they
// always say the same. A row of the table is what the repeats of the same config have in common.
package experiment

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assize/cmd/assize/internal/settings"
	"assize/cmd/assize/internal/source"
)

// Plan is what an experiment file asks for.
type Plan struct {
	File      string
	Dialogues []string // files, folders and patterns, as in the file
	Limit     int      // dialogues of each file; 0 for all
	Models    []string
	Panels    []Panel
	Prompts   []string // folders of templates, or [Default]
	Repeats   int
	Options   []settings.Pair // flags of score for every config
	Output    string          // the folder of the runs; empty where the file names none
	Ratings   string          // a file of people's ratings; empty for those in the transcripts
	Scale     settings.Value  // of people's ratings; the zero Value where the file has none
}

const (
	Rules   = "rules"   // among the models: the rules, without a model
	Default = "default" // the prompts that come with the program
)

// Panel is who judges, and how.
type Panel struct {
	Name  string
	Flags []settings.Pair // of score
}

const (
	wantKeys   = "dialogues, limit, models, panels, prompts, repeats, options, output, ratings or scale"
	wantPanels = "a list such as [{name: full}, {name: one-call, critic: rules}]"
)

// Read reads an experiment file. Whether its settings are flags, and their values valid, is for the caller to check.
func Read(file string) (*Plan, error) {
	f, err := source.Open(nil, file)
	if err != nil {
		return nil, fmt.Errorf("%w; want the file of an experiment", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 1<<20)) // the parser refuses far fewer bytes
	if err != nil {
		return nil, err
	}
	return parse(file, data)
}

// parse reads the content of an experiment file. The error is a [*settings.Error].
func parse(name string, data []byte) (*Plan, error) {
	file, err := settings.Parse(name, data)
	if err != nil {
		return nil, err
	}
	pairs, err := file.Mapping(wantKeys)
	if err != nil {
		return nil, err
	}
	p := &Plan{File: name, Models: []string{Rules}, Panels: []Panel{{Name: "full"}}, Prompts: []string{Default}, Repeats: 1}
	for _, pair := range pairs {
		if err := p.set(pair); err != nil {
			return nil, err
		}
	}
	if len(p.Dialogues) == 0 {
		return nil, &settings.Error{Place: file.Place, Msg: "no dialogues", Want: "dialogues: with one path or more"}
	}
	seen := map[string]bool{} // on some systems letters do not differ by case
	for _, c := range p.Configs() {
		key := strings.ToLower(c.File)
		if seen[key] {
			return nil, &settings.Error{Place: file.Place, Msg: "two runs would be in " + c.File, Want: "names that differ in letters or digits"}
		}
		seen[key] = true
	}
	return p, nil
}

// set takes one entry of the file.
func (p *Plan) set(pair settings.Pair) (err error) {
	switch v := pair.Value; pair.Key {
	case "dialogues":
		p.Dialogues, err = v.Words("one path or more")
	case "models":
		p.Models, err = v.Words("one model or more")
	case "prompts":
		p.Prompts, err = v.Words("one folder of prompts or more")
	case "limit":
		p.Limit, err = v.Number(1_000_000)
	case "repeats":
		p.Repeats, err = v.Number(100)
	case "panels":
		p.Panels, err = panels(v)
	case "options":
		p.Options, err = v.Mapping("flags of assize score, such as num-thread: 2")
	case "output":
		p.Output, err = v.Word("a folder")
	case "ratings":
		p.Ratings, err = v.Word("a file")
	case "scale":
		p.Scale = v
		_, err = v.Word("two ends, such as 1-5")
	default:
		err = &settings.Error{Place: pair.Place, Msg: fmt.Sprintf("unknown key %q", pair.Key), Want: wantKeys}
	}
	return err
}

func panels(v settings.Value) (list []Panel, err error) {
	if len(v.List) == 0 {
		return nil, &settings.Error{Place: v.Place, Msg: "no list of panels", Want: wantPanels}
	}
	for _, one := range v.List {
		pairs, err := one.Mapping(wantPanels)
		if err != nil {
			return nil, err
		}
		var panel Panel
		for _, pair := range pairs {
			if pair.Key != "name" {
				panel.Flags = append(panel.Flags, pair)
			} else if panel.Name, err = pair.Value.Word("a name"); err != nil {
				return nil, err
			}
		}
		if panel.Name == "" {
			return nil, &settings.Error{Place: one.Place, Msg: "a panel without a name", Want: wantPanels}
		}
		list = append(list, panel)
	}
	return list, nil
}

// Path makes a path of the file, which is relative to the file's folder, one of the working folder.
func (p *Plan) Path(path string) string {
	if filepath.IsAbs(path) || path == source.Stdin {
		return path
	}
	return filepath.Join(filepath.Dir(p.File), path)
}

// Config is what one run of an experiment is judged by.
type Config struct {
	Model   string
	Panel   Panel  // the zero Panel where the rules judge alone
	Prompts string // empty where the rules judge alone
	Repeat  int    // from 1
	File    string // the name of the run, without its folder
}

// Row names what the repeats of a config have in common: "smollm2 full default", or "rules".
func (c *Config) Row() string {
	return strings.TrimSpace(short(c.Model) + " " + c.Panel.Name + " " + c.Prompts)
}

// String names the config: "smollm2 full default 1".
func (c *Config) String() string { return fmt.Sprintf("%s %d", c.Row(), c.Repeat) }

// short gives a model's name with at most twelve digits of its digest.
func short(model string) string {
	name, digest, pinned := strings.Cut(model, "@sha256:")
	if !pinned {
		return model
	}
	return name + "@" + digest[:min(len(digest), 12)]
}

// Configs lists the configs: the rules first, and the repeats of each next to each other.
func (p *Plan) Configs() (list []Config) {
	for _, model := range p.Models {
		if model == Rules {
			list = slices.Insert(list, 0, Config{Model: Rules, Repeat: 1, File: Rules + ".jsonl"})
			continue
		}
		for _, panel := range p.Panels {
			for _, prompts := range p.Prompts {
				for repeat := range p.Repeats {
					file := fmt.Sprintf("%s.%s.%s.%d.jsonl", safe(short(model)), safe(panel.Name), safe(prompts), repeat+1)
					list = append(list, Config{model, panel, prompts, repeat + 1, file})
				}
			}
		}
	}
	return list
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// safe makes a part of a file's name from a word. What not every system allows in names becomes a dash, and four parts
// fit into the 255 bytes that systems allow.
func safe(word string) string {
	name := strings.Trim(unsafe.ReplaceAllString(word, "-"), "-.")
	return cmp.Or(name[:min(len(name), 50)], "x")
}
