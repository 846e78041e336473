package check

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// readRecord recognises a line of a run, whose turns serve as the transcript where there is no other.
func (x *exam) readRecord() {
	source, turns := x.root.get("source"), x.root.get("turns")
	x.isRecord = source.is(object) && turns.is(array) && x.root.get("status").is(text)
	if !x.isRecord || x.transcript != nil {
		return
	}
	var held struct {
		Turns int `json:"turns"` // of the dialogue, where the run kept only those that are cited
	}
	var list []struct {
		Turn int    `json:"turn"` // from 1; 0 where all turns are kept in order
		Role string `json:"role"`
		Text string `json:"text"`
	}
	x.decode(source, "/source", &held)
	x.decode(turns, "/turns", &list)
	const most = 1 << 20 // turns that a damaged line can claim
	n := max(min(held.Turns, most), len(list))
	x.partial = n > len(list)
	d := dialogue.Dialogue{Turns: make([]dialogue.Turn, n)}
	for i := range d.Turns {
		d.Turns[i].Role = dialogue.Other // a turn that the run did not keep is empty
	}
	for i, t := range list {
		if t.Turn != 0 {
			i = t.Turn - 1
		}
		if i < 0 || i >= n {
			continue
		}
		d.Turns[i].Text = t.Text
		for _, role := range []dialogue.Role{dialogue.System, dialogue.User} {
			if t.Role == role.String() {
				d.Turns[i].Role = role
			}
		}
	}
	x.transcript = NewTranscript(d)
}

// decode reads what a run adds to the document.
func (x *exam) decode(n *node, path string, into any) {
	if err := json.Unmarshal([]byte(x.src[n.start:n.end]), into, jsontext.AllowDuplicateNames(true)); err != nil {
		x.flag(n, Error, "structure", path, "", "this part of the record cannot be read: "+err.Error())
	}
}
