package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/semaphore"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/records/run"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// maxTries is the number of workers that may fail on a dialogue.
const maxTries = 5

// Options are the options of a [Collector].
type Options struct {
	Name string // name of the run for people: the file given with -o
	// the same command can resume a stopped run, so the streams stay until the run is complete
	Resumes bool
	// nothing is written yet, so anything in the streams with this name belongs to another run
	Fresh bool
	// number of servers in a cluster that store each message
	Replicas int `flag:"nats-replicas"`
	Storage  int `flag:"nats-storage"` // maximum size of each of the two streams in MiB
	// time after which the work of a silent worker goes to another one
	AckWait time.Duration `flag:"nats-ack-wait"`
	// address at which Prometheus metrics are served; empty for none
	Metrics string `flag:"metrics"`
	// maximum number of dialogues judged here at once, if no worker can judge them
	Jobs int
}

// Collector has the dialogues of a run judged by workers. Dialogues are submitted one after the
// other, taken on any goroutine, and marked as written in the order of submission.
type Collector struct {
	Options
	conn           *Conn
	judge          *judge.Judge
	header         run.Header
	names          names
	local          *semaphore.Weighted
	parent         context.Context         // the caller's; its end is not a failure
	ctx            context.Context         // for everything that the collector does
	stop           context.CancelCauseFunc // cancels ctx
	subscription   jetstream.ConsumeContext
	replies        jetstream.Consumer
	metrics        metrics
	queued         map[int]bool // positions whose work was on the server at the start
	warnedNoWorker bool         // the user has been told that no worker asks for work
	unreadable     sync.Once    // reports the first answer that cannot be read

	mu sync.Mutex
	// by position: submitted and not written, or answered and not yet submitted
	waiting      map[int]*Pending
	next         int       // the position after the last submitted one
	size         int       // total bytes of the answers that are not acknowledged
	lastSequence uint64    // sequence number of the last answer
	lastReceived time.Time // when it arrived
}

// Pending is a dialogue that was submitted.
type Pending struct {
	position int
	sample   dialogue.Sample
	answers  chan *answer
	sent     bool // the work has reached the server
	answered bool
	received []jetstream.Msg // its answers, which are acknowledged once its record is written
}

// Window is the maximum number of dialogues that workers have at once. Several times as many may
// wait for an earlier one.
const Window = 512

// Collect creates the streams of a run, or finds those left by a stopped collector. It takes
// ownership of the connection, and closes it on an error.
func Collect(ctx context.Context, conn *Conn, j *judge.Judge, opt Options) (*Collector, error) {
	h := workHeader(j)
	id := sha256.Sum256([]byte(h.Fingerprint() + "\x00" + host() + "\x00" + opt.Name))
	token := fmt.Sprintf("%x", id[:6])
	if !opt.Resumes {
		token = strings.ToLower(nats.NewInbox()[len("_INBOX."):])
	}
	c := &Collector{Options: opt, conn: conn, judge: j, header: h, names: namesOf(h.Fingerprint(),
		token), parent: ctx, local: semaphore.NewWeighted(int64(max(opt.Jobs, 1))),
		waiting: map[int]*Pending{}, lastReceived: time.Now()}
	c.ctx, c.stop = context.WithCancelCause(ctx)
	err := conn.explain(c.open())
	if err == nil {
		err = c.metrics.serve(opt.Metrics, "collector", h.Fingerprint(), func() int {
			c.mu.Lock()
			defer c.mu.Unlock()
			return len(c.waiting)
		})
	}
	if err != nil { // streams that existed before may hold records
		// the error of the start takes precedence
		_ = c.end(conn.permissionError() == nil && (c.Fresh || !c.Resumes))
		return nil, err
	}
	go c.watch()
	return c, nil
}

// workHeader returns the header from which the fingerprint of the work is computed: the header
// of a run without the parts that only its reader needs.
func workHeader(j *judge.Judge) run.Header {
	return j.Header(importer.Options{MaxDialogue: importer.DefaultMaxDialogue})
}

// open creates the streams and starts listening.
func (c *Collector) open() error {
	ctx, cancel := context.WithTimeout(c.ctx, 20*time.Second)
	defer cancel()
	if c.Fresh { // answers to an earlier run into the same file, with any settings, are useless
		if err := c.remove(ctx); err != nil {
			return err
		}
	}
	about := map[string]string{"header": string(c.header.Append(nil)),
		"fingerprint": shortFingerprint(c.header.Fingerprint()), "run": c.Name, "host": host()}
	config := jetstream.StreamConfig{Retention: jetstream.WorkQueuePolicy,
		Discard: jetstream.DiscardNew, Storage: jetstream.FileStorage,
		MaxBytes: int64(c.Storage) << 20, MaxAge: 7 * 24 * time.Hour,
		Replicas: max(c.Replicas, 1), Metadata: about}
	work, out := config, config
	work.Name, work.Subjects = c.names.work, []string{c.names.taskSubject + ".>"}
	work.MaxMsgsPerSubject, work.DiscardNewPerSubject = 1, true
	out.Name, out.Subjects = c.names.answers, []string{c.names.answerSubject + ".>"}
	results, err := c.conn.CreateOrUpdateStream(ctx, out)
	if err != nil {
		return err
	}
	// created last, because workers look for it
	queue, err := c.conn.CreateOrUpdateStream(ctx, work)
	if err != nil {
		return err
	}
	_, err = queue.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: workers,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.AckWait, MaxDeliver: -1,
		MaxAckPending: 10_000})
	if err != nil {
		return err
	}
	if c.queued, err = c.positions(ctx, queue); err != nil {
		return err
	}
	// Answers that an earlier collector received and did not write are delivered again at once.
	if err := results.DeleteConsumer(ctx, collectors); err != nil &&
		!errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	c.replies, err = results.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: collectors,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: 10 * time.Minute, MaxDeliver: -1,
		MaxAckPending: -1})
	if err != nil {
		return err
	}
	// Dialogues already judged for an earlier collector are not requested again.
	for left := int(c.replies.CachedInfo().NumPending); left > 0; {
		batch, err := c.replies.Fetch(min(left, pulled), jetstream.FetchContext(ctx))
		if err != nil {
			return err
		}
		for m := range batch.Messages() {
			c.receive(m)
			left--
		}
		if err := cmp.Or(batch.Error(), ctx.Err()); err != nil {
			return err
		}
	}
	c.subscription, err = c.replies.Consume(c.receive, jetstream.PullMaxMessages(pulled))
	return err
}

// pulled is how many answers are requested at once.
const pulled = 128

// The names of the consumers of the two streams.
const (
	workers    = "workers"
	collectors = "collector"
)

func (c *Collector) positions(ctx context.Context, s jetstream.Stream) (map[int]bool, error) {
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return nil, err
	}
	held := map[int]bool{}
	for subject := range info.State.Subjects {
		position, found := strings.CutPrefix(subject, c.names.taskSubject+".")
		if n, err := strconv.Atoi(position); found && err == nil {
			held[n] = true
		}
	}
	return held, nil
}

func (c *Collector) remove(ctx context.Context) error {
	for _, name := range []string{c.names.work, c.names.answers} {
		if err := c.conn.DeleteStream(ctx, name); err != nil &&
			!errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

func (c *Collector) receive(m jetstream.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastReceived = time.Now()
	if meta, err := m.Metadata(); err == nil {
		c.lastSequence = max(c.lastSequence, meta.Sequence.Stream)
	}
	a, err := decodeAnswer(m.Data())
	if err != nil {
		c.unreadable.Do(func() { c.conn.note(texts.Text("unreadable answer", err)) })
		_ = m.Term()
		return
	}
	p := c.waiting[a.Position]
	if p == nil && a.Position < c.next { // its record is written
		_ = m.Ack()
		return
	} else if p == nil {
		p = c.pending(a.Position)
	}
	if !p.answered {
		p.answered = true
		p.answers <- a
	}
	p.received = append(p.received, m)
	// the answer that all others wait for needs the space
	if c.size += len(m.Data()); c.size > c.Storage<<20/4 {
		for _, p := range c.waiting {
			c.acknowledge(p)
		}
	}
}

// pending returns the dialogue at a position and creates it if necessary.
func (c *Collector) pending(position int) *Pending {
	p := &Pending{position: position, answers: make(chan *answer, 1)}
	c.waiting[position] = p
	return p
}

// taskOf returns the work that a worker needs for a dialogue.
func (c *Collector) taskOf(position int, s dialogue.Sample) task {
	t := task{Position: position, Dialogue: s.Dialogue}
	if day, queue := c.judge.Rubric.DependsOn(); day || queue {
		row := run.New(s).Row(0)
		t.Day, t.Queue = row.Day, row.Queue
	}
	return t
}

// Submit publishes a dialogue, unless the streams hold it or its record. Positions must increase.
func (c *Collector) Submit(position int, s dialogue.Sample) *Pending {
	// Text that will be masked must not leave this process, nor be judged with its masks.
	isMasked := c.judge.Redact && !reflect.DeepEqual(c.judge.NewRecord(s).Dialogue, s.Dialogue)
	encoded := c.taskOf(position, s).encode()
	isOurs := isMasked || len(encoded) > int(c.conn.nc.MaxPayload())*9/10
	c.mu.Lock()
	for ; c.next < position; c.next++ { // positions that were not submitted are already in the run
		if p := c.waiting[c.next]; p != nil {
			c.acknowledge(p)
			delete(c.waiting, c.next)
		}
	}
	c.next = position + 1
	p := c.waiting[position]
	if p == nil || isOurs {
		p = c.pending(position)
	}
	p.sample, p.sent = s, p.answered || c.queued[position]
	if isOurs {
		p.answered = true
		p.answers <- &answer{}
	}
	publish := !p.answered && !p.sent
	c.mu.Unlock()
	if publish {
		c.publish(p, encoded)
	}
	return p
}

func (c *Collector) publish(p *Pending, encoded []byte) {
	m := nats.NewMsg(fmt.Sprintf("%s.%d", c.names.taskSubject, p.position))
	m.Data = encoded
	if _, err := c.conn.publish(c.ctx, m, "dialogues"); err != nil {
		c.stop(err)
		return
	}
	c.mu.Lock()
	p.sent = true
	c.mu.Unlock()
}

// Wait waits for the record of a dialogue. If no worker can judge it, it is judged here.
func (c *Collector) Wait(ctx context.Context, p *Pending) (*run.Record, error) {
	var a *answer
	select {
	case a = <-p.answers:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	own := c.judge.NewRecord(p.sample)
	switch {
	case a.Failed == "" && a.Record == nil:
		return c.judgeLocally(ctx, p)
	case a.Failed != "":
		own.Reason = c.judge.MaskText(texts.Text("given up", maxTries, a.Failed))
		c.metrics.Failed.Add(1)
		return own, nil
	}
	r, err := a.recordOf(own, &c.header)
	if err != nil {
		// The input has changed since it was published, or someone else writes to the stream.
		c.conn.note(texts.Text("useless answer", own.Source.File, own.Name(), a.Worker, err))
		return c.judgeLocally(ctx, p)
	}
	c.metrics.Done.Add(1)
	return r, nil
}

func (c *Collector) judgeLocally(ctx context.Context, p *Pending) (*run.Record, error) {
	if err := c.local.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer c.local.Release(1)
	r, err := c.judge.Judge(ctx, p.sample)
	if err == nil {
		c.metrics.Done.Add(1)
	}
	return r, err
}

// Written marks the record of a dialogue as written.
func (c *Collector) Written(p *Pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, p.position)
	c.acknowledge(p)
}

// acknowledge acknowledges the answers about a dialogue. Redelivered copies are ignored.
func (c *Collector) acknowledge(p *Pending) {
	for _, m := range p.received {
		c.size -= len(m.Data())
		_ = m.Ack()
	}
	p.received = nil
}

// watch looks every few seconds for work that the server has lost, as by a power failure.
func (c *Collector) watch() {
	const every = 5 * time.Second
	for sleep(c.ctx, every); c.ctx.Err() == nil; sleep(c.ctx, every) {
		if err := c.conn.permissionError(); err != nil {
			c.stop(err)
		}
		c.mu.Lock()
		quiet := time.Since(c.lastReceived) > every
		c.mu.Unlock()
		if !quiet {
			continue
		}
		err := c.republishLost()
		if errors.Is(err, jetstream.ErrStreamNotFound) ||
			errors.Is(err, jetstream.ErrConsumerNotFound) {
			c.stop(texts.Error("removed"))
		}
	}
}

// republishLost republishes work that the server has lost. A worker publishes an answer before it
// acknowledges the work, so work that is no longer in the first stream has its answer in the
// second. A dialogue is lost if all answers there have been received and none is for it.
func (c *Collector) republishLost() error {
	ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second)
	defer cancel()
	c.mu.Lock()
	open := slices.DeleteFunc(slices.Collect(maps.Values(c.waiting)),
		func(p *Pending) bool { return !p.sent || p.answered })
	c.mu.Unlock()
	if len(open) == 0 {
		return nil
	}
	queue, err := c.conn.Stream(ctx, c.names.work)
	if err != nil {
		return err
	}
	consumer, err := queue.Consumer(ctx, workers)
	if err != nil {
		return err
	}
	if at := consumer.CachedInfo(); at.NumWaiting == 0 && at.NumAckPending == 0 &&
		at.NumPending > 0 && !c.warnedNoWorker {
		c.warnedNoWorker = true
		c.conn.note(texts.Text("no worker"))
	}
	there, err := c.positions(ctx, queue)
	if err != nil {
		return err
	}
	replies, err := c.replies.Info(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if replies.NumPending > 0 || replies.Delivered.Stream > c.lastSequence {
		return nil
	}
	lost := slices.DeleteFunc(open,
		func(p *Pending) bool { return !p.sent || p.answered || there[p.position] })
	for _, p := range lost {
		p.sent = false
	}
	// In order: on a server with little space, the dialogue that all others wait for comes first.
	slices.SortFunc(lost, func(a, b *Pending) int { return cmp.Compare(a.position, b.position) })
	go func() {
		for _, p := range lost {
			c.publish(p, c.taskOf(p.position, p.sample).encode())
		}
	}()
	return nil
}

// Close stops the collector and returns the error that stopped it earlier, if any. It deletes the
// streams if the run is complete or cannot be resumed.
func (c *Collector) Close(complete bool) (err error) {
	if c.parent.Err() == nil {
		err = context.Cause(c.ctx)
	}
	return errors.Join(err, c.end(complete || !c.Resumes))
}

// end stops everything, and deletes the streams if remove is set.
func (c *Collector) end(remove bool) error {
	defer c.conn.Close()
	c.stop(nil)
	if c.subscription != nil {
		c.subscription.Stop()
	}
	if !remove {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return c.conn.explain(c.remove(ctx))
}

// Context returns a context that ends with the collector.
func (c *Collector) Context() context.Context { return c.ctx }
