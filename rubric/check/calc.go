package check

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"assize/rubric"
)

// calc holds the audit's weighted_calc against the final scores.
func (x *exam) calc(n *node, final, evaluator *card) {
	s, ok := n.words()
	if !ok {
		x.rewriteCalc(n, final)
		return
	}
	f := Finding{ID: "calc-wrong", Severity: Error, Path: calcPath}
	if final.scored {
		right := x.settled(final).Audit().WeightedCalc
		if s == right {
			return
		}
		f.Want = quoted(right)
	}
	c, ok := readCalculation(s)
	sum, shown, summed := readSum(s)
	result, _ := strconv.ParseFloat(shown, 64)
	switch {
	case !ok && summed && !agrees(result, sum):
		f.Got, f.Want = shown, sum.String()
		f.Message = "the terms sum to " + f.Want + ", not to " + f.Got
	case !ok && summed && final.scored && sum != final.average:
		f.Message = "the terms are not the products of the final scores"
	case !ok:
		f.ID, f.Severity, f.Message = "calc-unreadable", Warning, "this is not the six products and their sum"
	default:
		x.judgeCalc(&f, c, final, evaluator)
	}
	if f.Message != "" {
		x.addNode(n, f)
	}
	if f.Message != "" || ok && final.scored && !agrees(c.result, final.average) {
		x.rewriteCalc(n, final)
	}
}

const calcPath = "/audit/weighted_calc"

func (x *exam) rewriteCalc(n *node, final *card) {
	if n != nil && final.scored {
		x.replace(n, calcPath, quoted(x.settled(final).Audit().WeightedCalc))
	}
}

// judgeCalc tells what is wrong with a calculation, and nothing where it is right.
func (x *exam) judgeCalc(f *Finding, c calculation, final, evaluator *card) {
	if final.scored && !x.weighs(c.terms, final) {
		if f.Message = "the terms are not the final scores with their weights"; evaluator.scored && x.weighs(c.terms, evaluator) {
			f.Message = "the terms are the evaluator's scores, not the final ones"
		}
		return
	}
	sum := 0.0
	for _, t := range c.terms {
		if t.named && !final.scored {
			return
		}
		if t.named {
			t.score = float64(final.ratings[slices.Index(criteria, t.name)].score)
		}
		sum += float64(t.score * t.weight)
	}
	if hundredths := rubric.Hundredths(math.Round(float64(sum * 100))); !agrees(c.result, hundredths) {
		f.Got, f.Want = c.shown, hundredths.String()
		f.Message = "the terms sum to " + f.Want + ", not to " + f.Got
		return
	}
	for _, step := range c.sums {
		if math.Abs(step-sum) > 0.006 {
			f.Got, f.Want = fmt.Sprintf("%.2f", step), fmt.Sprintf("%.2f", sum)
			f.Message = "a step between gives " + f.Got + ", where the terms sum to " + f.Want
		}
	}
}

// weighs reports whether terms are the scores of a card with the rubric's weights, in any order where they are
// not named.
func (x *exam) weighs(terms []calcTerm, c *card) bool {
	var used [rubric.NumCriteria]bool
	for _, t := range terms {
		i := slices.IndexFunc(criteria, func(name string) bool {
			i := slices.Index(criteria, name)
			return !used[i] && (t.name == "" || t.name == name) && (t.named || t.score == float64(c.ratings[i].score)) && agrees(t.weight, rubric.Hundredths(x.Rubric.Weights[i]))
		})
		if i < 0 {
			return false
		}
		used[i] = true
	}
	return !slices.Contains(used[:], false)
}
