package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/record"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Court judges the turns of runs again.
type Court struct {
	Agents *heuristics.Agents
	digest string
}

// Refusal is the error of a run that cannot be judged again.
type Refusal struct {
	Why  string
	Hint string // what can be done; empty for nothing
}

func (r *Refusal) Error() string { return "cannot be judged again: " + r.Why }

// hearing judges by the rubric and the profile of one header.
type hearing struct {
	panel   rubric.Panel
	profile heuristics.Profile
}

// NewCourt opens a court of the rule agents.
func NewCourt(a *heuristics.Agents) *Court { return &Court{a, a.Digest()} }

// open opens the hearing of what stands under a header. The error is a [*Refusal].
func (c *Court) open(h *Heading) (*hearing, error) {
	if h == nil {
		return nil, &Refusal{Why: "the run has no header, so nobody knows which lexicon made it"}
	}
	head, conf := &h.Header, h.Header.Configuration
	switch {
	case conf.Redacted:
		return nil, &Refusal{Why: "the run is redacted: what was judged is not what stands in it"}
	case conf.Transcript != "full":
		return nil, &Refusal{Why: "the run keeps only the turns that are cited: what was judged is not in it"}
	case conf.Evaluator != "rules" || conf.Critic != "rules":
		return nil, &Refusal{
			fmt.Sprintf("a model judged it (Evaluator %s, Critic %s); want a run of the rules", conf.Evaluator, conf.Critic),
			"score the transcripts again with the same model, and assize compare the two runs",
		}
	case head.Lexicon != c.digest:
		return nil, &Refusal{
			fmt.Sprintf("the lexicon that made the run has the digest %s, the one of this program %s; want the same", head.Lexicon, c.digest),
			"score the transcripts again, and assize compare the two runs",
		}
	}
	rub := head.Basis.Rubric
	panel := rubric.Panel{Rubric: rub, Observe: c.Agents.Observe, Evaluator: c.Agents.Evaluator(), Critic: c.Agents.Critic(rub)}
	return &hearing{panel, head.Basis.Profile}, nil
}

// Again is what agents and detectors answer otherwise than is recorded.
type Again struct {
	Answers []Answer
	Lost    []rubric.Signal // recorded, and no longer seen
	New     []rubric.Signal // seen, and not recorded
	Status  *Change         // whether the dialogue is scored and why not; nil for no change
	Rest    []Difference    // what is otherwise though none of these are, such as the order of signals
}

// Change is what was recorded and what it would be now.
type Change struct{ Recorded, Now string }

// Answer is what an agent answers otherwise on a criterion.
type Answer struct {
	Agent         string // Evaluator or Critic
	Criterion     rubric.Criterion
	Recorded, Now *Opinion // nil for a Critic who does not object
}

// Opinion is a rating or an objection.
type Opinion struct {
	Score    rubric.Score // given or suggested
	By, Kind string       // of an objection
	Sentence string
	Quotes   []rubric.Quote
}

// judge judges the turns of a record again. It gives nil where everything is as it is recorded in line. Where the
// record is not sound, what the agents say is compared, and nothing else.
func (h *hearing) judge(ctx context.Context, r *record.Record, line []byte, sound bool) (*Again, error) {
	now := *r
	now.Evaluation, now.Reason, now.Estimate = nil, "", heuristics.Estimate{}
	e, err := h.panel.Judge(ctx, r.Dialogue)
	var unscored *rubric.Unscored
	switch {
	case errors.As(err, &unscored):
		now.Reason = unscored.Reason
	case err != nil:
		return nil, fmt.Errorf("dialogue %d: judging again: %w", r.Dialogue.ID, err)
	default:
		now.Evaluation, now.Estimate = e, h.profile.Estimate(e)
	}
	again := now.Append(nil)
	if bytes.Equal(again, line) {
		return nil, nil
	}
	a := otherwise(r, &now)
	if a == nil && sound {
		a = &Again{}
		a.Rest, _ = differ(line, again, func(string) string { return "now it is" })
	}
	return a, nil
}

// otherwise tells what agents and detectors say in one of two records of the same turns and not in the other; nil
// for nothing.
func otherwise(recorded, now *record.Record) *Again {
	var a Again
	if was, is := status(recorded), status(now); was != is {
		a.Status = &Change{was, is}
	}
	d := recorded.Dialogue
	if recorded.Scored() && now.Scored() {
		was, is := recorded.Evaluation, now.Evaluation
		for i, k := range rubric.Criteria() {
			a.answer("Evaluator", k, rating(d, was.Evaluator[i]), rating(d, is.Evaluator[i]))
			a.answer("Critic", k, objection(d, was.Critique[i]), objection(d, is.Critique[i]))
		}
		a.Lost, a.New = missing(was.Signals, is.Signals), missing(is.Signals, was.Signals)
	}
	if a.Status == nil && a.Answers == nil && a.Lost == nil && a.New == nil {
		return nil
	}
	return &a
}

func status(r *record.Record) string {
	if r.Scored() {
		return "scored"
	}
	return "unscored: " + r.Reason
}

func (a *Again) answer(agent string, k rubric.Criterion, was, is *Opinion) {
	if !was.equal(is) {
		a.Answers = append(a.Answers, Answer{agent, k, was, is})
	}
}

func rating(d dialogue.Dialogue, r rubric.Rating) *Opinion {
	return &Opinion{Score: r.Score, Sentence: r.Sentence(d), Quotes: r.Quotes}
}

func objection(d dialogue.Dialogue, o rubric.Objection) *Opinion {
	if o.Suggested == 0 {
		return nil
	}
	return &Opinion{Score: o.Suggested, By: o.By, Kind: o.Kind.String(), Sentence: o.Sentence(d), Quotes: o.Quotes}
}

func (o *Opinion) equal(p *Opinion) bool {
	if o == nil || p == nil {
		return o == p
	}
	return o.Score == p.Score && o.By == p.By && o.Kind == p.Kind && o.Sentence == p.Sentence && slices.Equal(o.Quotes, p.Quotes)
}

// missing lists the signals of one list that are not in the other, one for one.
func missing(these, those []rubric.Signal) (list []rubric.Signal) {
	count := map[rubric.Signal]int{}
	for _, s := range those {
		count[bare(s)]++
	}
	for _, s := range these {
		if s = bare(s); count[s] > 0 {
			count[s]--
		} else {
			list = append(list, s)
		}
	}
	return list
}

// bare gives a signal as records have it.
func bare(s rubric.Signal) rubric.Signal {
	s.Start, s.End = 0, 0
	return s
}
