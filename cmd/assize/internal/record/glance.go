package record

import "bytes"

// Glance is what can be told of a record without decoding it. Nothing of it is verified.
type Glance struct {
	ID     int
	Source Source
	Scored bool
}

// beginsSource stands where the source of a record does, and nowhere else: in a string, the quotes would be escaped.
var beginsSource = []byte(`,"source":`)

// Glance reads where the line's dialogue came from, and whether it is scored; ok is false where the line is no record.
func (l Line) Glance() (g Glance, ok bool) {
	at := bytes.Index(l.Text, beginsSource)
	id, found := bytes.CutPrefix(l.Text, []byte(`{"dialogue_id":`))
	if at < 0 || !found {
		return g, false
	}
	first := &cursor{text: id}
	g.ID = first.int()
	var w wire
	c := &cursor{text: l.Text, at: at + len(beginsSource)}
	w.readSource(c)
	if first.err != nil || c.err != nil {
		return g, false
	}
	g.Source = w.source
	g.Scored = bytes.HasPrefix(l.Text[c.at:], []byte(`,"status":"scored"`))
	return g, true
}
