package review_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/serving/review"
	"assize/heuristics"
	"assize/rubric/dialogue/importer"
)

// The learner needs ratings, ranks by what was accepted, and forgets it on request.
func TestLearner(t *testing.T) {
	s, path := open(t, 61)
	ratings := filepath.Join(filepath.Dir(path), "ratings.csv")
	profile := filepath.Join(filepath.Dir(path), "profile.json")
	l := review.NewLearner(s, heuristics.New(), ratings, profile)
	defer l.Close()
	wait := func() review.Learning {
		require.Eventually(t, func() bool { return l.State().Doing == "" }, 2*time.Minute,
			time.Millisecond)
		return l.State()
	}
	l.Accept()
	assert.Equal(t, review.Learning{}, l.State(), "nothing was learnt")
	l.Learn()
	state := wait()
	assert.NotEmpty(t, state.Failed, "nobody rated")
	assert.Nil(t, state.Result)
	l.Stop()
	assert.Empty(t, l.State().Failed)

	before := names(t, s, review.Filter{})
	for i := range 60 { // contrary to the rules
		stars := 1 + i%2
		if i%3 == 0 {
			stars = 5 - i%2
		}
		rate(t, s, "ann", fmt.Sprint(i), stars, nil)
	}
	l.Learn()
	state = wait()
	require.Empty(t, state.Failed)
	require.NotNil(t, state.Result)
	assert.Equal(t, before, names(t, s, review.Filter{}), "it is not accepted yet")
	l.Accept()
	state = wait()
	assert.Equal(t, review.Learning{}, state)
	after := names(t, s, review.Filter{})
	for i, name := range after {
		n := 0
		fmt.Sscan(name, &n)
		assert.Equal(t, i >= 40, n%3 == 0, "those that go wrong were rated best: %s", name)
	}
	assert.FileExists(t, ratings)
	assert.FileExists(t, profile)
	require.NotNil(t, s.Profile())
	h := rules.Header(importer.Options{})
	assert.Equal(t, *s.Profile(), review.ProfileOf(s.Profile(), &h))
	assert.Equal(t, h.Basis.Profile, review.ProfileOf(nil, &h))
	h.Lexicon = "another"
	assert.Equal(t, h.Basis.Profile, review.ProfileOf(s.Profile(), &h))

	again, err := review.Open(review.Path(path))
	require.NoError(t, err)
	assert.NotNil(t, again.Profile(), "the store keeps it")
	require.NoError(t, again.Close())
	require.NoError(t, fill(t, s, path))
	assert.Equal(t, after, names(t, s, review.Filter{}), "also when the runs are read again")

	l.Reset()
	assert.Equal(t, review.Learning{}, wait())
	assert.Nil(t, s.Profile())
	assert.Equal(t, before, names(t, s, review.Filter{}))
	assert.NoFileExists(t, profile)
}

// An accepted profile is on disk before Accept returns. If the program ends before the queue is
// ranked by it, the next one ranks it; if ranking is stopped, the earlier order stays.
func TestAnAcceptedProfileIsKept(t *testing.T) {
	s, path := open(t, 61)
	profile := filepath.Join(filepath.Dir(path), "profile.json")
	l := review.NewLearner(s, heuristics.New(), filepath.Join(filepath.Dir(path), "ratings.csv"),
		profile)
	for i := range 60 { // contrary to the rules
		stars := 1 + i%2
		if i%3 == 0 {
			stars = 5 - i%2
		}
		rate(t, s, "ann", fmt.Sprint(i), stars, nil)
	}
	l.Learn()
	require.Eventually(t, func() bool { return l.State().Result != nil }, 2*time.Minute,
		time.Millisecond)
	learnt := l.State().Result.Profile
	before := names(t, s, review.Filter{})

	// Stopped after it was kept, as by a program that is killed: its store is copied then.
	ctx, stop := context.WithCancel(t.Context())
	copied := filepath.Join(t.TempDir(), "copy.review.sqlite")
	err := s.Accept(ctx, &learnt, func() {
		for _, end := range []string{"", "-wal"} {
			data, err := os.ReadFile(review.Path(path) + end)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(copied+end, data, 0o666))
		}
		stop()
	}, func(int, int) {})
	require.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, s.Profile())
	assert.Equal(t, before, names(t, s, review.Filter{}))
	changed, err := s.Changed(t.Context(), []string{path})
	require.NoError(t, err)
	assert.Empty(t, changed)
	again, err := review.Open(review.Path(path))
	require.NoError(t, err)
	assert.Nil(t, again.Profile())
	require.NoError(t, again.Close())

	killed, err := review.Open(copied)
	require.NoError(t, err)
	defer killed.Close()
	assert.Equal(t, learnt.File(), killed.Profile().File())
	changed, err = killed.Changed(t.Context(), []string{path})
	require.NoError(t, err)
	assert.Equal(t, []string{path}, changed, "the queue is still to be ranked")
	require.NoError(t, fill(t, killed, path))
	assert.NotEqual(t, before, names(t, killed, review.Filter{}))

	l.Accept()
	written, err := os.ReadFile(profile)
	require.NoError(t, err, "Accept has returned, and ranking may go on")
	assert.Equal(t, learnt.File(), written)
	l.Close()
}
