package rubric

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMerge(t *testing.T) {
	one, two := Quote{1, "A table for four"}, Quote{3, "No, I said four."}
	objects := func(s Score, by string, qs ...Quote) Objection {
		return Objection{Suggested: s, Claim: "says " + by, Quotes: qs, By: by}
	}
	missing := func(o Objection) Objection {
		o.Kind = MissingEvidence
		return o
	}
	for _, tt := range []struct {
		name, reason string
		a, b, want   Objection
	}{
		{"silence", "nobody objects", Objection{}, Objection{}, Objection{}},
		{"rules alone", "one alone stands", objects(60, "rules", one), Objection{},
			objects(60, "rules", one)},
		{"model alone", "one alone stands", Objection{}, objects(100, "model", two),
			objects(100, "model", two)},
		{"same way", "the smaller change, both named", objects(40, "rules", one),
			objects(60, "model", two),
			Objection{Suggested: 60, Claim: "says model", Quotes: []Quote{two, one},
				By: "rules and model"}},
		{"same way, rules smaller", "the smaller change, both named", objects(60, "rules", one),
			objects(40, "model", two),
			Objection{Suggested: 60, Claim: "says rules", Quotes: []Quote{one, two},
				By: "rules and model"}},
		{"same change", "the first one's claim, both quotes, none twice",
			objects(60, "rules", one, two), objects(60, "model", two),
			Objection{Suggested: 60, Claim: "says rules", Quotes: []Quote{one, two},
				By: "rules and model"}},
		{"same change, another ground", "a contradiction says more than that something is missing",
			missing(objects(60, "rules", one)), objects(60, "model", two),
			Objection{Suggested: 60, Claim: "says model", Quotes: []Quote{two, one},
				By: "rules and model"}},
		{"opposite ways", "opposite directions: no objection", objects(60, "rules", one),
			objects(100, "model", two), Objection{}},
		{"suggests the score it is at", "agreement is derived, never taken from an agent",
			objects(80, "rules", one), objects(60, "model", two), objects(60, "model", two)},
		{"both suggest the score it is at", "nobody disagrees", objects(80, "rules"),
			objects(80, "model"), Objection{}},
		{"off the scale beside on it", "45 is not on the scale, though it is nearer than 40",
			objects(40, "rules", one), objects(45, "model", two), objects(40, "rules", one)},
		{"on the scale beside off it", "the same the other way round", objects(45, "rules", one),
			objects(40, "model", two), objects(40, "model", two)},
		{"both off the scale", "for the Referee to refuse", objects(45, "rules", one),
			objects(50, "model", two),
			Objection{Suggested: 50, Claim: "says model", Quotes: []Quote{two, one},
				By: "rules and model"}},
		{"of one kind", "two rule Critics are the rules", objects(60, "rules", one),
			objects(40, "rules", two),
			Objection{Suggested: 60, Claim: "says rules", Quotes: []Quote{one, two}, By: "rules"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a, b, want Critique
			var card Scorecard
			for i := range card {
				card[i].Score = 80
			}
			a[Accuracy], b[Accuracy], want[Accuracy] = tt.a, tt.b, tt.want
			assert.Equal(t, want, Merge(a, b, card), tt.reason)
		})
	}
}

// For any two Critics, a merged change is one that either wants, it is no larger than what either
// wants, and merging modifies neither input.
func TestMergeLaws(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		_, _, card, a := trial(rnd)
		_, _, _, b := trial(rnd)
		wasA, wasB := quotesOf(a), quotesOf(b)
		merged := Merge(a, b, card)
		assert.Equal(t, wasA, quotesOf(a))
		assert.Equal(t, wasB, quotesOf(b))
		mirrored := Merge(b, a, card)
		for i, o := range merged {
			assert.Equal(t, o.Suggested, mirrored[i].Suggested,
				"the order of the Critics decides no score")
			assert.Equal(t, o.Kind, mirrored[i].Kind)
			if !o.Against(card[i].Score) {
				continue
			}
			assert.Contains(t, []Score{a[i].Suggested, b[i].Suggested}, o.Suggested)
			for _, by := range []Objection{a[i], b[i]} {
				if by.Against(card[i].Score) && by.Suggested.Valid() == o.Suggested.Valid() {
					far := func(s Score) float64 {
						return math.Abs(float64(s) - float64(card[i].Score))
					}
					assert.LessOrEqual(t, far(o.Suggested), far(by.Suggested))
				}
			}
		}
		assert.Equal(t, merged, Merge(merged, Critique{}, card), "silence adds nothing")
	}
}

func quotesOf(c Critique) (list [][]Quote) {
	for _, o := range c {
		list = append(list, append([]Quote(nil), o.Quotes...))
	}
	return list
}
