package importer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer"
)

// TestLogs reads logs of requests to a model, in which each request repeats the conversation so
// far.
func TestLogs(t *testing.T) {
	const (
		hi     = `{"role":"user","content":"Hi"}`
		hello  = `{"role":"assistant","content":"Hello!"}`
		lost   = `{"role":"user","content":"I lost my key"}`
		sorry  = `{"role":"assistant","content":"A new one is 8 euros."}`
		prompt = `{"role":"system","content":"You are a locksmith."}`
		told   = "OTHER You are a locksmith.\n"
		whole  = "USER Hi\nSYSTEM Hello!\nUSER I lost my key\nSYSTEM A new one is 8 euros.\n"
	)
	for _, c := range []struct {
		reason string
		lines  []string
		want   []string
		note   string
	}{
		{"the longest of a session, with its answer", []string{
			`{"session_id":"a","messages":[` + prompt + `,` + hi + `],"response":"Hello!"}`,
			`{"session_id":"b","messages":[` + hi + `],"response":"Good day."}`,
			`{"session_id":"a","messages":[` + prompt + `,` + hi + `,` + hello + `,` + lost +
				`],"response":"A new one is 8 euros."}`,
		}, []string{"USER Hi\nSYSTEM Good day.\n", told + whole},
			"f: a log of requests: 2 dialogues in 3 requests, 1 of them repeated by a longer " +
				"one and left out"},
		{"newest first, with the answer of an API", []string{
			`{"session_id":"a","messages":[` + hi + `,` + hello + `,` + lost +
				`],"response":{"choices":[{"message":` + sorry + `}]}}`,
			`{"session_id":"a","messages":[` + hi + `],"response":{"choices":[{"message":` + hello +
				`}]}}`,
		}, []string{whole},
			"f: a log of requests: 1 dialogue in 2 requests, 1 of them repeated by a longer one " +
				"and left out"},
		{"no session: what goes on from request and answer is one conversation", []string{
			`{"request":{"model":"m","messages":[` + hi +
				`]},"response":{"content":[{"type":"text","text":"Hello!"}],"role":"assistant"}}`,
			`{"request":{"model":"m","messages":[` + hi +
				`]},"response":{"content":[{"type":"text","text":"Hey."}],"role":"assistant"}}`,
			`{"request":{"model":"m","messages":[` + hi + `,` + hello + `,` + lost +
				`]},"response":` + sorry + `}`,
		}, []string{"USER Hi\nSYSTEM Hey.\n", whole},
			"f: a log of requests: 2 dialogues in 3 requests, 1 of them repeated by a longer " +
				"one and left out"},
		{"requests that hold what is new", []string{
			`{"session_id":"a","time":"2024-03-01 10:05","messages":[` + lost +
				`],"output":"A new one is 8 euros."}`,
			`{"session_id":"a","time":"2024-03-01 10:01","messages":[` + prompt + `,` + hi +
				`],"output":"Hello!"}`,
		}, []string{told + whole},
			"f: a log of requests: 1 dialogue in 2 requests, 2 of them put together by their " +
				"session"},
		{"an answer that the messages hold already",
			[]string{`{"id":1,"messages":[` + hi + `,` + hello +
				`],"answer":"Hello!"}`}, []string{"USER Hi\nSYSTEM Hello!\n"}, ""},
		{"training data that begin alike are not one conversation",
			[]string{`{"messages":[` + hi + `,` + hello + `]}`,
				`{"messages":[` + hi + `,` + hello + `,` + lost + `,` + sorry + `]}`},
			[]string{"USER Hi\nSYSTEM Hello!\n", whole}, ""},
		{"chats of one session that do not continue one another", []string{
			`{"session_id":"a","messages":[` + hi + `,` + hello + `,` + lost +
				`],"response":"A new one is 8 euros."}`,
			`{"session_id":"a","messages":[` + lost + `,` + sorry + `,` + hi +
				`],"response":"Hello!"}`,
		}, []string{"USER I lost my key\nSYSTEM A new one is 8 euros.\nUSER Hi\nSYSTEM Hello!\n",
			whole},
			"f: a log of requests: 2 dialogues in 2 requests, those of 1 session do not " +
				"continue one another"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			talks, notes := readAll(strings.Join(c.lines, "\n"), importer.Options{})
			assert.ElementsMatch(t, c.want, talks)
			assert.Equal(t, c.note, strings.Join(notes, "\n"))
		})
	}
}
