package rubric

import (
	"strings"

	"assize/rubric/dialogue"
)

// Verify reports whether q is evidence: whether its words really stand in the turn that it names
// (decisions.md, "Evidence"). Both sides are folded first: Unicode NFKC, case, quotes, dashes, white space,
// HTML tags and entities. What is left of the quote must stand in the turn in one piece, must begin and end
// at a word boundary, and may end in an ellipsis where the turn goes on.
//
// A word boundary is stricter here than the edge of a run of letters, so that no quote can turn what was
// said into its opposite or into another number: "can" is not in "can't", and "7" is not in "7:30".
//
// A quote without a letter or a digit, such as "?!" or a lone emoji, is not evidence: it is found too
// easily and says too little. Neither is one of a turn that nobody is judged for, such as a tool's output.
func (q Quote) Verify(d dialogue.Dialogue) bool {
	t, ok := d.Turn(q.Turn)
	if !ok || t.Role == dialogue.Other {
		return false
	}
	if plainly(t.Text, q.Text) {
		return true
	}
	words, ok := FoldQuote(q.Text)
	return ok && Fold(t.Text).Holds(words)
}

// plainly is the fast path of [Quote.Verify], for the common quote that was cut out of its turn by code. It never
// says yes where the slow path would not: the words stand in the text byte for byte, set off by plain
// spaces or by punctuation before one, and no markup is about that folding would remove.
func plainly(text, words string) bool {
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

// trimEllipsis drops the ellipsis that ends a folded quote which goes on in the turn.
func trimEllipsis(folded string) string {
	if s := strings.TrimRight(folded, "."); len(folded)-len(s) >= len("...") {
		return strings.TrimRight(s, " ")
	}
	return folded
}
