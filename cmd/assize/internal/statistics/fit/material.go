package fit

import (
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

	base satisfaction.Profile
	note string // why the model that judged dialogues is not weighed
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
		return false, console.Hint(texts.Error("other lexicon", h.Lexicon, m.Lexicon),
			texts.Text("lexicon hint"))
	}
	d := NewDialogue(r, len(m.Dialogues), m.base)
	m.Dialogues, m.Rows = append(m.Dialogues, d), append(m.Rows, &d.Row)
	if d.CrossCheck != nil && m.note == "" {
		m.judgedBy(h)
	}
	return true, nil
}

// judgedBy stores the model that judged a run, which must be the same for all runs.
func (m *Material) judgedBy(h *run.Header) {
	var model satisfaction.Model
	if h.Model != nil {
		model = satisfaction.Model{Digest: h.Model.Digest, Name: ui.Visible(h.Model.Name)}
	}
	switch {
	case !model.Identified():
		m.note = texts.Text("unknown model")
	case m.Model.Digest != "" && m.Model.Digest != model.Digest:
		m.note = texts.Text("two models", m.Model.Name, model.Name)
	}
	if m.Model = model; m.note != "" {
		m.Model = satisfaction.Model{}
	}
}

// Learn calls [Learn] with the dialogues, some of which are rated. The note says why the model that
// judged them is not weighed.
func (m *Material) Learn(rated []ratings.Rated) (res *Result, note string, err error) {
	once, repeats := ratings.Once(rated)
	if res, err = Learn(m.Dialogues, once, m.Options); err == nil {
		res.Warnings = append(res.Warnings, repeats...)
	}
	return res, m.note, err
}
