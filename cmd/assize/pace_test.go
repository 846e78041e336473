package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric/dialogue"
)

func TestPaceIsWipedBeforeANote(t *testing.T) {
	var stderr bytes.Buffer
	p := program{stderr: &stderr, pace: pace{shows: true, every: everyGlance}}
	tally := benchTally{}
	p.step(&tally, 0)
	assert.Empty(t, stderr.String(), "nothing is done yet")
	tally.now = 1
	p.step(&tally, 0)
	p.note("something")
	p.note("else")
	p.clear()
	assert.Equal(t, "\r\x1b[K1 dialogue, 0.0 s each\r\x1b[Kassize: something\nassize: else\n", stderr.String())
}

func TestPaceFitsTheTerminal(t *testing.T) {
	var stderr bytes.Buffer
	p := program{stderr: &stderr}
	p.put(strings.Repeat("x", 200) + "\n")
	assert.Equal(t, "\r\x1b[K"+strings.Repeat("x", 78)+"…", stderr.String())
}

func TestPaceIsForATerminal(t *testing.T) {
	p := program{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	assert.False(t, p.paced("run.jsonl").shows, "a log needs no progress")
	assert.Zero(t, p.pace)
	assert.Equal(t, everyEntry, p.paced("run.jsonl").every, "but for a line now and then")
	assert.Zero(t, p.paced(""), "which would stand among the results")
}

func TestALogIsToldHowLongAModelTakes(t *testing.T) {
	var stderr bytes.Buffer
	p := program{stderr: &stderr}
	p.pace = p.asked()
	p.step(&benchTally{now: 1}, 20)
	assert.Empty(t, stderr.String(), "it is too early")
	for _, tt := range []struct {
		reason string
		tally  benchTally
		of     int
		want   string
	}{
		{"what is left", benchTally{now: 10, busy: 50 * time.Second}, 30, "assize: 10 of 30 dialogues, 5.0 s each, 2 min left\n"},
		{"nothing is left", benchTally{now: 1, busy: time.Second}, 1, "assize: 1 of 1 dialogue, 1.0 s each\n"},
		{"nobody knows", benchTally{now: 2, busy: time.Second}, 0, "assize: 2 dialogues, 0.5 s each\n"},
	} {
		stderr.Reset()
		p.pace.told = time.Now().Add(-time.Hour)
		p.step(&tt.tally, tt.of)
		p.step(&tt.tally, tt.of)
		assert.Equal(t, tt.want, stderr.String(), tt.reason)
	}
}

func TestProgress(t *testing.T) {
	for _, tt := range []struct {
		reason  string
		tally   tally
		elapsed time.Duration
		total   int
		want    string
	}{
		{"nothing is known yet", tally{}, 0, 0, "0 dialogues"},
		{"how many there are is not known", tally{records: 10}, 5 * time.Second, 0, "10 dialogues, 2 a second"},
		{"what is left", tally{records: 10}, 5 * time.Second, 30, "10 of 30 dialogues, 2 a second, 10.0 s left"},
		{"a slow model", tally{records: 10}, 50 * time.Second, 3000, "10 of 3000 dialogues, 5.0 s each, 4.2 h left"},
		{"what stood there took no time", tally{records: 110, standing: 100}, 5 * time.Second, 120, "110 of 120 dialogues, 2 a second, 5.0 s left"},
		{"only that so far", tally{records: 100, standing: 100}, time.Second, 120, "100 of 120 dialogues"},
		{"all there is to tell", tally{records: 600, sum: report.Summary{Unscored: 3}, unread: 2, lowest: 143, worst: "dialogue 7 of a.txt"}, time.Minute, 60000,
			"600 of 60000 dialogues, 10 a second, 99 min left, 3 unscored, 2 unreadable, worst 1.43: dialogue 7 of a.txt"},
		{"it is over", tally{records: 2}, time.Second, 2, "2 of 2 dialogues, 2 a second"},
		{"a year of dialogues", tally{records: 1}, 1000 * time.Hour, 1_000_000_000, "1 of 1000000000 dialogues, 3600000.0 s each, 999999999000.0 h left"},
	} {
		assert.Equal(t, tt.want, tt.tally.progress(tt.elapsed, tt.total), tt.reason)
	}
}

func TestTheSummaryTellsHowLongASlowDialogueTook(t *testing.T) {
	ta := tally{records: 3, standing: 1}
	assert.Equal(t, []string{"run.jsonl: 3 records in 3 min (100.0 s each): 0 scored, 0 unscored, 1 stood there before"}, ta.summary("run.jsonl", 200*time.Second))
	assert.Equal(t, []string{"run.jsonl: 3 records in 2.0 s (1 a second): 0 scored, 0 unscored, 1 stood there before"}, ta.summary("run.jsonl", 2*time.Second-1))
}

func TestALogIsToldOfNowAndThen(t *testing.T) {
	var stderr bytes.Buffer
	counted := 0
	p := &program{stderr: &stderr}
	long := time.Now().Add(-time.Hour)
	p.pace = pace{every: everyEntry, told: long}
	g := &progress{program: p, count: func() { counted++ }, begun: long}
	g.step(&tally{records: 36000}, false)
	g.step(&tally{records: 36001}, false)
	assert.Equal(t, "assize: 36000 dialogues, 10 a second\n", stderr.String())
	assert.Equal(t, 1, counted)
	p.pace.told = long
	g.step(&tally{records: 36001, standing: 36001}, true)
	assert.Equal(t, "assize: 36000 dialogues, 10 a second\nassize: 36001 dialogues\n", stderr.String())
	assert.Equal(t, 1, counted)
	p.pace = pace{}
	g.step(&tally{}, false)
	assert.Equal(t, 2, strings.Count(stderr.String(), "\n"), "somebody wants quiet")
}

func TestALogIsToldHowMuchIsRead(t *testing.T) {
	var stderr bytes.Buffer
	p := &program{stderr: &stderr}
	p.pace = p.asked()
	p.reads(1)
	assert.Empty(t, stderr.String(), "it is too early")
	p.pace.told = time.Now().Add(-time.Hour)
	p.reads(1200)
	p.reads(1201)
	assert.Equal(t, "assize: 1200 dialogues read\n", stderr.String())
}

func TestDialoguesAreCounted(t *testing.T) {
	p := &program{}
	count := func(ids selection, files ...string) int64 {
		g := &progress{}
		g.countAll(t.Context(), p, files, dialogue.Options{}, ids)
		return g.total.Load()
	}
	uss := filepath.Join(transcripts, "uss.txt")
	assert.EqualValues(t, 4, count(selection{}, uss, parcel))
	assert.EqualValues(t, 2, count(selection{wanted: []string{"1"}}, uss, parcel))
	assert.Zero(t, count(selection{}, uss, stdinName), "it can be read only once")
	broken := filepath.Join(t.TempDir(), "broken.txt")
	require.NoError(t, os.WriteFile(broken, []byte("UMPIRE\tOut!\t\t\n\nUSER\tHi\t\t\n"), 0o666))
	assert.EqualValues(t, 1, count(selection{}, broken))
}

func TestTheWorstIsTheFirstOfSeveral(t *testing.T) {
	_, records, _, _ := recorded(t, "score", transcripts, "--system-name", "Priya")
	var ta tally
	lowest := records[0]
	for _, r := range records {
		ta.rank(r)
		if r.Scored() && (!lowest.Scored() || r.Satisfaction < lowest.Satisfaction) {
			lowest = r
		}
	}
	assert.Equal(t, lowest.Satisfaction, ta.lowest)
	assert.Equal(t, "dialogue "+lowest.Name()+" of "+lowest.Source.File, ta.worst)
	ta.rank(&record.Record{Reason: "silence"})
	assert.Equal(t, lowest.Satisfaction, ta.lowest, "what is unscored is not the worst")
}
