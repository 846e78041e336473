package dialogue

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestExchanges reads what tools are asked and return in the shapes in which providers write them.
func TestExchanges(t *testing.T) {
	const asked = `{"role":"user","content":"Cancel 1 and 2."},`
	const calls = `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"cancel","arguments":"{\"n\":1}"}},` +
		`{"id":"b","function":{"name":"cancel","arguments":"{\"n\":2}"}}]},`
	for _, c := range []struct{ name, messages, want string }{
		{"Anthropic: results are no words of the USER",
			`{"role":"assistant","content":[{"type":"text","text":"Wait."},{"type":"tool_use","id":"t","name":"cancel","input":{"n":1}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"gone"}]},
			{"type":"text","text":"Quick!"}]}`, `
SYSTEM "Wait."
OTHER "cancel({\"n\":1})"
OTHER "gone"
USER "Quick!"
`},
		{"Anthropic: is_error", `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"cancel","input":{"n":1}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"locked"}]}`, `
OTHER "cancel({\"n\":1})"
OTHER "error: locked"
`},
		{"Anthropic: a tool of the server, between words",
			`{"role":"assistant","content":[{"type":"text","text":"Wait."},{"type":"server_tool_use","id":"t","name":"web","input":{}},
			{"type":"web_search_tool_result","tool_use_id":"t","content":[{"type":"web_search_result","url":"u"}]},{"type":"text","text":"So."}]}`, `
SYSTEM "Wait."
OTHER "web({})"
OTHER "[{\"type\":\"web_search_result\",\"url\":\"u\"}]"
SYSTEM "So."
`},
		{"parts of an interface", `{"role":"assistant","parts":[{"type":"step-start"},{"type":"reasoning","text":"hm"},{"type":"text","text":"Wait."},
			{"type":"tool-cancel","toolCallId":"a","state":"output-available","input":{"n":1},"output":{"ok":true}},
			{"type":"dynamic-tool","toolName":"call_off","toolCallId":"b","state":"output-error","input":{"n":2},"errorText":"locked"},
			{"type":"text","text":"Done."}]}`, `
SYSTEM "Wait."
OTHER "cancel({\"n\":1})\ncall_off({\"n\":2})"
OTHER "{\"ok\":true}"
OTHER "error: locked"
SYSTEM "Done."
`},
		{"a part that is still being asked", `{"role":"assistant","parts":[{"type":"tool-cancel","toolCallId":"a","state":"input-available","input":{"n":1}}]}`, `
OTHER "cancel({\"n\":1})"
`},
		{"toolInvocations, said twice", `{"role":"assistant","content":"Done.","toolInvocations":[{"state":"result","toolCallId":"a","toolName":"cancel","args":{"n":1},"result":"gone"}],
			"parts":[{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"a","toolName":"cancel","args":{"n":1},"result":"gone"}},{"type":"text","text":"Done."}]}`, `
OTHER "cancel({\"n\":1})"
OTHER "gone"
SYSTEM "Done."
`},
		{"toolInvocations beside the words", `{"role":"assistant","content":"Done.","toolInvocations":[{"state":"result","toolCallId":"a","toolName":"cancel","args":{"n":1},"result":"gone"}]}`, `
OTHER "cancel({\"n\":1})"
OTHER "gone"
SYSTEM "Done."
`},
		{"messages of a model, with typed results", `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"cancel","input":{"n":1}}]},
			{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"cancel","output":{"type":"error-text","value":"locked"}}]}`, `
OTHER "cancel({\"n\":1})"
OTHER "error: locked"
`},
		{"results in another order than the calls", calls + `{"role":"tool","tool_call_id":"b","content":"no. 2"},{"role":"tool","tool_call_id":"a","content":"no. 1"}`, `
OTHER "cancel({\"n\":1})\ncancel({\"n\":2})"
OTHER "no. 1"
OTHER "no. 2"
`},
		{"an empty result", calls + `{"role":"tool","tool_call_id":"a","content":""},{"role":"tool","tool_call_id":"b","content":null}`, `
OTHER "cancel({\"n\":1})\ncancel({\"n\":2})"
OTHER "\"\""
OTHER "\"\""
`},
		{"a call without a result comes last", calls + `{"role":"tool","tool_call_id":"b","content":"no. 2"}`, `
OTHER "cancel({\"n\":2})\ncancel({\"n\":1})"
OTHER "no. 2"
`},
		{"a result that comes after another call", `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},
			{"role":"assistant","content":"Wait."},{"role":"assistant","tool_calls":[{"id":"b","function":{"name":"g","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"a","content":"of f"},{"role":"tool","tool_call_id":"b","content":"of g"}`, `
OTHER "f({})"
OTHER "of f"
SYSTEM "Wait."
OTHER "g({})"
OTHER "of g"
`},
		{"the same id again", `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"},
			{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"2"}`, `
OTHER "f({})"
OTHER "1"
OTHER "f({})"
OTHER "2"
`},
		{"arguments over several lines", `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\n \"n\": 1\n}"}},
			{"id":"b","function":{"name":"g","arguments":"one\ntwo"}},{"id":"c","function":{"name":"h"}}]}`, `
OTHER "f({\"n\":1})\ng(\"one\\ntwo\")\nh()"
`},
		{"a status around the text", `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"{\"n\":1}","status":"error"}`, `
OTHER "f({})"
OTHER "error: {\"n\":1}"
`},
		{"a status around a text that shows it", `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"Error: late","status":"error"}`, `
OTHER "f({})"
OTHER "Error: late"
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := dump(strings.NewReader(`{"messages":[`+asked+c.messages+`]}`), "f", Options{})
			_, got, _ = strings.Cut(got, "\n")
			assert.Equal(t, "USER \"Cancel 1 and 2.\""+c.want, strings.ReplaceAll(strings.TrimPrefix(got, "  "), "\n  ", "\n"))
		})
	}
	for name, c := range map[string]struct{ in, want string }{
		"responses: the call and its result are one item": {`{"object":"response","input":[{"role":"user","content":"a"},
			{"type":"mcp_call","name":"f","arguments":"{}","output":"of f"},{"type":"mcp_call","name":"g","arguments":"{}","error":"late"}],
			"output":[{"type":"message","role":"assistant","content":"b"}]}`,
			"USER \"a\"\nOTHER \"f({})\"\nOTHER \"of f\"\nOTHER \"g({})\"\nOTHER \"error: late\"\nSYSTEM \"b\"\n"},
		"langchain: status, and calls that are listed twice": {`{"messages":[{"type":"human","content":"a"},{"type":"ai","content":[{"type":"tool_use","id":"x","name":"f","input":{}}],
			"tool_calls":[{"name":"f","args":{},"id":"x"}]},{"type":"tool","content":"late","status":"error","tool_call_id":"x"}]}`,
			"USER \"a\"\nOTHER \"f({})\"\nOTHER \"error: late\"\n"},
		"langchain: a message in a row": {`{"type":"human","data":{"content":"a"}}` + "\n" + `{"type":"ai","data":{"content":"b","tool_calls":[{"name":"f","args":{},"id":"x"}]}}` +
			"\n" + `{"type":"tool","data":{"content":"late","status":"error","tool_call_id":"x"}}`,
			"USER \"a\"\nSYSTEM \"b\"\nOTHER \"f({})\"\nOTHER \"error: late\"\n"},
		"a message in a row, as a table": {`{"role":"user","content":"a"}` + "\n" + `{"role":"assistant","content":null,"tool_calls":[{"id":"x","function":{"name":"f","arguments":"{}"}}]}` +
			"\n" + `{"role":"tool","content":"late","status":"error","tool_call_id":"x"}` + "\n" + `{"role":"assistant","content":"b"}`,
			"USER \"a\"\nOTHER \"f({})\"\nOTHER \"error: late\"\nSYSTEM \"b\"\n"},
	} {
		_, got, _ := strings.Cut(dump(strings.NewReader(c.in), "f", Options{}), "\n")
		assert.Equal(t, c.want, strings.ReplaceAll(strings.TrimPrefix(got, "  "), "\n  ", "\n"), name)
	}
}

// TestManyCalls holds that thousands of calls take linear time.
func TestManyCalls(t *testing.T) {
	const many = 3000
	var b strings.Builder
	b.WriteString(`{"messages":[{"role":"user","content":"a"}`)
	for i := range many {
		b.WriteString(`,{"role":"assistant","tool_calls":[{"id":"c` + strconv.Itoa(i) + `","function":{"name":"f","arguments":"{}"}}]}`)
	}
	for i := range many {
		b.WriteString(`,{"role":"tool","tool_call_id":"c` + strconv.Itoa(many-1-i) + `","content":"` + strconv.Itoa(many-1-i) + `"}`)
	}
	b.WriteString(`]}`)
	start := time.Now()
	for s, err := range Read(strings.NewReader(b.String()), "f", Options{}) {
		assert.NoError(t, err)
		uses := s.Dialogue.Tools()
		assert.Len(t, uses, many)
		for i, u := range uses {
			assert.Equal(t, strconv.Itoa(i), u.Answer)
		}
	}
	assert.Less(t, time.Since(start), 10*time.Second)
}
