package rubric

// Quote is words of one turn. Agents name the turn; code takes the words from it.
type Quote struct {
	Turn int    // from 1
	Text string // as it stands in the turn, in one piece; "…" may end it
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
	ID         string // the detector's
	Criteria   Set    // what it speaks to
	Turn       int    // where, from 1
	About      int    // the other turn that it concerns, such as the one that is contradicted; 0 for none
	Points     Hundredths
	Start, End int // what was seen: a byte range of the turn's text; both 0 for the turn as a whole
}

// Points its way: upward, downward or neither.
func (s Signal) direction() int {
	switch {
	case s.Points > 0:
		return 1
	case s.Points < 0:
		return -1
	}
	return 0
}
