package localllm

import (
	"context"
	"time"

	"github.com/ollama/ollama/api"
)

// Session judges one dialogue as both agents and keeps account of what the model said. It is not safe for concurrent
// use; several sessions of a model are.
type Session struct {
	m            *Model
	room         int // estimated tokens that a transcript may have
	presentation int
	asked        []*api.ChatRequest // in this presentation, in order
	warm         int                // how many of those the server has in its cache, if this session owns that
	holding      bool               // the right to make requests
	account      Account
}

// Account gives what the model has been asked and has answered so far.
func (s *Session) Account() Account {
	s.account.DeriveFlags()
	return s.account
}

// ask puts a question and gives the answer's text, from the cache if it has the answer. What may succeed when it is made
// again is, each time from a known state of the server. An answer that was cut, or to a prompt that was cut, is a failure.
func (s *Session) ask(ctx context.Context, q asked) (string, *Failure) {
	req := s.m.request(q)
	key := s.m.o.Cache.key(req, s.m.id.Digest)
	q.Presentation = repeat(s.presentation + 1)
	if r, ok := s.m.o.Cache.find(key); ok {
		s.asked = append(s.asked, req)
		r.times = CallTime{Cached: true}
		f := s.m.checkWhole(q, r)
		s.log(q, r, f)
		return r.Text, f
	}
	const longestPause, mostRetries = 4 * time.Second, 2
	pause, waited, retries := 250*time.Millisecond, time.Duration(0), 0
	for attempt := 1; ; attempt++ {
		q.Attempt = repeat(attempt)
		r, f := s.send(ctx, req, q)
		if f == nil {
			s.m.o.Cache.keep(key, r)
			f = s.m.checkWhole(q, r)
		}
		s.log(q, r, f)
		wait := max(min(pause, s.m.o.Patience-waited), 0)
		switch {
		case f == nil:
			return r.Text, nil
		case ctx.Err() != nil:
			return "", cancelled(ctx)
		case f.Kind == ServerDown: // it is waited for as long as the patience lasts, once in a run
			if s.m.gone = s.m.gone || wait == 0; s.m.gone {
				return "", f
			}
		case !f.Kind.transient() || retries == mostRetries:
			return "", f
		default:
			retries++
		}
		pause = min(2*pause, longestPause)
		waited += wait
		s.account.Timings.Waited += wait
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return "", cancelled(ctx)
		}
	}
}

// send makes a request as the next of this session.
func (s *Session) send(ctx context.Context, req *api.ChatRequest, q asked) (r reply, f *Failure) {
	if f = s.acquire(ctx); f != nil {
		return r, f
	}
	if f = s.restore(ctx); f == nil {
		r, f = s.m.client.chat(ctx, req, s.m.deadline(req, q.predict), q.predict)
	}
	if f != nil {
		s.m.owner = nil
		return r, f
	}
	s.m.gone = false
	s.asked = append(s.asked, req)
	s.warm = len(s.asked)
	return r, nil
}

// restore brings the server's cache into the state that it would have if it had answered just the questions of this
// session, in order, after a priming call: another session, a failure, or answers from our own cache may have come
// between. Only then does the same question get the same answer, to the byte.
func (s *Session) restore(ctx context.Context) *Failure {
	if s.m.owner != s {
		if _, _, f := s.m.find(ctx); f != nil { // another model may have been pulled under the name
			return f
		}
		if f := s.prime(ctx, s.m.request(s.m.primer(s.presentation))); f != nil {
			return f
		}
		s.m.owner, s.warm = s, 0
	}
	for ; s.warm < len(s.asked); s.warm++ {
		again := *s.asked[s.warm]
		again.Options = s.m.request(asked{predict: 1}).Options
		if f := s.prime(ctx, &again); f != nil {
			return f
		}
	}
	return nil
}

// prime has the server read a prompt, only to have it in its cache.
func (s *Session) prime(ctx context.Context, req *api.ChatRequest) *Failure {
	r, f := s.m.client.chat(ctx, req, s.m.deadline(req, 1), 1)
	s.account.Timings.Primes++
	s.account.Timings.Primed += r.times.Total
	return f
}

// present begins a presentation, in which the model is told the rubric in another order.
func (s *Session) present(presentation int) {
	if presentation == s.presentation && len(s.asked) == 0 {
		return
	}
	s.presentation, s.asked, s.warm = presentation, nil, 0
	if s.holding && s.m.owner == s {
		s.m.owner = nil
	}
}

// acquire waits for the right to make requests, which the session holds until release.
func (s *Session) acquire(ctx context.Context) *Failure {
	if s.holding {
		return nil
	}
	select {
	case s.m.busy <- struct{}{}:
		s.holding = true
		return nil
	case <-ctx.Done():
		return cancelled(ctx)
	}
}

func (s *Session) release() {
	if s.holding {
		s.holding = false
		<-s.m.busy
	}
}

// log adds a call to the account.
func (s *Session) log(q asked, r reply, f *Failure) {
	call := q.Call
	call.PromptTokens, call.Generated = r.Prompt, r.Generated
	s.account.Calls = append(s.account.Calls, call)
	s.account.Timings.Calls = append(s.account.Timings.Calls, r.times)
	if f != nil {
		s.markFailed(f)
	}
}

// markFailed adds a failure to the last call of the account.
func (s *Session) markFailed(f *Failure) {
	last := &s.account.Calls[len(s.account.Calls)-1]
	last.Failure, last.Raw = f.Kind, f.Raw
}
