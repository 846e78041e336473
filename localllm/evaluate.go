package localllm

import (
	"context"

	"assize/rubric"
)

// Evaluate acts as the Evaluator. Its error is both a [*rubric.Unscored] and a [*Failure], unless the run was stopped.
func (s *Session) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	defer s.release()
	card, f := s.evaluate(ctx, c)
	if f != nil && f.Kind == PromptTruncated { // once more, in windows of half the size
		s.room /= 2
		s.present(0)
		card, f = s.evaluate(ctx, c)
	}
	if f != nil {
		return rubric.Scorecard{}, agentError(f)
	}
	return card, nil
}

// evaluate asks the model for its ratings, for each presentation and window, and settles on one card.
func (s *Session) evaluate(ctx context.Context, c rubric.Case) (card rubric.Scorecard, f *Failure) {
	t := newTranscript(c, s.room)
	windows, f := s.windows(t)
	if f != nil {
		return card, f
	}
	counting := true
	var answers []answer // by presentation
	for p, presentation := range s.m.presentations {
		s.present(p)
		parts := make([]answer, len(windows))
		for i := range windows {
			if parts[i], f = s.rate(ctx, t, windows, i); f != nil {
				return card, f
			}
			counting = counting && parts[i].countsUp(presentation.order[:])
		}
		answers = append(answers, merge(parts, windows))
	}
	a := &s.account
	a.Spread, a.Unstable, a.Flags = nil, nil, nil
	for _, k := range rubric.Criteria() {
		r, spread := median(answers, k)
		card[k] = s.m.rating(c, k, r)
		if len(answers) > 1 {
			a.Spread = append(a.Spread, spread)
		}
		if spread >= unstableFrom {
			a.Unstable = append(a.Unstable, k)
		}
	}
	scores := card.Scores()
	if first := scores[0]; scores == [rubric.NumCriteria]rubric.Score{first, first, first, first, first, first} {
		a.Flags = append(a.Flags, Flat)
	}
	if counting {
		a.Flags = append(a.Flags, Counting)
	}
	s.m.count(scores)
	return card, nil
}

// mostWindows bounds the work for one dialogue, such as the log of a day.
const mostWindows = 16

// windows settles in which parts the dialogue is judged.
func (s *Session) windows(t *transcript) ([]window, *Failure) {
	windows := t.parts(s.room)
	s.account.Suspicious, s.account.Shortened, s.account.Windows = t.suspicious, t.shortened, nil
	if len(windows) == 0 {
		return nil, failure(TooLong, "no turn is left that could be cited")
	}
	cut := windows[0] != t.whole()
	if (cut || len(t.shortened) > 0) && s.m.o.Refuse || len(windows) > mostWindows {
		f := failure(TooLong, "the dialogue has some %d tokens; %d fit into the context", t.size(t.whole()), s.room)
		return nil, f.hint("give a larger --num-ctx")
	}
	if cut {
		for _, w := range windows {
			s.account.Windows = append(s.account.Windows, Window{w.from + 1, w.to})
		}
	}
	return windows, nil
}

// rate asks for the ratings of a window: all at once, and then one by one for those that are missing.
func (s *Session) rate(ctx context.Context, t *transcript, windows []window, i int) (answer, *Failure) {
	turns := func(c rubric.Criterion) []int { return t.turns(windows[i], c) }
	part := windows[i] != t.whole()
	order := s.m.presentations[s.presentation].order[:]
	words, f := fill(s.m.o.Prompts.evaluate, question{Part: part})
	if f != nil {
		return answer{}, f
	}
	q := s.about(t, windows, i, words)
	q.Purpose, q.predict = ForCard, s.m.o.NumPredict
	a, f := s.ratings(ctx, q, order, turns)
	if f == nil || !f.Kind.repairable() {
		return a, f
	}
	for _, c := range order {
		if a[c].score != 0 {
			continue
		}
		one := []rubric.Criterion{c}
		words, f := fill(s.m.o.Prompts.criterion, question{c, form(one, s.m.o.Reasons), part})
		if f != nil {
			return a, f
		}
		q := s.about(t, windows, i, words)
		q.Purpose, q.Criterion, q.predict = ForCriterion, &c, 40 // 20 tokens are usual
		if s.m.o.Reasons {
			q.predict = 120
		}
		single, f := s.ratings(ctx, q, one, turns)
		if f != nil {
			return a, f
		}
		a[c] = single[c]
	}
	return a, nil
}

// ratings asks a question for ratings. A cut answer is asked for again with twice the tokens.
func (s *Session) ratings(ctx context.Context, q asked, criteria []rubric.Criterion, turns citable) (a answer, f *Failure) {
	q.format = cardSchema(criteria, turns, s.m.o.Reasons)
	for range 2 {
		var text string
		if text, f = s.ask(ctx, q); f == nil {
			if a, f = parseCard(text, criteria, turns); f != nil {
				s.markFailed(f)
			}
			return a, f
		}
		if f.Kind != CutAnswer {
			return a, f
		}
		q.predict *= 2
	}
	return a, f
}

// about prepares a question about a window: the transcript first, so that the server reads it once for all questions.
func (s *Session) about(t *transcript, windows []window, i int, words string) asked {
	q := asked{system: s.m.presentations[s.presentation].system, user: t.text(windows[i]) + words}
	if windows[i] != t.whole() {
		q.Window = i + 1
	}
	return q
}
