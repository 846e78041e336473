package check

import (
	"bytes"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Checker holds evaluations against a rubric. Make one with [New]; it is safe for concurrent use.
type Checker struct {
	Rubric  rubric.Rubric
	Observe func(dialogue.Dialogue) ([]rubric.Signal, error) // nil: rulings that need signals are checked for records only

	debate, single *jsonschema.Schema
}

// New makes a Checker. Observe lets the detectors look at a transcript; without it, and without a transcript,
// only those rulings are checked that the figures of a document decide. The error tells of a rubric that
// nothing can be computed by.
func New(rub rubric.Rubric, observe func(dialogue.Dialogue) ([]rubric.Signal, error)) (*Checker, error) {
	sum := 0
	for _, w := range rub.Weights {
		sum += w
	}
	if sum != 100 {
		return nil, fmt.Errorf("the rubric's weights sum to %d; want 100", sum)
	}
	c := &Checker{Rubric: rub, Observe: observe}
	var err error
	if c.debate, err = compile(rubric.DebateSchema()); err != nil {
		return nil, fmt.Errorf("the schema of the debate: %w", err)
	}
	if c.single, err = compile(rubric.SingleSchema()); err != nil {
		return nil, fmt.Errorf("the schema of the single evaluator: %w", err)
	}
	return c, nil
}

func compile(text []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", doc); err != nil {
		return nil, err
	}
	return compiler.Compile("schema.json")
}

// Check looks at a document. Its quotes are held against t, or where t is nil against the turns that the
// document itself carries, as a record of a run does; where there are none, no evidence is checked.
func (c *Checker) Check(d Document, t *Transcript) Report {
	x := exam{Checker: c, report: Report{Document: d}, src: string(d.Text), transcript: t}
	if d.Skip == "" {
		x.examine()
	}
	x.finish()
	return x.report
}

// exam is the examination of one document.
type exam struct {
	*Checker
	report     Report
	src        string
	root       *node
	transcript *Transcript // nil: no evidence is checked
	own        bool        // the transcript is the record's own
	record     *record     // nil where the document is none
	found      []found
	known      map[string]*facts // of sentences, by their text
}

// found is a finding with the byte of the text that it is about.
type found struct {
	at int
	Finding
}

func (x *exam) examine() {
	if !x.read() {
		return
	}
	x.report.DialogueID = scalar(x.root.get("dialogue_id"))
	x.record = readRecord(x.root)
	if x.transcript == nil && x.record != nil {
		x.transcript, x.own = NewTranscript(x.record.dialogue), true
	}
	x.report.Verified = x.transcript != nil
	x.doubled()
	if x.root.has(debateKeys[:]...) {
		x.report.Protocol = "debate"
		x.structure(x.debate)
		x.examineDebate()
		return
	}
	x.report.Protocol = "single"
	x.structure(x.single)
	x.examineSingle()
}

// read parses the document, and reports whether it is an evaluation.
func (x *exam) read() bool {
	d := &x.report.Document
	for _, f := range d.faults {
		x.report.Findings = append(x.report.Findings, Finding{ID: "json-syntax", Severity: Error, Line: f.line, Column: f.column, Message: f.msg})
	}
	if d.prose {
		x.add(0, Finding{ID: "text-around", Severity: Note, Message: "there is text around the JSON"})
	}
	if d.broken != "" {
		x.add(0, Finding{ID: brokenID(d.broken), Severity: Error, Message: d.broken})
		return false
	}
	root, err := parse(x.src)
	if err != nil {
		x.add(err.at, Finding{ID: "json-syntax", Severity: Error, Message: x.explain(err)})
		return false
	}
	if x.root = root; !isEvaluation(root) {
		x.add(root.start, Finding{ID: "not-an-evaluation", Severity: Error, Message: stranger(root)})
		return false
	}
	return true
}

func brokenID(why string) string {
	if why == noEvaluation {
		return "not-an-evaluation"
	}
	return "json-syntax"
}

// explain tells a syntax error with the place in the file of what it refers to.
func (x *exam) explain(err *syntaxError) string {
	msg := err.msg
	if err.from >= 0 {
		p := x.origin().over([]byte(x.src[:err.from]))
		msg += fmt.Sprintf(" that begins at line %d, column %d", p.line, p.column)
	}
	if err.hint != "" {
		msg += "; " + err.hint
	}
	return msg
}

// stranger tells what a JSON value is that is no evaluation.
func stranger(root *node) string {
	const want = "want evaluator, critic, referee_final and audit, or the six criteria and OverallExperience"
	switch {
	case root.kind != object:
		return "this is " + root.kind.String() + ", not an object; " + want
	case len(root.members) == 0:
		return "this is an empty object; " + want
	}
	keys := ""
	for i, m := range root.members {
		if i == 5 {
			keys += ", …"
			break
		}
		if i > 0 {
			keys += ", "
		}
		keys += shorten(m.key)
	}
	return "this JSON has none of the keys of an evaluation but " + keys + "; " + want
}
