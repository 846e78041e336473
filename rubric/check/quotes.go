package check

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// quotation is what a sentence has in quote marks.
type quotation struct {
	start, end int           // its bytes within the sentence, the quote marks and the label before them included
	words      string        // what stands between the marks
	speaker    dialogue.Role // who the label before it names, SYSTEM: "…"; Other where there is none
	turn       int           // the turn that is named right before or after it: turn 7, [7]; 0 for none
	scare      bool          // it may be a word in inverted commas rather than a quote: ≤ 2 words without a label
	denied     bool          // the sentence says that the words are missing: no "thank you" is heard
	place      place         // in the transcript; the zero place without one
}

const speakerNames = `(?:(user|customer|client|caller)|(?:system|agent|assistant|bot|chatbot))\b`

// A label is what stands before words in a transcript: USER: or [7] USER: or Turn 7, SYSTEM: or USER (turn 7): or
// turn 7:
var (
	labelText   = `(?:(?:\bturn +|\[)(\d{1,6})\]?[:,]? *)?(?:(\b` + speakerNames + `)(?: *[(\[](?:turn +)?(\d{1,6})[)\]])?)?: *`
	labelBefore = regexp.MustCompile(`(?i)` + labelText + `$`)
	labelFirst  = regexp.MustCompile(`(?i)^\s*` + labelText)
	turnBehind  = regexp.MustCompile(`(?i)^ (?:\[(?:turn +)?(\d{1,6})\]|\((` + speakerNames + `)?,? *(?:turn +(\d{1,6}))?\))`)
	elision     = regexp.MustCompile(`^['’](?:\d\ds?|em|til|n|cause|cuz|bout|tis|twas)\b`) // '90s, 'til
	deniesWords = regexp.MustCompile(`(?i)(?:n't|\b(?:no|not|never|nor|without|instead|lacks?|lacked|lacking|missing|` +
		`omits?|fails?|could|should|would))\b[^.;:!?"“”]*(?:e\.g\.,? *)?$`)
)

// label reads who speaks in which turn from the submatches of a label, and reports whether it says anything.
func (q *quotation) label(m []string) bool {
	if m == nil || m[1]+m[2]+m[4] == "" {
		return false
	}
	switch {
	case m[3] != "":
		q.speaker = dialogue.User
	case m[2] != "":
		q.speaker = dialogue.System
	}
	if n, _ := strconv.Atoi(m[1] + m[4]); n > 0 {
		q.turn = n
	}
	return true
}

// closers gives the marks that can end a quote that a mark begins.
var closers = map[rune]string{
	'"': "\"”", '“': "”\"“", '„': "“”\"", '”': "”", '«': "»", '»': "«", '‹': "›", '›': "‹",
	'\'': "'’", '‘': "’'", '‚': "‘’'", '`': "`'", '「': "」", '『': "』",
}

// The most ends that are tried for a quote, and the most bytes of a sentence that are read. Nobody's is longer.
const (
	mostEnds     = 8
	mostSentence = 64 << 10
)

// quotations finds what a sentence quotes, in order and without overlap, and where that is in a transcript, which may
// be nil. Where several marks can end a quote, the first counts with which it was said, or else the first; behind a
// label, which tells where the next quote begins, the last with which it was said.
func quotations(sentence string, t *Transcript) (list []quotation) {
	sentence = sentence[:min(len(sentence), mostSentence)]
	for pos := 0; len(list) < mostItems; {
		i := strings.IndexAny(sentence[pos:], "\"'`“„”«»‹›‘‚「『")
		if i < 0 {
			break
		}
		at := pos + i
		mark, size := utf8.DecodeRuneInString(sentence[at:])
		pos = at + size
		q := quotation{start: at}
		q.labelled(sentence[max(0, at-80):at])
		if !opens(sentence, at, pos, mark) && q.start == at {
			continue
		}
		if q.close(sentence, at, pos, mark, t) {
			list = append(list, q)
			pos = q.end
		}
	}
	return list
}

// labelled reads the label that ends before a quote, if there is one. In "it tells the USER: …" there is none.
func (q *quotation) labelled(before string) {
	lead := before
	for _, role := range []dialogue.Role{dialogue.User, dialogue.System} {
		rest, ok := strings.CutSuffix(before, role.String()+": ")
		if turn := strings.TrimRight(rest, " :,]"); ok && strings.TrimRight(turn, "0123456789") == turn {
			q.speaker, lead = role, rest // as this program prints it, told without a pattern because it is common
		}
	}
	if q.speaker == dialogue.Other && strings.HasSuffix(strings.TrimRight(before, " "), ":") {
		if m := labelBefore.FindStringSubmatch(before); q.label(m) {
			lead = before[:len(before)-len(m[0])]
		}
	}
	words := strings.TrimRight(lead, " ")
	last, _ := utf8.DecodeLastRuneInString(words)
	isJoined := strings.HasSuffix(words, "because") || strings.HasSuffix(words, "and")
	if q.speaker != dialogue.Other && q.turn == 0 && isWord(last) && !isJoined {
		q.speaker = dialogue.Other
		return
	}
	q.start -= len(before) - len(lead)
}

// opens reports whether a mark can begin a quote where it stands. An apostrophe cannot.
func opens(s string, at, end int, mark rune) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, size := utf8.DecodeRuneInString(s[end:])
	switch {
	case size == 0 || unicode.IsSpace(after) && mark != '«':
		return false
	case strings.ContainsRune("“„‚«「『", mark):
		return true
	case at > 0 && (isWord(before) && before < 0x2e80 || strings.ContainsRune(".,;!?)\"", before)): // Chinese has no spaces
		return false
	}
	return !strings.ContainsRune(",;:!?)]", after) && !elision.MatchString(s[at:min(len(s), end+8)])
}

// close finds the end of a quote whose mark is at a byte and whose words begin at byte from. It reports false where
// there is none.
func (q *quotation) close(s string, at, from int, mark rune, t *Transcript) bool {
	zone := len(s) // no quote reaches into the next that this program labels
	for _, label := range []string{`USER: "`, `SYSTEM: "`} {
		if i := strings.Index(s[from:zone], label); i >= 0 {
			zone = from + i
		}
	}
	var best quotation
	isLabelled := q.start < at
	for tries, i := 0, from; tries < mostEnds; tries++ {
		n := strings.IndexAny(s[i:zone], closers[mark])
		if n < 0 {
			break
		}
		end := i + n
		_, size := utf8.DecodeRuneInString(s[end:])
		i = end + size
		before, _ := utf8.DecodeLastRuneInString(s[:end])
		after, _ := utf8.DecodeRuneInString(s[i:])
		if end > from && unicode.IsSpace(before) && mark != '«' || isWord(after) && after < 0x2e80 {
			continue
		}
		words := strings.TrimSpace(s[from:end])
		if !hasWords(words) && !isLabelled {
			break
		} else if !hasWords(words) { // the words begin with a quote mark of their own: SYSTEM: ""Up" is a film"
			continue
		}
		next := *q
		next.words, next.end = words, i
		next.read(s, isLabelled, t)
		isLast := isLabelled && strings.Trim(s[i:zone], " .;") == "" // so this program ends a quote, whatever marks it holds
		isFound := t != nil && next.place.verdict == said
		if best.words == "" || isFound || isLast && t == nil {
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
		best.denied = !isLabelled && deniesWords.MatchString(s[max(0, at-100):at])
	}
	*q = best
	return true
}

// read completes a quotation with its end: the turn that is named behind it, and its place.
func (q *quotation) read(s string, isLabelled bool, t *Transcript) {
	if rest := s[q.end:]; strings.HasPrefix(rest, " (") || strings.HasPrefix(rest, " [") {
		isLabelled = q.label(turnBehind.FindStringSubmatch(rest)) || isLabelled
	}
	if rest, ok := q.labelledFirst(q.words); ok {
		q.words, isLabelled = rest, true
	}
	q.scare = !isLabelled && len(strings.Fields(q.words)) <= 2
	if t != nil {
		q.place = t.locate(q)
	}
}

// labelledFirst reads the label that words begin with: USER: words. The words behind it are not empty.
func (q *quotation) labelledFirst(words string) (rest string, ok bool) {
	const reach = 48 // bytes of a label
	if !strings.Contains(words[:min(len(words), reach)], ":") {
		return words, false
	}
	m := labelFirst.FindStringSubmatch(words)
	if m == nil || !hasWords(words[len(m[0]):]) || !q.label(m) {
		return words, false
	}
	return words[len(m[0]):], true
}

// attributed takes a whole text, such as an entry of the audit's evidence, for a quote without marks: USER: words.
func attributed(entry string, t *Transcript) (q quotation, ok bool) {
	entry = entry[:min(len(entry), mostSentence)]
	words, ok := q.labelledFirst(entry)
	mark, _ := utf8.DecodeRuneInString(words)
	if _, isQuoted := closers[mark]; isQuoted || !ok {
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

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
