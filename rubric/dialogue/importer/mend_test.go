package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/stream"
)

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

// TestNamesElsewhere reads a table in which one of Options.SystemNames speaks, but not in every
// dialogue: those without it have only one side.
func TestNamesElsewhere(t *testing.T) {
	const rows = "id,author,text\n1,Ola,a\n1,Desk,b\n2,Ola,c\n2,Zed,d\n"
	opt := Options{SystemNames: []string{"Zed", "Ann"}}
	want := `
table 1 at 2: Ola=USER*1 Desk=USER*1
  USER "a"
  USER "b"
table 2 at 4: Ola=USER*1 Zed=SYSTEM*1
  USER "c"
  SYSTEM "d"
`
	got := dump(strings.NewReader(rows), "f", opt)
	assert.Equal(t, strings.TrimPrefix(want, "\n"), got)
	got = dump(strings.NewReader(strings.ReplaceAll(rows, "Zed", "Zett")), "f", opt)
	assert.Equal(t, 2, strings.Count(got, "no speaker is called as --system-name says"), got)
}

// TestNamesNobodyForesaw checks that the words of a speaker with an unusual name are never silently
// those of the turn above.
func TestNamesNobodyForesaw(t *testing.T) {
	for _, name := range []string{"Zoë", "d'Arcy", "O'Neil-Smith", "Customer #4411", "visitor-8831",
		"k_lee", "Lee, Kim J.", "李雷", "Søren Dahl III", "tom & jerry", "Will Price", "Sunny Day",
		"Art Price", "Bill Order", "Maria-José da Silva", "@zoe.k", "+1 (555) 010-7788",
		"Zoe K. [Guest]", "Zoe (Berlin)", "Zoe | Sales", "🙂 Zoe", "Mr. T", "Anonymous Owl"} {
		for _, text := range []string{
			"Agent: Hello.\nCustomer: It is late.\n" + name + ": I have the same problem here.\n" +
				"Agent: I see.\n",
			"Agent: Hello.\n" + name + ": My parcel is late.\nAgent: Since when?\n" + name +
				": It is due since Monday.\n",
			"[12/06/2024, 10:15] Agent: Hello.\n[12/06/2024, 10:16] " + name + ": It is late.\n",
			"Jun 12, 2024  10:15:00 AM\nMe\nHello.\n\nJun 12, 2024  10:16:00 AM\n" + name +
				"\nIt is late.\n\n",
		} {
			var notes strings.Builder
			opt := Options{Note: func(s string) { notes.WriteString(s) }}
			got := dump(strings.NewReader(text), "f", opt) + notes.String()
			assert.Contains(t, got, name, text)
		}
	}
}

// TestHeadsAreNames checks that a sentence that ends with a time is not the name above a message.
func TestHeadsAreNames(t *testing.T) {
	runReadCases(t, Chat, []readCase{{"a time at the end of a sentence",
		"Agent  0:03\nHello.\n\nCustomer  0:10\nIs it open?\n\nAgent  0:15\nYes. It closes today " +
			"at 4:30 pm\n\nCustomer  0:20\nSee you at 3:15\n", Options{}, `
chat 1 at 1: Agent=SYSTEM*2 Customer=USER*2
  SYSTEM "Hello."
  USER "Is it open?"
  SYSTEM "Yes. It closes today at 4:30 pm"
  USER "See you at 3:15"
`}})
}

// TestHeadsInCells checks that in a cell whose messages have a name and a time above them, a name
// may end in brackets, and a line of a message with a colon is no speaker.
func TestHeadsInCells(t *testing.T) {
	got := dump(strings.NewReader("Case,Conversation\nc1,\"Visitor 10:00 AM\nIs it open?\n"+
		"Rob (night) 10:01 AM\nYes. Which code?\nVisitor 10:02 AM\nI just did: HB-27\n"+
		"Rob (night) 10:03 AM\nThanks.\"\n"), "f", Options{})
	assert.Contains(t, got, "Visitor=USER*2 Rob (night)=SYSTEM*2")
	assert.Contains(t, got, `USER "I just did: HB-27"`)
}

// TestColumnsOfNames checks that columns with names of a user and a team are not taken for a
// question and its answer.
func TestColumnsOfNames(t *testing.T) {
	got := dump(strings.NewReader(`{"kind":"x","post":{"team":"t","user":"vera","message":"Hi you"}}
{"kind":"x","post":{"team":"t","user":"otto","message":"Hello there"}}`), "f", Options{})
	assert.NotContains(t, got, "vera=")
	assert.NotContains(t, got, "SYSTEM \"t\"")
	assert.Contains(t, dump(strings.NewReader("[LINE] Chat with Vera\n\nAgent: Hello.\nUser: Hi.\n"),
		"f", Options{}), `USER "Hi."`)
}

// TestStampedLines checks that JSON lines may have a time before their objects, as logs have.
func TestStampedLines(t *testing.T) {
	runReadCases(t, "lex", []readCase{{"a log stream as it is stored",
		`2026-03-02T09:15:12.000Z {"inputTranscript":"Is it open?","sessionId":"s","requestId":"a",` +
			`"messages":[{"content":"Yes."}]}` + "\n" +
			`2026-03-02T09:16:00.000Z {"inputTranscript":"Until when?","sessionId":"s","requestId":` +
			`"b","messages":[{"content":"Six."}]}`, Options{}, `
lex 1 (s) at 1: user=USER*2 assistant=SYSTEM*2
  USER "Is it open?"
  SYSTEM "Yes."
  USER "Until when?"
  SYSTEM "Six."
`}})
	in := `[{"id":"c-9","messages":[` + strings.Repeat(`{"role":"user","content":"a"},`, 5000) +
		`{"role":"user","content":"a"}]},{"messages":[{"role":"user","content":"b"}]}]`
	got := dump(strings.NewReader(in), "f", Options{MaxDialogue: 1})
	assert.Contains(t, got, `f:1: dialogue 1: "c-9" has more than 1 MiB or 5,000 turns`)
	assert.Contains(t, got, `USER "b"`)
}

// TestSidesApart checks that an empty cell is no answer where rows have words of one side.
func TestSidesApart(t *testing.T) {
	runReadCases(t, stream.Table, []readCase{{"one row has both",
		"Session ID,User message,Bot message\ns1,Is it open now?,\ns1,,\"Yes, until six.\"\n" +
			"s1,And on Sunday please?,From noon.\ns1,,Anything else today?\ns1,No thank you.,\n",
		Options{}, `
table 1 (s1) at 2: user=USER*3 assistant=SYSTEM*3
  USER "Is it open now?"
  SYSTEM "Yes, until six."
  USER "And on Sunday please?"
  SYSTEM "From noon."
  SYSTEM "Anything else today?"
  USER "No thank you."
`}})
	runReadCases(t, stream.Subtitles, []readCase{{"SBV", "0:00:01.000,0:00:04.000\nAgent: Hello.\n\n" +
		"0:00:05.000,0:00:07.000\nCustomer: Hi, it is late.\n", Options{}, `
subtitles 1 at 2: Agent=SYSTEM*1 Customer=USER*1
  SYSTEM "Hello."
  USER "Hi, it is late."
`}})
}
