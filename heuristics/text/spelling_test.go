package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSpelling(t *testing.T) {
	var s Spelling
	for word, want := range map[string]bool{
		"recieve": true, "tomorow": true, "tommorow": false, "pleas": false, "beacuse": true, "problm": true,
		"adress": true, "servuce": true, "refunf": true,
		"receive": false, "colour": false, "organise": false, "cancelled": false,
		"happiness": false, "unhappy": false, "stopping": false, "worried": false,
		"lockscreen": false, "naan": false, "xqzvw": false, "maria": false,
		"aple": true, "refudn": true, "appple": true, "paple": true,
		strings.Repeat("a", 41): false,
	} {
		assert.Equal(t, want, s.Misspelt(word), word)
	}
	for word, want := range map[string]bool{"maria": true, "john": true, "table": false,
		"xqzvw": false} {
		assert.Equal(t, want, s.IsName(word), word)
	}
}
