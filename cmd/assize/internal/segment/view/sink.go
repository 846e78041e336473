package view

import (
	"io"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/segment"
)

// Behind is a sink that writes what another one writes and, behind it, the groups.
type Behind struct {
	w      io.Writer
	next   report.Sink // nil for the groups alone
	groups *segment.Segments
	write  func(io.Writer, *segment.Table) error
}

// NewBehind gathers the records that it hands on to next by the column called by. The groups are then written to w.
func NewBehind(w io.Writer, next report.Sink, by string, write func(io.Writer, *segment.Table) error) *Behind {
	return &Behind{w, next, segment.New(by), write}
}

// Record hands r on.
func (b *Behind) Record(r *record.Record) error {
	b.groups.Add(r)
	if b.next == nil {
		return nil
	}
	return b.next.Record(r)
}

// Flush ends what next writes, and writes the groups. The error may be that of [segment.Segments.Table].
func (b *Behind) Flush() error {
	if b.next != nil {
		if err := b.next.Flush(); err != nil {
			return err
		}
	}
	t, err := b.groups.Table()
	if err != nil || len(t.Groups) == 0 {
		return err
	}
	if b.next != nil {
		if _, err := io.WriteString(b.w, "\n"); err != nil {
			return err
		}
	}
	return b.write(b.w, t)
}
