// Package page draws a run as one HTML file, which opens offline, on any screen and on paper.
//
// Everything is in the file: figures as tables, for readers without scripts and for screen readers; the data as JSON,
// from which a script draws charts and the list of dialogues; and the transcripts of some dialogues. A
// Content-Security-Policy in the file forbids every request and lets run only the two scripts whose digests it names.
//
// What was said in a dialogue was written by strangers. It passes [ui.Visible] and enters the file only as JSON whose
// "<" is escaped, or through html/template; the script puts it on the page only as text.
//
// The charts are drawn by Observable Plot, which plot/build.mjs bundles into assets/plot.min.js, with its licence. The
// same records give the same bytes: no clock, no path of the machine and no chance enters a page.
package page

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/triage"
	"assize/cmd/assize/internal/ui"
)

// Page collects records and draws them. It keeps a few hundred bytes of every dialogue, and whole records only of those
// whose transcripts are to be shown.
type Page struct {
	Title   string            // the heading; the runs are named below it
	Notes   []string          // what a reader must know before believing a figure, a sentence each
	Groups  []*summary.Groups // by columns of the source
	People  *agree.Report     // how the runs agree with people; nil where nobody rated
	Rated   []ratings.Rated   // what People is of; its rows are among Rows
	Rows    []run.Row         // every dialogue, in the order of the runs
	Summary summary.Summary

	below, rest summary.Course // of dialogues below 60, and of the others
	reasons     []reason       // of every row
	makers      []maker
	header      *run.Header // of the record before
	at          int         // the maker of the record before
	mute        map[string]bool

	// The records that are kept: the worst, those to choose the others from, and some that are unscored. The others are
	// drawn by the digests of what was said, so that the choice depends on nothing but the dialogues.
	low, drawn, unjudged *triage.Least[kept]
	others               int
}

// reason says what cost a dialogue most. Its friction is drawn.
type reason struct {
	triage.Explanation
	friction string // a cell for each turn of the SYSTEM, see [summary.Sparkline]
}

// kept is a dialogue whose record is kept.
type kept struct {
	row    *run.Row
	record *run.Record
	low    bool // it is kept as one of the worst
}

// New makes a page that shows the transcripts of as many of the worst dialogues, and as many of the others. Signals of
// detectors that mute names are no evidence.
func New(worst, others int, mute map[string]bool) *Page {
	const mostUnscored = 20 // they show that and why, not how good anything was
	byDigest := func(a, b kept) int {
		return cmp.Or(cmp.Compare(a.record.Source.Digest, b.record.Source.Digest), cmp.Compare(a.row.Place, b.row.Place))
	}
	return &Page{mute: mute, others: others,
		low: triage.NewLeast(worst, byRank), drawn: triage.NewLeast(max(4*others, worst+others), byDigest),
		unjudged: triage.NewLeast(min(mostUnscored, worst+others), byRank)}
}

// byRank orders dialogues as assize triage does, the worst first.
func byRank(a, b kept) int { return triage.BySatisfaction.Compare(a.row, b.row) }

// Add takes in a record and the line of the run that holds it.
func (p *Page) Add(line *run.Line, r *run.Record) {
	const mostCells = 40
	row := r.Row(len(p.Rows))
	p.Rows = append(p.Rows, row)
	p.Summary.Add(&row)
	p.Summary.Model.Add(r, true)
	p.made(line)
	if !r.Scored() {
		p.unjudged.Add(kept{row: &row, record: r})
		p.reasons = append(p.reasons, reason{})
		return
	}
	p.low.Add(kept{row: &row, record: r})
	p.drawn.Add(kept{row: &row, record: r})
	e := r.Evaluation
	why := triage.Explain(e, p.mute)
	course := &p.rest
	if row.Overall < summary.Low {
		course = &p.below
	}
	course.Add(e.Dialogue, why.Friction)
	friction := summary.Sparkline(e, why.Friction, mostCells)
	why.Friction = nil
	p.reasons = append(p.reasons, reason{why, friction})
}

// Scored gives the rows of the scored dialogues.
func (p *Page) Scored() []run.Row {
	return slices.DeleteFunc(slices.Clone(p.Rows), func(r run.Row) bool { return !r.Scored() })
}

// chosen gives the records that are kept: the worst, then the others, spread evenly from the worst to the best, then
// some unscored ones.
func (p *Page) chosen() []kept {
	list, low := p.low.List(), map[int]bool{}
	for i := range list {
		list[i].low, low[list[i].row.Place] = true, true
	}
	rest := slices.DeleteFunc(p.drawn.List(), func(k kept) bool { return low[k.row.Place] })
	slices.SortFunc(rest, byRank)
	n := min(p.others, len(rest))
	for i := range n {
		list = append(list, rest[(2*i+1)*len(rest)/(2*n)])
	}
	return append(list, p.unjudged.List()...)
}

//go:embed page.tmpl figures.json assets
var files embed.FS

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	shown := p.transcripts()
	data, err := p.data(shown)
	if err != nil {
		return err
	}
	layout, err := template.New("page.tmpl").Funcs(template.FuncMap{"visible": ui.Visible}).ParseFS(files, "page.tmpl")
	if err != nil {
		return err
	}
	style := file("assets/page.css")
	scripts := []template.JS{template.JS(file("assets/plot.min.js")),
		script("chart.js", "charts.js", "strip.js", "transcript.js", "filter.js", "list.js", "main.js")}
	out := bufio.NewWriter(w)
	err = layout.Execute(out, struct {
		sheet
		Policy  template.HTMLAttr
		Style   template.CSS
		Data    template.JS
		Scripts []template.JS
	}{p.sheet(shown), policy(style, scripts), template.CSS(style), template.JS(data), scripts})
	return cmp.Or(err, out.Flush())
}

// policy is the Content-Security-Policy: nothing may be loaded, and only the scripts and the style in the file count,
// which it knows by their digests. Nothing may turn text into markup, and no form may send anything anywhere.
func policy(style string, scripts []template.JS) template.HTMLAttr {
	var digests string
	for _, s := range scripts {
		digests += " " + source(string(s))
	}
	return template.HTMLAttr(`content="default-src 'none'; script-src` + digests + "; style-src " + source(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'" +
		`; require-trusted-types-for 'script'; trusted-types 'none'"`)
}

// source names an element's content by its digest (Content Security Policy Level 3, "hash-source").
func source(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// file gives an embedded file.
func file(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// script puts the page's own scripts together, in a scope of their own.
func script(names ...string) template.JS {
	var b bytes.Buffer
	b.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range names {
		b.WriteString("\n// " + name + "\n" + file("assets/"+name))
	}
	b.WriteString("})();\n")
	return template.JS(b.String())
}
