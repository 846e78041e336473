// Package lex reads the smallest things in a source: words, times, ratings and JSON values.
//
//	Which words are roles, ratings, notices or headings?    *.txt: Kind, Lists, In
//	Which forms have names, stamps and lines?               forms.txt: Expr, Match
//	How are names compared, and quoted?                     lex.go: FoldName, FoldColumn, Quote
//	Which field is not metadata?                            lex.go: SetAside
//	What is reported about a file?                          messages.txt: Problem, Text
//	What is a time, and does the month or the day come first?  times.go: ParseTime, DateOrder
//	What is a rating?                                       times.go: ParseRatings
//	What is at a place in JSON, and what is its text?       json.go: Paths, HTMLText
package lex

import (
	"embed"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/forms"
)

// kinds returns the kind of each word, by file, whose lines have a kind, a space and a word.
var kinds = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, name := range []string{"names", "aside", "ratings", "unsaid", "notices", "times"} {
		all[name] = map[string]string{}
		for is, word := range Entries(name) {
			all[name][word] = is
		}
	}
	return all
})

// Kind returns the kind of a word in a file, or "".
func Kind(file, word string) string { return kinds()[file][word] }

// Entries yields the first word of each line of a file, and what follows.
func Entries(file string) iter.Seq2[string, string] {
	return func(yield func(first, rest string) bool) {
		for line := range strings.Lines(textOf(file)) {
			first, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
			if ok && first != "#" && !yield(first, rest) {
				return
			}
		}
	}
}

//go:embed *.txt
var wordFiles embed.FS

// FoldName returns the form in which the names of speakers are compared: lower case, with single
// spaces in place of spaces, underscores and hyphens, without bold markup and invisible characters.
func FoldName(name string) string {
	isGap := func(r rune) bool { return r == '_' || r == '-' || r == '*' || unicode.IsSpace(r) }
	if name = strings.ToLower(Visible(name)); !strings.ContainsFunc(name, isGap) {
		return name // the common case
	}
	return strings.Join(strings.FieldsFunc(name, isGap), " ")
}

// IsInvisible reports whether a character is invisible, as U+200B, U+FEFF and a soft hyphen are.
func IsInvisible(r rune) bool {
	return r > unicode.MaxASCII && unicode.In(r, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point)
}

// Visible returns a name without invisible characters.
func Visible(name string) string {
	return strings.Map(func(r rune) rune {
		if IsInvisible(r) {
			return -1
		}
		return r
	}, name)
}

// textOf returns the text of a file of wordFiles.
func textOf(file string) string {
	data, err := wordFiles.ReadFile(file + ".txt")
	if err != nil {
		panic(err)
	}
	return string(data)
}

// Lists returns the word lists of columns.txt and calls.txt by name.
var Lists = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for _, file := range []string{"columns", "calls"} {
		for name, words := range Entries(file) {
			lists[name] = append(lists[name], strings.Fields(words)...)
		}
	}
	return lists
})

// NameWords returns the words of a column's name in lower case; "#" stands for a number.
func NameWords(name string) []string {
	name = Expr("humps").ReplaceAllString(
		Expr("humps").ReplaceAllString(name[:min(len(name), MaxName)], "$1$3 $2$4"), "$1$3 $2$4")
	name = strings.ToLower(strings.ReplaceAll(Visible(name), "#", " number "))
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

// FoldColumn returns the letters and digits of a name in lower case, to compare names of columns.
func FoldColumn(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z': // the common case
			return r
		case IsInvisible(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return -1
		}
		return unicode.ToLower(r)
	}, name[:min(len(name), MaxName)])
}

// In reports whether a word is in one of the lists of those names; see [Lists].
func In(word string, lists ...string) bool {
	isIn := func(list string) bool { return slices.Contains(Lists()[list], word) }
	return slices.ContainsFunc(lists, isIn)
}

// AnyIn reports whether one of the words is in one of the lists.
func AnyIn(words []string, lists ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return In(w, lists...) })
}

// NameHas reports whether one of the words of a name is in the list of that name.
func NameHas(name, list string) bool { return AnyIn(NameWords(name), list) }

// PlainID returns an id without invisible characters, and as it was before a spreadsheet made it a
// number: 101 for 101.0.
func PlainID(id string) string { return Expr("point-zero").ReplaceAllString(Visible(id), "$1") }

// SetAside reports whether a field is not metadata, by the words of its name and the whole name:
// ratings of the dialogue belong to its Truth, and its texts to its turns.
func SetAside(name string) bool {
	parts := append(NameWords(name), FoldColumn(name))
	for i, part := range parts {
		if kind := Kind("aside", part); kind == "judgement" || kind == "text" && i >= len(parts)-2 {
			return true
		}
	}
	return false
}

// IsTrue parses a value of a column that holds true or false.
func IsTrue(s string) (is, ok bool) {
	word := strings.ToLower(s)
	is = In(word, "true")
	return is, is || In(word, "false")
}

// Quote returns a name of the source in quotes, shortened for use in an error.
func Quote(name string) string {
	const most = 60
	if r := []rune(name[:min(len(name), 4*most)]); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strconv.Quote(dialogue.Clean(name))
}

// Quoted lists names; if there are many, only the first.
func Quoted(names []string) string {
	const most = 20
	list := Each(names[:min(len(names), most)], Quote)
	if len(names) > most {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// Each returns what a function returns for each element of a list.
func Each[T, U any](list []T, of func(T) U) (all []U) {
	for _, v := range list {
		all = append(all, of(v))
	}
	return all
}

// Counted returns a number with its noun: "1 row", "1,808 rows".
func Counted(n int, noun string) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n != 1 {
		noun += "s"
	}
	return s + " " + noun
}

// Match reports whether the expression of that name in forms.txt matches a text.
func Match(name, text string) bool { return Expr(name).MatchString(text) }

// Expr returns the expression of that name in forms.txt, where names such as unsaid.tag stand for
// the words of that kind in a word file.
var Expr = forms.In(textOf("forms"), func(name string) string {
	file, kind, _ := strings.Cut(name, ".")
	var words []string
	for word, is := range kinds()[file] {
		if is == kind {
			words = append(words, regexp.QuoteMeta(word))
		}
	}
	if words == nil {
		panic("forms.txt has no " + name)
	}
	slices.Sort(words)
	return strings.Join(words, "|")
})

var messages = sync.OnceValue(func() map[string]string {
	return forms.Texts(textOf("messages"), " ")
})

// Problem returns a text and a hint of messages.txt, with values in place of {1}, {2} and so on.
func Problem(name string, values ...any) (msg, hint string) {
	text, ok := messages()[name]
	if !ok {
		panic("messages.txt has no " + name)
	}
	var pairs []string
	for i, v := range values {
		pairs = append(pairs, fmt.Sprintf("{%d}", i+1), fmt.Sprint(v))
	}
	msg, hint, _ = strings.Cut(text, " || ")
	fill := strings.NewReplacer(pairs...)
	return fill.Replace(msg), fill.Replace(hint)
}

// Text is like Problem, for a text without a hint.
func Text(name string, values ...any) string {
	text, _ := Problem(name, values...)
	return text
}

// MaxName is the maximum length of a speaker's name in bytes, and MaxNameWords in words. "Your
// booking for four people tonight: see below" is a sentence.
const MaxName, MaxNameWords = 80, 5

// WithoutThoughts returns the text of a model without its thoughts. One at the beginning may lack
// its end, if the answer was cut off, and one that ends on a line of its own its beginning.
func WithoutThoughts(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	text = Expr("thought").ReplaceAllString(text, "")
	return strings.TrimSpace(Expr("open-ended").ReplaceAllString(text, ""))
}

// WithoutStop returns a text without the marks with which simulated customers or models end it.
func WithoutStop(text string) string {
	const ends, longest = " \t\r\n\"'`*_.!", 40
	for {
		cut := strings.TrimRight(text, ends)
		if cut == "" || !strings.Contains("#>]E", cut[len(cut)-1:]) { // as nearly always
			return text
		}
		begin := max(0, len(cut)-longest)
		mark := Expr("stop-mark").FindStringIndex(cut[begin:])
		if mark == nil {
			return text
		}
		text = strings.TrimSpace(cut[:begin+mark[0]])
	}
}

// IsRatingName reports whether the words of a name indicate ratings.
func IsRatingName(words []string) bool {
	isOther := func(w string) bool { return !In(w, "rated", "whose") }
	return AnyIn(words, "rated") && !slices.ContainsFunc(words, isOther)
}

// IsNote reports whether a value in a column of kinds marks what was not said to the other side. In
// a column that has messages, it may also mark events.
func IsNote(name, value string, hasEvents bool) bool {
	is, isFlag := IsTrue(value)
	return In(FoldColumn(value), "note") ||
		In(FoldColumn(name), "audience") && In(FoldColumn(value), "for-agents") ||
		isFlag && is != NameHas(name, "shown") && NameHas(name, "aside") ||
		hasEvents && NameHas(value, "event") && !NameHas(value, "said")
}
