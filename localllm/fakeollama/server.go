package fakeollama

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Server is a fake server. Its URL is what --ollama takes.
type Server struct {
	URL string

	handler http.Handler
	http    *httptest.Server
	mu      sync.Mutex
	models  []Model
	asked   []Request
	faults  []fault
	answer  func(Request) string
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
	Broken        bool   // it is listed and cannot be shown
}

// Tiny is a model as it should be.
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

// Request is a chat request, as it came.
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

// Start starts a server with models; [Tiny] where none are given. Close it in the end.
func Start(models ...Model) *Server {
	if len(models) == 0 {
		models = []Model{Tiny()}
	}
	s := &Server{models: models}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { write(w, map[string]string{"version": "0.0.0"}) })
	mux.HandleFunc("GET /api/tags", s.tags)
	mux.HandleFunc("POST /api/show", s.show)
	mux.HandleFunc("POST /api/chat", s.chat)
	s.handler = mux
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL
	return s
}

// Close stops the server, and breaks off what it is at.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Restart starts a server that was closed at its old address again. The error is that of the address being taken.
func (s *Server) Restart() error {
	l, err := net.Listen("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		return err
	}
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.handler}}
	s.http.Start()
	return nil
}

// SetModels replaces the models, as when one is pulled or removed during a run.
func (s *Server) SetModels(models ...Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// Answer has every answer made by a function instead; nil takes that back. Faults come before it.
func (s *Server) Answer(f func(Request) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// Requests lists the chat requests so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.asked...)
}

// Questions lists those of the requests that want an answer.
func (s *Server) Questions() (list []Request) {
	for _, r := range s.Requests() {
		if !r.Primes() {
			list = append(list, r)
		}
	}
	return list
}

func (s *Server) find(name string) (Model, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.models {
		if m.Name == name || m.Name == name+":latest" {
			return m, true
		}
	}
	return Model{}, false
}

func (s *Server) tags(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []map[string]any{}
	for _, m := range s.models {
		list = append(list, map[string]any{
			"name": m.Name, "model": m.Name, "digest": m.Digest, "size": 1 << 20, "remote_host": m.RemoteHost, "details": m.details(),
		})
	}
	write(w, map[string]any{"models": list})
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var in struct{ Model string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	m, ok := s.find(in.Model)
	if !ok {
		refuse(w, http.StatusNotFound, "model '"+in.Model+"' not found")
		return
	}
	if m.Broken {
		refuse(w, http.StatusInternalServerError, "open /blobs/sha256-e3b0c4: \x1b[2Jno such file")
		return
	}
	info := map[string]any{"general.architecture": m.Family}
	if m.ContextLength > 0 {
		info[m.Family+".context_length"] = m.ContextLength
	}
	write(w, map[string]any{"template": m.Template, "details": m.details(), "model_info": info, "remote_host": m.RemoteHost})
}

func (m Model) details() map[string]any {
	return map[string]any{"format": "gguf", "family": m.Family, "parameter_size": m.Parameters, "quantization_level": m.Quantization}
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": message})
}
