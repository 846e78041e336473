package measure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/heuristics"
	"assize/rubric"
)

// Points returns the lines of a table that says, for every detector and set, in how many dialogues
// it fires and how much higher people rate these than the others, next to its points, so that
// anybody can question a point. It uses only the part for choosing.
//
// The last column names the sets in which people's judgement contradicts the points by more than
// two standard errors. That raises a question, but does not answer it: what fires in a bad dialogue
// need not be the cause.
func (s *Sets) Points() ([]string, error) {
	var ofUSS []*ratedSet
	for _, name := range ussNames() {
		list, err := s.ussSet(name)
		if err != nil {
			return nil, err
		}
		ofUSS = append(ofUSS, newRatedSet(list, (*Judged).rating))
	}
	satisfied, err := s.helpdeskAnswers()
	helpdesk, err2 := s.of("helpdesk", Choosing)
	caring, err3 := s.empathyAnswers()
	empathy, err4 := s.of("empathy", Choosing)
	if err := cmp.Or(err, err2, err3, err4); err != nil {
		return nil, err
	}
	columns := []struct {
		name string
		sets []*ratedSet
		on   func(*heuristics.Detector) rubric.Hundredths // the points that count there
	}{
		{"USS", ofUSS, func(d *heuristics.Detector) rubric.Hundredths { return d.Points }},
		{"helpdesk", []*ratedSet{newRatedSet(helpdesk, satisfied.of("satisfaction"))},
			func(d *heuristics.Detector) rubric.Hundredths { return d.InService }},
		{"empathy", []*ratedSet{newRatedSet(empathy, caring.of("sum"))},
			func(d *heuristics.Detector) rubric.Hundredths {
				if d.Criteria.Has(rubric.Empathy) {
					return d.Points
				}
				return 0
			}},
	}
	lines := []string{fmt.Sprintf("| %-28s | %6s | %7s", "detector", "points", "service")}
	for _, c := range columns {
		lines[0] += fmt.Sprintf(" | %8s | %6s", c.name, "people")
	}
	lines[0] += " | against"
	for _, det := range heuristics.New().Detectors() {
		line := fmt.Sprintf("| %-28s | %6s | %7s", det.ID, det.Points, det.InService)
		var against []string
		for _, c := range columns {
			n, difference, err := effect(c.sets, det.ID)
			line += fmt.Sprintf(" | %8d", n)
			if math.IsNaN(difference) {
				line += fmt.Sprintf(" | %6s", "–")
				continue
			}
			line += fmt.Sprintf(" | %+6.2f", difference)
			if points := float64(c.on(&det)); points*difference < 0 &&
				math.Abs(difference) > 2*err {
				against = append(against, c.name)
			}
		}
		lines = append(lines, line+" | "+strings.Join(against, ", "))
	}
	return lines, nil
}

// ratedSet is a set of dialogues with people's ratings, and the dialogues in which each detector
// fires.
type ratedSet struct {
	people []float64
	fires  map[string][]int // indexes of the dialogues, by detector
}

func newRatedSet(list []*Judged, people func(*Judged) float64) *ratedSet {
	s := &ratedSet{column(list, people), map[string][]int{}}
	for i, j := range list {
		for _, signal := range j.Signals {
			if at := s.fires[signal.ID]; !slices.Contains(at[max(0, len(at)-1):], i) {
				s.fires[signal.ID] = append(at, i)
			}
		}
	}
	return s
}

// effect returns in how many dialogues a detector fires, and how much higher people rate these than
// the others. That is the mean over the sets that have both, with its standard error, or NaN if
// there is no such set.
func effect(sets []*ratedSet, id string) (n int, difference, standardError float64) {
	k := 0.0
	for _, s := range sets {
		fires := s.fires[id]
		n += len(fires)
		if len(fires) == 0 || len(fires) == len(s.people) {
			continue
		}
		k++
		all, with := Mean(s.people), 0.0
		variance := 0.0
		for _, v := range s.people {
			variance += (v - all) * (v - all) / float64(len(s.people)-1)
		}
		for _, i := range fires {
			with += s.people[i]
		}
		total, firing := float64(len(s.people)), float64(len(fires))
		difference += with/firing - (all*total-with)/(total-firing)
		standardError += variance/firing + variance/(total-firing)
	}
	return n, difference / k, math.Sqrt(standardError) / k
}
