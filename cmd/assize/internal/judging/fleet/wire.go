package fleet

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"assize/cmd/assize/internal/records/run"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// names holds the names of the streams and subjects of one run.
type names struct {
	work, answers string // streams
	// prefixes of their subjects, followed by the position of the dialogue
	taskSubject, answerSubject string
}

// workStream is the prefix of the names of work streams, followed by the name of the run.
const workStream = "ASSIZE_WORK_"

// namesOf returns the names for a fingerprint and a run, whatever its settings are.
func namesOf(fingerprint, run string) names {
	both := shortFingerprint(fingerprint) + "." + run
	return names{workStream + run, "ASSIZE_ANSWERS_" + run, "assize.work." + both,
		"assize.answers." + both}
}

// shortFingerprint returns the part of a fingerprint that is used in names.
func shortFingerprint(fingerprint string) string { return fingerprint[:min(len(fingerprint), 16)] }

// task is a dialogue sent to a worker: its turns and, only if a fact of the rubric depends on them,
// its day and queue, without any other data of the source.
type task struct {
	Position int // index in the run, from 0
	dialogue.Dialogue
	Day   string `json:",omitzero"`
	Queue string `json:",omitzero"`
}

func (t task) encode() []byte { return rubric.AppendJSON(nil, t) }

// decodeTask parses the message with a task. Its content is untrusted.
func decodeTask(data []byte) (t task, err error) {
	err = rubric.ParseJSON(data, &t)
	for _, said := range t.Turns {
		if said.Role > dialogue.User {
			err = cmp.Or(err, errors.New("has a turn with an invalid role"))
		}
	}
	return t, err
}

func (t *task) sample() dialogue.Sample {
	var meta dialogue.Meta
	if t.Day != "" || t.Queue != "" {
		meta = dialogue.Meta{{Name: "date", Value: t.Day}, {Name: "queue", Value: t.Queue}}
	}
	return dialogue.Sample{Dialogue: t.Dialogue,
		Source: dialogue.Source{Position: t.ID, Meta: meta}}
}

// answer is a worker's answer about a dialogue: it has a record, or the reason why there is none.
// It has neither if the record exceeds the server's maximum message size.
type answer struct {
	Worker   string         `json:"worker"`
	Position int            `json:"position"`
	Record   jsontext.Value `json:"record,omitzero"`
	// why no worker has judged it, after the last attempt
	Failed  string           `json:"failed,omitempty"`
	Timings localllm.Timings `json:"timings,omitzero"`
}

// nanoseconds is the form of durations in messages.
var nanoseconds = jsonv1.FormatDurationAsNano(true)

func (a *answer) encode() []byte { return rubric.AppendJSON(nil, a, nanoseconds) }

// decodeAnswer parses the message with an answer. Its content is untrusted.
func decodeAnswer(data []byte) (*answer, error) {
	a := &answer{}
	return a, rubric.ParseJSON(data, a, nanoseconds)
}

// recordOf returns the worker's record as the record of our own sample. It returns an error if the
// record cannot be read or belongs to another dialogue.
func (a *answer) recordOf(own *run.Record, h *run.Header) (*run.Record, error) {
	r, err := run.Line{File: "a worker's record", Number: 1, Text: a.Record,
		Header: h}.Recompute(h.Lexicon)
	switch {
	case err != nil:
		return nil, err
	case !bytes.Equal(r.Append(nil), a.Record):
		return nil, errors.New("does not follow from its evidence")
	case r.Dialogue.ID != own.Dialogue.ID || !slices.Equal(r.Dialogue.Turns, own.Dialogue.Turns) ||
		!slices.Equal(r.Dialogue.Listed, own.Dialogue.Listed):
		return nil, errors.New("is of another dialogue")
	case r.Model != nil:
		r.Model.Timings = a.Timings
	}
	r.Source, r.Voices, r.Truth = own.Source, own.Voices, own.Truth
	return r, nil
}
