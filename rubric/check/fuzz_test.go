package check

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// seeds adds the seed corpus for fuzzing.
func seeds(f *testing.F) {
	for _, d := range defects(f) {
		f.Add(d.text)
	}
	files, err := filepath.Glob("testdata/*/*.json*")
	require.NoError(f, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	for _, s := range []string{"[{\"audit\":1},\n{\"audit\":2}]", "{\"audit\":1}\n{\"audit\":",
		"Here:\n```json\n{'audit': 1}\n```\n", "{\"assize_run\":1}\n{\"status\":\"unscored\"}",
		"[[[", "{\"a\":{\"a\":", "x{y{\"audit\":\"", "\xef\xbb\xbf[]", "{}{},[]"} {
		f.Add(s)
	}
}

// FuzzDocuments checks that the documents of any stream, put together, are the stream.
func FuzzDocuments(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		// documents are taken from the decoded text
		in, err := importer.Unwrap(strings.NewReader(text))
		if err != nil {
			return
		}
		plain, err := io.ReadAll(in)
		if err != nil {
			return
		}
		var whole strings.Builder
		n, number := 0, 0
		for d, err := range Documents(strings.NewReader(text), "fuzz") {
			require.NoError(t, err)
			n++
			whole.Write(d.Before)
			at := position{1, 1}.after([]byte(whole.String()))
			require.Equal(t, at, position{d.Line, d.Column})
			whole.Write(d.Text)
			whole.Write(d.After)
			if d.Number > 0 {
				number++
				require.Equal(t, number, d.Number)
			}
		}
		require.Equal(t, string(plain), whole.String())
		require.Positive(t, n)
	})
}

// FuzzCheck checks the invariants of every report: findings lie within the document, IDs are
// documented, and fixes are stable and introduce no other errors.
func FuzzCheck(f *testing.F) {
	seeds(f)
	checker := &Checker{Rubric: rubric.Default(), Observe: observeBooking}
	transcript := booking(f)
	small := &Checker{Rubric: rubric.Rubric{Weights: [rubric.NumCriteria]int{95, 1, 1, 1, 1, 1},
		Mapping: rubric.Nearest},
		Observe: func(dialogue.Dialogue) ([]rubric.Signal, error) { return nil, nil }}
	f.Fuzz(func(t *testing.T, text string) {
		for d, err := range Documents(strings.NewReader(text), "fuzz") {
			if err != nil {
				return
			}
			keepsLaws(t, checker, checker.Check(d, nil), nil)
			keepsLaws(t, checker, checker.Check(d, transcript), transcript)
			keepsLaws(t, small, small.Check(d, transcript), transcript)
		}
	})
}
