package triage

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// Row is a ranked dialogue with what a person must know to decide whether to read it.
type Row struct {
	Place      Place
	Rank       int            // among all that are ranked, from 1
	Record     *record.Record // as the rules judged it or, of a run with a model, as it stands there
	Duplicates int            // how many others have the same turns, for which this one is ranked
	Picked     string         // why a model was asked about it now; empty where none was
	Opinion    *record.Record // what came of that; nil where none was asked

	failed   rubric.Criterion // what failed most, see [Failed]
	flawless bool             // nothing failed
	evidence []rubric.Quote   // why, see [Evidence]
	friction []rubric.Hundredths
}

// Explain works out why the dialogue stands where it does. Signals of detectors that mute names are no evidence.
func (r *Row) Explain(mute map[string]bool) {
	e := r.Record.Evaluation
	failed, ok := Failed(e)
	r.failed, r.flawless = failed, !ok
	r.evidence, r.friction = Evidence(e, mute), friction.Points(e)
}

// check holds the model's scores against those of the rules: of the model that was asked now, or else of the run; nil
// where there is none.
func (r *Row) check() *rubric.CrossCheck {
	if r.Opinion != nil {
		return r.Opinion.CrossCheck
	}
	return r.Record.CrossCheck
}

// same says for how many others the dialogue is ranked; empty where there is none.
func (r *Row) same() string {
	if r.Duplicates == 0 {
		return ""
	}
	return report.Counted(r.Duplicates, "more dialogue")
}

// verdict says in a line what a model makes of the dialogue and where it contradicts the rules; empty where no model was
// asked.
func (r *Row) verdict() string {
	var parts []string
	if m := r.Opinion; m != nil && !m.Scored() {
		return "unscored: " + m.Reason
	} else if m != nil {
		parts = append(parts, "OverallExperience "+m.Evaluation.Overall.String(), "average "+m.Evaluation.Average.String())
	}
	if check := r.check(); check != nil {
		parts = append(parts, check.Disagreement.String()+" levels from the rules"+contradictions(check))
	}
	return strings.Join(parts, " · ")
}

// contradictions lists the criteria that rules and model contradict each other in.
func contradictions(check *rubric.CrossCheck) string {
	var list []string
	for i, c := range check.Criteria {
		if c.Verdict() == rubric.Contradict {
			list = append(list, fmt.Sprintf("%s %d against %d", rubric.Criterion(i), c.Model, c.Rules))
		}
	}
	if list == nil {
		return ""
	}
	return ": " + strings.Join(list, ", ")
}
