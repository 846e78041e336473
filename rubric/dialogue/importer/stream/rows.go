package stream

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
)

// Rows collects the rows of a file, and yields them as dialogues when all of them are known: the
// rows of a conversation may be scattered, and the newest may come first.
type Rows struct {
	File *File
	Grouping
	spool    spool
	Keys     []rowKey  // the sort keys of the rows
	n        int32     // number of conversations; known at the end
	versions []Version // of messages that may come in several; see key
	threads  Forest    // of rows with the same id, or that refer to those they answer
	branches Branches  // of the tree
	dated    bool      // the times include dates, and so order the turns even after midnight

	id        string   // of the previous row
	hasID     bool     // of any row
	above     int      // number of rows with the same id as the row above
	AreCopies bool     // the versions are rows with the same cells
	Guesses   []string // what was guessed about the columns
}

// Grouping says which rows are a conversation, if not those with the same id alone.
type Grouping struct {
	Merged   bool // only the first row of a conversation has the id
	ByThread bool // the messages that answer each other form the conversations
	IsTree   bool // each answers one message, which has one answer of a side
	Pairs    bool // a row is a question and its answer
}

// Put adds a row.
func (g *Rows) Put(r *Part) {
	f := g.File
	if most := f.Limits.Rows; len(g.Keys) == most {
		f.Wrong(lex.Problem("many-rows", lex.Counted(most, "row")))
		return
	}
	if g.hasID = g.hasID || r.ID != ""; r.ID == "" && g.id != "" && (!g.Pairs || g.Merged) {
		r.ID = g.id
		g.above++
	}
	g.id = r.ID
	k, at := rowKey{turn: r.Turn}, ""
	if len(r.Messages) > 0 {
		at, k.side = r.Messages[0].Time, f.Who.Side(&r.Messages[0])
		k.isNote = r.Messages[0].IsNote
		f.hasNamed = f.hasNamed || f.Who.Roles[lex.FoldName(r.Messages[0].Name)] == dialogue.System
		g.branches.Add(r.Parent, f.Who.Find(r.Messages[0].Speaker))
	}
	Learn(f.Agents, r.Agent, dialogue.System)
	if g.IsTree && len(r.Link.Others) == 1 {
		g.branches.Add(r.Link.Others[0], k.side)
	}
	l := r.Link
	if !g.ByThread {
		if l = (Link{Message: r.ID}); g.Pairs && r.ID == "" {
			l.Message = fmt.Sprintf("\x00%d", len(g.Keys))
		}
	}
	k.conv = g.threads.Put(&l)
	if m, ok := lex.ParseTime(at); ok {
		k.Moment, k.hasTime = m, true
		g.dated = g.dated || m.HasDate || m.IsNumber
		f.Dates.Add(m, at)
	} else if strings.ContainsAny(at, "0123456789") {
		f.Omissions.First("time", lex.Quote(at))
	}
	if r.Version.of != 0 {
		g.versions = append(g.versions, r.Version)
		k.version = int32(len(g.versions))
	}
	k.piece = g.spool.put(f, r)
	g.Keys = append(g.Keys, k)
}

// Finish yields the dialogues. If an error cut the stream off, conversations that may be incomplete
// are not yielded: the one of the last row, or all of them if rows of a conversation are scattered.
func (g *Rows) Finish(isCut bool) {
	if len(g.Keys) == 0 {
		return
	}
	defer func() {
		g.spool.close()
		*g = Rows{File: g.File}
	}()
	f, n := g.File, len(g.Keys)
	if msg, hint := g.branches.Problem(); msg != "" {
		f.Wrong(msg, hint)
		return
	}
	g.branches = nil
	convs := make([]int32, len(g.threads.parent)) // by root, in the order of their first rows
	for i := range g.Keys {
		conv := &convs[g.threads.Root(g.Keys[i].conv)]
		if *conv == 0 {
			g.n++
			*conv = g.n
		}
		g.Keys[i].conv = *conv - 1
	}
	g.threads = Forest{} // a million ids take much memory
	last, apart := g.Keys[n-1].conv, g.apart()
	if isCut && apart > 0 {
		return
	}
	found, old := g.sort()
	n -= old
	found.add(old > 0 && !g.AreCopies, "old", lex.Counted(old, "older version"))
	found.add(old > 0 && g.AreCopies, "copies", lex.Counted(old, "row"))
	found.add(apart > 0, "apart", lex.Counted(apart, "conversation"))
	found.add(g.n == 1 && !g.hasID && n > 2 && !f.IsAsked("id"), "alone")
	found.add(g.above > 0, "above", lex.Counted(g.above, "row"))
	if len(g.Guesses)+len(found) > 0 {
		read := strings.Join(g.Guesses, ", ")
		if read != "" {
			read += ": "
		}
		unit := "turn"
		if g.Pairs {
			unit = "exchange"
		}
		notes := Count(slices.Values(g.Keys), func(k rowKey) bool { return k.isNote })
		sizes := notices{lex.Counted(int(g.n), "dialogue"), lex.Counted(n-notes, unit)}
		f.Note(read + strings.Join(append(sizes, found...), ", "))
	}
	var list []Part
	size := 0
	for i, k := range g.Keys {
		if f.Err != nil {
			return
		}
		if isCut && k.conv == last {
			continue
		}
		r := g.spool.get(f, k.piece)
		for _, s := range r.Messages {
			size += len(s.Text)
		}
		if size <= f.Limits.Text && len(list) <= f.Limits.Turns || len(list) == 0 {
			list = append(list, r)
		}
		if i+1 < n && g.Keys[i+1].conv == k.conv {
			continue
		}
		if size > f.Limits.Text || len(list) > f.Limits.Turns {
			list, list[0].Err = list[:1], nil
			list[0].Wrong(lex.Problem("long", f.Limits))
		} else if f.Format == ByColumns {
			var said []Message
			for _, r := range list {
				for _, s := range r.Messages {
					s.Speaker = s.Name
					said = append(said, s)
				}
			}
			if AreWords(f, said) {
				for i := range list {
					list[i].Messages = nil
				}
				list[0].Messages = Joined(said)
			}
		}
		Assemble(f, list, true)
		list, size = list[:0], 0
	}
}

// newest returns the rows of a conversation without those that have a newer version; the newest
// takes the place of the first. Of rows with the same cells, the first counts if their times are
// exact, or if all rows come again, as somebody may say "Hello?" twice in a minute.
func (g *Rows) newest(list []rowKey, isUS bool) (kept []rowKey) {
	at := func(k *rowKey) int64 { return g.versions[k.version-1].at.In(isUS) }
	place, isExact := map[uint64]int{}, !g.AreCopies
	for _, k := range list {
		isExact = isExact || k.In(isUS)%60_000 != 0
		if k.version == 0 {
			kept = append(kept, k)
		} else if i, ok := place[g.versions[k.version-1].of]; !ok {
			place[g.versions[k.version-1].of] = len(kept)
			kept = append(kept, k)
		} else if at(&k) > at(&kept[i]) || !g.AreCopies && at(&k) == at(&kept[i]) {
			kept[i].piece, kept[i].version = k.piece, k.version
		}
	}
	if !isExact && len(list) < 2*len(kept) {
		return list
	}
	return kept
}

// rowKey is the sort key of a row. Memory may hold a million of them.
type rowKey struct {
	piece
	lex.Moment
	turn    float64 // NaN if the row has none
	conv    int32
	version int32 // the number of the message's version, from 1; 0 if it has only one
	hasTime bool
	isNote  bool // and no turn
	side    dialogue.Role
}

// apart returns the number of conversations that resume after another one began.
func (g *Rows) apart() int {
	is := make([]bool, g.n)
	apart, latest := 0, int32(-1)
	for i, k := range g.Keys {
		if k.conv <= latest && g.Keys[i-1].conv != k.conv && !is[k.conv] {
			is[k.conv] = true
			apart++
		}
		latest = max(latest, k.conv)
	}
	return apart
}

// sort sorts the rows of each conversation: by number if all have one, else by time, else in the
// direction of the file. It returns the notices, and how many older versions it removed.
func (g *Rows) sort() (found notices, old int) {
	slices.SortStableFunc(g.Keys, func(a, b rowKey) int { return cmp.Compare(a.conv, b.conv) })
	isUS := g.settleDates()
	if len(g.versions) > 0 {
		var kept []rowKey
		for list := range g.each {
			kept = append(kept, g.newest(list, isUS)...)
		}
		g.Keys, old = kept, len(g.Keys)-len(kept)
	}
	byTime := func(a, b rowKey) int { return cmp.Compare(a.In(isUS), b.In(isUS)) }
	down, differ := 0, false
	for list, byTurn := range g.each {
		for i := 1; i < len(list) && !byTurn; i++ {
			isBack := lex.SetBack(list[i-1].Moment, list[i].Moment, isUS)
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
		byOther := func(a, b rowKey) int { return cmp.Compare(a.In(!isUS), b.In(!isUS)) }
		if other, _ := g.goesDown(byOther); other != isDown && isLikely && g.File.Dates.IsEither() {
			g.File.Wrong(lex.Problem("either", strconv.Quote(g.File.Dates.Either)))
			return nil, old
		}
		newestFirst = isDown && isLikely
		found.add(isDown != isLikely, "timeless")
	}
	for list, byTurn := range g.each {
		if byTurn {
			slices.SortStableFunc(list,
				func(a, b rowKey) int { return cmp.Compare(a.turn, b.turn) })
			continue
		}
		if newestFirst {
			slices.Reverse(list)
		}
		timeOf := func(k *rowKey) (*lex.Moment, bool) { return &k.Moment, k.hasTime }
		switch _, back, night := FillTimes(list, timeOf, g.dated, isUS); {
		case back == 0 && night == 1:
			nights++
		case back+night > 0 && g.dated:
			moved++
			slices.SortStableFunc(list, byTime)
		case back > 0:
			odd++
		}
	}
	found.add(nights > 0, "nights", lex.Counted(nights, "dialogue"))
	found.add(odd > 0, "odd", lex.Counted(odd, "dialogue"))
	found.add(newestFirst, "from-end")
	found.add(!newestFirst && moved > 0, "moved", lex.Counted(moved, "dialogue"))
	d := &g.File.Dates
	found.add(d.Either != "" && len(found) > 0 && !d.IsEither(), "order", strconv.Quote(d.Either),
		lex.FirstOf(isUS))
	return found, old
}

// goesDown reports whether the dialogues of a file are in descending order, and whether it is
// likely that their turns are, because most begin with the USER only if read backwards.
func (g *Rows) goesDown(byTime func(a, b rowKey) int) (isDown, isLikely bool) {
	down, asIs, fromEnd := 0, 0, 0
	var before *rowKey
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
func (g *Rows) each(yield func(list []rowKey, byTurn bool) bool) {
	for from, to := 0, 0; from < len(g.Keys); from = to {
		byTurn := true
		for to = from; to < len(g.Keys) && g.Keys[to].conv == g.Keys[from].conv; to++ {
			byTurn = byTurn && !math.IsNaN(g.Keys[to].turn)
		}
		if !yield(g.Keys[from:to], byTurn) {
			return
		}
	}
}

// settleDates reports whether the month comes first in the dates of the file. If nothing reveals it
// and the two readings order the rows of a conversation differently, the file cannot be read.
func (g *Rows) settleDates() (isUS bool) {
	d := &g.File.Dates
	if msg, hint := d.Wrong(); msg != "" {
		g.File.Wrong(msg, hint)
	}
	if !d.IsEither() {
		return d.IsUS()
	}
	for list, byTurn := range g.each {
		list = slices.DeleteFunc(slices.Clone(list),
			func(k rowKey) bool { return !k.hasTime || byTurn })
		slices.SortFunc(list, func(a, b rowKey) int { return cmp.Compare(a.US, b.US) })
		for i := 1; i < len(list); i++ {
			if a, b := &list[i-1], &list[i]; cmp.Compare(a.US, b.US) != cmp.Compare(a.EU, b.EU) {
				g.File.Wrong(lex.Problem("either", strconv.Quote(g.File.Dates.Either)))
				return false
			}
		}
	}
	return false
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

// piece is the location of a part in a spool.
type piece struct {
	at   int64
	size int32
}

// put stores a part. An error ends the reading of the file.
func (s *spool) put(f *File, p *Part) piece {
	if s.enc == nil { // gob first writes the type of a part
		s.enc, s.dec = gob.NewEncoder(&s.memory), gob.NewDecoder(&s.in)
		f.Fail(s.enc.Encode(Part{}))
		s.in.Reset(s.memory.Bytes())
		f.Fail(s.dec.Decode(new(Part)))
		s.memory.Reset()
	}
	const inMemory = 4 << 20 // bytes
	if s.memory.Len() > inMemory && f.Opt.Temp != nil {
		if s.file == nil {
			var err error
			if s.file, err = f.Opt.Temp(); err != nil {
				f.Fail(err)
				return piece{}
			}
		}
		n, err := s.memory.WriteTo(s.file)
		s.size += n
		f.Fail(err)
	}
	before := s.memory.Len()
	f.Fail(s.enc.Encode(p))
	return piece{s.size + int64(before), int32(s.memory.Len() - before)}
}

func (s *spool) get(f *File, at piece) (p Part) {
	var row []byte
	if at.at >= s.size {
		row = s.memory.Bytes()[at.at-s.size:][:at.size]
	} else {
		row = make([]byte, at.size)
		_, err := s.file.ReadAt(row, at.at)
		f.Fail(err)
	}
	s.in.Reset(row)
	f.Fail(s.dec.Decode(&p))
	return p
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}

// Forest joins connected messages, or rows with the same id, into trees, as a union-find structure.
type Forest struct {
	nodes  map[uint64]int32 // by a hash of the id of a message or a conversation
	parent []int32
}

func (t *Forest) node(id string) int32 {
	hash := Hash(id)
	n, ok := t.nodes[hash]
	if !ok {
		n = int32(len(t.parent))
		if t.nodes == nil {
			t.nodes = map[uint64]int32{}
		}
		t.nodes[hash] = n
		t.parent = append(t.parent, n)
	}
	return n
}

// Root returns the root of a tree. It halves the path to the root, which speeds up the next call.
func (t *Forest) Root(n int32) int32 {
	for t.parent[n] != n {
		t.parent[n] = t.parent[t.parent[n]]
		n = t.parent[n]
	}
	return n
}

// Put adds a message, joins it with those it is connected to, and returns its node.
func (t *Forest) Put(l *Link) int32 {
	n := t.node(l.Message)
	for _, id := range l.Others {
		t.Join(n, t.node(id))
	}
	return n
}

// Join joins the trees of two nodes.
func (t *Forest) Join(a, b int32) {
	a, b = t.Root(a), t.Root(b)
	t.parent[max(a, b)] = min(a, b)
}

// Branches counts the answers of each side to each message, by both. A second one is a version of
// the conversation.
type Branches map[string]int

// Add records that a role has answered a message.
func (b *Branches) Add(message string, role dialogue.Role) {
	if message == "" || role != dialogue.System && role != dialogue.User {
		return
	}
	if *b == nil {
		*b = Branches{}
	}
	(*b)[role.String()+message]++
}

// Problem returns what is wrong with the branches and a hint, or nothing.
func (b Branches) Problem() (msg, hint string) {
	again := -len(b)
	for _, answers := range b {
		again += answers
	}
	if again == 0 {
		return "", ""
	}
	return lex.Problem("branches", lex.Counted(again, "second answer"))
}

// logged is a request of a log, and where its conversation is.
type logged struct {
	Request
	piece
	isOld bool // another request repeats this one
}

// Log holds the requests of a file until all of them are known. A log of requests to a model has
// the conversation so far in every line and the model's answer. As the next request of a session
// repeats both, only the longest is read. If the requests contain only the USER's latest message,
// those of a session are concatenated.
type Log struct {
	File  *File
	spool spool
	list  []logged
	said  int // number of messages, plus a constant per request for its own memory
}

// Put adds a request.
func (l *Log) Put(p *Part) {
	r := logged{Request: p.Request}
	if l.said += len(r.said) + 20; l.said > 8*l.File.Limits.Rows {
		l.File.Wrong(lex.Problem("many-requests"))
	}
	r.piece = l.spool.put(l.File, p)
	l.list = append(l.list, r)
}

// Finish yields the dialogues of the log, each at the position of its first request.
func (l *Log) Finish() {
	if len(l.list) == 0 {
		return
	}
	defer l.spool.close()
	f := l.File
	l.markOld()
	sessions, order := map[string][]int{}, []string{}
	for i, r := range l.list {
		name := cmp.Or(r.Session, fmt.Sprintf("\x00%d", i)) // a session of its own
		if sessions[name] == nil {
			order = append(order, name)
		}
		sessions[name] = append(sessions[name], i)
	}
	var dialogues [][]int // of requests
	old, joined, parted := 0, 0, 0
	for _, name := range order {
		of := slices.DeleteFunc(slices.Clone(sessions[name]),
			func(i int) bool { return l.list[i].isOld })
		old += len(sessions[name]) - len(of)
		isMore := func(i int) bool { return l.list[i].inputs-l.list[i].prompts != 1 }
		switch {
		case len(of) > 1 && !slices.ContainsFunc(of, isMore):
			joined += len(of)
			slices.SortStableFunc(of, func(a, b int) int { return cmp.Compare(l.at(a), l.at(b)) })
			dialogues = append(dialogues, of)
			continue
		case len(of) > 1:
			parted++
		}
		dialogues = slices.AppendSeq(dialogues, slices.Chunk(of, 1))
	}
	var found notices
	found.add(old > 0, "repeated", old)
	found.add(joined > 0, "joined", joined)
	found.add(parted > 0, "parted", lex.Counted(parted, "session"))
	if len(found) > 0 {
		f.Note("a log of requests: " + lex.Counted(len(dialogues), "dialogue") + " in " +
			lex.Counted(len(l.list), "request") + ", " + strings.Join(found, ", "))
	}
	for _, of := range dialogues {
		parts := lex.Each(of, func(i int) Part { return l.spool.get(f, l.list[i].piece) })
		if name := l.list[of[0]].Session; len(sessions[name]) > 1 {
			parts[0].ID = name
		}
		if Assemble(f, parts, false); f.Err != nil {
			return
		}
	}
}

// at returns the time of a request.
func (l *Log) at(i int) int64 {
	m, _ := lex.ParseTime(l.list[i].Time)
	return m.In(l.File.Dates.IsUS())
}

// markOld marks the requests that another one repeats, and all but the last of those sent again.
func (l *Log) markOld() {
	// byKey finds a request by its content, including the answer if the log has no sessions.
	byKey := map[uint64]int{}
	for i, r := range l.list {
		inputs := len(r.said)
		if r.Session != "" && r.inputs > 0 {
			inputs = r.inputs
		}
		if inputs == 0 {
			continue
		}
		if first, ok := byKey[r.said[inputs-1]]; ok && r.Session != "" && r.inputs > 0 {
			l.list[first].isOld = true
		}
		byKey[r.said[inputs-1]] = i
	}
	for i, r := range l.list {
		for _, key := range r.said[:max(0, r.inputs-1)] {
			if k, ok := byKey[key]; ok && k != i {
				l.list[k].isOld = true
			}
		}
	}
}
