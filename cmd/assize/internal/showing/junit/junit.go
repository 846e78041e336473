// Package junit writes JUnit XML for build servers: suites of cases that pass, fail, are skipped or
// could not be run, with the elements and attributes that all servers support. Characters that XML
// 1.0 does not allow become U+FFFD.
//
// Text must be passed through ui.Visible first: XML allows characters that affect a terminal.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Case is a test case. It has passed without failures, an error or a reason to skip it.
type Case struct {
	XMLName  xml.Name `xml:"testcase"`
	Suite    string   `xml:"classname,attr"` // set by the Writer
	Name     string   `xml:"name,attr"`
	Skipped  *Result  `xml:"skipped"` // why it was skipped; nil if it was not
	Error    *Result  `xml:"error"`   // why it could not be run; nil if it was
	Failures []Result `xml:"failure"`
	Output   string   `xml:"system-out,omitempty"` // what a case that passed is to say
}

// Result is a reason why a case did not pass.
type Result struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr,omitempty"` // one line
	Text    string `xml:",chardata"`              // lines with details
}

type suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Cases    []Case
}

// Writer writes the suites when it is closed, since each suite begins with the number of its cases.
type Writer struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	Note    string   `xml:",comment"` // about all cases; may be empty
	Suites  []suite  `xml:"testsuite"`
	out     io.Writer
}

// New returns a Writer that writes to w; name is the name of the test suites.
func New(w io.Writer, name string) *Writer { return &Writer{Name: name, out: w} }

// Case adds a case. A suite ends when the next case names another one.
func (j *Writer) Case(name string, c Case) {
	last := len(j.Suites) - 1
	if last < 0 || j.Suites[last].Name != name {
		j.Suites = append(j.Suites, suite{Name: name})
		last++
	}
	s := &j.Suites[last]
	c.Suite = name
	s.Tests++
	switch {
	case c.Skipped != nil:
		s.Skipped++
	case c.Error != nil:
		s.Errors++
	case len(c.Failures) > 0:
		s.Failures++
	}
	s.Cases = append(s.Cases, c)
}

// Close writes the suites.
func (j *Writer) Close() error {
	for strings.Contains(j.Note, "--") { // which no comment may have
		j.Note = strings.ReplaceAll(j.Note, "--", "- -")
	}
	page, err := xml.MarshalIndent(j, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(j.out, "%s%s\n", xml.Header, page)
	}
	return err
}
