package run

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Values returns the values of a dialogue that tables and JSON objects contain, by name. Values
// that depend on scores are missing if it is unscored.
func (r *Row) Values() table.Values {
	scored := func(value any) any { return table.Only(r.Scored(), value) }
	v := table.Values{
		"file": r.File, "number": r.ID, "name": r.Name, "identity": r.Identity,
		"agent": r.Agent, "queue": r.Queue, "day": r.Day, "turns": r.Turns, "reason": r.Reason,
		"status":       map[bool]string{true: "scored", false: "unscored"}[r.Scored()],
		"ratings":      strings.Trim(fmt.Sprint(r.Ratings), "[]"),
		"rating":       table.Only(len(r.Ratings) > 0, rating(stats.Mean(r.Ratings, nil))),
		"satisfaction": scored(r.Satisfaction),
		"average":      scored(r.Average),
		"overall":      scored(r.Overall),
		"changes":      scored(r.changes()),
		"level":        scored(strings.TrimPrefix(strconv.Itoa(r.Level), "0")),
		"flagged":      scored(r.Flagged),
		"disagreement": table.Only(r.CrossCheck != nil, r.disagreement()),
		ChecklistName:  nil,
	}
	if len(r.Ratings) == 1 {
		v["ratings"] = r.Ratings[0]
	}
	scores := map[string]rubric.Score{}
	for i, c := range rubric.Criteria() {
		v[c.String()], scores[c.String()] = scored(r.Final[i]), r.Final[i]
	}
	v["scores"] = scored(scores)
	v["not_shown"] = strings.Trim(fmt.Sprint(r.Unshown.List()), "[]")
	for i, name := range ClaimNames() {
		v[name] = int(r.Deeds[i])
	}
	if score := r.Checklist.Value(); score != nil {
		v[ChecklistName] = *score
	}
	if r.Checklist != nil {
		for _, a := range r.Checklist.Answers {
			v[AnswerName(a.Question)] = string(a.Answer)
		}
	}
	for id, a := range r.Facts {
		v[AnswerName(id)] = string(a)
	}
	return v
}

// ClaimName is the name of the gates on claims, and begins those of the columns with their numbers.
const ClaimName = "claim"

// ClaimNames returns the columns with the numbers of claims by state.
func ClaimNames() table.Format {
	return ui.Each(rubric.DeedStates(),
		func(state rubric.DeedState) string { return ClaimName + "_" + string(state) })
}

// ChecklistScore returns the scorecard's score in hundredths of a percent, or NaN if it has none.
func ChecklistScore(r *Row) float64 {
	if score := r.Checklist.Value(); score != nil {
		return float64(*score)
	}
	return math.NaN()
}

// ChecklistName is the name of the checklist's score in tables, thresholds and orders.
const ChecklistName = "checklist"

// AnswerName returns the name of an answer in [Row.Values], which no other value can have.
func AnswerName(question string) string { return "? " + question }

// QuestionNames returns the columns of a checklist's score and of its answers.
func QuestionNames(c *rubric.Checklist) table.Format {
	return append(table.Format{ChecklistName}, ui.Each(c.Answers,
		func(a rubric.Judged) string { return AnswerName(a.Question) + " as " + a.Question })...)
}

// rating is a mean rating, which prints with up to two decimals.
type rating float64

func (m rating) String() string {
	return strconv.FormatFloat(math.Round(100*float64(m))/100, 'f', -1, 64)
}

// changes lists the scores that the Referee changed, such as "Accuracy 80>60 R3-contradicted".
func (r *Row) changes() string {
	var list []string
	for i, before := range r.Proposed {
		if after := r.Final[i]; before != after {
			list = append(list, fmt.Sprintf("%s %d>%d %s", rubric.Criterion(i), before, after,
				r.Rulings[i]))
		}
	}
	return strings.Join(list, "; ")
}

var texts = prose.Of("run")

//go:embed columns.txt
var columns string

// Columns returns the columns of an output in columns.txt, such as "triage csv", which must exist.
func Columns(output string) table.Format {
	all := strings.NewReplacer("\n\t", " ", "criteria", strings.Join(ScoreNames(), ", "))
	_, list, found := strings.Cut(all.Replace(columns), "\n"+output+": ")
	if !found {
		panic("no output is called " + output)
	}
	list, _, _ = strings.Cut(list, "\n")
	return strings.Split(list, ", ")
}

// ScoreNames returns the names of the final scores on the criteria, in their order.
func ScoreNames() table.Format {
	criteria := rubric.Criteria()
	return ui.Each(criteria[:], rubric.Criterion.String)
}
