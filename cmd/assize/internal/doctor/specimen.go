package doctor

import (
	"context"
	"embed"
	"fmt"
	"path"
	"strings"

	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed dialogues
var folder embed.FS

// Specimen is a dialogue of known quality.
type Specimen struct {
	Name  string // such as good-1-glasses
	Good  bool
	Case  rubric.Case
	Rules rubric.Hundredths // the weighted average that the rules alone give it
}

// Specimens reads the embedded dialogues, the bad ones first, and has the rules judge them.
func Specimens(agents *heuristics.Agents, r rubric.Rubric) ([]Specimen, error) {
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(), Critic: agents.Critic(r)}
	files, err := folder.ReadDir("dialogues")
	if err != nil {
		return nil, err
	}
	var list []Specimen
	for _, f := range files {
		d, err := read(path.Join("dialogues", f.Name()))
		if err != nil {
			return nil, err
		}
		d.ID = len(list) + 1
		e, err := panel.Judge(context.Background(), d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		name := strings.TrimSuffix(f.Name(), ".txt")
		list = append(list, Specimen{
			Name: name, Good: strings.HasPrefix(name, "good-"), Rules: e.Average,
			Case: rubric.Case{Dialogue: e.Dialogue, Signals: e.Signals},
		})
	}
	return list, nil
}

// read reads a file that holds one dialogue.
func read(name string) (d dialogue.Dialogue, err error) {
	f, err := folder.Open(name)
	if err != nil {
		return d, err
	}
	defer f.Close()
	for sample, err := range dialogue.Read(f, name, dialogue.Options{Format: dialogue.Plain}) {
		return sample.Dialogue, err
	}
	return d, fmt.Errorf("%s: no dialogue", name)
}
