package heuristics

import (
	"math"
	"slices"
)

// value is something specific that a speaker mentions or a fact sheet states, such as a day, an
// amount or a number of people. All values are read by [valueReader] and compared by [relate].
type value struct {
	passage
	slot    slot
	n, high int32 // the ends of a range, otherwise equal; their meaning is that of the kind
	bound   limit
	loose   bool // a limit, a guess or an alternative, so that the USER may want another value
	working bool // the duration is of working days
}

// slot says what a value describes: its kind, and what is counted or the currency.
type slot struct {
	kind valueKind
	unit uint8
}

type valueKind uint8

const (
	weekday  valueKind = iota + 1 // 1 for Monday to 7 for Sunday
	relative                      // 1 for today, 2 for tomorrow
	// month*32 + day; month is 0 if only a day is mentioned. The ends of "3/5/2026", which may be
	// in March or in May, are these two days.
	date
	clock    // half*1440 + minutes; half is 1 am, 2 pm, 0 unknown
	count    // of a unit
	amount   // in hundredths of a currency
	bare     // of an unknown thing
	percent  // in hundredths
	duration // in minutes
	habit    // a weekday, as in "on Sundays"
)

// The units of an amount: the currencies. Without a sign or a name, it is the first.
const (
	pounds uint8 = iota
	dollars
	euros
)

// limit says whether a value is exact or a limit.
type limit uint8

const (
	exactly limit = iota
	atLeast       // "over £40"
	atMost        // "up to £40"
)

// relation is how two values, or two statements, relate to each other.
type relation uint8

const (
	unrelated relation = iota
	agreeing
	contrary // only one of them can be true of the same thing
)

// halfDay is twelve hours in minutes. A clock value with an unknown half of the day may be in
// either.
const halfDay = 12 * 60

// relate compares two values. It is symmetric. Values of different slots are unrelated.
func relate(a, b *value) relation {
	if !comparable(a, b) {
		return unrelated
	}
	agrees := false
	switch a.slot.kind {
	case date: // without a month, it may be in any
		for _, x := range [...]int32{a.n, a.high} {
			for _, y := range [...]int32{b.n, b.high} {
				agrees = agrees || x%32 == y%32 && (x/32 == y/32 || x < 32 || y < 32)
			}
		}
	case clock:
		agrees = sameTime(a, b)
	default:
		agrees = sameNumber(a, b)
	}
	if agrees {
		return agreeing
	}
	return contrary
}

// comparable reports whether a and b are of one slot. What is free is so in any currency.
func comparable(a, b *value) bool {
	isFree := a.slot.kind == amount && b.slot.kind == amount && min(a.high, b.high) == 0
	return a.slot == b.slot || a.isDay() && b.isDay() || isFree
}

// isDay reports whether a value is a day of the week.
func (v value) isDay() bool { return v.slot.kind == weekday || v.slot.kind == habit }

// isRange reports whether a value is a range, such as "3 to 5 days".
func (v *value) isRange() bool { return v.n != v.high && v.slot.kind != date }

// sameNumber reports whether two numbers are equal or one of two ranges includes the other. Two
// limits must be equal. A period of working days is two sevenths longer.
func sameNumber(a, b *value) bool {
	isDuration := a.slot.kind == duration
	ends := func(v, other *value) (low, high int64) {
		low, high = int64(v.n), int64(v.high)
		if isDuration && v.working && !other.working {
			if high = high * 7 / 5; !v.isRange() {
				low = high
			}
		}
		return low, high
	}
	low, high := ends(a, b)
	from, to := ends(b, a)
	if !a.isRange() && !b.isRange() && (isNear(high, to, isDuration) ||
		a.bound != exactly && b.bound != exactly) {
		return isNear(high, to, isDuration)
	}
	low, high = a.bound.widen(low, high)
	from, to = b.bound.widen(from, to)
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
func sameTime(a, b *value) bool {
	meets := func(x, y int32) bool {
		return slices.ContainsFunc(minutesOf(x), func(at int32) bool {
			return slices.Contains(minutesOf(y), at)
		})
	}
	switch {
	case !a.isRange() && !b.isRange(), a.isRange() && b.isRange():
		return meets(a.n, b.n) && meets(a.high, b.high)
	case b.isRange():
		a, b = b, a
	}
	from, to := minutesOf(a.n)[0], minutesOf(a.high)[0]
	return slices.ContainsFunc(minutesOf(b.n), func(at int32) bool {
		switch b.bound {
		case atLeast:
			return at == from
		case atMost:
			return at == to
		}
		return at == from || minutesBetween(from, at) <= minutesBetween(from, to)
	})
}

// rivals reports whether a and b are about the same thing, even if they are not comparable:
// "Tuesday next week" and "March 5th" may be the same day or not.
func rivals(a, b *value) bool {
	return a.slot == b.slot || a.slot.kind <= date && b.slot.kind <= date
}

// fits reports whether u may implicitly mean v: "make it four" may mean four people, four o'clock
// or the fourth.
func fits(u, v *value) bool {
	switch {
	case v.slot.kind == count && u.slot.kind == count:
		return u.n == v.n // four people have four tickets
	case u.slot.kind != bare:
		return false
	}
	switch v.slot.kind {
	case count:
		return u.n == v.n
	case clock:
		return u.n%12*60 == v.n%halfDay/60*60
	}
	return v.slot.kind == date && u.n == v.n%32
}

// names reports whether v is a complete value of a request. "One" alone is usually a pronoun.
func (v value) names() bool { return v.slot.kind < bare || v.slot.kind == bare && v.n != 1 }

// isAlone reports whether no other value in the turn of v can be about the same thing.
func isAlone(s *analysis, v *value) bool {
	return !slices.ContainsFunc(s.valuesOf(v.turn), func(u value) bool {
		return u.first != v.first && rivals(v, &u)
	})
}
