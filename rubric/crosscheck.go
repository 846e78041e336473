package rubric

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// CrossCheck compares the scores of a model's Evaluator with those of the rules alone for the same
// dialogue. It measures how far the two differ, not which is right: people who choose what to read
// start where they differ most.
type CrossCheck struct {
	// The weighted mean difference in levels, from 0.00 (full agreement) to 4.00.
	Disagreement Hundredths              `json:"disagreement"`
	Criteria     [NumCriteria]Comparison `json:"criteria"`
}

// Comparison holds the two scores of one criterion.
type Comparison struct {
	Criterion Criterion `json:"criterion"`
	Model     Score     `json:"model"` // proposed by the model's Evaluator
	Rules     Score     `json:"rules"` // settled by the rules: Evaluator, Critic and Referee
}

// MarshalJSONTo adds the levels and the verdict, which follow from the scores.
func (c Comparison) MarshalJSONTo(enc *jsontext.Encoder) error {
	type Scores Comparison
	return json.MarshalEncode(enc, struct {
		Scores
		Levels  int    `json:"levels"`
		Verdict string `json:"verdict"`
	}{Scores(c), c.Levels(), c.Verdict().String()})
}

// CrossCheck compares two sets of scores, weighted by the rubric. The error names the first
// criterion without a valid score.
func (r Rubric) CrossCheck(model, rules [NumCriteria]Score) (CrossCheck, error) {
	var check CrossCheck
	for i := range check.Criteria {
		for _, s := range []Score{model[i], rules[i]} {
			if !s.Valid() {
				return CrossCheck{}, offScale(Criterion(i), s)
			}
		}
		c := Comparison{Criterion(i), model[i], rules[i]}
		check.Criteria[i] = c
		// exact, because weights are whole percents
		check.Disagreement += Hundredths(r.Weights[i] * c.gap())
	}
	return check, nil
}

// Levels returns how many levels the model's score is above that of the rules, from -4 to 4.
func (c Comparison) Levels() int { return c.Model.Level() - c.Rules.Level() }

func (c Comparison) gap() int { return max(c.Levels(), -c.Levels()) }

// Verdict classifies the difference between a model's score and that of the rules.
type Verdict uint8

// The verdicts. A difference of one level is only a doubt: a harmless change of the prompt moves a
// small model by as much.
const (
	Agree      Verdict = iota // the same level
	Doubt                     // one level apart
	Contradict                // two levels or more
)

// String returns the name used in records.
func (v Verdict) String() string { return [...]string{"agree", "doubt", "contradict"}[v] }

// Verdict classifies the difference between the two scores.
func (c Comparison) Verdict() Verdict { return Verdict(min(c.gap(), int(Contradict))) }

// Count returns the number of criteria with verdict v.
func (c CrossCheck) Count(v Verdict) (n int) {
	for _, comparison := range c.Criteria {
		if comparison.Verdict() == v {
			n++
		}
	}
	return n
}

// Merge combines the objections of two Critics to a scorecard, criterion by criterion, into one
// Critique for the Referee (PROTOCOL.md, "Two Critics"):
//
//   - If both move the score in the same direction, the smaller change wins and names both Critics.
//   - If they move it in opposite directions, there is no objection.
//   - If only one Critic objects, its objection is unchanged.
//
// The smaller change keeps its claim and its kind, and the other's quotes are added after its own,
// so that the Referee sees the evidence of both. If the changes are equal, a's claim wins, and a
// contradiction takes precedence over missing evidence. A suggestion off the scale does not count
// as support: next to one on the scale it is dropped. Wherever both are heard, a is the rules and b
// the model, so By reads "rules and model".
func Merge(a, b Critique, card Scorecard) (merged Critique) {
	for i, rating := range card {
		merged[i] = merge(a[i], b[i], rating.Score)
	}
	return merged
}

func merge(a, b Objection, score Score) Objection {
	switch speaksA, speaksB := a.Against(score), b.Against(score); {
	case !speaksA && !speaksB:
		return Objection{}
	case !speaksB || speaksA && a.Suggested.Valid() && !b.Suggested.Valid():
		return a
	case !speaksA || b.Suggested.Valid() && !a.Suggested.Valid():
		return b
	case (a.Suggested > score) != (b.Suggested > score):
		return Objection{}
	}
	by := cmp.Or(a.By, b.By)
	if a.By != b.By && a.By != "" && b.By != "" {
		by = a.By + " and " + b.By
	}
	distance := func(s Score) Score { return max(s, score) - min(s, score) }
	byA, byB := distance(a.Suggested), distance(b.Suggested)
	if byB < byA || byB == byA && b.Kind < a.Kind {
		a, b = b, a
	}
	a.By = by
	a.Quotes = slices.Clone(a.Quotes)
	for _, q := range b.Quotes {
		if !slices.Contains(a.Quotes, q) {
			a.Quotes = append(a.Quotes, q)
		}
	}
	return a
}
