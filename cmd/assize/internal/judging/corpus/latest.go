package corpus

import (
	"context"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
)

// Latest is like [Corpus.Once] but leaves out, with a warning, the beginnings of dialogues that
// have grown: another one has the same ID, the same first turns, and more. For this it first reads
// the sources of runs, and several tables and JSON files, an additional time. It does not compare
// masked dialogues, and none if only some days are wanted.
func (c *Corpus) Latest(ctx context.Context) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		beginnings, n := c.beginnings(ctx), 0
		for e := range c.Once(ctx) {
			if e.Err == nil && beginnings[e.Record.Identity()] {
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

// beginnings returns the dialogues that [Corpus.Latest] leaves out.
func (c *Corpus) beginnings(ctx context.Context) map[run.Identity]bool {
	const maxVersions = 100 // which bounds the comparisons
	type version struct {
		of    run.Identity
		turns []uint64 // the hash of each
	}
	type start struct { // what the versions of a dialogue have in common
		file, name string // no file if the name is the source's own ID
		first      uint64
	}
	all, found, seed := map[start][]version{}, map[run.Identity]bool{}, maphash.MakeSeed()
	for r := range c.unjudged(ctx) {
		if len(r.Dialogue.Turns) == 0 || r.Masked {
			continue
		}
		this := version{of: r.Identity()}
		for _, t := range r.Dialogue.Turns {
			this.turns = append(this.turns, maphash.Comparable(seed, t))
		}
		at := start{name: r.Name(), first: this.turns[0]}
		if r.Source.ID == "" {
			at.file = r.Source.File
		}
		if len(all[at]) == maxVersions { // the name is no ID
			continue
		}
		for _, other := range all[at] {
			short, long := this, other
			if len(short.turns) > len(long.turns) {
				short, long = other, this
			}
			n := len(short.turns)
			if n < len(long.turns) && slices.Equal(short.turns, long.turns[:n]) {
				found[short.of] = true
			}
		}
		all[at] = append(all[at], this)
	}
	return found
}

// unjudged yields the dialogues that may have grown. It reports no errors.
func (c *Corpus) unjudged(ctx context.Context) iter.Seq[*run.Record] {
	return func(yield func(*run.Record) bool) {
		if slices.ContainsFunc(c.Files, IsStream) || c.Rules != nil && len(c.Files) == 1 ||
			c.between() != "" { // the days might have only the beginning
			return
		}
		if c.Rules == nil {
			again := Corpus{Console: &console.Console{}, Files: c.Files}
			turns, grown := map[string]int{}, map[string]bool{} // by name
			for e := range again.Lines() {
				if ctx.Err() != nil {
					return
				}
				src, name := e.Line.Source()
				grown[name] = grown[name] || turns[name] > 0 && turns[name] != src.Turns
				turns[name] = src.Turns
			}
			maps.DeleteFunc(grown, func(_ string, is bool) bool { return !is })
			for e := range again.Lines() {
				if _, name := e.Line.Source(); len(grown) == 0 || ctx.Err() != nil {
					return
				} else if !grown[name] {
					continue
				}
				if r, err := e.Line.Decode(); err == nil && !yield(r) {
					return
				}
			}
			return
		}
		isText := func(file string) bool { return strings.HasSuffix(file, ".txt") } // has no IDs
		for it := range source.Read(nil, ui.Without(c.Files, isText), c.options) {
			if ctx.Err() != nil || it.Err == nil && !yield(run.New(it.Sample)) {
				return
			}
		}
	}
}
