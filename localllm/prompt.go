package localllm

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"assize/rubric"
)

//go:embed prompts
var promptFiles embed.FS

// Prompts are the templates of what the model is told and asked. What is told, the rubric, comes first and is
// constant over a run, so that the server need not read it again; the question comes last.
type Prompts struct {
	system    *template.Template // system.tmpl: Criteria with Name and Levels (Score, Text), Form
	evaluate  *template.Template // evaluate.tmpl: Part
	criterion *template.Template // criterion.tmpl: Criterion, Form, Part
	object    *template.Template // object.tmpl: Turn, Role, Words, A, B
	digests   PromptDigests
}

// PromptDigests identify the templates: SHA-256 in hexadecimal.
type PromptDigests struct {
	System    string `json:"system"`
	Evaluate  string `json:"evaluate"`
	Criterion string `json:"criterion"`
	Object    string `json:"object"`
}

// DefaultPrompts gives the embedded templates.
func DefaultPrompts() *Prompts {
	embedded, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	p, err := parsePrompts(embedded, nil, nil)
	if err != nil {
		panic(err)
	}
	return p
}

// ReadPrompts reads a folder of templates in place of the embedded ones; those that it lacks are taken from these. The
// error names the file and what is wrong with it: a template that fails on what it would be filled with, one by a name
// that nothing asks for, or none at all.
func ReadPrompts(folder fs.FS) (*Prompts, error) {
	entries, err := fs.ReadDir(folder, ".")
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err // its path is ".", which nobody gave
	}
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	var found []string
	for _, e := range entries {
		switch {
		case path.Ext(e.Name()) != ".tmpl":
		case !slices.Contains(promptNames[:], e.Name()):
			return nil, fmt.Errorf("prompts: nothing asks for %s; want %s", e.Name(), strings.Join(promptNames[:], ", "))
		default:
			found = append(found, e.Name())
		}
	}
	if found == nil {
		return nil, fmt.Errorf("prompts: no template in the folder; want one or more of %s", strings.Join(promptNames[:], ", "))
	}
	embedded, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		return nil, err
	}
	return parsePrompts(embedded, folder, found)
}

// Digests identifies the templates.
func (p *Prompts) Digests() PromptDigests { return p.digests }

// promptNames are the files of a folder of prompts.
var promptNames = [...]string{"system.tmpl", "evaluate.tmpl", "criterion.tmpl", "object.tmpl"}

// parsePrompts reads the templates of a folder, but those that are found in another one from there.
func parsePrompts(usual, other fs.FS, found []string) (*Prompts, error) {
	p := &Prompts{}
	questions := []any{question{}, question{Part: true}}
	choices := []any{choiceOf{Turn: 1, Role: "SYSTEM", Words: "words", A: "a", B: "b"}, choiceOf{Turn: 1, Role: "USER", Words: "words", A: "a", B: "b"}}
	for i, file := range []struct {
		to     **template.Template
		digest *string
		trials []any
	}{
		{&p.system, &p.digests.System, []any{systemData(rubric.Default(), rubric.Criteria(), false)}},
		{&p.evaluate, &p.digests.Evaluate, questions},
		{&p.criterion, &p.digests.Criterion, questions},
		{&p.object, &p.digests.Object, choices},
	} {
		name := promptNames[i]
		folder := usual
		if slices.Contains(found, name) {
			folder = other
		}
		data, err := readTemplate(folder, name)
		if err == nil {
			*file.to, err = template.New(name).Parse(string(data))
		}
		if err != nil {
			return nil, fmt.Errorf("prompts: %w", err)
		}
		for _, trial := range file.trials {
			if _, f := fill(*file.to, trial); f != nil {
				return nil, errors.New(f.Msg)
			}
		}
		sum := sha256.Sum256(data)
		*file.digest = hex.EncodeToString(sum[:])
	}
	return p, nil
}

// mostOfPrompt is how many bytes a template may have, and what it makes of its data: no context has room for more.
const mostOfPrompt = 1 << 20

func readTemplate(folder fs.FS, name string) ([]byte, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostOfPrompt+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > mostOfPrompt:
		return nil, fmt.Errorf("%s: more than %d bytes, too many for a template", name, mostOfPrompt)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, fmt.Errorf("%s: holds no words", name)
	}
	return data, nil
}

// told is what system.tmpl is filled with.
type told struct {
	Criteria []toldCriterion
	Form     string
}

type toldCriterion struct {
	Name   string
	Levels []toldLevel // highest first
}

type toldLevel struct {
	Score rubric.Score
	Text  string
}

// question is what evaluate.tmpl and criterion.tmpl are filled with.
type question struct {
	Criterion rubric.Criterion
	Form      string
	Part      bool // the transcript is a part of a longer one
}

// choiceOf is what object.tmpl is filled with.
type choiceOf struct {
	Turn        int
	Role, Words string
	A, B        string
}

func systemData(r rubric.Rubric, order [rubric.NumCriteria]rubric.Criterion, reasons bool) told {
	t := told{Form: form(order[:], reasons)}
	for _, c := range order {
		criterion := toldCriterion{Name: c.String()}
		for level := len(rubric.Scale) - 1; level >= 0; level-- {
			criterion.Levels = append(criterion.Levels, toldLevel{rubric.Scale[level], strings.Join(strings.Fields(r.Levels[c][level]), " ")})
		}
		t.Criteria = append(t.Criteria, criterion)
	}
	return t
}

// form shows what an answer looks like, with letters where numbers belong: a model copies a number that it is shown.
func form(criteria []rubric.Criterion, reasons bool) string {
	var b strings.Builder
	for i, c := range criteria {
		b.WriteString(separator(i))
		fmt.Fprintf(&b, `"%s":{"turn":N,"score":S}`, c)
	}
	if reasons {
		b.WriteString(`,"why":`)
		for i, c := range criteria {
			b.WriteString(separator(i))
			fmt.Fprintf(&b, `"%s":"one short sentence"`, c)
		}
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return b.String()
}

// separator opens an object or goes on with it.
func separator(i int) string {
	if i == 0 {
		return "{"
	}
	return ","
}

// fill executes a template. Those that are read have been tried, but one that takes another way for other words may fail
// all the same.
func fill(t *template.Template, data any) (string, *Failure) {
	b := written{by: t.Name()}
	if err := t.Execute(&b, data); err != nil {
		return "", failure(BadOptions, "prompts: %v", err)
	}
	return b.String(), nil
}

// written is what a template writes. A loop need not end, so what it writes must.
type written struct {
	strings.Builder
	by string
}

func (w *written) Write(p []byte) (int, error) {
	if w.Len()+len(p) > mostOfPrompt {
		return 0, fmt.Errorf("%s: writes more than %d bytes", w.by, mostOfPrompt)
	}
	return w.Builder.Write(p)
}
