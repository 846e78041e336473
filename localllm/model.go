package localllm

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"assize/rubric"
)

// Model is a model on the bench. It is safe for concurrent use; one request is made at a time.
type Model struct {
	o      Options // settled
	rubric rubric.Rubric
	wanted wanted
	client *client
	id     Identity

	presentations []presentation
	room          int // estimated tokens that a transcript may have
	prefix        int // tokens of what the model is told, as the server counts them; 0 if it does not

	seat  chan struct{} // held by who makes requests; what follows is theirs
	owner *Hearing      // whose transcript the server has read last; nil where it may be another server, or have failed
	gone  bool          // it was waited for in vain

	mu   sync.Mutex
	seen map[[rubric.NumCriteria]rubric.Score]int // score vectors of the run
}

// presentation is one way to tell the model what to judge by.
type presentation struct {
	order  [rubric.NumCriteria]rubric.Criterion
	system string
}

// Identity gives what provenance keeps of the model.
func (m *Model) Identity() Identity { return m.id }

// Hear begins a trial of one dialogue.
func (m *Model) Hear() *Hearing { return &Hearing{m: m, room: m.room} }

// constantFrom is how many dialogues must have the same six scores, and no others, for the model to be called constant.
const constantFrom = 8

// Constant reports whether every dialogue so far got the same six scores, and how many those are: eight at least.
func (m *Model) Constant() (dialogues int, constant bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.seen {
		dialogues += n
	}
	return dialogues, len(m.seen) == 1 && dialogues >= constantFrom
}

func (m *Model) count(scores [rubric.NumCriteria]rubric.Score) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[[rubric.NumCriteria]rubric.Score]int{}
	}
	m.seen[scores]++
}

// present prepares the presentations: the criteria in rubric order, then turned round by one more each time, and
// after six of them backwards.
func (m *Model) present() *Failure {
	const n = rubric.NumCriteria
	for p := range m.o.Repeats {
		var order [n]rubric.Criterion
		for i := range order {
			order[i] = rubric.Criterion((i + p) % n)
			if p >= n {
				order[i] = rubric.Criterion((2*n - 1 - i + p) % n)
			}
		}
		system, f := fill(m.o.Prompts.system, systemData(m.rubric, order, m.o.Reasons))
		if f != nil {
			return f
		}
		m.presentations = append(m.presentations, presentation{order, system})
	}
	return nil
}

// leastRoom is what must be left for a transcript, in estimated tokens: some ten turns.
const leastRoom = 400

// measure settles what is left of the context for a transcript beside all that a request may hold besides: what the
// model is told, the longest question, twice the answer's length (a cut answer is asked for again), and the template.
func (m *Model) measure() *Failure {
	const template, slack = 64, 32 // another order of the criteria may have a few tokens more
	all, f := fill(m.o.Prompts.evaluate, question{Part: true})
	if f != nil {
		return f
	}
	longest := tokens(all)
	for _, c := range rubric.Criteria() {
		for level := range len(rubric.Scale) - 1 {
			q := choiceOf{Turn: 1000, Role: "SYSTEM", A: m.clause(c, level), B: m.clause(c, level+1)}
			words, f := fill(m.o.Prompts.object, q)
			if f != nil {
				return f
			}
			longest = max(longest, tokens(words)+excerptTokens)
		}
		words, f := fill(m.o.Prompts.criterion, question{c, form([]rubric.Criterion{c}, m.o.Reasons), true})
		if f != nil {
			return f
		}
		longest = max(longest, tokens(words))
	}
	told := tokens(m.presentations[0].system)
	if m.prefix > 0 {
		told = m.prefix + slack
	}
	m.room = m.o.NumCtx - told - longest - 2*m.o.NumPredict - template
	if m.room < leastRoom {
		return failure(BadOptions, "the context (num_ctx): %d leaves no room for a dialogue beside the rubric and the answer; want %d or more", m.o.NumCtx, m.o.NumCtx-m.room+leastRoom)
	}
	return nil
}

// excerptTokens is what an excerpt of 120 characters may have at most, for all but the rarest scripts.
const excerptTokens = 240

// asked is one question to the model.
type asked struct {
	Call         // what it is for
	system, user string
	format       json.RawMessage
	predict      int // tokens that the answer may have
}

// primer is the question of a priming call: it leaves the server with nothing in its cache but the constant prefix.
// Without it, the same request gives other scores when the whole prompt happens to be cached, since the last token
// then goes through another kernel alone.
func (m *Model) primer(presentation int) asked {
	return asked{system: m.presentations[presentation].system, user: ".", predict: 1}
}

// request makes the request for a question. Everything that a server would decide by itself is said: else it cuts long
// prompts, shifts the context under an answer, and loads the model anew when another client wants other options.
func (m *Model) request(q asked) *api.ChatRequest {
	options := map[string]any{"temperature": 0, "seed": m.o.Seed, "num_ctx": m.o.NumCtx, "num_predict": q.predict}
	if m.o.NumThread > 0 {
		options["num_thread"] = m.o.NumThread
	}
	no := false
	return &api.ChatRequest{
		Model:     m.id.Name,
		Messages:  []api.Message{{Role: "system", Content: q.system}, {Role: "user", Content: q.user}},
		Format:    q.format,
		KeepAlive: &api.Duration{Duration: m.o.KeepAlive},
		Options:   options,
		Think:     &api.ThinkValue{Value: false},
		Truncate:  &no,
		Shift:     &no,
	}
}

// deadline is how long a request may take: ten times what two idle cores need for a model of 1.5B, since a busy
// neighbour slows inference by as much, and at least two minutes.
func (m *Model) deadline(q asked) time.Duration {
	if m.o.Deadline > 0 {
		return m.o.Deadline
	}
	const promptRate, answerRate = 40, 15 // tokens a second
	prompt := tokens(q.system) + tokens(q.user)
	return max(10*(time.Duration(prompt)*time.Second/promptRate+time.Duration(q.predict)*time.Second/answerRate), 2*time.Minute)
}

// sit waits for the right to make requests.
func (m *Model) sit(ctx context.Context) *Failure {
	select {
	case m.seat <- struct{}{}:
		return nil
	case <-ctx.Done():
		return stopped(ctx, nil)
	}
}

func (m *Model) rise() { <-m.seat }
