package report

import (
	"io"

	"assize/cmd/assize/internal/record"
)

// Text writes for people: one dialogue in full, several as a row each with a summary at the end. No line is
// wider than 80 columns.
type Text struct {
	w     io.Writer
	opt   TextOptions
	page  Page
	first *record.Record // held back until it is known whether there is another
	count int
	sum   Summary
}

// TextOptions say how Text writes. The zero value is a table in black and white of one file's dialogues.
type TextOptions struct {
	Full       bool // every dialogue in full
	Color      bool
	Files      bool // the dialogues come from several files, so a row names its own
	CrossCheck bool // a model is the Evaluator, so a row says how far the rules agree with it
}

// NewText makes a Text that writes to w.
func NewText(w io.Writer, opt TextOptions) *Text {
	return &Text{w: w, opt: opt, page: Page{Color: opt.Color}}
}

// Record writes r, or holds it back where it is the first.
func (t *Text) Record(r *record.Record) error {
	t.count++
	t.sum.Add(r)
	switch {
	case t.opt.Full:
		if t.count > 1 {
			t.page.Line(Dim, rule)
		}
		t.page.full(r)
	case t.count == 1:
		t.first = r
		return nil
	case t.count == 2:
		t.page.head(t.opt)
		t.page.row(t.first, t.opt)
		t.first = nil
		fallthrough
	default:
		t.page.row(r, t.opt)
	}
	return t.page.Send(t.w)
}

// Flush writes the dialogue that was held back, or the summary of several.
func (t *Text) Flush() error {
	if t.first != nil {
		t.page.full(t.first)
	}
	if t.count > 1 {
		t.page.summary(&t.sum)
	}
	return t.page.Send(t.w)
}
