package localllm

import (
	"context"
	"errors"
	"time"

	"github.com/ollama/ollama/api"

	"assize/rubric"
)

// Hearing plays both agents in one trial of one dialogue, and keeps account of what the model said. It is not for
// concurrent use; several hearings of a model are.
type Hearing struct {
	m            *Model
	room         int
	presentation int
	said         []*api.ChatRequest // what the model was asked in this presentation, in order
	warm         int                // how many of those the server has in its cache, if this hearing owns that
	seated       bool
	account      Account
}

// Account gives what became of the model's words so far.
func (h *Hearing) Account() Account { return h.account }

// ask puts a question, from the cache if that has the answer. What the server fails at is tried again, each time from
// a known state; what the model says is for the caller to judge.
func (h *Hearing) ask(ctx context.Context, q asked) (reply, *Failure) {
	req := h.m.request(q)
	key := h.m.o.Cache.key(req, h.m.id.Digest)
	q.Presentation = h.presentation + 1
	if r, ok := h.m.o.Cache.find(key); ok {
		h.said = append(h.said, req)
		r.times = CallTime{Cached: true}
		f := h.m.truncated(q, r)
		h.note(q, r, f)
		return r, f
	}
	retry := patience{total: max(h.m.o.Patience, 0)}
	for q.Attempt = 1; ; q.Attempt++ {
		r, f := h.send(ctx, req, q)
		if f == nil {
			h.m.o.Cache.keep(key, r)
			f = h.m.truncated(q, r)
		}
		h.note(q, r, f)
		if f == nil || f.Kind == Cancelled {
			return r, f
		}
		if !h.again(ctx, f, &retry) {
			return r, stopped(ctx, f)
		}
	}
}

// send makes a request as the next of this hearing.
func (h *Hearing) send(ctx context.Context, req *api.ChatRequest, q asked) (reply, *Failure) {
	if f := h.sit(ctx); f != nil {
		return reply{}, f
	}
	f := h.restore(ctx)
	var r reply
	if f == nil {
		r, f = h.m.client.chat(ctx, req, h.m.deadline(q), q.predict)
	}
	if f != nil {
		h.m.owner = nil
		return r, h.m.diagnose(f)
	}
	h.m.gone = false
	h.said = append(h.said, req)
	h.warm = len(h.said)
	return r, nil
}

// restore brings the server's cache into the state in which it would be if it had answered just the questions of this
// hearing, in order, after a priming call: another hearing, a failure, or answers from our own cache may have come
// between. Only then does the same question get the same answer, to the byte.
func (h *Hearing) restore(ctx context.Context) *Failure {
	if h.m.owner != h {
		if _, f := h.m.find(ctx); f != nil { // somebody may have pulled another model by its name
			return f
		}
		if f := h.prime(ctx, h.m.request(h.m.primer(h.presentation))); f != nil {
			return f
		}
		h.m.owner, h.warm = h, 0
	}
	for ; h.warm < len(h.said); h.warm++ {
		again := *h.said[h.warm]
		again.Options = h.m.request(asked{predict: 1}).Options
		if f := h.prime(ctx, &again); f != nil {
			return f
		}
	}
	return nil
}

// prime has the server read a prompt, for its cache alone.
func (h *Hearing) prime(ctx context.Context, req *api.ChatRequest) *Failure {
	q := asked{system: req.Messages[0].Content, user: req.Messages[1].Content, predict: 1}
	r, f := h.m.client.chat(ctx, req, h.m.deadline(q), 1)
	h.account.Timings.Primes++
	h.account.Timings.Primed += r.times.Total
	return f
}

// enter begins a presentation: the model is told the rubric in another order, so nothing that it read counts.
func (h *Hearing) enter(presentation int) {
	if presentation == h.presentation && len(h.said) == 0 {
		return
	}
	h.presentation, h.said, h.warm = presentation, nil, 0
	if h.seated && h.m.owner == h {
		h.m.owner = nil
	}
}

// sit takes the right to make requests, until leave.
func (h *Hearing) sit(ctx context.Context) *Failure {
	if h.seated {
		return nil
	}
	f := h.m.sit(ctx)
	h.seated = f == nil
	return f
}

func (h *Hearing) leave() {
	if h.seated {
		h.seated = false
		h.m.rise()
	}
}

// note enters a call into the account.
func (h *Hearing) note(q asked, r reply, f *Failure) {
	call := q.Call
	call.Attempt = max(call.Attempt, 1)
	call.PromptTokens, call.Generated = r.Prompt, r.Generated
	if f != nil {
		call.Failure, call.Raw = f.Kind, f.Raw
	}
	h.account.Calls = append(h.account.Calls, call)
	h.account.Timings.Calls = append(h.account.Timings.Calls, r.times)
}

// blame enters a failure that only reading the answer showed into the account of the last call.
func (h *Hearing) blame(f *Failure) {
	last := &h.account.Calls[len(h.account.Calls)-1]
	last.Failure, last.Raw = f.Kind, f.Raw
}

// again reports whether to make the same request again, and waits before that.
func (h *Hearing) again(ctx context.Context, f *Failure, p *patience) bool {
	wait, ok := p.next(f.Kind, h.m.gone)
	if !ok {
		h.m.gone = h.m.gone || f.Kind == ServerDown
		return false
	}
	h.account.Timings.Waited += wait
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// stopped gives the failure of a run that was stopped, if it was.
func stopped(ctx context.Context, f *Failure) *Failure {
	if ctx.Err() != nil {
		return &Failure{Kind: Cancelled, Msg: "the run was stopped", Err: ctx.Err()}
	}
	return f
}

// verdict turns a failure into the error that an agent gives: a dialogue that the model did not judge is unscored, a
// run that was stopped is no one's fault.
func verdict(f *Failure) error {
	switch {
	case f == nil:
		return nil
	case f.Kind == Cancelled || errors.Is(f, context.Canceled):
		return f
	}
	return &unscored{&rubric.Unscored{Reason: "the model did not judge it: " + f.Error()}, f}
}
