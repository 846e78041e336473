package check

import (
	"strings"

	"assize/rubric/dialogue"
)

// lead is what stands right before a quote and says whose words it holds: SYSTEM (turn 7): "…", or the user
// replies, "…". Where it leaves open who of two speaks, it names nobody.
type lead struct {
	start  int           // where it begins in the sentence; where the quote begins if it says nothing
	role   dialogue.Role // Other where it names nobody
	turn   int           // 0 for none
	label  bool          // ends in a colon, as in a transcript
	denied bool          // the words were not said, or only should have been: no "thank you" is heard
}

// leadOf reads the lead at the end of what stands before a quote.
func leadOf(before string) lead {
	if l, ok := ownLead(before); ok {
		return l
	}
	r := leadReader{tokens: leadTokens(before), lead: lead{start: len(before)}}
	r.pause()
	r.turn()
	r.pause()
	colon := strings.Contains(r.paused, ":")
	if r.speaker(colon); r.lead.role == dialogue.Other {
		r.lead.label = colon && r.lead.turn > 0
		r.lead.denied = r.lead.denied || r.lead.turn == 0 && !colon && isDenied(r.tokens)
		return r.lead
	}
	if r.pause(); r.lead.turn == 0 {
		r.turn()
	}
	return r.lead
}

// ownLead reads the lead of a quote as this program prints it, where another quote or a claim that names no turn is in
// front. It is the fast path of leadOf.
func ownLead(before string) (lead, bool) {
	for _, role := range []dialogue.Role{dialogue.User, dialogue.System} {
		rest, ok := strings.CutSuffix(before, role.String()+": ")
		if !ok {
			continue
		}
		claim, first := strings.CutSuffix(rest, ": ")
		if first && claim != "" {
			last := claim[len(claim)-1]
			first = 'a' <= last && last <= 'z'
		}
		return lead{start: len(rest), role: role, label: true}, rest == "" || first || strings.HasSuffix(rest, "; ")
	}
	return lead{}, false
}

// isDenied reports whether the clause before a quote of nobody's in particular says that it was not heard: no "thank you",
// lacks phrases such as "…", could have said "…".
func isDenied(tokens []leadToken) bool {
	const most = 14
	for i := len(tokens) - 1; i >= max(0, len(tokens)-most); i-- {
		w := tokens[i].text
		if strings.ContainsAny(w, ";:!?\"“”") || w == "." && i > 0 && len(tokens[i-1].text) > 1 {
			return false // but not at the points of "e.g."
		}
		if denies(w) && (i+1 == len(tokens) || tokens[i+1].text != "only") {
			return true
		}
	}
	return false
}
