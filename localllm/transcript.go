package localllm

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// transcript is a dialogue as shown to the model: one numbered line per turn, in a form that text
// in a turn cannot imitate.
type transcript struct {
	lines      []string // by turn
	sizes      []int    // estimated tokens per line
	citable    []bool   // whether a turn has words that the model may read
	suspicious []int    // turns flagged by safety signals, from 1
	shortened  []int    // turns of which the model sees only the beginning
}

// window is a range of turns that the model judges at once: indexes from (inclusive) to to
// (exclusive).
type window struct{ from, to int }

const (
	removedText  = "[text removed]" // replaces a turn that addresses the judge
	omittedText  = "[not shown]"    // replaces the output of a tool
	safetyPrefix = "safety-"        // ID prefix of the detectors that look for attacks
	// maximum tokens of the number, the role and the ellipsis of a turn
	lineTokens = 20
)

// newTranscript prepares a dialogue for a model that can read at most limit tokens of it at once.
// It omits the whole text of a flagged turn, so that the request does not depend on what the turn
// says. It also omits the output of tools, which is not judged and which no detector checks.
func newTranscript(c rubric.Case, limit int) *transcript {
	n := len(c.Dialogue.Turns)
	flagged := map[int]bool{} // by turn, from 1
	for _, s := range c.Signals {
		flagged[s.Turn] = flagged[s.Turn] || strings.HasPrefix(s.ID, safetyPrefix)
	}
	t := &transcript{lines: make([]string, n), sizes: make([]int, n), citable: make([]bool, n)}
	for i, turn := range c.Dialogue.Turns {
		text := sanitize(turn.Text)
		switch {
		case turn.Role == dialogue.Other:
			text = omittedText
		case flagged[i+1]:
			text = removedText
			t.suspicious = append(t.suspicious, i+1)
		default:
			t.citable[i] = rubric.Excerpt(i+1, turn.Text, 0, 0).Text != ""
		}
		if share := limit/2 - lineTokens; tokens(text) > share {
			text = strings.TrimRight(prefixWithin(text, share), " ") + " …"
			t.shortened = append(t.shortened, i+1)
		}
		t.lines[i] = fmt.Sprintf("[%d] %s: %s\n", i+1, turn.Role, text)
		t.sizes[i] = tokens(t.lines[i])
	}
	return t
}

// text returns the lines of a window and an empty line.
func (t *transcript) text(w window) string { return strings.Join(t.lines[w.from:w.to], "") + "\n" }

func (t *transcript) whole() window { return window{0, len(t.lines)} }

// size returns the estimated number of tokens in a window.
func (t *transcript) size(w window) (n int) {
	for _, size := range t.sizes[w.from:w.to] {
		n += size
	}
	return n
}

// windows splits the transcript into windows of at most limit tokens, or a single one if all of it
// fits. Up to a quarter of a window, and at least one turn, is repeated in the next, so that a
// reaction is not separated from its cause. No turn takes more than half of a window (see
// newTranscript), so each window has at least two turns.
func (t *transcript) windows(limit int) (list []window) {
	for from := 0; ; {
		to, size := from, 0
		for to < len(t.lines) && (size+t.sizes[to] <= limit || to == from) {
			size += t.sizes[to]
			to++
		}
		list = append(list, window{from, to})
		if to == len(t.lines) {
			return list
		}
		next := max(to-1, from+1)
		for again := t.sizes[to-1]; next-1 > from && again+t.sizes[next-1] <= limit/4; next-- {
			again += t.sizes[next-1]
		}
		from = next
	}
}

// sanitize puts an utterance on one line and removes the characters that make up chat templates,
// the fence and turn numbers. Servers interpret template tokens such as <|im_start|>, [INST] or
// <start_of_turn> in a text, and all of them need brackets.
func sanitize(s string) string {
	return strings.Join(strings.Fields(strings.Map(replaceRune, s)), " ")
}

// replaceRune returns the replacement for a rune of an utterance.
func replaceRune(r rune) rune {
	switch r {
	case '<', '[', '{', '＜', '［', '｛':
		return '('
	case '>', ']', '}', '＞', '］', '｝':
		return ')'
	case '｜', '▁': // some templates use these for | and for a space
		return ' '
	}
	if unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co,
		unicode.Noncharacter_Code_Point) {
		// even within a word: detectors split words there, and the model must not read what they
		// could not
		return ' '
	}
	return r
}

// tokens returns an upper estimate of the number of tokens in s. Measurements with three
// vocabularies of 32,000 to 152,000 words yielded .27 to .33 tokens per character of English; .40
// leaves a margin. Digits and punctuation are often separate tokens, a vocabulary without a script
// falls back to bytes, and no vocabulary has words of more than 24 letters.
func tokens(s string) int {
	const letter, other, longWord = 40, 100, 24 // hundredths of a token; letters
	sum, run := 0, 0
	for i := range len(s) {
		c := s[i]
		isLetter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if run++; !isLetter {
			run = 0
		}
		if isLetter && run <= longWord || c == ' ' {
			sum += letter
		} else {
			sum += other
		}
	}
	return (sum + 99) / 100
}

// prefixWithin returns the longest prefix of s, in whole characters, that is estimated at no more
// than limit tokens.
func prefixWithin(s string, limit int) string {
	end := sort.Search(len(s), func(n int) bool { return tokens(s[:n+1]) > limit })
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
