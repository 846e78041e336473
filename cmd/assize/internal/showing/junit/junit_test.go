package junit

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shape describes the elements that build servers support: their child elements, their allowed
// attributes, and their required attributes. It is the part of the schema of Jenkins (junit-10.xsd)
// that we write.
var shape = map[string]struct{ children, may, must []string }{
	"":           {[]string{"testsuites"}, nil, nil},
	"testsuites": {[]string{"testsuite"}, []string{"name"}, nil},
	"testsuite": {[]string{"testcase"}, []string{"name", "tests", "failures", "errors", "skipped"},
		[]string{"name", "tests"}},
	"testcase": {[]string{"skipped", "error", "failure", "system-out"},
		[]string{"name", "classname"}, []string{"name"}},
	"skipped":    {nil, []string{"message"}, nil},
	"error":      {nil, []string{"type", "message"}, nil},
	"failure":    {nil, []string{"type", "message"}, nil},
	"system-out": {nil, nil, nil},
}

// conforms checks a document against the shape.
func conforms(t *testing.T, doc string) {
	t.Helper()
	path := []string{""}
	dec := xml.NewDecoder(strings.NewReader(doc))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		within := path[len(path)-1]
		switch e := token.(type) {
		case xml.StartElement:
			require.Contains(t, shape[within].children, e.Name.Local, "in %q", within)
			var names []string
			for _, a := range e.Attr {
				assert.Contains(t, shape[e.Name.Local].may, a.Name.Local)
				names = append(names, a.Name.Local)
			}
			for _, must := range shape[e.Name.Local].must {
				assert.Contains(t, names, must)
			}
			path = append(path, e.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if !slices.Contains([]string{"error", "failure", "system-out"}, within) {
				assert.Empty(t, strings.TrimSpace(string(e)), "text in %q", within)
			}
		}
	}
}

// suites is the decoded output.
type suites struct {
	Suites []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Name     string `xml:"name,attr"`
			Failures []struct {
				Type    string `xml:"type,attr"`
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Error *struct {
				Type    string `xml:"type,attr"`
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"error"`
			Skipped *struct {
				Message string `xml:"message,attr"`
			} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestWriter(t *testing.T) {
	var b strings.Builder
	j := New(&b, "assize & co")
	j.Case("a.txt", Case{Name: "one"})
	j.Case("a.txt", Case{Name: "two", Failures: []Result{
		{"Overall", "is 40", "first\n\n  second\n"}, {"Empathy", "is 20", ""}}})
	j.Case("b.txt", Case{Name: "<three> \x00\x1b]\ufffe\xff\u202e \"&'",
		Skipped: &Result{Message: "nobody speaks <b>"}, Failures: nil})
	j.Case("b.txt",
		Case{Name: "line 4", Error: &Result{"unreadable", "<b> is no role", "want USER"}})
	require.NoError(t, j.Close())
	conforms(t, b.String())
	var got suites
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &got))
	require.Len(t, got.Suites, 2)
	first, second := got.Suites[0], got.Suites[1]
	assert.Equal(t, []any{"a.txt", 2, 1, 0, 0},
		[]any{first.Name, first.Tests, first.Failures, first.Errors, first.Skipped},
		"a case that fails twice is one that fails")
	assert.Empty(t, first.Cases[0].Failures)
	require.Len(t, first.Cases[1].Failures, 2)
	assert.Equal(t, "first\n\n  second\n", first.Cases[1].Failures[0].Text)
	assert.Equal(t, "Empathy", first.Cases[1].Failures[1].Type)
	assert.Equal(t, []int{2, 0, 1, 1}, []int{second.Tests, second.Failures, second.Errors,
		second.Skipped})
	assert.Equal(t, []string{"unreadable", "<b> is no role", "want USER"},
		[]string{second.Cases[1].Error.Type, second.Cases[1].Error.Message,
			second.Cases[1].Error.Text})
	assert.Equal(t, "nobody speaks <b>", second.Cases[0].Skipped.Message)
	assert.Equal(t, "<three> \uFFFD\uFFFD]\uFFFD\uFFFD\u202e \"&'", second.Cases[0].Name,
		"what XML forbids is replaced")
}

func TestNoCase(t *testing.T) {
	var b strings.Builder
	require.NoError(t, New(&b, "assize").Close())
	conforms(t, b.String())
	assert.Equal(t,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assize\"></testsuites>\n",
		b.String())
}

// narrow is a writer that accepts a limited number of bytes.
type narrow struct{ room int }

func (n *narrow) Write(p []byte) (int, error) {
	if n.room -= len(p); n.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestAFullDiskIsAnError(t *testing.T) {
	for _, room := range []int{0, 150, 260} {
		j := New(&narrow{room}, "assize")
		j.Case("a", Case{Name: "x"})
		j.Case("b", Case{Name: "y"})
		assert.Error(t, j.Close(), "with room for %d", room)
	}
}

func FuzzWriter(f *testing.F) {
	f.Add("calls.txt", "dialogue 7", "a <b> \x1b[31m\nc", "is \"40\"")
	f.Add("\xff\ufffe", "]]>", "<!--\r\n\x00-->", "&#0;")
	f.Fuzz(func(t *testing.T, suite, name, text, message string) {
		var b strings.Builder
		j := New(&b, suite)
		j.Case(suite, Case{Name: name, Skipped: &Result{Message: message}})
		j.Case(name,
			Case{Name: suite, Failures: []Result{{name, message, text}, {text, suite, message}}})
		j.Case(name, Case{Name: text, Error: &Result{name, message, text}})
		require.NoError(t, j.Close())
		conforms(t, b.String())
	})
}

// A case is counted once, by the worst that befell it, in the suite that is open.
func TestCounts(t *testing.T) {
	var out strings.Builder
	j := New(&out, "all")
	for _, c := range []Case{{Name: "fine"}, {Name: "one", Failures: []Result{{Message: "x"}}},
		{Name: "two", Failures: []Result{{Message: "x"}, {Message: "y"}}},
		{Name: "broken", Error: &Result{Message: "x"}, Failures: []Result{{Message: "x"}}},
		{Name: "left out", Skipped: &Result{Message: "x"}}} {
		j.Case("a", c)
	}
	j.Case("b", Case{Name: "fine"})
	require.NoError(t, j.Close())
	require.Len(t, j.Suites, 2)
	s := &j.Suites[0]
	assert.Equal(t, [5]int{5, 2, 1, 1, 5}, [5]int{s.Tests, s.Failures, s.Errors, s.Skipped,
		len(s.Cases)})
	assert.Equal(t, 5, strings.Count(out.String(), `classname="a"`))
	assert.Equal(t, 1, strings.Count(out.String(), `classname="b"`))
}

// A note may contain hyphens in a row, as the name of a file may.
func TestNote(t *testing.T) {
	var out strings.Builder
	j := New(&out, "assize score")
	j.Note = "old---1.jsonl and a--"
	require.NoError(t, j.Close())
	assert.Contains(t, out.String(), "<!--old- - -1.jsonl and a- - -->")
}
