package heuristics

// monthFirst reads "March 3rd".
func (r *valueReader) monthFirst(i int, month int32) (value, int) {
	next := i + 1
	if r.kind(next) == wordThe {
		next++
	}
	day := numeral{}
	switch r.kind(next) {
	case wordDigits:
		day = r.numeral(next)
	case wordOrdinal:
		day.n = int32(r.word(next).n)
	default:
		return value{}, 0
	}
	if day.n < 1 || day.n > 31 || day.minutes >= 0 || day.point || day.half != 0 {
		return value{}, 0
	}
	return value{slot: slot{kind: date}, n: month*32 + day.n}, next - i + 1
}

// dayFirst reads "3 March", "the 3rd of March", "3/4" and "on the 3rd".
func (r *valueReader) dayFirst(i int, n numeral) (value, int) {
	if n.n < 1 || n.n > 31 || n.point || n.minutes >= 0 || n.half != 0 {
		return value{}, 0
	}
	if r.joined(i, '/') {
		other, size := r.numeral(i+1), 2
		if r.joined(i+1, '/') {
			size = 3
		}
		if other.n < 1 || other.n > 31 || n.n > 12 && other.n > 12 || n.n == 24 && other.n == 7 {
			return value{}, 0
		}
		return value{slot: slot{kind: slashed}, n: n.n*32 + other.n}, size
	}
	if r.kind(i+1) == wordMonth && r.kind(i+2) != wordHalf {
		return value{slot: slot{kind: date}, n: int32(r.word(i+1).n)*32 + n.n}, 2
	}
	if n.ordinal && r.kind(i+1) == wordOf && r.kind(i+2) == wordMonth {
		return value{slot: slot{kind: date}, n: int32(r.word(i+2).n)*32 + n.n}, 3
	}
	if n.ordinal && r.dayOfMonth(i) {
		return value{slot: slot{kind: date}, n: n.n}, 1
	}
	return value{}, 0
}

// dayOfMonth reports whether an ordinal is a day: digits behind "on the", and no noun behind it.
func (r *valueReader) dayOfMonth(i int) bool {
	if r.word(i).kind != wordDigits || r.kind(i) == wordNone || r.word(i-1).kind != wordThe {
		return false
	}
	if w := r.word(i - 2); w.kind != wordOn && w.kind != wordFor && !w.loose && w.kind != wordPast {
		return false
	}
	return i+1 == len(r.tokens) || r.tokens[i+1].is(opensClause) || r.tokens[i+1].is(stopword)
}

// counted reads "4 people", "two economy tickets" and the number of "a table for 4".
func (r *valueReader) counted(i int, n numeral) (value, int) {
	if n.ordinal || n.point || n.minutes >= 0 || n.half != 0 || n.n > 999 {
		return value{}, 0
	}
	v := value{slot: slot{kind: count}, n: n.n}
	if r.kind(i+1) == wordUnit {
		v.slot.unit = r.word(i + 1).n
		return v, 2
	}
	if r.kind(i+2) == wordUnit && !r.tokens[i+1].is(opensClause) && r.word(i+1).kind == wordNone && r.tokens[i+1].content() {
		v.slot.unit = r.word(i + 2).n
		return v, 3
	}
	if i < 2 || r.kind(i) == wordNone || r.word(i-2).kind != wordParty || r.kind(i-1) != wordFor && r.kind(i-1) != wordOf {
		return value{}, 0
	}
	if i+1 < len(r.tokens) && !r.tokens[i+1].is(opensClause) && !r.tokens[i+1].is(stopword) && r.kind(i+1) == wordNone {
		return value{}, 0 // "a reservation for 2 hours"
	}
	v.slot.unit = unitPeople
	return v, 1
}

// The units that rules name; lexicon/words-values.txt numbers them all.
const (
	unitPeople     = 1
	unitNights     = 2
	unitTickets    = 3
	unitSeats      = 5
	unitPassengers = 6
	unitAdults     = 8
)

// anywhere marks a place that is given by a code such as "LA".
const anywhere = 1

// place reads "from New York" and "to Leeds": capitalised words behind the preposition. "In" and "at" make it
// loose: where something is may be named in passing.
func (r *valueReader) place(i int, preposition wordKind) (value, int) {
	if i+1 >= len(r.tokens) || !r.tokens[i+1].is(capital) {
		return value{}, 0
	}
	v := value{slot: slot{kind: place, unit: uint8(preposition)}, first: 1, loose: preposition == wordUnder || preposition == wordAt}
	size := r.names(i + 1)
	if size == 0 && r.tokens[i+1].end-r.tokens[i+1].start > 1 && r.code(r.tokens[i+1]) {
		v.n, v.loose, size = anywhere, true, 1
	}
	if size == 0 {
		return value{}, 0
	}
	return v, size + 1
}

// person reads "my name is Ann Lee" and "under the name of Lee".
func (r *valueReader) person(i int) (value, int) {
	before := r.word(i - 1).kind
	if before != wordOwn && (before != wordThe || r.word(i-2).kind != wordUnder) {
		return value{}, 0
	}
	skip := 1
	if next := r.kind(i + 1); next == wordIs || next == wordOf {
		skip++
	}
	size := r.names(i + skip)
	if size == 0 {
		return value{}, 0
	}
	return value{slot: slot{kind: person}, first: int32(skip)}, skip + size
}

// names counts the capitalised words from token i on, at most four. Days, months and codes are none.
func (r *valueReader) names(i int) int {
	size := 0
	for size < 4 && i+size < len(r.tokens) {
		t := r.tokens[i+size]
		if !t.is(capital) || t.is(opensClause) || t.is(stopword) || t.end-t.start < 3 || r.word(i+size).kind != wordNone || r.code(t) {
			break
		}
		size++
	}
	return size
}

// code reports whether t is written in capitals throughout, as airports are: it may stand for any name.
func (r *valueReader) code(t token) bool {
	c := r.text[t.start+1]
	return c >= 'A' && c <= 'Z'
}

// loose reports whether a word shortly before token i, in its clause, makes a value there a limit or a guess.
func (r *valueReader) loose(i int) bool {
	for back := 0; back < 3 && i > 0 && !r.tokens[i].is(opensClause); back++ {
		if i--; r.word(i).loose {
			return true
		}
	}
	return false
}

// numeral takes the token at i apart.
func (r *valueReader) numeral(i int) numeral {
	text := r.text[r.tokens[i].start:r.tokens[i].end]
	n := numeral{minutes: -1}
	text = digits(text, &n.n)
	if len(text) > 1 && text[0] == ':' {
		n.minutes = 0
		text = digits(text[1:], &n.minutes)
	} else if len(text) > 1 && text[0] == '.' {
		n.point = true
		if len(text) == 2 || !isDigit(text[2]) {
			text = digits(text[1:], &n.hundredths)
			n.hundredths *= 10
		} else {
			text = digits(text[1:], &n.hundredths)
		}
	}
	switch text {
	case "":
	case "am", "AM", "Am", "a":
		n.half = 1
	case "pm", "PM", "Pm", "p":
		n.half = 2
	case "st", "nd", "rd", "th", "ST", "ND", "RD", "TH":
		n.ordinal = true
	default:
		n.n = -1 // a code, such as the 2b of an address
	}
	return n
}

// digits reads the digits that text begins with into n, -1 for too many, and gives what is left.
func digits(text string, n *int32) string {
	*n = 0
	for len(text) > 0 && isDigit(text[0]) {
		if *n >= 0 {
			if *n = *n*10 + int32(text[0]-'0'); *n > mostNumber {
				*n = -1
			}
		}
		text = text[1:]
	}
	return text
}
