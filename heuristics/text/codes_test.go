package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEachCode(t *testing.T) {
	for said, want := range map[string]string{
		"Order R1-77 of 4 lamps": "R1-77 | R1 77 4",
		"R1-77":                  "R1-77 | R1 77",
		"A-B and é-9":            "-9 | 9",
		"":                       " | ",
	} {
		codes := func(marks string) string {
			var list []string
			EachCode(said, marks, func(code string) { list = append(list, code) })
			return strings.Join(list, " ")
		}
		assert.Equal(t, want, codes("-")+" | "+codes(""), said)
	}
}

func TestCodesOfOneKind(t *testing.T) {
	for _, tt := range []struct {
		one, other    string
		alike, series bool
	}{
		{"FW-9", "FW-99", true, true},
		{"B12", "C7", true, false},
		{"AB12", "CD34", true, false},
		{"AB12", "CD345", false, false},
		{"AB12", "C345", false, false},
		{"A1B2", "A9", false, false},
		{"A1", "A22", true, false},
		{"FW", "FW", true, false},
		{"1234", "5678", true, false},
		{"1234", "567", false, false},
	} {
		assert.Equal(t, tt.alike, CodesAlike(tt.one, tt.other), "%s and %s", tt.one, tt.other)
		assert.Equal(t, tt.alike, CodesAlike(tt.other, tt.one), "%s and %s", tt.other, tt.one)
		assert.Equal(t, tt.series, OfSeries(tt.one, tt.other), "%s and %s", tt.one, tt.other)
	}
	assert.True(t, IsMixed("x1"))
	assert.False(t, IsMixed("x") || IsMixed("1") || IsMixed(""))
}

func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"cancelOrder2": "cancel order", "get_HTTPStatus": "get httpstatus", "café4Two": "café two",
		"X": "x", "": "",
	} {
		var words []string
		EachWord(name, func(w string) { words = append(words, w) })
		assert.Equal(t, want, strings.Join(words, " "), name)
	}
	assert.Equal(t, " i paid 3000 for it it s fine ", Spaced("I paid 3,000 for IT. It’s fine!"))
}

// Numbers that refer to something, and not years or times.
func TestReferences(t *testing.T) {
	for said, want := range map[string]string{
		"call 4471 or 447":          "4471 code",
		"in 1999, 2026 or 19992":    "19992 code, 19992 reference",
		"order AB123 of 12:30":      "AB123 reference, 12:30 code",
		"see https://a.example now": "https code",
		"ask anna@shop.example":     "anna code",
		"anna@ and @shop":           "",
	} {
		turn := Turn{Text: said}
		turn.Tokens = Vocabulary{}.Tokenise(&turn, nil)
		var got []string
		for k, tok := range turn.Tokens {
			if turn.IsCode(tok) {
				got = append(got, turn.Word(k)+" code")
			}
			if turn.IsReference(tok) {
				got = append(got, turn.Word(k)+" reference")
			}
		}
		assert.Equal(t, want, strings.Join(got, ", "), said)
	}
}
