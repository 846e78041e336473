package heuristics

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// taggerTable holds the averaged perceptron of jdkato/prose (MIT licence), which knows the part of speech of 1,500 words
// and has learned 271,000 weights for all others. The library itself takes 100 ms and 28 MB to load them. TestTaggerTable
// writes the file, in little endian: how many features there are; their hashes, ascending; of each, how many weights it
// has; the weights, three bytes each: a class in six bits, and above them thousandths plus weightOffset.
//
//go:embed tagger.bin
var taggerTable []byte

// tagClasses are the tags of the Penn Treebank, by class.
var tagClasses = strings.Fields("# $ '' ( ) , . : CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR " +
	"RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB ``")

const weightOffset = 1 << 17

// tagger names the part of speech of each word of a sentence: some 10 µs a sentence. It is asked about the few that a
// screen finds suspicious. The zero tagger is ready. It is safe for concurrent use.
type tagger struct {
	once     sync.Once
	features []uint64 // hashes, ascending
	from     []uint32 // where the weights of each feature begin
	weights  []byte

	mu    sync.Mutex
	known map[string]oddness // of sentences that were tagged: those of a program come again and again
}

const (
	mostKnown    = 4096 // sentences that are remembered, and the bytes of the longest: 1.5 MB
	longestKnown = 300
)

// odd gives what weigh makes of the tags of a sentence.
func (t *tagger) odd(sentence string, weigh func([]taggedWord) oddness) oddness {
	t.mu.Lock()
	o, ok := t.known[sentence]
	t.mu.Unlock()
	if ok {
		return o
	}
	o = weigh(t.sentence(sentence))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[string]oddness{}
	}
	if len(t.known) < mostKnown && len(sentence) <= longestKnown {
		t.known[strings.Clone(sentence)] = o
	}
	return o
}

func (t *tagger) load() {
	n := int(binary.LittleEndian.Uint32(taggerTable))
	hashes, counts := taggerTable[4:4+8*n], taggerTable[4+8*n:4+9*n]
	t.features, t.from, t.weights = make([]uint64, n), make([]uint32, n+1), taggerTable[4+9*n:]
	for i := range n {
		t.features[i] = binary.LittleEndian.Uint64(hashes[8*i:])
		t.from[i+1] = t.from[i] + 3*uint32(counts[i])
	}
}

// taggedWord is a word or mark with its Penn Treebank tag.
type taggedWord struct{ text, tag string }

// sentence tags one sentence.
func (t *tagger) sentence(s string) []taggedWord {
	t.once.Do(t.load)
	words := cutWords(readable(s))
	context := []string{"-START-", "-START2-"}
	for _, w := range words {
		context = append(context, normalised(w.text))
	}
	context = append(context, "-END-", "-END2-")
	last, before := context[0], context[1]
	for i := range words {
		words[i].tag = t.tag(words[i].text, context[i:i+5], last, before)
		last, before = words[i].tag, last
	}
	return words
}

// tag gives the tag of a word; context is two words before it, the word and two words behind it, and last and before are
// the tags of the two before it.
func (t *tagger) tag(word string, context []string, last, before string) string {
	switch {
	case word == "-":
		return "-"
	case isFace(word):
		return "SYM"
	case strings.HasPrefix(word, "@") || isAddress(word):
		return "NN"
	}
	var sums [64]int32
	if t.add(&sums, "tag of ", word); sums == [64]int32{} {
		end := func(w string) string { return w[max(len(w)-3, 0):] }
		t.add(&sums, "bias")
		t.add(&sums, "i suffix ", end(word))
		t.add(&sums, "i pref1 ", string(rune(word[0])))
		t.add(&sums, "i-1 tag ", last)
		t.add(&sums, "i-2 tag ", before)
		t.add(&sums, "i tag+i-2 tag ", last, " ", before)
		t.add(&sums, "i word ", context[2])
		t.add(&sums, "i-1 tag+i word ", last, " ", context[2])
		t.add(&sums, "i-1 word ", context[1])
		t.add(&sums, "i-1 suffix ", end(context[1]))
		t.add(&sums, "i-2 word ", context[0])
		t.add(&sums, "i+1 word ", context[3])
		t.add(&sums, "i+1 suffix ", end(context[3]))
		t.add(&sums, "i+2 word ", context[4])
	}
	best := 0
	for class := range tagClasses {
		if sums[class] > sums[best] {
			best = class
		}
	}
	return tagClasses[best]
}

// add adds the weights of the feature whose name has these parts to the sums of classes.
func (t *tagger) add(sums *[64]int32, parts ...string) {
	i, found := slices.BinarySearch(t.features, hashOf(parts...))
	if !found {
		return
	}
	for at := t.from[i]; at < t.from[i+1]; at += 3 {
		w := uint32(t.weights[at]) | uint32(t.weights[at+1])<<8 | uint32(t.weights[at+2])<<16
		sums[w&63] += int32(w>>6) - weightOffset
	}
}

// normalised is how the perceptron has learned a word.
func normalised(word string) string {
	_, err := strconv.Atoi(word)
	switch {
	case word[0] != '-' && strings.Contains(word, "-"):
		return "!HYPHEN"
	case err == nil && len(word) == 4:
		return "!YEAR"
	case isDigit(word[0]):
		return "!DIGITS"
	}
	return strings.ToLower(word)
}

// cutWords cuts a text into words and marks, as the perceptron's training data are: "(don't)" is "(", "do", "n't" and ")".
func cutWords(text string) (words []taggedWord) {
	add := func(s string) { words = append(words, taggedWord{text: s}) }
	for word := range strings.FieldsSeq(plainQuotes.Replace(text)) {
		for len(word) > 1 && strings.IndexByte("$(\"[", word[0]) >= 0 && !isFace(word) {
			add(word[:1])
			word = word[1:]
		}
		end := len(word)
		for end > 1 && strings.IndexByte(",)\"]!;.?:'", word[end-1]) >= 0 && !isFace(word[:end]) && !isShort(word[:end]) {
			end--
		}
		from := 0
		for _, short := range [...]string{"'ll", "'s", "'re", "'m", "n't"} {
			if at := strings.Index(strings.ToLower(word[:end]), short); at > 0 {
				add(word[:at])
				from = at
				break
			}
		}
		add(word[from:end])
		for ; end < len(word); end++ {
			add(word[end : end+1])
		}
	}
	return words
}

var plainQuotes = strings.NewReplacer("\u201c", `"`, "\u201d", `"`, "\u2018", "'", "\u2019", "'")

// isShort reports whether a word is an abbreviation that ends with a full stop: "a.m.", "Mr.".
func isShort(word string) bool {
	if len(word) < 3 || word[len(word)-1] != '.' {
		return false
	}
	if word[1] == '.' {
		return strings.Count(word, ".")*2 == len(word)
	}
	return len(word) <= 4 && word[0] >= 'A' && word[0] <= 'Z' && strings.Trim(word[1:], letters) == "."
}

const faces = ` (-8 (-; (-_-) (._.) (: (= (o: -__- 8-) 8-D 8D :( :(( :((( :() :))) :-) :-)) :-))) :-* :-/ :-X :-] :-o :-p :-x
 :-| :-} :0 :3 :P :] :o :o) =( =) =D =| @_@ O.o O_o V_V XDD [-: ^___^ o_0 o_O o_o v_v xD xDD `

// isFace reports whether a word is an emoticon.
func isFace(word string) bool {
	return len(word) > 1 && len(word) < 6 && strings.Contains(faces, " "+word+" ")
}

// isAddress reports whether a word is an address of the web or of mail, or looks like one: "7.50" does.
func isAddress(word string) bool {
	word = strings.TrimRight(word, "!()[]{};:'\".,<>?")
	for i := 1; i < len(word)-2; i++ {
		before := word[i-1]
		if word[i] == '.' && (before >= 'a' && before <= 'z' || isDigit(before) || before == '.' || before == '-') {
			return true
		}
	}
	at, dot := strings.IndexByte(word, '@'), strings.LastIndexByte(word, '.')
	return at > 0 && dot > at+1 && dot < len(word)-1
}

func isStop(r rune) bool { return r == '.' || r == '!' || r == '?' }

const (
	longestJudged = 2000 // bytes of a turn that are tagged; what is broken shows long before
	longestChunk  = 200  // bytes without a space; prose takes quadratic time in them
)

// readable is a turn as prose can read it: one line of valid UTF-8 in which marks do not pile up, no word is
// endless, every letter keeps its length in lower case (prose cuts words at offsets of their lower-case
// forms), and a space follows the stop before a capital.
func readable(turn string) string {
	var b strings.Builder
	var last rune
	chunk := 0
	for i, r := range turn {
		if i >= longestJudged && last == ' ' || i >= longestJudged+longestChunk {
			break
		}
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			r = ' '
		case r == utf8.RuneError || utf8.RuneLen(unicode.ToLower(r)) != utf8.RuneLen(r):
			continue
		case r == last && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			continue
		case unicode.IsUpper(r) && isStop(last):
			b.WriteByte(' ')
			chunk = 0
		case chunk >= longestChunk:
			continue
		}
		if r == ' ' && (last == ' ' || last == 0) {
			continue
		}
		chunk += utf8.RuneLen(r)
		if r == ' ' {
			chunk = 0
		}
		b.WriteRune(r)
		last = r
	}
	return strings.TrimSpace(b.String())
}
