package localllm

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/template"
)

//go:embed prompts
var promptFiles embed.FS

// Prompts holds the questions that a model is asked and the templates of its messages. The question
// comes last, after the dialogue, so that the server reads the dialogue only once.
type Prompts struct {
	Questions []Question                    // in the order in which they are asked
	Digests   PromptDigests                 // of the files
	templates map[string]*template.Template // by name of the file
}

// PromptDigests identifies the files by their SHA-256 in hexadecimal.
type PromptDigests struct {
	Questions string `json:"questions,omitempty"`
	Question  string `json:"question,omitempty"`
	Claim     string `json:"claim,omitempty"` // the file claimPrompt
}

// The names of the files. The templates are filled with questionData.
const (
	questionsFile  = "questions.yaml"
	questionPrompt = "question.tmpl"
	claimPrompt    = "claim.tmpl"
)

// DefaultPrompts returns the embedded templates.
func DefaultPrompts() *Prompts {
	p, err := parsePrompts(nil)
	if err != nil {
		panic(err) // the templates are embedded
	}
	return p
}

// ReadPrompts reads a folder of templates and questions; the embedded ones replace missing files.
// The error names the file and the problem: a template that fails on sample data, an incomplete
// question, an unknown name, or a folder without any of these files.
func ReadPrompts(folder fs.FS) (*Prompts, error) {
	all := []string{questionsFile, claimPrompt, questionPrompt}
	want := strings.Join(all, ", ")
	_, err := fs.Stat(folder, ".")
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err // its path is ".", which the user did not enter
	}
	names, _ := fs.Glob(folder, "*.tmpl") // the pattern is valid
	if _, absent := fs.Stat(folder, questionsFile); absent == nil {
		names = append(names, questionsFile)
	}
	if err == nil && len(names) == 0 {
		err = errors.New("no template in the folder; want one or more of " + want)
	}
	given := map[string]string{}
	for _, name := range names {
		data, failed := fs.ReadFile(folder, name)
		switch given[name] = string(data); {
		case !slices.Contains(all, name):
			failed = fmt.Errorf("unknown template %s; want %s", name, want)
		case failed == nil && strings.TrimSpace(given[name]) == "":
			failed = fmt.Errorf("%s: is empty", name)
		}
		err = cmp.Or(err, failed)
	}
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	return parsePrompts(given)
}

// parsePrompts parses the given files, and the embedded ones in place of missing files.
func parsePrompts(given map[string]string) (p *Prompts, err error) {
	p = &Prompts{templates: map[string]*template.Template{}}
	digests := map[string]string{}
	text := func(name string) string {
		text, ok := given[name]
		if !ok {
			data, _ := promptFiles.ReadFile("prompts/" + name) // it is embedded
			text = string(data)
		}
		sum := sha256.Sum256([]byte(text))
		digests[name] = hex.EncodeToString(sum[:])
		return text
	}
	if p.Questions, err = parseQuestions([]byte(text(questionsFile))); err != nil {
		return nil, fmt.Errorf("prompts: %s: %w", questionsFile, err)
	}
	for _, name := range []string{claimPrompt, questionPrompt} {
		t, err := template.New(name).Parse(text(name))
		if err != nil {
			return nil, fmt.Errorf("prompts: %w", err)
		}
		p.templates[name] = t
		for _, sample := range []questionData{{}, {Part: true}, {Quotes: "a"}} {
			if _, f := p.fill(name, sample); f != nil {
				return nil, errors.New(f.Msg)
			}
		}
	}
	p.Digests = PromptDigests{Questions: digests[questionsFile], Question: digests[questionPrompt],
		Claim: digests[claimPrompt]}
	return p, nil
}

// fill executes a template. Templates were tested with samples but may still fail on other data.
func (p *Prompts) fill(name string, data questionData) (string, *Failure) {
	var w strings.Builder
	if err := p.templates[name].Execute(&w, data); err != nil {
		return "", failure("bad-options/prompts", err)
	}
	return w.String(), nil
}

// questionData is what a template is filled with.
type questionData struct {
	Ask    string // the question; for claimPrompt the claim, as a clause
	Part   bool   // the transcript is a part of a longer one
	Quotes string // lines of words that may show the claim; "" to ask whether it is true
}
