package dialogue

import (
	"encoding/json"
	"slices"
)

// Zendesk writes a ticket with its comments. The requester is the USER and everybody else the SYSTEM; a
// comment that is not public is a note between agents and no turn. Tickets come alone, as JSON lines, in
// {"tickets":[…]}, or as the {"comments":[…],"users":[…]} of its API.

// zendesk reads one ticket.
func (d *draft) zendesk(raw json.RawMessage) {
	o := parseObject(raw)
	if o.has("ticket") {
		raw = o["ticket"]
	}
	ticket := parseObject(raw)
	d.id = ticket.text("id", "ticket_id")
	d.carry(raw, "id", "ticket_id", "requester_id")
	d.carryTicket(ticket)
	requester := ticket.text("requester_id")
	if requester == "" {
		requester = ticket.child("requester").text("id")
	}
	comments := ticket.first("comments")
	if comments == nil {
		comments = o.first("comments")
	}
	if nested := parseObject(comments); nested.has("comments") {
		comments = nested["comments"]
	}
	people := zendeskPeople(o)
	for c := range d.list(comments, "comments") {
		if d.err != nil {
			return
		}
		comment := parseObject(c)
		if string(comment["public"]) == "false" {
			continue
		}
		d.comment(comment, requester, people)
	}
	d.rateTicket(ticket)
}

// carryTicket keeps as metadata what the ticket has in objects: who and what it is assigned to, by name, its channel,
// and its custom fields, each by its title or else its number.
func (d *draft) carryTicket(ticket object) {
	for _, key := range []string{"assignee", "group", "brand", "organization"} {
		d.carryOne(key, ticket.child(key).text("name"))
	}
	d.carryOne("channel", ticket.child("via").text("channel"))
	fields := ticket.first("custom_fields", "fields")
	if len(fields) > 0 && fields[0] == '{' {
		d.carry(fields)
		return
	}
	for f := range elements(fields) {
		field := parseObject(f)
		d.carryOne(field.text("title", "name", "id"), scalar(field["value"]))
	}
}

// zendeskPeople gives the role of every user that the export lists beside the ticket, by id.
func zendeskPeople(o object) map[string]Role {
	people := make(map[string]Role)
	for u := range elements(o["users"]) {
		user := parseObject(u)
		role := System
		if user.text("role") == "end-user" {
			role = User
		}
		people[user.text("id")] = role
	}
	return people
}

func (d *draft) comment(c object, requester string, people map[string]Role) {
	author := c.child("author")
	id := c.text("author_id")
	if id == "" {
		id = author.text("id")
	}
	name := author.text("name")
	if name == "" {
		name = id
	}
	role, known := d.file.mapped(name)
	if !known {
		role, known = d.file.mapped(id)
	}
	switch listed, ok := people[id]; {
	case known:
	case requester != "" && id == requester:
		role, known = User, true
	case ok:
		role, known = listed, true
	case requester != "":
		role, known = System, true
	}
	if !known {
		d.say(d.line, name, zendeskText(c)) // the name may tell, or --system-name
		return
	}
	d.add(d.line, name, role, zendeskText(c))
}

// zendeskText gives the words of a comment. Its plain_body holds leftovers of HTML, so that comes last.
func zendeskText(c object) string {
	if c.has("html_body") {
		return htmlText(c.text("html_body"))
	}
	if c.has("body") {
		return c.text("body")
	}
	return htmlText(c.text("plain_body"))
}

// rateTicket notes what the requester thought: good is 1 and bad is 0.
func (d *draft) rateTicket(ticket object) {
	score := ticket.text("satisfaction_rating")
	if score == "" {
		score = ticket.child("satisfaction_rating").text("score")
	}
	switch {
	case d.err != nil:
	case slices.Contains([]string{"good", "good_with_comment"}, score):
		d.truth.Overall = []float64{1}
	case slices.Contains([]string{"bad", "bad_with_comment"}, score):
		d.truth.Overall = []float64{0}
	}
}
