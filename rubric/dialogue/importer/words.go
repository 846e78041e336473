package importer

import (
	"embed"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"assize/rubric/dialogue"
)

// This file holds the word lists that the readers share, and how names are compared and quoted.

// kinds returns the kind of each word, by file, whose lines have a kind, a space and a word.
var kinds = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, name := range []string{"names", "aside", "ratings", "unsaid", "notices", "times"} {
		all[name] = map[string]string{}
		for is, word := range entries(name) {
			all[name][word] = is
		}
	}
	return all
})

// kindOf returns the kind of a word in a file, or "".
func kindOf(file, word string) string { return kinds()[file][word] }

// entries yields the first word of each line of a file, and what follows.
func entries(file string) iter.Seq2[string, string] {
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
// spaces in place of spaces, underscores and hyphens, and without bold markup.
func FoldName(name string) string {
	const gaps = " _-*\t\u00a0"
	if name = strings.ToLower(name); !strings.ContainsAny(name, gaps) {
		return name // the common case
	}
	return strings.Join(
		strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(gaps, r) }), " ")
}

// textOf returns the text of a file of wordFiles.
func textOf(file string) string {
	data, err := wordFiles.ReadFile(file + ".txt")
	if err != nil {
		panic(err)
	}
	return string(data)
}

// columnWords returns the word lists of columns.txt and calls.txt by name.
var columnWords = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for _, file := range []string{"columns", "calls"} {
		for name, words := range entries(file) {
			lists[name] = append(lists[name], strings.Fields(words)...)
		}
	}
	return lists
})

// nameWords returns the words of a column's name in lower case; "#" stands for a number.
func nameWords(name string) []string {
	name = expr("humps").ReplaceAllString(
		expr("humps").ReplaceAllString(name[:min(len(name), maxName)], "$1$3 $2$4"), "$1$3 $2$4")
	name = strings.ToLower(strings.ReplaceAll(name, "#", " number "))
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

// foldColumn returns the letters and digits of a name in lower case, to compare names of columns.
func foldColumn(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name[:min(len(name), maxName)])
}

// anyIn reports whether one of the words is in a list of columns.txt.
func anyIn(words []string, list string) bool {
	return slices.ContainsFunc(words,
		func(w string) bool { return slices.Contains(columnWords()[list], w) })
}

// setAside reports whether a field is not metadata, by the words of its name and the whole name:
// ratings of the dialogue belong to its Truth, and its texts to its turns.
func setAside(name string) bool {
	parts := append(nameWords(name), foldColumn(name))
	for i, part := range parts {
		if kind := kindOf("aside", part); kind == "judgement" ||
			kind == "text" && i >= len(parts)-2 {
			return true
		}
	}
	return false
}

// isTrue parses a value of a column that holds true or false.
func isTrue(s string) (is, ok bool) {
	word := []string{strings.ToLower(s)}
	is = anyIn(word, "true")
	return is, is || anyIn(word, "false")
}

// quote returns a name of the source in quotes, shortened for use in an error.
func quote(name string) string {
	const most = 60
	if r := []rune(name[:min(len(name), 4*most)]); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strconv.Quote(dialogue.Clean(name))
}

// quoted lists names; if there are many, only the first.
func quoted(names []string) string {
	const most = 20
	var list []string
	for _, name := range names[:min(len(names), most)] {
		list = append(list, quote(name))
	}
	if len(names) > most {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// counted returns a number with its noun: "1 row", "1,808 rows".
func counted(n int, noun string) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n != 1 {
		noun += "s"
	}
	return s + " " + noun
}

// expr returns the expression of that name in forms.txt. It is compiled when it is first used,
// because compiling all of them would add 10 ms to every start.
func expr(name string) *regexp.Regexp {
	if re, ok := compiled.Load(name); ok {
		return re.(*regexp.Regexp)
	}
	if _, ok := forms()[name]; !ok {
		panic("forms.txt has no " + name)
	}
	re := regexp.MustCompile(inserted(name))
	compiled.Store(name, re)
	return re
}

var compiled sync.Map // the expressions that were used, by name

// forms returns the expressions of forms.txt by name.
var forms = sync.OnceValue(func() map[string]string {
	all, name := map[string]string{}, ""
	for line := range strings.Lines(textOf("forms")) {
		begin, expr, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if begin != "" {
			name = begin
		}
		all[name] += strings.TrimLeft(expr, " ")
	}
	return all
})

// inserted returns the expression that a name between « and » stands for.
func inserted(name string) string {
	if file, kind, isKind := strings.Cut(name, "."); isKind {
		var words []string
		for word, is := range kinds()[file] {
			if is == kind {
				words = append(words, regexp.QuoteMeta(word))
			}
		}
		slices.Sort(words)
		return strings.Join(words, "|")
	}
	return reference.ReplaceAllStringFunc(forms()[name],
		func(s string) string { return inserted(strings.Trim(s, "«»")) })
}

var reference = regexp.MustCompile(`«[^»]*»`)

// maxName is the maximum length of a speaker's name in bytes, and maxNameWords in words. "Your
// booking for four people tonight: see below" is a sentence.
const (
	maxName      = 80
	maxNameWords = 5
)
