package ratings

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// mostListed is how many ids or names a sentence holds.
const mostListed = 5

// listed joins names: the first of them, and how many there are beyond.
func listed(names []string) string {
	if rest := len(names) - mostListed; rest > 1 {
		return strings.Join(names[:mostListed], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(names, ", ")
}

// counted is a number with the word for it.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// quote shows what stands in a file: an id or a number as it is, anything else in quotes and not too long of it.
func quote(s string) string {
	const most = 40
	if s != "" && len(s) <= most && strings.IndexFunc(s, odd) < 0 {
		return s
	}
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return strconv.Quote(s)
}

func odd(r rune) bool {
	return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("._-/#:", r)
}
