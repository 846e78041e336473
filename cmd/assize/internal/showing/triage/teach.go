package triage

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric"
)

// binWidth is the width of a bin of satisfaction, in hundredths. The choice hardly matters, since
// fit learns cautiously from few ratings: with 100 single ratings of a help desk it gained .001
// over 100 drawn at random (mean of 40 draws, standard error .0014). With weights twice as bold it
// gained .006, as much as 200 at random. No other design was better: neither the least variance of
// all estimates (Yu, Bi and Tresp 2006), which by its own measure leaves 60 % of the variance where
// 100 random ratings leave 65 %, nor dialogues with many detectors or extremes. Noise limits the
// information in single ratings.
const binWidth = 50

// fifth returns a fifth of n, rounded up.
func fifth(n int) int { return (n + 4) / 5 }

// Candidate is a dialogue that a person is asked to rate.
type Candidate struct {
	run.Row
	Record *run.Record
	Kind   heuristics.Kind
	Seen   int    // number of detectors that fire
	Why    string // why it was picked, without a hint of its scores
}

// Random is the Why of a control.
const Random = "drawn at random"

// Candidates chooses the dialogues whose ratings would teach a profile most. Call [NewCandidates],
// [Candidates.Add] for each record, and [Candidates.Close]. One in five is drawn at random, as a
// control, since a random sample represents the ratings of all dialogues. The others are spread
// over the range of satisfaction and over the kinds of conversation; among dialogues that are alike
// in both, those in which most detectors fire come first, since each informs many weights. The
// choice depends only on the dialogues, not on their order.
type Candidates struct {
	Picked []Candidate // in an order that reveals nothing about them
	// Dialogues are scored dialogues, Rated those of them with ratings, and Repeated those with the
	// turns of another.
	Dialogues, Rated, Repeated int
	Controls                   int  // number of Picked drawn at random
	Bare                       bool // do not keep the records

	n        int
	same     map[run.Key]bool
	controls *Least[Candidate]
	bins     map[bin]*Least[Candidate]
}

type bin struct {
	at   rubric.Hundredths // the lowest satisfaction
	kind heuristics.Kind
}

// byDigest is an order that is effectively random but reproducible.
func byDigest(a, b Candidate) int { return bytes.Compare(a.Said[:], b.Said[:]) }

// NewCandidates returns Candidates that choose n dialogues.
func NewCandidates(n int) *Candidates {
	return &Candidates{n: n, same: map[run.Key]bool{}, controls: NewLeast(fifth(n), byDigest),
		bins: map[bin]*Least[Candidate]{}}
}

// Add adds a record. Unscored and rated records are skipped.
func (s *Candidates) Add(r *run.Record, place int) {
	if !r.Scored() {
		return
	}
	s.Dialogues++
	l := Candidate{Row: r.Row(place), Record: r, Kind: heuristics.KindOf(r.Evaluation.Signals)}
	switch {
	case len(l.Ratings) > 0:
		s.Rated++
		return
	case s.same[l.Said]:
		s.Repeated++
		return
	}
	s.same[l.Said] = true
	seen := map[string]bool{}
	for _, signal := range r.Evaluation.Signals {
		seen[signal.ID] = true
	}
	l.Seen = len(seen)
	if s.Bare {
		l.Record = nil
	}
	s.controls.Add(l)
	b := bin{l.Satisfaction / binWidth * binWidth, l.Kind}
	if s.bins[b] == nil {
		s.bins[b] = NewLeast(s.n,
			func(a, b Candidate) int { return cmp.Or(cmp.Compare(b.Seen, a.Seen), byDigest(a, b)) })
	}
	s.bins[b].Add(l)
}

// Close makes the choice and calls mask for each picked record.
func (s *Candidates) Close(mask func(*run.Record)) {
	taken := map[run.Key]bool{}
	take := func(l Candidate, why string) {
		if len(s.Picked) < s.n && !taken[l.Said] {
			taken[l.Said], l.Why = true, why
			s.Picked = append(s.Picked, l)
		}
	}
	s.Controls = fifth(min(s.n, len(s.same)))
	for _, l := range s.controls.List()[:s.Controls] {
		take(l, Random)
	}
	var bins []bin
	lists, highest := map[bin][]Candidate{}, 0
	for b, least := range s.bins {
		bins, lists[b] = append(bins, b), least.List()
		highest = max(highest, len(lists[b]))
	}
	slices.SortFunc(bins,
		func(a, b bin) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind)) })
	for i := range highest {
		for _, b := range bins {
			if list := lists[b]; i < len(list) {
				take(list[i],
					fmt.Sprintf("kind %s, seen by %s", b.kind,
						ui.Counted(list[i].Seen, "detector")))
			}
		}
	}
	// Sort by the other half of the key, since the controls are the first by the whole key.
	slices.SortFunc(s.Picked,
		func(a, b Candidate) int { return bytes.Compare(a.Said[8:], b.Said[8:]) })
	for i := range s.Picked {
		l := &s.Picked[i]
		if s.Bare {
			continue
		}
		mask(l.Record)
		l.Name, l.File = l.Record.Name(), l.Record.Source.File
	}
}

// maxText limits the text of a dialogue in a sheet, in bytes, to what fits into a spreadsheet
// cell.
const maxText = 30_000

// text returns the turns, each with its speaker on a separate line.
func (l *Candidate) text() string {
	var turns []string
	for _, t := range l.Record.Dialogue.Turns {
		turns = append(turns, t.Role.String()+": "+strings.Join(strings.Fields(t.Text), " "))
	}
	return ui.Clip(strings.Join(turns, "\n"), maxText)
}

// scale explains the levels of a rating.
const scale = "1 = very dissatisfied, 2 = dissatisfied, 3 = neither, 4 = satisfied, 5 = very " +
	"satisfied"

// Figures returns the sheet: a table whose columns rating and rater people fill in, and which fit
// --ratings reads. It omits the scores, which would influence people. The identity column
// identifies a dialogue whose ID a spreadsheet has rounded.
func (s *Candidates) Figures() *ui.Table {
	var names []string // metadata columns of the sources, such as a link
	for _, l := range s.Picked {
		for _, f := range l.Record.Source.Meta {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	t := ui.NewTable("Ratings",
		slices.Concat([]string{"dialogue_id=20", "file=20", "rating=8", "scale=20", "rater=12",
			"text=100"}, names, []string{"picked=25", "identity=34"})...)
	for _, l := range s.Picked {
		cells := []any{l.Name, l.File, "", ui.Cell{Text: scale, Lines: true}, "",
			ui.Cell{Text: l.text(), Lines: true}}
		for _, name := range names {
			value, _ := l.Record.Source.Meta.Value(name)
			cells = append(cells, value)
		}
		t.Add(append(cells, l.Why, l.Identity)...)
	}
	return t
}

// Text lists the picked dialogues and the reason for each.
func (s *Candidates) Text(p *ui.Page) {
	for _, l := range s.Picked {
		p.Paragraph(ui.Bold, "", "  ", ui.Visible(l.Name+" of "+l.File))
		p.Paragraph(ui.Dim, "  ", "    ", "picked: "+l.Why)
		p.Paragraph(ui.Plain, "  ", "    ",
			ui.Visible(ui.Clip(strings.ReplaceAll(l.text(), "\n", " / "), 200)))
	}
	p.WriteByte('\n')
	p.Paragraph(ui.Plain, "", "  ", s.Summary())
	p.Paragraph(ui.Dim, "", "  ",
		"-o sheet.csv, or .xlsx, writes them with empty columns rating and rater, which assize fit "+
			"--ratings sheet.csv reads when they are filled in.")
}

// Summary reports what was picked, in a sentence or two.
func (s *Candidates) Summary() string {
	says := fmt.Sprintf("%d of %s picked for rating, %d of them at random as a control.",
		len(s.Picked), ui.Counted(s.Dialogues, "scored dialogue"), s.Controls)
	if s.Rated+s.Repeated > 0 {
		says += fmt.Sprintf(" Skipped: %d with ratings, %d with the turns of another.", s.Rated,
			s.Repeated)
	}
	return says
}
