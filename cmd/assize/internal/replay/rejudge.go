package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Rejudge judges the turns of runs again.
type Rejudge struct {
	Agents *heuristics.Agents
	Asking localllm.Options // where and by which templates the model of a run is asked, and how long it is waited for
}

// Refusal is the error of a run that cannot be judged again.
type Refusal struct {
	Why  string
	Hint string // what can be done; empty for nothing
}

func (r *Refusal) Error() string { return "cannot be judged again: " + r.Why }

// session judges as one header says. A model judges one dialogue after the other: then its bytes are the same.
type session struct {
	judge *judge.Judge
	model sync.Mutex
}

// open begins the judging of what is below a header. The error is a [*Refusal].
func (j *Rejudge) open(ctx context.Context, h *Header) (*session, error) {
	const elsewise = "score the transcripts again, and assize compare the two runs"
	if h == nil {
		return nil, &Refusal{Why: "the run has no header, so nobody knows which lexicon made it"}
	}
	conf, was := h.Configuration, h.is.Model
	known := slices.Contains([]string{judge.ByRules, judge.ByModel}, conf.Evaluator) &&
		slices.Contains([]string{judge.ByRules, judge.ByModel, judge.ByBoth}, conf.Critic)
	byRules := conf.Evaluator == judge.ByRules && conf.Critic == judge.ByRules
	switch {
	case conf.Redacted || conf.Transcript != "full":
		return nil, &Refusal{Why: "what was judged is not in the run, which is redacted or keeps only cited turns"}
	case h.is.Lexicon != j.Agents.Digest():
		return nil, &Refusal{"another lexicon than that of this program made the run; want the same", elsewise}
	case !known || !byRules && was == nil:
		return nil, &Refusal{Why: fmt.Sprintf("its header does not say who judged (Evaluator %q, Critic %q); want rules, or a model",
			conf.Evaluator, conf.Critic)}
	}
	s := &session{judge: judge.New(j.Agents, judge.Options{Rubric: h.is.Basis.Rubric, Profile: h.is.Basis.Profile})}
	if byRules {
		return s, nil
	}
	asking := j.Asking
	asking.Titles = judge.Titles(j.Agents)
	o := asking
	o.Model, o.Settings = was.Name, was.Options
	now, err := localllm.Identify(ctx, o)
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	h.server, now.Server = now.Server, was.Server // another version of the server may be asked
	a, _ := json.Marshal(was)                     // strings, numbers and booleans always encode
	b, _ := json.Marshal(now)
	if !bytes.Equal(a, b) {
		var list []string
		for _, d := range differ(a, b, "now it is") {
			list = append(list, "/provenance/model"+d.String())
		}
		return nil, &Refusal{"what would judge is not what judged it: " + strings.Join(list, "; "), elsewise}
	}
	o.Model += "@sha256:" + was.Digest
	model, err := localllm.Open(ctx, o, h.is.Basis.Rubric)
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	s.judge.UseModel(model, conf.Evaluator, conf.Critic, conf.Fallback == judge.ByRules)
	return s, nil
}

// unreachable tells why a model cannot be asked: a [*Refusal], unless all is being stopped.
func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r := &Refusal{Why: "a model judged it, which cannot be asked: " + err.Error()}
	if f := (*localllm.Failure)(nil); errors.As(err, &f) {
		r.Why, r.Hint = "a model judged it, which cannot be asked: "+f.Msg, f.Hint
	}
	return r
}

// Again is what agents and detectors answer otherwise than is recorded.
type Again struct {
	Status  *Change      `json:"status,omitempty"` // whether the dialogue is scored, by whom, and why not; nil for no change
	Answers []Answer     `json:"answers,omitempty"`
	Signals *Signals     `json:"signals,omitempty"`
	Rest    []Difference `json:"rest,omitempty"` // what is otherwise though none of these are, such as the order of signals
}

// Change is what was recorded and what it would be now.
type Change struct {
	Recorded string `json:"recorded"`
	Now      string `json:"now"`
}

// Answer is what an agent answers otherwise on a criterion.
type Answer struct {
	Agent     string           `json:"agent"` // Evaluator or Critic
	Criterion rubric.Criterion `json:"criterion"`
	Recorded  *Opinion         `json:"recorded"` // nil for a Critic who does not object
	Now       *Opinion         `json:"now"`
}

// Opinion is a rating or an objection.
type Opinion struct {
	Score         rubric.Score `json:"score"` // given or suggested
	By            string       `json:"by,omitempty"`
	Kind          string       `json:"kind,omitempty"`
	Justification string       `json:"justification"`
	Turns         []int        `json:"turns"`
	quotes        []rubric.Quote
}

// Signals are those that are only recorded and those that are only seen now.
type Signals struct {
	Recorded []Signal `json:"recorded"`
	Now      []Signal `json:"now"`
}

// Signal is a signal as records have it.
type Signal struct {
	ID       string             `json:"id"`
	Criteria []rubric.Criterion `json:"criteria"`
	Turn     int                `json:"turn"`
	About    int                `json:"about,omitempty"`
	Points   rubric.Hundredths  `json:"points"`
}

// judge judges the turns of a record again, and gives the record that comes of it.
func (s *session) again(ctx context.Context, r *run.Record) (*run.Record, error) {
	now := *r
	now.Evaluation, now.Reason, now.Estimate = nil, "", heuristics.Estimate{}
	now.CrossCheck, now.Model, now.Fallback = nil, nil, nil
	if s.judge.Model != nil {
		s.model.Lock()
		defer s.model.Unlock()
	}
	if err := s.judge.Enter(ctx, &now); err != nil {
		return nil, fmt.Errorf("dialogue %d: judging again: %w", r.Dialogue.ID, err)
	}
	return &now, nil
}

// hold compares what was recorded in a line with what comes out now. It gives nil where all is the same. Where the
// record is not sound, what the agents say is compared, and nothing else.
func hold(r, now *run.Record, line []byte, sound bool) (*Again, error) {
	again := now.Append(nil)
	if bytes.Equal(again, line) {
		return nil, nil
	}
	if now.Model != nil && len(now.Model.Calls) > 0 && (!now.Scored() || len(now.Fallback) > 0) { // a server that failed has answered nothing
		if kind := now.Model.Calls[len(now.Model.Calls)-1].Failure; kind != "" && !kind.Answered() {
			return nil, fmt.Errorf("dialogue %d: cannot be judged again: the model could not be heard (%s)", r.Dialogue.ID, kind)
		}
	}
	a := &Again{}
	if was, is := status(r), status(now); was != is {
		a.Status = &Change{was, is}
	}
	if r.Scored() && now.Scored() {
		was, is := r.Evaluation, now.Evaluation
		for i, k := range rubric.Criteria() {
			a.answer("Evaluator", k, rating(r.Dialogue, was.Evaluator[i]), rating(r.Dialogue, is.Evaluator[i]))
			a.answer("Critic", k, objecting(r.Dialogue, was.Critique[i]), objecting(r.Dialogue, is.Critique[i]))
		}
		if s := (Signals{missing(was.Signals, is.Signals), missing(is.Signals, was.Signals)}); len(s.Recorded)+len(s.Now) > 0 {
			a.Signals = &s
		}
	}
	if a.Status == nil && a.Answers == nil && a.Signals == nil {
		if !sound {
			return nil, nil
		}
		a.Rest = differ(line, again, "now it is")
	}
	return a, nil
}

func status(r *run.Record) string {
	switch {
	case !r.Scored():
		return "unscored: " + r.Reason
	case slices.Contains(r.Fallback, run.Evaluator):
		return "scored, by the rules in place of the model"
	case len(r.Fallback) > 0:
		return "scored, with the rules in place of the model as the Critic"
	}
	return "scored"
}

func (a *Again) answer(agent string, k rubric.Criterion, was, is *Opinion) {
	if !reflect.DeepEqual(was, is) {
		a.Answers = append(a.Answers, Answer{agent, k, was, is})
	}
}

func rating(d dialogue.Dialogue, r rubric.Rating) *Opinion {
	return (&Opinion{Score: r.Score, Justification: r.Sentence(d)}).citing(r.Quotes)
}

func objecting(d dialogue.Dialogue, o rubric.Objection) *Opinion {
	if o.Suggested == 0 {
		return nil
	}
	return (&Opinion{Score: o.Suggested, By: o.By, Kind: o.Kind.String(), Justification: o.Sentence(d)}).citing(o.Quotes)
}

func (o *Opinion) citing(quotes []rubric.Quote) *Opinion {
	o.Turns = []int{}
	for _, q := range quotes {
		o.Turns, o.quotes = append(o.Turns, q.Turn), append(o.quotes, q)
	}
	return o
}

// missing lists the signals of one list that are not in the other, one for one.
func missing(these, those []rubric.Signal) []Signal {
	list, count := []Signal{}, map[rubric.Signal]int{}
	for _, s := range those {
		s.Start, s.End = 0, 0 // which records do not keep
		count[s]++
	}
	for _, s := range these {
		if s.Start, s.End = 0, 0; count[s] > 0 {
			count[s]--
		} else {
			list = append(list, Signal{s.ID, s.Criteria.List(), s.Turn, s.About, s.Points})
		}
	}
	return list
}
