// Package fakeollama is an Ollama server for tests. It listens on loopback, needs no model, and
// fails on demand. It answers a request with a value that conforms to the JSON Schema, or with
// probabilities of Yes and No; both depend only on the prompt.
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

// Server is a fake server. Its URL is a valid value of --ollama.
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
	Name          string // including the tag
	Digest        string // 64 hexadecimal digits
	Template      string
	Family        string
	Parameters    string
	Quantization  string
	ContextLength int    // 0: not reported
	RemoteHost    string // set if the model runs elsewhere
	Broken        bool   // the model is listed but cannot be shown
	Old           bool   // the server returns no probabilities
}

// Tiny returns a usable model.
func Tiny() Model {
	return Model{
		Name: "tiny:latest", Digest: strings.Repeat("0123456789abcdef", 4), ContextLength: 8192,
		Template: "{{ range .Messages }}<|{{ .Role }}|>{{ .Content }}{{ end }}",
		Family:   "fake", Parameters: "1K", Quantization: "F16",
	}
}

// Request is a chat request as received.
type Request struct {
	Body         string // byte for byte
	Model        string
	System, User string
	Format       json.RawMessage // nil for closed questions and priming calls
	// the required member of the answer: the name of a criterion, or empty
	Asks       string
	Logprobs   bool // whether the probabilities of the first token are requested
	NumCtx     int
	NumPredict int

	schema schema // the parsed Format
}

// Primes reports whether r is a priming call, which needs no answer.
func (r Request) Primes() bool { return r.User == "." || r.NumPredict == 1 && !r.Logprobs }

// Closed reports whether r is a closed question, which is answered by the probability of Yes.
func (r Request) Closed() bool { return r.Logprobs && r.User != "." }

// Start starts a server with the given models, or with [Tiny] if there are none. The caller must
// close it.
func Start(models ...Model) *Server {
	if len(models) == 0 {
		models = []Model{Tiny()}
	}
	s := &Server{models: models}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version",
		func(w http.ResponseWriter, _ *http.Request) { write(w, 200, members{"version": "0.0.0"}) })
	mux.HandleFunc("GET /api/tags", s.tags)
	mux.HandleFunc("POST /api/show", s.show)
	mux.HandleFunc("POST /api/chat", s.chat)
	s.Server = httptest.NewServer(mux)
	return s
}

// Close stops the server and aborts its responses.
func (s *Server) Close() {
	s.CloseClientConnections()
	s.Server.Close()
}

// Restart restarts a closed server at the same address. It fails if the address is in use.
func (s *Server) Restart() error {
	l, err := net.Listen("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		return err
	}
	s.Server = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.Config.Handler}}
	s.Server.Start()
	return nil
}

// SetModels replaces the models, as if one were pulled or removed during a run.
func (s *Server) SetModels(models ...Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// Answer sets the function that produces the answers; nil means [Valid]. Faults take precedence.
func (s *Server) Answer(f func(Request) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// Requests returns the chat requests received so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Questions returns the requests received so far without priming calls.
func (s *Server) Questions() []Request { return slices.DeleteFunc(s.Requests(), Request.Primes) }

func (s *Server) find(w http.ResponseWriter, name string) (m Model, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.models,
		func(m Model) bool { return m.Name == name || m.Name == name+":latest" })
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
			"name": m.Name, "model": m.Name, "digest": m.Digest, "size": 1 << 20,
			"remote_host": m.RemoteHost, "details": m.details(),
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
		write(w, 200, members{"template": m.Template, "details": m.details(), "model_info": info,
			"remote_host": m.RemoteHost})
	}
}

func (m Model) details() members {
	return members{"format": "gguf", "family": m.Family, "parameter_size": m.Parameters,
		"quantization_level": m.Quantization}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var in api.ChatRequest
	if err != nil || json.Unmarshal(body, &in) != nil || len(in.Messages) == 0 ||
		in.Stream == nil || *in.Stream {
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
		Body: string(body), Model: in.Model, Format: in.Format,
		NumCtx: int(numCtx), NumPredict: int(numPredict), Logprobs: in.Logprobs,
	}
	for _, message := range in.Messages {
		switch message.Role {
		case "system":
			req.System = message.Content
		case "user":
			req.User = message.Content
		}
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

// response is the response to a chat request.
type response struct {
	w   http.ResponseWriter
	r   *http.Request
	req Request
}

// promptTokens returns a realistic token count for the prompt: about .28 tokens per character, plus
// the template.
func (s *response) promptTokens() int { return (len(s.req.System)+len(s.req.User))*28/100 + 12 }

// say sends a complete answer.
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

// likely adds the log probabilities of the first token if they were requested.
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

// answer sends an answer with its done reason and optional changes.
func (s *response) answer(text, reason string, promptTokens int, changes members) {
	tokens := (len(text) + 3) / 4
	v := members{
		"model": s.req.Model, "created_at": "2026-01-01T00:00:00Z",
		"message": members{"role": "assistant", "content": text}, "done": true,
		"done_reason":          reason,
		"prompt_eval_count":    promptTokens,
		"prompt_eval_duration": time.Millisecond * time.Duration(promptTokens),
		"eval_count":           tokens + 1,
		"eval_duration":        time.Millisecond * time.Duration(tokens),
		"total_duration":       time.Second,
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

// Valid returns an answer that conforms to a request's schema. It picks the value of each
// enumeration by the transcript and the name of the member.
func Valid(req Request) string {
	if req.Closed() {
		return fmt.Sprintf("0.%03d", number(req.User)%1000)
	}
	return req.schema.value(req.User)
}

// number hashes a text to a number.
func number(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}

// schema is the supported subset of JSON Schema. All properties are required, in their order.
type schema struct {
	Enum       []json.RawMessage
	Properties map[string]schema
	Required   []string
}

// value returns a value determined by the seed.
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
	// one byte now and then, endlessly
	"slow-drip":   func(s *response) { s.pour(" ", 5*time.Millisecond) },
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
		s.body(200,
			`{"message":{"content":"Yes"},"done":true,"logprobs":[{"token":"Yes","logprob":NaN}]}`)
	},
	"many-tokens": func(s *response) {
		tokens := members{}
		for i := range 500 {
			tokens[fmt.Sprintf("token %03d", i)] = .002
		}
		s.answer("Yes", "length", s.promptTokens(), s.likely(tokens))
	},
	// cut by num_predict
	"length": func(s *response) { s.answer(Valid(s.req)[:1], "length", s.promptTokens(), nil) },
	// the prompt was cut
	"truncated": func(s *response) { s.answer(Valid(s.req), "stop", s.req.NumCtx, nil) },
	// the first message was dropped
	"forgetful": func(s *response) { s.answer(Valid(s.req), "stop", 39, nil) },
}

// Faults returns the names of the faults.
func Faults() []string { return slices.Sorted(maps.Keys(failures)) }

type plannedFault struct {
	kind   string
	times  int // negative: unlimited
	primes bool
}

// Misbehave makes the next questions fail, or all questions from now on if times is negative. It
// does not affect priming calls.
func (s *Server) Misbehave(fault string, times int) { s.plan(plannedFault{fault, times, false}) }

// MisbehaveAtOnce is like Misbehave but includes priming calls, the first of which loads the model.
func (s *Server) MisbehaveAtOnce(fault string, times int) { s.plan(plannedFault{fault, times, true}) }

// Behave clears the planned faults.
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

// nextFault returns the fault for a request; nil if there is none. The caller must hold the lock.
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

// pour sends text repeatedly until the client disconnects.
func (s *response) pour(text string, pause time.Duration) {
	for s.r.Context().Err() == nil {
		_, _ = io.WriteString(s.w, text)
		s.flush()
		time.Sleep(pause)
	}
}

// body sends text unchanged.
func (s *response) body(status int, text string) {
	s.w.WriteHeader(status)
	_, _ = io.WriteString(s.w, text)
	s.flush()
}
