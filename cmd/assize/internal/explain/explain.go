// Package explain says what each id means that the program ever prints: detectors, criteria, scores,
// rulings and their grounds, kinds of objection, findings, and how a model fails.
package explain

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	Heading string // may be empty
	Text    string // long lines may be wrapped; what stands before a tab keeps to the left
}

// texts explains the ids that no other file or value explains. A line is "# GROUP", "ID: title", "  Heading: text" or,
// further in, another line of that text.
//
//go:embed texts.txt
var texts string

// read gives the entries of texts, in their order.
func read() (all []Entry) {
	group := ""
	for line := range strings.Lines(texts) {
		line = strings.TrimSuffix(line, "\n")
		key, text, _ := strings.Cut(line, ": ")
		switch name, isGroup := strings.CutPrefix(line, "# "); {
		case line == "":
		case isGroup:
			group = name
		case strings.HasPrefix(line, "    "):
			parts := all[len(all)-1].Parts
			parts[len(parts)-1].Text += "\n" + line[4:]
		case strings.HasPrefix(line, "  "):
			all[len(all)-1].add(key[2:], text)
		default:
			all = append(all, Entry{ID: key, Group: group, Title: text})
		}
	}
	return all
}

// All lists every entry, in groups: criteria, scores, results, rulings, grounds, kinds of objection, findings, what is
// said of a model, what a ranking says, and the detectors by family.
func All(rub rubric.Rubric, detectors []heuristics.Detector) []Entry {
	all := read()
	for i, c := range rubric.Criteria() {
		criterion(&all[i], c, rub, detectors)
	}
	for i, s := range slices.Backward(rubric.Scale[:]) {
		e := &all[rubric.NumCriteria+len(rubric.Scale)-1-i]
		for _, c := range rubric.Criteria() {
			e.add(c.String(), rub.Levels[c][s.Level()])
		}
	}
	ofModel := slices.IndexFunc(all, func(e Entry) bool { return e.ID == "cross_check" })
	ofTriage := slices.IndexFunc(all, func(e Entry) bool { return e.ID == "friction" })
	var findings []Entry
	for _, k := range check.Kinds() { // the severity is the usual one; a finding names its own
		findings = append(findings, Entry{ID: k.ID, Group: "findings", Title: Sentence(k.Title), Parts: []Part{
			{"Severity", k.Severity.String()}, {"Why it matters", k.Why}, {"Bad", k.Bad}, {"Good", k.Good},
		}})
	}
	triage := all[ofTriage:]
	all = slices.Concat(all[:ofModel], findings, all[ofModel:ofTriage])
	all = documented(all, "flags of a model's answers", localllm.Flags())
	all = documented(all, "failures of a model", localllm.FailureKinds())
	all = append(all, triage...)
	for _, d := range detectors {
		all = append(all, detector(d, rub))
	}
	return all
}

// Find gives the entry of an id. Case does not matter, and of a ruling the number is enough.
func Find(all []Entry, id string) (Entry, bool) {
	i := slices.IndexFunc(all, func(e Entry) bool {
		number, _, _ := strings.Cut(e.ID, "-")
		return strings.EqualFold(e.ID, id) || e.Group == "rulings" && strings.EqualFold(number, id)
	})
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}

// criterion adds what the rubric demands of a criterion, and which detectors speak to it.
func criterion(e *Entry, c rubric.Criterion, rub rubric.Rubric, detectors []heuristics.Detector) {
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
}

// detector gives what the detector's file says, and which levels of the rubric demand its signal.
func detector(d heuristics.Detector, rub rubric.Rubric) Entry {
	e := Entry{ID: d.ID, Group: "detectors: " + d.Family(), Title: Sentence(d.Title)}
	e.add("Why it matters", d.Why)
	var names, demands []string
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
	for _, c := range rubric.Criteria() {
		for i, s := range slices.Backward(rubric.Scale[:]) {
			if slices.Contains(rub.Demands[c][i], d.ID) {
				demands = append(demands, fmt.Sprintf("%s %d", c, s))
			}
		}
	}
	if len(demands) > 0 {
		e.add("Demanded by", strings.Join(demands, ", "))
	}
	e.add("Fires on", d.Hit)
	e.add("Leaves alone", d.Miss)
	return e
}

// documented adds what may be said of a model's answers. An id that has an entry is explained there too.
func documented(all []Entry, group string, docs []localllm.KindDoc) []Entry {
	for _, d := range docs {
		title := Sentence(d.Title)
		if i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == d.ID }); i >= 0 {
			all[i].add("Of a model's answer", title+" "+d.Why, d.Then)
			continue
		}
		parts := []Part{{"How it comes about", d.Why}, {"What is done", d.Then}}
		all = append(all, Entry{ID: d.ID, Group: group, Title: title, Parts: parts})
	}
	return all
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
