// Package run is the format of runs: what `assize score --format jsonl` writes and what every later command reads.
//
// A run is a file of JSON lines. The first line is the [Header], with what is the same for all records: the program's version,
// the configuration, the digests of what scores depend on, the rubric and the profile themselves, so that a run can be
// settled again from itself alone, and a fingerprint of all that. The last line is the [End], with the number of
// records and the SHA-256 of all lines before it; a run without it is unfinished. Every line between them is a
// [Record]: the document of the three-agent protocol (003), followed by where the dialogue came from, what each agent
// and detector said, the turns, and how people rated them. The tags in format.go are this schema.
//
// The same record always has the same bytes. Reading takes what the agents and detectors said, and the satisfaction, as
// the line has them, and has the Referee decide again; package replay tells whether the line is what follows.
package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Record is what a run keeps of one dialogue: what was said, what the panel made of it, and what people
// said about it.
type Record struct {
	Dialogue            dialogue.Dialogue
	Source              Source
	Voices              []dialogue.Voice   // of the turns; nil where the source tells nothing of any
	Evaluation          *rubric.Evaluation // nil where the dialogue is unscored
	Reason              string             // why it is unscored; empty where it is scored
	heuristics.Estimate                    // by the run's profile; zero where unscored
	Learnt                                 // what the profile says beside it
	CrossCheck          *rubric.CrossCheck // nil where no model gave all six scores
	Model               *localllm.Account  // what a model was asked, and how it went; nil where none was asked
	Goodness            *localllm.Goodness // what the account says of the criteria; nil where the model answered no closed question
	Fallback            []Agent            // those that the rules took over from the model
	Truth               dialogue.Truth     // added after judging
}

// Source says where a dialogue came from.
type Source struct {
	File   string          `json:"file"` // as the user named it; "-" for standard input
	Format dialogue.Format `json:"format"`
	ID     string          `json:"id,omitempty"`   // the source's own id, where that is not an integer
	Turns  int             `json:"turns"`          // how many there are
	Digest string          `json:"digest"`         // of all turns, see [dialogue.Dialogue.Digest]; in a redacted run, of the masked ones
	Meta   dialogue.Meta   `json:"meta,omitempty"` // what else the source says of the dialogue

	DuplicateOf *Origin `json:"duplicate_of,omitzero"` // the dialogue of the run that has the same turns and was judged
}

// Origin names a dialogue by the file that it is in.
type Origin struct {
	File string `json:"file"`
	ID   int    `json:"dialogue_id"`
}

// Name is what the dialogue is called.
func (o *Origin) Name() string { return strconv.Itoa(o.ID) }

// New makes the record of a sample. It is unscored until an Evaluation is added.
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
		},
		Truth:  s.Truth,
		Voices: s.Source.Voices,
	}
}

// Name is what the dialogue is called: by its source's id where that has one that is no integer.
func (r *Record) Name() string {
	if r.Source.ID != "" {
		return r.Source.ID
	}
	return strconv.Itoa(r.Dialogue.ID)
}

// Same reports whether the record is of the same dialogue as another: of the same file, place and turns, with the same
// metadata and ratings.
func (r *Record) Same(other *Record) bool {
	known := func(r *Record) []byte {
		return rubric.AppendJSON(nil, []any{r.Dialogue.ID, r.Source, r.Truth})
	}
	return bytes.Equal(known(r), known(other))
}

// Key identifies what was said in a dialogue, and by whom: half of the digest of its turns.
type Key [16]byte

// KeyOf gives the key of a digest, see [dialogue.Dialogue.Digest].
func KeyOf(digest string) Key {
	var k Key
	_, _ = hex.Decode(k[:], []byte(digest[:min(len(digest), 2*len(k))])) // what is no digest has a key all the same
	return k
}

// Identity tells dialogues apart, also over several runs: half of a digest of file, id and turns, in hexadecimal.
type Identity string

// Identity is the same of records that are of the same dialogue.
func (r *Record) Identity() Identity {
	sum := sha256.Sum256([]byte(r.Source.File + "\x00" + r.Name() + "\x00" + r.Source.Digest))
	return Identity(hex.EncodeToString(sum[:len(sum)/2]))
}

// Scored reports whether the panel judged the dialogue.
func (r *Record) Scored() bool { return r.Evaluation != nil }

// Agent is one of the two that a model may play.
type Agent string

// The agents, as records name them.
const (
	Evaluator Agent = "evaluator"
	Critic    Agent = "critic"
)

var titles = map[Agent]string{Evaluator: "Evaluator", Critic: "Critic"}

// Learnt is what a profile with weights says beside the estimate of satisfaction.
type Learnt struct {
	Reasons         []heuristics.Reason          `json:"satisfaction_because,omitempty"` // what lowered and raised it most
	PeopleEstimates map[string]rubric.Hundredths `json:"people_estimate,omitempty"`      // of people's ratings, by criterion
}

// Rate enters what a profile estimates from what the rules saw and what the model as the Evaluator gave, and why.
func (r *Record) Rate(p heuristics.Profile) {
	var added heuristics.Millionths
	value := p.Value(r.Evaluation)
	r.Learnt = Learnt{}
	judged := r.Judged()
	added, r.Reasons = p.Linear.Adds(r.Dialogue, r.Evaluation.Signals)
	switch m := p.Model; {
	case m == nil || r.CrossCheck == nil && r.Goodness == nil:
	case m.Rating > 0:
		added += m.Blend(p.Rating(value)+added, r.quality())
	default:
		added += m.Scores.Adds(judged)
		r.Reasons = heuristics.Strongest(append(r.Reasons, m.Reasons(judged, r.Evaluation.Evaluator)...))
	}
	r.Estimate = p.EstimateAt(value, added)
	for name, learnt := range p.Criteria {
		if r.PeopleEstimates == nil {
			r.PeopleEstimates = map[string]rubric.Hundredths{}
		}
		r.PeopleEstimates[name] = learnt.Estimate(value, r.Evaluation, judged)
	}
}

// Judged returns what the model makes of each criterion, from 0.01 to 100: the mean probability of
// the good answers in percent, or the score that it wrote; 0 where no model judged the dialogue.
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

// quality is what the model makes of the dialogue: the mean of [Record.Judged], or, in runs in which
// it wrote levels, their weighted average.
func (r *Record) quality() rubric.Hundredths {
	if r.Goodness == nil {
		return r.Evaluation.EvaluatorAverage
	}
	return r.Goodness.Mean()
}

// Remarks gives the sentences on the model that the audit ends with.
func (r *Record) Remarks() (list []string) {
	for _, agent := range r.Fallback {
		list = append(list, "The rules took the part of the "+titles[agent]+", in which the model failed.")
	}
	if r.Model == nil {
		return list
	}
	for k := range rubric.NumCriteria {
		if r.Goodness != nil && r.Goodness[k] == 0 {
			list = append(list, fmt.Sprintf("The model answered no question about %s; the rules score it.", rubric.Criterion(k)))
		}
	}
	var parts []string
	for _, w := range r.Model.Windows {
		parts = append(parts, fmt.Sprintf("%d to %d", w.From, w.To))
	}
	if parts != nil {
		list = append(list, "The model judged the dialogue in overlapping parts: turns "+strings.Join(parts, ", ")+".")
	}
	if turns := r.Model.Suspicious; len(turns) > 0 {
		list = append(list, "The model was not shown "+named(turns)+", which may be meant for whoever judges.")
	}
	if turns := r.Model.Shortened; len(turns) > 0 {
		list = append(list, "The model was shown only the beginning of "+named(turns)+".")
	}
	return list
}

// named gives "turn 3" or "turns 3, 5".
func named(turns []int) string {
	word := "turns "
	if len(turns) == 1 {
		word = "turn "
	}
	return word + strings.ReplaceAll(strings.Trim(fmt.Sprint(turns), "[]"), " ", ", ")
}
