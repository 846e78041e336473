package heuristics

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Linear is a rating's weights: what each feature that a dialogue has adds to the line of its profile, by the group and
// the name of the feature. A feature counts once, however often a dialogue has it. The group [ByDetectors] has the ids of
// the detectors that fire, with ", last" behind them for the USER's last turn; all others have words, one or two.
type Linear map[string]map[string]Millionths

// Group tells who said a word, and where.
type Group int

// ByDetectors is the group of what detectors saw. The others are those of words: of a speaker anywhere, in the
// speaker's first turn, in the last of several, and in those between them.
const ByDetectors Group = 0

var groupNames = [...]string{"detectors", "USER", "USER opening", "USER middle", "USER last",
	"SYSTEM", "SYSTEM opening", "SYSTEM middle", "SYSTEM last"}

// NumGroups is how many groups there are.
const NumGroups = Group(len(groupNames))

func (g Group) String() string { return groupNames[g] }

// Anywhere reports whether the words of the group are those of a speaker in any turn.
func (g Group) Anywhere() bool { return g%4 == 1 }

// Feature is something that a dialogue has, at one place of it.
type Feature struct {
	Group Group
	Name  string // of a detector; or one word or two, in lower case with a space between them
	Turn  int    // from 1

	start, end int  // the words, as bytes of the turn
	Lower      bool // the word is written in lower case there, and so is no name
}

// Features yields what linear models weigh in a dialogue, feature by feature, each as often as it occurs. What may
// tell who somebody is has no feature: words with a digit, addresses, what is masked, and capitalised words that do not
// begin a sentence. Two words are of one sentence, with nothing of the kind between them.
func Features(d dialogue.Dialogue, signals []rubric.Signal) iter.Seq[Feature] {
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
		for i, t := range d.Turns {
			whole := Group(1)
			switch t.Role {
			case dialogue.Other:
				continue
			case dialogue.System:
				whole = 5
			}
			place := whole + 2
			switch i + 1 {
			case first[t.Role]:
				place = whole + 1
			case final[t.Role]:
				place = whole + 3
			}
			for f := range words(t.Text) {
				f.Turn = i + 1
				for _, f.Group = range [2]Group{whole, place} {
					if !yield(f) {
						return
					}
				}
			}
		}
	}
}

// word is a word of a text, without a name.
type word struct {
	low, lowEnd int // in the text in lower case, where one space stands between words
	start, end  int
	joined      bool // the word before it belongs to the same sentence, and nothing between them was left out
	lower       bool
}

// words yields the words of a text, and every two that follow each other.
func words(text string) iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		list, low := split(text)
		for i, w := range list {
			if !yield(Feature{Name: low[w.low:w.lowEnd], start: w.start, end: w.end, Lower: w.lower}) {
				return
			}
			if !w.joined {
				continue
			}
			b := list[i-1]
			if !yield(Feature{Name: low[b.low:w.lowEnd], start: b.start, end: w.end, Lower: true}) {
				return
			}
		}
	}
}

// split finds the words of a text that may be learnt, and gives the text that they have in lower case.
func split(text string) (list []word, lower string) {
	low := make([]byte, 0, len(text)+len(text)/4)
	opens, joins := true, false // what comes next begins a sentence; is joined to the word before it
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && text[end] > ' ' {
			end++
		}
		if end == i {
			if text[i] == '\n' {
				opens, joins = true, false
			}
			i++
			continue
		}
		field, from := text[i:end], i
		i = end
		if identifies(field) {
			opens, joins = strings.IndexByte(".?!", field[len(field)-1]) >= 0, false
			continue
		}
		for k := 0; k < len(field); {
			at := len(low)
			lowered, next := lowerWord(field, k, low[at:])
			low = append(low, lowered...)
			if next == k {
				if strings.IndexByte(".?!", field[k]) >= 0 {
					opens, joins = true, false
				} else if field[k] != '-' {
					joins = false
				}
				_, size := utf8.DecodeRuneInString(field[k:])
				k += size
				continue
			}
			w := word{at, len(low), from + k, from + next, joins, field[k] < 'A' || field[k] > 'Z'}
			self := string(low[at:]) == "i" || strings.HasPrefix(string(low[at:]), "i'")
			isName := !w.lower && !opens && !self
			k, opens, joins = next, false, !isName
			if isName {
				low = low[:at]
				continue
			}
			list, low = append(list, w), append(low, ' ')
		}
	}
	return list, string(low)
}

// identifies reports whether something between spaces may tell who or what exactly is spoken of.
func identifies(field string) bool {
	trimmed := strings.Trim(field, `.,;:!?"'()*“”’`)
	return strings.ContainsAny(trimmed, "0123456789@/_[]\\=") || strings.Contains(trimmed, ".") && !strings.Contains(trimmed, "..")
}

// part is what a feature of a dialogue adds.
type part struct {
	Feature
	weight Millionths
}

// parts gives what each feature of a dialogue adds, where it occurs first.
func (l Linear) parts(d dialogue.Dialogue, signals []rubric.Signal) (list []part) {
	if l == nil {
		return nil
	}
	var of [NumGroups]map[string]Millionths
	for g := range of {
		of[g] = l[groupNames[g]]
	}
	seen := map[uint64]bool{}
	for f := range Features(d, signals) {
		if w, ok := of[f.Group][f.Name]; ok {
			if key := hashOf(f.Name)*uint64(2*NumGroups+1) + uint64(f.Group); !seen[key] {
				seen[key] = true
				list = append(list, part{f, w})
			}
		}
	}
	return list
}

// Count tells how many features of detectors and of words have weights.
func (l Linear) Count() (detectors, words int) {
	for group, weights := range l {
		if group == ByDetectors.String() {
			detectors = len(weights)
		} else {
			words += len(weights)
		}
	}
	return detectors, words
}

// validate reports the first thing that makes l no weights.
func (l Linear) validate() error {
	for group, weights := range l {
		if !slices.Contains(groupNames[:], group) {
			return fmt.Errorf("linear: %q; want one of %s", group, strings.Join(groupNames[:], ", "))
		}
		for name, w := range weights {
			if w < -5*one || w > 5*one {
				return fmt.Errorf("linear: %s: %q has %s; want a weight from -5 to 5", group, name, w)
			}
		}
	}
	return nil
}

// Reason is something in a dialogue that raised or lowered an estimate by a linear model.
type Reason struct {
	Points rubric.Hundredths `json:"points"` // of the rating
	Turn   int               `json:"turn"`
	What   string            `json:"what"`  // the id of a detector, or the word or two that count most
	Quote  string            `json:"quote"` // the sentence; of a detector, the beginning of the turn
}

// mostReasons is how many reasons there are for each side.
const mostReasons = 3

// Adds gives what the features of a dialogue add, and what lowered and raised the sum most: up to three reasons each,
// the strongest first. A sentence is one reason with all of its words, and so is a detector.
func (l Linear) Adds(d dialogue.Dialogue, signals []rubric.Signal) (sum Millionths, list []Reason) {
	type reason struct {
		Reason
		sum, strongest Millionths
	}
	var all []*reason
	of := map[string]*reason{}
	for _, f := range l.parts(d, signals) {
		sum += f.weight
		text := d.Turns[f.Turn-1].Text
		id, _, _ := strings.Cut(f.Name, ", ")
		start, end := 0, len(text)
		if f.Group != ByDetectors {
			start, end = sentence(text, f.start, f.end)
			id = strconv.Itoa(f.Turn) + " " + strconv.Itoa(start)
		}
		r := of[id]
		if r == nil {
			r = &reason{Reason: Reason{Turn: f.Turn, What: id, Quote: clip(text[start:end])}}
			of[id], all = r, append(all, r)
		}
		r.sum += f.weight
		if size := max(f.weight, -f.weight); f.Group != ByDetectors && size > r.strongest {
			r.What, r.strongest = f.Name, size
		}
	}
	for _, sign := range []Millionths{1, -1} {
		slices.SortStableFunc(all, func(a, b *reason) int { return cmp.Compare(sign*a.sum, sign*b.sum) })
		for _, r := range all[:min(len(all), mostReasons)] {
			if r.Points = rubric.Hundredths(r.sum.Rounded()); Millionths(r.Points)*sign < 0 {
				list = append(list, r.Reason)
			}
		}
	}
	return sum, list
}

// sentence gives the bounds of the sentence that holds part of a text.
func sentence(text string, start, end int) (int, int) {
	const ends = ".?!\n"
	from := strings.LastIndexAny(text[:start], ends) + 1
	to := len(text)
	if i := strings.IndexAny(text[end:], ends); i >= 0 {
		to = end + i + 1
	}
	for from < start && text[from] <= ' ' {
		from++
	}
	return from, to
}

// clip shortens a quote to what people read at a glance, at the end of a word.
func clip(text string) string {
	const most = 120 // bytes
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
