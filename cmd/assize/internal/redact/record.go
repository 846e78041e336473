package redact

import (
	"slices"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Record masks everything of r that is written. Its digest becomes that of the masked turns: a digest of the
// original words would let anybody test guesses at what is masked.
//
// What r shares with its sample or its Evaluation is left as it is; r gets copies.
func Record(r *record.Record) {
	turns := dialogueTurns(r.Dialogue.Turns)
	spoken := make([]dialogue.Turn, len(turns.all))
	for i, t := range r.Dialogue.Turns {
		spoken[i] = dialogue.Turn{Role: t.Role, Text: turns.all[i].text}
	}
	r.Dialogue.Turns = spoken
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
	m := maskedTurns{known: map[string]string{}}
	m.mask(turns)
	for i, t := range turns {
		for _, sp := range m.all[i].spans {
			if sp.mask != Email {
				m.known[digits(t.Text[sp.start:sp.end])] = sp.mask
			}
		}
	}
	if len(m.known) > 0 { // the same number may stand elsewhere without the words that tell what it is
		m.mask(turns)
	}
	return m
}

func (m *maskedTurns) mask(turns []dialogue.Turn) {
	m.all = make([]masked, len(turns))
	a := asked{known: m.known}
	for i, t := range turns {
		m.all[i] = newMasked(t.Text, a)
		a = about(t.Text)
		a.known = m.known
	}
}

// text masks what is said of the dialogue, which may repeat its numbers.
func (m maskedTurns) text(s string) string { return newMasked(s, asked{known: m.known}).text }

// meta masks metadata, names too. A name tells what its value is, as a question does. Where two names become the same,
// the first counts.
func (m maskedTurns) meta(fields dialogue.Meta) dialogue.Meta {
	var list []dialogue.Field
	for _, f := range fields {
		a := about(strings.ReplaceAll(f.Name, "_", " "))
		a.known = m.known
		value := newMasked(f.Value, a)
		list = append(list, dialogue.Field{Name: m.text(f.Name), Value: value.text})
	}
	return dialogue.NewMeta(list)
}

func (m maskedTurns) evaluation(e *rubric.Evaluation) {
	for i := range rubric.NumCriteria {
		m.rating(&e.Evaluator[i])
		m.rating(&e.Final[i])
		e.Critique[i].Claim = m.text(e.Critique[i].Claim)
		e.Critique[i].Quotes = m.quotes(e.Critique[i].Quotes)
		e.Rulings[i].Quotes = m.quotes(e.Rulings[i].Quotes)
	}
	e.Signals = slices.Clone(e.Signals)
	for i := range e.Signals {
		e.Signals[i].Start, e.Signals[i].End = 0, 0 // they are places in the original text
	}
}

func (m maskedTurns) rating(r *rubric.Rating) {
	r.Claim = m.text(r.Claim)
	r.Quotes = m.quotes(r.Quotes)
}

func (m maskedTurns) quotes(quotes []rubric.Quote) []rubric.Quote {
	out := slices.Clone(quotes)
	for i, q := range out {
		if q.Turn < 1 || q.Turn > len(m.all) {
			out[i].Text = Text(q.Text)
			continue
		}
		out[i].Text = m.all[q.Turn-1].quote(q.Text)
	}
	return out
}
