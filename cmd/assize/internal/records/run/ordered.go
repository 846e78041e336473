package run

import (
	"context"
	"iter"

	"golang.org/x/sync/semaphore"
)

// window is the number of items per worker that may be under way or waiting to be yielded. It
// limits memory: a slow dialogue delays at most this many finished ones.
const window = 4

// Ordered applies work to every item of in on n goroutines, and yields the results in the order of
// in. It reads a bounded number of items ahead, so memory does not depend on their total number.
//
// When ctx ends or the loop over the results exits, no further item is read, and the yielded
// results have no gap. Ordered then waits for the work under way, but not for in, which may be
// blocked on a terminal or a pipe.
func Ordered[In, Out any](ctx context.Context, n int, in iter.Seq[In],
	work func(context.Context, In) Out) iter.Seq[Out] {
	return func(yield func(Out) bool) {
		ctx, cancel := context.WithCancel(ctx)
		free := semaphore.NewWeighted(int64(n))
		defer func() {
			cancel()
			// succeeds only after all work has ended
			_ = free.Acquire(context.Background(), int64(n))
		}()
		// the results, in order; each channel is buffered, so that no worker blocks
		order := make(chan chan Out, window*n)
		go func() {
			defer close(order)
			for item := range in {
				if free.Acquire(ctx, 1) != nil {
					return
				}
				done := make(chan Out, 1)
				select {
				case order <- done:
				case <-ctx.Done():
					free.Release(1)
					return
				}
				go func() {
					defer free.Release(1)
					done <- work(ctx, item)
				}()
			}
		}()
		for {
			select {
			case <-ctx.Done():
				return
			case done, ok := <-order:
				if !ok {
					return
				}
				select {
				case out := <-done:
					if !yield(out) {
						return
					}
				case <-ctx.Done(): // the next result may be available but would leave a gap
					return
				}
			}
		}
	}
}
