// Package fakeollama is an Ollama server for tests: on loopback, without a model, and failing where it is told to. It
// answers a request with something that conforms to its JSON Schema, or with the probabilities of Yes and No, which
// depend on nothing but the prompt.
package fakeollama

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
)

// Server is a fake server. Its URL is what --ollama takes.
type Server struct {
	*httptest.Server

	mu     sync.Mutex
	models []Model
	asked  []Request
	faults []plannedFault
	answer func(Request) string
}

// Model is a model that the server claims to have.
type Model struct {
	Name          string // with its tag
	Digest        string // 64 hexadecimal digits
	Template      string
	Family        string
	Parameters    string
	Quantization  string
	ContextLength int    // 0: not told
	RemoteHost    string // of a model that runs elsewhere
	Broken        bool   // it is listed but cannot be shown
	Old           bool   // its server returns no probabilities
}

// Tiny is a usable model.
func Tiny() Model {
	return Model{
		Name: "tiny:latest", Digest: strings.Repeat("0123456789abcdef", 4), ContextLength: 8192,
		Template: "{{ range .Messages }}<|{{ .Role }}|>{{ .Content }}{{ end }}",
		Family:   "fake", Parameters: "1K", Quantization: "F16",
	}
}

// Request is a chat request, as it was received.
type Request struct {
	Body         string // byte for byte
	Model        string
	System, User string
	Format       json.RawMessage // nil for a closed question and a priming call
	Asks         string          // the member that the answer must have: the name of a criterion; empty for none
	Logprobs     bool            // the probabilities of the first token are asked for
	NumCtx       int
	NumPredict   int

	schema schema // the format
}

// Primes reports whether it is a priming call, which asks for no answer.
func (r Request) Primes() bool { return r.User == "." || r.NumPredict == 1 && !r.Logprobs }

// Closed reports whether it is a closed question, whose answer is the probability of Yes.
func (r Request) Closed() bool { return r.Logprobs && r.User != "." }

// Start starts a server with models; [Tiny] where none are given. The caller closes it.
func Start(models ...Model) *Server {
	if len(models) == 0 {
		models = []Model{Tiny()}
	}
	s := &Server{models: models}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { write(w, 200, members{"version": "0.0.0"}) })
	mux.HandleFunc("GET /api/tags", s.tags)
	mux.HandleFunc("POST /api/show", s.show)
	mux.HandleFunc("POST /api/chat", s.chat)
	s.Server = httptest.NewServer(mux)
	return s
}

// Close stops the server and breaks off its responses.
func (s *Server) Close() {
	s.CloseClientConnections()
	s.Server.Close()
}

// Restart starts a server that was closed again, at its old address. It fails where the address is taken.
func (s *Server) Restart() error {
	l, err := net.Listen("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		return err
	}
	s.Server = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.Config.Handler}}
	s.Server.Start()
	return nil
}

// SetModels replaces the models, as when one is pulled or removed during a run.
func (s *Server) SetModels(models ...Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// Answer sets the function that makes the answers; nil is [Valid]. Faults come before it.
func (s *Server) Answer(f func(Request) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// Requests lists the chat requests so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Questions lists the requests so far that are no priming calls.
func (s *Server) Questions() []Request { return slices.DeleteFunc(s.Requests(), Request.Primes) }

func (s *Server) find(w http.ResponseWriter, name string) (m Model, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.models, func(m Model) bool { return m.Name == name || m.Name == name+":latest" })
	if i < 0 {
		refuse(w, http.StatusNotFound, "model '"+name+"' not found")
		return m, false
	}
	return s.models[i], true
}

func (s *Server) tags(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []members{}
	for _, m := range s.models {
		list = append(list, members{
			"name": m.Name, "model": m.Name, "digest": m.Digest, "size": 1 << 20, "remote_host": m.RemoteHost, "details": m.details(),
		})
	}
	write(w, 200, members{"models": list})
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var in api.ShowRequest
	if json.NewDecoder(r.Body).Decode(&in) != nil {
		refuse(w, http.StatusBadRequest, "invalid request")
		return
	}
	m, ok := s.find(w, in.Model)
	switch info := (members{"general.architecture": m.Family}); {
	case !ok:
	case m.Broken:
		refuse(w, http.StatusInternalServerError, "open /blobs/sha256-e3b0c4: \x1b[2Jno such file")
	default:
		if m.ContextLength > 0 {
			info[m.Family+".context_length"] = m.ContextLength
		}
		write(w, 200, members{"template": m.Template, "details": m.details(), "model_info": info, "remote_host": m.RemoteHost})
	}
}

func (m Model) details() members {
	return members{"format": "gguf", "family": m.Family, "parameter_size": m.Parameters, "quantization_level": m.Quantization}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var in api.ChatRequest
	if err != nil || json.Unmarshal(body, &in) != nil || len(in.Messages) != 2 || in.Stream == nil || *in.Stream {
		refuse(w, http.StatusBadRequest, "invalid request")
		return
	}
	m, ok := s.find(w, in.Model)
	if !ok {
		return
	}
	in.Logprobs = in.Logprobs && !m.Old
	numCtx, _ := in.Options["num_ctx"].(float64)
	numPredict, _ := in.Options["num_predict"].(float64)
	req := Request{
		Body: string(body), Model: in.Model, System: in.Messages[0].Content, User: in.Messages[1].Content, Format: in.Format,
		NumCtx: int(numCtx), NumPredict: int(numPredict), Logprobs: in.Logprobs,
	}
	if json.Unmarshal(in.Format, &req.schema) == nil && len(req.schema.Required) > 0 {
		req.Asks = req.schema.Required[0]
	}
	s.mu.Lock()
	s.asked = append(s.asked, req)
	fail, answer := s.nextFault(req), s.answer
	s.mu.Unlock()
	out := &response{w: w, r: r, req: req}
	switch {
	case fail != nil:
		fail(out)
	case req.Primes():
		out.say("I")
	case req.Closed() && answer != nil:
		out.decide(answer(req))
	case req.Closed():
		out.decide(Valid(req))
	case answer == nil:
		out.say(Valid(req))
	default:
		out.say(answer(req))
	}
}

// response is that to a chat request.
type response struct {
	w   http.ResponseWriter
	r   *http.Request
	req Request
}

// promptTokens is what a vocabulary would make of the prompt: some .28 tokens per character, and the template.
func (s *response) promptTokens() int { return (len(s.req.System)+len(s.req.User))*28/100 + 12 }

// say sends a whole answer.
func (s *response) say(text string) {
	s.answer(text, "stop", s.promptTokens(), s.likely(members{"I": .9, "The": .1}))
}

// decide sends the answer to a closed question: the probability of Yes, as a decimal.
func (s *response) decide(yes string) {
	p, _ := strconv.ParseFloat(yes, 64)
	s.answer("Yes", "length", s.promptTokens(), s.likely(members{
		"Yes": .6 * p, " yes": .3 * p, "No": .9 * (1 - p), "Well": .05,
	}))
}

// likely makes the log probabilities of the first token, where they were asked for.
func (s *response) likely(tokens members) members {
	if !s.req.Logprobs {
		return nil
	}
	var top []members
	for _, token := range slices.Sorted(maps.Keys(tokens)) {
		if p := tokens[token].(float64); p > 0 {
			top = append(top, members{"token": token, "logprob": math.Log(p)})
		}
	}
	return members{"logprobs": []members{{"token": "Yes", "logprob": -1, "top_logprobs": top}}}
}

// answer sends an answer with the reason for its end, and changes, if any.
func (s *response) answer(text, reason string, promptTokens int, changes members) {
	tokens := (len(text) + 3) / 4
	v := members{
		"model": s.req.Model, "created_at": "2026-01-01T00:00:00Z",
		"message": members{"role": "assistant", "content": text}, "done": true, "done_reason": reason,
		"prompt_eval_count": promptTokens, "prompt_eval_duration": time.Millisecond * time.Duration(promptTokens),
		"eval_count": tokens + 1, "eval_duration": time.Millisecond * time.Duration(tokens), "total_duration": time.Second,
	}
	maps.Copy(v, changes)
	write(s.w, 200, v)
}

func (s *response) flush() { _ = http.NewResponseController(s.w).Flush() }

type members map[string]any

func write(w http.ResponseWriter, status int, v members) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, message string) {
	write(w, status, members{"error": message})
}

// Valid gives an answer that conforms to a request's schema: of every enumeration a value that the transcript and the
// name of the member decide.
func Valid(req Request) string {
	if req.Closed() {
		return fmt.Sprintf("0.%03d", number(req.User)%1000)
	}
	return req.schema.value(req.User)
}

// number makes a number of a text.
func number(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}

// schema is the part of JSON Schema that is understood. All properties are required, in their order.
type schema struct {
	Enum       []json.RawMessage
	Properties map[string]schema
	Required   []string
}

// value gives a value, which the seed decides.
func (s schema) value(seed string) string {
	if len(s.Enum) > 0 {
		return string(s.Enum[number(seed)%uint32(len(s.Enum))])
	}
	var parts []string
	for _, name := range s.Required {
		parts = append(parts, `"`+name+`":`+s.Properties[name].value(seed+name))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

const page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to the guest network.</body></html>\n"

// failures maps the name of each fault to what the server does instead of answering.
var failures = map[string]func(*response){
	"slow-drip":   func(s *response) { s.pour(" ", 5*time.Millisecond) }, // a byte now and then, without end
	"hang":        func(s *response) { <-s.r.Context().Done() },
	"endless":     func(s *response) { s.body(200, `{"message":{"content":"`); s.pour(strings.Repeat("x", 1<<16), 0) },
	"cut":         func(s *response) { s.body(200, `{"message":{"content":"{\"TaskSuccess\":{\"tu`); s.cut() },
	"cut-at-once": (*response).cut,
	"garbage":     func(s *response) { s.body(200, "\x00\x1b[2J %% not json at all\nmore\n") },
	"not-found":   func(s *response) { refuse(s.w, 404, "model '"+s.req.Model+"' not found") },
	"bad-request": func(s *response) { refuse(s.w, 400, "invalid options: \x1b]0;gotcha\x07") },
	"unavailable": func(s *response) {
		refuse(s.w, 503, "server busy, please try again. maximum pending requests exceeded")
	},
	"server-error":  func(s *response) { refuse(s.w, 500, "llama runner process no longer running: -1") },
	"bad-format":    func(s *response) { refuse(s.w, 500, "invalid JSON schema in format") },
	"context-error": func(s *response) { refuse(s.w, 400, "prompt too long; exceeded max context length by 17 tokens") },
	"html":          func(s *response) { s.body(200, page) },
	"html-404":      func(s *response) { s.body(404, page) },
	"redirect": func(s *response) {
		http.Redirect(s.w, s.r, "http://203.0.113.7/api/chat", http.StatusTemporaryRedirect)
	},
	"huge-header": func(s *response) { s.w.Header().Set("X-Huge", strings.Repeat("x", 12<<20)) },
	"gzip":        func(s *response) { s.w.Header().Set("Content-Encoding", "gzip"); s.body(200, "\x1f\x8b\x08\x00") },
	"no-done":     func(s *response) { s.answer(Valid(s.req), "", 0, members{"done": false}) },
	"no-body":     func(s *response) { s.w.WriteHeader(http.StatusOK) },
	"empty":       func(s *response) { s.say("") },
	"thinks": func(s *response) {
		message := members{"role": "assistant", "content": "", "thinking": "Let me see."}
		s.answer("", "stop", s.promptTokens(), members{"message": message})
	},
	"no-probabilities": func(s *response) { s.answer("Yes", "length", s.promptTokens(), nil) },
	"neither": func(s *response) {
		s.answer("Maybe", "length", s.promptTokens(), s.likely(members{"Maybe": .9, "Yes": .1}))
	},
	"positive": func(s *response) {
		s.answer("Yes", "length", s.promptTokens(), s.likely(members{"Yes": 2.5, "No": .1}))
	},
	"certain-twice": func(s *response) { s.answer("Yes", "length", s.promptTokens(), s.likely(members{"Yes": .9, "No": .9})) },
	"nan": func(s *response) {
		s.body(200, `{"message":{"content":"Yes"},"done":true,"logprobs":[{"token":"Yes","logprob":NaN}]}`)
	},
	"many-tokens": func(s *response) {
		tokens := members{}
		for i := range 500 {
			tokens[fmt.Sprintf("token %03d", i)] = .002
		}
		s.answer("Yes", "length", s.promptTokens(), s.likely(tokens))
	},
	"length":    func(s *response) { s.answer(Valid(s.req)[:1], "length", s.promptTokens(), nil) }, // cut by num_predict
	"truncated": func(s *response) { s.answer(Valid(s.req), "stop", s.req.NumCtx, nil) },           // the prompt was cut
	"forgetful": func(s *response) { s.answer(Valid(s.req), "stop", 39, nil) },                     // the first message was dropped
}

// Faults lists the names of the ways to fail.
func Faults() []string { return slices.Sorted(maps.Keys(failures)) }

type plannedFault struct {
	kind   string
	times  int // below 0: without end
	primes bool
}

// Misbehave has the next questions fail, or all from now on where times is below 0. Priming calls are spared.
func (s *Server) Misbehave(fault string, times int) { s.plan(plannedFault{fault, times, false}) }

// MisbehaveAtOnce is like Misbehave, for priming calls too; the first of them loads the model.
func (s *Server) MisbehaveAtOnce(fault string, times int) { s.plan(plannedFault{fault, times, true}) }

// Behave forgets the faults that are still planned.
func (s *Server) Behave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

func (s *Server) plan(f plannedFault) {
	if failures[f.kind] == nil {
		panic("there is no fault " + f.kind)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// nextFault gives how a request fails; nil for not at all. The server is locked.
func (s *Server) nextFault(req Request) func(*response) {
	for len(s.faults) > 0 && s.faults[0].times == 0 {
		s.faults = s.faults[1:]
	}
	if len(s.faults) == 0 || req.Primes() && !s.faults[0].primes {
		return nil
	}
	s.faults[0].times--
	return failures[s.faults[0].kind]
}

func (s *response) cut() {
	if conn, _, err := http.NewResponseController(s.w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// pour sends text again and again until the client disconnects.
func (s *response) pour(text string, pause time.Duration) {
	for s.r.Context().Err() == nil {
		_, _ = io.WriteString(s.w, text)
		s.flush()
		time.Sleep(pause)
	}
}

// body sends bytes as they are.
func (s *response) body(status int, text string) {
	s.w.WriteHeader(status)
	_, _ = io.WriteString(s.w, text)
	s.flush()
}
