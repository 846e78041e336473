package redact

import (
	"cmp"
	_ "embed"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed words.txt
var wordsFile string

// kind is a set of the kinds of words in words.txt.
type kind uint64

// kindNames are the kinds of words. Those up to "address" are cues, which say what is near them.
var kindNames = strings.Fields(`phone contact account card ending expiry pin code password phrase
	key social id mac birth birthday harmless memory version mentioned address
	mail provider month unit filler copula as from to sent typed abbreviation ask at dot
	local plain conjunction digit subject former in entry user matter spoken ordinal
	place locked verify back rest other changed pass spelled
	numbered named`)

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *kind) UnmarshalText(names []byte) error {
	*k = kindsOf(string(names))
	return nil
}

// kindsOf returns the kinds with these names. Unknown names are left out.
func kindsOf(names string) (k kind) {
	for name := range strings.FieldsSeq(strings.ReplaceAll(names, ",", " ")) {
		if name == "cue" {
			k |= 1<<(slices.Index(kindNames, "address")+1) - 1
		} else if i := slices.Index(kindNames, name); i >= 0 {
			k |= 1 << i
		}
	}
	return k
}

// The kinds that the code reads.
var (
	cues, mail, digit, at    = kindsOf("cue"), kindsOf("mail"), kindsOf("digit"), kindsOf("at")
	harmless, place, birth   = kindsOf("harmless"), kindsOf("place"), kindsOf("birth")
	provider, abbreviation   = kindsOf("provider"), kindsOf("abbreviation")
	pointer, request, spoken = kindsOf("copula as"), kindsOf("ask"), kindsOf("spoken")
	lasting, named, expiry   = kindsOf("phone account"), kindsOf("named"), kindsOf("expiry")
	card, rest, spelled      = kindsOf("card numbered"), kindsOf("rest"), kindsOf("spelled")
	notLocal                 = kindsOf("local filler copula month unit")
	// what people misspell, and what does not look like another word then
	misspelled = kindsOf(`account card expiry pin code password phrase key social id mac birth
		birthday month digit ordinal`)
	// what may be between a cue and its number
	between = kindsOf("filler copula as from to conjunction unit")
)

// word is a word or a phrase of words.txt.
type word struct {
	kind   kind
	digits string // that it spells
	repeat int    // how often it repeats the next digit, such as 2 for "double"
	length int    // the number of words of the longest phrase that begins with it
	letter rune   // for its kinds
}

// form is a national format of telephone numbers.
type form struct {
	digits  *regexp.Regexp
	regions []string // the number must be valid in one of these; empty if any number is valid
}

// cueWord is a word of a cue, what is left of it without double letters, and the weight of the
// changes that leave it recognisable.
type cueWord struct {
	word, single string
	letters      uint32
	weight       int
}

// vocabulary contains the words of words.txt. Each set of kinds that a word has is one letter.
type vocabulary struct {
	words    map[string]*word
	cueWords [26][]cueWord // by first letter
	unknown  word          // any other
	sets     []kind        // by letter, from firstLetter on
	literals map[string][]string
	forms    []form
}

// firstLetter is the first letter for a set of kinds. It is in the private use area of Unicode.
const firstLetter = '\ue000'

var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{words: map[string]*word{}, literals: map[string][]string{}}
	for line := range strings.Lines(wordsFile) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		for p := range strings.SplitSeq(list, ",") {
			if ok && name[0] != '#' {
				v.add(name, strings.TrimSpace(p))
			}
		}
	}
	for _, w := range v.words {
		v.sets = append(v.sets, w.kind)
	}
	slices.Sort(v.sets)
	v.sets = slices.Compact(v.sets)
	v.addCueWords()
	for _, w := range v.words {
		w.letter = firstLetter + rune(slices.Index(v.sets, w.kind))
	}
	return v
})

// add adds a phrase of a kind.
func (v *vocabulary) add(name, p string) {
	if name == "form" {
		v.addForm(p)
		return
	}
	v.literals[name] = append(v.literals[name], regexp.QuoteMeta(p))
	key := strings.Join(strings.Fields(fold(p).low), " ")
	w, repeat := cmp.Or(v.words[key], &word{}), map[string]int{"double": 2, "triple": 3}[name]
	switch {
	case isDigit(name[0]):
		w.digits, w.kind = name, w.kind|digit
	case repeat > 0:
		w.repeat, w.kind = repeat, w.kind|digit
	default:
		w.kind |= kindsOf(name)
	}
	v.words[key] = w
	parts := strings.Fields(key)
	for _, part := range parts {
		v.words[part] = cmp.Or(v.words[part], &word{})
	}
	first := v.words[parts[0]]
	first.length = max(first.length, len(parts))
}

// addCueWords adds what is compared with misspelled words: cues, also without their spaces.
func (v *vocabulary) addCueWords() {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(v.words)) {
		if w := v.words[key]; w.kind&misspelled != 0 {
			joined := strings.ReplaceAll(key, " ", "")
			v.words[joined] = cmp.Or(v.words[joined], w)
			all = append(append(all, strings.Fields(key)...), joined)
		}
	}
	slices.Sort(all)
	for _, s := range slices.Compact(all) {
		if set, n := letters(s); n > 2 {
			weight := min(1<<((n-2)/4), 4) // 1 below 6 letters, and 2 below 10
			v.cueWords[s[0]-'a'] = append(v.cueWords[s[0]-'a'], cueWord{s, single(s), set, weight})
		}
	}
}

// letters returns the set of the letters of a word, which is empty if other characters are among
// them, and their number, double ones counted once.
func letters(s string) (set uint32, n int) {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return 0, 0
		}
		if set |= 1 << (s[i] - 'a'); i == 0 || s[i] != s[i-1] {
			n++
		}
	}
	return set, n
}

// single returns a word without double letters.
func single(s string) string { return string(slices.Compact([]byte(s))) }

// word returns what words.txt says about a word or a phrase.
func (v *vocabulary) word(s string) *word { return cmp.Or(v.words[s], &v.unknown) }

// read returns a word as words.txt spells it. A cue may be misspelled, but for its first letter.
func (v *vocabulary) read(s string) (string, *word) {
	w, best := v.words[s], s
	set, n := letters(s)
	if w != nil || n < 4 {
		return s, cmp.Or(w, &v.unknown)
	}
	own, weight := single(s), 4
	for _, c := range v.cueWords[s[0]-'a'] {
		if bits.OnesCount32(set^c.letters) <= c.weight {
			for w := min(weight, c.weight); isNear(own, c.single, w); w-- {
				best, weight = c.word, w-1
			}
		}
	}
	return best, v.word(best)
}

// isNear reports whether changes of this weight lead from one word to another: two letters that
// are swapped have the weight 1; one that is added, missing or another one has the weight 2.
func isNear(a, b string, weight int) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if a == "" || b == "" {
		return 2*len(a+b) <= weight
	}
	return len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && weight > 0 &&
		isNear(a[2:], b[2:], weight-1) ||
		weight > 1 && (isNear(a[1:], b, weight-2) || isNear(a, b[1:], weight-2) ||
			isNear(a[1:], b[1:], weight-2))
}

// addForm reads a form such as "### ### PL": # is a digit, N one from 2 to 9, a space a separator.
func (v *vocabulary) addForm(p string) {
	var f form
	var groups []string
	for part := range strings.FieldsSeq(p) {
		if strings.Trim(part, "#N0123456789") != "" {
			f.regions = append(f.regions, part)
			continue
		}
		groups = append(groups, strings.NewReplacer("#", `\d`, "N", `[2-9]`).Replace(part))
	}
	f.digits = regexp.MustCompile(`^\(?` + strings.Join(groups, `[ ./_()-]+`) + `$`)
	v.forms = append(v.forms, f)
}

// kindOf returns the kinds that a letter stands for, or 0 for any other character.
func (v *vocabulary) kindOf(r rune) kind {
	if i := int(r - firstLetter); 0 <= i && i < len(v.sets) {
		return v.sets[i]
	}
	return 0
}

// class returns what a name in braces stands for in an expression: literals as alternatives, or the
// letters of all sets that contain one of the kinds.
func (v *vocabulary) class(names string) string {
	if all := v.literals[strings.TrimPrefix(names, "=")]; all != nil && names[0] == '=' {
		return strings.Join(all, "|")
	}
	var all strings.Builder
	for i, set := range v.sets {
		if set&kindsOf(names) != 0 {
			all.WriteRune(firstLetter + rune(i))
		}
	}
	return all.String()
}
