package run

import (
	"fmt"
	"strings"

	"assize/heuristics"
	"assize/rubric"
)

// Agent is one of the two that a model may play.
type Agent string

// The agents, as records name them.
const (
	Evaluator Agent = "evaluator"
	Critic    Agent = "critic"
)

var titles = map[Agent]string{Evaluator: "Evaluator", Critic: "Critic"}

// EstimateBy applies a profile to what the rules alone give, and adds what the model as the Evaluator does by it.
func (r *Record) EstimateBy(p heuristics.Profile) heuristics.Estimate {
	var added heuristics.Millionths
	if p.Model != nil && r.CrossCheck != nil {
		added = p.Model.Adds(r.Evaluation.EvaluatorAverage)
	}
	return p.EstimateAt(p.Value(r.ByRules()), added)
}

// ByRules gives the evaluation with the scores and the average of the rules alone, where a model was the Evaluator: a
// profile maps what the rules see. The rulings and all else stay the panel's.
func (r *Record) ByRules() *rubric.Evaluation {
	if r.CrossCheck == nil {
		return r.Evaluation
	}
	byRules := *r.Evaluation
	byRules.Average = 0
	for i, c := range r.CrossCheck.Criteria {
		byRules.Final[i].Score = c.Rules
		byRules.Average += rubric.Hundredths(byRules.Rubric.Weights[i]) * rubric.Hundredths(c.Rules)
	}
	return &byRules
}

// Remarks gives the sentences on the model that the audit ends with.
func (r *Record) Remarks() (list []string) {
	for _, agent := range r.Fallback {
		list = append(list, "The rules took the part of the "+titles[agent]+", in which the model failed.")
	}
	if r.Model == nil {
		return list
	}
	var parts []string
	for _, w := range r.Model.Windows {
		parts = append(parts, fmt.Sprintf("%d to %d", w.From, w.To))
	}
	if parts != nil {
		list = append(list, "The model judged the dialogue in overlapping parts: turns "+strings.Join(parts, ", ")+".")
	}
	if turns := r.Model.Suspicious; len(turns) > 0 {
		list = append(list, "The model was not shown "+named(turns)+", which may be meant for whoever judges.")
	}
	if turns := r.Model.Shortened; len(turns) > 0 {
		list = append(list, "The model was shown only the beginning of "+named(turns)+".")
	}
	return list
}

// named gives "turn 3" or "turns 3, 5".
func named(turns []int) string {
	word := "turns "
	if len(turns) == 1 {
		word = "turn "
	}
	return word + strings.ReplaceAll(strings.Trim(fmt.Sprint(turns), "[]"), " ", ", ")
}
