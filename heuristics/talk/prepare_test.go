package talk

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/heuristics/text"
)

func TestOverlapsOne(t *testing.T) {
	var of text.ClassSet
	of.Add(7)
	phrases := []text.Match{
		{PhraseEnd: text.PhraseEnd{Class: 7}, First: 2, Last: 4},
		{PhraseEnd: text.PhraseEnd{Class: 5}, First: 3, Last: 3},
		{PhraseEnd: text.PhraseEnd{Class: 7}, First: 90, Last: 91},
	}
	for _, tt := range []struct {
		first, last int
		want        bool
	}{{0, 1, false}, {0, 2, true}, {4, 6, true}, {5, 6, false}, {91, 95, true}, {92, 95, false}} {
		m := text.Match{First: tt.first, Last: tt.last}
		assert.Equal(t, tt.want, overlapsOne(m, phrases, &of), tt)
	}
}
