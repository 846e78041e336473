package localllm

import (
	"context"

	"assize/rubric"
)

// AskScorecard asks the model each of the questions of a scorecard about the dialogue. It is called
// after the criteria are judged, so that it changes no score. The answers are in the account, see
// [Account.Scorecard]; questions without an answer stay open. It returns an error only if the run
// is stopped.
func (s *Session) AskScorecard(ctx context.Context, c rubric.Case, list []rubric.Question) error {
	if len(list) == 0 {
		return nil
	}
	return s.alone(ctx, func() *Failure {
		o := s.judgement
		if o == nil {
			o = s.prepare(c)
		}
		for i := range o.windows[:min(len(o.windows), maxWindows)] {
			for _, q := range list {
				call := Call{Purpose: ForScorecard, Question: q.ID}
				f := s.askAbout(ctx, o, i, call, questionPrompt, questionData{Ask: q.Ask})
				if ctx.Err() != nil {
					return cancelled(ctx)
				}
				if f != nil {
					return nil // the server has failed; the other questions stay open
				}
			}
		}
		return nil
	})
}

// Scorecard returns P(yes), in thousandths, for the questions of a scorecard that the model
// answered, by ID. For a long dialogue it is the maximum over the parts, since what happens in one
// part happens in the dialogue.
func (a *Account) Scorecard() map[string]int {
	if a == nil {
		return nil
	}
	var answers map[string]int
	for _, call := range a.Calls {
		if call.Purpose != ForScorecard || call.Yes == nil || *call.Yes < 0 || *call.Yes > 1000 {
			continue
		}
		if answers == nil {
			answers = map[string]int{}
		}
		answers[call.Question] = max(answers[call.Question], *call.Yes)
	}
	return answers
}
