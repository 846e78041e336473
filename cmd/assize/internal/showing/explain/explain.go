// Package explain describes every ID and term in the program's output: detectors, criteria, scores,
// rulings and their grounds, kinds of objection, findings, failures of a model, and statistical
// terms.
package explain

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/evidence"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/check"
)

// Entry is the explanation of one ID.
type Entry struct {
	ID    string
	Group string // heading in the list, such as "detectors: reaction"
	Title string // one line
	Parts []part // empty parts are not shown
}

// part is a piece of an entry: paragraphs, a list or an example.
type part struct {
	Heading string
	Text    string // long lines may be wrapped; text before a tab is kept at the left
}

// texts contains the groups in order, with the IDs that are not documented elsewhere.
//
//go:embed texts.yaml
var texts []byte

// All returns all entries by group; the detectors, by family, come last.
func All(rub rubric.Rubric, agents *heuristics.Agents) (all []Entry) {
	detectors := agents.Detectors()
	slices.SortStableFunc(detectors, func(a, b evidence.Detector) int {
		return strings.Compare(a.Family(), b.Family())
	})
	var groups []struct {
		Group, Ladder string // the ladder of each entry is read so
		Entries       []Entry
	}
	if err := yaml.Unmarshal(texts, &groups); err != nil {
		panic(err) // the file is embedded
	}
	for _, g := range groups {
		for _, e := range append(g.Entries, ofValues(g.Group)...) {
			e.Group = g.Group
			// The ID may occur in two groups.
			if i := slices.IndexFunc(all, func(o Entry) bool { return o.ID == e.ID }); i >= 0 {
				says := strings.Join([]string{e.Title, e.Parts[0].Text, e.Parts[1].Text}, "\n")
				all[i].Parts = append(all[i].Parts, part{"Of a model's answer", says})
				continue
			}
			e.addRubric(rub, agents, g.Ladder)
			all = append(all, e)
		}
	}
	for _, d := range detectors {
		names, caps := ui.Each(d.Criteria.List(), rubric.Criterion.String), []string(nil)
		for _, c := range rubric.Criteria() {
			if score, capped := rub.Caps[c][d.ID]; capped {
				caps = append(caps, fmt.Sprintf("%s scores %s at most.", c, score))
			}
		}
		state := rubric.DeedStateOf(d.ID)
		all = append(all, Entry{d.ID, "detectors: " + d.Family(), ui.Sentence(d.Title),
			[]part{{"Why it matters", d.Why}, {"Evidence about", strings.Join(names, ", ")},
				{"Claims listed as", strings.TrimSpace(state.Mark() + " " + string(state))},
				{"How far to trust it", ui.Sentence(d.Checked.String())},
				{"Points for satisfaction", pointsOf(d)}, {"Caps", strings.Join(caps, "\n")},
				{"Fires on", d.Hit}, {"Does not fire on", d.Miss}}})
	}
	return all
}

// pointsOf describes the points of a detector's signals and their effect on others.
func pointsOf(d evidence.Detector) string {
	points := d.Points.String() + " each time"
	if d.Once {
		points = d.Points.String() + " once a dialogue"
	}
	if d.InService != d.Points {
		points += "; in a service case " + d.InService.String()
	}
	lines := ui.Sentences{points}
	lines.If(d.Cue, "It counts for satisfaction only; it is evidence about no score.")
	return strings.Join(lines, "\n")
}

// ofValues returns the entries of a group that are documented by values in other packages.
func ofValues(group string) (list []Entry) {
	if group == "findings" {
		for _, k := range check.Kinds() { // the default severity; a finding has its own
			parts := []part{{"Severity", k.Severity.String()}, {"Why it matters", k.Why},
				{"Bad", k.Bad}, {"Good", k.Good}}
			list = append(list, Entry{ID: k.ID, Title: ui.Sentence(k.Title), Parts: parts})
		}
	}
	docs := map[string][]localllm.Doc{
		"flags of a model's answers": localllm.Flags(),
		"failures of a model":        localllm.FailureKinds(),
	}
	for _, d := range docs[group] {
		parts := []part{{"Why it happens", d.Why}, {"What to do", d.Then}}
		list = append(list, Entry{ID: d.ID, Title: ui.Sentence(d.Title), Parts: parts})
	}
	return list
}

// addRubric adds the rubric's description of a criterion or a score.
func (e *Entry) addRubric(rub rubric.Rubric, agents *heuristics.Agents, ladder string) {
	for _, c := range rubric.Criteria() {
		var levels []string
		for i, s := range slices.Backward(rubric.Scale[:]) {
			level := rub.Levels[c][i]
			if e.ID == s.String() {
				e.Parts = append(e.Parts, part{c.String(), level})
			}
			if d := rub.Demands[c][i]; len(d) > 0 {
				level += " Demands one of: " + strings.Join(d, ", ") + "."
			}
			levels = append(levels, fmt.Sprintf("%3d  \t%s", s, level))
		}
		if e.ID == c.String() {
			e.Parts = append(e.Parts,
				part{"Weight", fmt.Sprintf("%d %% of the weighted average", rub.Weights[c])},
				part{"Levels", strings.Join(levels, "\n")},
				part{"How the rules decide", ladder},
				part{"Ladder", agents.Ladder(c).String()})
		}
	}
}

// Find returns the entry of an ID or another name of it. Case is ignored, an underscore is a space,
// and the first or last word of a phrase is sufficient, as is the state of a claim. The signal of a
// question is explained with the question, and the column of a rater with the others.
func Find(all []Entry, id string) (Entry, bool) {
	fold := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", " ") }
	id, _, _ = strings.Cut(fold(id), ":")
	for _, fits := range []func(e Entry, known string) bool{
		func(_ Entry, known string) bool { return known == id },
		func(e Entry, _ string) bool {
			return slices.ContainsFunc(e.Parts, func(p part) bool {
				return p.Heading == "Also called" &&
					slices.Contains(strings.Split(fold(p.Text), ", "), id)
			})
		},
		func(_ Entry, known string) bool {
			return known == run.ClaimName+"-"+id || strings.HasSuffix(known, " "+id)
		},
		func(_ Entry, known string) bool { return strings.HasPrefix(known, id+" ") },
		func(_ Entry, known string) bool {
			what, _, ok := strings.Cut(id, " by ")
			_, err := rubric.ParseCriterion(what)
			return known == "rating by name" && ok && (what == "rating" || err == nil)
		},
	} {
		for _, e := range all {
			if fits(e, fold(e.ID)) {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// Text writes an entry.
func (e *Entry) Text(p *ui.Page) {
	p.Put(ui.Bold, e.ID)
	p.Line(ui.Dim, "  "+e.Group)
	p.Paragraph(ui.Plain, "  ", "  ", e.Title)
	for _, part := range e.Parts {
		if part.Text == "" {
			continue
		}
		p.Line(ui.Bold, "\n  "+part.Heading)
		for line := range strings.Lines(part.Text) {
			lead, text, ok := strings.Cut(line, "\t")
			if !ok {
				lead, text = "", line
			}
			p.Paragraph(ui.Plain, "    "+lead, strings.Repeat(" ", 4+ui.Cells(lead)),
				ui.Visible(text))
		}
	}
}

// List writes the entries, one ID per line under the heading of its group.
func List(p *ui.Page, all []Entry) {
	for i, e := range all {
		if i > 0 && e.Group != all[i-1].Group {
			p.WriteByte('\n')
		}
		if i == 0 || e.Group != all[i-1].Group {
			p.Line(ui.Bold, e.Group)
		}
		p.Paragraph(ui.Plain, "  "+ui.Pad(e.ID, 28)+" ", strings.Repeat(" ", 31), e.Title)
	}
}

// inRubric is the heading of the members of a question or a fact.
const inRubric = "In the rubric; see assize help scorecards"

// Scorecard returns the entries of the questions and facts in a rubric file.
func Scorecard(r rubric.Rubric, file string) (all []Entry) {
	for i := range r.Questions {
		q := &r.Questions[i]
		all = append(all, Entry{q.ID, "questions of the scorecard", ui.Visible(q.Ask), []part{
			{inRubric, members(q)}}})
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		title := fmt.Sprintf("What the SYSTEM states about this must agree with “%s”.",
			ui.Visible(f.Says()))
		if f.Value.Text == "" {
			title = "The SYSTEM may say none of these phrases about it."
		}
		all = append(all, Entry{f.ID, "facts of the scorecard", title, []part{
			{"Stated in", fmt.Sprintf("%s:%d", file, f.Line)}, {inRubric, members(f)}}})
	}
	return all
}

// members returns a question or a fact in YAML, with a tab after the indent of each line.
func members(of any) string {
	// all types have a form in YAML, so this cannot fail
	text, _ := yaml.MarshalWithOptions(of, yaml.IndentSequence(true),
		yaml.UseLiteralStyleIfMultiline(true))
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		words := strings.TrimLeft(line, " ")
		b.WriteString(line[:len(line)-len(words)] + "\t" + strings.ReplaceAll(words, "\t", " "))
	}
	return b.String()
}
