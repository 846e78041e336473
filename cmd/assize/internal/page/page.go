// Package page draws a run as one HTML file, which opens offline, on any screen and on paper, and as Markdown.
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
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	html "html/template"
	"io"
	"slices"
	"strings"
	text "text/template"

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
	Reviews map[run.Identity][]Review // what people said of dialogues; set before these are added, which are then all kept

	listed      []listed       // every dialogue, as Rows
	below, rest summary.Course // of dialogues below 60, and of the others
	origins     []origin
	originOf    map[*run.Header]int // the place of its origin

	// The records that are kept: the worst, and those to choose the others from, drawn by the digests of what was said,
	// so that the choice depends on nothing but the dialogues.
	low, drawn *triage.Least[kept]
	others     int
	reviewed   []kept
}

// kept is a dialogue whose record is kept.
type kept struct {
	row    *run.Row
	record *run.Record
}

// New makes a page that shows the transcripts of as many of the worst dialogues, and as many of the others.
func New(worst, others int) *Page {
	byDigest := func(a, b kept) int {
		return cmp.Or(cmp.Compare(a.record.Source.Digest, b.record.Source.Digest), cmp.Compare(a.row.Place, b.row.Place))
	}
	return &Page{others: others, originOf: map[*run.Header]int{},
		low: triage.NewLeast(worst, byRank), drawn: triage.NewLeast(max(4*others, worst+others), byDigest)}
}

// byRank orders dialogues as assize triage does, the worst first and the unscored last.
func byRank(a, b kept) int {
	return cmp.Or(cmp.Compare(min(b.row.Overall, 1), min(a.row.Overall, 1)), triage.BySatisfaction.Compare(a.row, b.row))
}

// Add takes in a record and the line of the run that holds it.
func (p *Page) Add(line *run.Line, r *run.Record) {
	row := r.Row(len(p.Rows))
	p.Rows = append(p.Rows, row)
	p.Summary.Add(&row)
	p.Summary.Model.Add(r, true)
	p.made(line)
	p.drawn.Add(kept{&row, r})
	reviews := p.Reviews[row.Identity]
	if reviews != nil {
		p.reviewed = append(p.reviewed, kept{&row, r})
	}
	var why triage.Explanation
	if r.Scored() {
		p.low.Add(kept{&row, r})
		why = triage.Explain(r.Evaluation)
		course := &p.rest
		if row.Overall < summary.Low {
			course = &p.below
		}
		course.Add(r.Evaluation.Dialogue, why.Friction)
	}
	l := newListed(&row, line.Header.Configuration.Dates, r.Evaluation, &why)
	for i := range reviews {
		l.Reviews = append(l.Reviews, reviews[i].short())
	}
	p.listed = append(p.listed, l)
}

// Scored gives the rows of the scored dialogues.
func (p *Page) Scored() []run.Row {
	return slices.DeleteFunc(slices.Clone(p.Rows), func(r run.Row) bool { return !r.Scored() })
}

// chosen gives the records that are kept: those that people reviewed and the worst, then the others, spread evenly from
// the worst to the best.
func (p *Page) chosen() (low, others []kept) {
	isReviewed := func(k kept) bool { return p.Reviews[k.row.Identity] != nil }
	low = append(p.reviewed, slices.DeleteFunc(p.low.List(), isReviewed)...)
	isLow := map[int]bool{}
	for _, k := range low {
		isLow[k.row.Place] = true
	}
	rest := slices.DeleteFunc(p.drawn.List(), func(k kept) bool { return isLow[k.row.Place] })
	slices.SortFunc(rest, byRank)
	n := min(p.others, len(rest))
	for i := range n {
		others = append(others, rest[(2*i+1)*len(rest)/(2*n)])
	}
	return low, others
}

//go:embed page.tmpl markdown.tmpl assets
var files embed.FS

// words are what the templates print numbers and strangers' words with.
func words() map[string]any {
	return map[string]any{"visible": ui.Visible, "escape": ui.Escape, "count": count, "counted": counted,
		"percent": ui.Percent, "short": short, "digest": digest, "table": func(t *ui.Table) (string, error) {
			var b strings.Builder
			err := t.Markdown(&b)
			return b.String(), err
		}}
}

// Write writes the page as HTML.
func (p *Page) Write(w io.Writer) error {
	low, others := p.chosen()
	room := mostPage
	worst, spread := p.transcripts(low, &room), p.transcripts(others, &room)
	shown := slices.Concat(worst, spread)
	data, err := json.Marshal(p.data(shown)) // which writes <, >, &, U+2028 and U+2029 as \u…
	if err != nil {
		return err
	}
	layout := html.Must(html.New("page.tmpl").Funcs(words()).ParseFS(files, "page.tmpl"))
	out := bufio.NewWriter(w)
	err = layout.Execute(out, struct {
		sheet
		Shown       []Transcript
		Low, Others int // how many of them are among the worst, and the others
		Data        html.JS
		Style       html.CSS
		Scripts     []html.JS
	}{p.sheet(), shown, len(worst), len(spread), html.JS(data), html.CSS(file("assets/page.css")), []html.JS{
		html.JS(file("assets/plot.min.js")),
		script("chart.js", "charts.js", "strip.js", "rate.js", "transcript.js", "filter.js", "list.js", "main.js")}})
	return cmp.Or(err, out.Flush())
}

// Markdown writes a summary for a merge request: the headline, the figures as tables, and the worst dialogues with the
// reason. Nothing of a transcript is markup or HTML in it.
func (p *Page) Markdown(w io.Writer) error {
	layout := text.Must(text.New("markdown.tmpl").Funcs(words()).ParseFS(files, "markdown.tmpl"))
	out := bufio.NewWriter(w)
	return cmp.Or(layout.Execute(out, p.sheet()), out.Flush())
}

// digest names an element's content in a Content-Security-Policy (Level 3, "hash-source").
func digest(content any) string {
	sum := sha256.Sum256(fmt.Append(nil, content))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func file(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// script puts the page's own scripts together, in a scope of their own.
func script(names ...string) html.JS {
	all := "(() => {\n\"use strict\";\n"
	for _, name := range names {
		all += "\n// " + name + "\n" + file("assets/"+name)
	}
	return html.JS(all + "})();\n")
}

// Style is the style sheet of the page, for pages that show the same things.
func Style() string { return file("assets/page.css") }
