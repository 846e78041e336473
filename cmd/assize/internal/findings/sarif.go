package findings

import (
	"bytes"
	"cmp"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"assize/rubric/check"
)

// SARIF writes a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS Standard, 2020), for
// editors and code scanning: a rule for every kind of finding and a result for every finding. Got, want, nearest
// and difference stand in the message and in the property bag; what was counted is in that of the run.
type SARIF struct {
	w       io.Writer
	page    bytes.Buffer
	rules   map[string]int // the place of every kind among the rules
	results int
	sum     Tally
}

type sarifText struct {
	Text text `json:"text"`
}

type sarifRule struct {
	ID            text      `json:"id"`
	Short         sarifText `json:"shortDescription"`
	Full          sarifText `json:"fullDescription"`
	Help          sarifText `json:"help"`
	Configuration struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifTool struct {
	Driver struct {
		Name    text        `json:"name"`
		Version text        `json:"version"`
		Rules   []sarifRule `json:"rules"`
	} `json:"driver"`
}

type sarifResult struct {
	RuleID     text            `json:"ruleId"`
	RuleIndex  *int            `json:"ruleIndex,omitempty"`
	Level      string          `json:"level"`
	Message    sarifText       `json:"message"`
	Locations  []sarifLocation `json:"locations"`
	Properties map[string]text `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI text `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			Line   int `json:"startLine"`
			Column int `json:"startColumn"`
		} `json:"region"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	Name text `json:"fullyQualifiedName"`
}

// NewSARIF makes a SARIF that writes to w, and writes the rules: version is the program's.
func NewSARIF(w io.Writer, version string, kinds []check.Kind) (*SARIF, error) {
	s := &SARIF{w: w, rules: map[string]int{}}
	var tool sarifTool
	tool.Driver.Name, tool.Driver.Version = "assize", text(version)
	for i, k := range kinds {
		s.rules[k.ID] = i
		rule := sarifRule{ID: text(k.ID), Short: sarifText{text(k.Title)}, Full: sarifText{text(k.Why)}}
		rule.Help.Text = text(k.Why + "\n\nBad: " + k.Bad + "\n\nGood: " + k.Good)
		rule.Configuration.Level = k.Severity.String()
		tool.Driver.Rules = append(tool.Driver.Rules, rule)
	}
	s.page.WriteString(`{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": `)
	if err := indented(&s.page, "      ", tool); err != nil {
		return nil, err
	}
	s.page.WriteString(`,
      "columnKind": "unicodeCodePoints",
      "results": [`)
	return s, s.flush()
}

// Report writes a result for each finding of r.
func (s *SARIF) Report(r *check.Report) error {
	s.sum.Add(r)
	uri := locator(r.Document.File)
	at := newCursor(&r.Document)
	for i := range r.Findings {
		if s.results++; s.results > 1 {
			s.page.WriteByte(',')
		}
		s.page.WriteString("\n        ")
		f := &r.Findings[i]
		if err := indented(&s.page, "        ", s.result(f, uri, at.column(f.Line, f.Column))); err != nil {
			return err
		}
	}
	return s.flush()
}

// result makes the result of a finding that begins at the column-th code point of its line.
func (s *SARIF) result(f *check.Finding, uri string, column int) sarifResult {
	res := sarifResult{RuleID: text(f.ID), Level: f.Severity.String(), Locations: make([]sarifLocation, 1)}
	if i, ok := s.rules[f.ID]; ok {
		res.RuleIndex = &i
	}
	message := f.Message
	for _, d := range details(f) {
		message += "; " + d.name + " " + d.text
		if res.Properties == nil {
			res.Properties = map[string]text{}
		}
		res.Properties[d.name] = text(d.text)
	}
	res.Message.Text = text(message)
	loc := &res.Locations[0]
	loc.Physical.Artifact.URI = text(uri)
	loc.Physical.Region.Line, loc.Physical.Region.Column = max(f.Line, 1), column
	if f.Path != "" {
		loc.Logical = []sarifLogical{{text(f.Path)}}
	}
	return res
}

// locator gives the URI of a file: relative where the path is (RFC 3986), so that a log can be read where the
// same files lie elsewhere.
func locator(file string) string {
	slashed := filepath.ToSlash(file)
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
	}
	return cmp.Or((&url.URL{Path: slashed}).String(), ".")
}

// Flush ends the output.
func (s *SARIF) Flush() error {
	if s.results > 0 {
		s.page.WriteString("\n      ")
	}
	s.page.WriteString("],\n      \"properties\": ")
	if err := indented(&s.page, "      ", s.sum); err != nil {
		return err
	}
	s.page.WriteString("\n    }\n  ]\n}\n")
	return s.flush()
}

func (s *SARIF) flush() error {
	_, err := s.w.Write(s.page.Bytes())
	s.page.Reset()
	return err
}
