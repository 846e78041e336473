package compare

import (
	"crypto/sha256"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Run is what a comparison keeps of a run: some 120 bytes a dialogue, and no word that was said.
type Run struct {
	File    string // as the user named it
	Cases   []Case
	Scored  int
	Headers []*record.Header // the different ones, in order; nil stands for records without a header

	last  *record.Header
	texts map[string]string // names and reasons that many dialogues share
}

// Case is one dialogue of a run.
type Case struct {
	ID, File     string // what the dialogue is called, and the transcript that it comes from
	Line         int    // where the run holds it
	Reason       string // why it is unscored; empty where it is scored
	Scores       [rubric.NumCriteria]rubric.Score
	Overall      rubric.Score // zero where unscored
	Average      rubric.Hundredths
	Satisfaction rubric.Hundredths
	digest       [sha256.Size]byte // of the turns' digest
}

// Scored reports whether the panel judged the dialogue.
func (c *Case) Scored() bool { return c.Overall != 0 }

// NewRun makes an empty run.
func NewRun(file string) *Run { return &Run{File: file, texts: map[string]string{}} }

// Add takes from a record what is compared.
func (r *Run) Add(l record.Line, rec *record.Record) {
	r.header(l.Header)
	c := Case{
		ID: rec.Name(), File: r.text(rec.Source.File), Line: l.Number, Reason: r.text(rec.Reason),
		digest: sha256.Sum256([]byte(rec.Source.Digest)),
	}
	if e := rec.Evaluation; e != nil {
		r.Scored++
		c.Scores, c.Overall, c.Average, c.Satisfaction = e.Final.Scores(), e.Overall, e.Average, rec.Satisfaction
	}
	r.Cases = append(r.Cases, c)
}

// Is reports whether a record that was read once more is the one that c was made of; nil is not.
func (c *Case) Is(rec *record.Record) bool {
	return rec != nil && sha256.Sum256([]byte(rec.Source.Digest)) == c.digest && rec.Scored() == c.Scored() &&
		(!rec.Scored() || rec.Evaluation.Final.Scores() == c.Scores)
}

// text gives the one copy of a text that is kept.
func (r *Run) text(s string) string {
	kept, ok := r.texts[s]
	if !ok {
		kept = s
		r.texts[s] = s
	}
	return kept
}

// header keeps what is said of the next record, where nothing like it is kept yet.
func (r *Run) header(h *record.Header) {
	if len(r.Headers) > 0 && h == r.last {
		return
	}
	r.last = h
	for _, known := range r.Headers {
		if known == h || known != nil && h != nil && known.Fingerprint() == h.Fingerprint() {
			return
		}
	}
	r.Headers = append(r.Headers, h)
}

// basis is what the first records of the run follow from.
func (r *Run) basis() record.Basis {
	if len(r.Headers) == 0 || r.Headers[0] == nil {
		return record.DefaultBasis()
	}
	return r.Headers[0].Basis
}
