package account

import (
	"encoding/json"
	"math"
	"strconv"

	"assize/cmd/assize/internal/fit"
	"assize/heuristics"
	"assize/rubric"
)

// JSON gives the account as one object, indented. The keys always stand in this order; "profile" and "points" are
// there where a profile was learnt and points were asked for. A figure that cannot be had is null. Errors and gains of
// errors are in points of 100.
//
//	{"seed", "scale",
//	 "profile": {"digest", "dialogues", "ratings", "raters", "alpha", "mean", "deviation", "folds",
//	   "error": {"constant": {"mae", "rmse"}, "default": {…}, "profile": {…}},
//	   "gain": {"over_constant": {"value", "low", "high"}, "over_default": {…}},
//	   "spearman": {"value", "low", "high"}, "files",
//	   "levels": {"people": […5], "profile": […5], "kappa"},
//	   "flagged": {"dialogues", "of", "share_on_folds", "mean", "mean_of_rest"},
//	   "weights": null or {"learnt": {…6}, "kept", "spearman": {…}, "average": {…}, "reactions": {…},
//	               "over_average": {…}, "over_reactions": {…}},
//	   "model": null or {"name", "digest", "dialogues", "weight", "learnt", "centre", "spearman": {…}, "rules": {…}, "gain": {…}},
//	   "decisions": […], "warnings": […]},
//	 "points": {"dialogues", "folds", "before": {…}, "after": {…}, "gain": {…}, "files", "verdict",
//	   "changes": [{"id", "now", "suggested", "fires_in"}…], "diff"}}
func (a *Account) JSON() ([]byte, error) {
	w := wire{Seed: a.Seed, Scale: a.Scale}
	if a.Result != nil {
		w.Profile = profileOf(a.Result)
	}
	if a.Suggestion != nil {
		diff, err := Diff(a.Suggestion)
		if err != nil {
			return nil, err
		}
		w.Points = pointsOf(a.Suggestion)
		w.Points.Diff = diff
	}
	data, err := json.MarshalIndent(w, "", "  ")
	return append(data, '\n'), err
}

// figure is a number of four decimals; NaN is null.
type figure float64

// MarshalJSON implements [json.Marshaler].
func (f figure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(f), 'f', 4, 64), nil
}

type wire struct {
	Seed    uint64       `json:"seed"`
	Scale   string       `json:"scale"`
	Profile *wireProfile `json:"profile,omitempty"`
	Points  *wirePoints  `json:"points,omitempty"`
}

type wireError struct {
	MAE  figure `json:"mae"`
	RMSE figure `json:"rmse"`
}

type wireGain struct {
	Value figure `json:"value"`
	Low   figure `json:"low"`
	High  figure `json:"high"`
}

type wireProfile struct {
	Digest    string `json:"digest"`
	Dialogues int    `json:"dialogues"`
	Ratings   int    `json:"ratings"`
	Raters    figure `json:"raters"`
	Alpha     figure `json:"alpha"`
	Mean      figure `json:"mean"`
	Deviation figure `json:"deviation"`
	Folds     int    `json:"folds"`
	Error     struct {
		Constant wireError `json:"constant"`
		Default  wireError `json:"default"`
		Profile  wireError `json:"profile"`
	} `json:"error"`
	Gain struct {
		OverConstant wireGain `json:"over_constant"`
		OverDefault  wireGain `json:"over_default"`
	} `json:"gain"`
	Spearman wireGain `json:"spearman"`
	Files    int      `json:"files"`
	Levels   struct {
		People  [5]int `json:"people"`
		Profile [5]int `json:"profile"`
		Kappa   figure `json:"kappa"`
	} `json:"levels"`
	Flagged struct {
		Dialogues int    `json:"dialogues"`
		Of        int    `json:"of"`
		Share     figure `json:"share_on_folds"`
		Mean      figure `json:"mean"`
		Rest      figure `json:"mean_of_rest"`
	} `json:"flagged"`
	Weights   *wireWeights `json:"weights"`
	Model     *wireModel   `json:"model"`
	Decisions []string     `json:"decisions"`
	Warnings  []string     `json:"warnings"`
}

type wireWeights struct {
	Learnt        map[string]int `json:"learnt"`
	Kept          bool           `json:"kept"`
	Spearman      wireGain       `json:"spearman"`
	Average       wireGain       `json:"average"`
	Reactions     wireGain       `json:"reactions"`
	OverAverage   wireGain       `json:"over_average"`
	OverReactions wireGain       `json:"over_reactions"`
}

// wireModel has the weight that the profile gives, and the one that the ratings would give.
type wireModel struct {
	Name      string                `json:"name"`
	Digest    string                `json:"digest"`
	Dialogues int                   `json:"dialogues"`
	Weight    heuristics.Millionths `json:"weight"`
	Learnt    heuristics.Millionths `json:"learnt"`
	Centre    rubric.Hundredths     `json:"centre"`
	Spearman  wireGain              `json:"spearman"`
	Rules     wireGain              `json:"rules"`
	Gain      wireGain              `json:"gain"`
}

type wirePoints struct {
	Dialogues int          `json:"dialogues"`
	Folds     int          `json:"folds"`
	Before    wireGain     `json:"before"`
	After     wireGain     `json:"after"`
	Gain      wireGain     `json:"gain"`
	Files     int          `json:"files"`
	Verdict   string       `json:"verdict"`
	Changes   []wireChange `json:"changes"`
	Diff      string       `json:"diff"`
}

type wireChange struct {
	ID        string            `json:"id"`
	Now       rubric.Hundredths `json:"now"`
	Suggested rubric.Hundredths `json:"suggested"`
	FiresIn   int               `json:"fires_in"`
}

func errorOf(e fit.Error) wireError { return wireError{figure(e.MAE), figure(e.RMSE)} }

func gainOf(g fit.Gain) wireGain { return wireGain{figure(g.Value), figure(g.Low), figure(g.High)} }

func profileOf(r *fit.Result) *wireProfile {
	w := &wireProfile{
		Digest: r.Profile.Digest(), Dialogues: r.Dialogues, Ratings: r.Ratings, Raters: figure(r.Raters), Alpha: figure(r.Alpha),
		Mean: figure(r.Mean), Deviation: figure(r.Deviation), Folds: r.Folds, Spearman: gainOf(r.Spearman), Files: r.Strata,
		Decisions: r.Decisions, Warnings: append([]string{}, r.Warnings...),
	}
	w.Error.Constant, w.Error.Default, w.Error.Profile = errorOf(r.Constant), errorOf(r.Before), errorOf(r.After)
	w.Gain.OverConstant, w.Gain.OverDefault = gainOf(r.OverConstant), gainOf(r.OverBefore)
	w.Levels.People, w.Levels.Profile, w.Levels.Kappa = r.Levels[0], r.Levels[1], figure(r.Kappa)
	w.Flagged.Dialogues, w.Flagged.Of = r.Flags, r.Traffic
	w.Flagged.Share, w.Flagged.Mean, w.Flagged.Rest = figure(r.Flagged.Share), figure(r.Flagged.Mean), figure(r.Flagged.Rest)
	if v := r.Weights; v != nil {
		w.Weights = &wireWeights{
			Learnt: map[string]int{}, Kept: v.Kept, Spearman: gainOf(v.Spearman), Average: gainOf(v.Average), Reactions: gainOf(v.Reactions),
			OverAverage: gainOf(v.OverAverage), OverReactions: gainOf(v.OverReactions),
		}
		for c, percent := range v.Learnt {
			w.Weights.Learnt[rubric.Criterion(c).String()] = percent
		}
	}
	if m := r.Model; m != nil {
		w.Model = &wireModel{
			Name: m.Learnt.Name, Digest: m.Learnt.Digest, Dialogues: m.Dialogues, Weight: m.Weight(), Learnt: m.Learnt.Weight, Centre: m.Learnt.Centre,
			Spearman: gainOf(m.With), Rules: gainOf(m.Rules), Gain: gainOf(m.Over),
		}
	}
	return w
}

func pointsOf(s *fit.Suggestion) *wirePoints {
	w := &wirePoints{
		Dialogues: s.Dialogues, Folds: s.Folds, Before: gainOf(s.Before), After: gainOf(s.After), Gain: gainOf(s.Gain),
		Files: s.Strata, Verdict: s.Verdict(), Changes: []wireChange{},
	}
	for _, c := range s.Changes {
		w.Changes = append(w.Changes, wireChange{c.ID, c.From, c.To, c.Dialogues})
	}
	return w
}
