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
	w       io.Writer
	driver  object
	results []object
}

// object is one of a SARIF log, whose members have the names of the standard.
type object map[string]any

// NewSARIF makes a SARIF that writes to w, with a rule for each kind: version is the program's.
func NewSARIF(w io.Writer, version string, kinds []check.Kind) *SARIF {
	rules := []object{}
	for _, k := range kinds {
		rules = append(rules, object{
			"id": k.ID, "shortDescription": object{"text": k.Title}, "fullDescription": object{"text": k.Why},
			"help":                 object{"text": k.Why + "\n\nBad: " + k.Bad + "\n\nGood: " + k.Good},
			"defaultConfiguration": object{"level": k.Severity},
		})
	}
	return &SARIF{w, object{"name": "assize", "version": version, "rules": rules}, []object{}}
}

// Report takes in a result for each finding of r.
func (s *SARIF) Report(r *check.Report) error {
	for _, f := range r.Findings {
		message := f.Message
		for _, d := range details(&f) {
			message += "; " + d[0] + " " + d[1]
		}
		location := object{"physicalLocation": object{
			"artifactLocation": object{"uri": locator(r.Document.File)}, "region": object{"startLine": max(f.Line, 1)},
		}}
		if f.Path != "" {
			location["logicalLocations"] = []object{{"fullyQualifiedName": f.Path}}
		}
		s.results = append(s.results, object{"ruleId": f.ID, "level": f.Severity, "message": object{"text": message},
			"locations": []object{location}})
	}
	return nil
}

// Flush writes the log.
func (s *SARIF) Flush() error {
	run := object{"tool": object{"driver": s.driver}, "results": s.results}
	return ui.WriteJSON(s.w, object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{run}}, "  ")
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
