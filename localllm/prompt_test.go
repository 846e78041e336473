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
	usual := localllm.DefaultPrompts().Digests()
	p, err := localllm.ReadPrompts(templates("criterion.tmpl", "Judge it.", "notes.md", "why it is short"))
	require.NoError(t, err)
	is := p.Digests()
	assert.NotEqual(t, usual.Criterion, is.Criterion)
	is.Criterion = usual.Criterion
	assert.Equal(t, usual, is, "the others are the embedded ones")

	s := serve(t)
	o := options(s)
	o.Prompts = p
	m := open(t, o)
	assert.Equal(t, p.Digests(), m.Identity().Prompts)
	_, err = m.Session().Evaluate(context.Background(), booking())
	require.NoError(t, err)
	assert.Contains(t, s.Questions()[0].User, "Judge it.")
}

func TestPromptsThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		reason string
		folder fstest.MapFS
		says   string
	}{
		{"a slip in a name", templates("sytem.tmpl", "x"), "prompts: unknown template sytem.tmpl; want system.tmpl, criterion.tmpl, object.tmpl"},
		{"the question for all six", templates("evaluate.tmpl", "x"), "prompts: unknown template evaluate.tmpl; want system.tmpl, criterion.tmpl, object.tmpl"},
		{"not a folder of prompts", templates("system.txt", "x"), "prompts: no template in the folder; want one or more of system.tmpl, criterion.tmpl, object.tmpl"},
		{"no template", templates("object.tmpl", "{{if}}"), "prompts: template: object.tmpl:1: missing value for if"},
		{"a field that there is not", templates("object.tmpl", "{{.Score}}"), "can't evaluate field Score"},
		{"only where a part is judged", templates("criterion.tmpl", "{{if .Part}}{{.Whole}}{{end}}"), "can't evaluate field Whole"},
		{"without end", templates("system.tmpl", `{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`), "exceeded maximum template depth"},
		{"nothing in a file", templates("criterion.tmpl", " \n"), "prompts: criterion.tmpl: is empty"},
		{"only where a USER's turn is shown", templates("object.tmpl", `{{if eq .Role "USER"}}{{.Whole}}{{end}}`), "can't evaluate field Whole"},
	} {
		_, err := localllm.ReadPrompts(tt.folder)
		assert.ErrorContains(t, err, tt.says, tt.reason)
	}
}

// A link that leads nowhere is no reason to ask by other words than the user's.
func TestPromptsThatAreNotThere(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(folder, "criterion.tmpl")); err != nil {
		t.Skip("SKIPPED: no symbolic links here: ", err)
	}
	_, err := localllm.ReadPrompts(os.DirFS(folder))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "criterion.tmpl")
}

// A template can fail for words that nobody tried. Then the dialogue is unscored, and nothing panics.
func TestPromptsThatFailLater(t *testing.T) {
	p, err := localllm.ReadPrompts(templates("object.tmpl", `{{if eq .Turn 3}}{{index .Words 900}}{{end}}`))
	require.NoError(t, err)
	s := serve(t)
	o := options(s)
	o.Prompts = p
	s.Answer(rate(100, "A"))
	h := open(t, o).Session()
	card, err := h.Evaluate(context.Background(), booking())
	require.NoError(t, err)
	_, err = h.Critique(context.Background(), booking(), card)
	var unscored *rubric.Unscored
	require.ErrorAs(t, err, &unscored)
	assert.Contains(t, unscored.Reason, "bad-options: prompts: template: object.tmpl")

	p, err = localllm.ReadPrompts(templates("criterion.tmpl", strings.Repeat("word ", 1<<17)))
	require.NoError(t, err)
	o.Prompts = p
	_, err = localllm.Open(context.Background(), o, rubric.Default())
	assert.ErrorContains(t, err, "leaves no room for a dialogue", "a question that is too long")

}
