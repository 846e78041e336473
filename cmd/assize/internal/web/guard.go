package web

import (
	"net/http"
	"strings"
)

// mostForm is how large the body of a request may be, in bytes.
const mostForm = 256 << 10

// policy lets a page load what this server has, and nothing else (Content Security Policy Level 3).
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard refuses what no reader of ours asks: another host's name, behind which DNS rebinding hides; writes that another
// site makes a browser send; and bodies that are too large.
func (s *Server) guard(next http.Handler) http.Handler {
	sameSite := http.NewCrossOriginProtection()
	sameSite.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &failure{http.StatusForbidden, "Another site asked for this, so it is refused."})
	}))
	next = sameSite.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !s.known(r) {
			http.Error(w, "This server has another name; it is asked for by the address that it printed, or one behind --host.",
				http.StatusMisdirectedRequest)
			return
		}
		most := int64(mostForm)
		if r.URL.Path == "/v1/score" && s.Scoring != nil {
			most = s.Scoring.Body
		}
		if r.ContentLength > most { // it says so itself, so none of it is awaited
			s.fail(w, r, &http.MaxBytesError{Limit: most})
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
		if r.Method == http.MethodGet {
			s.follow()
		}
		next.ServeHTTP(w, r)
	})
}

// reviewer gives the name of the one who asks: that of the token or, where there are none, a label, which anybody on this
// machine may choose.
func (s *Server) reviewer(r *http.Request) string {
	if s.Tokens != nil {
		return s.Tokens.who(r)
	}
	if as := name(r.URL.Query().Get("as")); as != "" {
		return as
	}
	if c, err := r.Cookie("reviewer"); err == nil {
		if as := name(c.Value); as != "" {
			return as
		}
	}
	return s.Reviewer
}

// name makes what somebody calls themselves a name: letters, digits and what e-mail addresses have; "" for none.
func name(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	odd := func(r rune) bool { return r < ' ' || strings.ContainsRune("\";,\\<>", r) || r > '~' }
	if strings.ContainsFunc(s, odd) || len(s) > 60 {
		return ""
	}
	return s
}
