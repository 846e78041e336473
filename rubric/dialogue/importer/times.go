package importer

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// maxStamp is the maximum length of a time in bytes; nothing after it is examined.
const maxStamp = 80

// Moment is a time in milliseconds, in either order of day and month if that is ambiguous.
type Moment struct {
	US, EU           int64 // with the month first, with the day first
	OnlyUS, OnlyEU   bool  // only one order is possible
	HasDate, HasTime bool
	IsNumber         bool // a plain number: Unix time, or seconds since an arbitrary start
	HasZone          bool
}

// setBack reports whether the earlier time may have a larger value than the later one because
// clocks were set back by an hour between them, in the night to a Sunday.
func setBack(earlier, later Moment, isUS bool) bool {
	const hour = day / 24
	back := earlier.in(isUS) - later.in(isUS)
	isLocal := earlier.HasDate && earlier.HasTime && !earlier.IsNumber && !earlier.HasZone &&
		!later.HasZone
	if back <= 0 || back > hour || !isLocal {
		return false
	}
	at := time.UnixMilli(earlier.in(isUS)).UTC()
	switch at.Month() {
	case time.March, time.April, time.September, time.October, time.November:
		return at.Weekday() == time.Saturday && at.Hour() == 23 ||
			at.Weekday() == time.Sunday && at.Hour() < 4
	}
	return false // summer time ends nowhere
}

// in returns the time read with the month or the day first.
func (m Moment) in(isUS bool) int64 {
	if isUS {
		return m.US
	}
	return m.EU
}

// day is the number of milliseconds in a day.
const day = 86_400_000

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
	if len(s) <= maxStamp && strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		isEastern = strings.ContainsAny(s, "오午上下년年")
		s = strings.TrimSpace(eastern.Replace(s))
	}
	if len(s) > maxStamp || !strings.ContainsAny(s, "0123456789") {
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
		switch isNumber := isDigit(t[0]); {
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
			if year := list[i+2]; next == " " && len(year) == 4 && isDigit(year[0]) {
				parts = append(parts, year)
			}
			list = list[:i+3] // the rest is the name of the zone
		case isNumber:
			parts = append(parts, t)
			isDotted = isDotted || next != "" && next[0] == '.' && len(parts) < 3
		case !isLetter(t[0]):
			isStrange := func(r rune) bool {
				return r < 0x80 && !strings.ContainsRune(" ,-/.+_", r)
			}
			if strings.ContainsFunc(t, isStrange) {
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
			if kindOf("times", begin) == "filler" {
				continue
			} else if offset := kindOf("times", word); offset != "" && clock != nil {
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
	m.US, m.EU = m.US*day+ms, m.EU*day+ms
	return m, m.HasDate || m.HasTime
}

// runs splits a time into numbers, words and separators, followed by two empty strings.
func runs(s string) []string {
	list := make([]string, 0, 16) // most times have fewer
	for begin, i := 0, 1; i <= len(s); i++ {
		if i == len(s) || isDigit(s[i]) != isDigit(s[begin]) ||
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
