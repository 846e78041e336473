package report

import (
	"io"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
)

// Options say what people are shown. The zero value is a table in black and white of one file's dialogues.
type Options struct {
	Full       bool   // every dialogue in full
	Color      bool   // text only
	Files      bool   // the dialogues come from several files, so that a row of text names its own; Markdown always does
	CrossCheck bool   // a model is the Evaluator, so that a row says how far the rules disagree with it
	By         string // the column of the source by which groups are compared at the end; empty for none
}

// forPeople shows one dialogue in full, or several as a row each and a summary at the end.
type forPeople struct {
	w      io.Writer
	opt    Options
	sheet  sheet
	first  *run.Record // held back until it is known whether there is another
	count  int
	sum    summary.Summary
	groups *summary.Grouper
}

// NewText makes a Sink of text of at most 80 columns. The error of its Close may be that of [summary.Grouper.Groups].
func NewText(w io.Writer, opt Options) Sink { return newSink(w, opt, false) }

// NewMarkdown makes a Sink as [NewText] does, of Markdown for tickets and merge requests. Nothing of a transcript is
// markup in it.
func NewMarkdown(w io.Writer, opt Options) Sink { return newSink(w, opt, true) }

func newSink(w io.Writer, opt Options, markdown bool) Sink {
	p := &forPeople{w: w, opt: opt, groups: summary.NewGrouper(opt.By)}
	p.sheet.Color, p.sheet.markdown = opt.Color && !markdown, markdown
	p.sheet.files, p.sheet.crossCheck = opt.Files || markdown, opt.CrossCheck
	return p
}

// Add implements [Sink].
func (p *forPeople) Add(r *run.Record) error {
	row := r.Row(p.count)
	p.sum.Add(&row)
	p.sum.Model.Add(r, true)
	if p.opt.By != "" {
		p.groups.Add(&row)
	}
	p.count++
	switch {
	case p.opt.Full:
		if p.count > 1 {
			p.sheet.between()
		}
		p.sheet.dialogue(r)
	case p.count == 1:
		p.first = r
		return nil
	default:
		if p.first != nil {
			p.sheet.head()
			p.sheet.short(p.first)
			p.first = nil
		}
		p.sheet.short(r)
	}
	return p.sheet.Send(p.w)
}

// Close implements [Sink].
func (p *forPeople) Close() error {
	if p.first != nil {
		p.sheet.dialogue(p.first)
	}
	if p.count > 1 {
		p.sheet.heading(p.sum.Sentences()[0])
		for _, s := range p.sum.Sentences()[1:] {
			p.sheet.item(s)
		}
		for _, t := range p.sum.Tables() {
			p.sheet.table(t)
		}
	}
	var err error
	if p.opt.By != "" {
		var groups *summary.Groups
		if groups, err = p.groups.Groups(); err == nil && len(groups.List) > 0 {
			p.sheet.table(groups.Table())
		}
	}
	if failed := p.sheet.Send(p.w); failed != nil {
		return failed
	}
	return err
}
