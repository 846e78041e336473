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

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
)

// Worker judges the dialogues of runs that have its fingerprint.
type Worker struct {
	Conn  *Conn
	Judge *judge.Judge
	Jobs  int // dialogues at once; with rules, messages of them
	// Metrics is the address of the figures for Prometheus; empty for none.
	Metrics string

	inHand atomic.Int64 // dialogues
	header run.Header
	stats  *stats
	told   map[string]bool // the runs that wait for other workers, and what else is told once
	pause  time.Duration   // after a model's server has failed

	mu     sync.Mutex
	queues []*queue
}

// queue is the work of a run.
type queue struct {
	names
	jetstream.Consumer
	ackWait time.Duration
}

// Run works until ctx ends, and then finishes what is in hand.
func (w *Worker) Run(ctx context.Context) (err error) {
	w.header, w.told = fingerprinted(w.Judge), map[string]bool{}
	model := ""
	if w.Judge.Model != nil {
		model = w.Judge.Model.Identity().Name
	}
	about := status{Kind: "worker", Fingerprint: w.header.Fingerprint(), Model: model}
	if w.stats, err = w.Conn.announce(about, w.Metrics, func() int { return int(w.inHand.Load()) }); err != nil {
		return err
	}
	defer w.stats.close()
	if err := w.look(ctx); err != nil && ctx.Err() == nil {
		return w.Conn.explain(err)
	}
	var wait sync.WaitGroup
	for range w.Jobs {
		wait.Go(func() { w.work(ctx) })
	}
	for ctx.Err() == nil {
		every := time.Second
		if w.known() == nil {
			every = 300 * time.Millisecond
		}
		sleep(ctx, every)
		if w.look(ctx) != nil && w.Conn.refused() != nil {
			return w.Conn.refused()
		}
	}
	wait.Wait()
	return nil
}

// look finds the runs with our fingerprint. Where there are none, it tells of the others.
func (w *Worker) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var found []*queue
	known := w.known()
	ours := short(w.header.Fingerprint())
	var others []*jetstream.StreamInfo
	list := w.Conn.ListStreams(ctx, jetstream.WithStreamListSubject("assize.work.>"))
	for info := range list.Info() {
		parts := strings.Split(strings.Join(info.Config.Subjects, ""), ".") // assize.work.FINGERPRINT.RUN.>
		if len(parts) != 5 {
			continue
		}
		if parts[2] != ours {
			others = append(others, info)
			continue
		}
		var q *queue
		if at := slices.IndexFunc(known, func(q *queue) bool { return q.work == info.Config.Name }); at >= 0 {
			q = known[at]
		} else {
			q = &queue{names: namesOf(w.header.Fingerprint(), parts[3])}
			consumer, err := w.Conn.Consumer(ctx, q.work, workers)
			if err != nil { // it is not made yet
				continue
			}
			q.Consumer, q.ackWait = consumer, consumer.CachedInfo().Config.AckWait
		}
		found = append(found, q)
	}
	if err := list.Err(); err != nil {
		return err
	}
	w.mu.Lock()
	w.queues = found
	w.mu.Unlock()
	if len(found) == 0 {
		w.tellOthers(others)
	}
	return nil
}

// known gives the queues that the last look found.
func (w *Worker) known() []*queue {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.queues
}

// tellOthers tells, once each, which runs wait for other workers, and why this one cannot help.
func (w *Worker) tellOthers(list []*jetstream.StreamInfo) {
	tell := func(s string) {
		if !w.told[s] {
			w.told[s] = true
			w.Conn.note(s)
		}
	}
	if len(list) == 0 {
		tell("no run waits; looking for one")
	}
	for _, info := range list {
		about := info.Config.Metadata
		h, err := run.ParseHeader([]byte(about["header"]))
		if err != nil {
			tell(fmt.Sprintf("%s waits for another worker: %v", info.Config.Name, err))
			continue
		}
		var why []string
		for _, d := range h.Differences(w.header) {
			a, b := ui.Clip(ui.Visible(d.A), 40), ui.Clip(ui.Visible(d.B), 40)
			why = append(why, fmt.Sprintf("%s: %s in the run, %s here", d.What, a, b))
		}
		most := min(len(why), 4)
		s := fmt.Sprintf("%s of %s waits for another worker: %s", ui.Clip(about["run"], 60), ui.Clip(about["host"], 40),
			strings.Join(why[:most], "; "))
		if more := len(why) - most; more > 0 {
			s += "; and " + ui.Counted(more, "more difference")
		}
		tell(s)
	}
}

// work takes one message after the other, from the runs in turn.
func (w *Worker) work(ctx context.Context) {
	for turn := 0; ctx.Err() == nil; turn++ {
		w.mu.Lock()
		queues := w.queues
		pause := w.pause
		w.mu.Unlock()
		if len(queues) == 0 || pause > 0 {
			sleep(ctx, max(pause, 200*time.Millisecond))
			if len(queues) == 0 {
				continue
			}
		}
		q := queues[turn%len(queues)]
		wait := 2 * time.Second
		if len(queues) > 1 {
			wait = 200 * time.Millisecond
		}
		if m := q.take(ctx, wait); m != nil {
			w.handle(ctx, q, m)
		}
	}
}

// take pulls one message; nil where none comes.
func (q *queue) take(ctx context.Context, wait time.Duration) jetstream.Msg {
	pull, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	m, err := q.Next(jetstream.FetchContext(pull))
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) {
		sleep(ctx, 200*time.Millisecond) // the server is away, or the run is over
	}
	return m
}

// handle judges the dialogues of a message, publishes the answers, and then acknowledges the message. Once ctx has
// ended, the dialogues in hand are finished, and the server has as long to take the answers as it would wait for them.
func (w *Worker) handle(ctx context.Context, q *queue, m jetstream.Msg) {
	publishing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(q.ackWait, cancel) })()
	ctx = context.WithoutCancel(ctx)
	meta, err := m.Metadata()
	if err != nil {
		return
	}
	tasks, err := decodeWork(m.Data())
	if err != nil {
		w.Conn.note(fmt.Sprintf("work of %s cannot be read and is left out: %v", q.work, err))
		_ = m.Term()
		return
	}
	name := q.out + strings.TrimPrefix(m.Subject(), q.in)
	if meta.NumDelivered > 1 && w.isAnswered(ctx, q, name) {
		_ = m.Ack()
		return
	}
	defer q.extend(m)()
	w.inHand.Add(int64(len(tasks)))
	defer w.inHand.Add(-int64(len(tasks)))
	list := make([]answer, 0, len(tasks))
	failed := func(why string) {
		list = list[:0]
		for _, t := range tasks {
			list = append(list, answer{Position: t.Position, Failed: why})
		}
	}
	if meta.NumDelivered > tries {
		failed("the workers that took it ended, or did not answer in time")
	}
	for i := 0; i < len(tasks) && len(list) < len(tasks); i++ {
		a, trouble := w.judge(ctx, &tasks[i])
		switch {
		case trouble == "":
			list = append(list, a)
		case meta.NumDelivered < tries:
			w.stats.failed(trouble)
			_ = m.NakWithDelay(min(time.Second<<meta.NumDelivered, q.ackWait))
			return
		case a.Recorded: // unscored, for the reason that the model gave
			list = append(list, a)
		default:
			w.stats.failed(trouble)
			failed(trouble)
		}
	}
	if w.publish(publishing, name, list) {
		_ = m.Ack()
		w.stats.done(len(tasks))
	}
}

// extend keeps the message ours until the function that it gives is called.
func (q *queue) extend(m jetstream.Msg) (end func()) {
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(q.ackWait / 3):
				_ = m.InProgress()
			}
		}
	}()
	return func() { close(done) }
}

// isAnswered reports whether the answers to some work are in the stream: another worker published them, and ended
// before it acknowledged the work.
func (w *Worker) isAnswered(ctx context.Context, q *queue, name string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s, err := w.Conn.Stream(ctx, q.answers)
	if err != nil {
		return false
	}
	_, err = s.GetLastMsgForSubject(ctx, name)
	return err == nil
}

// judge judges a dialogue. Trouble is a failure that another worker may not have; if it is the model server's, the
// answer is the record that the dialogue gets here.
func (w *Worker) judge(ctx context.Context, t *task) (a answer, trouble string) {
	a.Position = t.Position
	defer func() {
		if p := recover(); p != nil {
			a, trouble = answer{Position: t.Position}, fmt.Sprintf("%s: panic: %v", w.Conn.label, p)
		}
	}()
	r, err := w.Judge.Judge(ctx, t.sample())
	if err != nil {
		return a, fmt.Sprintf("%s: %v", w.Conn.label, err)
	}
	a.Recorded, a.record = true, r.Append(nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pause = 0
	if r.Model == nil {
		return a, ""
	}
	a.Timings = r.Model.Timings
	if n := len(r.Model.Calls); n > 0 {
		if f := r.Model.Calls[n-1].Failure; f.OfServer() {
			w.pause = 2 * time.Second
			return a, fmt.Sprintf("%s: the model's server: %s", w.Conn.label, f)
		}
	}
	return a, ""
}

// publish publishes the answers to a message. Where their records exceed what the server lets through, the collector is
// told so, and judges the dialogues itself. It reports false where the run is over.
func (w *Worker) publish(ctx context.Context, name string, list []answer) bool {
	all := answers{Worker: w.Conn.label, List: list}
	m := nats.NewMsg(name)
	if m.Data = all.encode(); int64(len(m.Data)) > w.Conn.nc.MaxPayload()*9/10 { // headers count as well
		for i := range list {
			list[i] = answer{Position: list[i].Position, TooLarge: true}
		}
		m.Data = all.encode()
	}
	stored, err := w.Conn.publish(ctx, m, "records")
	return err == nil && stored
}
