package heuristics

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What makes prose panic or crawl is mended or left out.
func TestTaggerWithstands(t *testing.T) {
	tagger := &tagger{}
	for _, text := range []string{
		"\xff\xff\xff's", "ȺȺȺȺ's", "İİİ's", "'s", "n't", strings.Repeat("!", 20_000), strings.Repeat("!?", 20_000), strings.Repeat("(", 10_000),
		strings.Repeat("$", 20_000), strings.Repeat("a", 100_000), strings.Repeat("a. ", 50_000), "\x00\x1b[2J", "\n\n\n", "👍👍 :) ¯\\(ツ)/¯",
	} {
		require.NotPanics(t, func() { tagger.sentence(text) })
	}
}

func TestTaggerIsShared(t *testing.T) {
	a := newAgents(t)
	d := talk("USER: Well?", "SYSTEM: At 9 a.m. the is for of table your a booked to the at has.", "USER: What?")
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

// What tags say of sentences that a screen could pick.
func TestOddSentences(t *testing.T) {
	tests := []struct {
		reason, text string
		salad        bool
	}{
		{"articles before verbs and prepositions, again and again", "Your the for is booked table seven at evening Friday.", true},
		{"a heap of words", "Parcel banana quickly window harvest seven through lamp orange running.", true},
		{"a moved preposition is English", "The hotel that you stayed in is full on Friday and on Saturday.", false},
		{"a number is read out", "Zero eight two one four, and your bill was worked out on zero nine six three oh.", false},
		{"a can is a thing too", "The can is a blue one and it is on the shelf.", false},
		{"a is a letter too", "The letters go from a to z in that book of ours.", false},
		{"a doubled word is another fault", "Shall I book it for for the two of you on Friday?", false},
		{"so is a list of names", "angels flight railway historical landmark american folk art museum", false},
	}
	tagger, lex := &tagger{}, newAgents(t).lex
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			o := lex.odd(tagger.sentence(tt.text))
			assert.Equal(t, tt.salad, o.salad(), "salad: %+v", o)
		})
	}
}
