package run

import (
	"context"
	"iter"
	"sync"
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
		jobs := make(chan func())
		order := make(chan chan Out, window*n) // the results, in order; each has room for one, so that no worker waits
		var workers sync.WaitGroup
		defer workers.Wait()
		defer cancel()
		for range n {
			workers.Go(func() {
				for job := range receive(ctx, jobs) {
					job()
				}
			})
		}
		go func() {
			defer close(jobs)
			defer close(order)
			for item := range in {
				done := make(chan Out, 1)
				if !send(ctx, order, done) || !send(ctx, jobs, func() { done <- work(ctx, item) }) {
					return
				}
			}
		}()
		for done := range receive(ctx, order) {
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

// send reports whether v was sent before ctx ended.
func send[T any](ctx context.Context, c chan<- T, v T) bool {
	select {
	case c <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// receive yields what arrives on c until c is closed or ctx ends.
func receive[T any](ctx context.Context, c <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-c:
				if !ok || !yield(v) {
					return
				}
			}
		}
	}
}
