package localllm_test

import (
	"fmt"
	"testing"

	"assize/rubric"
)

// BenchmarkSession judges a dialogue of forty turns with both agents. Requests are made one at a
// time and the fake server runs in the same process, so the result includes its time.
func BenchmarkSession(b *testing.B) {
	var lines []string
	for i := range 20 {
		lines = append(lines,
			fmt.Sprintf(
				"USER: I'd like to know about number %d, if you don't mind. Is it any good?", i),
			fmt.Sprintf(
				"SYSTEM: Number %d is one of the best that we have, and it costs ten pounds.", i))
	}
	c := rubric.Case{Dialogue: talk(lines...), Signals: booking().Signals}
	s := serve(b)
	m := open(b, options(s))
	b.ReportAllocs()
	for b.Loop() {
		if r := try(m, c); r.err != nil {
			b.Fatal(r.err)
		}
	}
}

// BenchmarkCached is like BenchmarkSession with all answers cached, so the result excludes the
// server.
func BenchmarkCached(b *testing.B) {
	s := serve(b)
	o := options(s)
	o.Cache = openCache(b, b.TempDir())
	m := open(b, o)
	b.ReportAllocs()
	for b.Loop() {
		if r := try(m, booking()); r.err != nil {
			b.Fatal(r.err)
		}
	}
}
