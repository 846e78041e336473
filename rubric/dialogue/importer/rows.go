package importer

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// rows collects the rows of a file, and yields them as dialogues when all of them are known: the
// rows of a conversation may be scattered, and the newest may come first.
type rows struct {
	file     *file
	spool    spool
	keys     []key     // the sort keys of the rows
	n        int32     // number of conversations; known at the end
	versions []version // of messages that may come in several; see key
	threads  forest    // of rows with the same id, or that refer to those they answer
	byThread bool      // the messages that answer each other form the conversations
	isTree   bool      // each answers one message, which has one answer of a side
	branches branches  // of the tree
	// dated means that the times include dates, and so order the turns even after midnight.
	dated bool

	id      string   // of the previous row
	hasID   bool     // of any row
	above   int      // number of rows with the same id as the row above
	merged  bool     // questions and answers, too, belong to the id above
	guesses []string // what was guessed about the columns
	pairs   bool     // a row is a question and its answer
}

func (g *rows) put(r *part) {
	f := g.file
	if most := f.most.rows; len(g.keys) == most {
		f.wrong("more than "+counted(most, "row")+" that must be put in order",
			"split it between two conversations, or allow more with the setting max-dialogue")
		return
	}
	if g.hasID = g.hasID || r.ID != ""; r.ID == "" && g.id != "" && (!g.pairs || g.merged) {
		r.ID = g.id
		g.above++
	}
	g.id = r.ID
	k, at := key{turn: r.Turn}, ""
	if len(r.Messages) > 0 {
		at, k.side = r.Messages[0].Time, f.who.side(&r.Messages[0])
		g.branches.add(r.parent, f.who.find(r.Messages[0].speaker))
	}
	learn(f.agents, r.Agent, dialogue.System)
	if g.isTree && len(r.link.others) == 1 {
		g.branches.add(r.link.others[0], k.side)
	}
	l := r.link
	if !g.byThread {
		if l = (link{message: r.ID}); g.pairs && r.ID == "" {
			l.message = fmt.Sprintf("\x00%d", len(g.keys))
		}
	}
	k.conv = g.threads.put(&l)
	if m, ok := ParseTime(at); ok {
		k.Moment, k.hasTime = m, true
		g.dated = g.dated || m.HasDate || m.IsNumber
		f.dates.add(m, at)
	} else if strings.ContainsAny(at, "0123456789") {
		f.omissions.first("time", quote(at))
	}
	if r.version.of != 0 {
		g.versions = append(g.versions, r.version)
		k.version = int32(len(g.versions))
	}
	k.piece = g.spool.put(f, r)
	g.keys = append(g.keys, k)
}

// finish yields the dialogues. If an error cut the stream off, conversations that may be incomplete
// are not yielded: the one of the last row, or all of them if rows of a conversation are scattered.
func (g *rows) finish(isCut bool) {
	if len(g.keys) == 0 {
		return
	}
	defer func() {
		g.spool.close()
		*g = rows{file: g.file}
	}()
	f, n := g.file, len(g.keys)
	if msg := g.branches.String(); msg != "" {
		f.wrong(msg, branchHint)
		return
	}
	g.branches = branches{}
	convs := make([]int32, len(g.threads.parent)) // by root, in the order of their first rows
	for i := range g.keys {
		conv := &convs[g.threads.root(g.keys[i].conv)]
		if *conv == 0 {
			g.n++
			*conv = g.n
		}
		g.keys[i].conv = *conv - 1
	}
	g.threads = forest{} // a million ids take much memory
	last, apart := g.keys[n-1].conv, g.apart()
	if isCut && apart > 0 {
		return
	}
	found, old := g.sort()
	n -= old
	found.add(old > 0, counted(old, "older version")+" of messages left out")
	found.add(apart > 0,
		"the rows of "+counted(apart, "conversation")+" are not adjacent and were put together")
	found.add(g.n == 1 && !g.hasID && n > 2 && !f.isAsked(idColumn),
		"since nothing tells conversations apart")
	found.add(g.above > 0, counted(g.above, "row")+" without an id taken with the one above")
	if len(g.guesses)+len(found) > 0 {
		read := strings.Join(g.guesses, ", ")
		if read != "" {
			read += ": "
		}
		unit := "turn"
		if g.pairs {
			unit = "exchange"
		}
		sizes := notices{counted(int(g.n), "dialogue"), counted(n, unit)}
		f.note(read + strings.Join(append(sizes, found...), ", "))
	}
	var list []part
	size := 0
	for i, k := range g.keys {
		if f.err != nil {
			return
		}
		if isCut && k.conv == last {
			continue
		}
		r := g.spool.get(f, k.piece)
		for _, s := range r.Messages {
			size += len(s.Text)
		}
		if size <= f.most.text && len(list) <= f.most.turns || len(list) == 0 {
			list = append(list, r)
		}
		if i+1 < n && g.keys[i+1].conv == k.conv {
			continue
		}
		if size > f.most.text || len(list) > f.most.turns {
			list[0].Err = &SyntaxError{Line: list[0].Line, Msg: f.most.String(), Hint: longHint}
			list = list[:1]
		} else if f.format == byColumns {
			var said []message
			for _, r := range list {
				for _, s := range r.Messages {
					s.speaker = s.Name
					said = append(said, s)
				}
			}
			if areWords(f, said) {
				for i := range list {
					list[i].Messages = nil
				}
				list[0].Messages = joined(said)
			}
		}
		assemble(f, list, true)
		list, size = list[:0], 0
	}
}

// newest returns the rows without those that have a newer version; the newest takes the place of
// the first. The rows must be sorted by conversation.
func newest(list []key, versions []version, isUS bool) []key {
	of := func(k *key) (v version) {
		if k.version > 0 {
			v = versions[k.version-1]
		}
		return v
	}
	at := func(k *key) int64 { return of(k).at.in(isUS) }
	var kept []key
	place, conv := map[uint64]int{}, int32(-1)
	for _, k := range list {
		if k.conv != conv {
			conv = k.conv
			clear(place)
		}
		id := of(&k).of
		i, ok := place[id]
		switch {
		case id == 0 || !ok:
			place[id] = len(kept)
			kept = append(kept, k)
		case at(&k) >= at(&kept[i]):
			kept[i].piece, kept[i].version = k.piece, k.version
		}
	}
	return kept
}

// Rows are sorted by conversation, and within it by their numbers or their times.

// key is the sort key of a row. Memory may hold a million of them.
type key struct {
	piece
	Moment
	turn    float64 // NaN if the row has none
	conv    int32
	version int32 // the number of the message's version, from 1; 0 if it has only one
	hasTime bool
	side    dialogue.Role
}

// apart returns the number of conversations that resume after another one began.
func (g *rows) apart() int {
	is := make([]bool, g.n)
	apart, latest := 0, int32(-1)
	for i, k := range g.keys {
		if k.conv <= latest && g.keys[i-1].conv != k.conv && !is[k.conv] {
			is[k.conv] = true
			apart++
		}
		latest = max(latest, k.conv)
	}
	return apart
}

// sort sorts the rows of each conversation: by number if all have one, else by time, else in the
// direction of the file. It returns the notices, and how many older versions it removed.
func (g *rows) sort() (found notices, old int) {
	slices.SortStableFunc(g.keys, func(a, b key) int { return cmp.Compare(a.conv, b.conv) })
	isUS := g.settleDates()
	if len(g.versions) > 0 {
		n := len(g.keys)
		g.keys = newest(g.keys, g.versions, isUS)
		old = n - len(g.keys)
	}
	byTime := func(a, b key) int { return cmp.Compare(a.in(isUS), b.in(isUS)) }
	down, differ := 0, false
	for list, byTurn := range g.each {
		for i := 1; i < len(list) && !byTurn; i++ {
			isBack := setBack(list[i-1].Moment, list[i].Moment, isUS)
			areKnown := list[i-1].hasTime && list[i].hasTime
			if c := byTime(list[i-1], list[i]); c != 0 && areKnown && !isBack {
				down += c
				differ = true
			}
		}
	}
	newestFirst, moved, odd, nights := down > 0, 0, 0, 0
	if !differ {
		isDown, isLikely := g.goesDown(byTime)
		if other, _ := g.goesDown(
			func(a, b key) int { return cmp.Compare(a.in(!isUS), b.in(!isUS)) }); other != isDown &&
			isLikely && g.isEither() {
			g.undecided()
			return nil, old
		}
		newestFirst = isDown && isLikely
		found.add(isDown != isLikely,
			"in the order of the file, since no times tell that of the turns")
	}
	for list, byTurn := range g.each {
		if byTurn {
			slices.SortStableFunc(list, func(a, b key) int { return cmp.Compare(a.turn, b.turn) })
			continue
		}
		if newestFirst {
			slices.Reverse(list)
		}
		timeOf := func(k *key) (*Moment, bool) { return &k.Moment, k.hasTime }
		switch _, back, night := fillTimes(list, timeOf, g.dated, isUS); {
		case back == 0 && night == 1:
			nights++
		case back+night > 0 && g.dated:
			moved++
			slices.SortStableFunc(list, byTime)
		case back > 0:
			odd++
		}
	}
	found.add(nights > 0, "the times of "+counted(nights, "dialogue")+
		" go back in a night in which clocks were set back; the file's order is kept")
	found.add(odd > 0, "the times of "+counted(odd, "dialogue")+
		" go back and have no day; the file's order is kept")
	found.add(newestFirst, "newest first, so read from the end")
	found.add(!newestFirst && moved > 0,
		counted(moved, "dialogue")+" put in the order of the times")
	found.add(g.file.dates.either != "" && len(found) > 0 && !g.isEither(),
		fmt.Sprintf("%q has the %s first", g.file.dates.either, firstOf(isUS)))
	return found, old
}

// goesDown reports whether the dialogues of a file are in descending order, and whether it is
// likely that their turns are, because most begin with the USER only if read backwards.
func (g *rows) goesDown(byTime func(a, b key) int) (isDown, isLikely bool) {
	down, asIs, fromEnd := 0, 0, 0
	var before *key
	for list, byTurn := range g.each {
		first, last := &list[0], &list[len(list)-1]
		if byTurn {
			continue
		}
		if first.hasTime {
			down += byTime(*cmp.Or(before, first), *first)
			before = first
		}
		if first.side == dialogue.User && last.side == dialogue.System {
			asIs++
		} else if first.side == dialogue.System && last.side == dialogue.User {
			fromEnd++
		}
	}
	return down > 0, fromEnd > 2*asIs && fromEnd > 2
}

// each yields the rows of every conversation, and whether their numbers order them.
func (g *rows) each(yield func(list []key, byTurn bool) bool) {
	for from, to := 0, 0; from < len(g.keys); from = to {
		byTurn := true
		for to = from; to < len(g.keys) && g.keys[to].conv == g.keys[from].conv; to++ {
			byTurn = byTurn && !math.IsNaN(g.keys[to].turn)
		}
		if !yield(g.keys[from:to], byTurn) {
			return
		}
	}
}

func firstOf(isUS bool) string { return map[bool]string{true: "month", false: "day"}[isUS] }

// settleDates reports whether the month comes first in the dates of the file. If nothing reveals it
// and the two readings order the rows of a conversation differently, the file cannot be read.
func (g *rows) settleDates() (isUS bool) {
	d, order := &g.file.dates, g.file.opt.Dates
	switch {
	case order != "":
		if wrong := d.against(order); wrong != "" {
			g.file.wrong(wrong, "leave --dates out, or give the other one")
		}
		return order == "us"
	case d.contradiction() != "":
		g.file.wrong(d.contradiction(), "write them in one way, such as 2024-03-12 10:15")
		return false
	case !d.isEither():
		return d.order() == "us"
	}
	for list, byTurn := range g.each {
		list = slices.DeleteFunc(slices.Clone(list),
			func(k key) bool { return !k.hasTime || byTurn })
		slices.SortFunc(list, func(a, b key) int { return cmp.Compare(a.US, b.US) })
		for i := 1; i < len(list); i++ {
			if a, b := &list[i-1], &list[i]; cmp.Compare(a.US, b.US) != cmp.Compare(a.EU, b.EU) {
				g.undecided()
				return false
			}
		}
	}
	return false
}

// isEither reports whether nothing reveals what comes first in the dates.
func (g *rows) isEither() bool {
	return g.file.opt.Dates == "" && g.file.dates.isEither()
}

func (g *rows) undecided() {
	g.file.wrong(
		fmt.Sprintf("nothing shows whether %q has the day or the month first, "+
			"and the order of the turns depends on it", g.file.dates.either),
		"say it with --dates us (month first) or --dates eu (day first)")
}

// spool stores parts of dialogues, the latest ones in memory, and returns them in any order.
type spool struct {
	memory bytes.Buffer
	size   int64 // of the file
	file   Temp
	enc    *gob.Encoder
	dec    *gob.Decoder
	in     bytes.Reader // input of dec
}

const inMemory = 4 << 20 // bytes

// piece is the location of a part in a spool.
type piece struct {
	at   int64
	size int32
}

// put stores a part. An error ends the reading of the file.
func (s *spool) put(f *file, p *part) piece {
	if s.enc == nil { // gob first writes the type of a part
		s.enc, s.dec = gob.NewEncoder(&s.memory), gob.NewDecoder(&s.in)
		f.fail(s.enc.Encode(part{}))
		s.in.Reset(s.memory.Bytes())
		f.fail(s.dec.Decode(new(part)))
		s.memory.Reset()
	}
	if s.memory.Len() > inMemory && f.opt.Temp != nil {
		if s.file == nil {
			var err error
			if s.file, err = f.opt.Temp(); err != nil {
				f.fail(err)
				return piece{}
			}
		}
		n, err := s.memory.WriteTo(s.file)
		s.size += n
		f.fail(err)
	}
	before := s.memory.Len()
	f.fail(s.enc.Encode(p))
	return piece{s.size + int64(before), int32(s.memory.Len() - before)}
}

func (s *spool) get(f *file, at piece) (p part) {
	var row []byte
	if at.at >= s.size {
		row = s.memory.Bytes()[at.at-s.size:][:at.size]
	} else {
		row = make([]byte, at.size)
		_, err := s.file.ReadAt(row, at.at)
		f.fail(err)
	}
	s.in.Reset(row)
	f.fail(s.dec.Decode(&p))
	return p
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
