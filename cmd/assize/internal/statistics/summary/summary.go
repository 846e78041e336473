// Package summary summarizes many dialogues: totals and means, groups, thresholds that scores must
// reach, and the turns at which dialogues go wrong.
package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

var texts = prose.Of("summary")

// Summary counts dialogues. Unscored ones are in no mean.
type Summary struct {
	Scored, Unscored int
	Reasons          map[string]int // of the unscored dialogues
	Duplicates       int            // dialogues that [Summary.AddOnce] left out
	Changed          int            // dialogues in which the Referee changed a score
	Overall          [len(rubric.Scale)]int
	Satisfactions    [501]int // by satisfaction in hundredths
	Criteria         [rubric.NumCriteria]Counts
	All              Counts // of the criteria together

	CrossChecked int // dialogues scored by both rules and model
	// Apart counts these by their disagreement, in steps of half a level: 0.00 to 0.49, …, 4.00.
	Apart   [9]int
	Model   Usage
	answers map[string]int // to questions and facts of scorecards, such as "identified: no"
	copies  run.Copies
	Deeds   rubric.DeedCounts // of deeds

	average, satisfaction, disagreement int // sums in hundredths
}

// Counts are numbers of dialogues for one criterion or for all criteria together.
type Counts struct {
	N               int                        `json:"-"`        // scores
	Levels          [len(rubric.Scale)]int     `json:"levels"`   // by score, lowest first
	Unshown         [len(rubric.Scale)]int     `json:"unshown"`  // those that nothing shows
	Rulings         [rubric.Majority + 1]int   `json:"rulings"`  // by ruling
	Raised, Lowered int                        `json:"-"`        // by the Referee
	Verdicts        [rubric.Contradict + 1]int `json:"verdicts"` // rules and model

	sum, squares int // of the scores
}

// AddOnce counts a dialogue, unless it is equal to an earlier one by [run.Row.Copy].
func (s *Summary) AddOnce(row *run.Row) {
	if s.copies.Again(row) {
		s.Duplicates++
	} else {
		s.Add(row)
	}
}

// Add counts a dialogue.
func (s *Summary) Add(row *run.Row) {
	if s.answers == nil {
		s.Reasons, s.answers = map[string]int{}, map[string]int{}
	}
	if !row.Scored() {
		s.Unscored++
		s.Reasons[row.Reason]++
		return
	}
	s.Scored++
	for i, n := range row.Deeds {
		s.Deeds[i] += n
	}
	s.Overall[row.Overall.Level()]++
	s.average += int(row.Average)
	s.satisfaction += int(row.Satisfaction)
	s.Satisfactions[row.Satisfaction]++
	if row.Proposed != row.Final {
		s.Changed++
	}
	for i := range s.Criteria {
		s.Criteria[i].add(row, i)
		s.All.add(row, i)
	}
	if k := row.CrossCheck; k != nil {
		s.CrossChecked++
		s.disagreement += int(k.Disagreement)
		s.Apart[min(int(k.Disagreement)/50, len(s.Apart)-1)]++
	}
	for fact, a := range row.Facts {
		s.answers[fact+": "+string(a)]++
	}
	if row.Checklist != nil {
		for _, a := range row.Checklist.Answers {
			s.answers[a.Question+": "+string(a.Answer)]++
		}
	}
}

// Average returns the mean of the weighted averages, 20.00 to 100.00. Like the other means, it is 0
// if nothing is scored.
func (s *Summary) Average() rubric.Hundredths { return mean(s.average, s.Scored) }

// Satisfaction returns the mean of the estimated ratings, 1.00 to 5.00.
func (s *Summary) Satisfaction() rubric.Hundredths { return mean(s.satisfaction, s.Scored) }

// Criterion returns the mean of the final scores of c.
func (s *Summary) Criterion(c rubric.Criterion) rubric.Hundredths {
	return mean(100*s.Criteria[c].sum, s.Scored)
}

// Disagreement returns the mean disagreement of model and rules, in levels.
func (s *Summary) Disagreement() rubric.Hundredths { return mean(s.disagreement, s.CrossChecked) }

// mean returns sum/n rounded to the nearest hundredth, halves up.
func mean(sum, n int) rubric.Hundredths {
	if n == 0 {
		return 0
	}
	return rubric.Hundredths((2*sum + n) / (2 * n))
}

// Below returns the number of dialogues whose OverallExperience is below [Low].
func (s *Summary) Below() int { return ui.Sum(s.Overall[:Low.Level()]) }

func (c *Counts) add(row *run.Row, criterion int) {
	before, after := row.Proposed[criterion], row.Final[criterion]
	c.N++
	c.sum += int(after)
	c.squares += int(after) * int(after)
	c.Levels[after.Level()]++
	if row.Unshown.Has(rubric.Criterion(criterion)) {
		c.Unshown[after.Level()]++
	}
	c.Rulings[row.Rulings[criterion]]++
	if after > before {
		c.Raised++
	} else if after < before {
		c.Lowered++
	}
	if row.CrossCheck != nil {
		c.Verdicts[row.CrossCheck.Criteria[criterion].Verdict()]++
	}
}

// NotShown returns the share of scores that no dialogue shows, such as "51 % not shown", or "".
func (c *Counts) NotShown() string {
	n := ui.Sum(c.Unshown[:])
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %% not shown", 100*float64(n)/float64(c.N))
}

// Deviation returns the population standard deviation of the scores, or 0 if there are none.
func (c *Counts) Deviation() float64 {
	n := max(c.N, 1)
	return math.Sqrt(float64(n*c.squares-c.sum*c.sum)) / float64(n)
}

// Objections returns the number of scores that the Critic objected to.
func (c *Counts) Objections() int { return c.N - c.Rulings[rubric.Agreed] }

// Followed returns the number of these that the Referee changed.
func (c *Counts) Followed() int { return c.Raised + c.Lowered }

// Sentences returns the totals in words, the headline first, followed by duplicates, the reasons
// for unscored dialogues, the cross-check, and the model's work.
func (s *Summary) Sentences() []string {
	return append(texts.List("summary", s), s.ModelSentences()...)
}

// Dialogues returns the number of dialogues, scored or not.
func (s *Summary) Dialogues() int { return s.Scored + s.Unscored }

// ModelSentences reports how well rules and model agree, and the model's work, if there is one.
func (s *Summary) ModelSentences() []string { return texts.List("model", s) }

// Tables returns the distribution of the OverallExperience and the means, if anything is scored.
func (s *Summary) Tables() []*ui.Table {
	if s.Scored == 0 {
		return nil
	}
	const bar = 40
	levels := ui.NewTable("OverallExperience", "score>", "", "dialogues>", "share>")
	for i, score := range slices.Backward(rubric.Scale[:]) {
		n := s.Overall[i]
		cells := strings.Repeat("█", (n*bar+s.Scored-1)/s.Scored)
		levels.Add(score, ui.Cell{Text: cells, Style: ScoreStyle(score)}, n,
			ui.Percent(n, s.Scored))
	}
	means := ui.NewTable("Means", "of", "mean>")
	means.Add("weighted average", s.Average())
	means.Add("satisfaction (1 to 5)", s.Satisfaction())
	for _, c := range rubric.Criteria() {
		means.Add(c, s.Criterion(c))
	}
	return []*ui.Table{levels, means}
}

// ScoreStyle returns the colour of a score.
func ScoreStyle(s rubric.Score) ui.Style {
	switch {
	case s >= 80:
		return ui.Green
	case s >= 60:
		return ui.Yellow
	}
	return ui.Red
}

// Answered counts the answers to a question of a scorecard, or to a fact, whose good answer is
// [run.FactAgrees] and which is open in a dialogue in which the SYSTEM does not state it.
type Answered struct {
	rubric.Question
	Good, Bad, Open int
}

// BadAnswer returns the answer that is not in favour of the SYSTEM.
func (a *Answered) BadAnswer() rubric.Answer {
	return map[rubric.Answer]rubric.Answer{rubric.Yes: rubric.No, rubric.No: rubric.Yes,
		run.FactAgrees: run.FactContradicted}[a.GoodAnswer()]
}

// Share returns the share of good answers with its interval by [stats.Wilson] and Student's t:
// "75.0 % 46.8–91.1 %", or "–".
func (a *Answered) Share() string {
	n := float64(a.Good + a.Bad)
	if n == 0 {
		return "–"
	}
	in := stats.Wilson(float64(a.Good)/n, n, stats.StudentT(max(n-1, 1), .975))
	low := stats.Fixed{Value: 100 * in.Low, Decimals: 1}
	return fmt.Sprintf("%s %s–%s %%", ui.Percent(a.Good, a.Good+a.Bad), low,
		stats.Fixed{Value: 100 * in.High, Decimals: 1})
}

// QuestionTable returns a table of the answers to the questions and facts of a rubric, empty for
// none.
func (s *Summary) QuestionTable(r rubric.Rubric) *ui.Table {
	list := s.Answered([]*run.Header{{Basis: run.Basis{Rubric: r}}})
	t := ui.NewTable("Scorecard: dialogues by answer, and the share of good in good and bad",
		"question or fact", "good>", "bad>", "open>", "% good with 95 % interval")
	for i := range list {
		t.Add(list[i].ID, list[i].Good, list[i].Bad, list[i].Open, list[i].Share())
	}
	t.Notes = s.CardNotes(list)
	return t
}

// CardNotes says how to read the counts of facts, and which questions apply to no dialogue.
func (s *Summary) CardNotes(list []Answered) ui.Sentences {
	return texts.List("card", struct {
		*Summary
		List  []Answered
		Least int
	}{s, list, minScored})
}

// Answered returns the counts of answers to the questions and facts of the runs with the given
// headers. Questions that no dialogue answers are left out.
func (s *Summary) Answered(headers []*run.Header) (list []Answered) {
	known := map[string]bool{}
	for _, h := range headers {
		all := slices.Clone(h.Basis.Rubric.Questions)
		for _, f := range h.Basis.Rubric.Facts {
			all = append(all, rubric.Question{ID: f.ID, Ask: f.Says(), Good: run.FactAgrees})
		}
		for _, q := range all {
			n := func(is rubric.Answer) int { return s.answers[q.ID+": "+string(is)] }
			a := Answered{Question: q, Good: n(q.GoodAnswer()), Open: n(rubric.Open)}
			if a.Bad = n(a.BadAnswer()); q.Good == run.FactAgrees {
				a.Open = s.Scored - a.Good - a.Bad
			}
			if !known[q.ID] && a.Good+a.Bad+a.Open+n(rubric.NotApplicable) > 0 {
				known[q.ID] = true
				list = append(list, a)
			}
		}
	}
	return list
}
