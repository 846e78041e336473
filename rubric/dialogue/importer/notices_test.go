package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer/lex"
)

// TestStamps reads the times of messages in the forms of many countries, and rejects unknown ones:
// a time is never a speaker.
func TestStamps(t *testing.T) {
	for _, line := range []string{
		"20/6/2017, 8:28\u00a0p.\u00a0m. - ", "20/6/2017 8:28 p. m. - ", "20/06/17, " +
			"20:28\u202fPM - ", "20.06.17, 20:28 Uhr - ",
		"20.06.2017 um 20:28 Uhr - ", "17. 6. 20. 오후 8:28, ", "2017. 6. 20. 오후 8:28, ", "2017년 6" +
			"월 20일 오후 8:28, ",
		"2017/6/20 下午8:28 - ", "2017年6月20日 20:28 - ", "2017. 06. 20. 20:28 - ", "20.6.2017 klo " +
			"20.28 - ", "20/06/2017 à 20:28 - ",
		"20/06/2017 às 20:28 - ", "20.06.17 г., 20:28 ч. - ", "2017-06-20 kl. 20:28 - ",
		"[20.06.17, 20:28:11 Uhr] ",
		"[20/6/17 20:28:11] ", "\u200e[20/6/17, 8:28:11\u202fPM] ", "20/06/17, 20:28 h - ",
		"2017. 06. 20. 20:28 óra - ",
	} {
		var got []string
		in := line + "Ola: Hi\n" + line + "Bakery: Yes: six.\n" + line + "Ola: Thanks\n"
		for s, err := range Read(strings.NewReader(in), "f",
			Options{SystemNames: []string{"Bakery"}}) {
			if assert.NoError(t, err, line) {
				for _, turn := range s.Dialogue.Turns {
					got = append(got, turn.Role.String()+" "+turn.Text)
				}
			}
		}
		assert.Equal(t, []string{"USER Hi", "SYSTEM Yes: six.", "USER Thanks"}, got, line)
	}
	for _, line := range []string{"20 Juni 2017, 20:28 - ", "Tue 20:28 ", "kell 20:28 ",
		"2017-06-20 ", "20h28 - ", "~20/6/17 20:28~ "} {
		in := line + "Ola: Hi\n" + line + "Bakery: Yes: six.\n" + line + "Ola: Thanks\n"
		for s, err := range Read(strings.NewReader(in), "f", Options{}) {
			if assert.Error(t, err, "%s%v", line, s.Source.Speakers) {
				assert.NotContains(t, err.Error(), "unknown speaker", line)
			}
		}
	}
}

func TestKoreanTimesAreInOrder(t *testing.T) {
	a, okA := lex.ParseTime("17. 6. 30. 오후 12:28")
	b, okB := lex.ParseTime("17. 7. 1. 오전 8:28")
	c, okC := lex.ParseTime("2017-06-30 12:28")
	assert.True(t, okA && okB && okC)
	assert.Less(t, a.EU, b.EU)
	assert.Equal(t, c.EU, a.EU)
	assert.Equal(t, c.US, a.US)
}

func TestGroupEvents(t *testing.T) {
	runReadCases(t, Chat, []readCase{
		{"an event with a colon in the name of the group", "[10:00] Ola: a\n[10:01] Ola created " +
			"group “Bakery: open”\n[10:02] Bakery: b\n",
			Options{SystemNames: []string{"Bakery"}}, `
chat 1 at 1: Ola=USER*1 Bakery=SYSTEM*1
  USER "a"
  OTHER "Ola created group “Bakery: open”"
  SYSTEM "b"
`},
	})
}

// TestChatIsQuick reads a megabyte of text that resembles times and notices.
func TestChatIsQuick(t *testing.T) {
	const size = 1 << 20
	for _, s := range []string{"<a \n", "a.b (\n", "12/03/24, 10:15 a",
		"[10:00] Ola: <Media omitted>\n", "10:00 오후 ", "Voice call, \n", "1. 2. 3. "} {
		for range Read(strings.NewReader("[10:00] Ola: a\n"+strings.Repeat(s, size/len(s))), "f",
			Options{MaxDialogue: 64}) {
		}
	}
}
