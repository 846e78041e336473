package ui

import (
	"fmt"
	"strconv"
	"strings"
)

// Counted gives "1 dialogue", "2 dialogues".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Inert keeps a cell from being run as a formula, and from acting on a terminal that shows the file. A number is no
// formula, nor is a sign alone, such as the "-" of standard input.
func Inert(cell string) string {
	number := strings.Trim(cell, "+-.0123456789") == "" && !strings.ContainsAny(cell[min(1, len(cell)):], "+-")
	if len(cell) > 1 && !number && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
		cell = "'" + cell
	}
	return Visible(cell)
}

// Escape makes s plain text in Markdown: no markup (CommonMark 2.4), no HTML, no cell border.
func Escape(s string) string { return markup.Replace(Visible(s)) }

var markup = func() *strings.Replacer {
	pairs := []string{"&", "&amp;", "<", "&lt;", ">", "&gt;"}
	for _, c := range "\\`*_{}[]#|~!" {
		pairs = append(pairs, string(c), `\`+string(c))
	}
	return strings.NewReplacer(pairs...)
}()

// Percent gives part of whole with one decimal, such as "12.5 %"; "–" where there is no whole.
func Percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}
