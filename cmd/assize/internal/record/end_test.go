package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/record"
)

func TestEnd(t *testing.T) {
	c := record.NewClosing([]byte("header"))
	c.Add([]byte("one"), true, false)
	c.Add([]byte("two"), false, true)
	line := c.End().Append(nil)
	// printf 'header\none\ntwo\n' | sha256sum
	assert.Equal(t, `{"assize_run_end":1,"records":2,"scored":1,"duplicates":1,"digest":"d8b69278959e97290f1774e7e100e94bf2d93d9ff75997f0e483f59ea11d8e6c"}`, string(line))
	end, err := record.ParseEnd(line)
	require.NoError(t, err)
	assert.Equal(t, c.End(), end)

	for text, want := range map[string]string{
		`{"assize_run_end":2}`:                      "the run's closing line has version 2; want 1",
		`{"assize_run_end":1,"colour":"green"}`:     `unknown field "colour"`,
		strings.Replace(string(line), ",", ", ", 1): "is not written as this program writes one",
		`{"assize_run_end":1}`:                      "is not written as",
		`{"assize_run_end"`:                         "the run's closing line: ",
	} {
		_, err := record.ParseEnd([]byte(text))
		assert.ErrorContains(t, err, want, text)
	}
}

func TestLinesTellWhetherARunIsFinished(t *testing.T) {
	h := header()
	head, one := string(h.Append(nil))+"\n", string(judged(t)[0].Append(nil))+"\n"
	end := `{"assize_run_end":1}` + "\n" // what it says is for replay to look at
	for _, tt := range []struct {
		reason, run       string
		lines, unfinished int
		stopped           string
	}{
		{"a whole run", head + one + end, 1, 0, ""},
		{"one without records", head + end, 0, 0, ""},
		{"a run that was stopped", head + one, 1, 1, "after record 1"},
		{"and before its first record", head, 0, 1, "before its first record"},
		{"two that were put together", head + one + end + head + one + end, 2, 0, ""},
		{"the first was stopped", head + one + head + one + end, 2, 1, "after record 1"},
		{"a record behind the end", head + one + end + one, 2, 1, "after record 2"},
		{"records without a header are no run", one + one, 2, 0, ""},
		{"a record that was not written to its end", head + one + one[:len(one)-1], 2, 1, "after record 1"},
		{"nor with a closing line", one + end, 1, 0, ""},
		{"a closing line that was not written to its end", head + one + end[:len(end)-3], 1, 1, "after record 1"},
	} {
		lines, unfinished := 0, 0
		for l, err := range record.Lines(strings.NewReader(tt.run), "run.jsonl") {
			if err != nil {
				assert.EqualError(t, err, "run.jsonl: the run is unfinished: it was stopped "+tt.stopped+", or lines are missing at its end", tt.reason)
				unfinished++
				continue
			}
			assert.NotEmpty(t, l.Text)
			lines++
		}
		assert.Equal(t, tt.lines, lines, tt.reason)
		assert.Equal(t, tt.unfinished, unfinished, tt.reason)
	}
}

// A line that was taken out of the middle, or put in, contradicts nothing but the number in the closing line.
func TestLinesTellWhatAClosingLineMisses(t *testing.T) {
	h := header()
	head, one := string(h.Append(nil))+"\n", string(judged(t)[0].Append(nil))+"\n"
	end := string(record.End{Version: 1, Records: 2}.Append(nil)) + "\n"
	told := func(run string) (list []string) {
		for _, err := range record.Lines(strings.NewReader(run), "run.jsonl") {
			if err != nil {
				list = append(list, err.Error())
			}
		}
		return list
	}
	assert.Empty(t, told(head+one+one+end+head+one+one+end))
	assert.Equal(t, []string{"run.jsonl: the run is not whole: its closing line counts 2 records, and 1 stand before it"}, told(head+one+one+end+head+one+end))
	assert.Equal(t, []string{"run.jsonl: the run is not whole: its closing line counts 2 records, and 3 stand before it"}, told(head+one+one+one+end))
	assert.Empty(t, told(one+end), "without its header nobody knows where it begins")
}

func TestGlance(t *testing.T) {
	for _, r := range judged(t) {
		r.Source.DuplicateOf = &record.Origin{File: `a "b".txt`, ID: -3}
		g, ok := record.Line{Text: r.Append(nil)}.Glance()
		require.True(t, ok)
		assert.Equal(t, record.Glance{ID: r.Dialogue.ID, Source: r.Source, Scored: r.Scored()}, g)
	}
}

func FuzzGlance(f *testing.F) {
	for _, r := range judged(f) {
		f.Add(r.Append(nil))
	}
	f.Add([]byte(`{"dialogue_id":1,"source":`))
	f.Fuzz(func(t *testing.T, line []byte) {
		g, ok := record.Line{Text: line}.Glance()
		if r, err := record.DefaultBasis().Decode(line); err == nil {
			require.True(t, ok, "what is a record is seen at a glance")
			assert.Equal(t, r.Dialogue.ID, g.ID)
			assert.Equal(t, r.Source.DuplicateOf, g.Source.DuplicateOf)
			assert.Equal(t, r.Scored(), g.Scored)
		}
	})
}
