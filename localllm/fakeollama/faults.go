package fakeollama

import (
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Fault is a way to fail.
type Fault string

// The faults.
const (
	SlowDrip     Fault = "slow-drip"     // a piece now and then, without end
	Hang         Fault = "hang"          // nothing, without end
	CutStream    Fault = "cut-stream"    // the connection breaks in the middle of the answer
	CutAtOnce    Fault = "cut-at-once"   // the connection breaks before the answer
	Garbage      Fault = "garbage"       // lines that are not JSON
	StreamError  Fault = "stream-error"  // an error in the middle of the stream
	NotFound     Fault = "not-found"     // 404: the model is gone
	BadRequest   Fault = "bad-request"   // 400
	Unavailable  Fault = "unavailable"   // 503
	ServerError  Fault = "server-error"  // 500
	BadFormat    Fault = "bad-format"    // 500: the schema cannot be used
	ContextError Fault = "context-error" // 400, as newer servers refuse a prompt that is too long
	HTML         Fault = "html"          // a web page, with status 200
	HTMLNotFound Fault = "html-404"      // a web page, with status 404
	Redirect     Fault = "redirect"      // to another host
	EndlessText  Fault = "endless-text"  // never stops
	HugeLine     Fault = "huge-line"     // one line of a megabyte
	EndlessLine  Fault = "endless-line"  // one line of a gigabyte
	HugeHeader   Fault = "huge-header"   // a header of 12 megabytes
	GzipBomb     Fault = "gzip-bomb"     // a compressed answer of a gigabyte
	NoDone       Fault = "no-done"       // the stream ends without saying that the answer is whole
	NoBody       Fault = "no-body"       // 200 and nothing
	Empty        Fault = "empty"         // an answer without text
	Thinks       Fault = "thinks"        // thinks aloud and answers nothing
	Length       Fault = "length"        // cut by num_predict
	Truncated    Fault = "truncated"     // the prompt filled the context and was cut
	Forgetful    Fault = "forgetful"     // the first message was dropped
)

// Faults lists them all.
func Faults() []Fault { return slices.Sorted(maps.Keys(failures)) }

const (
	ndjson = "application/x-ndjson"
	page   = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to the guest network.</body></html>\n"
)

// failures maps each fault to what the server does instead of answering.
var failures = map[Fault]func(*stream){
	SlowDrip:    func(s *stream) { s.drip(" ", 5*time.Millisecond) },
	Hang:        func(s *stream) { <-s.r.Context().Done() },
	EndlessText: func(s *stream) { s.drip(strings.Repeat("and so on ", 50), 0) },
	CutStream:   func(s *stream) { s.say(`{"TaskSuccess":{"tu`); s.cut() },
	CutAtOnce:   (*stream).cut,
	Garbage:     func(s *stream) { s.body(ndjson, 200, "\x00\x1b[2J %% not json at all\nmore\n") },
	StreamError: func(s *stream) {
		s.say(`{"Task`)
		s.body(ndjson, 0, `{"error":"llama runner process has terminated"}`+"\n")
	},
	NotFound:     func(s *stream) { refuse(s.w, 404, "model '"+s.req.Model+"' not found") },
	BadRequest:   func(s *stream) { refuse(s.w, 400, "invalid options: \x1b]0;gotcha\x07") },
	Unavailable:  func(s *stream) { refuse(s.w, 503, "server busy, please try again. maximum pending requests exceeded") },
	ServerError:  func(s *stream) { refuse(s.w, 500, "llama runner process no longer running: -1") },
	BadFormat:    func(s *stream) { refuse(s.w, 500, "invalid JSON schema in format") },
	ContextError: func(s *stream) { refuse(s.w, 400, "prompt too long; exceeded max context length by 17 tokens") },
	HTML:         func(s *stream) { s.body("text/html; charset=utf-8", 200, page) },
	HTMLNotFound: func(s *stream) { s.body("text/html", 404, page) },
	Redirect:     func(s *stream) { http.Redirect(s.w, s.r, "http://203.0.113.7/api/chat", http.StatusTemporaryRedirect) },
	HugeLine:     func(s *stream) { s.say("xxxx"); s.piece("content", strings.Repeat("y", 1<<20)) },
	EndlessLine:  func(s *stream) { s.body(ndjson, 200, `{"message":{"content":"`); s.pour() },
	HugeHeader:   func(s *stream) { s.w.Header().Set("X-Huge", strings.Repeat("x", 12<<20)) },
	GzipBomb:     func(s *stream) { s.w.Header().Set("Content-Encoding", "gzip"); s.body(ndjson, 200, bomb()) },
	NoDone:       func(s *stream) { s.say(Valid(s.req)) },
	NoBody:       func(s *stream) { s.w.WriteHeader(http.StatusOK) },
	Empty:        func(s *stream) { s.done("stop", s.promptTokens()) },
	Thinks:       func(s *stream) { s.piece("thinking", "Let me see."); s.done("stop", s.promptTokens()) },
	Length:       func(s *stream) { s.say(Valid(s.req)[:10]); s.done("length", s.promptTokens()) },
	Truncated:    func(s *stream) { s.say(Valid(s.req)); s.done("stop", s.req.NumCtx) },
	Forgetful:    func(s *stream) { s.say(Valid(s.req)); s.done("stop", 39) },
}

type plannedFault struct {
	kind   Fault
	times  int // below 0: without end
	primes bool
}

// Misbehave has the next questions fail, or all from now on where times is below 0. Priming calls are spared.
func (s *Server) Misbehave(f Fault, times int) { s.plan(plannedFault{f, times, false}) }

// MisbehaveAtOnce is like Misbehave, for priming calls too; the first of them loads the model.
func (s *Server) MisbehaveAtOnce(f Fault, times int) { s.plan(plannedFault{f, times, true}) }

// Behave forgets the faults that are still planned.
func (s *Server) Behave() { s.plan() }

func (s *Server) plan(faults ...plannedFault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.faults = append(s.faults, faults...); len(faults) == 0 {
		s.faults = nil
	}
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

// pour sends a gigabyte, or as much as the client takes.
func (s *stream) pour() {
	for range 1 << 14 {
		if _, err := s.w.Write(bytes.Repeat([]byte("x"), 1<<16)); err != nil {
			return
		}
	}
}

// bomb is a gigabyte of white space, compressed in a thousand equal parts.
func bomb() string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(bytes.Repeat([]byte("\n"), 1<<20))
	_ = w.Close()
	return strings.Repeat(b.String(), 1<<10)
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
