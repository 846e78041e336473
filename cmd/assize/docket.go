package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assize/rubric/check"
	"assize/rubric/dialogue"
)

// docket holds the dialogues that evaluations may be of.
type docket struct {
	files []string
	all   []*hearing
	byID  map[string][]*hearing // by the number and by the source's own id
	only  *hearing              // every evaluation is of this one; nil where each names its own
	asked bool                  // --id chose it
}

// hearing is a dialogue with the place where it stands.
type hearing struct {
	id         string
	ownID      bool // the id is the source's, not its place in the file
	place      string
	transcript func() *check.Transcript // made ready on first use
}

// readDocket reads the transcripts. What is wrong with one dialogue is complained of, and the others count.
func (p *program) readDocket(ctx context.Context, o *checkOptions) (*docket, error) {
	opt, err := o.court.reading()
	if err != nil {
		return nil, err
	}
	d := &docket{files: o.transcripts, byID: map[string][]*hearing{}}
	for it := range p.samples(o.transcripts, opt) {
		switch {
		case ctx.Err() != nil:
			return nil, errors.New("stopped while the transcripts were read; nothing is checked")
		case it.err != nil:
			p.complain(it.err)
		default:
			d.add(it.sample)
		}
	}
	switch {
	case len(d.all) == 0 && p.complained:
		return nil, errors.New("no dialogue could be read; nothing is checked")
	case len(d.all) == 0:
		return nil, fmt.Errorf("no dialogue in %s; nothing is checked", d)
	case o.id != "":
		d.asked = true
		d.only, err = d.called(o.id)
	case len(d.all) == 1:
		d.only = d.all[0]
	}
	if err != nil {
		return nil, withHints(fmt.Errorf("--id %s: %w", o.id, err), "assize score FILE --format csv lists the ids")
	}
	return d, nil
}

func (d *docket) add(s dialogue.Sample) {
	src := s.Source
	h := &hearing{
		id:         strconv.Itoa(s.Dialogue.ID),
		ownID:      src.ID != "" || s.Dialogue.ID != src.Position,
		place:      fmt.Sprintf("%s:%d", src.File, src.Line),
		transcript: sync.OnceValue(func() *check.Transcript { return check.NewTranscript(s.Dialogue) }),
	}
	if src.Line == 0 {
		h.place = fmt.Sprintf("%s: dialogue %d", src.File, src.Position)
	}
	d.all = append(d.all, h)
	d.byID[h.id] = append(d.byID[h.id], h)
	if src.ID != "" && src.ID != h.id {
		d.byID[src.ID] = append(d.byID[src.ID], h)
	}
}

// String names the files.
func (d *docket) String() string {
	const most = 3
	if len(d.files) > most {
		return fmt.Sprintf("%s and %d more files", strings.Join(d.files[:most], ", "), len(d.files)-most)
	}
	return strings.Join(d.files, ", ")
}

// called gives the dialogue of an id.
func (d *docket) called(id string) (*hearing, error) {
	switch found := d.byID[id]; len(found) {
	case 0:
		return nil, fmt.Errorf("no dialogue in %s has this id", d)
	case 1:
		return found[0], nil
	default:
		return nil, fmt.Errorf("the dialogues at %s and %s both have this id; want a transcript with one of them", found[0].place, found[1].place)
	}
}

// find gives the dialogue that an evaluation is of. Aside tells that the evaluation names another one; it is
// empty where that means nothing.
func (d *docket) find(text []byte) (h *hearing, aside string, err error) {
	id := dialogueID(text)
	if d.only != nil {
		if id != "" && !d.asked && d.only.ownID && !slices.Contains(d.byID[id], d.only) {
			aside = fmt.Sprintf("it is of dialogue %s, and is held against dialogue %s, the only one in %s", id, d.only.id, d)
		}
		return d.only, aside, nil
	}
	if id == "" {
		return nil, "", fmt.Errorf("it does not name its dialogue, and there are %d in %s; want --id", len(d.all), d)
	}
	if h, err = d.called(id); err != nil {
		return nil, "", fmt.Errorf("it is of dialogue %s: %w", id, err)
	}
	return h, "", nil
}

// dialogueID reads what a document gives as its dialogue_id: a number or a string; empty where there is
// neither. The rest of the document is not looked at: it need not even be JSON.
func dialogueID(text []byte) string {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return ""
		}
		if key != "dialogue_id" {
			var skipped json.RawMessage
			if dec.Decode(&skipped) != nil {
				return ""
			}
			continue
		}
		switch id, _ := dec.Token(); id := id.(type) {
		case json.Number:
			return id.String()
		case string:
			return id
		}
		return ""
	}
	return ""
}
