package rubric

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"
)

// Audit explains how the Referee decided (PROTOCOL.md, "Audit").
type Audit struct {
	Decisions string `json:"decision_rules_applied"` // see [Evaluation.Decisions]
	// the quotes that support the outcome, by turn, without repetition: USER: "words"
	Evidence []string `json:"evidence_used"`
	// 100*0.40 + … = 98.00; a calculator accepts it up to the equals sign
	WeightedCalc string `json:"weighted_calc"`
	MappingRule  string `json:"mapping_rule"` // round down 98.00 → 80
}

// Audit returns the audit of e. It depends on e alone, so settling an evaluation again yields the
// same audit.
func (e *Evaluation) Audit() Audit {
	return Audit{
		Decisions:    strings.Join(e.Decisions(), " "),
		Evidence:     e.evidence(),
		WeightedCalc: e.calc(),
		MappingRule: mappings[e.Rubric.Mapping].rule + " " + e.Average.String() + " → " +
			e.Overall.String(),
	}
}

// Decisions returns one sentence for each objection and its ruling, in rubric order, one sentence
// for all criteria without an objection, and the remarks.
func (e *Evaluation) Decisions() []string {
	var list, agreed []string
	adopted := 0
	for _, r := range e.Rulings {
		if r.ID == Majority {
			adopted++
		}
	}
	if adopted > 0 {
		list = append(list, fmt.Sprintf("%s: the Critic objects to %d criteria with evidence for "+
			"each, so its version of them is adopted.", Majority, adopted))
	}
	for i, r := range e.Rulings {
		if c := Criterion(i); r.ID == Agreed {
			agreed = append(agreed, c.String()+" at "+e.Final[c].Score.String())
		} else {
			list = append(list, e.ruled(c))
		}
	}
	if len(agreed) > 0 {
		list = append(list, Agreed.String()+": the Critic has no objection to "+
			enumerate(agreed, "and")+".")
	}
	return append(list, e.Remarks...)
}

//go:embed audit.tmpl
var auditFile string

// sentences are the templates of sentences about rulings, by ground, and for a score that is kept
// or changed.
var sentences = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Parse(auditFile))
})

// ruled returns the sentence about an objection and its ruling.
func (e *Evaluation) ruled(c Criterion) string {
	r, o, name := e.Rulings[c], e.Critique[c], "changed"
	var quotes []string
	for _, q := range r.Quotes {
		quotes = append(quotes, q.Attribute(e.Dialogue))
	}
	data := struct {
		Ruling
		Objection
		On                                     Criterion
		Critic, Direction, Said, Demanded, Why string
	}{Ruling: r, Objection: o, On: c, Critic: "the Critic", Direction: "lower",
		Said: enumerate(quotes, "and")}
	if r.Ground == notShown {
		data.Demanded = enumerate(sorted(e.Rubric.Demands[c][r.Before.Level()]), "or")
	}
	if o.By != "" {
		data.Critic += " (" + o.By + ")"
	}
	if o.Suggested > r.Before {
		data.Direction = "higher"
	}
	if r.ID == Ambiguous {
		name = "kept"
	}
	var why, text strings.Builder
	err := sentences().ExecuteTemplate(&why, string(r.Ground), data)
	data.Why = why.String()
	if err = cmp.Or(err, sentences().ExecuteTemplate(&text, name, data)); err != nil {
		panic(err) // the templates are part of the program
	}
	return text.String()
}

// enumerate joins "a", "b" and "c" with commas and a conjunction.
func enumerate(list []string, and string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + and + " " + list[last]
}

// evidence returns the quotes of the final justifications and of the rulings.
func (e *Evaluation) evidence() []string {
	var quotes []Quote
	for i := range e.Final {
		quotes = append(quotes, only(e.Final[i].Quotes, Quote.Occurs, e.Dialogue)...)
		quotes = append(quotes, e.Rulings[i].Quotes...)
	}
	slices.SortStableFunc(quotes, func(a, b Quote) int { return cmp.Compare(a.Turn, b.Turn) })
	list := make([]string, 0, len(quotes))
	for _, q := range quotes {
		if s := q.Attribute(e.Dialogue); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// calc returns the weighted average with its terms, in rubric order.
func (e *Evaluation) calc() string {
	var terms []string
	for i, rating := range e.Final {
		terms = append(terms, rating.Score.String()+"*"+Hundredths(e.Rubric.Weights[i]).String())
	}
	return strings.Join(terms, " + ") + " = " + e.Average.String()
}
