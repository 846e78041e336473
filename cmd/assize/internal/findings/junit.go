package findings

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/report"
	"assize/rubric/check"
)

// JUnit writes the XML that build servers read: a test suite for every file, a test case for every evaluation.
// Findings that make a build fail are its failure, the others stand in its system-out. All text is valid
// XML 1.0 whatever a document holds.
type JUnit struct {
	w      io.Writer
	failOn check.Severity
	file   string
	cases  bytes.Buffer // of the file
	tests  int
	failed int
	opened bool
}

// NewJUnit makes a JUnit that writes to w. Findings of at least the severity failOn are failures.
func NewJUnit(w io.Writer, failOn check.Severity) *JUnit { return &JUnit{w: w, failOn: failOn} }

// Report adds a test case.
func (j *JUnit) Report(r *check.Report) error {
	if j.tests > 0 && j.file != r.Document.File {
		if err := j.suite(); err != nil {
			return err
		}
	}
	j.file = r.Document.File
	j.tests++
	fails, rest := j.split(r)
	fmt.Fprintf(&j.cases, "    <testcase classname=\"%s\" name=\"%s\">\n", attribute(j.file), attribute(caseName(r)))
	if len(fails) > 0 {
		j.failed++
		fmt.Fprintf(&j.cases, "      <failure type=\"%s\" message=\"%s\">", fails[0].Severity, attribute(message(fails)))
		j.list(fails)
		j.cases.WriteString("</failure>\n")
	}
	if len(rest) > 0 {
		j.cases.WriteString("      <system-out>")
		j.list(rest)
		j.cases.WriteString("</system-out>\n")
	}
	j.cases.WriteString("    </testcase>\n")
	return nil
}

// split parts the findings that fail a build from the others.
func (j *JUnit) split(r *check.Report) (fails, rest []*check.Finding) {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity >= j.failOn {
			fails = append(fails, f)
		} else {
			rest = append(rest, f)
		}
	}
	return fails, rest
}

// caseName tells the evaluations of a file apart.
func caseName(r *check.Report) string {
	name := fmt.Sprintf("evaluation %d", r.Document.Number)
	if r.DialogueID != "" {
		name += ", dialogue " + r.DialogueID
	}
	return name
}

// message says what a failure is about: the finding where it is one, else their number and ids.
func message(fails []*check.Finding) string {
	if len(fails) == 1 {
		return fails[0].ID + ": " + fails[0].Message
	}
	var ids []string
	last := ""
	for _, f := range fails {
		if f.ID != last {
			ids = append(ids, f.ID)
		}
		last = f.ID
	}
	return fmt.Sprintf("%d findings: %s", len(fails), strings.Join(ids, ", "))
}

// list adds findings as the text form has them.
func (j *JUnit) list(fs []*check.Finding) {
	var p report.Page
	for i, f := range fs {
		if i > 0 {
			p.WriteByte('\n')
		}
		finding(&p, j.file, f)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(p.String(), "\n"), "\n") {
		j.cases.WriteByte('\n')
		xml.EscapeText(&j.cases, []byte(line)) // a buffer takes everything
	}
	j.cases.WriteByte('\n')
}

// attribute escapes a text for an attribute of XML. What XML 1.0 does not allow at all becomes U+FFFD.
func attribute(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(report.Visible(s))) // a buffer takes everything
	return b.String()
}

// suite writes the file that ends.
func (j *JUnit) suite() error {
	var b bytes.Buffer
	if !j.opened {
		b.WriteString(xml.Header + "<testsuites name=\"assize check\">\n")
		j.opened = true
	}
	if j.tests > 0 {
		fmt.Fprintf(&b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\">\n", attribute(j.file), j.tests, j.failed)
		b.Write(j.cases.Bytes())
		b.WriteString("  </testsuite>\n")
	}
	j.cases.Reset()
	j.tests, j.failed = 0, 0
	_, err := j.w.Write(b.Bytes())
	return err
}

// Flush writes the last file and ends the output.
func (j *JUnit) Flush() error {
	if err := j.suite(); err != nil {
		return err
	}
	_, err := io.WriteString(j.w, "</testsuites>\n")
	return err
}
