package localllm

import (
	"cmp"
	"regexp"
	"strings"
	"time"
)

// Options are what the user chooses about a model; they are constant over a run. The zero value of every field but
// Model is useful. The temperature is always 0.
type Options struct {
	Address     string // of the Ollama server; "" is OLLAMA_HOST, or else http://127.0.0.1:11434
	AllowRemote bool   // without it an address outside this machine is refused, since transcripts would leave it
	Model       string // name or name:tag, optionally with @sha256:… (12 digits or more), which refuses another digest

	NumCtx     int // tokens of context; 0 is 6144, or what the model has if that is less
	NumPredict int // tokens of one answer; 0 is 300, or 600 with Reasons. A cut answer is asked for again with twice as many.
	NumThread  int // 0: the server's choice. More threads than idle cores are slow, since threads wait for each other.
	Seed       int // sent, but without effect at temperature 0

	KeepAlive time.Duration // how long the server keeps the model loaded; 0 is 10 minutes
	Deadline  time.Duration // of one request; 0 is ten times the expected duration, and at least 120 s
	Patience  time.Duration // how long to wait for a server that is down; 0 is 60 s, below 0 not at all

	Reasons bool   // ask for a bounded reason as well, marked as the model's words
	Repeats int    // presentations of each dialogue, at most 12; 0 and 1 are one
	Refuse  bool   // refuse a dialogue that does not fit into the context, instead of judging it in windows
	Cache   *Cache // nil for none

	Prompts *Prompts          // nil is [DefaultPrompts]
	Titles  map[string]string // clauses that describe a detector's signal in a claim, by its ID
}

// Settings are the options that requests depend on, as provenance keeps them.
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

// Identity is what makes a model's judgement reproducible, as provenance keeps it. The same identity always has the
// same JSON. The server's address is no part of it.
type Identity struct {
	Name          string        `json:"name"`
	Digest        string        `json:"digest"` // SHA-256 in hexadecimal, as the server lists it
	Family        string        `json:"family"`
	Parameters    string        `json:"parameters"` // such as 1.5B
	Quantization  string        `json:"quantization"`
	ContextLength int           `json:"context_length"` // tokens that the model was made for; 0 if it does not say
	Template      string        `json:"template"`       // SHA-256 of the chat template, or the name of the server's own renderer
	Server        string        `json:"server"`         // version; servers that were built from source say 0.0.0
	Prompts       PromptDigests `json:"prompts"`
	Options       Settings      `json:"options"`
}

const (
	mostRepeats     = 12 // six rotations of the criteria, forwards and backwards
	overflowWindows = "windows"
	overflowRefuse  = "refuse"
)

// withDefaults fills in the defaults and refuses values that are out of range.
func (o Options) withDefaults() (Options, *Failure) {
	if least := min(o.NumCtx, o.NumPredict, o.NumThread, o.Repeats); least < 0 {
		return o, failure(BadOptions, "num_ctx, num_predict, num_thread or repeats: %d; want 0 or more", least)
	}
	if o.Repeats > mostRepeats {
		return o, failure(BadOptions, "the repeats: %d; there are %d ways to present the criteria", o.Repeats, mostRepeats)
	}
	answer := 300
	if o.Reasons {
		answer = 600
	}
	o.Repeats = max(o.Repeats, 1)
	o.NumPredict = cmp.Or(o.NumPredict, answer)
	o.KeepAlive = cmp.Or(o.KeepAlive, 10*time.Minute)
	o.Patience = cmp.Or(o.Patience, time.Minute)
	o.Prompts = cmp.Or(o.Prompts, DefaultPrompts())
	return o, nil
}

// settings gives what provenance keeps.
func (o Options) settings() Settings {
	s := Settings{
		Seed: o.Seed, NumCtx: o.NumCtx, NumPredict: o.NumPredict, NumThread: o.NumThread,
		KeepAlive: o.KeepAlive.String(), Reasons: o.Reasons, Repeats: o.Repeats, Overflow: overflowWindows,
	}
	if o.Refuse {
		s.Overflow = overflowRefuse
	}
	return s
}

// Again gives options that ask the model of id with its settings. What options cannot express, such as the prompts,
// is left as it is: the caller compares the identity that results.
func (o Options) Again(id Identity) Options {
	s := id.Options
	o.Model = id.Name
	o.NumCtx, o.NumPredict, o.NumThread, o.Seed = s.NumCtx, s.NumPredict, s.NumThread, s.Seed
	o.KeepAlive, _ = time.ParseDuration(s.KeepAlive)
	o.Reasons, o.Repeats, o.Refuse = s.Reasons, s.Repeats, s.Overflow == overflowRefuse
	return o
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
