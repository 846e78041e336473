package findings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"assize/rubric"
	"assize/rubric/check"
)

// list writes a JSON document that has a list, element by element, and the tally behind it.
type list struct {
	w                io.Writer
	head, tally, end string // what stands before the list, between it and the tally, and at the end
	indent           string // of the elements
	elements         int
	sum              Tally
}

func (l *list) add(v any) error {
	before := ","
	if l.elements == 0 {
		before = l.head
	}
	l.elements++
	return l.write(before+"\n"+l.indent, v, l.indent, "")
}

// Flush ends the list and writes the tally.
func (l *list) Flush() error {
	before := "\n" + l.indent[2:]
	if l.elements == 0 {
		before = l.head
	}
	return l.write(before+l.tally, l.sum, l.indent[2:], l.end)
}

// write writes v between two texts. Controls that act on a terminal are escaped.
func (l *list) write(before string, v any, indent, after string) error {
	compact, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b := bytes.NewBufferString(before)
	if err := json.Indent(b, compact, indent, "  "); err != nil {
		return err
	}
	b.WriteString(after)
	_, err = l.w.Write(rubric.AppendEscaped(nil, b.Bytes()))
	return err
}

// JSON writes one object for programs: {"documents": […], "summary": {…}}, with the members of [Tally], of
// [check.Finding] and of a document in the order in which they are declared.
type JSON struct{ list }

// NewJSON makes a JSON that writes to w.
func NewJSON(w io.Writer) *JSON {
	return &JSON{list{w: w, head: "{\n  \"documents\": [", tally: "],\n  \"summary\": ", end: "\n}\n", indent: "    "}}
}

// Report writes r.
func (j *JSON) Report(r *check.Report) error {
	j.sum.Add(r)
	d := struct {
		File     string          `json:"file"`
		Number   int             `json:"number"` // its place in the file, from 1
		Line     int             `json:"line"`
		Column   int             `json:"column"`      // in bytes
		Protocol *string         `json:"protocol"`    // null where the document is neither of the two
		Dialogue *string         `json:"dialogue_id"` // null where it gives none
		Sound    bool            `json:"sound"`
		Verified bool            `json:"quotes_verified"`
		Findings []check.Finding `json:"findings"`
	}{
		File: r.Document.File, Number: r.Document.Number, Line: r.Document.Line, Column: r.Document.Column,
		Sound: r.Worst() < check.Error, Verified: r.Verified, Findings: append([]check.Finding{}, r.Findings...),
	}
	if r.Protocol != "" {
		d.Protocol = &r.Protocol
	}
	if r.DialogueID != "" {
		d.Dialogue = &r.DialogueID
	}
	return j.add(d)
}

// SARIF writes a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS Standard, 2020), for
// editors and code scanning: a rule for every kind of finding and a result for every finding. Got, want, nearest
// and difference are in the message and in the property bag; the tally is in that of the run.
type SARIF struct {
	list
	rules map[string]int // the place of every kind among the rules
}

type sarifText struct {
	Text string `json:"text"`
}

// NewSARIF makes a SARIF that writes to w, with a rule for each kind: version is the program's.
func NewSARIF(w io.Writer, version string, kinds []check.Kind) (*SARIF, error) {
	type rule struct {
		ID            string                    `json:"id"`
		Short         sarifText                 `json:"shortDescription"`
		Full          sarifText                 `json:"fullDescription"`
		Help          sarifText                 `json:"help"`
		Configuration map[string]check.Severity `json:"defaultConfiguration"`
	}
	var tool struct {
		Driver struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Rules   []rule `json:"rules"`
		} `json:"driver"`
	}
	s := &SARIF{rules: map[string]int{}}
	tool.Driver.Name, tool.Driver.Version = "assize", version
	for i, k := range kinds {
		s.rules[k.ID] = i
		help := sarifText{k.Why + "\n\nBad: " + k.Bad + "\n\nGood: " + k.Good}
		tool.Driver.Rules = append(tool.Driver.Rules, rule{
			k.ID, sarifText{k.Title}, sarifText{k.Why}, help, map[string]check.Severity{"level": k.Severity},
		})
	}
	var head bytes.Buffer
	head.WriteString("{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n      \"tool\": ")
	compact, err := json.Marshal(tool)
	if err != nil {
		return nil, err
	}
	if err := json.Indent(&head, compact, "      ", "  "); err != nil {
		return nil, err
	}
	head.WriteString(",\n      \"columnKind\": \"unicodeCodePoints\",\n      \"results\": [")
	s.list = list{w: w, head: head.String(), tally: "],\n      \"properties\": ", end: "\n    }\n  ]\n}\n", indent: "        "}
	return s, nil
}

// Report writes a result for each finding of r.
func (s *SARIF) Report(r *check.Report) error {
	type region struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
	type location struct {
		Physical struct {
			Artifact map[string]string `json:"artifactLocation"`
			Region   region            `json:"region"`
		} `json:"physicalLocation"`
		Logical []map[string]string `json:"logicalLocations,omitempty"`
	}
	type result struct {
		RuleID     string            `json:"ruleId"`
		RuleIndex  int               `json:"ruleIndex"`
		Level      check.Severity    `json:"level"`
		Message    sarifText         `json:"message"`
		Locations  [1]location       `json:"locations"`
		Properties map[string]string `json:"properties,omitempty"`
	}
	s.sum.Add(r)
	uri := map[string]string{"uri": locator(r.Document.File)}
	lines := bytes.Split(r.Document.Text, []byte("\n"))
	for i := range r.Findings {
		f := &r.Findings[i]
		res := result{RuleID: f.ID, RuleIndex: s.rules[f.ID], Level: f.Severity, Message: sarifText{f.Message}, Properties: map[string]string{}}
		for _, d := range details(f) {
			res.Message.Text += "; " + d.name + " " + d.text
			res.Properties[d.name] = d.text
		}
		at := &res.Locations[0]
		at.Physical.Artifact, at.Physical.Region = uri, region{max(f.Line, 1), codePoint(&r.Document, lines, f.Line, f.Column)}
		if f.Path != "" {
			at.Logical = []map[string]string{{"fullyQualifiedName": f.Path}}
		}
		if err := s.add(res); err != nil {
			return err
		}
	}
	return nil
}

// codePoint gives the column in code points of a column in bytes. What is before the document on its line counts a code
// point for each byte.
func codePoint(d *check.Document, lines [][]byte, line, column int) int {
	i, before := line-d.Line, 0
	if i == 0 {
		before = d.Column - 1
	}
	if i < 0 || i >= len(lines) || column <= before {
		return max(column, 1)
	}
	return 1 + before + utf8.RuneCount(lines[i][:min(column-1-before, len(lines[i]))])
}

// locator gives the URI of a file: relative where the path is (RFC 3986), so that a log can be read where the
// same files are elsewhere.
func locator(file string) string {
	slashed := filepath.ToSlash(file)
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
	}
	return cmp.Or((&url.URL{Path: slashed}).String(), ".")
}
