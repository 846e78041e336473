package talk

import (
	"iter"
	"slices"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// Talk is what the two sides of a dialogue say. It is tokenised once, and every phrase of every
// list is found in one pass. It is reused for one dialogue after another.
type Talk struct {
	Lex      *Lexicon
	Dialogue dialogue.Dialogue
	Turns    []text.Turn
	Blocks   []Block
	Kind     Kind
	setKind  *Kind // the kind set by the caller; nil if the dialogue determines it
	Shows    Hit   // the evidence for a service case; its turn is -1 if there is none
	Confides bool  // the USER opens with feelings, not with a matter or an errand
	Films    bool  // they talk about films

	Tokens  []text.Token
	Hits    []Hit                              // by turn, in the order found
	Of      [64 * len(text.ClassSet{})][]int32 // indexes into hits, by class
	order   []int                              // backing of blocks
	matches []text.Match                       // of the current turn

	reader  quantity.Reader
	Values  []quantity.Value  // what speakers mention, by turn
	figures []quantity.Figure // by turn
	Bags    text.Bags         // what turns are about

	Uptakes    []uptake  // the USER's reaction to each turn of the SYSTEM: see uptake.go
	LastFailed int       // the last turn whose answer fails, or -1
	Requests   []Request // see requests.go
	Objected   int       // the USER's last turn with an objection to an answer, from 1, or 0
	leftOut    []uint32  // of the current turn
	stated     []uint32  // the stems in the statements of a block, sorted
	statedIn   int       // the block of stated, or -1
}

// BlocksOf yields the blocks of one side: their indexes and turns.
func (s *Talk) BlocksOf(r dialogue.Role) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		for b := range s.Blocks {
			if s.Blocks[b].Role == r && !yield(b, s.Blocks[b].Turns) {
				return
			}
		}
	}
}

// FirstTurn returns the first turn of block b.
func (s *Talk) FirstTurn(b int) int { return s.Blocks[b].Turns[0] }

// LastTurn returns the last turn of block b.
func (s *Talk) LastTurn(b int) int { return s.Blocks[b].Turns[len(s.Blocks[b].Turns)-1] }

// Block is a sequence of turns by one speaker, possibly with turns of OTHER between them.
type Block struct {
	Role  dialogue.Role
	Turns []int // indexes into analysis.turns
}

// Hit is an occurrence of a class in a turn: its first phrase that is not void.
type Hit struct {
	Class       text.Class
	Turn        int32 // index into turns
	First, Last int32 // tokens
	Negated     bool  // all phrases found are void: negated or cited
	Points      int32 // sum of the phrases' own points; those of negated phrases change sign
}

// Meets reports whether h is not nil and overlaps the tokens from first to last.
func (h *Hit) Meets(first, last int) bool {
	return h != nil && int(h.First) <= last && int(h.Last) >= first
}

// HitsOf yields the hits of a class.
func (s *Talk) HitsOf(c text.Class) iter.Seq[*Hit] {
	return func(yield func(*Hit) bool) {
		for _, k := range s.Of[c] {
			if !yield(&s.Hits[k]) {
				return
			}
		}
	}
}

// PhrasesOf returns every phrase in a turn. It is valid until the next call.
func (s *Talk) PhrasesOf(t *text.Turn) []text.Match {
	s.matches = s.Lex.automata()[t.Role].Scan(t.Tokens, s.matches[:0])
	return s.matches
}

// findPhrases records the classes that occur in turn i.
func (s *Talk) findPhrases(i int) {
	t := &s.Turns[i]
	t.Hits.Start = len(s.Hits)
	for _, m := range s.PhrasesOf(t) {
		of := &s.Lex.Lists[m.Class]
		h := Hit{Class: m.Class, Turn: int32(i), First: int32(m.First), Last: int32(m.Last)}
		h.Points = int32(m.Points)
		if h.Points == 0 && of.summed {
			h.Points = int32(of.Points)
		}
		if (of.negatable || of.reverses) && t.Negated(m.First) {
			h.Negated = of.negatable
			h.Points = -h.Points * 3 / 5 // "not bad" is less good than "good"
		}
		h.Negated = h.Negated || of.uncited && t.Cites(m.First, m.Last)
		if !t.Has.Has(m.Class) {
			if old := find(s.Hits[t.Hits.Start:], m.Class); old != nil {
				old.Points += h.Points
				if !h.Negated {
					old.First, old.Last, old.Negated = h.First, h.Last, false
				}
			} else {
				s.Hits = append(s.Hits, h)
			}
		} else if h.Points != 0 {
			find(s.Hits[t.Hits.Start:], m.Class).Points += h.Points
		} else if of.State != unknown && !h.Negated {
			old := find(s.Hits[t.Hits.Start:], m.Class) // the last phrase counts
			old.First, old.Last = h.First, h.Last
		}
		if !h.Negated {
			t.Has.Add(m.Class)
		}
	}
	t.Hits.End = len(s.Hits)
}

func find(hits []Hit, c text.Class) *Hit {
	for k := range hits {
		if hits[k].Class == c {
			return &hits[k]
		}
	}
	return nil
}

// Hit returns the hit of a class in turn i, negated or not, or nil.
func (s *Talk) Hit(i int, c text.Class) *Hit {
	t := &s.Turns[i]
	return find(s.Hits[t.Hits.Start:t.Hits.End], c)
}

// Has reports whether turn i contains a phrase of the class that is not negated.
func (s *Talk) Has(i int, c text.Class) bool { return s.Turns[i].Has.Has(c) }

// Before returns the index of the last turn of role r before turn i, or -1.
func (s *Talk) Before(i int, r dialogue.Role) int { return int(s.Turns[i].Before[r]) }

// Spoken yields the turns of one side that contain a word, with their indexes.
func (s *Talk) Spoken(r dialogue.Role) iter.Seq2[int, *text.Turn] {
	return func(yield func(int, *text.Turn) bool) {
		for i := range s.Turns {
			if t := &s.Turns[i]; t.Role == r && t.Words > 0 && !yield(i, t) {
				return
			}
		}
	}
}

// WordsOf returns the tokens of a passage.
func (s *Talk) WordsOf(p text.Passage) []text.Token {
	return s.Turns[p.Turn].Tokens[p.First : p.Last+1]
}

// IsAsked reports whether a passage ends in a question.
func (s *Talk) IsAsked(p text.Passage) bool { return s.Turns[p.Turn].InQuestion(p.Last) }

// FiguresOf returns the figures of turn i.
func (s *Talk) FiguresOf(i int) []quantity.Figure {
	t := &s.Turns[i]
	return s.figures[t.Figures.Start:t.Figures.End]
}

// ValuesOf returns the values of turn i.
func (s *Talk) ValuesOf(i int) []quantity.Value {
	at := s.Turns[i].Values
	return s.Values[at.Start:at.End]
}

// ValuesIn returns the values of a passage.
func (s *Talk) ValuesIn(p text.Passage) []quantity.Value {
	list := s.ValuesOf(p.Turn)
	from := slices.IndexFunc(list, func(v quantity.Value) bool { return v.First >= p.First })
	if from < 0 {
		return nil
	}
	to := from
	for to < len(list) && list[to].Last <= p.Last {
		to++
	}
	return list[from:to]
}

// Says reports whether turn i contains a stem.
func (s *Talk) Says(i int, stem uint32) bool {
	t := &s.Turns[i]
	return s.Bags.Holds(t.Said, stem) || s.Bags.Holds(t.Asked, stem)
}

// maxInBlock is the maximum number of turns that are read in a block, which keeps the time linear.
const maxInBlock = 8

// firstOf returns the first turns of block b.
func (s *Talk) firstOf(b int) []int {
	turns := s.Blocks[b].Turns
	return turns[:min(len(turns), maxInBlock)]
}

// LastOf returns the last turns of block b.
func (s *Talk) LastOf(b int) []int {
	turns := s.Blocks[b].Turns
	return turns[max(0, len(turns)-maxInBlock):]
}

// readValues finds the values and the figures of every turn of the two sides.
func (s *Talk) readValues() {
	s.Values, s.figures = s.Values[:0], s.figures[:0]
	for i := range s.Turns {
		t := &s.Turns[i]
		t.Values.Start, t.Figures.Start = len(s.Values), len(s.figures)
		if t.Role != dialogue.Other {
			s.Values = s.AppendValues(s.Values, i)
			s.figures = quantity.AppendFigures(s.figures, t, i)
		}
		t.Values.End, t.Figures.End = len(s.Values), len(s.figures)
	}
}

// AppendValues appends the values of turn i.
func (s *Talk) AppendValues(list []quantity.Value, i int) []quantity.Value {
	r := &s.reader // a new reader would be allocated
	r.Known, r.Turn = s.Lex.Words, &s.Turns[i]
	return r.Append(list, i)
}

// Prepare reads d in one pass, in which each step uses the steps before it. If kind is nil, the
// dialogue determines it.
func (s *Talk) Prepare(lex *Lexicon, d dialogue.Dialogue, kind *Kind) {
	s.Lex, s.Dialogue, s.setKind = lex, d, kind
	s.Turns, s.Blocks = s.Turns[:0], s.Blocks[:0]
	s.Tokens, s.Hits, s.order = s.Tokens[:0], s.Hits[:0], s.order[:0]

	for i, t := range d.Turns {
		s.Turns = append(s.Turns, text.Turn{N: i + 1, Role: t.Role, Text: t.Text})
		s.Tokens = lex.Vocabulary.Tokenise(&s.Turns[i], s.Tokens)
	}
	rest := s.Tokens // turns and blocks share the backing arrays, which no longer grow
	last := [3]int32{-1, -1, -1}
	for i := range s.Turns {
		t := &s.Turns[i]
		t.Tokens, rest = rest[:t.Words:t.Words], rest[t.Words:]
		s.findPhrases(i)
		s.mute(i)
		t.Before, last[t.Role] = last, int32(i)
		if t.Role != dialogue.Other {
			s.order = append(s.order, i)
		}
	}
	for from, to := 0, 0; from < len(s.order); from = to {
		role := s.Turns[s.order[from]].Role
		for to < len(s.order) && s.Turns[s.order[to]].Role == role {
			to++
		}
		s.Blocks = append(s.Blocks, Block{role, s.order[from:to]})
	}
	for c := range s.Lex.Lists {
		s.Of[c] = s.Of[c][:0]
	}
	for k := range s.Hits {
		s.Of[s.Hits[k].Class] = append(s.Of[s.Hits[k].Class], int32(k))
	}
	s.readKind()
	s.readPlainQuestions()
	s.readValues()
	s.Bags.Read(s.Turns)
	s.readUptake()
	s.readIrony()
	s.readRequests()
}
