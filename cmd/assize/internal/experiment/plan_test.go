package experiment

import (
	"strings"
	"testing"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/settings"

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
			{"full", settings.Flags{
				{Key: "evaluator", Place: "6:18", Values: []settings.Value{{Place: "6:29", Text: "model"}}},
				{Key: "critic", Place: "6:36", Values: []settings.Value{{Place: "6:44", Text: "both"}}},
			}},
			{"rules-critic", settings.Flags{
				{Key: "critic", Place: "8:5", Values: []settings.Value{{Place: "8:13", Text: "rules"}}},
				{Key: "reasons", Place: "9:5", Values: []settings.Value{{Place: "9:14", Text: "true"}}},
			}},
		},
		Prompts: []string{"default", "prompts/short"},
		Repeats: 2,
		Options: settings.Flags{
			{Key: "num-thread", Place: "13:3", Values: []settings.Value{{Place: "13:15", Text: "2"}}},
			{Key: "role-map", Place: "14:3", Values: []settings.Value{{Place: "14:14", Text: "BOT=system"}, {Place: "14:28", Text: "Ann=user"}}},
		},
		Output:  "runs",
		Ratings: "survey.csv",
		Scale:   ratings.Scale{Low: 0, High: 10},
	}, p)
}

func TestParseFillsIn(t *testing.T) {
	p, err := parse("exp.yaml", []byte("\ufeffdialogues: calls\n"))
	require.NoError(t, err)
	assert.Equal(t, &Plan{File: "exp.yaml", Dialogues: []string{"calls"}, Models: []string{Rules}, Panels: []Panel{{Name: "full"}}, Prompts: []string{Default}, Repeats: 1, Scale: ratings.DefaultScale}, p)
	p, err = parse("exp.json", []byte(`{"dialogues": ["calls"], "models": ["rules"]}`))
	require.NoError(t, err)
	assert.Equal(t, settings.Words{"calls"}, p.Dialogues, "JSON is YAML, too")
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ reason, file, says string }{
		{"nothing", "", `exp.yaml: no dialogues; want dialogues: with one path or more`},
		{"only words", "calls\n", `exp.yaml:1:1: string was used where mapping is expected`},
		{"no dialogues", "models: rules\n", `exp.yaml: no dialogues; want dialogues: with one path or more`},
		{"an empty list", "dialogues: []\n", "exp.yaml:1:12: no plain value; want one or a list of them"},
		{"an unknown key", "dialogues: a\nmodel: x\n", `exp.yaml:2:1: unknown field "model"`},
		{"a key twice", "dialogues: a\nlimit: 2\nlimit: 3\n", `exp.yaml:3:1: mapping key "limit" already defined at [2:1]`},
		{"a key without a value", "dialogues:\nlimit: 3\n", `exp.yaml: no dialogues; want`},
		{"a model twice", "dialogues: a\nmodels: [x, y, x]\n", `exp.yaml: two runs would be in x.full.default.1.jsonl`},
		{"no number", "dialogues: a\nlimit: few\n", `exp.yaml:2:8: want a whole number`},
		{"less than none", "dialogues: a\nlimit: -1\n", `exp.yaml:2:8: `},
		{"too few", "dialogues: a\nmodels: x\nrepeats: 0\n", `exp.yaml: repeats: 0; want 1 to 100`},
		{"a list in a list", "dialogues: [[a]]\n", `exp.yaml:1:13: no plain value; want one or a list of them`},
		{"a list in a list, later", "dialogues: [a, [a]]\n", `exp.yaml:1:16: no plain value; want one or a list of them`},
		{"an anchor that is not there", "dialogues: a\nmodels: [*m]\n", `exp.yaml:2:11: could not find alias "m"`},
		{"a tag", "dialogues: !!binary aGk=\n", `exp.yaml:1:12: no plain value; want one or a list of them`},
		{"panels by name alone", "dialogues: a\nmodels: x\npanels: full\n", `exp.yaml:3:9: string was used where sequence is expected`},
		{"a panel that is a word", "dialogues: a\nmodels: x\npanels: [full]\n", `exp.yaml:3:10: not a mapping of names to values`},
		{"a panel without a name", "dialogues: a\nmodels: x\npanels: [{critic: rules}]\n", "exp.yaml:3:10: a panel without a name; want panels such as {name: rules-critic, critic: rules}"},
		{"two panels of a name", "dialogues: a\nmodels: x\npanels:\n - {name: b}\n - {name: B}\n", `exp.yaml: two runs would be in x.B.default.1.jsonl; want names that differ in letters or digits`},
		{"names that only marks tell apart", "dialogues: a\nmodels: [a:b, a-b]\n", `exp.yaml: two runs would be in a-b.full.default.1.jsonl`},
		{"options in a list", "dialogues: a\noptions: [num-thread]\n", `exp.yaml:2:10: not a mapping of names to values; want lines such as jobs: 4`},
		{"two documents", "dialogues: a\n---\ndialogues: b\n", `exp.yaml: a second document begins; want one`},
		{"no YAML", "dialogues: [a\n", `exp.yaml:1:12: sequence end token ']' not found`},
		{"no scale", "dialogues: a\nscale: high\n", `exp.yaml: "high" is no scale; want its two ends`},
		{"not a file of this kind", strings.Repeat("#", 1<<14+1), `exp.yaml: the file has 16385 bytes; want at most 16384`},
	} {
		_, err := parse("exp.yaml", []byte(tt.file))
		assert.ErrorContains(t, err, tt.says, tt.reason)
	}
}

// Whatever the file, there is a plan whose cells all have names of their own, or an error with a place in the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte("dialogues: a\nmodels: [rules, x, X]\npanels: [{name: p}, {name: P, repeats: 3}]\nprompts: [default, ./default]\nrepeats: 2\n"))
	f.Add([]byte("dialogues: [a, 'b c']\nlimit: 3\noptions: {role-map: [a, b], cache: d}\nscale: 1-5"))
	f.Add([]byte("dialogues: &x a\nmodels: [*x]\n<<: {a: b}\n? b\n: c"))
	f.Add([]byte("dialogues: |\n  a\n  b\nmodels: !!binary aGk=\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parse("exp.yaml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "exp.yaml:") || p != nil {
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
