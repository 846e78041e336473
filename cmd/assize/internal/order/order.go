// Package order puts the turns of dialogues in their order where a file does not: rows that lie apart, newest first, or
// by a column of times, and requests to a model of which each repeats the one before. What does not fit into memory is
// held in a temporary file.
package order

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// Read is [dialogue.Read] of files in any order.
func Read(r io.Reader, name string, opt dialogue.Options) iter.Seq2[dialogue.Sample, error] {
	opt.Shelf = func() dialogue.Shelf { return &shelf{convs: map[string]int32{}} }
	return dialogue.Read(r, name, opt)
}

// shelf holds the rows of a file: what orders them in memory, and what they say in a spool.
type shelf struct {
	spool spool
	keys  []key
	convs map[string]int32 // the conversations by their ids, numbered as they begin
	n     int32            // how many there are
	dated bool             // the times have days, so that they order the turns even where a chat goes on past midnight
	dates struct {         // what the dates say about the places of day and month
		us, eu string // a date that can be read in one way only
		either string // one that can be read in both
	}
	requests []request
}

// key is what orders a row. A million of them lie in memory.
type key struct {
	piece
	conv    int32
	days    int16 // from eu to the time with the month first
	hasTime bool
	side    dialogue.Role
	eu      int64   // the time in milliseconds, with the day first
	turn    float64 // NaN for none
}

const day = 86_400_000 // milliseconds

// time gives the time with the month or the day first.
func (k *key) time(isUS bool) int64 {
	if isUS {
		return k.eu + int64(k.days)*day
	}
	return k.eu
}

// Put takes the next row of the file.
func (s *shelf) Put(r dialogue.Row) (err error) {
	if r.Request != nil {
		return s.putRequest(r)
	}
	k := key{turn: r.Turn, side: r.Side}
	if n, ok := s.convs[r.ID]; ok && !(r.IsPair && r.ID == "") {
		k.conv = n
	} else {
		k.conv = s.n
		s.convs[strings.Clone(r.ID)] = s.n
		s.n++
	}
	if m, ok := dialogue.ParseTime(r.Time); ok {
		k.days, k.eu, k.hasTime = int16((m.US-m.EU)/day), m.EU, true
		s.dated = s.dated || m.HasDate || m.IsNumber
		switch {
		case m.OnlyUS:
			s.dates.us = cmp.Or(s.dates.us, r.Time)
		case m.OnlyEU:
			s.dates.eu = cmp.Or(s.dates.eu, r.Time)
		case m.US != m.EU:
			s.dates.either = cmp.Or(s.dates.either, r.Time)
		}
	}
	k.piece, err = s.spool.put(&r)
	s.keys = append(s.keys, k)
	return err
}

// Close removes the temporary file.
func (s *shelf) Close() { s.spool.close() }

// Take gives the rows in their order. What an error of the stream cuts off is not given as if it were whole: that is
// the conversation of the last row, and all of them where rows of a conversation lie apart.
func (s *shelf) Take(dates string, isCut bool) (t dialogue.Taken, err error) {
	if s.requests != nil {
		return s.takeRequests(dates, isCut), nil
	}
	t.Dialogues = int(s.n)
	s.convs = nil // a million ids leave room for others
	last, apart := s.keys[len(s.keys)-1].conv, s.apart()
	if isCut && apart > 0 {
		return dialogue.Taken{Rows: func(func(dialogue.Placed, error) bool) {}}, nil
	}
	if t.Told, err = s.sort(dates); err != nil {
		return t, err
	}
	if apart > 0 {
		t.Told = append(t.Told, "the rows of "+dialogue.Counted(apart, "conversation")+" lie apart and were put together")
	}
	t.Rows = func(yield func(dialogue.Placed, error) bool) {
		for i, k := range s.keys {
			if isCut && k.conv == last {
				continue
			}
			r, err := s.spool.get(k.piece)
			if !yield(dialogue.Placed{Row: r, Begins: i == 0 || s.keys[i-1].conv != k.conv}, err) || err != nil {
				return
			}
		}
	}
	return t, nil
}

// apart counts the conversations that come back after another one began.
func (s *shelf) apart() int {
	is := make([]bool, s.n)
	apart, latest := 0, int32(-1)
	for i, k := range s.keys {
		if k.conv <= latest && s.keys[i-1].conv != k.conv && !is[k.conv] {
			is[k.conv] = true
			apart++
		}
		latest = max(latest, k.conv)
	}
	return apart
}

// sort puts the rows of each conversation together and in their order: that of their numbers where all have one, else
// that of their times. Rows of the same time keep the direction of the file. It gives what is to be told of it.
func (s *shelf) sort(dates string) (told []string, err error) {
	slices.SortStableFunc(s.keys, func(a, b key) int { return cmp.Compare(a.conv, b.conv) })
	isUS, err := s.settleDates(dates)
	if err != nil {
		return nil, err
	}
	byTime := func(a, b key) int { return cmp.Compare(a.time(isUS), b.time(isUS)) }
	down, differ := 0, false
	for list, byTurn := range s.each {
		for i := 1; i < len(list) && !byTurn; i++ {
			if c := byTime(list[i-1], list[i]); c != 0 && list[i-1].hasTime && list[i].hasTime {
				down += c
				differ = true
			}
		}
	}
	newestFirst, moved, odd := down > 0, 0, 0
	if !differ {
		isDown, isLikely := s.goesDown(byTime)
		if other, _ := s.goesDown(func(a, b key) int { return cmp.Compare(a.time(!isUS), b.time(!isUS)) }); other != isDown &&
			isLikely && s.isEither(dates) {
			return nil, s.undecided()
		}
		newestFirst = isDown && isLikely
		switch {
		case isDown && !isLikely:
			told = []string{"in the order of the file, since the times do not tell that of the turns"}
		case isLikely && !isDown:
			told = []string{"in the order of the file, although most end with a USER and begin with a SYSTEM turn"}
		}
	}
	for list, byTurn := range s.each {
		if byTurn {
			slices.SortStableFunc(list, func(a, b key) int { return cmp.Compare(a.turn, b.turn) })
			continue
		}
		if newestFirst {
			slices.Reverse(list)
		}
		switch back := fillTimes(list, s.dated, byTime); {
		case back > 0 && s.dated:
			moved++
			slices.SortStableFunc(list, byTime)
		case back > 0:
			odd++
		}
	}
	if odd > 0 {
		told = append(told, "the times of "+dialogue.Counted(odd, "dialogue")+" go back and have no day; the file's order is kept")
	}
	switch {
	case newestFirst:
		told = append(told, "newest first, so read from the end")
	case moved > 0:
		told = append(told, dialogue.Counted(moved, "dialogue")+" put in the order of the times")
	}
	if s.dates.either != "" && len(told) > 0 && !s.isEither(dates) {
		told = append(told, fmt.Sprintf("%q has the %s first", s.dates.either, firstOf(isUS)))
	}
	return told, nil
}

// fillTimes gives a row without a time that of the row before it. It counts how often the time goes back; from late to
// early is midnight where no time has a day.
func fillTimes(list []key, dated bool, byTime func(a, b key) int) (back int) {
	known := slices.IndexFunc(list, func(k key) bool { return k.hasTime })
	for i := range list {
		if known < 0 {
			break
		}
		if before := max(known, i-1); !list[i].hasTime {
			list[i].days, list[i].eu = list[before].days, list[before].eu
		}
		if i > 0 && byTime(list[i], list[i-1]) < 0 && (dated || list[i-1].eu-list[i].eu < day/2) {
			back++
		}
	}
	return back
}

// goesDown tells whether a file in which no dialogue has turns of different times is newest first: whether its
// dialogues are, and whether it is likely because most of them begin with the USER only when read from the end.
func (s *shelf) goesDown(byTime func(a, b key) int) (isDown, isLikely bool) {
	down, asIs, fromEnd := 0, 0, 0
	var before *key
	for list, byTurn := range s.each {
		first, last := &list[0], &list[len(list)-1]
		if byTurn {
			continue
		}
		if first.hasTime && before != nil {
			down += byTime(*before, *first)
		}
		if first.hasTime {
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
func (s *shelf) each(yield func(list []key, byTurn bool) bool) {
	for from, to := 0, 0; from < len(s.keys); from = to {
		byTurn := true
		for to = from; to < len(s.keys) && s.keys[to].conv == s.keys[from].conv; to++ {
			byTurn = byTurn && !math.IsNaN(s.keys[to].turn)
		}
		if !yield(s.keys[from:to], byTurn) {
			return
		}
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
func (s *shelf) settleDates(asked string) (isUS bool, err error) {
	d := &s.dates
	switch {
	case asked != "":
		isUS = asked == "us"
		if wrong := map[bool]string{true: d.eu, false: d.us}[isUS]; wrong != "" {
			return isUS, &dialogue.SyntaxError{Msg: fmt.Sprintf("%q is no date with the %s first", wrong, firstOf(isUS)),
				Hint: "leave --dates out, or give the other one"}
		}
		return isUS, nil
	case d.us != "" && d.eu != "":
		return false, &dialogue.SyntaxError{Msg: "the dates contradict each other: " + strconv.Quote(d.us) +
			" has the month first, " + strconv.Quote(d.eu) + " the day", Hint: "write them in one way, such as 2024-03-12 10:15"}
	case d.us != "" || d.eu != "" || d.either == "":
		return d.us != "", nil
	}
	for list, byTurn := range s.each {
		list = slices.DeleteFunc(slices.Clone(list), func(k key) bool { return !k.hasTime || byTurn })
		slices.SortFunc(list, func(a, b key) int { return cmp.Compare(a.time(true), b.time(true)) })
		for i := 1; i < len(list); i++ {
			if a, b := &list[i-1], &list[i]; cmp.Compare(a.time(true), b.time(true)) != cmp.Compare(a.eu, b.eu) {
				return false, s.undecided()
			}
		}
	}
	return false, nil
}

// isEither reports whether nothing tells what comes first in the dates.
func (s *shelf) isEither(asked string) bool {
	return asked == "" && s.dates.us == "" && s.dates.eu == "" && s.dates.either != ""
}

func (s *shelf) undecided() error {
	return &dialogue.SyntaxError{Msg: fmt.Sprintf("nothing tells whether %q has the day or the month first, "+
		"and the order of the turns depends on it", s.dates.either),
		Hint: "say it with --dates us (month first) or --dates eu (day first)"}
}
