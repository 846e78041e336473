// Package junit writes the XML that build servers read: suites of cases that pass, fail, are skipped or could not be
// tried, in the elements and attributes that all of them know. All text is valid XML 1.0: what that does not allow
// becomes U+FFFD.
//
// Text must have passed report.Visible before: XML allows much that a terminal acts on.
package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Case is one case of a suite. Without failures and error, and if it is not skipped, it has passed.
type Case struct {
	Name     string
	Failures []Failure
	Error    *Failure // why it could not be tried; nil where it was
	Skipped  string   // why it was; empty where it was not
	Output   string   // lines that stand beside the verdict; may be empty
}

// Failure is one reason why a case has failed, or could not be tried.
type Failure struct {
	Type    string // of what kind it is
	Message string // one line
	Text    string // lines that tell more
}

// Writer writes suites one after the other. It keeps the cases of one until the suite ends, because the form wants
// their number first.
type Writer struct {
	w                              io.Writer
	name                           string // of the whole
	suite                          string
	cases                          bytes.Buffer
	tests, failed, errors, skipped int
	opened                         bool
}

// New makes a Writer that writes to w; name says whose suites they are.
func New(w io.Writer, name string) *Writer { return &Writer{w: w, name: name} }

// Case adds a case. Another suite than that of the case before ends that one.
func (j *Writer) Case(suite string, c Case) error {
	if j.tests > 0 && j.suite != suite {
		if err := j.end(); err != nil {
			return err
		}
	}
	j.suite = suite
	j.tests++
	fmt.Fprintf(&j.cases, "    <testcase classname=\"%s\" name=\"%s\">\n", escaped(suite), escaped(c.Name))
	switch {
	case c.Skipped != "":
		j.skipped++
		fmt.Fprintf(&j.cases, "      <skipped message=\"%s\"></skipped>\n", escaped(c.Skipped))
	case c.Error != nil:
		j.errors++
		j.reason("error", c.Error)
	case len(c.Failures) > 0:
		j.failed++
	}
	for i := range c.Failures {
		j.reason("failure", &c.Failures[i])
	}
	if c.Output != "" {
		fmt.Fprintf(&j.cases, "      <system-out>%s</system-out>\n", block(c.Output))
	}
	j.cases.WriteString("    </testcase>\n")
	return nil
}

// reason tells why a case has not passed.
func (j *Writer) reason(element string, f *Failure) {
	fmt.Fprintf(&j.cases, "      <%s type=\"%s\" message=\"%s\">%s</%[1]s>\n", element, escaped(f.Type), escaped(f.Message), block(f.Text))
}

// escaped makes a text that may stand in an attribute or an element.
func escaped(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

// block puts lines between line breaks of their own.
func block(lines string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\n"), "\n") {
		b.WriteString("\n" + escaped(line))
	}
	return b.String() + "\n"
}

// end writes the suite that ends.
func (j *Writer) end() error {
	var b bytes.Buffer
	if !j.opened {
		fmt.Fprintf(&b, "%s<testsuites name=\"%s\">\n", xml.Header, escaped(j.name))
		j.opened = true
	}
	if j.tests > 0 {
		fmt.Fprintf(&b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n", escaped(j.suite), j.tests, j.failed, j.errors, j.skipped)
		b.Write(j.cases.Bytes())
		b.WriteString("  </testsuite>\n")
	}
	j.cases.Reset()
	j.tests, j.failed, j.errors, j.skipped = 0, 0, 0, 0
	_, err := j.w.Write(b.Bytes())
	return err
}

// Close writes the last suite and ends the output.
func (j *Writer) Close() error {
	if err := j.end(); err != nil {
		return err
	}
	_, err := io.WriteString(j.w, "</testsuites>\n")
	return err
}
