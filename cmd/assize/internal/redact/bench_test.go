package redact

import (
	"strings"
	"testing"

	"assize/rubric/dialogue"
)

// One operation masks a hostile turn of 1 MB. Each took minutes when the words before a number were read anew for
// every number; the time has to grow with the length alone.
func BenchmarkMaskHostileTurn(b *testing.B) {
	for _, part := range []string{
		"account 12345678 ", "12345678 ", "1 2 3 4 5 6 7 8 9 ", "5-", "(0", "+1 ", "@1.1.", "ann@example.org ", "a dot b at ",
		"4111 1111 1111 1112 ", "GB82 WEST 1234 5698 7654 33 ", "order 12345678 account ", "£         1234567",
		"account 12, phone 07700 900123, order $ 1234567890 of x@y.example ",
	} {
		b.Run(part, func(b *testing.B) {
			text := strings.Repeat(part, 1<<20/len(part))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				dialogueTurns([]dialogue.Turn{{Text: text}})
			}
		})
	}
}
