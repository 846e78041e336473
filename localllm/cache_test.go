package localllm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

func openCache(t testing.TB, dir string) *localllm.Cache {
	t.Helper()
	c, err := localllm.OpenCache(dir)
	require.NoError(t, err)
	return c
}

// A repeated run sends no request and yields the same bytes, in another process too; another model
// does not get old answers.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	s := serve(t)
	s.Answer(rate(80))
	o := options(s)
	o.Cache = openCache(t, dir)
	want := try(open(t, o), booking())
	require.NoError(t, want.err)
	asked := len(s.Questions())
	require.Greater(t, asked, 1)

	o.Cache = openCache(t, dir)
	m := open(t, o)
	primes := len(s.Requests())
	again := try(m, booking())
	assert.Equal(t, want.bytes(t), again.bytes(t))
	assert.Len(t, s.Requests(), primes, "nothing is asked, not even primed")
	assert.Zero(t, again.account.Timings.Primed)
	for _, c := range again.account.Timings.Calls {
		assert.True(t, c.Cached)
	}

	o.NumCtx = 4096
	require.NoError(t, try(open(t, o), booking()).err)
	assert.Greater(t, len(s.Questions()), asked, "another request")
	asked = len(s.Questions())
	o.NumCtx = 0
	other := fakeollama.Tiny()
	other.Digest = strings.Repeat("f", 64)
	s.SetModels(other)
	require.NoError(t, try(open(t, o), booking()).err)
	assert.Greater(t, len(s.Questions()), asked, "another model by the same name")
}

// If only the first answers of a dialogue are cached, the server reads their questions again before
// it continues, so that it is in the same state as without a cache.
func TestCacheInPart(t *testing.T) {
	s := serve(t)
	s.Answer(rate(80))
	o := options(s)
	o.Cache = openCache(t, t.TempDir())
	m := open(t, o)
	_, err := m.Session(0, 0).Evaluate(context.Background(), booking())
	require.NoError(t, err)
	before := len(s.Requests())
	h := m.Session(0, rubric.SetOf(rubric.Understanding))
	_, err = h.Evaluate(context.Background(), booking())
	require.NoError(t, err)
	assert.Len(t, s.Requests(), before)
	var card rubric.Scorecard
	card[rubric.Understanding].Score = 20
	_, err = h.Critique(context.Background(), booking(), card, reasons)
	require.NoError(t, err)
	sent, questions := s.Requests()[before:], m.Identity().Questions
	require.Len(t, sent, len(questions)+3)
	assert.Equal(t, ".", sent[0].User, "primed")
	for i, q := range questions {
		assert.True(t, sent[i+1].IsPriming())
		assert.Contains(t, sent[i+1].User, q.Ask, "read again")
	}
	assert.False(t, sent[len(questions)+1].IsPriming())
}

// A broken file counts as no answer and is deleted; files of others are kept.
func TestCacheBroken(t *testing.T) {
	dir := t.TempDir()
	s := serve(t)
	s.Answer(rate(80))
	o := options(s)
	o.Cache = openCache(t, dir)
	m := open(t, o)
	want := try(m, booking()).bytes(t)
	files := cacheFiles(t, dir)
	require.Greater(t, len(files), 2)
	swapped, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], []byte(`{"Key":`), 0o600))
	require.NoError(t, os.WriteFile(files[1], swapped, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.json"), []byte("mine"), 0o600))
	asked := len(s.Questions())
	assert.Equal(t, want, try(m, booking()).bytes(t))
	assert.Equal(t, asked+2, len(s.Questions()), "two are asked again")
	assert.Equal(t, want, try(m, booking()).bytes(t))
	assert.Equal(t, asked+2, len(s.Questions()))
	_, err = localllm.OpenCache(filepath.Join(dir, "notes.json"))
	assert.Error(t, err)
}

func cacheFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	require.NoError(t, err)
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, "only the user may read it")
	}
	return files
}

// Several runs may share a folder, and no answer is ever incomplete.
func TestCacheShared(t *testing.T) {
	dir := t.TempDir()
	s := serve(t)
	var all sync.WaitGroup
	for worker := range 4 {
		o := options(s)
		o.Cache = openCache(t, dir)
		m := open(t, o)
		all.Go(func() {
			for i := range 40 {
				c := booking()
				c.Dialogue.Turns[0].Text = fmt.Sprintf("A table for %d, please.", (i+worker*10)%50)
				_, err := m.Session(rubric.AllCriteria, rubric.AllCriteria).
					Evaluate(context.Background(), c)
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
	assert.NotEmpty(t, cacheFiles(t, dir))
	var none *localllm.Cache
	o := options(s)
	o.Cache = none
	_, err := open(t, o).Session(rubric.AllCriteria, rubric.AllCriteria).
		Evaluate(context.Background(), rubric.Case{Dialogue: booking().Dialogue})
	assert.NoError(t, err, "no cache is an empty one")
}
