package localllm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
	"golang.org/x/sync/semaphore"

	"assize/rubric"
)

// Options are what the user chooses about a model; they are constant over a run. The zero value of every field but
// Model is useful.
type Options struct {
	Address     string // of the Ollama server; "" is OLLAMA_HOST, or else http://127.0.0.1:11434
	AllowRemote bool   // without it an address outside this machine is refused, since transcripts would leave it
	Model       string // name or name:tag, optionally with @sha256:… (12 digits or more), which refuses another digest
	Settings

	Deadline time.Duration // of one request; 0 is ten times the expected duration, and at least 120 s
	Patience time.Duration // how long to wait for a server that is down; 0 is 60 s, below 0 not at all
	Cache    *Cache        // nil for none
	Prompts  *Prompts      // nil is [DefaultPrompts]
	Scales   *Scales       // of the model's probabilities; nil is [PlainScale] for every criterion
}

// Scales are the scales of the six criteria.
type Scales [rubric.NumCriteria]Scale

// Settings are the options that requests depend on, as provenance keeps them.
type Settings struct {
	Temperature int    `json:"temperature"` // always 0
	Seed        int    `json:"seed"`        // sent, but without effect at temperature 0
	NumCtx      int    `json:"num_ctx"`     // tokens of context; 0 is 6144, or what the model has if that is less
	NumPredict  int    `json:"num_predict"` // tokens of one rating; 0 is 40, twice what is usual
	NumThread   int    `json:"num_thread"`  // 0: the server's choice. More threads than idle cores wait for each other.
	KeepAlive   string `json:"keep_alive"`  // how long the server keeps the model loaded, such as 90s; "" is 10m0s
	Reasons     bool   `json:"reasons"`     // always false
	Repeats     int    `json:"repeats"`     // always 1
	Overflow    string `json:"on_overflow"` // of a dialogue that does not fit into the context: "" is [Windows]
}

// The overflows: such a dialogue is judged in windows, or refused.
const (
	Windows = "windows"
	Refuse  = "refuse"
)

// Identity is what makes a model's judgement reproducible, as provenance keeps it. The same identity always has the
// same JSON. The server's address is no part of it.
type Identity struct {
	Name          string        `json:"name"`
	Digest        string        `json:"digest"` // SHA-256 in hexadecimal, as the server lists it
	Family        string        `json:"family"`
	Parameters    string        `json:"parameters"` // such as 1.5B
	Quantization  string        `json:"quantization"`
	ContextLength int           `json:"context_length"`      // tokens that the model was made for; 0 if it does not say
	Template      string        `json:"template"`            // SHA-256 of the chat template, or the name of the server's own renderer
	Server        string        `json:"server"`              // version; servers that were built from source say 0.0.0
	Answers       string        `json:"answers,omitempty"`   // [Probabilities] or [Levels]; empty in older runs
	Questions     []Question    `json:"questions,omitempty"` // that are answered by probabilities
	Prompts       PromptDigests `json:"prompts"`
	Options       Settings      `json:"options"`
}

// The ways in which a model answers. Servers before version 0.12.11 return no probabilities.
const (
	Probabilities = "probabilities" // of Yes and No, to closed questions
	Levels        = "levels"        // written, with the turn that shows each
)

// withDefaults fills in the defaults and refuses values that are out of range.
func (o Options) withDefaults() (Options, *Failure) {
	if least := min(o.NumCtx, o.NumPredict, o.NumThread); least < 0 {
		return o, failure(BadOptions, "num_ctx, num_predict or num_thread: %d; want 0 or more", least)
	}
	keep, _ := time.ParseDuration(o.KeepAlive)
	o.Temperature, o.KeepAlive = 0, cmp.Or(keep, 10*time.Minute).String()
	o.Reasons, o.Repeats = false, 1
	o.NumPredict = cmp.Or(o.NumPredict, 40)
	o.Patience = cmp.Or(o.Patience, time.Minute)
	o.Prompts = cmp.Or(o.Prompts, DefaultPrompts())
	if o.Overflow != Refuse {
		o.Overflow = Windows
	}
	return o, nil
}

// modelName is name, name:tag, name@sha256:digits or name:tag@sha256:digits; twelve digits tell models apart.
var modelName = regexp.MustCompile(`^([!-?A-~]+)(?:@(?i:sha256):([0-9a-fA-F]{12,64}))?$`)

// parseModel reads the name of a model. The digest is "" for any.
func parseModel(s string) (name, digest string, f *Failure) {
	m := modelName.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return "", "", failure(BadOptions, "model %q is no name; want one such as qwen2.5:1.5b, optionally with @sha256: and 12 to 64 hexadecimal digits", s)
	}
	return m[1], strings.ToLower(m[2]), nil
}

// sameModel reports whether two names are of the same model: without a tag, the tag is "latest".
func sameModel(a, b string) bool {
	tagged := func(name string) string {
		if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
			return name
		}
		return name + ":latest"
	}
	return strings.EqualFold(tagged(a), tagged(b))
}

// Model is a model that judges. It is safe for concurrent use; one request is made at a time.
type Model struct {
	o      Options // with defaults
	wanted string  // the model's name as the user gives it
	rubric rubric.Rubric
	client *client
	id     Identity

	system string // the system message
	room   int    // estimated tokens that a transcript may have
	prefix int    // tokens of the system message, as the server counts them; 0 if it does not

	free  *semaphore.Weighted // 1 while no session makes requests; owner and gone belong to the one that does
	owner *Session            // the session whose questions are in the server's cache; nil where that is unknown
	gone  bool                // the server was waited for in vain

	mu   sync.Mutex
	seen map[[rubric.NumCriteria]rubric.Score]int // sets of scores in the run
}

// Open contacts the server, checks that the model is there, has the digest that was asked for, and has a chat template,
// and has it loaded. An error is a *Failure.
func Open(ctx context.Context, o Options, r rubric.Rubric) (*Model, error) {
	m := &Model{rubric: r, free: semaphore.NewWeighted(1), seen: map[[rubric.NumCriteria]rubric.Score]int{}}
	if f := m.open(ctx, o); f != nil {
		return nil, f
	}
	return m, nil
}

func (m *Model) open(ctx context.Context, o Options) (f *Failure) {
	if m.o, f = o.withDefaults(); f != nil {
		return f
	}
	if m.wanted, m.id.Digest, f = parseModel(o.Model); f != nil {
		return f
	}
	if m.client, f = newClient(o); f != nil {
		return f
	}
	if m.id.Server, f = m.client.version(ctx); f != nil {
		return f
	}
	if m.id.Name, m.id.Digest, f = m.find(ctx); f != nil {
		return f
	}
	if f = m.describe(ctx); f != nil {
		return f
	}
	if has := m.id.ContextLength; has > 0 && m.o.NumCtx > has {
		return failure(BadOptions, "the context (num_ctx): %d; %s has %d at most", m.o.NumCtx, plain(m.id.Name), has)
	}
	if m.system, f = m.o.Prompts.fill(systemPrompt, nil); f != nil {
		return f
	}
	if f = m.load(ctx); f != nil {
		return f
	}
	if m.id.Answers == Levels {
		if m.system, f = m.o.Prompts.fill(levelsPrompt, systemData(m.rubric)); f != nil {
			return f
		}
		if f = m.load(ctx); f != nil {
			return f
		}
	}
	return m.measure()
}

// find gives the model's name and digest by the server's list. A digest that is known already must be the same: a model
// must not change during a run.
func (m *Model) find(ctx context.Context) (name, digest string, f *Failure) {
	listed, f := m.client.list(ctx)
	if f != nil {
		return "", "", f
	}
	i := slices.IndexFunc(listed, func(l api.ListModelResponse) bool { return sameModel(m.wanted, l.Name) })
	if i < 0 {
		var names []string
		for _, l := range listed {
			names = append(names, plain(l.Name))
		}
		slices.Sort(names)
		there := plain(cmp.Or(strings.Join(names, ", "), "none"))
		return "", "", failure(ModelAbsent, "the server has no model %s; it has %s", m.wanted, there).hint("get it with: ollama pull " + m.wanted)
	}
	found := listed[i]
	if found.RemoteHost != "" && !m.o.AllowRemote {
		return "", "", remoteModel(found.Name, found.RemoteHost)
	}
	digest = strings.TrimPrefix(strings.ToLower(plain(found.Digest)), "sha256:")
	if !strings.HasPrefix(digest, m.id.Digest) {
		f := failure(DigestDiffers, "%s is sha256:%s; want sha256:%s", plain(found.Name), digest, m.id.Digest)
		return "", "", f.hint("the model was pulled or made again; results of the two do not compare")
	}
	return found.Name, digest, nil
}

func remoteModel(name, host string) *Failure {
	f := failure(RemoteModel, "%s runs on %s, and transcripts would be sent there", plain(name), plain(host))
	return f.hint("choose a model that is installed here; --allow-remote allows it")
}

// describe completes the identity, and settles how much context the model gets where the user did not say.
func (m *Model) describe(ctx context.Context) *Failure {
	s, f := m.client.show(ctx, m.id.Name)
	if f != nil {
		return f
	}
	if s.RemoteHost != "" && !m.o.AllowRemote {
		return remoteModel(m.id.Name, s.RemoteHost)
	}
	if !hasTemplate(&s) {
		f := failure(NoTemplate, "%s has no chat template, so it would continue the transcript instead of judging it", plain(m.id.Name))
		return f.hint("take an instruct or chat model")
	}
	m.id.Family = plain(s.Details.Family)
	m.id.Parameters = plain(s.Details.ParameterSize)
	m.id.Quantization = plain(s.Details.QuantizationLevel)
	m.id.ContextLength = contextLength(s.ModelInfo)
	m.id.Template = plain(s.Renderer)
	if s.Renderer == "" {
		sum := sha256.Sum256([]byte(s.Template))
		m.id.Template = hex.EncodeToString(sum[:])
	}
	const numCtx = 6144
	m.o.NumCtx = cmp.Or(m.o.NumCtx, min(numCtx, cmp.Or(m.id.ContextLength, numCtx)))
	m.id.Prompts, m.id.Options = m.o.Prompts.digests, m.o.Settings
	return nil
}

// hasTemplate reports whether a model has a chat template that passes on both the system message and the question.
// Newer servers render some families by code of their own.
func hasTemplate(s *api.ShowResponse) bool {
	has := func(field string) bool { return strings.Contains(s.Template, field) }
	return s.Renderer != "" || has(".Messages") || has(".System") && has(".Prompt")
}

// contextLength finds the entry of the model's own architecture, such as "qwen2.context_length"; 0 for none.
func contextLength(info map[string]any) int {
	architecture, _ := info["general.architecture"].(string)
	n, _ := info[architecture+".context_length"].(float64)
	if n < 0 || n > 1<<30 {
		return 0
	}
	return int(n)
}

// load has the server load the model by a first priming call, which also tells how many tokens
// the constant part of the prompt has, and whether the server returns probabilities.
func (m *Model) load(ctx context.Context) *Failure {
	deadline := cmp.Or(m.o.Deadline, 5*time.Minute)
	r, f := m.client.chat(ctx, m.request(m.primer()), deadline, 1)
	switch {
	case f != nil && f.Kind == TimedOut:
		f.Kind, f.Msg = SlowLoad, fmt.Sprintf("%s did not load within %s", plain(m.id.Name), deadline)
		return f.hint("load it beforehand with: ollama run " + m.id.Name + "; or give a longer --model-timeout")
	case f == nil && r.Prompt >= m.o.NumCtx:
		f = failure(BadOptions, "the context (num_ctx): the prompts alone have %d tokens or more; want more than %d", r.Prompt, m.o.NumCtx)
	}
	m.prefix = r.Prompt
	m.id.Answers, m.id.Questions = Levels, nil
	if len(r.Candidates) > 0 {
		m.id.Answers, m.id.Questions = Probabilities, m.o.Prompts.questions
	}
	return f
}

// measure works out how much of the context is left for a transcript beside everything else that a
// request may hold: the system message, the longest question, twice the answer's length (a cut
// answer is asked for again), and the template.
func (m *Model) measure() *Failure {
	const (
		wrapping = 64  // by the chat template
		least    = 400 // what must be left: some ten turns
		slack    = 32  // what the server counts may lack a few tokens
	)
	longest := 0
	var failed *Failure
	consider := func(prompt string, data any) {
		words, f := m.o.Prompts.fill(prompt, data)
		longest, failed = max(longest, tokens(words)), cmp.Or(failed, f)
	}
	for _, q := range m.id.Questions {
		consider(questionPrompt, question{q.Ask, true})
	}
	for _, c := range rubric.Criteria() {
		for level := range rubric.Scale {
			consider(turnPrompt, turnOf{m.clause(c, level)})
		}
		consider(levelPrompt, levelOf{c, form(c), true})
	}
	if failed != nil {
		return failed
	}
	system := tokens(m.system)
	if m.prefix > 0 {
		system = m.prefix + slack
	}
	m.room = m.o.NumCtx - system - longest - 2*m.o.NumPredict - wrapping
	if m.room < least {
		return failure(BadOptions, "the context (num_ctx): %d leaves no room for a dialogue beside the prompts and the answer; want %d or more",
			m.o.NumCtx, m.o.NumCtx-m.room+least)
	}
	return nil
}

// Identity gives what provenance keeps of the model.
func (m *Model) Identity() Identity { return m.id }

// primer is the question of a priming call, which leaves nothing but the constant prefix in the server's cache. Without
// it, a request whose whole prompt happens to be cached gives other scores, since the last token then goes through
// another kernel alone.
func (m *Model) primer() asked {
	return asked{system: m.system, user: ".", predict: 1, closed: m.id.Answers != Levels}
}

// request makes the request for a question. It sets everything that a server would otherwise decide by itself: servers
// cut long prompts, shift the context during an answer, and reload the model when another client wants other options.
func (m *Model) request(q asked) *api.ChatRequest {
	options := map[string]any{"temperature": 0, "seed": m.o.Seed, "num_ctx": m.o.NumCtx, "num_predict": q.predict}
	if m.o.NumThread > 0 {
		options["num_thread"] = m.o.NumThread
	}
	keep, _ := time.ParseDuration(m.o.KeepAlive) // which is valid
	no := false
	return &api.ChatRequest{
		Model:     m.id.Name,
		Messages:  []api.Message{{Role: "system", Content: q.system}, {Role: "user", Content: q.user}},
		Format:    q.format,
		KeepAlive: &api.Duration{Duration: keep},
		Options:   options,
		Think:     &api.ThinkValue{Value: false},
		Truncate:  &no,
		Shift:     &no,

		Logprobs:    q.closed,
		TopLogprobs: map[bool]int{true: mostCandidates}[q.closed],
	}
}

// deadline is how long a request may take: ten times what two idle cores need for a model of 1.5B, since a busy machine
// slows inference by as much, and at least two minutes.
func (m *Model) deadline(req *api.ChatRequest, predict int) time.Duration {
	if m.o.Deadline > 0 {
		return m.o.Deadline
	}
	const promptRate, answerRate = 40, 15 // tokens a second
	prompt := 0
	for _, message := range req.Messages {
		prompt += tokens(message.Content)
	}
	expected := time.Duration(prompt)*time.Second/promptRate + time.Duration(predict)*time.Second/answerRate
	return max(10*expected, 2*time.Minute)
}

// checkWhole checks that the server read the whole prompt and gave a whole answer. A prompt that was cut fills the
// context, or half of it, and one that lost its first message is shorter than the system message. The tokens of that
// message tell how many the whole prompt should have; six tenths of it allow for text that needs fewer tokens.
func (m *Model) checkWhole(q asked, r reply) *Failure {
	least := m.prefix
	if system := len(q.system); m.prefix > 0 && system > 0 {
		least = max(least, m.prefix*(system+len(q.user))/system*6/10)
	}
	switch {
	case r.Prompt >= m.o.NumCtx || r.Prompt < least:
		return failure(PromptTruncated, "the server counts %d tokens in the prompt; want %d at least, and less than the context of %d",
			r.Prompt, least, m.o.NumCtx)
	case r.Reason == "length" && !q.closed:
		return failure(CutAnswer, "the answer was cut at %d tokens", q.predict)
	}
	return nil
}

// Constant reports whether every dialogue so far got the same six scores, and how many dialogues those are: eight at
// least, since fewer prove nothing.
func (m *Model) Constant() (dialogues int, constant bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.seen {
		dialogues += n
	}
	return dialogues, len(m.seen) == 1 && dialogues >= 8
}
