package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
)

// Worker judges the dialogues of runs with the same fingerprint as its own.
type Worker struct {
	Conn  *Conn
	Judge *judge.Judge
	Jobs  int // dialogues judged at once
	// Metrics is the address at which Prometheus metrics are served; empty for none.
	Metrics string

	inProgress atomic.Int64 // number of dialogues
	header     run.Header
	metrics    metrics
	notified   sync.Map                 // messages, which are shown only once
	queues     atomic.Pointer[[]*queue] // found by the last call of findRuns
}

// queue is the work of a run.
type queue struct {
	names
	jetstream.Consumer
	ackWait time.Duration
	judge   judge.Judge // quotes the rubric as the run does
}

// Run works until ctx ends, and then finishes the work in hand.
func (w *Worker) Run(ctx context.Context) error {
	w.header = workHeader(w.Judge)
	w.queues.Store(&[]*queue{})
	if err := w.metrics.serve(w.Metrics, "worker", w.header.Fingerprint(),
		func() int { return int(w.inProgress.Load()) }); err != nil {
		return err
	}
	if err := w.findRuns(ctx); err != nil && ctx.Err() == nil {
		return w.Conn.explain(err)
	}
	var wait sync.WaitGroup
	for range w.Jobs {
		wait.Go(func() { w.work(ctx) })
	}
	for ctx.Err() == nil {
		sleep(ctx, time.Second/2)
		if w.findRuns(ctx) != nil && w.Conn.permissionError() != nil {
			return w.Conn.permissionError()
		}
	}
	wait.Wait()
	return nil
}

// findRuns finds the runs with our fingerprint. If there are none, it reports the others.
func (w *Worker) findRuns(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var found []*queue
	var others []*jetstream.StreamInfo
	fingerprint := shortFingerprint(w.header.Fingerprint())
	known := *w.queues.Load()
	list := w.Conn.ListStreams(ctx, jetstream.WithStreamListSubject("assize.work.>"))
	for info := range list.Info() {
		name := info.Config.Name
		if info.Config.Metadata["fingerprint"] != fingerprint {
			others = append(others, info)
		} else if at := slices.IndexFunc(known,
			func(q *queue) bool { return q.work == name }); at >= 0 {
			found = append(found, known[at])
			// otherwise it does not exist yet
		} else if consumer, err := w.Conn.Consumer(ctx, name, workers); err == nil {
			names := namesOf(fingerprint, strings.TrimPrefix(name, workStream))
			q := &queue{names, consumer, consumer.CachedInfo().Config.AckWait, *w.Judge}
			h, err := run.ParseHeader([]byte(info.Config.Metadata["header"]))
			same := err == nil && h.Fingerprint() == w.header.Fingerprint()
			if same && len(h.Basis.Rubric.Facts) > 0 {
				q.judge.SetRubric(h.Basis.Rubric)
			}
			found = append(found, q)
		}
	}
	if err := list.Err(); err != nil {
		return err
	}
	w.queues.Store(&found)
	if len(found) == 0 {
		w.reportOthers(others)
	}
	return nil
}

// report shows a message, unless it was shown before.
func (w *Worker) report(s string) {
	if _, shown := w.notified.LoadOrStore(s, true); !shown {
		w.Conn.note(s)
	}
}

// reportOthers reports why this worker cannot help the runs that wait for others.
func (w *Worker) reportOthers(list []*jetstream.StreamInfo) {
	if len(list) == 0 {
		w.report(texts.Text("no work"))
	}
	for _, info := range list {
		about := info.Config.Metadata
		h, err := run.ParseHeader([]byte(about["header"]))
		if err != nil {
			w.report(texts.Text("other run", info.Config.Name, err))
			continue
		}
		why := ui.Each(h.Differences(w.header), func(d run.Change) string {
			a, b := ui.Clip(ui.Visible(d.A), 40), ui.Clip(ui.Visible(d.B), 40)
			return fmt.Sprintf("%s: %s in the run, %s here", d.What, a, b)
		})
		w.report(texts.Text("other judge", ui.Clip(about["run"], 60), ui.Clip(about["host"], 40),
			ui.Clip(strings.Join(why, "; "), 400)))
	}
}

// work handles one message after the other, alternating between the runs.
func (w *Worker) work(ctx context.Context) {
	for turn := 0; ctx.Err() == nil; turn++ {
		queues := *w.queues.Load()
		if len(queues) == 0 {
			sleep(ctx, 200*time.Millisecond)
			continue
		}
		q := queues[turn%len(queues)]
		pull, cancel := context.WithTimeout(ctx, 2*time.Second/time.Duration(len(queues)))
		m, err := q.Next(jetstream.FetchContext(pull))
		cancel()
		switch {
		case m != nil:
			w.handle(ctx, q, m)
		case !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout):
			sleep(ctx, 200*time.Millisecond) // the server is unreachable, or the run is over
		}
	}
}

// handle judges the dialogue of a message, publishes the answer, and then acknowledges the message.
// After ctx has ended, it finishes the dialogue in hand and tries to publish for as long as the
// server would wait for the answer.
func (w *Worker) handle(ctx context.Context, q *queue, m jetstream.Msg) {
	publishing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(q.ackWait, cancel) })()
	ctx = context.WithoutCancel(ctx)
	meta, err := m.Metadata()
	if err != nil {
		return
	}
	t, err := decodeTask(m.Data())
	if err != nil {
		w.Conn.note(texts.Text("unreadable work", q.work, err))
		_ = m.Term()
		return
	}
	busy, done := context.WithCancel(ctx)
	defer done()
	go func() { // the server must not deliver the message again meanwhile
		for sleep(busy, q.ackWait/3); busy.Err() == nil; sleep(busy, q.ackWait/3) {
			_ = m.InProgress()
		}
	}()
	w.inProgress.Add(1)
	defer w.inProgress.Add(-1)
	var a answer
	trouble, last := texts.Text("no answer"), meta.NumDelivered >= maxTries
	if meta.NumDelivered <= maxTries {
		a, trouble = w.judge(ctx, &q.judge, &t)
	}
	if last && a.Record != nil {
		trouble = "" // it is unscored for the reason that the model returned
	}
	if trouble != "" {
		w.metrics.Failed.Add(1)
		w.report(trouble)
		if !last {
			_ = m.NakWithDelay(min(time.Second<<meta.NumDelivered, q.ackWait))
			return
		}
		a = answer{Failed: w.Conn.label + ": " + trouble}
	}
	a.Worker, a.Position = w.Conn.label, t.Position
	if w.publish(publishing, q.answerSubject+strings.TrimPrefix(m.Subject(), q.taskSubject), a) {
		_ = m.Ack()
		w.metrics.Done.Add(1)
	}
}

// judge judges a dialogue. Trouble describes a failure that another worker may not have; if the
// model server failed, the answer still contains the record made here.
func (w *Worker) judge(ctx context.Context, j *judge.Judge, t *task) (a answer, trouble string) {
	defer func() {
		if p := recover(); p != nil {
			a, trouble = answer{}, fmt.Sprintf("panic: %v", p)
		}
	}()
	r, err := j.Judge(ctx, t.sample())
	if err != nil {
		return a, err.Error()
	}
	a.Record = r.Append(nil)
	if r.Model == nil {
		return a, ""
	}
	a.Timings = r.Model.Timings
	if n := len(r.Model.Calls); n > 0 {
		if f := r.Model.Calls[n-1].Failure; f.OfServer() {
			sleep(ctx, 2*time.Second) // give the server a pause before the next dialogue
			return a, fmt.Sprintf("the model's server: %s", f)
		}
	}
	return a, ""
}

// publish publishes the answer to a message. If its record exceeds the server's maximum message
// size, the collector judges the dialogue itself. It returns false if the run is over.
func (w *Worker) publish(ctx context.Context, name string, a answer) bool {
	m := nats.NewMsg(name)
	// headers count as well
	if m.Data = a.encode(); int64(len(m.Data)) > w.Conn.nc.MaxPayload()*9/10 {
		a = answer{Worker: a.Worker, Position: a.Position}
		m.Data = a.encode()
	}
	stored, err := w.Conn.publish(ctx, m, "records")
	return err == nil && stored
}
