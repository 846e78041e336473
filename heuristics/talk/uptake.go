package talk

import (
	"slices"
	"strings"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// The uptake of an answer is how the USER reacts to it. An answer holds if the USER moves on. It
// fails, whatever its form, if the USER repeats the request, refers back to an earlier statement,
// or denies what the SYSTEM states. The form of an answer is not evidence: "you can", a number or a
// list of steps may or may not answer the request.

// readUptake sets the uptake of each turn of the SYSTEM. A block of the SYSTEM counts as one
// answer.
func (s *Talk) readUptake() {
	s.Uptakes = slices.Grow(s.Uptakes[:0], len(s.Turns))[:len(s.Turns)]
	clear(s.Uptakes)
	s.LastFailed, s.statedIn = -1, -1
	for b, turns := range s.BlocksOf(dialogue.System) {
		if b == 0 || b+1 == len(s.Blocks) {
			continue
		}
		if u := s.uptakeOf(b); u.How != Held {
			for _, i := range turns {
				s.Uptakes[i], s.LastFailed = u, i
			}
		}
	}
}

// uptakeOf reads the USER's turns after block b and returns the strongest failure found.
func (s *Talk) uptakeOf(b int) (u uptake) {
	for _, i := range s.firstOf(b + 1) {
		t := &s.Turns[i]
		if t.Words == 0 {
			continue
		}
		if v := s.deniedBy(b, i); v.How == Denied {
			return v
		} else if v.How != Held {
			u = v
		}
		c := &s.Lex.Class
		for k, class := range [...]text.Class{c.UptakeTold, c.UptakeBroken, c.UptakeResigns} {
			how := SaidBefore + Failure(k)
			if h := s.Hit(i, class); h != nil && u.How < how && (how != unkept || s.promises(b)) {
				u = uptake{how, h.Passage}
			}
		}
		if h := s.Hit(i, c.ReactionContests); h != nil && u.How == Held && !s.wantsIn(b) &&
			(t.Asks == 0 || s.onlyDoubts(h)) {
			u = uptake{contested, h.Passage}
		}
		if u.How == Held && s.tellsAgain(b, i) {
			u = uptake{askedAgain, t.Whole()}
		}
	}
	return u
}

// onlyDoubts reports whether the turn of a hit begins with "but", or with a short question alone.
func (s *Talk) onlyDoubts(h *Hit) bool {
	t := &s.Turns[h.Turn]
	end := t.SentenceEnd(0)
	return s.Hit(h.Turn, s.Lex.Class.WordsBut).Meets(t.At(0, 0)) ||
		end < fewestAsked && end < h.First && !t.Tokens[0].Is(text.Joiner) &&
			t.Asks <= int(t.Tokens[end+1].Start)
}

// promises reports whether block b says that something is or will be done, or what the USER should
// do.
func (s *Talk) promises(b int) bool {
	return slices.ContainsFunc(s.LastOf(b), func(i int) bool {
		return s.Has(i, s.Lex.Class.UptakePromises) || s.Has(i, s.Lex.Class.SubstanceSteps) ||
			s.Completes(i)
	})
}

// tellsAgain reports whether the USER's turn i repeats an earlier request in words that block b
// leaves out. At least half of the turn's content words must be repeated. If the SYSTEM has asked a
// relevant question or has done something, four fifths must be, because people then continue in
// words of the same topic. Words that occur in block b do not count, because people answer with
// them.
func (s *Talk) tellsAgain(b, i int) bool {
	t := &s.Turns[i]
	if s.Has(i, s.Lex.Class.UptakeMoves) && !s.Has(i, s.Lex.Class.WordsBut) {
		return false
	}
	size, leads := 0, false
	for _, k := range s.LastOf(b) {
		size += s.Turns[k].Said.Size() + s.Turns[k].Asked.Size()
		leads = leads || s.Turns[k].Asks > 0 || s.Completes(k)
	}
	var left []uint32
	for _, stem := range s.Bags.Of(t.Said) {
		if !s.BlockSays(b, stem) {
			left = append(left, stem)
		}
	}
	for k := b - 1; k >= max(0, b+1-2*requestBlocks); k-- {
		for _, j := range s.LastOf(k) {
			again, percent := 0, 50
			if leads && (size < offTopic || t.Said.Size() > maxPressed || s.isAbout(b, j)) {
				percent = 80
			}
			for _, stem := range left {
				if s.Turns[j].Role == dialogue.User && s.Bags.Holds(s.Turns[j].Said, stem) {
					again++
				}
			}
			if again >= 2 && again*100 >= percent*t.Said.Size() {
				return true
			}
		}
	}
	again := s.RepeatedIn(t, b) // most words of a question that follows another one
	return t.Asks > 0 && s.AsksIn(b-1) && again >= 1 && 2*again > t.Said.Size()
}

// deniedReach is the number of words after a negation among which the denied word is searched.
const deniedReach = 4

// deniedBy returns what the USER's turn i denies of block b. A sentence is a denial if a negation
// is closely followed by a word from an affirmative statement of block b. What the USER does not
// want, know or like is not a denial, nor is the answer to a question. If the SYSTEM only gives
// advice, the USER may lack the thing it is about.
func (s *Talk) deniedBy(b, i int) (u uptake) {
	t := &s.Turns[i]
	if s.Has(i, s.Lex.Class.UptakeWishes) || s.AsksIn(b) {
		return u
	}
	for k := range t.Tokens {
		tok := t.Tokens[k]
		clarifies := tok.Is(text.OpensSentence) && t.Is(k, "not") // "Not the grey one."
		if !tok.Is(text.Negator) || !t.GoesOn(k+1) || clarifies || t.InQuestion(k) {
			continue
		}
		for m := k + 1; m <= min(t.SentenceEnd(k), k+deniedReach) &&
			!t.Tokens[m].Is(text.OpensClause|text.Joiner|text.Preposition); m++ {
			if !t.Tokens[m].IsContent() {
				continue
			}
			if s.statedIn != b {
				s.readStated(b)
			}
			if _, found := slices.BinarySearch(s.stated, t.Tokens[m].Stem); found {
				return uptake{Denied, t.At(k, m)}
			}
			if s.Hit(i, s.Lex.Class.UptakeLacks).Meets(t.At(k, k)) &&
				s.BlockSays(b, t.Tokens[m].Stem) {
				u = uptake{lacking, t.At(k, m)}
			}
		}
	}
	return u
}

// readStated collects the words of the statements in block b. Questions, offers and denials are no
// statements.
func (s *Talk) readStated(b int) {
	s.stated, s.statedIn = s.stated[:0], b
	for _, i := range s.LastOf(b) {
		t := &s.Turns[i]
		for p := range t.Sentences() {
			if !t.IsQuestion(p.Last) && s.plainSentence(i, p.First) {
				for _, tok := range s.WordsOf(p) {
					s.stated = append(s.stated, tok.Stem)
				}
			}
		}
	}
	slices.Sort(s.stated)
}

// TakesUp finds the sentence of block b that shares the most words with what the USER said. It
// returns the first shared word, whose turn is -1 if there is none, and how many are shared. It
// skips sentences in which the SYSTEM refuses, does not know, greets, gives thanks, or says that
// somebody will see to it.
func (s *Talk) TakesUp(b int, said text.Passage) (at text.Passage, most int) {
	at.Turn = -1
	courteous := false // the best sentence so far is a courtesy; any other is better
	for _, i := range s.LastOf(b) {
		t, c := &s.Turns[i], &s.Lex.Class
		withholds, postpones := s.Hit(i, c.UptakeWithholds), s.Hit(i, c.StatePostponed)
		polite, greets := s.Hit(i, c.CourtesyPolite), s.Hit(i, c.WordsGreeting)
		for p := range t.Sentences() {
			if withholds.Meets(p) || postpones.Meets(p) || greets.Meets(p) ||
				t.Is(p.First, "thank", "thanks") {
				continue
			}
			first, shared := 0, 0
			for k := p.First; k <= p.Last; k++ {
				tok := t.Tokens[k]
				if tok.IsContent() && s.mentions(said, tok.Stem) {
					if shared++; shared == 1 {
						first = k
					}
				}
			}
			if shared > most || shared > 0 && shared == most && courteous {
				at, most = t.At(first, first), shared
				courteous = polite.Meets(p)
			}
		}
	}
	if at.Turn >= 0 && s.Turns[said.Turn].Asks > 0 {
		if h := s.Hit(at.Turn, s.Lex.Class.PairingDirect); h != nil && h.First == 0 {
			at.First, at.Last = 0, 0 // "No, the new one ships at once. It has a tracking link."
		}
	}
	return at, most
}

// mentions reports whether a passage of the USER contains a stem outside the names after "@".
func (s *Talk) mentions(said text.Passage, stem uint32) bool {
	return s.Bags.Holds(s.Turns[said.Turn].Said, stem) &&
		slices.ContainsFunc(s.WordsOf(said), func(tok text.Token) bool {
			return tok.Stem == stem && !tok.Is(text.Addressed)
		})
}

// committed returns the first token of a time, a date, a sum or a code that turn i states, or -1.
// Denials, offers and questions state nothing.
func (s *Talk) committed(i int) int {
	t := &s.Turns[i]
	states := func(k int) bool { return !s.IsInquiry(i, k) && s.plainSentence(i, k) }
	for _, v := range s.ValuesOf(i) {
		if (v.IsMoment() || v.Slot.Kind == quantity.Amount) && states(v.First) {
			return v.First
		}
	}
	return slices.IndexFunc(t.Tokens, func(tok text.Token) bool {
		return t.IsCode(tok) && !s.IsInquiry(i, int(tok.From))
	})
}

// RepeatedIn returns how many words of a turn of the USER occur in the USER's block before, but not
// in block b, to which it replies.
func (s *Talk) RepeatedIn(t *text.Turn, b int) (again int) {
	for _, stem := range s.Bags.Of(t.Said) {
		if !s.BlockSays(b, stem) && s.BlockSays(b-1, stem) {
			again++
		}
	}
	return again
}

// DeniesIdea reports whether the USER's turn t denies something that the SYSTEM brings up in block
// b, and not the USER before. An answer to a question about facts denies nothing, nor does what the
// USER does not know or mind.
func (s *Talk) DeniesIdea(t *text.Turn, b int) bool {
	if s.Has(s.LastTurn(b), s.Lex.Class.WordsAsksFact) || t.Has.Has(s.Lex.Class.UptakeWishes) {
		return false
	}
	for k, tok := range t.Tokens {
		if !tok.Is(text.Negator) {
			continue
		}
		for m := k + 1; m <= min(t.SentenceEnd(k), k+deniedReach); m++ {
			stem := t.Tokens[m].Stem
			if t.Tokens[m].IsContent() && s.BlockSays(b, stem) && !s.BlockSays(b-1, stem) {
				return true
			}
		}
	}
	return false
}

// readPlainQuestions finds questions without a question mark: sentences of the USER that begin with
// a question word, or with a verb before its subject, behind fillers and joiners, last sentences of
// the SYSTEM such as "Would you like a seat." and what a quiz asks.
func (s *Talk) readPlainQuestions() {
	for i, t := range s.Spoken(dialogue.System) {
		k := t.SentenceStart(t.Words - 1)
		if t.Asks == 0 && s.opensQuestion(t, k) && t.Tokens[k].Is(text.Modal|text.Auxiliary) &&
			!t.Is(k, "should", "may", "can", "could") { // "should you need it", "can you confirm"
			t.Asks = len(t.Text)
			t.Tokens[t.Words-1].Flags |= text.Questioned
		}
		asked := i
		if by := s.Before(i, dialogue.User); by >= 0 && s.Has(i, s.Lex.Class.WordsMarks) {
			asked = s.Before(by, dialogue.System)
		} else if !strings.Contains(t.Text, "__") {
			continue
		}
		if asked >= 0 && s.Turns[asked].Words > 0 && s.Turns[asked].Asks == 0 {
			quiz := &s.Turns[asked]
			quiz.Asks = len(quiz.Text)
			for p := range quiz.Sentences() {
				quiz.Tokens[p.Last].Flags |= text.Questioned
			}
		}
	}
	for _, t := range s.Spoken(dialogue.User) {
		for k, last := 0, 0; k < t.Words && t.Asks == 0; k = last + 1 {
			last = t.SentenceEnd(k)
			for k < last && t.Tokens[k].Is(text.Filler|text.Joiner) {
				k++
			}
			if k < last && s.opensQuestion(t, k) {
				t.Asks = int(t.Tokens[last].End)
			}
		}
	}
}
