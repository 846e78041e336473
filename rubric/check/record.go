package check

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// readRecord recognises a line of a run, whose turns serve as the transcript where there is no other.
func (x *exam) readRecord() {
	source, turns := x.root.get("source"), x.root.get("turns")
	x.isRecord = source.is('{') && turns.is('[') && x.root.get("status").is('"')
	if !x.isRecord || x.transcript != nil {
		return
	}
	var held struct {
		Turns int `json:"turns"`
	}
	var list []struct {
		Role string `json:"role"`
		Text string `json:"text"`
	}
	decode := func(n *node, into any) {
		if err := json.Unmarshal([]byte(n.raw), into, jsontext.AllowDuplicateNames(true)); err != nil {
			x.flag(n, Error, "structure", "", "this part of the record cannot be read: "+err.Error())
		}
	}
	decode(source, &held)
	decode(turns, &list)
	if len(list) != held.Turns { // in what is left out, a quote could stand
		return
	}
	var d dialogue.Dialogue
	for _, t := range list {
		role, _ := dialogue.ParseRole(t.Role)
		d.Turns = append(d.Turns, dialogue.Turn{Role: role, Text: t.Text})
	}
	x.transcript = NewTranscript(d)
}
