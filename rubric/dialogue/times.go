package dialogue

import (
	"slices"
	"strconv"
	"strings"
)

// Moment is a time of the source in milliseconds. Where its numbers do not tell the day from the month, it has one
// value for each reading.
type Moment struct {
	US, EU           int64 // with the month first, with the day first
	OnlyUS, OnlyEU   bool  // the numbers allow one reading only
	HasDate, HasTime bool
	IsNumber         bool // a plain number: Unix time, or seconds from some beginning
}

// in gives the time with the month or the day first.
func (m Moment) in(isUS bool) int64 {
	if isUS {
		return m.US
	}
	return m.EU
}

// day is how many milliseconds one has.
const day = 86_400_000

// months and zones are what the words of a time may be. A zone is given in minutes east of Greenwich.
var (
	months = strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec")
	zones  = map[string]int{
		"z": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 60, "west": 60, "cet": 60, "cest": 120, "eet": 120, "eest": 180,
		"msk": 180, "ist": 330, "sgt": 480, "jst": 540, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780,
		"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
	}
	// fillers are words that say nothing of the time, by their first three letters.
	fillers = " t at on of st nd rd th mon tue wed thu fri sat sun "
)

// ParseTime reads a time in any of the usual forms: ISO 8601, US, European, with the month in letters, with a zone, a
// clock time alone, a date alone, or a plain number, which is Unix time by its digits or else seconds.
func ParseTime(s string) (m Moment, ok bool) {
	s = strings.Trim(s, " \t[]()")
	if s == "" || len(s) > maxStamp {
		return m, false
	}
	if strings.Trim(s, "0123456789.") == "" && strings.Count(s, ".") < 2 {
		return unixTime(s)
	}
	t := timeText{text: s}
	for i := 0; i < len(s) && i >= 0; {
		switch c := s[i]; {
		case isDigit(c):
			i = t.number(i)
		case isLetter(c):
			i = t.word(i)
		case strings.ContainsRune(" ,-/.+_", rune(c)) || c >= 0x80:
			i++
		default:
			return m, false
		}
		if i < 0 {
			return m, false
		}
	}
	if len(t.parts) == 1 && len(t.parts[0]) == 8 {
		t.parts = []string{t.parts[0][:4], t.parts[0][4:6], t.parts[0][6:]} // 20240312
	}
	if m.HasTime = t.hasClock; !m.date(t.parts, t.month, t.dotted) {
		return m, false
	}
	if t.half != "" {
		if t.clock[0] %= 12; t.half == "p" {
			t.clock[0] += 12
		}
	}
	ms := int64(t.clock[0]*60+t.clock[1]-t.zone)*60_000 + int64(t.clock[2]*1000+t.clock[3])
	m.US, m.EU = m.US*day+ms, m.EU*day+ms
	return m, m.HasDate || m.HasTime
}

// timeText is a time while it is read. Its methods read on from a place and give the next; -1 where it is no time.
type timeText struct {
	text        string
	parts       []string // numbers of the date
	dotted      bool     // with dots between
	month, zone int
	clock       [4]int // hour, minute, second, millisecond
	hasClock    bool
	half        string // of the day, a or p
}

func (t *timeText) number(i int) int {
	s, n := t.text, i
	isSigned := i > 0 && (s[i-1] == '+' || s[i-1] == '-') && (len(t.parts) == 0 || len(t.parts) == 3 || t.month > 0)
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	switch isInside := n+1 < len(s) && isDigit(s[n+1]); {
	case isInside && !t.hasClock && (s[n] == ':' || s[n] == 'h' || s[n] == '.' && len(t.parts) == 3):
		t.hasClock = true
		return parseClock(s, i, &t.clock)
	case t.hasClock && isSigned:
		digits := strings.Replace(s[i:min(len(s), i+5)], ":", "", 1)
		v, err := strconv.Atoi(digits[:min(len(digits), 4)])
		if err != nil || len(digits) < 2 {
			return -1
		}
		if len(digits) < 4 {
			v *= 100
		}
		if t.zone = v/100*60 + v%100; s[i-1] == '-' {
			t.zone = -t.zone
		}
		return len(s)
	}
	t.parts = append(t.parts, s[i:n])
	t.dotted = t.dotted || n < len(s) && s[n] == '.' && len(t.parts) < 3
	return n
}

func (t *timeText) word(i int) int {
	s, n := t.text, i
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	word := strings.ToLower(s[i:n])
	offset, isZone := zones[word]
	rest := strings.TrimLeft(s[n:], ". \u00a0\u202f") // as in "a. m."
	switch {
	case word == "am" || word == "pm":
		t.half = word[:1]
	case (word == "a" || word == "p") && (strings.HasPrefix(rest, "m") || strings.HasPrefix(rest, "M")):
		t.half, n = word, len(s)-len(rest)+1
	case isZone && t.hasClock:
		t.zone = offset
	case strings.Contains(fillers, " "+word[:min(len(word), 3)]+" "):
	default:
		k := slices.Index(months, word[:min(len(word), 3)])
		if k < 0 {
			return -1
		}
		t.month = k + 1
	}
	return n
}

// date settles the days from the numbers of a date and its month, if that is in letters.
func (m *Moment) date(parts []string, month int, dotted bool) bool {
	var n [3]int
	if len(parts) > 3 {
		return false
	}
	for i, p := range parts {
		n[i], _ = strconv.Atoi(p)
		if len(p) > 4 {
			return false
		}
	}
	year := func(i int) int {
		if len(parts) > i && len(parts[i]) <= 2 {
			return 2000 + n[i]
		}
		return n[i]
	}
	var okUS, okEU bool
	switch m.HasDate = true; {
	case len(parts) == 0 && month == 0:
		m.HasDate = false
		return true
	case month > 0 && len(parts) > 0 && len(parts) < 3:
		y, d := year(1), n[0]
		if len(parts[0]) == 4 {
			y, d = n[0], n[1]
		}
		m.US, okUS = days(y, month, d)
		m.EU, okEU = m.US, okUS
	case month == 0 && len(parts) == 3 && len(parts[0]) == 4:
		m.US, okUS = days(n[0], n[1], n[2])
		m.EU, okEU = m.US, okUS
	case month == 0 && len(parts) > 1 && len(parts[0]) < 3:
		m.US, okUS = days(year(2), n[0], n[1])
		m.EU, okEU = days(year(2), n[1], n[0])
		okUS = okUS && !dotted
		if m.OnlyUS, m.OnlyEU = okUS && !okEU, okEU && !okUS && !dotted; !okUS {
			m.US = m.EU
		} else if !okEU {
			m.EU = m.US
		}
	}
	return okUS || okEU
}

// unixTime reads a plain number by its digits: seconds, milliseconds, microseconds or nanoseconds since 1970.
func unixTime(s string) (Moment, bool) {
	whole, _, _ := strings.Cut(s, ".")
	v, err := strconv.ParseFloat(s, 64)
	switch len(whole) {
	case 13:
	case 14: // 20240312101500
		m, ok := ParseTime(whole[:8] + " " + whole[8:10] + ":" + whole[10:12] + ":" + whole[12:])
		return m, ok
	case 16:
		v /= 1e3
	case 19:
		v /= 1e6
	default:
		v *= 1e3
	}
	if err != nil || len(whole) > 19 {
		return Moment{}, false
	}
	isUnix := len(whole) >= 10
	return Moment{US: int64(v), EU: int64(v), IsNumber: true, HasDate: isUnix, HasTime: isUnix}, true
}

// parseClock reads 10:15, 10:15:22, 10:15:22.5, 10h15 or 10.15 at i and gives where it ends, or -1.
func parseClock(s string, i int, clock *[4]int) int {
	for part := 0; part < 4; part++ {
		n := i
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		digits := s[i:min(n, i+3)]
		if part == 3 {
			digits = (digits + "00")[:3]
		}
		v, err := strconv.Atoi(digits)
		if err != nil || n == i || part > 0 && part < 3 && (v > 60 || n-i > 2) || part == 0 && n-i > 3 {
			return -1
		}
		clock[part] = v
		isNext := n+1 < len(s) && isDigit(s[n+1])
		isNext = isNext && (part == 0 || s[n] == ':' && part < 2 || (s[n] == '.' || s[n] == ',') && part == 2)
		if i = n + 1; !isNext {
			return n
		}
	}
	return i - 1
}

// days gives the days from 1 January 1970 to a date of the Gregorian calendar, and whether there is such a date.
func days(year, month, day int) (int64, bool) {
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	if month <= 2 { // count years from March, so that the leap day comes last
		year, month = year-1, month+12
	}
	y := int64(year)
	return y*365 + y/4 - y/100 + y/400 + int64((153*(month-3)+2)/5+day-1) - 719468, true
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
