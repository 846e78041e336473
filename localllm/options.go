package localllm

import (
	"fmt"
	"strings"
	"time"
)

// Options are what the user chooses of a model on the bench; they are constant over a run. The zero value of all
// but Model is useful. Temperature is always 0.
type Options struct {
	Address     string // of the Ollama server; "" is OLLAMA_HOST, and else http://127.0.0.1:11434
	AllowRemote bool   // without it an address outside this machine is refused, since transcripts would leave it
	Model       string // name or name:tag, and perhaps @sha256:… with at least 12 digits, which refuses another digest

	NumCtx     int // tokens of context; 0 is 6144, or what the model has if that is less
	NumPredict int // tokens of one answer; 0 is 300, and 600 with Reasons. A cut answer is asked for again with twice as many.
	NumThread  int // 0 leaves it to the server. More threads than idle cores are slow: threads wait for each other.
	Seed       int // sent, but without effect at temperature 0

	KeepAlive time.Duration // how long the server keeps the model loaded; 0 is 10 minutes
	Deadline  time.Duration // of one request; 0 is ten times what it should take, and at least 120 s
	Patience  time.Duration // how long a server that is down is waited for; 0 is 60 s, below 0 not at all

	Reasons bool   // ask for a bounded reason as well, marked as the model's words
	Repeats int    // presentations of each dialogue, at most 12; 0 and 1 are one
	Refuse  bool   // refuse a dialogue that does not fit into the context, instead of judging it in windows
	Cache   *Cache // nil is none

	Prompts *Prompts          // nil is [DefaultPrompts]
	Titles  map[string]string // what a detector's signal is called in a claim, by its id; an unknown one goes by its id alone
}

// Settings are the options that a request is sent with, as provenance keeps them.
type Settings struct {
	Temperature int    `json:"temperature"`
	Seed        int    `json:"seed"`
	NumCtx      int    `json:"num_ctx"`
	NumPredict  int    `json:"num_predict"`
	NumThread   int    `json:"num_thread"` // 0: the server's choice
	KeepAlive   string `json:"keep_alive"`
	Reasons     bool   `json:"reasons"`
	Repeats     int    `json:"repeats"`
	Overflow    string `json:"on_overflow"` // windows or refuse
}

const (
	defaultNumCtx     = 6144
	defaultNumPredict = 300
	reasonsNumPredict = 600
	mostRepeats       = 12 // six rotations of the criteria, forwards and backwards
	leastDigest       = 12 // hexadecimal digits that tell models apart
	overflowWindows   = "windows"
	overflowRefuse    = "refuse"
)

// settled fills in the defaults and refuses what makes no sense.
func (o Options) settled() (Options, *Failure) {
	for _, n := range []struct {
		name  string
		value int
	}{{"the context (num_ctx)", o.NumCtx}, {"the answer's length (num_predict)", o.NumPredict}, {"the threads (num_thread)", o.NumThread}, {"the repeats", o.Repeats}} {
		if n.value < 0 {
			return o, failure(BadOptions, "%s: %d; want 0 or more", n.name, n.value)
		}
	}
	if o.Repeats > mostRepeats {
		return o, failure(BadOptions, "the repeats: %d; there are %d ways to present the criteria", o.Repeats, mostRepeats)
	}
	o.Repeats = max(o.Repeats, 1)
	if o.NumPredict == 0 {
		o.NumPredict = defaultNumPredict
		if o.Reasons {
			o.NumPredict = reasonsNumPredict
		}
	}
	if o.KeepAlive == 0 {
		o.KeepAlive = 10 * time.Minute
	}
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	if o.Prompts == nil {
		o.Prompts = DefaultPrompts()
	}
	return o, nil
}

// settings gives what provenance keeps.
func (o Options) settings() Settings {
	overflow := overflowWindows
	if o.Refuse {
		overflow = overflowRefuse
	}
	return Settings{
		Seed: o.Seed, NumCtx: o.NumCtx, NumPredict: o.NumPredict, NumThread: o.NumThread,
		KeepAlive: o.KeepAlive.String(), Reasons: o.Reasons, Repeats: o.Repeats, Overflow: overflow,
	}
}

// Again gives options that send what id says, and ask its model alone. What of id no options can say differs in the
// identity that comes of them.
func (o Options) Again(id Identity) Options {
	s := id.Options
	o.Model = id.Name
	o.NumCtx, o.NumPredict, o.NumThread, o.Seed = s.NumCtx, s.NumPredict, s.NumThread, s.Seed
	o.KeepAlive, _ = time.ParseDuration(s.KeepAlive)
	o.Reasons, o.Repeats, o.Refuse = s.Reasons, s.Repeats, s.Overflow == overflowRefuse
	return o
}

// wanted is a model as the user names it.
type wanted struct {
	name   string // without a digest
	digest string // hexadecimal digits; "" for any
}

// parseModel reads name, name:tag, name@sha256:digits or name:tag@sha256:digits.
func parseModel(s string) (wanted, *Failure) {
	name, digest, pinned := strings.Cut(strings.TrimSpace(s), "@")
	w := wanted{name: name}
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return w, failure(BadOptions, "model %q is no name; want one such as qwen2.5:1.5b", s)
	}
	if !pinned {
		return w, nil
	}
	digits, ok := strings.CutPrefix(strings.ToLower(digest), "sha256:")
	if !ok || len(digits) < leastDigest || len(digits) > 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return w, failure(BadOptions, "model %q: %q is no digest; want sha256: and %d to 64 hexadecimal digits", s, digest, leastDigest)
	}
	w.digest = digits
	return w, nil
}

// is reports whether a listed model goes by the name: without a tag, the tag is "latest".
func (w wanted) is(listed string) bool {
	return strings.EqualFold(tagged(w.name), tagged(listed))
}

func tagged(name string) string {
	if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		return name
	}
	return name + ":latest"
}

func failure(kind FailureKind, format string, args ...any) *Failure {
	return &Failure{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}
