package heuristics

import "assize/rubric"

// The outcome family reads what the SYSTEM says of the task: done, failed, refused, closed.
var outcomes = []Detector{
	{ID: "outcome-failed", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness)},
	{ID: "outcome-denied", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness)},
	{ID: "outcome-completed", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness)},
	{ID: "outcome-closes", Criteria: rubric.SetOf(rubric.TaskSuccess)},
}

var courtesies = []Detector{
	{ID: "courtesy-empathy", Criteria: rubric.SetOf(rubric.Empathy)},
	{ID: "courtesy-warmth", Criteria: rubric.SetOf(rubric.Empathy)},
	{ID: "courtesy-polite", Criteria: rubric.SetOf(rubric.Empathy)},
	{ID: "courtesy-acknowledges", Criteria: rubric.SetOf(rubric.Empathy)},
	{ID: "courtesy-rude", Criteria: rubric.SetOf(rubric.Empathy)},
}
