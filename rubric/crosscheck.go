package rubric

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// CrossCheck holds what a model's Evaluator proposes against what the rules alone make of the same dialogue. It says how
// far the two differ, not who is right: a person who has to choose what to read begins where they differ most.
type CrossCheck struct {
	// The weighted mean of the levels between them: 0.00 where they agree in all, 4.00 at most.
	Disagreement Hundredths              `json:"disagreement"`
	Criteria     [NumCriteria]Comparison `json:"criteria"`
}

// Comparison is the two scores of one criterion.
type Comparison struct {
	Criterion Criterion `json:"criterion"`
	Model     Score     `json:"model"` // as the model's Evaluator proposes it
	Rules     Score     `json:"rules"` // as the rules settle it: Evaluator, Critic and Referee
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

// CrossCheck compares scores by the rubric's weights. Its error names the first
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
		check.Disagreement += Hundredths(r.Weights[i] * c.apart()) // weights are whole percents, so this is exact
	}
	return check, nil
}

// Levels is how many levels the model is above the rules, -4 to 4.
func (c Comparison) Levels() int { return c.Model.Level() - c.Rules.Level() }

func (c Comparison) apart() int { return max(c.Levels(), -c.Levels()) }

// Verdict is how far a model's score and that of the rules go together.
type Verdict uint8

// The verdicts. One level is doubt only: a harmless change of the prompt moves a small model by as much.
const (
	Agree      Verdict = iota // the same level
	Doubt                     // one level apart
	Contradict                // two levels or more
)

var verdictNames = [...]string{"agree", "doubt", "contradict"}

// String gives the name that records use.
func (v Verdict) String() string { return verdictNames[v] }

// Verdict says how far the two scores go together.
func (c Comparison) Verdict() Verdict { return Verdict(min(c.apart(), int(Contradict))) }

// Count gives how many criteria have a verdict.
func (c CrossCheck) Count(v Verdict) int {
	n := 0
	for _, comparison := range c.Criteria {
		if comparison.Verdict() == v {
			n++
		}
	}
	return n
}

// Merge joins what two Critics say of a scorecard, criterion by criterion, into one Critique for the Referee
// (decisions.md, "Two Critics"). Where both move the score the same way, the smaller change stands, with both
// named; where they move it opposite ways, nobody objects; an objection that stands alone stays as it is.
//
// The smaller change keeps its claim and its kind and, after its own quotes, shows those of the other too, so that
// what either Critic points at is before the Referee. Of equal changes a's claim stands, and a contradiction comes
// before missing evidence. A suggestion off the scale speaks for nobody else: beside one on the scale it is dropped.
//
// The rules are a and the model b wherever both are heard, so By reads "rules and model".
func Merge(a, b Critique, card Scorecard) Critique {
	var merged Critique
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
