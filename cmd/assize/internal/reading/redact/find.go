package redact

import "slices"

// find finds everything in the text that identifies a person, and the numbers for which this is
// uncertain. The argument asked is what the previous turn asked for.
func (t *text) find(asked sense) {
	t.web()
	t.keys()
	t.emails(asked)
	if t.digits {
		t.hosts()
	}
	if t.digits || t.spelled || t.senses&(password|key|birth|birthday) != 0 {
		t.numbersAndWords(asked)
	}
	isSecret := func(s span) bool { return s.mask == maskSecret }
	if asked&password != 0 && !slices.ContainsFunc(t.spans, isSecret) {
		t.answer()
	}
}
