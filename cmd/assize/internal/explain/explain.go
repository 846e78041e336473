// Package explain says what each id and each word means that the program ever prints: detectors, criteria, scores,
// rulings and their grounds, kinds of objection, findings, how a model fails, and the words of statistics.
package explain

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/check"
)

// Entry is what there is to say of one id.
type Entry struct {
	ID    string
	Group string // what the list puts it under, such as "detectors: reaction"
	Title string // one line
	Parts []Part
}

// Part is a piece of an entry: paragraphs, a list or an example.
type Part struct {
	Heading string
	Text    string // long lines may be wrapped; what stands before a tab keeps to the left
}

// texts has the groups in their order, and explains the ids that no other file or value explains.
//
//go:embed texts.yaml
var texts []byte

// All lists every entry by its group; the detectors, by family, come last.
func All(rub rubric.Rubric, detectors []heuristics.Detector) (all []Entry) {
	var groups []struct {
		Group   string
		Entries []Entry
	}
	if err := yaml.Unmarshal(texts, &groups); err != nil {
		panic(err) // the file is part of the program
	}
	for _, g := range groups {
		for _, e := range append(g.Entries, ofValues(g.Group)...) {
			e.Group = g.Group
			if i := slices.IndexFunc(all, func(o Entry) bool { return o.ID == e.ID }); i >= 0 { // it is printed of both
				all[i].add("Of a model's answer", e.Title, e.Parts[0].Text, e.Parts[1].Text)
				continue
			}
			e.addRubric(rub, detectors)
			all = append(all, e)
		}
	}
	for _, d := range detectors {
		e := Entry{ID: d.ID, Group: "detectors: " + d.Family(), Title: Sentence(d.Title)}
		e.add("Why it matters", d.Why)
		var names []string
		for _, c := range d.Criteria.List() {
			names = append(names, c.String())
		}
		e.add("Speaks to", strings.Join(names, ", "))
		e.add("Points", pointsOf(d)...)
		e.add("Caps", capsOf(rub, d.ID)...)
		e.add("Fires on", d.Hit)
		e.add("Leaves alone", d.Miss)
		all = append(all, e)
	}
	return all
}

// pointsOf says what a detector's signals are worth, and what they do to others.
func pointsOf(d heuristics.Detector) (lines []string) {
	points := d.Points.String() + " each time"
	if d.Once {
		points = d.Points.String() + " once a dialogue"
	}
	if d.InService != d.Points {
		points += "; in a service case " + d.InService.String()
	}
	lines = append(lines, points)
	switch last := d.QualityLast.String(); {
	case d.Quality > 0 && d.QualityLast > 0:
		lines = append(lines, "Each point adds "+d.Quality.String()+" to the quality of a service case, and another "+last+
			" in the last turn of either side.")
	case d.Quality > 0:
		lines = append(lines, "Each point adds "+d.Quality.String()+" to the quality of a service case.")
	case d.QualityLast > 0:
		lines = append(lines, "In a service case only the last turn of either side counts: each point adds "+last+
			" to its quality.")
	}
	if d.AlsoThere != 0 {
		lines = append(lines, "In a service case it weighs in every criterion but Fluency.")
	}
	if d.Fades {
		lines = append(lines, "A second time counts half, a third time a quarter, and so on.")
	}
	if d.Voids {
		lines = append(lines, "What speaks for TaskSuccess or Helpfulness in the same turn earns nothing.")
	}
	if d.Faint {
		lines = append(lines, "It is quoted only for a service case as a whole, where nothing else can be.")
	}
	if d.Mute {
		lines = append(lines, "It counts, but it is never quoted as evidence.")
	}
	return lines
}

// capsOf names the most that the rubric lets criteria score where a detector fires.
func capsOf(rub rubric.Rubric, detector string) (lines []string) {
	for _, c := range rubric.Criteria() {
		if most, capped := rub.Caps[c][detector]; capped {
			lines = append(lines, fmt.Sprintf("%s scores %s at most.", c, most))
		}
	}
	return lines
}

// ofValues gives the entries of a group that values of other packages document.
func ofValues(group string) (list []Entry) {
	if group == "findings" {
		for _, k := range check.Kinds() { // the severity is the usual one; a finding names its own
			parts := []Part{{"Severity", k.Severity.String()}, {"Why it matters", k.Why}, {"Bad", k.Bad}, {"Good", k.Good}}
			list = append(list, Entry{ID: k.ID, Title: Sentence(k.Title), Parts: parts})
		}
	}
	docs := map[string][]localllm.KindDoc{
		"flags of a model's answers": localllm.Flags(), "failures of a model": localllm.FailureKinds(),
	}
	for _, d := range docs[group] {
		parts := []Part{{"How it comes about", d.Why}, {"What is done", d.Then}}
		list = append(list, Entry{ID: d.ID, Title: Sentence(d.Title), Parts: parts})
	}
	return list
}

// addRubric adds what the rubric says of a criterion or of a score.
func (e *Entry) addRubric(rub rubric.Rubric, detectors []heuristics.Detector) {
	var levels, ids []string
	for _, c := range rubric.Criteria() {
		for i, s := range slices.Backward(rubric.Scale[:]) {
			switch level := rub.Levels[c][i]; e.ID {
			case s.String():
				e.add(c.String(), level)
			case c.String():
				if d := rub.Demands[c][i]; len(d) > 0 {
					level += " Demands one of: " + strings.Join(d, ", ") + "."
				}
				levels = append(levels, fmt.Sprintf("%3d  \t%s", s, level))
			}
		}
		if e.ID != c.String() {
			continue
		}
		for _, d := range detectors {
			if d.Criteria.Has(c) {
				ids = append(ids, d.ID)
			}
		}
		e.add("Weight", fmt.Sprintf("%d %% of the weighted average", rub.Weights[c]))
		e.add("Levels", levels...)
		e.add("Detectors that speak to it", ids...)
	}
}

// add adds a part, unless it would be empty.
func (e *Entry) add(heading string, lines ...string) {
	if text := strings.Join(lines, "\n"); text != "" {
		e.Parts = append(e.Parts, Part{heading, text})
	}
}

// Find gives the entry of an id. Case does not matter, of a ruling the number is enough, and of words the last one.
func Find(all []Entry, id string) (Entry, bool) {
	id = strings.ToLower(id)
	for _, fits := range []func(e Entry, known string) bool{
		func(_ Entry, known string) bool { return known == id },
		func(e Entry, known string) bool { return e.Group == "rulings" && strings.HasPrefix(known, id+"-") },
		func(_ Entry, known string) bool { return strings.HasSuffix(known, " "+id) },
	} {
		for _, e := range all {
			if fits(e, strings.ToLower(e.ID)) {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// Text writes all that there is to say of one id.
func Text(w io.Writer, e Entry, color bool) error {
	p := ui.NewPage(w, color)
	p.Put(ui.Bold, e.ID)
	p.Line(ui.Dim, "  "+e.Group)
	p.Paragraph(ui.Plain, "  ", "  ", e.Title)
	for _, part := range e.Parts {
		p.Line(ui.Bold, "\n  "+part.Heading)
		for line := range strings.Lines(part.Text) {
			lead, text, ok := strings.Cut(line, "\t")
			if !ok {
				lead, text = "", line
			}
			p.Paragraph(ui.Plain, "    "+lead, strings.Repeat(" ", 4+ui.Cells(lead)), ui.Visible(text))
		}
	}
	return p.Send(w)
}

// List lists what can be explained, an id a line under the heading of its group.
func List(w io.Writer, all []Entry, color bool) error {
	p := ui.NewPage(w, color)
	for i, e := range all {
		if i > 0 && e.Group != all[i-1].Group {
			p.WriteByte('\n')
		}
		if i == 0 || e.Group != all[i-1].Group {
			p.Line(ui.Bold, e.Group)
		}
		p.Paragraph(ui.Plain, "  "+ui.Pad(e.ID, 28)+" ", strings.Repeat(" ", 31), e.Title)
	}
	return p.Send(w)
}

// Sentence makes a clause one, with a capital and one full stop. An empty clause stays empty.
func Sentence(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + strings.TrimRight(clause[size:], ". ") + "."
}
