package page

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// UnmarshalJSON reads what MarshalJSON writes.
func (p *piece) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &p.Text)
	}
	list := []any{}
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	p.Text, p.Tone = list[0].(string), list[1].(string)
	for _, n := range list[2:] {
		p.Quotes = append(p.Quotes, int(n.(float64)))
	}
	return nil
}

func quoted(number int, text, tone string, followed bool) mark {
	return mark{Quote: rubric.Quote{Turn: 1, Text: text}, number: number, tone: tone, followed: followed}
}

func TestPieces(t *testing.T) {
	for _, tt := range []struct {
		reason string
		text   string
		quotes []mark
		want   string
	}{
		{"no quote", "no harm done", nil, `["no harm done"]`},
		{"one in the middle", "no harm done", []mark{quoted(3, "harm", "low", true)}, `["no ",["harm","low",3]," done"]`},
		{"the whole", "no", []mark{quoted(0, "no", "good", true)}, `[["no","good",0]]`},
		{"an ellipsis is no word of the turn", "well, I said so", []mark{quoted(1, "well, I…", "fair", true)}, `[["well, I","fair",1]," said so"]`},
		{"two overlap; the lowest tone counts", "a b c", []mark{quoted(1, "a b", "good", true), quoted(2, "b c", "low", true)}, `[["a ","good",1],["b","low",1,2],[" c","low",2]]`},
		{"what did not count has no tone", "a b", []mark{quoted(1, "a", "low", false)}, `[["a","",1]," b"]`},
		{"words that are not there", "a b", []mark{quoted(1, "c", "low", true)}, `["a b"]`},
		{"control signs are shown, line breaks kept", "a\x1b\r\nb", []mark{quoted(1, "b", "low", true)}, `["a␛\n",["b","low",1]]`},
	} {
		got, err := json.Marshal(pieces(tt.text, tt.quotes))
		require.NoError(t, err)
		assert.Equal(t, tt.want, string(got), tt.reason)
	}
	assert.Empty(t, pieces("", nil))
}

func TestClipped(t *testing.T) {
	assert.Equal(t, "short", clipped("short"))
	long := clipped(strings.Repeat("é", mostTurn))
	assert.True(t, strings.HasSuffix(long, "é… (10,000 more bytes)"), long[len(long)-40:])
	assert.True(t, utf8.ValidString(long))
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
		made := turn{Pieces: pieces(text, []mark{quoted(0, one, "low", true), quoted(1, two, "good", false)})}
		if got := said(made); got != whole {
			t.Errorf("got %q, want %q", got, whole)
		}
	})
}
