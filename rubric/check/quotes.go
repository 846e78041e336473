package check

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// quotation is a quote in a sentence.
type quotation struct {
	// byte range in the sentence, including the quote marks and the label before them
	start, end int
	words      string // the text between the marks
	// the speaker named by the label before it, SYSTEM: "…"; Other if there is none, or if isOther
	speaker dialogue.Role
	isOther bool // the label names a speaker who is not judged, such as a tool
	turn    int  // the turn named right before it, as in turn 7; 0 if there is none
	// possibly a word in scare quotes rather than a quote: at most two words without a label
	isScareQuote bool
	place        place // its place in the transcript; zero if there is no transcript
}

// A label precedes words in a transcript: USER: or turn 7: or turn 7, USER:
var (
	labelText = `(?:\bturn +(\d{1,6})[:,]? *)?(\b(?:(user|customer|client|caller)|` +
		`(other|tool)|system|agent|assistant|bot|chatbot))?: *`
	labelBefore = regexp.MustCompile(`(?i)` + labelText + `$`)
	labelFirst  = regexp.MustCompile(`(?i)^\s*` + labelText)
)

// setLabel reads the speaker and the turn from the submatches of a label, and reports whether it
// names either.
func (q *quotation) setLabel(m []string) bool {
	if m == nil || m[1]+m[2] == "" {
		return false
	}
	switch {
	case m[3] != "":
		q.speaker = dialogue.User
	case m[4] != "":
		q.isOther = true
	case m[2] != "":
		q.speaker = dialogue.System
	}
	q.turn, _ = strconv.Atoi(m[1])
	return true
}

// closingMarks maps an opening mark to the marks that can close it.
var closingMarks = map[rune]string{'"': "\"”", '“': "”\"", '\'': "'’", '‘': "’'"}

// Limits on the candidate ends of a quote, and on the bytes that are read of a sentence and of a
// label. Genuine ones stay far below.
const (
	maxEnds     = 8
	maxLabel    = 40
	maxSentence = 64 << 10
)

// quotations returns the quotes in a sentence, in order and without overlap, with their places in a
// transcript, which may be nil. If several marks can end a quote, it picks the first for which the
// transcript contains the words, or else the first. After a label, it picks the last for which the
// transcript contains them, since labels show where the next quote begins.
func quotations(sentence string, t *Transcript) (list []quotation) {
	sentence = sentence[:min(len(sentence), maxSentence)]
	for pos := 0; len(list) < maxItems; {
		i := strings.IndexAny(sentence[pos:], "\"“'‘")
		if i < 0 {
			break
		}
		at := pos + i
		mark, size := utf8.DecodeRuneInString(sentence[at:])
		pos = at + size
		q := quotation{start: at}
		q.readLabelBefore(sentence[max(0, at-maxLabel):at])
		if (q.start < at || canOpen(sentence[:at], sentence[pos:])) &&
			q.close(sentence, pos, q.start < at, closingMarks[mark], t) {
			list = append(list, q)
			pos = q.end
		}
	}
	return list
}

// readLabelBefore reads the label that ends right before a quote, if there is one. In "it tells the
// USER: …" there is none.
func (q *quotation) readLabelBefore(before string) {
	if !strings.HasSuffix(strings.TrimRight(before, " "), ":") {
		return
	}
	m := labelBefore.FindStringSubmatch(before)
	words := strings.TrimRight(strings.TrimSuffix(before, m[0]), " ")
	last, _ := utf8.DecodeLastRuneInString(words)
	isJoined := strings.HasSuffix(words, "because") || strings.HasSuffix(words, "and")
	if (m[1] != "" || !isWord(last) || isJoined) && q.setLabel(m) {
		q.start -= len(m[0])
	}
}

// canOpen reports whether a mark between two texts can begin a quote. An apostrophe cannot.
func canOpen(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, size := utf8.DecodeRuneInString(after)
	return size > 0 && !isWord(last) && !strings.ContainsRune(".,;!?)\"", last) &&
		!unicode.IsSpace(first) && !strings.ContainsRune(",;:!?)]", first)
}

// close finds the end of a quote whose words begin at byte from, given the marks that can end it.
// It returns false if there is none.
func (q *quotation) close(s string, from int, isLabelled bool, marks string, t *Transcript) bool {
	zone := len(s) // a quote cannot extend into the next labelled one
	for _, label := range []string{`USER: "`, `SYSTEM: "`, `OTHER: "`} {
		if i := strings.Index(s[from:zone], label); i >= 0 {
			zone = from + i
		}
	}
	var best quotation
	i := from
	if last := strings.LastIndexAny(s[:zone], marks); q.isOther && last >= from {
		i = last // the result of a tool is often JSON, with many marks
	}
	for tries := 0; tries < maxEnds; tries++ {
		n := strings.IndexAny(s[i:zone], marks)
		if n < 0 {
			break
		}
		end := i + n
		_, size := utf8.DecodeRuneInString(s[end:])
		i = end + size
		before, _ := utf8.DecodeLastRuneInString(s[:end])
		after, _ := utf8.DecodeRuneInString(s[i:])
		words := strings.TrimSpace(s[from:end])
		// SYSTEM: ""Up" is a film"
		if unicode.IsSpace(before) || isWord(after) || !hasWords(words) && isLabelled {
			continue
		} else if !hasWords(words) {
			break
		}
		next := *q
		next.words, next.end = words, i
		next.complete(isLabelled, t)
		isFound := t != nil && next.place.verdict == said
		if best.words == "" || isFound {
			best = next
		}
		if !isLabelled && (t == nil || isFound) {
			break
		}
	}
	if !hasWords(best.words) {
		return false
	}
	if t != nil && !best.place.verdict.isSaid() {
		best.place = t.nearest(&best)
	}
	*q = best
	return true
}

// complete completes a quotation with the label at the beginning of its words, if there is one, and
// with its place.
func (q *quotation) complete(isLabelled bool, t *Transcript) {
	if rest, ok := q.cutLabel(q.words); ok {
		q.words, isLabelled = rest, true
	}
	q.isScareQuote = !isLabelled && len(strings.Fields(q.words)) <= 2
	if t != nil {
		q.place = t.locate(q)
	}
}

// cutLabel reads a label at the beginning of words, as in USER: words. Rest is not empty.
func (q *quotation) cutLabel(words string) (rest string, ok bool) {
	if !strings.Contains(words[:min(len(words), maxLabel)], ":") {
		return words, false
	}
	m := labelFirst.FindStringSubmatch(words)
	if m == nil || !hasWords(words[len(m[0]):]) || !q.setLabel(m) {
		return words, false
	}
	return words[len(m[0]):], true
}

// parseAttributed parses a whole text, such as an entry of the audit's evidence, as a quote without
// marks: USER: words.
func parseAttributed(entry string, t *Transcript) (q quotation, ok bool) {
	entry = entry[:min(len(entry), maxSentence)]
	words, ok := q.cutLabel(entry)
	mark, _ := utf8.DecodeRuneInString(words)
	if _, isQuoted := closingMarks[mark]; isQuoted || !ok {
		return q, false
	}
	q.words, q.end = strings.TrimSpace(words), len(entry)
	if t != nil {
		if q.place = t.locate(&q); !q.place.verdict.isSaid() {
			q.place = t.nearest(&q)
		}
	}
	return q, true
}

func hasWords(s string) bool { return strings.IndexFunc(s, isWord) >= 0 }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
