// Package findings writes what is wrong with evaluations, for people and for programs. Every form is a [Sink].
//
// Reports are written as they come. Only JUnit keeps those of one file until the file ends, because its format
// wants their number first.
package findings

import "assize/rubric/check"

// Sink takes the reports of documents one by one. Flush ends the output; nothing may be written after it.
type Sink interface {
	Report(*check.Report) error
	Flush() error
}

// Formats lists the names of the forms, as --format takes them.
func Formats() []string { return []string{"text", "json", "sarif", "junit"} }
