package dialogue

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// row is one turn of a format that writes dialogues turn by turn.
type row struct {
	id     string // of the conversation
	goesOn bool   // belongs to the conversation above, whatever id says
	turn   string // its number in the conversation; empty where the source has none
	name   string
	text   string
	marks  string  // ratings
	meta   []Field // what else it says; valid until the next row
	line   int
	err    *SyntaxError // what is wrong with the row itself
}

// rows groups the rows that stand together into dialogues.
type rows struct {
	file *file
	open *draft
	list []row
	size int
	meta gathered
	seen map[uint64]struct{} // hashes of the ids that ended; the ids themselves may be long
}

// add takes the next row, and yields the dialogue before it where the row begins another.
func (g *rows) add(r row) error {
	if g.open != nil && !r.goesOn && r.id != g.open.id {
		if err := g.flush(); err != nil {
			return err
		}
	}
	if g.open == nil {
		g.begin(r)
	}
	d := g.open
	if r.err != nil {
		d.wrong(r.err.Line, r.err.Msg, r.err.Hint)
	}
	g.size += len(r.text)
	switch {
	case g.size > d.file.most.text:
		d.wrong(r.line, tooLong, "give every conversation an id of its own")
	case len(g.list) == d.file.most.turns:
		d.wrong(r.line, tooMany, "give every conversation an id of its own")
	}
	if d.err != nil {
		g.list = g.list[:0]
		return nil
	}
	g.meta.add(r.meta)
	r.meta = nil
	g.list = append(g.list, r)
	return nil
}

func (g *rows) begin(r row) {
	g.open = g.file.draft(r.line, r.id)
	g.list, g.size = g.list[:0], 0
	if r.id == "" {
		return
	}
	if g.seen == nil {
		g.seen = make(map[uint64]struct{})
	}
	h := fnv.New64a()
	h.Write([]byte(r.id))
	key := h.Sum64()
	if _, again := g.seen[key]; again {
		g.open.wrong(r.line, "conversation "+quote(r.id)+" comes back after others, so its rows were read as several dialogues",
			"sort the file by conversation")
	}
	g.seen[key] = struct{}{}
}

// flush yields the open dialogue, if there is one.
func (g *rows) flush() error {
	d := g.open
	if d == nil {
		return nil
	}
	f := g.file
	g.open = nil
	d.meta = g.meta.take()
	g.order()
	marked := 0
	for _, r := range g.list {
		if !f.isPrompt(r.name) {
			d.say(r.line, r.name, r.text)
		}
		if r.marks != "" {
			marked++
		}
	}
	if marked > 0 && d.err == nil {
		g.rate(d)
	}
	clear(g.list) // let go of the texts
	return d.emit()
}

// order sorts the rows by the number of their turn, where every row has one.
func (g *rows) order() {
	type numbered struct {
		row
		n float64
	}
	list := make([]numbered, len(g.list))
	for i, r := range g.list {
		n, err := strconv.ParseFloat(r.turn, 64)
		if err != nil {
			return
		}
		list[i] = numbered{r, n}
	}
	byNumber := func(a, b numbered) int { return cmp.Compare(a.n, b.n) }
	if slices.IsSortedFunc(list, byNumber) {
		return
	}
	slices.SortStableFunc(list, byNumber)
	for i := range list {
		g.list[i] = list[i].row
	}
}

// rate reads the ratings. Where all rows that have one say the same, it is the rating of the dialogue, which
// exports repeat in every row; where they differ, they are ratings of turns.
func (g *rows) rate(d *draft) {
	turns := make([][]float64, len(g.list))
	same, first := true, ""
	for i, r := range g.list {
		marks := strings.TrimSpace(r.marks)
		if slices.Contains(noRating, strings.ToLower(marks)) {
			continue
		}
		given, err := appendRatings(nil, marks)
		if err != nil {
			d.wrong(r.line, err.Msg, err.Hint)
			return
		}
		turns[i] = given
		if first == "" {
			first, d.truth.Overall = marks, given
		}
		same = same && marks == first
	}
	if !same {
		d.truth = Truth{Turns: turns}
	}
}

// noRating is what people write where nobody rated.
var noRating = []string{"", "-", "n/a", "na", "nan", "none", "null"}
