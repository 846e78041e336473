package report

import (
	"fmt"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// scored returns a record with the same score on all criteria except TaskSuccess.
func scored(id int, estimate rubric.Hundredths, task, rest rubric.Score) *run.Record {
	d := dialogue.Dialogue{ID: id, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: fmt.Sprint("I want number ", id)},
		{Role: dialogue.System, Text: "Here it is."},
	}}
	r := run.New(dialogue.Sample{Dialogue: d,
		Source: dialogue.Source{File: "chat.txt", Position: id}})
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: rest, Claim: "so it seems",
			Quotes: []rubric.Quote{{Turn: 2, Text: "Here it is."}}}
	}
	card[rubric.TaskSuccess].Score = task
	e, err := rubric.Default().Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
	if err != nil {
		panic(err)
	}
	r.Evaluation, r.Estimate = e, satisfaction.Estimate{Satisfaction: estimate}
	return r
}

func unscored(id int, reason string) *run.Record {
	r := run.New(dialogue.Sample{Dialogue: dialogue.Dialogue{ID: id,
		Turns: []dialogue.Turn{{Role: dialogue.User, Text: fmt.Sprint("Hello? ", id)}}}})
	r.Reason = reason
	return r
}

func of(worst, others int, records ...*run.Record) *Page {
	o := New(worst, others)
	for _, r := range records {
		o.Add(&run.Line{File: "run.jsonl", Header: &run.Header{Basis: run.DefaultBasis()}}, r)
	}
	return o
}
