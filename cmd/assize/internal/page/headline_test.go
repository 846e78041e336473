package page

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// One of a kind is told of in the singular.
func TestSentences(t *testing.T) {
	bad, good := judged(t, 1, lost), judged(t, 2, found)
	assert.Equal(t, []string{"The one dialogue falls below 60."}, pageOf(bad).sentences())
	assert.Equal(t, []string{"No dialogue falls below 60."}, pageOf(good).sentences())
	assert.Equal(t, []string{"1 of 2 dialogues (50.0 %) falls below 60.", "TaskSuccess fails most often: it stands at 40 or lower in 50.0 % of them."}, pageOf(bad, good).sentences())
	assert.Equal(t, "All 2 dialogues fall below 60.", pageOf(bad, bad).sentences()[0])
}
