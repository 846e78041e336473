package fit

import (
	"errors"
	"fmt"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
)

// Material is the input of learning: all scored dialogues of runs, rated or not.
type Material struct {
	Options
	Dialogues []Dialogue
	Rows      []*run.Row // of Dialogues

	base    satisfaction.Profile
	headers []*run.Header // of runs with dialogues that a model judged
}

// NewMaterial returns an empty Material. The options about the lexicon are those of agents.
func NewMaterial(agents *heuristics.Agents, o Options) *Material {
	o.Lexicon, o.IsName, o.Titles = agents.Digest(), agents.IsName, agents.Titles()
	return &Material{Options: o, base: satisfaction.DefaultProfile()}
}

// Add adds a dialogue of a run and reports whether it is scored; unscored dialogues are skipped. It
// returns an error if the run was scored with another lexicon.
func (m *Material) Add(r *run.Record, h *run.Header) (bool, error) {
	switch {
	case !r.Scored():
		return false, nil
	// What is learned would not apply to what this program scores.
	case h.Lexicon != m.Lexicon:
		return false, console.Hint(fmt.Errorf("a run was scored with the lexicon %.12s…, and "+
			"this program has %.12s…: a profile would not fit what it scores", h.Lexicon,
			m.Lexicon), "score the dialogues again with this program")
	}
	d := NewDialogue(r, len(m.Dialogues), m.base)
	m.Dialogues, m.Rows = append(m.Dialogues, d), append(m.Rows, &d.Row)
	if d.CrossCheck != nil && (m.headers == nil || m.headers[len(m.headers)-1] != h) {
		m.headers = append(m.headers, h)
	}
	return true, nil
}

// Learn calls [Learn] with the dialogues, some of which are rated. The note says why the model that
// judged them is not weighed.
func (m *Material) Learn(rated []ratings.Rated) (res *Result, note string, err error) {
	if m.Model, err = oneModel(m.headers); err != nil {
		note = "no model is weighed: " + err.Error()
	}
	once, repeats := ratings.Once(rated)
	if res, err = Learn(m.Dialogues, once, m.Options); err == nil {
		res.Warnings = append(res.Warnings, repeats...)
	}
	return res, note, err
}

// oneModel returns the model that all headers name, or an error that says why there is none.
func oneModel(headers []*run.Header) (one satisfaction.Model, err error) {
	for _, h := range headers {
		var m satisfaction.Model
		if h.Model != nil {
			m = satisfaction.Model{Digest: h.Model.Digest, Name: ui.Visible(h.Model.Name)}
		}
		switch {
		case !m.Identified():
			return satisfaction.Model{},
				errors.New("the header of a run does not say which model judged it")
		case one.Digest != "" && one.Digest != m.Digest:
			return satisfaction.Model{}, fmt.Errorf("the runs were judged by %s and by %s; want "+
				"runs of one model", one.Name, m.Name)
		}
		one = m
	}
	return one, nil
}
