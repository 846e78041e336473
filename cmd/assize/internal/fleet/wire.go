package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/localllm"
	"assize/rubric/dialogue"
)

// names are those of the streams and subjects of one run.
type names struct {
	work, answers string // streams
	in, out       string // the beginnings of their subjects, before the first position and the number of dialogues
}

// namesOf gives the names for a fingerprint and a run.
func namesOf(fingerprint, run string) names {
	token := short(fingerprint) + "." + run
	stream := strings.ReplaceAll(token, ".", "_")
	return names{"ASSIZE_WORK_" + stream, "ASSIZE_ANSWERS_" + stream, "assize.work." + token, "assize.answers." + token}
}

// short is the part of a fingerprint that is in names.
func short(fingerprint string) string { return fingerprint[:min(len(fingerprint), 16)] }

// span gives what a subject of work is about.
func span(subject string) (first, n int, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) < 2 {
		return 0, 0, false
	}
	first, err := strconv.Atoi(parts[len(parts)-2])
	n, err2 := strconv.Atoi(parts[len(parts)-1])
	return first, n, err == nil && err2 == nil && first >= 0 && n > 0 && n <= mostInMessage
}

// mostInMessage bounds the dialogues of a message.
const mostInMessage = 64

// task is a dialogue on its way to a worker: its turns and nothing else that the source says of it.
type task struct {
	Position int             `json:"position"` // in the run, from 0
	ID       int             `json:"id"`
	Turns    []dialogue.Turn `json:"turns"`
}

// encode makes the task's part of a message.
func (t task) encode() []byte {
	data, _ := json.Marshal(t) // numbers and strings
	return data
}

// encodeWork makes a message of tasks.
func encodeWork(encoded ...[]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(encoded, []byte(",")), []byte("]"))
}

// decodeWork reads a message of work. Whatever it holds was written by others.
func decodeWork(data []byte) ([]task, error) {
	var tasks []task
	if err := json.Unmarshal(data, &tasks); err != nil {
		return nil, err
	}
	for _, t := range tasks {
		for _, said := range t.Turns {
			if said.Role > dialogue.User {
				return nil, errors.New("has a turn that no dialogue can have")
			}
		}
	}
	return tasks, nil
}

// sample makes a dialogue of a task.
func (t *task) sample() dialogue.Sample {
	return dialogue.Sample{Dialogue: dialogue.Dialogue{ID: t.ID, Turns: t.Turns}, Source: dialogue.Source{Position: t.ID}}
}

// taskOf makes a task of a dialogue.
func taskOf(position int, d dialogue.Dialogue) task {
	return task{position, d.ID, d.Turns}
}

// answer is what a worker says of a dialogue: that it has a record, which follows on a line of its own, or why not.
type answer struct {
	Position int              `json:"position"`
	Recorded bool             `json:"recorded,omitzero"`
	TooLarge bool             `json:"too_large,omitzero"` // the record exceeds what the server lets through
	Failed   string           `json:"failed,omitempty"`   // why no worker has judged it, after the last try
	Timings  localllm.Timings `json:"timings,omitzero"`

	record []byte
}

// answers are a message: this as a line of JSON, and below it the records as lines.
type answers struct {
	Worker string   `json:"worker"`
	List   []answer `json:"answers"`
}

// encode makes a message.
func (a *answers) encode() []byte {
	data, _ := json.Marshal(a) // numbers and strings
	for i := range a.List {
		if a.List[i].Recorded {
			data = append(append(data, '\n'), a.List[i].record...)
		}
	}
	return data
}

// decodeAnswers reads a message of answers. Whatever it holds was written by others.
func decodeAnswers(data []byte) (*answers, error) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	a := &answers{}
	if err := json.Unmarshal(head, a); err != nil {
		return nil, err
	}
	for i := range a.List {
		if a.List[i].Recorded {
			a.List[i].record, rest, _ = bytes.Cut(rest, []byte("\n"))
		}
	}
	return a, nil
}

// recordOf gives the record that a worker made, as the record of our own sample. The error tells of one that is of
// another dialogue, or that cannot be read.
func (a *answer) recordOf(own *run.Record, turns []dialogue.Turn, h *run.Header) (*run.Record, error) {
	r, err := run.Line{File: "a worker's record", Number: 1, Text: a.record, Header: h}.Decode()
	switch {
	case err != nil:
		return nil, err
	case r.Dialogue.ID != own.Dialogue.ID || !slices.Equal(r.Dialogue.Turns, turns):
		return nil, errors.New("is of another dialogue")
	case r.Model != nil:
		r.Model.Timings = a.Timings
	}
	r.Source, r.Voices, r.Truth = own.Source, own.Voices, own.Truth
	return r, nil
}
