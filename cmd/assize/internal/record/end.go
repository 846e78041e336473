package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
)

// End is the closing line of a run. It is there once every dialogue is, so a run without it is unfinished; and it
// shows where a line was removed, added, moved or changed, be it in a way that contradicts nothing.
type End struct {
	Version    int    `json:"assize_run_end"` // of the line itself: 1
	Records    int    `json:"records"`
	Scored     int    `json:"scored"`
	Duplicates int    `json:"duplicates"` // records of dialogues whose turns stand in the run before
	Digest     string `json:"digest"`     // the SHA-256 of all bytes from the header to the last record
}

const endVersion = 1

// beginsEnd is how a closing line begins, and how nothing else does.
var beginsEnd = []byte(`{"assize_run_end"`)

// Append appends the closing line to b, without the newline.
func (e End) Append(b []byte) []byte {
	line, err := json.Marshal(e)
	if err != nil {
		panic(err) // its parts are numbers and a string
	}
	return append(b, line...)
}

// ParseEnd reads a closing line. The error tells of one that this program does not write.
func ParseEnd(line []byte) (End, error) {
	var e End
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&e); {
	case err != nil:
		return e, fmt.Errorf("the run's closing line: %w", err)
	case e.Version != endVersion:
		return e, fmt.Errorf("the run's closing line has version %d; want %d, or the program that wrote it", e.Version, endVersion)
	case !bytes.Equal(e.Append(nil), line):
		return e, fmt.Errorf("the run's closing line is not written as this program writes one")
	}
	return e, nil
}

// Closing works out the closing line of a run from the lines before it.
type Closing struct {
	sum hash.Hash
	end End
}

// NewClosing begins with the run's header, or with nothing where that is gone.
func NewClosing(header []byte) *Closing {
	c := &Closing{sha256.New(), End{Version: endVersion}}
	if header != nil {
		c.Text(header)
	}
	return c
}

// Text goes over a line that is no record, which is given without its newline.
func (c *Closing) Text(text []byte) {
	c.sum.Write(text)
	c.sum.Write([]byte("\n"))
}

// Add goes over the line of a record, and counts it.
func (c *Closing) Add(line []byte, scored, duplicate bool) {
	c.Text(line)
	c.end.Records++
	if scored {
		c.end.Scored++
	}
	if duplicate {
		c.end.Duplicates++
	}
}

// End gives the closing line of what was added so far.
func (c *Closing) End() End {
	e := c.end
	e.Digest = hex.EncodeToString(c.sum.Sum(nil))
	return e
}
