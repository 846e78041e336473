package web_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// A file of ratings that somebody edited is not overwritten, and the page says so until it is gone.
func TestRatingsThatAreEdited(t *testing.T) {
	file := filepath.Join(t.TempDir(), "desk.ratings.csv")
	require.NoError(t, os.WriteFile(file, []byte("dialogue_id,rating\n3,5\n"), 0o666))
	var log []string
	h := web.New(web.Options{Store: openStore(t, desk), Title: "desk", Reviewer: "me",
		Ratings: file, Log: func(line string) { log = append(log, line) }})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx, l) }()
	warns := func() bool {
		page := ask(t, h, "GET", "/", "ann", nil).Body.String()
		return strings.Contains(page, "The file of ratings is not written: ")
	}
	assert.Eventually(t, warns, time.Minute, 20*time.Millisecond)
	require.NoError(t, os.Remove(file))
	assert.Eventually(t, func() bool { return !warns() }, time.Minute, 20*time.Millisecond)
	cancel()
	assert.NoError(t, <-ended)
	assert.Len(t, log, 1)
}

// A run that another program extends or replaces is reread without a restart, and no review is
// lost.
func TestRunsAreFollowed(t *testing.T) {
	store := openStore(t, desk)
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 1)
	require.NoError(t, err)
	runFile := strings.TrimSuffix(list[0].File, ".csv") + ".jsonl"
	h := web.New(web.Options{Store: store, Runs: []string{runFile}, Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx, l) }()
	defer func() { cancel(); assert.NoError(t, <-ended) }()
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann",
		url.Values{"dialogue": {"12"}, "satisfaction": {"2"}}).Code)
	queue := func(want string) string {
		t.Helper()
		var page string
		require.Eventually(t, func() bool {
			page = ask(t, h, "GET", "/?state=all", "ann", nil).Body.String()
			return regexp.MustCompile(
				want).MatchString(page) && !strings.Contains(page, "being read again")
		}, time.Minute, 20*time.Millisecond, want)
		return page
	}
	assert.NotContains(t, queue("3 in all"), "warning")
	whole, err := os.ReadFile(runFile)
	require.NoError(t, err)

	header, err := run.ParseHeader(bytes.SplitN(whole, []byte("\n"), 2)[0])
	require.NoError(t, err)
	agents := heuristics.New()
	j := judge.New(agents,
		judge.Options{Rubric: rubric.Default(), Profile: satisfaction.DefaultProfile()})
	w, err := run.Create(runFile, &header)
	require.NoError(t, err)
	more := dialogue.Sample{Dialogue: dialogue.Dialogue{ID: 77,
		Turns: []dialogue.Turn{{Role: dialogue.User, Text: "Where is my unicorn?"},
			{Role: dialogue.System, Text: "Gone."}}}, Source: dialogue.Source{File: "more.txt"}}
	record, err := j.Judge(t.Context(), more)
	require.NoError(t, err)
	require.NoError(t, w.Add(record))
	require.NoError(t, w.Close())
	require.NoError(t, w.Release())
	assert.NotContains(t, queue("4 in all"), "warning")
	assert.Contains(t, ask(t, h, "GET", "/?q=unicorn", "ann", nil).Body.String(), ">77<")

	other := judge.New(agents,
		judge.Options{Rubric: rubric.Default(), Profile: satisfaction.DefaultProfile(),
			Kind: "service"})
	otherHeader := other.Header(importer.Options{})
	replacement := filepath.Join(t.TempDir(), "other.jsonl")
	w, err = run.Create(replacement, &otherHeader)
	require.NoError(t, err)
	require.NoError(t, w.Add(record))
	require.NoError(t, w.Close())
	require.NoError(t, w.Release())
	require.NoError(t, os.Rename(replacement, runFile))
	page := queue("1 in all")
	assert.Contains(t, page, "1 review of dialogues that are not in the run now")

	require.NoError(t, os.WriteFile(runFile, []byte("no run"), 0o666))
	queue("cannot be read: it is no run.* What was read of it before is shown")
	require.NoError(t, os.Remove(runFile))
	assert.Contains(t, queue("has changed and cannot be read: it is gone"), "1 in all")
	require.NoError(t, os.Symlink(os.DevNull, runFile))
	queue("is no longer a regular file")
	require.NoError(t, os.Remove(runFile))

	require.NoError(t, os.WriteFile(runFile, whole, 0o666))
	page = queue("3 in all")
	assert.Contains(t, page, "1 done by you", "the review is back")
	assert.NotContains(t, page, "not in the run now")
}

// The queue shows the estimates of the accepted profile for new dialogues.
func TestTheAcceptedProfileScores(t *testing.T) {
	store := openStore(t, desk)
	agents := heuristics.New()
	j := judge.New(agents,
		judge.Options{Rubric: rubric.Default(), Profile: satisfaction.DefaultProfile()})
	h := web.New(web.Options{Store: store, Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }, Scoring: &web.Scoring{Judge: j,
			Reading: func(url.Values) (importer.Options, error) { return importer.Options{}, nil },
			Jobs:    1, Body: 1 << 20, Time: time.Minute}})
	said := "Customer: Where is my unicorn?\nAgent: Gone.\n"
	score := func() (satisfaction, profile string) {
		got := call(h, "POST", "/v1/score", said)
		require.Equal(t, 200, got.Code)
		return regexp.MustCompile(`"satisfaction":([0-9.]+)`).FindStringSubmatch(
			got.Body.String())[1], got.Header().Get("Assize-Profile")
	}
	before, of := score()
	assert.Equal(t, satisfaction.DefaultProfile().Digest(), of)
	p := satisfaction.DefaultProfile()
	p.Learned = &satisfaction.Learned{Dialogues: 50, Lexicon: agents.Digest()}
	p.Line, p.Linear = &satisfaction.Line{Intercept: 1_500_000}, nil // 1.50 for all
	require.NoError(t,
		store.Accept(t.Context(), &p, func() {},
			func(int, int) { assert.Nil(t, store.Profile(), "before the queue is ranked by it") }))
	after, of := score()
	assert.NotEqual(t, before, after)
	assert.Equal(t, p.Digest(), of)

	header := j.Header(importer.Options{})
	con := &console.Console{In: strings.NewReader(said), Out: io.Discard, Err: io.Discard}
	samples := corpus.Samples(con, []string{ui.Stdin}, importer.Options{})
	for r, err := range (&batch.Batch{Judge: j, Jobs: 1}).All(t.Context(), samples) {
		require.NoError(t, err)
		extend(t, store, &header, r.Record)
	}
	list := call(h, "GET", "/v1/dialogues?state=all&q=unicorn", "").Body.String()
	assert.Contains(t, list, `"satisfaction":`+after)
	assert.Contains(t, call(h, "GET", "/v1/dialogues/1", "").Body.String(), `"satisfaction":`+after)
}

// A full disk is reported: a rating that failed is not acknowledged, and the form keeps its input.
func TestFullDisk(t *testing.T) {
	store := openStore(t, desk)
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 1)
	require.NoError(t, err)
	path := review.Path(strings.TrimSuffix(list[0].File, ".csv") + ".jsonl")
	require.NoError(t, store.Close())
	full, err := review.Open(path, "max_page_count(1)") // it may not grow
	require.NoError(t, err)
	defer full.Close()
	var told []string
	h := web.New(web.Options{Store: full, Title: "desk", Reviewer: "me",
		Log: func(line string) { told = append(told, line) }})
	note := strings.Repeat("The agent was rude. ", 450)
	saved, failed := 0, false
	for i := 0; i < 100 && !failed; i++ {
		form := url.Values{"dialogue": {"12"}, "satisfaction": {"2"}, "note": {note},
			"level.Empathy": {"40"}, "reason.Empathy": {"cold"}}
		got := ask(t, h, "POST", "/rate?state=all",
			"r"+string(rune('a'+i%26))+string(rune('a'+i/26)), form)
		if got.Code == http.StatusSeeOther {
			saved++
			continue
		}
		failed = true
		assert.Equal(t, http.StatusInsufficientStorage, got.Code)
		page := got.Body.String()
		assert.Contains(t, page, "The disk is full, so nothing was saved.")
		assert.Contains(t, page, strings.TrimSpace(note)+"</textarea>")
		assert.Contains(t, page, `value="cold"`)
		assert.Regexp(t, `<option selected>40</option>`, page)
		assert.Contains(t, page, `action="/rate?state=all"`)
	}
	require.True(t, failed, "%d were saved", saved)
	assert.Contains(t, strings.Join(told, "\n"), "full")
	assert.Equal(t, saved, strings.Count(ask(t, h, "GET", "/ratings.csv", "me", nil).Body.String(),
		",2,r"))
	api := call(h, "POST", "/v1/reviews?as=zoe",
		`{"dialogue":"12","satisfaction":2,"note":"`+strings.Repeat("x", 9000)+`"}`)
	assert.Equal(t, http.StatusInsufficientStorage, api.Code)
	describe(t, h).check("/v1/reviews", "POST", api)
	assert.Equal(t, 200, ask(t, h, "GET", "/", "me", nil).Code, "all can still be read")
}
