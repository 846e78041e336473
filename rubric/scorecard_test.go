package rubric_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// parse reads a rubric whose questions or facts are as given.
func parse(t *testing.T, text string) rubric.Rubric {
	t.Helper()
	r, err := rubric.Parse("card.yaml", []byte(text))
	require.NoError(t, err)
	return r
}

const verified = `
questions:
  - id: verified
    ask: Did SYSTEM verify who USER is?
    when: {user: [my account]}
    yes: {system: [date of birth]}
    weight: 3
    fail: no
  - id: sold
    ask: Did SYSTEM offer another product?
    by: model
    good: no
  - id: sure
    ask: Was SYSTEM sure?
    by: both
    yes: {system: [certainly]}
    no: {system: [not sure]}
`

func caseWith(signals ...string) rubric.Case {
	c := rubric.Case{Dialogue: dialogue.Dialogue{ID: 1, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "What is in my account?"},
		{Role: dialogue.System, Text: "Your date of birth, please."}}}}
	for _, id := range signals {
		s := rubric.Signal{ID: id, Turn: 2, Start: 5, End: 18}
		if strings.HasSuffix(id, ":when") {
			s = rubric.Signal{ID: id, Turn: 1}
		}
		c.Signals = append(c.Signals, s)
	}
	return c
}

func TestChecklist(t *testing.T) {
	r := parse(t, verified)
	for _, tt := range []struct {
		signals string
		model   map[string]int
		answers string // verified, sold, sure
		score   string
	}{
		{"", nil, "n/a open open", "none"},
		{"verified:when", nil, "no open open", "0.00"},
		{"verified:when verified:yes", nil, "yes open open", "100.00"},
		{"verified:when verified:yes", map[string]int{"sold": 900}, "yes yes open", "75.00"},
		{"verified:when verified:yes", map[string]int{"sold": 100}, "yes no open", "100.00"},
		{"verified:when", map[string]int{"sold": 100}, "no no open", "0.00"},
		{"verified:yes", map[string]int{"sold": 650}, "n/a open open", "none"},
		{"sure:yes", map[string]int{"sold": 651, "sure": 651}, "n/a yes yes", "50.00"},
		{"sure:yes", map[string]int{"sure": 349}, "n/a open open", "none"},
		{"sure:no", map[string]int{"sure": 349}, "n/a open no", "0.00"},
		{"sure:yes sure:no", map[string]int{"sure": 999}, "n/a open open", "none"},
	} {
		list := r.Checklist(caseWith(strings.Fields(tt.signals)...), tt.model)
		var answers []string
		for _, a := range list.Answers {
			answers = append(answers, string(a.Answer))
			assert.Equal(t, a.Answer, list.Answer(a.Question))
		}
		name := fmt.Sprint(tt.signals, tt.model)
		assert.Equal(t, tt.answers, strings.Join(answers, " "), name)
		score := "none"
		if list.Score != nil {
			score = list.Score.String()
		}
		assert.Equal(t, tt.score, score, name)
	}
	assert.Nil(t, rubric.Default().Checklist(caseWith(), nil))
	assert.Empty(t, (*rubric.Checklist)(nil).Answer("verified"))
}

// A question may have a range of its own, whose ends belong to it.
func TestUnsure(t *testing.T) {
	r := parse(t, `questions:
  - {id: sold, ask: Was anything sold?, by: model, unsure: {from: 10, to: 20}}
  - {id: sure, ask: Was it?, by: both, yes: {any: [a]}, unsure: {from: 0, to: 100}}
`)
	for p, want := range map[int]rubric.Answer{0: rubric.No, 99: rubric.No, 100: rubric.Open,
		200: rubric.Open, 201: rubric.Yes, 1000: rubric.Yes} {
		list := r.Checklist(caseWith("sure:yes"), map[string]int{"sold": p, "sure": p})
		assert.Equal(t, want, list.Answer("sold"), p)
		assert.Equal(t, rubric.Open, list.Answer("sure"), p)
	}
}

// A yes has the words that show it; a no that rests on the absence of words has none.
func TestAnswersQuoteOnlyWhatShowsThem(t *testing.T) {
	r := parse(t, verified)
	a := r.Checklist(caseWith("verified:when", "verified:yes"), nil).Answers[0]
	assert.Equal(t, 2, a.Turn)
	assert.Equal(t, "Your date of birth, please.", a.Quote)
	a = r.Checklist(caseWith("verified:when"), nil).Answers[0]
	assert.Zero(t, a.Turn)
	assert.Empty(t, a.Quote)
	assert.Empty(t, r.Checklist(caseWith("verified:yes", "verified:when"), nil).
		WithoutQuotes().Answers[0].Quote)
}

// Whatever the answers, the score is the share of good weight, a failing answer makes it 0, and
// nothing that does not apply or is open counts.
func TestChecklistIsRecomputable(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		var text strings.Builder
		text.WriteString("questions:\n")
		n := 1 + rng.IntN(6)
		for i := range n {
			fmt.Fprintf(&text, "  - {id: q%d, ask: Is it?, by: model, weight: %d, good: %s", i,
				1+rng.IntN(5), []string{"yes", "no"}[rng.IntN(2)])
			text.WriteString("}\n")
		}
		r := parse(t, text.String())
		model := map[string]int{}
		for i := range n {
			if rng.IntN(4) > 0 {
				model[fmt.Sprintf("q%d", i)] = rng.IntN(1001)
			}
		}
		list, good, all := r.Checklist(caseWith(), model), 0, 0
		for i, a := range list.Answers {
			if a.Answer == rubric.Yes || a.Answer == rubric.No {
				all += r.Questions[i].Weight
				if a.Answer == r.Questions[i].Good {
					good += r.Questions[i].Weight
				}
			}
		}
		if all == 0 {
			assert.Nil(t, list.Score)
			continue
		}
		assert.InDelta(t, 10000*float64(good)/float64(all), float64(*list.Score), .5)
	}
}

func TestScorecardsAreRefused(t *testing.T) {
	question := func(rest string) string {
		return "questions:\n  - id: a\n    ask: Is it?\n" + rest
	}
	fact := func(rest string) string { return "facts:\n  - id: a\n" + rest }
	for _, tt := range []struct{ text, want string }{
		{question(""), "card.yaml:2:7: a: the rules cannot answer without yes: or no:; want phrases"},
		{question("    yes: {}\n"), "card.yaml:4:5: a: no phrases are given"},
		{question("    yes: {system: [x], at-least: 101}\n"), "at-least is 101"},
		{question("    yes: {system: [x]}\n    weight: 101\n"), "card.yaml:5:5: a: the weight is 101"},
		{question("    yes: {system: [x]}\n    good: maybe\n"), `"maybe" is not an answer`},
		{question("    yes: {system: [x]}\n    fail: yes\n"), "the good answer fails the dialogue"},
		{question("    yes: {system: [x]}\n    by: people\n"), `"people" cannot answer`},
		{question("    yes: {system: [x]}\n    by: model\n"), "yes: and no: are for the rules"},
		{question("    yes: {system: [x]}\n    unsure: {from: 1, to: 2}\n"),
			"card.yaml:5:5: a: the rules are never unsure; want by: model or both"},
		{question("    by: model\n    unsure: {from: 40}\n"), "a: 40 to 0 is not a range of percentages"},
		{question("    by: model\n    unsure: {from: 4, to: 101}\n"), "a: 4 to 101 is not a range"},
		{question("    yes: {system: [x], at-least: 1.5}\n"),
			"card.yaml:4:34: at-least is 1.5; want a whole number"},
		{question("    yes: {system: [x]}\n    weight: 2.7\n"),
			"card.yaml:5:13: weight is 2.7; want a whole number"},
		{question("    by: model\n    unsure: {from: 2.5, to: 3}\n"), "from is 2.5"},
		{question("    yes: {system: [x]}\n    weight: 0\n"),
			"card.yaml:5:13: weight is 0; want a whole number from 1 to 100"},
		{question("    yes: {system: [x], at-least: 0}\n"), "card.yaml:4:34: at-least is 0; want"},
		{question("    yes: {system: [caf\xe9]}\n"), "card.yaml:1:1: this is not UTF-8; want the file"},
		{question("    yse: {system: [x]}\n"), `card.yaml:4:5: unknown field "yse"`},
		{question("    yse: {system: [x]}\n"), "; want one of those in assize help scorecards"},
		{question("    yes: {system: hello}\n"),
			"card.yaml:4:19: system has the wrong form; want a list of phrases, such as [date of birth]"},
		{question("    yes: true\n"), "card.yaml:4:10: yes has the wrong form; want phrases after " +
			"user:, system: or any:, such as {system: [date of birth]}"},
		{question("    yes: {system: [x]}\n    weight: two\n"),
			"card.yaml:5:13: weight has the wrong form; want a whole number"},
		{"questions:\n  - id: a\n    ask: Was it: yes?", "; want YAML, indented by spaces"},
		{"questions:\n\t- id: a", "; want YAML, indented by spaces"},
		{"questions: {}", "card.yaml:1:12: questions has the wrong form; want a list, of which"},
		{"questions:\n  id: a\n", "card.yaml:2:5: questions has the wrong form"},
		{"questions: [{id: a}, Is it?]", "card.yaml:1:22: questions has the wrong form"},
		{fact("    about: [x]\n"), "card.yaml:3:12: about has the wrong form; want phrases after"},
		{fact("    when: {queues: Mail}\n"), "queues has the wrong form; want a list of names"},
		{"questions: [{id: A b, ask: Is it?, by: model}]", `the id "A b" is not a word`},
		{"questions: [{id: a, by: model}]", "the question is empty"},
		{"questions: [{id: empathy, ask: Is it?, by: model}]", "is a column of tables"},
		{"questions: [{id: overall, ask: Is it?, by: model}]", "is a column of tables"},
		{"questions: [{id: status, ask: Is it?, by: model}]", "is a column of tables"},
		{"questions: [{id: a, ask: Is it?, by: model}]\nfacts: [{id: a}]", "the id a is used twice"},
		{question("    yes: {system: [x], after: {user: [y], after: {user: [z], " +
			"after: {user: [z]}}}}\n"), "nested too deeply"},
		{fact(""), "about: is missing"},
		{fact("    about: {any: [x]}\n"), "value: is missing, or is not one text"},
		{fact("    about: {any: [x]}\n    value: [14 days]\n"), "value: is missing, or is not one text"},
		{fact("    about: {any: [x]}\n"), "8 pm or, for what is free, 0 euros; or only never: with"},
		{fact("    about: {any: [x]}\n    value: \"\"\n    never: [y]\n"), "value: is missing"},
		{fact("    about: {any: [x]}\n    never: []\n"), "value: is missing, or is not one text"},
		{fact("    about: {any: [x], at-least: 2}\n"), "a: a fact is about single sentences; want only"},
		{fact("    about: {any: [x]}\n    value: [5 days]\n"), "want one such as 14 days"},
		{fact("    about: {any: [x]}\n    value: 5 days\n    na: USER: x\n"), "mapping value"},
		{fact("    about: {any: [x]}\n    value: 5 days\n    na: 'USER: x'\n"),
			"a fact always applies"},
		{fact("    about: {any: [x]}\n    value: 5 days\n    when: {from: 1.2.26}\n"),
			`card.yaml:5:12: a: "1.2.26" is not a day`},
		{fact("    about: {any: [x]}\n    value: 5 days\n    when: {from: 2026-13-45}\n"),
			`card.yaml:5:12: a: "2026-13-45" is not a day`},
		{fact("    about: {any: [x]}\n    value: 5 days\n" +
			"    when: {from: 2026-02-01, until: 2026-01-31}\n"),
			"card.yaml:5:30: a: it ends on 2026-01-31, before it begins"},
		{fact("    about: {any: [x]}\n    value: 5 days\n    never: [null]\n"),
			"card.yaml:5:13: a: the phrase is empty"},
		{question("    yes: {system: [x, \"y\": z]}\n"),
			"a: the phrase is a mapping; want words alone, in quotes if they contain a colon; "},
		{question("    yes: {system: [{phrase: order, number: true}]}\n"),
			"card.yaml:4:20: a: the phrase is a mapping; want words alone, in quotes if they " +
				"contain a colon; conditions have a list of their own, such as where: [number]"},
		{question("    yes: {system: [[x]]}\n"), "a: the phrase is a list; want words alone"},
		{question("    yes: {system: [x, ~]}\n"), "card.yaml:4:23: a: the phrase is empty"},
		{question("    yes:\n      system:\n        - x\n        -\n"), "a: the phrase is empty"},
	} {
		_, err := rubric.Parse("card.yaml", []byte(tt.text))
		assert.ErrorContains(t, err, tt.want)
	}
}

// The rubric in a run's header has everything but the examples, and the same digest.
func TestScorecardsSurviveTheHeader(t *testing.T) {
	r := parse(t, verified+`
facts:
  - id: refunds
    about: {any: [refund], unless: [express], where: [statement]}
    value: within 14 days
    never: [30 days]
    when: {from: 2026-01-31, queues: [Parcels]}
    hit: |
      USER: When?
      SYSTEM: Later.
    miss: ["USER: When?", "SYSTEM: Now."]
`)
	assert.Equal(t, "USER: When?\nSYSTEM: Later.\n", r.Facts[0].Hit[0].Text)
	assert.Len(t, r.Facts[0].Miss, 2)
	assert.Equal(t, 4, r.Questions[0].When.User[0].Line-1)
	line := r.AppendJSON(nil)
	again := parse(t, string(line))
	assert.Equal(t, r.Digest(), again.Digest())
	assert.Equal(t, string(line), string(again.AppendJSON(nil)))
	assert.NotContains(t, string(line), "Later")
	assert.Greater(t, r.Facts[0].Line, again.Facts[0].Line)
	r.Questions[0].Weight = 4
	assert.NotEqual(t, again.Digest(), r.Digest())
	assert.NotContains(t, string(rubric.Default().AppendJSON(nil)), `"questions":`)
}

func TestValidity(t *testing.T) {
	v := rubric.Validity{From: "2026-01-31", Until: "2026-03-01", Queues: []string{"Parcels"}}
	assert.True(t, (*rubric.Validity)(nil).Holds("", ""))
	assert.True(t, v.Holds("2026-01-31", "parcels"))
	assert.True(t, v.Holds("2026-03-01", "Parcels"))
	for _, not := range [][2]string{{"2026-01-30", "Parcels"}, {"2026-03-02", "Parcels"},
		{"", "Parcels"}, {"2026-02-01", "Mail"}, {"2026-02-01", ""}} {
		assert.False(t, v.Holds(not[0], not[1]), not)
	}
	assert.True(t, (&rubric.Validity{Queues: []string{"a", "b"}}).Holds("", "B"))
}

func TestExampleDialogue(t *testing.T) {
	d, err := rubric.ExampleDialogue("USER: Where is it:\n  in Leeds?\n\nsystem: No.\n")
	require.NoError(t, err)
	assert.Equal(t, []dialogue.Turn{{Role: dialogue.User, Text: "Where is it: in Leeds?"},
		{Role: dialogue.System, Text: "No."}}, d.Turns)
	_, err = rubric.ExampleDialogue("Hello\n")
	assert.ErrorContains(t, err, "want USER: words")
}

func TestAsksModel(t *testing.T) {
	r := parse(t, verified)
	ids := func(c rubric.Case) (list []string) {
		for _, q := range r.AsksModel(c) {
			list = append(list, q.ID)
		}
		return list
	}
	assert.Equal(t, []string{"sold", "sure"}, ids(caseWith()))
	r.Questions[1].When = &rubric.Pattern{User: []rubric.Phrase{{Text: "x"}}}
	assert.Equal(t, []string{"sure"}, ids(caseWith()))
	assert.True(t, slices.Contains(ids(caseWith("sold:when")), "sold"))
}
