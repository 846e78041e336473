package transcript

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCutMark(t *testing.T) {
	var got []string
	for _, line := range []string{"a", "- a", "-a", "  * a", "*a*", "**a**", "12. a", "13) a",
		"1.5 a", "1234. a", "## a",
		"> - a", "• a", "—a", ""} {
		form, rest := cutMark(line)
		got = append(got, form+"|"+rest)
	}
	assert.Equal(t,
		[]string{"|a", "-|a", "-|a", "  *|a", "|*a*", "|**a**", "1|a", "1|a", "|1.5 a", "|1234. a",
			"##|a",
			">-|a", "•|a", "|—a", "|"}, got)
}
