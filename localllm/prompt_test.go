package localllm_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/rubric"
)

func templates(files ...string) fstest.MapFS {
	folder := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		folder[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return folder
}

func TestPromptsOfAFolder(t *testing.T) {
	usual := localllm.DefaultPrompts().Digests
	p, err := localllm.ReadPrompts(templates("question.tmpl", "Judge it. {{.Ask}}", "notes.md",
		"why it is short"))
	require.NoError(t, err)
	is := p.Digests
	assert.NotEqual(t, usual.Question, is.Question)
	is.Question = usual.Question
	assert.Equal(t, usual, is, "the others are the embedded ones")

	s := serve(t)
	o := options(s)
	o.Prompts = p
	m := open(t, o)
	assert.Equal(t, p.Digests, m.Identity().Prompts)
	_, err = m.Session(rubric.AllCriteria, rubric.AllCriteria).
		Evaluate(context.Background(), booking())
	require.NoError(t, err)
	assert.Contains(t, s.Questions()[0].User, "Judge it.")
}

func TestPromptsThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		reason string
		folder fstest.MapFS
		says   string
	}{
		{"a slip in a name", templates("questoin.tmpl", "x"),
			"prompts: unknown template questoin.tmpl; want questions.yaml, claim.tmpl, question.tmpl"},
		{"of an older version", templates("levels.tmpl", "x"),
			"prompts: unknown template levels.tmpl; want questions.yaml, claim.tmpl, question.tmpl"},
		{"not a folder of prompts", templates("question.txt", "x"),
			"prompts: no template in the folder; want one or more of questions.yaml, claim.tmpl, question.tmpl"},
		{"no template", templates("question.tmpl", "{{if}}"),
			"prompts: template: question.tmpl:1: missing value for if"},
		{"a field that there is not", templates("question.tmpl", "{{.Score}}"),
			"can't evaluate field Score"},
		{"questions that are none", templates("questions.yaml", "- solved?"),
			"prompts: questions.yaml: "},
		{"only where a part is judged", templates("question.tmpl", "{{if .Part}}{{.Whole}}{{end}}"),
			"can't evaluate field Whole"},
		{"without end", templates("question.tmpl",
			`{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`),
			"exceeded maximum template depth"},
		{"nothing in a file", templates("question.tmpl", " \n"), "prompts: question.tmpl: is empty"},
	} {
		_, err := localllm.ReadPrompts(tt.folder)
		assert.ErrorContains(t, err, tt.says, tt.reason)
	}
}

// A dangling link is an error; the embedded prompts must not silently replace the user's.
func TestPromptsThatAreNotThere(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(folder, "question.tmpl")); err != nil {
		t.Skip("SKIPPED: no symbolic links here: ", err)
	}
	_, err := localllm.ReadPrompts(os.DirFS(folder))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "question.tmpl")
}

// A template can fail on the text of a question. Then nothing is judged.
func TestPromptsThatFailLater(t *testing.T) {
	p, err := localllm.ReadPrompts(templates("question.tmpl",
		`{{if .Ask}}{{if lt (len .Ask) 40}}{{index .Ask 900}}{{end}}{{end}}`))
	require.NoError(t, err)
	s := serve(t)
	o := options(s)
	o.Prompts = p
	_, err = localllm.Open(context.Background(), o)
	assert.ErrorContains(t, err, "prompts: template: question.tmpl",
		"all that can be asked is tried at once")

	p, err = localllm.ReadPrompts(templates("question.tmpl", strings.Repeat("word ", 1<<17)))
	require.NoError(t, err)
	o.Prompts = p
	_, err = localllm.Open(context.Background(), o)
	assert.ErrorContains(t, err, "leaves no room for a dialogue", "a question that is too long")

}
