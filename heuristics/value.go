package heuristics

// value is something specific that a speaker mentions, such as a day or a number of people. If two
// values of one slot differ, the USER cannot want both.
type value struct {
	passage
	slot  slot
	n     int32 // its meaning depends on the kind, see valueKind
	loose bool  // a limit, a guess or an alternative, which nothing contradicts
}

// slot says what a value describes: its kind and, for a count, what is counted.
type slot struct {
	kind valueKind
	unit uint8
}

type valueKind uint8

const (
	weekday  valueKind = iota + 1 // n is 1 for Monday to 7 for Sunday
	relative                      // n is 1 for today, 2 for tomorrow
	date                          // n is month*32 + day; month is 0 if only a day is mentioned
	clock                         // n is half*1440 + minutes; half is 1 am, 2 pm, 0 unknown
	count                         // n of a unit
	amount                        // n in hundredths of any currency
	place                         // the tokens are the value; unit is the kind of preposition
	person                        // the tokens are the value
	bare                          // n of an unknown thing
)

// comparable reports whether a and b are of one slot. The return trip starts where the outbound
// trip ends.
func comparable(a, b *value) bool {
	return a.slot == b.slot || a.slot.kind == place && b.slot.kind == place
}

// rivals reports whether a and b are about the same thing, even if they are not comparable:
// "Tuesday next week" and "March 5th" may be the same day or not.
func rivals(a, b *value) bool {
	return a.slot == b.slot || a.slot.kind <= date && b.slot.kind <= date
}

// halfDay is twelve hours in minutes. A clock value with an unknown half of the day may be in
// either.
const halfDay = 12 * 60

// fits reports whether u may implicitly mean v: "make it four" may mean four people, four o'clock
// or the fourth.
func fits(u, v *value) bool {
	if u.slot.kind != bare {
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

// slotValue is a value without the parts that may be left open: the month of a date, the half of
// the day.
type slotValue struct {
	kind valueKind
	n    int32
}

// open splits a day or a time into the part that is always stated and the part that may be left
// open, which is 0 if it is.
func (v *value) open() (of slotValue, part int32, ok bool) {
	switch v.slot.kind {
	case weekday:
		return slotValue{weekday, v.n}, 0, true
	case date:
		return slotValue{date, v.n % 32}, v.n / 32, true
	case clock:
		return slotValue{clock, v.n % (2 * halfDay)}, v.n / (2 * halfDay), true
	}
	return slotValue{}, 0, false
}

// names reports whether v is a complete value. "One" alone is usually a pronoun.
func (v value) names() bool { return v.slot.kind != bare || v.n != 1 }
