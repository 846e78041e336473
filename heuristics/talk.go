package heuristics

import (
	"iter"
	"slices"

	"assize/rubric/dialogue"
)

// Talk is what the two sides of a dialogue say. It is tokenised once, and every phrase of every list
// is found in one pass. It is reused for one dialogue after another.
type Talk struct {
	lex      *lexicon
	d        dialogue.Dialogue
	turns    []turnText
	blocks   []block
	kind     Kind
	setKind  *Kind // the kind set by the caller; nil if the dialogue determines it
	shows    hit   // the evidence for a service case; its turn is -1 if there is none
	confides bool  // the USER opens with feelings, not with a matter or an errand
	films    bool  // they talk about films

	tokens  []token
	hits    []hit                         // by turn, in the order found
	of      [64 * len(classSet{})][]int32 // indexes into hits, by class
	order   []int                         // backing of blocks
	matches []match                       // of the current turn

	reader  valueReader
	values  []value  // what speakers mention, by turn
	figures []figure // by turn
	bags    bags     // what turns are about

	uptakes    []uptake  // the USER's reaction to each turn of the SYSTEM: see uptake.go
	lastFailed int       // the last turn whose answer fails, or -1
	requests   []request // see requests.go
	objected   int       // the USER's last turn with an objection to an answer, from 1, or 0
	leftOut    []uint32  // of the current turn
	stated     []uint32  // the stems in the statements of a block, sorted
	statedIn   int       // the block of stated, or -1
}

// blocksOf yields the blocks of one side: their indexes and turns.
func (s *Talk) blocksOf(r dialogue.Role) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		for b := range s.blocks {
			if s.blocks[b].role == r && !yield(b, s.blocks[b].turns) {
				return
			}
		}
	}
}

// firstTurn returns the first turn of block b.
func (s *Talk) firstTurn(b int) int { return s.blocks[b].turns[0] }

// lastTurn returns the last turn of block b.
func (s *Talk) lastTurn(b int) int { return s.blocks[b].turns[len(s.blocks[b].turns)-1] }

// block is a sequence of turns by one speaker, possibly with turns of OTHER between them.
type block struct {
	role  dialogue.Role
	turns []int // indexes into analysis.turns
}

// hit is an occurrence of a class in a turn: its first phrase that is not void.
type hit struct {
	class       class
	turn        int32 // index into turns
	first, last int32 // tokens
	negated     bool  // all phrases found are void: negated or cited
	points      int32 // sum of the phrases' own points; those of negated phrases change sign
}

// meets reports whether h is not nil and overlaps the tokens from first to last.
func (h *hit) meets(first, last int) bool {
	return h != nil && int(h.first) <= last && int(h.last) >= first
}

// hitsOf yields the hits of a class.
func (s *Talk) hitsOf(c class) iter.Seq[*hit] {
	return func(yield func(*hit) bool) {
		for _, k := range s.of[c] {
			if !yield(&s.hits[k]) {
				return
			}
		}
	}
}

// phrasesOf returns every phrase in a turn. It is valid until the next call.
func (s *Talk) phrasesOf(t *turnText) []match {
	s.matches = s.lex.automata()[t.role].scan(t.tokens, s.matches[:0])
	return s.matches
}

// findPhrases records the classes that occur in turn i.
func (s *Talk) findPhrases(i int) {
	t := &s.turns[i]
	t.hits.start = len(s.hits)
	for _, m := range s.phrasesOf(t) {
		of := &s.lex.lists[m.class]
		h := hit{class: m.class, turn: int32(i), first: int32(m.first), last: int32(m.last)}
		h.points = int32(m.points)
		if h.points == 0 && of.summed {
			h.points = int32(of.points)
		}
		if (of.negatable || of.reverses) && t.negated(m.first) {
			h.negated = of.negatable
			h.points = -h.points * 3 / 5 // "not bad" is less good than "good"
		}
		h.negated = h.negated || of.uncited && t.cites(m.first, m.last)
		if !t.has.has(m.class) {
			if old := find(s.hits[t.hits.start:], m.class); old != nil {
				old.points += h.points
				if !h.negated {
					old.first, old.last, old.negated = h.first, h.last, false
				}
			} else {
				s.hits = append(s.hits, h)
			}
		} else if h.points != 0 {
			find(s.hits[t.hits.start:], m.class).points += h.points
		} else if of.state != unknown && !h.negated {
			old := find(s.hits[t.hits.start:], m.class) // the last phrase counts
			old.first, old.last = h.first, h.last
		}
		if !h.negated {
			t.has.add(m.class)
		}
	}
	t.hits.end = len(s.hits)
}

func find(hits []hit, c class) *hit {
	for k := range hits {
		if hits[k].class == c {
			return &hits[k]
		}
	}
	return nil
}

// hit returns the hit of a class in turn i, negated or not, or nil.
func (s *Talk) hit(i int, c class) *hit {
	t := &s.turns[i]
	return find(s.hits[t.hits.start:t.hits.end], c)
}

// has reports whether turn i contains a phrase of the class that is not negated.
func (s *Talk) has(i int, c class) bool { return s.turns[i].has.has(c) }

// before returns the index of the last turn of role r before turn i, or -1.
func (s *Talk) before(i int, r dialogue.Role) int { return int(s.turns[i].before[r]) }

// spoken yields the turns of one side that contain a word, with their indexes.
func (s *Talk) spoken(r dialogue.Role) iter.Seq2[int, *turnText] {
	return func(yield func(int, *turnText) bool) {
		for i := range s.turns {
			if t := &s.turns[i]; t.role == r && t.words > 0 && !yield(i, t) {
				return
			}
		}
	}
}

// wordsOf returns the tokens of a passage.
func (s *Talk) wordsOf(p passage) []token { return s.turns[p.turn].tokens[p.first : p.last+1] }

// isAsked reports whether a passage ends in a question.
func (s *Talk) isAsked(p passage) bool { return s.turns[p.turn].inQuestion(p.last) }

// figuresOf returns the figures of turn i.
func (s *Talk) figuresOf(i int) []figure {
	t := &s.turns[i]
	return s.figures[t.figures.start:t.figures.end]
}

// valuesOf returns the values of turn i.
func (s *Talk) valuesOf(i int) []value {
	at := s.turns[i].values
	return s.values[at.start:at.end]
}

// valuesIn returns the values of a passage.
func (s *Talk) valuesIn(p passage) []value {
	list := s.valuesOf(p.turn)
	from := slices.IndexFunc(list, func(v value) bool { return v.first >= p.first })
	if from < 0 {
		return nil
	}
	to := from
	for to < len(list) && list[to].last <= p.last {
		to++
	}
	return list[from:to]
}

// says reports whether turn i contains a stem.
func (s *Talk) says(i int, stem uint32) bool {
	t := &s.turns[i]
	return s.bags.holds(t.said, stem) || s.bags.holds(t.asked, stem)
}

// maxInBlock is the maximum number of turns that are read in a block, which keeps the time linear.
const maxInBlock = 8

// firstOf returns the first turns of block b.
func (s *Talk) firstOf(b int) []int {
	turns := s.blocks[b].turns
	return turns[:min(len(turns), maxInBlock)]
}

// lastOf returns the last turns of block b.
func (s *Talk) lastOf(b int) []int {
	turns := s.blocks[b].turns
	return turns[max(0, len(turns)-maxInBlock):]
}

// readValues finds the values and the figures of every turn of the two sides.
func (s *Talk) readValues() {
	s.values, s.figures = s.values[:0], s.figures[:0]
	for i := range s.turns {
		t := &s.turns[i]
		t.values.start, t.figures.start = len(s.values), len(s.figures)
		if t.role != dialogue.Other {
			s.values = s.appendValues(s.values, i)
			s.figures = appendFigures(s.figures, t, i)
		}
		t.values.end, t.figures.end = len(s.values), len(s.figures)
	}
}

// appendValues appends the values of turn i.
func (s *Talk) appendValues(list []value, i int) []value {
	r := &s.reader // a new reader would be allocated
	r.known, r.turnText = s.lex.valueWords, &s.turns[i]
	return r.append(list, i)
}

// prepare reads d in one pass, in which each step uses the steps before it. If kind is nil, the
// dialogue determines it.
func (s *Talk) prepare(lex *lexicon, d dialogue.Dialogue, kind *Kind) {
	s.lex, s.d, s.setKind = lex, d, kind
	s.turns, s.blocks = s.turns[:0], s.blocks[:0]
	s.tokens, s.hits, s.order = s.tokens[:0], s.hits[:0], s.order[:0]

	for i, t := range d.Turns {
		s.turns = append(s.turns, turnText{n: i + 1, role: t.Role, text: t.Text})
		s.tokens = lex.vocabulary.tokenise(&s.turns[i], s.tokens)
	}
	rest := s.tokens // turns and blocks share the backing arrays, which no longer grow
	last := [3]int32{-1, -1, -1}
	for i := range s.turns {
		t := &s.turns[i]
		t.tokens, rest = rest[:t.words:t.words], rest[t.words:]
		s.findPhrases(i)
		s.mute(i)
		t.before, last[t.role] = last, int32(i)
		if t.role != dialogue.Other {
			s.order = append(s.order, i)
		}
	}
	for from, to := 0, 0; from < len(s.order); from = to {
		role := s.turns[s.order[from]].role
		for to < len(s.order) && s.turns[s.order[to]].role == role {
			to++
		}
		s.blocks = append(s.blocks, block{role, s.order[from:to]})
	}
	for c := range s.lex.lists {
		s.of[c] = s.of[c][:0]
	}
	for k := range s.hits {
		s.of[s.hits[k].class] = append(s.of[s.hits[k].class], int32(k))
	}
	s.readKind()
	s.readPlainQuestions()
	s.readValues()
	s.bags.read(s.turns)
	s.readUptake()
	s.readIrony()
	s.readRequests()
}
