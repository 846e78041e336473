package localllm

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ollama/ollama/api"

	"assize/rubric"
)

// Session judges one dialogue as both agents and records the model's answers. A session is not safe
// for concurrent use, but several sessions of a model are.
type Session struct {
	m           *Model
	tokenBudget int                // maximum estimated tokens of a transcript
	sent        []*api.ChatRequest // in order
	// how many of those are in the server's cache, if this session owns it
	cached    int
	account   Account
	judgement *judgement // the model's opinion of the dialogue; nil until it has been asked

	evaluates, criticises rubric.Set
}

// Session returns a session for one dialogue, in which the model is the Evaluator of some criteria
// and the Critic of others.
func (m *Model) Session(evaluates, criticises rubric.Set) *Session {
	return &Session{m: m, tokenBudget: m.tokenBudget, evaluates: evaluates, criticises: criticises}
}

// Account returns the account of the calls so far.
func (s *Session) Account() Account {
	s.account.DeriveFlags()
	return s.account
}

// Scores returns the model's scores. It returns false if the model was not asked or any score is
// missing.
func (s *Session) Scores() (scores [rubric.NumCriteria]rubric.Score, ok bool) {
	if s.judgement == nil {
		return scores, false
	}
	return s.judgement.scores, !slices.Contains(s.judgement.scores[:], 0)
}

// alone calls work while no other session makes requests, and returns its failure as an agent's
// error. If the run was stopped, the error does not make the dialogue unscored.
func (s *Session) alone(ctx context.Context, work func() *Failure) error {
	if s.m.free.Acquire(ctx, 1) != nil {
		return cancelled(ctx)
	}
	defer s.m.free.Release(1)
	f := work()
	switch {
	case f == nil:
		return nil
	case f.Kind == Cancelled || errors.Is(f, context.Canceled):
		return f
	}
	return &rubric.Unscored{Reason: "the model did not judge it: " + f.Error(), Err: f}
}

// ask sends a closed question, which is answered by the probabilities of the first token, and
// records P(yes) in a call. It retries transient failures, each time from a known state of the
// server. An answer to a cut prompt, or one without Yes and No, is a failure.
func (s *Session) ask(ctx context.Context, purpose Call, question string) *Failure {
	const longestPause, maxRetries = 4 * time.Second, 2
	pause, waited, retries := 250*time.Millisecond, time.Duration(0), 0
	for attempt := 1; ; attempt++ {
		call := purpose
		if attempt > 1 {
			call.Attempt = attempt
		}
		r, f := s.reply(ctx, question)
		if f == nil {
			if f = s.m.checkComplete(question, r); f == nil {
				var yes int
				if yes, f = readYes(r.Candidates); f == nil {
					call.Yes = &yes
				}
			}
			if f != nil {
				f.withRaw(r.Text)
			}
		}
		call.PromptTokens, call.Generated = r.Prompt, r.Generated
		if f != nil {
			call.Failure, call.Raw = f.Kind, f.Raw
		}
		s.account.Calls, s.account.Timings.Calls = append(s.account.Calls, call),
			append(s.account.Timings.Calls, r.times)
		wait := max(min(pause, s.m.o.Patience-waited), 0)
		switch {
		case f == nil:
			return nil
		case ctx.Err() != nil:
			return cancelled(ctx)
		case f.Kind == ServerDown: // ask waits for the server up to the patience, once per run
			if s.m.gaveUp = s.m.gaveUp || wait == 0; s.m.gaveUp {
				return f
			}
		case !f.Kind.isTransient() || retries == maxRetries:
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

// reply returns the model's reply to a question, from the cache if possible.
func (s *Session) reply(ctx context.Context, question string) (reply, *Failure) {
	req := s.m.request(question)
	key := s.m.o.Cache.key(req, s.m.id.Digest)
	if r, ok := s.m.o.Cache.lookup(key); ok {
		s.sent = append(s.sent, req)
		r.times = CallTime{Cached: true}
		return r, nil
	}
	f := s.restore(ctx)
	var r reply
	if f == nil {
		r, f = s.m.client.chat(ctx, req, s.m.deadline(req))
	}
	if f != nil {
		s.m.owner = nil
		return r, f
	}
	s.m.gaveUp = false
	s.sent = append(s.sent, req)
	s.cached = len(s.sent)
	s.m.o.Cache.store(key, r)
	return r, nil
}

// restore brings the server's cache into the state that it would have after a priming call and
// exactly the questions of this session, in order: another session, a failure, or answers from our
// own cache may have intervened. Only then does the same question get the same answer, to the byte.
func (s *Session) restore(ctx context.Context) *Failure {
	if s.m.owner != s {
		// the name may now refer to another model that was pulled
		if _, _, f := s.m.find(ctx); f != nil {
			return f
		}
		if f := s.prime(ctx, s.m.request(primer)); f != nil {
			return f
		}
		s.m.owner, s.cached = s, 0
	}
	for ; s.cached < len(s.sent); s.cached++ {
		again := *s.sent[s.cached]
		again.Logprobs, again.TopLogprobs = false, 0
		if f := s.prime(ctx, &again); f != nil {
			return f
		}
	}
	return nil
}

// prime sends a prompt only to bring it into the server's cache.
func (s *Session) prime(ctx context.Context, req *api.ChatRequest) *Failure {
	r, f := s.m.client.chat(ctx, req, s.m.deadline(req))
	s.account.Timings.Primed += r.times.Total
	return f
}

// Account records what a model was asked about one dialogue and what it answered. The same answers
// always yield the same JSON, so accounts can be recorded and compared byte for byte. The JSON does
// not include timings, which also depend on the cache.
type Account struct {
	Calls  []Call     `json:"calls"` // in chronological order
	Claims []Verified `json:"claims,omitempty"`
	// the parts in which the dialogue was judged; empty if it was judged as a whole
	Windows []Window `json:"windows,omitempty"`
	// turns, from 1, whose text was withheld from the model
	Suspicious []int `json:"suspicious,omitempty"`
	// turns, from 1, of which the model saw only the beginning
	Shortened []int `json:"shortened,omitempty"`
	// reasons to doubt the answers, by the IDs documented by [Flags]
	Flags   []string `json:"flags,omitempty"`
	Timings Timings  `json:"-"`
}

// Flat is the only flag that depends on the answers: all six scores are equal. The others follow
// from the other members of an [Account].
const Flat = "flat"

// DeriveFlags sets the flags that follow from the other members (suspicious, windows and
// shortened), keeps Flat as it is, and puts all flags in their fixed order.
func (a *Account) DeriveFlags() {
	var flags []string
	add := func(id string, applies bool) {
		if applies {
			flags = append(flags, id)
		}
	}
	add("suspicious", len(a.Suspicious) > 0)
	add("windows", len(a.Windows) > 0)
	add("shortened", len(a.Shortened) > 0)
	add(Flat, slices.Contains(a.Flags, Flat))
	a.Flags = flags
}

// Purpose is the purpose of a call.
type Purpose string

// The purposes. Priming calls, which only set the state of the server, are counted in [Timings]
// instead.
const (
	ForQuestion  Purpose = "question"  // a closed question, answered by probabilities
	ForClaim     Purpose = "claim"     // whether a claim of the rules is shown, or true
	ForScorecard Purpose = "scorecard" // a question of the rubric's scorecard, answered likewise
)

// Call is one request and its result.
type Call struct {
	Purpose   Purpose           `json:"purpose"`
	Criterion *rubric.Criterion `json:"criterion,omitzero"` // nil for a question of a scorecard
	Question  string            `json:"question,omitempty"` // its ID, or of a claim
	// P(yes) in thousandths; nil if there is no answer
	Yes    *int `json:"yes,omitempty"`
	Window int  `json:"window,omitzero"` // from 1; 0 for the whole dialogue
	// attempt number: 0 for the first, then from 2
	Attempt      int         `json:"attempt,omitzero"`
	PromptTokens int         `json:"prompt_tokens"`     // as counted by the server
	Generated    int         `json:"generated"`         // tokens
	Failure      FailureKind `json:"failure,omitempty"` // empty on success
	Raw          string      `json:"raw,omitempty"`     // the text of a failed answer
}

// Window is a part of a dialogue, given by its first and last turn, from 1.
type Window struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Timings holds the measurements that differ from run to run.
type Timings struct {
	Calls  []CallTime    // one for each of Account.Calls
	Primed time.Duration // spent on priming calls
}

// Spent returns the server's total time for the priming calls and all other calls.
func (t *Timings) Spent() time.Duration {
	spent := t.Primed
	for _, c := range t.Calls {
		spent += c.Total
	}
	return spent
}

// CallTime is the duration of a call as reported by the server; all fields are zero for an answer
// from the cache.
type CallTime struct {
	Cached        bool
	Prompt, Total time.Duration
}
