package web_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
	"assize/heuristics"
	"assize/rubric"
)

// Of several dialogues with the same turns, the queue, the counts and the random sample have one,
// which says for how many it stands. Their day is that of the first turn with a time.
func TestCopies(t *testing.T) {
	export := "id,speaker,text,agent,sent at\n"
	for _, id := range []string{"a", "b", "c", "d"} {
		said := "Where is my order?"
		if id == "c" {
			said = "Where is my refund?"
		}
		export += id + ",user," + said + ",Ann,2024-05-0" + string(id[0]-'a'+'1') + " 10:00\n" +
			id + ",agent,I will look.,Ann,2024-05-20 10:01\n"
	}
	store := openStore(t, export)
	h := web.New(web.Options{Store: store, Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	page := ask(t, h, "GET", "/", "ann", nil).Body.String()
	assert.Contains(t, page, "2 in all · 2 duplicates left out")
	assert.Contains(t, page, "Ann (2)")
	assert.Contains(t, page, `data-label="Duplicates" title="2">2<`)
	assert.Contains(t, ask(t, h, "GET", "/?from=2024-05-03&to=2024-05-03", "ann",
		nil).Body.String(), "1 in all", "c")
	assert.Contains(t, ask(t, h, "GET", "/overview", "ann", nil).Body.String(),
		"2 dialogues · 2 duplicates left out")
	assert.Contains(t, ask(t, h, "GET", "/report.html", "ann", nil).Body.String(),
		"2 dialogues, 2 duplicates left out")
	sample, err := store.Sample(t.Context(), review.Filter{})
	require.NoError(t, err)
	assert.Equal(t, 2, sample.All)
	assert.Equal(t, http.StatusOK, ask(t, h, "GET", "/d/b", "ann", nil).Code, "by its name")

	// It is found by the name of any of them, says which they are, and is the one to rate.
	assert.Contains(t, ask(t, h, "GET", "/?q=d", "ann", nil).Body.String(), `>a</a>`)
	assert.Contains(t, ask(t, h, "GET", "/d/a", "ann", nil).Body.String(),
		`<li>Same words as <b><span class="name">b</span>, <span class="name">d</span></b></li>`)
	got := call(h, "POST", "/v1/reviews?as=ann", `{"dialogue":"b","satisfaction":2}`)
	assert.Equal(t, http.StatusBadRequest, got.Code)
	assert.Contains(t, got.Body.String(), "this dialogue repeats a,")

	list, err := store.Find(t.Context(), review.Filter{}, "a")
	require.NoError(t, err)
	require.NoError(t, store.Delete(t.Context(), &list[0]))
	list, err = store.List(t.Context(), review.Filter{State: review.All}, 0, 9)
	require.NoError(t, err)
	var names []string
	for _, d := range list {
		names = append(names, d.Name)
		if d.Name == "b" {
			assert.Equal(t, 2, d.Copies, "another one stands for the rest")
		}
	}
	assert.ElementsMatch(t, []string{"b", "c"}, names)
}

// Of many dialogues with the same turns, the first are named.
func TestManyCopies(t *testing.T) {
	export := "id,speaker,text\n"
	for i := range 25 {
		export += fmt.Sprintf("n%[1]d,user,Where is my order?\nn%[1]d,agent,I will look.\n", i)
	}
	h := web.New(web.Options{Store: openStore(t, export), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	page := ask(t, h, "GET", "/d/n0", "ann", nil).Body.String()
	assert.Contains(t, page, `n19</span>, <span class="name">n20</span>, <span class="name">and 4 more`)
}

// Without any day, there is no filter for days.
func TestNoDays(t *testing.T) {
	h := web.New(web.Options{Store: openStore(t, strings.ReplaceAll(desk, "created_at", "note")),
		Title: "desk", Reviewer: "me", Log: func(line string) { t.Error(line) }})
	assert.NotContains(t, ask(t, h, "GET", "/", "ann", nil).Body.String(), `type="date"`)
}

// The reviews of a store with an earlier version are kept. Its index is made again.
func TestEarlierStore(t *testing.T) {
	folder := t.TempDir()
	store := openStoreIn(t, folder, desk, rubric.Default())
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 9)
	require.NoError(t, err)
	require.NoError(t, store.Save(t.Context(), &run.Review{Identity: list[0].Identity,
		Reviewer: "ann", Satisfaction: 4, Note: "fine", At: time.Now()}))
	require.NoError(t, store.Close())
	runFile := filepath.Join(folder, "desk.jsonl")
	path := review.Path(runFile)
	for _, version := range []string{"4", "5"} {
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.Exec(`DROP TABLE dialogues; CREATE TABLE dialogues (identity TEXT);
			PRAGMA user_version = ` + version)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		store, err = review.Open(path)
		require.NoError(t, err)
		apart, err := store.Apart(t.Context())
		require.NoError(t, err)
		assert.Len(t, apart, 1)
		changed, err := store.Changed(t.Context(), []string{runFile})
		require.NoError(t, err)
		assert.Equal(t, []string{runFile}, changed)
		fill(t, store, runFile)
		reviews, err := store.Reviews(t.Context(), "")
		require.NoError(t, err)
		require.Len(t, reviews, 1)
		assert.Equal(t, "fine", reviews[0].Note)
		require.NoError(t, store.Close())
	}
}

// The same words of two agents are a dialogue for each of them, and groups count as many as
// lists have and their headline says.
func TestCopiesOfAgents(t *testing.T) {
	export := "id,speaker,text,agent\n"
	for id, agent := range map[string]string{"a": "Ann", "b": "Bob", "c": "Ann"} {
		export += id + ",user,Where is my order?," + agent + "\n" + id + ",agent,I will look.," +
			agent + "\n"
	}
	store := openStore(t, export)
	h := web.New(web.Options{Store: store, Title: "desk", Reviewer: "me",
		Learner: review.NewLearner(store, heuristics.New(), "", ""),
		Log:     func(line string) { t.Error(line) }})
	page := ask(t, h, "GET", "/", "ann", nil).Body.String()
	assert.Contains(t, page, "2 in all")
	assert.Contains(t, page, "Ann (1)")
	assert.Contains(t, page, "Bob (1)")
	o, err := store.Overview(t.Context(), review.Filter{})
	require.NoError(t, err)
	assert.Equal(t, 2, o.Dialogues)
	require.Len(t, o.Groups, 1)
	counts := map[string]int{}
	for _, g := range o.Groups[0].List {
		counts[g.Name] = g.Scored
	}
	assert.Equal(t, map[string]int{"Ann": 1, "Bob": 1}, counts)
	report := ask(t, h, "GET", "/report.html", "ann", nil).Body.String()
	assert.NotContains(t, report, `"name":"Ann","scored":2,`)
	assert.Contains(t, report, "2 dialogues, 1 duplicate left out")
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 9)
	require.NoError(t, err)
	for _, d := range list {
		require.NoError(t, store.Save(t.Context(), &run.Review{Identity: d.Identity,
			Reviewer: "ann", Satisfaction: 4, At: time.Now()}))
	}
	assert.Contains(t, ask(t, h, "GET", "/learn", "ann", nil).Body.String(),
		"Rated so far: 2 dialogues; copies of the same text count once, which leaves 1. Rate at "+
			"least 9 more")
}
