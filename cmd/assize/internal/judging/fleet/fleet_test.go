package fleet

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// moody fails on dialogues that contain "boom".
type moody struct{ rubric.Evaluator }

func (m moody) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	if strings.Contains(c.Dialogue.Turns[0].Text, "boom") {
		panic("boom")
	}
	return m.Evaluator.Evaluate(ctx, c)
}

func rules(t testing.TB) *judge.Judge {
	t.Helper()
	agents := heuristics.New()
	return judge.New(agents, judge.Options{Rubric: rubric.Default(),
		Profile: satisfaction.DefaultProfile()})
}

func connect(t testing.TB, url string) *Conn {
	t.Helper()
	c, err := Connect(Server{URL: url}, "test", func(string) {})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func sampleOf(id int, says string) dialogue.Sample {
	return dialogue.Sample{Dialogue: dialogue.Dialogue{ID: id, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: says}, {Role: dialogue.System, Text: "It left today."}}},
		Source: dialogue.Source{File: "x.txt", Position: id}}
}

func natsServer(t testing.TB) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT,
		JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	require.True(t, s.ReadyForConnections(time.Minute))
	return s.ClientURL()
}

func TestADialogueThatMakesWorkersFail(t *testing.T) {
	url := natsServer(t)
	bad := rules(t)
	bad.Rules.Evaluator = moody{bad.Rules.Evaluator}
	w := &Worker{Conn: connect(t, url), Judge: bad, Jobs: 2}
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	wait.Go(func() { assert.NoError(t, w.Run(ctx)) })
	good := rules(t)
	c, err := Collect(ctx, connect(t, url), good, Options{Name: "x", Storage: 16,
		AckWait: 200 * time.Millisecond})
	require.NoError(t, err)
	says := []string{"Where is it?", "boom", "And where is mine?"}
	var pending []*Pending
	for i, s := range says {
		pending = append(pending, c.Submit(i, sampleOf(i+1, s)))
	}
	for i, p := range pending {
		r, err := c.Wait(ctx, p)
		require.NoError(t, err)
		if says[i] == "boom" {
			assert.False(t, r.Scored())
			assert.Equal(t, "no worker has judged it in 5 tries: test: panic: boom", r.Reason)
		} else {
			want, err := good.Judge(ctx, sampleOf(i+1, says[i]))
			require.NoError(t, err)
			assert.Equal(t, string(want.Append(nil)), string(r.Append(nil)))
		}
		c.Written(p)
	}
	seen, err := Inspect(ctx, connect(t, url))
	require.NoError(t, err)
	assert.EqualValues(t, 5, w.metrics.Failed.Load(), "five tries")
	require.Len(t, seen.Runs, 1)
	assert.True(t, seen.Runs[0].Collected)
	page := ui.NewPage(io.Discard, false)
	seen.Text(&page)
	assert.Contains(t, page.String(), "running")
	var metrics strings.Builder
	require.NoError(t, texts().ExecuteTemplate(&metrics, "metrics", &c.metrics))
	assert.Contains(t, metrics.String(),
		"\nassize_collector_failures_total{fingerprint=\""+seen.Runs[0].Fingerprint+"\"} 1\n")
	require.NoError(t, c.Close(true))
	cancel()
	wait.Wait()
}

// TestLostWork checks that work lost by the server is published again.
func TestLostWork(t *testing.T) {
	url := natsServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	conn, good := connect(t, url), rules(t)
	c, err := Collect(ctx, conn, good, Options{Name: "x", Storage: 16, AckWait: time.Second})
	require.NoError(t, err)
	p := c.Submit(0, sampleOf(1, "Where is it?"))
	queue, err := conn.Stream(ctx, c.names.work)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		info, err := queue.Info(ctx)
		return err == nil && info.State.Msgs == 1
	}, time.Minute, 10*time.Millisecond)
	seen, err := Inspect(ctx, conn)
	require.NoError(t, err)
	require.Len(t, seen.Runs, 1)
	assert.EqualValues(t, 1, seen.Runs[0].Waiting)
	page := ui.NewPage(io.Discard, false)
	seen.Text(&page)
	assert.Contains(t, page.String(), "no worker requests its work")
	require.NoError(t, queue.Purge(ctx))
	var wait sync.WaitGroup
	wait.Go(
		func() {
			assert.NoError(t, (&Worker{Conn: connect(t, url), Judge: good, Jobs: 1}).Run(ctx))
		})
	r, err := c.Wait(ctx, p)
	require.NoError(t, err)
	assert.True(t, r.Scored())
	c.Written(p)
	require.NoError(t, c.Close(true))
	cancel()
	wait.Wait()
}

// TestTheAddressOfTheFigures checks that an unusable address is reported as such, and not as an
// error of NATS.
func TestTheAddressOfTheFigures(t *testing.T) {
	url := natsServer(t)
	opt := Options{Name: "x", Storage: 16, AckWait: time.Second, Metrics: "127.0.0.1:99999"}
	_, err := Collect(t.Context(), connect(t, url), rules(t), opt)
	assert.EqualError(t, err, "metrics 127.0.0.1:99999: listen tcp: address 99999: invalid port")
	w := &Worker{Conn: connect(t, url), Judge: rules(t), Jobs: 1, Metrics: opt.Metrics}
	assert.EqualError(t, w.Run(t.Context()), err.Error())
}

// TestRecordsOfOthers checks that a worker's record is written as if it had been judged here.
func TestRecordsOfOthers(t *testing.T) {
	j := rules(t)
	h := workHeader(j)
	s := sampleOf(1, "Where is <it> & \"that\"\u2028?\u00e9\U0001f600")
	s.Source.File, s.Truth.Overall = "shop.csv", []float64{2}
	want, err := j.Judge(t.Context(), s)
	require.NoError(t, err)
	sent := task{Dialogue: s.Dialogue}
	away, err := j.Judge(t.Context(), sent.sample())
	require.NoError(t, err)
	a, err := decodeAnswer((&answer{Record: away.Append(nil)}).encode())
	require.NoError(t, err)
	own := j.NewRecord(s)
	assert.Equal(t, string(away.Append(nil)), string(a.Record), "the same bytes")
	got, err := a.recordOf(own, &h)
	require.NoError(t, err)
	assert.Equal(t, string(want.Append(nil)), string(got.Append(nil)))
	own.Dialogue.ID++
	_, err = a.recordOf(own, &h)
	assert.ErrorContains(t, err, "is of another dialogue")
	a.Record = bytes.Replace(a.Record, []byte(`"score":80`), []byte(`"score":20`), 1)
	_, err = a.recordOf(own, &h)
	assert.ErrorContains(t, err, "does not follow from its evidence")
}

// FuzzMessages checks that decoding a message yields what was encoded, and that other input is
// rejected.
func FuzzMessages(f *testing.F) {
	f.Add(task{Position: 3, Dialogue: sampleOf(7, "Where is it?").Dialogue}.encode())
	f.Add((&answer{Worker: "w", Position: 3, Record: []byte(`{"dialogue_id":1}`)}).encode())
	f.Add((&answer{Position: 4, Failed: "no"}).encode())
	f.Add([]byte(`{"Position":1,"ID":1,"Turns":[{"Role":9,"Text":"\u0000"}]}`))
	f.Add(task{Dialogue: sampleOf(1, "<&>\"\\\n\u2028").Dialogue}.encode())
	f.Add([]byte(`{"record":1e999}`))
	good := rules(f)
	h := workHeader(good)
	f.Fuzz(func(t *testing.T, data []byte) {
		if one, err := decodeTask(data); err == nil {
			again := one
			again.Dialogue = one.sample().Dialogue
			assert.Equal(t, one.encode(), again.encode())
			again, err := decodeTask(one.encode())
			assert.NoError(t, err)
			assert.Equal(t, one.encode(), again.encode())
		}
		if a, err := decodeAnswer(data); err == nil {
			again, err := decodeAnswer(a.encode())
			assert.NoError(t, err)
			assert.True(t, bytes.Equal(a.encode(), again.encode()))
			s := sampleOf(1, "Where is it?")
			if r, err := a.recordOf(good.NewRecord(s), &h); err == nil {
				assert.Equal(t, s.Dialogue, r.Dialogue)
			}
		}
	})
}
