package heuristics

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// token is a word or number in a turn.
type token struct {
	word       uint32 // its number in the vocabulary; 0 for a word in no list
	stem       uint32 // hash of its stem, so that "booking" and "booked" are equal
	start, end uint32 // byte range in the turn's text
	from, to   uint32 // the first and last token of its sentence
	until      uint32 // the last token of its clause
	flags      flags
}

type flags uint32

const (
	opensSentence flags = 1 << iota // follows . ! or ?
	opensClause                     // follows any mark that ends a clause
	filler                          // may precede the beginning of a turn: "oh", "well"
	negator                         // negates what follows
	stopword                        // says nothing about the topic
	number                          // begins with a digit
	capital                         // begins with an upper-case letter
	article                         // a noun must follow: "the", "your"
	// a finite verb that begins the verb phrase of a clause: "is", "would"
	auxiliary
	modal       // a bare verb must follow: "will"
	subject     // can only be the subject of a clause: "we"
	preposition // "of", "with"
	joiner      // joins clauses: "and", "because"
	twice       // may be repeated on purpose: "very very"
	foreign     // a function word only of another language: "porque"
	contraction // "don't", also if written "dont"
	labelling   // a code after it is its name: "seat"
	questioned  // a question mark precedes the next token
	disputed    // a negator is in its sentence
	habitual    // its sentence has a word for habits: "usually"
	coded       // has a digit
	opposed     // has an opposite
	conditional // nothing after it in its sentence is reported: "if", "hope"
	thing       // a noun that needs an article: "building"
	addressed   // of a name after "@"
)

func (t token) is(f flags) bool { return t.flags&f != 0 }

// content reports whether the token contributes to the topic of the turn.
func (t token) content() bool { return t.flags&stopword == 0 && t.end-t.start > 1 }

// isName reports whether the token is written as a name: with a capital inside a sentence.
func (t token) isName() bool { return t.is(capital) && !t.is(opensSentence) && t.content() }

// turnText is a turn prepared for detectors.
type turnText struct {
	n        int // the turn's number, from 1
	role     dialogue.Role
	text     string
	before   [3]int32 // index of the last turn before it, by role, or -1
	words    int      // the number of tokens
	tokens   []token
	asks     int     // byte offset after the first question mark, or 0
	exclaims int     // byte offset after the first exclamation mark, or 0
	tagged   bool    // it contains one of the characters < [ and #
	odd      bool    // it contains a control or non-ASCII character
	quotes   []int32 // byte offsets of its double quotation marks
	attack   span    // the part that addresses the judge

	has                   classSet // the classes of its phrases that are not negated
	hits, values, figures span     // of the lists with the same names in analysis

	// Its topic: the words of the USER, or of the SYSTEM outside and inside its questions.
	said, asked bag
}

// span is a range of a turn's text or of a list. If its end is 0, there is none.
type span struct{ start, end int }

// passage is a sequence of tokens in one turn, including the last one.
type passage struct{ turn, first, last int }

// holds reports whether p contains another passage of the same turn.
func (p passage) holds(o passage) bool { return o.first >= p.first && o.last <= p.last }

// sentenceStart returns the first token of the sentence that token i is in.
func (t *turnText) sentenceStart(i int) int { return int(t.tokens[i].from) }

// sentenceEnd returns the last token of the sentence that token i is in.
func (t *turnText) sentenceEnd(i int) int { return int(t.tokens[i].to) }

// clauseEnd returns the last token of the clause that token i is in.
func (t *turnText) clauseEnd(i int) int { return int(t.tokens[i].until) }

// isQuestion reports whether the sentence that ends with token last ends with a question mark.
func (t *turnText) isQuestion(last int) bool { return t.tokens[last].is(questioned) }

// inQuestion reports whether token i is in a question.
func (t *turnText) inQuestion(i int) bool { return t.isQuestion(int(t.tokens[i].to)) }

// goesOn reports whether token i is in the same clause as the token before it.
func (t *turnText) goesOn(i int) bool { return i < len(t.tokens) && !t.tokens[i].is(opensClause) }

// names reports whether token i is a content word in the same clause as the token before it.
func (t *turnText) names(i int) bool { return t.goesOn(i) && t.tokens[i].content() }

// is reports whether token i exists and is one of the words, ignoring case.
func (t *turnText) is(i int, words ...string) bool {
	return i >= 0 && i < len(t.tokens) && isOneOf(t.word(i), words...)
}

// isOneOf reports whether a text is one of the others, ignoring case.
func isOneOf(text string, others ...string) bool {
	for _, other := range others {
		if len(other) == len(text) && strings.EqualFold(other, text) {
			return true
		}
	}
	return false
}

// isMark reports whether c is one of the marks.
func isMark(c byte, marks string) bool { return strings.IndexByte(marks, c) >= 0 }

// marked reports whether one of the tokens has a flag.
func marked(tokens []token, f flags) bool {
	for i := range tokens {
		if tokens[i].flags&f != 0 {
			return true
		}
	}
	return false
}

// withStem reports whether one of the tokens has a stem.
func withStem(tokens []token, stem uint32) bool {
	for i := range tokens {
		if tokens[i].stem == stem {
			return true
		}
	}
	return false
}

// negated reports whether a negator is among the three words before token i, in the same clause.
func (t *turnText) negated(i int) bool {
	for back := 0; back < 3 && i > 0 && !t.tokens[i].is(opensClause); back++ {
		if i--; t.tokens[i].is(negator) {
			return true
		}
	}
	return false
}

// word returns the text of token k.
func (t *turnText) word(k int) string { return t.text[t.tokens[k].start:t.tokens[k].end] }

// plainWord reports whether token k has spaces around it, so that it is neither a code nor part of
// a web address.
func (t *turnText) plainWord(k int) bool {
	tok := &t.tokens[k]
	if tok.is(coded) {
		return false
	}
	if tok.start > 0 {
		switch t.text[tok.start-1] {
		case '.', '/', '@', '_', '-', '#', ':':
			return false
		}
	}
	if int(tok.end) < len(t.text) {
		switch t.text[tok.end] {
		case '/', '@', '_', '-', ':':
			return false
		}
	}
	return true
}

// tokenise appends the tokens of a turn. Curly apostrophes and acute accents count as straight
// apostrophes, and case is ignored.
func (v vocabulary) tokenise(t *turnText, tokens []token) []token {
	text := t.text
	from := len(tokens)
	var buf [64]byte
	marks := opensSentence | opensClause
	address, mood := false, 0 // in a name after "@", and the end of "[Ha Ha]"
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf && !wordByte[c] {
			address = address && c == ' '
			switch c {
			case '@':
				address = i == 0 || text[i-1] >= utf8.RuneSelf || !wordByte[text[i-1]]
			case '?', '!':
				of := &t.asks
				if c == '!' {
					of = &t.exclaims
				}
				if *of == 0 {
					*of = i + 1
				}
				if c == '?' && len(tokens) > from {
					tokens[len(tokens)-1].flags |= questioned
				}
				marks |= opensSentence | opensClause
			case '.', '\n':
				if c == '\n' || !isInside(text, i) {
					marks |= opensSentence | opensClause
				}
			case ',', ';', ':', '(', ')':
				marks |= opensClause
			case '"':
				t.quotes = append(t.quotes, int32(i))
			case '<', '[', '#':
				t.tagged = true
				if end := moodEnd(text[i:]); end > 0 {
					mood = i + end
				}
			default:
				t.odd = t.odd || c < ' ' || c == 0x7f
			}
			i++
			continue
		}
		start, word := i, buf[:0]
		t.odd = t.odd || c >= utf8.RuneSelf
		word, i = LowerWord(text, i, word)
		if i == start { // a rune that belongs to no word
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == '\u201c' || r == '\u201d' {
				t.quotes = append(t.quotes, int32(i))
			}
			i += size
			continue
		}
		k, ok := v[string(word)]
		if !ok {
			k.stem = stemHash(word)
		}
		tok := token{word: k.number, stem: k.stem, start: uint32(start), end: uint32(i)}
		tok.flags = k.flags | marks
		if isDigit(c) {
			tok.flags |= number
		} else if c >= 'A' && c <= 'Z' {
			tok.flags |= capital
		}
		if address = address && tok.is(capital); address {
			tok.flags |= addressed
		}
		if start < mood {
			tok.flags |= stopword
		}
		for _, c := range []byte(text[start:i]) {
			if isDigit(c) {
				tok.flags |= coded
			}
			t.odd = t.odd || c >= utf8.RuneSelf
		}
		tokens = append(tokens, tok)
		marks = 0
	}
	t.words = len(tokens) - from
	boundSentences(tokens[from:])
	return tokens
}

// moodEnd returns the length of a face in words with which a text begins: "[Ha Ha]". It is 0 if
// the text does not begin with one.
func moodEnd(text string) int {
	const longest = 16
	end := strings.IndexByte(text[:min(len(text), longest)], ']')
	for k := 1; k < end; k++ {
		if !isLetter(text[k]) && text[k] != ' ' && text[k] != '-' {
			return 0
		}
	}
	return max(0, end)
}

// isInside reports whether the full stop at text[i] ends no sentence: it is after a title such as
// "Mr", or within an address such as "a.b@example.com".
func isInside(text string, i int) bool {
	const maxWord, spaces = 64, " \n\t("
	word := text[max(0, i-maxWord):i]
	word = word[strings.LastIndexAny(word, spaces)+1:]
	if isOneOf(word, "Mr", "Mrs", "Ms", "Dr") {
		return true
	}
	rest := text[i+1 : min(len(text), i+maxWord)]
	if end := strings.IndexAny(rest, spaces); end >= 0 {
		rest = rest[:end]
	}
	return rest != "" && isLetter(rest[0]) && (strings.ContainsAny(word, "@/") ||
		strings.Contains(rest, "@"))
}

// boundSentences sets in each token the end of its clause and sentence, and whether the sentence
// contains a negator or a word such as "usually".
func boundSentences(tokens []token) {
	until := uint32(len(tokens) - 1)
	for k := len(tokens) - 1; k >= 0; k-- {
		if tokens[k].until = until; tokens[k].is(opensClause) {
			until = uint32(k - 1)
		}
	}
	for from := 0; from < len(tokens); {
		marks := tokens[from].flags & (negator | habitual)
		to := from + 1
		for to < len(tokens) && !tokens[to].is(opensSentence) {
			marks |= tokens[to].flags & (negator | habitual)
			to++
		}
		for k := from; k < to; k++ {
			tokens[k].from, tokens[k].to = uint32(from), uint32(to-1)
			tokens[k].flags |= marks & habitual
			if marks&negator != 0 {
				tokens[k].flags |= disputed
			}
		}
		from = to
	}
}

// LowerWord appends the word at text[i:] in lower case, and returns the offset after it. An
// apostrophe or a decimal mark belongs to a word only if it is between two of its characters.
func LowerWord(text string, i int, word []byte) ([]byte, int) {
	start := i
	for i < len(text) && isLower(text[i]) {
		i++
	}
	word = append(word, text[start:i]...) // all of most words
	for i < len(text) {
		c := text[i]
		switch {
		case c < utf8.RuneSelf && wordByte[c]:
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			word = append(word, c)
			i++
		case c == '\'' || c == '`' || c == '.' || c == ':':
			if len(word) == 0 || i+1 >= len(text) || !joins(c, text[i-1], text[i+1]) {
				return word, i
			}
			if c == '`' {
				c = '\''
			}
			word = append(word, c)
			i++
		case c < utf8.RuneSelf:
			return word, i
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if r >= '！' && r <= '～' { // the full-width forms of ASCII
				r -= '！' - '!'
			}
			switch {
			case r == '’' || r == '‘' || r == '´':
				if len(word) == 0 || i+size >= len(text) ||
					!joins('\'', word[len(word)-1], text[i+size]) {
					return word, i
				}
				word = append(word, '\'')
			case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
				word = utf8.AppendRune(word, unicode.ToLower(r))
			default:
				return word, i
			}
			i += size
		}
	}
	return word, i
}

// joins reports whether mark c joins a and b into one word: "don't", "9:30", "4.5".
func joins(c, a, b byte) bool {
	if c == '\'' || c == '`' {
		return isLetter(a) && isLetter(b)
	}
	return isDigit(a) && isDigit(b)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }

// hasDigit reports whether a word contains a digit.
func hasDigit(word string) bool {
	for i := range len(word) {
		if isDigit(word[i]) {
			return true
		}
	}
	return false
}

// wordByte is the set of ASCII characters that occur in words.
var wordByte = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = isDigit(byte(c)) || isLetter(byte(c))
	}
	return set
}()

// stemHash hashes a word without English inflectional endings.
func stemHash(word []byte) uint32 {
	for _, suffix := range [...]string{"ing", "ies", "ed", "es", "s", "ly"} {
		if n := len(word) - len(suffix); n >= 3 && string(word[n:]) == suffix {
			word = word[:n]
			break
		}
	}
	h := uint32(2166136261) // FNV-1a
	for _, c := range word {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// class numbers the lists of phrases.
type class int16

// classSet is a set of at most 320 classes.
type classSet [5]uint64

func (s *classSet) add(c class)      { s[c>>6] |= 1 << (c & 63) }
func (s *classSet) has(c class) bool { return s[c>>6]&(1<<(c&63)) != 0 }
func (s *classSet) meets(o *classSet) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3]|s[4]&o[4] != 0
}

// vocabulary holds the words that occur in files.
type vocabulary map[string]known

type known struct {
	number uint32 // from 1
	stem   uint32 // as returned by stemHash
	flags  flags
}

// enter numbers a word and adds flags to it.
func (v vocabulary) enter(word string, f flags) uint32 {
	k, ok := v[word]
	if !ok {
		k.number, k.stem = uint32(len(v)+1), stemHash([]byte(word))
	}
	if !ok || k.flags|f != k.flags {
		k.flags |= f
		v[word] = k
	}
	return k.number
}

// bag is a set of stems. The lowest bit of a stem marks a name or a number, because two sentences
// of the same form with different names or numbers say different things.
type bag struct {
	from, to int32
	// a bit for each stem, to reject most comparisons quickly: 8 % of the time of a dialogue
	mask uint64
}

const special = 1

func (b bag) size() int { return int(b.to - b.from) }

// cites reports whether the tokens from first to last are between double quotation marks in a turn
// that has words outside them, so that they quote somebody else.
func (t *turnText) cites(first, last int) bool {
	n, _ := slices.BinarySearch(t.quotes, int32(t.tokens[first].start))
	end, _ := slices.BinarySearch(t.quotes, int32(t.tokens[last].end))
	if n == 0 || end == len(t.quotes) {
		return false
	}
	open := t.text[t.quotes[n-1]:]
	if strings.HasPrefix(open, "\u201d") || open[0] == '"' && n%2 == 0 {
		return false
	}
	return t.tokens[0].end <= uint32(t.quotes[n-1]) ||
		t.tokens[t.words-1].start > uint32(t.quotes[end])
}

// isCode reports whether tok is a phone number or a reference of four digits or more, starts a
// link, or precedes the @ of an address. A number that may be a year, such as after the title of a
// film, is not a code.
func (t *turnText) isCode(tok token) bool {
	text := t.text[tok.start:tok.end]
	if tok.is(number) && (len(text) > 4 || len(text) == 4 && text[:2] != "19" && text[:2] != "20") {
		return true
	}
	rest := t.text[tok.end:]
	return len(rest) > 1 && (rest[0] == '@' && isLetter(rest[1]) || strings.HasPrefix(rest, "://"))
}

// isReference reports whether tok may be an identifier of a matter on file with the company: five
// characters or more with letters and digits, or a long number.
func (t *turnText) isReference(tok token) bool {
	return tok.is(coded) && tok.end-tok.start >= 5 &&
		!strings.ContainsAny(t.text[tok.start:tok.end], ":.")
}

// eachWord calls yield with each word of a name or a text, in lower case: "cancel" and "order" for
// cancelOrder2.
func eachWord(text string, yield func(string)) {
	noLetter := func(r rune) bool { return r < utf8.RuneSelf && !isLetter(byte(r)) }
	for run := range strings.FieldsFuncSeq(text, noLetter) {
		begin := 0
		for i := 1; i <= len(run); i++ {
			if i == len(run) || isUpper(run[i]) && !isUpper(run[i-1]) {
				yield(strings.ToLower(run[begin:i]))
				begin = i
			}
		}
	}
}

// eachCode calls yield with each sequence of letters and digits in a text that contains a digit.
func eachCode(text string, yield func(string)) {
	noCode := func(r rune) bool { return r >= utf8.RuneSelf || !wordByte[r] }
	for run := range strings.FieldsFuncSeq(text, noCode) {
		if hasDigit(run) {
			yield(run)
		}
	}
}
