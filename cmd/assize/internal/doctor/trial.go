package doctor

import (
	"context"
	"errors"
	"time"

	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

// Trial is what a model did with the specimens. The zero value of all but Model and Failure is one that could not begin.
type Trial struct {
	Model    string            // as the user names it
	Failure  *localllm.Failure // why the model cannot be tried; nil if it can
	Identity localllm.Identity

	Heard   []Heard  // in the order of the specimens; cut short where it is clear that the model cannot be used
	Attacks []Attack // none where the trial was cut short
	Again   []bool   // for each dialogue that was judged twice, whether it gave the same bytes

	rubric rubric.Rubric
}

// Heard is what a model made of one dialogue.
type Heard struct {
	Specimen
	Failure *localllm.Failure // why it is unscored; nil if it is scored
	Card    rubric.Scorecard
	Average rubric.Hundredths
	Account localllm.Account

	bytes string // all that must be the same when it is judged again
}

// Scored reports whether the model gave all six scores.
func (h Heard) Scored() bool { return h.Failure == nil }

// Seconds is what the server took for it.
func (h Heard) Seconds() float64 {
	sum := h.Account.Timings.Primed
	for _, c := range h.Account.Timings.Calls {
		sum += c.Total
	}
	return sum.Seconds()
}

// Doctor tries models.
type Doctor struct {
	Agents    *heuristics.Agents
	Rubric    rubric.Rubric
	Specimens []Specimen
	Progress  func(done, of int) // called after each dialogue that was heard; may be nil
}

// mostUnscored is how many of the specimens may be unscored for a model to be of any use: one in ten.
const mostUnscored = 1

// Try tries a model. What the model or the server fails at is in the trial; the error is one of a run that was stopped.
func (doc *Doctor) Try(ctx context.Context, o localllm.Options) (*Trial, error) {
	t := &Trial{Model: o.Model, rubric: doc.Rubric}
	m, err := localllm.Open(ctx, o, doc.Rubric)
	if err != nil {
		if !errors.As(err, &t.Failure) || t.Failure.Kind == localllm.Cancelled {
			return nil, err
		}
		return t, nil
	}
	t.Identity = m.Identity()
	s := session{doc, m, 0}
	for unscored := 0; len(t.Heard) < len(doc.Specimens) && unscored <= mostUnscored; {
		h, err := s.hear(ctx, doc.Specimens[len(t.Heard)], true)
		if err != nil {
			return nil, err
		}
		if t.Heard = append(t.Heard, h); !h.Scored() {
			unscored++
		}
	}
	if len(t.Heard) < len(doc.Specimens) || t.unscored() > mostUnscored {
		return t, nil
	}
	if t.Attacks, err = s.attacks(ctx, t.Heard); err == nil {
		t.Again, err = s.again(ctx, t.Heard)
	}
	return t, err
}

func (t *Trial) unscored() (n int) {
	for _, h := range t.Heard {
		if !h.Scored() {
			n++
		}
	}
	return n
}

// session is one model before the doctor.
type session struct {
	*Doctor
	model *localllm.Model
	done  int
}

// extra is how many dialogues are heard beside the specimens: two attacks that are seen, two that are hidden, and two
// repeats.
const extra = 6

// hear holds one hearing; the Critic is heard where its questions are wanted too.
func (s *session) hear(ctx context.Context, sp Specimen, critic bool) (Heard, error) {
	h := Heard{Specimen: sp}
	hearing := s.model.Hear()
	var critique rubric.Critique
	var err error
	if h.Card, err = hearing.Evaluate(ctx, sp.Case); err == nil && critic {
		critique, err = hearing.Critique(ctx, sp.Case, h.Card)
	}
	h.Account = hearing.Account()
	if err == nil {
		h.Average, err = s.Rubric.Average(h.Card.Scores())
	}
	if err != nil && (!errors.As(err, &h.Failure) || h.Failure.Kind == localllm.Cancelled) {
		return h, err
	}
	h.bytes = bytesOf(h.Card, critique, h.Account)
	if s.done++; s.Progress != nil {
		s.Progress(s.done, len(s.Specimens)+extra)
	}
	return h, nil
}

// attacks tries the first bad dialogue with a turn that asks for 100, and the first good one with one that asks for 20;
// then both turns in the bad one, flagged.
func (s *session) attacks(ctx context.Context, heard []Heard) (list []Attack, err error) {
	bad, good := heard[first(heard, false)], heard[first(heard, true)]
	for _, try := range []struct {
		before Heard
		target rubric.Score
	}{{bad, 100}, {good, 20}} {
		seen, err := s.attack(ctx, try.before, try.target, false)
		if err != nil {
			return nil, err
		}
		a := Attack{Name: try.before.Name, Target: try.target}
		a.compare(try.before, seen)
		list = append(list, a)
	}
	var hidden [2]Heard
	for i, target := range []rubric.Score{100, 20} {
		if hidden[i], err = s.attack(ctx, bad, target, true); err != nil {
			return nil, err
		}
	}
	list[0].Guarded = hidden[0].Scored() && hidden[1].Scored()
	list[0].Intact = list[0].Guarded && hidden[0].bytes == hidden[1].bytes
	return list, nil
}

// attack hears a dialogue with an attack in it.
func (s *session) attack(ctx context.Context, before Heard, target rubric.Score, guarded bool) (Heard, error) {
	sp := before.Specimen
	var err error
	if sp.Case, err = attacked(s.Agents, sp.Case, target, guarded); err != nil {
		return Heard{}, err
	}
	return s.hear(ctx, sp, false)
}

// again judges a good and a bad dialogue once more, after everything else.
func (s *session) again(ctx context.Context, heard []Heard) (same []bool, err error) {
	for _, good := range []bool{true, false} {
		before := heard[first(heard, good)]
		after, err := s.hear(ctx, before.Specimen, true)
		if err != nil {
			return nil, err
		}
		same = append(same, after.bytes == before.bytes)
	}
	return same, nil
}

// first finds the first scored dialogue of a quality; at most one is unscored.
func first(heard []Heard, good bool) int {
	for i, h := range heard {
		if h.Good == good && h.Scored() {
			return i
		}
	}
	return 0
}

// deterministic leaves out of an account what differs from run to run.
func deterministic(a localllm.Account) localllm.Account {
	a.Timings = localllm.Timings{}
	return a
}

// took gives a duration of so many seconds.
func took(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
