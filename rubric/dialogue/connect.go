package dialogue

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Amazon Connect writes one object a contact: Contact Lens its analysis of a call or chat, Connect itself
// the chat transcript. The role is in the entry or in the list of participants; AGENT, CUSTOM_BOT and
// SYSTEM, the prompts of the flow, are the SYSTEM. Events such as "participant joined" are no turns. The contact's
// attributes are metadata, and so are the members beside the transcript.
type contact struct {
	ContactID, InitialContactID string
	CustomerMetadata            struct {
		ContactID string
		Rest      jsontext.Value `json:",embed"`
	}
	Attributes, ContactAttributes, Participants, Transcript jsontext.Value
	Rest                                                    jsontext.Value `json:",embed"`
}

// contactEntry is an entry of a transcript, or a participant.
type contactEntry struct{ ParticipantID, ParticipantRole, Type, Content, ContentType string }

// interactive is the type of an entry whose content is itself JSON, such as a list to pick from.
const interactive = "application/vnd.amazonaws.connect.message.interactive"

// readConnect reads one contact.
func readConnect(d *draft, raw jsontext.Value) *row {
	var c contact
	d.unmarshal(raw, &c)
	d.id = cmp.Or(c.ContactID, c.InitialContactID, c.CustomerMetadata.ContactID)
	d.meta = scalars(scalars(nil, c.Rest), c.CustomerMetadata.Rest)
	d.meta = scalars(d.meta, firstValue(c.Attributes, c.ContactAttributes))
	roles := make(map[string]string)
	for p := range elements[contactEntry](d, c.Participants, "") {
		roles[p.ParticipantID] = p.ParticipantRole
	}
	for e := range elements[contactEntry](d, c.Transcript, "Transcript") {
		if e.Type == "EVENT" || e.Type == "ATTACHMENT" {
			continue
		}
		if e.ContentType == interactive {
			var message struct {
				Data struct{ Content struct{ Title string } }
			}
			json.Unmarshal([]byte(e.Content), &message, lenient)
			e.Content = message.Data.Content.Title
		}
		// Older analyses have the role in place of the id.
		name := cmp.Or(e.ParticipantRole, roles[e.ParticipantID], e.ParticipantID)
		d.sayAs(name, System, name == "CUSTOM_BOT" || name == "SUPERVISOR", e.Content)
	}
	return nil
}
