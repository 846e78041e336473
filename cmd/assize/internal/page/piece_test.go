package page

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
)

// said puts the pieces of a turn together again.
func said(t turn) string {
	var b strings.Builder
	for _, p := range t.Pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

func quoted(number int, words string, score rubric.Score) quote {
	return quote{Number: number, words: words, score: score}
}

func TestPieces(t *testing.T) {
	for _, tt := range []struct {
		reason string
		text   string
		quotes []quote
		want   []piece
	}{
		{"no quote", "no harm done", nil, []piece{{Text: "no harm done"}}},
		{"one in the middle", "no harm done", []quote{quoted(3, "harm", 20)},
			[]piece{{Text: "no "}, {"harm", []int{3}, 20}, {Text: " done"}}},
		{"the whole", "no", []quote{quoted(0, "no", 100)}, []piece{{"no", []int{0}, 100}}},
		{"an ellipsis is no word of the turn", "well, I said so", []quote{quoted(1, "well, I…", 60)},
			[]piece{{"well, I", []int{1}, 60}, {Text: " said so"}}},
		{"two overlap; the lowest score counts", "a b c", []quote{quoted(1, "a b", 100), quoted(2, "b c", 20)},
			[]piece{{"a ", []int{1}, 100}, {"b", []int{1, 2}, 20}, {" c", []int{2}, 20}}},
		{"what did not count has no score", "a b", []quote{quoted(1, "a", 0)}, []piece{{"a", []int{1}, 0}, {Text: " b"}}},
		{"words that are not there", "a b", []quote{quoted(1, "c", 20)}, []piece{{Text: "a b"}}},
		{"control signs are shown, line breaks kept", "a\x1b\r\nb", []quote{quoted(1, "b", 20)},
			[]piece{{Text: "a␛\n"}, {"b", []int{1}, 20}}},
	} {
		assert.Equal(t, tt.want, pieces(tt.text, tt.quotes), tt.reason)
	}
	assert.Empty(t, pieces("", nil))
}

// However quotes lie, a turn says the same with its marks as without.
func FuzzPieces(f *testing.F) {
	f.Add("no harm done", "harm", "no harm")
	f.Add("a\nb\u202ec", "b\u202e", "…")
	f.Add("a\r\r\nb\r\n", "a\r", "b\r")
	f.Fuzz(func(t *testing.T, text, one, two string) {
		if !utf8.ValidString(text) || !utf8.ValidString(one) || !utf8.ValidString(two) {
			t.Skip("turns and quotes are UTF-8")
		}
		whole := shown(strings.ReplaceAll(text, "\r\n", "\n"))
		made := turn{Pieces: pieces(text, []quote{quoted(0, one, 20), quoted(1, two, 0)})}
		if got := said(made); got != whole {
			t.Errorf("got %q, want %q", got, whole)
		}
	})
}
