package findings

import (
	"bytes"
	"cmp"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"assize/cmd/assize/internal/ui"
	"assize/rubric/check"
)

// JSON writes one object for programs, at the end.
type JSON struct {
	Documents []document `json:"documents"`
	Summary   Tally      `json:"summary"`

	w io.Writer
}

type document struct {
	File     string          `json:"file"`
	Number   int             `json:"number"` // its place in the file, from 1
	Line     int             `json:"line"`
	Column   int             `json:"column"`      // in bytes
	Protocol *string         `json:"protocol"`    // null where the document is neither of the two
	Dialogue *string         `json:"dialogue_id"` // null where it gives none
	Sound    bool            `json:"sound"`
	Verified bool            `json:"quotes_verified"`
	Findings []check.Finding `json:"findings"`
}

// NewJSON makes a JSON that writes to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w, Documents: []document{}} }

// Report takes in r.
func (j *JSON) Report(r *check.Report) error {
	j.Summary.Add(r)
	d := document{
		File: r.Document.File, Number: r.Document.Number, Line: r.Document.Line, Column: r.Document.Column,
		Sound: r.Worst() < check.Error, Verified: r.Verified, Findings: append([]check.Finding{}, r.Findings...),
	}
	if r.Protocol != "" {
		d.Protocol = &r.Protocol
	}
	if r.DialogueID != "" {
		d.Dialogue = &r.DialogueID
	}
	j.Documents = append(j.Documents, d)
	return nil
}

// Flush writes the object.
func (j *JSON) Flush() error { return ui.WriteJSON(j.w, j, "  ") }

// SARIF writes a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS Standard, 2020), for
// editors and code scanning: a rule for every kind of finding and a result for every finding. Got, want, nearest
// and difference are in the message and in the property bag; the tally is in that of the run.
type SARIF struct {
	Schema  string      `json:"$schema"`
	Version string      `json:"version"`
	Runs    [1]sarifRun `json:"runs"`

	w     io.Writer
	rules map[string]int // the place of every kind among the rules
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
	Properties Tally         `json:"properties"`
}

type sarifRule struct {
	ID            string                    `json:"id"`
	Short         sarifText                 `json:"shortDescription"`
	Full          sarifText                 `json:"fullDescription"`
	Help          sarifText                 `json:"help"`
	Configuration map[string]check.Severity `json:"defaultConfiguration"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID     string            `json:"ruleId"`
	RuleIndex  int               `json:"ruleIndex"`
	Level      check.Severity    `json:"level"`
	Message    sarifText         `json:"message"`
	Locations  [1]sarifLocation  `json:"locations"`
	Properties map[string]string `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical struct {
		Artifact map[string]string `json:"artifactLocation"`
		Region   struct {
			Line   int `json:"startLine"`
			Column int `json:"startColumn"`
		} `json:"region"`
	} `json:"physicalLocation"`
	Logical []map[string]string `json:"logicalLocations,omitempty"`
}

// NewSARIF makes a SARIF that writes to w, with a rule for each kind: version is the program's.
func NewSARIF(w io.Writer, version string, kinds []check.Kind) *SARIF {
	s := &SARIF{w: w, rules: map[string]int{},
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0"}
	r := &s.Runs[0]
	r.ColumnKind, r.Results = "unicodeCodePoints", []sarifResult{}
	r.Tool.Driver.Name, r.Tool.Driver.Version = "assize", version
	for i, k := range kinds {
		s.rules[k.ID] = i
		help := sarifText{k.Why + "\n\nBad: " + k.Bad + "\n\nGood: " + k.Good}
		rule := sarifRule{k.ID, sarifText{k.Title}, sarifText{k.Why}, help, map[string]check.Severity{"level": k.Severity}}
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, rule)
	}
	return s
}

// Report takes in a result for each finding of r.
func (s *SARIF) Report(r *check.Report) error {
	log := &s.Runs[0]
	log.Properties.Add(r)
	lines := bytes.Split(r.Document.Text, []byte("\n"))
	for _, f := range r.Findings {
		result := sarifResult{RuleID: f.ID, RuleIndex: s.rules[f.ID], Level: f.Severity,
			Message: sarifText{f.Message}, Properties: map[string]string{}}
		for _, d := range details(&f) {
			result.Message.Text += "; " + d[0] + " " + d[1]
			result.Properties[d[0]] = d[1]
		}
		at := &result.Locations[0]
		at.Physical.Artifact = map[string]string{"uri": locator(r.Document.File)}
		at.Physical.Region.Line = max(f.Line, 1)
		at.Physical.Region.Column = codePoint(&r.Document, lines, f.Line, f.Column)
		if f.Path != "" {
			at.Logical = []map[string]string{{"fullyQualifiedName": f.Path}}
		}
		log.Results = append(log.Results, result)
	}
	return nil
}

// Flush writes the log.
func (s *SARIF) Flush() error { return ui.WriteJSON(s.w, s, "  ") }

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
