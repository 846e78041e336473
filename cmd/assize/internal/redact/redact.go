// Package redact masks what identifies a person: e-mail addresses, telephone numbers, card numbers and
// account numbers.
//
// Judging happens on what was really said; masking comes after it, on everything that is written. A quote is
// cut from its masked turn, so that it still stands word for word in the turn that is written beside it.
// Numbers that identify nobody stay: times, dates, years, prices, booking and order numbers.
package redact

import (
	"cmp"
	"slices"
	"strings"
)

// The masks. Each says what stood in its place.
const (
	Email   = "[email]"
	Phone   = "[phone]"
	Card    = "[card]"
	Account = "[account]"
)

// span is a stretch of a text to be masked.
type span struct {
	start, end int
	mask       string
}

// Text masks s, for which nothing is known about where it was said.
func Text(s string) string { return newMasked(s, asked{}).text }

// masked is a text whose spans are masked, and the way from one to the other.
type masked struct {
	original string
	text     string
	spans    []span // in order, none overlapping
}

func newMasked(s string, a asked) masked {
	m := masked{original: s, text: s, spans: find(s, a)}
	if len(m.spans) == 0 {
		return m
	}
	var b strings.Builder
	from := 0
	for _, sp := range m.spans {
		b.WriteString(s[from:sp.start])
		b.WriteString(sp.mask)
		from = sp.end
	}
	b.WriteString(s[from:])
	m.text = b.String()
	return m
}

// slice gives the part of the masked text that stands for original[start:end]. A mask that the range only
// touches is given whole.
func (m *masked) slice(start, end int) string {
	return m.text[m.moved(start, false):m.moved(end, true)]
}

// moved gives the place in the masked text of a place in the original. Inside a mask that is its beginning,
// or its end where the place ends a range.
func (m *masked) moved(at int, ends bool) int {
	shift := 0 // how much longer the masked text is, up to here
	for _, sp := range m.spans {
		if at <= sp.start {
			break
		}
		grown := shift + len(sp.mask) - (sp.end - sp.start)
		switch {
		case at >= sp.end:
			shift = grown
		case ends:
			return sp.end + grown
		default:
			return sp.start + shift
		}
	}
	return at + shift
}

// quote masks words of the text as they are masked there. Words that the text does not hold are masked by
// themselves.
func (m *masked) quote(words string) string {
	if len(m.spans) == 0 && strings.Contains(m.original, words) {
		return words
	}
	bare, cut := strings.CutSuffix(words, "…")
	at := strings.Index(m.original, bare)
	if at < 0 || bare == "" {
		return Text(words)
	}
	part := m.slice(at, at+len(bare))
	if cut {
		part += "…"
	}
	return part
}

// settle puts spans in order and drops every one that an earlier or longer one covers in part.
func settle(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	kept := spans[:0]
	for _, sp := range spans {
		if n := len(kept); n > 0 && sp.start < kept[n-1].end {
			kept[n-1].end = max(kept[n-1].end, sp.end) // what two patterns share is masked once, whole
			continue
		}
		kept = append(kept, sp)
	}
	return kept
}
