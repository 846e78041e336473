package fleet

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// status is the self-description of a worker or a collector.
type status struct {
	Kind        string    `json:"kind"` // "worker" or "collector"
	Host        string    `json:"host"`
	Process     int       `json:"process"`
	Fingerprint string    `json:"fingerprint"`
	Run         string    `json:"run,omitempty"`   // only for a collector
	Model       string    `json:"model,omitempty"` // only for a worker
	Begun       time.Time `json:"begun"`
	Done        int       `json:"done"`   // dialogues judged by this process
	Failed      int       `json:"failed"` // failed attempts
	Rate        float64   `json:"rate"`   // dialogues per second, averaged over about a minute
	UnderWay    int       `json:"under_way"`
	Failures    []string  `json:"failures,omitempty"`
}

// stats counts the work of a process and reports it on request.
type stats struct {
	sub      *nats.Subscription
	underWay func() int // dialogues in hand, or submitted and not written

	mu      sync.Mutex
	status  status
	recent  float64   // dialogues, weighted by age: exp(-minutes)
	updated time.Time // when recent was updated
}

// statusSubject is the subject of status requests.
const statusSubject = "assize.status"

// serveStatus answers status requests and, if an address is given, serves metrics there.
func (c *Conn) serveStatus(s status, metrics string, underWay func() int) (*stats, error) {
	s.Host, s.Process, s.Begun = host(), os.Getpid(), time.Now().UTC().Truncate(time.Second)
	a := &stats{status: s, underWay: underWay}
	sub, err := c.nc.Subscribe(statusSubject, func(m *nats.Msg) {
		_ = m.Respond(rubric.AppendJSON(nil, a.snapshot()))
	})
	if err != nil {
		return nil, c.explain(err)
	}
	if a.sub = sub; metrics == "" {
		return a, nil
	}
	// until the process ends
	listener, err := net.Listen("tcp", metrics)
	if err != nil {
		return a, fmt.Errorf("metrics %s: %w", metrics, err)
	}
	go func() {
		_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_ = metricsForm.Execute(w, a.snapshot())
		}))
	}()
	return a, nil
}

// decay reduces the weight of recent dialogues by the time that has passed.
func (a *stats) decay() {
	now := time.Now()
	a.recent *= math.Exp(-now.Sub(a.updated).Minutes())
	a.updated = now
}

// done counts n finished dialogues.
func (a *stats) done(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.decay()
	a.recent += float64(n)
	a.status.Done += n
}

// failed counts a failure.
func (a *stats) failed(why string) {
	const limit = 10
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status.Failed++
	a.status.Failures = append(a.status.Failures, why)
	a.status.Failures = a.status.Failures[max(0, len(a.status.Failures)-limit):]
}

// snapshot returns the current status.
func (a *stats) snapshot() status {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.decay()
	s := a.status
	s.Failures, s.UnderWay = slices.Clone(s.Failures), a.underWay()
	over := 60 * (1 - math.Exp(-max(time.Since(s.Begun), time.Second).Minutes()))
	s.Rate = math.Round(100*a.recent/over) / 100
	return s
}

//go:embed metrics.tmpl
var metricsText string

// metricsForm is the form of metrics, the Prometheus text format.
var metricsForm = template.Must(template.New("metrics").Parse(metricsText))

// Short returns the fingerprint as metrics and people have it.
func (s status) Short() string { return shortFingerprint(s.Fingerprint) }

// Survey describes the runs on a server, found by their streams, and the processes that answer.
type Survey struct {
	Runs      []runState `json:"runs"`
	Processes []status   `json:"processes"`
}

// runState is a run with streams on the server.
type runState struct {
	Name        string `json:"name"`
	Host        string `json:"host"` // host of its collector
	Fingerprint string `json:"fingerprint"`
	Waiting     uint64 `json:"waiting"`     // work messages that no worker has
	InProgress  int    `json:"in_progress"` // work messages that workers have
	Redelivered int    `json:"redelivered"` // those of them that were delivered to a worker before
	// messages with answers that the collector has not written
	Unwritten uint64 `json:"unwritten"`
	Bytes     uint64 `json:"bytes"`     // total size of the streams
	Workers   int    `json:"workers"`   // workers that could do its work
	Collected bool   `json:"collected"` // its collector answers
}

// Inspect asks the server for the streams of runs, and all processes for their status; processes
// that do not answer within a second are ignored.
func Inspect(ctx context.Context, c *Conn) (*Survey, error) {
	s := &Survey{Runs: []runState{}, Processes: []status{}}
	inbox := c.nc.NewInbox()
	replies, err := c.nc.SubscribeSync(inbox)
	if err != nil {
		return nil, c.explain(err)
	}
	defer func() { _ = replies.Unsubscribe() }()
	if err := c.nc.PublishMsg(&nats.Msg{Subject: statusSubject, Reply: inbox}); err != nil {
		return nil, c.explain(err)
	}
	until, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	for {
		m, err := replies.NextMsgWithContext(until)
		if err != nil {
			break
		}
		var p status
		if rubric.ParseJSON(m.Data, &p) == nil && p.Kind != "" {
			s.Processes = append(s.Processes, p)
		}
	}
	slices.SortFunc(s.Processes, func(a, b status) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Host, b.Host),
			cmp.Compare(a.Process, b.Process))
	})
	api, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	list := c.ListStreams(api, jetstream.WithStreamListSubject("assize.work.>"))
	for info := range list.Info() {
		about := info.Config.Metadata
		r := runState{Name: about["run"], Host: about["host"], Fingerprint: about["fingerprint"],
			Bytes: info.State.Bytes}
		if queue, err := c.Consumer(api, info.Config.Name, workers); err == nil {
			at := queue.CachedInfo()
			r.Waiting, r.InProgress, r.Redelivered =
				at.NumPending, at.NumAckPending, at.NumRedelivered
		}
		names := namesOf(r.Fingerprint, strings.TrimPrefix(info.Config.Name, workStream))
		if answers, err := c.Stream(api, names.answers); err == nil {
			r.Unwritten = answers.CachedInfo().State.Msgs
			r.Bytes += answers.CachedInfo().State.Bytes
		}
		for _, p := range s.Processes {
			if shortFingerprint(p.Fingerprint) == r.Fingerprint && p.Kind == "worker" {
				r.Workers++
			}
			r.Collected = r.Collected || p.Kind == "collector" && p.Run == r.Name &&
				p.Host == r.Host
		}
		s.Runs = append(s.Runs, r)
	}
	slices.SortFunc(s.Runs, func(a, b runState) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Host, b.Host))
	})
	return s, c.explain(list.Err())
}

// Text writes the survey for people.
func (s *Survey) Text(p *ui.Page) {
	runs := ui.NewTable("", "Run<40", "Host=20", "Waiting>", "In progress>", "Redelivered>",
		"Unwritten>", "MB>", "Workers>", "State")
	for _, r := range s.Runs {
		state := "running"
		switch {
		case !r.Collected:
			state = "stopped: the same command resumes it"
		case r.Workers == 0:
			state = "no worker has its fingerprint"
		}
		runs.Add(r.Name, ui.Clip(r.Host, 40), r.Waiting, r.InProgress, r.Redelivered, r.Unwritten,
			fmt.Sprintf("%.1f", float64(r.Bytes)/1e6), r.Workers, state)
	}
	workers := ui.NewTable("", "Process", "Host=20", "Model=20", "Fingerprint", "Done>",
		"A second>", "Failed>", "Since")
	var failures []string
	for _, w := range s.Processes {
		workers.Add(fmt.Sprintf("%s %d", w.Kind, w.Process), ui.Clip(w.Host, 40), w.Model,
			shortFingerprint(w.Fingerprint), w.Done,
			fmt.Sprintf("%.2f", w.Rate), w.Failed, w.Begun.Format("2006-01-02 15:04"))
		for _, f := range w.Failures {
			failures = append(failures, fmt.Sprintf("%s, process %d: %s", w.Host, w.Process, f))
		}
	}
	if len(s.Runs) == 0 {
		fmt.Fprintln(p, "No run is on the server.")
	}
	p.Table(runs)
	if len(s.Processes) == 0 {
		fmt.Fprintln(p, "No worker and no collector answers.")
	}
	p.Table(workers)
	for _, f := range failures[:min(len(failures), 20)] {
		p.Paragraph(ui.Plain, "failed: ", "        ", ui.Visible(f))
	}
}
