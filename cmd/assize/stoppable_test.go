package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStoppable(t *testing.T) {
	made, err := stoppable(t.Context(), func() int { return 7 })
	require.NoError(t, err)
	assert.Equal(t, 7, made)

	ctx, cancel := context.WithCancel(t.Context())
	begun, never := make(chan bool), make(chan bool)
	go func() {
		<-begun
		cancel()
	}()
	made, err = stoppable(ctx, func() int {
		close(begun)
		<-never
		return 7
	})
	assert.ErrorContains(t, err, "stopped before everything was read and measured", "work that goes on for ever is left behind")
	assert.Zero(t, made)
}
