package rubric

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerptRunes is how long an excerpt may be: two lines of a terminal at most.
const excerptRunes = 120

// Excerpt cuts out of a turn what shows the bytes from start to end: whole sentences where they fit into 120
// runes, otherwise whole words, with "…" where they break off. The turn's first words stand for an empty
// range at its beginning, the nearest words for a range that holds none.
//
// The quote is a verbatim piece of the text without line break, control or direction character or HTML
// tag, so it can be printed anywhere, and it always passes [Quote.Verify]. Its text is empty only if no word
// of the turn can be quoted: it holds none, or none of fewer than 120 runes.
func Excerpt(turn int, text string, start, end int) Quote {
	from, to, ends := excerpt(text, withoutTags(text), start, end)
	return quoteOf(turn, text[from:to], ends)
}

// Excerpts yields the excerpts of a turn from its first words on, each for what stands behind the one before it. The
// last is the first that begins before that, since a sentence is too long to be shown. All of them take time linear in
// the length of the text.
func Excerpts(turn int, text string) iter.Seq[Quote] {
	return func(yield func(Quote) bool) {
		plain := withoutTags(text)
		for at, base := 0, 0; at < len(text); { // nothing before base is part of what follows
			from, to, ends := excerpt(text[base:], plain[base:], at-base, 0)
			if from == to || base+to <= at || !yield(quoteOf(turn, text[base+from:base+to], ends)) || base+from < at {
				return
			}
			at = base + to
			if base = at; !ends {
				base = max(0, at-excerptRunes*utf8.UTFMax)
			}
		}
	}
}

// quoteOf makes a quote of an excerpt, with "…" where it does not end by itself.
func quoteOf(turn int, text string, ends bool) Quote {
	if !ends {
		text += "…"
	}
	return Quote{turn, text}
}

// excerpt returns the bounds of an excerpt of a text, the same if there is none, and whether it ends by itself. Plain is
// the text without its tags.
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
	whole, cut := from, from // how far the excerpt reaches if all of it fits, and if "…" must fit too
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
	begins     bool // first of its line: what stands before it cannot be part of the same excerpt
}

// chunks go through the pieces of a text that an excerpt may begin and end with. Plain spaces part the chunks of
// a line; line breaks, tags and everything that must not be printed part the lines.
type chunks struct {
	chunk        // the one that next has found
	text  string // without its tags
	at    int    // what is before it has been looked at
}

// withoutTags returns a text in which line breaks stand for the tags.
func withoutTags(text string) string {
	if strings.IndexByte(text, '<') >= 0 {
		text = tag.ReplaceAllStringFunc(text, func(tag string) string { return strings.Repeat("\n", len(tag)) })
	}
	return text
}

// next moves to the next chunk, and reports whether there is one.
func (c *chunks) next() bool {
	c.chunk = chunk{start: -1, begins: c.at == 0}
	for c.at < len(c.text) {
		if c.start >= 0 { // most of a text is plain words
			for c.at < len(c.text) && c.text[c.at] > ' ' && c.text[c.at] < 0x7f {
				c.at++
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

// wordAt finds the first chunk that can be quoted and reaches beyond byte start, or else the last one before
// it, and where the sentence and the clause begin that it is part of. The zero chunk is none. The text has no tags.
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
		if isQuotable(s) {
			word, sentence, clause = c.chunk, begin, part
			if c.end > start {
				break
			}
		}
	}
	return word, sentence, clause
}

// isQuotable reports whether a chunk holds a word and leaves room for the ellipsis.
func isQuotable(s string) bool {
	if !within(s, excerptRunes-1) {
		return false
	}
	if isASCII(s) && strings.IndexByte(s, '&') < 0 {
		return hasWords(s)
	}
	return hasWords(fold(s)) // an entity or a composed sign may look like a word and be none
}

// endsSentence reports whether a sentence is over after a chunk. The point of "p.m." or "Dr." ends none.
func endsSentence(s string) bool {
	const closers = `"')]*`
	if last := s[len(s)-1]; last < utf8.RuneSelf && strings.IndexByte(".!?"+closers, last) < 0 {
		return false // as most are
	}
	s = strings.TrimRight(s, closers+"”’»")
	if strings.HasSuffix(s, "…") {
		return true
	}
	body := strings.TrimRight(s, ".!?")
	if body == s {
		return false
	}
	if len(s)-len(body) > 1 || s[len(body)] != '.' {
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
