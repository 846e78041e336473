package localllm

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/ollama/ollama/api"

	"assize/rubric"
)

// Session judges one dialogue as both agents and keeps account of what the model said. It is not safe for concurrent
// use; several sessions of a model are.
type Session struct {
	m       *Model
	room    int                // estimated tokens that a transcript may have
	asked   []*api.ChatRequest // in order
	warm    int                // how many of those the server has in its cache, if this session owns that
	account Account
	opinion *opinion // what the model thinks of the dialogue; nil until it has been asked

	evaluates, criticises rubric.Set
}

// Session begins to judge one dialogue, as the Evaluator of some criteria and as the Critic of some.
func (m *Model) Session(evaluates, criticises rubric.Set) *Session {
	return &Session{m: m, room: m.room, evaluates: evaluates, criticises: criticises}
}

// Account gives what the model has been asked and has answered so far.
func (s *Session) Account() Account {
	s.account.DeriveFlags()
	return s.account
}

// Scores returns the levels that the model gives; false if it was not asked, or left one out.
func (s *Session) Scores() (scores [rubric.NumCriteria]rubric.Score, ok bool) {
	if s.opinion == nil {
		return scores, false
	}
	return s.opinion.scores, !slices.Contains(s.opinion.scores[:], 0)
}

// asked is one question to the model.
type asked struct {
	Call         // its purpose
	system, user string
	format       json.RawMessage // schema of the answer; nil for a priming call
	predict      int             // tokens that the answer may have
	closed       bool            // the probabilities of the first token are the answer
}

// ask puts a question and has read take the answer. What may succeed when it is made again is, each time from a known
// state of the server, and a cut answer is asked for once more with twice the tokens. An answer that was cut, to a
// prompt that was cut, or that read refuses, is a failure.
func (s *Session) ask(ctx context.Context, q asked, read func(*Call, reply) *Failure) *Failure {
	const longestPause, mostRetries = 4 * time.Second, 2
	pause, waited, retries, doubled := 250*time.Millisecond, time.Duration(0), 0, false
	for attempt := 1; ; attempt++ {
		if q.Attempt = attempt; attempt == 1 {
			q.Attempt = 0 // which JSON leaves out
		}
		call := q.Call
		r, f := s.reply(ctx, q)
		if f == nil {
			if f = s.m.checkWhole(q, r); f == nil {
				f = read(&call, r)
			}
			if f != nil {
				f.raw(r.Text)
			}
		}
		call.PromptTokens, call.Generated = r.Prompt, r.Generated
		if f != nil {
			call.Failure, call.Raw = f.Kind, f.Raw
		}
		s.account.Calls, s.account.Timings.Calls = append(s.account.Calls, call), append(s.account.Timings.Calls, r.times)
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
		again.Options, again.Logprobs, again.TopLogprobs = s.m.request(asked{predict: 1}).Options, false, 0
		if f := s.prime(ctx, &again); f != nil {
			return f
		}
	}
	return nil
}

// prime has the server read a prompt, only to have it in its cache.
func (s *Session) prime(ctx context.Context, req *api.ChatRequest) *Failure {
	r, f := s.m.client.chat(ctx, req, s.m.deadline(req, 1), 1)
	s.account.Timings.Primed += r.times.Total
	return f
}

// Account records what a model was asked about one dialogue and what it answered. The same answers always give the
// same JSON, so accounts can be recorded and compared byte for byte. Timings, which also tell whether an answer came
// from the cache, are no part of the JSON.
type Account struct {
	Calls      []Call   `json:"calls"`                // in the order in which they were made
	Windows    []Window `json:"windows,omitempty"`    // the parts in which the dialogue was judged; empty for the whole
	Suspicious []int    `json:"suspicious,omitempty"` // turns, from 1, whose text was kept from the model
	Shortened  []int    `json:"shortened,omitempty"`  // turns, from 1, of which the model saw only the beginning
	Flags      []string `json:"flags,omitempty"`      // reasons to doubt the answers, by the IDs that [Flags] documents
	Timings    Timings  `json:"-"`
}

// Flat is the flag that the answers alone show: all six scores are equal. The others follow from the other members of
// an [Account].
const Flat = "flat"

// Flagged reports whether the account has a flag.
func (a *Account) Flagged(flag string) bool { return slices.Contains(a.Flags, flag) }

// DeriveFlags sets the flags that follow from the other members (suspicious, windows and shortened), keeps that of the
// answers as it is, and brings all of them into their order.
func (a *Account) DeriveFlags() {
	var flags []string
	add := func(id string, is bool) {
		if is {
			flags = append(flags, id)
		}
	}
	add("suspicious", len(a.Suspicious) > 0)
	add("windows", len(a.Windows) > 0)
	add("shortened", len(a.Shortened) > 0)
	add(Flat, a.Flagged(Flat))
	a.Flags = flags
}

// Purpose says what a call is for. Older runs also have "objection".
type Purpose string

// The purposes. Priming calls, which only put the server into a known state, are counted in [Timings] instead.
const (
	ForQuestion  Purpose = "question"  // a closed question, answered by its probabilities
	ForTurn      Purpose = "turn"      // which turn shows a score
	ForCriterion Purpose = "criterion" // a written level, of a server without probabilities
)

// Call is one request and its result.
type Call struct {
	Purpose      Purpose           `json:"purpose"`
	Criterion    *rubric.Criterion `json:"criterion,omitzero"` // nil in runs in which one answer held all six
	Question     string            `json:"question,omitempty"` // its ID, of a closed question
	Yes          *int              `json:"yes,omitempty"`      // P(yes) in thousandths; nil where there is no answer
	Window       int               `json:"window,omitzero"`    // from 1; 0 for the whole dialogue
	Attempt      int               `json:"attempt,omitzero"`   // at this request: 0 for the first, then from 2
	PromptTokens int               `json:"prompt_tokens"`      // as the server counts them
	Generated    int               `json:"generated"`          // tokens
	Failure      FailureKind       `json:"failure,omitempty"`  // empty for success
	Raw          string            `json:"raw,omitempty"`      // the answer, where it failed
}

// Window is a part of a dialogue: its first and its last turn, from 1.
type Window struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Timings are what differs from run to run.
type Timings struct {
	Calls  []CallTime    // one for each of Account.Calls
	Primed time.Duration // spent on priming calls
}

// Spent is the server's time for the priming calls and the calls together.
func (t *Timings) Spent() time.Duration {
	spent := t.Primed
	for _, c := range t.Calls {
		spent += c.Total
	}
	return spent
}

// CallTime is how long a call took, by the server's own figures; all zero for an answer from the cache.
type CallTime struct {
	Cached        bool
	Prompt, Total time.Duration
}
