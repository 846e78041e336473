package importer

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"assize/rubric/dialogue"
)

// The order of day and month is a property of a file: 08/04/2026 is in April if another row has
// 23/04/2026. A dialogue whose date can be read in both ways waits until a date decides.

// dates is what the dates of a file reveal about the order of day and month.
type dates struct {
	us, eu string // the first date that can be read in one way only
	either string // the first date that can be read in both
}

// add records a date as the source writes it.
func (d *dates) add(m Moment, text string) {
	first := &d.either
	switch {
	case m.OnlyUS:
		first = &d.us
	case m.OnlyEU:
		first = &d.eu
	case m.US == m.EU:
		return
	}
	*first = cmp.Or(*first, text)
}

// order returns "us" or "eu", or "" if no date decides or two contradict each other.
func (d *dates) order() string {
	switch {
	case d.us != "" && d.eu == "":
		return "us"
	case d.eu != "" && d.us == "":
		return "eu"
	}
	return ""
}

// isEither reports whether the file has dates that can be read in both ways, and no date decides.
func (d *dates) isEither() bool { return d.us+d.eu == "" && d.either != "" }

// contradiction returns what is wrong with dates of both orders, or "".
func (d *dates) contradiction() string {
	if d.us == "" || d.eu == "" {
		return ""
	}
	return fmt.Sprintf("the dates contradict each other: %q has the month first, %q the day",
		d.us, d.eu)
}

// against returns what is wrong with the order that the user says, or "".
func (d *dates) against(order string) string {
	wrong := map[string]string{"us": d.eu, "eu": d.us}[order]
	if wrong == "" {
		return ""
	}
	return fmt.Sprintf("%q is no date with the %s first", wrong, firstOf(order == "us"))
}

// order returns what the user says of the order of day and month, else what the dates reveal.
func (f *file) order() string { return cmp.Or(f.opt.Dates, f.dates.order()) }

// isUS reports whether 03/12/2024 is read with the month first.
func (f *file) isUS() bool { return f.order() == "us" }

// Day returns the date as 2024-05-31, or "" if it has none or only order could tell and does not.
func (m Moment) Day(order string) string {
	if !m.hasYear() || order == "" && m.US != m.EU && !m.OnlyUS && !m.OnlyEU {
		return ""
	}
	return time.UnixMilli(m.in(order == "us")).UTC().Format(time.DateOnly)
}

// hasYear reports whether the time has a date with a year, unlike 24 September.
func (m Moment) hasYear() bool { return m.HasDate && m.US > -1000*365*day }

// Dates yields the dates that may be those of a dialogue and how they are read, the most reliable
// first: the first in the times of its turns, then fields for a time, those with usual names first.
func Dates(voices []dialogue.Voice, meta dialogue.Meta) iter.Seq2[string, Moment] {
	return func(yield func(string, Moment) bool) {
		for _, v := range voices {
			if at, ok := ParseTime(v.At); ok && at.HasDate {
				if !yield(v.At, at) {
					return
				}
				break
			}
		}
		var dated dialogue.Meta
		for _, f := range meta {
			if at, ok := ParseTime(f.Value); ok && at.HasDate && isDayName(f.Name) {
				dated = append(dated, f)
			}
		}
		rank := func(f dialogue.Field) int { // names that are not usual come last
			return int(uint8(slices.Index(columnWords()["day"], foldColumn(f.Name))))
		}
		slices.SortStableFunc(dated, func(a, b dialogue.Field) int { return rank(a) - rank(b) })
		for _, f := range dated {
			if at, _ := ParseTime(f.Value); !yield(f.Value, at) {
				return
			}
		}
	}
}

// isDayName reports whether a field is named like the time of a conversation, as "created_at" and
// "Chat date" are: by a usual name, or only with words for a time and for what is said.
func isDayName(name string) bool {
	isTime := func(words ...string) bool { return anyIn(words, "time") || anyIn(words, "day") }
	if anyIn([]string{foldColumn(name)}, "day") {
		return true
	}
	words := nameWords(name)
	isOther := func(w string) bool {
		word := []string{w}
		return anyIn(word, "other-time") ||
			!isTime(w) && !anyIn(word, "conversation") && !anyIn(word, "said")
	}
	return isTime(words...) && !slices.ContainsFunc(words, isOther)
}

// emitted is a dialogue, or the error in its place.
type emitted struct {
	dialogue.Sample
	err  error
	open string // its date, if that can be read in two ways
}

// emit yields a dialogue, or the error in its place. A dialogue whose date can be read in two ways
// waits, with those after it, until a date decides or the size of a dialogue is reached.
func (f *file) emit(s dialogue.Sample, err error) {
	if f.err != nil {
		return
	}
	e := emitted{s, err, ""}
	if err == nil {
		e.open = f.dateOf(&s.Source)
	}
	if f.held == nil && e.open == "" {
		f.deliver(e)
		return
	}
	for _, t := range s.Dialogue.Turns {
		f.heldSize += len(t.Text)
	}
	if f.held = append(f.held, e); !f.dates.isEither() || f.heldSize > f.most.text {
		f.flush()
	}
}

// dateOf records the dates of a dialogue, and returns its date if that can be read in two ways.
func (f *file) dateOf(s *dialogue.Source) (open string) {
	hasDay, unread := false, ""
	for text, at := range Dates(s.Voices, s.Meta) {
		f.dates.add(at, text)
		hasDay = hasDay || at.Day(f.opt.Dates) != ""
		first := &open
		if !at.hasYear() {
			first = &unread
		}
		*first = cmp.Or(*first, text)
	}
	if hasDay {
		return ""
	}
	for _, field := range s.Meta {
		_, isTime := ParseTime(field.Value)
		if unread == "" && !isTime && strings.ContainsAny(field.Value, "0123456789") &&
			isDayName(field.Name) {
			unread = field.Value
		}
	}
	if open == "" && unread != "" {
		f.omissions.first("date", quote(unread))
	}
	return open
}

// flush yields the dialogues that wait.
func (f *file) flush() {
	for _, e := range f.held {
		if e.open == "" {
		} else if e.Source.Dates = f.dates.order(); e.Source.Dates == "" {
			f.omissions.first("undated", quote(e.open))
		}
		f.deliver(e)
	}
	f.held, f.heldSize = nil, 0
}

func (f *file) deliver(e emitted) {
	if f.err != errStopped && !f.yield(e.Sample, e.err) {
		f.err = errStopped
	}
}
