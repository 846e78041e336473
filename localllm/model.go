package localllm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
	"golang.org/x/sync/semaphore"

	"assize/rubric"
)

// Options are the user's choices about a model; they are constant within a run. Except for Model,
// the zero value of every field is useful.
type Options struct {
	// the Ollama server; "" means OLLAMA_HOST or, if that is not set, http://127.0.0.1:11434
	Address     string
	AllowRemote bool // allow an address outside this machine, to which transcripts are then sent
	// name or name:tag, optionally with @sha256:… (12 digits or more), which rejects any other
	// digest
	Model string
	Settings

	// of one request; 0 means ten times the expected duration, and at least 120 s
	Deadline time.Duration
	// how long to wait for a server that is down; 0 means 60 s, negative means not at all
	Patience time.Duration
	Cache    *Cache   // may be nil
	Prompts  *Prompts // nil means [DefaultPrompts]
	// for the model's probabilities; nil means [DefaultScale] for every criterion
	Scales *Scales
	Claims *ClaimScales // nil for a model whose doubts about claims have no vote
}

// Settings are the options that affect requests, as recorded in the provenance.
type Settings struct {
	Temperature int `json:"temperature"` // always 0
	Seed        int `json:"seed"`        // sent, but without effect at temperature 0
	// context size in tokens; 0 means 6144, or the model's maximum if that is less
	NumCtx     int `json:"num_ctx"`
	NumPredict int `json:"num_predict"` // of one answer; always 1
	// 0: the server's choice. More threads than idle cores slow each other down.
	NumThread int `json:"num_thread"`
	// how long the server keeps the model loaded, such as 90s; "" means 10m0s
	KeepAlive string `json:"keep_alive"`
	Reasons   bool   `json:"reasons"` // always false
	Repeats   int    `json:"repeats"` // always 1
	// what to do with a dialogue that exceeds the context: "" means [windows]
	Overflow string `json:"on_overflow"`
}

// The overflow policies: judge such a dialogue in windows, or reject it.
const (
	windows = "windows"
	Refuse  = "refuse"
)

// Identity is everything needed to reproduce a model's judgement, as recorded in the provenance.
// The same identity always has the same JSON. It does not include the server's address.
type Identity struct {
	Name         string `json:"name"`
	Digest       string `json:"digest"` // SHA-256 in hexadecimal, as listed by the server
	Family       string `json:"family"`
	Parameters   string `json:"parameters"` // such as 1.5B
	Quantization string `json:"quantization"`
	// maximum context in tokens; 0 if unknown
	ContextLength int `json:"context_length"`
	// SHA-256 of the chat template, or the name of the server's built-in renderer
	Template string `json:"template"`
	// version; servers built from source report 0.0.0
	Server string `json:"server"`
	// the closed questions, answered by probabilities
	Questions []Question    `json:"questions,omitempty"`
	Prompts   PromptDigests `json:"prompts"`
	Options   Settings      `json:"options"`
}

// withDefaults fills in the defaults and rejects values that are out of range.
func (o Options) withDefaults() (Options, *Failure) {
	if minimum := min(o.NumCtx, o.NumThread); minimum < 0 {
		return o, failure("bad-options/negative", minimum)
	}
	keep, _ := time.ParseDuration(o.KeepAlive)
	o.Temperature, o.KeepAlive = 0, cmp.Or(keep, 10*time.Minute).String()
	o.Reasons, o.Repeats = false, 1
	o.NumPredict = 1
	o.Patience = cmp.Or(o.Patience, time.Minute)
	o.Prompts = cmp.Or(o.Prompts, DefaultPrompts())
	if o.Overflow != Refuse {
		o.Overflow = windows
	}
	return o, nil
}

// modelName matches name, name:tag, name@sha256:digits and name:tag@sha256:digits; twelve digits
// are enough to distinguish models.
var modelName = regexp.MustCompile(`^([!-?A-~]+)(?:@(?i:sha256):([0-9a-fA-F]{12,64}))?$`)

// parseModel splits the name of a model. The digest is "" if any is allowed.
func parseModel(s string) (name, digest string, f *Failure) {
	m := modelName.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return "", "", failure("bad-options/model", s)
	}
	return m[1], strings.ToLower(m[2]), nil
}

// sameModel reports whether two names denote the same model; a missing tag means "latest".
func sameModel(a, b string) bool {
	tagged := func(name string) string {
		if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
			return name
		}
		return name + ":latest"
	}
	return strings.EqualFold(tagged(a), tagged(b))
}

// Model is a model that judges dialogues. It is safe for concurrent use; it sends one request at a
// time.
type Model struct {
	o         Options // including defaults
	requested string  // the model's name as given by the user
	client    *client
	id        Identity

	tokenBudget int // maximum estimated tokens of a transcript
	prefix      int // tokens of the shortest prompt, as counted by the server; 0 if unknown

	free *semaphore.Weighted // 1 while no session makes requests; guards owner and gaveUp
	// the session whose questions are in the server's cache; nil if unknown
	owner  *Session
	gaveUp bool // waiting for the server has already failed

	mu   sync.Mutex
	seen map[[rubric.NumCriteria]rubric.Score]int // counts of each set of scores in the run
}

// Open contacts the server, checks that the model exists, has the requested digest and has a chat
// template, and loads it. The error is a *Failure.
func Open(ctx context.Context, o Options) (*Model, error) {
	m := &Model{free: semaphore.NewWeighted(1), seen: map[[rubric.NumCriteria]rubric.Score]int{}}
	if f := m.open(ctx, o); f != nil {
		return nil, f
	}
	return m, nil
}

func (m *Model) open(ctx context.Context, o Options) (f *Failure) {
	if m.o, f = o.withDefaults(); f != nil {
		return f
	}
	if m.requested, m.id.Digest, f = parseModel(o.Model); f != nil {
		return f
	}
	if m.client, f = newClient(m.o); f != nil {
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
		return failure("bad-options/context", m.o.NumCtx, printable(m.id.Name), has)
	}
	if f = m.load(ctx); f != nil {
		return f
	}
	return m.computeBudget()
}

// find returns the model's name and digest from the server's list. If the digest is already known,
// it must be the same: a model must not change during a run.
func (m *Model) find(ctx context.Context) (name, digest string, f *Failure) {
	listed, f := m.client.list(ctx)
	if f != nil {
		return "", "", f
	}
	i := slices.IndexFunc(listed,
		func(l api.ListModelResponse) bool { return sameModel(m.requested, l.Name) })
	if i < 0 {
		var names []string
		for _, l := range listed {
			names = append(names, printable(l.Name))
		}
		slices.Sort(names)
		there := printable(cmp.Or(strings.Join(names, ", "), "none"))
		return "", "", failure("model-absent", m.requested, there)
	}
	found := listed[i]
	if found.RemoteHost != "" && !m.o.AllowRemote {
		return "", "", failure("remote-model", printable(found.Name), printable(found.RemoteHost))
	}
	digest = strings.TrimPrefix(strings.ToLower(printable(found.Digest)), "sha256:")
	if digest == "" || strings.Trim(digest, "0123456789abcdef") != "" {
		return "", "", failure("not-ollama/digest", printable(found.Name), digest)
	}
	if !strings.HasPrefix(digest, m.id.Digest) {
		return "", "", failure("digest-differs", printable(found.Name), digest, m.id.Digest)
	}
	return found.Name, digest, nil
}

// describe completes the identity, and chooses the context size if the user did not set one.
func (m *Model) describe(ctx context.Context) *Failure {
	s, f := m.client.show(ctx, m.id.Name)
	if f != nil {
		return f
	}
	if s.RemoteHost != "" && !m.o.AllowRemote {
		return failure("remote-model", printable(m.id.Name), printable(s.RemoteHost))
	}
	if !hasTemplate(&s) {
		return failure("no-template", printable(m.id.Name))
	}
	m.id.Family = printable(s.Details.Family)
	m.id.Parameters = printable(s.Details.ParameterSize)
	m.id.Quantization = printable(s.Details.QuantizationLevel)
	m.id.ContextLength = contextLength(s.ModelInfo)
	m.id.Template = printable(s.Renderer)
	if s.Renderer == "" {
		sum := sha256.Sum256([]byte(s.Template))
		m.id.Template = hex.EncodeToString(sum[:])
	}
	const numCtx = 6144
	m.o.NumCtx = cmp.Or(m.o.NumCtx, min(numCtx, cmp.Or(m.id.ContextLength, numCtx)))
	m.id.Prompts, m.id.Options = m.o.Prompts.Digests, m.o.Settings
	return nil
}

// hasTemplate reports whether a model has a chat template that includes both the system message and
// the question. Newer servers render some families with built-in code instead.
func hasTemplate(s *api.ShowResponse) bool {
	has := func(field string) bool { return strings.Contains(s.Template, field) }
	return s.Renderer != "" || has(".Messages") || has(".System") && has(".Prompt")
}

// contextLength returns the entry for the model's own architecture, such as "qwen2.context_length";
// 0 if there is none.
func contextLength(info map[string]any) int {
	architecture, _ := info["general.architecture"].(string)
	n, _ := info[architecture+".context_length"].(float64)
	if n < 0 || n > 1<<30 {
		return 0
	}
	return int(n)
}

// load makes the server load the model with a first priming call, which also determines the number
// of tokens in the constant part of the prompt, and whether the server returns probabilities.
func (m *Model) load(ctx context.Context) *Failure {
	deadline := cmp.Or(m.o.Deadline, 5*time.Minute)
	r, f := m.client.chat(ctx, m.request(primer), deadline)
	switch {
	case f != nil && f.Kind == TimedOut:
		slow := failure("slow-load", printable(m.id.Name), deadline)
		f.Kind, f.Msg, f.Hint = slow.Kind, slow.Msg, slow.Hint
	case f == nil && r.Prompt >= m.o.NumCtx:
		f = failure("bad-options/long prompts", r.Prompt, m.o.NumCtx)
	case f == nil && len(r.Candidates) == 0:
		f = failure("old-server", printable(m.id.Server))
	}
	m.prefix, m.id.Questions = r.Prompt, m.o.Prompts.Questions
	return f
}

// computeBudget computes how much of the context is left for a transcript after everything else in
// a request: the longest question, or a claim with its quotes, and the template.
func (m *Model) computeBudget() *Failure {
	const (
		wrapping = 64  // for the chat template
		minimum  = 400 // minimum that must be left: about ten turns
		slack    = 32  // the server's count may be a few tokens too low
		claim    = 250 // for a question about a claim, with up to three quotes
	)
	longest := claim
	for _, q := range m.id.Questions {
		words, f := m.o.Prompts.fill(questionPrompt, questionData{Ask: q.Ask, Part: true})
		if f != nil {
			return f
		}
		longest = max(longest, tokens(words))
	}
	m.tokenBudget = m.o.NumCtx - m.prefix - slack - longest - wrapping
	if m.tokenBudget < minimum {
		return failure("bad-options/no room", m.o.NumCtx, m.o.NumCtx-m.tokenBudget+minimum)
	}
	return nil
}

// Identity returns the model's identity for the provenance.
func (m *Model) Identity() Identity { return m.id }

// primer is the text of a priming call, which leaves only the constant prefix in the server's
// cache. Without it, a request whose whole prompt happens to be cached would get different scores,
// because the last token would then go through another kernel by itself.
const primer = "."

// request builds the request for a question. It sets every option that the server would otherwise
// choose itself: servers cut long prompts, shift the context during an answer, and reload the model
// when another client uses other options.
func (m *Model) request(user string) *api.ChatRequest {
	options := map[string]any{"temperature": 0, "seed": m.o.Seed, "num_ctx": m.o.NumCtx,
		"num_predict": m.o.NumPredict}
	if m.o.NumThread > 0 {
		options["num_thread"] = m.o.NumThread
	}
	keep, _ := time.ParseDuration(m.o.KeepAlive) // already validated
	no := false
	return &api.ChatRequest{
		Model:     m.id.Name,
		Messages:  []api.Message{{Role: "user", Content: user}},
		KeepAlive: &api.Duration{Duration: keep},
		Options:   options,
		Think:     &api.ThinkValue{Value: false},
		Truncate:  &no,
		Shift:     &no,

		Logprobs:    true,
		TopLogprobs: maxCandidates,
	}
}

// deadline returns how long a request may take: ten times what two idle cores need for a model of
// 1.5B, since a busy machine slows inference by as much, and at least two minutes.
func (m *Model) deadline(req *api.ChatRequest) time.Duration {
	if m.o.Deadline > 0 {
		return m.o.Deadline
	}
	const promptRate = 40 // tokens a second
	prompt := tokens(req.Messages[0].Content)
	return max(10*time.Duration(prompt)*time.Second/promptRate, 2*time.Minute)
}

// checkComplete checks that the server read the whole prompt. A truncated prompt fills the context,
// or has less than one token per word.
func (m *Model) checkComplete(question string, r reply) *Failure {
	minimum := max(m.prefix, len(strings.Fields(question)))
	if r.Prompt >= m.o.NumCtx || r.Prompt < minimum {
		return failure("prompt-truncated", r.Prompt, minimum, m.o.NumCtx)
	}
	return nil
}

// Constant reports whether every dialogue so far got the same six scores, and returns the number of
// dialogues. It requires at least eight, since fewer prove nothing.
func (m *Model) Constant() (dialogues int, constant bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.seen {
		dialogues += n
	}
	return dialogues, len(m.seen) == 1 && dialogues >= 8
}
