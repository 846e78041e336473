package stream

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMended(t *testing.T) {
	for in, want := range map[string]string{
		"CafÃ© Nord":                               "Café Nord",
		"â€œÃ\u0081vilaâ€\u009d":                   "“Ávila”",
		"Yes â\u0080\u0093 weâ\u0080\u0099re open": "Yes – we’re open",
		"itâ€™s":                                   "it’s",
		"ð\u009f\u0099\u0082":                      "🙂",
		"ÐŸÑ€Ð¸Ð²ÐµÑ‚":                             "Привет",
	} {
		got, is := mended(in)
		assert.True(t, is, in)
		assert.Equal(t, want, got)
	}
	for _, s := range []string{"Café", "naïve", "NÃO", "Привет", "plain", "Ã", "Ã© and 🙂", "São",
		"5 × 3", "ÄÖÜ äöü ß", "français à Âge", ""} {
		got, is := mended(s)
		assert.False(t, is, s)
		assert.Equal(t, s, got)
	}
}
