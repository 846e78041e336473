package heuristics

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Text that makes prose panic or take too long is changed or left out.
func TestTaggerWithstands(t *testing.T) {
	tagger := &tagger{}
	for _, text := range []string{
		"\xff\xff\xff's", "ȺȺȺȺ's", "İİİ's", "'s", "n't", strings.Repeat("!", 20_000),
		strings.Repeat("!?", 20_000), strings.Repeat("(", 10_000),
		strings.Repeat("$", 20_000), strings.Repeat("a", 100_000), strings.Repeat("a. ", 50_000),
		"\x00\x1b[2J", "\n\n\n", "👍👍 :) ¯\\(ツ)/¯",
	} {
		require.NotPanics(t, func() { tagger.tags(text) })
	}
}

func TestTaggerIsShared(t *testing.T) {
	a := newAgents(t)
	d := talk("USER: Well?", "SYSTEM: At 9 a.m. the is for of table your a booked to the at has.",
		"USER: What?")
	want, err := a.Observe(d)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := a.Observe(d)
			assert.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
	wg.Wait()
}

// Tags identify sequences of words that are not sentences.
func TestHeapsOfWords(t *testing.T) {
	tests := []struct {
		reason, text string
		heap         bool
	}{
		{"nothing holds the words together",
			"Parcel banana quickly window harvest seven through lamp orange running.", true},
		{"a number is read out",
			"Zero eight two one four, and your bill was worked out on zero nine six three oh.",
			false},
		{"a sentence has words that hold it", "The can is a blue one and it is on the shelf.",
			false},
		{"a list of names", "angels flight railway historical landmark american folk art museum",
			false},
	}
	tagger := &tagger{}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			tags := tagger.tags(tt.text)
			assert.Equal(t, tt.heap, makesNoSentence(tags), tags)
		})
	}
}
