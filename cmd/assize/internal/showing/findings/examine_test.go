package findings

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/rubric"
	"assize/rubric/check"
	"assize/rubric/dialogue"
)

// found lists the files of the reports that it gets, with the IDs of their findings.
type found struct{ list []string }

func (f *found) Report(r *check.Report) error {
	line := r.Document.File
	for _, finding := range r.Findings {
		line += " " + finding.ID
	}
	f.list = append(f.list, line)
	return nil
}

func (f *found) Flush() error { return nil }

// evaluated returns an evaluation of a dialogue in which every criterion has the score 80.
func evaluated(t *testing.T) *rubric.Evaluation {
	d := dialogue.Dialogue{ID: 7, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "Where is my parcel?"},
		{Role: dialogue.System, Text: "It left today."}}}
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: 80, Claim: "the SYSTEM answers",
			Quotes: []rubric.Quote{{Turn: 2, Text: "It left today."}}}
	}
	e, err := rubric.Default().Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
	require.NoError(t, err)
	return e
}

// Every evaluation of every file is checked, and what is wrong enough is the answer.
func TestExamine(t *testing.T) {
	t.Chdir(t.TempDir())
	e := evaluated(t)
	sound := e.AppendDebate(nil)
	require.NoError(t, os.WriteFile("sound.json", sound, 0o666))
	require.NoError(t, os.WriteFile("wrong.json", bytes.Replace(sound,
		[]byte(`average":80.00`), []byte(`average":81.00`), 1), 0o666))
	h := run.Header{Program: "v1", Basis: run.DefaultBasis(), Configuration: run.Configuration{
		Evaluator: "rules", Critic: "rules", Mapping: "down"}}
	for _, path := range []string{"run.jsonl", "cut.jsonl"} {
		w, err := run.Create(path, &h)
		require.NoError(t, err)
		r := &run.Record{Dialogue: e.Dialogue, Evaluation: e}
		r.Rate(h.Basis.Profile)
		require.NoError(t, w.Add(r))
		require.NoError(t, w.Add(&run.Record{Dialogue: e.Dialogue, Reason: "no answer"}))
		if path == "run.jsonl" {
			require.NoError(t, w.Close())
		}
		require.NoError(t, w.Release())
	}
	const unscored = "assize: 1 record is unscored, without an evaluation\n"
	for _, tt := range []struct {
		files string
		fix   bool
		// the findings, the answer, and what is said
		found, answer, says string
	}{
		{"sound.json", false, "sound.json", "", ""},
		{"sound.json wrong.json", false, "sound.json, wrong.json average-wrong",
			"1 of 2 evaluations has errors", ""},
		{"wrong.json", true, "wrong.json", "", ""},
		{"run.jsonl", false, "run.jsonl", "", unscored},
		{"cut.jsonl", false, "cut.jsonl", "", "assize: cut.jsonl: the run is " +
			"unfinished: it was stopped after record 2, or lines are missing at its end\n" + unscored},
		{"none.json sound.json", false, "sound.json", "",
			"assize: none.json: no such file\n"},
		{"none.json", false, "", "", "assize: none.json: no such file\n"},
		{"", false, "", "there is no evaluation in the input", ""},
	} {
		var out, fixed bytes.Buffer
		c := &console.Console{Out: &out, Err: &out}
		x := &Examiner{Checker: &check.Checker{Rubric: rubric.Default()}, FailOn: check.Error}
		if tt.fix {
			x.Fixed = &fixed
		}
		sink := &found{}
		require.NoError(t, x.CheckAll(t.Context(), c, 2, strings.Fields(tt.files), sink), tt.files)
		assert.Equal(t, tt.found, strings.Join(sink.list, ", "), tt.files)
		if err := x.Answer(c); tt.answer == "" {
			assert.NoError(t, err, tt.files)
		} else {
			assert.EqualError(t, err, tt.answer, tt.files)
		}
		assert.Equal(t, tt.says, out.String(), tt.files)
		if tt.fix {
			assert.Equal(t, string(sound), fixed.String(), "the average is corrected")
		}
	}

	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	x := &Examiner{Checker: &check.Checker{Rubric: rubric.Default()}}
	c := &console.Console{Out: io.Discard, Err: io.Discard}
	assert.ErrorContains(t, x.CheckAll(stopped, c, 1, nil, &found{}), "stopped after 0 evaluations")
	x.Fixed = io.Discard
	assert.ErrorContains(t, x.CheckAll(t.Context(), c, 1, []string{"none.json"}, &found{}),
		"none.json: no such file", "half a corrected file is useless")
}
