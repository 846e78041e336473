package localllm

import (
	"encoding/json"
	"strings"

	"assize/rubric"
)

// answer is what the model gave for each criterion.
type answer struct {
	ratings [rubric.NumCriteria]choice
	order   []rubric.Criterion // in which it was asked
}

// choice is a rating before code has made sentences of it. The zero choice is none.
type choice struct {
	turn  int
	score rubric.Score
	why   string // as the model wrote it
}

// parseCard reads the ratings of criteria out of what the model wrote, and takes nothing on trust: a schema may be
// ignored by a server. What is valid is given even where a failure is named for the rest.
func parseCard(text string, criteria []rubric.Criterion, turns citable) (a answer, f *Failure) {
	a.order = criteria
	if strings.TrimSpace(text) == "" {
		return a, failure(EmptyAnswer, "the model answered nothing")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(unfenced(text)), &members); err != nil || members == nil {
		return a, failed(failure(NotJSON, "the answer is not the JSON that was asked for"), text)
	}
	var why map[string]any
	_ = json.Unmarshal(members["why"], &why) // a reason is a courtesy: a wrong one is none
	for _, c := range criteria {
		r, wrong := parseChoice(c, members[c.String()], turns(c))
		if wrong != nil {
			f = firstOf(f, failed(wrong, text))
			continue
		}
		r.why, _ = why[c.String()].(string)
		a.ratings[c] = r
	}
	return a, f
}

// parseChoice reads one rating.
func parseChoice(c rubric.Criterion, member json.RawMessage, turns []int) (choice, *Failure) {
	var in struct{ Turn, Score *json.Number }
	if len(member) == 0 || json.Unmarshal(member, &in) != nil || in.Turn == nil || in.Score == nil {
		return choice{}, failure(MissingCriterion, "%s has no turn and score", c)
	}
	score, err := in.Score.Int64()
	if err != nil || score < 0 || score > 100 || !rubric.Score(score).Valid() {
		return choice{}, failure(OffScale, "%s has the score %s; want 20, 40, 60, 80 or 100", c, plain(in.Score.String()))
	}
	turn, err := in.Turn.Int64()
	for _, n := range turns {
		if err == nil && int64(n) == turn {
			return choice{turn: n, score: rubric.Score(score)}, nil
		}
	}
	return choice{}, failure(NoSuchTurn, "%s cites turn %s, which cannot be cited for it", c, plain(in.Turn.String()))
}

// parseBetter reads the answer to a closed question: A or B.
func parseBetter(text string) (string, *Failure) {
	if strings.TrimSpace(text) == "" {
		return "", failure(EmptyAnswer, "the model answered nothing")
	}
	var in struct{ Better string }
	if err := json.Unmarshal([]byte(unfenced(text)), &in); err != nil || in.Better != "A" && in.Better != "B" {
		return "", failed(failure(NotJSON, "the answer is neither A nor B"), text)
	}
	return in.Better, nil
}

// unfenced drops the marks of a code block, in which models without a schema wrap JSON.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		inner = strings.TrimSpace(strings.TrimPrefix(inner, "json"))
		return strings.TrimSpace(strings.TrimSuffix(inner, "```"))
	}
	return text
}

// missing lists the criteria that have no valid rating, in the order in which they were asked.
func (a answer) missing() (list []rubric.Criterion) {
	for _, c := range a.order {
		if a.ratings[c].score == 0 {
			list = append(list, c)
		}
	}
	return list
}

// counts reports whether the cited turns just count upwards, in the order in which the criteria were asked.
func (a answer) counts() bool {
	for i := 1; i < len(a.order); i++ {
		if a.ratings[a.order[i]].turn <= a.ratings[a.order[i-1]].turn {
			return false
		}
	}
	return len(a.order) > 2
}

func failed(f *Failure, text string) *Failure {
	f.Raw = raw(text)
	return f
}

func firstOf(f, g *Failure) *Failure {
	if f != nil {
		return f
	}
	return g
}
