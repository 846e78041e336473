package ui

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jedib0t/go-pretty/v6/text"

	"assize/rubric"
)

// A transcript is written by strangers. Its text may be shown, but it must have no effect: no
// escape sequence may reach a terminal, no cell may be a formula, and no invisible character may
// change the order of the text.

// Visible returns s with every character that affects a terminal made visible: ESC as ␛, a
// character that changes the direction of text as \u202e. Line breaks and tabs become spaces.
func Visible(s string) string {
	if strings.IndexFunc(s,
		func(r rune) bool { return r == unicode.ReplacementChar || !shown(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s { // bytes that are not UTF-8 arrive as U+FFFD
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		case r > 0xffff && !shown(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case !shown(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ByLine returns s with each line escaped by harmless.
func ByLine(s string, harmless func(string) string) string {
	return strings.Join(Each(strings.Split(s, "\n"), harmless), "\n")
}

// shown reports whether r may be printed unchanged, as may the joiners of emoji and of scripts.
func shown(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7f, r == 0x200c, r == 0x200d:
		return true
	case r < 0xa0, r == 0x061c, r == 0x2028, r == 0x2029, r == 0xfeff:
		return false
	}
	return !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Co, r)
}

// Cells returns the width of s in terminal columns.
func Cells(s string) int { return text.StringWidthWithoutEscSequences(s) }

// wrap breaks s at spaces into lines of at most columns. Longer words are broken.
func wrap(s string, columns int) (lines []string) {
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		n := Cells(word)
		if line != "" && used+1+n <= columns {
			line, used = line+" "+word, used+1+n
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for ; n > columns; n = Cells(word) {
			_, first := utf8.DecodeRuneInString(word) // make progress even if nothing fits
			head := max(clipAt(word, columns), first)
			lines, word = append(lines, word[:head]), word[head:]
		}
		line, used = word, n
	}
	return append(lines, line)
}

// Clip shortens s to at most columns; "…" marks the cut. An escape sequence counts like other text,
// whereas text.Snip would ignore it regardless of its length.
func Clip(s string, columns int) string {
	if Cells(s) <= columns {
		return s
	}
	return s[:clipAt(s, columns-1)] + "…"
}

// ClipFront is like Clip but cuts the beginning, for paths, between folders if possible.
func ClipFront(s string, columns int) string {
	if Cells(s) <= columns {
		return s
	}
	from := len(s)
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:from])
		if columns -= text.RuneWidth(r); columns < 1 { // one column is for the "…"
			break
		}
		from -= size
	}
	tail := s[from:]
	return "…" + tail[max(strings.IndexByte(tail, '/'), 0):]
}

// clipAt returns the length in bytes of the longest prefix of s that fits.
func clipAt(s string, columns int) int {
	for i, r := range s {
		if columns -= text.RuneWidth(r); columns < 0 {
			return i
		}
	}
	return len(s)
}

// Pad pads s with spaces on the right to the given width.
func Pad(s string, columns int) string { return s + strings.Repeat(" ", max(columns-Cells(s), 0)) }

// Word returns s as a word of a command, in quotes if a shell would change it.
func Word(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:+%@"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Counted returns a number with a noun: "1 dialogue", "2 dialogues".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Nonzero lists the counts that are not 0, each after a comma. A number precedes what it counts.
func Nonzero(pairs ...any) (s string) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[0] != 0 {
			s += fmt.Sprintf(", %d %s", pair...)
		}
	}
	return s
}

// Stdin is the name of standard input and, after -o, of standard output.
const Stdin = "-"

// Sentence converts a clause to a sentence, with a capital and one full stop, unless it is empty.
func Sentence(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + strings.TrimRight(clause[size:], ". ") + "."
}

// More says how many more dialogues than n are needed for the given multiple of n.
func More(n int, times float64) string {
	more, unit := float64(n)*(times-1), 10.0
	if more > 1e6 {
		return "needs more than 1,000,000 more dialogues"
	}
	for more >= 10*unit {
		unit *= 10
	}
	return fmt.Sprintf("needs about %.0f more dialogues", unit*max(math.Ceil(more/unit), 1))
}

// Name returns the display name of a criterion: "Task success 20" for "TaskSuccess 20".
func Name(criterion string) string {
	var b strings.Builder
	for i, r := range criterion {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Sentences are the sentences that describe a result, in order.
type Sentences []string

// Add adds a sentence.
func (s *Sentences) Add(format string, a ...any) { *s = append(*s, fmt.Sprintf(format, a...)) }

// If adds a sentence if holds is set.
func (s *Sentences) If(holds bool, format string, a ...any) {
	if holds {
		s.Add(format, a...)
	}
}

// Arrow returns "80 → 60", or "80" if nothing changed.
func Arrow[T comparable](a, b T) string {
	if a == b {
		return fmt.Sprint(a)
	}
	return fmt.Sprint(a, " → ", b)
}

// First lists the first n names and how many more there are, if several: "a, b and 3 more".
func First(names []string, n int) string {
	if rest := len(names) - n; rest > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), rest)
	}
	return strings.Join(names, ", ")
}

// Is returns "is" or "are", to agree with n.
func Is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// ByFrequency returns the keys of counts, the most frequent first.
func ByFrequency(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// Counts lists what was counted, the most frequent first: "3 not-json, 1 cut-answer".
func Counts(counts map[string]int) string {
	return strings.Join(Each(ByFrequency(counts), func(name string) string {
		return fmt.Sprintf("%d %s", counts[name], name)
	}), ", ")
}

// Each returns what of returns for each element of a list, such as the names of all of them.
func Each[T, U any](list []T, of func(T) U) (all []U) {
	for _, v := range list {
		all = append(all, of(v))
	}
	return all
}

// By returns the elements of a list by their key, in their order.
func By[T any, K comparable](list []T, key func(T) K) map[K][]T {
	all := map[K][]T{}
	for _, v := range list {
		k := key(v)
		all[k] = append(all[k], v)
	}
	return all
}

// Sum returns the sum of counts.
func Sum(counts []int) (sum int) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// Without returns a list without the elements for which drop returns true.
func Without[T any](list []T, drop func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

// Distinct returns the different elements of a list, in the order of the first of each.
func Distinct[T comparable](list []T) []T { return Once(list, func(v T) T { return v }) }

// Once returns the elements of a list, of those with the same key only the first.
func Once[T any, K comparable](list []T, key func(T) K) []T {
	seen := map[K]bool{}
	return Without(list, func(v T) bool {
		k := key(v)
		again := seen[k]
		seen[k] = true
		return again
	})
}

// Percent returns the percentage with one decimal, halves up: "12.5 %", or "–" if whole is 0.
func Percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	tenths := (2*1000*part + whole) / (2 * whole)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// EscapeFormula prevents a cell from being run as a formula, and from affecting a terminal that
// shows the file. Numbers are no formulas, nor is a single character such as the "-" of standard
// input. What is escaped already stays as it is.
func EscapeFormula(cell string) string {
	_, err := strconv.ParseFloat(cell, 64)
	// some programs fold wide characters, and split cells at a semicolon
	begins := func(s string) bool {
		first, size := utf8.DecodeRuneInString(strings.TrimLeft(s, " "))
		return len(s) > size && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first)
	}
	if err != nil && begins(cell) {
		cell = "'" + cell
	}
	for _, sign := range "=+-@" { // after a separator
		cell = strings.ReplaceAll(cell, ";"+string(sign), ";'"+string(sign))
	}
	return Visible(cell)
}

var sides = strings.NewReplacer("SYSTEM", "agent", "USER", "customer")

// PlainRoles returns a text of the program with the names that people have for the two sides.
func PlainRoles(text string) string { return sides.Replace(text) }

// Escape returns s as plain text for Markdown: no markup (CommonMark 2.4), no HTML, no cell border,
// no address that becomes a link, and no mention of anybody or reference to an issue.
func Escape(s string) string {
	return markup.Replace(live.ReplaceAllString(Visible(s), "${0}\u200b"))
}

// live matches the beginning of what GitHub and GitLab make a link even where it is escaped. What
// follows must not stand next to it.
var live = regexp.MustCompile(`:/|(?i:\bwww\b|\bG[HL]-\b)|@|[#%&]"?\b`)

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `\`, `\\`, "`", "\\`", "*",
	`\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`, "#", `\#`, "|", `\|`, "~", `\~`,
	"!", `\!`, "$", `\$`, "\u200b", "&#8203;")

// WriteJSON writes a value as JSON followed by a newline, indented by indent unless that is empty.
// Nothing in it affects a terminal or HTML.
func WriteJSON(w io.Writer, v any, indent string) error {
	var opts []json.Options
	if indent != "" {
		opts = append(opts, jsontext.WithIndent(indent))
	}
	_, err := w.Write(append(rubric.AppendJSON(nil, v, opts...), '\n'))
	return err
}
