package talk

import (
	"strings"

	"assize/heuristics/text"
	"assize/rubric/dialogue"
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
	t := &s.Turns[i]
	if t.Role == dialogue.Other {
		return
	}
	kinds, mark := 0, templateMark(t)
	for _, h := range s.Hits[t.Hits.Start:t.Hits.End] {
		kinds += s.addressesJudge(h.Class)
	}
	if kinds < 2 && mark < 0 {
		return
	}
	kept := []byte(t.Text)
	t.Attack = text.Span{Start: len(kept)}
	remove := func(from, to int) {
		t.Attack.Start, t.Attack.End = min(t.Attack.Start, from), max(t.Attack.End, to)
		for k := from; k < to; k++ {
			kept[k] = ' ' // all other words stay where they are
		}
	}
	for _, m := range s.matches {
		if s.addressesJudge(m.Class) > 0 {
			from, to := int(t.Tokens[t.SentenceStart(m.First)].Start), len(t.Text)
			if after := t.SentenceEnd(m.Last) + 1; after < t.Words {
				to = int(t.Tokens[after].Start)
			}
			to = from + len(strings.TrimSpace(t.Text[from:to]))
			remove(max(from, t.Attack.End), to) // a sentence with many phrases is removed once
		}
	}
	if mark >= 0 {
		remove(mark, len(kept))
	}
	s.Hits, t.Has, t.Quotes = s.Hits[:t.Hits.Start], text.ClassSet{}, t.Quotes[:0]
	t.Text, t.Asks, t.Exclaims = string(kept), 0, 0
	t.Tokens = s.Lex.Vocabulary.Tokenise(t, t.Tokens[:0])
	if t.Words == 0 {
		t.Role = dialogue.Other // nobody said anything to anybody
	}
	s.findPhrases(i)
}

// addressesJudge returns how much a phrase of a class shows that the judge is addressed; 2 is
// enough.
func (s *Talk) addressesJudge(c text.Class) int {
	switch c {
	case s.Lex.Class.SafetyInjection:
		return 2
	case s.Lex.Class.SafetyJudging, s.Lex.Class.SafetyDemands, s.Lex.Class.SafetyDismissals:
		return 1
	}
	return 0
}

// templateMark returns where the first marker of a chat template in t begins, or -1.
func templateMark(t *text.Turn) int {
	first := -1
	if t.Tagged {
		for _, mark := range templateMarks {
			if at := strings.Index(t.Text, mark); at >= 0 && (first < 0 || at < first) {
				first = at
			}
		}
	}
	return first
}
