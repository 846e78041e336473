package findings

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"assize/rubric/check"
	"assize/rubric/dialogue"
)

// Transcripts are the dialogues that evaluations may be of.
type Transcripts struct {
	Files []string
	all   []*check.Transcript
	byID  map[string][]*check.Transcript // by the number and by the source's own id
	only  *check.Transcript              // every evaluation is of this one; nil where each names its own
}

// Add adds a dialogue.
func (t *Transcripts) Add(s dialogue.Sample) {
	one := check.NewTranscript(s.Dialogue)
	if t.byID == nil {
		t.byID = map[string][]*check.Transcript{}
	}
	t.all = append(t.all, one)
	id := strconv.Itoa(s.Dialogue.ID)
	t.byID[id] = append(t.byID[id], one)
	if own := s.Source.ID; own != "" && own != id {
		t.byID[own] = append(t.byID[own], one)
	}
}

// Choose says that every evaluation is of the dialogue with an id; without an id, of the only dialogue if there is one
// alone. The error tells that there is no such dialogue.
func (t *Transcripts) Choose(id string) (err error) {
	switch {
	case len(t.all) == 0:
		return fmt.Errorf("no dialogue in %s; nothing is checked", t)
	case id != "":
		if t.only, err = t.called(id); err != nil {
			return fmt.Errorf("--id %s: %w", id, err)
		}
	case len(t.all) == 1:
		t.only = t.all[0]
	}
	return nil
}

// String names the files.
func (t *Transcripts) String() string { return strings.Join(t.Files, ", ") }

func (t *Transcripts) called(id string) (*check.Transcript, error) {
	found := t.byID[id]
	if len(found) != 1 {
		return nil, fmt.Errorf("%d dialogues in %s have this id; want one", len(found), t)
	}
	return found[0], nil
}

// find gives the dialogue that an evaluation is of.
func (t *Transcripts) find(evaluation []byte) (*check.Transcript, error) {
	if t.only != nil {
		return t.only, nil
	}
	id := dialogueID(evaluation)
	if id == "" {
		return nil, fmt.Errorf("it does not name its dialogue, and there are %d in %s; want --id", len(t.all), t)
	}
	one, err := t.called(id)
	if err != nil {
		return nil, fmt.Errorf("it is of dialogue %s: %w", id, err)
	}
	return one, nil
}

// dialogueID reads the dialogue_id of a document, a number or a string; it is empty where there is none.
func dialogueID(evaluation []byte) string {
	var doc struct {
		ID json.RawMessage `json:"dialogue_id"`
	}
	if json.Unmarshal(evaluation, &doc) != nil {
		return ""
	}
	var id string
	if json.Unmarshal(doc.ID, &id) != nil {
		id = string(doc.ID)
	}
	return id
}
