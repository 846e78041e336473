package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"

	"assize/cmd/assize/internal/bench"
	"assize/cmd/assize/internal/record"
	pool "assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/triage"
	"assize/heuristics"
	"assize/rubric/dialogue"
)

// cascade is a triage in which a model is asked about some dialogues. Everything is read twice: all by the rules, and
// then once more, to find what was picked. In between only the places are kept, some sixty bytes a dialogue.
type cascade struct {
	*desk
	model  *court
	places []triage.Place // of all that is ranked
}

// openCascade makes the model ready, before anything is judged.
func (d *desk) openCascade(ctx context.Context, o *triageOptions) (*cascade, error) {
	for _, file := range d.files {
		if info, err := os.Stat(file); file == stdinName || err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: is read twice with --budget, and can be read only once; want a file", file)
		}
	}
	c := &cascade{desk: d}
	if d.runs {
		if err := d.firstHeader(); err != nil {
			return nil, err
		}
		basis := d.under.Basis
		c.model = &court{agents: d.agents, bench: bench.New(d.agents, basis.Rubric, basis.Profile), redact: d.redact}
	} else {
		rules := *d.court.bench
		c.model = &court{agents: d.agents, bench: &rules, redact: d.redact}
	}
	return c, c.model.seat(ctx, &o.bench)
}

// firstHeader reads the header of the first run, which says by what the model is to judge. The error is of a run whose
// dialogues cannot be judged again as they were.
func (d *desk) firstHeader() error {
	for e := range d.p.lines(d.files[:1]) {
		d.see(e.line.Header)
		break
	}
	cannot := func(why string) error {
		return withHints(fmt.Errorf("%s: --budget cannot be used: %s", d.files[0], why), "assize triage TRANSCRIPTS --budget … judges the transcripts themselves")
	}
	switch h := d.under; {
	case h == nil:
		return cannot("the run has no header, so nobody knows what judged it")
	case h.Configuration.Evaluator != bench.ByRules || h.Configuration.Critic != bench.ByRules:
		return cannot("a model has judged all of the run; --sort disagreement ranks by what it said")
	case h.Configuration.Redacted:
		return cannot("the run is redacted, and the model would judge what is masked")
	case h.Configuration.Transcript != "full":
		return cannot("the run keeps only the turns that are cited")
	case h.Lexicon != d.agents.Digest():
		return cannot("another lexicon made it, so the rules would say otherwise now")
	}
	return nil
}

// place keeps a place, since the model may be asked about its dialogue. The nil cascade keeps none.
func (c *cascade) place(p triage.Place) {
	if c != nil {
		c.places = append(c.places, p)
	}
}

// profile is by what satisfaction was estimated.
func (c *cascade) profile() heuristics.Profile { return c.model.bench.Profile }

// picked is a dialogue that was picked, and opinion what rules and model make of it.
type (
	picked struct {
		triage.Pick
		item  item
		rules *record.Record // of a run, what stands there
	}
	opinion struct {
		picked
		model *record.Record
		err   error
	}
)

// again reads everything once more, and gives what was picked.
func (c *cascade) again(picks []triage.Pick) iter.Seq[picked] {
	wanted := map[int]triage.Pick{}
	for _, pick := range picks {
		wanted[pick.At] = pick
	}
	if !c.runs {
		return func(yield func(picked) bool) {
			for at, it := range counted(c.p.samples(c.files, c.reading)) {
				if pick, ok := wanted[at]; ok && !yield(picked{pick, it, nil}) {
					return
				}
			}
		}
	}
	return func(yield func(picked) bool) {
		for e := range c.p.lines(c.files) {
			if pick, ok := wanted[e.at]; ok && !yield(recalled(pick, e)) {
				return
			}
		}
	}
}

// recalled makes of a line of a run what can be judged again.
func recalled(pick triage.Pick, e entry) picked {
	r, err := e.record, e.err
	if err == nil {
		r, err = e.line.Decode()
	}
	if err != nil {
		return picked{pick, item{err: err}, nil}
	}
	source := dialogue.Source{File: r.Source.File, Format: r.Source.Format, Position: r.Dialogue.ID, ID: r.Source.ID}
	return picked{pick, item{sample: dialogue.Sample{Dialogue: r.Dialogue, Truth: r.Truth, Source: source}}, r}
}

// try has the rules and the model judge what was picked.
func (c *cascade) try(ctx context.Context, k picked) opinion {
	rules := outcome{record: k.rules, err: k.item.err}
	if !c.runs {
		rules = c.court.try(ctx, k.item)
	}
	k.rules = rules.record
	switch {
	case rules.err != nil:
		return opinion{picked: k, err: rules.err}
	case !k.rules.Scored() || triage.PlaceOf(k.rules, k.At) != k.Place:
		return opinion{picked: k, err: errChanged}
	}
	res := c.model.try(ctx, k.item)
	return opinion{k, res.record, res.err}
}

var errChanged = errors.New("a file changed while it was read; want files that nobody writes to")

// ask has the model judge what is picked, and enters what it says.
func (p *program) ask(ctx context.Context, c *cascade, s *triage.Sheet, o *triageOptions) error {
	if c.mixed {
		return errors.New("--budget cannot be used with runs that were judged by different rubrics, lexicons or profiles")
	}
	picks := triage.Choose(c.places, o.budget.Of(len(c.places)), o.top, c.profile().Triage)
	opinions := s.Hear(o.top)
	var t benchTally
	p.pace = p.asked()
	defer p.clear()
	heard := 0
	for op := range pool.Ordered(ctx, 1, c.again(picks), c.try) {
		switch {
		case errors.Is(op.err, context.Canceled): // it is told below
			continue
		case op.err != nil:
			return op.err
		}
		heard++
		t.add(op.model, true)
		p.step(&t, len(picks))
		opinions.Add(op.Pick, op.rules, op.model)
	}
	p.clear()
	switch {
	case ctx.Err() != nil:
		return withHints(fmt.Errorf("stopped after the model had judged %d of the %d picked dialogues; nothing is ranked", heard, len(picks)),
			"--cache DIR keeps its answers, so that asking again is free")
	case heard < len(picks):
		return errChanged
	}
	t.report(p, c.model.bench.Model)
	opinions.Close(c.places)
	s.Cascade = &triage.Cascade{Model: c.model.bench.Model.Identity().Name, Asked: heard, Unjudged: t.unjudged, Calls: t.calls}
	return nil
}
