package fleet

import (
	"fmt"
	"net"
	"net/http"
	"strings"
)

// serveMetrics serves the figures of this process for Prometheus, in its text format, until the process ends.
func (a *stats) serveMetrics(address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("--metrics %s: %w", address, err)
	}
	go func() {
		_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_, _ = fmt.Fprint(w, a.now().metrics())
		}))
	}()
	return nil
}

// metrics gives the figures in the text format of Prometheus.
func (s status) metrics() string {
	var b strings.Builder
	for _, m := range []struct {
		name, kind, help string
		value            any
	}{
		{"dialogues_total", "counter", "Dialogues that this process has judged, or collected.", s.Done},
		{"failures_total", "counter", "Tries at a dialogue that failed.", s.Failed},
		{"dialogues_per_second", "gauge", "Dialogues a second, in the last minute.", s.Rate},
		{"under_way", "gauge", "Dialogues that are in hand, or submitted and not written.", s.UnderWay},
		{"start_time_seconds", "gauge", "When this process began, in seconds since 1970.", s.Begun.Unix()},
	} {
		name := "assize_" + s.Kind + "_" + m.name
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s{fingerprint=%q} %v\n", name, m.help, name, m.kind, name, short(s.Fingerprint), m.value)
	}
	return b.String()
}
