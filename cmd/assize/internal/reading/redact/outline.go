package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// outline is a text in which one character stands for each word, group of digits and sign, so that
// an expression can say what precedes a number without listing all words. The characters are:
//
//	1 to 9, A to L  a group of so many digits, L for 21 or more
//	m               a word with letters and digits
//	u, w            another word, u in capitals
//	from Ā on       a word or a phrase of words.txt, by the set of its kinds
//	# d             a mask, and a date that is nobody's birthday
//	! , : . ; |     the end of a sentence, a pause, a colon or an equals sign, and a dot, comma and
//	                colon within a number
//	$ % "           a currency sign, a per cent sign, quotation marks
//	?               the end of the cues in the question that the text answers
//	a space         only between two groups of digits
//
// In the outline of values, one character stands for each part of the text between spaces that is
// no word of words.txt:
//
//	S, T  it looks like a password or a key; T only if words point at it
//	L, w  a word that may be one, and anything else
type outline struct {
	chars []byte
	parts []part // of the text, by byte of chars; nil if chars are the text itself
}

type part struct{ start, end int }

func (o *outline) put(r rune, start, end int) {
	for range utf8.RuneLen(r) {
		o.parts = append(o.parts, part{start, end})
	}
	o.chars = utf8.AppendRune(o.chars, r)
}

// hide replaces the characters that stand for a part of the text.
func (o *outline) hide(start, end int, by byte) {
	if o.parts == nil && o.chars != nil {
		copy(o.chars[start:end], slices.Repeat([]byte{by}, end-start))
		return
	}
	for i := o.find(start); i < len(o.parts) && o.parts[i].start < end; i++ {
		if o.parts[i].start < o.parts[i].end {
			o.chars[i] = by
		}
	}
}

// find returns the first byte that stands for something at a position of the text or after it.
func (o *outline) find(at int) int {
	i, _ := slices.BinarySearchFunc(o.parts, at, func(p part, at int) int { return p.start - at })
	return i
}

// token is a word or a group of digits.
type token struct {
	part
	class byte // 1 for digits, m for letters and digits, # for a mask, otherwise w
}

// text is a text in which personal data is searched.
type text struct {
	folded
	spaced  string // low with spaces instead of the signs within a phrase
	tokens  []token
	outline outline
	spelled map[int]string // the digits that the words at these offsets spell
	kinds   kind           // of all its words and of asked
	count   int            // of its digits
	asked   string         // letters of the cues in the question before it
	hidden  []part         // what is masked or must stay
	spans   []span
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isSpace(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// newText reads a text. The letters in asked are those of the cues in the question before it.
func newText(s, asked string) *text { return outlined(fold(s), asked) }

// newJSONText reads JSON, where a line break before a word is a backslash and a letter.
func newJSONText(s string) *text { return outlined(fold(s).withoutEscapes(), "") }

var phraseSigns = strings.NewReplacer("-", " ", "'", " ", "_", " ", ".", " ")

func outlined(f folded, asked string) *text {
	const perToken = 5 // bytes, with the space after it
	t := &text{folded: f, asked: asked, spaced: phraseSigns.Replace(f.low)}
	t.tokens = make([]token, 0, len(f.s)/perToken+1)
	t.outline.chars = make([]byte, 0, 3*cap(t.tokens))
	t.outline.parts = make([]part, 0, 3*cap(t.tokens))
	for i := 0; i < len(t.s); {
		i = t.read(i)
	}
	t.question(&t.outline, 0)
	for _, r := range asked {
		t.kinds |= words().kindOf(r)
	}
	end := 0
	for i := 0; i < len(t.tokens); {
		t.gap(end, i)
		i = t.write(i)
		end = t.tokens[i-1].end
	}
	t.gap(end, len(t.tokens))
	return t
}

// question writes what the turn before asked for.
func (t *text) question(o *outline, at int) {
	if t.asked != "" {
		for _, r := range t.asked + "?" {
			o.put(r, at, at)
		}
	}
}

// read adds the token that starts at byte i, if there is one, and returns where to continue.
func (t *text) read(i int) int {
	start, count := i, 0
	if t.s[i] == '[' {
		for _, mask := range masks {
			if strings.HasPrefix(t.s[i:], mask) {
				t.tokens = append(t.tokens, token{part{i, i + len(mask)}, '#'})
				return i + len(mask)
			}
		}
	}
	for i < len(t.s) {
		r, n := utf8.DecodeRuneInString(t.s[i:])
		if isDigit(t.s[i]) {
			count++
		} else if !unicode.IsLetter(r) {
			break
		}
		i += n
	}
	t.count += count
	switch {
	case i == start:
		_, n := utf8.DecodeRuneInString(t.s[i:])
		return i + n
	case count == i-start:
		t.tokens = append(t.tokens, token{part{start, i}, '1'})
	case count > 0:
		const long = 12 // digits, which may follow their cue directly
		n := len(strings.TrimRight(t.s[start:i], "0123456789"))
		if i-start-n >= long && words().words[t.low[start:start+n]].kind&cues != 0 {
			t.tokens = append(t.tokens, token{part{start, start + n}, 'w'},
				token{part{start + n, i}, '1'})
		} else {
			t.tokens = append(t.tokens, token{part{start, i}, 'm'})
		}
	default:
		t.tokens = append(t.tokens, token{part{start, i}, 'w'})
	}
	return i
}

// word returns the word of words.txt that token i is, or an empty one.
func (t *text) word(i int) word {
	if i < len(t.tokens) && t.tokens[i].class != '1' {
		return words().words[t.low[t.tokens[i].start:t.tokens[i].end]]
	}
	return word{}
}

// phrase returns the kinds of the longest phrase of words.txt that starts at token i, and how many
// tokens it has.
func (t *text) phrase(i int) (kind, int) {
	first := t.word(i)
	start := t.tokens[i].start
	for n := min(first.length, len(t.tokens)-i); n > 1; n-- {
		if k := words().words[t.spaced[start:t.tokens[i+n-1].end]].kind; k != 0 {
			return k, n
		}
	}
	return first.kind, 1
}

// write writes token i and returns the next token.
func (t *text) write(i int) int {
	tok := t.tokens[i]
	if tok.class == '1' {
		t.outline.put(groupLetter(tok.end-tok.start), tok.start, tok.end)
		return i + 1
	}
	k, n := t.phrase(i)
	if k&digit != 0 {
		if next := t.writeSpelled(i); next > i {
			return next
		}
	}
	t.kinds |= k
	part := t.s[tok.start:tok.end]
	switch {
	case k != 0:
		t.outline.put(words().letter(k), tok.start, t.tokens[i+n-1].end)
	case tok.class == 'w' && len(part) < 6 && part == strings.ToUpper(part):
		t.outline.put('u', tok.start, tok.end)
	default:
		t.outline.put(rune(tok.class), tok.start, tok.end)
	}
	return i + n
}

func groupLetter(n int) rune {
	if n < 10 {
		return '0' + rune(n)
	}
	return 'A' + min(rune(n-10), 'L'-'A')
}

// writeSpelled writes the digits that token i and those after it spell as if they were written with
// digits, if there are three or more. It returns the next token, or i.
func (t *text) writeSpelled(i int) int {
	const minimum, longest = 3, 40
	if t.word(i).kind&digit == 0 || t.word(i+1).kind&digit == 0 {
		return i
	}
	written := t.outline
	spelled := map[int]string{}
	j, start, count, repeat := i, t.tokens[i].start, 0, 1
	for ; j < min(len(t.tokens), i+longest); j++ {
		w, tok := t.word(j), t.tokens[j]
		if w.kind&digit == 0 || j > i &&
			strings.Trim(t.s[t.tokens[j-1].end:tok.start], " ,-") != "" {
			break
		}
		if w.repeat > 0 {
			repeat = w.repeat
			continue
		}
		if j > i {
			t.outline.put(' ', tok.start-1, tok.start)
		}
		spelled[start] = strings.Repeat(w.digits, repeat)
		t.outline.put(groupLetter(len(spelled[start])), start, tok.end)
		count += len(spelled[start])
		repeat = 1
		if j+1 < len(t.tokens) {
			start = t.tokens[j+1].start
		}
	}
	if count < minimum {
		t.outline = written
		return i
	}
	if t.spelled == nil {
		t.spelled = map[int]string{}
	}
	for at, digits := range spelled {
		t.spelled[at] = digits
	}
	t.count += count
	return j
}

// gap writes the signs between byte start and token i.
func (t *text) gap(start, i int) {
	end, last := len(t.s), byte(0)
	if n := len(t.outline.chars); n > 0 {
		last = t.outline.chars[n-1]
	}
	within := false
	if i < len(t.tokens) {
		end = t.tokens[i].start
		within = isGroup(last) && (t.tokens[i].class == '1' || t.word(i).kind&digit != 0)
	}
	gap := t.s[start:end]
	if gap == " " && !within || gap == "" {
		return
	}
	written := len(t.outline.chars)
	for k, r := range gap {
		c := r
		tight := start+k+1 < len(t.s) && !isSpace(t.s[start+k+1])
		switch {
		case r == ' ', r == '\t', r == '\r',
			r == '.' && k == 0 && i > 0 && t.word(i-1).kind&abbreviation != 0:
			continue
		case r == '!', r == '?', r == '.' && !tight:
			c = '!'
		case r == ',' && tight && within:
			c = ';'
		case r == ':' && tight && within:
			c = '|'
		case r == ';', r == '-' && !within && k > 0 && !tight:
			c = ','
		case r == '=':
			c = ':'
		case r == '\'' || r == '`':
			c = '"'
		case unicode.Is(unicode.Sc, r):
			c = '$'
		case !strings.ContainsRune("\n\",.:-()/_+%@", r):
			c = '`'
		}
		t.outline.put(c, start+k, start+k+utf8.RuneLen(r))
		if c == '!' && i < min(len(t.tokens), 64) && t.asked != "" && !t.outline.has(cues) {
			t.question(&t.outline, start+k+1) // the answer may follow: "Sure. It's 4821."
		}
	}
	if within && written == len(t.outline.chars) {
		t.outline.put(' ', start, end)
	}
}

func isGroup(c byte) bool { return '1' <= c && c <= '9' || 'A' <= c && c <= 'L' }

// has reports whether the outline has a word of a kind that is not part of a question.
func (o *outline) has(k kind) bool {
	for i, r := range string(o.chars) {
		if o.parts[i].start < o.parts[i].end && words().kindOf(r)&k != 0 {
			return true
		}
	}
	return false
}

// digits returns the digits in a part of the text, also those that words spell.
func (t *text) digits(start, end int) string {
	var b strings.Builder
	for i := start; i < end; i++ {
		if isDigit(t.s[i]) {
			b.WriteByte(t.s[i])
		} else {
			b.WriteString(t.spelled[i])
		}
	}
	return b.String()
}

var groups = regexp.MustCompile(`[1-9A-L](?:[ ./_()-]{1,3}[1-9A-L])*`)

// numbers returns the numbers that are not masked.
func (t *text) numbers() (all []candidate) {
	const minimum = 3 // digits
	if t.count < minimum {
		return nil
	}
	for _, m := range groups.FindAllIndex(t.outline.chars, -1) {
		start, end := t.outline.parts[m[0]].start, t.outline.parts[m[1]-1].end
		if d := t.digits(start, end); len(d) >= minimum {
			start, end = t.place(start, end)
			all = append(all, candidate{span{start: start, end: end}, d})
		}
	}
	return all
}

// about returns the letters of the cues for which the text asks, and of its mentions of telephones
// and accounts. For example, "What is your account number?" makes bare digits in the answer an
// account number.
func (t *text) about() string {
	const limit = 8
	if t.kinds&(cues|mail) == 0 {
		return ""
	}
	var all, sentence []rune
	asks := false
	for i, r := range string(t.outline.chars) + "!" {
		k := words().kindOf(r)
		asks = asks || k&request != 0
		switch {
		case i < len(t.outline.parts) && t.outline.parts[i].start == t.outline.parts[i].end:
			// what the turn before asked for
		case k&(cues|mail) != 0:
			sentence = append(sentence, r)
		case r == '!':
			asks = asks || i < len(t.outline.parts) && t.s[t.outline.parts[i].start] == '?'
			for _, r := range sentence {
				if asks || words().kindOf(r)&lasting != 0 {
					all = append(all, r)
				}
			}
			sentence, asks = sentence[:0], false
		}
	}
	return string(all[max(0, len(all)-limit):])
}
