package fit

import (
	"fmt"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/stats"
)

// Colleague compares what was learnt with one more rater. Both stand beside the mean of the other ratings of each
// dialogue, for every rater in turn, weighted by the rater's dialogues. Dialogues with one rating are left out.
type Colleague struct {
	Profile Gain `json:"profile"` // rank correlations: of the profile in the rater's seat,
	Rater   Gain `json:"rater"`   // of the rater,
	Lead    Gain `json:"lead"`    // and by how much the first exceeds the second
}

// newColleague compares estimates of points, made without them; nil where too few have several ratings.
func newColleague(points []point, estimates []float64, seed uint64) *Colleague {
	var given [][]float64
	for i := range points {
		given = append(given, points[i].ratings)
	}
	gains := intervals(len(points), draws, seed, ratings.Seats(given, 3,
		func(units []int, rater, others []float64) func(times []int) []float64 {
			var own []float64
			for _, i := range units {
				own = append(own, estimates[i])
			}
			profile, beside := stats.NewPairs(own, others), stats.NewPairs(rater, others)
			return func(times []int) []float64 {
				p, r := profile.Spearman(times), beside.Spearman(times)
				return []float64{p, r, p - r}
			}
		}))
	if !gains[2].Value.known() || !gains[2].Low.known() {
		return nil
	}
	return &Colleague{gains[0], gains[1], gains[2]}
}

// headline says how good the ranking is in words for people who do not know the figures.
func (res *Result) headline() string {
	who, c := "Your ratings rank dialogues the profile has not seen", res.Colleague
	if res.Used == ruleMap.String() {
		who = "The rules, whose order these ratings do not change, rank dialogues"
	}
	switch {
	case c == nil && !res.Spearman.Value.known():
		return ""
	case c == nil:
		return fmt.Sprintf("%s with a correlation of %s. Whether that is as good as a colleague cannot be told: too few "+
			"dialogues have ratings of two people.", who, short(res.Spearman.Value))
	}
	how, chance := "as well as", fmt.Sprintf("; the difference, %+.2f to %+.2f, may be chance", c.Lead.Low, c.Lead.High)
	switch {
	case c.Lead.Certain():
		how, chance = "better than", ""
	case c.Lead.High < 0:
		how, chance = "less well than", ""
	}
	return fmt.Sprintf("%s %s a colleague would (%s; a colleague %s%s).", who, how, short(c.Profile.Value),
		short(c.Rater.Value), chance)
}

// short writes a correlation as papers do, without the zero before the point.
func short(f Figure) string { return stats.Short(float64(f), 2) }

// Limit is the highest rank correlation that any ranking can have with means of ratings that are as noisy as these are:
// the root of their reliability. For other numbers of ratings it follows by the formula of Spearman and Brown (1910).
type Limit struct {
	Now  Figure `json:"now"`      // with the ratings that there are
	One  Figure `json:"one"`      // with one rating of each dialogue
	More Figure `json:"one_more"` // with one rating more of each than there are
}

// newLimit takes the reliability of one rating, ICC(1), and of the mean, ICC(k), and how many ratings there are of each.
func newLimit(single, mean, raters float64) Limit {
	more := (raters + 1) * single / (1 + raters*single)
	return Limit{Figure(stats.Ceiling(mean)), Figure(stats.Ceiling(single)), Figure(stats.Ceiling(more))}
}

// noise says what the noise of ratings costs.
func (res *Result) noise() string {
	if !res.Alpha.known() {
		return fmt.Sprintf("%.1f ratings per dialogue, how far people agree cannot be computed.", res.Raters)
	}
	s := fmt.Sprintf("%.1f ratings per dialogue, Krippendorff's alpha %.2f (interval; 1 is agreement, 0 chance).",
		res.Raters, res.Alpha)
	if l := res.Limit; l.Now.known() && l.One.known() {
		s += fmt.Sprintf(" No ranking can correlate with their means by more than %s. The limit is %s with a single rating "+
			"of each dialogue, and %s with one more.", short(l.Now), short(l.One), short(l.More))
	}
	if res.Alpha < reliable {
		s += " Much of the error above is noise in the ratings, which no map can lower; more raters would."
	}
	return s
}
