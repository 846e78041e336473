package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// A dialogue is prepared in one pass, in which each step uses the steps before it.

// prepare prepares the analysis of d.
func prepare(s *analysis, lex *lexicon, d dialogue.Dialogue) {
	s.lex, s.d = lex, d
	s.turns, s.blocks, s.signals = s.turns[:0], s.blocks[:0], s.signals[:0]
	s.tokens, s.hits, s.order, s.values = s.tokens[:0], s.hits[:0], s.order[:0], s.values[:0]

	for i, t := range d.Turns {
		s.turns = append(s.turns, turnText{n: i + 1, role: t.Role, text: t.Text})
		s.tokens = lex.vocabulary.tokenise(&s.turns[i], s.tokens)
	}
	rest := s.tokens // turns and blocks share the backing arrays, which no longer grow
	last := [3]int32{-1, -1, -1}
	for i := range s.turns {
		t := &s.turns[i]
		t.tokens, rest = rest[:t.words:t.words], rest[t.words:]
		findPhrases(s, i)
		mute(s, i)
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
	readKind(s)
	readPlainQuestions(s)
	readValues(s)
	readFigures(s)
	s.tools, s.hasTools = d.Tools(), len(d.Listed) > 0
	readGrounds(s)
	readLedger(s)
	readBags(s)
	readUptake(s)
	readIrony(s)
	readRequests(s)
}

// byTurn returns a copy of the signals sorted by turn, then by detector.
func (s *analysis) byTurn() []rubric.Signal {
	next := make([]int, len(s.turns)+2) // where the next signal of each turn goes
	for i := range s.signals {
		next[s.signals[i].Turn+1]++
	}
	for turn := range s.turns {
		next[turn+1] += next[turn]
	}
	sorted := make([]rubric.Signal, len(s.signals))
	for i := range s.signals {
		at := &next[s.signals[i].Turn]
		sorted[*at] = s.signals[i]
		*at++
	}
	return sorted
}

func readBags(s *analysis) {
	b := &s.bags
	b.stems, b.open = b.stems[:0], 0
	for i := range s.turns {
		t := &s.turns[i]
		switch {
		case t.role == dialogue.Other:
		case t.role == dialogue.User || t.asks == 0:
			b.add(t.tokens)
			t.said = b.close()
		default:
			b.sentences(t, false)
			t.said = b.close()
			b.sentences(t, true)
			t.asked = b.close()
		}
	}
}
