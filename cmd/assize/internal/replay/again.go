package replay

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"assize/cmd/assize/internal/bench"
	"assize/cmd/assize/internal/record"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Court judges the turns of runs again.
type Court struct {
	Agents *heuristics.Agents
	Asking localllm.Options // where and by which templates the model of a run is asked, and how long it is waited for
	digest string
}

// Refusal is the error of a run that cannot be judged again.
type Refusal struct {
	Why  string
	Hint string // what can be done; empty for nothing
}

func (r *Refusal) Error() string { return "cannot be judged again: " + r.Why }

// hearing judges as one header says. A model judges one dialogue after the other: then its bytes are the same.
type hearing struct {
	bench *bench.Bench
	model sync.Mutex
}

// NewCourt opens a court of the rule agents, and of the models that a server has.
func NewCourt(a *heuristics.Agents, asking localllm.Options) *Court {
	asking.Titles = bench.Titles(a)
	return &Court{a, asking, a.Digest()}
}

// open opens the hearing of what stands under a header. The error is a [*Refusal].
func (c *Court) open(ctx context.Context, h *Heading) (*hearing, error) {
	if h == nil {
		return nil, &Refusal{Why: "the run has no header, so nobody knows which lexicon made it"}
	}
	head, conf := &h.Header, h.Header.Configuration
	switch {
	case conf.Redacted:
		return nil, &Refusal{Why: "the run is redacted: what was judged is not what stands in it"}
	case conf.Transcript != "full":
		return nil, &Refusal{Why: "the run keeps only the turns that are cited: what was judged is not in it"}
	case head.Lexicon != c.digest:
		return nil, &Refusal{
			fmt.Sprintf("the lexicon that made the run has the digest %s, the one of this program %s; want the same", head.Lexicon, c.digest),
			"score the transcripts again, and assize compare the two runs",
		}
	}
	b := bench.New(c.Agents, head.Basis.Rubric, head.Basis.Profile)
	if conf.Evaluator != bench.ByRules || conf.Critic != bench.ByRules {
		if err := c.seat(ctx, b, head); err != nil {
			return nil, err
		}
		h.Server = b.Model.Identity().Server
	}
	return &hearing{bench: b}, nil
}

// Again is what agents and detectors answer otherwise than is recorded.
type Again struct {
	Answers []Answer
	Lost    []rubric.Signal // recorded, and no longer seen
	New     []rubric.Signal // seen, and not recorded
	Status  *Change         // whether the dialogue is scored, by whom, and why not; nil for no change
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

// judge judges the turns of a record again, and gives the record that comes of it.
func (h *hearing) judge(ctx context.Context, r *record.Record) (*record.Record, error) {
	now := *r
	now.Evaluation, now.Reason, now.Estimate = nil, "", heuristics.Estimate{}
	now.CrossCheck, now.Model, now.Fallback = nil, nil, nil
	if h.bench.Model != nil {
		h.model.Lock()
		defer h.model.Unlock()
	}
	if err := h.bench.Judge(ctx, &now); err != nil {
		return nil, fmt.Errorf("dialogue %d: judging again: %w", r.Dialogue.ID, err)
	}
	return &now, nil
}

// hold holds what was recorded in a line against what comes out now. It gives nil where all is the same. Where the
// record is not sound, what the agents say is compared, and nothing else.
func hold(r, now *record.Record, line []byte, sound bool) (*Again, error) {
	again := now.Append(nil)
	if bytes.Equal(again, line) {
		return nil, nil
	}
	if kind := unheard(now); kind != "" {
		return nil, fmt.Errorf("dialogue %d: cannot be judged again: the model could not be heard (%s)", r.Dialogue.ID, kind)
	}
	a := otherwise(r, now)
	if a == nil && sound {
		a = &Again{}
		a.Rest, _ = differ(line, again, func(string) string { return "now it is" })
	}
	return a, nil
}

// unheard gives the failure for which a model was not heard at all, in the end: one of its server, or of the way
// there. It is empty for none.
func unheard(r *record.Record) localllm.FailureKind {
	if r.Model == nil || len(r.Model.Calls) == 0 || r.Scored() && len(r.Fallback) == 0 {
		return ""
	}
	if kind := r.Model.Calls[len(r.Model.Calls)-1].Failure; !kind.Answered() {
		return kind
	}
	return ""
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
	switch {
	case !r.Scored():
		return "unscored: " + r.Reason
	case slices.Contains(r.Fallback, record.Evaluator):
		return "scored, by the rules in place of the model"
	case len(r.Fallback) > 0:
		return "scored, with the rules in place of the model as the Critic"
	}
	return "scored"
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
