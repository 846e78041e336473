package rubric

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Audit is the account that the Referee gives of a decision (003, "audit").
type Audit struct {
	Decisions    []string // a sentence for each ruling, in rubric order; what was agreed comes last, in one; then the remarks
	Evidence     []string // the quotes that the outcome rests on, by turn, each once: USER: "words"
	WeightedCalc string   // 100*0.40 + … = 98.00, to be pasted into a calculator up to the equals sign
	MappingRule  string   // round down 98.00 → 80
}

// Audit accounts for e. It is made from e alone, so an evaluation that is settled again has the same audit.
func (e *Evaluation) Audit() Audit {
	return Audit{
		Decisions:    e.decisions(),
		Evidence:     e.evidence(),
		WeightedCalc: string(e.appendCalc(nil)),
		MappingRule:  string(e.appendMapping(nil)),
	}
}

// decisions writes the sentences of the audit's decision_rules_applied. The remarks come last.
func (e *Evaluation) decisions() []string {
	var list []string
	var agreed []Criterion
	adopted := 0
	for _, r := range e.Rulings {
		if r.ID == Majority {
			adopted++
		}
	}
	if adopted > 0 {
		list = append(list, Majority.String()+": the Critic objects to "+strconv.Itoa(adopted)+" criteria with evidence for each, so its version of them is adopted.")
	}
	for i, r := range e.Rulings {
		switch r.ID {
		case Agreed:
			agreed = append(agreed, Criterion(i))
		case Ambiguous:
			list = append(list, e.kept(Criterion(i)))
		default:
			list = append(list, e.changed(Criterion(i)))
		}
	}
	if len(agreed) > 0 {
		list = append(list, e.agreed(agreed))
	}
	return append(list, e.Remarks...)
}

// agreed tells which scores nobody objects to.
func (e *Evaluation) agreed(criteria []Criterion) string {
	names := make([]string, len(criteria))
	for i, c := range criteria {
		names[i] = c.String() + " at " + e.Final[c].Score.String()
	}
	return Agreed.String() + ": the Critic has no objection to " + enumerate(names, "and") + "."
}

// kept tells why an objection did not carry.
func (e *Evaluation) kept(c Criterion) string {
	o := e.Critique[c]
	why := ""
	switch e.Rulings[c].Ground {
	case OffScale:
		why = "which is not on the scale"
	case TooFar:
		why = "which is more than two levels away"
	case NotSaid:
		why = "but cites nothing that is in the transcript"
	case NotBorneOut:
		up := o.Suggested > e.Rulings[c].Before
		why = "but no signal in what it cites speaks for a " + direction(up) + " score"
		if o.Kind == MissingEvidence && up {
			why = "but missing evidence cannot raise a score"
		} else if o.Kind == MissingEvidence {
			why = "but nothing that the score needs is verifiably absent"
		}
	}
	return Ambiguous.String() + ": " + c.String() + " stays at " + e.Rulings[c].Before.String() + "; " + critic(o) + " suggests " + o.Suggested.String() + ", " + why + "."
}

// changed tells why a suggestion was accepted.
func (e *Evaluation) changed(c Criterion) string {
	r, o := e.Rulings[c], e.Critique[c]
	quotes := make([]string, len(r.Quotes))
	for i, q := range r.Quotes {
		quotes[i] = q.Attribute(e.Dialogue)
	}
	said := enumerate(quotes, "and")
	why := ""
	switch r.Ground {
	case Signalled:
		verb := " speaks "
		if len(quotes) > 1 {
			verb = " speak "
		}
		why = said + verb + "for a " + direction(r.After > r.Before) + " score"
	case NotQuoted:
		why = "what was quoted for " + r.Before.String() + " is not in the transcript, which has " + said
	case NotShown:
		demands := slices.Compact(slices.Sorted(slices.Values(e.Rubric.Demands[c][r.Before.Level()]))) // in whatever order a file has them
		why = r.Before.String() + " demands " + enumerate(demands, "or") + ", which nothing shows, not even " + said
	}
	id := r.ID.String() + ": "
	if r.ID == Majority {
		id = "" // one sentence has said so for all of them
	}
	return id + c.String() + " goes from " + r.Before.String() + " to " + r.After.String() + " as " + critic(o) + " suggests, because " + why + "."
}

// critic names who objects.
func critic(o Objection) string {
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

// enumerate joins "a", "b" and "c" as people do.
func enumerate(list []string, and string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + and + " " + list[last]
}

// evidence lists the quotes of the final justifications and of the rulings.
func (e *Evaluation) evidence() []string {
	var quotes []Quote
	for i := range e.Final {
		quotes = append(quotes, verified(e.Dialogue, e.Final[i].Quotes)...)
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

// appendCalc appends the weighted average with its terms, in rubric order.
func (e *Evaluation) appendCalc(b []byte) []byte {
	for i, rating := range e.Final {
		if i > 0 {
			b = append(b, " + "...)
		}
		b = strconv.AppendUint(b, uint64(rating.Score), 10)
		b = append(b, '*')
		b = Hundredths(e.Rubric.Weights[i]).Append(b)
	}
	b = append(b, " = "...)
	return e.Average.Append(b)
}

// appendMapping appends how the average became the OverallExperience.
func (e *Evaluation) appendMapping(b []byte) []byte {
	b = append(b, e.Rubric.Mapping.rule()...)
	b = append(b, ' ')
	b = e.Average.Append(b)
	b = append(b, " → "...)
	return strconv.AppendUint(b, uint64(e.Overall), 10)
}
