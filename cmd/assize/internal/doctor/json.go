package doctor

import (
	"encoding/json"
	"math"
	"strconv"

	"assize/localllm"
	"assize/rubric"
)

// JSON gives the report as one object. A figure that cannot be had is null, and so is "use" where no model is of use.
//
//	{"assize_doctor": 1,
//	 "server": {"address", "version", "reachable", "failure": null or {"kind", "message", "hint"}},
//	 "models": [{"name", "digest", "bytes", "family", "parameters", "quantization", "context_length", "template", "remote",
//	             "failure": null or {…}}…],
//	 "trials": [{"model", "identity": {…}, "verdict", "because": [check ids…], "failure": null or {…},
//	             "checks": [{"id", "outcome", "says"}…],
//	             "figures": {"dialogues", "scored", "first_try", "auc", "rules_auc", "good", "bad", "distinct", "modal",
//	                         "stuck": [criteria…], "flat", "counting", "cited", "relevant", "base", "relevance", "seconds",
//	                         "turns", "generated", "tokens_per_second", "seconds_per_1000"},
//	             "dialogues": [{"name", "good", "scored", "scores": {…6}, "average", "rules", "seconds", "failure"}…],
//	             "attacks": [{"name", "target", "tried", "before", "after", "shift", "obeyed", "guarded", "intact"}…],
//	             "repeated": [true or false…]}…],
//	 "use": "name", "advice": "sentences"}
func (r *Report) JSON() ([]byte, error) {
	doc := document{Version: 1, Models: []modelDoc{}, Trials: []trialDoc{}, Advice: r.Advice()}
	doc.Server = serverDoc{r.Inventory.Address, r.Inventory.Server, r.Failure == nil, failureOf(r.Failure)}
	for _, m := range r.Inventory.Models {
		doc.Models = append(doc.Models, modelDoc{m.Name, m.Digest, m.Size, m.Family, m.Parameters, m.Quantization, m.ContextLength, m.Template, m.Remote, failureOf(m.Failure)})
	}
	for _, t := range r.Trials {
		doc.Trials = append(doc.Trials, t.document())
	}
	if use := r.Use(); use != "" {
		doc.Use = &use
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	return append(data, '\n'), err
}

type document struct {
	Version int        `json:"assize_doctor"`
	Server  serverDoc  `json:"server"`
	Models  []modelDoc `json:"models"`
	Trials  []trialDoc `json:"trials"`
	Use     *string    `json:"use"`
	Advice  string     `json:"advice"`
}

type serverDoc struct {
	Address   string      `json:"address"`
	Version   string      `json:"version"`
	Reachable bool        `json:"reachable"`
	Failure   *failureDoc `json:"failure"`
}

type failureDoc struct {
	Kind    localllm.FailureKind `json:"kind"`
	Message string               `json:"message"`
	Hint    string               `json:"hint"`
}

func failureOf(f *localllm.Failure) *failureDoc {
	if f == nil {
		return nil
	}
	return &failureDoc{f.Kind, f.Msg, f.Hint}
}

type modelDoc struct {
	Name          string      `json:"name"`
	Digest        string      `json:"digest"`
	Bytes         int64       `json:"bytes"`
	Family        string      `json:"family"`
	Parameters    string      `json:"parameters"`
	Quantization  string      `json:"quantization"`
	ContextLength int         `json:"context_length"`
	Template      bool        `json:"template"`
	Remote        bool        `json:"remote"`
	Failure       *failureDoc `json:"failure"` // why the server does not describe it
}

type trialDoc struct {
	Model     string             `json:"model"`
	Identity  *localllm.Identity `json:"identity"`
	Verdict   string             `json:"verdict"`
	Because   []string           `json:"because"`
	Failure   *failureDoc        `json:"failure"`
	Checks    []checkDoc         `json:"checks"`
	Figures   *figuresDoc        `json:"figures"`
	Dialogues []heardDoc         `json:"dialogues"`
	Attacks   []attackDoc        `json:"attacks"`
	Repeated  []bool             `json:"repeated"`
}

type checkDoc struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"`
	Says    string `json:"says"`
}

type figuresDoc struct {
	Dialogues   int      `json:"dialogues"`
	Scored      int      `json:"scored"`
	FirstTry    int      `json:"first_try"`
	AUC         figure   `json:"auc"`
	RulesAUC    figure   `json:"rules_auc"`
	Good        figure   `json:"good"`
	Bad         figure   `json:"bad"`
	Distinct    int      `json:"distinct"`
	Modal       int      `json:"modal"`
	Stuck       []string `json:"stuck"`
	Flat        int      `json:"flat"`
	Counting    int      `json:"counting"`
	Cited       int      `json:"cited"`
	Relevant    int      `json:"relevant"`
	Base        figure   `json:"base"`
	Relevance   figure   `json:"relevance"`
	Seconds     figure   `json:"seconds"`
	Turns       figure   `json:"turns"`
	Generated   figure   `json:"generated"`
	Rate        figure   `json:"tokens_per_second"`
	PerThousand figure   `json:"seconds_per_1000"`
}

type heardDoc struct {
	Name    string         `json:"name"`
	Good    bool           `json:"good"`
	Scored  bool           `json:"scored"`
	Scores  map[string]int `json:"scores"` // encoding/json sorts the criteria
	Average figure         `json:"average"`
	Rules   figure         `json:"rules"`
	Seconds figure         `json:"seconds"`
	Failure *failureDoc    `json:"failure"`
}

type attackDoc struct {
	Name    string `json:"name"`
	Target  int    `json:"target"`
	Tried   bool   `json:"tried"`
	Before  int    `json:"before"`
	After   int    `json:"after"`
	Shift   figure `json:"shift"`
	Obeyed  bool   `json:"obeyed"`
	Guarded bool   `json:"guarded"`
	Intact  bool   `json:"intact"`
}

// figure is a number of two decimals; NaN is null.
type figure float64

// MarshalJSON implements [json.Marshaler].
func (f figure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(f), 'f', 2, 64), nil
}

func (t *Trial) document() trialDoc {
	d := trialDoc{
		Model: t.Model, Verdict: t.Verdict().String(), Because: append([]string{}, t.because()...), Failure: failureOf(t.Failure),
		Checks: []checkDoc{}, Dialogues: []heardDoc{}, Attacks: []attackDoc{}, Repeated: append([]bool{}, t.Again...),
	}
	if t.Failure != nil {
		return d
	}
	d.Identity = &t.Identity
	for _, c := range t.Checks() {
		d.Checks = append(d.Checks, checkDoc{c.ID, c.Outcome.String(), c.Says})
	}
	f := t.Measure()
	stuck := []string{}
	for _, k := range f.Stuck {
		stuck = append(stuck, k.String())
	}
	d.Figures = &figuresDoc{
		f.Dialogues, f.Scored, f.FirstTry, figure(f.AUC), figure(f.RulesAUC), figure(f.Good), figure(f.Bad), f.Distinct, f.Modal, stuck,
		f.Flat, f.Counting, f.Evidence.Cited, f.Evidence.Relevant, figure(f.Evidence.Base()), figure(f.Evidence.AboveChance()), figure(f.Seconds), figure(f.Turns), figure(f.Generated),
		figure(f.Rate), figure(1000 * f.Seconds),
	}
	for _, h := range t.Heard {
		d.Dialogues = append(d.Dialogues, h.document())
	}
	for _, a := range t.Attacks {
		d.Attacks = append(d.Attacks, attackDoc{a.Name, int(a.Target), a.Tried, a.Before, a.After, figure(a.Shift) / 100, a.Obeyed, a.Guarded, a.Intact})
	}
	return d
}

func (h Heard) document() heardDoc {
	d := heardDoc{
		Name: h.Name, Good: h.Good, Scored: h.Scored(), Average: figure(math.NaN()), Rules: figure(h.Rules) / 100,
		Seconds: figure(h.Seconds()), Failure: failureOf(h.Failure),
	}
	if h.Scored() {
		d.Average, d.Scores = figure(h.Average)/100, map[string]int{}
		for k, s := range h.Card.Scores() {
			d.Scores[rubric.Criterion(k).String()] = int(s)
		}
	}
	return d
}
