// Package text reads a turn as words, and finds phrases in it.
//
//	Where does a sentence or a clause end?                   text.go: Vocabulary.Tokenise
//	Is a word negated, quoted, a name or a code?             text.go: Turn, Token, Flags
//	What is a turn about?                                    text.go: Bags
//	Which phrases of a list does a turn contain?             automaton.go: Automaton.Scan
//	Is a word misspelt, or a first name?                     spelling.go: Spelling
//	Which parts of speech does a sentence have?              tagger.go: Tagger
package text

import (
	"cmp"
	_ "embed"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// Token is a word or number in a turn.
type Token struct {
	Word       uint32 // its number in the vocabulary; 0 for a word in no list
	Stem       uint32 // hash of its stem, so that "booking" and "booked" are equal
	Start, End uint32 // byte range in the turn's text
	From, to   uint32 // the first and last token of its sentence
	until      uint32 // the last token of its clause
	Flags      Flags
}

// Flags say what is known of a token.
type Flags uint32

const (
	OpensSentence Flags = 1 << iota // follows . ! or ?
	OpensClause                     // follows any mark that ends a clause
	Filler                          // may precede the beginning of a turn: "oh", "well"
	Negator                         // negates what follows
	Stopword                        // says nothing about the topic
	Number                          // begins with a digit
	Capital                         // begins with an upper-case letter
	Article                         // a noun must follow: "the", "your"
	// a finite verb that begins the verb phrase of a clause: "is", "would"
	Auxiliary
	Modal       // a bare verb must follow: "will"
	Subject     // can only be the subject of a clause: "we"
	Preposition // "of", "with"
	Joiner      // joins clauses: "and", "because"
	Twice       // may be repeated on purpose: "very very"
	Foreign     // a function word only of another language: "porque"
	Contraction // "don't", also if written "dont"
	Labelling   // a code after it is its name: "seat"
	Questioned  // a question mark precedes the next token
	Disputed    // a negator is in its sentence
	Habitual    // its sentence has a word for habits: "usually"
	Coded       // has a digit
	Opposed     // has an opposite
	Conditional // nothing after it in its sentence is reported: "if", "hope"
	Thing       // a noun that needs an article: "building"
	Addressed   // of a name after "@"
	Lapsed      // says that something was true before: "anymore"
)

// Is reports whether the token has one of some flags.
func (t Token) Is(f Flags) bool { return t.Flags&f != 0 }

// IsContent reports whether the token contributes to the topic of the turn.
func (t Token) IsContent() bool { return t.Flags&Stopword == 0 && t.End-t.Start > 1 }

// IsName reports whether the token is written as a name: with a capital inside a sentence.
func (t Token) IsName() bool { return t.Is(Capital) && !t.Is(OpensSentence) && t.IsContent() }

// Turn is a turn of a dialogue, read as words.
type Turn struct {
	N        int // the turn's number, from 1
	Role     dialogue.Role
	Text     string
	Before   [3]int // index of the last turn before it, by role, or -1
	Words    int    // the number of tokens
	Tokens   []Token
	Asks     int     // byte offset after the first question mark, or 0
	Exclaims int     // byte offset after the first exclamation mark, or 0
	Tagged   bool    // it contains one of the characters < [ and #
	Odd      bool    // it contains a control or non-ASCII character
	Quotes   []int32 // byte offsets of its double quotation marks
	Attack   Span    // the part that addresses the judge

	Has                   ClassSet // the classes of its phrases that are not negated
	Hits, Values, Figures Span     // of the lists with the same names in talk.Talk

	// Its topic: the words of the USER, or of the SYSTEM outside and inside its questions.
	Said, Asked Bag
}

// Span is a range of a turn's text or of a list. If its end is 0, there is none.
type Span struct{ Start, End int }

// Passage is a sequence of tokens in one turn, including the last one.
type Passage struct{ Turn, First, Last int }

// Meets reports whether p overlaps another passage of the same turn.
func (p Passage) Meets(o Passage) bool { return p.First <= o.Last && p.Last >= o.First }

// Holds reports whether p contains another passage of the same turn.
func (p Passage) Holds(o Passage) bool { return o.First >= p.First && o.Last <= p.Last }

// At returns the passage from token first to token last.
func (t *Turn) At(first, last int) Passage { return Passage{t.N - 1, first, last} }

// Whole returns the passage of all words.
func (t *Turn) Whole() Passage { return t.At(0, t.Words-1) }

// Sentence returns the sentence that token i is in.
func (t *Turn) Sentence(i int) Passage { return t.At(t.SentenceStart(i), t.SentenceEnd(i)) }

// Around returns the sentence of a passage, or those from its first token to its last.
func (t *Turn) Around(p Passage) Passage {
	return t.At(t.SentenceStart(p.First), t.SentenceEnd(p.Last))
}

// Sentences yields the sentences.
func (t *Turn) Sentences() iter.Seq[Passage] {
	return func(yield func(Passage) bool) {
		for k := 0; k < len(t.Tokens) && yield(t.Sentence(k)); k = t.SentenceEnd(k) + 1 {
		}
	}
}

// SentenceStart returns the first token of the sentence that token i is in.
func (t *Turn) SentenceStart(i int) int { return int(t.Tokens[i].From) }

// SentenceEnd returns the last token of the sentence that token i is in.
func (t *Turn) SentenceEnd(i int) int { return int(t.Tokens[i].to) }

// ClauseEnd returns the last token of the clause that token i is in.
func (t *Turn) ClauseEnd(i int) int { return int(t.Tokens[i].until) }

// IsQuestion reports whether the sentence that ends with token last ends with a question mark.
func (t *Turn) IsQuestion(last int) bool { return t.Tokens[last].Is(Questioned) }

// InQuestion reports whether token i is in a question.
func (t *Turn) InQuestion(i int) bool { return t.IsQuestion(int(t.Tokens[i].to)) }

// GoesOn reports whether token i is in the same clause as the token before it.
func (t *Turn) GoesOn(i int) bool { return i < len(t.Tokens) && !t.Tokens[i].Is(OpensClause) }

// Names reports whether token i is a content word in the same clause as the token before it.
func (t *Turn) Names(i int) bool { return t.GoesOn(i) && t.Tokens[i].IsContent() }

// Is reports whether token i exists and is one of the words, ignoring case.
func (t *Turn) Is(i int, words ...string) bool {
	return i >= 0 && i < len(t.Tokens) && IsOneOf(t.Word(i), words...)
}

// IsOneOf reports whether a text is one of the others, ignoring case.
func IsOneOf(text string, others ...string) bool {
	return slices.ContainsFunc(others, func(other string) bool {
		return len(other) == len(text) && strings.EqualFold(other, text)
	})
}

// IsMark reports whether c is one of the marks.
func IsMark(c byte, marks string) bool { return strings.IndexByte(marks, c) >= 0 }

// Marked reports whether one of the tokens has a flag.
func Marked(tokens []Token, f Flags) bool {
	return slices.ContainsFunc(tokens, func(tok Token) bool { return tok.Is(f) })
}

// HasStem reports whether one of the tokens has a stem.
func HasStem(tokens []Token, stem uint32) bool {
	return slices.ContainsFunc(tokens, func(tok Token) bool { return tok.Stem == stem })
}

// JustBefore returns the last tokens of a clause before token i, at most three.
func (t *Turn) JustBefore(i int) []Token {
	from := i
	for from > max(0, i-3) && !t.Tokens[from].Is(OpensClause) {
		from--
	}
	return t.Tokens[from:i]
}

// Negated reports whether a negator is just before token i.
func (t *Turn) Negated(i int) bool { return Marked(t.JustBefore(i), Negator) }

// Word returns the text of token k.
func (t *Turn) Word(k int) string { return t.Text[t.Tokens[k].Start:t.Tokens[k].End] }

// PlainWord reports whether token k has spaces around it, so that it is neither a code nor part of
// a web address.
func (t *Turn) PlainWord(k int) bool {
	tok := &t.Tokens[k]
	return !tok.Is(Coded) && (tok.Start == 0 || !IsMark(t.Text[tok.Start-1], "./@_-#:")) &&
		(int(tok.End) == len(t.Text) || !IsMark(t.Text[tok.End], "/@_-:"))
}

// Tokenise appends the tokens of a turn. Curly apostrophes and acute accents count as straight
// apostrophes, and case is ignored.
func (v Vocabulary) Tokenise(t *Turn, tokens []Token) []Token {
	text := t.Text
	from := len(tokens)
	var buf [64]byte
	marks := OpensSentence | OpensClause
	address, mood := false, 0 // in a name after "@", and the end of "[Ha Ha]"
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf && !wordByte[c] {
			address = address && c == ' '
			switch c {
			case '@':
				address = i == 0 || text[i-1] >= utf8.RuneSelf || !wordByte[text[i-1]]
			case '?':
				t.Asks = cmp.Or(t.Asks, i+1)
				if len(tokens) > from {
					tokens[len(tokens)-1].Flags |= Questioned
				}
				marks |= OpensSentence | OpensClause
			case '!':
				t.Exclaims = cmp.Or(t.Exclaims, i+1)
				marks |= OpensSentence | OpensClause
			case '.', '\n':
				if c == '\n' || !isInside(text, i) {
					marks |= OpensSentence | OpensClause
				}
			case ',', ';', ':', '(', ')':
				marks |= OpensClause
			case '"':
				t.Quotes = append(t.Quotes, int32(i))
			case '<', '[', '#':
				t.Tagged = true
				if end := moodEnd(text[i:]); end > 0 {
					mood = i + end
				}
			default:
				t.Odd = t.Odd || c < ' ' || c == 0x7f
			}
			i++
			continue
		}
		start, word := i, buf[:0]
		t.Odd = t.Odd || c >= utf8.RuneSelf
		word, i = LowerWord(text, i, word)
		if i == start { // a rune that belongs to no word
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == '\u201c' || r == '\u201d' {
				t.Quotes = append(t.Quotes, int32(i))
			}
			i += size
			continue
		}
		k, ok := v[string(word)]
		if !ok {
			k.stem = Stem(word)
		}
		tok := Token{Word: k.Number, Stem: k.stem, Start: uint32(start), End: uint32(i)}
		tok.Flags = k.Flags | marks
		if IsDigit(c) {
			tok.Flags |= Number
		} else if c >= 'A' && c <= 'Z' {
			tok.Flags |= Capital
		}
		if address = address && tok.Is(Capital); address {
			tok.Flags |= Addressed
		}
		if start < mood {
			tok.Flags |= Stopword
		}
		for _, c := range []byte(text[start:i]) {
			if IsDigit(c) {
				tok.Flags |= Coded
			}
			t.Odd = t.Odd || c >= utf8.RuneSelf
		}
		tokens = append(tokens, tok)
		marks = 0
	}
	t.Words = len(tokens) - from
	boundSentences(tokens[from:])
	return tokens
}

// moodEnd returns the length of a face in words with which a text begins: "[Ha Ha]". It is 0 if
// the text does not begin with one.
func moodEnd(text string) int {
	const longest = 16
	end := strings.IndexByte(text[:min(len(text), longest)], ']')
	for k := 1; k < end; k++ {
		if !IsLetter(text[k]) && text[k] != ' ' && text[k] != '-' {
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
	if IsOneOf(word, "Mr", "Mrs", "Ms", "Dr") {
		return true
	}
	rest := text[i+1 : min(len(text), i+maxWord)]
	if end := strings.IndexAny(rest, spaces); end >= 0 {
		rest = rest[:end]
	}
	return rest != "" && IsLetter(rest[0]) && (strings.ContainsAny(word, "@/") ||
		strings.Contains(rest, "@"))
}

// boundSentences sets in each token the end of its clause and sentence, and whether the sentence
// contains a negator or a word such as "usually".
func boundSentences(tokens []Token) {
	until := uint32(len(tokens) - 1)
	for k := len(tokens) - 1; k >= 0; k-- {
		if tokens[k].until = until; tokens[k].Is(OpensClause) {
			until = uint32(k - 1)
		}
	}
	for from := 0; from < len(tokens); {
		marks := tokens[from].Flags & (Negator | Habitual)
		to := from + 1
		for to < len(tokens) && !tokens[to].Is(OpensSentence) {
			marks |= tokens[to].Flags & (Negator | Habitual)
			to++
		}
		for k := from; k < to; k++ {
			tokens[k].From, tokens[k].to = uint32(from), uint32(to-1)
			tokens[k].Flags |= marks & Habitual
			if marks&Negator != 0 {
				tokens[k].Flags |= Disputed
			}
		}
		from = to
	}
}

// LowerWord appends the word at text[i:] in lower case, and returns the offset after it. An
// apostrophe or a decimal mark belongs to a word only if it is between two of its characters.
func LowerWord(text string, i int, word []byte) ([]byte, int) {
	start := i
	for i < len(text) && IsLower(text[i]) {
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
		return IsLetter(a) && IsLetter(b)
	}
	return IsDigit(a) && IsDigit(b)
}

// IsLetter reports whether c is a letter, or part of a character beyond ASCII.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf }

// IsDigit reports whether c is a digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsUpper reports whether c is one of A to Z.
func IsUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// HasDigit reports whether a word contains a digit.
func HasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// wordByte is the set of ASCII characters that occur in words.
var wordByte = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = IsDigit(byte(c)) || IsLetter(byte(c))
	}
	return set
}()

// Stem hashes a word without English inflectional endings.
func Stem(word []byte) uint32 {
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

// Class numbers the lists of phrases.
type Class int16

// ClassSet is a set of at most 320 classes.
type ClassSet [5]uint64

// Add adds a class.
func (s *ClassSet) Add(c Class) { s[c>>6] |= 1 << (c & 63) }

// Has reports whether the set contains a class.
func (s *ClassSet) Has(c Class) bool { return s[c>>6]&(1<<(c&63)) != 0 }

// Meets reports whether two sets have a common class.
func (s *ClassSet) Meets(o *ClassSet) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3]|s[4]&o[4] != 0
}

// Vocabulary holds the words that occur in files.
type Vocabulary map[string]known

type known struct {
	Number uint32 // from 1
	stem   uint32 // as returned by Stem
	Flags  Flags
}

// Enter numbers a word and adds flags to it.
func (v Vocabulary) Enter(word string, f Flags) uint32 {
	k, ok := v[word]
	if !ok {
		k.Number, k.stem = uint32(len(v)+1), Stem([]byte(word))
	}
	if !ok || k.Flags|f != k.Flags {
		k.Flags |= f
		v[word] = k
	}
	return k.Number
}

// Bag is a set of stems. The lowest bit of a stem marks a name or a number, because two sentences
// of the same form with different names or numbers say different things.
type Bag struct {
	from, to int32
	// a bit for each stem, to reject most comparisons quickly: 8 % of the time of a dialogue
	mask uint64
}

// Special is the bit of a stem that marks a name or a number: see [Bag].
const Special = 1

// Size returns the number of stems.
func (b Bag) Size() int { return int(b.to - b.from) }

// Cites reports whether the tokens from first to last are between double quotation marks in a turn
// that has words outside them, so that they quote somebody else.
func (t *Turn) Cites(first, last int) bool {
	n, _ := slices.BinarySearch(t.Quotes, int32(t.Tokens[first].Start))
	end, _ := slices.BinarySearch(t.Quotes, int32(t.Tokens[last].End))
	if n == 0 || end == len(t.Quotes) {
		return false
	}
	open := t.Text[t.Quotes[n-1]:]
	if strings.HasPrefix(open, "\u201d") || open[0] == '"' && n%2 == 0 {
		return false
	}
	return t.Tokens[0].End <= uint32(t.Quotes[n-1]) ||
		t.Tokens[t.Words-1].Start > uint32(t.Quotes[end])
}

// IsCode reports whether tok is a phone number or a reference of four digits or more, starts a
// link, or precedes the @ of an address. A number that may be a year, such as after the title of a
// film, is not a code.
func (t *Turn) IsCode(tok Token) bool {
	text := t.Text[tok.Start:tok.End]
	if tok.Is(Number) && (len(text) > 4 || len(text) == 4 && text[:2] != "19" && text[:2] != "20") {
		return true
	}
	rest := t.Text[tok.End:]
	return len(rest) > 1 && (rest[0] == '@' && IsLetter(rest[1]) || strings.HasPrefix(rest, "://"))
}

// IsReference reports whether tok may be an identifier of a matter on file with the company: five
// characters or more with letters and digits, or a long number.
func (t *Turn) IsReference(tok Token) bool {
	return tok.Is(Coded) && tok.End-tok.Start >= 5 &&
		!strings.ContainsAny(t.Text[tok.Start:tok.End], ":.")
}

// EachWord calls yield with each word of a name or a text, in lower case: "cancel" and "order" for
// cancelOrder2.
func EachWord(text string, yield func(string)) {
	noLetter := func(r rune) bool { return r < utf8.RuneSelf && !IsLetter(byte(r)) }
	for run := range strings.FieldsFuncSeq(text, noLetter) {
		begin := 0
		for i := 1; i <= len(run); i++ {
			if i == len(run) || IsUpper(run[i]) && !IsUpper(run[i-1]) {
				yield(strings.ToLower(run[begin:i]))
				begin = i
			}
		}
	}
}

// Regexp returns a function that compiles a regular expression when it is called first.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// IsLower reports whether c is one of a to z.
func IsLower(c byte) bool { return c >= 'a' && c <= 'z' }

// IsPair reports whether token k and the one before it are two words separated only by a space. The
// second must not be part of a compound such as "on-site" or "on/off", nor a repetition of the
// first.
func (t *Turn) IsPair(k int) bool {
	before, tok := &t.Tokens[k-1], &t.Tokens[k]
	letters := tok.End-tok.Start == 1 && before.End-before.Start == 1 // a word spelt out
	return tok.Start == before.End+1 && t.Text[before.End] == ' ' && tok.Stem != before.Stem &&
		!letters && t.PlainWord(k) && !t.isLetterA(k-1) && !t.isLetterA(k)
}

// isLetterA reports whether token k is the letter A, as in "block A and block B" or "from a to z",
// or a foreign word, as in "the a la carte menu".
func (t *Turn) isLetterA(k int) bool {
	return t.Tokens[k].End-t.Tokens[k].Start == 1 && t.Tokens[k].Is(Article) &&
		k+1 < t.Words && t.Tokens[k+1].Is(Joiner|Preposition|Foreign)
}

// LookUp returns the entry with a name that a file uses. The argument kind describes the expected
// entry in errors.
func LookUp[V any](kind, name string, all map[string]V) (V, error) {
	v, ok := all[name]
	if !ok {
		return v, fmt.Errorf("unknown %s %q; want one of %q", kind, name,
			slices.Sorted(maps.Keys(all)))
	}
	return v, nil
}

// Bags holds the topic of each turn: the sorted set of stems of its content words. Turns on the
// same topic share stems, in whatever order their words are.
type Bags struct {
	stems []uint32
	open  int // the start in stems of the bag that is being filled
}

// Read reads the topics of turns.
func (b *Bags) Read(turns []Turn) {
	b.stems, b.open = b.stems[:0], 0
	for i := range turns {
		t := &turns[i]
		switch {
		case t.Role == dialogue.Other:
		case t.Role == dialogue.User || t.Asks == 0:
			b.add(t.Tokens)
			t.Said = b.close()
		default:
			t.Said, t.Asked = b.sentences(t, false), b.sentences(t, true)
		}
	}
}

// sentences returns the topic of t's questions, or of its other sentences.
func (b *Bags) sentences(t *Turn, questions bool) Bag {
	for p := range t.Sentences() {
		if t.IsQuestion(p.Last) == questions {
			b.add(t.Tokens[p.First : p.Last+1])
		}
	}
	return b.close()
}

func (b *Bags) add(tokens []Token) {
	for k := range tokens {
		tok := &tokens[k]
		if tok.Flags&Number == 0 && (tok.Flags&Stopword != 0 || tok.End-tok.Start < 2) {
			continue
		}
		stem := tok.Stem &^ Special
		if tok.Flags&Number != 0 || tok.Flags&(Capital|OpensSentence) == Capital {
			stem |= Special
		}
		b.stems = append(b.stems, stem)
	}
}

// close completes the current bag: it sorts the stems and removes duplicates.
func (b *Bags) close() Bag {
	stems := b.stems[b.open:]
	slices.Sort(stems)
	stems = slices.CompactFunc(stems, func(x, y uint32) bool { return x|Special == y|Special })
	out := Bag{from: int32(b.open), to: int32(b.open + len(stems))}
	for _, stem := range stems {
		out.mask |= 1 << (stem >> 26)
	}
	b.open = int(out.to)
	b.stems = b.stems[:b.open]
	return out
}

// Of returns the stems of a bag.
func (b *Bags) Of(x Bag) []uint32 { return b.stems[x.from:x.to] }

// Holds reports whether a bag contains a stem.
func (b *Bags) Holds(x Bag, stem uint32) bool {
	if x.mask>>(stem>>26)&1 == 0 {
		return false
	}
	_, found := slices.BinarySearchFunc(b.Of(x), stem|Special, func(have, want uint32) int {
		return cmp.Compare(have|Special, want)
	})
	return found
}

// Shares reports whether the bags have a common stem.
func (b *Bags) Shares(x, y Bag) bool {
	return x.mask&y.mask != 0 &&
		slices.ContainsFunc(b.Of(x), func(stem uint32) bool { return b.Holds(y, stem) })
}

// Closings are the formulas that close a letter, one a line.
//
//go:embed closings.txt
var Closings string

// Unsigned returns a text without its signature: a closing formula at the beginning of a line or
// sentence, and the names after it. A text that is only a formula stays as it is.
func Unsigned(text string) string {
	const maxSignature = 120 // bytes
	from := max(0, len(text)-maxSignature)
	for formula := range strings.SplitSeq(Closings, "\n") {
		before, after, found := strings.Cut(text[from:], formula)
		if before = strings.TrimRight(before, " "); found && before != "" &&
			IsMark(before[len(before)-1], "\n.!?)") && areNames().MatchString(after) {
			return text[:from+len(before)]
		}
	}
	return text
}

// areNames matches words with a capital, and short ones among them: "Jo van den Berg".
var areNames = Regexp(`^[\s,.!]*([^\p{Ll}\s]\S*(\s+([^\p{Ll}\s]\S*|\S{1,3}))*\s*)?$`)
