// Package fakeollama is an Ollama server for tests. It listens on loopback, needs no model, and
// fails on demand. It answers a question with probabilities of Yes and No that depend only on the
// prompt.
package fakeollama

import (
	"cmp"
	_ "embed"
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

	"github.com/goccy/go-yaml"
	"github.com/ollama/ollama/api"
)

// Server is a fake server. Its URL is a valid value of --ollama.
type Server struct {
	*httptest.Server

	mu       sync.Mutex
	models   []Model
	requests []Request
	faults   []plannedFault
	answer   func(Request) string
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
	Body     string // byte for byte
	Model    string
	User     string // the text of its last message
	Logprobs bool   // whether the probabilities of the first token are requested
}

// IsPriming reports whether r is a priming call, which needs no answer. All others are closed
// questions, which are answered by the probability of Yes.
func (r Request) IsPriming() bool { return r.User == "." || !r.Logprobs }

// Start starts a server with the given models, or with [Tiny] if there are none. The caller must
// close it.
func Start(models ...Model) *Server {
	if len(models) == 0 {
		models = []Model{Tiny()}
	}
	s := &Server{models: models}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version",
		func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, 200, object{"version": "0.0.0"})
		})
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
	return slices.Clone(s.requests)
}

// Questions returns the requests received so far without priming calls.
func (s *Server) Questions() []Request { return slices.DeleteFunc(s.Requests(), Request.IsPriming) }

func (s *Server) find(w http.ResponseWriter, name string) (m Model, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.models,
		func(m Model) bool { return m.Name == name || m.Name == name+":latest" })
	if i < 0 {
		writeError(w, http.StatusNotFound, "model '"+name+"' not found")
		return m, false
	}
	return s.models[i], true
}

func (s *Server) tags(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []object{}
	for _, m := range s.models {
		list = append(list, object{
			"name": m.Name, "model": m.Name, "digest": m.Digest, "size": 1 << 20,
			"remote_host": m.RemoteHost, "details": m.details(),
		})
	}
	writeJSON(w, 200, object{"models": list})
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var in api.ShowRequest
	if json.NewDecoder(r.Body).Decode(&in) != nil {
		writeError(w, http.StatusBadRequest, "invalid request")
		return
	}
	m, ok := s.find(w, in.Model)
	switch info := (object{"general.architecture": m.Family}); {
	case !ok:
	case m.Broken:
		writeError(w, http.StatusInternalServerError,
			"open /blobs/sha256-e3b0c4: \x1b[2Jno such file")
	default:
		if m.ContextLength > 0 {
			info[m.Family+".context_length"] = m.ContextLength
		}
		writeJSON(w, 200, object{"template": m.Template, "details": m.details(), "model_info": info,
			"remote_host": m.RemoteHost})
	}
}

func (m Model) details() object {
	return object{"format": "gguf", "family": m.Family, "parameter_size": m.Parameters,
		"quantization_level": m.Quantization}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var in api.ChatRequest
	if err != nil || json.Unmarshal(body, &in) != nil || len(in.Messages) == 0 ||
		in.Stream == nil || *in.Stream {
		writeError(w, http.StatusBadRequest, "invalid request")
		return
	}
	m, ok := s.find(w, in.Model)
	if !ok {
		return
	}
	req := Request{Body: string(body), Model: in.Model, Logprobs: in.Logprobs && !m.Old,
		User: in.Messages[len(in.Messages)-1].Content}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	fault, answer := s.nextFault(req), s.answer
	s.mu.Unlock()
	out := &response{w: w, r: r, req: req}
	switch {
	case fault != "":
		out.fail(faults()[fault])
	case req.IsPriming():
		out.sendText("I")
	case answer != nil:
		out.sendProbability(answer(req))
	default:
		out.sendProbability(Valid(req))
	}
}

// response is the response to a chat request.
type response struct {
	w   http.ResponseWriter
	r   *http.Request
	req Request
}

// sendText sends a complete answer.
func (s *response) sendText(text string) {
	s.send(text, "stop", s.withLogprobs(map[string]float64{"I": .9, "The": .1}))
}

// sendProbability sends the answer to a closed question: the probability of Yes, as a decimal. Any
// other text is sent as it is.
func (s *response) sendProbability(yes string) {
	p, err := strconv.ParseFloat(yes, 64)
	if err != nil {
		s.sendText(yes)
		return
	}
	s.send("Yes", "length", s.withLogprobs(map[string]float64{"Yes": .6 * p, " yes": .3 * p,
		"No": .9 * (1 - p), "Well": .05}))
}

// withLogprobs adds the log probabilities of the first token if they were requested.
func (s *response) withLogprobs(tokens map[string]float64) object {
	if !s.req.Logprobs {
		return nil
	}
	var top []object
	for _, token := range slices.Sorted(maps.Keys(tokens)) {
		if p := tokens[token]; p > 0 {
			top = append(top, object{"token": token, "logprob": math.Log(p)})
		}
	}
	return object{"logprobs": []object{{"token": "Yes", "logprob": -1, "top_logprobs": top}}}
}

// send sends an answer with its done reason and optional changes. The token counts are realistic:
// about .28 tokens per character of the prompt, plus the template.
func (s *response) send(text, reason string, changes object) {
	tokens, promptTokens := (len(text)+3)/4, len(s.req.User)*28/100+12
	v := object{
		"model": s.req.Model, "created_at": "2026-01-01T00:00:00Z",
		"message": object{"role": "assistant", "content": text}, "done": true,
		"done_reason":          reason,
		"prompt_eval_count":    promptTokens,
		"prompt_eval_duration": time.Millisecond * time.Duration(promptTokens),
		"eval_count":           tokens + 1,
		"eval_duration":        time.Millisecond * time.Duration(tokens),
		"total_duration":       time.Second,
	}
	maps.Copy(v, changes)
	writeJSON(s.w, 200, v)
}

type object map[string]any

func writeJSON(w http.ResponseWriter, status int, v object) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, object{"error": message})
}

// Valid returns a probability of Yes that depends only on the request's text.
func Valid(req Request) string {
	h := fnv.New32a()
	h.Write([]byte(req.User))
	return fmt.Sprintf("0.%03d", h.Sum32()%1000)
}

// fault is what the server does instead of answering, see faults.yaml.
type fault struct {
	Status  int
	Header  map[string]string
	Body    string
	Then    string // "cut" or "hang"
	Repeat  string
	Pause   time.Duration // 0: as fast as possible
	Text    string
	Tokens  map[string]float64
	Changes object
}

//go:embed faults.yaml
var faultsFile []byte

// faults returns the faults by name.
var faults = sync.OnceValue(func() (all map[string]fault) {
	if err := yaml.UnmarshalWithOptions(faultsFile, &all, yaml.Strict()); err != nil {
		panic(err) // the file is embedded
	}
	all["huge-header"].Header["X-Huge"] = strings.Repeat("x", 12<<20)
	for i := range 500 {
		all["many-tokens"].Tokens[fmt.Sprintf("token %03d", i)] = .002
	}
	return all
})

// fail does what a fault says.
func (s *response) fail(f fault) {
	for name, value := range f.Header {
		s.w.Header().Set(name, value)
	}
	out := http.NewResponseController(s.w)
	switch {
	case f.Tokens != nil:
		s.send(f.Text, "length", s.withLogprobs(f.Tokens))
	case f.Changes != nil:
		s.send(cmp.Or(f.Text, Valid(s.req)), "stop", f.Changes)
	case f.Status > 0:
		s.w.WriteHeader(f.Status)
		_, _ = io.WriteString(s.w, f.Body)
		_ = out.Flush()
	}
	if f.Pause == 0 {
		f.Repeat = strings.Repeat(f.Repeat, 1<<16)
	}
	for f.Repeat != "" && s.r.Context().Err() == nil {
		_, _ = io.WriteString(s.w, f.Repeat)
		_ = out.Flush()
		time.Sleep(f.Pause)
	}
	switch f.Then {
	case "cut":
		if conn, _, err := out.Hijack(); err == nil {
			_ = conn.Close()
		}
	case "hang":
		<-s.r.Context().Done()
	}
}

// Faults returns the names of the faults.
func Faults() []string { return slices.Sorted(maps.Keys(faults())) }

type plannedFault struct {
	kind    string
	times   int // negative: unlimited
	priming bool
}

// Fail makes the next questions fail, or all questions from now on if times is negative. It
// does not affect priming calls.
func (s *Server) Fail(fault string, times int) { s.planFault(plannedFault{fault, times, false}) }

// FailAll is like Fail but includes priming calls, the first of which loads the model.
func (s *Server) FailAll(fault string, times int) { s.planFault(plannedFault{fault, times, true}) }

// Recover clears the planned faults.
func (s *Server) Recover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

func (s *Server) planFault(f plannedFault) {
	if _, known := faults()[f.kind]; !known {
		panic("there is no fault " + f.kind)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// nextFault returns the fault for a request, or "" if it has none. The caller must hold the lock.
func (s *Server) nextFault(req Request) (kind string) {
	for len(s.faults) > 0 && s.faults[0].times == 0 {
		s.faults = s.faults[1:]
	}
	if len(s.faults) == 0 || req.IsPriming() && !s.faults[0].priming {
		return ""
	}
	s.faults[0].times--
	return s.faults[0].kind
}
