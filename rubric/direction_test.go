package rubric

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// JSON changes no direction of text on a terminal, and remains the same value.
func TestAppendJSONEscapesDirection(t *testing.T) {
	said := "a\u202eb\u2066c\u061cd\u200e “e” é"
	data := AppendJSON(nil, said)
	assert.Equal(t, `"a\u202eb\u2066c\u061cd\u200e “e” é"`, string(data))
	var again string
	assert.NoError(t, ParseJSON(data, &again))
	assert.Equal(t, said, again)
}
