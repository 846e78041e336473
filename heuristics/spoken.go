package heuristics

import "assize/rubric/dialogue"

// thousand is the number of the word "thousand" in lexicon/words-values.txt.
const thousand = 101

// readSpoken adds numbers of three digits or more that turn i of the USER expresses in words to the
// figures that the USER has given. They are spoken digit by digit ("four four one nine") or as a
// number ("two hundred and six").
func readSpoken(s *analysis, i int) {
	t := &s.turns[i]
	for k := 0; k < len(t.tokens); k++ {
		var digits, total, part uint64
		words, single, sound := 0, true, true
		for ; k < len(t.tokens) && !(words > 0 && t.tokens[k].is(opensSentence)); k++ {
			word := s.lex.valueOf(t.tokens[k])
			if word.kind != wordNumber && word.kind != wordSpoken {
				if words > 0 && t.tokens[k].is(filler|joiner) {
					continue // "um", "and"
				}
				break
			}
			n := uint64(word.n)
			single = single && n < 10
			digits = digits*10 + n%10
			switch {
			case n == thousand:
				total, part = total+max(part, 1)*1000, 0
			case n == 100:
				part = max(part, 1) * 100
			default:
				sound = sound && (part%100 == 0 || part%10 == 0 && n < 10 && part%100 > 10)
				part += n
			}
			if words++; words == maxDigits {
				break
			}
		}
		if words > 0 {
			k-- // where the next one may begin
		}
		f := figure{value: total + part}
		switch {
		case single:
			f.value, f.digits = digits, uint8(words)
		case sound:
			for v := f.value; v > 0; v /= 10 {
				f.digits++
			}
		}
		for _, by := range [...]dialogue.Role{dialogue.User, dialogue.Other} {
			if _, given := s.givers[f.as(by)]; f.digits >= 3 && !given {
				s.givers[f.as(by)] = i
			}
		}
	}
}
