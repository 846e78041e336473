package rubric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
		switch c := Criterion(i); r.ID {
		case Agreed:
			agreed = append(agreed, c.String()+" at "+e.Final[c].Score.String())
		case Ambiguous:
			list = append(list, e.kept(c))
		default:
			list = append(list, e.changed(c))
		}
	}
	if len(agreed) > 0 {
		list = append(list, Agreed.String()+": the Critic has no objection to "+
			enumerate(agreed, "and")+".")
	}
	return append(list, e.Remarks...)
}

func (e *Evaluation) kept(c Criterion) string {
	r, o := e.Rulings[c], e.Critique[c]
	why := ""
	switch up := o.Suggested > r.Before; {
	case r.Ground == notOnScale:
		why = "which is not on the scale"
	case r.Ground == tooFar:
		why = "which is more than two levels away"
	case r.Ground == notSaid:
		why = "but cites nothing that is in the transcript"
	case o.Kind == MissingEvidence && up:
		why = "but missing evidence cannot raise a score"
	case o.Kind == MissingEvidence:
		why = "but nothing that the score needs is verifiably absent"
	default:
		why = "but no signal in what it cites speaks for a " + direction(up) + " score"
	}
	return fmt.Sprintf("%s: %s stays at %s; %s suggests %s, %s.", Ambiguous, c, r.Before,
		o.critic(), o.Suggested, why)
}

func (e *Evaluation) changed(c Criterion) string {
	r, o := e.Rulings[c], e.Critique[c]
	quotes := make([]string, len(r.Quotes))
	for i, q := range r.Quotes {
		quotes[i] = q.Attribute(e.Dialogue)
	}
	said, why := enumerate(quotes, "and"), ""
	switch r.Ground {
	case signalled:
		verb := " speaks"
		if len(quotes) > 1 {
			verb = " speak"
		}
		why = said + verb + " for a " + direction(r.After > r.Before) + " score"
	case notQuoted:
		why = "what was quoted for " + r.Before.String() + " is not in the transcript, which has " +
			said
	case notShown:
		demands := sorted(e.Rubric.Demands[c][r.Before.Level()])
		why = r.Before.String() + " demands " + enumerate(demands, "or") +
			", which nothing shows, not even " + said
	}
	id := r.ID.String() + ": "
	if r.ID == Majority {
		id = "" // already covered by the one sentence for all of them
	}
	return fmt.Sprintf("%s%s goes from %s to %s as %s suggests, because %s.", id, c, r.Before,
		r.After, o.critic(), why)
}

func (o Objection) critic() string {
	if o.By == "" {
		return "the Critic"
	}
	return "the Critic (" + o.By + ")"
}

func direction(up bool) string {
	if up {
		return "higher"
	}
	return "lower"
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
