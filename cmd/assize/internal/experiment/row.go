package experiment

import (
	"math"
	"slices"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/evidence"
	"assize/cmd/assize/internal/record"
	"assize/localllm"
	"assize/rubric"
)

// Row is what the repeats of a cell come to.
type Row struct {
	Cell     Cell // the first repeat
	Files    []string
	Missing  int // repeats that are not complete; where there are any, nothing is measured
	Made     []*record.Header
	Judged   int // dialogues, in all repeats
	Unscored int
	ByRules  int // scored by the rules in the place of a model that failed
	Evidence evidence.Relevance

	Compared, Flipped int // scores of two repeats, and those that differ

	Asked             int // dialogues that a model was asked about
	Generated, Tokens int // by the Evaluator; and in all calls, read and generated
	Timed             int // dialogues
	Seconds           float64

	Checked      int // dialogues with a cross-check
	disagreement rubric.Hundredths

	Satisfaction, Average Agreement

	scores map[key][][rubric.NumCriteria]rubric.Score // of each repeat that scored the dialogue
	place  int                                        // in the run that is being added
}

// Agreement is how a measure ranks dialogues as people do (Spearman), and by how much better than the rules alone.
type Agreement struct {
	accord.Figure
	OverRules accord.Figure
}

// key names a dialogue: by its place in the run, which is the same in every repeat, and by what was said.
type key struct {
	place  int
	digest string
}

// NewRow begins a row.
func NewRow(c Cell) *Row {
	none := accord.None("")
	return &Row{Cell: c, Satisfaction: Agreement{none, none}, Average: Agreement{none, none}, scores: map[key][][rubric.NumCriteria]rubric.Score{}}
}

// Begin begins with the run of another repeat, which may have lost its header.
func (r *Row) Begin(file string, h *record.Header) {
	r.Files, r.place = append(r.Files, file), 0
	if h != nil {
		r.Made = append(r.Made, h)
	}
}

// Add counts a record of the run.
func (r *Row) Add(rec *record.Record) {
	r.Judged++
	r.place++
	r.account(rec.Model)
	if !rec.Scored() {
		r.Unscored++
		return
	}
	if slices.Contains(rec.Fallback, record.Evaluator) {
		r.ByRules++
	} else {
		r.Evidence.Add(rubric.Case{Dialogue: rec.Dialogue, Signals: rec.Evaluation.Signals}, rec.Evaluation.Evaluator)
	}
	if rec.CrossCheck != nil {
		r.Checked++
		r.disagreement += rec.CrossCheck.Disagreement
	}
	k := key{r.place, rec.Source.Digest}
	is := rec.Evaluation.Final.Scores()
	for _, was := range r.scores[k] {
		for c := range is {
			r.Compared++
			if is[c] != was[c] {
				r.Flipped++
			}
		}
	}
	r.scores[k] = append(r.scores[k], is)
}

// account counts what a model was asked and answered.
func (r *Row) account(a *localllm.Account) {
	if a == nil {
		return
	}
	r.Asked++
	r.Generated += a.Generated(localllm.ForCard) + a.Generated(localllm.ForCriterion)
	for _, c := range a.Calls {
		r.Tokens += c.PromptTokens + c.Generated
	}
}

// Flips is the share of scores that another repeat changes; NaN for one repeat.
func (r *Row) Flips() float64 { return float64(r.Flipped) / float64(r.Compared) }

// Disagreement is the mean figure of the cross-check; NaN where there was none.
func (r *Row) Disagreement() float64 { return float64(r.disagreement) / 100 / float64(r.Checked) }

// GeneratedEach, TokensEach and SecondsEach are means per dialogue; NaN where no model was asked, or nothing was timed.
func (r *Row) GeneratedEach() float64 { return float64(r.Generated) / float64(r.Asked) }

// TokensEach is that of all tokens.
func (r *Row) TokensEach() float64 { return float64(r.Tokens) / float64(r.Asked) }

// SecondsEach is that of the server's time.
func (r *Row) SecondsEach() float64 { return r.Seconds / float64(r.Timed) }

// Relevance gives the share of cited turns at a fault, and that of turns picked at random; NaN where too few are cited.
func (r *Row) Relevance() (share, chance float64) {
	if r.Evidence.Cited < evidence.Fewest {
		return math.NaN(), math.NaN()
	}
	return r.Evidence.Share(), r.Evidence.Base()
}
