package corpus

import (
	"context"
	"hash/maphash"
	"iter"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
)

// input is a file of transcripts as one run or command has read it.
type input struct {
	header *run.Header
	file   string
}

// Latest is like [Corpus.Once] but leaves out, with a warning, the beginnings of dialogues that
// have grown: in another input, one with the same ID has the same first turns, and more. Those that
// are rated in the transcripts, or that Keep wants, remain. It first reads the sources of runs, or
// several tables and JSON files, an additional time. It does not compare masked words.
func (c *Corpus) Latest(ctx context.Context) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		beginnings, n := c.beginnings(ctx), 0
		for e := range c.Once(ctx) {
			if e.Err == nil && beginnings[e.Record.Identity()] && e.Record.Truth.Overall == nil &&
				(c.Keep == nil || !c.Keep(e.Record.Identity())) {
				n++
			} else if !yield(e) {
				return
			}
		}
		for _, s := range texts.List("grown", n) {
			c.Warn(s)
		}
	}
}

// beginnings returns the dialogues with which another one begins.
func (c *Corpus) beginnings(ctx context.Context) map[run.Identity]bool {
	const maxVersions = 100 // of an ID, which bounds the comparisons
	type version struct {
		of    run.Identity
		in    input
		turns []uint64 // the hash of each
	}
	all, found, seed := map[run.Origin][]version{}, map[run.Identity]bool{}, maphash.MakeSeed()
	for id, e := range c.unjudged(ctx) {
		r := e.Record
		if r.Masked || !c.wants(r.Date("")) || len(all[id]) == maxVersions {
			continue
		}
		this := version{of: r.Identity(), in: input{e.Line.Header, r.Source.File}}
		for _, t := range r.Dialogue.Turns {
			this.turns = append(this.turns, maphash.Comparable(seed, t))
		}
		for _, other := range all[id] {
			short, long := this, other
			if len(short.turns) > len(long.turns) {
				short, long = other, this
			}
			n := len(short.turns)
			if n < len(long.turns) && other.in != this.in &&
				slices.Equal(short.turns, long.turns[:n]) {
				found[short.of] = true
			}
		}
		all[id] = append(all[id], this)
	}
	return found
}

// unjudged yields the dialogues that may have grown, by their IDs. It reports no errors.
func (c *Corpus) unjudged(ctx context.Context) iter.Seq2[run.Origin, Entry] {
	return func(yield func(run.Origin, Entry) bool) {
		isText := func(file string) bool { return strings.HasSuffix(file, ".txt") } // has no IDs
		files := ui.Without(c.Files, isText)
		switch {
		case slices.ContainsFunc(c.Files, IsStream):
			return
		case c.Rules == nil:
			c.versions(ctx, yield)
			return
		case len(files) < 2:
			return
		}
		id := newIDs()
		for it := range source.Read(nil, files, c.options) {
			e := Entry{Line: run.Line{Header: c.header}, Record: run.New(it.Sample)}
			if ctx.Err() != nil || it.Err == nil &&
				!yield(id(c.header, e.Record.Source, e.Record.Name()), e) {
				return
			}
		}
	}
}

// versions yields the records of runs whose IDs occur with different numbers of turns.
func (c *Corpus) versions(ctx context.Context, yield func(run.Origin, Entry) bool) {
	again := Corpus{Console: &console.Console{}, Files: c.Files}
	each := func(visit func(id run.Origin, turns int, e Entry) bool) {
		id := newIDs()
		for e := range again.Lines() {
			src, name := e.Line.Source()
			if ctx.Err() != nil || !visit(id(e.Line.Header, src, name), src.Turns, e) {
				return
			}
		}
	}
	turns, differ := map[run.Origin]int{}, map[run.Origin]bool{}
	each(func(id run.Origin, n int, _ Entry) bool {
		if was, isKnown := turns[id]; isKnown && was != n {
			differ[id] = true
		}
		turns[id] = n
		return true
	})
	if len(differ) == 0 {
		return
	}
	each(func(id run.Origin, _ int, e Entry) bool {
		if !differ[id] {
			return true
		}
		var err error
		e.Record, err = e.Line.Decode()
		return err != nil || yield(id, e)
	})
}

// newIDs returns a function that returns the ID of each dialogue, in order: the source's own or, if
// it has none, the file and the dialogue's number, which then counts those of the file.
func newIDs() func(h *run.Header, src run.Source, name string) run.Origin {
	numbers := map[input]int{}
	return func(h *run.Header, src run.Source, name string) run.Origin {
		in := input{h, src.File}
		if numbers[in]++; src.ID == "" && name == strconv.Itoa(numbers[in]) {
			return run.Origin{File: src.File, Name: name}
		}
		return run.Origin{Name: name}
	}
}
