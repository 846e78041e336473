// Package report writes records for people and for programs. Every form is a [Sink], so that scores are written by the
// same code whether they were made now or are read from a run. A Sink writes records as they come and keeps at most
// one, so that memory does not grow with their number.
package report

import (
	"io"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
)

// Sink takes records one by one. Close ends the output; nothing may be added after it. It does not close the writer.
type Sink interface {
	Add(*run.Record) error
	Close() error
}

// Formats lists the names of the forms, as --format takes them.
func Formats() []string { return []string{"text", "json", "jsonl", "csv", "xlsx", "markdown", "junit"} }

// groups is a Sink of the figures of groups.
type groups struct {
	w  io.Writer
	by *summary.Grouper
}

// NewGroups makes a Sink of CSV with a row for each group of the column called by. The error of its Close may be that
// of [summary.Grouper.Groups].
func NewGroups(w io.Writer, by string) Sink { return groups{w, summary.NewGrouper(by)} }

// Add implements [Sink].
func (g groups) Add(r *run.Record) error {
	row := r.Row(0)
	g.by.Add(&row)
	return nil
}

// Close implements [Sink].
func (g groups) Close() error {
	list, err := g.by.Groups()
	if err != nil || len(list.List) == 0 {
		return err
	}
	return list.Figures().CSV(g.w)
}
