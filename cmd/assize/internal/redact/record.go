package redact

import (
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Record masks everything of r that is written. Its digest becomes that of the masked turns: a digest of the
// original words would let anybody test guesses at what is masked.
//
// What r shares with its sample or its Evaluation is left as it is; r gets copies.
func Record(r *run.Record) {
	turns := dialogueTurns(r.Dialogue.Turns)
	r.Dialogue.Turns = slices.Clone(r.Dialogue.Turns)
	for i := range r.Dialogue.Turns {
		r.Dialogue.Turns[i].Text = turns.all[i].text
	}
	r.Source.Digest = r.Dialogue.Digest()
	r.Source.File = Text(r.Source.File)
	r.Source.ID = Text(r.Source.ID)
	r.Source.Meta = turns.meta(r.Source.Meta)
	r.Reason = turns.text(r.Reason)
	r.Truth.Labels = slices.Clone(r.Truth.Labels)
	for i, label := range r.Truth.Labels {
		r.Truth.Labels[i] = Text(label)
	}
	if r.Model != nil {
		account := *r.Model
		account.Calls = slices.Clone(account.Calls)
		for i := range account.Calls {
			account.Calls[i].Raw = turns.text(account.Calls[i].Raw)
		}
		r.Model = &account
	}
	if r.Evaluation != nil {
		e := *r.Evaluation
		e.Dialogue = r.Dialogue
		turns.evaluation(&e)
		r.Evaluation = &e
	}
}

// maskedTurns are a dialogue's turns.
type maskedTurns struct {
	all   []masked          // by number less one
	known map[string]string // the masks of the numbers in them, by their digits
}

func dialogueTurns(turns []dialogue.Turn) maskedTurns {
	m := maskedTurns{make([]masked, len(turns)), map[string]string{}}
	mask := func() {
		a := asked{known: m.known}
		for i, t := range turns {
			m.all[i] = newMasked(t.Text, a)
			a = about(t.Text, m.known)
		}
	}
	mask()
	for i := range m.all {
		for _, sp := range m.all[i].spans {
			if sp.mask != Email {
				m.known[digits(turns[i].Text[sp.start:sp.end])] = sp.mask
			}
		}
	}
	if len(m.known) > 0 { // a number may come before what tells its sense
		mask()
	}
	return m
}

// text masks what is said of the dialogue, which may repeat its numbers.
func (m maskedTurns) text(s string) string { return newMasked(s, asked{known: m.known}).text }

// meta masks metadata, names too. A name tells what its value is, as a question does. Where two names become the same,
// the first counts.
func (m maskedTurns) meta(fields dialogue.Meta) dialogue.Meta {
	var list []dialogue.Field
	for _, f := range fields {
		value := newMasked(f.Value, about(strings.ReplaceAll(f.Name, "_", " "), m.known))
		list = append(list, dialogue.Field{Name: m.text(f.Name), Value: value.text})
	}
	return dialogue.NewMeta(list)
}

func (m maskedTurns) evaluation(e *rubric.Evaluation) {
	for i := range rubric.NumCriteria {
		for _, r := range []*rubric.Rating{&e.Evaluator[i], &e.Final[i]} {
			r.Claim, r.Quotes = m.text(r.Claim), m.quotes(r.Quotes)
		}
		o := &e.Critique[i]
		o.Claim, o.Quotes = m.text(o.Claim), m.quotes(o.Quotes)
		e.Rulings[i].Quotes = m.quotes(e.Rulings[i].Quotes)
	}
	e.Signals = slices.Clone(e.Signals)
	for i := range e.Signals {
		e.Signals[i].Start, e.Signals[i].End = 0, 0 // they are places in the original text
	}
}

func (m maskedTurns) quotes(quotes []rubric.Quote) []rubric.Quote {
	quotes = slices.Clone(quotes)
	for i, q := range quotes {
		var turn masked
		if 0 < q.Turn && q.Turn <= len(m.all) {
			turn = m.all[q.Turn-1]
		}
		quotes[i].Text = turn.quote(q.Text)
	}
	return quotes
}
