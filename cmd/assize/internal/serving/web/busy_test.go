package web_test

import (
	"database/sql"
	"net/http"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
