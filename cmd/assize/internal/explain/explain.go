// Package explain says what each id means that the program ever prints: detectors, criteria, scores,
// rulings and their grounds, kinds of objection, findings, and how a model fails.
package explain

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/heuristics"
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
	Heading string // may be empty
	Text    string // long lines may be wrapped; what stands before a tab keeps to the left
}

// All lists every entry: criteria, scores, results, rulings, grounds, kinds of objection, findings, what is
// said of a model, what a ranking says, and the detectors by family.
func All(rub rubric.Rubric, detectors []heuristics.Detector) []Entry {
	var all []Entry
	for _, c := range rubric.Criteria() {
		all = append(all, criterion(c, rub, detectors))
	}
	for _, s := range slices.Backward(rubric.Scale[:]) {
		all = append(all, score(s, rub))
	}
	all = append(all, results...)
	all = append(all, rulings...)
	all = append(all, grounds...)
	all = append(all, kinds...)
	for _, k := range check.Kinds() {
		all = append(all, finding(k))
	}
	all = append(model(all), triage...)
	for _, d := range detectors {
		all = append(all, detector(d, rub))
	}
	return all
}

// Find gives the entry of an id. Case does not matter, and of a ruling the number is enough.
func Find(all []Entry, id string) (Entry, bool) {
	for _, e := range all {
		number, _, _ := strings.Cut(e.ID, "-")
		if strings.EqualFold(e.ID, id) || e.Group == groupRulings && strings.EqualFold(number, id) {
			return e, true
		}
	}
	return Entry{}, false
}

func criterion(c rubric.Criterion, rub rubric.Rubric, detectors []heuristics.Detector) Entry {
	e := Entry{ID: c.String(), Group: "criteria", Title: questions[c]}
	e.add("Weight", fmt.Sprintf("%d %% of the weighted average", rub.Weights[c]))
	var levels, ids []string
	for i, s := range slices.Backward(rubric.Scale[:]) {
		line := fmt.Sprintf("%3d  \t%s", s, rub.Levels[c][i])
		if d := rub.Demands[c][i]; len(d) > 0 {
			line += " Demands one of: " + strings.Join(d, ", ") + "."
		}
		levels = append(levels, line)
	}
	e.add("Levels", levels...)
	for _, d := range detectors {
		if d.Criteria.Has(c) {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) > 0 {
		e.add("Detectors that speak to it", ids...)
	}
	return e
}

func score(s rubric.Score, rub rubric.Rubric) Entry {
	e := Entry{ID: s.String(), Group: "scores", Title: meanings[s.Level()]}
	for _, c := range rubric.Criteria() {
		e.add(c.String(), rub.Levels[c][s.Level()])
	}
	return e
}

func detector(d heuristics.Detector, rub rubric.Rubric) Entry {
	e := Entry{ID: d.ID, Group: "detectors: " + d.Family(), Title: Sentence(d.Title)}
	e.add("Why it matters", d.Why)
	var names []string
	for _, c := range d.Criteria.List() {
		names = append(names, c.String())
	}
	if len(names) > 0 {
		e.add("Speaks to", strings.Join(names, ", "))
	}
	each := " each time"
	if d.Once {
		each = " once a dialogue"
	}
	e.add("Points", d.Points.String()+each)
	if demanded := demandedBy(d.ID, rub); len(demanded) > 0 {
		e.add("Demanded by", strings.Join(demanded, ", "))
	}
	e.add("Fires on", d.Hit)
	e.add("Leaves alone", d.Miss)
	return e
}

// finding explains what check reports. Its severity is the usual one; a finding names its own.
func finding(k check.Kind) Entry {
	e := Entry{ID: k.ID, Group: "findings", Title: Sentence(k.Title)}
	e.add("Severity", k.Severity.String())
	e.add("Why it matters", k.Why)
	e.add("Bad", k.Bad)
	e.add("Good", k.Good)
	return e
}

// demandedBy lists the levels of the rubric that a detector's signal supports.
func demandedBy(id string, rub rubric.Rubric) []string {
	var list []string
	for _, c := range rubric.Criteria() {
		for i, s := range slices.Backward(rubric.Scale[:]) {
			if slices.Contains(rub.Demands[c][i], id) {
				list = append(list, fmt.Sprintf("%s %d", c, s))
			}
		}
	}
	return list
}

// Sentence makes a clause one, with a capital and one full stop. An empty clause stays empty.
func Sentence(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + strings.TrimRight(clause[size:], ". ") + "."
}

func (e *Entry) add(heading string, lines ...string) {
	e.Parts = append(e.Parts, Part{heading, strings.Join(lines, "\n")})
}
