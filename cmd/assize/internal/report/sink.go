// Package report writes records for people and for programs. Every form is a [Sink], so a run that is
// scored now and one that was recorded before are written by the same code.
//
// Records are written as they come, and none is kept longer than the one after it: a report of a hundred
// thousand dialogues needs no more memory than one of three.
package report

import "assize/cmd/assize/internal/record"

// Sink takes records one by one. Flush ends the output; nothing may be written after it.
type Sink interface {
	Record(*record.Record) error
	Flush() error
}

// Formats lists the names of the forms, as --format takes them.
func Formats() []string { return []string{"text", "json", "jsonl", "csv", "markdown", "junit"} }
