package check

// The keys that tell what a document is.
var (
	debateKeys = [...]string{"evaluator", "critic", "referee_final", "audit"}
	singleKeys = [...]string{"TaskSuccess", "Helpfulness", "Accuracy", "Understanding", "Empathy", "Fluency", "OverallExperience"}
)

// isEvaluation reports whether a value looks like a document of either protocol.
func isEvaluation(root *node) bool { return root.has(debateKeys[:]...) || root.has(singleKeys[:]...) }
