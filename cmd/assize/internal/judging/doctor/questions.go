package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

// Examples reports how a model answers the examples of a question of a scorecard.
type Examples struct {
	Question   string `json:"question"`
	Hits       []int  `json:"hits"`       // P(yes) in thousandths, in the order of the file
	Misses     []int  `json:"misses"`     // the same for the examples whose answer is no
	Unanswered int    `json:"unanswered"` // examples that the model did not answer
	// with the range that the question has in the file
	Right int     `json:"right"`
	Open  int     `json:"open"`
	Wrong []Wrong `json:"wrong"`
	// the range for the question's unsure:, see unsureRange; nil if there are too few examples
	Unsure *rubric.Range `json:"unsure"`
}

// Wrong is an example that the model answers yes instead of no, or no instead of yes.
type Wrong struct {
	Line int `json:"line"`
	Yes  int `json:"yes"` // P(yes) in thousandths
}

// AskExamples asks a model about the examples of each question of a scorecard that a model answers.
// It calls progress before the first example and after each.
func AskExamples(ctx context.Context, o localllm.Options, card rubric.Rubric,
	progress func(model string, done, of int)) (*QuestionReport, error) {
	type example struct {
		of   int // the question's place in the report
		q    *rubric.Question
		want rubric.Answer
		rubric.Phrase
	}
	var list []example
	r := &QuestionReport{Version: 1}
	for i := range card.Questions {
		q := &card.Questions[i]
		if q.By != rubric.ByModel && q.By != rubric.ByBoth {
			continue
		}
		for i, text := range slices.Concat(q.Hit, q.Miss) {
			want := rubric.Yes
			if i >= len(q.Hit) {
				want = rubric.No
			}
			list = append(list, example{len(r.Questions), q, want, text})
		}
		r.Questions = append(r.Questions,
			Examples{Question: q.ID, Hits: []int{}, Misses: []int{}, Wrong: []Wrong{}})
	}
	if len(list) == 0 {
		return nil, errors.New("the file has no question by model with examples; " +
			"want by: model, with dialogues in hit and miss")
	}
	agents := heuristics.New()
	model, err := localllm.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	r.Model = model.Identity()
	for done, x := range list {
		progress(o.Model, done, len(list))
		p, answered, err := askExample(ctx, agents, model, x.q, x.Phrase)
		if err != nil {
			return nil, err
		}
		e := &r.Questions[x.of]
		if !answered {
			e.Unanswered++
			continue
		}
		if x.want == rubric.Yes {
			e.Hits = append(e.Hits, p)
		} else {
			e.Misses = append(e.Misses, p)
		}
		switch x.q.ByProbability(p) {
		case x.want:
			e.Right++
		case rubric.Open:
			e.Open++
		default:
			e.Wrong = append(e.Wrong, Wrong{x.Line, p})
		}
	}
	progress(o.Model, len(list), len(list))
	for i := range r.Questions {
		e := &r.Questions[i]
		e.Unsure = unsureRange(e.Hits, e.Misses)
	}
	return r, nil
}

// askExample asks the model about an example. It returns P(yes) in thousandths, if it answered.
func askExample(ctx context.Context, agents *heuristics.Agents, model *localllm.Model,
	q *rubric.Question, example rubric.Phrase) (p int, answered bool, err error) {
	var c rubric.Case
	if c.Dialogue, err = rubric.ExampleDialogue(example.Text); err == nil {
		c.Signals, err = agents.Observe(c.Dialogue)
	}
	if err != nil {
		return 0, false, fmt.Errorf("%d:%d: %s: %w", example.Line, example.Column, q.ID, err)
	}
	session := model.Session(0, 0)
	if err := session.AskScorecard(ctx, c, []rubric.Question{*q}); err != nil {
		return 0, false, err
	}
	account := session.Account()
	p, answered = account.Scorecard()[q.ID]
	return p, answered, nil
}

// minExamples is the number of hits, and of misses, from which a range is computed.
const minExamples = 4

// unsureRange returns the range of P(yes) outside of which at most a tenth of all hits are answered
// no, and at most a tenth of all misses yes; with n < 9 examples of a kind, at most one in n+1. Its
// ends are the k-th lowest hit and the k-th highest miss, where k is (n+1)/10, rounded down, and at
// least 1. This is class-conditional conformal prediction (Vovk, Conditional validity of inductive
// conformal predictors, 2012), which assumes only that examples and dialogues are exchangeable. It
// returns nil for fewer than minExamples of a kind.
func unsureRange(hits, misses []int) *rubric.Range {
	if min(len(hits), len(misses)) < minExamples {
		return nil
	}
	hits, misses = slices.Sorted(slices.Values(hits)), slices.Sorted(slices.Values(misses))
	hit := hits[max((len(hits)+1)/10, 1)-1]
	miss := misses[len(misses)-max((len(misses)+1)/10, 1)]
	return &rubric.Range{From: min(hit, miss) / 10, To: (max(hit, miss) + 9) / 10}
}

// QuestionReport reports how a model answers the examples of a scorecard, also as JSON.
type QuestionReport struct {
	Version   int               `json:"assize_doctor_questions"`
	Model     localllm.Identity `json:"model"`
	Questions []Examples        `json:"questions"`
}

// Answered reports whether the model answered an example.
func (r *QuestionReport) Answered() bool {
	return slices.ContainsFunc(r.Questions, func(e Examples) bool {
		return len(e.Hits)+len(e.Misses) > 0
	})
}

// Text writes the report for people.
func (r *QuestionReport) Text(p *ui.Page) {
	t := ui.NewTable("How "+r.Model.Name+" answers the examples of the scorecard", "question",
		"hits>", "P(yes)=10", "misses>", "P(yes)=10", "right>", "open>", "unsure:=22")
	for _, e := range r.Questions {
		says := fmt.Sprintf("fewer than %d of each", minExamples)
		if e.Unsure != nil {
			says = fmt.Sprintf("{from: %d, to: %d}", e.Unsure.From, e.Unsure.To)
		}
		t.Add(e.Question, len(e.Hits), percentages(e.Hits), len(e.Misses), percentages(e.Misses),
			e.Right, e.Open, says)
	}
	t.Notes = []string{"P(yes): the lowest and the highest probability, in percent; right, open: " +
		"by the ranges that the file has now.", "unsure: write it into the question. Then at " +
		"most 10 % of the dialogues like the hits are answered no, and at most 10 % of those " +
		"like the misses yes (with n < 9 examples, one in n+1)."}
	p.Table(t)
	say := func(format string, a ...any) {
		p.Paragraph(ui.Plain, "", "  ", fmt.Sprintf(format, a...))
	}
	for _, e := range r.Questions {
		if e.Unanswered > 0 {
			say("%s: the model did not answer %s, which the table leaves out", e.Question,
				ui.Counted(e.Unanswered, "example"))
		}
		for _, w := range e.Wrong {
			say("%s is answered wrongly in the example on line %d: yes with a probability of "+
				"%d.%d %%", e.Question, w.Line, w.Yes/10, w.Yes%10)
		}
	}
}

// percentages returns the lowest and the highest of probabilities in thousandths, in percent.
func percentages(list []int) string {
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%d to %d", slices.Min(list)/10, (slices.Max(list)+9)/10)
}
