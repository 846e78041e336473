package batch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/summary"
)

func TestProgress(t *testing.T) {
	for _, tt := range []struct {
		reason  string
		totals  Totals
		elapsed time.Duration
		total   int
		want    string
	}{
		{"nothing is known yet", Totals{}, 0, 0, "0 dialogues"},
		{"the total is unknown", Totals{Records: 10}, 5 * time.Second, 0, "10 dialogues, 2 a second"},
		{"what is left", Totals{Records: 10}, 5 * time.Second, 30, "10 of 30 dialogues, 2 a second, 10.0 s left"},
		{"a slow model", Totals{Records: 10}, 50 * time.Second, 3000, "10 of 3000 dialogues, 5.0 s each, 4.2 h left"},
		{"stored records took no time", Totals{Records: 110, Stored: 100}, 5 * time.Second, 120, "110 of 120 dialogues, 2 a second, 5.0 s left"},
		{"only those so far", Totals{Records: 100, Stored: 100}, time.Second, 120, "100 of 120 dialogues"},
		{"everything", Totals{Records: 600, Summary: summary.Summary{Unscored: 3}, Unread: 2, lowest: 143, worst: "dialogue 7 of a.txt"}, time.Minute, 60000,
			"600 of 60000 dialogues, 10 a second, 99 min left, 3 unscored, 2 unreadable, worst 1.43: dialogue 7 of a.txt"},
		{"the end", Totals{Records: 2}, time.Second, 2, "2 of 2 dialogues, 2 a second"},
	} {
		assert.Equal(t, tt.want, tt.totals.Progress(tt.elapsed, tt.total), tt.reason)
	}
}

func TestLines(t *testing.T) {
	totals := Totals{Records: 3, Stored: 1}
	assert.Equal(t, []string{"run.jsonl: 3 records in 3 min (100.0 s each): 0 scored, 0 unscored, 1 already in the run"}, totals.Lines("run.jsonl", 200*time.Second))
	assert.Equal(t, []string{"run.jsonl: 3 records in 2.0 s (1 a second): 0 scored, 0 unscored, 1 already in the run"}, totals.Lines("run.jsonl", 2*time.Second-1))
}
