package web_test

import (
	"database/sql"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
	"assize/rubric"
)

// While another program writes to the store, a rating is refused with 503 and not as an error of
// the server, and can be given again.
func TestBusyStore(t *testing.T) {
	folder := t.TempDir()
	store := openStoreIn(t, folder, shop(3), rubric.Default(), "busy_timeout(1)")
	var logged []string
	h := web.New(web.Options{Store: store, Title: "shop", Reviewer: "me",
		Log: func(line string) { logged = append(logged, line) }})
	db, err := sql.Open("sqlite", review.Path(filepath.Join(folder, "desk.jsonl")))
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("BEGIN EXCLUSIVE")
	require.NoError(t, err)
	form := url.Values{"dialogue": {"1"}, "satisfaction": {"2"}}
	answer := ask(t, h, "POST", "/rate", "ann", form)
	assert.Equal(t, http.StatusServiceUnavailable, answer.Code)
	assert.Contains(t, answer.Body.String(), "Another program uses the store")
	require.Len(t, logged, 1)
	assert.Contains(t, logged[0], "desk.review.sqlite", "the log names the file")
	page := ask(t, h, "GET", "/", "ann", nil).Body.String()
	assert.Contains(t, page, "Worst first")
	assert.NotContains(t, page, "Rules against model", "the rules judged alone")
	_, err = db.Exec("ROLLBACK")
	require.NoError(t, err)
	assert.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", form).Code)
}

// Several people delete at once, the same dialogue too: each waits for the others. While another
// process writes the run, nothing is deleted, and the answer says so.
func TestDeleteAtOnce(t *testing.T) {
	folder := t.TempDir()
	store := openStoreIn(t, folder, shop(9), rubric.Default())
	h := web.New(web.Options{Store: store, Title: "shop", Reviewer: "me", Log: func(string) {}})
	codes := make([]int, 8)
	var all sync.WaitGroup
	for i := range codes {
		all.Go(func() {
			form := url.Values{"dialogue": {strconv.Itoa(i/2 + 1)}}
			codes[i] = ask(t, h, "POST", "/delete", "", form).Code
		})
	}
	all.Wait()
	for _, code := range codes {
		assert.Contains(t, []int{http.StatusSeeOther, http.StatusNotFound}, code)
	}
	assert.Equal(t, http.StatusNotFound, ask(t, h, "GET", "/d/1", "", nil).Code)

	file, err := os.Open(filepath.Join(folder, "desk.jsonl"))
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, run.Lock(file))
	answer := ask(t, h, "POST", "/delete", "", url.Values{"dialogue": {"7"}})
	assert.Equal(t, http.StatusServiceUnavailable, answer.Code)
	assert.Contains(t, answer.Body.String(), "Another program uses the store or the run")
	assert.NotContains(t, answer.Body.String(), "use another name")
}
