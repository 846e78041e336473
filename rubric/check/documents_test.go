package check

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"assize/rubric"
)

// read returns the documents of a text, each as its position and its kind, and checks that no text
// is lost.
func read(t *testing.T, text string) []Document {
	var docs []Document
	var whole strings.Builder
	for d, err := range Documents(iotest.OneByteReader(strings.NewReader(text)), "answer.txt") {
		require.NoError(t, err)
		whole.Write(d.Before)
		before := whole.String()
		require.Equal(t, 1+strings.Count(before, "\n"), d.Line)
		require.Equal(t, len(before)-strings.LastIndexByte(before, '\n'), d.Column)
		whole.Write(d.Text)
		whole.Write(d.After)
		docs = append(docs, d)
	}
	require.Equal(t, text, whole.String())
	for i := range docs[:len(docs)-1] {
		require.Empty(t, docs[i].After)
	}
	return docs
}

func TestDocuments(t *testing.T) {
	const one, two = `{"evaluator":{"a":"}"},"audit":"\"{["}`,
		`{"TaskSuccess":{},"OverallExperience":"x"}`
	const pretty = "{\n  \"critic\": [\n{\"criterion\": \"Empathy\"}]\n}"
	for _, tt := range []struct {
		name, text, reason string
		want               []string
	}{
		{"one", one, "an object is a document", []string{one}},
		{"white space", "\r\n\t " + one + " \n\n", "white space is around, not within",
			[]string{one}},
		{"empty", "", "an empty file holds one document that is none", []string{""}},
		{"blank", " \n ", "so does a blank one", []string{""}},
		{"pretty", pretty, "an object may go over lines, and a line may begin with a brace",
			[]string{pretty}},
		{"two pretty", pretty + "\n" + pretty, "objects may follow each other",
			[]string{pretty, pretty}},
		{"without a break", one + two, "even on one line", []string{one, two}},
		{"lines", one + "\n\n" + two + "\r\n" + one, "JSON lines", []string{one, two, one}},
		{"a broken line", one + "\n{\"evaluator\":\n" + two + "\n", "it spoils only itself",
			[]string{one, `{"evaluator":`, two}},
		{"a line that is not JSON", one + "\nError: timeout\n" + two,
			"it is text around the documents", []string{one, two}},
		{"the first line broken", `{"evaluator":{"a":1` + "\n" + two + "\n" + one,
			"the first is no exception", []string{`{"evaluator":{"a":1`, two, one}},
		{"the first line broken at a comma", `{"evaluator":{"a":1},` + "\n" + two + "\n" + one,
			"the second is whole", []string{`{"evaluator":{"a":1}`, two, one}},
		{"the first line broken in a string", `{"evaluator":{"a":"x` + "\n" + two,
			"a string ends with its line", []string{`{"evaluator":{"a":"x`, two}},
		{"list", "[" + one + ",\n" + two + "]\n", "its elements are documents", []string{one, two}},
		{"a list of one", " [ " + pretty + " ] ", "however many", []string{pretty}},
		{"an empty list", "[]", "it holds no evaluation", []string{"an empty list"}},
		{"a list of other things", "[1,null]", "prose, for all that one can tell",
			[]string{"[1,null]"}},
		{"a list that ends early", "[" + one + "," + `{"evaluator":`, "what is there counts",
			[]string{one, `{"evaluator":`}},
		{"a list with a string that breaks off", "[{\"evaluator\":\"x\n" + two + "]",
			"the damage stays in its element", []string{"{\"evaluator\":\"x", two}},
		{"lists", "[" + one + "]\n[" + two + "]", "one behind the other", []string{one, two}},
		{"a fence", "Here you are:\n```json\n" + pretty + "\n```\nI hope {this} helps.",
			"models say more than they should", []string{pretty}},
		{"a fence alone", "```\n" + one + "\n```", "or nothing", []string{one}},
		{"prose behind", one + "\n\nI hope this helps.\n", "on one line, too", []string{one}},
		{"prose behind a pretty one", pretty + "\nI hope this helps.\n", "or over several",
			[]string{pretty}},
		{"braces before", "Let me {think} {\"about\": 1} it.\n" + one,
			"what is no evaluation does not count", []string{one}},
		{"two in prose", "First: " + one + " and second: " + pretty + ".", "each counts",
			[]string{one, pretty}},
		{"a list in prose", "Here: [" + one + ", " + two + "]", "each element counts",
			[]string{one, two}},
		{"broken in prose", "Here: {\"evaluator\": {\"TaskSuccess\": {\"score\": 80,}}} done",
			"it is shown as what it was meant to be",
			[]string{`{"evaluator": {"TaskSuccess": {"score": 80,}}} done`}},
		{"broken in a fence", "Here:\n```json\n{\"evaluator\": {\"a\": \"x}\n```\nDone {\"a\":\"}",
			"the fence ends it", []string{`{"evaluator": {"a": "x}`}},
		{"a Python dict", "Here: {'evaluator': {'a': 1}} done", "the keys tell",
			[]string{`{'evaluator': {'a': 1}} done`}},
		{"a comment first", "Here: {/* mine */ \"audit\": 1, \"referee_final\": {}} done",
			"or what is inside", []string{`{/* mine */ "audit": 1, "referee_final": {}} done`}},
		{"a draft in a thought", "<think>\nPerhaps " + one + "?\n</think>\n" + two,
			"the answer counts", []string{two}},
		{"a thought without an end", "<think>\nPerhaps " + one, "it may be the answer",
			[]string{one}},
		{"braces at the start", "{{dialogue}}\nHere: " + one, "a template is prose", []string{one}},
		{"nothing in prose", "I cannot {rate} this.", "the whole is shown",
			[]string{"I cannot {rate} this."}},
		{"another object", `{"error": "overloaded"}`, "an object on its own counts, whatever it is",
			[]string{`{"error": "overloaded"}`}},
		{"records", `{"dialogue_id":1,"status":"unscored"}` + "\n" + one,
			"all are there, some to be skipped", []string{"unscored", one}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, d := range read(t, tt.text) {
				if d.Skip != "" {
					got = append(got, d.Skip)
				} else {
					got = append(got, string(d.Text))
				}
			}
			assert.Equal(t, tt.want, got, tt.reason)
		})
	}
}

// A text without an object says what it is, and not only that nothing was found.
func TestAText(t *testing.T) {
	docs := read(t, "I rate this dialogue 80.")
	assert.Len(t, docs, 1)
	r := (&Checker{Rubric: rubric.Default()}).Check(docs[0], nil)
	if assert.Len(t, r.Findings, 1) {
		assert.Equal(t, finding("not-an-evaluation/text").Message, r.Findings[0].Message)
	}
}

func TestDocumentsAreNumbered(t *testing.T) {
	docs := read(t, `{"status":"unscored"}`+"\n{\"broken\n"+`{"audit":1}`)
	var numbers []int
	for _, d := range docs {
		numbers = append(numbers, d.Number)
	}
	assert.Equal(t, []int{1, 2, 3}, numbers)
}

// TestLinesThatAreNoJSON contains a line between evaluations that is not JSON: a program wrote an
// error instead.
func TestLinesThatAreNoJSON(t *testing.T) {
	checker := &Checker{Rubric: rubric.Default()}
	around := func(d Document) (list []string) {
		for _, f := range checker.Check(d, nil).Findings {
			if f.ID == "text-around" {
				list = append(list, f.Severity.String())
			}
		}
		return list
	}
	docs := read(t, `{"audit":1}`+"\nERROR: no answer\n"+`{"audit":2}`)
	require.Len(t, docs, 2)
	assert.Empty(t, around(docs[0]))
	assert.Equal(t, []string{"error"}, around(docs[1]), "an evaluation may be missing")
	assert.Equal(t, []string{"note"}, around(read(t, "Here: "+`{"audit":1}`)[0]),
		"a model's greeting")
}

func TestDocumentsUnwrap(t *testing.T) {
	const text = "{\"audit\":\"→\"}\n"
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, text)
	require.NoError(t, z.Close())
	little, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	require.NoError(t, err)
	big, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(text)
	require.NoError(t, err)
	for name, in := range map[string]string{"gzip": zipped.String(), "mark": "\ufeff" + text,
		"UTF-16": little, "UTF-16, big end first": big} {
		for d, err := range Documents(strings.NewReader(in), name) {
			require.NoError(t, err)
			assert.Equal(t, strings.TrimSpace(text), string(d.Text), name)
			assert.Equal(t, 1, d.Column)
			assert.Empty(t, d.Before, name)
			assert.Empty(t, d.findings, name)
		}
	}
}

func TestDocumentsErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	for name, in := range map[string]io.Reader{
		"a.json: the disk is gone": io.MultiReader(
			strings.NewReader(`[{"audit":1},{"au`), iotest.ErrReader(broken)),
		"a.json: gzip: invalid header": strings.NewReader(
			"\x1f\x8b nonsense"),
		"a.json: more than 1 MiB; want the evaluations in several files": strings.NewReader(
			strings.Repeat(`{"audit":1}`, 100_000)),
	} {
		var errs []string
		for _, err := range documentsWithin(1<<20, in, "a.json") {
			if err != nil { // everything readable precedes it
				errs = append(errs, err.Error())
			}
		}
		assert.Equal(t, []string{name}, errs)
	}
}

// TestDocumentsTakeNoTime checks that a file made of beginnings of objects is read quickly.
func TestDocumentsTakeNoTime(t *testing.T) {
	for _, piece := range []string{`{`, `{"a":`, "{\"a\n", `x{"`, "{\n", `{"audit":`,
		"{\"audit\":\n{", "<think>{"} {
		n := 0
		for _, err := range Documents(strings.NewReader("x "+
			strings.Repeat(piece, 1<<20/len(piece))), "a") {
			require.NoError(t, err)
			n++
		}
		assert.Positive(t, n)
	}
}

func TestDocumentsStop(t *testing.T) {
	for _, text := range []string{"{\"audit\":1}\n{\"audit\":2}\n{\"audit\":3}",
		`[{"audit":1},{"audit":2},{"audit":3}]`, `x {"audit":1} {"audit":2} {"audit":3}`} {
		n := 0
		for range Documents(strings.NewReader(text), "a") {
			n++
			break
		}
		assert.Equal(t, 1, n)
	}
}
