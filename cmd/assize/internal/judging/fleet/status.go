package fleet

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

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
	// in the Prometheus text format, until the process ends
	listener, err := net.Listen("tcp", metrics)
	if err != nil {
		return a, fmt.Errorf("metrics %s: %w", metrics, err)
	}
	go func() {
		_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_, _ = fmt.Fprint(w, a.snapshot().metrics())
		}))
	}()
	return a, nil
}

func (a *stats) close() { _ = a.sub.Unsubscribe() }

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

// metrics returns the status in the Prometheus text format.
func (s status) metrics() string {
	var b strings.Builder
	for _, m := range []struct {
		name, kind, help string
		value            any
	}{
		{"dialogues_total", "counter", "Dialogues that this process has judged, or collected.",
			s.Done},
		{"failures_total", "counter", "Failed attempts to judge a dialogue.", s.Failed},
		{"dialogues_per_second", "gauge", "Dialogues a second, over about a minute.", s.Rate},
		{"under_way", "gauge", "Dialogues in progress, or submitted and not yet written.",
			s.UnderWay},
		{"start_time_seconds", "gauge", "When this process began, in seconds since 1970.",
			s.Begun.Unix()},
	} {
		name := "assize_" + s.Kind + "_" + m.name
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, m.help, name, m.kind)
		fmt.Fprintf(&b, "%s{fingerprint=%q} %v\n", name, shortFingerprint(s.Fingerprint), m.value)
	}
	return b.String()
}
