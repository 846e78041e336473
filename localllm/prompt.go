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

// Prompts are the templates of what the model is told and asked. The rubric comes first and is constant over a run, so
// that the server need not read it again; the question comes last.
type Prompts struct {
	system    *template.Template // executed with told
	evaluate  *template.Template // with question
	criterion *template.Template // with question
	object    *template.Template // with choiceOf
	digests   PromptDigests
}

// PromptDigests identify the templates: SHA-256 in hexadecimal.
type PromptDigests struct {
	System    string `json:"system"`
	Evaluate  string `json:"evaluate"`
	Criterion string `json:"criterion"`
	Object    string `json:"object"`
}

// Digests identifies the templates.
func (p *Prompts) Digests() PromptDigests { return p.digests }

// promptNames are the files of a folder of prompts.
var promptNames = []string{"system.tmpl", "evaluate.tmpl", "criterion.tmpl", "object.tmpl"}

// DefaultPrompts gives the embedded templates.
func DefaultPrompts() *Prompts {
	p, err := parsePrompts(nil)
	if err != nil {
		panic(err) // the templates are part of the program
	}
	return p
}

// ReadPrompts reads a folder of templates; those that it lacks are the embedded ones. The error names the file and what
// is wrong with it: a template that fails on sample data, an unknown name, or no template in the folder.
func ReadPrompts(folder fs.FS) (*Prompts, error) {
	entries, err := fs.ReadDir(folder, ".")
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err // its path is ".", which the user did not give
	}
	given := map[string]string{}
	for _, e := range entries {
		name := e.Name()
		switch {
		case err != nil || path.Ext(name) != ".tmpl":
		case !slices.Contains(promptNames, name):
			err = fmt.Errorf("unknown template %s; want %s", name, strings.Join(promptNames, ", "))
		default:
			given[name], err = readTemplate(folder, name)
		}
	}
	if err == nil && len(given) == 0 {
		err = fmt.Errorf("no template in the folder; want one or more of %s", strings.Join(promptNames, ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	return parsePrompts(given)
}

// parsePrompts parses the templates that are given, and the embedded ones for the others.
func parsePrompts(given map[string]string) (*Prompts, error) {
	p := &Prompts{}
	questions := []any{question{}, question{Part: true}}
	for i, file := range []struct {
		to      **template.Template
		digest  *string
		samples []any
	}{
		{&p.system, &p.digests.System, []any{systemData(rubric.Default(), rubric.Criteria(), false)}},
		{&p.evaluate, &p.digests.Evaluate, questions},
		{&p.criterion, &p.digests.Criterion, questions},
		{&p.object, &p.digests.Object, []any{choiceOf{Turn: 1, Role: "SYSTEM"}, choiceOf{Turn: 1, Role: "USER"}}},
	} {
		name := promptNames[i]
		text, ok := given[name]
		var err error
		if !ok {
			text, err = readTemplate(promptFiles, "prompts/"+name)
		}
		if err == nil {
			*file.to, err = template.New(name).Parse(text)
		}
		if err != nil {
			return nil, fmt.Errorf("prompts: %w", err)
		}
		for _, sample := range file.samples {
			if _, f := fill(*file.to, sample); f != nil {
				return nil, errors.New(f.Msg)
			}
		}
		sum := sha256.Sum256([]byte(text))
		*file.digest = hex.EncodeToString(sum[:])
	}
	return p, nil
}

// mostOfPrompt bounds a template and what it writes, in bytes: no context has room for more.
const mostOfPrompt = 1 << 20

func readTemplate(folder fs.FS, name string) (string, error) {
	f, err := folder.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostOfPrompt+1))
	switch {
	case err != nil:
		return "", err
	case len(data) > mostOfPrompt:
		return "", fmt.Errorf("%s: more than %d bytes, too many for a template", name, mostOfPrompt)
	case len(bytes.TrimSpace(data)) == 0:
		return "", fmt.Errorf("%s: is empty", name)
	}
	return string(data), nil
}

// told is the data of system.tmpl.
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

// question is the data of evaluate.tmpl and criterion.tmpl.
type question struct {
	Criterion rubric.Criterion
	Form      string
	Part      bool // the transcript is a part of a longer one
}

// choiceOf is the data of object.tmpl.
type choiceOf struct {
	Turn        int
	Role, Words string
	A, B        string
}

func systemData(r rubric.Rubric, order [rubric.NumCriteria]rubric.Criterion, reasons bool) told {
	t := told{Form: form(order[:], reasons)}
	for _, c := range order {
		criterion := toldCriterion{Name: c.String()}
		for level, score := range slices.Backward(rubric.Scale[:]) {
			criterion.Levels = append(criterion.Levels, toldLevel{score, strings.Join(strings.Fields(r.Levels[c][level]), " ")})
		}
		t.Criteria = append(t.Criteria, criterion)
	}
	return t
}

// form shows the form of an answer, with letters where numbers belong: a model copies a number that it is shown.
func form(criteria []rubric.Criterion, reasons bool) string {
	s := "{" + each(criteria, func(c rubric.Criterion) string { return fmt.Sprintf(`"%s":{"turn":N,"score":S}`, c) })
	if reasons {
		s += `,"why":{` + each(criteria, func(c rubric.Criterion) string { return fmt.Sprintf(`"%s":"one short sentence"`, c) }) + "}"
	}
	return s + "}"
}

// fill executes a template. Templates have been tried on samples, but may still fail on other data.
func fill(t *template.Template, data any) (string, *Failure) {
	w := bounded{name: t.Name()}
	if err := t.Execute(&w, data); err != nil {
		return "", failure(BadOptions, "prompts: %v", err)
	}
	return w.String(), nil
}

// bounded ends a template that loops without end.
type bounded struct {
	strings.Builder
	name string
}

func (w *bounded) Write(p []byte) (int, error) {
	if w.Len()+len(p) > mostOfPrompt {
		return 0, fmt.Errorf("%s: writes more than %d bytes", w.name, mostOfPrompt)
	}
	return w.Builder.Write(p)
}
