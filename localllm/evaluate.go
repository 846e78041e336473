package localllm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assize/rubric"
)

// Evaluate acts as the Evaluator of the session's criteria. A rating says what the model was asked
// and how sure it is; it quotes nothing, because a model's choice of words proves nothing. The
// ratings of all other criteria are zero, and so are those for which the model answered no
// question. It always asks all questions.
// Its error is both a [*rubric.Unscored] and a [*Failure], unless the run was stopped.
func (s *Session) Evaluate(ctx context.Context, c rubric.Case) (card rubric.Scorecard, err error) {
	err = s.alone(ctx, func() *Failure {
		o, f := s.askAll(ctx, c)
		if f != nil {
			return f
		}
		for _, k := range rubric.Criteria() {
			if s.evaluates.Has(k) && o.scores[k] != 0 {
				card[k] = rubric.Rating{Score: o.scores[k], Claim: o.says[k]}
			}
		}
		return nil
	})
	return card, err
}

// judgement is a model's judgement of a dialogue.
type judgement struct {
	transcript *transcript
	windows    []window
	scores     [rubric.NumCriteria]rubric.Score // 0 if no question was answered
	// the most telling answer, as a clause; "" if there is none
	says [rubric.NumCriteria]string
}

// askAll asks the model all questions that its scores depend on, once per session.
func (s *Session) askAll(ctx context.Context, c rubric.Case) (*judgement, *Failure) {
	if s.judgement != nil {
		return s.judgement, nil
	}
	o, f := s.askWindows(ctx, c)
	// retry with windows of half the size and a known state of the cache
	if f != nil && f.Kind == PromptTruncated {
		s.tokenBudget /= 2
		for i := range s.account.Calls {
			s.account.Calls[i].Yes = nil // answers about the discarded windows do not count
		}
		if s.sent, s.cached = nil, 0; s.m.owner == s {
			s.m.owner = nil
		}
		o, f = s.askWindows(ctx, c)
	}
	if f != nil {
		return nil, f
	}
	if s.judgement, s.account.Flags = o, nil; slices.Contains(o.scores[:], 0) {
		return o, nil
	}
	differs := func(score rubric.Score) bool { return score != o.scores[0] }
	if !slices.ContainsFunc(o.scores[:], differs) {
		s.account.Flags = []string{Flat}
	}
	s.m.mu.Lock()
	s.m.seen[o.scores]++
	s.m.mu.Unlock()
	return o, nil
}

// maxWindows limits the work for one dialogue, such as a log of a whole day.
const maxWindows = 16

// askWindows asks the model for its opinion, window by window.
func (s *Session) askWindows(ctx context.Context, c rubric.Case) (*judgement, *Failure) {
	o := s.prepare(c)
	t := o.transcript
	if len(o.windows) == 0 {
		return nil, failure("too-long/no words")
	}
	whole := len(s.account.Windows) == 0 && len(t.shortened) == 0
	if !whole && s.m.o.Overflow == Refuse || len(o.windows) > maxWindows {
		return nil, failure("too-long", t.size(t.whole()), s.tokenBudget)
	}
	return o, s.askQuestions(ctx, o)
}

// prepare returns the transcript of a dialogue, split into windows if it is long. It skips those
// without a citable turn, such as one that contains only the hidden output of tools.
func (s *Session) prepare(c rubric.Case) *judgement {
	t := newTranscript(c, s.tokenBudget)
	o := &judgement{transcript: t, windows: slices.DeleteFunc(t.windows(s.tokenBudget),
		func(w window) bool { return !slices.Contains(t.citable[w.from:w.to], true) })}
	s.account.Suspicious, s.account.Shortened, s.account.Windows = t.suspicious, t.shortened, nil
	if len(o.windows) > 0 && o.windows[0] != t.whole() {
		for _, w := range o.windows {
			s.account.Windows = append(s.account.Windows, Window{w.from + 1, w.to})
		}
	}
	return o
}

// askQuestions asks the closed questions one at a time, since a model that answers them all at once
// repeats its earlier answers. A question without an answer is recorded and skipped.
func (s *Session) askQuestions(ctx context.Context, o *judgement) *Failure {
	first := len(s.account.Calls)
	for i := range o.windows {
		for _, q := range s.m.id.Questions {
			if q.Criterion == rubric.TaskSuccess && i < len(o.windows)-1 {
				continue // only the end shows whether the goal was reached
			}
			call := Call{Purpose: ForQuestion, Criterion: &q.Criterion, Question: q.ID}
			f := s.askAbout(ctx, o, i, call, questionPrompt, questionData{Ask: q.Ask})
			if f != nil {
				return f
			}
		}
	}
	said := s.account
	said.Calls = said.Calls[first:]
	goodness, ok := s.m.id.Goodness(&said)
	if !ok {
		return failure("no-answer")
	}
	o.scores = s.m.o.Scales.Scores(goodness)
	for k := range o.says {
		o.says[k] = s.m.id.strongestAnswer(&said, rubric.Criterion(k), o.scores[k])
	}
	return nil
}

// strongestAnswer returns what the model was asked and how sure it is, as a clause, for the answer
// that best supports a score: the one with the lowest goodness for a score up to 60, and with the
// highest for others.
func (id *Identity) strongestAnswer(a *Account, k rubric.Criterion,
	score rubric.Score) (says string) {
	best := -1
	for _, call := range a.Calls {
		if call.Yes == nil || *call.Criterion != k {
			continue
		}
		i := slices.IndexFunc(id.Questions, func(q Question) bool { return q.ID == call.Question })
		g := id.Questions[i].goodness(*call.Yes)
		if score <= 60 {
			g = 1000 - g
		}
		if g > best {
			best, says = g, finds(*call.Yes, id.Questions[i].statement())
		}
	}
	return says
}

// finds returns how likely the model finds a statement, whose probability is in thousandths, as a
// clause: "the model finds it unlikely (21 %) that the request was carried out".
func finds(probability int, statement string) string {
	word := "likely"
	if probability < 500 {
		word = "unlikely"
	}
	// double quotes are reserved for quotes of the dialogue
	return fmt.Sprintf("the model finds it %s (%d %%) that %s", word, (probability+5)/10,
		strings.ReplaceAll(statement, `"`, "'"))
}

// askAbout asks a closed question about a window. The transcript comes first, so that the server
// reads it only once for all questions, followed by the text of a template. The answer is in the
// account, which has none if the model's is unusable.
func (s *Session) askAbout(ctx context.Context, o *judgement, i int, call Call, prompt string,
	data questionData) *Failure {
	if data.Part = len(s.account.Windows) > 0; data.Part {
		call.Window = i + 1
	}
	text, f := s.m.o.Prompts.fill(prompt, data)
	if f != nil {
		return f
	}
	unusable := []FailureKind{EndlessAnswer, BadProbabilities, NoAnswer}
	f = s.ask(ctx, call, o.transcript.text(o.windows[i])+strings.TrimRight(text, "\n"))
	if f != nil && slices.Contains(unusable, f.Kind) {
		return nil
	}
	return f
}
