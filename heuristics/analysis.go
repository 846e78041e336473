package heuristics

import (
	"iter"
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// analysis is a dialogue prepared for detectors: it is tokenised once, and every phrase of every
// list is found in one pass. It is reused for one dialogue after another.
type analysis struct {
	lex      *lexicon
	d        dialogue.Dialogue
	turns    []turnText
	blocks   []block
	signals  []rubric.Signal
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

	reader     valueReader
	values     []value // what speakers mention, by turn: see values.go
	tools      []dialogue.ToolUse
	hasTools   bool            // the source lists tools
	ledger     []entry         // of deeds that the SYSTEM reports: see ledger.go
	calls      []toolCall      // in the order of tools
	acts       map[uint32]bool // the verbs of their names that are in no list
	toolTags   []toolWord      // of the tokens of a turn: see claims.go
	statements []statement     // grounded by tools, or by nothing: see grounded.go
	others     []value         // of a turn of a tool
	figures    []figure        // by turn: see figure.go
	bags       bags            // what turns are about: see bags.go

	uptakes    []uptake  // the USER's reaction to each turn of the SYSTEM: see uptake.go
	lastFailed int       // the last turn whose answer fails, or -1
	requests   []request // see requests.go
	objected   int       // the USER's last turn with an objection to an answer, from 1, or 0
	leftOut    []uint32  // of the current turn
	stated     []uint32  // the stems in the statements of a block, sorted
	statedIn   int       // the block of stated, or -1
	clauses    []clause  // see findItself
	heads      []token   // backing of what they are about

	spelling *spelling // of the Agents
	tagger   *tagger   // of the Agents
}

// blocksOf yields the blocks of one side: their indexes and turns.
func (s *analysis) blocksOf(r dialogue.Role) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		for b := range s.blocks {
			if s.blocks[b].role == r && !yield(b, s.blocks[b].turns) {
				return
			}
		}
	}
}

// firstTurn returns the first turn of block b.
func (s *analysis) firstTurn(b int) int { return s.blocks[b].turns[0] }

// lastTurn returns the last turn of block b.
func (s *analysis) lastTurn(b int) int { return s.blocks[b].turns[len(s.blocks[b].turns)-1] }

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
func (s *analysis) hitsOf(c class) iter.Seq[*hit] {
	return func(yield func(*hit) bool) {
		for _, k := range s.of[c] {
			if !yield(&s.hits[k]) {
				return
			}
		}
	}
}

// findPhrases records the classes that occur in turn i.
func findPhrases(s *analysis, i int) {
	t := &s.turns[i]
	t.hits.start = len(s.hits)
	s.matches = s.lex.automata()[t.role].scan(t.tokens, s.matches[:0])
	for _, m := range s.matches {
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
func (s *analysis) hit(i int, c class) *hit {
	t := &s.turns[i]
	return find(s.hits[t.hits.start:t.hits.end], c)
}

// has reports whether turn i contains a phrase of the class that is not negated.
func (s *analysis) has(i int, c class) bool { return s.turns[i].has.has(c) }

// before returns the index of the last turn of role r before turn i, or -1.
func (s *analysis) before(i int, r dialogue.Role) int { return int(s.turns[i].before[r]) }

// spoken yields the turns of one side that contain a word, with their indexes.
func (s *analysis) spoken(r dialogue.Role) iter.Seq2[int, *turnText] {
	return func(yield func(int, *turnText) bool) {
		for i := range s.turns {
			if t := &s.turns[i]; t.role == r && t.words > 0 && !yield(i, t) {
				return
			}
		}
	}
}

// emit reports a signal of det in turn i for the tokens from first to last, inclusive. The caller
// may modify the signal.
func (s *analysis) emit(det *detector, i, first, last int) *rubric.Signal {
	t := &s.turns[i]
	sig := rubric.Signal{ID: det.ID, Criteria: det.Criteria, Turn: t.n,
		Points: det.pointsIn(s.kind)}
	if first < len(t.tokens) && last < len(t.tokens) {
		sig.Start, sig.End = int(t.tokens[first].start), int(t.tokens[last].end)
	}
	s.signals = append(s.signals, sig)
	return &s.signals[len(s.signals)-1]
}

// report reports a signal of det for a passage, and the other turn that it concerns.
func (s *analysis) report(det *detector, p passage, about int) {
	s.emit(det, p.turn, p.first, p.last).About = s.turns[about].n
}

// wordsOf returns the tokens of a passage.
func (s *analysis) wordsOf(p passage) []token { return s.turns[p.turn].tokens[p.first : p.last+1] }

// maxAround is how many words of the sentence are read on each side of a passage.
const maxAround = 64

// around returns the tokens of a passage and of the sentence around it.
func (s *analysis) around(p passage) []token {
	t := &s.turns[p.turn]
	from, to := t.sentenceStart(p.first), t.sentenceEnd(p.last)
	return t.tokens[max(from, p.first-maxAround) : min(to, p.last+maxAround)+1]
}

// isAsked reports whether a passage ends in a question.
func (s *analysis) isAsked(p passage) bool { return s.turns[p.turn].inQuestion(p.last) }

// emitHit reports a signal at the position of a phrase. The caller may modify the signal.
func (s *analysis) emitHit(det *detector, h *hit) *rubric.Signal {
	return s.emit(det, int(h.turn), int(h.first), int(h.last))
}

// emitTurn reports a signal for all words of turn i, and the other turn that it concerns.
func (s *analysis) emitTurn(det *detector, i, about int) {
	s.emit(det, i, 0, s.turns[i].words-1).About = s.turns[about].n
}

// failure is the way in which the USER rejects an answer.
type failure uint8

const (
	held       failure = iota
	contested          // the USER objects to it with evidence
	askedAgain         // the USER repeats words of the request that the answer left out
	saidBefore         // the USER says that it was said or done before
	unkept             // the USER says that a statement or promise did not come true
	resigned           // the USER gives up on the SYSTEM
	denied             // the USER denies a statement of the SYSTEM
	lacking            // the USER does not have what the SYSTEM talks about
)

// uptake describes whether an answer of the SYSTEM holds, or how it fails.
type uptake struct {
	how         failure
	by          int32 // the USER's turn that rejects it
	first, last int32 // the words of that turn that reject it
}

// Limits on how far back a contradiction is searched, in turns, and on the values in them, which
// keep the time linear.
const (
	requestTurns  = 12 // a request is still relevant
	requestValues = 48
)

// Limits that keep the time linear: the earlier clauses compared with each new one, and the words
// in a clause. A longer one is a list or not English.
const (
	maxClauses = 24
	maxWords   = 64
)

// statement is a figure, a date or a time that the SYSTEM states.
type statement struct {
	passage
	isGrounded bool // a tool returned it; otherwise nobody mentioned it
	isEntered  bool // it is in the ledger
}

// figuresOf returns the figures of turn i.
func (s *analysis) figuresOf(i int) []figure {
	t := &s.turns[i]
	return s.figures[t.figures.start:t.figures.end]
}

// valuesOf returns the values of turn i.
func (s *analysis) valuesOf(i int) []value {
	at := s.turns[i].values
	return s.values[at.start:at.end]
}

// valuesIn returns the values of a passage.
func (s *analysis) valuesIn(p passage) []value {
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
func (s *analysis) says(i int, stem uint32) bool {
	t := &s.turns[i]
	return s.bags.holds(t.said, stem) || s.bags.holds(t.asked, stem)
}

// maxInBlock is the maximum number of turns that are read in a block, which keeps the time linear.
const maxInBlock = 8

// firstOf returns the first turns of block b.
func (s *analysis) firstOf(b int) []int {
	turns := s.blocks[b].turns
	return turns[:min(len(turns), maxInBlock)]
}

// lastOf returns the last turns of block b.
func (s *analysis) lastOf(b int) []int {
	turns := s.blocks[b].turns
	return turns[max(0, len(turns)-maxInBlock):]
}

// emitBytes reports a signal for a byte range that need not start or end at a word.
func (s *analysis) emitBytes(det *detector, i int, at span) {
	sig := s.emit(det, i, 0, 0)
	sig.Start, sig.End = at.start, at.end
}

// disorder is the degree of disorder in a sentence.
type disorder uint8

const (
	ordered disorder = iota
	heap             // a sequence of words: a list, or no sentence
	broken           // or no sentence
)
