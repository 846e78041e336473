package check

import (
	"cmp"
	"slices"
	"strings"
)

// mostFindings bounds what is said of one document.
const mostFindings = 1000

// add notes a finding about what stands at a byte of the text.
func (x *exam) add(at int, f Finding) { x.found = append(x.found, found{at, f}) }

// addNode notes a finding about a node.
func (x *exam) addNode(n *node, f Finding) {
	if f.Got == "" {
		f.Got = x.show(n)
	}
	x.add(n.start, f)
}

// replace notes that the node at a path is to be replaced.
func (x *exam) replace(n *node, path, text string) {
	x.report.Edits = append(x.report.Edits, Edit{Start: n.start, End: n.end, Text: text, Path: path, Was: x.src[n.start:n.end]})
}

// origin is where the text begins in its file.
func (x *exam) origin() position {
	return position{max(x.report.Document.Line, 1), max(x.report.Document.Column, 1)}
}

// finish puts findings and edits in order and finds the lines and columns.
func (x *exam) finish() {
	edits := x.report.Edits
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	slices.SortStableFunc(x.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.Path, b.Path), strings.Compare(a.ID, b.ID), strings.Compare(a.Message, b.Message))
	})
	here, done := x.origin(), 0
	for i, f := range x.found {
		at := min(f.at, len(x.src))
		here, done = here.over([]byte(x.src[done:at])), at
		f.Line, f.Column = here.line, here.column
		f.Fixable = slices.ContainsFunc(edits, func(e Edit) bool { return mends(e.Path, &f.Finding) })
		if x.report.Findings = append(x.report.Findings, f.Finding); i+1 == mostFindings && len(x.found) > mostFindings {
			x.report.Findings = append(x.report.Findings, Finding{
				ID: "findings-left-out", Severity: Note, Line: here.line, Column: here.column,
				Message: "there are more findings: those behind this one are left out",
			})
			break
		}
	}
	// Those about the list that the document stands in are there already.
	slices.SortStableFunc(x.report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// mends reports whether the edit of what stands at a path takes a finding away.
func mends(path string, f *Finding) bool {
	return f.Path == path && f.ID != "key-doubled" && f.ID != "criterion-doubled"
}

// show gives a node as it stands in the text, cut where it is long.
func (x *exam) show(n *node) string {
	if n.kind == object || n.kind == array {
		return n.kind.String()
	}
	const most = 200 // runes
	return shortenTo(most, x.src[n.start:n.end])
}

// scalar gives a number or a string as text, and "" of anything else.
func scalar(n *node) string {
	if n.is(number) || n.is(text) {
		return n.text
	}
	return ""
}
