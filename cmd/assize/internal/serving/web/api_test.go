package web_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/serving/web"
	"assize/cmd/assize/internal/showing/results"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// api returns a server with the HTTP API.
func api(t *testing.T, change ...func(*web.Options)) http.Handler {
	t.Helper()
	agents := heuristics.New()
	o := web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) },
		Scoring: &web.Scoring{
			Judge: judge.New(agents,
				judge.Options{Rubric: rubric.Default(), Profile: satisfaction.DefaultProfile()}),
			Reading: func(url.Values) (importer.Options, error) { return importer.Options{}, nil },
			Jobs:    2, Body: 1 << 20, Time: time.Minute}}
	for _, c := range change {
		c(&o)
	}
	return web.New(o)
}

// call sends a request as a program does.
func call(h http.Handler, method, path, body string, change ...func(*http.Request),
) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8321"+path, strings.NewReader(body))
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// described checks answers against the description of the API.
type described struct {
	*testing.T
	compiler *jsonschema.Compiler
	doc      map[string]any
	seen     map[string]bool
}

func describe(t *testing.T, h http.Handler) *described {
	got := call(h, "GET", "/v1/openapi.json", "")
	require.Equal(t, 200, got.Code)
	d := &described{T: t, compiler: jsonschema.NewCompiler(), seen: map[string]bool{}}
	doc, err := jsonschema.UnmarshalJSON(got.Body)
	require.NoError(t, err)
	require.NoError(t, d.compiler.AddResource("openapi.json", doc))
	d.doc = doc.(map[string]any)
	return d
}

// check validates an answer, or each of its lines, against the schema for its path, method, status
// and type.
func (d *described) check(path, method string, got *httptest.ResponseRecorder) {
	d.Helper()
	kind, _, _ := strings.Cut(got.Header().Get("Content-Type"), ";")
	place := []string{"paths", path, strings.ToLower(method), "responses", fmt.Sprint(got.Code),
		"content", kind, "schema"}
	d.seen[strings.Join(place[1:5], " ")] = true
	for i := range place {
		place[i] = strings.NewReplacer("~", "~0", "/", "~1").Replace(place[i])
	}
	schema, err := d.compiler.Compile("openapi.json#/" + strings.Join(place, "/"))
	require.NoError(d, err, "%s %s %d %s is not described", method, path, got.Code, kind)
	lines := []string{got.Body.String()}
	if kind == "application/jsonl" {
		lines = strings.SplitAfter(strings.TrimSuffix(lines[0], "\n"), "\n")
	}
	for _, line := range lines {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		require.NoError(d, err)
		assert.NoError(d, schema.Validate(v), line)
	}
}

func TestAPIIsAsDescribed(t *testing.T) {
	h := api(t)
	d := describe(t, h)
	is := func(status int, path, method, query, body string) string {
		t.Helper()
		got := call(h, method, query, body)
		assert.Equal(t, status, got.Code, got.Body.String())
		d.check(path, method, got)
		return got.Body.String()
	}
	is(200, "/v1/health", "GET", "/v1/health", "")
	is(200, "/v1/openapi.json", "GET", "/v1/openapi.json", "")

	list := is(200, "/v1/dialogues", "GET", "/v1/dialogues?limit=2&order=worst", "")
	var page struct{ Next string }
	require.NoError(t, json.Unmarshal([]byte(list), &page))
	rest := is(200, "/v1/dialogues", "GET", page.Next, "")
	assert.Equal(t, 3, strings.Count(list+rest, `"identity"`))
	assert.NotContains(t, rest, `"next"`)
	assert.Equal(t, 1, strings.Count(is(200, "/v1/dialogues", "GET", "/v1/dialogues?agent=Bob", ""),
		`"identity"`))
	for _, wrong := range []string{"agnt=Bob", "order=best", "state=open", "from=May", "limit=0",
		"limit=x", "offset=-1", "low=Speed", "q=" + strings.Repeat("a+", 101)} {
		is(400, "/v1/dialogues", "GET", "/v1/dialogues?"+wrong, "")
	}

	is(200, "/v1/dialogues/{id}", "GET", "/v1/dialogues/12", "")
	is(404, "/v1/dialogues/{id}", "GET", "/v1/dialogues/..%2f..%2fetc%2fpasswd", "")
	hostile := is(200, "/v1/dialogues/{id}", "GET",
		"/v1/dialogues/"+url.PathEscape("<script>alert(1)</script>"), "")
	assert.NotContains(t, hostile[:strings.Index(hostile, `"rec`)], "<script>")

	is(201, "/v1/reviews", "POST", "/v1/reviews?as=ann",
		`{"dialogue":"12","satisfaction":2,"verdicts":{"Empathy":{"level":40,"reason":"cold"},"Fluency":{"agree":true}},"note":"<script>"}`)
	assert.Contains(t, is(200, "/v1/dialogues/{id}", "GET", "/v1/dialogues/12?as=ann", ""),
		`"reviewer":"ann"`)
	assert.NotContains(t, is(200, "/v1/dialogues/{id}", "GET", "/v1/dialogues/12?as=bob", ""),
		`"ann"`, "nobody is told before")
	assert.Contains(t, is(200, "/v1/dialogues/{id}", "GET", "/v1/dialogues/12?as=bob", ""),
		`"reviews_hidden":"1 review by others, shown to a reviewer who has rated`)
	all := is(200, "/v1/dialogues/{id}", "GET", "/v1/dialogues/12", "")
	assert.Contains(t, all, `"reviewer":"ann"`, "a program that is nobody sees all")
	assert.NotContains(t, all, `"reviews_hidden"`)
	for _, wrong := range []string{`{"dialogue":"12"}`, `{"dialogue":"12","satisfaction":6}`,
		`{"dialogue":"12","stars":2}`, `{"dialogue":"12","flag":true} {}`,
		`{"dialogue":"12","satisfaction":2,"satisfaction":5}`,
		`{"DIALOGUE":"12","satisfaction":2}`, "{\"dialogue\":\"12\",\"note\":\"\xff\"}",
		`{"dialogue":"12","satisfaction":2,"at":"9999-01-01T00:00:00Z"}`,
		`{"dialogue":"12","satisfaction":2,"blind":true}`,
		`{"dialogue":"12","verdicts":{"Speed":{"level":40}}}`,
		`{"dialogue":"12","verdicts":{"Empathy":{"level":41}}}`, `{"dialogue":`} {
		is(400, "/v1/reviews", "POST", "/v1/reviews", wrong)
	}
	assert.Equal(t, 400, call(h, "POST", "/v1/reviews", "null", func(r *http.Request) {
		r.Header.Set("Content-Type", "application/json")
	}).Code)
	is(404, "/v1/reviews", "POST", "/v1/reviews", `{"dialogue":"99","satisfaction":2}`)
	is(415, "/v1/reviews", "POST", "/v1/reviews", `dialogue=12&satisfaction=2`)
	is(413, "/v1/reviews", "POST", "/v1/reviews", `{"dialogue":"`+strings.Repeat("x", 300<<10)+`"}`)

	is(200, "/v1/score", "POST", "/v1/score", desk)
	is(422, "/v1/score", "POST", "/v1/score", "")
	is(422, "/v1/score", "POST", "/v1/score", "nothing that anybody said")
	is(413, "/v1/score", "POST", "/v1/score", strings.Repeat("Agent: yes\n", 1<<17))
	some := is(200, "/v1/score", "POST", "/v1/score",
		"{\"messages\":[{\"role\":\"user\"\n{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"},{\"role\":\"assistant\",\"content\":\"Hello\"}]}\n")
	assert.Regexp(t,
		`(?s)^\{"title":"Unprocessable Entity","status":422,"detail":"the body.*\n\{"dialogue_id":`,
		some)

	for path, methods := range d.doc["paths"].(map[string]any) {
		for method := range methods.(map[string]any) {
			if !d.seen[path+" "+method+" responses 200"] {
				assert.True(t, d.seen[path+" "+method+" responses 201"],
					"%s %s is described and was not asked for", method, path)
			}
		}
	}
	assert.Equal(t, "POST", call(h, "DELETE", "/v1/score", "").Header().Get("Allow"))
	for path, status := range map[string]int{"/v1/": 404, "/v1/dialogue": 404, "/v1/reviews": 405} {
		got := call(h, "GET", path, "")
		assert.Equal(t, status, got.Code)
		assert.Equal(t, "application/problem+json", got.Header().Get("Content-Type"))
	}
}

// The API hides what the pages hide.
func TestAPIHides(t *testing.T) {
	h := api(t, func(o *web.Options) { o.Blind = true })
	d := describe(t, h)
	got := call(h, "GET", "/v1/dialogues/12?as=ann", "")
	d.check("/v1/dialogues/{id}", "GET", got)
	list := call(h, "GET", "/v1/dialogues?as=ann", "")
	for _, body := range []string{got.Body.String(), list.Body.String()} {
		assert.Contains(t, body, `"status":"hidden"`)
		assert.NotContains(t, body, `"unscored"`)
		for _, told := range []string{"satisfaction", "overall", "scores", "evaluation", "critic"} {
			assert.NotContains(t, body, `"`+told+`"`)
		}
	}
	assert.Contains(t, got.Body.String(), "Where is my refund?")
	for order, status := range map[string]int{"worst": 400, "differ": 400, "shuffled": 200} {
		assert.Equal(t, status, call(h, "GET", "/v1/dialogues?as=ann&order="+order, "").Code, order)
		assert.Equal(t, status, call(h, "GET", "/list.csv?as=ann&order="+order, "").Code, order)
	}
	for _, filter := range []string{"sat=1.00", "sat=1.50", "sat=2.00", "overall=40", "overall=60",
		"low=TaskSuccess", "reason=threat-to-leave"} {
		assert.Contains(t,
			call(h, "GET", "/v1/dialogues?as=ann&state=all&"+filter, "").Body.String(), `"all":0`,
			filter)
		assert.Equal(t, 1,
			strings.Count(call(h, "GET", "/list.csv?as=ann&state=all&"+filter, "").Body.String(),
				"\n"), filter)
	}
	agreed := call(h, "POST", "/v1/reviews?as=ann",
		`{"dialogue":"12","satisfaction":2,"verdicts":{"Empathy":{"agree":true}}}`)
	d.check("/v1/reviews", "POST", agreed)
	assert.Equal(t, 400, agreed.Code)
	assert.NotContains(t, agreed.Body.String(), `"level"`)
	form := url.Values{"dialogue": {"12"}, "satisfaction": {"2"}, "level.Empathy": {"agree"}}
	assert.Equal(t, 400, ask(t, h, "POST", "/rate", "ann", form).Code)

	review := `{"dialogue":"12","satisfaction":2}`
	assert.Contains(t, call(h, "POST", "/v1/reviews?as=ann", review).Body.String(), `"blind":true`)
	assert.Contains(t, call(h, "GET", "/v1/dialogues/12?as=ann", "").Body.String(), `"critic"`)
	got = call(h, "GET", "/v1/dialogues/12", "")
	d.check("/v1/dialogues/{id}", "GET", got)
	assert.Contains(t, got.Body.String(), `"reviews":[],"reviews_hidden":"1 review by others`)
	assert.Contains(t,
		call(h, "GET", "/v1/dialogues?as=ann&state=all&low=TaskSuccess", "").Body.String(),
		`"all":1`)
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/undo", "ann", nil).Code)
	assert.NotContains(t, call(h, "GET", "/v1/dialogues/12?as=ann", "").Body.String(), `"critic"`)
	assert.NotContains(t,
		call(h, "POST", "/v1/reviews?as=ann", review).Body.String(), `"blind"`,
		"the scores were seen")
	assert.Contains(t, call(h, "POST", "/v1/reviews?as=bob", review).Body.String(), `"blind":true`)

	rated := "id,speaker,text,rating\n7,user,Where is it?,4\n7,agent,Here.,4\n"
	h = api(t, func(o *web.Options) { o.Store, o.Blind = openStore(t, rated), true })
	// a rating from the source would reveal scores too
	for _, path := range []string{"/v1/dialogues", "/v1/dialogues/7", "/list.csv"} {
		assert.NotRegexp(t, `"rated"|,4,`, call(h, "GET", path+"?as=ann", "").Body.String(), path)
	}
	require.Equal(t, 201,
		call(h, "POST", "/v1/reviews?as=ann", `{"dialogue":"7","satisfaction":3}`).Code)
	assert.Contains(t, call(h, "GET", "/v1/dialogues/7?as=ann", "").Body.String(), `"rated":4`)

	masks := api(t, func(o *web.Options) { o.Redact, o.Scoring.Judge.Redact = true, true })
	said := "Customer: Write to jo@example.org\nAgent: Done.\n"
	assert.NotContains(t, call(masks, "POST", "/v1/score", said).Body.String(), "jo@example.org")
}

// The records are the same bytes as those of assize score.
func TestScoreIsThatOfTheCommand(t *testing.T) {
	var other strings.Builder
	for i := range 3000 { // enough for a temporary file
		fmt.Fprintf(&other,
			"{\"messages\":[{\"role\":\"user\",\"content\":\"Where is order %d? %s\"},{\"role\":\"assistant\",\"content\":\"It left today.\"}]}\n",
			i, strings.Repeat("I wait. ", 50))
	}
	for _, body := range []string{desk, other.String()} {
		var want bytes.Buffer
		agents := heuristics.New()
		con := &console.Console{In: strings.NewReader(body), Out: io.Discard, Err: io.Discard}
		j := judge.New(agents,
			judge.Options{Rubric: rubric.Default(), Profile: satisfaction.DefaultProfile()})
		b := batch.Batch{Judge: j, Jobs: 2}
		sink, err := results.NewJSONL(&want, j.Header(importer.Options{}))
		require.NoError(t, err)
		for r, err := range b.All(t.Context(),
			corpus.Samples(con, []string{ui.Stdin}, importer.Options{})) {
			require.NoError(t, err)
			require.NoError(t, r.Err)
			require.NoError(t, sink.Add(r.Record))
		}
		_, records, _ := strings.Cut(want.String(), "\n")
		h := api(t, func(o *web.Options) { o.Scoring.Body = 8 << 20 })
		got := call(h, "POST", "/v1/score", body)
		assert.Equal(t, 200, got.Code)
		assert.True(t, got.Body.String() == records, "the same bytes")
	}
}

// A body that is not sent as HTTP wants it is the client's fault.
func TestMalformedBody(t *testing.T) {
	h := api(t)
	for _, path := range []string{"/v1/score", "/v1/reviews"} {
		got := call(h, "POST", path, "{}", func(r *http.Request) {
			r.Body = io.NopCloser(iotest.ErrReader(errors.New("malformed chunk")))
		})
		assert.Equal(t, http.StatusBadRequest, got.Code, got.Body)
		assert.Contains(t, got.Body.String(), "malformed chunk")
	}
}

func TestScoreIsLimited(t *testing.T) {
	slow := api(t, func(o *web.Options) { o.Scoring.Time = time.Nanosecond })
	got := call(slow, "POST", "/v1/score", desk)
	assert.Equal(t, 503, got.Code)
	assert.Equal(t, "10", got.Header().Get("Retry-After"))
	describe(t, slow).check("/v1/score", "POST", got)

	h := api(t)
	hold, release := make(chan bool), make(chan bool)
	ended := make(chan int, 64)
	for range 64 {
		go func() {
			r := httptest.NewRequest("POST", "http://127.0.0.1/v1/score",
				&waiting{hold: hold, release: release, then: strings.NewReader(desk)})
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			ended <- w.Code
		}()
		<-hold
	}
	full := call(h, "POST", "/v1/score", desk)
	assert.Equal(t, 503, full.Code)
	assert.Equal(t, "1", full.Header().Get("Retry-After"))
	assert.Equal(t, 200, call(h, "GET", "/v1/dialogues", "").Code, "all else goes on")
	close(release)
	for range 64 {
		assert.Equal(t, 200, <-ended)
	}
	assert.Equal(t, 200, call(h, "POST", "/v1/score", desk).Code)

	broken := httptest.NewRequest("POST", "http://127.0.0.1/v1/score",
		iotest.ErrReader(io.ErrUnexpectedEOF))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, broken)
	assert.Equal(t, 400, w.Code)

	model := api(t, func(o *web.Options) { o.Scoring = nil })
	assert.Equal(t, 501, call(model, "POST", "/v1/score", desk).Code)
}

// A body is unpacked according to its content, whatever its name, and is rejected if it unpacks to
// too much.
func TestScoreUnpacks(t *testing.T) {
	h := api(t)
	d := describe(t, h)
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		require.NoError(t, z.Close())
		return b.String()
	}
	archived := func(files ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := 0; i < len(files); i += 2 {
			w, err := z.Create(files[i])
			require.NoError(t, err)
			io.WriteString(w, files[i+1])
		}
		require.NoError(t, z.Close())
		return b.String()
	}
	plain := call(h, "POST", "/v1/score", desk).Body.String()
	require.Equal(t, 3, strings.Count(plain, "\n"))
	assert.Equal(t, plain, call(h, "POST", "/v1/score", packed(desk)).Body.String())
	got := call(h, "POST", "/v1/score", archived("may/desk.csv", desk, "__MACOSX/x.csv", "x",
		"chat.txt.gz", packed("Customer: Where is it?\nAgent: Here.\n"), "a.pdf", "x"))
	d.check("/v1/score", "POST", got)
	assert.Equal(t,
		strings.ReplaceAll(plain, `"file":"-"`, `"file":"-/may/desk.csv"`),
		got.Body.String()[:strings.LastIndex(strings.TrimSpace(got.Body.String()), "\n")+1])
	assert.Contains(t, got.Body.String(), `"file":"-/chat.txt.gz"`)
	none := call(h, "POST", "/v1/score", archived("a.pdf", "x"))
	assert.Equal(t, 422, none.Code)
	assert.Contains(t, none.Body.String(), "no transcripts in this archive")
	var book bytes.Buffer
	table := ui.NewTable("", "id", "speaker", "text")
	table.Add("7", "user", "Where is it?")
	table.Add("7", "agent", "Here.")
	require.NoError(t, table.XLSX(&book, "Chats"))
	assert.Contains(t,
		call(h, "POST", "/v1/score", book.String()).Body.String(), `{"dialogue_id":7,`)
	much := strings.Repeat("Customer: Where is it?\nAgent: Here.\n=====\n", 1<<18)
	for name, bomb := range map[string]string{"gzip": packed(much), "zip": archived("a.txt", much),
		"gzip in zip": archived("a.txt.gz", packed(much))} {
		got := call(h, "POST", "/v1/score", bomb)
		d.check("/v1/score", "POST", got)
		assert.Equal(t, 413, got.Code, name)
		assert.Contains(t, got.Body.String(), "the body unpacks to more than 8 MiB", name)
	}
}

// waiting is a request body that blocks until it is released.
type waiting struct {
	hold    chan<- bool
	release <-chan bool
	then    io.Reader
	asked   bool
}

func (b *waiting) Read(p []byte) (int, error) {
	if !b.asked {
		b.asked = true
		b.hold <- true
		<-b.release
	}
	return b.then.Read(p)
}
