package localllm

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
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
	p, err := parsePrompts(embedded, embedded)
	if err != nil {
		panic(err)
	}
	return p
}

// ReadPrompts reads a folder of templates in place of the embedded ones; a file that it lacks is taken from those.
// The error names the file and what is wrong with it.
func ReadPrompts(folder fs.FS) (*Prompts, error) {
	embedded, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		return nil, err
	}
	return parsePrompts(folder, embedded)
}

func parsePrompts(folder, otherwise fs.FS) (*Prompts, error) {
	p := &Prompts{}
	for _, file := range []struct {
		name   string
		to     **template.Template
		digest *string
		trial  any
	}{
		{"system.tmpl", &p.system, &p.digests.System, systemData(rubric.Default(), rubric.Criteria(), false)},
		{"evaluate.tmpl", &p.evaluate, &p.digests.Evaluate, question{}},
		{"criterion.tmpl", &p.criterion, &p.digests.Criterion, question{}},
		{"object.tmpl", &p.object, &p.digests.Object, choiceOf{}},
	} {
		data, err := fs.ReadFile(folder, file.name)
		if err != nil {
			if data, err = fs.ReadFile(otherwise, file.name); err != nil {
				return nil, err
			}
		}
		if *file.to, err = template.New(file.name).Parse(string(data)); err != nil {
			return nil, fmt.Errorf("prompts: %w", err)
		}
		if err := (*file.to).Execute(&strings.Builder{}, file.trial); err != nil {
			return nil, fmt.Errorf("prompts: %w", err)
		}
		sum := sha256.Sum256(data)
		*file.digest = hex.EncodeToString(sum[:])
	}
	return p, nil
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

// fill executes a template that has been tried.
func fill(t *template.Template, data any) string {
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		panic(fmt.Sprintf("prompts: %v", err)) // parsePrompts has executed it on data of the same type
	}
	return b.String()
}
