package page

import (
	"fmt"
	"math"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/segment"
	"assize/rubric"
)

// sentences tell the state in words: how many dialogues are bad, at what, and how far to believe it.
func (p *Page) sentences() (list []string) {
	o := p.Overview
	if o.Scored == 0 {
		return []string{"No dialogue could be scored."}
	}
	switch n := o.Overall[0] + o.Overall[1]; {
	case n == 0:
		list = append(list, "No dialogue falls below 60.")
	case o.Scored == 1:
		return append(list, "The one dialogue falls below 60.")
	case n == o.Scored:
		list = append(list, fmt.Sprintf("All %s fall below 60.", counted(n, "dialogue")))
	case n == 1:
		list = append(list, fmt.Sprintf("1 of %s (%s) falls below 60.", counted(o.Scored, "dialogue"), percent(n, o.Scored)))
	default:
		list = append(list, fmt.Sprintf("%s of %s (%s) fall below 60.", count(n), counted(o.Scored, "dialogue"), percent(n, o.Scored)))
	}
	if c, part := p.weakest(); part > 0 {
		list = append(list, fmt.Sprintf("%s fails most often: it stands at 40 or lower in %s of them.", c, percent(int(math.Round(part*float64(o.Scored))), o.Scored)))
	}
	return list
}

// weakest gives the criterion that is most often at 40 or 20, and in which part of the dialogues.
func (p *Page) weakest() (rubric.Criterion, float64) {
	at, most := rubric.TaskSuccess, 0.0
	for _, c := range rubric.Criteria() {
		if part := p.Overview.Criteria[c].Below(60); part > most {
			at, most = c, part
		}
	}
	return at, most
}

// cards are the headline figures.
func (p *Page) cards() []card {
	o := p.Overview
	all := len(o.Cases)
	if o.Scored == 0 {
		return []card{{"Unscored", count(o.Unscored), "", "of " + counted(all, "dialogue")}}
	}
	below := o.Overall[0] + o.Overall[1]
	list := []card{
		{"Satisfaction", o.Satisfaction().String(), "of 5", "estimated" + p.lowestTenth()},
		{"Below 60", percent(below, o.Scored), "", counted(below, "dialogue") + " of " + count(o.Scored)},
		{"Weighted average", o.Average().String(), "of 100", "the mean of the six, by weight"},
		{"Unscored", count(o.Unscored), "", "of " + counted(all, "dialogue")},
		{"Changed by the Referee", percent(o.Changed, o.Scored), "", "of the dialogues, in one score or more"},
	}
	if o.Bench.Checked > 0 {
		total := o.Bench.Total()
		n := total[rubric.Agree] + total[rubric.Doubt] + total[rubric.Contradict]
		list = append(list, card{"Rules contradict the model", percent(total[rubric.Contradict], n), "", "of its scores, by two levels or more"})
	}
	if p.People != nil {
		list = append(list, p.agreementCard())
	}
	return list
}

// lowestTenth tells below which satisfaction a tenth of the dialogues lie, where there are enough to tell.
func (p *Page) lowestTenth() string {
	if p.Overview.Scored < segment.Few {
		return ""
	}
	var values []float64
	for i := range p.Overview.Cases {
		if c := &p.Overview.Cases[i]; c.Scored() {
			values = append(values, float64(c.Satisfaction)/100)
		}
	}
	return "; a tenth is below " + fixed(agreement.Quantile(values, .1), 2)
}

// agreementCard tells how satisfaction agrees with people beside one more person and the limit.
func (p *Page) agreementCard() card {
	rep := p.People.Report
	mean := func(measure string, s accord.Statistic) accord.Figure {
		return rep.Of(rep.Mean, accord.Key{Rated: accord.OverallRating, Measure: measure, Statistic: s})
	}
	return card{
		"Agreement with people", accord.Short(mean(accord.Satisfaction, accord.Spearman).Value, 2), "Spearman",
		"one person " + accord.Short(mean(accord.OneAnnotator, accord.Spearman).Value, 2) + ", limit " + accord.Short(mean(accord.Raters, accord.Ceiling).Value, 2),
	}
}
