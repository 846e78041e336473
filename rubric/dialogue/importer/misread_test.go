package importer

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/stream"
)

// TestMisread reads exports that were once misread.
func TestMisread(t *testing.T) {
	const greeting = `
plain 1 at 1: Agent=SYSTEM*2 Customer=USER*1
  SYSTEM "a"
  USER "b"
  SYSTEM "c"
`
	runReadCases(t, stream.Auto, []readCase{
		{"two byte-order marks", "\ufeff\ufeffAgent: a\nCustomer: b\nAgent: c\n", Options{}, greeting},
		{"a line feed after a file of old Macs", "Agent: a\rCustomer: b\rAgent: c\r\n", Options{},
			greeting},
		{"some lines that end in \\r", "Agent: a\nCustomer: b\rAgent: c\r\r\n", Options{}, greeting},
		{"items without a speaker and a text among messages", `{"items":[{"role":"assistant",` +
			`"content":"a"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"c","output":"d"},` +
			`{"role":"user","content":"b"}]}`, Options{Columns: map[string]string{"id": "none",
			"speaker": "items[].role", "text": "items[].content"}}, `
columns 1 at 1: assistant=SYSTEM*1 user=USER*1
  SYSTEM "a"
  USER "b"
`},
		{"a condition that any value meets", "id,kind,speaker,text\n1,m,Agent,a\n1,,Agent,x\n" +
			"1,m,Customer,b\n", Options{Columns: map[string]string{"where": "kind"}}, `
table 1 at 2: Agent=SYSTEM*1 Customer=USER*1 meta [{"kind" "m"}]
  SYSTEM "a"
  USER "b"
`},
		{"messages of two chats in one list", `{"messages":[{"chatId":"a","role":"user",` +
			`"content":"1"},{"chatId":"b","role":"user","content":"2"},` +
			`{"chatId":"a","role":"assistant","content":"3"}]}`, Options{}, `
openai 1 (a) at 1: user=USER*1 assistant=SYSTEM*1
  USER "1"
  SYSTEM "3"
openai 2 (b) at 1: user=USER*1
  USER "2"
`},
		{"notices of WhatsApp for Android", "12.03.24, 14:05 - Tom (user): a\n12.03.24, 14:06 - " +
			"Tom (user): IMG.jpg (file attached)\n" +
			"12.03.24, 14:06 - Tom (user): <Media omitted>\n12.03.24, 14:06 - Tom (user): a.jpg " +
			"(file attached)\nb\n" +
			"12.03.24, 14:07 - Agent: null\n12.03.24, 14:07 - Agent: not null <This message was " +
			"edited>\n" +
			"12.03.24, 14:08 - Tom (user): Voice call, 3 min\n12.03.24, 14:08 - Tom (user): " +
			"Voice call, please", Options{}, `
chat 1 at 1: Tom (user)=USER*3 Agent=SYSTEM*1
  USER "a"
  OTHER "IMG.jpg (file attached)"
  OTHER "<Media omitted>"
  USER "b"
  OTHER "null"
  SYSTEM "not null"
  OTHER "Voice call, 3 min"
  USER "Voice call, please"
`},
		{"a role before the name, beside a third speaker",
			"id,role,text\n1,System,Please wait\n1,Customer,a\n1,Agent Anna,b\n", Options{}, `
table 1 at 2: System=OTHER*1 Customer=USER*1 Agent Anna=SYSTEM*1
  OTHER "Please wait"
  USER "a"
  SYSTEM "b"
`},
		{"what a program sends by itself, and a part that is empty",
			`{"type":"conversation","id":"7","source":{"body":"<p>a</p>",` +
				`"author":{"type":"user"}},"conversation_parts":[` +
				`{"part_type":"comment","body":"<p>b</p>","author":{"type":"bot",` +
				`"name":"Operator"}},{"part_type":"comment","body":"<p>c</p>",` +
				`"author":{"type":"bot","name":"Fin"}},` +
				`{"part_type":"close","body":"","author":{"type":"admin"}}]}`, Options{}, `
intercom 7 at 1: user=USER*1 Fin=SYSTEM*1
  USER "a"
  OTHER "b"
  SYSTEM "c"
`},
		{"a message that a rule sent", `{"id":7,"requester_id":1,"comments":[{"author_id":1,` +
			`"body":"a"},{"author_id":-1,"body":"b"},{"author_id":2,"body":"c"}]}`, Options{}, `
zendesk 7 at 1: 1=USER*1 2=SYSTEM*1
  USER "a"
  OTHER "b"
  SYSTEM "c"
`},
		{"an automatic answer to a mail", "From: Tom <t@a.example>\nDate: Tue, 12 Mar 2024 " +
			"09:05:11 +0000\nMessage-ID: <1@a>\n\na\n\n" +
			"From x Tue Mar 12 09:05:11 2024\nFrom: support@b.example\nDate: Tue, 12 Mar 2024 " +
			"10:05:11 +0000\nIn-Reply-To: <1@a>\nAuto-Submitted: auto-replied\n\nb\n", Options{}, `
mail 1 at 1: Tom=USER*1
  USER "a"
  OTHER "b"
`},
		{"messages with ids of their own", `[{"id":"m1","role":"user","content":"a"},{"id":"m2",` +
			`"role":"assistant","content":"b"},{"id":"m3","role":"user","content":"c"}]`,
			Options{}, `
table 1 at 1: user=USER*2 assistant=SYSTEM*1
  USER "a"
  SYSTEM "b"
  USER "c"
`},
		{"rows of one side, each a dialogue", `[{"id":"m1","role":"user","content":"a"},` +
			`{"id":"m2","role":"user","content":"b"}]`, Options{}, `
table 1 (m1) at 1: user=USER*1
  USER "a"
table 2 (m2) at 1: user=USER*1
  USER "b"
`},
		{"a speaker who speaks once, next to one of the same kind",
			"SPEAKER_00: a\nSPEAKER_01: b\nSPEAKER_00: c\n",
			Options{SystemNames: []string{"SPEAKER_01"}}, `
plain 1 at 1: SPEAKER_00=USER*2 SPEAKER_01=SYSTEM*1
  USER "a"
  SYSTEM "b"
  USER "c"
`},
		{"a number in the name of a third speaker",
			"Customer: Hello there.\nAgent: Hello, what is it?\n" +
				"Desk 4 – Support: And I watch.\nCustomer: All right then.\n",
			Options{}, `
! f:3: dialogue 1: unknown speaker "Desk 4 – Support"; say who it is with ` +
				`--role-map "Desk 4 – Support=system" (or =user, =other)
`},
		{"pictures before the lines of a list",
			"Customer: Hello there.\nAgent: Here is what helps.\n⚠️ Note: do not unplug it yet.\n" +
				"✅ Restart: hold the button.\nCustomer: Done.\n",
			Options{}, `
plain 1 at 1: Customer=USER*2 Agent=SYSTEM*1
  USER "Hello there."
  SYSTEM "Here is what helps.\n⚠️ Note: do not unplug it yet.\n✅ Restart: hold the button."
  USER "Done."
`},
		{"speakers of one letter", "A: a\nB: b\nA: c\n", Options{SystemNames: []string{"B"}}, `
plain 1 at 1: A=USER*2 B=SYSTEM*1
  USER "a"
  SYSTEM "b"
  USER "c"
`},
		{"options in a turn are no speakers",
			"User: a\nAgent: one of\nOption A: b\nOption B: c\nOption A: d\nUser: e\n", Options{}, `
plain 1 at 1: User=USER*2 Agent=SYSTEM*1
  USER "a"
  SYSTEM "one of\nOption A: b\nOption B: c\nOption A: d"
  USER "e"
`},
		{"a code block of tildes, whose end is no rule",
			"User: a\nBot: b\n~~~yaml\nUser: c\n~~~\nUser: d\n", Options{}, `
plain 1 at 1: User=USER*2 Bot=SYSTEM*1
  USER "a"
  SYSTEM "b\n~~~yaml\nUser: c\n~~~"
  USER "d"
`},
		{"a rule of tildes", "User: a\nBot: b\n~~~\nUser: c\nBot: d\n", Options{}, `
plain 1 at 1: User=USER*1 Bot=SYSTEM*1
  USER "a"
  SYSTEM "b"
plain 2 at 4: User=USER*1 Bot=SYSTEM*1
  USER "c"
  SYSTEM "d"
`},
		{"JSON for words in plain text", "User: a\nBot: {\"reply\":\"b\"}\nUser: c\n", Options{}, `
plain 1 at 1: User=USER*2 Bot=OTHER*1
  USER "a"
  OTHER "{\"reply\":\"b\"}"
  USER "c"
`},
		{"the head of a call that names both sides", "Call\nAgent: Jamie Reed\nCustomer: Tom " +
			"Baker\nReason: a bill\n\nCustomer: a\nAgent: Anna Kay\nCustomer: b\n", Options{}, `
plain 1 at 1: Customer=USER*2 Agent=SYSTEM*1
  USER "a"
  SYSTEM "Anna Kay"
  USER "b"
`},
		{"several chats of one case", "Id,CaseId,Body\n1,9,( 4s ) Visitor: a<br>( 1m 2s ) " +
			"Agent: b\n2,9,( 4s ) Visitor: c<br>( 8s ) Agent: d\n", Options{}, `
table 1 at 2: Visitor=USER*1 Agent=SYSTEM*1 meta [{"CaseId" "9"}]
  USER "a"
  SYSTEM "b"
table 2 at 3: Visitor=USER*1 Agent=SYSTEM*1 meta [{"CaseId" "9"}]
  USER "c"
  SYSTEM "d"
`},
		{"a ticket whose one comment is a chat", `{"id":7,"requester_id":1,` +
			`"comments":[{"author_id":1,"html_body":"<p>(09:05:11 AM) Visitor: a<br>(09:06:02 ` +
			`AM) Agent: b</p>"}]}`, Options{}, `
zendesk 7 at 1: Visitor=USER*1 Agent=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
		{"a signature with more than a name", "From: support@a.example\nDate: Tue, 12 Mar 2024 " +
			"09:05:11 +0000\n\na\n\nKind regards,\nJamie Reed\nAcme Ltd\nTel. +44 20\n", Options{},
			`
mail 1 at 1: support@a.example=SYSTEM*1
  SYSTEM "a"
`},
		{"a name is no such signature", "From: support@a.example\nDate: Tue, 12 Mar 2024 " +
			"09:05:11 +0000\n\na\n\nKind regards,\nJamie Reed\n", Options{}, `
mail 1 at 1: support@a.example=SYSTEM*1
  SYSTEM "a\n\nKind regards,\nJamie Reed"
`},
	})
}

func TestMisreadNotes(t *testing.T) {
	for _, c := range []struct{ reason, in, want string }{
		{"chats with the same id", "Case,Body\n9,Agent: a<br>User: b\n9,Agent: c<br>User: d\n",
			"the same id"},
		{"one message of a thread", "From: Tom <t@a.example>\nDate: Tue, 12 Mar 2024 09:05:11 " +
			"+0000\n\na\n\nOn Mon, b wrote:\n> c\n", "export the thread as mbox"},
	} {
		var notes strings.Builder
		dump(strings.NewReader(c.in), "f", Options{Note: func(s string) { notes.WriteString(s) }})
		assert.Contains(t, notes.String(), c.want, c.reason)
	}
	for s := range Read(
		strings.NewReader(
			`{"id":7,"requester_id":1,"comments":[{"author_id":1,"body":"a",`+
				`"created_at":"2024-03-12T09:05:11Z"}]}`), "f", Options{}) {
		assert.Equal(t, "2024-03-12T09:05:11Z", s.Source.Voices[0].At,
			"the times of messages are kept")
	}
}

// TestMisreadFiles reads files of kinds that were once misread.
func TestMisreadFiles(t *testing.T) {
	name := filepath.Join("testdata", "misread.txtar")
	all, err := txtar.ParseFile(name)
	require.NoError(t, err)
	for i := 0; i+1 < len(all.Files); i += 2 {
		in, want := all.Files[i], &all.Files[i+1]
		t.Run(in.Name, func(t *testing.T) {
			require.Equal(t, "want", want.Name)
			first, _, _ := strings.Cut(string(want.Data), "\n")
			option, isSet := strings.CutPrefix(first, "* ")
			var notes strings.Builder
			opt := Options{Roles: map[string]dialogue.Role{},
				Note: func(s string) { fmt.Fprintf(&notes, "- %s\n", s) }}
			switch use, value, _ := strings.Cut(option, "="); use {
			case "system":
				opt.SystemNames = []string{value}
			case "user", "other":
				opt.Roles[value], _ = dialogue.ParseRole(use)
			case "columns":
				opt.Columns = map[string]string{}
				for pair := range strings.SplitSeq(value, ",") {
					column, place, _ := strings.Cut(pair, "=")
					opt.Columns[column] = place
				}
			}
			got := dump(bytes.NewReader(in.Data), "f", opt) + notes.String()
			if isSet {
				got = first + "\n" + got
			}
			if *update {
				want.Data = []byte(got)
			}
			assert.Equal(t, string(want.Data), got)
		})
	}
	if *update {
		require.NoError(t, os.WriteFile(name, txtar.Format(all), 0o644))
	}
}

// TestRenamedMembers reports that the words of a side, a call or the type of a message may be under
// an unknown name.
func TestRenamedMembers(t *testing.T) {
	const (
		noSide = "no dialogue has words of the SYSTEM; they may be under a key"
		noCall = "not understood: 1 call of tools or their results"
		call   = `{"messages":[{"role":"user","content":"Cancel 1."},` +
			`{"role":"assistant","content":"Wait.","%s":[{"id":"c","type":"function",` +
			`"function":{"%s":"cancel","%s":"{}"}}]}]}`
		item = `[{"type":"message","role":"user","content":"Hello"},{"type":"function_call",` +
			`"call_id":"c","name":"f","%s":"{}"},{"type":"message","role":"assistant",` +
			`"content":"Yes."}]`
		discord = `{"guild":{},"channel":{"id":"1"},"messages":[{"id":"1","%s":"Default",` +
			`"timestamp":"2024-01-01T10:00:00Z","content":"Is it open?","author":{"name":"Ann"}},` +
			`{"id":"2","%[1]s":"Default","timestamp":"2024-01-01T10:01:00Z","content":"It is.",` +
			`"author":{"name":"Bot"}}]}`
	)
	for in, want := range map[string]string{
		fmt.Sprintf(call, "tool_calls", "name", "arguments"):                   "",
		fmt.Sprintf(call, "tools_used", "name", "arguments"):                   noCall,
		fmt.Sprintf(call, "tool_calls", "title", "arguments"):                  noCall,
		fmt.Sprintf(call, "tool_calls", "name", "payload"):                     noCall,
		fmt.Sprintf(item, "arguments"):                                         "",
		fmt.Sprintf(item, "payload"):                                           noCall,
		fmt.Sprintf(discord, "type"):                                           "",
		fmt.Sprintf(discord, "kind"):                                           `2 messages without "type"`,
		`{"user_input":"Who pays?","response":"We do."}`:                       "",
		`{"messages":[{"role":"user","content":"Who pays?"}],"said":"We do."}`: noSide,
	} {
		var notes []string
		opt := Options{SystemNames: []string{"Bot"},
			Note: func(s string) { notes = append(notes, s) }}
		for _, err := range Read(strings.NewReader(in), "f", opt) {
			require.NoError(t, err, in)
		}
		got := strings.Join(notes, "\n")
		if want == "" {
			assert.NotContains(t, got, "not understood", in)
			assert.NotContains(t, got, "without", in)
			assert.NotContains(t, got, "no dialogue has", in)
		} else {
			assert.Contains(t, got, want, in)
		}
	}
}
