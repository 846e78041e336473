package accord

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Verdict says how a measure does in an annotator's seat.
type Verdict uint8

// The verdicts. They ask the whole 95 % interval: what it holds may be chance.
const (
	Untold      Verdict = iota // there is no interval to judge by
	NoAgreement                // with people: the correlation's interval is not above zero
	Better                     // as well as one more annotator or better: the interval of the lead is above zero
	Worse                      // less well: it is below zero
	Undecided                  // it holds zero
	numVerdicts
)

// String gives the word that programs read.
func (v Verdict) String() string {
	return [numVerdicts]string{"untold", "no_agreement_shown", "as_good_as_one_annotator_or_better", "less_good_than_one_annotator", "undecided"}[v]
}

// Verdict judges a measure by the mean over the groups.
func (rep *Report) Verdict(rated, measure string) Verdict {
	rho, lead := rep.mean(rated, measure, Spearman), rep.mean(rated, measure, Lead)
	switch {
	case rho.Low <= 0:
		return NoAgreement
	case math.IsNaN(lead.Value) || math.IsNaN(lead.Low):
		return Untold
	case lead.Low > 0:
		return Better
	case lead.High < 0:
		return Worse
	}
	return Undecided
}

func (rep *Report) mean(rated, measure string, s Statistic) Figure {
	return rep.Of(rep.Mean, Key{rated, measure, s})
}

// Sentences say what the figures mean: one about satisfaction, which is there to rank dialogues as people would, and one
// about the criteria that people rated. They follow from the means over the groups.
func (rep *Report) Sentences() []string {
	var list, criteria []string
	for _, rated := range rep.Rated {
		if rated == OverallRating {
			list = append(list, strings.TrimSpace(rep.ranking()+" "+rep.limit()))
		} else {
			criteria = append(criteria, rated)
		}
	}
	if len(criteria) > 0 {
		list = append(list, rep.ofCriteria(criteria))
	}
	return list
}

// ranking says how well satisfaction ranks dialogues beside one more annotator.
func (rep *Report) ranking() string {
	rho := rep.mean(OverallRating, Satisfaction, Spearman)
	seat, lead := rep.mean(OverallRating, Satisfaction, InSeat), rep.mean(OverallRating, Satisfaction, Lead)
	one := rep.mean(OverallRating, OneAnnotator, Spearman)
	inSeat := fmt.Sprintf("%s against %s in an annotator's seat", Short(seat.Value, 2), Short(one.Value, 2))
	switch {
	case math.IsNaN(rho.Value):
		return fmt.Sprintf("How satisfaction agrees with people cannot be told: %s.", rho.Why)
	case rho.High < 0:
		return fmt.Sprintf("Satisfaction ranks these dialogues the other way round than people: %s.", span(rho))
	case rho.Low <= 0:
		return fmt.Sprintf("No agreement of satisfaction with people can be shown: %s, an interval that holds 0.", span(rho))
	case math.IsNaN(lead.Value):
		return fmt.Sprintf("Satisfaction agrees with people by %s; whether one more annotator would do better cannot be told: %s.", span(rho), lead.Why)
	}
	switch rep.Verdict(OverallRating, Satisfaction) {
	case Better:
		s := fmt.Sprintf("Satisfaction ranks these dialogues as one more annotator would, or better: %s, ahead by %s to %s.", inSeat, Short(lead.Low, 2), Short(lead.High, 2))
		if one.Low <= 0 {
			s += " That says little, since the annotators' own agreement may be chance."
		}
		return s
	case Worse:
		return fmt.Sprintf("Satisfaction ranks these dialogues less well than one more annotator would: %s, behind by %s to %s.", inSeat, Short(-lead.High, 2), Short(-lead.Low, 2))
	case Undecided:
		return fmt.Sprintf("Whether satisfaction ranks these dialogues as well as one more annotator would is open: %s, and the difference, %s to %s, may be chance.", inSeat, Short(lead.Low, 2), Short(lead.High, 2))
	}
	return fmt.Sprintf("Satisfaction ranks these dialogues by %s; whether that is chance cannot be told without intervals.", inSeat)
}

// limit says above what no correlation can be expected, where the ratings are reliable enough to tell.
func (rep *Report) limit() string {
	rho, ceiling := rep.mean(OverallRating, Satisfaction, Spearman), rep.mean(OverallRating, Raters, Ceiling)
	switch {
	case rho.Groups == 0 || rep.mean(OverallRating, Raters, RatingsEach).Groups == 0:
		return ""
	case ceiling.Groups == 0:
		return fmt.Sprintf("How far any scorer could go cannot be told: %s.", ceiling.Why)
	case rep.Options.Draws > 0 && math.IsNaN(ceiling.Low):
		return "How far any scorer could go cannot be told: the annotators agree too little with each other."
	case ceiling.Value < rho.Value:
		return fmt.Sprintf("How far any scorer could go cannot be told: satisfaction stands at the limit that the ratings set, %s, or beyond it.", span(ceiling))
	}
	return fmt.Sprintf("No scorer can be expected above %s.", Short(ceiling.Value, 2))
}

// ofCriteria says which criteria are ranked as well as one more annotator would.
func (rep *Report) ofCriteria(criteria []string) string {
	var by [numVerdicts][]string
	for _, c := range criteria {
		v := rep.Verdict(c, c)
		by[v] = append(by[v], c)
	}
	var parts []string
	for _, p := range []struct {
		Verdict
		words string
	}{
		{Better, "as good or better"}, {Worse, "less good"}, {Undecided, "open"},
		{NoAgreement, "no agreement shown"}, {Untold, "cannot be told"},
	} {
		if names := by[p.Verdict]; names != nil {
			parts = append(parts, p.words+": "+strings.Join(names, ", "))
		}
	}
	return "Criteria beside one more annotator: " + strings.Join(parts, "; ") + "."
}

// Short prints a figure with a fixed number of decimals and without the zero before the point, halves away from
// zero, and never as "-.00". A NaN is a dash.
func Short(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	unit := math.Pow10(decimals)
	if v = math.Round(v*unit) / unit; v == 0 {
		v = 0 // and not -0
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	return strings.Replace(strings.TrimPrefix(s, "0"), "-0.", "-.", 1)
}

// span prints a figure with its interval in words.
func span(f Figure) string {
	if math.IsNaN(f.Low) {
		return Short(f.Value, 2)
	}
	return fmt.Sprintf("%s (%s to %s)", Short(f.Value, 2), Short(f.Low, 2), Short(f.High, 2))
}
