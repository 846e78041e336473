package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/stream"
)

func TestReadMessages(t *testing.T) {
	const one = `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`
	const oneWant = `
openai 1 at 1: user=USER*1 assistant=SYSTEM*1
  USER "a"
  SYSTEM "b"
`
	runReadCases(t, stream.OpenAI, []readCase{
		{"one conversation", one, Options{}, oneWant},
		{"a list of conversations", "[" + one + "," + one + "]", Options{}, oneWant +
			strings.Replace(oneWant[1:], "openai 1", "openai 2", 1)},
		{"the id of a test is the id, and metadata as in a table",
			`[{"scenario_id":"s","messages":[{"role":"user","content":"a"}]}]`, Options{}, `
openai 1 (s) at 1: user=USER*1 meta [{"scenario_id" "s"}]
  USER "a"
`},
		{"an id comes before that of a test",
			`[{"test_id":"s","id":"d","messages":[{"role":"user","content":"a"}]}]`, Options{}, `
openai 1 (d) at 1: user=USER*1 meta [{"test_id" "s"}]
  USER "a"
`},
		{"a list of lists", `[[{"role":"user","content":"a"}],[{"role":"user","content":"b"}]]`,
			Options{}, `
openai 1 at 1: user=USER*1
  USER "a"
openai 2 at 1: user=USER*1
  USER "b"
`},
		{"a list a line", `[{"role":"user","content":"a"}]` + "\n" +
			`[{"role":"user","content":"b"}]` + "\n", Options{}, `
openai 1 at 1: user=USER*1
  USER "a"
openai 2 at 2: user=USER*1
  USER "b"
`},
		{"conversations in a wrapper, one after the other, over several lines",
			`{"version":{"a":[1]},"data":[` + "\n" + one + ",\n" + `{"id":"x","messages":[{"role":"user","content":"c"}]}` +
				"\n" + `],"more":[[1]]}` + "\n", Options{}, `
openai 1 at 2: user=USER*1 assistant=SYSTEM*1
  USER "a"
  SYSTEM "b"
openai 2 (x) at 3: user=USER*1
  USER "c"
`},
		{"objects that are printed over several lines, one after the other",
			"{\n \"id\": 5,\n \"messages\":[{\"role\":\"user\",\"content\":\"c\"}]\n}\n{\n \"id\": 6,\n \"messages\":[{\"role\":\"user\",\"content\":\"c\"}]\n}\n",
			Options{}, `
openai 5 at 1: user=USER*1
  USER "c"
openai 6 at 5: user=USER*1
  USER "c"
`},
		{"prompts and tools are nobody's; null and parts", `{"dialogue_id":"9",` +
			`"messages":[{"role":"system","content":"p"},{"role":"developer","content":"p"},` +
			`{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url",` +
			`"image_url":{}},{"type":"input_text","text":"b"},"c"]},` +
			`{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"find",` +
			`"arguments":"{\"a\":1}"}}]},{"role":"assistant","content":"e",` +
			`"tool_calls":[{"function":{"name":"find","arguments":{}}}]},{"role":"tool",` +
			`"content":"d"},{"role":"assistant","content":null},{"role":"assistant",` +
			`"content":null,"refusal":"no"}]}`, Options{}, `
openai 9 at 1: system=OTHER*1 user=USER*1 function call=OTHER*2 assistant=SYSTEM*2 tool=OTHER*1
  OTHER "p"
  USER "a\nb\nc"
  OTHER "find({\"a\":1})"
  SYSTEM "e"
  OTHER "find({})"
  OTHER "d"
  SYSTEM "no"
`},
		{"the prompt is a turn where --role-map says so",
			`{"messages":[{"role":"system","content":"p"}]}`,
			Options{Roles: map[string]dialogue.Role{"SYSTEM": dialogue.System}}, `
openai 1 at 1: system=SYSTEM*1
  SYSTEM "p"
`},
		{"--system-name is for people, not for roles",
			`{"messages":[{"role":"assistant","content":"p"}]}`,
			Options{SystemNames: []string{"Priya"}}, `
openai 1 at 1: assistant=SYSTEM*1
  SYSTEM "p"
`},
		{"NUL and lone surrogates do not survive, quoted brackets do no harm",
			`{"messages":[{"role":"user","content":"a\u0000b \ud800 \"]}{[ \\"}]}`, Options{}, `
openai 1 at 1: user=USER*1
  USER "ab � \"]}{[ \\"
`},
		{"each broken line costs one error", one + "\n" +
			`{"messages":[{"role":"user","content":"a` + "\n" + `{"messages":3}` + "\n" +
			`{"messages":[{"role":"user","content":{"a":4}}]}` + "\n" +
			`{"messages":[{"content":"a"}]}` + "\n" +
			`{"messages":[{"role":"nora","content":"a"}]}` + "\n" + `7` + "\n" + `{"x":1}` + "\n" +
			`{"messages":{}}` + "\n\n" + `{"id":3,"messages":[]}`, Options{}, oneWant +
			`! f:2: dialogue 2: not valid JSON: unexpected EOF
! f:3: dialogue 3: no messages at messages or conversations or conversation or request.messages ` +
			`or …; name the places with --columns, such as text=messages[].body; the keys are "messages"
! f:4: dialogue 4: message 1 has no text at content or value or text or message or …; want a ` +
			`string there, or name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as messages[].body
! f:5: dialogue 5: message 1 has no speaker at role or from or speaker.id or speaker.name or …; ` +
			`name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as messages[].body
! f:6: dialogue 6: unknown speaker "nora"; say who it is with --role-map "nora=system" (or ` +
			`=user, =other)
! f:7: dialogue 7: no JSON object: "7"; want an object for every dialogue
! f:8: dialogue 8: no messages at messages or conversations or conversation or request.messages ` +
			`or …; name the places with --columns, such as text=messages[].body; the keys are "x"
! f:9: dialogue 9: no messages at messages or conversations or conversation or request.messages ` +
			`or …; name the places with --columns, such as text=messages[].body
`},
		{"a broken first line does not hide the format",
			`{"messages":[{"role":"user","content":"a"}` + "\n" + one + "\n", Options{}, `
! f:1: dialogue 1: not valid JSON: unexpected EOF
openai 2 at 2: user=USER*1 assistant=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
		{"an error in a long value names its line, and ends the file",
			"[{\n\"messages\": [\n{\"role\": \"user\" \"content\": \"a\"}]},\n" + one +
				"]", Options{}, `
! f:3: dialogue 1: not valid JSON: invalid character '"' after object value (expecting ',' or ` +
				`'}'); nothing after it can be read
`},
		{"a file that is cut off keeps what stands before", "[" + one +
			",\n{\"messages\":[{\"role\":\"us", Options{}, oneWant + `! f:2: dialogue 2: not ` +
			`valid JSON: unexpected EOF; nothing after it can be read
`},
		{"a list that is not closed", "[" + one + "\n", Options{}, oneWant +
			`! f:1: dialogue 2: not valid JSON: unexpected EOF; nothing after it can be read
`},
		{"a wrapper that is not closed", `{"data":[` + one + "]\n", Options{}, oneWant +
			`! f:1: dialogue 2: not valid JSON: unexpected EOF; nothing after it can be read
`},
		{"a wrapper a line, as the pages of an API",
			`{"data":[{"id":4,"messages":[{"role":"user","content":"c"}]}],"next":"x"}` + "\n" +
				`{"data":[{"id":5,"messages":[{"role":"user","content":"c"}]},{"id":6,"messages":[]}]}` +
				"\n", Options{}, `
openai 4 at 1: user=USER*1
  USER "c"
openai 5 at 2: user=USER*1
  USER "c"
`},
		{"words after the JSON", "[" + one + "]\nso long\n", Options{}, oneWant +
			`! f:2: dialogue 2: not valid JSON: invalid character 's' at start of value; ` +
			`nothing after it can be read
`},
	})
	for format, in := range map[string]string{"openai": `[{"role":"user","content":"a"},` + "\n" +
		`{"role":"assistant","content":[{"type":"text","text":"b"}]}]`,
		"table": `{"role":"user","content":"a"}` + "\n" + `{"role":"assistant","content":"b"}`} {
		assert.Equal(t, strings.Replace(oneWant[1:], "openai", format, 1),
			dump(strings.NewReader(in), "f", Options{}))
	}
	runReadCases(t, shareGPT, []readCase{
		{"human, gpt, system and tools", `[{"id":4,"conversations":[{"from":"system",` +
			`"value":"p"},{"from":"human","value":"a"},{"from":"gpt","value":"b"},` +
			`{"from":"function_call","value":"c"},{"from":"observation","value":"d"}]}]`,
			Options{}, `
sharegpt 4 at 1: system=OTHER*1 human=USER*1 gpt=SYSTEM*1 function_call=OTHER*1 observation=OTHER*1
  OTHER "p"
  USER "a"
  SYSTEM "b"
  OTHER "c"
  OTHER "d"
`},
		{"one conversation is no wrapper of messages",
			`{"conversations":[{"value":"a","from":"user"}]}`, Options{}, `
sharegpt 1 at 1: user=USER*1
  USER "a"
`},
	})
}

func TestReadConvoKit(t *testing.T) {
	runReadCases(t, convoKit, []readCase{
		{"speakers by name, by object, and root for the conversation",
			`{"id":"1","conversation_id":"c1","speaker":"customer","text":"a"}` + "\n" +
				`{"id":"2","root":"c1","user":{"id":"agent"},"text":"b"}` + "\n" +
				`{"id":"3","root":"12","speaker":"agent","text":null}`, Options{}, `
convokit 1 (c1) at 1: customer=USER*1 agent=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
		{"people need --system-name; broken lines spoil the dialogue around them",
			`{"root":"1","speaker":"Ana","text":"a"}` + "\n" +
				`{"root":"1","speaker":"Tom","text":"b"}` + "\n" + `{"root":"2","text":"b"}` +
				"\n{\n" + `{"root":"3","speaker":"agent","text":["b"]}` + "\n" +
				`{"root":"1","speaker":"user","text":"b"}`, Options{}, `
! f:1: dialogue 1: unknown speaker "Ana"; say who is who with --role-map ` +
				`NAME=system,NAME=user,NAME=other, or, if all others are customers, who is ` +
				`judged with --system-name NAME, where NAME ` +
				`is one of "Ana", "Tom", "user"
! f:3: dialogue 2: it has no speaker at speaker.id or speaker.name or user.id or user.name; ` +
				`name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as messages[].body
convokit 3 at 5: agent=SYSTEM*1
  SYSTEM "b"
`},
	})
}

func TestReadConnect(t *testing.T) {
	runReadCases(t, "connect", []readCase{
		{"roles by participant, by entry and in place of the participant; events are no turns",
			`{"ContactId":"c-1","Participants":[{"ParticipantId":"p1",` +
				`"ParticipantRole":"AGENT"}],"Transcript":[{"ParticipantId":"p1","Content":"a"},` +
				`{"ParticipantId":"p2","ParticipantRole":"CUSTOMER","Content":"b"},` +
				`{"ParticipantId":"CUSTOMER","Content":"c"},{"Type":"EVENT",` +
				`"ParticipantId":"p1","ContentType":"application/vnd.amazonaws.connect.event.par` +
				`ticipant.left"},` +
				`{"ParticipantRole":"SYSTEM","Content":"d"},{"ParticipantRole":"CUSTOM_BOT",` +
				`"ContentType":"application/vnd.amazonaws.connect.message.interactive",` +
				`"Content":"{\"data\":{\"content\":{\"title\":\"Pick one\"}}}"}]}`, Options{}, `
connect 1 (c-1) at 1: AGENT=SYSTEM*1 CUSTOMER=USER*2 SYSTEM=OTHER*1 CUSTOM_BOT=SYSTEM*1
  SYSTEM "a"
  USER "b"
  USER "c"
  OTHER "d"
  SYSTEM "Pick one"
`},
		{"--role-map can set the flow's prompts aside", `{"Transcript":[{"ParticipantRole":"SYST` +
			`EM","Content":"d"},{"ParticipantRole":"GHOST","Content":"d"}]}`,
			Options{Roles: map[string]dialogue.Role{"system": dialogue.Other}}, `
! f:1: dialogue 1: unknown speaker "GHOST"; say who it is with --role-map "GHOST=system" (or ` +
				`=user, =other)
`},
	})
}

func TestReadZendesk(t *testing.T) {
	runReadCases(t, "zendesk", []readCase{
		{"tickets as lines; notes are dropped; bodies in HTML", `{"id":5,"requester":{"id":1},` +
			`"satisfaction_rating":{"score":"bad"},"comments":[{"author":{"id":1,"name":"Ida"},` +
			`"html_body":"<p>a&nbsp;&amp;</p><p>b<br>c</p>"},{"author_id":2,"public":false,` +
			`"body":"n"},{"author_id":2,"public":true,"body":"d < e"}]}` + "\n" +
			`{"id":6,"requester_id":1,"comments":{"comments":[{"author_id":1,` +
			`"plain_body":"f&nbsp;g"}]}}`, Options{}, `
zendesk 5 at 1: Ida=USER*1 2=SYSTEM*1 truth [1] [] []
  USER "a &\nb\nc"
  SYSTEM "d < e"
zendesk 6 at 2: 1=USER*1
  USER "f g"
`},
		{"the API's comments with their users", `{"comments":[{"author_id":8,"body":"a"},` +
			`{"author_id":9,"body":"b"}],"users":[{"id":8,"role":"end-user"},{"id":9,` +
			`"role":"agent"}]}`, Options{}, `
zendesk 1 at 1: 8=USER*1 9=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
		{"comments of nobody knows whom",
			`{"comments":[{"author_id":8,"body":"a"},{"author_id":9,"body":"b"}]}`, Options{}, `
! f:1: dialogue 1: unknown speaker "8"; say who is judged with --system-name NAME, where NAME ` +
				`is one of "8", "9"
`},
		{"told by --system-name",
			`{"comments":[{"author_id":8,"body":"a"},{"author_id":9,"body":"b"}]}`,
			Options{SystemNames: []string{"9"}}, `
zendesk 1 at 1: 8=USER*1 9=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
		{"a ticket in an envelope", `{"ticket":{"id":7,"requester_id":8},` +
			`"comments":[{"author_id":8,"body":"a"},{"author_id":9,"body":"b"}]}`, Options{}, `
zendesk 7 at 1: 8=USER*1 9=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
	})
}

func TestReadIntercom(t *testing.T) {
	runReadCases(t, "intercom", []readCase{
		{"the list of conversations; notes and parts without a body are no turns",
			`{"type":"conversation.list","pages":{"per_page":2},"conversations":[{"type":"conver` +
				`sation","id":"8","source":{"body":"<p>a</p>","author":{"type":"lead","id":"l"}},` +
				`"conversation_parts":{"conversation_parts":[{"part_type":"note","body":"n",` +
				`"author":{"type":"admin","name":"Ru"}},{"part_type":"open","body":null},` +
				`{"part_type":"comment","body":"<ul><li>b</li><li>c</li></ul>",` +
				`"author":{"type":"admin","name":"Ru"}}]},"conversation_rating":{"rating":2}},` +
				`{"type":"conversation","id":"9","source":{"body":"d",` +
				`"author":{"type":"contact"}},"conversation_parts":[{"part_type":"comment",` +
				`"body":"e","author":{"type":"robot"}}]}]}`, Options{}, `
intercom 8 at 1: l=USER*1 Ru=SYSTEM*1 truth [2] [] []
  USER "a"
  SYSTEM "b\nc"
! f:1: dialogue 2: unknown speaker "robot"; say who it is with --role-map "robot=system" (or ` +
				`=user, =other)
`},
	})
}
