package batch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/statistics/summary"
)

func TestProgress(t *testing.T) {
	all := totals{Records: 110, Stored: 100, Summary: summary.Summary{Unscored: 3}, Unread: 2}
	assert.Equal(t, "110 of 120 dialogues, 2 a second, 5.0 s left, 3 unscored, 2 unreadable",
		all.Progress(5*time.Second, 120))
	assert.Equal(t, "100 of 120 dialogues", (&totals{Records: 100, Stored: 100}).
		Progress(time.Second, 120), "stored records took no time")
}

func TestLines(t *testing.T) {
	totals := totals{Records: 3, Stored: 1}
	assert.Equal(t,
		[]string{
			"run.jsonl: 3 records in 3 min (100.0 s each): 0 scored, 0 unscored, 1 already in the run"},
		totals.Summaries("run.jsonl", 200*time.Second))
	assert.Equal(t,
		[]string{
			"run.jsonl: 3 records in 2.0 s (1 a second): 0 scored, 0 unscored, 1 already in the run"},
		totals.Summaries("run.jsonl", 2*time.Second-1))
}
