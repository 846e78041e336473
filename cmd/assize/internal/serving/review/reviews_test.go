package review_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/rubric"
)

// A review can be withdrawn, so that the one before it counts, and taken back until another review
// follows.
func TestUndo(t *testing.T) {
	s, _ := open(t, 4)
	mine := func() int { return find(t, s, "1").Mine }
	_, err := s.Undo(t.Context(), "ann", "", false)
	assert.ErrorIs(t, err, review.ErrUnknown, "there is nothing to withdraw")
	rate(t, s, "ann", "1", 2, nil)
	rate(t, s, "ann", "1", 5, nil)
	rate(t, s, "ben", "1", 3, nil)
	for _, tt := range []struct {
		undo  bool
		stars int // of the review; 0 for ErrUnknown
		mine  int
	}{{false, 0, 5}, {true, 5, 2}, {true, 2, 0}, {true, 0, 0}, {false, 2, 2}, {false, 5, 5},
		{false, 0, 5}, {true, 5, 2}} {
		r, err := s.Undo(t.Context(), "ann", "", !tt.undo)
		if tt.stars == 0 {
			assert.ErrorIs(t, err, review.ErrUnknown)
		} else {
			require.NoError(t, err)
			assert.Equal(t, tt.stars, r.Satisfaction)
			assert.Equal(t, "1", r.Name)
		}
		assert.Equal(t, tt.mine, mine())
	}
	rate(t, s, "ann", "2", 1, nil)
	_, err = s.Undo(t.Context(), "ann", "", true)
	assert.ErrorIs(t, err, review.ErrUnknown, "another review followed")
	assert.Equal(t, 2, mine())
	older := find(t, s, "1").Identity
	for _, back := range []bool{true, false, true} { // whatever was said of others later
		_, err = s.Undo(t.Context(), "ann", older, back)
		require.NoError(t, err)
		assert.Equal(t, map[bool]int{true: 5, false: 2}[back], mine())
		assert.Equal(t, 1, find(t, s, "2").Mine)
	}
	_, err = s.Undo(t.Context(), "ann", find(t, s, "3").Identity, false)
	assert.ErrorIs(t, err, review.ErrUnknown, "no review of it, and none of another is touched")
	for _, of := range []run.Identity{"", find(t, s, "3").Identity} { // the last one withdrawn
		for _, stars := range []int{3, 5} {
			rate(t, s, "ann", "3", stars, nil)
			_, err = s.Undo(t.Context(), "ann", of, false)
			require.NoError(t, err)
			assert.Zero(t, find(t, s, "3").Mine)
		}
		r, err := s.Undo(t.Context(), "ann", of, true)
		require.NoError(t, err)
		assert.Equal(t, 5, r.Satisfaction)
		assert.Equal(t, 5, find(t, s, "3").Mine)
		_, err = s.Undo(t.Context(), "ann", of, true)
		assert.ErrorIs(t, err, review.ErrUnknown, "the other one was withdrawn before it")
		_, err = s.Undo(t.Context(), "ann", of, false)
		require.NoError(t, err)
	}
	reviews, err := s.Reviews(t.Context(), "")
	require.NoError(t, err)
	assert.Len(t, reviews, 3, "the review of ben was never touched")
}

// The table of ratings has a row for each review that says something.
func TestRatings(t *testing.T) {
	s, _ := open(t, 4)
	rate(t, s, "ann", "1", 4, func(r *run.Review) {
		r.Verdicts = map[rubric.Criterion]run.Verdict{rubric.Empathy: {Level: 60}}
		r.Note, r.Flag = "=1+1, see", true
	})
	rate(t, s, "ben", "2", 0, nil) // empty
	rate(t, s, "ben", "0", 0, func(r *run.Review) {
		r.Answers = map[string]run.Opinion{"greeted": {Answer: rubric.Yes}}
	})
	var w bytes.Buffer
	require.NoError(t, s.Ratings(t.Context(), &w, nil))
	cells, err := csv.NewReader(&w).ReadAll()
	require.NoError(t, err)
	require.Len(t, cells, 3)
	row := func(i int) map[string]string {
		m := map[string]string{}
		for j, name := range cells[0] {
			if cells[i][j] != "" {
				m[name] = cells[i][j]
			}
		}
		return m
	}
	got := row(1)
	assert.Contains(t, got["note"], "1+1, see")
	delete(got, "note")
	assert.Equal(t, map[string]string{"dialogue_id": "1", "file": "export.csv", "rating": "4",
		"rater": "ann", "at": "2024-06-01T12:00:00Z", "Empathy": "3", "flag": "yes",
		"identity": string(find(t, s, "1").Identity)}, got)
	assert.Equal(t, "yes", row(2)["greeted"])
	assert.NotContains(t, row(2), "rating")

	w.Reset()
	require.NoError(t, s.Ratings(t.Context(), &w, func(r *run.Review) bool {
		return r.Reviewer == "ann"
	}))
	assert.Equal(t, 2, strings.Count(w.String(), "\n"))
}

// Ratings that were not saved in the store are never overwritten.
func TestWriteRatings(t *testing.T) {
	s, _ := open(t, 4)
	path := filepath.Join(t.TempDir(), "ratings.csv")
	require.NoError(t, s.WriteRatings(t.Context(), ""))
	rate(t, s, "ann", "1", 4, nil)
	require.NoError(t, s.WriteRatings(t.Context(), path))
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	rate(t, s, "ann", "1", 2, nil)
	require.NoError(t, s.WriteRatings(t.Context(), path), "its own earlier ratings")
	second, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotEqual(t, first, second)
	for reason, text := range map[string]string{
		"another rating": strings.Replace(string(second), ",2,ann,", ",3,ann,", 1),
		"another person": strings.Replace(string(second), ",ann,", ",eve,", 1),
		"another table":  "dialogue_id,rating\n1,4\n",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		assert.ErrorContains(t, s.WriteRatings(t.Context(), path),
			path+": contains something that is not in ", reason)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(after), reason)
	}
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	require.NoError(t, s.WriteRatings(t.Context(), path), "an empty file")
}
