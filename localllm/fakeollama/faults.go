package fakeollama

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	ndjson = "application/x-ndjson"
	page   = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to the guest network.</body></html>\n"
)

// failures maps the name of each fault to what the server does instead of answering.
var failures = map[string]func(*stream){
	"slow-drip":    func(s *stream) { s.drip(" ", 5*time.Millisecond) }, // a piece now and then, without end
	"hang":         func(s *stream) { <-s.r.Context().Done() },
	"endless-text": func(s *stream) { s.drip(strings.Repeat("and so on ", 50), 0) },
	"cut-stream":   func(s *stream) { s.say(`{"TaskSuccess":{"tu`); s.cut() },
	"cut-at-once":  (*stream).cut,
	"garbage":      func(s *stream) { s.body(ndjson, 200, "\x00\x1b[2J %% not json at all\nmore\n") },
	"stream-error": func(s *stream) { // after a part of the answer
		s.say(`{"Task`)
		s.body(ndjson, 0, `{"error":"llama runner process has terminated"}`+"\n")
	},
	"not-found":     func(s *stream) { refuse(s.w, 404, "model '"+s.req.Model+"' not found") },
	"bad-request":   func(s *stream) { refuse(s.w, 400, "invalid options: \x1b]0;gotcha\x07") },
	"unavailable":   func(s *stream) { refuse(s.w, 503, "server busy, please try again. maximum pending requests exceeded") },
	"server-error":  func(s *stream) { refuse(s.w, 500, "llama runner process no longer running: -1") },
	"bad-format":    func(s *stream) { refuse(s.w, 500, "invalid JSON schema in format") },
	"context-error": func(s *stream) { refuse(s.w, 400, "prompt too long; exceeded max context length by 17 tokens") },
	"html":          func(s *stream) { s.body("text/html; charset=utf-8", 200, page) },
	"html-404":      func(s *stream) { s.body("text/html", 404, page) },
	"redirect":      func(s *stream) { http.Redirect(s.w, s.r, "http://203.0.113.7/api/chat", http.StatusTemporaryRedirect) },
	"huge-line":     func(s *stream) { s.say("xxxx"); s.piece("content", strings.Repeat("y", 1<<20)) },
	"endless-line":  func(s *stream) { s.body(ndjson, 200, `{"message":{"content":"`); s.pour() },
	"huge-header":   func(s *stream) { s.w.Header().Set("X-Huge", strings.Repeat("x", 12<<20)) },
	"gzip":          func(s *stream) { s.w.Header().Set("Content-Encoding", "gzip"); s.body(ndjson, 200, "\x1f\x8b\x08\x00") },
	"no-done":       func(s *stream) { s.say(Valid(s.req)) }, // it does not say that the answer is whole
	"no-body":       func(s *stream) { s.w.WriteHeader(http.StatusOK) },
	"empty":         func(s *stream) { s.done("stop", s.promptTokens()) }, // an answer without text
	"thinks":        func(s *stream) { s.piece("thinking", "Let me see."); s.done("stop", s.promptTokens()) },
	"length":        func(s *stream) { s.say(Valid(s.req)[:10]); s.done("length", s.promptTokens()) }, // cut by num_predict
	"truncated":     func(s *stream) { s.say(Valid(s.req)); s.done("stop", s.req.NumCtx) },            // the prompt was cut
	"forgetful":     func(s *stream) { s.say(Valid(s.req)); s.done("stop", 39) },                      // the first message was dropped
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
func (s *Server) nextFault(req Request) func(*stream) {
	for len(s.faults) > 0 && s.faults[0].times == 0 {
		s.faults = s.faults[1:]
	}
	if len(s.faults) == 0 || req.Primes() && !s.faults[0].primes {
		return nil
	}
	s.faults[0].times--
	return failures[s.faults[0].kind]
}

// cut breaks the connection without ending the response.
func (s *stream) cut() {
	s.flush()
	if conn, _, err := http.NewResponseController(s.w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// drip sends text again and again until the client disconnects.
func (s *stream) drip(text string, pause time.Duration) {
	for s.r.Context().Err() == nil {
		s.piece("content", text)
		time.Sleep(pause)
	}
}

// pour sends bytes until the client disconnects.
func (s *stream) pour() {
	for err := error(nil); err == nil; {
		_, err = s.w.Write(bytes.Repeat([]byte("x"), 1<<16))
	}
}

// body sends bytes as they are; status 0 continues a response.
func (s *stream) body(contentType string, status int, text string) {
	if status != 0 {
		s.w.Header().Set("Content-Type", contentType)
		s.w.WriteHeader(status)
	}
	_, _ = s.w.Write([]byte(text))
	s.flush()
}
