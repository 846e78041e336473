package localllm

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ollama/ollama/api"
)

// Session judges one dialogue as both agents and keeps account of what the model said. It is not safe for concurrent
// use; several sessions of a model are.
type Session struct {
	m       *Model
	room    int                // estimated tokens that a transcript may have
	asked   []*api.ChatRequest // in order
	warm    int                // how many of those the server has in its cache, if this session owns that
	account Account
}

// Session begins to judge one dialogue.
func (m *Model) Session() *Session { return &Session{m: m, room: m.room} }

// Account gives what the model has been asked and has answered so far.
func (s *Session) Account() Account {
	s.account.DeriveFlags()
	return s.account
}

// asked is one question to the model.
type asked struct {
	Call         // its purpose
	system, user string
	format       json.RawMessage // schema of the answer; nil for a priming call
	predict      int             // tokens that the answer may have
}

// ask puts a question and has parse read the answer. What may succeed when it is made again is, each time from a known
// state of the server, and a cut answer is asked for once more with twice the tokens. An answer that was cut, to a
// prompt that was cut, or that parse refuses, is a failure.
func (s *Session) ask(ctx context.Context, q asked, parse func(text string) *Failure) *Failure {
	const longestPause, mostRetries = 4 * time.Second, 2
	pause, waited, retries, doubled := 250*time.Millisecond, time.Duration(0), 0, false
	for attempt := 1; ; attempt++ {
		q.Attempt = repeat(attempt)
		r, f := s.reply(ctx, q)
		if f == nil {
			if f = s.m.checkWhole(q, r); f != nil {
				f.raw(r.Text)
			} else {
				f = parse(r.Text)
			}
		}
		s.log(q, r, f)
		wait := max(min(pause, s.m.o.Patience-waited), 0)
		switch {
		case f == nil:
			return nil
		case ctx.Err() != nil:
			return cancelled(ctx)
		case f.Kind == CutAnswer && !doubled:
			q.predict, doubled, attempt = 2*q.predict, true, 0
			continue
		case f.Kind == ServerDown: // it is waited for as long as the patience lasts, once in a run
			if s.m.gone = s.m.gone || wait == 0; s.m.gone {
				return f
			}
		case !f.Kind.transient() || retries == mostRetries:
			return f
		default:
			retries++
		}
		pause = min(2*pause, longestPause)
		waited += wait
		s.account.Timings.Waited += wait
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return cancelled(ctx)
		}
	}
}

// reply gives the model's reply to a question, from the cache if that has it.
func (s *Session) reply(ctx context.Context, q asked) (reply, *Failure) {
	req := s.m.request(q)
	key := s.m.o.Cache.key(req, s.m.id.Digest)
	if r, ok := s.m.o.Cache.find(key); ok {
		s.asked = append(s.asked, req)
		r.times = CallTime{Cached: true}
		return r, nil
	}
	f := s.restore(ctx)
	var r reply
	if f == nil {
		r, f = s.m.client.chat(ctx, req, s.m.deadline(req, q.predict), q.predict)
	}
	if f != nil {
		s.m.owner = nil
		return r, f
	}
	s.m.gone = false
	s.asked = append(s.asked, req)
	s.warm = len(s.asked)
	s.m.o.Cache.keep(key, r)
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
		if f := s.prime(ctx, s.m.request(s.m.primer())); f != nil {
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

// forget begins anew, from a known state of the server's cache.
func (s *Session) forget() {
	s.asked, s.warm = nil, 0
	if s.m.owner == s {
		s.m.owner = nil
	}
}

// acquire waits for the right to make requests. release gives it back.
func (m *Model) acquire(ctx context.Context) *Failure {
	select {
	case m.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return cancelled(ctx)
	}
}

func (m *Model) release() { <-m.busy }

// log adds a call to the account.
func (s *Session) log(q asked, r reply, f *Failure) {
	call := q.Call
	call.PromptTokens, call.Generated = r.Prompt, r.Generated
	if f != nil {
		call.Failure, call.Raw = f.Kind, f.Raw
	}
	s.account.Calls = append(s.account.Calls, call)
	s.account.Timings.Calls = append(s.account.Timings.Calls, r.times)
}
