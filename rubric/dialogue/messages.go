package dialogue

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Messages as chat models and their training data write them: OpenAI's {"role","content"} and ShareGPT's
// {"from","value"}, in a list or one by one, and the utterances of ConvoKit, whose older corpora call the conversation
// root and the speaker user. The system or developer message is the prompt: the model was told it, nobody said it, so
// it is no turn. What a tool was asked and what it answered are turns that nobody is judged for.

// message is one message.
type message struct {
	Speaker, User           ref
	Role, From              string
	Content, Value, Text    content
	Refusal                 string
	ToolCalls, FunctionCall jsontext.Value
}

// conversation is a list of messages, or a single message with what is known of its conversation.
type conversation struct {
	message
	ID, DialogueID, ConversationID, DialogID, SessionID, Root string
	Messages, Conversations, Conversation, Metadata, Meta     jsontext.Value
	System, ToolCallID, ReplyTo                               jsontext.Value // no metadata
	Rest                                                      jsontext.Value `json:",embed"`
}

// readMessages reads a conversation: a list of messages, an object that holds one, or a message of its own.
func readMessages(d *draft, raw jsontext.Value) *row {
	var c conversation
	d.unmarshal(raw, &c)
	meta := scalars(scalars(nil, c.Rest), firstValue(c.Metadata, c.Meta))
	id := cmp.Or(c.ConversationID, c.DialogueID, c.SessionID, c.Root)
	list := firstValue(c.Messages, c.Conversations, c.Conversation)
	switch {
	case raw.Kind() == '[':
		d.messages(raw)
	case list != nil:
		d.id, d.meta = cmp.Or(c.ID, c.DialogueID, c.ConversationID, c.DialogID, c.SessionID), meta
		d.messages(list)
	case id == "" && c.name() == "":
		d.wrong(d.line, "a conversation without messages", `want {"messages":[{"role":"user","content":"words"}]}`)
	default:
		name, text, bad := c.speech()
		if bad != "" {
			d.wrong(d.line, "a message "+bad, messageHint)
		}
		return &row{id: id, name: name, text: text, meta: meta}
	}
	return nil
}

func (d *draft) messages(list jsontext.Value) {
	n := 0
	for m := range elements[message](d, list, "messages") {
		n++
		if name, text, bad := m.speech(); bad != "" {
			d.wrong(d.line, fmt.Sprintf("message %d %s", n, bad), messageHint)
		} else if !d.file.isPrompt(name) {
			d.say(d.line, name, text)
		}
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

func (m *message) name() string {
	return cmp.Or(m.Role, m.From, m.Speaker.ID, m.Speaker.Name, m.User.ID, m.User.Name)
}

// toolCall is the name for a message in which the model asks a tool and says nothing; names.txt makes it OTHER.
const toolCall = "function call"

const messageHint = `want "role":"user" or "role":"assistant", and for "content" a string or parts such as ` +
	`{"type":"text","text":"words"}`

// speech gives the speaker and the words of a message, or what is wrong with it.
func (m *message) speech() (name, text, bad string) {
	said := cmp.Or(m.Content, m.Value, m.Text, content{text: m.Refusal})
	name = m.name()
	switch {
	case name == "":
		return "", "", "has no role"
	case said.isOther:
		return name, "", "has a content that is no text"
	case said.text == "" && firstValue(m.ToolCalls, m.FunctionCall) != nil:
		name = toolCall
	}
	return name, said.text, ""
}

// content is what a message says: a string, the text parts of a list, or nothing.
type content struct {
	text    string
	isOther bool // another kind of value
}

// UnmarshalJSONFrom reads a content of any kind. Of a list it takes the parts that are text; images, audio and files
// are passed over.
func (c *content) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '"', 'n':
		return json.UnmarshalDecode(dec, &c.text)
	case '[':
	default:
		c.isOther = true
		return dec.SkipValue()
	}
	dec.ReadToken()
	var texts []string
	for dec.PeekKind() != ']' {
		var part struct{ Text, Type, Refusal string } // or a string alone
		if err := json.UnmarshalDecode(dec, &part); err != nil {
			return err
		}
		switch text := cmp.Or(part.Text, part.Refusal); part.Type {
		case "", "text", "input_text", "output_text", "refusal":
			if text != "" {
				texts = append(texts, text)
			}
		}
	}
	c.text = strings.Join(texts, "\n")
	_, err := dec.ReadToken()
	return err
}
