package redact

import (
	"bytes"
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text is a text in which personal data is searched. In its tagged form, one letter stands for each
// word or phrase of words.txt, so that an expression need not list words; digits stand for words
// that spell a number, and a hidden character for each byte that is masked or must stay.
type text struct {
	folded
	tags     []byte
	at       []int32 // the offset in s of each byte of tags, and of the end
	head     int     // the bytes of tags that stand for the question before the text
	question kind    // the kinds of its cues
	rows     []row
	named    map[string]*regexp.Regexp
	kinds    kind   // of all its words, and of asked
	count    int    // of its digits
	piece    string // the digits of what may be a part of a card number
	parts    []part
	long     int    // bytes of its longest word with signs
	first    int    // the offset in tags of its first cue
	spans    []span // in the original; masked, they are in order and don't overlap
	numbers  []span // that are masked only if they are known from another place
	masked   string // the original with its masks
}

// Characters of the tagged text.
const (
	hidden = '\x01' // may be a part of no data
	answer = '\x02' // after the cues in the question before the text, which are put first
	stop   = '¶'    // a full stop at the end of a sentence
)

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isLetter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isWordChar(c byte) bool { return isDigit(c) || isLetter(c) }

// token is a word, or a group of digits.
type token struct {
	start, end int
	name       string // as in words.txt
	*word
}

// newText finds the personal data in a text that answers a question about these cues.
func newText(s, asked string) *text {
	t := &text{folded: fold(s), first: math.MaxInt}
	t.rows, t.named = rows()
	size := len(t.s)*5/4 + 8 // a letter for a set of kinds is longer than "a"
	t.tags, t.at = make([]byte, 0, size), make([]int32, 0, size)
	if asked != "" {
		for _, r := range asked + string(answer) + " " {
			t.put(r, 0)
		}
		t.head, t.question = len(t.tags), t.kindsIn(0, len(t.tags))
	}
	t.kinds = t.question
	tokens := t.tokens()
	end := 0
	for i := 0; i < len(tokens); {
		t.putSigns(end, tokens[i].start, i > 0 && tokens[i-1].kind&abbreviation != 0)
		n := t.putSpelled(tokens[i:])
		if n == 0 {
			n = t.putWord(tokens[i:])
		}
		i += n
		end = tokens[i-1].end
	}
	t.putSigns(end, len(t.s), false)
	t.at = append(t.at, int32(len(t.s)))
	t.parts = t.numberParts()
	isOther := func(r rune) bool { return r < '-' || r == '/' || r == '@' }
	for word := range strings.FieldsFuncSeq(t.s, isOther) {
		t.long = max(t.long, len(word))
	}
	t.findAll()
	return t
}

// part is a part of the tagged text with digits and without letters between them.
type part struct{ start, end, digits int }

// numberParts returns the parts that may contain a number, with signs before and a letter after it.
func (t *text) numberParts() (all []part) {
	for end := 0; ; {
		n := bytes.IndexAny(t.tags[end:], "0123456789")
		if n < 0 {
			return all
		}
		first := end + n
		p := part{start: max(0, end-1, first-8)}
		for end = first; end < len(t.tags) && p.end == 0; end++ {
			if c := t.tags[end]; isDigit(c) {
				p.digits++
			} else if isLetter(c) || c >= utf8.RuneSelf {
				p.end = end + 1
			}
		}
		p.end = end
		t.count += p.digits
		t.piece = cmp.Or(t.piece, digits(string(t.named["PIECE"].Find(t.tags[p.start:p.end]))))
		all = append(all, p)
	}
}

func (t *text) put(r rune, at int) {
	t.tags = utf8.AppendRune(t.tags, r)
	for len(t.at) < len(t.tags) {
		t.at = append(t.at, int32(at))
	}
}

// tokens splits the text.
func (t *text) tokens() []token {
	const maxGroup = 4
	all, start := make([]token, 0, len(t.s)/4+1), -1
	for i, r := range t.s + " " { // so that a last word ends, too
		switch isWord := unicode.IsLetter(r) || '0' <= r && r <= '9'; {
		case isWord && start < 0:
			start = i
		case !isWord && start >= 0:
			name, w := words().read(t.low[start:i])
			all, start = append(all, token{start, i, name, w}), -1
		}
	}
	if slices.ContainsFunc(all, func(tok token) bool { return tok.kind&spoken != 0 }) {
		for i, tok := range all {
			if s := t.s[tok.start:tok.end]; len(s) <= maxGroup && digits(s) == s {
				all[i].word = &word{kind: digit, digits: s, length: tok.length}
			}
		}
	}
	return all
}

// putWord writes the longest phrase of words.txt at the first token, or the token itself. It
// returns the number of tokens.
func (t *text) putWord(tokens []token) int {
	first := tokens[0]
	w, n, phrase := first.word, 1, []byte(first.name)
	for j := 1; j < min(first.length, len(tokens)); j++ {
		end := tokens[j-1].end
		if tokens[j].start > end+1 || strings.IndexByte(" -'_.", t.s[end]) < 0 {
			break
		}
		phrase = append(append(phrase, ' '), tokens[j].name...)
		if p := words().words[string(phrase)]; p != nil && p.kind != 0 {
			w, n = p, j+1
		}
	}
	if w.kind == 0 || isDigit(t.s[first.start]) && n == 1 {
		for i, r := range t.s[first.start:first.end] {
			t.put(r, first.start+i)
		}
		return 1
	}
	if w.kind&cues != 0 {
		t.first = min(t.first, len(t.tags))
	}
	t.kinds |= w.kind
	t.put(w.letter, first.start)
	return n
}

// isAnd reports whether tokens begin with the "and" of a French number, such as "vingt et un".
func (t *text) isAnd(tokens []token) bool {
	return len(tokens) > 1 && t.low[tokens[0].start:tokens[0].end] == "et" &&
		strings.Trim(tokens[1].digits, "1") == "" && tokens[1].digits != ""
}

// putSpelled writes three or more digits that the first tokens spell, and returns their number.
func (t *text) putSpelled(tokens []token) int {
	const longest, mixed = 40, 4
	minimum, n, groups := 3, 0, 0
	for n < min(len(tokens), longest) && (tokens[n].kind&digit != 0 || t.isAnd(tokens[n:])) &&
		(n == 0 || strings.Trim(t.s[tokens[n-1].end:tokens[n].start], " ,-") == "") {
		if isDigit(t.s[tokens[n].start]) {
			groups, minimum = groups+1, mixed
		}
		n++
	}
	for n > 0 && tokens[n-1].digits == "" {
		n-- // "7 double rooms"
	}
	if n < 2 || groups == n || tokens[0].kind&digit == 0 ||
		groups > 0 && t.s[tokens[0].end] == ',' { // "Oh, 4821"
		return 0
	}
	tags, at, count, repeat, start := t.tags, t.at, 0, 1, 0
	for i, tok := range tokens[:n] {
		if repeat == 1 { // otherwise its digit begins at "double"
			start = tok.start
		}
		if tok.repeat > 0 {
			repeat = tok.repeat
			continue
		}
		if count > 0 {
			t.put(' ', tokens[i-1].end)
		}
		for _, r := range strings.Repeat(tok.digits, repeat) {
			t.put(r, start)
			count++
		}
		repeat = 1
	}
	if count < minimum {
		t.tags, t.at = tags, at
		return 0
	}
	t.kinds |= spelled
	return n
}

// putSigns writes the characters between two tokens, runs of spaces as one.
func (t *text) putSigns(start, end int, abbreviated bool) {
	for i, r := range t.s[start:end] {
		pos := start + i
		switch {
		case r == '\t' || r == '\r':
			r = ' '
		case r == '@' || r == '(':
			t.kinds |= at
		case r == '.' && i == 0 && abbreviated:
			continue
		case r == '.' && (pos+1 == len(t.s) || strings.IndexByte(" \n\t\r", t.s[pos+1]) >= 0):
			r = stop
		case unicode.Is(unicode.Co, r):
			r = unicode.ReplacementChar
		case unicode.Is(unicode.Sc, r):
			r = '$'
		}
		if n := len(t.tags); r != ' ' || n == 0 || t.tags[n-1] != ' ' {
			t.put(r, pos)
		}
	}
}

// find returns the first byte of the tagged text at a position of s or after it.
func (t *text) find(at int) int {
	i, _ := slices.BinarySearch(t.at[t.head:], int32(at))
	return t.head + i
}

// findNumbers finds the numbers that are not masked.
func (t *text) findNumbers() {
	const minimum = 3 // digits
	for _, p := range t.parts {
		for _, m := range t.named["GROUPS"].FindAllIndex(t.tags[p.start:p.end], -1) {
			first, last := p.start+m[0], p.start+m[1]
			if d := digits(string(t.tags[first:last])); len(d) >= minimum {
				start, end := t.place(int(t.at[first]), int(t.at[last]))
				t.numbers = append(t.numbers, span{start, end, "", d})
			}
		}
	}
}

// about returns the letters of the cues for which the text asks, and of its mentions of telephones
// and accounts: "What is your account number?" makes bare digits in the answer an account number.
// After a mere mention, a code such as HB-82146 may be anything, unless the same speaker goes on or
// the text is as short as "Now your account". In a clause, a cue for numbers that identify nobody
// replaces those before it, and the reverse, but not one for the place of a number.
func (t *text) about(goesOn bool) string {
	const limit, fewest = 8, 5 // letters, and the words of a sentence with a verb
	var all, sentence []rune
	clause, asks, isHarmless := 0, false, false
	isAsked := goesOn || bytes.Count(t.tags[t.head:], []byte(" ")) < fewest-1
	for _, r := range string(t.tags[t.head:]) + string(stop) {
		k := words().kindOf(r)
		asks = asks || k&request != 0 || r == '?'
		switch {
		case k&place != 0 && len(sentence) > 0, k&expiry != 0 && isHarmless:
		case k&(cues|mail) != 0:
			if was := isHarmless; was != (k&harmless != 0) {
				sentence, isHarmless = sentence[:clause], !was
			}
			sentence = append(sentence, r)
		case r == ',':
			clause, isHarmless = len(sentence), false
		case r == '!', r == '?', r == stop:
			for _, r := range sentence {
				if k := words().kindOf(r); asks || k&lasting != 0 {
					all, isAsked = append(all, r), isAsked || asks || k&named != 0
				}
			}
			sentence, clause, asks, isHarmless = sentence[:0], 0, false, false
		}
	}
	all = all[max(0, len(all)-limit):]
	if len(all) > 0 && !isAsked {
		all = append(all, words().word("(mentioned)").letter)
	}
	return string(all)
}
