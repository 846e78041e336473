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
	})
}
