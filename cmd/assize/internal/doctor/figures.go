package doctor

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/evidence"
	"assize/localllm"
	"assize/rubric"
)

// Figures are what a trial measured. A figure that cannot be had is NaN.
type Figures struct {
	Dialogues int // that were tried
	Scored    int
	FirstTry  int // scored without any answer that failed

	AUC       float64 // the chance that a good dialogue has the higher average, from 0 to 1
	RulesAUC  float64 // the same for the rules alone
	Good, Bad float64 // mean weighted averages

	Distinct, Modal int                // different sets of six scores, and how often the most frequent comes
	Stuck           []rubric.Criterion // those with the same score in nine answers of ten, or more
	StuckWeight     int                // of these, in whole percents
	Flat, Counting  int                // dialogues whose scores are all equal, and whose cited turns count upwards

	Evidence evidence.Relevance // of what is cited for low scores

	Seconds   float64 // per dialogue, both agents, the mean
	Turns     float64 // per dialogue, the mean
	Generated float64 // tokens per dialogue by the Evaluator, the mean
	Rate      float64 // tokens generated per second
}

// Gap is how many points the good dialogues lie above the bad ones, on average.
func (f Figures) Gap() float64 { return f.Good - f.Bad }

// Measure measures a trial.
func (t *Trial) Measure() Figures {
	nan := math.NaN()
	f := Figures{AUC: nan, RulesAUC: nan, Good: nan, Bad: nan, Seconds: nan, Turns: nan, Generated: nan, Rate: nan}
	f.Dialogues = len(t.Heard)
	var scored []Heard
	for _, h := range t.Heard {
		if h.Scored() {
			scored = append(scored, h)
		}
	}
	if f.Scored = len(scored); f.Scored == 0 {
		return f
	}
	f.ranks(scored)
	f.habits(scored)
	f.stuck(scored, t.rubric)
	for _, h := range scored {
		f.Evidence.Add(h.Case, h.Card)
	}
	f.speed(scored)
	return f
}

// ranks measures whether the averages part good from bad.
func (f *Figures) ranks(scored []Heard) {
	var model, rules []float64
	var good []bool
	means := map[bool][]float64{}
	for _, h := range scored {
		model, rules, good = append(model, float64(h.Average)), append(rules, float64(h.Rules)), append(good, h.Good)
		means[h.Good] = append(means[h.Good], float64(h.Average)/100)
	}
	f.AUC, f.RulesAUC = agreement.AUC(model, good), agreement.AUC(rules, good)
	f.Good, f.Bad = agreement.Mean(means[true], nil), agreement.Mean(means[false], nil)
}

// habits counts what shows that a model did not look.
func (f *Figures) habits(scored []Heard) {
	seen := map[[rubric.NumCriteria]rubric.Score]int{}
	for _, h := range scored {
		seen[h.Card.Scores()]++
		f.Modal = max(f.Modal, seen[h.Card.Scores()])
		if h.Account.Flat {
			f.Flat++
		}
		if h.Account.Counting {
			f.Counting++
		}
		if !slices.ContainsFunc(h.Account.Calls, func(c localllm.Call) bool { return c.Failure != "" }) {
			f.FirstTry++
		}
	}
	f.Distinct = len(seen)
}

// stuck lists the criteria that hardly ever get another score, though the dialogues could not differ more.
func (f *Figures) stuck(scored []Heard, r rubric.Rubric) {
	for _, k := range rubric.Criteria() {
		seen := map[rubric.Score]int{}
		most := 0
		for _, h := range scored {
			seen[h.Card[k].Score]++
			most = max(most, seen[h.Card[k].Score])
		}
		if 10*most >= 9*len(scored) {
			f.Stuck = append(f.Stuck, k)
			f.StuckWeight += r.Weights[k]
		}
	}
}

// speed measures what the server took.
func (f *Figures) speed(scored []Heard) {
	var seconds, turns, generated []float64
	tokens, generating := 0, 0.0
	for _, h := range scored {
		seconds, turns = append(seconds, h.Seconds()), append(turns, float64(len(h.Case.Dialogue.Turns)))
		generated = append(generated, float64(h.Account.Generated(localllm.ForCard)+h.Account.Generated(localllm.ForCriterion)))
		for i, c := range h.Account.Timings.Calls {
			tokens += h.Account.Calls[i].Generated
			generating += c.Generate.Seconds()
		}
	}
	f.Seconds, f.Turns, f.Generated = agreement.Mean(seconds, nil), agreement.Mean(turns, nil), agreement.Mean(generated, nil)
	if generating > 0 {
		f.Rate = float64(tokens) / generating
	}
}

// bytesOf gives all that must be the same whenever a dialogue is judged.
func bytesOf(card rubric.Scorecard, critique rubric.Critique, account localllm.Account) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	for _, part := range []any{card, critique, deterministic(account)} {
		if err := enc.Encode(part); err != nil {
			panic(err) // plain structs of strings and numbers
		}
	}
	return b.String()
}
