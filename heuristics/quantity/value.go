// Package quantity reads amounts, dates, times and numbers of things, and compares them.
//
//	Which value do some words state?                         reader.go: Reader
//	Do two values agree, or can only one be true?            value.go: Relate
//	Does a statement agree with a rule?                      value.go: Value.Against
//	Which numbers and references are written in digits?      grounds.go: AppendFigures
//	Was a number, day or code mentioned, or does it follow?  grounds.go: Grounds
package quantity

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/heuristics/text"
)

// Value is something specific that a speaker mentions or a fact sheet states, such as a day, an
// amount or a number of people. All values are read by [Reader] and compared by [relate].
type Value struct {
	text.Passage
	Slot    Slot
	N, High int32 // the ends of a range, otherwise equal; their meaning is that of the kind
	Bound   limit
	Loose   bool // a limit, a guess or an alternative, so that the USER may want another value
	working bool // the duration is of working days
}

// Slot says what a value describes: its kind, and what is counted or the currency.
type Slot struct {
	Kind Kind
	Unit uint8
}

// Kind says what a value is: a day, a time, an amount and so on.
type Kind uint8

const (
	Weekday  Kind = iota + 1 // 1 for Monday to 7 for Sunday
	Relative                 // 1 for today, 2 for tomorrow
	// month*32 + day; month is 0 if only a day is mentioned. The ends of "3/5/2026", which may be
	// in March or in May, are these two days.
	Date
	Clock    // half*1440 + minutes; half is 1 am, 2 pm, 0 unknown
	Count    // of a unit
	Amount   // in hundredths of a currency
	Bare     // of an unknown thing
	Percent  // in hundredths
	Duration // in minutes
	habit    // a weekday, as in "on Sundays"
)

// The units of an amount: the currencies. Without a sign or a name, it is the first.
const (
	pounds uint8 = iota
	dollars
	euros
	cents // of dollars or euros
)

// limit says whether a value is exact or a limit.
type limit uint8

const (
	Exactly limit = iota
	atLeast       // "over £40"
	atMost        // "up to £40"
)

// Relation is how two values, or two statements, relate to each other.
type Relation uint8

const (
	Unrelated Relation = iota
	Agreeing
	Contrary // only one of them can be true of the same thing
	Inside   // the value is inside of a fact's limits, but may be of another thing
)

// halfDay is twelve hours in minutes. A clock value with an unknown half of the day may be in
// either.
const halfDay = 12 * 60

// Relate compares two values. It is symmetric. Values of different slots are unrelated, and so are
// limits between which there may be something: "at least 3 days" and "within 14 days".
func Relate(a, b *Value) Relation {
	leaves := func(low, high *Value) bool {
		return low.Bound == atLeast && high.Bound == atMost && low.N <= high.High
	}
	if !IsSameSlot(a, b) || leaves(a, b) || leaves(b, a) {
		return Unrelated
	}
	agrees := false
	switch a.Slot.Kind {
	case Date: // without a month, it may be in any
		for _, x := range [...]int32{a.N, a.High} {
			for _, y := range [...]int32{b.N, b.High} {
				agrees = agrees || x%32 == y%32 && (x/32 == y/32 || x < 32 || y < 32)
			}
		}
	case Clock:
		agrees = sameTime(a, b)
	default:
		agrees = sameNumber(a, b)
	}
	if agrees {
		return Agreeing
	}
	return Contrary
}

// IsSameSlot reports whether a and b are of one slot. What is free is so in any currency, and cents
// are those of any but pounds.
func IsSameSlot(a, b *Value) bool {
	isAmount := a.Slot.Kind == Amount && b.Slot.Kind == Amount
	isFree, one, other := min(a.High, b.High) == 0, a.Slot.Unit, b.Slot.Unit
	return a.Slot == b.Slot || a.IsDay() && b.IsDay() ||
		isAmount && (isFree || max(one, other) == cents && min(one, other) != pounds)
}

// IsDay reports whether a value is a day of the week.
func (v Value) IsDay() bool { return v.Slot.Kind == Weekday || v.Slot.Kind == habit }

// IsRange reports whether a value is a range, such as "3 to 5 days".
func (v *Value) IsRange() bool { return v.N != v.High && v.Slot.Kind != Date }

// sameNumber reports whether two numbers are equal or one of two ranges includes the other. Two
// limits must be equal. A period of working days is two sevenths longer.
func sameNumber(a, b *Value) bool {
	isDuration := a.Slot.Kind == Duration
	ends := func(v, other *Value) (low, high int64) {
		low, high = int64(v.N), int64(v.High)
		if isDuration && v.working && !other.working {
			if high = high * 7 / 5; !v.IsRange() {
				low = high
			}
		}
		return low, high
	}
	low, high := ends(a, b)
	from, to := ends(b, a)
	if !a.IsRange() && !b.IsRange() && (isNear(high, to, isDuration) ||
		a.Bound != Exactly && b.Bound != Exactly) {
		return isNear(high, to, isDuration)
	}
	low, high = a.Bound.widen(low, high)
	from, to = b.Bound.widen(from, to)
	return low <= from && to <= high || from <= low && high <= to
}

// widen returns the numbers that satisfy a limit.
func (l limit) widen(low, high int64) (from, to int64) {
	switch l {
	case atLeast:
		return low, math.MaxInt64
	case atMost:
		return 0, high
	}
	return low, high
}

// isNear reports whether two numbers are equal. Four weeks are a month.
func isNear(a, b int64, isDuration bool) bool {
	const month = 28 * 1440
	return a == b || isDuration && min(a, b) >= month && 100*max(a-b, b-a) <= 8*max(a, b)
}

// minutesOf returns the minutes of the day that a clock value may be.
func minutesOf(n int32) []int32 {
	if half := n / (2 * halfDay); half > 0 {
		return []int32{n%(2*halfDay) + (half-1)*halfDay}
	}
	return []int32{n, n + halfDay}
}

// minutesBetween returns the minutes from one minute of the day until the next time that it is
// another one: at most 24 hours.
func minutesBetween(from, to int32) int32 {
	const day = 2 * halfDay
	if from == to {
		return day
	}
	return (to - from + day) % day
}

// sameTime reports whether two times or ranges of times agree. A range lasts from when something
// opens until it closes.
func sameTime(a, b *Value) bool {
	meets := func(x, y int32) bool {
		return slices.ContainsFunc(minutesOf(x), func(at int32) bool {
			return slices.Contains(minutesOf(y), at)
		})
	}
	switch {
	case !a.IsRange() && !b.IsRange(), a.IsRange() && b.IsRange():
		return meets(a.N, b.N) && meets(a.High, b.High)
	case b.IsRange():
		a, b = b, a
	}
	from, to := minutesOf(a.N)[0], minutesOf(a.High)[0]
	return slices.ContainsFunc(minutesOf(b.N), func(at int32) bool {
		switch b.Bound {
		case atLeast:
			return at == from
		case atMost:
			return at == to
		}
		return at == from || minutesBetween(from, at) <= minutesBetween(from, to)
	})
}

// Against compares the value q of a statement with the value f of a fact. Unlike [relate], it
// knows that the fact is a rule: a statement may not widen it, and an amount that a limit allows is
// that of one case.
func (q *Value) Against(f *Value) Relation {
	r := Relate(q, f)
	end := Value{Slot: f.Slot, N: q.High, High: q.High, Bound: f.Bound, working: q.working}
	isAmount := f.Slot.Kind == Amount || f.Slot.Kind == Percent
	isMoment := f.Slot.Kind == Clock && f.IsRange() && !q.IsRange() && q.Bound == Exactly
	switch {
	case r == Agreeing && isMoment:
		return Inside
	case r == Unrelated || f.Slot.Kind <= Clock || f.Slot.Kind == habit,
		!f.IsRange() && Relate(f, &end) == Agreeing:
		return r
	case isAmount && f.Bound == atLeast && q.Bound == Exactly && (f.Slot.Kind == Amount ||
		q.N > f.High), isAmount && f.Bound == atMost && q.Bound != atMost && q.High < f.High:
		return Unrelated
	case f.IsRange() && (q.N < f.N || q.High > f.High && q.working == f.working):
		return Contrary
	case f.Bound == Exactly && q.Bound != Exactly && isAmount && r == Agreeing:
		return Unrelated // "under eight pounds" of £7.95
	case f.Bound == Exactly && q.Bound != Exactly:
		return Contrary
	case r == Agreeing && f.Slot.Kind == Duration && f.Bound != Exactly:
		return Inside
	}
	return r
}

// IsRule reports whether a fact may have v as its value.
func (v *Value) IsRule() bool {
	return v.Slot.Kind <= Clock || v.Slot.Kind == Amount || v.Slot.Kind >= Percent
}

// IsMoment reports whether v is a date or a time.
func (v *Value) IsMoment() bool { return v.Slot.Kind == Date || v.Slot.Kind == Clock }

// Fits reports whether u may implicitly mean v: "make it four" may mean four people, four o'clock
// or the fourth.
func Fits(u, v *Value) bool {
	isBare := u.Slot.Kind == Bare
	switch v.Slot.Kind {
	case Count: // four people have four tickets
		return (isBare || u.Slot.Kind == Count) && u.N == v.N
	case Clock:
		return isBare && u.N%12*60 == v.N%halfDay/60*60
	}
	return isBare && v.Slot.Kind == Date && u.N == v.N%32
}

// clockOf returns a time as a clock value. From 13:00 on, the half of the day is known.
func clockOf(hour, minutes int32, half uint8) int32 {
	switch {
	case hour == 24:
		hour = 0
	case hour > 12:
		hour, half = hour-12, 2
	}
	return int32(half)*2*halfDay + hour%12*60 + minutes
}

// The kinds of words in values that other packages ask for.
const (
	WordNone   = ""
	WordNumber = "number"
	WordUnit   = "unit"
	WordAsks   = "asks"
)

// unitPeople is the unit of "a table for 4", as numbered in lexicon/words-values.txt.
const unitPeople = 1

// OfPeople is the slot of a number of people.
var OfPeople = Slot{Count, unitPeople}

// Word is a word in lexicon/words-values.txt. A word may have two functions, such as "after"
// in "quarter after nine" and "after nine": loose holds the second.
type Word struct {
	Kind  string // as in the list; "digits" for what begins with a digit
	N     uint8
	loose bool
}

// Words are the words in lexicon/words-values.txt and lexicon/words-facts.txt.
type Words struct {
	values []Word // by word number
	facts  map[string]factWord
}

// ValueOf returns the function of a word in a value, or the zero Word.
func (w *Words) ValueOf(tok text.Token) Word {
	if int(tok.Word) < len(w.values) {
		return w.values[tok.Word]
	}
	return Word{}
}

// AddValues parses a line of lexicon/words-values.txt.
func (w *Words) AddValues(v text.Vocabulary, line string) error {
	f := strings.Fields(line)
	kinds := strings.Fields("weekday relative month number ordinal unit party money pays half " +
		"noon oclock fraction past loose at for of the on into asks spoken")
	if !slices.Contains(kinds, f[0]) {
		return fmt.Errorf("unknown kind of value word %q; want one of %q", f[0], kinds)
	}
	n, err := strconv.ParseUint(f[1], 10, 8)
	if err != nil {
		return err
	}
	for _, word := range f[2:] {
		at := int(v.Enter(word, 0))
		w.values = append(w.values, make([]Word, max(0, at+1-len(w.values)))...)
		if of := &w.values[at]; f[0] == "loose" {
			of.loose = true
		} else {
			of.Kind, of.N = f[0], uint8(n)
		}
	}
	return nil
}

// factWord is the entry of a word in lexicon/words-facts.txt: its kinds, such as "over", and the
// minutes of a unit of time.
type factWord struct {
	kinds   []string
	minutes int64
}

// is reports whether the word is of one of some kinds.
func (w factWord) is(kinds ...string) bool {
	return slices.ContainsFunc(w.kinds, func(k string) bool { return slices.Contains(kinds, k) })
}

// MinutesIn returns the minutes in a unit of time, or 0 for another word.
func (w *Words) MinutesIn(unit string) uint64 { return uint64(w.facts[unit].minutes) }

// AddFacts parses a line of lexicon/words-facts.txt.
func (w *Words) AddFacts(line string) error {
	if w.facts == nil {
		w.facts = map[string]factWord{}
	}
	kind, words, _ := strings.Cut(line, " ")
	kinds := strings.Fields("over under or-more or-less and-more past arranged deed ready near " +
		"opening opens closes open being coming waiting free charge free-with price asking " +
		"wishing pronoun working calendar denying")
	minutes, err := strconv.ParseInt(kind, 10, 64)
	if err != nil && !slices.Contains(kinds, kind) {
		return fmt.Errorf("unknown kind %q; want minutes or one of %q", kind, kinds)
	}
	for word := range strings.FieldsSeq(words) {
		of := w.facts[word]
		w.facts[word] = factWord{append(of.kinds, kind), max(of.minutes, minutes)}
	}
	return nil
}

// Moment matches a date such as 2026-07-19 or 19/7/26, or a time with its zone and half of the day.
var Moment = text.Regexp(`^(?:\d{4}-(\d\d)-(\d\d)|(\d{1,2})[/.](\d{1,2})[/.](?:\d{4}|\d\d)\b|` +
	`(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?([+-]\d\d:?\d\d)?)?(Z)?(?:\s?([AaPp])\.?[Mm])?)`)
