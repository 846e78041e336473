package dialogue

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// What help desks and contact centres export. Which of the formats a value is, its members tell: see jsonFormats.

// readConnect reads a contact of Amazon Connect: Contact Lens writes its analysis of a call or chat, Connect itself
// the chat transcript. The role is in the entry or in the list of participants; AGENT, CUSTOM_BOT and
// SYSTEM, the prompts of the flow, are the SYSTEM. Events such as "participant joined" are no turns. The contact's
// attributes are metadata, and so are the members beside the transcript.
func readConnect(d *draft, raw jsontext.Value) *row {
	c := members(raw)
	customer := members(c.get("customermetadata"))
	d.id = cmp.Or(c.text("contactid", "initialcontactid"), customer.text("contactid"))
	d.meta = customer.fields(c.fields(nil, "contactid initialcontactid"), "contactid")
	d.meta = members(c.get("attributes", "contactattributes")).fields(d.meta, "")
	roles := make(map[string]string)
	for raw := range elements(c.get("participants")) {
		p := members(raw)
		roles[p.text("participantid")] = p.text("participantrole")
	}
	d.wantList(c.get("transcript"), "Transcript")
	for raw := range elements(c.get("transcript")) {
		e := members(raw)
		if kind := e.text("type"); kind == "EVENT" || kind == "ATTACHMENT" {
			continue
		}
		text := e.text("content")
		if e.text("contenttype") == "application/vnd.amazonaws.connect.message.interactive" { // JSON: a list to pick from
			text = members(members(members(jsontext.Value(text)).get("data")).get("content")).text("title")
		}
		id := e.text("participantid") // in older analyses it is the role
		name := cmp.Or(e.text("participantrole"), roles[id], id)
		d.sayAs(name, System, name == "CUSTOM_BOT" || name == "SUPERVISOR", text)
	}
	return nil
}

// readIntercom reads a conversation of Intercom: its first message, the source, and the parts that follow. Bodies are
// HTML. Notes are between agents, and a part without a body, such as an assignment, is no turn.
// Custom attributes, other plain members and the type of the source are metadata.
func readIntercom(d *draft, raw jsontext.Value) *row {
	c := members(raw)
	source := c.get("source", "conversationmessage") // the latter in older exports
	d.id = c.text("id")
	d.meta = members(c.get("customattributes")).fields(c.fields(nil, "id type"), "")
	d.meta = append(d.meta, Field{"source", members(source).text("type")})
	d.intercomPart(members(source))
	for raw := range elements(c.get("conversationparts")) {
		d.intercomPart(members(raw))
	}
	if rating := members(c.get("conversationrating")).text("rating", "name"); rating != "" && d.err == nil {
		v, ok := parseRating(rating)
		if !ok {
			d.wrong(d.line, "the rating is "+quote(rating), "want a number")
		}
		d.truth.Overall = []float64{v}
	}
	return nil
}

func (d *draft) intercomPart(p object) {
	if strings.HasPrefix(p.text("parttype"), "note") || p.get("body") == nil {
		return
	}
	author := members(p.get("author"))
	role, known := System, true
	switch author.text("type") {
	case "user", "lead", "contact":
		role = User
	case "admin", "bot", "team", "operator":
	default:
		known = false
	}
	d.sayAs(author.text("name", "id", "type"), role, known, htmlText(p.text("body")))
}

// readZendesk reads a ticket of Zendesk with its comments. The requester is the USER and everybody else the SYSTEM; a
// comment that is not public is a note between agents and no turn. Tickets come alone, as JSON lines, in
// {"tickets":[…]}, or as the {"comments":[…],"users":[…]} of its API. Metadata are the plain members of the
// ticket, the names of those in charge, the channel and the custom fields, each by its title or else its number.
func readZendesk(d *draft, raw jsontext.Value) *row {
	envelope := members(raw)
	t := envelope
	if inside := envelope.get("ticket"); inside != nil {
		t = members(inside)
	}
	d.id = t.text("id", "ticketid")
	d.meta = t.fields(nil, "id ticketid requesterid requester assignee group brand organization via")
	for _, name := range []string{"assignee", "group", "brand", "organization"} {
		d.meta = append(d.meta, Field{name, members(t.get(name)).text("name")})
	}
	via := members(t.get("via"))
	d.meta = append(d.meta, Field{"channel", via.text("channel")}, Field{"via", via.text("name")})
	custom := t.get("customfields", "fields")
	if custom.Kind() == '{' {
		d.meta = members(custom).fields(d.meta, "")
	}
	for raw := range elements(custom) {
		if f := members(raw); len(d.meta) < mostGathered {
			d.meta = append(d.meta, Field{f.text("title", "name", "id"), f.text("value")})
		}
	}
	requester := cmp.Or(t.text("requesterid"), members(t.get("requester")).text("id"))
	roles := make(map[string]Role) // by id, of the users that are listed beside the ticket
	for raw := range elements(envelope.get("users")) {
		user := members(raw)
		roles[user.text("id")] = System
		if user.text("role") == "end-user" {
			roles[user.text("id")] = User
		}
	}
	if requester != "" {
		roles[requester] = User
	}
	comments := t.get("comments")
	if comments == nil {
		comments = envelope.get("comments")
	}
	d.wantList(comments, "comments")
	for raw := range elements(comments) {
		c := members(raw)
		if c.text("public") == "false" {
			continue
		}
		text := htmlText(c.text("htmlbody", "plainbody")) // the latter holds leftovers of HTML
		if c.get("htmlbody") == nil && c.get("body") != nil {
			text = c.text("body")
		}
		author := members(c.get("author"))
		id := cmp.Or(c.text("authorid"), author.text("id"))
		role, listed := roles[id]
		if !listed {
			role = System
		}
		d.sayAs(cmp.Or(author.text("name"), id), role, listed || requester != "", text)
	}
	switch members(t.get("satisfactionrating")).text("score", "name") {
	case "good", "good_with_comment":
		d.truth.Overall = []float64{1}
	case "bad", "bad_with_comment":
		d.truth.Overall = []float64{0}
	}
	return nil
}
