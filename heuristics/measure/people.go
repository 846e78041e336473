package measure

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// answers are what people answered about dialogues: the mean answer by dialogue and question.
type answers map[string]map[string]float64

// of returns the answer to a question about a dialogue.
func (a answers) of(question string) func(*Judged) float64 {
	return func(j *Judged) float64 { return a[j.ID][question] }
}

// rated judges the dialogues of a part of a shared set. It also reads the answers to some questions
// about them from a table, and their sum.
func (s *Sets) rated(p Part, folder, name string, questions ...string) ([]*Judged, answers, error) {
	rows, err := s.sharedTable(folder, name)
	if err != nil {
		return nil, nil, err
	}
	all, raters := answers{}, map[string]float64{}
	for i, row := range rows {
		id := row["dialogue_id"]
		if all[id] == nil {
			all[id] = map[string]float64{}
		}
		raters[id]++
		for _, q := range questions {
			v, err := strconv.ParseFloat(row[q], 64)
			if err != nil {
				return nil, nil, fmt.Errorf("%s/%s:%d: %s: %w", folder, name, i+2, q, err)
			}
			all[id][q] += v
			all[id]["sum"] += v
		}
	}
	for id, of := range all {
		for q := range of {
			of[q] /= raters[id]
		}
	}
	list, err := s.judgeShared(folder, "dialogues.jsonl",
		func(id string) bool { return PartOf(id) == p })
	return list, all, err
}

func (s *Sets) helpdesk(p Part) (Figures, error) {
	list, people, err := s.rated(p, "helpdesk", "ratings.csv", "satisfaction", "accomplishment",
		"effectiveness")
	if err != nil {
		return nil, err
	}
	apart := []rubric.Criterion{rubric.TaskSuccess, rubric.Accuracy, rubric.Understanding,
		rubric.Empathy}
	sum, pairs := 0.0, 0.0
	for i, x := range apart {
		for _, y := range apart[i+1:] {
			sum += stat.Correlation(column(list, score(x)), column(list, score(y)), nil)
			pairs++
		}
	}
	return Figures{
		"helpdesk: satisfaction": with(list, estimate, people.of("satisfaction")),
		"helpdesk: average":      with(list, average, people.of("satisfaction")),
		"helpdesk: TaskSuccess with accomplishment": with(list, score(rubric.TaskSuccess),
			people.of("accomplishment")),
		"helpdesk: Helpfulness with effectiveness": with(list, score(rubric.Helpfulness),
			people.of("effectiveness")),
		"helpdesk: mean correlation of four criteria": sum / pairs,
	}, nil
}

// outcomes compares the panel with what the users of task dialogues said: whether the task was
// done. A third of the dialogues is for reporting.
func (s *Sets) outcomes(p Part) (Figures, error) {
	rows, err := s.sharedTable("outcomes", "star.csv")
	if err != nil {
		return nil, err
	}
	wasDone := map[string]bool{}
	for _, row := range rows {
		wasDone[row["id"]] = row["done"] == "1"
	}
	list, err := s.judgeShared("outcomes", "star.jsonl",
		func(id string) bool { return partOf(id, 3) == p })
	if err != nil {
		return nil, err
	}
	failed := slices.DeleteFunc(slices.Clone(list), func(j *Judged) bool { return wasDone[j.ID] })
	done := slices.DeleteFunc(list, func(j *Judged) bool { return !wasDone[j.ID] })
	of := func(figure func(*Judged) float64) float64 {
		return auc(column(done, figure), column(failed, figure))
	}
	high := func(j *Judged) bool { return j.Average >= 80*100 }
	low := func(j *Judged) bool { return j.Average <= 40*100 }
	return Figures{
		"outcomes: AUC of the average":                      of(average),
		"outcomes: AUC of satisfaction":                     of(estimate),
		"outcomes: failures with an average of 80 or more":  share(failed, high),
		"outcomes: successes with an average of 40 or less": share(done, low),
	}, nil
}

func (s *Sets) empathy(p Part) (Figures, error) {
	list, people, err := s.rated(p, "empathy", "levels.csv", "emotional_reaction",
		"interpretation", "exploration")
	if err != nil {
		return nil, err
	}
	return Figures{
		"empathy: sum of the levels": with(list, score(rubric.Empathy), people.of("sum")),
		"empathy: emotional_reaction": with(list, score(rubric.Empathy),
			people.of("emotional_reaction")),
	}, nil
}

// fluency combines five sentences of a part into one dialogue, in the original and the corrected
// form.
func (s *Sets) fluency(p Part) (Figures, error) {
	name, err := s.shared("fluency", "pairs.tsv")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var pairs [][]string
	for i, line := range strings.Split(strings.TrimRight(string(text), "\r\n"), "\n") {
		if i > 0 && PartOf(strconv.Itoa(i)) == p {
			pairs = append(pairs, strings.Split(strings.TrimRight(line, "\r"), "\t"))
		}
	}
	var right, wrong, low, n float64
	for group := range slices.Chunk(pairs, 5) {
		if len(group) < 5 {
			break
		}
		var scores [2]float64 // original, corrected
		for side := range scores {
			var d dialogue.Dialogue
			for _, pair := range group {
				d.Turns = append(d.Turns, dialogue.Turn{Role: dialogue.User, Text: "Go on."},
					dialogue.Turn{Role: dialogue.System, Text: strings.TrimSpace(pair[side])})
			}
			j, err := Judge(s.Panel, "", d)
			if err == nil && j == nil {
				err = fmt.Errorf("%s: a group of sentences is unscored", name)
			}
			if err != nil {
				return nil, err
			}
			scores[side] = j.Score(rubric.Fluency)
		}
		n++
		switch {
		case scores[1] > scores[0]:
			right++
		case scores[1] < scores[0]:
			wrong++
		}
		if scores[1] < 80 {
			low++
		}
	}
	return Figures{
		"fluency: right": right / n, "fluency: wrong": wrong / n,
		"fluency: corrected text below 80": low / n,
	}, nil
}

// uss compares the panel with the ratings of USS, which is reported as a whole: both parts contain
// all of its four sets.
func (s *Sets) uss(Part) (Figures, error) {
	means := Figures{}
	names := []string{"CCPE", "MWOZ", "ReDial", "SGD"}
	for _, set := range names {
		list, err := s.judgeShared("uss", set+".txt", func(string) bool { return true })
		if err != nil {
			return nil, err
		}
		people := column(list, (*Judged).rating)
		cut := Quantile(people, .2)
		var worst, rest []float64 // by satisfaction
		for i, j := range list {
			if people[i] < cut {
				worst = append(worst, j.Satisfaction)
			} else {
				rest = append(rest, j.Satisfaction)
			}
		}
		of := Figures{
			"USS: satisfaction":                     with(list, estimate, (*Judged).rating),
			"USS: average":                          with(list, average, (*Judged).rating),
			"USS: worst fifth by satisfaction, AUC": 1 - auc(worst, rest),
			"USS: worst among the lowest tenth":     precision(worst, rest, .1),
		}
		for name, value := range of {
			means[name] += value / float64(len(names))
		}
		if set == "MWOZ" || set == "SGD" {
			low := share(list, func(j *Judged) bool { return j.Score(rubric.Fluency) < 80 })
			means["USS: Fluency below 80 on "+set] = low
		}
	}
	return means, nil
}
