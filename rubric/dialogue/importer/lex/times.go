package lex

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// IsDigit reports whether a byte is a digit from 0 to 9.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// MaxStamp is the maximum length of a time in bytes; nothing after it is examined.
const MaxStamp = 80

// Moment is a time in milliseconds, in either order of day and month if that is ambiguous.
type Moment struct {
	US, EU           int64 // with the month first, with the day first
	OnlyUS, OnlyEU   bool  // only one order is possible
	HasDate, HasTime bool
	IsNumber         bool // a plain number: Unix time, or seconds since an arbitrary start
	HasZone          bool
}

// SetBack reports whether the earlier time may have a larger value than the later one because
// clocks were set back by an hour between them, in the night to a Sunday.
func SetBack(earlier, later Moment, isUS bool) bool {
	const hour = DayLength / 24
	back := earlier.In(isUS) - later.In(isUS)
	isLocal := earlier.HasDate && earlier.HasTime && !earlier.IsNumber && !earlier.HasZone &&
		!later.HasZone
	if back <= 0 || back > hour || !isLocal {
		return false
	}
	at := time.UnixMilli(earlier.In(isUS)).UTC()
	// In these months, summer time ends somewhere.
	ends := []time.Month{time.March, time.April, time.September, time.October, time.November}
	return slices.Contains(ends, at.Month()) &&
		(at.Weekday() == time.Saturday && at.Hour() == 23 ||
			at.Weekday() == time.Sunday && at.Hour() < 4)
}

// In returns the time read with the month or the day first.
func (m Moment) In(isUS bool) int64 {
	if isUS {
		return m.US
	}
	return m.EU
}

// DayLength is the number of milliseconds in a day.
const DayLength = 86_400_000

var (
	months = strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec")
	// eastern normalizes Korean, Chinese and Japanese times, which have the year first.
	eastern = strings.NewReplacer("오전", " am ", "오후", " pm ",
		"上午", " am ", "下午", " pm ", "午前", " am ", "午後", " pm ",
		"년", "-", "월", "-", "일", " ", "年", "-", "月", "-", "日", " ", "\u00a0", " ", "\u202f", " ")
)

// ParseTime parses a time in any of the usual forms, with or without a date or a zone, or a plain
// number, which is Unix time if it has enough digits and otherwise a number of seconds.
func ParseTime(s string) (m Moment, ok bool) {
	s = strings.Trim(s, " \t[]()")
	isEastern := false
	if len(s) <= MaxStamp && strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		isEastern = strings.ContainsAny(s, "오午上下년年")
		s = strings.TrimSpace(eastern.Replace(s))
	}
	if len(s) > MaxStamp || !strings.ContainsAny(s, "0123456789") {
		return m, false
	}
	if strings.Trim(s, "0123456789.") == "" && strings.Count(s, ".") < 2 {
		return unixTime(s)
	}
	list := runs(s)
	var parts, clock []string // the numbers of the date, and those of the clock
	month, zone, half, isDotted, before := 0, 0, "", false, ""
	for i := 0; i < len(list)-2; i++ {
		t, next := list[i], list[i+1]
		sign := before[max(0, len(before)-1):]
		before = t
		switch isNumber := IsDigit(t[0]); {
		case isNumber && clock == nil && (next == ":" || next == "h") && list[i+2] != "":
			clock = []string{t}
			for _, between := range []string{":h", ":", ".,"} {
				if next = list[i+1]; next == "" || !strings.Contains(between, next) ||
					list[i+2] == "" {
					break
				}
				i += 2
				clock = append(clock, list[i])
			}
		case isNumber && clock != nil && (sign == "+" || sign == "-") &&
			(len(parts)%3 == 0 || month > 0):
			if next == ":" {
				t += list[i+2]
			}
			v, err := strconv.Atoi(sign + (t + "00")[:min(4, len(t)+2)])
			if err != nil || len(t) < 2 {
				return m, false
			}
			zone, m.HasZone = v/100*60+v%100, true
			// As in Tue Oct 31 22:10:00 +0000 2017.
			if year := list[i+2]; next == " " && len(year) == 4 && IsDigit(year[0]) {
				parts = append(parts, year)
			}
			list = list[:i+3] // the rest is the name of the zone
		case isNumber:
			parts = append(parts, t)
			isDotted = isDotted || next != "" && next[0] == '.' && len(parts) < 3
		case !isLetter(t[0]):
			isOdd := func(r rune) bool { return r < 0x80 && !strings.ContainsRune(" ,-/.+_", r) }
			if strings.ContainsFunc(t, isOdd) {
				return m, false
			}
		case strings.EqualFold(t, "am") || strings.EqualFold(t, "pm"):
			half = strings.ToLower(t[:1])
		// This is a form such as "a. m.".
		case strings.EqualFold(t+list[i+2], "am") || strings.EqualFold(t+list[i+2], "pm"):
			half = strings.ToLower(t)
			i += 2
		default:
			word := strings.ToLower(t)
			begin := word[:min(len(word), 3)]
			if Kind("times", begin) == "filler" {
				continue
			} else if offset := Kind("times", word); offset != "" && clock != nil {
				zone, _ = strconv.Atoi(offset)
				m.HasZone = true
			} else if month = slices.Index(months, begin) + 1; month == 0 {
				return m, false
			}
		}
	}
	// 12/03/2024 10.15
	if 4 < len(parts) && len(parts) < 8 && clock == nil && strings.Contains(s, " ") &&
		strings.Contains(s, ".") {
		parts, clock = parts[:3], parts[3:]
	}
	if isEastern && len(parts) == 3 && len(parts[0]) == 2 {
		parts[0] = "20" + parts[0]
	}
	if len(parts) == 1 && len(parts[0]) == 8 {
		parts = []string{parts[0][:4], parts[0][4:6], parts[0][6:]} // 20240312
	}
	var n [4]int // hour, minute, second, millisecond
	for i, digits := range clock {
		if i == 3 {
			digits = (digits + "000")[:3]
		}
		v, err := strconv.Atoi(digits)
		isMinutes := i == 1 || i == 2
		if n[i] = v; err != nil || len(digits) > 3 || isMinutes && (v > 60 || len(digits) > 2) {
			return m, false
		}
	}
	if half != "" {
		if n[0] %= 12; half == "p" {
			n[0] += 12
		}
	}
	if m.HasTime = clock != nil; !m.date(parts, month, isDotted) {
		return m, false
	}
	ms := int64(n[0]*60+n[1]-zone)*60_000 + int64(n[2]*1000+n[3])
	m.US, m.EU = m.US*DayLength+ms, m.EU*DayLength+ms
	return m, m.HasDate || m.HasTime
}

// runs splits a time into numbers, words and separators, followed by two empty strings.
func runs(s string) []string {
	list := make([]string, 0, 16) // most times have fewer
	for begin, i := 0, 1; i <= len(s); i++ {
		if i == len(s) || IsDigit(s[i]) != IsDigit(s[begin]) ||
			isLetter(s[i]) != isLetter(s[begin]) {
			list = append(list, s[begin:i])
			begin = i
		}
	}
	return append(list, "", "")
}

// date sets the days from the numbers and the month of a date, and reports whether it is valid.
func (m *Moment) date(parts []string, month int, isDotted bool) bool {
	var n [3]int
	isYear := func(i int) bool { return i < len(parts) && len(parts[i]) == 4 }
	for i, p := range parts {
		if i == len(n) || len(p) > 4 {
			return false
		}
		n[i], _ = strconv.Atoi(p)
	}
	if last := len(parts) - 1; last > 0 && len(parts[last]) <= 2 && !isYear(0) &&
		(month > 0 || last == 2) {
		n[last] += 2000
	}
	var okUS, okEU bool
	switch m.HasDate = len(parts) > 0 || month > 0; {
	case !m.HasDate:
		return true
	case month > 0 && len(parts) > 0 && len(parts) < 3:
		y, d := n[1], n[0]
		if isYear(0) {
			y, d = d, y
		}
		m.US, okUS = days(y, month, d)
		m.EU, okEU = m.US, okUS
	case month == 0 && len(parts) == 3 && isYear(0):
		m.US, okUS = days(n[0], n[1], n[2])
		m.EU, okEU = m.US, okUS
	case month == 0 && len(parts) > 1 && len(parts[0]) < 3:
		m.US, okUS = days(n[2], n[0], n[1])
		m.EU, okEU = days(n[2], n[1], n[0])
		okUS = okUS && !isDotted
		if m.OnlyUS, m.OnlyEU = okUS && !okEU, okEU && !okUS && !isDotted; !okUS {
			m.US = m.EU
		} else if !okEU {
			m.EU = m.US
		}
	}
	return okUS || okEU
}

// unixTime parses a number of seconds, milli-, micro- or nanoseconds since 1970, by its length.
func unixTime(s string) (Moment, bool) {
	whole, _, _ := strings.Cut(s, ".")
	if len(whole) == 14 { // 20240312101500
		return ParseTime(whole[:8] + " " + whole[8:10] + ":" + whole[10:12] + ":" + whole[12:])
	}
	v, err := strconv.ParseFloat(s, 64)
	switch v *= 1e3; len(whole) {
	case 13, 16, 19:
		v /= math.Pow10(len(whole) - 10)
	}
	isUnix := len(whole) >= 10
	return Moment{US: int64(v), EU: int64(v), IsNumber: true, HasDate: isUnix, HasTime: isUnix},
		err == nil && len(whole) < 20
}

// days returns the days from 1 January 1970 to a date, and reports whether that exists.
func days(year, month, day int) (int64, bool) {
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return date.Unix() / (24 * 60 * 60), date.Month() == time.Month(month) && date.Day() == day
}

// DateOrder is what the dates of a file reveal about the order of day and month, which is a
// property of the file: 08/04/2026 is in April if another row has 23/04/2026. A dialogue whose date
// can be read in both ways waits until a date decides.
type DateOrder struct {
	Said   string // what the user says, "us" or "eu", or ""
	us, eu string // the first date that can be read in one way only
	Either string // the first date that can be read in both
}

// Add records a date as the source writes it.
func (d *DateOrder) Add(m Moment, text string) {
	first := &d.Either
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

// Order returns what the user says, else "us" or "eu" as the dates reveal, or "" if none decides or
// two contradict each other.
func (d *DateOrder) Order() string {
	switch {
	case d.Said != "":
		return d.Said
	case d.us != "" && d.eu == "":
		return "us"
	case d.eu != "" && d.us == "":
		return "eu"
	}
	return ""
}

// IsUS reports whether 03/12/2024 is read with the month first.
func (d *DateOrder) IsUS() bool { return d.Order() == "us" }

// IsEither reports whether the file has dates that can be read in both ways, and nothing decides.
func (d *DateOrder) IsEither() bool { return d.Said+d.us+d.eu == "" && d.Either != "" }

// Wrong returns what is wrong with the dates, and a hint: one that cannot be in the order that the
// user says, or two that contradict each other.
func (d *DateOrder) Wrong() (msg, hint string) {
	wrong := map[string]string{"us": d.eu, "eu": d.us}[d.Said]
	switch {
	case wrong != "":
		return Problem("no-date", strconv.Quote(wrong), FirstOf(d.IsUS()))
	case d.Said == "" && d.us != "" && d.eu != "":
		return Problem("contradiction", strconv.Quote(d.us), strconv.Quote(d.eu))
	}
	return "", ""
}

// Day returns the date as 2024-05-31, or "" if it has none or only order could tell and does not.
func (m Moment) Day(order string) string {
	if !m.HasYear() || order == "" && m.US != m.EU && !m.OnlyUS && !m.OnlyEU {
		return ""
	}
	return time.UnixMilli(m.In(order == "us")).UTC().Format(time.DateOnly)
}

// HasYear reports whether the time has a date with a year, unlike 24 September.
func (m Moment) HasYear() bool { return m.HasDate && m.US > -1000*365*DayLength }

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
			if at, ok := ParseTime(f.Value); ok && at.HasDate && IsDayName(f.Name) {
				dated = append(dated, f)
			}
		}
		rank := func(f dialogue.Field) int { // names that are not usual come last
			return int(uint8(slices.Index(Lists()["day"], FoldColumn(f.Name))))
		}
		slices.SortStableFunc(dated, func(a, b dialogue.Field) int { return rank(a) - rank(b) })
		for _, f := range dated {
			if at, _ := ParseTime(f.Value); !yield(f.Value, at) {
				return
			}
		}
	}
}

// IsDayName reports whether a field is named like the time of a conversation, as "created_at" and
// "Chat date" are: by a usual name, or only with words for a time and for what is said.
func IsDayName(name string) bool {
	isOther := func(w string) bool {
		return In(w, "other-time") || !In(w, "time", "day", "conversation", "said")
	}
	words := NameWords(name)
	return In(FoldColumn(name), "day") ||
		AnyIn(words, "time", "day") && !slices.ContainsFunc(words, isOther)
}

// FirstOf returns what comes first in dates: the month or the day.
func FirstOf(isUS bool) string { return map[bool]string{true: "month", false: "day"}[isUS] }

// ParseRatings parses the ratings of people, separated by commas: numbers on the source's scale,
// stars, 4/5, or words and faces, which ratings.txt maps to 1 to 5. The list is empty if nobody
// rated. It reports whether all of s could be parsed.
func ParseRatings(s string) (list []float64, ok bool) {
	if several := strings.Count(s, ",") > 1 && strings.Trim(s, "0123456789, ") == ""; !several {
		if v, isRated, ok := parseRating(s); ok && !isRated {
			return nil, true
		} else if ok {
			return []float64{v}, true
		}
	}
	for part := range strings.SplitSeq(s, ",") {
		v, isRated, ok := parseRating(part)
		if !ok || !isRated {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

// parseRating parses the rating of one person, if it has one.
func parseRating(s string) (v float64, isRated, ok bool) {
	const longest = 80 // bytes
	if s = strings.TrimSpace(s); len(s) > longest {
		return 0, false, false
	}
	if m := Expr("rated-number").FindStringSubmatch(s); m != nil {
		v, err := strconv.ParseFloat(m[1], 64)
		return v, err == nil, err == nil
	}
	if s = Expr("skins").ReplaceAllString(s, ""); strings.Trim(s, "-–—☆✩ ") == "" {
		return 0, false, true
	}
	if stars := strings.ReplaceAll(s, " ", ""); Match("rated-stars", stars) {
		return float64(utf8.RuneCountInString(strings.TrimRight(stars, "☆✩"))), true, true
	}
	words := []string{s}
	if m := Expr("rated-word").FindStringSubmatch(s); m != nil && !Match("taken-back", s) {
		words = append(words, m[1]+m[2]) // one of the two is empty
	}
	for _, word := range words {
		value := Kind("ratings", strings.Trim(FoldName(word), ".!"))
		if v, err := strconv.ParseFloat(value, 64); err == nil || value == "none" {
			return v, err == nil, true
		}
	}
	return 0, false, false
}

// Scaled maps a share from 0 to 1 to the scale from 1 to 5. A text that is not a number is returned
// unchanged; a number outside the range becomes one that cannot be parsed.
func Scaled(s string) string {
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil:
		return s
	case v >= 0 && v <= 1:
		return strconv.FormatFloat(1+4*v, 'g', 6, 64)
	}
	return "no share: " + s
}
