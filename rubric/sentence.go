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
	claim = strings.TrimFunc(claim, func(r rune) bool { return r == '.' || isSpace(r) })
	b = appendCapital(b, flat(claim))
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
	case claim == "":
		b = append(b, "No reason was given and no words were quoted"...)
	default:
		b = append(b, ", but no words of the transcript were quoted for it"...)
	}
	return append(b, '.')
}

// appendCapital appends s as the beginning of a sentence.
func appendCapital(b []byte, s string) []byte {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return b
	}
	return append(utf8.AppendRune(b, unicode.ToUpper(first)), s[size:]...)
}

// appendQuote appends USER: "words".
func appendQuote(b []byte, d dialogue.Dialogue, q Quote) []byte {
	t, _ := d.Turn(q.Turn)
	b = append(b, t.Role.String()...)
	b = append(b, `: "`...)
	b = append(b, flat(q.Text)...)
	return append(b, '"')
}

// flat puts s on one line, free of control and direction characters. To a quote it makes no difference that
// verification would see.
func flat(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r != ' ' && isSpace(r) }) < 0 {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, isSpace), " ")
}
