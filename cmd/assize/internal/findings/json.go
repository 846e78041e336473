package findings

import (
	"cmp"
	"io"
	"net/url"
	"path/filepath"
	"strings"

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
// and difference are in the message.
type SARIF struct {
	Schema  string      `json:"$schema"`
	Version string      `json:"version"`
	Runs    [1]sarifRun `json:"runs"`

	w io.Writer
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`
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
	RuleID    string           `json:"ruleId"`
	Level     check.Severity   `json:"level"`
	Message   sarifText        `json:"message"`
	Locations [1]sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical struct {
		Artifact map[string]string `json:"artifactLocation"`
		Region   map[string]int    `json:"region"`
	} `json:"physicalLocation"`
	Logical []map[string]string `json:"logicalLocations,omitempty"`
}

// NewSARIF makes a SARIF that writes to w, with a rule for each kind: version is the program's.
func NewSARIF(w io.Writer, version string, kinds []check.Kind) *SARIF {
	s := &SARIF{w: w, Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0"}
	r := &s.Runs[0]
	r.Results = []sarifResult{}
	r.Tool.Driver.Name, r.Tool.Driver.Version = "assize", version
	for _, k := range kinds {
		help := sarifText{k.Why + "\n\nBad: " + k.Bad + "\n\nGood: " + k.Good}
		rule := sarifRule{k.ID, sarifText{k.Title}, sarifText{k.Why}, help, map[string]check.Severity{"level": k.Severity}}
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, rule)
	}
	return s
}

// Report takes in a result for each finding of r.
func (s *SARIF) Report(r *check.Report) error {
	for _, f := range r.Findings {
		result := sarifResult{RuleID: f.ID, Level: f.Severity, Message: sarifText{f.Message}}
		for _, d := range details(&f) {
			result.Message.Text += "; " + d[0] + " " + d[1]
		}
		at := &result.Locations[0]
		at.Physical.Artifact = map[string]string{"uri": locator(r.Document.File)}
		at.Physical.Region = map[string]int{"startLine": max(f.Line, 1)}
		if f.Path != "" {
			at.Logical = []map[string]string{{"fullyQualifiedName": f.Path}}
		}
		s.Runs[0].Results = append(s.Runs[0].Results, result)
	}
	return nil
}

// Flush writes the log.
func (s *SARIF) Flush() error { return ui.WriteJSON(s.w, s, "  ") }

// locator gives the URI of a file: relative where the path is (RFC 3986), so that a log can be read where the
// same files are elsewhere.
func locator(file string) string {
	slashed := filepath.ToSlash(file)
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
	}
	return cmp.Or((&url.URL{Path: slashed}).String(), ".")
}
