package dialogue

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"
)

// Zendesk writes a ticket with its comments. The requester is the USER and everybody else the SYSTEM; a
// comment that is not public is a note between agents and no turn. Tickets come alone, as JSON lines, in
// {"tickets":[…]}, or as the {"comments":[…],"users":[…]} of its API. Metadata are the plain members of the ticket,
// the names of those in charge, the channel and the custom fields, each by its title or else its number.
type ticket struct {
	ID, TicketID, RequesterID                            string
	Requester, Assignee, Group, Brand, Organization, Via ref
	SatisfactionRating                                   struct{ Score string }
	CustomFields, Fields, Users, Comments                jsontext.Value
	Ticket                                               *ticket        // in an envelope
	Rest                                                 jsontext.Value `json:",embed"`
}

type ticketComment struct {
	AuthorID, Public string
	Author           ref
	HTMLBody, Body   *string
	PlainBody        string
}

type ticketField struct{ Title, Name, ID, Value string }

// readZendesk reads one ticket.
func readZendesk(d *draft, raw jsontext.Value) *row {
	var envelope ticket
	d.unmarshal(raw, &envelope)
	t := cmp.Or(envelope.Ticket, &envelope)
	d.id = cmp.Or(t.ID, t.TicketID)
	d.ticketMeta(t)
	requester := cmp.Or(t.RequesterID, t.Requester.ID)
	roles := make(map[string]Role) // by id, of the users that are listed beside the ticket
	for user := range elements[ref](d, envelope.Users, "") {
		roles[user.ID] = System
		if user.Role == "end-user" {
			roles[user.ID] = User
		}
	}
	if requester != "" {
		roles[requester] = User
	}
	for c := range elements[ticketComment](d, firstValue(t.Comments, envelope.Comments), "comments") {
		if c.Public == "false" {
			continue
		}
		text := htmlText(c.PlainBody) // holds leftovers of HTML, so the others come first
		switch {
		case c.HTMLBody != nil:
			text = htmlText(*c.HTMLBody)
		case c.Body != nil:
			text = *c.Body
		}
		id := cmp.Or(c.AuthorID, c.Author.ID)
		role, listed := roles[id]
		if !listed {
			role = System
		}
		d.sayAs(cmp.Or(c.Author.Name, id), role, listed || requester != "", text)
	}
	switch t.SatisfactionRating.Score {
	case "good", "good_with_comment":
		d.truth.Overall = []float64{1}
	case "bad", "bad_with_comment":
		d.truth.Overall = []float64{0}
	}
	return nil
}

func (d *draft) ticketMeta(t *ticket) {
	d.meta = append(scalars(nil, t.Rest), Field{"assignee", t.Assignee.Name}, Field{"group", t.Group.Name},
		Field{"brand", t.Brand.Name}, Field{"organization", t.Organization.Name},
		Field{"channel", t.Via.Channel}, Field{"via", t.Via.Name})
	fields := firstValue(t.CustomFields, t.Fields)
	if fields.Kind() == '{' {
		d.meta = scalars(d.meta, fields)
		return
	}
	for f := range elements[ticketField](d, fields, "") {
		if len(d.meta) < mostGathered {
			d.meta = append(d.meta, Field{cmp.Or(f.Title, f.Name, f.ID), f.Value})
		}
	}
}
