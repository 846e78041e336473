package dialogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Intercom writes a conversation as its first message, the source, and the parts that follow. Bodies are
// HTML. Notes are between agents, and a part without a body, such as an assignment, is no turn.
// Custom attributes, other plain members and the type of the source are metadata.

// intercom reads one conversation.
func (d *draft) intercom(raw json.RawMessage) {
	o := parseObject(raw)
	d.id = o.text("id")
	d.carry(raw, "id", "type")
	d.carry(o["custom_attributes"])
	d.carryOne("source", o.child("source").text("type"))
	if source := o.first("source", "conversation_message"); source != nil {
		d.part(parseObject(source))
	}
	parts := o.first("conversation_parts")
	if nested := parseObject(parts); nested.has("conversation_parts") {
		parts = nested["conversation_parts"]
	}
	if parts == nil {
		parts = json.RawMessage("[]") // the list of conversations leaves them out
	}
	for p := range d.list(parts, "conversation_parts") {
		if d.err != nil {
			return
		}
		d.part(parseObject(p))
	}
	if rating := o.child("conversation_rating").text("rating"); rating != "" && d.err == nil {
		if v, ok := parseRating(rating); ok {
			d.truth.Overall = []float64{v}
		} else {
			d.wrong(d.line, "the rating is "+quote(rating), "want a number")
		}
	}
}

// part adds the source or a part.
func (d *draft) part(p object) {
	if strings.HasPrefix(p.text("part_type"), "note") || !p.has("body") {
		return
	}
	author := p.child("author")
	kind := author.text("type")
	name := author.text("name", "id")
	if name == "" {
		name = kind
	}
	role, known := d.file.mapped(name)
	switch {
	case known:
	case slices.Contains([]string{"user", "lead", "contact"}, kind):
		role = User
	case slices.Contains([]string{"admin", "bot", "team", "operator"}, kind):
		role = System
	default:
		d.wrong(d.line, fmt.Sprintf("an author of type %s", quote(kind)), "want user, lead, contact, admin or bot")
		return
	}
	d.add(d.line, name, role, htmlText(p.text("body")))
}
