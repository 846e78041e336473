// Package junit writes the XML that build servers read: suites of cases that pass, fail, are skipped or could not be
// tried, in the elements and attributes that all servers know. Characters that XML 1.0 does not allow become U+FFFD.
//
// Text must have passed ui.Visible before: XML allows much that a terminal acts on.
package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Case is one case of a suite. It has passed unless it has failures, an error or a reason to be skipped.
type Case struct {
	XMLName  xml.Name `xml:"testcase"`
	Suite    string   `xml:"classname,attr"` // set by the Writer
	Name     string   `xml:"name,attr"`
	Skipped  *Result  `xml:"skipped"` // why it was skipped; nil where it was not
	Error    *Result  `xml:"error"`   // why it could not be tried; nil where it was
	Failures []Result `xml:"failure"`
	Output   *Result  `xml:"system-out"` // text beside the result; may be nil
}

// Result is one reason why a case has not passed, or its output, which has a text only.
type Result struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr,omitempty"` // one line
	Text    string `xml:",innerxml"`              // lines with details; plain text, which the Writer escapes
}

// escape puts lines between line breaks of their own, which encoding/xml would write as character references.
func (r *Result) escape() {
	if r == nil || r.Text == "" {
		return
	}
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(r.Text, "\n"), "\n") {
		b.WriteString("\n" + escaped(line))
	}
	r.Text = b.String() + "\n"
}

func escaped(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

type suite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Cases    []Case
}

// Writer writes suites one after the other. It keeps the cases of one until the suite ends, because their number comes
// first.
type Writer struct {
	w     io.Writer
	begin string // what is not written yet of the beginning
	suite suite
}

// New makes a Writer that writes to w; name says whose suites they are.
func New(w io.Writer, name string) *Writer {
	return &Writer{w: w, begin: fmt.Sprintf("%s<testsuites name=\"%s\">\n", xml.Header, escaped(name))}
}

// Case adds a case. A suite ends where the next case names another one.
func (j *Writer) Case(name string, c Case) error {
	if j.suite.Tests > 0 && j.suite.Name != name {
		if err := j.end(""); err != nil {
			return err
		}
	}
	s := &j.suite
	s.Name, c.Suite = name, name
	s.Tests++
	switch {
	case c.Skipped != nil:
		s.Skipped++
	case c.Error != nil:
		s.Errors++
	case len(c.Failures) > 0:
		s.Failures++
	}
	for _, r := range []*Result{c.Error, c.Output} {
		r.escape()
	}
	for i := range c.Failures {
		c.Failures[i].escape()
	}
	s.Cases = append(s.Cases, c)
	return nil
}

// end writes the suite that ends, and what follows it.
func (j *Writer) end(more string) error {
	b := bytes.NewBufferString(j.begin)
	if j.suite.Tests > 0 {
		text, _ := xml.MarshalIndent(&j.suite, "  ", "  ") // cannot fail: there are only strings and numbers
		b.Write(append(text, '\n'))
	}
	j.begin, j.suite = "", suite{}
	b.WriteString(more)
	_, err := b.WriteTo(j.w)
	return err
}

// Close writes the last suite and ends the output.
func (j *Writer) Close() error { return j.end("</testsuites>\n") }
