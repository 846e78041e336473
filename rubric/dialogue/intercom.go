package dialogue

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Intercom writes a conversation as its first message, the source, and the parts that follow. Bodies are
// HTML. Notes are between agents, and a part without a body, such as an assignment, is no turn.
// Custom attributes, other plain members and the type of the source are metadata.
type intercomConversation struct {
	ID                          string
	Source, ConversationMessage *intercomPart // the latter in older exports
	ConversationRating          struct{ Rating string }
	ConversationParts           jsontext.Value // the list of conversations leaves them out
	CustomAttributes, Type      jsontext.Value
	Rest                        jsontext.Value `json:",embed"`
}

// intercomPart is the source or a part.
type intercomPart struct {
	Type, PartType string
	Body           *string
	Author         ref
}

// readIntercom reads one conversation.
func readIntercom(d *draft, raw jsontext.Value) *row {
	var c intercomConversation
	d.unmarshal(raw, &c)
	d.id = c.ID
	d.meta = scalars(scalars(nil, c.Rest), c.CustomAttributes)
	if source := cmp.Or(c.Source, c.ConversationMessage); source != nil {
		d.meta = append(d.meta, Field{"source", source.Type})
		d.intercomPart(source)
	}
	for p := range elements[intercomPart](d, c.ConversationParts, "") {
		d.intercomPart(&p)
	}
	if rating := c.ConversationRating.Rating; rating != "" && d.err == nil {
		v, ok := parseRating(rating)
		if !ok {
			d.wrong(d.line, "the rating is "+quote(rating), "want a number")
		}
		d.truth.Overall = []float64{v}
	}
	return nil
}

func (d *draft) intercomPart(p *intercomPart) {
	if strings.HasPrefix(p.PartType, "note") || p.Body == nil {
		return
	}
	role, known := System, true
	switch p.Author.Type {
	case "user", "lead", "contact":
		role = User
	case "admin", "bot", "team", "operator":
	default:
		known = false
	}
	d.sayAs(cmp.Or(p.Author.Name, p.Author.ID, p.Author.Type), role, known, htmlText(*p.Body))
}
