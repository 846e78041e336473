package findings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assize/rubric/check"
	"assize/rubric/dialogue"
)

// Transcripts are the dialogues that evaluations may be of.
type Transcripts struct {
	Files  []string
	all    []*transcript
	byID   map[string][]*transcript // by the number and by the source's own id
	only   *transcript              // every evaluation is of this one; nil where each names its own
	chosen bool                     // by Choose
}

// transcript is a dialogue that evaluations name by its id.
type transcript struct {
	id    string
	ownID bool                     // the id is the source's, not its place in the file
	get   func() *check.Transcript // prepared on first use
}

// Add adds a dialogue.
func (t *Transcripts) Add(s dialogue.Sample) {
	src := s.Source
	one := &transcript{
		id:    strconv.Itoa(s.Dialogue.ID),
		ownID: src.ID != "" || s.Dialogue.ID != src.Position,
		get:   sync.OnceValue(func() *check.Transcript { return check.NewTranscript(s.Dialogue) }),
	}
	if t.byID == nil {
		t.byID = map[string][]*transcript{}
	}
	t.all = append(t.all, one)
	t.byID[one.id] = append(t.byID[one.id], one)
	if src.ID != "" && src.ID != one.id {
		t.byID[src.ID] = append(t.byID[src.ID], one)
	}
}

// Choose says that every evaluation is of the dialogue with an id; without an id, of the only dialogue if there is one
// alone. The error tells that there is no such dialogue.
func (t *Transcripts) Choose(id string) (err error) {
	switch {
	case len(t.all) == 0:
		return fmt.Errorf("no dialogue in %s; nothing is checked", t)
	case id != "":
		t.chosen = true
		if t.only, err = t.called(id); err != nil {
			return fmt.Errorf("--id %s: %w", id, err)
		}
	case len(t.all) == 1:
		t.only = t.all[0]
	}
	return nil
}

// String names the files.
func (t *Transcripts) String() string {
	const most = 3
	if len(t.Files) > most {
		return fmt.Sprintf("%s and %d more files", strings.Join(t.Files[:most], ", "), len(t.Files)-most)
	}
	return strings.Join(t.Files, ", ")
}

func (t *Transcripts) called(id string) (*transcript, error) {
	found := t.byID[id]
	if len(found) != 1 {
		return nil, fmt.Errorf("%d dialogues in %s have this id; want one", len(found), t)
	}
	return found[0], nil
}

// find gives the dialogue that an evaluation is of. note says that the evaluation names another one; it is empty where
// that means nothing.
func (t *Transcripts) find(text []byte) (of *check.Transcript, note string, err error) {
	id := dialogueID(text)
	if t.only != nil {
		if id != "" && !t.chosen && t.only.ownID && !slices.Contains(t.byID[id], t.only) {
			note = fmt.Sprintf("it is of dialogue %s, and is compared with dialogue %s, the only one in %s", id, t.only.id, t)
		}
		return t.only.get(), note, nil
	}
	if id == "" {
		return nil, "", fmt.Errorf("it does not name its dialogue, and there are %d in %s; want --id", len(t.all), t)
	}
	one, err := t.called(id)
	if err != nil {
		return nil, "", fmt.Errorf("it is of dialogue %s: %w", id, err)
	}
	return one.get(), "", nil
}

// dialogueID reads the dialogue_id of a document, a number or a string; it is empty where there is none.
func dialogueID(text []byte) string {
	var doc struct {
		ID any `json:"dialogue_id"`
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if dec.Decode(&doc) != nil {
		return ""
	}
	switch id := doc.ID.(type) {
	case string:
		return id
	case json.Number:
		return id.String()
	}
	return ""
}
