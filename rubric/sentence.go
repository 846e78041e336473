package rubric

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// Sentence gives the justification as the documents print it: one sentence of the claim and the quotes with
// their speakers, such as
//
//	The USER turns the offer down twice: USER: "No"; USER: "No thanks".
//
// Quotes that are not in d are left out, so that nobody is said to have said what he has not.
func (r Rating) Sentence(d dialogue.Dialogue) string {
	return string(appendSentence(nil, d, r.Claim, verified(d, r.Quotes)))
}

// Sentence gives the objection as [Rating.Sentence] gives a justification.
func (o Objection) Sentence(d dialogue.Dialogue) string {
	return string(appendSentence(nil, d, o.Claim, verified(d, o.Quotes)))
}

// Attribute gives a quote as the audit's evidence_used does: USER: "words".
func (q Quote) Attribute(d dialogue.Dialogue) string { return string(appendQuote(nil, d, q)) }

// appendSentence appends claim and quotes as one sentence with a capital and one full stop.
func appendSentence(b []byte, d dialogue.Dialogue, claim string, quotes []Quote) []byte {
	b = appendClaim(b, claim)
	if claim != "" && len(quotes) > 0 {
		b = append(b, ": "...)
	}
	for i, q := range quotes {
		if i > 0 {
			b = append(b, "; "...)
		}
		b = appendQuote(b, d, q)
	}
	switch {
	case len(quotes) > 0:
		if s := quotes[len(quotes)-1].Text; strings.HasSuffix(s, "…") || strings.IndexByte(".!?", s[len(s)-1]) >= 0 {
			return b // the quote ends the sentence as it ends its own
		}
	case strings.TrimSpace(claim) == "":
		return append(b, "No reason was given, and nothing was quoted."...)
	default:
		b = append(b, ", but no words of the transcript were quoted for it"...)
	}
	return append(b, '.')
}

// appendClaim appends a claim as the beginning of a sentence: on one line, with a capital and without the
// full stop that an agent may have put.
func appendClaim(b []byte, claim string) []byte {
	claim = strings.TrimRightFunc(claim, func(r rune) bool { return r == '.' || isSpace(r) })
	if strings.IndexFunc(claim, isBreak) >= 0 {
		claim = strings.Join(strings.FieldsFunc(claim, isSpace), " ")
	}
	first, size := utf8.DecodeRuneInString(claim)
	if size == 0 {
		return b
	}
	b = utf8.AppendRune(b, unicode.ToUpper(first))
	return append(b, claim[size:]...)
}

// isBreak reports whether r is white space other than a plain space.
func isBreak(r rune) bool { return r != ' ' && isSpace(r) }

// appendQuote appends USER: "words".
func appendQuote(b []byte, d dialogue.Dialogue, q Quote) []byte {
	t, _ := d.Turn(q.Turn)
	b = append(b, t.Role.String()...)
	b = append(b, `: "`...)
	b = append(b, q.Text...)
	return append(b, '"')
}
