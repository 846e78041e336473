package localllm_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// Concurrent sessions on one server get the same answers as each would alone: before a session
// continues, it has the server read again what another one evicted from the cache.
func TestSessionsAtOnce(t *testing.T) {
	s := serve(t)
	m := open(t, options(s))
	want := try(m, booking()).bytes(t)
	var all sync.WaitGroup
	got := make([]string, 8)
	for i := range got {
		all.Go(func() { got[i] = try(m, booking()).bytes(t) })
	}
	all.Wait()
	for i := range got {
		assert.Equal(t, want, got[i])
	}

	s.Answer(rate(20))
	before := len(s.Requests())
	h, other := m.Session(0, rubric.SetOf(rubric.Understanding)), m.Session(0, 0)
	card, err := h.Evaluate(context.Background(), booking())
	require.NoError(t, err)
	_, err = other.Evaluate(context.Background(), booking())
	require.NoError(t, err)
	card[rubric.Understanding].Score = 20
	_, err = h.Critique(context.Background(), booking(), card, reasons)
	require.NoError(t, err)
	var kinds []string
	for _, q := range s.Requests()[before:] {
		kind := "ask"
		if q.IsPriming() {
			kind = map[bool]string{true: "prime", false: "read again"}[q.User == "."]
		}
		kinds = append(kinds, kind)
	}
	each := func(kind string) []string {
		return slices.Repeat([]string{kind}, len(m.Identity().Questions))
	}
	prime := []string{"prime"}
	order := slices.Concat(prime, each("ask"), prime, each("ask"), prime, each("read again"),
		[]string{"ask", "ask"})
	assert.Equal(t, order, kinds)
}

// A server that is killed and restarted in the middle of a run loses no dialogue and duplicates
// none.
func TestServerRestarts(t *testing.T) {
	s := serve(t)
	o := options(s)
	o.Patience = 20 * time.Second
	m := open(t, o)
	restarted := make(chan error, 1)
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range 40 {
		if i == 13 || i == 27 {
			s.Close()
			l, err := net.Listen("tcp", strings.TrimPrefix(s.URL, "http://"))
			require.NoError(t, err)
			go func() {
				// a client that connects now is in the middle of a request
				if c, err := l.Accept(); err == nil {
					c.Close()
				}
				l.Close()
				time.Sleep(time.Duration(50+rnd.IntN(300)) * time.Millisecond)
				restarted <- s.Restart()
			}()
		}
		c := booking()
		c.Dialogue.Turns[0].Text = fmt.Sprintf("A table for %d, please.", i)
		r := try(m, c)
		require.NoError(t, r.err, "dialogue %d", i)
		asked := 0
		for _, q := range s.Questions() {
			if strings.Contains(q.User, fmt.Sprintf("table for %d,", i)) &&
				strings.Contains(q.User, "free of spelling") {
				asked++
			}
		}
		assert.Equal(t, 1, asked, "dialogue %d", i)
		if i == 13 || i == 27 {
			require.NoError(t, <-restarted)
			assert.Equal(t, localllm.ConnectionCut, r.account.Calls[0].Failure, "the account tells")
		}
	}

	s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := m.Session(rubric.AllCriteria, rubric.AllCriteria).Evaluate(ctx, booking())
	require.Error(t, err)
	require.NoError(t, s.Restart())
	other := fakeollama.Tiny()
	other.Digest = strings.Repeat("f", 64)
	s.SetModels(other)
	_, err = m.Session(rubric.AllCriteria, rubric.AllCriteria).
		Evaluate(context.Background(), booking())
	var f *localllm.Failure
	require.ErrorAs(t, err, &f)
	assert.Equal(t, localllm.DigestDiffers, f.Kind,
		"a server that comes back with another model is not asked")
}

// A model that is pulled under the same name during a run is not asked, even though no request
// failed.
func TestModelIsReplaced(t *testing.T) {
	s := serve(t)
	m := open(t, options(s))
	_, err := m.Session(rubric.AllCriteria, rubric.AllCriteria).
		Evaluate(context.Background(), booking())
	require.NoError(t, err)
	asked, other := len(s.Requests()), fakeollama.Tiny()
	other.Digest = strings.Repeat("f", 64)
	s.SetModels(other)
	h := m.Session(rubric.AllCriteria, rubric.AllCriteria)
	_, err = h.Evaluate(context.Background(), booking())
	var unscored *rubric.Unscored
	require.ErrorAs(t, err, &unscored)
	assert.Contains(t, unscored.Reason, "digest-differs")
	assert.Equal(t, localllm.DigestDiffers, h.Account().Calls[0].Failure)
	assert.Len(t, s.Requests(), asked)

	s.SetModels(fakeollama.Tiny())
	_, err = m.Session(rubric.AllCriteria, rubric.AllCriteria).
		Evaluate(context.Background(), booking())
	assert.NoError(t, err)
}

// After waiting for a server has failed once, there is no further wait.
func TestServerStaysDown(t *testing.T) {
	s := serve(t)
	m := open(t, options(s))
	s.Close()
	first, second := m.Session(rubric.AllCriteria, rubric.AllCriteria),
		m.Session(rubric.AllCriteria, rubric.AllCriteria)
	_, err := first.Evaluate(context.Background(), booking())
	var unscored *rubric.Unscored
	require.ErrorAs(t, err, &unscored)
	_, err = second.Evaluate(context.Background(), booking())
	require.ErrorAs(t, err, &unscored)
	assert.Greater(t, len(first.Account().Calls), 1)
	assert.Len(t, second.Account().Calls, 1)
	require.NoError(t, s.Restart())
	_, err = second.Evaluate(context.Background(), booking())
	assert.NoError(t, err)
}
