package check

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assize/rubric"
)

// calculation is a weighted_calc as it was read: 100*0.40 + … = 98.00. Terms may be named by their criterion,
// weights be percents, and steps stand between the terms and the result.
type calculation struct {
	terms  []calcTerm
	sums   []float64 // what the steps between give
	result float64
	shown  string // the result as it is printed
}

// calcTerm is a score times a weight.
type calcTerm struct {
	score, weight float64
	name          string // of the criterion; empty where the term has none
	named         bool   // the score is given by the criterion's name alone
}

var (
	calcName   = regexp.MustCompile(`TaskSuccess|Helpfulness|Accuracy|Understanding|Empathy|Fluency`)
	calcResult = regexp.MustCompile(`^\s*([0-9]+(?:\.[0-9]+)?)`)
	calcSigns  = strings.NewReplacer("=>", "=", "->", "=", "×", "*", "·", "*", "∗", "*", "✕", "*", "⋅", "*", " x ", " * ", "≈", "=", "→", "=")
)

// readCalculation reads a weighted_calc; ok is false where it is none that can be read.
func readCalculation(s string) (c calculation, ok bool) {
	const most = 2000 // bytes; ours has ninety
	if len(s) > most {
		return c, false
	}
	parts := strings.Split(calcSigns.Replace(s), "=")
	if len(parts) > 1 && !strings.Contains(parts[0], "*") {
		parts = parts[1:] // "weighted average = "
	}
	if parts = gathered(parts); len(parts) < 2 {
		return c, false
	}
	for t := range strings.SplitSeq(parts[0], "+") {
		term, ok := readTerm(t)
		if !ok {
			return c, false
		}
		c.terms = append(c.terms, term)
	}
	for _, step := range parts[1 : len(parts)-1] {
		sum := 0.0
		for n := range strings.SplitSeq(step, "+") {
			value, _, ok := readFactor(n)
			if !ok {
				return c, false
			}
			sum += value
		}
		c.sums = append(c.sums, sum)
	}
	m := calcResult.FindStringSubmatch(parts[len(parts)-1])
	if m == nil {
		return c, false
	}
	c.shown = m[1]
	c.result, _ = strconv.ParseFloat(m[1], 64)
	return c, true
}

// gathered puts terms that have their products beside them, a*b = c + d*e = f = g, in the order of the rest:
// a*b + d*e = c + f = g.
func gathered(parts []string) []string {
	if len(parts) < 3 || !strings.Contains(parts[1], "*") {
		return parts
	}
	terms, products := parts[:1:1], []string(nil)
	for _, p := range parts[1 : len(parts)-1] {
		product, term, more := strings.Cut(p, "+")
		if products = append(products, product); more {
			terms = append(terms, term)
		}
	}
	if len(products) != len(terms) {
		return nil // what should be the result is the last product
	}
	return []string{strings.Join(terms, "+"), strings.Join(products, "+"), parts[len(parts)-1]}
}

// readTerm reads score*weight, in either order.
func readTerm(s string) (t calcTerm, ok bool) {
	a, b, ok := strings.Cut(s, "*")
	names := calcName.FindAllString(s, 2)
	if !ok || len(names) > 1 {
		return t, false
	}
	score, named, ok := readFactor(a)
	weight, also, ok2 := readFactor(b)
	if also || !named && score < weight {
		score, weight, named, also = weight, score, also, named
	}
	t = calcTerm{score: score, weight: weight, named: named}
	if len(names) == 1 {
		t.name = names[0]
	}
	return t, ok && ok2 && !also
}

// readFactor reads a number or a percentage, a criterion beside it or in its place, and brackets around it.
func readFactor(s string) (value float64, named, ok bool) {
	bare := strings.Trim(calcName.ReplaceAllString(s, ""), " \t\n():")
	if bare == "" {
		return 0, true, calcName.MatchString(s)
	}
	bare, percent := strings.CutSuffix(bare, "%")
	if bare = strings.TrimSpace(bare); strings.Trim(bare, "0123456789.") != "" {
		return 0, false, false
	}
	value, err := strconv.ParseFloat(bare, 64)
	if percent {
		value /= 100
	}
	return value, false, err == nil
}

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
	if !ok {
		f.ID, f.Severity, f.Message = "calc-unreadable", Warning, "this is not the six products and their sum"
	} else {
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
