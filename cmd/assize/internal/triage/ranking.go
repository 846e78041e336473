package triage

import (
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// Ranked is a dialogue with what a person must know to decide whether to read it.
type Ranked struct {
	run.Row
	Rank       int         // from 1
	Record     *run.Record // as the rules judged it or, of a run with a model, as it was recorded
	Duplicates int         // how many others have the same turns, and are ranked with it
	Picked     string      // why a model was asked about it now; empty where none was
	Opinion    *run.Record // what the model made of it; nil where none was asked
	Explanation
}

// crossCheck compares rules and model: the model that was asked now, or else that of the run; nil for none.
func (r *Ranked) crossCheck() *rubric.CrossCheck {
	if r.Opinion != nil {
		return r.Opinion.CrossCheck
	}
	return r.Record.CrossCheck
}

// notes say what else there is to know of the dialogue, such as "picked: worst".
func (r *Ranked) notes() (list []string) {
	if r.Duplicates > 0 {
		list = append(list, "same turns: "+ui.Counted(r.Duplicates, "more dialogue"))
	}
	if s := r.opinion(); s != "" {
		list = append(list, "model: "+s)
	}
	if r.Picked != "" {
		list = append(list, "picked: "+r.Picked)
	}
	return list
}

// opinion says what a model makes of the dialogue and where it contradicts the rules; empty where no model was asked.
func (r *Ranked) opinion() string {
	var parts []string
	switch m := r.Opinion; {
	case m != nil && !m.Scored():
		return "unscored: " + m.Reason
	case m != nil:
		parts = append(parts, fmt.Sprintf("OverallExperience %d, average %s", m.Evaluation.Overall, m.Evaluation.Average))
	}
	if check := r.crossCheck(); check != nil {
		parts = append(parts, check.Disagreement.String()+" levels from the rules")
		for i, c := range check.Criteria {
			if c.Verdict() == rubric.Contradict {
				parts = append(parts, fmt.Sprintf("%s %d against %d", rubric.Criterion(i), c.Model, c.Rules))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// Ranking is the result of a triage.
type Ranking struct {
	Order      Order
	Worst      []Ranked
	Disputed   []Ranked // of the others that a model was asked about, those where it contradicts the rules most
	Scored     int      // dialogues that could be ranked
	Unscored   int      // and those that no agent could judge, which are never ranked
	Unchecked  int      // scored dialogues without what the order needs: a cross-check
	Duplicates int      // scored dialogues that are ranked with one that has the same turns
	Cascade    *Cascade
	Warnings   []string // on the runs that were read, a sentence each; in text and Markdown
}

// Cascade is what a model was asked about, and what that saved.
type Cascade struct {
	Model    string // its name
	Asked    int    // dialogues
	Unscored int    // those of them that it left unscored
	Calls    int    // made
}

// Sentences tell what is ranked and what is not, and what a cascade saved.
func (s *Ranking) Sentences() []string {
	list := []string{fmt.Sprintf("%d of %s, worst first by %s.",
		len(s.Worst), ui.Counted(s.Scored, "scored dialogue"), s.Order)}
	if s.Unscored > 0 {
		list = append(list, ui.Counted(s.Unscored, "unscored dialogue")+", not ranked.")
	}
	if s.Unchecked > 0 {
		list = append(list, ui.Counted(s.Unchecked, "dialogue")+" without a cross-check, not ranked.")
	}
	if s.Duplicates > 0 {
		list = append(list, ui.Counted(s.Duplicates, "dialogue")+
			" with the same turns as an earlier one, ranked with it; --duplicates ranks each.")
	}
	if c := s.Cascade; c != nil {
		all := s.Scored - s.Duplicates
		last := fmt.Sprintf("%s was asked about %d of %s", c.Model, c.Asked, ui.Counted(all, "dialogue"))
		if c.Calls > 0 && c.Asked < all {
			last += fmt.Sprintf(": %s instead of about %d for all",
				ui.Counted(c.Calls, "call"), (c.Calls*all+c.Asked/2)/c.Asked)
		}
		if c.Unscored > 0 {
			last += fmt.Sprintf("; it left %d unscored", c.Unscored)
		}
		list = append(list, last+".")
	}
	return list
}

// Opinions takes in what a model makes of picked dialogues, and enters it into a ranking. The ranking stays that of the
// rules, unless it is by how far the two disagree.
type Opinions struct {
	ranking *Ranking
	shown   map[int]*Ranked // by place
	others  *Least[Ranked]
	checked int // dialogues with a cross-check
}

// NewOpinions prepares a ranking for opinions. It lists at most top disputed dialogues.
func NewOpinions(s *Ranking, top int) *Opinions {
	o := &Opinions{ranking: s, shown: map[int]*Ranked{}, others: NewWorst(top, ByDisagreement)}
	for i := range s.Worst {
		o.shown[s.Worst[i].Place] = &s.Worst[i]
	}
	return o
}

// Add takes in what rules and model make of a pick.
func (o *Opinions) Add(pick Pick, rules, model *run.Record) {
	if r := o.shown[pick.Place]; r != nil {
		r.Picked, r.Opinion = pick.Why(), model
	} else if model.CrossCheck != nil {
		o.checked++
		row := pick.Row
		row.CrossCheck = model.CrossCheck
		o.others.Add(Ranked{Row: row, Record: rules, Picked: pick.Why(), Opinion: model})
	}
}

// Close completes the ranking. Rows are all that is ranked; it sorts them.
func (o *Opinions) Close(rows []run.Row) {
	s, others := o.ranking, o.others.List()
	if s.Order == ByDisagreement {
		s.Worst, s.Unchecked = others, s.Scored-s.Duplicates-o.checked
		return
	}
	slices.SortFunc(rows, func(a, b run.Row) int { return s.Order.Compare(&a, &b) })
	for i := range others {
		others[i].Rank = 1 + slices.IndexFunc(rows, func(r run.Row) bool { return r.Place == others[i].Place })
	}
	s.Disputed = others
}
