package review_test

import (
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
)

// Open rejects, and does not change, stores of another version, databases of other programs and
// files that are not databases.
func TestOtherStores(t *testing.T) {
	folder := t.TempDir()
	own := filepath.Join(folder, "own.sqlite")
	s, err := review.Open(own)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	s, err = review.Open(own)
	require.NoError(t, err, "it opens again")
	require.NoError(t, s.Close())
	change := func(name, statement string) string {
		path := filepath.Join(folder, name)
		data, err := os.ReadFile(own)
		require.NoError(t, err)
		if name == "other.sqlite" {
			data = nil
		}
		require.NoError(t, os.WriteFile(path, data, 0o666))
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.Exec(statement)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		return path
	}
	none := filepath.Join(folder, "none.sqlite")
	require.NoError(t, os.WriteFile(none, []byte(strings.Repeat("no database\n", 100)), 0o666))
	for path, want := range map[string]string{
		change("newer.sqlite", "PRAGMA user_version = 99"): "it has version 99; want",
		change("older.sqlite", "PRAGMA user_version = 1"):  "it has version 1; want",
		change("other.sqlite",
			"CREATE TABLE songs (title TEXT)"): "it is a database of another program",
		none:                                "not a database",
		filepath.Join(folder, "no", "such"): "unable to open database file",
	} {
		before, _ := os.ReadFile(path)
		_, err := review.Open(path)
		require.Error(t, err, path)
		assert.ErrorContains(t, err, path+": cannot be opened as a store of reviews: ")
		assert.ErrorContains(t, err, want)
		after, _ := os.ReadFile(path)
		assert.Equal(t, before, after, "%s is left as it is", path)
	}
}

// What is acknowledged is on disk, whatever the store is called.
func TestAStoreIsAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	s, err := review.Open(":memory:")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	assert.FileExists(t, ":memory:")
}

// A store that another program has locked, or that is damaged, is known for what it is.
func TestLockedAndDamagedStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sqlite")
	s, err := review.Open(path, "busy_timeout(1)")
	require.NoError(t, err)
	defer s.Close()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("BEGIN IMMEDIATE")
	require.NoError(t, err)
	err = s.Save(t.Context(), &run.Review{Identity: "a", Reviewer: "ann"})
	assert.True(t, review.Busy(err), "%v", err)
	assert.False(t, review.Full(err))
	assert.ErrorContains(t, s.Named(err), path+": ")
	assert.Equal(t, io.EOF, s.Named(io.EOF))
	assert.False(t, review.Busy(io.EOF))
}

// A row that somebody has changed is reported with the file that it is in.
func TestChangedRow(t *testing.T) {
	s, path := open(t, 5)
	rate(t, s, "ann", "1", 2, nil)
	db, err := sql.Open("sqlite", review.Path(path))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("UPDATE reviews SET satisfaction = 'many'")
	require.NoError(t, err)
	_, err = s.Reviews(t.Context(), "")
	assert.ErrorContains(t, s.Named(err), review.Path(path)+": a row is not as assize wrote it: ")
}

// The reviews of a run that has another name now are found in their store.
func TestARenamedRun(t *testing.T) {
	before, path := open(t, 5)
	rate(t, before, "ann", "1", 2, nil)
	rate(t, before, "ben", "1", 3, nil)
	require.NoError(t, before.Close())
	renamed := filepath.Join(filepath.Dir(path), "week 21.jsonl")
	require.NoError(t, os.Rename(path, renamed))
	broken := filepath.Join(filepath.Dir(path), "no.review.sqlite")
	require.NoError(t, os.WriteFile(broken, []byte("no database"), 0o666))
	s := openRun(t, renamed)
	store := review.Path(path)
	assert.EqualValues(t, []string{store + " has 2 reviews of these dialogues; to continue them, " +
		"stop, and start with the setting store: ASSIZE_STORE=" + store}, s.Elsewhere(t.Context()))
	again, err := review.Open(store)
	require.NoError(t, err)
	t.Cleanup(func() { again.Close() })
	require.NoError(t, fill(t, again, renamed))
	assert.Empty(t, again.Elsewhere(t.Context()), "this store has them itself")
	rate(t, s, "ann", "2", 4, nil)
	assert.Empty(t, s.Elsewhere(t.Context()), "other reviews are wanted")
}
