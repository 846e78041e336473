package redact

import (
	"errors"
	"regexp"

	"assize/rubric/dialogue"
)

// cutQuote matches a quote of a file that a message has cut, so that nobody can tell what its last word is.
var cutQuote = regexp.MustCompile(`"(?:[^"\\]|\\.)*…"`)

// Error masks what an error quotes.
func Error(err error) error {
	syntax, ok := errors.AsType[*dialogue.SyntaxError](err)
	if !ok {
		return errors.New(Message(err.Error()))
	}
	masked := *syntax
	masked.File, masked.Msg, masked.Hint = Text(masked.File), Message(masked.Msg), Message(masked.Hint)
	masked.Speakers = nil
	for _, name := range syntax.Speakers {
		masked.Speakers = append(masked.Speakers, Text(name))
	}
	return &masked
}

// Message masks a message that may quote a file.
func Message(s string) string { return Text(cutQuote.ReplaceAllString(s, `"…"`)) }
