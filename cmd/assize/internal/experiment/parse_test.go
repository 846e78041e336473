package experiment

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	p, err := Parse("exp.yaml", []byte(`# the whole of it
dialogues: [../data/*.txt, calls]
limit: 15
models: [rules, smollm2, "qwen2.5:1.5b@sha256:0123456789ab"]
panels:
  - {name: full, evaluator: model, critic: both}
  - name: one-call
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
			{"full", []Setting{{"evaluator", "model", "exp.yaml:6:18", "exp.yaml:6:29"}, {"critic", "both", "exp.yaml:6:36", "exp.yaml:6:44"}}},
			{"one-call", []Setting{{"critic", "rules", "exp.yaml:8:5", "exp.yaml:8:13"}, {"reasons", "true", "exp.yaml:9:5", "exp.yaml:9:14"}}},
		},
		Prompts: []string{"default", "prompts/short"},
		Repeats: 2,
		Options: []Setting{
			{"num-thread", "2", "exp.yaml:13:3", "exp.yaml:13:15"},
			{"role-map", "BOT=system", "exp.yaml:14:3", "exp.yaml:14:14"}, {"role-map", "Ann=user", "exp.yaml:14:3", "exp.yaml:14:28"},
		},
		Output:  "runs",
		Ratings: "survey.csv",
		Scale:   Setting{"scale", "0-10", "exp.yaml:17:1", "exp.yaml:17:8"},
	}, p)
}

func TestParseFillsIn(t *testing.T) {
	p, err := Parse("exp.yaml", []byte("\ufeffdialogues: calls\n"))
	require.NoError(t, err)
	assert.Equal(t, &Plan{File: "exp.yaml", Dialogues: []string{"calls"}, Models: []string{Rules}, Panels: []Panel{{Name: "full"}}, Prompts: []string{Default}, Repeats: 1}, p)
	p, err = Parse("exp.json", []byte(`{"dialogues": ["calls"], "models": ["rules"]}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"calls"}, p.Dialogues, "JSON is YAML, too")
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ reason, file, says string }{
		{"nothing", "", "exp.yaml:1:1: the file holds nothing; " + keys},
		{"only words", "calls\n", "exp.yaml:1:1: this is no list of keys with values; " + keys},
		{"no dialogues", "models: rules\n", "exp.yaml:1:1: no dialogues; want dialogues: with a path or several"},
		{"an empty list", "dialogues: []\n", "exp.yaml:1:12: an empty list; want one path or more"},
		{"an unknown key", "dialogues: a\nmodel: x\n", `exp.yaml:2:1: unknown key "model"; ` + keys},
		{"a key twice", "dialogues: a\nlimit: 2\nlimit: 3\n", `exp.yaml:3:1: mapping key "limit" already defined at [2:1]; want a YAML file`},
		{"a key without a value", "dialogues:\nlimit: 3\n", `exp.yaml:1:1: "dialogues" holds nothing; leave it out or fill it in`},
		{"a model twice", "dialogues: a\nmodels: [x, y, x]\n", `exp.yaml:2:16: "x" stands twice; want it once`},
		{"no number", "dialogues: a\nlimit: few\n", `exp.yaml:2:8: limit: "few"; want a whole number from 1 to 1000000`},
		{"too few", "dialogues: a\nmodels: x\nrepeats: 0\n", `exp.yaml:3:10: repeats: "0"; want a whole number from 1 to 100`},
		{"a list in a list", "dialogues: [[a]]\n", "exp.yaml:1:13: no plain value; want a path"},
		{"an empty word", "dialogues: ''\n", "exp.yaml:1:12: no plain value; want a path"},
		{"an anchor", "dialogues: a\nmodels: &m x\n", "exp.yaml:2:9: no plain value; want a model"},
		{"what an anchor stands for", "dialogues: a\nmodels: [*m]\n", "exp.yaml:2:10: no plain value; want a model"},
		{"a tag", "dialogues: !!binary aGk=\n", "exp.yaml:1:12: no plain value; want a path"},
		{"a block of lines", "dialogues: a\noutput: |\n  runs\n", "exp.yaml:2:9: no plain value; want a folder"},
		{"panels by name alone", "dialogues: a\nmodels: x\npanels: full\n", "exp.yaml:3:9: panels are no list; want a list such as"},
		{"a panel that is a word", "dialogues: a\nmodels: x\npanels: [full]\n", "exp.yaml:3:10: this is no list of keys with values; want a list such as"},
		{"a panel without a name", "dialogues: a\nmodels: x\npanels: [{critic: rules}]\n", "exp.yaml:3:10: a panel without a name; want a list such as"},
		{"two panels of a name", "dialogues: a\nmodels: x\npanels:\n - {name: b}\n - {name: b}\n", `two panels are called "b"; want another name`},
		{"panels for nobody", "dialogues: a\npanels: [{name: b}]\n", "panels, prompts and repeats are for models, and there are only the rules; want a model among models"},
		{"options in a list", "dialogues: a\noptions: [num-thread]\n", "exp.yaml:2:10: this is no list of keys with values; want flags of assize score"},
		{"two documents", "dialogues: a\n---\ndialogues: b\n", "exp.yaml:3:1: a second document begins; want one"},
		{"no YAML", "dialogues: [a\n", "want a YAML file"},
		{"no end of cells", "dialogues: a\nmodels: [a,b,c,d,e,f,g,h,i,j,k]\nrepeats: 100\n", "exp.yaml:1:1: 11 models, 1 panels, 1 prompts and 100 repeats make 1100 runs; want at most 1000"},
		{"not a file of this kind", strings.Repeat("#", mostBytes+1), "exp.yaml:1:1: 16385 bytes are too many for an experiment; want at most 16384"},
	} {
		_, err := Parse("exp.yaml", []byte(tt.file))
		var wrong *FileError
		require.ErrorAs(t, err, &wrong, tt.reason)
		assert.Contains(t, err.Error(), tt.says, tt.reason)
	}
}

// Whatever the file, there is a plan whose cells all have names of their own, or an error with a place in the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte("dialogues: a\nmodels: [rules, x, X]\npanels: [{name: p}, {name: P, repeats: 3}]\nprompts: [default, ./default]\nrepeats: 2\n"))
	f.Add([]byte("dialogues: [a, 'b c']\nlimit: 3\noptions: {role-map: [a, b], cache: d}\nscale: 1-5"))
	f.Add([]byte("dialogues: &x a\nmodels: [*x]\n<<: {a: b}\n? b\n: c"))
	f.Add([]byte("dialogues: |\n  a\n  b\nmodels: !!binary aGk=\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("exp.yaml", data)
		if err != nil {
			var wrong *FileError
			if !errors.As(err, &wrong) || wrong.Line < 1 || wrong.Column < 1 || wrong.Msg == "" || wrong.Want == "" || p != nil {
				t.Fatalf("%#v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, c := range p.Cells() {
			name := strings.ToLower(c.File)
			if seen[name] || !safeName.MatchString(c.File) || len(c.File) > 200 {
				t.Fatalf("%q", c.File)
			}
			seen[name] = true
		}
	})
}
