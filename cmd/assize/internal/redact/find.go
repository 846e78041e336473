package redact

import "slices"

// find finds what identifies a person in the text, and the numbers of which that is not known.
// The turn before may have asked for something.
func (t *text) find(asked sense) {
	t.web()
	t.keys()
	t.emails(asked)
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
}
