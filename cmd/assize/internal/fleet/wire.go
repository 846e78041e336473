package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"assize/cmd/assize/internal/run"
	"assize/localllm"
	"assize/rubric/dialogue"
)

// names are those of the streams and subjects of one run.
type names struct {
	work, answers string // streams
	in, out       string // the beginnings of their subjects, before the first position and the number of dialogues
}

// workStream is what the names of the streams of work begin with, before that of the run.
const workStream = "ASSIZE_WORK_"

// namesOf gives the names for a fingerprint and a run. A run that begins anew by other settings has the same streams.
func namesOf(fingerprint, run string) names {
	both := short(fingerprint) + "." + run
	return names{workStream + run, "ASSIZE_ANSWERS_" + run, "assize.work." + both, "assize.answers." + both}
}

// short is the part of a fingerprint that is in names.
func short(fingerprint string) string { return fingerprint[:min(len(fingerprint), 16)] }

// mostInMessage bounds the dialogues of a message.
const mostInMessage = 64

// task is a dialogue on its way to a worker: its turns and nothing else that the source says of it.
type task struct {
	Position int // in the run, from 0
	dialogue.Dialogue
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
	return dialogue.Sample{Dialogue: t.Dialogue, Source: dialogue.Source{Position: t.ID}}
}

// answers are a message: this as a line of JSON, and below it the records as lines, which nobody need parse on the way.
type answers struct {
	Worker string   `json:"worker"`
	List   []answer `json:"answers"`
}

// answer is what a worker says of a dialogue: that it has a record, or why not.
type answer struct {
	Position int              `json:"position"`
	Recorded bool             `json:"recorded,omitzero"`
	TooLarge bool             `json:"too_large,omitzero"` // the record exceeds what the server lets through
	Failed   string           `json:"failed,omitempty"`   // why no worker has judged it, after the last try
	Timings  localllm.Timings `json:"timings,omitzero"`

	record []byte
	worker string
	alone  bool // its message has no other answer
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
func decodeAnswers(data []byte) (a answers, err error) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	err = json.Unmarshal(head, &a)
	for i := range a.List {
		one := &a.List[i]
		one.worker, one.alone = a.Worker, len(a.List) == 1
		if one.Recorded {
			one.record, rest, _ = bytes.Cut(rest, []byte("\n"))
		}
	}
	return a, err
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
