package heuristics

import (
	"iter"
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// scene is a dialogue made ready for detectors: tokenised once, with every phrase of every class found in one
// pass. It is reused from dialogue to dialogue.
type scene struct {
	lex     *lexicon
	d       dialogue.Dialogue
	turns   []turnText
	blocks  []block
	signals []rubric.Signal

	tokens  []token
	hits    []hit   // by turn, then class
	from    []int32 // hits of turn i are hits[from[i]:from[i+1]]
	order   []int   // backing of blocks
	matches []match // of the turn at hand
	byClass []int32 // hits by class: those of class c are byClass[ofClass[c]:ofClass[c+1]]
	ofClass []int32
	starts  []int32 // where the signals of each turn begin, see byTurn

	reader     valueReader
	values     []value // what speakers name, by turn: see values.go
	valuesFrom []int32 // values of turn i are values[valuesFrom[i]:valuesFrom[i+1]]
	bags       bags    // what turns are about: see bags.go

	tagger     *tagger // of the Agents
	judged     bool    // judgements hold what it says of this dialogue: see salad.go
	judgements []judgement
}

// hit is a class found in a turn: the first phrase of it that no negator voids.
type hit struct {
	class       int16
	turn        int32 // index into turns
	first, last int32 // tokens
	negated     bool  // every phrase found stands behind a negator
	points      int32 // sum of the phrases' own points, those behind a negator turned round
}

// set prepares the scene for d.
func (s *scene) set(lex *lexicon, d dialogue.Dialogue) {
	s.lex, s.d = lex, d
	s.turns, s.blocks, s.signals = s.turns[:0], s.blocks[:0], s.signals[:0]
	s.tokens, s.hits, s.from, s.order = s.tokens[:0], s.hits[:0], s.from[:0], s.order[:0]
	s.values, s.valuesFrom = s.values[:0], s.valuesFrom[:0]
	s.judged = false
	s.readTurns()
	s.readBlocks()
	attacks := lex.attackClasses()
	for i := range s.turns {
		s.from = append(s.from, int32(len(s.hits)))
		s.findPhrases(i)
		s.mute(i, attacks)
	}
	s.from = append(s.from, int32(len(s.hits)))
	s.sortHits()
	s.readValues()
	s.readBags()
}

func (s *scene) readTurns() {
	ends := 0
	last := [3]int32{-1, -1, -1}
	for i, t := range s.d.Turns {
		s.turns = append(s.turns, turnText{n: i + 1, role: t.Role, text: t.Text, before: last})
		last[t.Role] = int32(i)
		s.tokens = s.lex.vocabulary.tokenise(&s.turns[i], s.tokens)
	}
	// Only now that the backing array stands still can the turns share it.
	for i := range s.turns {
		begin := ends
		ends += s.turns[i].words
		s.turns[i].tokens = s.tokens[begin:ends:ends]
	}
}

func (s *scene) readBlocks() {
	for i := range s.turns {
		if s.turns[i].role == dialogue.Other {
			continue
		}
		s.order = append(s.order, i)
		if n := len(s.blocks); n == 0 || s.blocks[n-1].role != s.turns[i].role {
			s.blocks = append(s.blocks, block{role: s.turns[i].role})
		}
		b := &s.blocks[len(s.blocks)-1]
		b.count++
	}
	at := 0
	for i := range s.blocks {
		b := &s.blocks[i]
		b.turns = s.order[at : at+b.count]
		at += b.count
	}
}

// findPhrases collects the classes of turn i.
func (s *scene) findPhrases(i int) {
	t := &s.turns[i]
	start := len(s.hits)
	s.matches = s.lex.automata[t.role].scan(t.tokens, s.matches[:0])
	for _, m := range s.matches {
		h := s.weigh(t, m)
		h.turn = int32(i)
		if old := s.known(start, m.class); old == nil {
			s.hits = append(s.hits, h)
		} else {
			old.points += h.points
			if old.negated && !h.negated {
				old.first, old.last, old.negated = h.first, h.last, false
			}
		}
	}
}

// weigh makes a hit of a match.
func (s *scene) weigh(t *turnText, m match) hit {
	c := &s.lex.classes[m.class]
	h := hit{class: m.class, first: int32(m.first), last: int32(m.last), points: int32(m.points)}
	if h.points == 0 && c.summed {
		h.points = int32(c.points)
	}
	if (c.negatable || h.points != 0) && t.negated(m.first) {
		h.negated = c.negatable
		h.points = -h.points * 3 / 5 // "not bad" is less good than "good"
	}
	return h
}

// known gives the hit of a class among those from start on, the ones of the turn at hand.
func (s *scene) known(start int, class int16) *hit {
	for k := start; k < len(s.hits); k++ {
		if s.hits[k].class == class {
			return &s.hits[k]
		}
	}
	return nil
}

// sortHits lists the hits of each class, by turn.
func (s *scene) sortHits() {
	n := len(s.lex.classes)
	s.ofClass = append(s.ofClass[:0], make([]int32, n+2)...)
	for k := range s.hits {
		s.ofClass[s.hits[k].class+2]++
	}
	for c := 2; c < len(s.ofClass); c++ {
		s.ofClass[c] += s.ofClass[c-1]
	}
	s.byClass = slices.Grow(s.byClass[:0], len(s.hits))[:len(s.hits)]
	for k := range s.hits {
		at := &s.ofClass[s.hits[k].class+1]
		s.byClass[*at] = int32(k)
		*at++
	}
}

// hitsOf yields the hits of a class, by turn.
func (s *scene) hitsOf(class int16) iter.Seq[*hit] {
	return func(yield func(*hit) bool) {
		if class < 0 {
			return
		}
		for _, k := range s.byClass[s.ofClass[class]:s.ofClass[class+1]] {
			if !yield(&s.hits[k]) {
				return
			}
		}
	}
}

// negated reports whether a negator stands within three words before token i, in the same clause.
func (t *turnText) negated(i int) bool {
	for back := 0; back < 3 && i > 0 && !t.tokens[i].is(opensClause); back++ {
		if i--; t.tokens[i].is(negator) {
			return true
		}
	}
	return false
}

// hit gives the hit of a class in turn i, negated or not.
func (s *scene) hit(i int, class int16) *hit {
	for k := s.from[i]; k < s.from[i+1]; k++ {
		if s.hits[k].class == class {
			return &s.hits[k]
		}
	}
	return nil
}

// has reports whether turn i holds a phrase of the class that no negator voids.
func (s *scene) has(i int, class int16) bool {
	h := s.hit(i, class)
	return h != nil && !h.negated
}

// hasAny reports whether turn i has one of the classes.
func (s *scene) hasAny(i int, classes []int16) bool {
	for _, c := range classes {
		if s.has(i, c) {
			return true
		}
	}
	return false
}

// before gives the index of the last turn of role r before turn i, or -1.
func (s *scene) before(i int, r dialogue.Role) int { return int(s.turns[i].before[r]) }

// emit reports a signal of det at turn i for the tokens from first up to last, both included.
func (s *scene) emit(det *detectorAt, i, first, last int, points rubric.Hundredths) {
	t := &s.turns[i]
	sig := rubric.Signal{ID: det.ID, Criteria: det.Criteria, Turn: t.n, Points: points}
	if first < len(t.tokens) && last < len(t.tokens) {
		sig.Start, sig.End = int(t.tokens[first].start), int(t.tokens[last].end)
	}
	s.signals = append(s.signals, sig)
}

// emitAbout reports a signal as emit does, and the other turn that it concerns.
func (s *scene) emitAbout(det *detectorAt, i, first, last, about int, points rubric.Hundredths) {
	s.emit(det, i, first, last, points)
	s.signals[len(s.signals)-1].About = s.turns[about].n
}

// emitHit reports a signal where a phrase was found.
func (s *scene) emitHit(det *detectorAt, h *hit) {
	s.emit(det, int(h.turn), int(h.first), int(h.last), det.Points)
}
