package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
)

func TestReadCalculation(t *testing.T) {
	for _, tt := range []struct {
		text, reason string
		terms        int
		result       float64
		ok           bool
	}{
		{"100*0.40 + 60*0.15 = 49.00", "as the documents print it", 2, 49, true},
		{"100×0.4+60×.15=49", "with the sign for it, and short", 2, 49, true},
		{"0.40*100 + 0.15*60 = 49", "the weight first", 2, 49, true},
		{"(100 * 40%) + (60 * 15 %) = 49.0", "brackets and percents", 2, 49, true},
		{"TaskSuccess*0.40 + Helpfulness*0.15 = 49", "names for scores, as in the template", 2, 49, true},
		{"TaskSuccess: 100*0.40 + Helpfulness (60) * 0.15 = 49", "names beside scores", 2, 49, true},
		{"100*0.40 + 60*0.15 = 40 + 9 = 49", "steps between", 2, 49, true},
		{"Weighted average = 100*0.40 + 60*0.15 = 49.00 (rounded)", "words around", 2, 49, true},
		{"100 x 0.40 + 60 x 0.15 ≈ 49", "typed signs", 2, 49, true},
		{"100*0.40 + 60*0.15 → 49", "an arrow", 2, 49, true},
		{"TaskSuccess 100*0.40=40 + 60*0.15 = 9 => 49", "each product beside its term", 2, 49, true},
		{"Average: = 100*0.40=40 + 60*0.15 = 9 = 49", "and words before", 2, 49, true},
		{"100*0.40 + 60*0.15 = 49.00 → 40", "what it maps to", 2, 49, true},
		{"100*0.40 + 60*0.15 = 40 + 9 = 49.00 => 40", "and steps", 2, 49, true},
		{"100*0.40 + 60*0.15 = 40 + 9 → 49", "an arrow behind steps", 2, 49, true},
		{`$100 \times 0.40 + 60 \times 0.15 = 49$`, "as LaTeX", 2, 49, true},
		{"100 * 0,40 + 60 * 0,15 = 49,00", "decimal commas", 2, 49, true},
		{"Weighted: 100*.40+60*.15=49", "a label", 2, 49, true},
		{"100*0.40=40 + 60*0.15 = 9", "the last product is no result", 0, 0, false},
		{"100*0.40 + 60*0.15", "no result", 0, 0, false},
		{"49.00", "no terms", 0, 0, false},
		{"= 49.00", "no terms either", 0, 0, false},
		{"", "nothing", 0, 0, false},
		{"100*0.40 - 60*0.15 = 31", "another sign", 0, 0, false},
		{"100*0.40*1 + 60*0.15 = 49", "three factors", 0, 0, false},
		{"100*a + 60*b = 49", "letters", 0, 0, false},
		{"TaskSuccess*Helpfulness + 60*0.15 = 49", "two names in a term", 0, 0, false},
		{"100*0.4.0 + 60*0.15 = 49", "no number", 0, 0, false},
		{"100*0.40 + 60*0.15 = forty-nine", "a result in words", 0, 0, false},
		{"* + * = 1", "signs alone", 0, 0, false},
		{"100*0.40 + 60*0.15 = what = 49", "a step in words", 0, 0, false},
	} {
		c, ok := readCalculation(tt.text)
		assert.Equal(t, tt.ok, ok, "%s: %s", tt.reason, tt.text)
		if ok {
			assert.Len(t, c.terms, tt.terms, tt.reason)
			assert.Equal(t, tt.result, c.result, tt.reason)
			for i, want := range []calcTerm{{score: 100, weight: 0.4}, {score: 60, weight: 0.15}} {
				if assert.Equal(t, want.weight, c.terms[i].weight, tt.reason); !c.terms[i].named {
					assert.Equal(t, want.score, c.terms[i].score, tt.reason)
				}
			}
		}
	}
}

func TestReadSum(t *testing.T) {
	for _, tt := range []struct {
		text, reason string
		sum          rubric.Hundredths
		shown        string
		ok           bool
	}{
		{"32 + 12 + 12 + 6 + 8 + 8 = 78.00", "products alone", 7800, "78.00", true},
		{"Total: 32+12+12+6+8+8 → 80", "a wrong sum", 7800, "80", true},
		{"32 + 12 + 12 = 56", "not six", 0, "", false},
		{"32 + 12 + 12 + 6 + 8 + a = 78.00", "a letter", 0, "", false},
		{"32 + 12 + 12 + 6 + 8 + 8", "no result", 0, "", false},
		{"32 + 12 + 12 + 6 + 8 + 8 = so much", "a result in words", 0, "", false},
	} {
		sum, shown, ok := readSum(tt.text)
		assert.Equal(t, tt.ok, ok, "%s: %s", tt.reason, tt.text)
		if ok {
			assert.Equal(t, tt.sum, sum, tt.reason)
			assert.Equal(t, tt.shown, shown, tt.reason)
		}
	}
	c, ok := readCalculation("TaskSuccess 100*0.40=40, Helpfulness 60*0.15=9, 60*0.15=9, 60*0.10=6, 60*0.10=6, 60*0.10=6; total=76")
	assert.True(t, ok, "products in a list")
	assert.Len(t, c.terms, 6)
	assert.Equal(t, []float64{76}, c.sums)
	assert.Equal(t, 76.0, c.result)
}

func TestReadRule(t *testing.T) {
	step := func(from, to float64, shown string) []ruleStep { return []ruleStep{{from, to, shown}} }
	for _, tt := range []struct {
		text, reason, named string
		steps               []ruleStep
	}{
		{"round down 98 → 80", "as 003 prints it", "down", step(98, 80, "98 → 80")},
		{"round to the nearest 98.00 → 100", "as ours is", "nearest", step(98, 100, "98.00 → 100")},
		{"Floor: 98.0 -> 80", "other words", "down", step(98, 80, "98.0 -> 80")},
		{"98 => 80", "no words", "", step(98, 80, "98 => 80")},
		{"98.00 is rounded down to 80", "no arrow", "down", step(98, 80, "98.00 is rounded down to 80")},
		{"The average 98.00 maps to 80", "nor here", "", step(98, 80, "98.00 maps to 80")},
		{"round up 98 → 100", "the wrong way", "up", step(98, 100, "98 → 100")},
		{"round down to nearest bucket", "down comes first", "down", nil},
		{"nearest lower bucket: 98 → 80", "down in other words", "down", step(98, 80, "98 → 80")},
		{"the next level below", "and in others", "down", nil},
		{"nearest bucket, as 98 is above 90", "up or down", "nearest", nil},
		{"[80,100) → 80", "a range is no average", "", nil},
		{"80-99 → 80", "nor is its end", "", nil},
		{"80–99 → 80", "however it is written", "", nil},
		{"98.00/100 → 80", "nor is what it is of", "", nil},
		{"80 ≤ 98 < 100 → 80", "nor a bound", "", nil},
		{"scores from 80 to 100 are good", "nor a range in words", "", nil},
		{"one of 5 buckets", "a number alone is nothing", "", nil},
		{"", "nothing", "", nil},
	} {
		r := readRule(tt.text)
		assert.Equal(t, tt.named, r.named, "%s: %s", tt.reason, tt.text)
		assert.Equal(t, tt.steps, r.steps, "%s: %s", tt.reason, tt.text)
		assert.Empty(t, r.such, tt.text)
	}
	r := readRule("round down, e.g. 90→80, 79→60; here 98 → 80")
	assert.Empty(t, r.steps, "what follows an example may be one, too")
	assert.Len(t, r.such, 3)
}
