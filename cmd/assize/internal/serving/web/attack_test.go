package web_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
)

// posts are the paths of all forms.
var posts = []string{"/rate", "/undo", "/as", "/sign-in", "/sign-out", "/delete", "/learn",
	"/v1/reviews", "/v1/score"}

// No route accepts a form from another site, under another host name, or with too large a body.
func TestForeignForms(t *testing.T) {
	h := api(t)
	form := url.Values{"dialogue": {"12"}, "satisfaction": {"1"}, "name": {"eve"}, "do": {"learn"}}
	large := url.Values{"note": {strings.Repeat("x", 2<<20)}, "dialogue": {"12"},
		"satisfaction": {"1"}}
	for _, path := range posts {
		for name, attack := range map[string]struct {
			change func(*http.Request)
			status int
		}{
			"rebinding":        {func(r *http.Request) { r.Host = "evil.example:8321" }, 421},
			"no host":          {func(r *http.Request) { r.Host = "" }, 421},
			"cross-site":       {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
			"same-site":        {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403},
			"another origin":   {origin("http://evil.example"), 403},
			"another port":     {origin("http://127.0.0.1:9"), 403},
			"an opaque origin": {origin("null"), 403},
		} {
			got := ask(t, h, "POST", path, "ann", form, attack.change)
			assert.Equal(t, attack.status, got.Code, "%s %s", name, path)
			assert.Empty(t, got.Result().Cookies())
		}
		if path != "/sign-out" { // which does not read the body
			assert.GreaterOrEqual(t, ask(t, h, "POST", path, "ann", large).Code, 400, path)
		}
		assert.Contains(t, []int{404, 405}, ask(t, h, "GET", path+"/x", "ann", nil).Code, path)
	}
	assert.Equal(t, 413, ask(t, h, "POST", "/rate", "ann", large).Code)
	assert.Contains(t,
		call(h, "GET", "/v1/dialogues?as=ann", "").Body.String(), `"done":0`, "nothing was rated")
}

// origin sets the headers that a browser without Sec-Fetch-Site sends.
func origin(of string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", of) }
}

// harm is a text that is harmful in an attribute, in markup, in a script, in an address and in a
// template.
const harm = `"'></script></title></textarea><script>harm()</script><img src=x onerror=harm()> javascript:harm() {{7*191}}`

// No text becomes markup on any page, whatever field it is entered in.
func TestScriptInEveryField(t *testing.T) {
	var b strings.Builder
	for _, id := range []string{harm, "2" + harm} {
		line, err := json.Marshal(map[string]any{"id": id, "agent": "a" + harm, "queue": "q" + harm,
			"created_at": "2024-05-02", "tier": "t" + harm,
			harm: "value", "rating": 2, "messages": []map[string]string{
				{"role": "user", "content": "Where is my refund? " + harm, "name": "n" + harm},
				{"role": "assistant", "content": "What is your name? " + harm, "name": "m" + harm},
				{"role": "user", "content": "I told you three times. This is ridiculous. " +
					harm}}})
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	h := api(t, func(o *web.Options) {
		o.Store, o.Title, o.Link = openStore(t, b.String()), "run"+harm,
			`https://desk.example/{id}?x=`+harm
		o.Titles = map[string]string{"repeated-request": "title" + harm}
	})
	at := url.PathEscape(harm)
	rated := ask(t, h, "POST", "/rate?q="+at, "ann", url.Values{"dialogue": {harm},
		"satisfaction": {"1"}, "note": {"note" + harm}, "do": {"save"},
		"level.Empathy": {"20"}, "reason.Empathy": {"reason" + harm}})
	require.Equal(t, http.StatusSeeOther, rated.Code)
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "bob",
		url.Values{"dialogue": {harm}, "satisfaction": {"2"}, "note": {harm}}).Code)
	assert.Equal(t, 400, ask(t, h, "POST", "/as", "", url.Values{"name": {harm}}).Code)
	asked := "q=refund&agent=" +
		url.QueryEscape("a"+harm) + "&queue=" + url.QueryEscape("q"+harm) + "&by=" + at +
		"&reason=" + at + "&saved=" + at + "&deleted=" + at
	marked := regexp.MustCompile(
		`(?i)<script>|<img|onerror=harm\(\)>|<[^>]*"'>|href="javascript|1337`)
	for path, shown := range map[string]bool{"/?state=all": true, "/?" + asked: true, "/?q=" + at +
		"&state=all": true, "/d/" + at: true, "/d/" + at + "?" + asked: true,
		rated.Header().Get("Location"): true, "/overview": true, "/overview?agent=" + at: true,
		"/learn?" + asked: false, "/sign-in?here=" + at: true, "/" + at: false,
		"/?low=" + at: true, "/?sat=" + at: true, "/?overall=" + at: true, "/?from=" + at: true,
		"/?order=" + at: false, "/?state=" + at: false, "/d/none?saved=" + at: true} {
		for _, as := range []string{"ann", "bob"} {
			got := ask(t, h, "GET", path, as, nil)
			assert.Contains(t, []int{200, 400, 404}, got.Code, path)
			body := got.Body.String()
			assert.Empty(t, marked.FindString(body), path)
			assert.Equal(t, "text/html; charset=utf-8", got.Header().Get("Content-Type"))
			assert.Equal(t, "nosniff", got.Header().Get("X-Content-Type-Options"))
			assert.Contains(t, got.Header().Get("Content-Security-Policy"),
				"default-src 'none'; script-src 'self'")
			if shown {
				assert.Contains(t, body, "harm()", "%s: it is seen as text", path)
			}
		}
	}
	for _, href := range regexp.MustCompile(`href="(https:[^"]*)"`).FindAllStringSubmatch(ask(t, h,
		"GET", "/d/"+at, "ann", nil).Body.String(), -1) {
		assert.NotContains(t, html.UnescapeString(href[1]), "<script>")
	}
	report := ask(t, h, "GET", "/report.html", "ann", nil).Body.String()
	assert.NotContains(t, report, "<script>harm")
	assert.NotContains(t, report, "<img")
}

// Path traversal reaches nothing outside a route's files, however the path is written.
func TestPathTraversal(t *testing.T) {
	h := api(t)
	for _, route := range []string{"/assets/", "/d/", "/v1/dialogues/", "/", "/v1/", "/overview/",
		"/templates/"} {
		for _, up := range []string{"../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..;/",
			"....//", "%252e%252e%252f", "./../", "//"} {
			for _, file := range []string{"etc/passwd", "server.go", "templates/layout.tmpl",
				"desk.jsonl", "%00", "con"} {
				got := ask(t, h, "GET", route+strings.Repeat(up, 3)+file, "ann", nil)
				assert.Contains(t, []int{301, 307, 400, 404}, got.Code, route+up+file)
				assert.NotRegexp(t, `root:|package web|\{\{define|"dialogue_id"`, got.Body.String())
				if to := got.Header().Get("Location"); to != "" {
					assert.Regexp(t, `^/([^/\\]|$)`, to, "it leads to this server")
					assert.Equal(t, 404, ask(t, h, "GET", to, "ann", nil).Code, to)
				}
			}
		}
	}
}

// No name injects a header, and no exported cell is run as a formula.
func TestExportsAreInert(t *testing.T) {
	evil := []string{"=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1",
		"x\r\nSet-Cookie: a=b", "\"; filename=\"evil.exe", "a\u2028b", "\x1b]0;x\a"}
	var b strings.Builder
	for i, id := range evil {
		line, err := json.Marshal(map[string]any{"id": id, "agent": "=" + id, "queue": "@" + id,
			"messages": []map[string]string{
				{"role": "user", "content": fmt.Sprintf("Where is order %d?", i)},
				{"role": "assistant", "content": "Here."}}})
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	store := openStore(t, b.String())
	h := api(t, func(o *web.Options) { o.Store = store })
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 99)
	require.NoError(t, err)
	require.Len(t, list, len(evil))
	for i, d := range list {
		got := ask(t, h, "POST", "/rate", "=2+"+fmt.Sprint(i), url.Values{"dialogue": {string(d.Identity)},
			"satisfaction": {"2"}, "note": {"=" + evil[i]}, "do": {"save"},
			"reason.Empathy": {"=1"}, "level.Empathy": {"20"}})
		require.Equal(t, http.StatusSeeOther, got.Code)
		assert.NotContains(t, got.Header().Get("Location"), "\n")
		assert.NotContains(t, got.Header(), "Set-Cookie")
	}
	for _, path := range []string{"/ratings.csv", "/list.csv?state=all"} {
		got := ask(t, h, "GET", path, "ann", nil)
		assert.Equal(t, "text/csv; charset=utf-8", got.Header().Get("Content-Type"))
		assert.Regexp(t, `^attachment; filename="[a-z]+\.csv"$`,
			got.Header().Get("Content-Disposition"))
		rows, err := csv.NewReader(got.Body).ReadAll()
		require.NoError(t, err)
		require.Greater(t, len(rows), 5)
		for _, row := range rows {
			for _, cell := range row {
				assert.NotRegexp(t, `^[=+@\t\r-].|[\x00-\x08\x0b-\x1f]`, cell, path)
			}
		}
	}
	book := ask(t, h, "GET", "/list.xlsx?state=all", "ann", nil).Body.Bytes()
	parts, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	require.NoError(t, err)
	for _, part := range parts.File {
		in, err := part.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(in)
		require.NoError(t, err)
		assert.NotRegexp(t, `<f[ >]`, string(text), "no formula")
	}
}

// Truncated and forged tokens and cookies are rejected.
func TestForgedSessions(t *testing.T) {
	tokens, err := tokensOf(t, "ann "+annsToken)
	require.NoError(t, err)
	h := api(t, func(o *web.Options) { o.Tokens = tokens })
	cookie := ask(t, h, "POST", "/sign-in", "",
		url.Values{"token": {annsToken}}).Result().Cookies()[0]
	value := cookie.Value
	for _, forged := range []string{"", value[:len(value)-1], value + "0", value[1:] + value[:1],
		strings.Repeat("f", 64), "zz" + value[2:], "ann", annsToken} {
		got := ask(t, h, "GET", "/d/12", "ann", nil,
			func(r *http.Request) { r.AddCookie(&http.Cookie{Name: cookie.Name, Value: forged}) })
		assert.Equal(t, http.StatusSeeOther, got.Code, forged)
		assert.Equal(t, "/sign-in?here=%2Fd%2F12", got.Header().Get("Location"))
	}
	assert.Equal(t, 200, ask(t, h, "GET", "/d/12", "", nil,
		func(r *http.Request) { r.AddCookie(cookie) }).Code)
}

// pipes is a listener with in-memory connections, so that fake time advances only when all
// goroutines wait.
type pipes struct {
	to     chan net.Conn
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.to:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8321} }

// Slow clients and those that send too many headers are disconnected, and others are served
// meanwhile.
func TestSlowSenders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := api(t, func(o *web.Options) { o.Log = func(string) {} })
		l := &pipes{to: make(chan net.Conn), closed: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- h.(*web.Server).Run(ctx, l) }()
		send := func(text string) net.Conn {
			client, server := net.Pipe()
			l.to <- server
			go io.WriteString(client, text)
			return client
		}
		begun := time.Now()
		var slow []net.Conn
		for range 100 {
			slow = append(slow, send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "),
				send("POST /v1/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nAgent: "))
		}
		synctest.Wait()
		answer, err := io.ReadAll(send("GET /v1/health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n"))
		require.NoError(t, err)
		assert.Contains(t, string(answer), "200 OK")
		long, err := io.ReadAll(send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" +
			strings.Repeat("X-Long: "+strings.Repeat("y", 1000)+"\r\n", 100)))
		require.NoError(t, err)
		assert.Contains(t, string(long), "431 Request Header Fields Too Large")
		for _, c := range slow {
			answer, err := io.ReadAll(c)
			require.NoError(t, err)
			assert.NotContains(t, string(answer), "200 OK")
		}
		assert.LessOrEqual(t,
			time.Since(begun), 2*time.Minute, "of a clock that stands while anything is done")
		cancel()
		<-ended
	})
}
