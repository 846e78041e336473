package dialogue

import (
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
	var parts []string // numbers of the date
	var clock [4]int   // hour, minute, second, millisecond
	month, zone, half, dotted := 0, 0, "", false
	for i := 0; i < len(s); {
		c := s[i]
		n := i
		switch {
		case isDigit(c):
			isSigned := i > 0 && (s[i-1] == '+' || s[i-1] == '-') && (len(parts) == 0 || len(parts) == 3 || month > 0)
			for n < len(s) && isDigit(s[n]) {
				n++
			}
			switch {
			case n+1 < len(s) && isDigit(s[n+1]) && !m.HasTime && (s[n] == ':' || s[n] == 'h' || s[n] == '.' && len(parts) == 3):
				if n = parseClock(s, i, &clock); n < 0 {
					return m, false
				}
				m.HasTime = true
			case m.HasTime && isSigned:
				digits := strings.Replace(s[i:min(len(s), i+5)], ":", "", 1)
				v, err := strconv.Atoi(digits[:min(len(digits), 4)])
				if err != nil || len(digits) < 2 {
					return m, false
				}
				if len(digits) < 4 {
					v *= 100
				}
				if zone = v/100*60 + v%100; s[i-1] == '-' {
					zone = -zone
				}
				n = len(s)
			default:
				parts = append(parts, s[i:n])
				dotted = dotted || n < len(s) && s[n] == '.' && len(parts) < 3
			}
		case isLetter(c):
			for n < len(s) && isLetter(s[n]) {
				n++
			}
			word := strings.ToLower(s[i:n])
			short := word[:min(len(word), 3)]
			offset, isZone := zones[word]
			switch {
			case word == "am" || word == "pm" || len(word) == 1 && strings.HasPrefix(strings.ToLower(s[n:]), ".m"):
				half = word[:1]
				n += len(s[n:]) - len(strings.TrimLeft(s[n:], ".mM"))
			case isZone && m.HasTime:
				zone = offset
			case strings.Contains(fillers, " "+short+" "):
			case len(word) >= 3:
				for k, name := range months {
					if name == short {
						month = k + 1
					}
				}
				if month == 0 {
					return m, false
				}
			default:
				return m, false
			}
		default:
			if !strings.ContainsRune(" ,-/.+_", rune(c)) && c < 0x80 {
				return m, false
			}
			n++
		}
		i = n
	}
	if len(parts) == 1 && len(parts[0]) == 8 {
		parts = []string{parts[0][:4], parts[0][4:6], parts[0][6:]} // 20240312
	}
	if !m.date(parts, month, dotted) {
		return m, false
	}
	if half != "" {
		if clock[0] %= 12; half == "p" {
			clock[0] += 12
		}
	}
	ms := int64(clock[0]*60+clock[1]-zone)*60_000 + int64(clock[2]*1000+clock[3])
	m.US, m.EU = m.US*day+ms, m.EU*day+ms
	return m, m.HasDate || m.HasTime
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
