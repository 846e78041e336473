package record

import (
	"crypto/sha256"
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
	Evaluation          *rubric.Evaluation // nil where the dialogue is unscored
	Reason              string             // why it is unscored; empty where it is scored
	heuristics.Estimate                    // by the run's profile; zero where unscored
	CrossCheck          *rubric.CrossCheck // nil where no model was the Evaluator
	Model               *localllm.Account  // what became of a model's words; nil where none was asked
	Fallback            []Agent            // those that the rules took over from the model
	Truth               dialogue.Truth     // added after judging
	CitedOnly           bool               // keep only the turns that a quote or a signal names
}

// Source says where a dialogue came from.
type Source struct {
	File   string          // as the user named it; "-" for standard input
	Format dialogue.Format // how it was read
	ID     string          // the source's own id, where that is not an integer
	Turns  int             // how many there are, whether or not the record keeps them
	Digest string          // of the turns, see [dialogue.Dialogue.Digest]
	Meta   dialogue.Meta   // what else the source says of the dialogue

	DuplicateOf *Origin // the dialogue of the run that has the same turns and was judged; nil where this one was
}

// Origin names a dialogue by the file that it stands in.
type Origin struct {
	File string
	ID   int
}

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
		Truth: s.Truth,
	}
}

// Name is what the dialogue is called: by its source's id where that has one that is no integer.
func (r *Record) Name() string {
	if r.Source.ID != "" {
		return r.Source.ID
	}
	return strconv.Itoa(r.Dialogue.ID)
}

// For gives the record with the judgement of r for the dialogue of another record, whose turns are the same.
func (r *Record) For(other *Record) *Record {
	is := *r
	is.Dialogue.ID, is.Source, is.Truth = other.Dialogue.ID, other.Source, other.Truth
	if r.Evaluation != nil {
		e := *r.Evaluation
		e.Dialogue.ID = is.Dialogue.ID
		is.Evaluation = &e
	}
	return &is
}

// Identity tells dialogues apart, also over several runs: half of a digest of file, id and turns.
type Identity [16]byte

// Identity is the same of records that are of the same dialogue.
func (r *Record) Identity() (is Identity) {
	sum := sha256.Sum256([]byte(r.Source.File + "\x00" + r.Name() + "\x00" + r.Source.Digest))
	copy(is[:], sum[:])
	return is
}

// Scored reports whether the panel judged the dialogue.
func (r *Record) Scored() bool { return r.Evaluation != nil }

// cited gives, for each turn, whether a quote or a signal of the record names it.
func (r *Record) cited() []bool {
	named := make([]bool, len(r.Dialogue.Turns))
	mark := func(turn int) {
		if turn >= 1 && turn <= len(named) {
			named[turn-1] = true
		}
	}
	if r.Evaluation == nil {
		return named
	}
	for _, s := range r.Evaluation.Signals {
		mark(s.Turn)
		mark(s.About)
	}
	e := r.Evaluation
	for i := range rubric.NumCriteria {
		for _, quotes := range [][]rubric.Quote{e.Evaluator[i].Quotes, e.Critique[i].Quotes, e.Final[i].Quotes, e.Rulings[i].Quotes} {
			for _, q := range quotes {
				mark(q.Turn)
			}
		}
	}
	return named
}
