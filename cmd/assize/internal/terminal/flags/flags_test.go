package flags

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDidYouMean(t *testing.T) {
	ids := []string{"TaskSuccess", "Empathy", "R1-agreed", "reaction-rejects", "reaction-refuses"}
	assert.Equal(t, []string{"did you mean Empathy?"}, DidYouMean("empaty", ids))
	assert.Equal(t, []string{"did you mean reaction-rejects?"},
		DidYouMean("reaction-rejets", ids[:4]))
	assert.Equal(t, []string{"did you mean reaction-rejects, reaction-refuses?"},
		DidYouMean("reaction", ids))
	assert.Empty(t, DidYouMean("zebra", ids))
	assert.Empty(t, DidYouMean(strings.Repeat("x", 10_000), ids))
}
