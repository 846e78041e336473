// Package fakeollama is an Ollama server for tests: on loopback, without a model, and failing where it is told to. It
// answers a request with something that conforms to its JSON Schema, which depends on nothing but the transcript.
package fakeollama

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
)

// Server is a fake server. Its URL is what --ollama takes.
type Server struct {
	URL string

	http   *httptest.Server
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
}

// Tiny is a usable model.
func Tiny() Model {
	return Model{
		Name:          "tiny:latest",
		Digest:        strings.Repeat("0123456789abcdef", 4),
		Template:      "{{ range .Messages }}<|{{ .Role }}|>{{ .Content }}{{ end }}",
		Family:        "fake",
		Parameters:    "1K",
		Quantization:  "F16",
		ContextLength: 8192,
	}
}

// Request is a chat request, as it was received.
type Request struct {
	Body         string // byte for byte
	Model        string
	System, User string
	Format       json.RawMessage // nil for a priming call
	NumCtx       int
	NumPredict   int
}

// Primes reports whether it is a priming call, which asks for no answer.
func (r Request) Primes() bool { return len(r.Format) == 0 || r.NumPredict == 1 }

// Start starts a server with models; [Tiny] where none are given. The caller closes it.
func Start(models ...Model) *Server {
	if len(models) == 0 {
		models = []Model{Tiny()}
	}
	s := &Server{models: models}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { write(w, 200, map[string]any{"version": "0.0.0"}) })
	mux.HandleFunc("GET /api/tags", s.tags)
	mux.HandleFunc("POST /api/show", s.show)
	mux.HandleFunc("POST /api/chat", s.chat)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL
	return s
}

// Close stops the server and breaks off its responses.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Restart starts a server that was closed again, at its old address. It fails where the address is taken.
func (s *Server) Restart() error {
	l, err := net.Listen("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		return err
	}
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.http.Config.Handler}}
	s.http.Start()
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

func (s *Server) find(w http.ResponseWriter, name string) (Model, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.models {
		if m.Name == name || m.Name == name+":latest" {
			return m, true
		}
	}
	refuse(w, http.StatusNotFound, "model '"+name+"' not found")
	return Model{}, false
}

func (s *Server) tags(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	for _, m := range s.models {
		list = append(list, map[string]any{
			"name": m.Name, "model": m.Name, "digest": m.Digest, "size": 1 << 20, "remote_host": m.RemoteHost, "details": m.details(),
		})
	}
	write(w, 200, map[string]any{"models": list})
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var in struct{ Model string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	m, ok := s.find(w, in.Model)
	switch {
	case !ok:
		return
	case m.Broken:
		refuse(w, http.StatusInternalServerError, "open /blobs/sha256-e3b0c4: \x1b[2Jno such file")
		return
	}
	info := map[string]any{"general.architecture": m.Family}
	if m.ContextLength > 0 {
		info[m.Family+".context_length"] = m.ContextLength
	}
	write(w, 200, map[string]any{"template": m.Template, "details": m.details(), "model_info": info, "remote_host": m.RemoteHost})
}

func (m Model) details() map[string]any {
	return map[string]any{"format": "gguf", "family": m.Family, "parameter_size": m.Parameters, "quantization_level": m.Quantization}
}

// chat answers a request, or fails as planned.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var in api.ChatRequest
	if err != nil || json.Unmarshal(body, &in) != nil {
		refuse(w, http.StatusBadRequest, "invalid request")
		return
	}
	if _, ok := s.find(w, in.Model); !ok {
		return
	}
	option := func(name string) int {
		n, _ := in.Options[name].(float64)
		return int(n)
	}
	req := Request{Body: string(body), Model: in.Model, Format: in.Format, NumCtx: option("num_ctx"), NumPredict: option("num_predict")}
	for _, m := range in.Messages {
		switch m.Role {
		case "system":
			req.System += m.Content
		case "user":
			req.User += m.Content
		}
	}
	s.mu.Lock()
	s.asked = append(s.asked, req)
	fail, answer := s.nextFault(req), s.answer
	s.mu.Unlock()
	out := &stream{w: w, r: r, req: req}
	if fail != nil {
		fail(out)
		return
	}
	text := "I"
	switch {
	case req.Primes():
	case answer == nil:
		text = Valid(req)
	default:
		text = answer(req)
	}
	out.say(text)
	out.done("stop", out.promptTokens())
}

// stream writes an answer as a server does: a line of JSON for every token or so.
type stream struct {
	w         http.ResponseWriter
	r         *http.Request
	req       Request
	generated int
}

// promptTokens is what a vocabulary would make of the prompt: some .28 tokens per character, and the template.
func (s *stream) promptTokens() int { return (len(s.req.System)+len(s.req.User))*28/100 + 12 }

// say sends text in pieces of four bytes.
func (s *stream) say(text string) {
	for piece := range slices.Chunk([]byte(text), 4) {
		s.piece("content", string(piece))
		s.generated++
	}
}

// piece sends a line with text as a member of the message.
func (s *stream) piece(member, text string) {
	s.line(map[string]any{"message": map[string]string{"role": "assistant", member: text}, "done": false})
}

func (s *stream) done(reason string, promptTokens int) {
	s.line(map[string]any{
		"message": map[string]string{"role": "assistant", "content": ""}, "done": true, "done_reason": reason,
		"prompt_eval_count": promptTokens, "prompt_eval_duration": time.Millisecond * time.Duration(promptTokens),
		"eval_count": s.generated + 1, "eval_duration": time.Millisecond * time.Duration(s.generated), "total_duration": time.Second,
	})
}

func (s *stream) line(v map[string]any) {
	s.w.Header().Set("Content-Type", "application/x-ndjson")
	v["model"], v["created_at"] = s.req.Model, "2026-01-01T00:00:00Z"
	_ = json.NewEncoder(s.w).Encode(v)
	s.flush()
}

func (s *stream) flush() { _ = http.NewResponseController(s.w).Flush() }

func write(w http.ResponseWriter, status int, v map[string]any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, message string) {
	write(w, status, map[string]any{"error": message})
}
