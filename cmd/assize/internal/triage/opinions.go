package triage

import (
	"slices"

	"assize/cmd/assize/internal/record"
)

// Opinions takes in what a model says of what was picked, and enters it into a sheet. The ranking stays that of the
// rules, unless it is by how far the two disagree.
type Opinions struct {
	sheet  *Sheet
	shown  map[int]*Row // the rows of the sheet, by where they were read
	others *Worst
	held   int // those that could be held against the rules
}

// Hear makes ready for opinions on dialogues of which the sheet ranks the worst; it lists top others at most.
func (s *Sheet) Hear(top int) *Opinions {
	o := &Opinions{sheet: s, shown: map[int]*Row{}, others: NewWorst(top, ByDisagreement)}
	for i := range s.Rows {
		o.shown[s.Rows[i].Place.At] = &s.Rows[i]
	}
	return o
}

// Add takes in what rules and model make of a pick.
func (o *Opinions) Add(pick Pick, rules, model *record.Record) {
	if row := o.shown[pick.At]; row != nil {
		row.Picked, row.Opinion = pick.Why(), model
	} else if check := model.CrossCheck; check != nil {
		o.held++
		place := pick.Place
		place.Disagreement = check.Disagreement
		o.others.Add(Row{Place: place, Record: rules, Picked: pick.Why(), Opinion: model})
	}
}

// Close enters what was taken in. Places are those of all that is ranked; it sorts them.
func (o *Opinions) Close(places []Place) {
	s, others := o.sheet, o.others.List()
	if s.Order == ByDisagreement {
		s.Rows, s.Unchecked = others, s.Scored-s.Duplicates-o.held
		return
	}
	slices.SortFunc(places, s.Order.Compare)
	for i := range others {
		at := others[i].Place.At
		others[i].Rank = 1 + slices.IndexFunc(places, func(p Place) bool { return p.At == at })
	}
	s.Beside = others
}
