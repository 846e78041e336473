package dialogue

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTools(t *testing.T) {
	d := Dialogue{Turns: []Turn{
		{Other, "You are a helpful agent (of a shop)."},
		{User, "Please refund order 7."},
		{Other, `refund({"order":7})` + "\n" + `notify({"mail":"a@example.com"})`},
		{Other, `{"ok":false,"reason":"too late"}`},
		{Other, `{"ok":true}`},
		{System, "Done (all of it)"},
		{Other, `lookup({"order":8})`},
	}}
	assert.Equal(t, []ToolUse{
		{Call: 3, Name: "refund", Arguments: `{"order":7}`, Result: 4,
			Answer: `{"ok":false,"reason":"too late"}`, Failed: true},
		{Call: 3, Name: "notify", Arguments: `{"mail":"a@example.com"}`, Result: 5,
			Answer: `{"ok":true}`},
		{Call: 7, Name: "lookup", Arguments: `{"order":8}`},
	}, d.Tools())
	d = Dialogue{Turns: []Turn{{Other, "f(1)"}, {System, "Wait."}, {Other, "g(2)"}, {Other, "of g"},
		{Other, "a note"}}}
	assert.Equal(t,
		[]ToolUse{{Call: 1, Name: "f", Arguments: "1"},
			{Call: 3, Name: "g", Arguments: "2", Result: 4, Answer: "of g"}},
		d.Tools(), "a call that somebody speaks after begins anew")
	assert.Nil(t, Dialogue{Turns: []Turn{{Other, "a prompt"}, {User, "f(x)"}}}.Tools(),
		"only OTHER calls tools")
}

func TestFailedResults(t *testing.T) {
	for text, want := range map[string]bool{
		`{"ok": false}`:                                   true,
		`{"ok": true}`:                                    false,
		`{"success": false, "id": 4}`:                     true,
		`{"error": null, "id": 4}`:                        false,
		`{"error": "no stock"}`:                           true,
		`{"data":null,"errors":[{"message":"no stock"}]}`: true,
		`{"data":{},"errors":[]}`:                         false,
		`{"error": ""}`:                                   false,
		`{"error": {"code": 17}}`:                         true,
		`{"status": "failed"}`:                            true,
		`{"status": "shipped"}`:                           false,
		`{"statusCode": 404}`:                             true,
		`{"code": 4471}`:                                  false,
		`{"result": {"status": "error"}}`:                 true,
		`{"order": {"status": "error"}, "n": 1}`:          false,
		`"Error: no such order"`:                          true,
		"Error: timeout":                                  true,
		"Order 7 is on its way.":                          false,
		"":                                                false,
		"[]":                                              false,
	} {
		assert.Equal(t, want, Failed(text), text)
	}
}

func TestCallsIn(t *testing.T) {
	for text, want := range map[string][]ToolUse{
		"f({\n \"n\": 1\n})": {{Name: "f", Arguments: "{\n \"n\": 1\n}"}},
		"f(\n{\"s\": \")}\\\"\"}\n)\ng(1)": {{Name: "f", Arguments: "\n{\"s\": \")}\\\"\"}\n"},
			{Name: "g", Arguments: "1"}},
		"f({\n":                 nil,
		"f({\n}) and more":      nil,
		"see(below\nand above)": nil,
	} {
		assert.Equal(t, want, callsIn(text), text)
	}
}

// FuzzTools checks that reading calls never panics, and that every result is part of the turns.
func FuzzTools(f *testing.F) {
	f.Add(`refund({"order":7})`, `{"ok":false}`)
	f.Add("f(", "{")
	f.Fuzz(func(t *testing.T, asked, answer string) {
		d := Dialogue{Turns: []Turn{{Other, asked}, {Other, answer}, {System, "ok"}}}
		for _, u := range d.Tools() {
			assert.Contains(t, d.Turns[u.Call-1].Text, u.Name)
			if u.Result > 0 {
				assert.Equal(t, d.Turns[u.Result-1].Text, u.Answer)
			}
		}
	})
}
