package localllm

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"assize/rubric"
)

// rating is what the model gave for one criterion, before code has made sentences of it. The zero rating is missing.
type rating struct {
	score rubric.Score
	turns []int  // the evidence
	why   string // as the model wrote it
}

// answer holds the ratings by criterion.
type answer [rubric.NumCriteria]rating

// parseCard reads the ratings of criteria from what the model wrote, and trusts nothing: a server may ignore the
// schema. The answer holds what is valid even where a failure is named for the rest.
func parseCard(text string, criteria []rubric.Criterion, turns citable) (a answer, f *Failure) {
	if strings.TrimSpace(text) == "" {
		return a, failure(EmptyAnswer, "the model answered nothing")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(unfenced(text)), &members); err != nil || members == nil {
		return a, failure(NotJSON, "the answer is not the JSON that was asked for").raw(text)
	}
	var why map[string]any
	_ = json.Unmarshal(members["why"], &why) // reasons are optional
	for _, c := range criteria {
		r, wrong := parseRating(c, members[c.String()], turns(c))
		if wrong == nil {
			r.why, _ = why[c.String()].(string)
			a[c] = r
		} else if f == nil {
			f = wrong.raw(text)
		}
	}
	return a, f
}

func parseRating(c rubric.Criterion, member json.RawMessage, turns []int) (rating, *Failure) {
	var in struct{ Turn, Score *json.Number }
	if len(member) == 0 || json.Unmarshal(member, &in) != nil || in.Turn == nil || in.Score == nil {
		return rating{}, failure(MissingCriterion, "%s has no turn and score", c)
	}
	score, err := in.Score.Int64()
	if err != nil || score < 0 || score > 100 || !rubric.Score(score).Valid() {
		return rating{}, failure(OffScale, "%s has the score %s; want 20, 40, 60, 80 or 100", c, plain(in.Score.String()))
	}
	turn, err := in.Turn.Int64()
	if err != nil || !slices.Contains(turns, int(turn)) {
		return rating{}, failure(NoSuchTurn, "%s cites turn %s, which cannot be cited for it", c, plain(in.Turn.String()))
	}
	return rating{score: rubric.Score(score), turns: []int{int(turn)}}, nil
}

// parseBetter reads the answer to a closed question: A or B.
func parseBetter(text string) (string, *Failure) {
	if strings.TrimSpace(text) == "" {
		return "", failure(EmptyAnswer, "the model answered nothing")
	}
	var in struct{ Better string }
	if err := json.Unmarshal([]byte(unfenced(text)), &in); err != nil || in.Better != "A" && in.Better != "B" {
		return "", failure(NotJSON, "the answer is neither A nor B").raw(text)
	}
	return in.Better, nil
}

// unfenced removes the marks of a code block, in which models without a schema wrap JSON.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		inner = strings.TrimSpace(strings.TrimPrefix(inner, "json"))
		return strings.TrimSpace(strings.TrimSuffix(inner, "```"))
	}
	return text
}

// countsUp reports whether the turns that a whole answer cites just count upwards, in the order of the criteria.
func (a *answer) countsUp(order []rubric.Criterion) bool {
	for i := 1; i < len(order); i++ {
		if a[order[i]].turns[0] <= a[order[i-1]].turns[0] {
			return false
		}
	}
	return true
}

// merge joins the ratings of a dialogue's windows. The end of the dialogue shows whether the goal was reached, so
// TaskSuccess is the last window's. Every other score is the mean, weighted by turns, at its nearest level, the lower
// of two; its evidence is from the windows with the nearest scores, two turns at most.
func merge(answers []answer, windows []window) (merged answer) {
	for _, k := range rubric.Criteria() {
		if k == rubric.TaskSuccess {
			merged[k] = answers[len(answers)-1][k]
			continue
		}
		sum, weight := 0, 0
		ratings := make([]rating, len(answers))
		for i, w := range windows {
			ratings[i] = answers[i][k]
			sum += int(ratings[i].score) * (w.to - w.from)
			weight += w.to - w.from
		}
		const step = 20
		score := (sum + weight*step/2 - 1) / (weight * step) * step
		off := func(r rating) int { return max(int(r.score)-score, score-int(r.score)) }
		slices.SortStableFunc(ratings, func(a, b rating) int { return cmp.Compare(off(a), off(b)) })
		m := rating{score: rubric.Score(score), why: ratings[0].why}
		for _, r := range ratings {
			if off(r) == off(ratings[0]) && !slices.Contains(m.turns, r.turns[0]) && len(m.turns) < 2 {
				m.turns = append(m.turns, r.turns[0])
			}
		}
		merged[k] = m
	}
	return merged
}

// median gives the rating with the median score, the lower of two, of several presentations: the first that has it.
// The spread is the number of levels between the lowest and the highest.
func median(answers []answer, k rubric.Criterion) (m rating, spread int) {
	var scores []rubric.Score
	for i := range answers {
		scores = append(scores, answers[i][k].score)
	}
	slices.Sort(scores)
	middle := scores[(len(scores)-1)/2]
	first := slices.IndexFunc(answers, func(a answer) bool { return a[k].score == middle })
	return answers[first][k], scores[len(scores)-1].Level() - scores[0].Level()
}
