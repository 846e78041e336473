package agree

import (
	"slices"

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
	Question    string `json:"question"`
	Yes         int    `json:"both_yes"`
	No          int    `json:"both_no"`
	PeopleNo    int    `json:"people_no"`    // where the scorecard says yes
	ScorecardNo int    `json:"scorecard_no"` // where people say yes
	// only one side says yes or no; the other says that it does not apply or leaves it open
	OneSided int `json:"one_sided"`
	Tied     int `json:"people_tied"` // as many people say one as the other
}

// Questions returns the questions that the checklists of rows answer, in order of first appearance.
func Questions(rows []*run.Row) (list []string) {
	for _, r := range rows {
		if r.Checklist == nil {
			continue
		}
		for _, a := range r.Checklist.Answers {
			if !slices.Contains(list, a.Question) {
				list = append(list, a.Question)
			}
		}
	}
	return list
}

// countAnswers sets Answers: the counts of each question that people answered, or whose answers
// differ between dialogues that they rated.
func (rep *Report) countAnswers(rated []ratings.Rated) {
	rows := ui.Each(rated, func(r ratings.Rated) *run.Row { return r.Row })
	for _, q := range Questions(rows) {
		n, some, differ := answerCounts{Question: q}, false, map[rubric.Answer]bool{}
		both := map[[2]rubric.Answer]int{} // by the answers of people and of the scorecard
		for i := range rated {
			people, isGiven := rated[i].Answers[q]
			judge := rated[i].Row.Checklist.Answer(q)
			if some = some || isGiven; isGiven && people == "" {
				n.Tied++
			}
			if rated[i].Overall != nil && judge.IsClosed() {
				differ[judge] = true
			}
			both[[2]rubric.Answer{people, judge}]++
			if people != "" && judge != "" && people.IsClosed() != judge.IsClosed() {
				n.OneSided++
			}
		}
		const yes, no = rubric.Yes, rubric.No
		n.Yes, n.No = both[[2]rubric.Answer{yes, yes}], both[[2]rubric.Answer{no, no}]
		n.PeopleNo = both[[2]rubric.Answer{no, yes}]
		n.ScorecardNo = both[[2]rubric.Answer{yes, no}]
		if some || len(differ) > 1 || rep.Options.Questions {
			rep.Answers = append(rep.Answers, n)
		}
	}
}

// measureAnswers adds the agreement about a question to m, over the dialogues of the group for
// which both sides say yes or no, and the correlation of yes with people's ratings.
func measureAnswers(m *calculator, question string, group []ratings.Rated) {
	var units, people, judge, rated []int
	var means, says []float64 // of rated dialogues: the rating, and 1 for yes
	var same []float64        // 1 where both sides say the same
	level := map[rubric.Answer]int{rubric.Yes: 1}
	for i := range group {
		p, j := group[i].Answers[question], group[i].Row.Checklist.Answer(question)
		if group[i].Overall != nil && j.IsClosed() {
			rated, means = append(rated, i), append(means, group[i].Mean())
			says = append(says, float64(level[j]))
		}
		if p.IsClosed() && j.IsClosed() {
			units, people, judge = append(units, i), append(people, level[p]),
				append(judge, level[j])
			same = append(same, map[bool]float64{true: 1}[p == j])
		}
	}
	m.add(units, keys(question, answered, sameAnswer, answerKappa), len(units), answeredDialogues,
		func(times []int) []float64 {
			return []float64{stats.Mean(same, times), stats.Kappa(judge, people, times)}
		})
	pairs := stats.NewPairs(says, means)
	m.add(rated, keys(question, answered, yesRating), len(rated), ratedAnswers,
		func(times []int) []float64 { return []float64{pairs.Spearman(times)} })
}

// showAnswers writes a table of how the answer to each question goes with people's ratings, and one
// of people's own answers. It returns what show returns.
func (rep *Report) showAnswers(p *ui.Page) (why []string) {
	var rated, rows []row
	for _, a := range rep.Answers {
		of, n := keys(a.Question, answered, yesRating, sameAnswer, answerKappa), 0
		for _, g := range rep.Groups {
			n += rep.Of(g.Figures, of[0]).N
		}
		if n > 0 || rep.Options.Questions {
			rated = append(rated, row{a.Question, rep.Mean, of[:1], []any{n}})
		}
		if a.n()+a.OneSided+a.Tied > 0 {
			rows = append(rows, row{a.Question, rep.Mean, of[1:],
				[]any{a.n(), a.Yes, a.No, a.PeopleNo, a.ScorecardNo, a.OneSided, a.Tied}})
		}
	}
	why = rep.show(p, "Answers of the scorecard, and people's ratings", []string{"Spearman", "n"},
		rated, texts.Say("answers and ratings", nil))
	return append(why, rep.show(p, "Answers to the scorecard", []string{"same", "kappa", "n",
		"yes", "no", "people", "scorecard", "one side", "tied"}, rows,
		texts.Say("answers", nil))...)
}

// n returns the number of dialogues for which both sides say yes or no.
func (a *answerCounts) n() int { return a.Yes + a.No + a.PeopleNo + a.ScorecardNo }
