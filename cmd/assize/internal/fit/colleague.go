package fit

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

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
	type seat struct {
		units          []int // the points that this rater and others rated
		profile, rater *stats.Pairs
	}
	places := map[int][]int{}
	for i := range points {
		for at, v := range points[i].ratings {
			if !math.IsNaN(v) && points[i].raters() > 1 {
				places[at] = append(places[at], i)
			}
		}
	}
	var seats []seat
	for _, at := range slices.Sorted(maps.Keys(places)) {
		var own, rater, others []float64
		for _, i := range places[at] {
			given := points[i].ratings
			own, rater = append(own, estimates[i]), append(rater, given[at])
			others = append(others, ratings.Mean(slices.Delete(slices.Clone(given), at, at+1), nil))
		}
		seats = append(seats, seat{places[at], stats.NewPairs(own, others), stats.NewPairs(rater, others)})
	}
	gains := intervals(len(points), draws, seed, func(times []int) []float64 {
		var profile, rater, weights float64
		for _, s := range seats {
			var own []int
			weight := len(s.units)
			if times != nil {
				weight = 0
				for _, i := range s.units {
					own, weight = append(own, times[i]), weight+times[i]
				}
			}
			p, r := s.profile.Spearman(own), s.rater.Spearman(own)
			if w := float64(weight); !math.IsNaN(p) && !math.IsNaN(r) {
				profile, rater, weights = profile+float64(w*p), rater+float64(w*r), weights+w
			}
		}
		return []float64{profile / weights, rater / weights, (profile - rater) / weights}
	})
	if !gains[2].Value.known() || !gains[2].Low.known() {
		return nil
	}
	return &Colleague{gains[0], gains[1], gains[2]}
}

// raters counts the ratings of a point.
func (pt *point) raters() (n int) {
	for _, v := range pt.ratings {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
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
func short(f Figure) string {
	return strings.Replace(stats.Fixed{Value: float64(f), Decimals: 2}.String(), "0.", ".", 1)
}

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
