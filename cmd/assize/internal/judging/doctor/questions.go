package doctor

import (
	"context"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/stats"
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

// Percent returns P(yes) in percent.
func (w Wrong) Percent() stats.Fixed { return stats.Fixed{Value: float64(w.Yes) / 10, Decimals: 1} }

// AskExamples asks a model about the examples of each question of a scorecard that a model answers.
// It calls progress before the first example and after each.
func AskExamples(ctx context.Context, o localllm.Options, card rubric.Rubric,
	progress func(model string, done, of int)) (*QuestionReport, error) {
	r, all := &QuestionReport{Version: 1}, 0
	asked := ui.Without(card.Questions, func(q rubric.Question) bool {
		return q.By != rubric.ByModel && q.By != rubric.ByBoth
	})
	for _, q := range asked {
		all += len(q.Hit) + len(q.Miss)
	}
	if all == 0 {
		return nil, texts.Error("no examples")
	}
	agents, done := heuristics.New(), 0
	model, err := localllm.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	r.Model = model.Identity()
	progress(o.Model, done, all)
	for i := range asked {
		q := &asked[i]
		e := Examples{Question: q.ID}
		for at, x := range slices.Concat(q.Hit, q.Miss) {
			want, list := rubric.Yes, &e.Hits
			if at >= len(q.Hit) {
				want, list = rubric.No, &e.Misses
			}
			p, answered, err := askExample(ctx, agents, model, q, x)
			if err != nil {
				return nil, err
			}
			done++
			progress(o.Model, done, all)
			if !answered {
				e.Unanswered++
				continue
			}
			*list = append(*list, p)
			switch q.ByProbability(p) {
			case want:
				e.Right++
			case rubric.Open:
				e.Open++
			default:
				e.Wrong = append(e.Wrong, Wrong{x.Line, p})
			}
		}
		e.Unsure = unsureRange(e.Hits, e.Misses)
		r.Questions = append(r.Questions, e)
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
	err = session.AskScorecard(ctx, c, []rubric.Question{*q})
	account := session.Account()
	p, answered = account.Scorecard()[q.ID]
	return p, answered, err
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
	t.Notes = texts.List("examples", nil)
	p.Table(t)
	for _, e := range r.Questions {
		for _, s := range texts.List("wrong", e) {
			p.Paragraph(ui.Plain, "", "  ", s)
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
