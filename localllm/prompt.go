package localllm

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
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
	names, err := fs.Glob(folder, "*.tmpl")
	if err == nil && len(names) == 0 {
		if _, err = fs.Stat(folder, "."); err == nil {
			err = fmt.Errorf("no template in the folder; want one or more of %s", strings.Join(promptNames, ", "))
		}
	}
	given := map[string]string{}
	for _, name := range names {
		if !slices.Contains(promptNames, name) {
			err = fmt.Errorf("unknown template %s; want %s", name, strings.Join(promptNames, ", "))
			break
		}
		var data []byte
		if data, err = fs.ReadFile(folder, name); err != nil {
			break
		}
		if given[name] = string(data); strings.TrimSpace(given[name]) == "" {
			err = fmt.Errorf("%s: is empty", name)
			break
		}
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == "." {
		err = failed.Err // a path that the user did not give
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
		if !ok {
			data, err := promptFiles.ReadFile("prompts/" + name)
			if err != nil {
				return nil, err
			}
			text = string(data)
		}
		var err error
		if *file.to, err = template.New(name).Parse(text); err != nil {
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
	var w strings.Builder
	if err := t.Execute(&w, data); err != nil {
		return "", failure(BadOptions, "prompts: %v", err)
	}
	return w.String(), nil
}
