package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/explain"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/rubric"
)

func TestEveryIDThatIsPrintedCanBeExplained(t *testing.T) {
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	stdout, _, _ := call(t, nil, "score", transcripts, "--system-name", "Brightline Mobile",
		"--format", "jsonl")
	printed := map[string]bool{}
	for line := range strings.Lines(stdout) {
		var r struct {
			Signals []struct{ ID string }
			Panel   struct {
				Critic  []struct{ Kind string }
				Rulings []struct{ Criterion, Ruling, Ground string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		for _, s := range r.Signals {
			printed[s.ID] = true
		}
		for _, o := range r.Panel.Critic {
			printed[o.Kind] = true
		}
		for _, g := range r.Panel.Rulings {
			printed[g.Criterion], printed[g.Ruling], printed[g.Ground] = true, true, true
		}
	}
	for _, s := range rubric.Scale {
		printed[s.String()] = true
	}
	assert.Greater(t, len(printed), 30)
	for id := range printed {
		_, ok := explain.Find(all, id)
		assert.True(t, ok, "%q is printed and not explained", id)
	}
}

func TestEntries(t *testing.T) {
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, e := range all {
		assert.False(t, seen[strings.ToLower(e.ID)], "%s is explained twice", e.ID)
		seen[strings.ToLower(e.ID)] = true
		assert.NotEmpty(t, e.Group, e.ID)
		assert.Regexp(t, `^\p{Lu}.*[.?]$`, e.Title, e.ID)
		found, ok := explain.Find(all, strings.ToUpper(e.ID))
		assert.True(t, ok)
		assert.Equal(t, e.ID, found.ID)
	}
	for _, levels := range rubric.Default().Demands {
		for _, demands := range levels {
			for _, id := range demands {
				assert.True(t, seen[id], "the rubric demands %q, which is no detector", id)
			}
		}
	}
}

// Each question and fact of a scorecard is explained, by what the file says.
func TestScorecardEntries(t *testing.T) {
	file := filepath.Join(scorecards, "parcel.yaml")
	all, err := (&scaleFlags{rubric: file}).entries()
	require.NoError(t, err)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.Split(string(data), "\n")
	r, err := rubric.Parse(file, data)
	require.NoError(t, err)
	for _, q := range r.Questions {
		e, ok := explain.Find(all, q.ID)
		require.True(t, ok, q.ID)
		assert.Equal(t, q.Ask, e.Title)
		text := fmt.Sprint(e.Parts)
		for _, p := range slices.Concat(q.Yes.System, q.Yes.Unless, q.Yes.Where) {
			assert.Contains(t, text, p.Text, q.ID)
		}
		assert.Equal(t, q.Fail != "", strings.Contains(text, "\tfail: "), q.ID)
	}
	for _, f := range r.Facts {
		e, ok := explain.Find(all, f.ID)
		require.True(t, ok, f.ID)
		assert.Equal(t, "facts of the scorecard", e.Group)
		assert.Equal(t, "- id: "+f.ID, strings.TrimSpace(lines[f.Line-1]))
		assert.Contains(t, fmt.Sprint(e.Parts), fmt.Sprintf("%s:%d}", file, f.Line), f.ID)
	}
}

// What a stranger wrote into a rubric file does not drive the terminal.
func TestScorecardEntriesAreHarmless(t *testing.T) {
	const hostile = "\x1b]0;owned\x07 \u202etxt.exe"
	file := filepath.Join(t.TempDir(), "card.yaml")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "questions:\n  - id: a\n    ask: %q\n"+
		"    yes: {system: [\"x\"]}\n    hit: %q\n", hostile, "USER: "+hostile), 0o666))
	for _, args := range [][]string{{"a"}, {}} {
		stdout, _, code := call(t, nil, append([]string{"explain", "--rubric", file}, args...)...)
		assert.Zero(t, code)
		assert.Contains(t, stdout, "owned")
		assert.NotContains(t, stdout, "\x1b")
		assert.NotContains(t, stdout, "\u202e")
	}
}

// The columns of the tables that the program writes can be explained.
func TestEveryColumnCanBeExplained(t *testing.T) {
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	desk, dir := filepath.Join("..", "..", "testdata", "teams", "week.csv"), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range [][]string{
		{at("scores.csv"), "score", desk},
		{at("groups.csv"), "score", desk, "--by", "agent"},
		{at("worst.csv"), "triage", desk},
		{at("sheet.csv"), "triage", desk, "--sample", "5"},
		{at("run.jsonl"), "score", desk},
		{at("compared.csv"), "compare", at("run.jsonl"), at("run.jsonl"), "--unpaired"},
	} {
		_, stderr, code := call(t, nil, append(c[1:], "-o", c[0])...)
		require.Zero(t, code, stderr)
	}
	t.Setenv("ASSIZE_LONG", "true")
	_, stderr, code := call(t, nil, "report", at("run.jsonl"), "-o", at("long.csv"))
	require.Zero(t, code, stderr)
	names := slices.Concat(run.Columns("queue csv").Heading(), run.ClaimNames().Heading())
	for _, c := range (&agree.Report{}).Figures().Columns {
		names = append(names, c.Title)
	}
	for f := range reflect.TypeFor[rubric.Audit]().Fields() {
		names = append(names, f.Tag.Get("json"))
	}
	files, _ := filepath.Glob(at("*.csv"))
	require.Len(t, files, 6)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		heading, _, _ := strings.Cut(string(data), "\n")
		names = append(names, strings.Split(strings.TrimSpace(heading), ",")...)
	}
	people := at("people.csv")
	require.NoError(t, os.WriteFile(people, []byte("dialogue_id,rating\n1001,4\n"), 0o666))
	for _, c := range [][]string{
		{"triage", desk}, {"report", at("run.jsonl")}, {"score", desk, "--by", "agent"},
		{"compare", at("run.jsonl"), desk}, {"agree", desk, "--ratings", people},
	} {
		format := map[bool]string{true: "csv", false: "markdown"}[c[0] == "agree"]
		stdout, stderr, code := call(t, nil, append(c, "--format", format)...)
		require.Zero(t, code, stderr)
		rows := strings.Split(stdout, "\n")
		for i, row := range rows {
			switch {
			case format == "csv" && strings.Count(row, ",") > 3: // measure and statistic
				names = append(names, strings.Split(row, ",")[2:4]...)
			case i > 0 && strings.HasPrefix(row, "|--"):
				names = append(names, strings.Split(strings.Trim(rows[i-1], "| "), " | ")...)
			}
		}
	}
	assert.Contains(t, names, "kappa_quadratic")
	assert.Contains(t, names, "Cost most")
	for _, name := range names {
		name, _, _ = strings.Cut(strings.TrimPrefix(name, "\uFEFF"), ", with")
		_, ok := explain.Find(all, name)
		assert.True(t, ok || name == "", "the column %q is not explained", name)
	}
	for id, want := range map[string]string{"hollow": "not_shown", "not-shown": "not-shown",
		"too few": "too_few", "one_annotator": "one annotator", "average": "weighted average", "n_b": "n"} {
		e, _ := explain.Find(all, id)
		assert.Equal(t, want, e.ID, id)
	}
}

// An explanation names only settings that exist.
func TestExplainedSettings(t *testing.T) {
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	settings, _, _ := call(t, nil, "help", "settings")
	named := 0
	for _, e := range all {
		for _, m := range regexp.MustCompile(`\bsettings? ([a-z-]+)`).FindAllStringSubmatch(
			e.Title+" "+fmt.Sprint(e.Parts), -1) {
			named++
			assert.Regexp(t, `(?m)^  `+m[1]+`( |$)`, settings, e.ID)
		}
	}
	assert.Positive(t, named)
}

func TestEveryMemberOfARecordCanBeExplained(t *testing.T) {
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	var schema struct{ Properties map[string]any }
	require.NoError(t, json.Unmarshal([]byte(helpText("help/record.schema.json")), &schema))
	require.NotEmpty(t, schema.Properties)
	for member := range schema.Properties {
		_, ok := explain.Find(all, member)
		assert.True(t, ok, member)
	}
}
