package review_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// A run that was changed, left out or added makes the index out of date; reviews stay.
func TestChanged(t *testing.T) {
	s, path := open(t, 4)
	changed := func(files ...string) []string {
		list, err := s.Changed(t.Context(), files)
		require.NoError(t, err)
		return list
	}
	other := shop(t, 6)
	assert.Empty(t, changed(path))
	assert.Equal(t, []string{other}, changed(path, other))
	assert.Equal(t, []string{path}, changed())
	rate(t, s, "ann", "1", 2, nil)
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(1, 0)))
	assert.Equal(t, []string{path}, changed(path))

	apart := func() int {
		list, err := s.Apart(t.Context())
		require.NoError(t, err)
		return len(list)
	}
	gone := shop(t, 2) // has dialogue 0 and its copy only
	assert.Zero(t, apart())
	require.NoError(t, fill(t, s, gone))
	assert.Empty(t, changed(gone))
	assert.Equal(t, 1, apart())
	assert.Equal(t, []string{"0"}, names(t, s, review.Filter{}))
	require.NoError(t, fill(t, s, path))
	assert.Zero(t, apart())
	assert.Equal(t, 2, find(t, s, "1").Mine, "it counts again")
}

// A deleted dialogue is gone from the run, the index and the reviews, and does not return.
func TestDelete(t *testing.T) {
	s, path := open(t, 5)
	rate(t, s, "ann", "1", 2, nil)
	identity := find(t, s, "1").Identity
	require.NoError(t, s.Delete(t.Context(), find(t, s, "1")))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "parcel 1,")
	assert.Contains(t, string(text), "parcel 2,")
	assert.ElementsMatch(t, []string{"0", "2", "3"}, names(t, s, review.Filter{}))
	reviews, err := s.Reviews(t.Context(), "")
	require.NoError(t, err)
	assert.Empty(t, reviews)
	changed, err := s.Changed(t.Context(), []string{path})
	require.NoError(t, err)
	assert.Empty(t, changed, "the index knows what it did itself")
	require.NoError(t, fill(t, s, shop(t, 5)))
	assert.ElementsMatch(t, []string{"0", "2", "3"}, names(t, s, review.Filter{}))
	deleted, err := review.Deleted(review.Path(path))
	require.NoError(t, err)
	assert.Equal(t, map[run.Identity]bool{identity: true}, deleted)
	deleted, err = review.Deleted(filepath.Join(t.TempDir(), "none.sqlite"))
	require.NoError(t, err)
	assert.Nil(t, deleted)
}

// With redaction, the index has no personal data, and the run keeps it.
func TestRedacted(t *testing.T) {
	path := shop(t, 4)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	s, err := review.Open(review.Path(path))
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, fill(t, s, path))
	s.Redact = true
	changed, err := s.Changed(context.Background(), []string{path})
	require.NoError(t, err)
	assert.Contains(t, changed, path, "what was read without redaction is read again")
	require.NoError(t, fill(t, s, path))
	changed, err = s.Changed(context.Background(), []string{path})
	require.NoError(t, err)
	assert.Empty(t, changed)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, text, after)
}

// Two reviewers whose masked names are equal stay two, also when the store is opened again.
func TestRedactedReviewers(t *testing.T) {
	s, path := open(t, 5)
	rate(t, s, "anna@other.org", "1", 2, nil)
	rate(t, s, "anna@acme.com", "1", 5, nil)
	rate(t, s, "anna@acme.com", "2", 4, nil)
	for range 2 {
		s.Redact = true
		require.NoError(t, fill(t, s, path))
		list, err := s.Reviews(t.Context(), "")
		require.NoError(t, err)
		var said []string
		for _, r := range list {
			said = append(said, fmt.Sprint(r.Reviewer, " ", r.Satisfaction))
		}
		assert.Equal(t, []string{"anna 2 2", "anna 5", "anna 4"}, said)
		assert.Equal(t, "anna 2", s.Mask("anna@other.org"))
		assert.Equal(t, "anna", s.Mask("anna@acme.com"))
		assert.Equal(t, "anna 3", s.Mask("anna@third.org"))
		assert.Equal(t, "anna 2", s.Mask("anna 2"))
		require.NoError(t, s.Close())
		s = openRun(t, path)
	}
}

// The reviews of a renamed dialogue stay its own, and ratings of one that is gone are not lost.
func TestRenamed(t *testing.T) {
	s, path := open(t, 5)
	rate(t, s, "ann", "1", 2, nil)
	ratings := filepath.Join(t.TempDir(), "run.ratings.csv")
	require.NoError(t, s.WriteRatings(t.Context(), ratings))
	before, err := os.ReadFile(ratings)
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	renamed := filepath.Join(t.TempDir(), "new.jsonl")
	require.NoError(t, os.WriteFile(renamed,
		bytes.ReplaceAll(text, []byte(`"export.csv"`), []byte(`"july.csv"`)), 0o666))
	for _, file := range []string{renamed, path, renamed} {
		require.NoError(t, fill(t, s, file))
		assert.Equal(t, 2, find(t, s, "1").Mine)
		require.NoError(t, s.WriteRatings(t.Context(), ratings))
	}
	after, err := os.ReadFile(ratings)
	require.NoError(t, err)
	assert.Contains(t, string(after), "1,july.csv,2,ann,")
	require.NoError(t, os.WriteFile(ratings, before, 0o666))
	require.NoError(t, s.WriteRatings(t.Context(), ratings), "it names the dialogue as before")

	said := ""
	s.Log = func(line string) { said = line }
	require.NoError(t, fill(t, s, shop(t, 2)))
	require.NoError(t, s.WriteRatings(t.Context(), ratings))
	kept, err := os.ReadFile(filepath.Join(filepath.Dir(ratings), "run.ratings.old.csv"))
	require.NoError(t, err)
	assert.Equal(t, after, kept)
	assert.Contains(t, said, "has 1 rating of dialogues that are not in the run now, or have other words in the run; that file is kept as ")
}

// A run keeps its own sample when it is opened together with another.
func TestSamplesOfRuns(t *testing.T) {
	s, path := open(t, 4)
	for _, name := range []string{"0", "1", "2", "3"} {
		rate(t, s, "ann", name, 4, nil)
	}
	probabilities := func() int {
		var b bytes.Buffer
		require.NoError(t, s.Ratings(t.Context(), &b, nil))
		return strings.Count(b.String(), ",1,")
	}
	n := probabilities()
	require.NotZero(t, n)
	other := shop(t, 20)
	text, err := os.ReadFile(other)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(other,
		bytes.ReplaceAll(text, []byte(`"export.csv"`), []byte(`"july.csv"`)), 0o666))
	require.NoError(t, fill(t, s, path, other))
	assert.Equal(t, n, probabilities())
}

// A dialogue that has grown is in the queue with all its turns, and the beginning only if it has a
// review, which stays.
func TestGrown(t *testing.T) {
	first, next := shop(t, 4), filepath.Join(t.TempDir(), "next.jsonl")
	in, err := os.Open(first)
	require.NoError(t, err)
	defer in.Close()
	h := rules.Header(importer.Options{})
	to, err := run.Create(next, &h)
	require.NoError(t, err)
	for line, err := range run.Read(in, first) {
		require.NoError(t, err)
		r, err := line.Decode()
		require.NoError(t, err)
		s := r.Sample()
		s.Dialogue.Turns = append(slices.Clone(s.Dialogue.Turns),
			dialogue.Turn{Role: dialogue.User, Text: "Hello?"})
		r, err = rules.Judge(t.Context(), s)
		require.NoError(t, err)
		require.NoError(t, to.Add(r))
	}
	require.NoError(t, errors.Join(to.Close(), to.Release()))
	s := openRun(t, first)
	all := review.Filter{State: review.All}
	before, err := s.List(t.Context(), all, 0, 10)
	require.NoError(t, err)
	require.NoError(t, s.Save(t.Context(), &run.Review{Identity: before[0].Identity,
		Reviewer: "ann", Satisfaction: 2}))
	require.NoError(t, fill(t, s, first, next))
	after, err := s.List(t.Context(), all, 0, 10)
	require.NoError(t, err)
	assert.Len(t, after, len(before)+1)
	for _, d := range after {
		isOld := slices.ContainsFunc(before, func(b review.Dialogue) bool {
			return b.Identity == d.Identity
		})
		assert.Equal(t, d.Identity == before[0].Identity, isOld, d.Name)
	}
}
