// Package check finds what is wrong with an evaluation, whoever wrote it: this program, another judge or a
// person. It reads the document of the three-agent protocol (003) or of the single-pass evaluator (004),
// computes again what can be computed, and looks every quote up in the transcript where there is one.
//
//	file ──Documents──▶ Document ──Checker.Check──▶ Report ──▶ Findings, each with an id, a place, got and want
//	                                  ▲                 └────▶ Fix: the document with the computed values corrected
//	            Transcript (optional) ┘
//
// A finding is never a matter of taste: each names the sentence of the specification that the document breaks,
// and one fault has one finding. Where a sentence can be read in several ways, the reading that is kindest to the
// document counts. What depends on a reading, such as the ruling that an objection in prose leads to, is a
// warning or a note and never an error.
package check

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Severity says how much a finding weighs.
type Severity uint8

// The severities. Only an error makes an evaluation unsound.
const (
	Note    Severity = iota + 1 // worth knowing
	Warning                     // against the specification, but no figure and no quote is wrong because of it
	Error                       // a figure, a quote or the structure is wrong
)

var severities = [...]string{"", "note", "warning", "error"}

// String gives the name that reports print: note, warning or error.
func (s Severity) String() string { return severities[s] }

// MarshalText gives the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name that [Severity.String] gives.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severities[:], string(text))
	if i < 1 {
		return fmt.Errorf("unknown severity %q; want note, warning or error", text)
	}
	*s = Severity(i)
	return nil
}

// Finding is one thing that is wrong with an evaluation.
type Finding struct {
	ID         string   `json:"id"` // of its Kind, such as "average-wrong"
	Severity   Severity `json:"severity"`
	Path       string   `json:"path"`                 // a JSON pointer (RFC 6901); "" is the whole document
	Line       int      `json:"line"`                 // where in the file, from 1
	Column     int      `json:"column"`               // in bytes, from 1
	Message    string   `json:"message"`              // what is wrong, one clause without a full stop
	Got        string   `json:"got,omitempty"`        // as it is in the document; "" where there is no such thing
	Want       string   `json:"want,omitempty"`       // as it should be; "" where there is no such thing
	Nearest    string   `json:"nearest,omitempty"`    // for a quote: the utterance that comes closest, with its speaker
	Difference string   `json:"difference,omitempty"` // how the quote differs from it: "I [-do not-] like {+the+} rain"
	Fixable    bool     `json:"fixable"`              // whether Report.Fix corrects it
}

// Edit replaces the bytes from Start to End of a document's text.
type Edit struct {
	Start, End int
	Text       string
	Path       string // what is replaced
	Was        string
}

// Report holds what was found in one document.
type Report struct {
	Document   Document
	Protocol   string // "debate" (003) or "single" (004); "" where the document is neither
	DialogueID string // as the document gives it; "" where it gives none
	Verified   bool   // whether its quotes were looked up in a transcript
	Unverified error  // of Checker.Find, why they were not
	Findings   []Finding
	Edits      []Edit // what can be computed and is wrong, in order of Start, without overlap
}

// Worst gives the highest severity among the findings; 0 where there are none.
func (r *Report) Worst() Severity {
	var worst Severity
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst
}

// Fix gives the document's text with the edits made and everything else unchanged, byte for byte.
func (r *Report) Fix() []byte {
	var out []byte
	at := 0
	for _, e := range r.Edits {
		out = append(append(out, r.Document.Text[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, r.Document.Text[at:]...)
}

// Checker checks evaluations by a rubric. It is safe for concurrent use.
type Checker struct {
	Rubric rubric.Rubric // a valid one, such as [rubric.Parse] gives
	// Observe runs the detectors over a transcript. Without it, and without a transcript, no rulings are checked.
	Observe func(dialogue.Dialogue) ([]rubric.Signal, error)
	// Find gives the transcript of the dialogue with an id; without it there is none. The id is empty where a document
	// names no dialogue.
	Find func(id string) (*Transcript, error)
}

// Check checks a document. Its quotes are looked up in t, or where t is nil in the transcript that is found, or else in
// the turns that the document itself carries, as a record of a run does; where there are none, no evidence is checked.
func (c *Checker) Check(d Document, t *Transcript) Report {
	x := exam{Checker: c, report: Report{Document: d}, src: string(d.Text), transcript: t}
	for _, f := range d.findings {
		x.add(0, f)
	}
	if d.Skip != "" || d.isBroken {
		x.finish()
		return x.report
	}
	root, at, err := parse(x.src)
	switch {
	case err != nil:
		x.add(at, Finding{ID: "json-syntax", Severity: Error, Message: err.Error()})
	case !root.has(debateKeys) && !root.has(singleKeys):
		message := "this is " + typeWords[types[root.kind]] + "; want an object with " + keysOfBoth
		x.add(root.start, Finding{ID: "not-an-evaluation", Severity: Error, Message: message})
	default:
		x.root = root
		if id := x.root.get("dialogue_id"); id.is('0') || id.is('"') {
			x.report.DialogueID = id.text
		}
		if t == nil && c.Find != nil {
			x.transcript, x.report.Unverified = c.Find(x.report.DialogueID)
		}
		x.readRecord()
		if x.report.Verified = x.transcript != nil; x.report.Verified {
			x.report.Unverified = nil
		}
		if x.report.Protocol = "single"; x.root.has(debateKeys) {
			x.report.Protocol = "debate"
			x.structure(x.root, debateSchema())
			x.examineDebate()
		} else {
			x.structure(x.root, singleSchema())
			x.examineSingle()
		}
	}
	x.finish()
	return x.report
}

type exam struct {
	*Checker
	report     Report
	src        string
	root       *node
	transcript *Transcript // nil: no evidence is checked
	isRecord   bool        // the document is a record of a run
	found      []found
	quoted     map[string][]quotation // of sentences, by their text: a final sentence is mostly the evaluator's
}

// found is a finding with the byte of the text that it is about.
type found struct {
	at int
	Finding
}

// The keys that show which protocol a document follows.
var (
	debateKeys = []string{"evaluator", "critic", "referee_final", "audit"}
	singleKeys = []string{"TaskSuccess", "Helpfulness", "Accuracy", "Understanding", "Empathy", "Fluency", "OverallExperience"}
	criteria   = singleKeys[:rubric.NumCriteria]
)

const keysOfBoth = "evaluator, critic, referee_final and audit, or with the six criteria and OverallExperience"

// mostFindings limits the findings of one document.
const mostFindings = 1000

// add notes a finding about the text at a byte.
func (x *exam) add(at int, f Finding) {
	if len(x.found) == mostFindings {
		at = len(x.src)
		f = Finding{ID: "findings-left-out", Severity: Note, Message: "there are more findings, which are left out"}
	}
	if len(x.found) <= mostFindings {
		x.found = append(x.found, found{at, f})
	}
}

func (x *exam) addNode(n *node, f Finding) {
	f.Path = n.path()
	if n.kind == '{' || n.kind == '[' {
		f.Got = cmp.Or(f.Got, typeWords[types[n.kind]])
	}
	f.Got = cmp.Or(f.Got, shorten(200, n.raw))
	x.add(n.start, f)
}

// flag notes a finding about a node and shows the node; want may be empty.
func (x *exam) flag(n *node, s Severity, id, want, message string) {
	x.addNode(n, Finding{ID: id, Severity: s, Want: want, Message: message})
}

func (x *exam) replace(n *node, text string) {
	x.report.Edits = append(x.report.Edits, Edit{n.start, n.start + len(n.raw), text, n.path(), n.raw})
}

// finish sorts findings and edits and computes lines and columns.
func (x *exam) finish() {
	d, edits := &x.report.Document, x.report.Edits
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	slices.SortStableFunc(x.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Message, b.Message))
	})
	here, done := position{max(d.Line, 1), max(d.Column, 1)}, 0
	for _, f := range x.found {
		here, done = here.after(d.Text[done:f.at]), f.at
		f.Line, f.Column = here.line, here.column
		f.Fixable = f.ID != "key-doubled" && f.ID != "criterion-doubled" &&
			slices.ContainsFunc(edits, func(e Edit) bool { return e.Path == f.Path })
		x.report.Findings = append(x.report.Findings, f.Finding)
	}
}

func shorten(most int, s string) string {
	for i := range s {
		if most--; most < 0 {
			return strings.TrimRight(s[:i], " \t\n") + "…"
		}
	}
	return s
}

// Kind documents the findings of one id.
type Kind struct {
	ID       string   `yaml:"id"`
	Severity Severity `yaml:"severity"` // the usual one; a finding says its own
	Title    string   `yaml:"title"`    // one line: what is wrong
	Why      string   `yaml:"why"`      // which sentence of the specification it breaks, why that matters, and when it may be wrong
	Bad      string   `yaml:"bad"`      // an excerpt of a document that has it
	Good     string   `yaml:"good"`     // the same, corrected
}

//go:embed kinds.yaml
var kindsFile []byte

// Kinds documents every id that a finding can have: first the form, then the figures, the agents, the quotes.
func Kinds() []Kind {
	var kinds []Kind
	if err := yaml.Unmarshal(kindsFile, &kinds); err != nil {
		panic("check: kinds.yaml: " + err.Error())
	}
	return kinds
}
