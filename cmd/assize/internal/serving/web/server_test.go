package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// desk is an export whose third dialogue is hostile.
const desk = `id,speaker,text,agent,created_at
11,user,My order never came.,Ann,2024-05-02
11,agent,I have sent a new one. It comes on Friday.,Ann,2024-05-02
11,user,Thank you so much!,Ann,2024-05-02
12,user,Where is my refund?,Bob,2024-05-09
12,agent,What is your name?,Bob,2024-05-09
12,user,I told you three times. This is ridiculous. Cancel my contract.,Bob,2024-05-09
<script>alert(1)</script>,user,Is <img src=x onerror=alert(1)> open?,"<b>Eve</b>",2024-05-10
<script>alert(1)</script>,agent,"Yes, until six.","<b>Eve</b>",2024-05-10
`

// openStore scores an export into a run and indexes it.
func openStore(t *testing.T, export string) *review.Store {
	t.Helper()
	return openStoreWith(t, export, rubric.Default())
}

// openStoreWith is like openStore with another rubric.
func openStoreWith(t *testing.T, export string, r rubric.Rubric) *review.Store {
	t.Helper()
	return openStoreIn(t, t.TempDir(), export, r)
}

// openStoreIn is like openStoreWith but keeps the store in a folder, with further pragmas.
func openStoreIn(t *testing.T, folder, export string, r rubric.Rubric,
	pragmas ...string) *review.Store {
	t.Helper()
	file, runFile := filepath.Join(folder, "desk.csv"), filepath.Join(folder, "desk.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(export), 0o666))
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	agents := heuristics.New()
	j := judge.New(agents,
		judge.Options{Rubric: r, Profile: satisfaction.DefaultProfile()})
	header := j.Header(importer.Options{})
	s := batch.Scoring{Console: con, Batch: batch.Batch{Judge: j, Jobs: 2, Header: &header}}
	require.NoError(t, s.Resume(runFile))
	require.NoError(t,
		s.Write(t.Context(), corpus.Samples(con, []string{file}, importer.Options{})))
	store, err := review.Open(review.Path(runFile), pragmas...)
	require.NoError(t, err)
	t.Cleanup(func() { store.Close() })
	fill(t, store, runFile)
	return store
}

// fill reads a run into the index of a store.
func fill(t *testing.T, store *review.Store, runFile string) {
	t.Helper()
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	c, err := corpus.Open(t.Context(), con, corpus.Options{Command: "review",
		Paths: []string{runFile}, Jobs: 2})
	require.NoError(t, err)
	require.NoError(t, store.Fill(t.Context(), c))
	changed, err := store.Changed(t.Context(), c.Files)
	require.NoError(t, err)
	assert.Empty(t, changed)
}

// extend adds a record to the run of a store, and reads the run again.
func extend(t *testing.T, store *review.Store, header *run.Header, record *run.Record) {
	t.Helper()
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 1)
	require.NoError(t, err)
	runFile := strings.TrimSuffix(list[0].File, ".csv") + ".jsonl"
	w, err := run.Create(runFile, header)
	require.NoError(t, err)
	require.NoError(t, errors.Join(w.Add(record), w.Close(), w.Release()))
	fill(t, store, runFile)
}

// ask sends a request as a reviewer's browser does.
func ask(t *testing.T, h http.Handler, method, path, as string, form url.Values,
	change ...func(*http.Request),
) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), method, "http://127.0.0.1:8321"+path,
		strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if as != "" {
		r.AddCookie(&http.Cookie{Name: "reviewer", Value: as})
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestPages(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	queue := ask(t, h, "GET", "/?state=all", "", nil)
	require.Equal(t, 200, queue.Code)
	assert.Contains(t, queue.Body.String(), "3 left")
	assert.Regexp(t, `href="/d/[0-9a-f]{32}\?state=all">12<`, queue.Body.String())
	page := ask(t, h, "GET", "/d/12", "", nil)
	require.Equal(t, 200, page.Code)
	assert.Contains(t, page.Body.String(), "Where is my refund?")
	assert.Contains(t, page.Body.String(), `Agent <b><span class="name">Bob</span></b>`)
	assert.Equal(t, 404, ask(t, h, "GET", "/d/99", "", nil).Code)
	assert.Equal(t, 404, ask(t, h, "GET", "/d/..%2f..%2fetc%2fpasswd", "", nil).Code)
	assert.Equal(t, 404, ask(t, h, "GET", "/assets/..%2fserver.go", "", nil).Code)
	for _, words := range []string{"refund name", "REFU", `"refund`} {
		found := ask(t, h, "GET", "/?q="+url.QueryEscape(words), "", nil).Body.String()
		assert.Contains(t, found, "1 left", words)
	}
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann",
		url.Values{"dialogue": {"12"}, "satisfaction": {"2"}}).Code)
	found := ask(t, h, "GET", "/?state=todo&q=refund", "ann", nil)
	assert.Equal(t, "/?q=refund&state=all", found.Header().Get("Location"), "it is rated")
	for _, body := range []string{queue.Body.String(),
		ask(t, h, "GET",
			"/d/"+url.PathEscape("<script>alert(1)</script>"), "", nil).Body.String()} {
		assert.NotContains(t, body, "<script>alert")
		assert.NotContains(t, body, "<img")
		assert.NotContains(t, body, "<b>Eve")
	}
}

// Criteria are named in words in the queue, and on a dialogue's page with the reason for each.
func TestCriteriaInWords(t *testing.T) {
	store := openStore(t, desk)
	options := web.Options{Store: store, Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }}
	h := web.New(options)
	queue := ask(t, h, "GET", "/?state=all", "", nil).Body.String()
	page := ask(t, h, "GET", "/d/12", "", nil).Body.String()
	assert.Contains(t, queue, `<option value="TaskSuccess">Task success</option>`)
	list, err := store.Find(t.Context(), review.Filter{State: review.All}, "12")
	require.NoError(t, err)
	rec, _, err := store.Record(t.Context(), list[0].Entry)
	require.NoError(t, err)
	for _, c := range rubric.Criteria() {
		name := strings.Replace(c.String(), "TaskSuccess", "Task success", 1)
		assert.Contains(t, queue, `<span title="`+name+`">`+name[:3]+"</span></th>")
		reason := regexp.MustCompile(`<b>` + name + `</b>.*?<span class="level v\d+(?: hollow)?">(\d+)</span></div>\n` +
			`<div class="says">([^<]+?) ?<`).FindStringSubmatch(page)
		require.NotEmpty(t, reason, "%s has its reason beside the score", c)
		assert.Equal(t, rec.Evaluation.Final[c].Score.String(), reason[1])
		assert.True(t, strings.EqualFold(strings.TrimSuffix(html.UnescapeString(reason[2]), "."),
			strings.TrimSuffix(ui.PlainRoles(rec.Evaluation.Final[c].Claim), ".")), "%s: %s", c,
			reason[2])
		assert.Equal(t, rec.Evaluation.Final[c].Unshown(), strings.Contains(reason[0], " hollow"))
	}
	words := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(queue+page, "")
	for _, jargon := range []string{"TaskSuccess", "SYSTEM", "USER"} {
		assert.NotContains(t, words, jargon)
	}
	assert.Contains(t, page, "How satisfied was the customer?")
	assert.Contains(t, queue, `hollow" title="Accuracy: not shown">80<`)
	assert.Contains(t, queue, "not shown: nothing to judge by was found")
	options.Blind = true
	page = ask(t, web.New(options), "GET", "/d/12", "ann", nil).Body.String()
	assert.NotContains(t, page, `class="level v`, "not before it is rated")
}

// A dialogue is reviewed under its identity in the index, even if masking changes its words.
func TestMaskedDialoguesAreReviewed(t *testing.T) {
	export := "id,speaker,text\n1,user,I am jo@example.org\n1,agent,Thank you.\n"
	h := web.New(web.Options{Store: openStore(t, export), Title: "desk", Reviewer: "me",
		Redact: true,
		Log:    func(line string) { t.Error(line) }})
	body := ask(t, h, "GET", "/d/1", "", nil).Body.String()
	require.Contains(t, body, "[email]")
	identity := regexp.MustCompile(`name="dialogue" value="([^"]*)"`).FindStringSubmatch(body)
	require.Len(t, identity, 2)
	form := url.Values{"dialogue": {identity[1]}, "satisfaction": {"2"}}
	assert.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "", form).Code)
}

// Every link leads to its dialogue, whatever its name, and even if names are masked.
func TestLinks(t *testing.T) {
	names := []string{"%2e%2e", "a?b#c", "..", "jo@example.org", "two\nlines"}
	export := "id,speaker,text\n"
	for _, name := range names {
		export += fmt.Sprintf("%[1]q,user,Where is %[2]x?\n%[1]q,agent,Here.\n", name, name)
	}
	export = strings.ReplaceAll(export, `\n`, "\n")
	for _, redact := range []bool{false, true} {
		h := web.New(web.Options{Store: openStore(t, export), Title: "desk", Reviewer: "me",
			Redact: redact,
			Log:    func(line string) { t.Error(line) }})
		queue := ask(t, h, "GET", "/", "", nil).Body.String()
		links := regexp.MustCompile(`<a dir="auto" href="(/d/[^"]*)">`).FindAllStringSubmatch(
			queue, -1)
		require.Len(t, links, len(names))
		said := ""
		for _, link := range links {
			answer := ask(t, h, "GET", html.UnescapeString(link[1]), "", nil)
			require.Equal(t, http.StatusOK, answer.Code, link[1])
			said += answer.Body.String()
		}
		for _, name := range names {
			assert.Contains(t, said, fmt.Sprintf("Where is %x?", name))
		}
		rated := ask(t, h, "POST", "/rate", "", url.Values{"dialogue": {"jo@example.org"},
			"satisfaction": {"2"}}).Header().Get("Location")
		assert.Equal(t, redact, !strings.Contains(rated, "jo%40example"), rated)
	}
}

// Data masked on one page is masked on all, including in addresses and tables.
func TestMasked(t *testing.T) {
	export := "id,speaker,text,agent\n"
	for i, id := range []string{"jo@example.org", "12", "447700900417",
		"4111111111111111"} {
		export += fmt.Sprintf("%[1]s,user,Where is it?,a%[2]d@example.org\n%[1]s,agent,Here.,a%[2]d@example.org\n", id, i%2)
	}
	h := web.New(web.Options{Store: openStore(t, export), Title: "desk", Reviewer: "me",
		Redact: true, Log: func(line string) { t.Error(line) }})
	form := url.Values{"dialogue": {"jo@example.org"}, "satisfaction": {"2"},
		"note": {"write to bo@example.org"}}
	saved := ask(t, h, "POST", "/rate", "ann", form)
	require.Equal(t, http.StatusSeeOther, saved.Code)
	for _, path := range []string{saved.Header().Get("Location"), "/?state=all", "/overview",
		"/ratings.csv", "/list.csv", "/v1/dialogues"} {
		answer := ask(t, h, "GET", path, "ann", nil)
		assert.Equal(t, http.StatusOK, answer.Code, path)
		for _, personal := range []string{"@example.org", "447700900417", "4111111111111111"} {
			assert.NotContains(t, answer.Body.String(), personal, path)
		}
	}
	assert.Contains(t, ask(t, h, "GET", "/ratings.csv", "ann", nil).Body.String(),
		"write to [email]")
	report := func() string { return ask(t, h, "GET", "/report.html", "ann", nil).Body.String() }
	const note = "<li>Redacted: e-mail addresses, "
	assert.Contains(t, report(), note)
	assert.Contains(t, report(), "names, street addresses, postcodes and order numbers are not.</li>")
	h = web.New(web.Options{Store: openStore(t, export), Title: "desk", Reviewer: "me"})
	assert.NotContains(t, report(), note)
}

// A dialogue whose ID is masked is deleted from its run like any other.
func TestAMaskedDialogueIsDeleted(t *testing.T) {
	folder := t.TempDir()
	store := openStoreIn(t, folder, "id,speaker,text\n4111111111111111,user,Where is it?\n"+
		"4111111111111111,agent,Here.\n12,user,Is it late?\n12,agent,Yes.\n", rubric.Default())
	store.Redact = true
	runFile := filepath.Join(folder, "desk.jsonl")
	fill(t, store, runFile)
	h := web.New(web.Options{Store: store, Title: "desk", Reviewer: "me", Redact: true,
		Log: func(line string) { t.Error(line) }})
	form := url.Values{"dialogue": {"4111111111111111"}}
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/delete", "", form).Code)
	left, err := os.ReadFile(runFile)
	require.NoError(t, err)
	assert.NotContains(t, string(left), "4111111111111111")
	assert.Contains(t, string(left), "Is it late?")
}

func TestGuard(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	form := url.Values{"dialogue": {"12"}, "satisfaction": {"1"}}
	evil := func(r *http.Request) { r.Host = "evil.example" }
	assert.Equal(t,
		http.StatusMisdirectedRequest, ask(t, h, "GET", "/", "", nil, evil).Code, "DNS rebinding")
	cross := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	assert.Equal(t, http.StatusForbidden, ask(t, h, "POST", "/rate", "", form,
		cross).Code, "a form on another site")
	form.Set("note", strings.Repeat("x", 300<<10))
	assert.Equal(t, http.StatusRequestEntityTooLarge, ask(t, h, "POST", "/rate", "", form).Code)
	assert.Contains(t, ask(t, h, "GET", "/", "", nil).Header().Get("Content-Security-Policy"),
		"default-src 'none'; script-src 'self'")
	assert.Contains(t, ask(t, h, "GET", "/?state=done", "", nil).Body.String(), "0 done by you",
		"nothing was rated")
}

func TestRating(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me", Blind: true,
		Log: func(line string) { t.Error(line) }})
	assert.NotContains(t, ask(t, h, "GET", "/d/12", "ann", nil).Body.String(), `class="says"`,
		"blind")
	rated := ask(t, h, "POST", "/rate", "ann", url.Values{"dialogue": {"12"},
		"satisfaction": {"0", "2"}, "note": {"lost, \"again\""}, "level.Empathy": {"40"},
		"reason.Empathy": {"cold"}})
	require.Equal(t, http.StatusSeeOther, rated.Code)
	assert.Regexp(t, `^/(d/[0-9a-f]+)?\?at=[0-9a-f]+&saved=12`, rated.Header().Get("Location"),
		"on to the next, if there is one")
	link := regexp.MustCompile(`Saved: <a href="(/d/[0-9a-f]{32})">dialogue <span class="name">12</span></a>`).
		FindStringSubmatch(ask(t, h, "GET", rated.Header().Get("Location"), "ann", nil).Body.String())
	require.NotEmpty(t, link)
	after := ask(t, h, "GET", link[1], "ann", nil).Body.String()
	assert.Contains(t, after, `<div class="says">`)
	assert.Contains(t, after, "lost, &#34;again&#34;")
	assert.NotContains(t, ask(t, h, "GET", "/d/12", "bob", nil).Body.String(), "lost",
		"nobody is told before")
	assert.NotContains(t, ask(t, h, "GET", "/ratings.csv", "bob", nil).Body.String(), "lost")
	table := ask(t, h, "GET", "/ratings.csv", "ann", nil).Body.String()
	assert.Regexp(t, `(?m)^12,.*desk.csv,2,ann,20.*,,,,,2,,"lost, ""again""",,,[0-9a-f]{32}$`, table)
	assert.Contains(t, ask(t, h, "GET", "/?state=done", "ann", nil).Body.String(),
		"2 left <small class=\"unit\">· 1 done by you")
	assert.Contains(t, ask(t, h, "GET", "/", "bob", nil).Body.String(),
		"2 left <small class=\"unit\">· 0 done by you", "one reviewer is enough")
	assert.Equal(t, http.StatusBadRequest, ask(t, h, "POST", "/rate", "ann",
		url.Values{"dialogue": {"12"}, "satisfaction": {"9"}}).Code)
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/undo", "ann", nil).Code)
	assert.NotContains(t, ask(t, h, "GET", "/ratings.csv", "ann", nil).Body.String(), "ann")
}

// Undo says what it withdraws, and one button takes that back until another review is saved.
func TestUndoIsTakenBack(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	rate := func(dialogue, satisfaction string) {
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann",
			url.Values{"dialogue": {dialogue}, "satisfaction": {satisfaction}}).Code)
	}
	mine := func() (list []string) { // dialogue and rating
		table := ask(t, h, "GET", "/ratings.csv", "ann", nil).Body.String()
		for _, row := range regexp.MustCompile(`(?m)^(\d+),.*desk.csv,(\d)`).FindAllStringSubmatch(
			table, -1) {
			list = append(list, row[1]+" "+row[2])
		}
		return list
	}
	change := func(do string, code int) string {
		answer := ask(t, h, "POST", "/undo", "ann", url.Values{"do": {do}})
		require.Equal(t, code, answer.Code)
		return answer.Header().Get("Location")
	}
	rate("11", "5")
	rate("12", "1")
	rate("12", "2")
	at := change("", http.StatusSeeOther)
	assert.Equal(t, []string{"11 5", "12 1"}, mine())
	page := ask(t, h, "GET", at, "ann", nil).Body.String()
	assert.Contains(t, page, `Withdrawn: your review of <span class="name">12</span>, <span class="name">rated 2</span>.`)
	assert.Contains(t, page,
		`<button form="undo" name="do" value="redo" data-key="u">Put it back</button>`)
	change("", http.StatusSeeOther)
	assert.Equal(t, []string{"11 5"}, mine())
	change("redo", http.StatusSeeOther)
	assert.Equal(t, []string{"11 5", "12 1"}, mine(), "the last withdrawn is the first put back")
	at = change("redo", http.StatusSeeOther)
	assert.Equal(t, []string{"11 5", "12 2"}, mine())
	assert.Contains(t, ask(t, h, "GET", at, "ann", nil).Body.String(), `Saved: dialogue <span class="name">12</span>, <span class="name">rated 2</span>.`)
	change("redo", http.StatusNotFound)
	change("", http.StatusSeeOther)
	rate("11", "4")
	change("redo", http.StatusNotFound)
	assert.Equal(t, []string{"12 1", "11 4"}, mine())
}

// Next to a rating, Undo and its key take back that one, also an older one; elsewhere, as in the
// queue, the last one. One button puts it back.
func TestUndoIsOfTheDialogueOnThePage(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	page := func(at string) string { return ask(t, h, "GET", at, "ann", nil).Body.String() }
	assert.NotContains(t, page("/"), "Undo", "there is nothing to undo")
	for _, dialogue := range []string{"11", "12"} {
		assert.Contains(t, page("/d/"+dialogue),
			`<button form="last" data-key="u">Undo your last rating</button>`)
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann",
			url.Values{"dialogue": {dialogue}, "satisfaction": {"4"}}).Code)
	}
	assert.Contains(t, page("/"), `<button data-key="u">Undo your last rating</button>`)
	older := page("/d/11")
	assert.Contains(t, older, `<button form="undo" data-key="u">Undo</button>`)
	identity := regexp.MustCompile(
		`id="undo"><input type="hidden" name="dialogue" value="([0-9a-f]+)">`).FindStringSubmatch(older)
	require.NotNil(t, identity)
	of := url.Values{"dialogue": {identity[1]}}
	at := ask(t, h, "POST", "/undo", "ann", of).Header().Get("Location")
	assert.Contains(t, page(at), `Withdrawn: your review of <span class="name">11</span>, <span class="name">rated 4</span>.`)
	assert.Contains(t, page("/ratings.csv"), "\n12,")
	assert.NotContains(t, page("/ratings.csv"), "\n11,")
	assert.Equal(t, http.StatusNotFound, ask(t, h, "POST", "/undo", "ann", of).Code,
		"a second click touches no other rating")
	of.Set("do", "redo")
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/undo", "ann", of).Code)
	assert.Contains(t, page("/ratings.csv"), "\n11,")
	at = ask(t, h, "POST", "/undo", "ann", nil).Header().Get("Location")
	assert.Contains(t, page(at), `Withdrawn: your review of <span class="name">12</span>, <span class="name">rated 4</span>.`, "the last")
}

// A form without a rating does not remove the rating.
func TestSavingKeepsTheRating(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	rate := func(form url.Values) int {
		form.Set("dialogue", "12")
		return ask(t, h, "POST", "/rate", "ann", form).Code
	}
	table := func() string { return ask(t, h, "GET", "/ratings.csv", "", nil).Body.String() }
	require.Equal(t, http.StatusSeeOther, rate(url.Values{"do": {"flag"}, "satisfaction": {"0"}}))
	require.Equal(t, http.StatusSeeOther,
		rate(url.Values{"do": {"flag"}, "satisfaction": {"0"}, "flag": {"1"}}),
		"the flag is taken back")
	assert.NotContains(t, table(), "ann", "an empty row says nothing")
	require.Equal(t, http.StatusSeeOther,
		rate(url.Values{"satisfaction": {"0", "2"}, "note": {"lost"}}))
	assert.Equal(t, http.StatusBadRequest, rate(url.Values{"satisfaction": {"0"}, "do": {"save"}}))
	assert.Regexp(t, `desk.csv,2,ann,.*,lost,`, table())
	require.Equal(t, http.StatusSeeOther,
		rate(url.Values{"satisfaction": {"0"}, "do": {"save"}, "note": {"found"}}))
	assert.Regexp(t, `desk.csv,2,ann,.*,found,`, table())
	long := url.Values{"note": {"b" + strings.Repeat("ä\r\n", 4999) + "e"}, "satisfaction": {"3"}}
	assert.Equal(t, http.StatusSeeOther, rate(long), "10,000 characters")
	long.Set("note", long.Get("note")+"e")
	assert.Equal(t, http.StatusBadRequest, rate(long))
	for _, level := range []string{"276", "0", "30", "-20", "x"} {
		assert.Equal(t, http.StatusBadRequest,
			rate(url.Values{"satisfaction": {"1"}, "level.Empathy": {level}}), level)
	}
	assert.Regexp(t, `desk.csv,3,ann,`, table())
}

func TestWrongQueriesAreRefused(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	for query, says := range map[string]string{"q=%00": "cannot be searched for",
		"sat=abc": "want a satisfaction from 1 to 5",
		"sat=NaN": "want a satisfaction from 1 to 5", "overall=300": "want a number from 20 to 100",
		"from=garbage": "is no day"} {
		got := ask(t, h, "GET", "/?"+query, "", nil)
		assert.Equal(t, http.StatusBadRequest, got.Code, query)
		assert.Contains(t, got.Body.String(), says, query)
	}
	for _, query := range []string{"q=%ff", "q=!!!", "q=*", "sat=1.50", "overall=40",
		"from=2024-05-02"} {
		assert.Equal(t, 200, ask(t, h, "GET", "/?"+query, "", nil).Code, query)
	}
}

// The column identity distinguishes IDs that two dialogues share, or that begin like a formula.
func TestRatingsAreJoinedByIdentity(t *testing.T) {
	var export strings.Builder
	for i, id := range []string{"=1+1", "same", `-a\tb`, "same"} {
		fmt.Fprintf(&export,
			`{"id":"%s","messages":[{"role":"user","content":"Where is order %d?"},{"role":"assistant","content":"Here."}]}`+"\n", id, i)
	}
	store := openStore(t, export.String())
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 9)
	require.NoError(t, err)
	require.Len(t, list, 4)
	h := web.New(web.Options{Store: store, Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	var rows []*run.Row
	want := map[run.Identity]float64{}
	for i, d := range list {
		form := url.Values{"dialogue": {string(d.Identity)}, "satisfaction": {strconv.Itoa(i + 1)}}
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", form).Code)
		rec, _, err := store.Record(t.Context(), d.Entry)
		require.NoError(t, err)
		rows = append(rows, new(rec.Row(i)))
		want[d.Identity] = float64(i + 1)
	}
	file, err := ratings.ReadFile(ask(t, h, "GET", "/ratings.csv", "ann", nil).Body,
		"desk.ratings.csv", nil, nil)
	require.NoError(t, err)
	rated, warnings, err := ratings.Collect(rows, []*ratings.File{file}, nil, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Empty(t, warnings)
	require.Len(t, rated, 4)
	for _, one := range rated {
		assert.Equal(t, want[one.Row.Identity], one.Mean())
	}
}

// A dialogue whose name equals another's identity does not hide it.
func TestIdentityWins(t *testing.T) {
	store := openStore(t, desk)
	first, err := store.Find(t.Context(), review.Filter{}, "12")
	require.NoError(t, err)
	rec, header, err := store.Record(t.Context(), first[0].Entry)
	require.NoError(t, err)
	rec.Source.ID = string(first[0].Identity)
	extend(t, store, header, rec)
	found, err := store.Find(t.Context(), review.Filter{}, string(first[0].Identity))
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "12", found[0].Name)
}

// What reviewers write is masked wherever it is shown or kept.
func TestNotesAreMasked(t *testing.T) {
	ratings := filepath.Join(t.TempDir(), "desk.ratings.csv")
	store := openStore(t, desk)
	h := web.New(web.Options{Store: store, Title: "desk", Reviewer: "ann", Ratings: ratings,
		Redact: true, Log: func(line string) { t.Error(line) }})
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", url.Values{
		"dialogue": {"12"}, "satisfaction": {"2"}, "note": {"write to note@example.org"},
		"level.Empathy": {"40"}, "reason.Empathy": {"like reason@example.org"}}).Code)
	require.NoError(t, store.WriteRatings(t.Context(), ratings))
	kept, err := os.ReadFile(ratings)
	require.NoError(t, err)
	shown := map[string]string{"the file of ratings": string(kept)}
	for _, path := range []string{"/", "/d/12", "/overview", "/ratings.csv", "/list.csv",
		"/report.html", "/v1/dialogues", "/v1/dialogues/12"} {
		shown[path] = ask(t, h, "GET", path, "ann", nil).Body.String()
	}
	for where, text := range shown {
		assert.NotContains(t, text, "@example.org", where)
	}
	for _, where := range []string{"/d/12", "/ratings.csv", "/v1/dialogues/12", "the file of ratings"} {
		assert.Contains(t, shown[where], "write to [email]", where)
	}
}

// The report shows reviews in the rows and the dialogues, and hides what the pages hide.
func TestReportHasReviews(t *testing.T) {
	for _, blind := range []bool{false, true} {
		h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
			Redact: true, Blind: blind, Log: func(line string) { t.Error(line) }})
		form := url.Values{"dialogue": {"12"}, "satisfaction": {"2"},
			"note": {"</script><b>rude</b>, write to bo@example.org"}, "level.Empathy": {"40"},
			"reason.Empathy": {"cold"}, "flag": {"1"}}
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", form).Code)
		report := func(as, query string) (row map[string]string, text string) {
			got := ask(t, h, "GET", "/report.html"+query, as, nil)
			require.Equal(t, 200, got.Code, got.Body.String())
			assert.Contains(t, got.Header().Get("Content-Disposition"), "attachment")
			text = got.Body.String()
			var data struct {
				List struct {
					Columns []struct{ Key string }
					Values  [][]string
					Rows    [][]int
				}
			}
			require.NoError(t,
				json.Unmarshal([]byte(regexp.MustCompile(
					`(?s)id="data">(.*?)</script>`).FindStringSubmatch(text)[1]), &data))
			for _, r := range data.List.Rows {
				if data.List.Values[0][r[0]] == "12" {
					row = map[string]string{}
					for i, c := range data.List.Columns {
						row[c.Key] = data.List.Values[i][r[i]]
					}
				}
			}
			return row, text
		}
		row, text := report("ann", "")
		assert.Equal(t, "ann 2 ⚑", row["reviews"])
		assert.Regexp(t, `^\d+$`, row["overall"])
		assert.NotContains(t, text, "<b>rude")
		said := `<li><b>ann</b> 2 ⚑<div>Empathy 40: cold</div><div>&lt;/script&gt;&lt;b&gt;rude&lt;/b&gt;, write to [email]</div>`
		assert.Contains(t, text, said)
		row, text = report("bob", "?state=all")
		assert.Equal(t, blind, row["overall"] == "unscored", "hidden from bob")
		assert.Equal(t, blind, row["reviews"] == "")
		assert.Equal(t, !blind, strings.Contains(text, said))
		assert.Equal(t, blind, row["why"] == "the scores are hidden until you have rated the dialogue")
	}
}

// A rating in the source would give away what a blind reviewer is to find out.
func TestBlindReportHasNoRatings(t *testing.T) {
	const rated = `id,speaker,text,rating
12,user,Where is my refund?,2
12,agent,What is your name?,2
12,user,I told you three times. Cancel my contract.,2
`
	for _, blind := range []bool{false, true} {
		h := web.New(web.Options{Store: openStore(t, rated), Title: "desk", Reviewer: "bob",
			Blind: blind, Log: func(line string) { t.Error(line) }})
		page := ask(t, h, "GET", "/report.html?state=all", "bob", nil).Body.String()
		assert.Equal(t, !blind, strings.Contains(page, `Rating <b><span class="name">2</span></b>`))
		assert.Contains(t, page, "Where is my refund?")
	}
}

// A deleted dialogue leaves the run, the index and the ratings, and does not come back.
func TestDelete(t *testing.T) {
	store := openStore(t, desk)
	h := web.New(web.Options{Store: store, Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann",
		url.Values{"dialogue": {"12"}, "satisfaction": {"2"}}).Code)
	list, err := store.Find(t.Context(), review.Filter{}, "12")
	require.NoError(t, err)
	rec, _, err := store.Record(t.Context(), list[0].Entry)
	require.NoError(t, err)
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/delete", "ann",
		url.Values{"dialogue": {"12"}}).Code)
	assert.Equal(t, 404, ask(t, h, "GET", "/d/12", "ann", nil).Code)
	assert.NotContains(t, ask(t, h, "GET", "/ratings.csv", "", nil).Body.String(), "ann")
	assert.Contains(t, ask(t, h, "GET", "/?q=refund", "", nil).Body.String(), "0 left")
	runFile := strings.TrimSuffix(rec.Source.File, ".csv") + ".jsonl"
	files, err := filepath.Glob(filepath.Dir(runFile) + "/*")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, file == rec.Source.File, strings.Contains(string(data), "refund"), file)
	}
	data, err := os.ReadFile(runFile)
	require.NoError(t, err)
	for _, err := range run.Read(strings.NewReader(string(data)), "desk.jsonl") {
		assert.NoError(t, err, "its closing line is right")
	}
	fill(t, store, runFile)
	assert.Equal(t, 404, ask(t, h, "GET", "/d/12", "ann", nil).Code)
}

func TestExport(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	table := ask(t, h, "GET", "/list.csv?agent=Bob", "", nil)
	assert.Equal(t, 2, strings.Count(table.Body.String(), "\n"), table.Body.String())
	assert.Regexp(t, `(?m)^12,.*desk.csv,Bob,,2024-05-09,3,`, table.Body.String())
	assert.Equal(t, "PK", ask(t, h, "GET", "/list.xlsx", "", nil).Body.String()[:2])
}
