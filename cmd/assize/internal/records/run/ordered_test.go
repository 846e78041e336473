package run

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func TestOrderedKeepsTheOrder(t *testing.T) {
	// Early items yield the processor repeatedly, so that later ones overtake them.
	work := func(_ context.Context, i int) int {
		for range (1000 - i) % 97 {
			runtime.Gosched()
		}
		return i * i
	}
	var want []int
	for i := range 1000 {
		want = append(want, i*i)
	}
	for _, n := range []int{1, 2, 8, 50} {
		assert.Equal(t, want, slices.Collect(Ordered(t.Context(), n, upTo(1000), work)),
			"%d workers", n)
	}
	assert.Empty(t, slices.Collect(Ordered(t.Context(), 3, upTo(0), work)))
}

func TestOrderedReadsAheadByAWindowOnly(t *testing.T) {
	const workers = 3
	var taken atomic.Int64
	in := func(yield func(int) bool) {
		for i := range 10_000 {
			taken.Store(int64(i + 1))
			if !yield(i) {
				return
			}
		}
	}
	seen := int64(0)
	for range Ordered(t.Context(), workers, in, func(_ context.Context, i int) int { return i }) {
		seen++
		// Items read but not yielded: the window, one held by the feeder, and the one yielded next.
		require.LessOrEqual(t, taken.Load()-seen, int64(workers*window+2))
	}
	assert.EqualValues(t, 10_000, seen)
}

func TestOrderedStopsWhenTheLoopIsLeft(t *testing.T) {
	var working atomic.Int64
	work := func(_ context.Context, i int) int {
		working.Add(1)
		defer working.Add(-1)
		return i
	}
	for i := range Ordered(t.Context(), 4, upTo(1_000_000), work) {
		if i == 10 {
			break
		}
	}
	assert.Zero(t, working.Load(), "work goes on after Ordered has returned")
}

func TestOrderedStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	block := make(chan struct{})
	defer close(block)
	in := func(yield func(int) bool) {
		for i := range 3 {
			if !yield(i) {
				return
			}
		}
		<-block // a reader that waits for input that never arrives
	}
	var got []int
	for i := range Ordered(ctx, 2, in, func(_ context.Context, i int) int { return i }) {
		got = append(got, i)
		if len(got) == 3 {
			cancel()
		}
	}
	assert.Equal(t, []int{0, 1, 2}, got)
}

func TestOrderedLeavesNoGapWhenItStops(t *testing.T) {
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		work := func(_ context.Context, i int) int {
			if i == 20 {
				cancel()
			}
			return i
		}
		next := 0
		for i := range Ordered(ctx, 4, upTo(1000), work) {
			require.Equal(t, next, i)
			next++
		}
	}
}
