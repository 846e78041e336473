package localllm

import (
	"strings"
	"time"
)

// patience says how often a request that the server failed at is made again, and after which pauses.
type patience struct {
	total  time.Duration // that a server may be waited for
	waited time.Duration
	pauses int
	breaks int // failures that are not just a server that is down
}

const (
	mostBreaks = 2 // that a request is made again after
	firstPause = 250 * time.Millisecond
	longPause  = 4 * time.Second
)

// next gives the pause before the next try; false for no further one. A server that was waited for in vain before is
// not waited for again.
func (p *patience) next(kind FailureKind, gone bool) (time.Duration, bool) {
	if !p.suspects(kind) {
		return 0, false
	}
	pause := max(min(firstPause<<min(p.pauses, 8), longPause, p.total-p.waited), 0)
	p.pauses++
	p.waited += pause
	if kind == ServerDown {
		return pause, pause > 0 && !gone
	}
	p.breaks++
	return pause, p.breaks <= mostBreaks
}

// suspects reports whether the server may be another one, or in another state, after a failure.
func (p *patience) suspects(kind FailureKind) bool {
	switch kind {
	case ServerDown, ServerError, ConnectionCut, NoDone:
		return true
	}
	return false
}

// diagnose looks closer at what the server says for itself.
func (m *Model) diagnose(f *Failure) *Failure {
	if f.Kind != Refused && f.Kind != ServerError {
		return f
	}
	says := strings.ToLower(f.Msg)
	has := func(words ...string) bool {
		for _, w := range words {
			if !strings.Contains(says, w) {
				return false
			}
		}
		return true
	}
	switch {
	case has("model", "not found"):
		f.Kind, f.Hint = ModelAbsent, "get it with: ollama pull "+m.wanted.name
	case has("exceed", "context"), has("too long"), has("context", "length"):
		f.Kind = PromptTruncated
	case has("format"):
		f.Kind = Refused // a schema that the server cannot use, whatever its status says
	}
	return f
}

// truncated checks that the server read the whole prompt. A prompt that was cut fills the context, or half of it, and
// one that lost its first message is shorter than what the model is told; what the prompt should have is known from
// the tokens of that, and six tenths of it allow for text that is shorter in tokens.
func (m *Model) truncated(q asked, r reply) *Failure {
	least := m.prefix
	if told := len(q.system); m.prefix > 0 && told > 0 {
		least = max(least, m.prefix*(told+len(q.user))/told*6/10)
	}
	if r.Prompt < m.o.NumCtx && r.Prompt >= least {
		return nil
	}
	f := failure(PromptTruncated, "the server counts %d tokens in the prompt; want %d at least, and less than the context of %d", r.Prompt, least, m.o.NumCtx)
	f.Raw = raw(r.Text)
	return f
}
