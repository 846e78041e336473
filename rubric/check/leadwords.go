package check

import (
	"strings"

	"assize/rubric/dialogue"
)

// saying is what a word between a speaker and a quote does.
type saying uint8

const (
	notSaying  saying = iota
	uttering          // says "…"
	answering         // answers "…", which may be the question that was answered
	addressing        // asks the user: "…"; the one addressed stands where the speaker might
)

// roleOf gives the speaker that a word in lower case names; Other for none.
func roleOf(w string) dialogue.Role {
	switch w {
	case "user", "customer", "client", "caller":
		return dialogue.User
	case "system", "agent", "assistant", "bot", "chatbot":
		return dialogue.System
	}
	return dialogue.Other
}

// sayingOf classes the words that make what follows a quote. Words such as mention, confirm or offer are not among them:
// what the agent confirms may be the user's words.
func sayingOf(w string) saying {
	switch w {
	case "say", "says", "said", "saying", "state", "states", "stated", "stating", "reply", "replies", "replied", "replying",
		"respond", "responds", "responded", "responding", "response", "write", "writes", "wrote", "writing",
		"exclaim", "exclaims", "exclaimed", "add", "adds", "added", "adding", "complain", "complains", "complained",
		"object", "objects", "objected", "insist", "insists", "insisted", "admit", "admits", "admitted",
		"apologise", "apologises", "apologised", "apologize", "apologizes", "apologized",
		"question", "statement", "words", "utterance", "message", "remark", "complaint", "apology", "greeting":
		return uttering
	case "answer", "answers", "answered", "answering":
		return answering
	case "ask", "asks", "asked", "asking", "tell", "tells", "told", "telling", "inform", "informs", "informed", "informing",
		"remind", "reminds", "reminded", "assure", "assures", "assured", "greet", "greets", "greeted", "thank", "thanks", "thanked":
		return addressing
	}
	return notSaying
}

// denies reports whether a word says that something is not there, or only should be.
func denies(w string) bool {
	switch w {
	case "no", "not", "never", "none", "nothing", "nobody", "neither", "nor", "without", "cannot", "instead",
		"lack", "lacks", "lacked", "lacking", "missing", "absent", "absence", "omit", "omits", "omitted", "omitting",
		"fail", "fails", "failed", "failing", "failure", "could", "should", "would", "might", "ought":
		return true
	}
	return strings.HasSuffix(w, "n't")
}

// isPassive reports whether a word turns the one who speaks into the one who is spoken to: was told.
func isPassive(w string) bool {
	switch w {
	case "is", "are", "was", "were", "be", "been", "being", "gets", "get", "got":
		return true
	}
	return false
}

// isFiller reports whether a word may stand between a speaker, a verb and a quote and change nothing.
func isFiller(w string) bool {
	switch w {
	case "then", "also", "later", "again", "only", "just", "simply", "even", "first", "finally", "explicitly", "clearly", "directly",
		"politely", "once", "twice", "immediately", "now", "and", "that", "with", "by", "as", "has", "have", "had", "does", "did", "do",
		"is", "was", "who", "which", "the", "a", ",":
		return true
	}
	return false
}

// isDirection reports whether a word makes the speaker behind it the one who is spoken to, of or about.
func isDirection(w string) bool {
	switch w {
	case "to", "for", "with", "about", "of", "give", "gives", "gave", "offer", "offers", "offered", "show", "shows", "showed", "send", "sends", "sent":
		return true
	}
	return false
}

func isConjunction(w string) bool {
	switch w {
	case "and", "but", "when", "while", "since", "because", "where", "then", "so":
		return true
	}
	return false
}

func isArticle(w string) bool {
	return w == "the" || w == "a" || w == "an" || w == "this" || w == "that"
}
