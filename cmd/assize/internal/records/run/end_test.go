package run_test

import (
	"bufio"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
)

func TestEnd(t *testing.T) {
	c := run.NewClosing([]byte("header"))
	c.Add([]byte(`{"dialogue_id":1,"status":"scored","turns":[]}`))
	c.Add([]byte(
		`{"dialogue_id":2,"source":{"file":"a","duplicate_of":{"file":"a"}},"status":"unscored"}`))
	line := c.End().Append(nil)
	// printf '%s\n' header '{…}' '{…}' | sha256sum
	assert.Equal(t,
		`{"assize_run_end":1,"records":2,"scored":1,"duplicates":1,"digest":"b1801a8915428768c9d9597b58185b4c71dd79f10780d3cd26535f37778eedfe"}`, string(line))
	end, err := run.ParseEnd(line)
	require.NoError(t, err)
	assert.Equal(t, c.End(), end)

	for _, text := range []string{
		`{"assize_run_end":2}`, `{"assize_run_end":1,"colour":"green"}`,
		strings.Replace(string(line), ",", ", ", 1), `{"assize_run_end":1}`, `{"assize_run_end"`,
	} {
		_, err := run.ParseEnd([]byte(text))
		assert.ErrorContains(t, err, "has an unknown form", text)
	}
	_, err = run.ParseHeader([]byte(run.Beginning + ":4}\r"))
	assert.ErrorContains(t, err, "the run has a carriage return before its line end, as "+
		"conversions for Windows add; want the file as assize")
	assert.True(t, run.Begins(bufio.NewReader(strings.NewReader("\uFEFF"+run.Beginning+":4"))))
	_, err = run.ParseHeader([]byte("\uFEFF" + run.Beginning + ":4}"))
	assert.ErrorContains(t, err, "begins with a byte order mark, which assize does not write; "+
		"want the file as assize wrote it")
}

// closing returns the closing line for a header and records, all of them scored.
func closing(header string, records ...string) string {
	c := run.NewClosing([]byte(strings.TrimSuffix(header, "\n")))
	for _, r := range records {
		c.Add([]byte(strings.TrimSuffix(r, "\n")))
	}
	return string(c.End().Append(nil)) + "\n"
}

func TestLinesTellWhetherARunIsFinished(t *testing.T) {
	h := header()
	head, one := string(h.Append(nil))+"\n", string(judged(t)[0].Append(nil))+"\n"
	end := closing(head, one)
	for _, tt := range []struct {
		reason, run       string
		lines, unfinished int
		stopped           string
	}{
		{"a whole run", head + one + end, 1, 0, ""},
		{"one without records", head + closing(head), 0, 0, ""},
		{"a run that was stopped", head + one, 1, 1, "after record 1"},
		{"and before its first record", head, 0, 1, "before its first record"},
		{"two that were put together", head + one + end + head + one + end, 2, 0, ""},
		{"the first was stopped", head + one + head + one + end, 2, 1, "after record 1"},
		{"a record behind the end", head + one + end + one, 1, 1, ""},
		{"a note behind the end", head + one + end + "a note\n", 1, 1, ""},
		{"a record that was not written to its end", head + one + one[:len(one)-1], 2, 1,
			"after record 1"},
		{"a closing line that was not written to its end", head + one + end[:len(end)-3], 1, 1,
			"after record 1"},
	} {
		lines, unfinished := 0, 0
		for l, err := range run.Read(strings.NewReader(tt.run), "run.jsonl") {
			if err != nil {
				want := "run.jsonl:4: is after the closing line; want it before the closing line, " +
					"or after another header"
				if tt.stopped != "" {
					want = "run.jsonl: the run is unfinished: it was stopped " + tt.stopped +
						", or lines are missing at its end"
				}
				assert.EqualError(t, err, want, tt.reason)
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

// A line removed from or added to the middle affects nothing but the number in the closing line.
func TestLinesTellWhatAClosingLineMisses(t *testing.T) {
	h := header()
	head, one := string(h.Append(nil))+"\n", string(judged(t)[0].Append(nil))+"\n"
	end := closing(head, one, one)
	told := func(made string) (list []string) {
		for _, err := range run.Read(strings.NewReader(made), "run.jsonl") {
			if err != nil {
				list = append(list, err.Error())
			}
		}
		return list
	}
	assert.Empty(t, told(head+one+one+end+head+one+one+end))
	assert.Equal(t,
		[]string{
			"run.jsonl: the run is incomplete: its closing line counts 2 records, but it has 1"},
		told(head+one+one+end+head+one+end))
	assert.Equal(t,
		[]string{
			"run.jsonl:1: not a run: it has no header; want what assize score -o run.jsonl writes, with " +
				"its first line"}, told(one+end))
	const changed = "the closing line does not match the lines above it, so something in the run " +
		"was changed; assize replay shows what differs"
	assert.Equal(t, []string{"run.jsonl:5: " + changed}, told(head+one+one+one+end))
	for _, edit := range [][2]string{{`"records":2`, `"records":1`}, {`"records":2`, `"records":3`},
		{`"scored":2`, `"scored":1`}, {`"duplicates":0`, `"duplicates":1`}} {
		edited := strings.Replace(end, edit[0], edit[1], 1)
		require.NotEqual(t, end, edited)
		assert.Equal(t, []string{"run.jsonl:4: " + changed}, told(head+one+one+edited), edit[1])
	}
	assert.Equal(t, []string{"run.jsonl:4: " + changed},
		told(head+one+strings.Replace(one, `"status"`, `"state"`, 1)+end))
	assert.Equal(t, []string{"run.jsonl:5: " + changed}, told(head+one+"\n"+one+end),
		"every byte counts")
	assert.Equal(t,
		[]string{
			"run.jsonl:4: the run's closing line has an unknown form; want the version of assize that " +
				"wrote it"}, told(head+one+one+"{\"assize_run_end\":1}\n"))
}
