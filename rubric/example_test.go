package rubric_test

import (
	"context"
	"fmt"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The scores of one of the debate's examples, which prints 86.00 for them. Their weighted average
// is 88.00.
func ExampleRubric_Average() {
	average, err := rubric.Default().Average([rubric.NumCriteria]rubric.Score{100, 60, 100, 100, 40,
		100})
	fmt.Println(average, err)
	_, err = rubric.Default().Average([rubric.NumCriteria]rubric.Score{100, 60, 100, 100, 0, 100})
	fmt.Println(err)
	// Output:
	// 88.00 <nil>
	// Empathy is not scored; want 20, 40, 60, 80 or 100
}

func ExampleMapping_Overall() {
	for _, average := range []rubric.Hundredths{10000, 9800, 7999} {
		fmt.Println(average, rubric.Down.Overall(average), rubric.Nearest.Overall(average))
	}
	// Output:
	// 100.00 100 100
	// 98.00 80 100
	// 79.99 60 80
}

func ExampleQuote_Verify() {
	d := dialogue.Dialogue{Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "I know, but I said <b>four</b>&nbsp;people — on Friday."},
	}}
	for _, words := range []string{"four people - on friday", "I said…", "no"} {
		fmt.Println(rubric.Quote{Turn: 1, Text: words}.Verify(d))
	}
	// Output:
	// true
	// true
	// false
}

func ExampleExcerpt() {
	text := "Thanks. No, I said four people. Can you change it?"
	fmt.Println(rubric.Excerpt(3, text, 12, 18).Text)
	// Output:
	// No, I said four people.
}

// table is a dialogue in which the SYSTEM misreads a number.
var table = dialogue.Dialogue{ID: 1, Turns: []dialogue.Turn{
	{Role: dialogue.User, Text: "A table for four, please."},
	{Role: dialogue.System, Text: "Certainly, your table for five is booked."},
	{Role: dialogue.User, Text: "No, I said four."},
	{Role: dialogue.System, Text: "My apologies, it is a table for four now."},
}}

// lenient rates everything 80 and quotes the SYSTEM's first turn.
type lenient struct{}

func (lenient) Evaluate(_ context.Context, c rubric.Case) (rubric.Scorecard, error) {
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: 80, Claim: "the request is dealt with",
			Quotes: []rubric.Quote{rubric.Excerpt(2, c.Dialogue.Turns[1].Text, 0, 0)}}
	}
	return card, nil
}

// strict objects to Accuracy if a signal contradicts it.
type strict struct{}

func (strict) Critique(_ context.Context, c rubric.Case,
	card rubric.Scorecard) (rubric.Critique, error) {
	var critique rubric.Critique
	for _, s := range c.Signals {
		if s.Criteria.Has(rubric.Accuracy) && s.Points < 0 {
			t, _ := c.Dialogue.Turn(s.Turn)
			critique[rubric.Accuracy] = rubric.Objection{
				Suggested: card[rubric.Accuracy].Score.Step(-2),
				Claim:     "the USER must correct a number",
				Quotes:    []rubric.Quote{rubric.Excerpt(s.Turn, t.Text, s.Start, s.End)},
				By:        "rules",
			}
		}
	}
	return critique, nil
}

// observe returns the signals of this one dialogue.
func observe(dialogue.Dialogue) ([]rubric.Signal, error) {
	return []rubric.Signal{{ID: "correction", Criteria: rubric.SetOf(rubric.Accuracy,
		rubric.Understanding), Turn: 3, About: 2, Points: -200, Start: 0, End: 15}}, nil
}

func ExamplePanel_Judge() {
	panel := rubric.Panel{Rubric: rubric.Default(), Observe: observe, Evaluator: lenient{},
		Critic: strict{}}
	e, err := panel.Judge(context.Background(), table)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Final[rubric.Accuracy].Score, e.Final[rubric.Accuracy].Sentence(e.Dialogue))
	fmt.Println(e.Audit().WeightedCalc)
	fmt.Println(e.Audit().MappingRule)

	_, err = panel.Judge(context.Background(), dialogue.Dialogue{Turns: table.Turns[:1]})
	fmt.Println(err)
	// Output:
	// 40 The USER must correct a number: USER: "No, I said four."
	// 80*0.40 + 80*0.15 + 40*0.15 + 80*0.10 + 80*0.10 + 80*0.10 = 74.00
	// round down 74.00 → 60
	// unscored: the dialogue has no SYSTEM turn with words in it
}

// The agents' answers can be settled without the agents. An objection supported only by opinion
// does not succeed.
func ExampleRubric_Settle() {
	signals, _ := observe(table)
	c := rubric.Case{Dialogue: table, Signals: signals}
	card, _ := lenient{}.Evaluate(context.Background(), c)
	critique, _ := strict{}.Critique(context.Background(), c, card)
	critique[rubric.Empathy] = rubric.Objection{Suggested: 60, Claim: "it could be warmer",
		Quotes: []rubric.Quote{{Turn: 4, Text: "My apologies"}}, By: "model"}

	e, err := rubric.Default().Settle(c, card, critique)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, sentence := range e.Decisions() {
		fmt.Println(sentence)
	}
	// Output:
	// R3-contradicted: Accuracy goes from 80 to 40 as the Critic (rules) suggests, because USER: "No, I said four." speaks for a lower score.
	// R2-ambiguous: Empathy stays at 80; the Critic (model) suggests 60, but no signal in what it cites speaks for a lower score.
	// R1-agreed: the Critic has no objection to TaskSuccess at 80, Helpfulness at 80, Understanding at 80 and Fluency at 80.
}

func ExampleParse() {
	_, err := rubric.Parse("ours.yaml",
		[]byte("mapping: down\nweights:\n  TaskSuccess: 60\n  Accuracy: 40\n"))
	fmt.Println(err)
	// Output:
	// ours.yaml:2:1: Helpfulness has no weight; want one for each of the six criteria, or no weights at all
}
