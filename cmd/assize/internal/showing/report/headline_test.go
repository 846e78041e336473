package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSentences(t *testing.T) {
	bad, good := judged(t, 1, lost), judged(t, 2, found)
	assert.Equal(t, []string{"Overall below 60: 0 of 1 dialogue (0.0 %)."}, pageOf(good).Sentences())
	assert.Equal(t, []string{"Overall below 60: 1 of 2 dialogues (50.0 %).",
		"TaskSuccess fails most often: it scores 40 or lower in 50.0 % of 2 dialogues."},
		pageOf(bad, good).Sentences())
}
