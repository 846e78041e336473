package rubric

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerptRunes is the maximum length of an excerpt: two lines of a terminal.
const excerptRunes = 120

// Excerpt returns a passage of a turn that shows the bytes from start to end: whole sentences if
// they fit into 120 runes, otherwise whole words, with "…" where text is cut off. For an empty
// range at the beginning it returns the first words of the turn, and for any other range without
// words the nearest ones. The quote is a verbatim passage without line breaks, control or direction
// characters or HTML tags, so it can be printed anywhere, and it always passes [Quote.Verify]. Its
// text is empty only if no word of the turn can be quoted: it has none, or none shorter than 120
// runes.
func Excerpt(turn int, text string, start, end int) Quote {
	from, to, ends := excerpt(text, withoutTags(text), start, end)
	return quoteOf(turn, text[from:to], ends)
}

// Excerpts yields consecutive excerpts of a turn, each ending after the previous one. Of a sentence
// that is too long to be shown, they overlap. Together they take time linear in the length of the
// text.
func Excerpts(turn int, text string) iter.Seq[Quote] {
	return func(yield func(Quote) bool) {
		plain := withoutTags(text)
		for at, base := 0, 0; at < len(text); { // nothing before base is part of later excerpts
			from, to, ends := excerpt(text[base:], plain[base:], at-base, 0)
			if from == to || base+to <= at || !yield(quoteOf(turn, text[base+from:base+to], ends)) {
				return
			}
			at = base + to
			if base = at; !ends {
				base = max(0, at-excerptRunes*utf8.UTFMax)
			}
		}
	}
}

// quoteOf returns an excerpt as a quote, with "…" appended unless ends is true.
func quoteOf(turn int, text string, ends bool) Quote {
	if !ends {
		text += "…"
	}
	return Quote{turn, text}
}

// excerpt returns the bounds of an excerpt of text, with from equal to to if there is none, and
// whether it is complete without an ellipsis. Plain is the text without its tags.
func excerpt(text, plain string, start, end int) (from, to int, ends bool) {
	word, sentence, clause := wordAt(plain, start)
	if word.end == 0 {
		return 0, 0, true
	}
	from, shown := word.start, max(min(end, len(text)), word.end)
	if within(text[sentence:shown], excerptRunes-1) {
		from = sentence
	} else if within(text[clause:shown], excerptRunes-1) {
		from = clause
	}
	whole, cut := from, from // the end of the excerpt without "…", and with it
	for c := (chunks{text: plain[from:]}); c.next(); {
		if c.begins && whole > from {
			break
		}
		reach := from + c.end
		if !within(text[from:reach], excerptRunes) {
			return from, from + len(strings.TrimRight(text[from:cut], " ,-–—\u00a0")), false
		}
		whole = reach
		if within(text[from:reach], excerptRunes-1) {
			cut = reach
		}
		if reach >= end && endsSentence(text[from+c.start:reach]) {
			break
		}
	}
	return from, whole, true
}

// chunk is a piece of text between white space or tags, as a byte range.
type chunk struct {
	start, end int
	begins     bool // first chunk of its line: an excerpt cannot extend to before it
}

// chunks iterates over the pieces of a text at which an excerpt may begin or end. Plain spaces
// separate the chunks of a line; line breaks, tags and all unprintable characters separate lines.
type chunks struct {
	chunk        // the current one
	text  string // without its tags
	at    int    // everything before this offset has been read
}

// withoutTags returns text with tags replaced by line breaks.
func withoutTags(text string) string {
	if strings.IndexByte(text, '<') >= 0 {
		text = tag.ReplaceAllStringFunc(text,
			func(tag string) string { return strings.Repeat("\n", len(tag)) })
	}
	return text
}

// next advances to the next chunk and reports whether there is one.
func (c *chunks) next() bool {
	c.chunk = chunk{start: -1, begins: c.at == 0}
	for c.at < len(c.text) {
		if c.start >= 0 { // the common case: plain words
			at := c.at // the compiler keeps a local variable in a register
			for at < len(c.text) && c.text[at] > ' ' && c.text[at] < 0x7f {
				at++
			}
			if c.at = at; at == len(c.text) || c.text[at] == ' ' {
				break
			}
		}
		r, size := utf8.DecodeRuneInString(c.text[c.at:])
		if !isSpace(r) {
			if c.start < 0 {
				c.start = c.at
			}
			c.at += size
			continue
		}
		if c.start >= 0 {
			break
		}
		c.begins = c.begins || r != ' ' && !unicode.Is(unicode.Zs, r)
		c.at += size
	}
	c.end = c.at
	return c.start >= 0
}

// wordAt returns the first quotable chunk that extends beyond byte start, or otherwise the last one
// before it, and the starts of its sentence and its clause. It returns the zero chunk if there is
// none. The text must not contain tags.
func wordAt(text string, start int) (word chunk, sentence, clause int) {
	begin, part := 0, 0
	over, comma := true, true
	for c := (chunks{text: text}); c.next(); {
		if over || c.begins {
			begin = c.start
		}
		if over || comma || c.begins {
			part = c.start
		}
		s := text[c.start:c.end]
		over, comma = endsSentence(s), strings.IndexByte(",;:", s[len(s)-1]) >= 0
		if hasQuotableWords(s) {
			word, sentence, clause = c.chunk, begin, part
			if c.end > start {
				break
			}
		}
	}
	return word, sentence, clause
}

// hasQuotableWords reports whether a chunk contains a word and leaves room for the ellipsis.
func hasQuotableWords(s string) bool {
	if !within(s, excerptRunes-1) {
		return false
	}
	if isASCII(s) && strings.IndexByte(s, '&') < 0 {
		return hasWords(s)
	}
	// an entity or a combining character can look like a word without being one
	return hasWords(fold(s))
}

// endsSentence reports whether a chunk ends a sentence. The full stop of "p.m." or "Dr." does not.
func endsSentence(s string) bool {
	const closers = `"')]*`
	last := s[len(s)-1]
	if last < utf8.RuneSelf && strings.IndexByte(".!?"+closers, last) < 0 {
		return false // the common case
	}
	if last >= utf8.RuneSelf || strings.IndexByte(closers, last) >= 0 {
		if s = strings.TrimRight(s, closers+"”’»"); strings.HasSuffix(s, "…") {
			return true
		}
	}
	body := strings.TrimRight(s, ".!?")
	switch marks := s[len(body):]; {
	case marks == "":
		return false
	case marks != ".":
		return true
	}
	switch strings.ToLower(body) {
	case "mr", "mrs", "ms", "dr", "st", "prof", "approx", "vs":
		return false
	}
	return strings.IndexByte(body, '.') < 0
}

func within(s string, n int) bool {
	return len(s) <= n || len(s) <= n*utf8.UTFMax && utf8.RuneCountInString(s) <= n
}
