package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// This file orders messages and turns by their times, and the results of tools by their calls.

// timeOf returns the time of a message, and whether the source states it; see fillTimes.
func timeOf(m *message) (at *Moment, isKnown bool) { return &m.at, m.hasTime }

// fillTimes sets the time of an element without one to that of the element before it. It counts how
// often the time increases and decreases; if times have no date, a step from late to early is
// midnight. Decreases that a change of clocks may explain are counted separately, as nights.
func fillTimes[T any](list []T, timeOf func(*T) (at *Moment, isKnown bool), dated, isUS bool) (
	up, back, nights int) {
	known := slices.IndexFunc(list, func(v T) bool { _, is := timeOf(&v); return is })
	if known < 0 {
		return 0, 0, 0
	}
	for i := range list {
		at, isKnown := timeOf(&list[i])
		if before, _ := timeOf(&list[max(known, i-1)]); !isKnown {
			*at = *before
		}
		last, _ := timeOf(&list[max(0, i-1)])
		switch step := at.in(isUS) - last.in(isUS); {
		case step > 0:
			up++
		case step == 0:
		case setBack(*last, *at, isUS):
			nights++
		case dated || last.EU-at.EU < day/2:
			back++
		}
	}
	return up, back, nights
}

// inOrder sorts messages by time. Those of the same time or without one keep their order.
func (l *layout) inOrder(f *file, p *part, list []message) {
	for i := range list {
		f.dates.add(list[i].at, list[i].Time)
	}
	isUS := f.isUS()
	sorted := func(a, b message) int { return cmp.Compare(a.at.in(isUS), b.at.in(isUS)) }
	if !slices.ContainsFunc(list, func(m message) bool { return m.hasTime }) {
		if t := l.Turns[0]; t.Joined && len(list) > 2 {
			f.note(fmt.Sprintf("no times at %s, so the turns are in the order of the file", t.Time))
		}
		if l.NewestFirst && len(list) > 1 {
			slices.Reverse(list)
			f.note(fmt.Sprintf("no times at %s, so the messages are read from the end: "+
				"%s lists the newest first", l.Messages.Time, l.format))
		}
		return
	}
	up, back, nights := fillTimes(list, timeOf, true, isUS)
	isEither := false
	for i := range list {
		isEither = isEither || i > 0 && list[i].at.US != list[i].at.EU
		list[i].hasTime = true
	}
	if nights == 1 && back == 0 && !l.NewestFirst {
		f.report("times go back in a night in which clocks were set back; the file's order is kept")
		return
	} else if !l.NewestFirst && nights+back > 0 {
		f.report("messages are read in the order of their times, which is not that of the file")
	}
	if back > up {
		slices.Reverse(list)
	}
	slices.SortStableFunc(list, sorted)
	if isUS = !isUS; isEither && f.order() == "" && !slices.IsSortedFunc(list, sorted) {
		p.wrong("nothing shows whether the day or the month comes first in the times, and the "+
			"order depends on it", "say it with --dates us (month first) or --dates eu (day first)")
	}
}

// orderText puts the messages of a chat in order, oldest first, if most times decrease, and the
// lines of cues if nearly all do. It reports both that and an order that is kept.
func orderText(f *file, list []message) {
	up, back, _ := fillTimes(list, timeOf, true, false)
	if back == 0 {
		return // as nearly always
	}
	upUS, backUS, _ := fillTimes(list, timeOf, true, true)
	if back > up && backUS > upUS && (f.format != subtitles || back > 9*up) {
		if slices.Reverse(list); f.format == subtitles { // the lines of a cue keep their order
			slices.SortStableFunc(list, func(a, b message) int {
				return cmp.Or(cmp.Compare(a.at.EU, b.at.EU), a.Line-b.Line)
			})
		}
		f.note("newest first, so read from the end")
	} else if backUS > 0 && (list[0].at.HasDate || f.format == subtitles) {
		f.note("the times go back within a dialogue; the file's order is kept")
	}
}

// place is the place of a call: its turn and the line within that turn, both counted from 0.
type place struct{ turn, line int }

// orderResults moves the results of tools into the order of their calls, as far as these have ids
// in the maps, by turn, because [dialogue.Dialogue.Tools] sees only the turns. Consecutive calls
// are a batch; within a batch, calls without a result come last.
func orderResults(
	turns []dialogue.Turn, voices []dialogue.Voice, callIDs, resultIDs map[int]string,
) {
	if len(resultIDs) == 0 {
		return
	}
	keys := make([][3]int, len(turns)) // sort keys of the turns
	batchOf := make([]int, len(turns))
	var batches []place          // their first and last turns
	calls := map[string]place{}  // by id; the last one before a result counts
	answered := map[place]bool{} // the calls that have a result
	for i, run := 0, 0; i < len(turns); i++ {
		keys[i] = [3]int{i, 0, 0}
		if ids, ok := callIDs[i]; ok {
			if _, follows := callIDs[i-1]; !follows {
				batches = append(batches, place{i, i})
			}
			batchOf[i] = len(batches) - 1
			batches[batchOf[i]].line = i
			for line, id := range strings.Split(ids, "\n") {
				calls[id] = place{i, line}
			}
		}
		id, ok := resultIDs[i]
		if _, follows := resultIDs[i-1]; !follows {
			run = i
		}
		if at, isKnown := calls[id]; ok && isKnown && id != "" {
			answered[at] = true
			keys[i] = [3]int{run, at.turn + 1, at.line}
			if of := batchOf[at.turn]; of < len(batches)-1 { // it comes after other calls
				keys[i][0] = batches[of].line
			}
		}
	}
	for i, ids := range callIDs {
		lines := strings.Split(turns[i].Text, "\n")
		var with, without []string
		for line := range lines {
			if answered[place{i, line}] {
				with = append(with, lines[line])
			} else {
				without = append(without, lines[line])
			}
		}
		if len(lines) == strings.Count(ids, "\n")+1 {
			turns[i].Text = strings.Join(append(with, without...), "\n")
		}
		if b := batches[batchOf[i]]; b.turn < b.line {
			keys[i] = [3]int{b.turn, min(1, len(without)) * (2 - min(1, len(with))), i}
		}
	}
	order := make([]int, len(turns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return slices.Compare(keys[a][:], keys[b][:])
	})
	before, spoke := slices.Clone(turns), slices.Clone(voices)
	for to, from := range order {
		turns[to], voices[to] = before[from], spoke[from]
	}
}
