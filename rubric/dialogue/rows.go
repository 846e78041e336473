package dialogue

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// row is one turn of a format that writes dialogues turn by turn.
type row struct {
	id       string  // of the conversation; empty for that of the row above
	turn     float64 // its number in the conversation; NaN where the source has none
	time     string  // as the source writes it
	name     string
	text     string
	role     Role   // of the speaker, where the source tells it; else Other
	isNote   bool   // nobody said this to the other side
	answer   string // to the text, where the row is a question and its answer
	isPair   bool
	rating   string
	agent    []string // the names of those who serve in this conversation, where the source has a place for them
	customer []string // and of those who are served
	meta     []Field  // what else it says
	whole    bool     // the text is a whole conversation
	line     int
	err      *SyntaxError // what is wrong with the row itself
}

// rows puts the rows of a file aside, and yields them as dialogues when all of them are known: the rows of a
// conversation may lie apart, and the newest may come first.
type rows struct {
	file  *file
	again func(raw []byte, line int) row // reads a row a second time
	spool spool
	list  []held
	convs []conv
	ids   map[string]int32
	dates dateOrder
	told  []string // what was guessed of the columns
	unit  string   // what a row is, if it is no turn
	dated bool     // the times have days, so that they order the turns even where a chat goes on past midnight
}

// held is what is known of a row that is put aside.
type held struct {
	at      int64
	size    int32
	line    int32
	conv    int32
	hasTime bool
	role    Role
	days    int16   // from eu to the time with the month first: a million rows lie in memory
	eu      int64   // the time with the day first
	turn    float64 // NaN for none
}

// day is how many milliseconds one has.
const day = 86_400_000

// us is the time with the month first.
func (h *held) us() int64 { return h.eu + int64(h.days)*day }

// conv is a conversation: what is wrong with its rows, if anything.
type conv struct {
	id  string
	err *SyntaxError
}

// dateOrder is what the dates of a file say about the places of day and month.
type dateOrder struct {
	us, eu string // a date that can be read in one way only
	either string // one that can be read in both
}

// put puts the text of a row aside.
func (g *rows) put(raw []byte, line int) error {
	if most := g.file.most.rows; len(g.list) == most {
		return g.file.wrong(fmt.Sprintf("more than %s that must be put in order", counted(most, "row")),
			"split it between two conversations, or allow more with --max-dialogue")
	}
	at, err := g.spool.add(raw)
	g.list = append(g.list, held{at: at, size: int32(len(raw)), line: int32(line), conv: -1})
	return err
}

// index settles to which conversation row number i belongs, and when it was said.
func (g *rows) index(i int, r *row) {
	h := &g.list[i]
	if g.ids == nil {
		g.ids = map[string]int32{}
	}
	if i > 0 && r.id == "" && !r.isPair {
		h.conv = g.list[i-1].conv
	} else if n, ok := g.ids[r.id]; ok && r.id != "" {
		h.conv = n
	} else {
		h.conv = int32(len(g.convs))
		r.id = strings.Clone(r.id)
		g.ids[r.id] = h.conv
		g.convs = append(g.convs, conv{id: r.id})
	}
	if c := &g.convs[h.conv]; c.err == nil {
		c.err = r.err
	}
	if h.role = r.role; h.role == Other {
		h.role, _ = g.file.who.role(r.name)
	}
	g.file.hire(r.agent)
	h.turn = r.turn
	if m, ok := parseTime(r.time); ok {
		h.days, h.eu, h.hasTime = int16((m.us-m.eu)/day), m.eu, true
		g.dated = g.dated || m.hasDate || m.isNumber
		switch {
		case m.onlyUS:
			g.dates.us = cmp.Or(g.dates.us, strings.Clone(r.time))
		case m.onlyEU:
			g.dates.eu = cmp.Or(g.dates.eu, strings.Clone(r.time))
		case m.us != m.eu:
			g.dates.either = cmp.Or(g.dates.either, strings.Clone(r.time))
		}
	}
}

// finish yields the dialogues. What an error of the stream cuts off is not yielded as if it were whole: that is the
// conversation of the last row, and all of them where rows of a conversation lie apart.
func (g *rows) finish(cut bool) error {
	defer func() { *g = rows{file: g.file, again: g.again, spool: spool{open: g.spool.open}} }()
	defer g.spool.close()
	n := len(g.list)
	if n == 0 {
		return nil
	}
	last, apart := g.list[n-1].conv, g.apart()
	if cut && len(apart) > 0 {
		return nil
	}
	order, err := g.sort()
	if err != nil {
		return err
	}
	if len(apart) > 0 {
		order = append(order, "the rows of "+counted(len(apart), "conversation")+" lie apart and were put together")
	}
	if _, asked := g.file.opt.Columns[uses[idColumn]]; len(g.convs) == 1 && g.convs[0].id == "" && n > 2 && !asked {
		order = append(order, "since nothing tells conversations apart")
	}
	if len(g.told)+len(order) > 0 {
		read := strings.Join(g.told, ", ")
		if read != "" {
			read += ": "
		}
		order = append([]string{counted(len(g.convs), "dialogue"), counted(n, cmp.Or(g.unit, "turn"))}, order...)
		if err := g.file.note(read + strings.Join(order, ", ")); err != nil {
			return err
		}
	}
	g.ids, apart = nil, nil // a million conversations leave room for others
	for from, to := 0, 0; from < n; from = to {
		for to = from; to < n && g.list[to].conv == g.list[from].conv; to++ {
		}
		if c := g.list[from].conv; !cut || c != last {
			if err := g.emit(g.list[from:to]); err != nil {
				return err
			}
		}
	}
	return nil
}

// counted gives a number with its noun: "1 row", "1,808 rows".
func counted(n int, noun string) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n != 1 {
		noun += "s"
	}
	return s + " " + noun
}

// apart gives the conversations that come back after another one began.
func (g *rows) apart() map[int32]bool {
	apart := map[int32]bool{}
	seen := int32(-1) // conversations are numbered as they begin
	for i, h := range g.list {
		if h.conv <= seen && g.list[i-1].conv != h.conv {
			apart[h.conv] = true
		}
		seen = max(seen, h.conv)
	}
	return apart
}

// sort puts the rows of each conversation together and in their order: that of their numbers where all have one, else
// that of their times. Rows of the same time keep the direction of the file. It gives what is to be told of it.
func (g *rows) sort() (told []string, err error) {
	slices.SortStableFunc(g.list, func(a, b held) int { return cmp.Compare(a.conv, b.conv) })
	useUS, err := g.settleDates()
	if err != nil {
		return nil, err
	}
	key := func(h *held) int64 {
		if useUS {
			return h.us()
		}
		return h.eu
	}
	up, down := 0, 0
	g.each(func(list []held, byTurn bool) {
		for i := 1; i < len(list) && !byTurn; i++ {
			switch a, b := &list[i-1], &list[i]; {
			case !a.hasTime || !b.hasTime:
			case key(a) < key(b):
				up++
			case key(a) > key(b):
				down++
			}
		}
	})
	newestFirst, moved, odd := down > up, 0, 0
	if up+down == 0 {
		isDown, isLikely := g.goesDown(key)
		newestFirst = isDown && isLikely
		switch {
		case isDown && !isLikely:
			told = []string{"in the order of the file, since the times do not tell that of the turns"}
		case isLikely && !isDown:
			told = []string{"in the order of the file, although most end with a USER and begin with a SYSTEM turn"}
		}
	}
	g.each(func(list []held, byTurn bool) {
		if byTurn {
			slices.SortStableFunc(list, func(a, b held) int { return cmp.Compare(a.turn, b.turn) })
			return
		}
		if newestFirst {
			slices.Reverse(list)
		}
		known := slices.IndexFunc(list, func(h held) bool { return h.hasTime })
		for i := range list { // a row without a time belongs to the row before it
			if before := max(known, i-1); known >= 0 && !list[i].hasTime {
				list[i].days, list[i].eu = list[before].days, list[before].eu
			}
		}
		back := 0 // how often the time goes back
		for i := 1; i < len(list) && known >= 0; i++ {
			if key(&list[i]) < key(&list[i-1]) {
				back++
			}
		}
		switch {
		case back > 0 && g.dated:
			moved++
			slices.SortStableFunc(list, func(a, b held) int { return cmp.Compare(key(&a), key(&b)) })
		case back > 1: // once may be midnight
			odd++
		}
	})
	if odd > 0 {
		told = append(told, "the times of "+counted(odd, "dialogue")+" go back and have no day; the file's order is kept")
	}
	switch {
	case newestFirst:
		told = append(told, "newest first, so read from the end")
	case moved > 0:
		told = append(told, counted(moved, "dialogue")+" put in the order of the times")
	}
	if g.dates.either != "" && len(told) > 0 {
		told = append(told, fmt.Sprintf("%s has the %s first", quote(g.dates.either), firstOf(useUS)))
	}
	return told, nil
}

// goesDown tells whether a file in which no dialogue has turns of different times is newest first: whether its
// dialogues are, and whether it is likely because most of them begin with the USER only when read from the end.
func (g *rows) goesDown(key func(h *held) int64) (isDown, isLikely bool) {
	up, down, asIs, fromEnd := 0, 0, 0, 0
	var before *held
	g.each(func(list []held, byTurn bool) {
		first, last := &list[0], &list[len(list)-1]
		if byTurn {
			return
		}
		if before != nil && first.hasTime && key(before) < key(first) {
			up++
		} else if before != nil && first.hasTime && key(before) > key(first) {
			down++
		}
		if first.hasTime {
			before = first
		}
		if first.role == User && last.role == System {
			asIs++
		} else if first.role == System && last.role == User {
			fromEnd++
		}
	})
	return down > up, fromEnd > 2*asIs && fromEnd > 2
}

// each calls do with the rows of every conversation, and whether their numbers order them.
func (g *rows) each(do func(list []held, byTurn bool)) {
	for from, to := 0, 0; from < len(g.list); from = to {
		byTurn := true
		for to = from; to < len(g.list) && g.list[to].conv == g.list[from].conv; to++ {
			byTurn = byTurn && !math.IsNaN(g.list[to].turn)
		}
		do(g.list[from:to], byTurn)
	}
}

// firstOf names what comes first in a date.
func firstOf(isUS bool) string {
	if isUS {
		return "month"
	}
	return "day"
}

// settleDates tells whether the month comes first in the dates of the file. Where nothing tells it and the two readings
// put the rows of a conversation in different orders, the file cannot be read.
func (g *rows) settleDates() (useUS bool, err error) {
	f, d := g.file, &g.dates
	switch {
	case f.opt.Dates != "":
		useUS = f.opt.Dates == "us"
		if wrong := map[bool]string{true: d.eu, false: d.us}[useUS]; wrong != "" {
			return useUS, f.wrong(fmt.Sprintf("%s is no date with the %s first", quote(wrong), firstOf(useUS)),
				"leave --dates out, or give the other one")
		}
		return useUS, nil
	case d.us != "" && d.eu != "":
		return false, f.wrong(fmt.Sprintf("the dates contradict each other: %s has the month first, %s the day",
			quote(d.us), quote(d.eu)), "write them in one way, such as 2024-03-12 10:15")
	case d.us != "" || d.eu != "" || d.either == "":
		return d.us != "", nil
	}
	g.each(func(list []held, byTurn bool) {
		list = slices.DeleteFunc(slices.Clone(list), func(h held) bool { return !h.hasTime || byTurn || err != nil })
		slices.SortFunc(list, func(a, b held) int { return cmp.Compare(a.us(), b.us()) })
		for i := 1; i < len(list) && err == nil; i++ {
			if a, b := &list[i-1], &list[i]; cmp.Compare(a.us(), b.us()) != cmp.Compare(a.eu, b.eu) {
				err = f.wrong(fmt.Sprintf("nothing tells whether %s has the day or the month first, and the order of "+
					"the turns depends on it", quote(d.either)), "say it with --dates us (month first) or --dates eu (day first)")
			}
		}
	})
	return false, err
}

// emit yields a conversation.
func (g *rows) emit(list []held) error {
	c := &g.convs[list[0].conv]
	first := slices.MinFunc(list, func(a, b held) int { return cmp.Compare(a.line, b.line) })
	d := g.file.draft(int(first.line), c.id)
	size := int64(0)
	for _, h := range list {
		size += int64(h.size)
	}
	switch {
	case size > int64(g.file.most.text) || len(list) > g.file.most.turns:
		d.wrong(d.line, g.file.most.String(), longHint)
	case c.err != nil:
		d.wrong(c.err.Line, c.err.Msg, c.err.Hint)
	}
	if d.err != nil {
		return d.emit()
	}
	turns := make([]row, 0, len(list))
	for _, h := range list {
		raw, err := g.spool.piece(h.at, int(h.size))
		if err != nil {
			return err
		}
		r := g.again(raw, int(h.line))
		d.meta = agree(d.meta, r.meta)
		d.serving(r.agent, System)
		d.serving(r.customer, User)
		r.meta = nil
		if turns = append(turns, r); r.isPair {
			turns[len(turns)-1].rating = ""
			turns = append(turns, row{line: r.line, name: "assistant", text: r.answer, rating: r.rating})
		}
	}
	turns = slices.DeleteFunc(turns, func(r row) bool { return r.isPair && r.text == "" })
	names := make([]string, len(turns))
	for i, r := range turns {
		if r.role == Other && !r.isNote {
			names[i] = r.name
		}
	}
	d.settleRest(names)
	for _, r := range turns {
		switch {
		case r.isNote:
		case r.role != Other:
			d.sayAs(r.name, r.role, true, r.text)
		default:
			d.sayOrPrompt(r.line, r.name, r.text)
		}
	}
	if d.err == nil {
		d.rateTurns(turns)
	}
	return d.emit()
}

// rateTurns reads the ratings. Where all rows that have one say the same, it is the rating of the dialogue, which
// exports repeat in every row; where they differ, they are ratings of turns.
func (d *draft) rateTurns(list []row) {
	turns := make([][]float64, len(list))
	same, first := true, ""
	for i, r := range list {
		given, ok := ParseRatings(r.rating)
		if !ok {
			d.misrated(r.line, r.rating)
		}
		if given == nil {
			continue
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
