package run

import (
	"context"
	"iter"

	"golang.org/x/sync/semaphore"
)

// window is how many items for each worker may be under way or wait for their turn to be yielded. It bounds
// memory: a slow dialogue holds up at most this many that are done.
const window = 4

// Ordered applies work to every item of in, on n goroutines, and yields the results in the order of in. The
// reading of in runs ahead of what is yielded by a bounded number of items, so memory does not depend on how
// many there are.
//
// When ctx ends, or the loop over the results is left, no further item is taken, and what was yielded has no gap.
// Ordered then waits for the work under way, but not for in, which may be blocked on a terminal or a pipe.
func Ordered[In, Out any](ctx context.Context, n int, in iter.Seq[In], work func(context.Context, In) Out) iter.Seq[Out] {
	return func(yield func(Out) bool) {
		ctx, cancel := context.WithCancel(ctx)
		free := semaphore.NewWeighted(int64(n))
		defer func() {
			cancel()
			_ = free.Acquire(context.Background(), int64(n)) // none is free before all work has ended
		}()
		order := make(chan chan Out, window*n) // the results, in order; each has room for one, so that no work waits
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
				case <-ctx.Done(): // the next result may be there, but would leave a gap
					return
				}
			}
		}
	}
}
