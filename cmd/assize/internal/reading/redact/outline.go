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
//	from Ā on       a word of words.txt, by the set of its kinds
//	# d             a mask, and a date that is nobody's birthday
//	! , : . ; |     the end of a sentence, a pause, a colon or an equals sign, and a dot, comma and
//	                colon within a number
//	$ % "           a currency sign, a per cent sign, quotation marks
//	a space         only between two groups of digits
//
// In the outline of values, a part of the text between spaces is one character:
//
//	S  it looks like a password or a key
//	T  it looks like one if words point at it
//	L  a word that may be one
//	w  anything else
type outline struct {
	chars    []byte
	from, to []int // offsets in s of the part that each byte stands for
}

func (o *outline) put(r rune, from, to int) {
	n := len(o.chars)
	o.chars = utf8.AppendRune(o.chars, r)
	for range len(o.chars) - n {
		o.from, o.to = append(o.from, from), append(o.to, to)
	}
}

// hide replaces the characters that stand for a part of the text.
func (o *outline) hide(from, to int, by byte) {
	if o.from == nil { // it is the text
		for i := from; i < to && to <= len(o.chars); i++ {
			o.chars[i] = by
		}
		return
	}
	i, _ := slices.BinarySearch(o.from, from)
	for ; i < len(o.from) && o.from[i] < to; i++ {
		if o.from[i] < o.to[i] {
			o.chars[i] = by
		}
	}
}

// token is a word or a group of digits.
type token struct {
	start, end int
	class      class
}

type class uint8

const (
	letters class = iota
	number
	mixed
	masked
)

// text is a text in which personal data is searched.
type text struct {
	folded
	tokens  []token
	outline outline
	spelled map[int]string // the digits that the words at these offsets spell
	kinds   kind           // of all its words
	count   int            // of its digits
	asked   string         // letters of the cues in the question before it
	spans   []span
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isSpace(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// newText reads a text. The letters in asked are those of the cues in the question before it.
func newText(s, asked string) *text { return outlined(fold(s), asked) }

// newJSONText reads JSON, where a line break before a word is a backslash and a letter.
func newJSONText(s string) *text { return outlined(fold(s).withoutEscapes(), "") }

func outlined(f folded, asked string) *text {
	const perToken = 5 // bytes, with the space after it
	t := &text{folded: f, asked: asked, tokens: make([]token, 0, len(f.s)/perToken+1)}
	for i := 0; i < len(t.s); {
		i = t.read(i)
	}
	for _, r := range asked {
		t.kinds |= words().kindOf(r)
	}
	t.question(&t.outline)
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
func (t *text) question(o *outline) {
	if t.asked == "" {
		return
	}
	at := 0
	if n := len(o.to); n > 0 {
		at = o.to[n-1]
	}
	for _, r := range t.asked + "?" {
		o.put(r, at, at)
	}
}

// read adds the token that starts at byte i, if there is one, and returns where to continue.
func (t *text) read(i int) int {
	start := i
	if t.s[i] == '[' {
		for _, mask := range masks {
			if strings.HasPrefix(t.s[i:], mask) {
				t.tokens = append(t.tokens, token{i, i + len(mask), masked})
				return i + len(mask)
			}
		}
	}
	var hasLetter, hasDigit bool
	for i < len(t.s) {
		if c := t.s[i]; isDigit(c) {
			hasDigit = true
		} else if isLetter(c) {
			hasLetter = true
		} else if c < utf8.RuneSelf {
			break
		} else if r, n := utf8.DecodeRuneInString(t.s[i:]); unicode.IsLetter(r) {
			hasLetter = true
			i += n - 1
		} else {
			break
		}
		i++
	}
	if i == start {
		_, n := utf8.DecodeRuneInString(t.s[i:])
		return i + n
	}
	switch {
	case !hasLetter:
		t.tokens = append(t.tokens, token{start, i, number})
	case hasDigit:
		t.readMixed(start, i)
	default:
		t.tokens = append(t.tokens, token{start, i, letters})
	}
	t.count += len(digits(t.s[start:i]))
	return i
}

// readMixed adds a token of letters and digits. A long number may follow its cue directly.
func (t *text) readMixed(start, end int) {
	const long = 12
	n := len(strings.TrimRight(t.s[start:end], "0123456789"))
	if w := words().words[t.low[start:start+n]]; end-start-n >= long && w != nil &&
		w.kind&(card|phone|account) != 0 {
		t.tokens = append(t.tokens, token{start, start + n, letters},
			token{start + n, end, number})
		return
	}
	t.tokens = append(t.tokens, token{start, end, mixed})
}

// phrase returns the kinds of the longest phrase of words.txt that starts at token i, and how many
// tokens it has.
func (t *text) phrase(i int) (kind, int) {
	tok := t.tokens[i]
	if tok.class != letters && (tok.class != mixed || tok.end-tok.start > 4) {
		return 0, 1
	}
	w := words().words[t.low[tok.start:tok.end]]
	if w == nil {
		return 0, 1
	}
	k, n := w.kind, 1
	for _, p := range w.phrases {
		if len(p.rest) >= n && t.follows(i, p.rest) {
			k, n = p.kind, len(p.rest)+1
		}
	}
	return k, n
}

// follows reports whether the words in rest follow token i, with one space, hyphen, apostrophe,
// underscore or dot between them.
func (t *text) follows(i int, rest []string) bool {
	if i+len(rest) >= len(t.tokens) {
		return false
	}
	for k, w := range rest {
		before, tok := t.tokens[i+k], t.tokens[i+k+1]
		if gap := t.s[before.end:tok.start]; len(gap) != 1 || !strings.Contains(" -'_.", gap) ||
			t.low[tok.start:tok.end] != w {
			return false
		}
	}
	return true
}

// write writes token i and returns the next token.
func (t *text) write(i int) int {
	tok := t.tokens[i]
	part := t.s[tok.start:tok.end]
	switch tok.class {
	case masked:
		t.outline.put('#', tok.start, tok.end)
		return i + 1
	case number:
		t.outline.put(groupLetter(len(part)), tok.start, tok.end)
		return i + 1
	}
	k, n := t.phrase(i)
	t.kinds |= k
	switch {
	case k&digit != 0 && n == 1:
		if next := t.writeSpelled(i); next > i {
			return next
		}
		fallthrough
	case k != 0:
		t.outline.put(words().letters[k], tok.start, t.tokens[i+n-1].end)
	case tok.class == mixed:
		t.outline.put('m', tok.start, tok.end)
	case len(part) < 6 && part == strings.ToUpper(part):
		t.outline.put('u', tok.start, tok.end)
	default:
		t.outline.put('w', tok.start, tok.end)
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
	v := words()
	j, count, repeat := i, 0, 1
	type group struct {
		token
		digits string
	}
	var groups []group
	for ; j < len(t.tokens) && j < i+longest; j++ {
		tok := t.tokens[j]
		if gap := t.s[t.tokens[max(j-1, i)].end:max(tok.start, t.tokens[i].end)]; j > i &&
			gap != " " && gap != ", " && gap != "-" && gap != "," {
			break
		}
		w := v.words[t.low[tok.start:tok.end]]
		if w == nil || w.kind&digit == 0 {
			break
		}
		if w.repeat > 0 {
			repeat = w.repeat
			continue
		}
		groups = append(groups, group{tok, strings.Repeat(w.digits, repeat)})
		count += repeat * len(w.digits)
		repeat = 1
	}
	if count < minimum || len(groups) < 2 {
		return i
	}
	if t.spelled == nil {
		t.spelled = map[int]string{}
	}
	for n, g := range groups {
		if n > 0 {
			t.outline.put(' ', g.start-1, g.start)
		} else {
			g.start = t.tokens[i].start // a word such as "double" may precede it
		}
		t.spelled[g.start] = g.digits
		t.outline.put(groupLetter(len(g.digits)), g.start, g.end)
	}
	t.count += count
	return j
}

// gap writes the signs between byte start and token i.
func (t *text) gap(start, i int) {
	end := len(t.s)
	var before, after class = letters, letters
	if i > 0 {
		before = t.tokens[i-1].class
	}
	if i < len(t.tokens) {
		end, after = t.tokens[i].start, t.tokens[i].class
	}
	within := before == number && after == number || len(t.outline.chars) > 0 &&
		isGroup(t.outline.chars[len(t.outline.chars)-1]) && (after == number || t.spellsNext(i))
	gap := t.s[start:end]
	if gap == " " {
		if within {
			t.outline.put(' ', start, end)
		}
		return
	}
	written := len(t.outline.chars)
	for k, r := range gap {
		c := r
		tight := k+1 < len(gap) && !isSpace(gap[k+1]) || k+1 == len(gap) && end < len(t.s)
		switch {
		case r == '\n':
		case isSpace(byte(min(r, utf8.RuneSelf))):
			continue
		case r == '.' || r == '!' || r == '?':
			if i > 0 && k == 0 && r == '.' && t.isAbbreviation(i-1) {
				continue
			}
			if !tight || r != '.' {
				c = '!'
			}
		case r == ',' && tight && within:
			c = ';'
		case r == ':' && tight && within:
			c = '|'
		case r == ';':
			c = ','
		case r == '=':
			c = ':'
		case r == '-' && !within && k > 0 && !tight:
			c = ','
		case r == '\'' || r == '`' || r == '"':
			c = '"'
		case unicode.Is(unicode.Sc, r):
			c = '$'
		case r < utf8.RuneSelf && strings.ContainsRune(",:-()/_+%@", r):
		default:
			c = '`'
		}
		t.outline.put(c, start+k, start+k+utf8.RuneLen(r))
		if c == '!' && i < len(t.tokens) && t.kinds&cues == t.askedKinds()&cues {
			t.question(&t.outline) // the answer may follow: "Sure. It's 4821."
		}
	}
	if within && written == len(t.outline.chars) {
		t.outline.put(' ', start, end)
	}
}

func isGroup(c byte) bool { return '1' <= c && c <= '9' || 'A' <= c && c <= 'L' }

// spellsNext reports whether token i spells a digit.
func (t *text) spellsNext(i int) bool {
	if i >= len(t.tokens) || t.tokens[i].class != letters {
		return false
	}
	w := words().words[t.low[t.tokens[i].start:t.tokens[i].end]]
	return w != nil && w.kind&digit != 0
}

func (t *text) isAbbreviation(i int) bool {
	w := words().words[t.low[t.tokens[i].start:t.tokens[i].end]]
	return w != nil && w.kind&abbreviation != 0
}

func (t *text) askedKinds() (k kind) {
	for _, r := range t.asked {
		k |= words().kindOf(r)
	}
	return k
}

// digits returns the digits in a part of the text, also those that words spell.
func (t *text) digits(start, end int) string {
	if t.spelled == nil {
		return digits(t.s[start:end])
	}
	var b strings.Builder
	for i := start; i < end; i++ {
		if spelled := t.spelled[i]; spelled != "" {
			b.WriteString(spelled)
		} else if isDigit(t.s[i]) {
			b.WriteByte(t.s[i])
		}
	}
	return b.String()
}

// about returns the letters of the cues for which the text asks, and of its mentions of telephones
// and accounts. For example, "What is your account number?" makes bare digits in the answer an
// account number.
func (t *text) about() string {
	const limit = 8
	if t.kinds&(cues|mail) == 0 {
		return ""
	}
	v := words()
	var all, sentence []rune
	asks := false
	end := func(isQuestion bool) {
		for _, r := range sentence {
			if asks || isQuestion || v.kindOf(r)&(phone|account) != 0 {
				all = append(all, r)
			}
		}
		sentence, asks = sentence[:0], false
	}
	for i := 0; i < len(t.outline.chars); {
		r, n := utf8.DecodeRune(t.outline.chars[i:])
		if t.outline.from[i] == t.outline.to[i] {
			i += n // what the turn before asked for
			continue
		}
		k := v.kindOf(r)
		if k&(cues|mail) != 0 {
			sentence = append(sentence, r)
		}
		asks = asks || k&ask != 0
		if r == '!' {
			end(t.s[t.outline.from[i]] == '?')
		}
		i += n
	}
	end(false)
	return string(all[max(0, len(all)-limit):])
}

var groups = regexp.MustCompile(`[1-9A-L](?:[ ./_()-]{1,3}[1-9A-L])*`)

// numbers returns the numbers that are not masked.
func (t *text) numbers() (all []candidate) {
	const minimum = 3 // digits
	if t.count < minimum {
		return nil
	}
	for _, m := range groups.FindAllIndex(t.outline.chars, -1) {
		start, end := t.outline.from[m[0]], t.outline.to[m[1]-1]
		if d := t.digits(start, end); len(d) >= minimum {
			start, end = t.place(start, end)
			all = append(all, candidate{span{start: start, end: end}, d})
		}
	}
	return all
}
