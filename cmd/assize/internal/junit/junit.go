// Package junit writes the XML that build servers read: suites of cases that pass, fail, are skipped or could not be
// tried, in the elements and attributes that all servers know. Characters that XML 1.0 does not allow become U+FFFD.
//
// Text must have passed ui.Visible before: XML allows much that a terminal acts on.
package junit

import (
	"encoding/xml"
	"errors"
	"io"
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
	Text    string `xml:",chardata"`              // lines with details
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
	enc   *xml.Encoder
	all   xml.StartElement // of all suites
	suite suite
}

// New makes a Writer that writes to w; name says whose suites they are. Nothing is written before the first suite ends.
func New(w io.Writer, name string) *Writer {
	j := &Writer{enc: xml.NewEncoder(w), all: xml.StartElement{Name: xml.Name{Local: "testsuites"}}}
	j.all.Attr = []xml.Attr{{Name: xml.Name{Local: "name"}, Value: name}}
	j.enc.Indent("", "  ")
	j.enc.EncodeToken(xml.ProcInst{Target: "xml", Inst: []byte(`version="1.0" encoding="UTF-8"`)})
	j.enc.EncodeToken(xml.CharData("\n"))
	j.enc.EncodeToken(j.all)
	return j
}

// Case adds a case. A suite ends where the next case names another one.
func (j *Writer) Case(name string, c Case) (err error) {
	if j.suite.Tests > 0 && j.suite.Name != name {
		err = j.end()
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
	s.Cases = append(s.Cases, c)
	return err
}

func (j *Writer) end() error {
	ends := j.suite
	j.suite = suite{}
	if ends.Tests == 0 {
		return nil
	}
	return j.enc.Encode(&ends)
}

// Close writes the last suite and ends the output.
func (j *Writer) Close() error {
	return errors.Join(j.end(), j.enc.EncodeToken(j.all.End()), j.enc.EncodeToken(xml.CharData("\n")), j.enc.Close())
}
