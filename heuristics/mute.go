package heuristics

import (
	"assize/rubric/dialogue"
	"strings"
)

// templateMarks are the turn markers in models' chat templates, which nobody types.
var templateMarks = [...]string{
	"<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>",
	"<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|begin_of_text|>",
	"<start_of_turn>", "<end_of_turn>",
	"[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "### Instruction:", "### System:",
}

// mute removes from a turn the sentences that address the judge, and everything that follows the
// marker of a chat template, so that they cannot affect the scores. What else the turn says counts:
// a speaker who addresses the judge gains nothing by it.
//
// A turn addresses the judge with a phrase that is said to nobody else, with two of three phrases
// that are each common, or with such a marker.
func (s *Talk) mute(i int) {
	t := &s.turns[i]
	if t.role == dialogue.Other {
		return
	}
	kinds, mark := 0, templateMark(t)
	for _, h := range s.hits[t.hits.start:t.hits.end] {
		kinds += s.addressesJudge(h.class)
	}
	if kinds < 2 && mark < 0 {
		return
	}
	kept := []byte(t.text)
	t.attack = span{start: len(kept)}
	remove := func(from, to int) {
		t.attack.start, t.attack.end = min(t.attack.start, from), max(t.attack.end, to)
		for k := from; k < to; k++ {
			kept[k] = ' ' // all other words stay where they are
		}
	}
	for _, m := range s.matches {
		if s.addressesJudge(m.class) > 0 {
			from, to := int(t.tokens[t.sentenceStart(m.first)].start), len(t.text)
			if after := t.sentenceEnd(m.last) + 1; after < t.words {
				to = int(t.tokens[after].start)
			}
			to = from + len(strings.TrimSpace(t.text[from:to]))
			remove(max(from, t.attack.end), to) // a sentence with many phrases is removed once
		}
	}
	if mark >= 0 {
		remove(mark, len(kept))
	}
	s.hits, t.has, t.quotes = s.hits[:t.hits.start], classSet{}, t.quotes[:0]
	t.text, t.asks, t.exclaims = string(kept), 0, 0
	t.tokens = s.lex.vocabulary.tokenise(t, t.tokens[:0])
	if t.words == 0 {
		t.role = dialogue.Other // nobody said anything to anybody
	}
	s.findPhrases(i)
}

// addressesJudge returns how much a phrase of a class shows that the judge is addressed; 2 is
// enough.
func (s *Talk) addressesJudge(c class) int {
	switch c {
	case s.lex.class.SafetyInjection:
		return 2
	case s.lex.class.SafetyJudging, s.lex.class.SafetyDemands, s.lex.class.SafetyDismissals:
		return 1
	}
	return 0
}

// templateMark returns where the first marker of a chat template in t begins, or -1.
func templateMark(t *turnText) int {
	first := -1
	if t.tagged {
		for _, mark := range templateMarks {
			if at := strings.Index(t.text, mark); at >= 0 && (first < 0 || at < first) {
				first = at
			}
		}
	}
	return first
}
