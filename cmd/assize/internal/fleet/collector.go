package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/semaphore"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/rubric/dialogue"
)

// tries is how many workers may fail at a dialogue.
const tries = 5

// Options are those of a [Collector].
type Options struct {
	Name     string        // of the run, for people: the file behind -o
	Resumes  bool          // the same command can go on where it is stopped, so the streams stay until the run is complete
	Fresh    bool          // nothing is written yet: what the streams of the name hold is of another run
	Keep     bool          // leave the streams on the server when the run is complete
	Replicas int           // how many servers of a cluster hold each message
	Storage  int           // MiB that each of the two streams may take
	AckWait  time.Duration // after which the work of a silent worker goes to another one
	Metrics  string        // the address of the figures for Prometheus; empty for none
	Jobs     int           // dialogues that are judged here at once, where no worker can have them
}

// Collector has the dialogues of a run judged by workers. Dialogues are submitted one after the other, each is taken on
// any goroutine, and each is told to be written in the order of submission.
type Collector struct {
	Options
	conn      *Conn
	judge     *judge.Judge
	header    run.Header
	names     names
	local     *semaphore.Weighted
	outer     context.Context         // the caller's; when it ends, nothing has failed
	ctx       context.Context         // of everything that the collector does
	stop      context.CancelCauseFunc // ends ctx
	listen    jetstream.ConsumeContext
	replies   jetstream.Consumer
	stats     *stats
	submitted chan *Pending // that the server shall have
	ours      map[int]bool  // positions of which the server had the work at the start
	told      bool          // that no worker asks for work

	mu        sync.Mutex
	waiting   map[int]*Pending // by position: submitted and not written, or answered and not yet submitted
	next      int              // position after the last one that was submitted
	unsettled []message        // of answers that are not all written
	size      int              // bytes of these messages
	seen      uint64           // the last message of answers, by its number in the stream
	heard     time.Time        // when that came
}

// Pending is a dialogue that was submitted.
type Pending struct {
	position int
	sample   dialogue.Sample
	task     []byte // until it is published
	answers  chan *answer
	sent     bool // the server has the work
	answered bool
}

// message is a message of answers, which is acknowledged once the record of the last position in it is written.
type message struct {
	jetstream.Msg
	last int
}

// window bounds the dialogues that workers may have at once. Several times as many may wait for one before them.
const window = 512

// Window is how many dialogues are to be under way at once.
func (c *Collector) Window() int { return window }

// Collect makes the streams of a run, or finds those that a stopped collector has left. It takes over the connection,
// and closes it on an error.
func Collect(ctx context.Context, conn *Conn, j *judge.Judge, opt Options) (*Collector, error) {
	h := fingerprinted(j)
	id := sha256.Sum256([]byte(h.Fingerprint() + "\x00" + host() + "\x00" + opt.Name))
	token := hex.EncodeToString(id[:6])
	if !opt.Resumes {
		token = strings.ToLower(nats.NewInbox()[len("_INBOX."):])
	}
	c := &Collector{Options: opt, conn: conn, judge: j, header: h, names: namesOf(h.Fingerprint(), token), outer: ctx,
		local: semaphore.NewWeighted(int64(max(opt.Jobs, 1))), submitted: make(chan *Pending),
		waiting: map[int]*Pending{}, heard: time.Now()}
	c.ctx, c.stop = context.WithCancelCause(ctx)
	err := conn.explain(c.open())
	if err == nil {
		about := status{Kind: "collector", Run: opt.Name, Fingerprint: h.Fingerprint()}
		c.stats, err = conn.announce(about, opt.Metrics, c.underWay)
	}
	if err != nil { // what was there before may hold records
		_ = c.end(conn.refused() == nil && (c.Fresh || !c.Resumes)) // the error that counts is that of the start
		return nil, err
	}
	go c.publishSubmitted()
	go c.watch()
	return c, nil
}

// underWay counts the dialogues that are submitted and not written.
func (c *Collector) underWay() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting)
}

// fingerprinted is what the fingerprint of work is made of: the header of a run without what only its reader must know.
func fingerprinted(j *judge.Judge) run.Header {
	return j.Header(dialogue.Options{MaxDialogue: dialogue.DefaultMaxDialogue})
}

// open makes the streams and begins to listen.
func (c *Collector) open() error {
	ctx, cancel := context.WithTimeout(c.ctx, 20*time.Second)
	defer cancel()
	if c.Fresh { // what was judged into the same file before, by any settings, is of no use
		if err := c.remove(ctx); err != nil {
			return err
		}
	}
	about := map[string]string{"header": string(c.header.Append(nil)), "fingerprint": short(c.header.Fingerprint()),
		"run": c.Name, "host": host()}
	config := jetstream.StreamConfig{Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew,
		MaxBytes: int64(c.Storage) << 20, MaxAge: 7 * 24 * time.Hour, Storage: jetstream.FileStorage,
		Replicas: max(c.Replicas, 1), Metadata: about}
	work, out := config, config
	work.Name, work.Subjects = c.names.work, []string{c.names.in + ".>"}
	work.MaxMsgsPerSubject, work.DiscardNewPerSubject = 1, true
	out.Name, out.Subjects = c.names.answers, []string{c.names.out + ".>"}
	results, err := c.conn.CreateOrUpdateStream(ctx, out)
	if err != nil {
		return err
	}
	queue, err := c.conn.CreateOrUpdateStream(ctx, work) // which workers look for, so it comes last
	if err != nil {
		return err
	}
	_, err = queue.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: workers,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.AckWait, MaxDeliver: -1, MaxAckPending: 10_000})
	if err != nil {
		return err
	}
	if c.ours, err = c.positions(ctx, queue); err != nil {
		return err
	}
	// What an earlier collector was given and has not written is given again at once.
	if err := results.DeleteConsumer(ctx, collectors); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	c.replies, err = results.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: collectors,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: 10 * time.Minute, MaxDeliver: -1, MaxAckPending: -1})
	if err != nil {
		return err
	}
	// What was judged for an earlier collector is not asked for again.
	for left := int(c.replies.CachedInfo().NumPending); left > 0; {
		batch, err := c.replies.Fetch(min(left, 16), jetstream.FetchContext(ctx))
		if err != nil {
			return err
		}
		for m := range batch.Messages() {
			c.hear(m)
			left--
		}
		if err := cmp.Or(batch.Error(), ctx.Err()); err != nil {
			return err
		}
	}
	c.listen, err = c.replies.Consume(c.hear, jetstream.PullMaxMessages(16))
	return err
}

// The names of the consumers of the two streams.
const (
	workers    = "workers"
	collectors = "collector"
)

// positions gives those that the stream of work holds.
func (c *Collector) positions(ctx context.Context, s jetstream.Stream) (map[int]bool, error) {
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return nil, err
	}
	held := map[int]bool{}
	for subject := range info.State.Subjects {
		var first, n int
		if _, err := fmt.Sscanf(strings.TrimPrefix(subject, c.names.in), ".%d.%d", &first, &n); err == nil {
			for i := range min(n, mostInMessage) {
				held[first+i] = true
			}
		}
	}
	return held, nil
}

// remove removes the streams.
func (c *Collector) remove(ctx context.Context) error {
	for _, name := range []string{c.names.work, c.names.answers} {
		if err := c.conn.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

// hear takes a message of answers.
func (c *Collector) hear(m jetstream.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
	if meta, err := m.Metadata(); err == nil {
		c.seen = max(c.seen, meta.Sequence.Stream)
	}
	list, err := decodeAnswers(m.Data())
	if err != nil {
		c.conn.note(fmt.Sprintf("an answer cannot be read and is left out: %v", err))
		_ = m.Term()
		return
	}
	last := -1
	for i := range list.List {
		a := &list.List[i]
		last = max(last, a.Position)
		p := c.waiting[a.Position]
		if p == nil && a.Position >= c.next {
			p = c.pending(a.Position)
		}
		if p != nil && !p.answered {
			p.answered = true
			p.answers <- a
		}
	}
	c.unsettled = append(c.unsettled, message{m, last})
	if c.size += len(m.Data()); c.size > c.Storage<<20/4 { // the one that all others wait for needs the room
		c.settle(math.MaxInt)
	}
}

// pending makes a dialogue wait for its answer.
func (c *Collector) pending(position int) *Pending {
	p := &Pending{position: position, answers: make(chan *answer, 1)}
	c.waiting[position] = p
	return p
}

// Submit has a dialogue published, unless the streams hold it or its record. Positions grow.
func (c *Collector) Submit(position int, s dialogue.Sample) *Pending {
	// Nobody else may read what is to be masked, and a worker would judge the masked words differently.
	isMasked := c.judge.Redact && !slices.Equal(c.judge.Blank(s).Dialogue.Turns, s.Dialogue.Turns)
	encoded := task{position, s.Dialogue}.encode()
	isOurs := isMasked || len(encoded) > int(c.conn.nc.MaxPayload())*9/10
	c.mu.Lock()
	for ; c.next < position; c.next++ { // what was not submitted is in the run already
		delete(c.waiting, c.next)
	}
	c.next = position + 1
	p := c.waiting[position]
	if p == nil || isOurs {
		p = c.pending(position)
	}
	p.sample, p.sent = s, p.answered || c.ours[position]
	if isOurs {
		p.answered = true
		p.answers <- nil
	}
	publish := !p.answered && !p.sent
	c.mu.Unlock()
	if publish {
		p.task = encoded
		select {
		case c.submitted <- p:
		case <-c.ctx.Done():
		}
	}
	return p
}

// publishSubmitted publishes what is submitted, in its order: on a server with little room, the dialogue that all
// others wait for must come first. Dialogues that follow each other are one message, so many that their records, which
// are several times as long, are one as well. A model takes long for each, so that each has a message of its own.
func (c *Collector) publishSubmitted() {
	const patience = 20 * time.Millisecond
	most := int(c.conn.nc.MaxPayload()) / 16
	var list []*Pending
	size := 0
	send := func() {
		if len(list) > 0 {
			c.publish(list...)
		}
		list, size = nil, 0
	}
	late := time.NewTimer(patience)
	for {
		select {
		case p := <-c.submitted:
			if n := len(list); n > 0 && (size+len(p.task) > most || p.position != list[0].position+n) {
				send()
			}
			if len(list) == 0 {
				late.Reset(patience)
			}
			if list, size = append(list, p), size+len(p.task); c.judge.Model != nil || len(list) == mostInMessage {
				send()
			}
		case <-late.C:
			send()
		case <-c.ctx.Done():
			return
		}
	}
}

// publish publishes dialogues that follow each other in one message.
func (c *Collector) publish(list ...*Pending) {
	var tasks [][]byte
	for _, p := range list {
		tasks = append(tasks, p.task)
		p.task = nil
	}
	m := nats.NewMsg(fmt.Sprintf("%s.%d.%d", c.names.in, list[0].position, len(list)))
	m.Data = encodeWork(tasks...)
	if _, err := c.conn.publish(c.ctx, m, "dialogues"); err != nil {
		c.stop(err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range list {
		p.sent = true
	}
}

// Take waits for the record of a dialogue. What no worker can have is judged here.
func (c *Collector) Take(ctx context.Context, p *Pending) (*run.Record, error) {
	own := c.judge.Blank(p.sample)
	for {
		var a *answer
		select {
		case a = <-p.answers:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case a == nil, a.TooLarge:
			return c.here(ctx, p)
		case a.Failed != "" && !a.alone: // one by one they tell which of the message it was
			c.mu.Lock()
			c.again(p)
			c.mu.Unlock()
			continue
		case a.Failed != "":
			own.Reason = c.judge.Shown(fmt.Sprintf("no worker has judged it in %d tries: %s", tries, a.Failed))
			c.stats.failed(fmt.Sprintf("%s: dialogue %d: %s", own.Source.File, own.Dialogue.ID, own.Reason))
			return own, nil
		}
		r, err := a.recordOf(own, p.sample.Dialogue.Turns, &c.header)
		if err == nil {
			c.stats.done(1)
			return r, nil
		}
		// The input has changed since an earlier collector published it, or somebody else writes into the stream.
		c.conn.note(fmt.Sprintf("%s: dialogue %d: what %s says of it cannot be used (%v); judged here", own.Source.File,
			own.Dialogue.ID, a.worker, err))
		return c.here(ctx, p)
	}
}

// here judges a dialogue in this process.
func (c *Collector) here(ctx context.Context, p *Pending) (*run.Record, error) {
	if err := c.local.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer c.local.Release(1)
	r, err := c.judge.Judge(ctx, p.sample)
	if err == nil {
		c.stats.done(1)
	}
	return r, err
}

// again publishes a dialogue once more, in a message of its own.
func (c *Collector) again(p *Pending) {
	p.sent, p.answered = false, false
	p.task = task{p.position, p.sample.Dialogue}.encode()
	go c.publish(p)
}

// Written tells that the record of a dialogue is where it should be.
func (c *Collector) Written(p *Pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, p.position)
	c.settle(p.position)
}

// settle acknowledges the messages whose last position is not behind this one. One that comes again all the same is of
// no use then.
func (c *Collector) settle(position int) {
	c.unsettled = slices.DeleteFunc(c.unsettled, func(m message) bool {
		if m.last > position {
			return false
		}
		c.size -= len(m.Data())
		_ = m.Ack()
		return true
	})
}

// watch looks every few seconds for work that the server has lost, by a power failure for instance.
func (c *Collector) watch() {
	const every = 5 * time.Second
	for sleep(c.ctx, every); c.ctx.Err() == nil; sleep(c.ctx, every) {
		if err := c.conn.refused(); err != nil {
			c.stop(err)
		}
		c.mu.Lock()
		quiet := time.Since(c.heard) > every
		c.mu.Unlock()
		if !quiet {
			continue
		}
		err := c.mend()
		if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
			c.stop(errors.New("the streams of the run were removed from the NATS server; the same command makes them again"))
		}
	}
}

// mend publishes again what the server has lost. A worker publishes an answer before it acknowledges the work, so work
// that is no longer in the first stream has its answer in the second one. A dialogue is lost if all answers there have
// come and none was for it.
func (c *Collector) mend() error {
	ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second)
	defer cancel()
	c.mu.Lock()
	var open []*Pending
	for _, p := range c.waiting {
		if p.sent && !p.answered {
			open = append(open, p)
		}
	}
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
	if at := consumer.CachedInfo(); at.NumWaiting == 0 && at.NumAckPending == 0 && at.NumPending > 0 && !c.told {
		c.told = true
		c.conn.note("no worker asks for the work; assize fleet shows which there are")
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
	if replies.NumPending > 0 || replies.Delivered.Stream > c.seen {
		return nil
	}
	slices.SortFunc(open, func(a, b *Pending) int { return cmp.Compare(a.position, b.position) })
	for _, p := range open {
		if p.sent && !p.answered && !there[p.position] {
			c.again(p)
		}
	}
	return nil
}

// Close ends the work; the error is what kept it from going on, if anything did. The streams of a run that is complete,
// or that cannot be resumed, are removed.
func (c *Collector) Close(complete bool) (err error) {
	if c.outer.Err() == nil {
		err = context.Cause(c.ctx)
	}
	return errors.Join(err, c.end(!c.Keep && (complete || !c.Resumes)))
}

// end ends everything, and may remove the streams.
func (c *Collector) end(remove bool) error {
	defer c.conn.Close()
	c.stop(nil)
	if c.listen != nil {
		c.listen.Stop()
	}
	if c.stats != nil {
		c.stats.close()
	}
	if !remove {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return c.conn.explain(c.remove(ctx))
}

// Context ends where the work ends.
func (c *Collector) Context() context.Context { return c.ctx }
