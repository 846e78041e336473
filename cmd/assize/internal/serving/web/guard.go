package web

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/terminal/settings"
)

// Remote says who may connect from other machines. The zero value allows only this machine.
type Remote struct {
	Tokens      Tokens           // if nil, names are labels that anybody may choose
	Certificate *tls.Certificate // if nil, connections are not encrypted
}

// Tokens holds the reviewers' tokens, as digests.
type Tokens []token

type token struct{ name, digest string }

// ReadTokens reads a file with one line per reviewer, "name token". Empty lines and lines that
// begin with # are ignored.
func ReadTokens(path string) (list Tokens, err error) {
	const shortest = 20 // characters, so that a token cannot be guessed
	text, err := settings.ReadFile(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && runtime.GOOS != "windows" &&
		info.Mode().Perm()&0o027 != 0 {
		return nil, texts.Error("mode", path, info.Mode().Perm())
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cut := strings.LastIndexAny(line, " \t")
		who, secret := name(line[:max(cut, 0)]), line[cut+1:]
		digest := digestOf(secret)
		same := slices.IndexFunc(list, func(other token) bool {
			return strings.EqualFold(other.name, who) || other.digest == digest
		})
		switch {
		case who == "":
			return nil, texts.Error("no token", path, i+1)
		case len(secret) < shortest:
			return nil, texts.Error("short token", path, i+1, who, len(secret), shortest)
		case same >= 0:
			return nil, texts.Error("same token", path, i+1, who, list[same].name)
		}
		list = append(list, token{who, digest})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf(`%s: has no tokens; want lines of "name token"`, path)
	}
	return list, nil
}

func digestOf(secret string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte("assize session\x00"+secret)))
}

// with returns the name of the reviewer whose token has a digest, or "". The time it takes does not
// depend on how much of the digest is right.
func (t Tokens) with(digest string) (name string) {
	for _, one := range t {
		if subtle.ConstantTimeCompare([]byte(one.digest), []byte(digest)) == 1 {
			name = one.name
		}
	}
	return name
}

// who returns the name of the reviewer of a request, by its bearer token or session cookie, or "".
func (s *Server) who(r *http.Request) string {
	kind, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(kind, "Bearer") {
		return s.Tokens.with(digestOf(strings.TrimSpace(secret)))
	}
	return s.Tokens.with(s.Store.Session(r.Context(), cookie(r, sessionCookie(r))))
}

// cookie returns the value of a cookie of a request, or "".
func cookie(r *http.Request, name string) string {
	if c, err := r.Cookie(name); err == nil {
		return c.Value
	}
	return ""
}

// throttle counts wrong tokens by the address that sent them.
type throttle struct {
	sync.Mutex
	since time.Time
	wrong map[string]int
}

// refuses reports whether an address has sent too many wrong tokens within a minute; it adds more.
// A right token in a request passes all the same, so that one wrong script stops no other.
func (t *throttle) refuses(r *http.Request, more int) bool {
	const limit = 10
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	t.Lock()
	defer t.Unlock()
	if now := time.Now(); now.Sub(t.since) > time.Minute {
		t.since, t.wrong = now, map[string]int{}
	}
	t.wrong[host] += more
	return t.wrong[host] >= limit
}

// sessionCookie returns the name of the session cookie. With TLS, it has a prefix that prevents
// other hosts from setting the cookie (RFC 6265bis).
func sessionCookie(r *http.Request) string {
	if r.TLS != nil {
		return "__Host-session"
	}
	return "session"
}

// signedIn rejects requests without a valid token, if tokens are in use, except for public pages.
func (s *Server) signedIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		open := slices.Contains([]string{"/sign-in", "/v1/health", "/v1/openapi.json"}, path) ||
			strings.HasPrefix(path, "/assets/")
		switch {
		case s.Tokens == nil || open || s.who(r) != "":
			next.ServeHTTP(w, r)
		case strings.HasPrefix(strings.ToLower(r.Header.Get("Authorization")), "bearer ") &&
			s.bearers.refuses(r, 1):
			s.fail(w, r, refuse(http.StatusTooManyRequests, "wrong tokens"))
		case strings.HasPrefix(path, apiPath):
			w.Header().Set("WWW-Authenticate", "Bearer")
			s.fail(w, r, refuse(http.StatusUnauthorized, "bearer"))
		case r.Method == http.MethodGet:
			http.Redirect(w, r, "/sign-in?"+url.Values{"here": {r.URL.RequestURI()}}.Encode(),
				http.StatusSeeOther)
		default:
			s.fail(w, r, refuse(http.StatusUnauthorized, "nobody signed in"))
		}
	})
}

// signIn checks the submitted token and begins a session.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) error {
	if s.Tokens == nil {
		return refuse(http.StatusNotFound, "no sign-in")
	}
	here := r.PostForm.Get("here")
	if s.signIns.refuses(r, 0) {
		return refuse(http.StatusTooManyRequests, "wrong tokens")
	}
	digest := digestOf(strings.TrimSpace(r.PostForm.Get("token")))
	if s.Tokens.with(digest) == "" {
		s.signIns.refuses(r, 1)
		return s.show(w, r, http.StatusUnauthorized, "signin", "Sign in", map[string]string{
			"Here": here, "Wrong": "This is no token of this server."})
	}
	to := url.URL{Path: "/"}
	if was, err := url.Parse(here); err == nil && was.Host == "" &&
		strings.HasPrefix(was.Path, "/") && !strings.HasPrefix(was.Path, "//") {
		to.Path, to.RawQuery = was.Path, was.RawQuery
	}
	return s.renew(w, r, digest, to.String())
}

// renew ends the session of a request, begins a new one with the digest of a token unless it is
// empty, and redirects to a page. The value of the cookie is random.
func (s *Server) renew(w http.ResponseWriter, r *http.Request, digest, to string) error {
	c := http.Cookie{Name: sessionCookie(r), Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, MaxAge: -1}
	if digest != "" {
		c.Value, c.MaxAge = rand.Text(), int(review.SessionTime.Seconds())
	}
	if err := s.Store.RenewSession(r.Context(), cookie(r, c.Name), c.Value, digest); err != nil {
		return err
	}
	http.SetCookie(w, &c)
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// known reports whether a request's Host is a name of this server: one of this machine, the
// certificate or the setting host, or the very address of the connection. Under any other name, the
// request may come from another site's page (DNS rebinding).
func (s *Server) known(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if s.Certificate != nil && s.Certificate.Leaf != nil &&
		s.Certificate.Leaf.VerifyHostname(host) == nil {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || slices.Contains(s.Hosts, host)
	}
	at, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ip.IsLoopback() || slices.Contains(s.Hosts, host) || at != nil &&
		at.AddrPort().Addr().Unmap() == ip.Unmap()
}

// policy lets a page load only resources from this server (Content Security Policy Level 3).
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard rejects requests that our own pages never send: those for another host name, a sign of DNS
// rebinding; writes that another site makes a browser send; and bodies that are too large.
func (s *Server) guard(next http.Handler) http.Handler {
	sameSite := http.NewCrossOriginProtection()
	sameSite.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, refuse(http.StatusForbidden, "other site"))
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
			http.Error(w, texts.Text("other host"), http.StatusMisdirectedRequest)
			return
		}
		most := int64(256 << 10) // bytes
		if r.URL.Path == "/v1/score" && s.Scoring != nil {
			most = s.Scoring.Body
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
		next.ServeHTTP(w, r)
	})
}

// reviewer returns the name of the reviewer who sent a request: that of the token or, if tokens are
// not in use, a label that anybody on this machine may choose.
func (s *Server) reviewer(r *http.Request) string {
	if s.Tokens != nil {
		return s.named(s.who(r))
	}
	return s.named(cmp.Or(name(r.URL.Query().Get("as")), name(cookie(r, "reviewer")), s.Reviewer))
}

// named returns the name of a reviewer, redacted if the server redacts.
func (s *Server) named(reviewer string) string {
	if s.Redact {
		return s.Store.Mask(reviewer)
	}
	return reviewer
}

// name returns s as a reviewer's name if it consists of letters, digits and the characters of
// e-mail addresses, else "".
func name(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	odd := func(r rune) bool { return r < ' ' || strings.ContainsRune("\";,\\<>", r) || r > '~' }
	if strings.ContainsFunc(s, odd) || len(s) > 60 {
		return ""
	}
	return s
}
