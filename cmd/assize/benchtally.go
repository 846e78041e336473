package main

import (
	"fmt"
	"time"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/localllm"
)

// benchTally counts what a model has done in a run.
type benchTally struct {
	dialogues, unjudged int // those of the run that it was asked about, and those of them that it left unscored
	now                 int // those that it was asked about now; so is all that follows
	calls, cached       int
	read, generated     int // tokens
	busy, waited        time.Duration
}

func (t *benchTally) add(r *record.Record, judged bool) {
	if r.Model == nil {
		return
	}
	t.dialogues++
	if !r.Scored() {
		t.unjudged++
	}
	if !judged {
		return
	}
	t.now++
	for _, c := range r.Model.Calls {
		t.calls++
		t.read += c.PromptTokens
		t.generated += c.Generated
	}
	times := r.Model.Timings
	for _, c := range times.Calls {
		t.busy += c.Total
		if c.Cached {
			t.cached++
		}
	}
	t.busy += times.Primed
	t.waited += times.Waited
}

// report tells what the model has done, and warns where that means little.
func (t *benchTally) report(p *program, m *localllm.Model) {
	if t.dialogues == 0 {
		return
	}
	if t.now > 0 {
		p.note(t.work(m.Identity().Name))
	}
	if n, constant := m.Constant(); constant {
		p.note(fmt.Sprintf("the model gave all %d dialogues the same six scores, so it judges nothing; assize explain constant", n))
	}
	switch {
	case t.unjudged == t.dialogues:
		p.complain(withHints(fmt.Errorf("the model judged none of the %s; the reasons stand in the results", report.Counted(t.dialogues, "dialogue")),
			"--fallback rules lets the rules judge instead"))
	case t.unjudged > 0:
		p.note(fmt.Sprintf("the model did not judge %d of %d dialogues, which %s unscored", t.unjudged, t.dialogues, is(t.unjudged)))
	}
}

// work tells what it took to judge.
func (t *benchTally) work(model string) string {
	says := fmt.Sprintf("%s: %s, %s, %d tokens read and %d generated, %.1f s (%.1f a dialogue)",
		model, report.Counted(t.now, "dialogue"), report.Counted(t.calls, "call"), t.read, t.generated,
		t.busy.Seconds(), t.busy.Seconds()/float64(t.now))
	if t.cached > 0 {
		says += fmt.Sprintf("; %d answers from the cache", t.cached)
	}
	if t.waited > 0 {
		says += fmt.Sprintf("; the server was waited for, %.1f s in all", t.waited.Seconds())
	}
	return says
}
