package dialogue

import "testing"

// TestMisread reads exports that were once read as something else.
func TestMisread(t *testing.T) {
	runReadCases(t, Auto, []readCase{
		{"messages of two chats in one list", `{"messages":[{"chatId":"a","role":"user","content":"1"},{"chatId":"b","role":"user","content":"2"},` +
			`{"chatId":"a","role":"assistant","content":"3"}]}`, Options{}, `
openai 1 (a) at 1: user=USER*1 assistant=SYSTEM*1
  USER "1"
  SYSTEM "3"
openai 2 (b) at 1: user=USER*1
  USER "2"
`},
		{"notices of WhatsApp for Android", "12.03.24, 14:05 - Tom (user): a\n12.03.24, 14:06 - Tom (user): IMG.jpg (file attached)\n" +
			"12.03.24, 14:06 - Tom (user): <Media omitted>\n12.03.24, 14:06 - Tom (user): a.jpg (file attached)\nb\n" +
			"12.03.24, 14:07 - Agent: null\n12.03.24, 14:07 - Agent: not null <This message was edited>\n" +
			"12.03.24, 14:08 - Tom (user): Voice call, 3 min\n12.03.24, 14:08 - Tom (user): Voice call, please", Options{}, `
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
		{"a role before the name, beside a third speaker", "id,role,text\n1,System,Chat started\n1,Customer,a\n1,Agent Anna,b\n", Options{}, `
table 1 at 2: System=OTHER*1 Customer=USER*1 Agent Anna=SYSTEM*1
  OTHER "Chat started"
  USER "a"
  SYSTEM "b"
`},
	})
}
