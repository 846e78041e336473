package redact

import "slices"

// find returns what identifies a person in a text, and the numbers of which that is not known.
// The turn before may have asked for something.
func find(s string, asked sense) ([]span, []candidate) {
	t := newText(s)
	t.web()
	t.keys()
	t.emails()
	if t.digits {
		t.hosts()
	}
	if t.digits || t.spelled || t.heard&(password|key|birth|birthday) != 0 {
		t.numbersAndWords(asked)
	}
	isSecret := func(s span) bool { return s.mask == Secret }
	if asked&password != 0 && !slices.ContainsFunc(t.spans, isSecret) {
		t.answer()
	}
	return t.spans, t.numbers
}
