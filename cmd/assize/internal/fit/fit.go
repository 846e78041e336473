package fit

import (
	"math"

	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/heuristics"
)

// Options say what is learnt, and what the profile says of where it comes from.
type Options struct {
	Flag    heuristics.Millionths // the share of dialogues to flag, between 0 and 1; 0 for none
	Weights bool                  // whether other weights of the criteria may be learnt than the specified ones
	Seed    uint64                // of folds and intervals
	Scale   ratings.Scale         // on which people rated
	Program string                // the version that learns
	Lexicon string                // the digest of the lexicon that the signals come from
	Model   heuristics.Model      // the name and the digest of the model that was the Evaluator of the runs; zero for none to be weighed
}

// Result is a profile, and how well profiles that were learnt as it was do on dialogues that they have not seen.
type Result struct {
	Profile            heuristics.Profile
	Dialogues, Ratings int     // how many
	Mean, Deviation    float64 // of the dialogues' mean ratings
	Folds              int

	Before, Constant, After  Error             // with the embedded profile, with the mean of the other folds, and with what was learnt on them
	OverBefore, OverConstant Gain              // by how much the mean absolute error falls
	Spearman                 Gain              // the rank correlation of the estimate and the ratings; without a model that of the input, which no map changes
	Strata                   int               // the files over which that is the mean; 1 where all dialogues are one set
	Weights                  *Weights          // where they were asked for and there were enough dialogues
	Model                    *Model            // where a model judged rated dialogues
	Raters, Alpha            float64           // how many rate a dialogue, on average, and Krippendorff's alpha of what they say (interval); NaN where it cannot be had
	Levels                   [2][numLevels]int // how many dialogues have each level, by people and by the profile
	Kappa                    float64           // of the levels, on dialogues that the cuts were not learnt from (quadratic weights); NaN where it cannot be had
	Flagged                  Flagged           // on such dialogues
	Traffic, Flags           int               // how many dialogues the cut for flagging was learnt from, and how many of them it flags

	Decisions []string // what was decided and why, a sentence each
	Warnings  []string // what to mind, a sentence each
}

// Learn learns a profile from rated dialogues. traffic are all dialogues of the runs, rated or not, of which the wanted
// share is to be flagged; nil means the rated ones. The same dialogues in another order give the same result. The error
// says why nothing can be learnt.
func Learn(rated []ratings.Rated, traffic []*record.Record, o Options) (*Result, error) {
	base := heuristics.DefaultProfile()
	points, err := gather(rated, base)
	if err != nil {
		return nil, err
	}
	l := learner{base: base, model: o.Model, curves: len(points) >= enough, rate: o.Flag, seed: o.Seed}
	res := &Result{Dialogues: len(points)}
	if o.Weights {
		if res.Weights, err = l.tryWeights(points); err != nil {
			return nil, err
		}
	}
	res.Model = l.tryModel(points)
	h := holdOut(l, points)
	for _, r := range traffic {
		if err := whole(r); err != nil {
			return nil, err
		}
	}
	l.traffic = traffic
	final := l.learn(points)
	res.Profile = final.profile
	if res.Model != nil {
		weighed := res.Model.Learnt
		weighed.Weight = res.Model.Weight()
		res.Profile.Model = &weighed
	}
	res.measure(&h, base, o.Seed)
	res.noise(points)
	res.place(l.traffic, points)
	res.decide(&final, o)
	res.warn(&final, points, len(rated))
	res.Profile.Learned = res.learned(o)
	return res, nil
}

// measure fills in how well what was held out is met.
func (res *Result) measure(h *held, base heuristics.Profile, seed uint64) {
	_, rating := columns(h.points)
	res.Mean = agreement.Mean(rating, nil)
	var squares float64
	for _, r := range rating {
		squares += float64((r - res.Mean) * (r - res.Mean))
	}
	res.Deviation = math.Sqrt(squares / float64(len(rating)-1))
	before := satisfactions(base, h.points)
	res.Folds = h.folds
	res.Before, res.Constant, res.After = errorOf(before, rating), errorOf(h.constant, rating), errorOf(h.satisfactions(), rating)
	gains := h.gains(seed, before, h.constant)
	res.OverBefore, res.OverConstant = gains[0], gains[1]
	each, _ := ranks(h.points, seed, h.at)
	res.Spearman, res.Strata = each[0], len(strata(h.points))
	if res.Model != nil && res.Model.Kept {
		res.Spearman = res.Model.With
	}
	res.Kappa, res.Flagged = h.kappa(), h.flagged()
}

// noise fills in how many people rated, and how far they agree.
func (res *Result) noise(points []point) {
	var units [][]float64
	for _, pt := range points {
		units = append(units, pt.ratings)
		for _, v := range pt.ratings {
			if !math.IsNaN(v) {
				res.Ratings++
			}
		}
	}
	r := agreement.NewReliability(units)
	res.Raters, res.Alpha = r.Raters(), r.Alpha(agreement.IntervalScale, nil)
}

// place fills in where the profile puts the dialogues.
func (res *Result) place(traffic []*record.Record, points []point) {
	res.Levels[0] = levels(points)
	for _, pt := range points {
		res.Levels[1][pt.record.EstimateBy(res.Profile).Level-1]++
	}
	if traffic == nil {
		for _, pt := range points {
			traffic = append(traffic, pt.record)
		}
	}
	res.Traffic = len(traffic)
	for _, r := range traffic {
		if r.EstimateBy(res.Profile).Flagged {
			res.Flags++
		}
	}
}

// learned is what the profile says of where it comes from.
func (res *Result) learned(o Options) *heuristics.Learned {
	out := &heuristics.Learned{
		Dialogues: res.Dialogues, Ratings: res.Ratings, Scale: [2]float64{o.Scale.Low, o.Scale.High},
		Mean: rounded(res.Mean), Deviation: rounded(res.Deviation),
		Before: rounded(res.Before.MAE), After: rounded(res.After.MAE), Constant: rounded(res.Constant.MAE),
		Folds: res.Folds, Seed: o.Seed, Program: o.Program, Lexicon: o.Lexicon,
	}
	out.Notes = append(append(out.Notes, res.Decisions...), res.Warnings...)
	if s := res.Spearman; !math.IsNaN(s.Value) && !math.IsNaN(s.Low) {
		out.Spearman = &heuristics.Measured{Value: rounded(s.Value), Low: rounded(s.Low), High: rounded(s.High)}
	}
	if !math.IsNaN(res.Alpha) {
		alpha := rounded(res.Alpha)
		out.Alpha = &alpha
	}
	return out
}

// rounded keeps four decimals: no figure here is known better.
func rounded(f float64) heuristics.Millionths {
	return heuristics.MillionthsOf(math.Round(f*1e4) / 1e4)
}
