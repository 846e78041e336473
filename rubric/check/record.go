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
		Turns int `json:"turns"` // of the dialogue, where the run kept only those that are cited
	}
	var list []struct {
		Turn int    `json:"turn"` // from 1; 0 where all turns are kept in order
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
	const most = 1 << 20 // turns that a damaged line can claim
	n := max(min(held.Turns, most), len(list))
	x.isPartial = n > len(list)
	d := dialogue.Dialogue{Turns: make([]dialogue.Turn, n)} // a turn that the run did not keep is nobody's and empty
	for i, t := range list {
		if t.Turn != 0 {
			i = t.Turn - 1
		}
		if i >= 0 && i < n {
			role, _ := dialogue.ParseRole(t.Role)
			d.Turns[i] = dialogue.Turn{Role: role, Text: t.Text}
		}
	}
	x.transcript = NewTranscript(d)
}
