package main

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"assize/rubric/dialogue"
)

// progress tells how far a run has come: in a line on the terminal that is put anew, or in plain lines, for a log.
type progress struct {
	*program
	every time.Duration // between two lines at least; 0 for none
	count func()        // begins to count what there is to do, when a run takes long enough to be told of

	begun  time.Time // of what is done now; what stood there before says nothing of the rate
	told   time.Time
	counts bool         // count has begun
	total  atomic.Int64 // of dialogues; 0 while it is not known
}

// How often a person and a log are told.
const (
	everyGlance = 100 * time.Millisecond
	everyEntry  = 30 * time.Second
)

// follow gives the progress of a score.
func (p *program) follow(ctx context.Context, o *scoreOptions, files []string, reading dialogue.Options) *progress {
	now := time.Now()
	g := &progress{program: p, begun: now, told: now}
	switch p.pace = p.paced(o.output); {
	case o.run.quiet:
	case p.pace.shows:
		g.every = everyGlance
	case !p.watched() && o.output != "" && o.output != stdinName:
		g.every = everyEntry
	}
	ids := selection{wanted: o.ids, only: o.only}
	g.count = func() { go g.countAll(ctx, p, files, reading, ids) }
	return g
}

// countAll counts the dialogues of files, which can be read twice. It has a selection of its own.
func (g *progress) countAll(ctx context.Context, p *program, files []string, reading dialogue.Options, ids selection) {
	n := int64(0)
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // it may be there to be read only once
			return
		}
	}
	for it := range ids.from(p.samples(files, reading)) {
		switch {
		case ctx.Err() != nil:
			return
		case it.err == nil:
			n++
		}
	}
	g.total.Store(n)
}

// step tells how far the run is, if it is time to.
func (g *progress) step(t *tally, standing bool) {
	if g.every == 0 {
		return
	}
	now := time.Now()
	if standing {
		g.begun = now
	}
	if now.Sub(g.told) < g.every {
		return
	}
	if g.told = now; !g.counts {
		g.counts = true
		g.count()
	}
	if says := t.progress(now.Sub(g.begun), int(g.total.Load())); g.pace.shows {
		g.put(says)
	} else {
		g.note(says)
	}
}
