package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
)

func TestMended(t *testing.T) {
	for in, want := range map[string]string{
		"CafÃ© Nord": "Café Nord",
		"Yes â\u0080\u0093 weâ\u0080\u0099re open": "Yes – we’re open",
		"itâ€™s":              "it’s",
		"ð\u009f\u0099\u0082": "🙂",
		"ÐŸÑ€Ð¸Ð²ÐµÑ‚":        "Привет",
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

// TestAdviceWorks checks that following the advice in an error makes the file readable.
func TestAdviceWorks(t *testing.T) {
	messenger := `{"participants":[{"name":"Ola"},{"name":"CafÃ© Nord"}],` +
		`"messages":[{"sender_name":"CafÃ© Nord","timestamp_ms":1700000060000,` +
		`"content":"Yes"},{"sender_name":"Ola","timestamp_ms":1700000000000,"content":"Is the ` +
		`cafÃ© open?"}]}`
	telegram := `{"messages":[{"type":"message","date_unixtime":"1714557600","from":"Ola",` +
		`"text":"Is the café open?"},` +
		`{"type":"message","date_unixtime":"1714557660","from":"Café Nord",` +
		`"text":[{"type":"bold","text":"Ye"},{"type":"link","text":"s"}]}]}`
	people := `{"messages":[{"role":"Ola","content":"Is the café open?"},{"role":"Café Nord",` +
		`"content":"Yes"}]}`
	chat := "1/2/24, 10:00 - Ola: Is the café open?\n1/2/24, 10:01 - Café Nord: Yes\n"
	for _, c := range []struct {
		in, advice string
		opt        Options
	}{
		{messenger, `--system-name NAME, where NAME is one of "Ola", "Café Nord"`,
			Options{SystemNames: []string{"Café Nord"}}},
		{telegram, `--system-name NAME, where NAME is one of "Ola", "Café Nord"`,
			Options{SystemNames: []string{"Café Nord"}}},
		{people, `--role-map NAME=system,NAME=user, where NAME is one of "Ola", "Café Nord"`,
			Options{Roles: map[string]dialogue.Role{"Ola": dialogue.User,
				"Café Nord": dialogue.System}}},
		{chat, `--system-name NAME, where NAME is one of "Ola", "Café Nord"`,
			Options{SystemNames: []string{"Café Nord"}}},
	} {
		for _, err := range Read(strings.NewReader(c.in), "f", Options{}) {
			assert.ErrorContains(t, err, c.advice, c.in)
		}
		var got []dialogue.Turn
		for s, err := range Read(strings.NewReader(c.in), "f", c.opt) {
			assert.NoError(t, err, c.in)
			got = append(got, s.Dialogue.Turns...)
		}
		assert.Equal(t,
			[]dialogue.Turn{{Role: dialogue.User, Text: "Is the café open?"},
				{Role: dialogue.System, Text: "Yes"}}, got, c.in)
	}
}

func TestNothing(t *testing.T) {
	runReadCases(t, Plain, []readCase{
		{"what programs write for no text, of the SYSTEM alone", "user: a\nassistant: None\n" +
			"tool: b\nassistant: null\nassistant: None of them\nuser: None\n", Options{}, `
plain 1 at 1: user=USER*2 tool=OTHER*1 assistant=SYSTEM*1
  USER "a"
  OTHER "b"
  SYSTEM "None of them"
  USER "None"
`},
	})
}

// TestMissedNames checks that Options.SystemNames cause an error if they make several people all
// the USER.
func TestMissedNames(t *testing.T) {
	read := func(in string) (speakers []dialogue.Speaker, err error) {
		for s, e := range Read(strings.NewReader(in), "f", Options{SystemNames: []string{"Zed"}}) {
			speakers, err = append(speakers, s.Source.Speakers...), e
		}
		return speakers, err
	}
	for _, in := range []string{"[10:00] Ola: a\n[10:01] Bakery: b\n",
		"[10:00] Ola: a\n[10:01] Customer: b\n", "Ola: a\nTom: b\nOla: c\nTom: d\n"} {
		_, err := read(in)
		assert.ErrorContains(t, err, "no speaker is called as --system-name says", in)
		assert.ErrorContains(t, err, `"Ola"`, in)
	}
	for in, assumed := range map[string]int{
		"[10:00] Ola: a\n": 1, "[10:00] Ola: a\n[10:01] Zed: b\n": 1, "[10:00] Ola: a\n[10:01] " +
			"Agent: b\n": 1,
		"[10:00] Customer: a\n[10:01] Agent: b\n": 0, "Customer: a\nAgent: b\n": 0,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`: 0,
	} {
		speakers, err := read(in)
		assert.NoError(t, err, in)
		n := 0
		for _, s := range speakers {
			if s.Assumed {
				n++
			}
		}
		assert.Equal(t, assumed, n, in)
	}
}
