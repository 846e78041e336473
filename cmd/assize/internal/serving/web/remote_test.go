package web_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/serving/web"
)

const annsToken, bobsToken = "0123456789abcdef0123", "fedcba9876543210fedc"

// tokensOf writes a file of tokens and reads it.
func tokensOf(t *testing.T, lines string) (web.Tokens, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	require.NoError(t, os.WriteFile(path, []byte(lines), 0o600))
	return web.ReadTokens(path)
}

func TestTokens(t *testing.T) {
	for lines, want := range map[string]string{
		"":             "has no tokens",
		"# nobody\n\n": "has no tokens",
		annsToken:      ":1: want \"name token\"",
		"ann short":    ":1: the token of ann has 5 characters; want at least 20",
		"ann " + annsToken + "\nbob " +
			annsToken: ":2: the name or the token of bob is that of ann above; want one token for each name",
		"ann " + annsToken + "\nAnn " +
			bobsToken: ":2: the name or the token of Ann is that of ann above; want one token for each name",
		"ann\t \n":         ":1: want \"name token\" on each line",
		"<b> " + annsToken: ":1: want \"name token\"",
	} {
		_, err := tokensOf(t, lines)
		assert.ErrorContains(t, err, want)
		assert.NotContains(t, fmt.Sprint(err), annsToken, "no secret is told")
	}
}

// Too many wrong tokens from one address are refused for a while, and a right one is not.
func TestWrongTokensAreThrottled(t *testing.T) {
	tokens, err := tokensOf(t, "ann "+annsToken+"\n")
	require.NoError(t, err)
	h := api(t, func(o *web.Options) { o.Tokens = tokens })
	with := func(path, token string) *httptest.ResponseRecorder {
		return call(h, "GET", path, "", func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+token)
		})
	}
	var codes []int
	for range 11 {
		codes = append(codes, with("/v1/dialogues", bobsToken).Code)
	}
	assert.Equal(t, []int{401, 401, 401, 401, 401, 401, 401, 401, 401, 429, 429}, codes)
	describe(t, h).check("/v1/dialogues", "GET", with("/v1/dialogues", bobsToken))
	assert.Equal(t, 429, with("/", bobsToken).Code, "pages as well")
	assert.Equal(t, 200, with("/v1/dialogues", annsToken).Code)
	assert.Equal(t, 401, call(h, "GET", "/v1/dialogues", "").Code, "no token is no guess")
	proxied := call(h, "GET", "/", "", func(r *http.Request) { r.SetBasicAuth("a", "proxy") })
	assert.Equal(t, http.StatusSeeOther, proxied.Code, "nor is one for a proxy")
	other := call(h, "GET", "/v1/dialogues", "", func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+bobsToken)
		r.RemoteAddr = "192.0.2.9:1234"
	})
	assert.Equal(t, 401, other.Code, "another address")
	signed := ask(t, h, "POST", "/sign-in", "", url.Values{"token": {annsToken}})
	assert.Equal(t, http.StatusSeeOther, signed.Code, "a script stops nobody from signing in")
}

// With tokens, nobody has access without one, and nobody writes under another name.
func TestNobodyWritesInAnothersName(t *testing.T) {
	tokens, err := tokensOf(t, "# our team\nann "+annsToken+"\nBob Smith\t"+bobsToken+"\n")
	require.NoError(t, err)
	h := api(t, func(o *web.Options) { o.Tokens, o.Hosts = tokens, []string{"desk.example"} })
	d := describe(t, h)
	bearer := func(token string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	rating := `{"dialogue":"12","satisfaction":2}`
	for _, forged := range []func(*http.Request){
		func(*http.Request) {}, bearer(""), bearer(annsToken[:19]), bearer(annsToken + "0"),
		bearer(strings.ToUpper(annsToken)),
		func(r *http.Request) { r.Header.Set("Authorization", annsToken) },
		func(r *http.Request) { r.SetBasicAuth("ann", annsToken) },
		func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "reviewer", Value: "ann"}) },
		func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "session", Value: annsToken}) },
		func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "session", Value: strings.Repeat("0", 64)}) },
	} {
		h := api(t, func(o *web.Options) { o.Tokens, o.Hosts = tokens, []string{"desk.example"} })
		got := call(h, "POST", "/v1/reviews", rating, forged)
		assert.Equal(t, 401, got.Code)
		assert.Equal(t, "Bearer", got.Header().Get("WWW-Authenticate"))
		d.check("/v1/reviews", "POST", got)
		assert.Equal(t, 401, call(h, "POST", "/v1/score", desk, forged).Code)
		assert.Equal(t, 401, call(h, "GET", "/v1/dialogues/12", "", forged).Code)
		for _, path := range []string{"/", "/d/12", "/ratings.csv", "/list.csv"} {
			page := call(h, "GET", path, "", forged)
			assert.Equal(t, http.StatusSeeOther, page.Code)
			assert.Equal(t, "/sign-in?here="+url.QueryEscape(path), page.Header().Get("Location"))
		}
	}
	assert.Equal(t, 200, call(h, "GET", "/v1/health", "").Code)

	mine := call(h, "POST", "/v1/reviews?as=ann", rating, bearer(bobsToken))
	assert.Contains(t, mine.Body.String(), `"reviewer":"Bob Smith"`)
	assert.Equal(t, 201,
		call(h, "POST", "/v1/reviews", `{"dialogue":"12","satisfaction":2,"reviewer":"Bob Smith"}`,
			bearer(bobsToken)).Code)
	other := call(h, "POST", "/v1/reviews", `{"dialogue":"12","satisfaction":2,"reviewer":"ann"}`,
		bearer(bobsToken))
	assert.Equal(t, 403, other.Code)
	d.check("/v1/reviews", "POST", other)

	for _, token := range []string{"", annsToken + "x"} {
		assert.Equal(t, 401, ask(t, h, "POST", "/sign-in", "", url.Values{"token": {token}}).Code)
	}
	in := ask(t, h, "POST", "/sign-in", "", url.Values{"token": {annsToken},
		"here": {"/d/12?state=all"}})
	require.Equal(t, http.StatusSeeOther, in.Code)
	assert.Equal(t, "/d/12?state=all", in.Header().Get("Location"))
	for _, outside := range []string{"https://evil.example/", "//evil.example", `/\evil.example`,
		"///evil.example", "javascript:alert(1)"} {
		to := ask(t, h, "POST", "/sign-in", "", url.Values{"token": {annsToken},
			"here": {outside}}).Header().Get("Location")
		assert.Regexp(t, `^/([^/\\].*)?$`, to, outside)
	}
	cookie := in.Result().Cookies()[0]
	assert.True(t, cookie.HttpOnly)
	assert.Equal(t, http.SameSiteStrictMode, cookie.SameSite)
	assert.NotContains(t, cookie.Value, annsToken)
	signed := func(r *http.Request) { r.AddCookie(cookie) }
	assert.Contains(t, ask(t, h, "GET", "/", "bob", nil, signed).Body.String(), "<b>ann</b>")
	assert.Equal(t, 403, ask(t, h, "POST", "/as", "", url.Values{"name": {"bob"}}, signed).Code)
	require.Equal(t, 303, ask(t, h, "POST", "/rate?as=Bob+Smith", "Bob Smith",
		url.Values{"dialogue": {"12"}, "satisfaction": {"5"}}, signed).Code)
	assert.Regexp(t, `(?m)^12,.*,5,ann,`, ask(t, h, "GET", "/ratings.csv", "", nil,
		signed).Body.String())
	out := ask(t, h, "POST", "/sign-out", "", nil, signed).Result().Cookies()[0]
	assert.Negative(t, out.MaxAge)
}

// Other sites can neither write nor read, whatever a browser sends with their requests.
func TestOtherSites(t *testing.T) {
	h := api(t, func(o *web.Options) { o.Hosts = []string{"desk.example"} })
	for name, change := range map[string]func(*http.Request){
		"cross-site":       func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"same-site":        func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"another origin":   func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"another port":     func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:9") },
		"an opaque origin": func(r *http.Request) { r.Header.Set("Origin", "null") },
	} {
		for _, path := range []string{"/v1/reviews", "/v1/score"} {
			got := call(h, "POST", path, `{"dialogue":"12","satisfaction":1}`, change)
			assert.Equal(t, 403, got.Code, "%s %s", name, path)
			assert.Equal(t, "application/problem+json", got.Header().Get("Content-Type"))
		}
		read := call(h, "GET", "/v1/dialogues", "", change)
		assert.Empty(t, read.Header().Get("Access-Control-Allow-Origin"))
		assert.Equal(t, "same-origin", read.Header().Get("Cross-Origin-Resource-Policy"))
	}
	for host, status := range map[string]int{"127.0.0.1:8321": 200, "localhost": 200,
		"[::1]:8321": 200, "DESK.example": 200,
		"evil.example": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421,
		"10.0.0.1:8321": 421, "": 421} {
		assert.Equal(t, status,
			call(h, "GET", "/v1/dialogues", "", func(r *http.Request) { r.Host = host }).Code, host)
	}
	assert.Contains(t,
		call(h, "GET", "/v1/dialogues", "").Body.String(), `"done":0`, "nothing was rated")
}

// start runs a server. It returns its address and a function that stops it and returns the error of
// Run.
func start(t *testing.T, change ...func(*web.Options)) (address string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	s := api(t, change...).(*web.Server)
	go func() { ended <- s.Run(ctx, l) }()
	return l.Addr().String(), func() error { cancel(); return <-ended }
}

func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		DNSNames:    []string{"desk.example"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	tokens, err := tokensOf(t, "ann "+annsToken)
	require.NoError(t, err)
	address, stop := start(t, func(o *web.Options) {
		o.Remote = web.Remote{Tokens: tokens,
			Certificate: &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}}
	})
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots},
		DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}
	for host, status := range map[string]int{"desk.example": 303, "evil.example": 421} {
		r, err := http.NewRequest("POST", "https://"+address+"/sign-in",
			strings.NewReader("token="+annsToken))
		require.NoError(t, err)
		r.Host = host
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		got, err := client.Do(r)
		require.NoError(t, err)
		got.Body.Close()
		require.Equal(t, status, got.StatusCode)
		for _, c := range got.Cookies() {
			assert.True(t, c.Secure)
			assert.Equal(t, "__Host-session", c.Name)
		}
	}
	require.NoError(t, stop())
}

// A request in progress when the server stops is answered; new ones are not.
func TestStop(t *testing.T) {
	address, stop := start(t)
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	body := "Customer: Where is it?\nAgent: It left today.\n"
	fmt.Fprintf(conn,
		"POST /v1/score HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		address, len(body))
	in := bufio.NewReader(conn)
	line, err := in.ReadString('\n') // its body is being read
	require.NoError(t, err)
	assert.Contains(t, line, "100 Continue")
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	require.Eventually(t, func() bool {
		other, err := net.Dial("tcp", address)
		if err == nil {
			other.Close()
		}
		return err != nil
	}, time.Minute, time.Millisecond)
	io.WriteString(conn, body)
	rest, err := io.ReadAll(in)
	require.NoError(t, err)
	assert.Contains(t, string(rest), "HTTP/1.1 200 OK")
	assert.Contains(t, string(rest), `{"dialogue_id":1,`)
	require.NoError(t, <-stopped)
}

// A file of tokens that others can read or change is refused.
func TestTokensAreSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	require.NoError(t, os.WriteFile(path, []byte("ann "+annsToken+"\n"), 0o600))
	for mode, ok := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: true, 0o644: false,
		0o620: false, 0o602: false} {
		require.NoError(t, os.Chmod(path, mode))
		_, err := web.ReadTokens(path)
		if ok {
			assert.NoError(t, err, "%o", mode)
		} else {
			assert.ErrorContains(t, err, "so others can read or change it", "%o", mode)
		}
	}
}

// Every sign-in has a session of its own, which nobody can make up, and tokens cannot be guessed in
// a hurry.
func TestSessions(t *testing.T) {
	tokens, err := tokensOf(t, "ann "+annsToken+"\n")
	require.NoError(t, err)
	h := api(t, func(o *web.Options) { o.Tokens = tokens })
	signIn := func(token string) *httptest.ResponseRecorder {
		return ask(t, h, "POST", "/sign-in", "", url.Values{"token": {token}})
	}
	first := signIn(annsToken).Result().Cookies()[0]
	second := signIn(annsToken).Result().Cookies()[0]
	assert.NotEqual(t, first.Value, second.Value)
	status := func(value string) int {
		return ask(t, h, "GET", "/", "", nil, func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: first.Name, Value: value})
		}).Code
	}
	assert.Equal(t, 200, status(first.Value))
	assert.Equal(t, 200, status(second.Value))
	synctest.Test(t, func(*testing.T) {
		old := signIn(annsToken).Result().Cookies()[0].Value
		time.Sleep(29 * 24 * time.Hour)
		assert.Equal(t, 200, status(old))
		time.Sleep(2 * 24 * time.Hour)
		assert.Equal(t, http.StatusSeeOther, status(old), "it lasts thirty days")
	})
	for _, forged := range []string{"", ".", first.Value + "0", strings.ToLower(first.Value)} {
		assert.Equal(t, http.StatusSeeOther, status(forged), forged)
	}
	with := func(r *http.Request) { r.AddCookie(first) }
	out := ask(t, h, "POST", "/sign-out", "", nil, with)
	assert.Negative(t, out.Result().Cookies()[0].MaxAge)
	assert.Equal(t, http.StatusSeeOther, status(first.Value), "nor may who has copied the cookie")
	assert.Equal(t, 200, status(second.Value), "another browser stays signed in")
	h = web.New(h.(*web.Server).Options)
	assert.Equal(t, 200, status(second.Value), "also if the server is restarted")
	assert.Equal(t, http.StatusSeeOther, status(first.Value))
	third := ask(t, h, "POST", "/sign-in", "", url.Values{"token": {annsToken}},
		func(r *http.Request) { r.AddCookie(second) }).Result().Cookies()[0]
	assert.Equal(t, http.StatusSeeOther, status(second.Value), "the browser has a new one")
	codes := map[int]int{}
	for range 15 {
		codes[signIn("wrong"+annsToken).Code]++
	}
	assert.Equal(t, map[int]int{401: 10, 429: 5}, codes)
	assert.Equal(t, 429, signIn(annsToken).Code)
	assert.Equal(t, 200, status(third.Value), "who is signed in stays so")
}
