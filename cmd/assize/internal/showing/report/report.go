// Package report renders a run as a single HTML file, which works offline, on any screen and on
// paper, and as Markdown. Its templates for a dialogue and for figures, its style sheet and its
// scripts are also those of the pages of a server, see [Parts] and [Assets].
//
// The file contains the figures as tables, the transcripts of some dialogues, and the numbers as
// JSON, from which a script draws charts, with Observable Plot (plot/build.mjs), and the list of
// dialogues. A Content-Security-Policy forbids every request. The text of dialogues is untrusted:
// it passes through [ui.Visible] and is JSON or text, never markup. The same records always produce
// the same bytes.
package report

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	html "html/template"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	text "text/template"

	"github.com/go-json-experiment/json"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/triage"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Page collects records and renders them. It keeps a few hundred bytes of every dialogue, and whole
// records only of those whose transcripts it shows.
type Page struct {
	Title  string            // the heading; the names of the runs appear below it
	Notes  []string          // what a reader must know before trusting a figure, one sentence each
	By     []string          // the columns to group by; without any, those with few values
	Groups []*summary.Groups // by these columns
	People *agree.Report     // how the runs agree with people; nil if nobody rated
	Rated  []ratings.Rated   // the ratings behind People, for dialogues in Rows
	// Corrected contains what people would rate on average, if they rated a random sample.
	Corrected []sample.Figure
	// every dialogue, in the order of the runs; of those that are equal by [run.Row.Copy] the first
	Rows    []*run.Row
	Repeats []*run.Row // the others
	Summary summary.Summary
	// Reviews holds people's reviews, set before dialogues are added. Those with a review are kept.
	Reviews map[run.Identity][]run.Review

	Claims claims // by agent and tool

	place    map[run.Key]int // of the first dialogue, by [run.Row.Copy]
	repeated map[int]int     // by place: dialogues for which this one stands
	Origins  []origin
	originOf map[*run.Header]int // the index of each header's origin

	// The records to keep: the worst, and the pool from which to choose the others. The pool is
	// drawn by the digests of the turns, so that the choice depends only on the dialogues.
	low, drawn *triage.Least[kept]
	others     int
	reviewed   []kept
	values     summary.ColumnValues
	metas      map[string]dialogue.Meta // the different ones of rows, so that rows share them
	listed     *triage.Least[*Entry]    // the worst, to which the list of dialogues is limited
}

// maxListed is the maximum number of dialogues in the list, in addition to those with transcripts.
const maxListed = 20_000

// kept is a dialogue whose record is kept.
type kept struct {
	*Entry
	record *run.Record
}

// New returns a page that shows the transcripts of the worst dialogues, at most worst, and of at
// most others of the rest.
func New(worst, others int) *Page {
	byDigest := func(a, b kept) int {
		return cmp.Or(cmp.Compare(a.record.Source.Digest, b.record.Source.Digest),
			cmp.Compare(a.Place, b.Place))
	}
	return &Page{others: others, originOf: map[*run.Header]int{}, place: map[run.Key]int{},
		Claims:   claims{map[string]*claimed{}, map[string]*claimed{}, map[string]int{}},
		repeated: map[int]int{}, values: summary.ColumnValues{}, metas: map[string]dialogue.Meta{},
		low:    triage.NewLeast(worst, byRank),
		drawn:  triage.NewLeast(max(4*others, worst+others), byDigest),
		listed: triage.NewLeast(maxListed, (*Entry).compare)}
}

// byRank orders dialogues as assize triage does.
func byRank(a, b kept) int { return a.compare(b.Entry) }

func (e *Entry) compare(other *Entry) int { return run.BySatisfaction.Compare(e.Row, other.Row) }

// Add adds a record and the line of the run that contains it.
func (p *Page) Add(line *run.Line, r *run.Record) {
	row := new(r.Row(len(p.Rows)))
	row.Meta = p.values.Keep(row.Meta, p.By)
	if key := fmt.Sprintf("%q", row.Meta); p.metas[key] != nil {
		row.Meta = p.metas[key]
	} else if len(p.metas) < maxListed {
		p.metas[key] = row.Meta
	}
	copied := row.Copy()
	if first, again := p.place[copied]; again {
		row.Place = first
		p.Repeats = append(p.Repeats, row)
		p.Stand(first, 1)
		return
	}
	p.place[copied] = row.Place
	p.Rows = append(p.Rows, row)
	p.Summary.Add(row)
	p.Summary.Model.Add(r, true)
	p.made(line)
	reviews, extra := p.Reviews[row.Identity], map[string]any{"why": ui.PlainRoles(r.Reason)}
	keep := kept{&Entry{Row: row, Extra: extra}, r}
	p.listed.Add(keep.Entry)
	p.drawn.Add(keep)
	if reviews != nil {
		p.reviewed = append(p.reviewed, keep)
	}
	if r.Scored() {
		p.Claims.add(row, r)
		p.low.Add(keep)
		why := triage.Explain(r.Evaluation)
		extra["why"] = cmp.Or(why.Reason(), "Nothing: all six scores are 100.")
		extra["contradicted"] = r.CrossCheck != nil && r.CrossCheck.Count(rubric.Contradict) > 0
	}
	extra["reviews"] = strings.Join(ui.Each(reviews, run.Review.Short), ", ")
}

// Stand notes that a dialogue stands for more others than are added.
func (p *Page) Stand(place, more int) { p.repeated[place] += more }

// headers returns a header of each origin.
func (p *Page) headers() []*run.Header {
	return ui.Each(p.Origins, func(o origin) *run.Header { return o.Header })
}

// Scored returns the rows of the scored dialogues.
func (p *Page) Scored() []*run.Row {
	return ui.Without(p.Rows, func(r *run.Row) bool { return !r.Scored() })
}

// chosen returns the records to show: first the reviewed and the worst dialogues, then the others,
// evenly spread from the worst to the best.
func (p *Page) chosen() (low, others []kept) {
	isReviewed := func(k kept) bool { return p.Reviews[k.Identity] != nil }
	low = append(p.reviewed, slices.DeleteFunc(p.low.List(), isReviewed)...)
	isLow := map[int]bool{}
	for _, k := range low {
		isLow[k.Place] = true
	}
	rest := slices.DeleteFunc(p.drawn.List(), func(k kept) bool { return isLow[k.Place] })
	slices.SortFunc(rest, byRank)
	n := min(p.others, len(rest))
	for i := range n {
		others = append(others, rest[(2*i+1)*len(rest)/(2*n)])
	}
	return low, others
}

//go:embed templates assets
var files embed.FS

// words are the template functions that format numbers and untrusted text.
var words = map[string]any{
	"visible": ui.Visible, "escape": ui.Escape, "count": count, "counted": counted,
	"percent": ui.Percent, "short": short, "digest": digest, "plain": ui.PlainRoles,
	"list":      func(s string) []string { return strings.Split(s, ", ") },
	"criterion": func(c int) rubric.Criterion { return rubric.Criterion(c) },
	"name":      func(c rubric.Criterion) string { return ui.Name(c.String()) },
	"scale":     func() []rubric.Score { return rubric.Scale[:] },
	"answers": func() []rubric.Answer {
		return []rubric.Answer{rubric.Yes, rubric.No, rubric.NotApplicable}
	},
	"level": func(s rubric.Score) int { return int(s) / 20 },
	"table": func(t *ui.Table) string {
		var p ui.Page
		t.Markdown(&p)
		return p.String()
	},
}

var texts = prose.Of("report", words)

// Parts returns the templates that reports and served pages share, with their functions.
func Parts() *html.Template {
	return html.Must(html.New("").Funcs(words).ParseFS(files, "templates/parts.tmpl"))
}

// Assets returns the style sheet, the scripts and the icon of the pages.
func Assets() fs.FS {
	assets, _ := fs.Sub(files, "assets") // the folder exists
	return assets
}

// Write writes the page as HTML. No dialogue can be added after it.
func (p *Page) Write(w io.Writer) error {
	p.place, p.metas = nil, nil // which take as much memory as the list
	layout := html.Must(Parts().ParseFS(files, "templates/page.tmpl"))
	low, others := p.chosen()
	cases, room := p.cases(slices.Concat(low, others)), maxPage
	var shown [2][]html.HTML
	for i, chosen := range [][]kept{low, others} {
		var err error
		if shown[i], err = p.frozen(layout, chosen, cases, &room); err != nil {
			return err
		}
	}
	top := p.sheet()
	list := p.list(top.Figures, cases)
	data := rubric.AppendJSON(nil, p.data(top.Figures, list), json.FormatNilSliceAsNull(true),
		json.FormatNilMapAsNull(true))
	list.Rows = list.Rows[:min(1, len(list.Rows))] // the script copies it
	out := bufio.NewWriter(w)
	err := layout.ExecuteTemplate(out, "page.tmpl", struct {
		sheet
		Shown       []html.HTML
		Low, Others int  // how many of the transcripts are of the worst dialogues, and of others
		IsPart      bool // the list does not have all dialogues
		List        List
		Data        html.JS
		Style       html.CSS
		Scripts     []html.JS
	}{top, slices.Concat(shown[:]...), len(shown[0]), len(shown[1]), len(cases) < len(p.Rows), list,
		html.JS(data),
		html.CSS(file("assets/page.css")), []html.JS{html.JS(file("assets/plot.min.js")),
			script("chart.js", "charts.js", "page.js", "rate.js", "list.js", "figures.js")}})
	return cmp.Or(err, out.Flush())
}

// The maximum size of all transcripts of a page and of one, in bytes; of others it has the figures.
const (
	maxPage     = 4 << 20
	maxDialogue = 400 << 10
)

// frozen renders the transcripts that fit into room, and subtracts their size from it.
func (p *Page) frozen(layout *html.Template, chosen []kept, cases []Entry, room *int,
) (list []html.HTML, err error) {
	for _, k := range chosen {
		at, _ := find(cases, k.Row)
		c := &cases[at]
		t := NewTranscript(k.record, fmt.Sprintf("d%d", c.Place))
		t.Facts, t.File = c.Facts(), Base(c.File)+" · "+counted(c.Turns, "turn")
		link := url.Values{"d": {ui.Visible(c.Title)}}
		if c.Extra["twin"] != nil {
			link.Set("file", ui.Visible(c.File))
		}
		t.Link = "#" + link.Encode()
		t.Reviews = p.Reviews[k.Identity]
		var b strings.Builder
		err := layout.ExecuteTemplate(&b, "frozen", struct {
			*Entry
			At         int // in the list
			Transcript *Transcript
		}{c, at, t})
		if err != nil {
			return nil, err
		}
		if b.Len() <= min(*room, maxDialogue) {
			*room -= b.Len()
			c.Extra["transcript"] = "yes"
			list = append(list, html.HTML(b.String())) // from a template, which escapes
		}
	}
	return list, nil
}

// Markdown writes a summary for a merge request: the headline, the figures as tables, and the worst
// dialogues with their reasons. No text of a transcript is interpreted as markup or HTML.
func (p *Page) Markdown(w io.Writer) error {
	layout := text.Must(text.New("markdown.tmpl").Funcs(words).ParseFS(files,
		"templates/markdown.tmpl"))
	out := bufio.NewWriter(w)
	return cmp.Or(layout.Execute(out, p.sheet()), out.Flush())
}

// Base returns the name of a file without its folders, safe to display.
func Base(file string) string { return ui.Visible(path.Base(strings.ReplaceAll(file, `\`, "/"))) }

// digest returns the source expression for an element's content in a Content-Security-Policy.
func digest(content any) string {
	sum := sha256.Sum256(fmt.Append(nil, content))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func file(name string) string {
	b, _ := files.ReadFile(name) // the file is embedded
	return string(b)
}

// script concatenates the page's own scripts in a scope of their own.
func script(names ...string) html.JS {
	all := "(() => {\n\"use strict\";\n"
	for _, name := range names {
		all += "\n// " + name + "\n" + file("assets/"+name)
	}
	return html.JS(all + "})();\n")
}
