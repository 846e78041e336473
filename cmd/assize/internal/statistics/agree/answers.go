package agree

import (
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// answered is the measure of the answers to a question of a scorecard.
const answered = "answer"

// answerCounts counts the dialogues by the answers of people and of the scorecard to a question.
type answerCounts struct {
	Question string `json:"question"`
	Yes      int    `json:"both_yes"`
	No       int    `json:"both_no"`
	PeopleNo int    `json:"people_no"` // where the scorecard says yes
	JudgeNo  int    `json:"judge_no"`  // where people say yes
	// only one side says yes or no; the other says that it does not apply or leaves it open
	OneSided int `json:"one_sided"`
}

// Questions returns the questions that the checklists of rows answer, in order of first appearance.
func Questions(rows []*run.Row) (list []string) {
	seen := map[string]bool{}
	for _, r := range rows {
		if r.Checklist == nil {
			continue
		}
		for _, a := range r.Checklist.Answers {
			if !seen[a.Question] {
				seen[a.Question] = true
				list = append(list, a.Question)
			}
		}
	}
	return list
}

// countAnswers sets Answers: the counts of each question that people answered.
func (rep *Report) countAnswers(rated []ratings.Rated) {
	var rows []*run.Row
	for i := range rated {
		if len(rated[i].Answers) > 0 {
			rows = append(rows, rated[i].Row)
		}
	}
	for _, q := range Questions(rows) {
		n, some := answerCounts{Question: q}, false
		for i := range rated {
			people, judge := rated[i].Answers[q], rated[i].Row.Checklist.Answer(q)
			some = some || people != ""
			switch {
			case people == "" || judge == "":
			case people == judge && judge == rubric.Yes:
				n.Yes++
			case people == judge && judge == rubric.No:
				n.No++
			case people == rubric.No && judge == rubric.Yes:
				n.PeopleNo++
			case people == rubric.Yes && judge == rubric.No:
				n.JudgeNo++
			case people.IsClosed() || judge.IsClosed():
				n.OneSided++
			}
		}
		if some {
			rep.Answers = append(rep.Answers, n)
		}
	}
}

// measureAnswers adds the agreement about a question to m, over the dialogues of the group for
// which both sides say yes or no.
func measureAnswers(m *calculator, question string, group []ratings.Rated) {
	var units, people, judge []int
	level := map[rubric.Answer]int{rubric.Yes: 1}
	for i := range group {
		p, j := group[i].Answers[question], group[i].Row.Checklist.Answer(question)
		if p.IsClosed() && j.IsClosed() {
			units, people, judge = append(units, i), append(people, level[p]),
				append(judge, level[j])
		}
	}
	same := make([]float64, len(units))
	for i := range same {
		if people[i] == judge[i] {
			same[i] = 1
		}
	}
	m.add(units, keys(question, answered, sameAnswer, answerKappa), len(units), answeredDialogues,
		func(times []int) []float64 {
			return []float64{stats.Mean(same, times), stats.Kappa(judge, people, times)}
		})
}

// showAnswers writes a table of the answers to each question.
func (rep *Report) showAnswers(p *ui.Page) {
	var rows []row
	for i := range rep.Answers {
		a := &rep.Answers[i]
		rows = append(rows, row{a.Question, rep.Mean,
			keys(a.Question, answered, sameAnswer, answerKappa),
			[]any{a.n(), a.Yes, a.No, a.PeopleNo, a.JudgeNo, a.OneSided}})
	}
	rep.show(p, "Answers to the scorecard", []string{"same", "kappa", "n", "yes", "no",
		"people no", "judge no", "one side"}, rows,
		"same: the share of n, the dialogues for which people and the scorecard say yes or no; "+
			"people no: people say no and the scorecard yes; one side: only one of them says "+
			"yes or no.")
}

// n returns the number of dialogues for which both sides say yes or no.
func (a *answerCounts) n() int { return a.Yes + a.No + a.PeopleNo + a.JudgeNo }
