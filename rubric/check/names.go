package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// The keys that tell what a document is, and all that a document has.
var (
	debateKeys = [...]string{"evaluator", "critic", "referee_final", "audit"}
	singleKeys = [...]string{"TaskSuccess", "Helpfulness", "Accuracy", "Understanding", "Empathy", "Fluency", "OverallExperience"}
	criteria   = singleKeys[:len(singleKeys)-1]
	allKeys    = slices.Concat(debateKeys[:], singleKeys[:], []string{
		"dialogue_id", "numeric_weighted_average", "score", "justification", "criterion", "agree", "comment",
		"suggested_score", "decision_rules_applied", "evidence_used", "weighted_calc", "mapping_rule",
	})
)

// What a value may be, as findings want it.
const (
	wholeNumber   = "a whole number"
	scoreList     = "20, 40, 60, 80 or 100"
	criterionList = "TaskSuccess, Helpfulness, Accuracy, Understanding, Empathy or Fluency"
)

// isEvaluation reports whether a value looks like a document of either protocol.
func isEvaluation(root *node) bool { return root.has(debateKeys[:]...) || root.has(singleKeys[:]...) }

// wanted words the types of a schema.
func wanted(types []string) string {
	words := make([]string, len(types))
	for i, t := range types {
		switch t {
		case "integer":
			words[i] = wholeNumber
		case "null":
			words[i] = t
		case "boolean":
			words[i] = boolean.String()
		case "array":
			words[i] = array.String()
		case "object":
			words[i] = object.String()
		default:
			words[i] = "a " + t
		}
	}
	return strings.Join(words, " or ")
}

// listed words the values that a schema allows.
func listed(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// sameWords reports whether two keys differ in nothing but case, spaces and signs: task_success, TaskSuccess.
func sameWords(a, b string) bool {
	return a == b || len(a) < 100 && strings.EqualFold(letters(a), letters(b))
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
