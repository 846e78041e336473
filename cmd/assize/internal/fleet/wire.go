package fleet

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

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

// answers are a message: what a worker says of the dialogues of a message of work.
type answers struct {
	Worker string   `json:"worker"`
	List   []answer `json:"answers"`
}

// answer is what a worker says of a dialogue: its record, or why there is none.
type answer struct {
	Position int              `json:"position"`
	Record   jsontext.Value   `json:"record,omitzero"`
	TooLarge bool             `json:"too_large,omitzero"` // the record exceeds what the server lets through
	Failed   string           `json:"failed,omitempty"`   // why no worker has judged it, after the last try
	Timings  localllm.Timings `json:"timings,omitzero"`

	worker string
	alone  bool // its message has no other answer
}

// durations has the times that a model took written as numbers.
var durations = jsonv1.FormatDurationAsNano(true)

// encode makes a message.
func (a *answers) encode() []byte {
	data, _ := json.Marshal(a, durations) // numbers, strings, and records that this program has encoded
	return data
}

// decodeAnswers reads a message of answers. Whatever it holds was written by others.
func decodeAnswers(data []byte) (a answers, err error) {
	err = json.Unmarshal(data, &a, durations)
	for i := range a.List {
		a.List[i].worker, a.List[i].alone = a.Worker, len(a.List) == 1
	}
	return a, err
}

// recordOf gives the record that a worker made, as the record of our own sample. The error tells of one that is of
// another dialogue, or that cannot be read.
func (a *answer) recordOf(own *run.Record, turns []dialogue.Turn, h *run.Header) (*run.Record, error) {
	r, err := run.Line{File: "a worker's record", Number: 1, Text: a.Record, Header: h}.Decode()
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
