package run

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Judgement is what the line of a record says besides source, turns and ratings, as it is written: what is above the
// source, and what is between that and the turns.
type Judgement struct{ above, below []byte }

// Adopt gives the record of a dialogue that another process has judged: the line is its record of the same turns, and own
// is ours as it was before. The judgement is written as the line has it, which takes a fraction of the time. The error is
// a [*LineError].
func (l Line) Adopt(own *Record, turns []dialogue.Turn) (*Record, error) {
	r, err := l.Decode()
	switch {
	case err != nil:
		return nil, err
	case r.Dialogue.ID != own.Dialogue.ID || !slices.Equal(r.Dialogue.Turns, turns):
		return nil, &LineError{l.File, l.Number, errors.New("is of another dialogue")}
	}
	r.Source, r.Voices, r.Truth, r.Judgement = own.Source, own.Voices, own.Truth, l.judgement()
	return r, nil
}

// judgement takes the judgement out of a line that was decoded. It is empty where the members are not in their order.
func (l Line) judgement() (j Judgement) {
	dec := jsontext.NewDecoder(bytes.NewReader(l.Text), jsontext.AllowInvalidUTF8(true))
	_, err := dec.ReadToken() // the brace
	after := int64(0)         // the source
	for err == nil && dec.PeekKind() == '"' {
		at := dec.InputOffset()
		name, _ := dec.ReadToken()
		member := name.String()
		err = dec.SkipValue()
		switch {
		case member == "source":
			j.above, after = l.Text[:at], dec.InputOffset()
		case member == "turns" && after > 0:
			j.below = l.Text[after:at]
		}
	}
	return j
}

// append appends the line of a record with this judgement.
func (j *Judgement) append(b []byte, r *Record, turns []turn) []byte {
	add := func(v any) { // the members of an object
		data := rubric.AppendJSON(nil, v)
		b = append(append(b, ','), data[1:len(data)-1]...)
	}
	b = append(b, j.above...)
	add(struct {
		Source Source `json:"source"`
	}{r.Source})
	b = append(b, j.below...)
	add(struct {
		Turns []turn         `json:"turns"`
		Truth dialogue.Truth `json:"truth,omitempty"`
	}{turns, r.Truth})
	return append(b, '}')
}
