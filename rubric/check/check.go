// Package check finds errors in an evaluation, whether this program, another judge or a person
// wrote it. It reads the document of the three-agent protocol or of the single-pass evaluator,
// recomputes what can be computed, and looks up every quote in the transcript if there is one.
//
//	file ──Documents──▶ Document ──Checker.Check──▶ Report ──▶ Findings, with id, place, got, want
//	                                  ▲                 └────▶ Fix: computed values corrected
//	            Transcript (optional) ┘
//
// A finding is never a matter of taste: each names the sentence of the specification that the
// document breaks, and each fault has exactly one finding. If a sentence can be read in several
// ways, the reading most favourable to the document applies. Anything that depends on
// interpretation, such as the ruling implied by an objection in prose, is a warning or a note and
// never an error.
package check

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Severity is the importance of a finding.
type Severity uint8

// The severities. Only an error makes an evaluation unsound.
const (
	Note Severity = iota + 1 // for information
	// violates the specification, but no figure and no quote is wrong because of it
	Warning
	Error // a figure, a quote or the structure is wrong
)

var severities = [...]string{"", "note", "warning", "error"}

// String returns the name used in reports: note, warning or error.
func (s Severity) String() string { return severities[s] }

func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses a name returned by [Severity.String].
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severities[:], string(text))
	if i < 1 {
		return fmt.Errorf("unknown severity %q; want note, warning or error", text)
	}
	*s = Severity(i)
	return nil
}

// Finding is one fault of an evaluation.
type Finding struct {
	ID       string   `json:"id"` // the ID of its FindingKind, such as "average-wrong"
	Severity Severity `json:"severity"`
	// a JSON pointer (RFC 6901); "" for the whole document
	Path   string `json:"path"`
	Line   int    `json:"line"`   // line in the file, from 1
	Column int    `json:"column"` // in bytes, from 1
	// the fault, as one clause without a full stop
	Message string `json:"message"`
	// the value in the document; "" if it has none
	Got string `json:"got,omitempty"`
	// the correct value; "" if there is no single one
	Want string `json:"want,omitempty"`
	// for a quote: the most similar utterance, with its speaker
	Nearest string `json:"nearest,omitempty"`
	// how the quote differs from Nearest: "I [-do not-] like {+the+} rain"
	Difference string `json:"difference,omitempty"`
	Fixable    bool   `json:"fixable"` // whether Report.Fix corrects it
}

// Edit replaces the bytes from Start to End of a document's text.
type Edit struct {
	Start, End int
	Text       string
	Path       string // what is replaced
	Was        string
}

// Report holds the findings about one document.
type Report struct {
	Document   Document
	Protocol   string // "debate" or "single"; "" if the document is neither
	DialogueID string // as in the document; "" if it has none
	Name       string // the own ID of the dialogue of a record, or ""
	Verified   bool   // whether its quotes were looked up in a transcript
	Unverified error  // the error of Checker.Find that explains why they were not
	Findings   []Finding
	Edits      []Edit // corrections of computed values, in order of Start, without overlap
}

// Worst returns the highest severity among the findings; 0 if there are none.
func (r *Report) Worst() (worst Severity) {
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst
}

// Fix returns the document's text with the edits applied and everything else unchanged, byte for
// byte.
func (r *Report) Fix() (out []byte) {
	at := 0
	for _, e := range r.Edits {
		out = append(append(out, r.Document.Text[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, r.Document.Text[at:]...)
}

// Checker checks evaluations against a rubric. It is safe for concurrent use.
type Checker struct {
	Rubric rubric.Rubric // must be valid, such as the result of [rubric.Parse]
	// Observe runs the detectors over a transcript. If it is nil or there is no transcript, rulings
	// are not checked.
	Observe func(dialogue.Dialogue) ([]rubric.Signal, error)
	// Find returns the transcript of the dialogue with the given ID. If it is nil, there are no
	// transcripts. The ID is empty if the document names no dialogue.
	Find func(id string) (*Transcript, error)
}

// Check checks a document. It looks up quotes in t; if t is nil, in the transcript that Find
// returns; and otherwise in the turns that the document itself contains, if it is a record of a
// run. Without any of these, it does not check evidence.
func (c *Checker) Check(d Document, t *Transcript) Report {
	x := inspection{Checker: c, result: Report{Document: d}, src: string(d.Text), transcript: t,
		quotationCache: map[string][]quotation{}}
	for _, f := range d.findings {
		x.add(0, "", f)
	}
	if d.Skip != "" || d.isBroken {
		x.finish()
		return x.result
	}
	root, at, err := parse(x.src)
	switch {
	case err != nil:
		x.add(at, "", finding("json-syntax", err))
	case !root.has(debateKeys) && !root.has(singleKeys):
		x.add(root.start, "", finding("not-an-evaluation", typeWords[types[root.kind]]))
	default:
		x.root = root
		if id := x.root.get("dialogue_id"); id.is('0') || id.is('"') {
			x.result.DialogueID = id.text
		}
		if own := x.root.get("source").get("id"); own.is('"') {
			x.result.Name = own.text
		}
		if t == nil && c.Find != nil {
			x.transcript, x.result.Unverified = c.Find(cmp.Or(x.result.DialogueID, x.result.Name))
		}
		x.readRecord()
		if x.result.Verified = x.transcript != nil; x.result.Verified {
			x.result.Unverified = nil
		}
		if x.result.Protocol = "single"; x.root.has(debateKeys) {
			x.result.Protocol = "debate"
			x.checkStructure(x.root, debateSchema(), debateSchema())
			x.checkDebate()
		} else {
			x.checkStructure(x.root, singleSchema(), singleSchema())
			x.checkSingle()
		}
	}
	x.finish()
	return x.result
}

type inspection struct {
	*Checker
	result     Report
	src        string
	root       *node
	transcript *Transcript // nil: evidence is not checked
	isRecord   bool        // the document is a record of a run
	findings   []located
	// keyed by sentence: a final sentence is usually the same as the evaluator's
	quotationCache map[string][]quotation
}

// located is a finding with its byte offset in the text.
type located struct {
	offset int
	Finding
}

// The keys that identify the protocol of a document.
var (
	debateKeys = []string{"evaluator", "critic", "referee_final", "audit"}
	singleKeys = []string{"TaskSuccess", "Helpfulness", "Accuracy", "Understanding", "Empathy",
		"Fluency", "OverallExperience"}
	criteria = singleKeys[:rubric.NumCriteria]
	allKeys  = slices.Concat(debateKeys, singleKeys)
)

// maxFindings is the maximum number of findings for one document.
const maxFindings = 1000

// add records a finding about the text at byte offset at.
func (x *inspection) add(at int, path string, f Finding) {
	f.Path = path
	if len(x.findings) == maxFindings {
		at, f = len(x.src), finding("findings-left-out")
	}
	if len(x.findings) <= maxFindings {
		x.findings = append(x.findings, located{at, f})
	}
}

func (x *inspection) addNode(n *node, f Finding) {
	if n.kind == '{' || n.kind == '[' {
		f.Got = cmp.Or(f.Got, typeWords[types[n.kind]])
	}
	f.Got = cmp.Or(f.Got, shorten(200, n.raw))
	x.add(n.start, n.path(), f)
}

// report records a finding about a node and includes its text; want may be empty.
func (x *inspection) report(n *node, want, id string, values ...any) {
	f := finding(id, values...)
	f.Want = want
	x.addNode(n, f)
}

func (x *inspection) replace(n *node, text string) {
	x.result.Edits = append(x.result.Edits, Edit{n.start, n.start + len(n.raw), text, n.path(),
		n.raw})
}

// finish sorts findings and edits and computes lines and columns.
func (x *inspection) finish() {
	d, edits := &x.result.Document, x.result.Edits
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	slices.SortStableFunc(x.findings, func(a, b located) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.ID, b.ID), cmp.Compare(a.Message, b.Message))
	})
	here, done := position{max(d.Line, 1), max(d.Column, 1)}, 0
	for _, f := range x.findings {
		here, done = here.after(d.Text[done:f.offset]), f.offset
		f.Line, f.Column = here.line, here.column
		f.Fixable = f.ID != "key-doubled" && f.ID != "criterion-doubled" &&
			slices.ContainsFunc(edits, func(e Edit) bool { return e.Path == f.Path })
		x.result.Findings = append(x.result.Findings, f.Finding)
	}
}

func shorten(limit int, s string) string {
	for i := range s {
		if limit--; limit < 0 {
			return strings.TrimRight(s[:i], " \t\n") + "…"
		}
	}
	return s
}

// FindingKind documents the findings with one ID.
type FindingKind struct {
	ID       string   `yaml:"id"`
	Severity Severity `yaml:"severity"` // the usual severity; each finding has its own
	Title    string   `yaml:"title"`    // a one-line summary of the fault
	Says     []Says   `yaml:"says"`
	// the sentence of the specification that is broken, why it matters, and when the finding may be
	// mistaken
	Why  string `yaml:"why"`
	Bad  string `yaml:"bad"`  // an excerpt of a document with the fault
	Good string `yaml:"good"` // the same excerpt, corrected
}

// Says is what a finding says in one case.
type Says struct {
	Case     string   `yaml:"case"`     // empty for the usual one
	Severity Severity `yaml:"severity"` // if it is not the usual one
	Text     string   `yaml:"text"`     // the form of the message, as in [fmt.Sprintf]
}

// finding returns a finding with an ID, after which a slash and a case may follow.
func finding(id string, values ...any) Finding {
	id, of, _ := strings.Cut(id, "/")
	kind := Kinds()[slices.IndexFunc(Kinds(), func(k FindingKind) bool { return k.ID == id })]
	s := kind.Says[slices.IndexFunc(kind.Says, func(s Says) bool { return s.Case == of })]
	return Finding{ID: id, Severity: cmp.Or(s.Severity, kind.Severity),
		Message: fmt.Sprintf(s.Text, values...)}
}

//go:embed kinds.yaml
var kindsFile []byte

// Kinds returns the documentation of every finding ID, in the order structure, figures, agents,
// quotes.
var Kinds = sync.OnceValue(func() (list []FindingKind) {
	if err := yaml.Unmarshal(kindsFile, &list); err != nil {
		panic("check: kinds.yaml: " + err.Error())
	}
	return list
})
