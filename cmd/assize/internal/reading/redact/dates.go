package redact

import "strings"

// date returns how many groups from k on form a date: 2024-05-01, 01.05.2024 and, if short is set,
// 01.05.24.
func (t *text) date(f *figures, k int, short bool) int {
	if k+3 > f.groups() {
		return 0
	}
	gap := t.gap(f.first + k + 1)
	if other := t.gap(f.first + k + 2); strings.Trim(gap, " ") != strings.Trim(other, " ") ||
		strings.Trim(gap, " .-/") != "" || gap == " " && !short {
		return 0
	}
	a, b, c := f.slice(k, k+1), f.slice(k+1, k+2), f.slice(k+2, k+3)
	switch {
	case len(a) == 4 && len(b) <= 2 && len(c) <= 2 && isDay(b) && isDay(c):
		return 3
	case len(a) <= 2 && len(b) <= 2 && isDay(a) && isDay(b) &&
		(len(c) == 4 || short && len(c) == 2):
		return 3
	}
	return 0
}

// isDay reports whether digits are a valid day of a month. Every month number is one too.
func isDay(digits string) bool {
	return digits <= "9" && len(digits) == 1 || "01" <= digits && digits <= "31" && len(digits) == 2
}

// dated masks a date of birth at token i and returns the number of masked tokens.
func (t *text) dated(i int, h *context) int {
	heard := h.near & (birth | birthday)
	if heard == 0 && h.sentence&birth != 0 && h.since <= 6 {
		heard = birth
	}
	if heard == 0 && !h.hasCue {
		heard = h.expected & (birth | birthday)
	}
	if heard == 0 {
		return 0
	}
	n := t.namedDate(i)
	if n == 0 && t.tokens[i].class == number {
		f := t.figures(i, min(t.run(i), i+3))
		if n = t.date(&f, 0, true); n == 0 && h.near != 0 && f.groups() == 1 &&
			isYear(f.digits) && !strings.Contains(t.gap(i), "(") {
			n = 1
		}
		if n == 0 && f.groups() == 2 && isDay(f.slice(0, 1)) && isDay(f.slice(1, 2)) &&
			h.near != 0 {
			n = 2
		}
	}
	if n == 0 {
		return 0
	}
	t.add(t.tokens[i].start, t.tokens[i+n-1].end, maskBirthdate)
	h.readNumber()
	return n
}

// namedDate returns how many tokens from i on form a date with the name of a month: "4 May 1979",
// "July 21st, 1990", "21 de julio de 1990". The year is optional.
func (t *text) namedDate(i int) int {
	day, named, year, last := false, false, false, 0
tokens:
	for n := 0; n < 7 && i+n < len(t.tokens); n++ {
		if gap := t.gap(i + n); n > 0 && (len(gap) > 2 || strings.Trim(gap, " .,-/'") != "") {
			break
		}
		part := t.low[t.tokens[i+n].start:t.tokens[i+n].end]
		switch {
		case !named && t.has(i+n, month):
			named = true
		case !day && isDay(strings.TrimRight(part, "stndrhemoºª")):
			day = true
		case !year && named && day && len(part) == 4 && t.tokens[i+n].class == number,
			!year && n == 0 && isYear(part):
			year = true
		case n > 0 && (part == "of" || part == "de" || part == "del" || part == "the"):
			continue
		default:
			break tokens
		}
		last = n + 1
		if day && named && year {
			break
		}
	}
	if !named || !day && !year {
		return 0
	}
	return last
}
