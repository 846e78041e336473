// Package run defines the format of runs, which `assize score` writes and all later commands read.
//
// A run is a file of JSON lines. The first is the [Header] with what all records share, so that the
// run can be settled again without other files; the last is the [End], without which the run is
// unfinished. Every line between them is a [Record]: the document of the three-agent protocol, the
// source of the dialogue, the agents' answers, the detectors' signals, the turns and people's
// ratings. The tags in format.go define this schema. The same record always has the same bytes.
//
// Reading takes the agents' answers, the detectors' signals and the satisfaction from the line, and
// has the Referee decide again; package replay checks whether the line is the result.
package run

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Record is what a run stores for a dialogue: what was said, the judgement, and people's ratings.
type Record struct {
	Dialogue              dialogue.Dialogue
	Source                Source
	Voices                []dialogue.Voice      // one per turn; nil if the source has no such data
	Evaluation            *rubric.Evaluation    // nil if the dialogue is unscored
	Reason                string                // why it is unscored; empty if it is scored
	satisfaction.Estimate                       // by the run's profile; zero if unscored
	Reasons               []satisfaction.Reason // the profile's strongest, for and against
	CrossCheck            *rubric.CrossCheck    // nil unless a model proposed all six scores
	Checklist             *rubric.Checklist     // nil if unscored, or if the rubric has no question
	// the ledger: what the SYSTEM says was done; empty without calls of tools
	Deeds []rubric.Deed
	// what a model was asked, and the outcome; nil if none was asked
	Model *localllm.Account
	// goodness by criterion, from the account; nil if the model answered no closed question
	Goodness *localllm.Goodness
	Fallback []Agent        // the roles that the rules took over from the model
	Truth    dialogue.Truth // added after judging
	Position int            // of the dialogue in its file, from 1; not stored
	Masked   bool           // personal data is masked; not stored, since the header says so
	Hidden   bool           // its scores are hidden from a reviewer; not stored
	Keys     *Keys          // of its row; nil for those of its words
}

// Keys are the keys of a row by [Row.Said] and [Row.Copy]. A record has keys of its own if those of
// its words do not identify it, such as after masking.
type Keys struct{ Said, Copy Key }

// Source describes where a dialogue came from.
type Source struct {
	File   string          `json:"file"` // as the user named it; "-" for standard input
	Format dialogue.Format `json:"format"`
	ID     string          `json:"id,omitempty"` // the source's own ID, unless that is an integer
	Turns  int             `json:"turns"`        // number of turns
	// digest of all turns, see [dialogue.Dialogue.Digest]; in a redacted run, of the masked turns
	Digest string        `json:"digest"`
	Meta   dialogue.Meta `json:"meta,omitempty"` // other metadata of the source
	// how the file writes an ambiguous date: "us" or "eu", see [Record.Date]
	Dates string `json:"dates,omitempty"`

	// the first dialogue of the run with the same turns, agent and queue
	DuplicateOf *Origin `json:"duplicate_of,omitzero"`
}

// Origin identifies a dialogue by its file and its name, see [Record.Name].
type Origin struct {
	File string `json:"file"`
	Name string `json:"id"`
}

// New returns the record of a sample. It is unscored until its Evaluation is set.
func New(s dialogue.Sample) *Record {
	return &Record{
		Dialogue: s.Dialogue,
		Source: Source{
			File:   strings.ToValidUTF8(s.Source.File, "\uFFFD"),
			Format: s.Source.Format,
			ID:     s.Source.ID,
			Turns:  len(s.Dialogue.Turns),
			Digest: s.Dialogue.Digest(),
			Meta:   s.Source.Meta,
			Dates:  s.Source.Dates,
		},
		Truth:    s.Truth,
		Voices:   s.Source.Voices,
		Position: s.Source.Position,
	}
}

// Name returns the name that is shown: the source's ID or, if that is an integer, the number.
func (r *Record) Name() string { return cmp.Or(r.Source.ID, strconv.Itoa(r.Dialogue.ID)) }

// Sample returns the dialogue as it was read, from what [New] keeps of it.
func (r *Record) Sample() dialogue.Sample {
	src := &r.Source
	return dialogue.Sample{Dialogue: r.Dialogue, Truth: r.Truth,
		Source: dialogue.Source{File: src.File, Format: src.Format, ID: src.ID,
			Position: r.Position, Meta: src.Meta, Dates: src.Dates, Voices: r.Voices}}
}

// Same reports whether two records have the same file, place, turns, metadata and ratings.
func (r *Record) Same(other *Record) bool {
	known := func(r *Record) []byte {
		return rubric.AppendJSON(nil, []any{r.Dialogue.ID, r.Source, r.Truth})
	}
	return bytes.Equal(known(r), known(other))
}

// Key identifies the text and the speakers of a dialogue: the digest of its turns.
type Key [32]byte

// KeyOf returns the key for a digest, see [dialogue.Dialogue.Digest].
func KeyOf(digest string) Key {
	var k Key
	// an invalid digest still yields a key
	_, _ = hex.Decode(k[:], []byte(digest[:min(len(digest), 2*len(k))]))
	return k
}

// Identity identifies a dialogue, also across runs: half of a digest of file, ID and turns.
type Identity string

// Origin returns the origin of the records that repeat r.
func (r *Record) Origin() Origin { return Origin{r.Source.File, r.Name()} }

// Identity returns an identity that records of the same dialogue share.
func (r *Record) Identity() Identity { return identity(r.Source.File, r.Name(), r.Source.Digest) }

// IdentityAs returns the identity that the dialogue has with another file name and ID.
func (r *Row) IdentityAs(file, name string) Identity {
	return identity(file, name, hex.EncodeToString(r.Said[:]))
}

func identity(file, name, digest string) Identity {
	sum := sha256.Sum256([]byte(file + "\x00" + name + "\x00" + digest))
	return Identity(hex.EncodeToString(sum[:len(sum)/2]))
}

// Lot returns a random place for the dialogue; a sample has those with the lowest lots. With the
// default seed, 1, it is the identity, itself a digest, by which the queue of review is shuffled.
func (i Identity) Lot(seed uint64) string {
	if seed == 1 {
		return string(i)
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", seed, i)))
}

// Scored reports whether the panel judged the dialogue.
func (r *Record) Scored() bool { return r.Evaluation != nil }

// Agent is one of the two roles that a model may fill.
type Agent string

// The agents, as named in records.
const (
	Evaluator Agent = "evaluator"
	Critic    Agent = "critic"
)

// Rate sets a profile's estimate, by the rules' signals and the model's answers, and its reasons.
func (r *Record) Rate(p satisfaction.Profile) {
	var added satisfaction.Millionths
	value, judged := p.Value(r.Evaluation), r.Judged()
	added, r.Reasons = p.Linear.Adds(r.Dialogue, r.Evaluation.Signals)
	switch m := p.Model; {
	case m == nil || r.CrossCheck == nil && r.Goodness == nil:
	case m.Rating > 0:
		quality := r.Evaluation.EvaluatorAverage // the weighted average of judged
		if r.Goodness != nil {
			quality = r.Goodness.Average(r.Evaluation.Rubric.Weights)
		}
		added += m.Blend(p.Rating(value)+added, quality)
	default:
		added += m.Scores.Adds(judged)
		r.Reasons = satisfaction.Strongest(append(r.Reasons,
			m.Reasons(judged, r.Evaluation.Evaluator)...))
	}
	r.Estimate = p.EstimateAt(value, added)
}

// AnswerChecklist answers the rubric's questions from the record's signals and model's answers.
func (r *Record) AnswerChecklist() {
	e := r.Evaluation
	r.Checklist = e.Rubric.Checklist(rubric.Case{Dialogue: r.Dialogue, Signals: e.Signals},
		r.Model.Scorecard())
}

// Measure sets Goodness from the answers of a model. It returns false if none are to its questions.
func (r *Record) Measure(model *localllm.Identity) bool {
	g, ok := model.Goodness(r.Model)
	if ok {
		r.Goodness = &g
	}
	return ok
}

// Judged returns the model's judgement of each criterion, from 0.01 to 100: the mean probability of
// the good answers in percent, or the score that it wrote. It is 0 if no model judged the dialogue.
func (r *Record) Judged() (by [rubric.NumCriteria]rubric.Hundredths) {
	for k := range by {
		switch {
		case r.Goodness != nil:
			by[k] = rubric.Hundredths(10 * r.Goodness[k])
		case r.CrossCheck != nil:
			by[k] = 100 * rubric.Hundredths(r.CrossCheck.Criteria[k].Model)
		}
	}
	return by
}

// Remarks returns the sentences about the model that end the audit.
func (r *Record) Remarks() []string {
	if r.Model == nil && r.Fallback == nil {
		return nil
	}
	list := texts.List("remarks", r)
	if r.Model != nil {
		list = append(append(list, r.Model.Remarks()...), texts.List("shortened", r.Model)...)
	}
	return list
}
