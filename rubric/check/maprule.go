package check

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"assize/rubric"
)

// mappingRule is an audit's mapping_rule as it was read: round down 98.00 → 80.
type mappingRule struct {
	named string     // down, nearest or up; empty where it names none
	steps []ruleStep // what maps to what in this evaluation
	such  []ruleStep // what does by way of example
}

// ruleStep is an average and what it is said to map to.
type ruleStep struct {
	from, to float64
	shown    string
}

var (
	ruleArrow   = regexp.MustCompile(`(?:^|[^0-9./–-])([0-9]+(?:\.[0-9]+)?)\s*(?:→|⇒|⟶|➔|->|=>|[a-z ]{0,30}\b(?:maps?|mapped|rounds?|rounded|down|up|goes|floored|truncated)\s+to)\s*([0-9]+(?:\.[0-9]+)?)`)
	ruleExample = regexp.MustCompile(`e\.\s?g\.|example|instance|such as`)
	ruleUp      = regexp.MustCompile(`\bup\b|\bceil`)
	ruleDown    = regexp.MustCompile(`\bdown|\bfloor|\btruncat|\b(?:nearest|closest|next)\b[a-z ]{0,20}\b(?:lower|below|beneath)\b|\blower\b[a-z ]{0,20}\b(?:nearest|closest)\b`)
	ruleNear    = regexp.MustCompile(`\bnearest\b|\bclosest\b`)
	ruleArrows  = strings.NewReplacer("->", "", "=>", "")
)

// readRule reads a mapping_rule. "Round down to nearest bucket" is rounding down, as in 003's schema.
func readRule(s string) (r mappingRule) {
	const most = 1000 // bytes; ours has thirty
	s = strings.ToLower(s[:min(len(s), most)])
	switch {
	case ruleDown.MatchString(s):
		r.named = rubric.Down.String()
	case ruleNear.MatchString(s):
		r.named = rubric.Nearest.String()
	case ruleUp.MatchString(s):
		r.named = "up"
	}
	if strings.ContainsAny(ruleArrows.Replace(s), "<>≤≥") {
		return r // 80 ≤ 98 < 100 → 80
	}
	examples := len(s)
	if at := ruleExample.FindStringIndex(s); at != nil {
		examples = at[0]
	}
	for _, m := range ruleArrow.FindAllStringSubmatchIndex(s, -1) {
		step := ruleStep{shown: s[m[2]:m[5]]}
		step.from, _ = strconv.ParseFloat(s[m[2]:m[3]], 64)
		step.to, _ = strconv.ParseFloat(s[m[4]:m[5]], 64)
		if m[2] < examples {
			r.steps = append(r.steps, step)
		} else {
			r.such = append(r.such, step)
		}
	}
	return r
}

const rulePath = "/audit/mapping_rule"

// mapping holds the audit's mapping_rule against the rubric's mapping and the document's own figures: one that
// repeats a wrong figure is not wrong once more.
func (x *exam) mapping(n *node, final *card) {
	s, ok := n.words()
	if !ok {
		x.rewriteRule(n, final)
		return
	}
	r := readRule(s)
	f := Finding{ID: "mapping-rule-wrong", Severity: Error, Path: rulePath, Message: x.contradiction(&r, final)}
	if strings.TrimSpace(s) == "" {
		f.Severity, f.Message = Warning, "it does not say how the average became the OverallExperience"
	}
	if f.Message != "" {
		if final.scored {
			f.Want = quoted(x.settled(final).Audit().MappingRule)
		}
		x.addNode(n, f)
	}
	if f.Message != "" || !x.holds(&r, final) {
		x.rewriteRule(n, final)
	}
}

func (x *exam) rewriteRule(n *node, final *card) {
	if n != nil && final.scored {
		x.replace(n, rulePath, quoted(x.settled(final).Audit().MappingRule))
	}
}

// contradiction tells in what a rule contradicts the mapping or the document; empty where in nothing.
func (x *exam) contradiction(r *mappingRule, final *card) string {
	average, known := final.node.get("numeric_weighted_average").float()
	printed := onScale(final.node.get("OverallExperience"))
	for _, step := range r.steps {
		own := known && near(step.from, average) && step.to == float64(printed)
		if !own && (final.scored || known && printed != 0) && !x.right(step, final) {
			return step.shown + " is not the average and the OverallExperience of this evaluation"
		}
	}
	m := x.Rubric.Mapping
	if r.named != "" && r.named != m.String() && !x.excused(r, final, printed) {
		return "it rounds " + strings.Replace(r.named, "nearest", "to the nearest", 1) + ", where the mapping is " + m.String()
	}
	for _, step := range r.such {
		if step.from <= 100 && float64(m.Overall(rubric.Hundredths(math.Round(float64(step.from*100))))) != step.to {
			return "its example " + step.shown + " is not what the mapping " + m.String() + " gives"
		}
	}
	return ""
}

// right reports whether a step is what the final scores give.
func (x *exam) right(step ruleStep, final *card) bool {
	return final.scored && near(step.from, float64(final.average)/100) && step.to == float64(x.Rubric.Mapping.Overall(final.average))
}

// excused reports whether the rule only tells the reason of an OverallExperience that is found wrong already.
func (x *exam) excused(r *mappingRule, final *card, printed rubric.Score) bool {
	if !final.scored || printed == 0 || printed == x.Rubric.Mapping.Overall(final.average) {
		return false
	}
	m, err := rubric.ParseMapping(r.named)
	return err != nil || m.Overall(final.average) == printed
}

// holds reports whether a rule says nothing of this evaluation but what is so.
func (x *exam) holds(r *mappingRule, final *card) bool {
	for _, step := range r.steps {
		if !x.right(step, final) {
			return false
		}
	}
	return r.named == "" || r.named == x.Rubric.Mapping.String()
}

// near reports whether a number may be an average, which people print without decimals where there are none.
func near(given, average float64) bool {
	return math.Abs(given-average) < 0.006 || given == math.Trunc(given) && math.Abs(given-average) < 1
}
