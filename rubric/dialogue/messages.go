package dialogue

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Messages as chat models write them: {"role","content"} in a list. The system or developer message is the
// prompt: the model was told it, nobody said it. It is a turn that nobody is judged for, as are what a tool was asked and what it answered.

// usedOfMessages are the members of a conversation or a message that are not metadata.
const usedOfMessages = "role from speaker user content value text refusal id dialogueid conversationid dialogid " +
	"sessionid root system toolcallid replyto"

// readMessages reads a conversation: a list of messages, or an object that holds one.
func readMessages(d *draft, raw jsontext.Value) *Row {
	if raw.Kind() == '[' {
		d.messages(raw)
		return nil
	}
	o := members(raw)
	meta := members(o.get("metadata", "meta")).fields(o.fields(nil, usedOfMessages), "")
	if list := messagesOf(o); list != nil {
		d.id, d.meta = o.text("id", "dialogueid", "conversationid", "dialogid", "sessionid"), meta
		d.request.Session = o.text("sessionid", "conversationid", "threadid", "chatid")
		d.request.Time = o.text("timestamp", "createdat", "created", "time", "starttime")
		isInside := o.get("messages", "conversations", "conversation") == nil
		d.isRequest = isInside || o.get("model") != nil
		d.answer(o, d.messages(list))
		return nil
	}
	d.wrong(d.line, "a conversation without messages", `want {"messages":[{"role":"user","content":"words"}]}`)
	return nil
}

// messages reads a list of messages and gives the role of the last one.
func (d *draft) messages(list jsontext.Value) (last string) {
	d.wantList(list, "messages")
	n := 0
	for _, m := range d.byTime(slices.Collect(elements(list))) {
		n++
		o := members(m)
		name, text, bad := speech(o)
		if bad != "" {
			d.wrong(d.line, fmt.Sprintf("message %d %s", n, bad), messageHint)
		}
		if d.err != nil {
			return ""
		}
		d.ask(name, text)
		last = name
		d.sayOrPrompt(d.line, name, text)
		if calls := callsIn(o); calls != "" && name != toolCall {
			d.say(d.line, toolCall, calls)
		}
	}
	return last
}

// byTime puts messages that all have a time in its order, where they are not, and tells of it.
func (d *draft) byTime(list []jsontext.Value) []jsontext.Value {
	times := make([]int64, len(list))
	order := make([]int, len(list))
	for i, m := range list {
		order[i] = i
		at, ok := ParseTime(members(m).text("createdat", "timestamp", "createtime", "created", "time", "sentat", "date", "ts", "timestampms",
			"createddate"))
		if !ok || at.US != at.EU {
			return list
		}
		times[i] = at.EU
	}
	later := func(a, b int) int { return cmp.Compare(times[a], times[b]) }
	if slices.IsSortedFunc(order, later) {
		return list
	}
	slices.Reverse(order)
	if !slices.IsSortedFunc(order, later) { // mixed: messages of one time keep the direction of the list
		slices.Reverse(order)
		slices.SortStableFunc(order, later)
	}
	d.tellMoved()
	sorted := make([]jsontext.Value, len(list))
	for i, from := range order {
		sorted[i] = list[from]
	}
	return sorted
}

// tellMoved tells, once a file, that the times order the messages.
func (d *draft) tellMoved() {
	const told = "messages are read in the order of their times, which is not that of the file"
	if f := d.file; f.opt.Note != nil && !slices.Contains(f.told, told) {
		f.told = append(f.told, told)
		f.opt.Note(f.name + ": " + told)
	}
}

// sayOrPrompt adds a turn of the speaker that the source calls name. A prompt is kept, once, as a turn that nobody is
// judged for.
func (d *draft) sayOrPrompt(line int, name, text string) {
	if !d.file.isPrompt(name) {
		d.say(line, name, text)
	} else if text != "" && text != d.prompt {
		d.prompt = text
		d.add(line, name, Other, text)
	}
}

// isPrompt reports whether a message of that role is what the model was told. Options.Roles can say otherwise.
func (f *file) isPrompt(name string) bool {
	if f.format != OpenAI && (f.layout == nil || f.layout.Session == nil) {
		return false
	}
	folded := FoldName(name)
	role, mapped := f.who.roles[folded]
	return (!mapped || role == Other) && (folded == "system" || folded == "developer")
}

// toolCall is the name for a message in which the model asks a tool and says nothing; names.txt makes it OTHER.
const toolCall = "function call"

const messageHint = `want "role":"user" or "role":"assistant", and for "content" a string or parts such as ` +
	`{"type":"text","text":"words"}`

// contentNames are the members that hold the words of a message; where there are none, they are null.
var contentNames = []string{"content", "value", "text", "message", "body", "refusal"}

// speech gives the speaker and the words of a message, or what is wrong with it. Of a list of parts it takes those
// that are text; images, audio and files are passed over.
func speech(m object) (name, text, bad string) {
	name = m.text("role", "from")
	for _, person := range []string{"speaker", "user", "sender", "author", "creator"} {
		name = cmp.Or(name, members(m.get(person)).text("id", "name"))
	}
	name = cmp.Or(name, m.text("sendername", "authorname"))
	if name == "" {
		return "", "", "has no role"
	}
	switch said := m.get(contentNames[:5]...); said.Kind() {
	case '"':
		text = plainText(said)
	case '[':
		var ok bool
		if text, ok = wordsIn(said); !ok {
			return name, "", "has a part without text"
		}
	case 0: // null or not there
	default:
		return name, "", "has a content that is no text"
	}
	if text = cmp.Or(text, m.text("refusal")); text == "" {
		if text = callsIn(m); text != "" || m.get("toolcalls", "functioncall") != nil {
			name = toolCall
		} else if !slices.ContainsFunc(m, func(m member) bool { return slices.Contains(contentNames, m.folded) }) {
			return name, "", "has no content"
		}
	}
	return name, text, ""
}
