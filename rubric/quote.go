package rubric

import (
	"strings"

	"assize/rubric/dialogue"
)

// Quote is a passage of one turn. Agents name the turn; code copies the words from it.
type Quote struct {
	Turn int    // from 1
	Text string // a contiguous passage of the turn; may end in "…"
}

// Verify reports whether q is evidence, that is, whether its words occur in the turn that it names
// (PROTOCOL.md, "Evidence"). Both texts are folded first: Unicode NFKC, case, quotes, dashes,
// white space, HTML tags and entities. The folded quote must be a contiguous part of the turn that
// begins and ends at a word boundary; it may end in an ellipsis if the turn continues.
//
// Word boundaries are stricter here than the edges of a run of letters, so that a quote can neither
// reverse a statement nor change a number: "can" is not in "can't", and "7" is not in "7:30". A
// quote without a letter or a digit, such as "?!" or a lone emoji, is not evidence, because it
// matches too easily and says too little. A quote of a turn that is not judged, such as a tool's
// output, is not evidence either; Occurs accepts it, because it may be printed next to evidence.
func (q Quote) Verify(d dialogue.Dialogue) bool {
	t, _ := d.Turn(q.Turn)
	return t.Role != dialogue.Other && q.Occurs(d)
}

// Occurs is like Verify, but also for turns that are not judged.
func (q Quote) Occurs(d dialogue.Dialogue) bool {
	t, ok := d.Turn(q.Turn)
	if !ok {
		return false
	}
	if containsVerbatim(t.Text, q.Text) {
		return true
	}
	words, ok := FoldQuote(q.Text)
	return ok && Fold(t.Text).Contains(words)
}

// containsVerbatim is the fast path of [Quote.Verify] for the common quote that code cut out of its
// turn. It never returns true where the slow path would return false: the words occur in the text
// byte for byte, delimited by plain spaces or by punctuation before one, with no markup nearby that
// folding would remove.
func containsVerbatim(text, words string) bool {
	words = strings.TrimSuffix(words, "…")
	i := strings.Index(text, words)
	if i < 0 || !hasWords(words) || strings.ContainsAny(text, "<&") || i > 0 && text[i-1] != ' ' {
		return false
	}
	rest := text[i+len(words):]
	if rest != "" && strings.IndexByte(".,;:!?", rest[0]) >= 0 {
		rest = rest[1:]
	}
	return rest == "" || rest[0] == ' '
}
