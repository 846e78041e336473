package page

import (
	"fmt"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/report"
)

// count prints a number of things with a comma between the thousands.
func count(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// counted prints a number with its word: "1 dialogue", "10,000 dialogues".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}

// percent prints a part of a whole: "31.9 %"; a dash where there is no whole.
func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// fixed prints a number with a fixed count of decimals.
func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }

// unix ends lines as Unix does.
func unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// shown makes text of a transcript fit to be shown, and keeps its line breaks, which end as in Unix.
func shown(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = report.Visible(l)
	}
	return strings.Join(lines, "\n")
}
