package dialogue

import "encoding/json"

// Amazon Connect writes one object a contact: Contact Lens its analysis of a call or chat, Connect itself
// the chat transcript. The role stands in the entry or in the list of participants; AGENT, CUSTOM_BOT and
// SYSTEM, the prompts of the flow, are the SYSTEM. Events such as "participant joined" are no turns. The contact's
// attributes are metadata, and so is what stands beside the transcript.

// connect reads one contact.
func (d *draft) connect(raw json.RawMessage) {
	o := parseObject(raw)
	d.id = o.text("contactid", "initialcontactid")
	if d.id == "" {
		d.id = o.child("customermetadata").text("contactid")
	}
	d.carry(raw, "contactid", "initialcontactid")
	d.carry(o["customermetadata"], "contactid")
	d.carry(o.first("attributes", "contactattributes"))
	roles := make(map[string]string)
	for p := range elements(o["participants"]) {
		who := parseObject(p)
		roles[who.text("participantid")] = who.text("participantrole")
	}
	for e := range d.list(o["transcript"], "Transcript") {
		if d.err != nil {
			return
		}
		entry := parseObject(e)
		if kind := entry.text("type"); kind == "EVENT" || kind == "ATTACHMENT" {
			continue
		}
		id := entry.text("participantid")
		name := entry.text("participantrole")
		if name == "" {
			name = roles[id]
		}
		if name == "" {
			name = id // older analyses write the role there
		}
		d.connectSay(name, entry)
	}
}

func (d *draft) connectSay(name string, entry object) {
	text := entry.text("content")
	if entry.text("contenttype") == interactive {
		text = parseObject(json.RawMessage(text)).child("data").child("content").text("title")
	}
	role, known := d.file.mapped(name)
	switch name {
	case "CUSTOM_BOT", "SUPERVISOR":
		if !known {
			role, known = System, true
		}
	}
	if known {
		d.add(d.line, name, role, text)
		return
	}
	d.say(d.line, name, text)
}

// interactive is the type of a message whose content is itself JSON, such as a list to pick from.
const interactive = "application/vnd.amazonaws.connect.message.interactive"
