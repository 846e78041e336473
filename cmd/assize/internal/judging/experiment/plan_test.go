package experiment

import (
	"errors"
	"strings"
	"testing"

	"assize/cmd/assize/internal/terminal/settings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	p, err := parse("exp.yaml", []byte(`# the whole of it
dialogues: [../data/*.txt, calls]
limit: 15
models: [rules, smollm2, "qwen2.5:1.5b@sha256:0123456789ab"]
panels:
  - {name: full, evaluator: model, critic: both}
  - name: rules-critic
    critic: rules
    reasons: true
prompts: [default, prompts/short]
repeats: 2
options:
  num-thread: 2
  role-map: ["BOT=system", "Ann=user"]
output: runs
ratings: survey.csv
scale: 0-10
`))
	require.NoError(t, err)
	assert.Equal(t, &Plan{
		File:      "exp.yaml",
		Dialogues: []string{"../data/*.txt", "calls"},
		Limit:     15,
		Models:    []string{"rules", "smollm2", "qwen2.5:1.5b@sha256:0123456789ab"},
		Panels: []Panel{
			{"full", map[string]settings.Value{
				"evaluator": {Place: "exp.yaml:6:29", Texts: []string{"model"}},
				"critic":    {Place: "exp.yaml:6:44", Texts: []string{"both"}},
			}},
			{"rules-critic", map[string]settings.Value{
				"critic":  {Place: "exp.yaml:8:13", Texts: []string{"rules"}},
				"reasons": {Place: "exp.yaml:9:14", Texts: []string{"true"}},
			}},
		},
		Prompts: []string{"default", "prompts/short"},
		Repeats: 2,
		Options: map[string]settings.Value{
			"num-thread": {Place: "exp.yaml:13:15", Texts: []string{"2"}},
			"role-map":   {Place: "exp.yaml:14:13", Texts: []string{"BOT=system", "Ann=user"}},
		},
		Output:  "runs",
		Ratings: "survey.csv",
		Scale:   settings.Value{Place: "exp.yaml:17:8", Texts: []string{"0-10"}},
	}, p)
}

func TestParseFillsIn(t *testing.T) {
	p, err := parse("exp.yaml", []byte("\ufeffdialogues: calls\n"))
	require.NoError(t, err)
	assert.Equal(t, &Plan{File: "exp.yaml", Dialogues: []string{"calls"}, Models: []string{Rules},
		Panels: []Panel{{Name: "full"}}, Prompts: []string{Default}, Repeats: 1}, p)
	p, err = parse("exp.json", []byte(`{"dialogues": ["calls"], "models": ["rules"]}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"calls"}, p.Dialogues, "JSON is YAML, too")
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ reason, file, says string }{
		{"nothing", "", `exp.yaml:1:1: no dialogues; want dialogues: with one path or more`},
		{"only words", "calls\n", `exp.yaml:1:1: string was used where mapping is expected; want ` + wantKeys},
		{"no dialogues", "models: rules\n", `exp.yaml:1:1: no dialogues; want dialogues: with one path or more`},
		{"an empty list", "dialogues: []\n", "exp.yaml:1:12: an empty list; want one as on the command line"},
		{"an unknown key", "dialogues: a\nmodel: x\n", `exp.yaml:2:1: unknown field "model"; want ` + wantKeys},
		{"a key twice", "dialogues: a\nlimit: 2\nlimit: 3\n", `exp.yaml:3:1: mapping key "limit" already defined at [2:1]; want valid YAML`},
		{"a key without a value", "dialogues:\nlimit: 3\n", `exp.yaml:1:11: no value; want one as on the command line`},
		{"a model twice", "dialogues: a\nmodels: [x, y, x]\n", `exp.yaml:1:1: two runs would be in x.full.default.1.jsonl`},
		{"no number", "dialogues: a\nlimit: few\n", `exp.yaml:2:8: "few"; want a whole number from 1 to 1000000`},
		{"two numbers", "dialogues: a\nlimit: [3, 4]\n", `exp.yaml:2:8: "3"; want a whole number from 1 to 1000000`},
		{"too few", "dialogues: a\nmodels: x\nrepeats: 0\n", `exp.yaml:3:10: "0"; want a whole number from 1 to 100`},
		{"a list in a list", "dialogues: [[a]]\n", `exp.yaml:1:13: not a plain value; want one as on the command line`},
		{"an empty word", "dialogues: ''\n", `exp.yaml:1:12: not a plain value; want one as on the command line`},
		{"two folders", "dialogues: a\noutput: [a, b]\n", `exp.yaml:2:9: 2 values; want one`},
		{"an anchor that nothing has", "dialogues: a\nmodels: [*m]\n", `exp.yaml:2:11: could not find alias "m"; want valid YAML`},
		{"a tag", "dialogues: !!binary aGk=\n", `exp.yaml:1:12: a tag or a merge; want plain names and values`},
		{"a block of lines", "dialogues: a\noutput: |\n  runs\n", `exp.yaml:2:9: not a plain value; want one as on the command line`},
		{"panels by name alone", "dialogues: a\nmodels: x\npanels: full\n", `exp.yaml:3:9: string was used where sequence is expected; want ` + wantKeys},
		{"a panel that is a word", "dialogues: a\nmodels: x\npanels: [full]\n", `exp.yaml:3:10: string was used where mapping is expected; want ` + wantKeys},
		{"a panel without a name", "dialogues: a\nmodels: x\npanels: [{critic: rules}]\n", "exp.yaml:1:1: panel 1 has no name; want " + wantPanels},
		{"two panels of a name", "dialogues: a\nmodels: x\npanels:\n - {name: b}\n - {name: B}\n", `exp.yaml:1:1: two runs would be in x.B.default.1.jsonl; want names that differ in letters or digits`},
		{"names that only marks tell apart", "dialogues: a\nmodels: [a:b, a-b]\n", `exp.yaml:1:1: two runs would be in a-b.full.default.1.jsonl`},
		{"options in a list", "dialogues: a\noptions: [num-thread]\n", `exp.yaml:2:10: sequence was used where mapping is expected; want ` + wantKeys},
		{"two documents", "dialogues: a\n---\ndialogues: b\n", `exp.yaml:3:10: the file has a second document; want one document`},
		{"no YAML", "dialogues: [a\n", `exp.yaml:1:12: sequence end token ']' not found; want valid YAML`},
		{"not a file of this kind", strings.Repeat("#", 1<<14+1), `exp.yaml:1:1: the file has 16385 bytes; want at most 16384`},
	} {
		_, err := parse("exp.yaml", []byte(tt.file))
		var wrong *settings.Error
		require.ErrorAs(t, err, &wrong, tt.reason)
		assert.Contains(t, err.Error(), tt.says, tt.reason)
	}
}

// Any file results in a plan whose runs have distinct names, or in an error with a position in the
// file.
func FuzzParse(f *testing.F) {
	f.Add(
		[]byte("dialogues: a\nmodels: [rules, x, X]\npanels: [{name: p}, {name: P, repeats: 3}]\nprompts: [default, ./default]\nrepeats: 2\n"))
	f.Add(
		[]byte(
			"dialogues: [a, 'b c']\nlimit: 3\noptions: {role-map: [a, b], cache: d}\nscale: 1-5"))
	f.Add([]byte("dialogues: &x a\nmodels: [*x]\n<<: {a: b}\n? b\n: c"))
	f.Add([]byte("dialogues: |\n  a\n  b\nmodels: !!binary aGk=\n"))
	f.Add([]byte("dialogues: &d [a]\npanels: &p [*p, {name: x}]\noptions: &o {cache: *d, b: *o}\n"))
	f.Add([]byte("dialogues: a\npanels: !x {name: b}\noptions: &o\n  <<: *o\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parse("exp.yaml", data)
		if err != nil {
			var wrong *settings.Error
			if !errors.As(err, &wrong) || wrong.Place == "" || wrong.Msg == "" ||
				wrong.Want == "" || p != nil {
				t.Fatalf("%#v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, c := range p.Configs() {
			name := strings.ToLower(c.File)
			if seen[name] || !safeName.MatchString(c.File) || len(c.File) > 200 {
				t.Fatalf("%q", c.File)
			}
			seen[name] = true
		}
	})
}
