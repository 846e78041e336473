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
			Answer: `{"ok":false,"reason":"too late"}`},
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

// TestResults checks what results report, whether as JSON or as text.
func TestResults(t *testing.T) {
	for text, want := range map[string]Outcome{
		`{"ok": false}`:               Failed,
		`{"mended": "false"}`:         Failed,
		"The lamp couldn't be mended": Failed,
		`{"ok": true}`:                Succeeded,
		`{"ack": true}`:               Succeeded,
		"HTTP 200 OK\n{\"hold\":\"July\",\"saved\":true}":                Succeeded,
		"HTTP 409 Conflict\n{\"part\":\"lamp\"}":                         Failed,
		`{"mended":[1],"not_mended":[2]}`:                                Partial,
		`{"success": false, "id": 4}`:                                    Failed,
		`{"error": null, "id": 4}`:                                       Succeeded,
		`{"error": "no stock"}`:                                          Failed,
		`{"data":null,"errors":[{"message":"no stock"}]}`:                Failed,
		`{"data":{},"errors":[]}`:                                        Silent,
		`{"error": ""}`:                                                  Silent,
		`{"error": {"code": 17}}`:                                        Failed,
		`{"error": "already mended"}`:                                    Succeeded,
		`{"error": "already sold"}`:                                      Failed,
		`{"status": "failed"}`:                                           Failed,
		`{"status": "shipped"}`:                                          Succeeded,
		`{"status": "awaiting_approval"}`:                                Pending,
		`{"statusCode": 404}`:                                            Failed,
		`{"statusCode": 202}`:                                            Pending,
		`{"status": 201, "body": {"id": 4}}`:                             Succeeded,
		`{"http_status": "202 Accepted", "id": "M-4"}`:                   Pending,
		"HTTP/1.1 202 Accepted":                                          Pending,
		"202 Accepted":                                                   Pending,
		"201 Created":                                                    Succeeded,
		"UPDATE 1":                                                       Succeeded,
		"INSERT 0 2":                                                     Succeeded,
		"DELETE 0":                                                       Failed,
		`{"code": 4471}`:                                                 Succeeded,
		`{"result": {"status": "error"}}`:                                Failed,
		`{"order": {"status": "error"}, "n": 1}`:                         Succeeded,
		`{"slot": {"n": 4, "status": "booked"}}`:                         Succeeded,
		`{"slot": {"n": 4, "status": "expired"}}`:                        Failed,
		`{"text": "{\"slot\": {\"status\": \"expired\"}}"}`:              Failed,
		`{"a":{"b":{"c":{"d":{"text":"{\"ok\":false}"}}}}}`:              Failed,
		`{"state": "accepted", "n": 7}`:                                  Pending,
		`{"state": "accepted", "fee": 2.5}`:                              Pending,
		`{"state": "accepted", "balance": 23}`:                           Succeeded,
		`{"mended": false}`:                                              Failed,
		`{"id": "B1", "discount": 0}`:                                    Succeeded,
		`{"id": "B1", "remaining": 4}`:                                   Succeeded,
		`{"id": "B1", "error": "None"}`:                                  Succeeded,
		`Lamp mended with no errors`:                                     Succeeded,
		`Mended without errors.`:                                         Succeeded,
		`{"mended": [1, 2], "failed": [{"id": 3}]}`:                      Partial,
		`{"mended": [1, 2, 3], "failed": []}`:                            Succeeded,
		`[{"id":1,"status":"ok"},{"id":2,"status":"failed"}]`:            Partial,
		`{"rows_affected": 0}`:                                           Failed,
		`{"affected_rows": 0}`:                                           Failed,
		`{"mended": null}`:                                               Failed,
		`{"part": "lamp", "mended_at": null}`:                            Failed,
		`{"mended": true, "sold_at": null}`:                              Succeeded,
		`{"ok": "no"}`:                                                   Failed,
		`{"dry_run": true, "n": 1}`:                                      Failed,
		`{"dry_run": false, "ok": true}`:                                 Succeeded,
		"[12:03:22] Lamp mended":                                         Succeeded,
		"[WARN] Lamp not mended":                                         Failed,
		"nope":                                                           Failed,
		"false":                                                          Failed,
		"0 rows affected":                                                Failed,
		"Query OK, 0 rows affected":                                      Failed,
		"Query OK, 1 row affected, 0 warnings":                           Succeeded,
		"HTTP/1.1 409 in use":                                            Failed,
		"status: 201":                                                    Succeeded,
		"Too late to mend":                                               Failed,
		"Dry run: 1 lamp":                                                Failed,
		"502 Bad Gateway":                                                Failed,
		"<html><title>502 Bad Gateway</title></html>":                    Failed,
		`{"rows_affected": 2}`:                                           Succeeded,
		`{"request": {"part": "lamp", "n": 7}}`:                          Silent,
		`{"part": "lamp", "lines": [{"a": "b… [cut]`:                     Silent,
		`{"status": "mended", "lines": [{"a": "b… [cut]`:                 Succeeded,
		`"Error: no such order"`:                                         Failed,
		`{"error":"already sold, too late to mend"}`:                     Failed,
		`{"error":"already mended"}`:                                     Succeeded,
		"Error: timeout":                                                 Failed,
		"ReadTimeout: the gateway did not answer":                        Failed,
		"Observation: The lamp was mended.":                              Succeeded,
		"The lamp was mended, nothing else to do.":                       Succeeded,
		"The lamp was mended. The cable could not be.":                   Partial,
		"The lamp cannot be mended":                                      Failed,
		"The repair is queued.":                                          Pending,
		"Order 7 is on its way.":                                         Succeeded,
		`[{"id":1,"ok":true},{"id":2,"ok":false}]`:                       Partial,
		`[{"id":1,"ok":false},{"id":2,"error":"x"}]`:                     Failed,
		`{"n":7,"legs":[{"a":1,"state":"ok"},{"a":2,"state":"queued"}]}`: Partial,
		`{"mended":["a"],"errors":[{"id":"b"}]}`:                         Partial,
		`{"mended":["a"],"unchanged":["b"]}`:                             Partial,
		`{"data":null,"errors":[{"id":"b"}]}`:                            Failed,
		`{"preview":true,"matched":4}`:                                   Failed,
		"550 5.1.1 unknown user":                                         Failed,
		`{"status":"rebuilt"}`:                                           Succeeded,
		`{"status":"undone"}`:                                            Failed,
		`{"status":"withdrawn"}`:                                         Failed,
		`{"status":"aborted"}`:                                           Failed,
		"Mended. Failure to pay may cost you more.":                      Succeeded,
		`{"n":7,"mended":false,"ok":true}`:                               Failed,
		`{"n":7,"notified":false,"ok":true}`:                             Succeeded,
		`{"n":7,"mend_paid":false,"ok":true}`:                            Succeeded,
		"":                                                               Silent,
		"[]":                                                             Silent,
		"30":                                                             Silent,
		"null":                                                           Silent,
	} {
		u := &ToolUse{Name: "mend", Arguments: `{"part":"lamp","n":7}`, Answer: text}
		assert.Equal(t, want, u.Read().Outcome, text)
	}
}

// TestUndone checks the results of a call that undoes something.
func TestUndone(t *testing.T) {
	for text, want := range map[string]Outcome{
		`{"locked": true}`: Failed, `{"locked": false}`: Succeeded, `{"unlocked": true}`: Succeeded,
	} {
		u := &ToolUse{Name: "unlockDoor", Arguments: `{"door":"front"}`, Answer: text}
		assert.Equal(t, want, u.Read().Outcome, text)
	}
	u := &ToolUse{Name: "drop_under_limit", Arguments: `{"n":4}`, Answer: `{"deleted":true}`}
	assert.Equal(t, Succeeded, u.Read().Outcome, "under undoes nothing")
}

// TestDecides checks which words of a result report its outcome.
func TestDecides(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":"A1","amount":8000, "status": "requires_action","next":{}}`: `"status": "requires_action"`,
		`{"lamp": {"id": 4, "state": "mended"}}`:                           `"state": "mended"`,
		`[{"id":1,"status":"ok"},{"id":2,"status":"failed"}]`:              `"status":"failed"`,
		"Lamp 4. It was mended.":                                           "",
		"The lamp cannot be mended. Sorry.":                                "The lamp cannot be mended",
		"":                                                                 "",
	} {
		u := &ToolUse{Name: "mend", Arguments: `{"part":"lamp","n":7}`, Answer: text}
		assert.Equal(t, want, u.Read().Decides, text)
	}
}

// TestVague checks which successes rest on new values alone, or on another object.
func TestVague(t *testing.T) {
	for text, want := range map[string]bool{
		`{"total": 30}`:                        true,
		`{"part":"lamp","position":4}`:         true,
		`{"part":"lamp","ref":"MD-310"}`:       false,
		`{"job":"MD-310"}`:                     false,
		`{"slot":"M3"}`:                        false,
		`{"booking":417}`:                      false,
		"B7":                                   false,
		`{"part":"lamp","mended_on":"Friday"}`: false,
		`{"part":"lamp","n":7,"lit":true}`:     false,
		`{"part":"lamp2","n":7,"ok":true}`:     true,
		`{"part":"lamp3","status":"mended"}`:   true,
		`{"part":"lamp1","status":"mended"}`:   false,
		"Hello there":                          true,
		"Reference MD-310":                     false,
		"<html><body>Welcome</body></html>":    true,
	} {
		u := &ToolUse{Name: "mend", Arguments: `{"part":"lamp1","n":7,"lit":true}`, Answer: text}
		assert.Equal(t, want, u.Read().IsVague, text)
	}
}

// A member whose name has no word says nothing.
func TestNamesOfMarks(t *testing.T) {
	for _, answer := range []string{`{"_":true}`, `{"-":"y"}`, `{" ":true}`, `{"_.":1}`} {
		u := ToolUse{Name: "cancel_order", Arguments: `{"id":1}`, Answer: answer}
		assert.Equal(t, Silent, u.Read().Outcome, answer)
	}
}

// TestOddNames checks that a call whose name has an unusual form keeps its result.
func TestOddNames(t *testing.T) {
	for _, call := range []string{`поиск({"n":1})`, `find it({"n":1})`, `?({"n":1})`, `f(1)`} {
		d := Dialogue{Turns: []Turn{{Other, call + "\n" + `mend({"n":2})`}, {Other, "a"},
			{Other, "b"}}}
		uses := d.Tools()
		assert.Len(t, uses, 2, call)
		assert.Equal(t, "b", uses[len(uses)-1].Answer, call)
	}
	assert.Nil(t, Dialogue{Turns: []Turn{{Other, "a remark (as before)"}}}.Tools())
}

func TestCallsIn(t *testing.T) {
	for text, want := range map[string][]ToolUse{
		"f({\n \"n\": 1\n})": {{Name: "f", Arguments: "{\n \"n\": 1\n}"}},
		"f(\n{\"s\": \")}\\\"\"}\n)\ng(1)": {{Name: "f", Arguments: "\n{\"s\": \")}\\\"\"}\n"},
			{Name: "g", Arguments: "1"}},
		`POST /a/b {"n":1}`:     {{Name: "POST /a/b", Arguments: `{"n":1}`}},
		"DELETE /a/7":           {{Name: "DELETE /a/7"}},
		`mend_lamp {"n":1}`:     {{Name: "mend_lamp", Arguments: `{"n":1}`}},
		"UPDATE a SET b=1":      {{Name: "UPDATE", Arguments: "UPDATE a SET b=1"}},
		`Response {"n":1}`:      nil,
		"f({\n":                 nil,
		"f({\n}) and more":      nil,
		"see(below\nand above)": nil,
	} {
		assert.Equal(t, want, callsIn(text), text)
	}
}

func TestUnescaped(t *testing.T) {
	for text, want := range map[string]string{
		`it is \u00a35, \u0041`: `it is £5, \u0041`, `"\\u00e9"`: `"é"`, `\ud83d\ude00`: `\ud83d\ude00`,
		"plain": "plain", `\u00`: `\u00`, `\u0080`: "\u0080", `\u007f`: `\u007f`,
	} {
		assert.Equal(t, want, Unescaped(text))
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

// TestTrials checks that a call that only tries something fails, unless its result says that it is
// done: a test or a preview may be what was asked for, and a dry run never is.
func TestTrials(t *testing.T) {
	for arguments, want := range map[string]Outcome{
		`{"part":"lamp"}`:                 Succeeded,
		`{"part":"lamp","dry_run":true}`:  Failed,
		`{"part":"lamp","dry_run":false}`: Succeeded,
		`{"part":"lamp","test":true}`:     Succeeded,
	} {
		u := &ToolUse{Name: "mend", Arguments: arguments, Answer: `{"status":"mended"}`}
		assert.Equal(t, want, u.Read().Outcome, arguments)
	}
	u := &ToolUse{Name: "mend", Arguments: `{"part":"lamp","test":true}`, Answer: `{"ok":true}`}
	assert.Equal(t, Failed, u.Read().Outcome, "the result does not say what is done")
}
