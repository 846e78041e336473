package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/rubric"
)

// Everything in a run of the rated dialogues must follow from the data it keeps, whatever the
// options. If the run keeps the judged turns, the agents must also judge them in the same way.
func TestTheRatedDialoguesReplay(t *testing.T) {
	rubric := filepath.Join(t.TempDir(), "rubric.yaml")
	require.NoError(t,
		os.WriteFile(rubric,
			[]byte("weights: {TaskSuccess: 25, Helpfulness: 25, Accuracy: 20, Understanding: 10, Empathy: 15, Fluency: 5}\ndemands: {Empathy: {80: [courtesy-empathy, courtesy-polite]}}\n"), 0o600))
	for _, tt := range []struct {
		reason  string
		options []string
	}{
		{"as it is", nil},
		{"another mapping", []string{"--rubric", toNearest}},
		{"another rubric", []string{"--rubric", rubric}},
		{"masked", []string{"--redact"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			run, stderr, code := call(t, nil,
				append(append([]string{"score", "--format", "jsonl"}, tt.options...),
					shared(t)[0])...)
			require.Equal(t, console.Fine, code, stderr)
			stdout, stderr, code := call(t, strings.NewReader(run), "replay", "--format", "json")
			require.Equal(t, console.Fine, code, "%s%s", stdout, stderr)
			var told struct {
				Runs []struct {
					Lines                     []any
					Scored, Different, Broken int
					Sound                     bool
				}
			}
			require.NoError(t, json.Unmarshal([]byte(stdout), &told))
			r := told.Runs[0]
			assert.True(t, r.Sound)
			assert.Equal(t, 400, r.Scored)
			assert.Empty(t, r.Lines)
		})
	}
}

// tampered returns a run of our transcripts in which many things were changed, some of them to
// terminal control sequences.
func tampered(t *testing.T) string {
	run, _, _ := call(t, nil, "score", transcripts, "--system-name", "Brightline Mobile",
		"--format", "jsonl")
	lines := strings.SplitAfter(run, "\n")
	for i := range lines {
		switch i % 5 {
		case 1:
			lines[i] = strings.Replace(lines[i], `"score":`, `"score":1`, 1)
		case 2:
			lines[i] = regexp.MustCompile(`"quotes":\["`).ReplaceAllLiteralString(lines[i],
				"\"quotes\":[\"\u202e\\u001b[31m\u0085")
		case 3:
			lines[i] = regexp.MustCompile(
				`"satisfaction":\d`).ReplaceAllLiteralString(lines[i], `"satisfaction":9`)
		case 4:
			lines[i] = "{\"dialogue_id\":4,\"\u202e\x1b[31m\":1,\"status\":\"\\u001b[2J\"}\n"
		}
	}
	return strings.Join(lines, "")
}

func TestAReplayIsTheSameWhateverTheJobs(t *testing.T) {
	run := tampered(t)
	for _, args := range [][]string{{"replay"}, {"replay", "--format", "json"}} {
		want, wantErr, code := call(t, strings.NewReader(run), append(args, "--jobs", "1")...)
		assert.Equal(t, console.No, code)
		assert.Equal(t, "assize: differences in -\n", wantErr)
		for _, jobs := range []string{"2", "8"} {
			got, _, _ := call(t, strings.NewReader(run), append(args, "--jobs", jobs)...)
			assert.Equal(t, want, got, "%v --jobs %s", args, jobs)
		}
		for line := range strings.Lines(want) {
			if len(args) == 1 {
				assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80,
					line)
			}
		}
		for _, act := range []string{"\x1b", "\u0085", "\x7f"} {
			assert.NotContains(t, want, act, "nothing may act on a terminal")
		}
	}
}

func TestAReplayThatIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	made, _, _ := call(t, nil, "score", filepath.Join(transcripts, "parcel.txt"), "--format",
		"jsonl")
	in, feed := io.Pipe()
	defer feed.Close()
	var stdout, stderr bytes.Buffer
	done := make(chan int)
	go func() { done <- execute(ctx, []string{"replay", "-"}, in, &stdout, &stderr) }()
	_, err := io.WriteString(feed, made)
	require.NoError(t, err)
	_, err = io.WriteString(feed, "\n") // accepted once the record before it has been read
	require.NoError(t, err)
	cancel()
	assert.Equal(t, console.Bad, <-done)
	assert.Regexp(t, `^assize: -: stopped after (0 records|1 record); the rest is not read\n$`,
		stderr.String())
	assert.Regexp(t, `^-: stopped after (0 records|1 record)`, stdout.String())
}

// BenchmarkReplay measures the whole program: a run of data/uss recomputed, one record at a time.
func BenchmarkReplay(b *testing.B) {
	run, _, code := call(b, nil, append([]string{"score", "--format", "jsonl"}, shared(b)...)...)
	require.Equal(b, console.Fine, code)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		_, _, code := call(b, strings.NewReader(run), "replay", "--jobs", "1")
		require.Equal(b, console.Fine, code)
		n++
	}
	b.ReportMetric(float64(n*2800)/b.Elapsed().Seconds(), "records/s")
}

// A score that was raised is found even if everything that follows from it was made consistent: the
// rules judge the dialogue again.
func TestReplayFindsConsistentForgery(t *testing.T) {
	mended := filepath.Join("..", "..", "testdata", "mended.txt") // the Critic objects
	path := runFile(t, "run.jsonl", transcripts, mended, "--system-name", "Brightline Mobile")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	forged := func(change func(r *run.Record) bool) []byte {
		var out []byte
		var closing *run.Closing
		changed := false
		for l, err := range run.Lines(bytes.NewReader(text), path) {
			require.NoError(t, err)
			switch l.Kind {
			case run.HeaderLine:
				closing = run.NewClosing(l.Text)
			case run.EndLine:
				l.Text = closing.End().Append(nil)
			default:
				r, err := l.Decode()
				require.NoError(t, err)
				if changed || !r.Scored() || !change(r) {
				} else if changed = true; r.Scored() {
					e := r.Evaluation
					r.Evaluation, err = l.Header.Basis.Rubric.Settle(
						rubric.Case{Dialogue: r.Dialogue, Signals: e.Signals}, e.Evaluator,
						e.Critique)
					require.NoError(t, err)
					r.Rate(l.Header.Basis.Profile)
					r.AnswerChecklist()
				}
				l.Text = r.Append(nil)
				closing.Add(l.Text)
			}
			out = append(append(out, l.Text...), '\n')
		}
		require.True(t, changed)
		return out
	}
	for _, tt := range []struct {
		reason, want, gate string
		change             func(*run.Record) bool
	}{
		{"a score", "/evaluator/Empathy/score is 100; the rules yield",
			"/evaluator/Empathy/score is 100; its signals yield", func(r *run.Record) bool {
				empathy := &r.Evaluation.Evaluator[rubric.Empathy]
				if empathy.Score == 100 || len(empathy.Quotes) == 0 {
					return false
				}
				empathy.Score = 100
				return true
			}},
		{"a low score without a score", "/status is \"unscored\"; the rules yield",
			"/status is \"unscored\"; its signals yield", func(r *run.Record) bool {
				r.Evaluation, r.Reason = nil, "the dialogue is mostly in Spanish"
				return true
			}},
		{"an objection", "the rules yield", "its signals yield", func(r *run.Record) bool {
			for k := range r.Evaluation.Critique {
				if r.Evaluation.Critique[k].Suggested != 0 {
					r.Evaluation.Critique[k] = rubric.Objection{}
					return true
				}
			}
			return false
		}},
		{"signals", "the rules yield", "", func(r *run.Record) bool {
			n := len(r.Evaluation.Signals)
			r.Evaluation.Signals = r.Evaluation.Signals[:max(n-1, 0)]
			return n > 0
		}},
	} {
		text := forged(tt.change)
		stdout, _, code := call(t, bytes.NewReader(text), "replay", "-")
		assert.Equal(t, console.No, code, tt.reason)
		assert.Contains(t, strings.Join(strings.Fields(stdout), " "), tt.want, tt.reason)
		if tt.gate == "" { // only replay judges the words
			continue
		}
		for _, args := range [][]string{{"score", "-", "--fail-under", "20"},
			{"compare", path, "-"}} {
			_, stderr, code := call(t, bytes.NewReader(text), args...)
			assert.Equal(t, console.Bad, code, "%s: %s", tt.reason, args)
			assert.Regexp(t, `-:\d+: dialogue \S+ was changed after it was judged: `, stderr)
			assert.Contains(t, stderr, tt.gate)
			assert.Contains(t, stderr, "assize replay - --format json lists all")
		}
		// neither does a run go on that was edited before it was complete
		early := filepath.Join(t.TempDir(), "early.jsonl")
		text = text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1]
		require.NoError(t, os.WriteFile(early, text, 0o600))
		_, stderr, code := call(t, nil, "score", transcripts, mended, "--system-name",
			"Brightline Mobile", "-o", early)
		assert.Equal(t, console.Bad, code, tt.reason)
		assert.Contains(t, stderr, tt.gate)
		kept, err := os.ReadFile(early)
		require.NoError(t, err)
		assert.Equal(t, string(text), string(kept))
	}
}
