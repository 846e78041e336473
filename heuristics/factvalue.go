package heuristics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The values of a fact sheet, and the statements of the SYSTEM that they are compared with.

// factWord is the entry of a word in lexicon/words-facts.txt: its kinds, such as "over", and the
// minutes of a unit of time.
type factWord struct {
	kinds   []string
	minutes int64
}

// factLine parses a line of lexicon/words-facts.txt.
func (l *lexicon) factLine(line string) error {
	kind, words, _ := strings.Cut(line, " ")
	kinds := []string{"over", "under", "past", "near", "opening", "working", "calendar"}
	minutes, err := strconv.ParseInt(kind, 10, 64)
	if err != nil && !slices.Contains(kinds, kind) {
		return fmt.Errorf("unknown kind %q; want minutes or one of %s", kind,
			strings.Join(kinds, ", "))
	}
	for word := range strings.FieldsSeq(words) {
		w := l.factWords[word]
		l.factWords[word] = factWord{append(w.kinds, kind), max(w.minutes, minutes)}
	}
	return nil
}

// is reports whether the word is of one of some kinds.
func (w factWord) is(kinds ...string) bool {
	return slices.ContainsFunc(w.kinds, func(k string) bool { return slices.Contains(kinds, k) })
}

// isPast reports whether a quantity in the sentence from first to last does not state a rule: it
// belongs to something that happened or to an appointment, or it is denied.
func (r *valueReader) isPast(q *value, first, last int) bool {
	switch {
	case r.within(max(first, q.first-6), q.first-1, "past"),
		r.within(q.last+1, min(q.last+1, last), "past"),
		r.negated(q.first) && q.bound == exactly:
		return true
	case q.slot.kind == duration: // "the past 5 days", "in 2 days' time"
		return r.is(q.first-1, "last", "past") || r.is(q.last+1, "time")
	case q.slot.kind == clock:
		return r.isDated(q, last)
	}
	return false
}

// isDated reports whether a day follows a time, as in an appointment: "at 11 tomorrow". A weekday
// after opening hours, or one such as "on Mondays", is a rule.
func (r *valueReader) isDated(q *value, last int) bool {
	for i := q.last + 1; i <= min(q.last+2, last); i++ {
		switch kind := r.word(i).kind; kind {
		case wordRelative, wordWeekday, wordMonth:
			return kind != wordWeekday || !q.isRange() && r.word(i).n <= 7 &&
				!r.within(r.sentenceStart(q.first), q.first-1, "opening")
		}
	}
	return false
}

// isNear reports whether q is an approximation of f, up to a tenth away: "just under eight pounds"
// of £7.95.
func (r *valueReader) isNear(q, f *value) bool {
	off := max(q.n-f.n, f.n-q.n)
	return off <= f.n/10 && (r.within(q.first-1, q.first-1, "near") ||
		r.is(q.first-2, "just", "bit") && r.within(q.first-1, q.first-1, "over", "under"))
}

// isSooner reports whether q is a shorter limit than f for what comes to the USER: "you get it in
// up to 10 days" of a fact of 14. What the USER has to do within 10 days is another deadline.
func (r *valueReader) isSooner(q, f *value) bool {
	isLimit := q.slot.kind == duration && q.bound == atMost && f.bound == atMost && q.high <= f.high
	comes := false
	for i := q.first - 1; isLimit && i >= r.sentenceStart(q.first); i-- {
		comes = comes || r.is(i, "get", "receive", "takes", "take", "arrives", "comes")
		if !r.goesOn(i) {
			break
		}
		isLimit = !r.tokens[i].is(modal) && !r.is(i, "when", "have") &&
			!(r.is(i, "to") && !r.is(i-1, "up"))
	}
	for i := q.last + 1; i <= r.sentenceEnd(q.last); i++ {
		isLimit = isLimit && !r.is(i, "to")
	}
	return isLimit && comes
}

// states reports whether the sentence of a hit contains a quantity for which is returns true and
// that does not belong to something that happened.
func states(s *analysis, h *hit, is func(*value) bool) bool {
	t := &s.turns[h.turn]
	first := max(t.sentenceStart(int(h.first)), int(h.first)-maxAround)
	last := min(t.sentenceEnd(int(h.last)), int(h.last)+maxAround)
	r := valueReader{t, s.lex}
	return slices.ContainsFunc(s.valuesIn(passage{int(h.turn), first, last}), func(q value) bool {
		return is(&q) && !r.isPast(&q, first, last)
	})
}

// against compares the value q of a statement with the value f of a fact. Unlike [relate], it
// knows that the fact is a rule: a statement may not widen it, and an amount that a limit allows is
// that of one case.
func (q *value) against(f *value) relation {
	r := relate(q, f)
	end := value{slot: f.slot, n: q.high, high: q.high, bound: f.bound, working: q.working}
	isAmount := f.slot.kind == amount || f.slot.kind == percent
	switch {
	case r == unrelated || f.slot.kind <= clock || f.slot.kind == habit,
		!f.isRange() && relate(f, &end) == agreeing:
		return r
	case isAmount && f.bound == atLeast && q.bound == exactly &&
		(f.slot.kind == amount || q.n > f.high),
		isAmount && f.bound == atMost && q.bound != atMost && q.high < f.high:
		return unrelated
	case f.isRange() && (q.n < f.n || q.high > f.high && q.working == f.working):
		return contrary
	case f.bound == exactly && q.bound != exactly && isAmount && r == agreeing:
		return unrelated // "under eight pounds" of £7.95
	case f.bound == exactly && q.bound != exactly:
		return contrary
	}
	return r
}

// isRule reports whether a fact may have v as its value.
func (v *value) isRule() bool {
	return v.slot.kind <= clock || v.slot.kind == amount || v.slot.kind >= percent
}

// isTimed reports whether v is a time, a day or a period, and not a habit such as "on Sundays".
func isTimed(v *value) bool {
	return v.slot.kind <= clock || v.slot.kind == duration
}
