package localllm

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"text/template"

	"assize/rubric"
)

//go:embed prompts
var promptFiles embed.FS

// Prompts holds the questions that a model is asked and the templates of its messages. The question
// comes last, after the dialogue, so that the server reads the dialogue only once.
type Prompts struct {
	questions []Question
	templates map[string]*template.Template // keyed by the names of promptSamples
	digests   PromptDigests
}

// PromptDigests identifies the files by their SHA-256 in hexadecimal.
type PromptDigests struct {
	Questions string `json:"questions,omitempty"`
	Question  string `json:"question,omitempty"`
	Turn      string `json:"turn,omitempty"`
	Levels    string `json:"levels,omitempty"`
	System    string `json:"system,omitempty"`    // only in older runs
	Evaluate  string `json:"evaluate,omitempty"`  // only in older runs
	Criterion string `json:"criterion,omitempty"` // the file levelPrompt
	Object    string `json:"object,omitempty"`    // only in older runs
}

// Digests returns the digests of the files.
func (p *Prompts) Digests() PromptDigests { return p.digests }

// Questions returns the closed questions, in the order in which they are asked.
func (p *Prompts) Questions() []Question { return p.questions }

// The names of the files. A server that returns probabilities gets questionPrompt and turnPrompt,
// and no system message; any other gets levelsPrompt, the system message, and levelPrompt.
const (
	questionsFile  = "questions.yaml"
	questionPrompt = "question.tmpl" // with questionData
	turnPrompt     = "turn.tmpl"     // with turnData
	levelsPrompt   = "levels.tmpl"   // with levelsData
	levelPrompt    = "level.tmpl"    // with levelData
)

// promptSamples returns sample data with which each template is tested.
func promptSamples() map[string][]any {
	return map[string][]any{
		questionPrompt: {questionData{}, questionData{Part: true}},
		turnPrompt:     {turnData{}},
		levelsPrompt:   {newLevelsData(rubric.Default())},
		levelPrompt:    {levelData{}, levelData{Part: true}},
	}
}

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
	all := append([]string{questionsFile}, slices.Sorted(maps.Keys(promptSamples()))...)
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
	if p.questions, err = parseQuestions([]byte(text(questionsFile))); err != nil {
		return nil, fmt.Errorf("prompts: %s: %w", questionsFile, err)
	}
	samples := promptSamples()
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		t, err := template.New(name).Parse(text(name))
		if err != nil {
			return nil, fmt.Errorf("prompts: %w", err)
		}
		p.templates[name] = t
		for _, sample := range samples[name] {
			if _, f := p.fill(name, sample); f != nil {
				return nil, errors.New(f.Msg)
			}
		}
	}
	p.digests = PromptDigests{
		Questions: digests[questionsFile], Question: digests[questionPrompt],
		Turn: digests[turnPrompt], Levels: digests[levelsPrompt],
		Criterion: digests[levelPrompt],
	}
	return p, nil
}

// fill executes a template. Templates were tested with samples but may still fail on other data.
func (p *Prompts) fill(name string, data any) (string, *Failure) {
	var w strings.Builder
	if err := p.templates[name].Execute(&w, data); err != nil {
		return "", failure(BadOptions, "prompts: %v", err)
	}
	return w.String(), nil
}

type levelsData struct{ Criteria []criterionLevels }

// criterionLevels is a criterion with its levels, the highest first.
type criterionLevels struct {
	Name   string
	Levels []levelText
}

type levelText struct {
	Score rubric.Score
	Text  string
}

type questionData struct {
	Ask  string
	Part bool // the transcript is a part of a longer one
}

type turnData struct{ Clause string }

type levelData struct {
	Criterion rubric.Criterion
	Form      string
	Part      bool // the transcript is a part of a longer one
}

func newLevelsData(r rubric.Rubric) levelsData {
	var t levelsData
	for _, c := range rubric.Criteria() {
		criterion := criterionLevels{Name: c.String()}
		for level, score := range slices.Backward(rubric.Scale[:]) {
			text := strings.Join(strings.Fields(r.Levels[c][level]), " ")
			criterion.Levels = append(criterion.Levels, levelText{score, text})
		}
		t.Criteria = append(t.Criteria, criterion)
	}
	return t
}

// answerForm returns the form of an answer, with letters in place of numbers, since a model copies
// any number that it sees.
func answerForm(c rubric.Criterion) string { return fmt.Sprintf(`{"%s":{"turn":N,"score":S}}`, c) }

// The schemas are written as text to preserve the order of the properties, in which the model
// answers and which a Go map would lose: the turn must come before the score, or the model scores
// before it looks.

// maxGrammar limits the grammar that the server generates from a schema. Version 0.6.5 cuts a
// grammar at 32 KB, drops what it then cannot parse, and lets the model write anything, without
// reporting an error.
const maxGrammar = 28_000

// criterionSchema returns the schema of a rating: the turn and then the score, as one value of an
// enumeration of pairs. A grammar allows white space between the members of an object, and small
// models write it: for six ratings the smallest generated 91 to 145 tokens with members and 95 to
// 100 with pairs. Above about 170 turns there are too many pairs, so members are used.
func criterionSchema(c rubric.Criterion, turns []int) []byte {
	type pair struct {
		Turn  int          `json:"turn"`
		Score rubric.Score `json:"score"`
	}
	var pairs []pair
	for _, turn := range turns {
		for _, score := range rubric.Scale {
			pairs = append(pairs, pair{turn, score})
		}
	}
	list := func(values any) []byte { return rubric.AppendJSON(nil, values) }
	rating := fmt.Sprintf(`{"enum":%s}`, list(pairs))
	if len(rating)*4/3 > maxGrammar { // a grammar escapes the quotes of a pair
		rating = fmt.Sprintf(`{"type":"object","properties":{"turn":{"type":"integer","enum":%s},`+
			`"score":{"type":"integer","enum":%s}},"required":["turn","score"]}`, list(turns),
			list(rubric.Scale))
	}
	return fmt.Appendf(nil, `{"type":"object","properties":{"%s":%s},"required":["%[1]s"]}`, c,
		rating)
}

// turnSchema returns the schema of an answer that is one of turns.
func turnSchema(turns []int) []byte {
	return fmt.Appendf(nil, `{"type":"integer","enum":%s}`, rubric.AppendJSON(nil, turns))
}
