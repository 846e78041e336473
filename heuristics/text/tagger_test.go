package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Text that makes prose panic or take too long is changed or left out.
func TestTaggerWithstands(t *testing.T) {
	tagger := &Tagger{}
	for _, text := range []string{
		"\xff\xff\xff's", "ȺȺȺȺ's", "İİİ's", "'s", "n't", strings.Repeat("!", 20_000),
		strings.Repeat("!?", 20_000), strings.Repeat("(", 10_000),
		strings.Repeat("$", 20_000), strings.Repeat("a", 100_000), strings.Repeat("a. ", 50_000),
		"\x00\x1b[2J", "\n\n\n", "👍👍 :) ¯\\(ツ)/¯",
	} {
		require.NotPanics(t, func() { tagger.Tags(text) })
	}
}
