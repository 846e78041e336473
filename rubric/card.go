package rubric

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// Rating is a score with its reasons. Its one-sentence justification is assembled from the claim
// and the quotes, so it cannot quote words that nobody said.
type Rating struct {
	Score Score
	// the observation, a clause without a full stop: "the USER turns the offer down twice"
	Claim  string
	Quotes []Quote
}

// Unshown reports whether nothing in the dialogue shows the score, as the claim says: it is the
// usual score of the criterion, and neither a good nor a bad mark.
func (r Rating) Unshown() bool {
	says, _, _ := strings.Cut(r.Claim, ":") // records begin claims with a capital
	return strings.EqualFold(says, "not shown") || strings.EqualFold(says, "not confirmed")
}

// Unfounded reports whether no rule found anything for or against the SYSTEM, as the claim says:
// the quotes only show what was read.
func (r Rating) Unfounded() bool {
	const says = "no rule found "
	return r.Unshown() || len(r.Claim) > len(says) && strings.EqualFold(r.Claim[:len(says)], says)
}

// Claim is a reason for a score: what a detector found, as a statement about the dialogue.
type Claim struct {
	Rating          // the score to which it leads, and the quotes that show it
	Detector string // its ID
	Text     string // "the USER takes the offer"
	Favour   bool   // it credits the SYSTEM with something instead of charging it
}

// Scorecard holds an agent's six ratings. It is an array, so no criterion can be missing.
type Scorecard [NumCriteria]Rating

// Scores returns the scores without their reasons.
func (sc Scorecard) Scores() (s [NumCriteria]Score) {
	for i := range sc {
		s[i] = sc[i].Score
	}
	return s
}

// ObjectionKind is the reason for an objection.
type ObjectionKind uint8

// The kinds of objections defined in PROTOCOL.md.
const (
	Contradicts     ObjectionKind = iota // an utterance contradicts the score
	MissingEvidence                      // evidence that the score requires is not in the dialogue
)

// String returns the name used in records.
func (k ObjectionKind) String() string { return [...]string{"contradicts", "missing-evidence"}[k] }

// Objection is the Critic's answer on one criterion. The zero Objection agrees with the Evaluator.
type Objection struct {
	Suggested Score // zero means agreement
	Kind      ObjectionKind
	Claim     string // as in Rating
	Quotes    []Quote
	By        string // "rules", "model" or "rules and model"
}

// Against reports whether o disagrees with score s. Agreement is derived from the suggested score
// and never taken from the agent's own statement.
func (o Objection) Against(s Score) bool { return o.Suggested != 0 && o.Suggested != s }

// Critique holds the Critic's six answers.
type Critique [NumCriteria]Objection

// Signal is an observation that a detector made at one turn.
type Signal struct {
	ID       string `json:"id"`                 // the detector's ID
	Criteria Set    `json:"criteria,omitempty"` // the criteria that it bears on
	Turn     int    `json:"turn"`               // numbered from 1
	// the other turn involved, such as the one that is contradicted; 0 for none
	About  int        `json:"about,omitzero"`
	Points Hundredths `json:"points,omitzero"` // above 0 if it speaks for a higher score
	Fact   string     `json:"fact,omitzero"`   // the ID of the fact that it is about

	// Start and End are a byte range of the turn's text; both are 0 for the whole turn.
	Start int `json:"start,omitzero"`
	End   int `json:"end,omitzero"`
}

// Sentence returns the justification as the documents print it: one sentence made of the claim and
// the quotes with their speakers, such as The USER turns the offer down twice: USER: "No"; USER:
// "No thanks". Quotes that are not in d are omitted, so that no words are falsely attributed.
func (r Rating) Sentence(d dialogue.Dialogue) string {
	isEnd := func(r rune) bool { return r == '.' || isSpace(r) }
	claim, quotes := oneLine(strings.TrimFunc(r.Claim, isEnd)), only(r.Quotes, Quote.Occurs, d)
	if len(quotes) == 0 && claim == "" {
		return "No reason was given and no words were quoted."
	}
	var b strings.Builder
	b.Grow(len(claim) + (len(quotes)+1)*excerptRunes)
	if first, size := utf8.DecodeRuneInString(claim); size > 0 {
		b.WriteRune(unicode.ToUpper(first))
		b.WriteString(claim[size:])
	}
	if len(quotes) == 0 {
		b.WriteString(", but no words of the transcript were quoted for it.")
		return b.String()
	}
	between := ": "
	if claim == "" {
		between = ""
	}
	for _, q := range quotes {
		b.WriteString(between)
		b.WriteString(q.Attribute(d))
		between = "; "
	}
	last := quotes[len(quotes)-1].Text
	if !strings.HasSuffix(last, "…") && strings.IndexByte(".!?", last[len(last)-1]) < 0 {
		b.WriteByte('.') // otherwise the quote's own punctuation ends the sentence
	}
	return b.String()
}

// Attribute returns a quote in the form used in the audit's evidence_used: USER: "words".
func (q Quote) Attribute(d dialogue.Dialogue) string {
	t, _ := d.Turn(q.Turn)
	return t.Role.String() + `: "` + oneLine(q.Text) + `"`
}

// oneLine puts s on one line and removes control and direction characters. The change does not
// affect the verification of a quote.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && isSpace(r) }) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, isSpace), " ")
}
