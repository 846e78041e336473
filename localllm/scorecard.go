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
	if len(list) == 0 || s.m.id.Answers != Probabilities {
		return nil
	}
	if s.m.free.Acquire(ctx, 1) != nil {
		return cancelled(ctx)
	}
	defer s.m.free.Release(1)
	o := s.judgement
	if o == nil {
		t := newTranscript(c, s.tokenBudget)
		o = &judgement{transcript: t, windows: t.judgedWindows(s.tokenBudget)}
		s.account.Suspicious, s.account.Shortened = t.suspicious, t.shortened
		if len(o.windows) > 0 && o.windows[0] != t.whole() {
			for _, w := range o.windows {
				s.account.Windows = append(s.account.Windows, Window{w.from + 1, w.to})
			}
		}
	}
	for i := range o.windows[:min(len(o.windows), maxWindows)] {
		for _, q := range list {
			call := Call{Purpose: ForScorecard, Question: q.ID}
			f := s.askAbout(ctx, o, i, request{Call: call, predict: 1, closed: true},
				questionPrompt, questionData{q.Ask, len(s.account.Windows) > 0}, readAnswer)
			if ctx.Err() != nil {
				return cancelled(ctx)
			}
			if f != nil && !f.Kind.isAnswerFailure() {
				return nil // the server has failed; the other questions stay open
			}
		}
	}
	return nil
}

// readAnswer records P(yes) in the call.
func readAnswer(call *Call, r reply) *Failure {
	yes, f := readYes(r.Candidates)
	if f == nil {
		call.Yes = &yes
	}
	return f
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
