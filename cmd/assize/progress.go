package main

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"assize/rubric/dialogue"
)

// progress tells how far a run has come, at its pace.
type progress struct {
	*program
	count func() // begins to count what there is to do, when a run takes long enough to be told of

	begun  time.Time    // of what is done now; what stood there before says nothing of the rate
	counts bool         // count has begun
	total  atomic.Int64 // of dialogues; 0 while it is not known
}

// follow gives the progress of a score.
func (p *program) follow(ctx context.Context, o *scoreOptions, files []string, reading dialogue.Options) *progress {
	g := &progress{program: p, begun: time.Now()}
	if !o.run.quiet {
		p.pace = p.paced(o.output)
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
	if standing {
		g.begun = time.Now()
	}
	if !g.pace.due() {
		return
	}
	if !g.counts {
		g.counts = true
		g.count()
	}
	g.tell(t.progress(time.Since(g.begun), int(g.total.Load())))
}
