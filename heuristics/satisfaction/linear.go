package satisfaction

import (
	"cmp"
	_ "embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"assize/heuristics"
	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Linear holds the weights of a rating: what each feature of a dialogue adds to the line of its
// profile. A feature counts once, however often it occurs. In JSON, the weights are listed by group
// and name of the feature. The group [ByDetectors] contains the IDs of the detectors that fire,
// with ", last" appended for the USER's last turn; all other groups contain one or two words. A nil
// Linear adds nothing. It is safe for concurrent use.
type Linear struct {
	weights map[string]map[string]Millionths

	encode  sync.Once // a header has several digests of its profile
	encoded []byte

	once   sync.Once
	byName map[string]int32 // the places of features in rows
	rows   []row
}

// row holds the weights of features with the same name.
type row struct {
	weights [numGroups]Millionths
	plain   bool // the name consists of function words
}

// NewLinear returns a Linear with weights by group and name.
func NewLinear(weights map[string]map[string]Millionths) *Linear {
	return &Linear{weights: weights}
}

// MarshalJSON implements [json.Marshaler].
func (l *Linear) MarshalJSON() ([]byte, error) {
	l.encode.Do(func() { l.encoded = rubric.AppendJSON(nil, l.weights) })
	return l.encoded, nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (l *Linear) UnmarshalJSON(data []byte) error { return rubric.ParseJSON(data, &l.weights) }

// Group says who said a word, and where.
type Group int

// ByDetectors is the group of what detectors found. The others are groups of words: of a speaker in
// any turn, in the speaker's first turn, in the last of several, and in those between them.
const ByDetectors Group = 0

var groupNames = [...]string{"detectors", "USER", "USER opening", "USER middle", "USER last",
	"SYSTEM", "SYSTEM opening", "SYSTEM middle", "SYSTEM last"}

// numGroups is the number of groups.
const numGroups = Group(len(groupNames))

func (g Group) String() string { return groupNames[g] }

// Anywhere reports whether the group has a speaker's words in any turn.
func (g Group) Anywhere() bool { return g%4 == 1 }

// Feature is a feature of a dialogue at one position.
type Feature struct {
	Group Group
	Name  string // of a detector; or one or two words in lower case, separated by a space
	Turn  int    // from 1
	Lower bool   // the word is in lower case there, and so is not a name

	place         Group // of words, that of the turn; of detectors, the group again
	sentence, end int   // the start of its sentence and its own end, in bytes of the turn
}

// Features yields the features that linear models weigh in a dialogue, each as often as it occurs.
// Text that may identify a person is not a feature: words with a digit, addresses, masked data, and
// capitalised words that do not begin a sentence. Two words form a feature if they are in one
// sentence with no such text between them.
func Features(d dialogue.Dialogue, signals []rubric.Signal) iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		for f := range features(d, signals) {
			if !yield(f) {
				return
			}
			if f.Group = f.place; f.Group != ByDetectors && !yield(f) {
				return
			}
		}
	}
}

// features is like Features, but yields both groups of a word at once.
func features(d dialogue.Dialogue, signals []rubric.Signal) iter.Seq[Feature] {
	var first, final [3]int
	for i, t := range d.Turns {
		if final[t.Role] = i + 1; first[t.Role] == 0 {
			first[t.Role] = i + 1
		}
	}
	return func(yield func(Feature) bool) {
		for _, s := range signals {
			f := Feature{Name: s.ID, Turn: s.Turn, Lower: true}
			if !yield(f) {
				return
			}
			if s.Turn == final[dialogue.User] {
				if f.Name += ", last"; !yield(f) {
					return
				}
			}
		}
		var list []word
		for i, t := range d.Turns {
			f := Feature{Group: 1, Turn: i + 1}
			switch t.Role {
			case dialogue.Other:
				continue
			case dialogue.System:
				f.Group = 5
			}
			switch f.place = f.Group + 2; i + 1 {
			case first[t.Role]:
				f.place = f.Group + 1
			case final[t.Role]:
				f.place = f.Group + 3
			}
			var low string
			list, low = split(t.Text, list[:0])
			for k, w := range list {
				f.Name, f.sentence, f.end, f.Lower = low[w.low:w.lowEnd], w.sentence, w.end, w.lower
				if !yield(f) {
					return
				}
				if w.joined {
					if f.Name, f.Lower = low[list[k-1].low:w.lowEnd], true; !yield(f) {
						return
					}
				}
			}
		}
	}
}

// word is a word of a text that may be learnt.
type word struct {
	low, lowEnd int  // in the lower-case text, which has single spaces between words
	sentence    int  // the start of its sentence in the text
	end         int  // its end in the text
	joined      bool // it follows the word before in the same sentence, with nothing left out
	lower       bool
}

// split appends the words of a text that may be learnt to a list, and returns the text in lower
// case.
func split(said string, list []word) (words []word, lower string) {
	low := make([]byte, 0, len(said)+len(said)/4)
	sentence := 0
	opens, joins := true, false // the next word begins a sentence; it is joined to the word before
	ends := func(c byte) bool { return strings.IndexByte(".?!", c) >= 0 }
	for i := 0; i < len(said); {
		end := i
		for end < len(said) && said[end] > ' ' {
			end++
		}
		if end == i {
			if said[i] == '\n' {
				opens, joins = true, false
			}
			i++
			continue
		}
		field, from := said[i:end], i
		i = end
		if identifies(field) {
			if opens {
				sentence = from
			}
			opens, joins = ends(field[len(field)-1]), false
			continue
		}
		for k := 0; k < len(field); {
			at := len(low)
			lowered, next := text.LowerWord(field, k, low[at:])
			if next == k {
				opens = opens || ends(field[k])
				joins = joins && field[k] == '-'
				_, size := utf8.DecodeRuneInString(field[k:])
				k += size
				continue
			}
			if opens {
				sentence = from + k
			}
			self := string(lowered) == "i" || strings.HasPrefix(string(lowered), "i'")
			isLower := field[k] < 'A' || field[k] > 'Z'
			isKept := isLower || opens || self // it is not a name
			if isKept {
				low = append(append(low, lowered...), ' ')
				list = append(list, word{at, len(low) - 1, sentence, from + next, joins, isLower})
			}
			k, opens, joins = next, false, isKept
		}
	}
	return list, string(low)
}

// identifies reports whether a text between spaces may identify a person or a thing.
func identifies(field string) bool {
	switch {
	case strings.ContainsAny(field, `0123456789@/_[]\=`):
		return true
	case !strings.Contains(field, "."):
		return false // most words
	}
	trimmed := strings.Trim(field, `.,;:!?"'()*“”’`)
	return strings.Contains(trimmed, ".") && !strings.Contains(trimmed, "..")
}

// Count returns how many features of detectors and of words have weights.
func (l *Linear) Count() (detectors, words int) {
	if l == nil {
		return 0, 0
	}
	for group, weights := range l.weights {
		if group == ByDetectors.String() {
			detectors = len(weights)
		} else {
			words += len(weights)
		}
	}
	return detectors, words
}

// validate returns an error for the first invalid weight in l.
func (l *Linear) validate() error {
	if l == nil {
		return nil
	}
	for group, weights := range l.weights {
		if !slices.Contains(groupNames[:], group) {
			return fmt.Errorf("linear: %q; want one of %s", group,
				strings.Join(groupNames[:], ", "))
		}
		for name, w := range weights {
			if w < -5*one || w > 5*one {
				return fmt.Errorf("linear: %s: %q has %s; want a weight from -5 to 5", group, name,
					w)
			}
		}
	}
	return nil
}

// Reason is something in a dialogue that raised or lowered the estimate of a linear model.
type Reason struct {
	Points rubric.Hundredths `json:"points"` // of the rating
	Turn   int               `json:"turn"`
	What   string            `json:"what"` // a detector's ID, the strongest words, or a score
	// the sentence; for a detector, the beginning of the turn
	Quote string `json:"quote"`
}

// String returns the change in satisfaction and its cause, with the title of a detector.
func (r Reason) String() string {
	what := r.What
	if title, ok := heuristics.DetectorTitle(what); ok {
		what = title
	}
	changed := "raised"
	if r.Points < 0 {
		changed = "lowered"
	}
	return fmt.Sprintf("satisfaction %s by %s (%s)", changed, max(r.Points, -r.Points), what)
}

// maxReasons is the maximum number of reasons for each side.
const maxReasons = 3

// Strongest returns the reasons that lowered and raised an estimate most, up to three each, the
// strongest first.
func Strongest(list []Reason) (found []Reason) {
	for _, sign := range []rubric.Hundredths{1, -1} {
		slices.SortStableFunc(list, func(a, b Reason) int {
			return cmp.Compare(sign*a.Points, sign*b.Points)
		})
		for _, r := range list[:min(len(list), maxReasons)] {
			if r.Points*sign < 0 {
				found = append(found, r)
			}
		}
	}
	return found
}

// compile sorts the weights by name.
func (l *Linear) compile() {
	l.byName = map[string]int32{}
	for g, group := range groupNames {
		for name, w := range l.weights[group] {
			k, known := l.byName[name]
			if !known {
				k = int32(len(l.rows))
				l.byName[name], l.rows = k, append(l.rows, row{plain: OnlyFunctionWords(name)})
			}
			l.rows[k].weights[g] = w
		}
	}
}

//go:embed function-words.txt
var functionWordsFile string

var functionWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(functionWordsFile) {
		words[word] = true
	}
	return words
})

// OnlyFunctionWords reports whether lower-case words consist of function words, such as "the" and
// "you have". They do not explain why a sentence counts and are never named as a reason.
func OnlyFunctionWords(words string) bool {
	return !slices.ContainsFunc(strings.Fields(words),
		func(word string) bool { return !functionWords()[word] })
}

// reason is a Reason whose points are being added up.
type reason struct {
	Reason
	sum    Millionths
	isWord bool
	start  int          // the start of the sentence, in bytes of the turn
	named  [3]strongest // of words: what lowers most, nothing, and what raises most
}

type strongest struct {
	what string
	size Millionths
	end  int // in bytes of the turn
}

// Adds returns what the features of a dialogue add to the rating, and the reasons that lowered and
// raised the sum most: up to three each, the strongest first. A sentence with all of its words is
// one reason, and so is a detector. Nothing is quoted twice.
func (l *Linear) Adds(
	d dialogue.Dialogue, signals []rubric.Signal,
) (sum Millionths, list []Reason) {
	if l == nil {
		return 0, nil
	}
	l.once.Do(l.compile)
	var all []reason
	counted := make([]uint16, len(l.rows)) // a bit for each group of a row: a weight counts once
	for f := range features(d, signals) {
		k, ok := l.byName[f.Name]
		if !ok {
			continue
		}
		var w Millionths
		for _, g := range [2]Group{f.Group, f.place} {
			if counted[k]>>g&1 == 0 {
				counted[k] |= 1 << g
				w += l.rows[k].weights[g]
			}
		}
		if w != 0 {
			sum += w
			all = addReason(all, &f, w, !l.rows[k].plain)
		}
	}
	slices.SortStableFunc(all, func(a, b reason) int {
		return cmp.Compare(max(b.sum, -b.sum), max(a.sum, -a.sum))
	})
	return sum, quoted(d, all)
}

// addReason adds the weight of a feature to the reason of its sentence or detector. If isNamed is
// not set, its words are not named.
func addReason(all []reason, f *Feature, w Millionths, isNamed bool) []reason {
	isWord := f.Group != ByDetectors
	id, _, _ := strings.Cut(f.Name, ", ")
	i := len(all) - 1
	if !isWord {
		i = slices.IndexFunc(all, func(r reason) bool { return r.What == id })
	} else if i >= 0 && (all[i].Turn != f.Turn || all[i].start != f.sentence || !all[i].isWord) {
		i = -1
	}
	if i < 0 {
		r := reason{Reason: Reason{Turn: f.Turn}, isWord: isWord, start: f.sentence}
		if !isWord {
			r.What = id
		}
		i, all = len(all), append(all, r)
	}
	r := &all[i]
	r.sum += w
	n, size := &r.named[cmp.Compare(w, 0)+1], max(w, -w)
	if isWord && isNamed && size > n.size {
		*n = strongest{f.Name, size, f.end}
	}
	return all
}

// quoted returns the strongest reasons of each side with their quotes.
func quoted(d dialogue.Dialogue, all []reason) []Reason {
	var sides [3][]Reason // what lowered, nothing, and what raised
	for _, r := range all {
		if r.Points = rubric.Hundredths(r.sum.rounded()); r.Points == 0 {
			break
		}
		side := cmp.Compare(r.sum, 0) + 1
		text, at, n := d.Turns[r.Turn-1].Text, 0, r.named[side]
		if len(sides[side]) == maxReasons || r.isWord && n.what == "" {
			continue
		}
		if r.isWord {
			start, end := sentence(text, n.end)
			r.What, text, at = n.what, text[start:end], n.end-start
		}
		r.Quote = clip(text, at)
		again := func(o Reason) bool {
			holds := strings.Contains(o.Quote, r.Quote) || strings.Contains(r.Quote, o.Quote)
			return holds && o.Turn == r.Turn
		}
		if !slices.ContainsFunc(slices.Concat(sides[:]...), again) {
			sides[side] = append(sides[side], r.Reason)
		}
	}
	return slices.Concat(sides[:]...)
}

// sentence returns the bounds of the sentence of a text that contains the position at.
func sentence(text string, at int) (start, end int) {
	ends := func(i int) bool { // a mark within a number or a name does not end a sentence
		atEnd := i+1 == len(text) || text[i+1] <= ' '
		return text[i] == '\n' || atEnd && strings.IndexByte(".?!", text[i]) >= 0
	}
	for start = at - 1; start > 0 && !ends(start-1); start-- {
	}
	for end = at; end < len(text); end++ {
		if ends(end) {
			end++
			break
		}
	}
	for start < at && text[start] <= ' ' {
		start++
	}
	return start, end
}

// clip shortens a quote to a length that people read at a glance. It cuts at the end of a word, and
// keeps the text before the position at.
func clip(text string, at int) string {
	const most = 120 // bytes
	if from := at - most/2; at > most {
		text = strings.ToValidUTF8(text[from+strings.IndexByte(text[from:at], ' ')+1:], "")
	}
	text = strings.TrimSpace(text)
	if i := strings.IndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	if len(text) <= most {
		return text
	}
	text = strings.ToValidUTF8(text[:most], "")
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return text
}
