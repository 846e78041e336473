package dialogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Messages as chat models and their training data write them: OpenAI's {"role","content"} and ShareGPT's
// {"from","value"}. The system or developer message is the prompt: the model was told it, nobody said it, so
// it is no turn. What a tool was asked and answered is a turn that nobody is judged for.

// messages reads a conversation: a list of messages, or an object that holds one.
func (d *draft) messages(raw json.RawMessage) {
	list, name := raw, "messages"
	if raw[0] == '{' {
		o := parseObject(raw)
		d.id = o.text(ids...)
		d.carry(raw, messageOwn...)
		d.carry(o.first("metadata", "meta"))
		if list = o.first("messages", "conversations", "conversation"); list == nil {
			d.wrong(d.line, "a conversation without messages", `want {"messages":[{"role":"user","content":"words"}]}`)
			return
		}
	}
	n := 0
	for m := range d.list(list, name) {
		if d.err != nil {
			return
		}
		n++
		d.message(n, parseObject(m))
	}
}

// message adds message number n.
func (d *draft) message(n int, o object) {
	name, text, bad := speech(o)
	switch {
	case name == "":
		d.wrong(d.line, fmt.Sprintf("message %d has no role", n), `want "role":"user" or "role":"assistant"`)
	case bad != "":
		d.wrong(d.line, fmt.Sprintf("message %d: %s", n, bad), contentHint)
	case d.file.isPrompt(name):
	default:
		d.say(d.line, name, text)
	}
}

// isPrompt reports whether a message of that role is what the model was told. Options.Roles can say otherwise.
func (f *file) isPrompt(name string) bool {
	if f.format != OpenAI && f.format != ShareGPT {
		return false
	}
	folded := FoldName(name)
	_, mapped := f.who.roles[folded]
	return !mapped && (folded == "system" || folded == "developer")
}

// toolCall is who speaks where the model asks a tool and says nothing; names.txt makes it nobody's turn.
const toolCall = "function call"

// speech gives the speaker and the words of a message: a string, the text parts of a list, or the refusal
// that stands in their place. Null is no words.
func speech(o object) (name, text, bad string) {
	name = o.text("role", "from", "speaker")
	raw := o.first("content", "value", "text")
	switch {
	case raw == nil:
		text = o.text("refusal")
	case raw[0] == '"':
		text = jsonString(raw)
	case raw[0] == '[':
		text = joinParts(raw)
	default:
		bad = "the content is " + kind(raw)
	}
	if text == "" && bad == "" && (o.has("tool_calls") || o.has("function_call")) {
		name = toolCall
	}
	return name, text, bad
}

const contentHint = `want a string, or parts such as {"type":"text","text":"words"}`

// joinParts joins the parts that hold words; images, audio and files are passed over.
func joinParts(list json.RawMessage) string {
	var parts []string
	for p := range elements(list) {
		part := parseObject(p)
		switch {
		case p[0] == '"':
			parts = append(parts, jsonString(p))
		case slices.Contains(textParts, part.text("type")):
			parts = append(parts, part.text("text", "refusal"))
		}
	}
	return strings.Join(parts, "\n")
}

// textParts are the types of parts that hold words.
var textParts = []string{"", "text", "input_text", "output_text", "refusal"}

// messageOwn are the members of a message or a conversation that are its id, its speaker or its words; "system" is
// where ShareGPT has the prompt.
var messageOwn = append([]string{"role", "from", "speaker", "value", "system", "tool_call_id"}, ids...)

// messageRow reads a message that stands alone in the stream and makes one dialogue with those around it.
func messageRow(v value) (row, bool) {
	o := parseObject(v.raw)
	if o.first("messages", "conversations", "conversation") != nil || o.first("role", "from", "speaker") == nil {
		return row{}, false
	}
	r := row{id: o.text("conversation_id", "dialogue_id", "session_id"), line: v.line}
	r.meta = appendFields(nil, v.raw, messageOwn...)
	r.meta = appendFields(r.meta, o.first("metadata", "meta"))
	var bad string
	if r.name, r.text, bad = speech(o); bad != "" {
		r.err = &SyntaxError{Line: v.line, Msg: bad, Hint: contentHint}
	}
	return r, true
}
