package experiment

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.yaml")
	const from = "dialogues: [a.txt]\n"
	for runs, want := range map[string]string{
		"common: {kind: service}\nruns:\n- {name: one}\n- {name: two, kind: request}": "",

		"runs:\n- {name: one}\n- {name: ONE}": `4:10: the name "ONE" of a run occurs twice or is not allowed`,
		"runs:\n- {kind: service}":            `1:1: the name "" of a run occurs twice or is not allowed`,
		"runs:\n- {name: a/b}":                `3:10: the name "a/b" of a run occurs twice or is not allowed`,
		"runs:\n- {name: [a, b]}":             "plan.yaml:3:10: ",
		"":                                    "no dialogues, or no runs",
		"folder: x":                           "want dialogues, common or runs",
	} {
		text := from + runs
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		p, err := Read(file)
		if want != "" {
			assert.ErrorContains(t, err, want, text)
			continue
		}
		require.NoError(t, err)
		require.Len(t, p.Runs, 2)
		assert.Equal(t, []string{"a.txt"}, p.Dialogues)
		assert.Equal(t, []string{"service"}, p.Runs[0].Flags["kind"].Texts)
		assert.Equal(t, []string{"request"}, p.Runs[1].Flags["kind"].Texts)
		assert.Equal(t, filepath.Join(filepath.Dir(file), "a.txt"), p.Path("a.txt"))
		assert.Equal(t, "-", p.Path("-"))
		assert.Equal(t, file, p.Path(file), "an absolute path stays")
	}
	_, err := Read(file + ".none")
	assert.ErrorContains(t, err, "want the file of an experiment")
}

// write writes a run of dialogues in which the SYSTEM says the texts, and returns its file.
func write(t *testing.T, name string, says ...string) string {
	t.Helper()
	j := judge.New(heuristics.New(), judge.Options{Rubric: rubric.Default(),
		Profile: satisfaction.DefaultProfile()})
	h := j.Header(importer.Options{})
	file := filepath.Join(t.TempDir(), name)
	w, err := run.Create(file, &h)
	require.NoError(t, err)
	for i, text := range says {
		s := dialogue.Sample{Source: dialogue.Source{File: "a.txt", Position: i + 1}}
		s.Dialogue = dialogue.Dialogue{ID: i + 1, Turns: []dialogue.Turn{
			{Role: dialogue.User, Text: "Where is my parcel?"},
			{Role: dialogue.System, Text: text}}}
		r, err := j.Judge(t.Context(), s)
		require.NoError(t, err)
		require.NoError(t, w.Add(r))
	}
	require.NoError(t, w.Close())
	return file
}

// Each run is compared with the first one; what cannot be measured is a dash.
func TestTable(t *testing.T) {
	first := write(t, "one.jsonl", "It arrives on Thursday.", "It arrives on Friday.")
	again := write(t, "two.jsonl", "It arrives on Thursday.", "It arrives on Friday.")
	table := &Table{File: "plan.yaml"}
	rated := func([]*run.Row) ([]ratings.Rated, []string, error) {
		return nil, []string{"Nobody has rated."}, nil
	}
	add := func(name, file string, complete bool) error {
		return table.Add(t.Context(), name, file, complete, agree.Options{}, rated)
	}
	require.NoError(t, add("one", first, true))
	require.NoError(t, add("two", again, true))
	require.NoError(t, add("three", first, false))
	broken := write(t, "four.jsonl", "It arrives on Thursday.")
	data, err := os.ReadFile(broken)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(broken, bytes.Replace(data, []byte("{"), []byte("["), 1), 0o666))
	assert.Error(t, add("four", broken, true))
	assert.Error(t, add("five", first+".none", true))

	var b bytes.Buffer
	p := ui.NewPage(&b, false)
	table.Text(&p)
	require.NoError(t, p.Send(&b))
	assert.Equal(t, []string{"Nobody has rated.",
		"satisfaction and average are –: no rating of a dialogue was read.",
		"three: nothing is measured; the run is not complete."}, table.Notes)
	two := table.Rows[1]
	assert.Equal(t, []any{2, 2, true}, []any{two.Dialogues, two.Scored, two.Complete})
	assert.Equal(t, 0.0, two.Change.Value)
	assert.Equal(t, 0.0, two.Differ.Value)
	assert.False(t, table.Rows[3].Complete)
	assert.Contains(t, b.String(), "0.0 %")
}

func TestDifference(t *testing.T) {
	var a run.Identity
	first := &row{rows: map[run.Identity]*run.Row{a: {}}}
	first.rows[a].Average, first.rows[a].Final[0] = 8000, 80
	other := &row{rows: map[run.Identity]*run.Row{a: {}}}
	other.rows[a].Average, other.rows[a].Final[0] = 7700, 60
	other.against(first)
	assert.Equal(t, "-3.0000", other.Change.String())
	assert.Equal(t, "0.1667", other.Differ.String(), "one of six scores")
}
