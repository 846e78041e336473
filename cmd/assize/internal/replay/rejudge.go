package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/heuristics"
	"assize/localllm"
)

// Rejudge judges the turns of runs again.
type Rejudge struct {
	Agents *heuristics.Agents
	Asking localllm.Options // where and by which templates the model of a run is asked, and how long it is waited for
}

// refuse is the error of a run that cannot be judged again. The hint says what can be done; it may be empty.
func refuse(why, hint string) error {
	err := errors.New("cannot be judged again: " + why)
	if hint == "" {
		return err
	}
	return console.Hint(err, hint)
}

// session judges as one header says. A model judges one dialogue after the other: then its bytes are the same.
type session struct {
	judge *judge.Judge
	model sync.Mutex
}

// open begins the judging of what is below a header.
func (j *Rejudge) open(ctx context.Context, h *Header) (*session, error) {
	const elsewise = "score the transcripts again, and assize compare the two runs"
	conf, was := h.Configuration, h.is.Model
	byRules := conf.Evaluator == judge.ByRules && conf.Critic == judge.ByRules
	switch {
	case conf.Redacted || conf.Transcript != "full":
		return nil, refuse("what was judged is not in the run, which is redacted or keeps only cited turns", "")
	case h.is.Lexicon != j.Agents.Digest():
		return nil, refuse("another lexicon than that of this program made the run; want the same", elsewise)
	case !byRules && was == nil:
		return nil, refuse(fmt.Sprintf("its header does not say who judged (Evaluator %q, Critic %q); want rules, or a model",
			conf.Evaluator, conf.Critic), "")
	}
	s := &session{judge: judge.New(j.Agents, judge.Options{Rubric: h.is.Basis.Rubric, Profile: h.is.Basis.Profile, Kind: conf.Kind})}
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
	var list []string
	for _, d := range differ(a, b, "now it is") {
		list = append(list, "/provenance/model"+d.Error())
	}
	if list != nil {
		return nil, refuse("what would judge is not what judged it: "+strings.Join(list, "; "), elsewise)
	}
	o.Model += "@sha256:" + was.Digest
	model, err := localllm.Open(ctx, o, h.is.Basis.Rubric)
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	s.judge.UseModel(model, conf.Evaluator, conf.Critic, conf.Fallback == judge.ByRules)
	return s, nil
}

// unreachable tells why a model cannot be asked, unless all is being stopped.
func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why, hint := err.Error(), ""
	if f := (*localllm.Failure)(nil); errors.As(err, &f) {
		why, hint = f.Msg, f.Hint
	}
	return refuse("a model judged it, which cannot be asked: "+why, hint)
}

// again judges the turns of a record again. It gives the record that comes of it, and what is otherwise in it.
func (s *session) again(ctx context.Context, r *run.Record, line []byte) (*run.Record, []run.Difference, error) {
	now := *r
	now.Evaluation, now.Reason, now.Estimate = nil, "", heuristics.Estimate{}
	now.CrossCheck, now.Model, now.Fallback = nil, nil, nil
	if s.judge.Model != nil {
		s.model.Lock()
		defer s.model.Unlock()
	}
	if err := s.judge.Enter(ctx, &now); err != nil {
		return nil, nil, fmt.Errorf("dialogue %d: judging again: %w", r.Dialogue.ID, err)
	}
	list := differ(line, now.Append(nil), "judged again, it is")
	if list != nil && now.Model != nil && len(now.Model.Calls) > 0 && (!now.Scored() || len(now.Fallback) > 0) {
		kind := now.Model.Calls[len(now.Model.Calls)-1].Failure
		if kind != "" && !kind.Answered() { // a server that failed has answered nothing
			return &now, nil, fmt.Errorf("dialogue %d: cannot be judged again: the model could not be heard (%s)", r.Dialogue.ID, kind)
		}
	}
	if was, is := outcome(r), outcome(&now); was != is && (r.Scored() || now.Scored()) { // all else follows from that
		list = []run.Difference{{Path: "/status", Message: fmt.Sprintf("is %q; judged again, it is %q", was, is)}}
	}
	return &now, list, nil
}

// outcome tells whether a record is scored, and by whom.
func outcome(r *run.Record) string {
	switch {
	case !r.Scored():
		return "unscored: " + r.Reason
	case len(r.Fallback) > 0:
		return fmt.Sprintf("scored, with the rules for %v", r.Fallback)
	}
	return "scored"
}
