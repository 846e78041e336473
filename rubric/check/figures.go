package check

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assize/rubric"
)

type card struct {
	node     *node // nil if the document has none
	ratings  [rubric.NumCriteria]rating
	scored   bool               // all six scores are on the scale
	computed *rubric.Evaluation // its Final, Average and Overall, which count only if scored
}

type rating struct {
	score    rubric.Score // 0 if it is missing, off the scale or ambiguous
	node     *node        // the score's node; nil if missing
	sentence *node        // the justification; nil if missing
}

func (x *inspection) readCard(n *node) card {
	c := card{node: n, computed: &rubric.Evaluation{Rubric: x.Rubric}}
	for i, name := range criteria {
		entry := n.get(name)
		r := rating{node: entry.get("score")}
		// otherwise it is unclear which one is meant
		if !n.isAmbiguous(name) && !entry.isAmbiguous("score") {
			r.score = onScale(r.node)
		}
		if sentence := entry.get("justification"); sentence.is('"') {
			r.sentence = sentence
		}
		c.ratings[i] = r
		c.computed.Final[i].Score = r.score
	}
	var err error
	c.computed.Average, err = x.Rubric.Average(c.computed.Final.Scores())
	c.scored, c.computed.Overall = err == nil, x.Rubric.Mapping.Overall(c.computed.Average)
	return c
}

// onScale returns the score in n, or 0 if it is not on the scale.
func onScale(n *node) rubric.Score {
	if i, ok := n.integer(); ok && i >= 0 && i <= 100 && rubric.Score(i).Valid() {
		return rubric.Score(i)
	}
	return 0
}

// equalsPrinted reports whether a printed number equals h to the hundredth.
func equalsPrinted(printed float64, h rubric.Hundredths) bool {
	return math.Round(printed*100) == float64(h)
}

func (x *inspection) checkAverage(c *card) {
	n := c.node.get("numeric_weighted_average")
	f, isNumber := n.float()
	if n == nil || !c.scored || isNumber && equalsPrinted(f, c.computed.Average) {
		return
	}
	want := c.computed.Average.String()
	if isNumber {
		x.report(n, want, "average-wrong", want, n.text)
	}
	x.replace(n, want)
}

// checkOverall compares the OverallExperience in n with the average of the scores.
func (x *inspection) checkOverall(n *node, c *card) {
	want, got := c.computed.Overall, onScale(n)
	if n == nil || !c.scored || got == want {
		return
	}
	if got != 0 {
		x.report(n, want.String(), "overall-wrong", c.computed.Average, want, x.Rubric.Mapping,
			got)
	}
	x.replace(n, want.String())
}

var plainSigns = strings.NewReplacer("×", "*", "·", "*", "=>", "→", "->", "→")

// calcTerm matches a number or a product in plain digits between the plus signs of a sum.
var calcTerm = regexp.MustCompile(`^\s*(\d*\.?\d+)\s*(?:\*\s*(\d*\.?\d+)\s*)?$`)

// readSum parses the terms of a*b + c*d or 40 + 12 as score and weight in percent; the larger
// factor is the score. It returns no terms if s has another form.
func readSum(s string) (terms [][2]int, sum float64) {
	for t := range strings.SplitSeq(s, "+") {
		m := calcTerm.FindStringSubmatch(t)
		if m == nil {
			return nil, 0
		}
		score, _ := strconv.ParseFloat(m[1], 64)
		weight, _ := strconv.ParseFloat(cmp.Or(m[2], "1"), 64)
		score, weight = max(score, weight), min(score, weight)
		terms = append(terms, [2]int{int(math.Round(score)), int(math.Round(weight * 100))})
		sum += float64(score * weight) // the conversion rounds the product alike on every processor
	}
	return terms, sum
}

// calcForm matches a sum of the six products within a sentence, with what it is equal to.
var calcForm = regexp.MustCompile(`\d+ ?\* ?[\d.]+(?: ?\+ ?\d+ ?\* ?[\d.]+){5}` +
	`(?: ?= ?\d+(?:\.\d+)?(?: ?\+ ?\d+(?:\.\d+)?)*)+`)

// checkCalc checks the calculation in n: 100*0.40 + … = 98.00, with the terms in any order,
// optional intermediate sums, and optionally the mapped average after an arrow. It is all of n, and
// replaced if it is wrong in any respect, or, inSentence, a part that n may lack.
func (x *inspection) checkCalc(n *node, inSentence bool, final *card) {
	want := ""
	if final.scored {
		want = quote(final.computed.Audit().WeightedCalc)
	}
	if n == nil || n.raw == want {
		return
	}
	const limit = 2000 // bytes; a calculation has about ninety
	calc := plainSigns.Replace(n.text[:min(len(n.text), limit)])
	if inSentence {
		if calc = calcForm.FindString(calc); calc == "" {
			return
		}
	}
	var f Finding
	if n.is('"') {
		s, _, _ := strings.Cut(calc, "→")
		steps := strings.Split(s, "=")
		terms, sum := readSum(steps[0])
		hundredths := rubric.Hundredths(math.Round(sum * 100))
		wanted := make([][2]int, len(final.ratings)) // the scores with the rubric's weights
		for i, r := range final.ratings {
			wanted[i] = [2]int{int(r.score), x.Rubric.Weights[i]}
		}
		order := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
		slices.SortFunc(terms, order)
		slices.SortFunc(wanted, order)
		isSame := slices.Equal(terms, wanted) || !strings.Contains(steps[0], "*") &&
			hundredths == final.computed.Average
		switch {
		case len(terms) < 2 || len(steps) < 2:
			f = finding("calc-unreadable")
		case final.scored && !isSame:
			f = finding("calc-wrong")
		}
		f.Want = want
		for _, step := range steps[1:] {
			if _, result := readSum(step); f.ID == "" && !equalsPrinted(result, hundredths) {
				got := strings.TrimSpace(step)
				f = finding("calc-wrong/sum", hundredths, got)
				f.Got, f.Want = got, hundredths.String()
			}
		}
		if f.ID == "" {
			return
		}
		x.addNode(n, f)
	}
	if final.scored && !inSentence {
		x.replace(n, want)
	}
}

// ruleStep matches an average and the score that it maps to, as in 98.00 → 80. A bound of a range,
// as in 80–99 → 80, is not an average.
var ruleStep = regexp.MustCompile(`(?:^|[^0-9./–-])([0-9]+(?:\.[0-9]+)?)\s*→\s*([0-9]+)`)

// checkMapping checks the audit's mapping_rule, such as "round down 98.00 → 80": its figures, and
// whether it names the other mapping. A rule that does not follow from the final scores is
// replaced; wrong figures that the document also prints elsewhere are reported there.
func (x *inspection) checkMapping(n *node, final *card) {
	if n == nil || !final.scored {
		return
	}
	audit := final.computed.Audit()
	printedAverage, _ := final.node.get("numeric_weighted_average").float()
	printed, right := onScale(final.node.get("OverallExperience")), final.computed.Overall
	near := func(a, b float64) bool {
		return math.Abs(a-b) < 0.006 || a == math.Trunc(a) && math.Abs(a-b) < 1
	}
	holds, found := n.is('"'), Finding{}
	if holds && strings.TrimSpace(n.text) == "" {
		holds, found = false, finding("mapping-rule-wrong/empty")
	}
	rule, _, _ := strings.Cut(plainSigns.Replace(n.text[:min(len(n.text), 1000)]), "e.g.")
	if strings.ContainsAny(rule, "<>≤≥") { // 80 ≤ 98 < 100 → 80
		rule = ""
	}
	for _, s := range ruleStep.FindAllStringSubmatch(rule, -1) {
		from, _ := strconv.ParseFloat(s[1], 64)
		isRight := near(from, float64(final.computed.Average)/100) && s[2] == right.String()
		holds = holds && isRight
		if isPrinted := near(from, printedAverage) && s[2] == printed.String(); !isRight &&
			!isPrinted && found.ID == "" {
			found = finding("mapping-rule-wrong", s[1], s[2])
		}
	}
	other := rubric.Down + rubric.Nearest - x.Rubric.Mapping
	words := strings.ToLower(rule) // the debate says "round down to nearest bucket"
	if found.ID == "" && strings.Contains(words, other.String()) &&
		!strings.Contains(words, x.Rubric.Mapping.String()) {
		// otherwise another finding reports it
		if holds = false; printed == right || printed != other.Overall(final.computed.Average) {
			found = finding("mapping-rule-wrong/other", other, x.Rubric.Mapping)
		}
	}
	if found.Want = quote(audit.MappingRule); found.ID != "" {
		x.addNode(n, found)
	}
	if !holds {
		x.replace(n, quote(audit.MappingRule))
	}
}
