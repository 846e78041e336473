package main

import (
	"context"
	"errors"
)

// stoppable gives what work makes, unless ctx ends before. Work that is left behind ends with the program, so it may
// write nothing.
func stoppable[T any](ctx context.Context, work func() T) (T, error) {
	done := make(chan T, 1)
	go func() { done <- work() }()
	select {
	case made := <-done:
		return made, nil
	case <-ctx.Done():
		var none T
		return none, errors.New("stopped before all was measured; nothing is printed")
	}
}
