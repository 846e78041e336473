package summary

import (
	"fmt"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Answered counts the answers to a question of a scorecard.
type Answered struct {
	rubric.Question
	Good, Bad, Open int
}

// BadAnswer returns the answer that is not in favour of the SYSTEM.
func (a *Answered) BadAnswer() rubric.Answer {
	if a.GoodAnswer() == rubric.No {
		return rubric.Yes
	}
	return rubric.No
}

// Share returns the share of good answers with its 95 % interval (Wilson): "75.0 % 46.8–91.1 %", or
// "–" without any.
func (a *Answered) Share() string {
	n := float64(a.Good + a.Bad)
	if n == 0 {
		return "–"
	}
	in := stats.Wilson(float64(a.Good)/n, n, stats.StudentT(max(n-1, 1), .975))
	return fmt.Sprintf("%.1f %% %.1f–%.1f %%", 100*in.Value, 100*in.Low, 100*in.High)
}

// QuestionTable returns a table of the answers to the questions of a rubric, or nil if no dialogue
// has answers.
func (s *Summary) QuestionTable(r rubric.Rubric) *ui.Table {
	list := s.Answered([]*run.Header{{Basis: run.Basis{Rubric: r}}})
	if len(list) == 0 {
		return nil
	}
	t := ui.NewTable("Scorecard: numbers of answers, and the good as a share of good and bad",
		"question", "good>", "bad>", "open>", "% good with 95 % interval")
	for i := range list {
		t.Add(list[i].ID, list[i].Good, list[i].Bad, list[i].Open, list[i].Share())
	}
	return t
}

// Answered returns the counts of answers to the questions of the runs with the given headers.
// Questions that no dialogue answers are left out.
func (s *Summary) Answered(headers []*run.Header) (list []Answered) {
	known := map[string]bool{}
	for _, h := range headers {
		for _, q := range h.Basis.Rubric.Questions {
			if n := s.answers[q.ID]; n != nil && !known[q.ID] {
				known[q.ID] = true
				a := Answered{Question: q, Open: n[rubric.Open]}
				a.Good, a.Bad = n[q.GoodAnswer()], n[a.BadAnswer()]
				list = append(list, a)
			}
		}
	}
	return list
}
