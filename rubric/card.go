package rubric

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// Quote is words of one turn. Agents name the turn; code takes the words from it.
type Quote struct {
	Turn int    // from 1
	Text string // as it is in the turn, in one piece; "…" may end it
}

// Rating is a score and why. Its one-sentence justification is put together from the claim and the quotes,
// so it cannot quote what nobody said.
type Rating struct {
	Score  Score
	Claim  string // what was seen, a clause without a full stop: "the USER turns the offer down twice"
	Quotes []Quote
}

// Scorecard is an agent's six ratings. No criterion can be missing from an array.
type Scorecard [NumCriteria]Rating

// Scores gives the scores alone.
func (sc Scorecard) Scores() [NumCriteria]Score {
	var s [NumCriteria]Score
	for i := range sc {
		s[i] = sc[i].Score
	}
	return s
}

// Kind is the ground of an objection.
type Kind uint8

// The kinds of decisions.md.
const (
	Contradicts     Kind = iota // an utterance speaks against the score
	MissingEvidence             // what the score needs is not in the dialogue
)

// String gives the name that records use.
func (k Kind) String() string {
	if k == MissingEvidence {
		return "missing-evidence"
	}
	return "contradicts"
}

// Objection is the Critic's disagreement on one criterion. The zero Objection agrees.
type Objection struct {
	Suggested Score // zero agrees
	Kind      Kind
	Claim     string // as in Rating
	Quotes    []Quote
	By        string // "rules", "model" or "rules and model"
}

// Against reports whether o disagrees with score s. Agreement is never taken from an agent: it is derived
// from whether the suggested score differs.
func (o Objection) Against(s Score) bool { return o.Suggested != 0 && o.Suggested != s }

// Critique is the Critic's six answers.
type Critique [NumCriteria]Objection

// Signal is what a detector saw at one turn.
type Signal struct {
	ID       string     `json:"id"`             // the detector's
	Criteria Set        `json:"criteria"`       // what it speaks to
	Turn     int        `json:"turn"`           // where, from 1
	About    int        `json:"about,omitzero"` // the other turn that it concerns, such as the one that is contradicted; 0 for none
	Points   Hundredths `json:"points"`

	// What was seen is a byte range of the turn's text; both are 0 for the turn as a whole.
	Start int `json:"start,omitzero"`
	End   int `json:"end,omitzero"`
}

// direction tells whether the signal speaks for a higher score (1), a lower one (-1) or neither (0).
func (s Signal) direction() int {
	return cmp.Compare(s.Points, 0)
}

// Sentence gives the justification as the documents print it: one sentence of the claim and the quotes with
// their speakers, such as
//
//	The USER turns the offer down twice: USER: "No"; USER: "No thanks".
//
// Quotes that are not in d are left out, so that nobody is said to have said what he has not.
func (r Rating) Sentence(d dialogue.Dialogue) string { return sentence(d, r.Claim, r.Quotes) }

// Sentence gives the objection as [Rating.Sentence] gives a justification.
func (o Objection) Sentence(d dialogue.Dialogue) string { return sentence(d, o.Claim, o.Quotes) }

// Attribute gives a quote as the audit's evidence_used does: USER: "words".
func (q Quote) Attribute(d dialogue.Dialogue) string {
	t, _ := d.Turn(q.Turn)
	return t.Role.String() + `: "` + flat(q.Text) + `"`
}

// sentence gives claim and quotes as one sentence with a capital and one full stop.
func sentence(d dialogue.Dialogue, claim string, quotes []Quote) string {
	claim = flat(strings.TrimFunc(claim, func(r rune) bool { return r == '.' || isSpace(r) }))
	quotes = verified(d, quotes)
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
		b.WriteByte('.') // else the quote ends the sentence as it ends its own
	}
	return b.String()
}

// flat puts s on one line, free of control and direction characters. To a quote it makes no difference that
// verification would see.
func flat(s string) string {
	plain := 0 // how many characters of ASCII, as nearly all are
	for plain < len(s) && s[plain] >= ' ' && s[plain] < 0x7f {
		plain++
	}
	if strings.IndexFunc(s[plain:], func(r rune) bool { return r != ' ' && isSpace(r) }) < 0 {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, isSpace), " ")
}
