package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The table of the runs counts what the means are over.
func TestRepeatsInOneRun(t *testing.T) {
	a, b := many(30, always(80)), many(30, always(60))
	b.Rows[7].Said = b.Rows[6].Said
	c := New(a, b, usual)
	assert.Equal(t, Paired, c.Mode)
	assert.Equal(t, []int{30, 30, 30}, []int{c.A.Dialogues, c.B.Dialogues, c.All[average].NB})
	assert.Zero(t, c.Matched.Repeats)
	assert.Contains(t, c.tables()[0].Notes[0], "1 dialogue repeats another in one run only, "+
		"and is compared all the same.")

	a.Rows[7].Said = a.Rows[6].Said
	c = New(a, b, usual)
	assert.Equal(t, []int{29, 29, 29}, []int{c.A.Dialogues, c.B.Dialogues, c.All[average].NB})
	assert.Equal(t, 1, c.Matched.Repeats)
	assert.Zero(t, c.Matched.Kept)
}
