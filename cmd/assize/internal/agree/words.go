package agree

import (
	"fmt"
	"math"
	"strings"
)

// Verdict says how a measure does in an annotator's seat, as programs read it.
type Verdict string

// The verdicts. They ask the whole 95 % interval: what it holds may be chance.
const (
	Untold      Verdict = "untold"                             // there is no interval to judge by
	NoAgreement Verdict = "no_agreement_shown"                 // with people: the correlation's interval is not above zero
	Better      Verdict = "as_good_as_one_annotator_or_better" // the interval of the lead is above zero
	Worse       Verdict = "less_good_than_one_annotator"       // it is below zero
	Undecided   Verdict = "undecided"                          // it holds zero
)

// verdict judges a measure by the mean over the groups.
func (rep *Report) verdict(rated, measure string) Verdict {
	rho, lead := rep.mean(rated, measure, Spearman), rep.mean(rated, measure, Lead)
	switch {
	case rho.Low <= 0:
		return NoAgreement
	case math.IsNaN(lead.Low):
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

// conclude says what the figures mean: a sentence about satisfaction, which is there to rank dialogues as people would,
// and one about the criteria that people rated. They follow from the means over the groups.
func (rep *Report) conclude() {
	words := map[Verdict]string{Better: "as good or better", Worse: "less good", Undecided: "open",
		NoAgreement: "no agreement shown", Untold: "cannot be told"}
	rep.Verdicts = map[string]map[string]Verdict{}
	var parts []string
	for _, rated := range rep.Rated {
		rep.Verdicts[rated] = map[string]Verdict{}
		for _, m := range MeasuresOf(rated) {
			rep.Verdicts[rated][m] = rep.verdict(rated, m)
		}
		if rated == OverallRating {
			rep.Answer = append(rep.Answer, rep.ranking()+rep.limit())
		} else {
			parts = append(parts, rated+" "+words[rep.Verdicts[rated][rated]])
		}
	}
	if parts != nil {
		rep.Answer = append(rep.Answer, "Criteria beside one more annotator: "+strings.Join(parts, ", ")+".")
	}
}

// ranking says how well satisfaction ranks dialogues beside one more annotator.
func (rep *Report) ranking() string {
	rho := rep.mean(OverallRating, Satisfaction, Spearman)
	seat, lead := rep.mean(OverallRating, Satisfaction, InSeat), rep.mean(OverallRating, Satisfaction, Lead)
	one := rep.mean(OverallRating, OneAnnotator, Spearman)
	inSeat := fmt.Sprintf("%s against %s in an annotator's seat", Short(seat.Value, 2), Short(one.Value, 2))
	switch v := rep.verdict(OverallRating, Satisfaction); {
	case math.IsNaN(rho.Value):
		return fmt.Sprintf("How satisfaction agrees with people cannot be told: %s.", rho.Why)
	case v == NoAgreement:
		return fmt.Sprintf("No agreement of satisfaction with people can be shown: %s.", rho.span())
	case math.IsNaN(lead.Value):
		return fmt.Sprintf("Satisfaction agrees with people by %s; whether one more annotator would do better "+
			"cannot be told: %s.", rho.span(), lead.Why)
	case v == Untold:
		return fmt.Sprintf("Satisfaction ranks these dialogues by %s; whether that is chance cannot be told without "+
			"intervals.", inSeat)
	case v == Worse:
		return fmt.Sprintf("Satisfaction ranks these dialogues less well than one more annotator would: %s, "+
			"behind by %s to %s.", inSeat, Short(-lead.High, 2), Short(-lead.Low, 2))
	case v == Undecided:
		return fmt.Sprintf("Whether satisfaction ranks these dialogues as well as one more annotator would is "+
			"open: %s, and the difference, %s to %s, may be chance.", inSeat, Short(lead.Low, 2), Short(lead.High, 2))
	}
	s := fmt.Sprintf("Satisfaction ranks these dialogues as one more annotator would, or better: %s, ahead by "+
		"%s to %s.", inSeat, Short(lead.Low, 2), Short(lead.High, 2))
	if one.Low <= 0 {
		s += " That says little, since the annotators' own agreement may be chance."
	}
	return s
}

// limit says above what no correlation can be expected, where the ratings are reliable enough to tell.
func (rep *Report) limit() string {
	rho, ceiling := rep.mean(OverallRating, Satisfaction, Spearman), rep.mean(OverallRating, Raters, Ceiling)
	const untold = " How far any scorer could go cannot be told: "
	switch {
	case math.IsNaN(rho.Value):
		return ""
	case ceiling.Why != "": // without an interval too: the annotators then agree too little with each other
		return untold + ceiling.Why + "."
	case ceiling.Value < rho.Value:
		return untold + fmt.Sprintf("satisfaction stands at the limit that the ratings set, %s, or beyond it.",
			ceiling.span())
	}
	return fmt.Sprintf(" No scorer can be expected above %s.", Short(ceiling.Value, 2))
}
