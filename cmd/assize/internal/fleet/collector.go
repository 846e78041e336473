package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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
	conn    *Conn
	judge   *judge.Judge
	header  run.Header
	names   names
	local   *semaphore.Weighted
	outer   context.Context         // the caller's; when it ends, nothing has failed
	ctx     context.Context         // of everything that the collector does
	stop    context.CancelCauseFunc // ends ctx
	listen  jetstream.ConsumeContext
	replies jetstream.Consumer
	stats   *stats
	told    bool // that no worker asks for work

	mu      sync.Mutex
	queued  [][]byte           // tasks that wait for others to be in their message
	first   int                // position of the first of these
	bytes   int                // that they take
	flush   *time.Timer        // publishes them
	sending chan struct{}      // is closed when the message before is published
	waiting map[int]*Pending   // submitted and not written, by position
	early   map[int]*delivered // answers to what is not submitted yet
	ours    [][2]int           // spans of positions that were in the stream at the start
	next    int                // position after the last one that was submitted
	seen    uint64             // the last message of answers, by its number in the stream
	heard   time.Time          // when that came
}

// Pending is a dialogue that was submitted.
type Pending struct {
	position int
	sample   dialogue.Sample
	answers  chan *delivered
	from     *message // that has its answer, to be acknowledged when the record is written
	sent     bool     // the server has the work
	answered bool
	again    int // how often it was published once more
}

// message is a message of answers, with the number of those that are not written yet.
type message struct {
	jetstream.Msg
	left int
}

// delivered is an answer with the message that it came in.
type delivered struct {
	answer
	worker string
	from   *message
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
		local:   semaphore.NewWeighted(int64(max(opt.Jobs, 1))),
		waiting: map[int]*Pending{}, early: map[int]*delivered{}, heard: time.Now()}
	c.ctx, c.stop = context.WithCancelCause(ctx)
	err := conn.explain(c.open())
	if err == nil {
		about := status{Kind: "collector", Run: opt.Name, Fingerprint: h.Fingerprint()}
		c.stats, err = conn.announce(about, opt.Metrics, c.underWay)
	}
	if err != nil {
		c.undo()
		return nil, err
	}
	go c.watch()
	return c, nil
}

// undo removes what a start that fails has made, so that it takes no room on the server.
func (c *Collector) undo() {
	defer c.end()
	if c.listen != nil {
		c.listen.Stop()
	}
	if c.conn.refused() != nil || c.Resumes && !c.Fresh { // what is there may hold records
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = c.remove(ctx, c.names.work, c.names.answers) // the error that counts is that of the start
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
	if c.Fresh { // what was judged into the same file before, with any settings, is of no use
		var names []string
		list := c.conn.ListStreams(ctx, jetstream.WithStreamListSubject("assize.>"))
		for info := range list.Info() {
			if about := info.Config.Metadata; about["assize"] != "" && about["run"] == c.Name && about["host"] == host() {
				names = append(names, info.Config.Name)
			}
		}
		if err := cmp.Or(list.Err(), c.remove(ctx, names...)); err != nil {
			return err
		}
	}
	about := map[string]string{"assize": "1", "header": string(c.header.Append(nil)), "run": c.Name, "host": host()}
	config := jetstream.StreamConfig{Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew,
		MaxBytes: int64(c.Storage) << 20, MaxAge: 7 * 24 * time.Hour, Storage: jetstream.FileStorage,
		Replicas: max(c.Replicas, 1), Metadata: about, AllowDirect: true}
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
	if c.ours, err = spans(ctx, queue); err != nil {
		return err
	}
	// What an earlier collector was given and has not written is given again at once.
	if err := results.DeleteConsumer(ctx, collectors); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	consumer, err := results.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: collectors,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: 10 * time.Minute, MaxDeliver: -1, MaxAckPending: -1})
	if err != nil {
		return err
	}
	there := make(chan struct{})
	have := sync.OnceFunc(func() { close(there) })
	if consumer.CachedInfo().NumPending == 0 {
		have()
	}
	c.replies = consumer
	c.listen, err = consumer.Consume(func(m jetstream.Msg) {
		if c.hear(m) == 0 {
			have()
		}
	}, jetstream.PullMaxMessages(16))
	if err != nil {
		return err
	}
	select { // what was judged for an earlier collector is not asked for again
	case <-there:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// The names of the consumers of the two streams.
const (
	workers    = "workers"
	collectors = "collector"
)

// spans lists the positions that a stream of work holds, in order.
func spans(ctx context.Context, s jetstream.Stream) (list [][2]int, err error) {
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return nil, err
	}
	for subject := range info.State.Subjects {
		if first, n, ok := span(subject); ok {
			list = append(list, [2]int{first, first + n})
		}
	}
	slices.SortFunc(list, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	return list, nil
}

// covered reports whether a position is in one of the spans.
func covered(list [][2]int, position int) bool {
	return slices.ContainsFunc(list, func(s [2]int) bool { return s[0] <= position && position < s[1] })
}

// remove removes streams.
func (c *Collector) remove(ctx context.Context, names ...string) error {
	for _, name := range names {
		if err := c.conn.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

// hear takes a message of answers, and gives how many more there were when the server sent it.
func (c *Collector) hear(m jetstream.Msg) uint64 {
	meta, err := m.Metadata()
	if err != nil {
		return 0
	}
	list, err := decodeAnswers(m.Data())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen, c.heard = max(c.seen, meta.Sequence.Stream), time.Now()
	if err != nil {
		c.conn.note(fmt.Sprintf("an answer cannot be read and is left out: %v", err))
		_ = m.Term()
		return meta.NumPending
	}
	from := &message{m, 1}
	for _, a := range list.List {
		p := c.waiting[a.Position]
		d := &delivered{a, list.Worker, from}
		switch {
		case p != nil && !p.answered:
			p.answered, p.from = true, from
			from.left++
			p.answers <- d
		case a.Position >= c.next && c.early[a.Position] == nil:
			from.left++
			c.early[a.Position] = d
		}
	}
	from.done()
	return meta.NumPending
}

// done counts an answer as written, or of no use. After the last one the message is acknowledged.
func (m *message) done() {
	if m.left--; m.left == 0 {
		_ = m.Ack() // if it is lost the message comes again, and is of no use then
	}
}

// Submit publishes a dialogue, unless the streams hold it or its record. Positions grow.
func (c *Collector) Submit(position int, s dialogue.Sample) *Pending {
	p := &Pending{position: position, sample: s, answers: make(chan *delivered, 1)}
	// Nobody else may read what is to be masked, and a worker would judge the masked words differently.
	isMasked := c.judge.Redact && !slices.Equal(c.judge.Blank(s).Dialogue.Turns, s.Dialogue.Turns)
	encoded := taskOf(position, s.Dialogue).encode()
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, d := range c.early { // positions before this one that were not submitted are in the run already
		if at < position {
			delete(c.early, at)
			d.from.done()
		}
	}
	c.next = position + 1
	c.waiting[position] = p
	if isMasked || len(encoded) > int(c.conn.nc.MaxPayload())*9/10 {
		p.answered = true // judged here
		p.answers <- nil
		return p
	}
	if d := c.early[position]; d != nil {
		delete(c.early, position)
		p.answered, p.sent, p.from = true, true, d.from
		p.answers <- d
		return p
	}
	if covered(c.ours, position) {
		p.sent = true
		return p
	}
	c.queue(position, encoded)
	return p
}

// queue puts a task into the next message, with others before it in the run: so many that their records, which are several
// times as long, are one message as well. A model takes long for each, so that each has a message of its own.
func (c *Collector) queue(position int, encoded []byte) {
	const patience = 20 * time.Millisecond
	most := int(c.conn.nc.MaxPayload()) / 16
	if n := len(c.queued); n > 0 && (c.bytes+len(encoded) > most || position != c.first+n) {
		c.send()
	}
	if len(c.queued) == 0 {
		c.first, c.bytes = position, 0
	}
	c.queued, c.bytes = append(c.queued, encoded), c.bytes+len(encoded)
	switch {
	case c.judge.Model != nil || len(c.queued) == mostInMessage:
		c.send()
	case len(c.queued) == 1:
		c.flush = time.AfterFunc(patience, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.send()
		})
	}
}

// send publishes what is queued, after what was queued before: on a server with little room, the dialogue that all
// others wait for must come first.
func (c *Collector) send() {
	if c.flush != nil {
		c.flush.Stop()
	}
	if tasks, first := c.queued, c.first; len(tasks) > 0 {
		before, done := c.sending, make(chan struct{})
		c.queued, c.sending = nil, done
		go func() {
			defer close(done)
			if before != nil {
				<-before
			}
			c.publish(first, 0, tasks...)
		}()
	}
}

// publish publishes tasks, from a position on, in one message.
func (c *Collector) publish(first, again int, tasks ...[]byte) {
	name := fmt.Sprintf("%s.%d.%d", c.names.in, first, len(tasks))
	m := nats.NewMsg(name)
	m.Data = encodeWork(tasks...)
	id := strings.TrimPrefix(name, "assize.work.")
	if again > 0 {
		id = fmt.Sprintf("%s.%d", id, again)
	}
	m.Header.Set(jetstream.MsgIDHeader, id)
	_, err := c.conn.publish(c.ctx, m, "dialogues")
	if err != nil {
		if c.ctx.Err() == nil {
			c.stop(err)
		}
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range tasks {
		if p := c.waiting[first+i]; p != nil {
			p.sent = true
		}
	}
}

// Take waits for the record of a dialogue. What no worker can have is judged here.
func (c *Collector) Take(ctx context.Context, p *Pending) (*run.Record, error) {
	own := c.judge.Blank(p.sample)
	for {
		var d *delivered
		select {
		case d = <-p.answers:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case d == nil, d.TooLarge:
			return c.here(ctx, p)
		case d.Failed != "" && p.again == 0 && c.judge.Model == nil: // one by one they tell which of the message it was
			c.resubmit(p)
			continue
		case d.Failed != "":
			own.Reason = c.judge.Shown(fmt.Sprintf("no worker has judged it in %d tries: %s", tries, d.Failed))
			c.stats.failed(fmt.Sprintf("%s: dialogue %d: %s", own.Source.File, own.Dialogue.ID, own.Reason))
			return own, nil
		}
		r, err := d.recordOf(own, p.sample.Dialogue.Turns, &c.header)
		if err == nil {
			c.stats.done(1)
			return r, nil
		}
		if p.again > 0 { // somebody else writes into the stream
			c.conn.note(fmt.Sprintf("%s: dialogue %d: what %s says of it cannot be used (%v); judged here", own.Source.File,
				own.Dialogue.ID, d.worker, err))
			return c.here(ctx, p)
		}
		c.resubmit(p) // the input has changed since an earlier collector published it
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

// resubmit publishes a dialogue whose answer is of no use once more.
func (c *Collector) resubmit(p *Pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.from.done()
	p.from, p.answered = nil, false
	c.again(p)
}

// again publishes a dialogue once more, in a message of its own.
func (c *Collector) again(p *Pending) {
	p.sent = false
	p.again++
	go c.publish(p.position, p.again, taskOf(p.position, p.sample.Dialogue).encode())
}

// Written tells that the record of a dialogue is where it should be.
func (c *Collector) Written(p *Pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, p.position)
	if p.from != nil {
		p.from.done()
	}
}

// watch looks every few seconds for work that the server has lost, by a power failure for instance, and publishes it
// again.
func (c *Collector) watch() {
	const every = 5 * time.Second
	for sleep(c.ctx, every); c.ctx.Err() == nil; sleep(c.ctx, every) {
		c.mu.Lock()
		quiet := time.Since(c.heard) > every
		c.mu.Unlock()
		if quiet {
			c.makeRoom()
			c.mend()
		}
		if err := c.conn.refused(); err != nil {
			c.stop(err)
		}
	}
}

// mend publishes again what the server has lost. A worker publishes an answer before it acknowledges the work, so work
// that is no longer in the first stream has its answer in the second one. A dialogue is lost if all answers there have
// come and none was for it.
func (c *Collector) mend() {
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
		return
	}
	there, replies, err := c.held(ctx)
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
		c.stop(errors.New("the streams of the run were removed from the NATS server; the same command makes them again"))
	}
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if replies.NumPending > 0 || replies.Delivered.Stream > c.seen {
		return
	}
	slices.SortFunc(open, func(a, b *Pending) int { return cmp.Compare(a.position, b.position) })
	for _, p := range open {
		if p.sent && !p.answered && !covered(there, p.position) {
			c.again(p)
		}
	}
}

// held gives the positions that the stream of work holds, and how far the answers have come. It tells once that no
// worker asks for work.
func (c *Collector) held(ctx context.Context) (there [][2]int, replies *jetstream.ConsumerInfo, err error) {
	queue, err := c.conn.Stream(ctx, c.names.work)
	if err != nil {
		return nil, nil, err
	}
	consumer, err := queue.Consumer(ctx, workers)
	if err != nil {
		return nil, nil, err
	}
	if at := consumer.CachedInfo(); at.NumWaiting == 0 && at.NumAckPending == 0 && at.NumPending > 0 && !c.told {
		c.told = true
		c.conn.note("no worker asks for the work; assize fleet shows which there are")
	}
	if there, err = spans(ctx, queue); err != nil {
		return nil, nil, err
	}
	replies, err = c.replies.Info(ctx)
	return there, replies, err
}

// makeRoom acknowledges the answers that have come, where they take much of the stream: they are in memory, and the one
// that all others wait for needs the room.
func (c *Collector) makeRoom() {
	ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second)
	defer cancel()
	answers, err := c.conn.Stream(ctx, c.names.answers)
	if err != nil || answers.CachedInfo().State.Bytes < uint64(c.Storage)<<20/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.waiting {
		if p.from != nil {
			_ = p.from.Ack()
		}
	}
}

// Close ends the work; the error is what kept it from going on, if anything did. The streams of a run that is complete,
// or that cannot be resumed, are removed.
func (c *Collector) Close(complete bool) (err error) {
	defer c.end()
	c.listen.Stop()
	c.stats.close()
	if c.outer.Err() == nil {
		err = context.Cause(c.ctx)
	}
	if c.Keep || !complete && c.Resumes {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return errors.Join(err, c.conn.explain(c.remove(ctx, c.names.work, c.names.answers)))
}

func (c *Collector) end() {
	c.stop(nil)
	c.conn.Close()
}

// Context ends where the work ends.
func (c *Collector) Context() context.Context { return c.ctx }
