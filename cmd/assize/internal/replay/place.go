package replay

import (
	"path"
	"strings"

	"assize/rubric"
)

// place is a kind of members of a record that follow from others.
type place struct {
	pattern string // of pointers, as [path.Match] has it
	gives   string // introduces what comes out
	stage   stage
	either  string // what may have been changed, where one value stands for many; empty for the place itself
}

// stage is a step of the settlement. What is settled in one may go back to what was wrong in an earlier one.
type stage uint16

const (
	ofWords        stage = 1 << iota // what was said, by whom
	ofQuotes                         //
	ofTurns                          // the number and the digest of the turns
	ofSentences                      // what the agents say, with its quotes
	ofFirst                          // the Evaluator's average
	ofAgreement                      // whether the Critic agrees
	ofOpinions                       // and what it suggests
	ofRuling                         // which it is
	ofRulings                        // what else there is to a ruling
	ofFinal                          // the Referee's scores and justifications
	ofAverage                        //
	ofOverall                        //
	ofAudit                          //
	ofSatisfaction                   //
	ofLevel                          // level and flag
	ofCheck                          // the cross-check

	// settled are those that one rating goes through.
	settled = ofQuotes | ofSentences | ofAgreement | ofOpinions | ofRuling | ofRulings | ofFinal
)

// from tells which stages lead to a stage.
func (s stage) from() stage {
	const evidence = ofWords | ofQuotes | ofTurns
	switch s {
	case ofTurns:
		return ofWords
	case ofAgreement:
		return evidence
	case ofSentences, ofOpinions:
		return evidence | ofAgreement
	case ofRuling:
		return ofOpinions | ofOpinions.from()
	case ofRulings:
		return ofRuling | ofRuling.from()
	case ofFinal:
		return ofSentences | ofRulings | ofRulings.from()
	case ofAverage, ofSatisfaction:
		return ofFinal | ofRulings | ofRulings.from()
	case ofOverall:
		return ofAverage | ofAverage.from()
	case ofAudit:
		return ofSentences | ofOverall | ofOverall.from()
	case ofLevel:
		return ofSatisfaction | ofSatisfaction.from()
	}
	return 0
}

// places lists them in the order of the settlement.
var places = []place{
	{pattern: "/turns/*/*", gives: "want", stage: ofWords},
	{pattern: "/panel/*/*/quotes/*", gives: "want", stage: ofQuotes},
	{pattern: "/source/turns", gives: "the record holds", stage: ofTurns},
	{pattern: "/source/digest", gives: "the turns have", stage: ofTurns, either: "a turn was changed, or the digest"},
	{pattern: "/evaluator/*/justification", gives: "by the panel it is", stage: ofSentences},
	{pattern: "/evaluator/numeric_weighted_average", gives: "the Evaluator's scores give", stage: ofFirst},
	{pattern: "/critic/*/agree", gives: "by the panel it is", stage: ofAgreement},
	{pattern: "/critic/*/comment", gives: "by the panel it is", stage: ofSentences},
	{pattern: "/critic/*/*", gives: "by the panel it is", stage: ofOpinions},
	{pattern: "/panel/rulings/*/ruling", gives: "the Referee's rules give", stage: ofRuling},
	{pattern: "/panel/rulings/*/before", gives: "the Evaluator has", stage: ofRulings},
	{pattern: "/panel/rulings/*/*", gives: "the Referee's rules give", stage: ofRulings},
	{pattern: "/panel/rulings/*/turns/*", gives: "the Referee's rules give", stage: ofRulings},
	{pattern: "/referee_final/numeric_weighted_average", gives: "the final scores give", stage: ofAverage},
	{pattern: "/referee_final/OverallExperience", gives: "the average gives", stage: ofOverall},
	{pattern: "/referee_final/*/justification", gives: "the rulings take", stage: ofFinal},
	{pattern: "/referee_final/*/*", gives: "by the rulings it is", stage: ofFinal},
	{pattern: "/audit/*", gives: "the rulings give", stage: ofAudit},
	{pattern: "/audit/*/*", gives: "the rulings give", stage: ofAudit},
	{pattern: "/cross_check/disagreement", gives: "the scores give", stage: ofCheck},
	{pattern: "/cross_check/criteria/*/model", gives: "the Evaluator has", stage: ofCheck},
	{pattern: "/cross_check/criteria/*/*", gives: "the scores give", stage: ofCheck},
	{pattern: "/satisfaction", gives: "by the profile the signals give", stage: ofSatisfaction, either: "a signal was changed, or the satisfaction"},
	{pattern: "/level", gives: "by the profile the satisfaction gives", stage: ofLevel},
	{pattern: "/flagged", gives: "by the profile the satisfaction gives", stage: ofLevel},
}

// elsewhere is where nothing is settled.
var elsewhere = place{gives: "want"}

func placeOf(pointer string) place {
	for _, p := range places {
		if ok, _ := path.Match(p.pattern, pointer); ok {
			return p
		}
	}
	return elsewhere
}

func giving(pointer string) string { return placeOf(pointer).gives }

// leads reports whether one difference may go back to another, which is of a later stage.
func (d *Difference) leads(to *Difference) bool {
	a, b := placeOf(d.Pointer).stage, placeOf(to.Pointer).stage
	switch {
	case a&settled == 0 || b&settled == 0:
		return true
	case b == ofRuling && strings.Contains(to.Recorded+to.Recomputed, rubric.Majority.String()):
		return true // every objection has a part in it
	}
	k, ok := criterionOf(d.Pointer)
	l, both := criterionOf(to.Pointer)
	return !ok || !both || k == l
}

// criterionOf gives the criterion that a pointer leads to a part of.
func criterionOf(pointer string) (rubric.Criterion, bool) {
	for _, k := range rubric.Criteria() {
		for _, step := range []string{"/" + k.String() + "/", "/critic/" + string('0'+rune(k)) + "/", "/rulings/" + string('0'+rune(k)) + "/"} {
			if strings.Contains(pointer, step) {
				return k, true
			}
		}
	}
	return 0, false
}
