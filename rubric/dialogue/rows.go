package dialogue

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// row is one turn of a format that writes dialogues turn by turn.
type row struct {
	id     string  // of the conversation; empty for that of the row above
	turn   float64 // its number in the conversation; NaN where the source has none
	name   string
	text   string
	rating string
	meta   []Field // what else it says
	line   int
	err    *SyntaxError // what is wrong with the row itself
}

// rows groups consecutive rows into dialogues.
type rows struct {
	file *file
	open *draft
	list []row
	size int
	seen map[uint64]bool // hashes of the ids so far; the ids themselves may be long
}

// add takes the next row, and yields the dialogue before it where the row begins another.
func (g *rows) add(r row) error {
	if g.open != nil && r.id != "" && r.id != g.open.id {
		if err := g.flush(); err != nil {
			return err
		}
	}
	d := g.open
	if d == nil {
		d = g.file.draft(r.line, r.id)
		h := fnv.New64a()
		h.Write([]byte(r.id))
		if r.id != "" && g.seen[h.Sum64()] {
			d.wrong(r.line, "conversation "+quote(r.id)+
				" comes back after others, so its rows were read as several dialogues", "sort the file by conversation")
		}
		if g.seen == nil {
			g.seen = map[uint64]bool{}
		}
		g.seen[h.Sum64()] = true
		g.open, g.list, g.size = d, g.list[:0], 0
	}
	g.size += len(r.text)
	if r.err != nil {
		d.wrong(r.err.Line, r.err.Msg, r.err.Hint)
	} else if g.size > d.file.most.text || len(g.list) == d.file.most.turns {
		return errTooLong
	}
	if d.err != nil {
		g.list = g.list[:0]
		return nil
	}
	d.meta = agree(d.meta, r.meta)
	r.meta = nil
	g.list = append(g.list, r)
	return nil
}

// flush yields the open dialogue, if there is one. Its rows are put in the order of their numbers, where all have one.
func (g *rows) flush() error {
	d := g.open
	if d == nil {
		return nil
	}
	g.open = nil
	if !slices.ContainsFunc(g.list, func(r row) bool { return math.IsNaN(r.turn) }) {
		slices.SortStableFunc(g.list, func(a, b row) int { return cmp.Compare(a.turn, b.turn) })
	}
	for _, r := range g.list {
		if !g.file.isPrompt(r.name) {
			d.say(r.line, r.name, r.text)
		}
	}
	if d.err == nil {
		g.rate(d)
	}
	clear(g.list) // let go of the texts
	return d.emit()
}

// rate reads the ratings. Where all rows that have one say the same, it is the rating of the dialogue, which
// exports repeat in every row; where they differ, they are ratings of turns.
func (g *rows) rate(d *draft) {
	turns := make([][]float64, len(g.list))
	same, first := true, ""
	for i, r := range g.list {
		switch strings.ToLower(r.rating) {
		case "", "-", "n/a", "na", "nan", "none", "null":
			continue
		}
		given, bad := parseRatings(r.rating)
		if bad != "" {
			d.wrong(r.line, bad, ratingHint)
			return
		}
		turns[i] = given
		if first == "" {
			first, d.truth.Overall = r.rating, given
		}
		same = same && r.rating == first
	}
	if !same {
		d.truth = Truth{Turns: turns}
	}
}
