package fit

import (
	"errors"
	"fmt"
	"math"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
)

// Material is what a profile is learnt from: all scored dialogues of runs, whether they are rated or not.
type Material struct {
	Options
	Dialogues []Dialogue
	Rows      []run.Row // of these

	base    heuristics.Profile
	headers []*run.Header // of dialogues that a model judged
}

// NewMaterial begins without a dialogue. What the options say of the lexicon is that of the agents.
func NewMaterial(agents *heuristics.Agents, o Options) *Material {
	o.Lexicon, o.IsName, o.Titles = agents.Digest(), agents.IsName, map[string]string{}
	for _, d := range agents.Detectors() {
		o.Titles[d.ID] = d.Title
	}
	return &Material{Options: o, base: heuristics.DefaultProfile()}
}

// Add takes in a dialogue of a run and reports whether it is scored: others are passed over. The error is a run that was
// scored with another lexicon.
func (m *Material) Add(r *run.Record, h *run.Header) (bool, error) {
	switch {
	case !r.Scored():
		return false, nil
	case h.Lexicon != m.Lexicon: // what is learnt would not hold for what this program scores
		return false, console.Hint(fmt.Errorf("a run was scored with the lexicon %.12s…, and this program has "+
			"%.12s…: a profile would not fit what it scores", h.Lexicon, m.Lexicon),
			"score the dialogues again with this program")
	}
	d := NewDialogue(r, len(m.Dialogues), m.base)
	m.Dialogues, m.Rows = append(m.Dialogues, d), append(m.Rows, d.Row)
	if d.CrossCheck != nil && (m.headers == nil || m.headers[len(m.headers)-1] != h) {
		m.headers = append(m.headers, h)
	}
	return true, nil
}

// Learn is [Learn] from the dialogues, of which some are rated. A note says why no model is weighed that judged some.
func (m *Material) Learn(rated []ratings.Rated) (res *Result, note string, err error) {
	if m.Model, err = oneModel(m.headers); err != nil {
		note = "no model is weighed: " + err.Error()
	}
	res, err = Learn(m.Dialogues, rated, m.Options)
	return res, note, err
}

// oneModel gives the model that the headers name. The error says why it cannot be told.
func oneModel(headers []*run.Header) (one heuristics.Model, err error) {
	for _, h := range headers {
		var m heuristics.Model
		if h.Model != nil {
			m = heuristics.Model{Digest: h.Model.Digest, Name: ui.Visible(h.Model.Name)}
		}
		switch {
		case !m.Identified():
			return heuristics.Model{}, errors.New("the header of a run does not say which model judged it")
		case one.Digest != "" && one.Digest != m.Digest:
			return heuristics.Model{}, fmt.Errorf("the runs were judged by %s and by %s; want runs of one model",
				one.Name, m.Name)
		}
		one = m
	}
	return one, nil
}

// Sentences say what was learnt and what it gains, the headline first.
func (res *Result) Sentences() (list []string) {
	if res.Folds == 0 { // of ratings of criteria alone there is nothing to measure
		return nil
	}
	if said := res.headline(); said != "" {
		list = append(list, said)
	}
	e, g := &res.Error, res.Gain.OverDefault
	gain := fmt.Sprintf("On dialogues not used for learning, its estimates are off by %.2f points of 100 on average, those "+
		"of the rules by %.2f: a gain of %.2f, 95 %% interval %.2f to %.2f", e.Profile.MAE, e.Default.MAE, g.Value, g.Low, g.High)
	if !g.Certain() && g.High >= 0 {
		gain += ", which may be chance"
	}
	list = append(list, gain+".", "Rank: "+res.rank())
	if g := res.Growth; g != nil && g.Forecast.Spearman.Low.known() {
		list = append(list, g.told(g.Kind == res.Used))
	}
	return append(list, "Noise: "+res.noise())
}

// Telling says what the weight does.
func (w Weight) Telling() string {
	does := "raises"
	if w.Points < 0 {
		does = "lowers"
	}
	return fmt.Sprintf("%s satisfaction by %.2f of 5 points; %s", does, math.Abs(float64(w.Points)),
		ui.Counted(w.Dialogues, "rated dialogue"))
}
