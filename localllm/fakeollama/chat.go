package fakeollama

import (
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// chat answers a request, or misbehaves.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var in struct {
		Model    string
		Messages []struct{ Role, Content string }
		Format   json.RawMessage
		Options  struct {
			NumCtx     int `json:"num_ctx"`
			NumPredict int `json:"num_predict"`
		}
	}
	if err != nil || json.Unmarshal(body, &in) != nil {
		refuse(w, http.StatusBadRequest, "invalid request")
		return
	}
	if _, ok := s.find(in.Model); !ok {
		refuse(w, http.StatusNotFound, "model '"+in.Model+"' not found")
		return
	}
	req := Request{Body: string(body), Model: in.Model, Format: in.Format, NumCtx: in.Options.NumCtx, NumPredict: in.Options.NumPredict}
	for _, m := range in.Messages {
		switch m.Role {
		case "system":
			req.System += m.Content
		case "user":
			req.User += m.Content
		}
	}
	out := &stream{w: w, r: r, req: req}
	f, answer := s.enter(req)
	if f != nil {
		f(out)
		return
	}
	out.say(answer)
	out.done("stop", out.promptTokens())
}

// enter remembers a request and tells what becomes of it.
func (s *Server) enter(req Request) (func(*stream), string) {
	s.mu.Lock()
	s.asked = append(s.asked, req)
	f := s.next(req)
	answer := s.answer
	s.mu.Unlock()
	switch {
	case f != nil:
		return f, ""
	case req.Primes():
		return nil, "I"
	case answer == nil:
		return nil, Valid(req)
	}
	return nil, answer(req)
}

// stream writes an answer as a server does: a line of JSON for every token or so.
type stream struct {
	w         http.ResponseWriter
	r         *http.Request
	req       Request
	generated int
}

// promptTokens is what a vocabulary would make of the prompt: some .28 tokens a character, and the template.
func (s *stream) promptTokens() int { return (len(s.req.System)+len(s.req.User))*28/100 + 12 }

// say sends text in pieces of four bytes.
func (s *stream) say(text string) {
	for len(text) > 0 {
		n := min(4, len(text))
		s.line(map[string]any{"message": map[string]string{"role": "assistant", "content": text[:n]}, "done": false})
		s.generated++
		text = text[n:]
	}
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

// cut breaks the connection without ending the response.
func (s *stream) cut() {
	s.flush()
	if conn, _, err := http.NewResponseController(s.w).Hijack(); err == nil {
		_ = conn.Close()
	}
}
