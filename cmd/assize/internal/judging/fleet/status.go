package fleet

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
)

// metrics counts the work of a process for Prometheus.
type metrics struct {
	Kind        string // "worker" or "collector"
	Fingerprint string
	Begun       time.Time
	Done        atomic.Int64 // dialogues that this process has judged, or collected
	Failed      atomic.Int64 // failed attempts
	UnderWay    func() int   // dialogues in progress, or submitted and not written
}

var texts = prose.Of("fleet")

// serve begins to count the work with a fingerprint, and serves the metrics at an address, if there
// is one, until the process ends.
func (m *metrics) serve(address, kind, fingerprint string, underWay func() int) error {
	m.Kind, m.Fingerprint, m.UnderWay = kind, shortFingerprint(fingerprint), underWay
	if m.Begun = time.Now(); address == "" {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("metrics %s: %w", address, err)
	}
	go func() {
		_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_ = texts().ExecuteTemplate(w, "metrics", m)
		}))
	}()
	return nil
}

// Survey describes the runs on a server, as their streams and consumers show them.
type Survey struct {
	Runs []runState `json:"runs"`
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
	Requests  int    `json:"requests"`  // of idle workers for its work
	Collected bool   `json:"collected"` // its collector requests answers
}

// Inspect asks the server for the streams of runs.
func Inspect(ctx context.Context, c *Conn) (*Survey, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	s := &Survey{}
	list := c.ListStreams(ctx, jetstream.WithStreamListSubject("assize.work.>"))
	for info := range list.Info() {
		about := info.Config.Metadata
		r := runState{Name: about["run"], Host: about["host"], Fingerprint: about["fingerprint"],
			Bytes: info.State.Bytes}
		if queue, err := c.Consumer(ctx, info.Config.Name, workers); err == nil {
			at := queue.CachedInfo()
			r.Waiting, r.InProgress, r.Redelivered, r.Requests =
				at.NumPending, at.NumAckPending, at.NumRedelivered, at.NumWaiting
		}
		names := namesOf(r.Fingerprint, strings.TrimPrefix(info.Config.Name, workStream))
		if answers, err := c.Stream(ctx, names.answers); err == nil {
			r.Unwritten = answers.CachedInfo().State.Msgs
			r.Bytes += answers.CachedInfo().State.Bytes
		}
		replies, err := c.Consumer(ctx, names.answers, collectors)
		r.Collected = err == nil && replies.CachedInfo().NumWaiting > 0
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
		"Unwritten>", "MB>", "State")
	for _, r := range s.Runs {
		state := "running"
		switch {
		case !r.Collected:
			state = "stopped: the same command resumes it"
		case r.Waiting > 0 && r.InProgress+r.Requests == 0:
			state = "no worker requests its work"
		}
		runs.Add(r.Name, ui.Clip(r.Host, 40), r.Waiting, r.InProgress, r.Redelivered, r.Unwritten,
			fmt.Sprintf("%.1f", float64(r.Bytes)/1e6), state)
	}
	if len(s.Runs) == 0 {
		fmt.Fprintln(p, "No run is on the server.")
	}
	p.Table(runs)
}
