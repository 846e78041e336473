package check

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric"
)

// differ writes how a quote differs from what was said: what it leaves out or replaces as [-words-], what it puts in
// as {+words+}, the rest as it was said.
type differ struct {
	quote, text       string // the quote, and the turn
	quoteWords, words []word // theirs
	b                 strings.Builder
	left, put         [2]int // the words that are waiting, from and to; of the turn and of the quote
}

// The runes of a difference, and of what it leaves out or puts in at one place. The middle of what is longer is
// left out.
const (
	mostDifference = 320
	mostPiece      = 80
)

// write gives the difference of an alignment.
func (d *differ) write(steps []step) string {
	for i, s := range steps {
		switch {
		case s.quote < 0:
			d.left = widen(d.left, s.turn)
		case s.turn < 0:
			d.put = widen(d.put, s.quote)
		default:
			d.flush()
			d.b.WriteString(d.text[d.words[s.turn].start:d.words[s.turn].end])
			if i+1 < len(steps) {
				d.between(s, steps[i+1])
			}
		}
	}
	d.flush()
	return cutRunes(oneLine(d.b.String()), mostDifference)
}

// widen adds a word to those that are waiting.
func widen(waiting [2]int, i int) [2]int {
	if waiting[0] == waiting[1] {
		waiting[0] = i
	}
	waiting[1] = i + 1
	return waiting
}

// flush writes the words that are waiting.
func (d *differ) flush() {
	if d.left[0] < d.left[1] {
		d.b.WriteString("[-" + middleOut(d.text[d.words[d.left[0]].start:d.words[d.left[1]-1].end]) + "-] ")
	}
	if d.put[0] < d.put[1] {
		d.b.WriteString("{+" + middleOut(d.quote[d.quoteWords[d.put[0]].start:d.quoteWords[d.put[1]-1].end]) + "+} ")
	}
	d.left, d.put = [2]int{}, [2]int{}
}

// between writes what stands between two words that both have; of marks, those of the turn and those of the quote where
// they are not the same.
func (d *differ) between(s, next step) {
	if next.turn < 0 || next.quote < 0 {
		d.b.WriteByte(' ')
		return
	}
	was := d.text[d.words[s.turn].end:d.words[next.turn].start]
	is := d.quote[d.quoteWords[s.quote].end:d.quoteWords[next.quote].start]
	if rubric.Fold("a"+was+"a") == rubric.Fold("a"+is+"a") {
		d.b.WriteString(was)
		return
	}
	if was = strings.TrimSpace(was); was != "" {
		d.b.WriteString("[-" + middleOut(was) + "-]")
	}
	if is = strings.TrimSpace(is); is != "" {
		d.b.WriteString("{+" + middleOut(is) + "+}")
	}
	d.b.WriteByte(' ')
}

// middleOut shortens a text that is too long for its place by its middle.
func middleOut(s string) string {
	const enough = 8 * mostPiece // bytes of either end
	if len(s) > 2*enough {
		s = strings.ToValidUTF8(s[:enough]+s[len(s)-enough:], "")
	}
	s = oneLine(s)
	if utf8.RuneCountInString(s) <= mostPiece {
		return s
	}
	r := []rune(s)
	return string(r[:mostPiece/2]) + " … " + string(r[len(r)-mostPiece/2:])
}

// cutRunes cuts a text that has too many runes.
func cutRunes(s string, most int) string {
	for i := range s {
		if most--; most < 0 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// oneLine puts a text on one line, free of control and format characters.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
}
