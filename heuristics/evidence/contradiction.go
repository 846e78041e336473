package evidence

import (
	"slices"
	"strings"

	"assize/heuristics/deeds"
	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// appendClauses appends the clauses of turn i that are statements, and not read back to be
// confirmed.
func appendClauses(s *analysis, list []clause, i int) []clause {
	t := &s.Turns[i]
	if s.Has(i, s.Lex.Class.WordsFilms) || s.Has(i, s.Lex.Class.ContradictionConfirms) {
		return list
	}
	for first, last := 0, 0; first < len(t.Tokens); first = last + 1 {
		last = t.ClauseEnd(first)
		if last-first >= maxWords || t.InQuestion(last) || t.Is(first, "do", "does", "did", "could",
			"can", "have", "are", "is", "why", "what", "how", "or") {
			continue
		}
		c := clause{Passage: t.At(first, last), negator: -1}
		c.head = headOf(s, &c, small)
		c.opposed = text.Marked(s.WordsOf(c.Passage), text.Opposed)
		for k := last; k >= first; k-- {
			if t.Tokens[k].Is(text.Negator) || t.Is(k, "non") || t.Is(k, "out") && t.Is(k+1, "of") {
				c.negator = k
			}
		}
		list = append(list, c)
	}
	return list
}

// findItself reports the first clause in each turn of the SYSTEM that contradicts an earlier one,
// unless the turn reports a deed, which may have changed things.
func findItself(s *analysis, det *detector) {
	var clauses []clause
	for i, t := range s.Spoken(dialogue.System) {
		old := len(clauses)
		clauses = appendClauses(s, clauses, i)
		if t.Has.Meets(&det.unless) || s.Completes(i) {
			continue
		}
		if x, y := contradiction(s, clauses[old:], clauses[max(0, old-maxClauses):old]); x != nil {
			s.report(det, x.Passage, y.Turn)
		}
	}
}

// contradiction returns the first of some clauses that contradicts one of the earlier ones, and the
// earlier one, or nil.
func contradiction(s *analysis, clauses, earlier []clause) (x, y *clause) {
	for i := range clauses {
		for k := range earlier {
			if contradicts(s, &clauses[i], &earlier[k]) {
				return &clauses[i], &earlier[k]
			}
		}
	}
	return nil, nil
}

// contradicts reports whether x contradicts an earlier clause y: they have different values for the
// same thing, one denies the other, or they contain opposites. Neither sentence may contain a name
// or number that the other turn lacks, and nothing may have changed in between.
func contradicts(s *analysis, x, y *clause) bool {
	return x.Turn-y.Turn <= requestTurns &&
		(differs(s, x, y) || denies(s, x, y) || denies(s, y, x) || opposes(s, x, y)) &&
		!hasOtherName(s, x, y) && !hasOtherName(s, y, x) && !hasMovedOn(s, x, y)
}

// differs reports whether exactly one value of y has another value in x, and whether their other
// words are the same, as far as y has more. Neither may be an estimate, and no offer differs.
func differs(s *analysis, x, y *clause) bool {
	differing := 0
	ours, theirs := s.ValuesIn(x.Passage), s.ValuesIn(y.Passage)
	isOnly := func(list []quantity.Value, v quantity.Value) bool {
		return !slices.ContainsFunc(list, func(u quantity.Value) bool {
			return u.Slot == v.Slot && u.First != v.First
		})
	}
	for _, a := range ours {
		for _, b := range theirs {
			if a.Slot.Kind == quantity.Bare || a.Slot.Kind == quantity.Relative ||
				quantity.Relate(&a, &b) != quantity.Contrary {
				continue
			}
			if differing++; !isOnly(ours, a) || !isOnly(theirs, b) || isEstimate(s, &a) ||
				isEstimate(s, &b) {
				return false
			}
		}
	}
	return differing == 1 && !s.Has(x.Turn, s.Lex.Class.ContradictionOffers) &&
		len(x.head) <= len(y.head) && sameHead(x.head, y.head) && // of no narrower thing or day
		slices.ContainsFunc(ours, quantity.Value.IsDay) == slices.ContainsFunc(theirs,
			quantity.Value.IsDay)
}

// isEstimate reports whether "about" or another such word precedes a value.
func isEstimate(s *analysis, v *quantity.Value) bool {
	return s.Turns[v.Turn].Is(v.First-1, "about", "around", "approximately", "roughly", "another",
		"every", "per", "extra", "additional", "only")
}

// small are the words that say nothing about what a statement is about.
const small = text.Negator | text.Number | text.Preposition | text.Joiner

// headOf returns the tokens of the words in a clause without its values and words with a flag.
func headOf(s *analysis, c *clause, except text.Flags) (head []text.Token) {
	t, values := &s.Turns[c.Turn], s.ValuesIn(c.Passage)
	for k := c.First; k <= c.Last; k++ {
		tok := t.Tokens[k]
		of := s.Lex.ValueOf(tok)
		if tok.IsContent() && !tok.Is(except) && !isInValue(values, k) &&
			(of.Kind == quantity.WordNone || of.Kind == quantity.WordUnit) &&
			(t.Is(k, "monthly", "yearly", "weekly") || !strings.HasSuffix(t.Word(k), "ly")) &&
			!t.Is(k, "yes", "no", "please", "since", "until", "arrive", "arrives", "come", "comes",
				"lasts", "afraid", "non", "out") {
			head = append(head, tok)
		}
	}
	return head
}

// isInValue reports whether token k belongs to one of the values of its turn.
func isInValue(values []quantity.Value, k int) bool {
	return slices.ContainsFunc(values, func(v quantity.Value) bool {
		return v.Slot.Kind != quantity.Bare && v.First <= k && k <= v.Last
	})
}

// sameHead reports whether all words of the shorter of two heads, at least one, are in the other.
func sameHead(x, y []text.Token) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	return len(x) > 0 && !slices.ContainsFunc(x, func(a text.Token) bool {
		return !text.HasStem(y, a.Stem)
	})
}

// denies reports whether the negated clause x denies y: y, which has no negation, contains all
// words of x, at least two, and not many more. Words before the negation may also be in the
// question that y answers.
func denies(s *analysis, x, y *clause) bool {
	if x.negator < 0 || y.negator >= 0 || s.Has(y.Turn, s.Lex.Class.OutcomeFailed) ||
		s.Turns[y.Turn].Is(y.First, "if", "when", "unless") {
		return false
	}
	after, asked := 0, s.Before(y.Turn, dialogue.User)
	for _, a := range x.head {
		isAfter := a.Start > s.Turns[x.Turn].Tokens[x.negator].Start
		if isAfter {
			after++
		}
		if !slices.ContainsFunc(y.head, func(b text.Token) bool {
			return alikeWords(s, x, y, a, b)
		}) && (isAfter || asked < 0 || !s.Says(asked, a.Stem)) {
			return false
		}
	}
	return after > 0 && len(x.head) >= 2 && len(y.head) <= len(x.head)+2
}

// alikeWords reports whether a word of x and one of y have the same stem or begin with the same
// letters, as "dimmed" and "dimmable" do.
func alikeWords(s *analysis, x, y *clause, a, b text.Token) bool {
	if a.Stem == b.Stem {
		return true
	}
	p := strings.ToLower(s.Turns[x.Turn].Text[a.Start:a.End])
	q := strings.ToLower(s.Turns[y.Turn].Text[b.Start:b.End])
	same := 0
	for same < min(len(p), len(q)) && p[same] == q[same] {
		same++
	}
	return same >= 4 && 3*same >= 2*min(len(p), len(q))
}

// opposes reports whether x and y contain the two sides of a pair of opposites that a thing does
// not change in a dialogue, and whether their other words are the same.
func opposes(s *analysis, x, y *clause) bool {
	isNarrower := s.Turns[y.Turn].Tokens[y.First].Is(text.Preposition) // "In winter it is cold."
	if !x.opposed || !y.opposed || isNarrower ||
		text.Marked(s.WordsOf(x.Passage), text.Lapsed) { // "no longer", "now"
		return false
	}
	isLimit := false // such as "until December"
	for _, a := range s.ValuesIn(x.Passage) {
		for _, b := range s.ValuesIn(y.Passage) {
			if quantity.Relate(&a, &b) == quantity.Contrary && !a.Loose && !b.Loose {
				return false
			}
			isLimit = isLimit || quantity.Relate(&a, &b) == quantity.Contrary
		}
	}
	return isOpposite(s, x, y, isLimit) &&
		sameHead(headOf(s, x, small|text.Opposed), headOf(s, y, small|text.Opposed))
}

// isOpposite reports whether x and y contain the two sides of a pair, or one side and its negation.
// Before a noun, as in "a single room", it only says which thing is meant. If they have different
// limits, only a side that a thing never leaves counts.
func isOpposite(s *analysis, x, y *clause, isLimit bool) bool {
	t, said := &s.Turns[x.Turn], &s.Turns[y.Turn]
	precedesNoun := func(t *text.Turn, k int) bool {
		return t.Names(k+1) && !t.Tokens[k+1].Is(small) &&
			s.Lex.ValueOf(t.Tokens[k+1]) == (quantity.Word{})
	}
	for k := x.First; k <= x.Last; k++ {
		for _, p := range s.Lex.SidesOf(&t.Tokens[k]) {
			for m := y.First; m <= y.Last; m++ {
				for _, q := range s.Lex.SidesOf(&said.Tokens[m]) {
					if p.Pair != q.Pair || precedesNoun(t, k) || precedesNoun(said, m) {
						continue
					}
					denied := t.Negated(k) || said.Negated(m)
					left := p.Second && !q.Second && p.Stays && !denied
					other := p.Second != q.Second && p.Keeps && !denied ||
						p == q && t.Negated(k) != said.Negated(m)
					if left || other && !isLimit {
						return true
					}
				}
			}
		}
	}
	return false
}

// hasOtherName reports whether the sentence of x contains a name or a number that the turn of y
// lacks.
func hasOtherName(s *analysis, x, y *clause) bool {
	t, values, p := &s.Turns[x.Turn], s.ValuesOf(x.Turn), s.around(x.Passage)
	for k := p.First; k <= p.Last; k++ {
		if isDistinct(s, t, k) && !s.Says(y.Turn, t.Tokens[k].Stem) && !isInValue(values, k) {
			return true
		}
	}
	return false
}

// isDistinct reports whether token k identifies something: a name, a code, or a number after a
// noun, as in "flight 12".
func isDistinct(s *analysis, t *text.Turn, k int) bool {
	tok := t.Tokens[k]
	return tok.Is(text.Coded|text.Number) && (len(t.Word(k)) > 2 || k > 0 && t.GoesOn(k) &&
		t.Tokens[k-1].IsContent() && !t.Tokens[k-1].Is(small) &&
		s.Lex.ValueOf(t.Tokens[k-1]).Kind == quantity.WordNone) ||
		tok.IsName() && s.Lex.ValueOf(tok).Kind == quantity.WordNone
}

// hasMovedOn reports whether, between y and x, the SYSTEM has done something or a turn is about
// something else. If x and y have a name or two words in common, only a wish for another one
// changes that.
func hasMovedOn(s *analysis, x, y *clause) bool {
	c := &s.Lex.Class
	t := &s.Turns[x.Turn]
	isNamed := len(x.head) > 1 && len(y.head) > 1
	isSame := len(x.head) == len(y.head) && sameHead(x.head, y.head)
	for k := x.First; k <= x.Last; k++ {
		isNamed = isNamed || isDistinct(s, t, k) && s.Says(y.Turn, t.Tokens[k].Stem)
	}
	raised := func(v quantity.Value) bool {
		return slices.ContainsFunc(s.ValuesIn(x.Passage), func(own quantity.Value) bool {
			return rivals(&own, &v) && own.Slot.Kind != quantity.Bare || quantity.Fits(&v, &own)
		})
	}
	for i := y.Turn + 1; i < x.Turn; i++ {
		switch s.Turns[i].Role {
		case dialogue.System:
			if s.Completes(i) || s.Has(i, c.OutcomeFailed) {
				return true
			}
		case dialogue.User:
			if s.Has(i, c.ContradictionAnother) || len(s.Turns[i].Tokens) > 0 &&
				s.Turns[i].Tokens[0].Is(text.Negator) || slices.ContainsFunc(s.ValuesOf(i),
				raised) ||
				!isNamed && (!isSame && s.Has(i, c.ContradictionChanges) ||
					slices.ContainsFunc(s.ValuesOf(i), isComplete)) {
				return true
			}
		}
	}
	read := t.Tokens[:min(len(t.Tokens), maxRead)]
	return slices.ContainsFunc(read, func(tok text.Token) bool { // a new thing
		return tok.IsName() && s.Lex.ValueOf(tok).Kind == quantity.WordNone &&
			!isKnownWord(s, tok, x.Turn)
	})
}

// findContradicted reports values to which the SYSTEM commits itself in the same sentence, or which
// it asks the USER to confirm, and that contradict the USER's. They do not include the answer to a
// question about a time, a day or a number.
func findContradicted(s *analysis, det *detector) {
	c := &s.Lex.Class
	for i, t := range s.Spoken(dialogue.System) {
		completes, asks := s.Completes(i), s.Has(i, c.ContradictionConfirms)
		if len(s.ValuesOf(i)) == 0 || t.Has.Meets(&det.unless) ||
			!completes && !asks && !s.Has(i, det.class) {
			continue
		}
		before := s.Before(i, dialogue.User)
		if before >= 0 && s.Has(before, c.ContradictionInformed) {
			continue
		}
		for k := t.Values.Start; k < t.Values.End; k++ {
			v := &s.Values[k]
			in := t.Sentence(v.First)
			commits := asks || completes && s.Hit(i, c.OutcomeCompleted).Meets(in) ||
				s.Hit(i, det.class).Meets(in)
			if v.Loose || v.IsRange() || !isAlone(s, v) || !commits {
				continue
			}
			if about := contradictsUser(s, k); about >= 0 {
				s.report(det, v.Passage, about)
				break
			}
		}
	}
}

// contradictsUser returns the USER's turn that s.Values[k] contradicts, or -1. A value that either
// side has mentioned before contradicts nothing unless the USER has corrected it since, nor does
// one that the USER may have given in other words: "make it four", "Tuesday next week". Values in a
// turn that reports an event are not wishes.
func contradictsUser(s *analysis, k int) int {
	v, c, about := &s.Values[k], &s.Lex.Class, -1
	for _, u := range slices.Backward(s.Values[max(0, k-requestValues):k]) {
		byUser := s.Turns[u.Turn].Role == dialogue.User
		switch {
		case v.Turn-u.Turn > requestTurns:
			return about
		case u.Turn == v.Turn:
		case quantity.Relate(&u, v) == quantity.Agreeing, byUser && quantity.Fits(&u, v):
			return -1
		case !byUser || !rivals(&u, v):
		case about < 0 && !quantity.IsSameSlot(&u, v):
			return -1
		case u.Loose || !quantity.IsSameSlot(&u, v) || !isAlone(s, &u) ||
			s.Has(u.Turn, c.ContradictionPast):
		case s.Has(u.Turn, c.ContradictionCorrected) || s.Has(u.Turn, c.ReactionCorrects):
			return u.Turn // earlier statements are void
		case about < 0:
			about = u.Turn
		}
	}
	return about
}

// findAgrees reports the USER's last value in a turn of the SYSTEM that reports a deed or, outside
// a service case, reads a request back. Questions, ranges, disputes and other errors do not count.
func findAgrees(s *analysis, det *detector) {
	wrong := make([]bool, len(s.Turns)+1) // by turn
	for _, sig := range s.signals {
		bad := sig.Points < 0 && strings.HasPrefix(sig.ID, "contradiction-")
		wrong[sig.Turn] = wrong[sig.Turn] || bad
	}
	for i, t := range s.Spoken(dialogue.System) {
		reads := s.Kind == talk.RequestKind && s.Has(i, s.Lex.Class.ContradictionConfirms)
		if wrong[t.N] || s.Uptakes[i].How != talk.Held || !s.Completes(i) && !reads {
			continue
		}
		if f, by := fromUser(s, i); f != nil {
			s.report(det, f.Passage, by)
			continue
		}
		var best, said *quantity.Value
		for k := t.Values.Start; k < t.Values.End; k++ {
			v := &s.Values[k]
			if v.Loose || v.IsRange() || v.Slot.Kind == quantity.Relative || s.IsAsked(v.Passage) ||
				s.StateOf(v.Passage) != deeds.Proven {
				continue
			}
			if u := namedByUser(s, k); u != nil && (said == nil || u.Turn > said.Turn) {
				best, said = v, u
			}
		}
		if best != nil {
			s.report(det, best.Passage, said.Turn)
		}
	}
}

// namedByUser returns the last value of the USER that equals s.Values[k], or nil.
func namedByUser(s *analysis, k int) *quantity.Value {
	v := &s.Values[k]
	for _, u := range slices.Backward(s.Values[max(0, k-requestValues):k]) {
		if s.Turns[u.Turn].Role == dialogue.User && !u.Loose && u.Slot == v.Slot &&
			u.Bound == v.Bound && quantity.Relate(&u, v) == quantity.Agreeing {
			return &u
		}
	}
	return nil
}

// fromUser returns the first figure that turn i states and the USER has given, and in which turn.
func fromUser(s *analysis, i int) (*quantity.Figure, int) {
	for _, f := range s.FiguresOf(i) {
		same := func(g quantity.Figure) bool { return g.Value == f.Value && g.Digits == f.Digits }
		stated := f.IsSpecific() && !s.IsAsked(f.Passage)
		for u := i - 1; stated && u >= max(0, i-requestTurns); u-- {
			if s.Turns[u].Role == dialogue.User && slices.ContainsFunc(s.FiguresOf(u), same) {
				return &f, u
			}
		}
	}
	return nil, -1
}

// rivals reports whether a and b are about the same thing, even if they are not comparable:
// "Tuesday next week" and "March 5th" may be the same day or not.
func rivals(a, b *quantity.Value) bool {
	return a.Slot == b.Slot || a.Slot.Kind <= quantity.Date && b.Slot.Kind <= quantity.Date
}

// isComplete reports whether v is a complete value of a request. "One" alone is usually a pronoun.
func isComplete(v quantity.Value) bool {
	return v.Slot.Kind < quantity.Bare || v.Slot.Kind == quantity.Bare && v.N != 1
}

// isAlone reports whether no other value in the turn of v can be about the same thing.
func isAlone(s *analysis, v *quantity.Value) bool {
	return !slices.ContainsFunc(s.ValuesOf(v.Turn), func(u quantity.Value) bool {
		return u.First != v.First && rivals(v, &u)
	})
}

// Limits that keep the time linear: the earlier clauses compared with each new one, and the words
// in a clause. A longer one is a list or not English.
const (
	maxClauses = 24
	maxWords   = 64
)
