package check

import "slices"

// conforms reports whether the document has the structure of its schema; where it says no, it may be wrong. The
// schema is held against few documents thus, which takes longer than all the rest of an examination.
func (x *exam) conforms() bool {
	if x.report.Protocol == "single" {
		return x.keeps(x.root, singleKeys[:]) && ratings(x.root) && isRating(x.root.get("OverallExperience"))
	}
	evaluator, final, audit := x.root.get("evaluator"), x.root.get("referee_final"), x.root.get("audit")
	_, whole := x.root.get("dialogue_id").integer()
	return whole && x.keeps(x.root, debateDocument[:]) &&
		x.keeps(evaluator, evaluatorKeys) && ratings(evaluator) && evaluator.get("numeric_weighted_average").is(number) &&
		x.keeps(final, finalKeys) && ratings(final) && final.get("numeric_weighted_average").is(number) && onScale(final.get("OverallExperience")) != 0 &&
		isListOf(x.root.get("critic"), isOpinion) &&
		x.keeps(audit, auditKeys[:]) && audit.get("decision_rules_applied").is(text) && isListOf(audit.get("evidence_used"), isText) &&
		audit.get("weighted_calc").is(text) && audit.get("mapping_rule").is(text)
}

var (
	debateDocument = [...]string{"dialogue_id", "evaluator", "critic", "referee_final", "audit"}
	evaluatorKeys  = append(slices.Clone(criteria), "numeric_weighted_average")
	finalKeys      = append(slices.Clone(evaluatorKeys), "OverallExperience")
	auditKeys      = [...]string{"decision_rules_applied", "evidence_used", "weighted_calc", "mapping_rule"}
)

// keeps reports whether n is an object with the keys and no other. Of a record those of the run do not count.
func (x *exam) keeps(n *node, keys []string) bool {
	if !n.is(object) {
		return false
	}
	count := len(n.members)
	if n == x.root && x.record != nil {
		count = 0
		for _, m := range n.members {
			if !x.record.adds(m.key) {
				count++
			}
		}
	}
	return count == len(keys) && !slices.ContainsFunc(keys, func(key string) bool { return !n.has(key) })
}

func ratings(n *node) bool {
	return !slices.ContainsFunc(criteria, func(name string) bool { return !isRating(n.get(name)) })
}

func isRating(n *node) bool {
	return n.is(object) && len(n.members) == 2 && onScale(n.get("score")) != 0 && isText(n.get("justification"))
}

func isOpinion(n *node) bool {
	suggested := n.get("suggested_score")
	return n.is(object) && len(n.members) == 4 && n.get("agree").is(boolean) && isText(n.get("comment")) &&
		(suggested.is(number) || suggested.is(null)) && slices.Contains(criteria, scalar(n.get("criterion"))) && isText(n.get("criterion"))
}

func isText(n *node) bool { return n.is(text) }

func isListOf(n *node, is func(*node) bool) bool {
	return n.is(array) && len(n.items) <= mostItems && !slices.ContainsFunc(n.items, func(it *node) bool { return !is(it) })
}
