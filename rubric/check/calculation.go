package check

import (
	"math"
	"regexp"
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
	calcComma  = regexp.MustCompile(`([0-9]),([0-9])`)
	calcLabel  = regexp.MustCompile(`^[A-Za-z_ ]+:\s*`)
	calcSigns  = strings.NewReplacer(`\times`, "*", `\cdot`, "*", `\approx`, "=", "$", "", "×", "*", "·", "*", "∗", "*", "✕", "*", "⋅", "*", " x ", " * ", "≈", "=")
	calcArrows = strings.NewReplacer("=>", "→", "->", "→", "⇒", "→")
)

// mostCalculation is how many bytes of a calculation are read; ours has ninety.
const mostCalculation = 2000

// readCalculation reads a weighted_calc; ok is false where it is none that can be read. What the result maps to may
// follow it behind an arrow, which otherwise stands for an equals sign.
func readCalculation(s string) (c calculation, ok bool) {
	if len(s) > mostCalculation {
		return c, false
	}
	s = plainCalculation(s)
	if at := strings.LastIndex(s, "→"); at > 0 {
		result := s[strings.LastIndexAny(s[:at], "=→")+1 : at]
		if c, ok := readEquation(s[:at]); ok && c.shown == strings.TrimSpace(result) {
			return c, true
		}
	}
	return readEquation(s)
}

// plainCalculation writes a calculation with the signs that it is read by, and one that lists its products, a*b = c,
// d*e = f, total = g, as a sum.
func plainCalculation(s string) string {
	s = calcArrows.Replace(calcSigns.Replace(calcLabel.ReplaceAllString(s, "")))
	if !strings.Contains(s, ".") {
		s = calcComma.ReplaceAllString(s, "$1.$2")
	}
	list := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",;\n", r) })
	if len(list) != int(rubric.NumCriteria)+1 {
		return s
	}
	last := list[rubric.NumCriteria]
	return strings.Join(list[:rubric.NumCriteria], " + ") + " = " + last[strings.LastIndex(last, "=")+1:]
}

// readEquation reads a calculation in plain signs.
func readEquation(s string) (c calculation, ok bool) {
	parts := strings.Split(strings.ReplaceAll(s, "→", "="), "=")
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

// readSum reads a sum of products that are not shown, 32 + 12 + 12 + 6 + 8 + 8 = 78.00, and gives what it comes to and what
// it says.
func readSum(s string) (sum rubric.Hundredths, shown string, ok bool) {
	terms, result, ok := strings.Cut(strings.ReplaceAll(plainCalculation(s[:min(len(s), mostCalculation)]), "→", "="), "=")
	list := strings.Split(terms, "+")
	if !ok || len(list) != int(rubric.NumCriteria) {
		return 0, "", false
	}
	exact := 0.0
	for _, t := range list {
		value, _, ok := readFactor(t)
		if !ok {
			return 0, "", false
		}
		exact += value
	}
	shown = strings.TrimSpace(result)
	_, err := strconv.ParseFloat(shown, 64)
	return rubric.Hundredths(math.Round(float64(exact * 100))), shown, err == nil
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
