package run

import (
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// wire is a record as JSON: the schema of a line, member by member. It begins with the document of the three-agent
// protocol (003), of which an unscored dialogue has only the id.
type wire struct {
	rubric.Debate
	Source Source `json:"source"`
	Status string `json:"status"`           // "scored" or "unscored"
	Reason string `json:"reason,omitempty"` // of an unscored dialogue, which has nothing from here to the cross-check
	heuristics.Estimate
	Learnt
	Signals    []rubric.Signal    `json:"signals,omitzero"`
	Panel      *panel             `json:"panel,omitzero"`
	CrossCheck *rubric.CrossCheck `json:"cross_check,omitzero"` // only where a model was the Evaluator
	Model      *localllm.Account  `json:"model,omitzero"`       // only where one was asked, scored or not
	Fallback   []Agent            `json:"fallback,omitempty"`
	Turns      []turn             `json:"turns"`
	Truth      dialogue.Truth     `json:"truth,omitempty"`
}

// panel is what the agents said and the Referee decided, where the protocol's document has only sentences.
type panel struct {
	Evaluator [rubric.NumCriteria]answer `json:"evaluator"`
	Critic    []answer                   `json:"critic"`
	Rulings   [rubric.NumCriteria]ruling `json:"rulings"`
}

// answer is what is quoted for a rating or an objection; only that has a name, a kind and a suggestion.
type answer struct {
	Criterion rubric.Criterion `json:"criterion"`
	By        string           `json:"by,omitzero"`
	Kind      string           `json:"kind,omitzero"`
	Turns     []int            `json:"turns"`
	Quotes    []string         `json:"quotes"` // one for each turn
	Suggested rubric.Score     `json:"suggested,omitzero"`
}

type ruling struct {
	Criterion rubric.Criterion `json:"criterion"`
	Ruling    string           `json:"ruling"`
	Ground    string           `json:"ground"`
	Turns     []int            `json:"turns"`
	Before    rubric.Score     `json:"before"`
	After     rubric.Score     `json:"after"`
}

type turn struct {
	Role    string `json:"role"`
	Speaker string `json:"speaker,omitzero"` // as the source writes it, as is the time
	At      string `json:"at,omitzero"`
	Text    string `json:"text"`
}

// Append appends the record to b as one line of JSON, without the line break.
func (r *Record) Append(b []byte) []byte {
	w := &wire{Source: r.Source, Status: "unscored", Reason: r.Reason, Model: r.Model, Fallback: r.Fallback, Truth: r.Truth}
	if r.Scored() {
		w.score(r)
	}
	w.DialogueID = r.Dialogue.ID
	w.Turns = make([]turn, 0, len(r.Dialogue.Turns))
	for i, t := range r.Dialogue.Turns {
		one := turn{Role: t.Role.String(), Text: t.Text}
		if i < len(r.Voices) {
			one.Speaker, one.At = r.Voices[i].Speaker, r.Voices[i].At
		}
		w.Turns = append(w.Turns, one)
	}
	return rubric.AppendJSON(b, w)
}

// score adds what only a scored dialogue has.
func (w *wire) score(r *Record) {
	e := r.Evaluation
	w.Debate, w.Status, w.Reason = e.Debate(), "scored", ""
	w.Estimate, w.Learnt, w.CrossCheck, w.Panel = r.Estimate, r.Learnt, r.CrossCheck, &panel{}
	w.Signals = append([]rubric.Signal{}, e.Signals...) // a list, even of none
	for i, k := range rubric.Criteria() {
		w.Panel.Evaluator[i] = answer{Criterion: k}
		w.Panel.Evaluator[i].quote(e.Evaluator[i].Quotes)
		if o := &e.Critique[i]; o.Suggested != 0 {
			against := answer{Criterion: k, By: o.By, Kind: o.Kind.String(), Suggested: o.Suggested}
			against.quote(o.Quotes)
			w.Panel.Critic = append(w.Panel.Critic, against)
		}
		g := &e.Rulings[i]
		w.Panel.Rulings[i] = ruling{k, g.ID.String(), g.Ground.String(), nil, g.Before, g.After}
		for _, q := range g.Quotes {
			w.Panel.Rulings[i].Turns = append(w.Panel.Rulings[i].Turns, q.Turn)
		}
	}
}

func (a *answer) quote(list []rubric.Quote) {
	a.Turns, a.Quotes = make([]int, len(list)), make([]string, len(list))
	for i, q := range list {
		a.Turns[i], a.Quotes[i] = q.Turn, q.Text
	}
}

// quoted is the inverse of quote.
func (a *answer) quoted() []rubric.Quote {
	const most = 200 // a hundred times what people need; each is looked up in its turn
	list := make([]rubric.Quote, min(len(a.Turns), len(a.Quotes), most))
	for i := range list {
		list[i] = rubric.Quote{Turn: a.Turns[i], Text: a.Quotes[i]}
	}
	return list
}
