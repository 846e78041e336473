package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

func TestUnsaid(t *testing.T) {
	for in, want := range map[string]string{
		"a":                                   "a",
		"a < b":                               "a < b",
		"<think>x</think>a":                   "a",
		"<think>\nx\n</think>\n\na":           "a",
		"a <THINKING>x</THINKING>b":           "a b",
		"x\n</think>\na":                      "a",
		"<think>x":                            "",
		"a </think> b":                        "a </think> b",
		"a <think> b":                         "a <think> b",
		"<think>x</think>a<think>y</think> b": "a b",
		"a thinker <b>thinks</b>":             "a thinker <b>thinks</b>",
	} {
		assert.Equal(t, want, lex.WithoutThoughts(in), in)
	}
	for in, want := range map[string]string{
		"It&#39;s &lt;noon&gt; &amp; free": "It's <noon> & free",
		"&#x27;&quot;&nbsp;":               "'\"\u00a0",
		"?a=1&copy=2&lt":                   "?a=1&copy=2&lt",
		"&nosuch; &":                       "&nosuch; &",
		`{"a":"&quot;"}`:                   `{"a":"&quot;"}`,
		"&amp;lt;":                         "&lt;",
	} {
		assert.Equal(t, want, lex.WithoutEntities(in), in)
	}
	for in, want := range map[string]bool{
		`{"a":1}`: true, ` [{"a":1}] `: true, "{}": false, "[1]": false, "[sic] a": false,
		"{a}": false, "": false, "7": false,
	} {
		assert.Equal(t, want, lex.IsData(in), in)
	}
}

// TestSpoken reads traces and logs whose texts contain more, or other things, than what was said.
func TestSpoken(t *testing.T) {
	generation := func(rest string) string {
		return `{"id":"o1","traceId":"t1","type":"GENERATION","startTime":"2025-08-28T07:32:31Z",` +
			rest + `}`
	}
	runReadCases(t, stream.Auto, []readCase{
		{"the payloads of a model in strings", `{"trace":{"id":"t1"},"observations":[` +
			generation(`"input":"{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Is it `+
				`open?\"}]}]}",`+
				`"output":"{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"Until `+
				`nine.\"}]},\"finish_reason\":\"STOP\"}"`) + `]}`, Options{}, `
langfuse 1 (t1) at 1: user=USER*1 model=SYSTEM*1
  USER "Is it open?"
  SYSTEM "Until nine."
`},
		{"messages with parts, in strings and not", generation(`"input":"[{\"role\":\"system\",` +
			`\"parts\":[{\"type\":\"text\",\"content\":\"Be kind.\"}]},{\"role\":\"user\",` +
			`\"parts\":[{\"type\":\"text\",\"content\":\"Is it open?\"}]}]",` +
			`"output":[{"role":"assistant","parts":[{"type":"text","content":"Until nine."}]}]`),
			Options{}, `
langfuse 1 (t1) at 1: system=OTHER*1 user=USER*1 assistant=SYSTEM*1
  OTHER "Be kind."
  USER "Is it open?"
  SYSTEM "Until nine."
`},
		{"the conversation so far in one text", generation(`"input":"system: Be kind.\nuser: Is ` +
			`it open?\nNote: I am late","output":"AI: Until nine."`), Options{}, `
langfuse 1 (t1) at 1: system=OTHER*1 user=USER*1 AI=SYSTEM*1
  OTHER "Be kind."
  USER "Is it open?\nNote: I am late"
  SYSTEM "Until nine."
`},
		{"a prompt that ends where the answer begins",
			`{"prompt":"Human: Is it open?\n\nAssistant:","completion":" Until nine."}`, Options{},
			`
pairs 1 at 1: Human=USER*1 assistant=SYSTEM*1
  USER "Is it open?"
  SYSTEM "Until nine."
`},
		{"JSON of an unknown form is not understood",
			generation(`"input":"{\"q\":{\"say\":\"Is it open?\"}}","output":"Until nine."`) +
				"\n" +
				strings.Replace(generation(`"input":"Is it open?","output":{"x":{"y":"Until `+
					`nine."}}`), "t1", "t2", 1), Options{}, `
! f:1: dialogue 1: not understood: input; name the places with --columns, such as ` +
				`text=messages[].body; the keys are "id", "traceId", "type", "startTime", ` +
				`"input", "output"
! f:2: dialogue 2: not understood: output; name the places with --columns, such as ` +
				`text=messages[].body; the keys are "id", "traceId", "type", "startTime", ` +
				`"input", "output.x.y"
`},
		{"a step of a trace that is no call of a model may hold any JSON",
			strings.Replace(generation(`"input":"{\"k\":4}","output":"{\"found\":\"two pages\"}"`),
				"GENERATION", "SPAN", 1) + "\n" +
				strings.Replace(generation(`"input":"a","output":"b"`), "t1", "t2", 1), Options{}, `
langfuse 1 (t2) at 2: user=USER*1 assistant=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
		{"an answer in JSON beside its question",
			`{"prompt":"Is it open?","completion":"{\"reply\":\"Until nine.\"}"}`, Options{}, `
! f:1: dialogue 1: JSON and no words at completion or response or answer or bot_response or …; ` +
				`name the places with --columns, such as text=messages[].body; the keys are "reply"
`},
		{"thoughts, entities and JSON in messages", `{"messages":[{"role":"user",` +
			`"content":"<think> it&#39;s open?"},{"role":"assistant","content":"<think>Say ` +
			`sorry</think>Until &lt;nine&gt;."},` +
			`{"role":"assistant","content":"<think>Nothing more"},{"role":"assistant",` +
			`"content":"{\"intent\":\"hours\"}"},{"role":"tool","content":"{\"a\":\"&quot;\"}"}]}`,
			Options{}, `
openai 1 at 1: user=USER*1 assistant=SYSTEM*1 tool=OTHER*1
  USER "<think> it's open?"
  SYSTEM "Until <nine>."
  OTHER "{\"intent\":\"hours\"}"
  OTHER "{\"a\":\"&quot;\"}"
`},
		{"thoughts and entities in rows", `{"id":1,"role":"user","content":"It&#39;s open?"}` +
			"\n" +
			`{"id":1,"role":"assistant","content":"<think>Yes</think>Until nine."}`, Options{}, `
table 1 at 1: user=USER*1 assistant=SYSTEM*1
  USER "It's open?"
  SYSTEM "Until nine."
`},
		{"spans in a table with dotted columns", "name,context.trace_id," +
			"attributes.openinference.span.kind,attributes.llm.input_messages.0.message.role," +
			"attributes.llm.input_messages.0.message.content," +
			"attributes.llm.output_messages.0.message.role,attributes.llm.output_messages.0.mess" +
			"age.content\n" +
			"llm,t1,LLM,user,Is it open?,assistant,\"Until nine, then closed.\"\nllm,t2,LLM," +
			"user,Is it far?,assistant,No\nllm,t3,LLM,user,Is it near?,assistant,Yes\nllm,t4," +
			"LLM,user\n", Options{Format: stream.Table}, `
! f:5: dialogue 1: 4 fields where the header names 7; put texts that hold "," into double quotes
openinference 2 (t1) at 2: user=USER*1 assistant=SYSTEM*1 meta [{"name" "llm"}]
  USER "Is it open?"
  SYSTEM "Until nine, then closed."
openinference 3 (t2) at 3: user=USER*1 assistant=SYSTEM*1 meta [{"name" "llm"}]
  USER "Is it far?"
  SYSTEM "No"
openinference 4 (t3) at 4: user=USER*1 assistant=SYSTEM*1 meta [{"name" "llm"}]
  USER "Is it near?"
  SYSTEM "Yes"
`},
		{"spans in a table with lists in cells, of which one is no JSON",
			"context.trace_id\tspan_kind\tattributes.llm.input_messages\tattributes.llm.output_m" +
				"essages\n" +
				"t1\tLLM\t\"[{\"\"message.role\"\": \"\"user\"\", \"\"message.content\"\": " +
				"\"\"Is it open?\"\"}]\"\t\"[{\"\"message.role\"\": \"\"assistant\"\", " +
				"\"\"message.content\"\": \"\"Until nine.\"\"}]\"\n" +
				"t2\tLLM\t\"[{'message.role': 'user', 'message.content': 'Is it " +
				"open?'}]\"\t\"[{\"\"message.role\"\": \"\"assistant\"\", " +
				"\"\"message.content\"\": \"\"Until nine.\"\"}]\"\n", Options{}, `
! f:3: dialogue 1: not understood: attributes.llm.input_messages or llm.input_messages or ` +
				`attributes.input.value or input.value; name the places with --columns, such as ` +
				`text=messages[].body; the keys are "attributes.llm.input_messages", ` +
				`"attributes.llm.output_messages[].message.content", ` +
				`"attributes.llm.output_messages[].message.role", "context.trace_id", "span_kind"
openinference 2 (t1) at 2: user=USER*1 assistant=SYSTEM*1
  USER "Is it open?"
  SYSTEM "Until nine."
`},
		{"spans of OpenInference as OpenTelemetry writes them", `{"resourceSpans":[{"resource":{` +
			`"attributes":[{"key":"service.name","value":{"stringValue":"bot"}}]},` +
			`"scopeSpans":[{"spans":[` +
			`{"traceId":"aa","spanId":"00","name":"POST","attributes":[{"key":"http.method",` +
			`"value":{"stringValue":"POST"}}]},` +
			`{"traceId":"aa","spanId":"01","name":"llm","startTimeUnixNano":"1748850000000000000` +
			`","attributes":[{"key":"openinference.span.kind","value":{"stringValue":"LLM"}},` +
			`{"key":"session.id","value":{"stringValue":"s1"}},` +
			`{"key":"llm.input_messages.0.message.role","value":{"stringValue":"user"}},` +
			`{"key":"llm.input_messages.0.message.content","value":` +
			`{"stringValue":"Is it open?"}},` +
			`{"key":"llm.output_messages.0.message.content","value":{"stringValue":"Until ` +
			`nine."}},{"key":"llm.output_messages.0.message.role","value":{"stringValue":"assist` +
			`ant"}}]}]}]}]}`, Options{}, `
openinference 1 (s1) at 1: user=USER*1 assistant=SYSTEM*1 meta [{"name" "llm"}]
  USER "Is it open?"
  SYSTEM "Until nine."
`},
		{"a conversation and its answer in two columns", "prompt,completion\n\"Human: Is it " +
			"open?\n\nAssistant: Maybe. Where?\n\nHuman: In Rome.\",\"Until nine, I think.\"\n" +
			"\"Human: Is it far?\n\nAssistant: It is not far.\",\"It is not far.\"\n\"Human: Is " +
			"it near?\n\nHuman: Hello?\",\"{\"\"role\"\":\"\"assistant\"\"," +
			"\"\"content\"\":\"\"It is.\"\"}\"\n", Options{}, `
table 1 at 2: Human=USER*2 Assistant=SYSTEM*1 assistant=SYSTEM*1
  USER "Is it open?"
  SYSTEM "Maybe. Where?"
  USER "In Rome."
  SYSTEM "Until nine, I think."
table 2 at 7: Human=USER*1 Assistant=SYSTEM*1
  USER "Is it far?"
  SYSTEM "It is not far."
table 3 at 10: Human=USER*2 assistant=SYSTEM*1
  USER "Is it near?"
  USER "Hello?"
  SYSTEM "It is."
`},
		{"a conversation with two answers", "id,prompt,answer,response\n1,\"Human: Is it open?\n" +
			"\nAssistant: Maybe. Where?\n\nHuman: In Rome.\",\"Until nine, I think.\",\"No, not " +
			"today.\"\n", Options{}, `
! f: several columns may hold the answer to the conversation in prompt: "answer" ("Until nine, ` +
			`I think."), "response" ("No, not today."); leave one of them, or name the ` +
			`conversation alone with --columns text=NAME
`},
		{"records of a trace in a table", "id,timestamp,sessionId,input,output\nt1," +
			"2025-06-02T09:00:00Z,s1,\"{\"\"messages\"\":[{\"\"role\"\":\"\"user\"\"," +
			"\"\"content\"\":\"\"Is it open?\"\"}]}\",Until nine.\n", Options{}, `
langfuse 1 (s1) at 2: user=USER*1 assistant=SYSTEM*1
  USER "Is it open?"
  SYSTEM "Until nine."
`},
		{"JSON in the cells of a table", "id,role,text\n1,user,\"{\"\"text\"\":\"\"Is it " +
			"open?\"\"}\"\n1,assistant,Until nine.\n", Options{}, `
table 1 at 2: user=OTHER*1 assistant=SYSTEM*1
  OTHER "{\"text\":\"Is it open?\"}"
  SYSTEM "Until nine."
`},
		{"numbered columns of which some are no turns", `{"id":1,"user.0":"Is it open today?",` +
			`"agent.1":"No, it is not.","user.2":"Is it open tomorrow?","agent.3":"No, not at ` +
			`all.","out.0.words":"Until nine, I think."}`, Options{}, `
! f: the speaker is unknown for "out.0.words" ("Until nine, I think."); other numbered columns ` +
			`are turns; rename them so that each has its side and its number, such as user_1 ` +
			`and agent_1
`},
	})
}

func TestUnsaidNotes(t *testing.T) {
	for _, c := range []struct{ reason, in, want string }{
		{"a null reply", `{"messages":[{"role":"user","content":"a"},{"role":"assistant",` +
			`"content":null},{"role":"assistant","content":"b"}]}`,
			"f: left out: 1 message of a side whose words are null or missing; the first is " +
				"message 2 on line 1"},
		{"a message without parts", `{"messages":[{"role":"user","parts":[]},{"role":"user",` +
			`"parts":[{"type":"text","text":"a"}]},{"role":"assistant","parts":[{"type":"text",` +
			`"text":"b"}]}]}`,
			"f: left out: 1 message of a side whose words are null or missing; the first is " +
				"message 1 on line 1"},
		{"a call of a tool needs no words", `{"messages":[{"role":"user","content":"a"},` +
			`{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"f",` +
			`"arguments":"{}"}}]}]}`, ""},
		{"a thought without an end", `{"messages":[{"role":"user","content":"a"},` +
			`{"role":"assistant","content":"<think>b"},{"role":"assistant",` +
			`"content":"<think>b</think>"}]}`,
			"f: left out: 1 message of the SYSTEM that begins with a thought without an end, " +
				"such as <think>, so that nobody can tell what was said"},
		{"JSON for words in plain text", "User: a\nBot: {\"reply\":\"b\"}\nUser: c\n",
			"f: 1 message contains JSON instead of words and is ignored"},
		{"two messages with ids of their own", `[{"id":"m1","role":"user","content":"a"},` +
			`{"id":"m2","role":"assistant","content":"b"}]`,
			`f: 1 dialogue, since "id" ("m1", "m2") identifies messages`},
		{"JSON for words", `{"messages":[{"role":"user","content":"a"},{"role":"assistant",` +
			`"content":"{\"reply\":\"b\"}"}]}`,
			"f: 1 message contains JSON instead of words and is ignored; name the place of the " +
				"words with --columns, such as text=messages[].content.reply"},
		{"an answer to a conversation that has one", "prompt,completion\n\"Human: Is it far?\n\n" +
			"Assistant: It is not far.\",\"It is very far.\"\n",
			"f: text = prompt, answer = completion: one dialogue per row\nf: left out: 1 answer " +
				"next to a conversation that does not end with the customer"},
		{"a list of messages under an unknown name", `{"id":"r","run_type":"chain",` +
			`"trace_id":"t","inputs":{"question":"a?","past":[{"role":"user","content":"b"}]},` +
			`"outputs":{"answer":"c"}}`,
			`f: left out: messages at "inputs.past", a place that the format does not have`},
		{"a list of conversations under an unknown name", `{"conversations":[{"id":1,` +
			`"messages":[{"role":"user","content":"a"}]}],"older":[{"id":2,` +
			`"messages":[{"role":"user","content":"a"}]}]}`,
			`f: left out: 1 list of conversations under an unknown name; the first is "older"`},
	} {
		var notes []string
		dump(strings.NewReader(c.in), "f",
			Options{Note: func(s string) { notes = append(notes, s) }})
		assert.Equal(t, c.want, strings.Join(notes, "\n"), c.reason)
	}
}
