// Package ratings reads people's ratings of dialogues and joins them with the rows of a run.
//
// Ratings are contained in the runs themselves, if the transcripts had them, or in files
// ([ReadFile]): a table in any format that [importer.Read] accepts, or JSON, with the names that
// `assize agree --help` describes. [Collect] keeps ratings apart by source. Nothing
// is dropped silently: a rating without a dialogue is a warning, and one that could belong to two
// dialogues is an error.
package ratings

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

var texts = prose.Of("ratings")

// Rated is a scored dialogue with people's ratings, on the scale from 1 to 5.
type Rated struct {
	Row      *run.Row
	Overall  []float64 // one per rater, NaN if missing; nil if nobody rated it
	Raters   []string  // their names
	Criteria *Criteria // by the same raters; nil if nobody rated one
	// people's answers to questions of a scorecard: the most frequent, or "" if two are tied
	Answers map[string]rubric.Answer
	// the stratum from which it was drawn at random, see [collection.checkSample]; else zero
	Drawn stats.Stratum
}

// Criteria are ratings on each criterion, like Overall in [Rated].
type Criteria [rubric.NumCriteria][]float64

// On returns the ratings on a criterion, or nil if nobody rated it.
func (r *Rated) On(k rubric.Criterion) []float64 {
	if r.Criteria == nil {
		return nil
	}
	return r.Criteria[k]
}

// Fields returns the ratings on people's scale: "rating by ann", and "Empathy by ann" if anybody
// rated a criterion. A rating that is missing is empty. names are those of Raters to be shown.
func (r *Rated) Fields(s Scale, names []string) (list []dialogue.Field) {
	add := func(what string, given []float64) {
		for i, v := range given {
			f := dialogue.Field{Name: what + " by " + names[i]}
			if !math.IsNaN(v) {
				f.Value = number(s.FromFive(v))
			}
			list = append(list, f)
		}
	}
	add("rating", r.Overall)
	for _, c := range rubric.Criteria() {
		add(c.String(), r.On(c))
	}
	return list
}

// Mean returns the mean of Overall, or NaN if there are no ratings.
func (r *Rated) Mean() float64 { return Mean(r.Overall) }

// Mean returns the mean of the values that are not NaN, or NaN if there are none. It is rounded to
// nine decimals, so that equal means tie regardless of the order of summation.
func Mean(values []float64) float64 {
	return math.Round(stats.Mean(ui.Without(values, math.IsNaN), nil)*1e9) / 1e9
}

// CompareRaters compares each rater in turn with the mean of the others. given contains the ratings
// of each dialogue, as in [Rated]; dialogues with one rating are ignored. measure prepares the
// figures of a rater: units are the indices of the rater's dialogues in given, own the rater's
// ratings of these, and others the means of the rest. The function that CompareRaters returns
// computes the mean of each figure over the raters, weighted by their number of dialogues. A rater
// of a single dialogue, who can have no correlation, is ignored, as is a figure that is NaN.
func CompareRaters(given [][]float64, figures int,
	measure func(units []int, own, others []float64) func(times []int) []float64,
) func(times []int) []float64 {
	places := map[int][]int{} // by rater
	for u, list := range given {
		for at, v := range list {
			if !math.IsNaN(v) && Count(list) > 1 {
				places[at] = append(places[at], u)
			}
		}
	}
	type seat struct {
		units, times []int
		take         func(times []int) []float64
	}
	var seats []seat
	for _, at := range slices.Sorted(maps.Keys(places)) {
		units := places[at]
		if len(units) < 2 {
			continue
		}
		var own, others []float64
		for _, u := range units {
			own = append(own, given[u][at])
			others = append(others, Mean(slices.Delete(slices.Clone(given[u]), at, at+1)))
		}
		seats = append(seats, seat{units, make([]int, len(units)), measure(units, own, others)})
	}
	return func(times []int) []float64 {
		sums, weights := make([]float64, figures), make([]float64, figures)
		for _, s := range seats {
			weight := 0.0
			for i, u := range s.units {
				s.times[i] = times[u]
				weight += float64(times[u])
			}
			for k, v := range s.take(s.times) {
				if !math.IsNaN(v) {
					sums[k] += float64(weight * v)
					weights[k] += weight
				}
			}
		}
		for k := range sums {
			sums[k] /= weights[k]
		}
		return sums
	}
}

// Level returns the level of a mean rating, 1 to 5: the nearest whole number, halves rounded up.
func Level(rating float64) int { return min(max(int(math.Floor(rating+.5)), 1), 5) }

// Count returns the number of ratings that are not NaN.
func Count(given []float64) int { return len(ui.Without(given, math.IsNaN)) }

// Scale contains the ends of a rating scale: Low is the rating of the worst dialogue, High that of
// the best. If low numbers are good, as with some school grades, Low is greater.
type Scale struct{ Low, High float64 }

// DefaultScale is the scale of this program, from 1 to 5.
var DefaultScale = Scale{1, 5}

// Set parses a scale such as "1-5" or, if 1 is the best, "6-1". It implements [pflag.Value].
func (s *Scale) Set(text string) error {
	text = strings.TrimSpace(strings.ReplaceAll(text, "–", "-"))
	at := strings.IndexByte(text[min(1, len(text)):], '-') + 1 // a minus sign may come first
	if at > 0 {
		low, okLow := parseNumber(text[:at])
		high, okHigh := parseNumber(text[at+1:])
		if okLow && okHigh && low != high {
			*s = Scale{low, high}
			return nil
		}
	}
	return errors.New("not a scale; want its two ends, worst first, such as 1-5 or 0-10")
}

// Type implements [pflag.Value].
func (*Scale) Type() string { return "scale" }

// ToFive converts a rating to the scale from 1 to 5. It returns an error for a rating outside s.
func (s Scale) ToFive(r float64) (float64, error) {
	if r < min(s.Low, s.High) || r > max(s.Low, s.High) {
		return 0, texts.Error("outside", number(r), number(s.Low), number(s.High))
	}
	if s == DefaultScale {
		return r, nil
	}
	return 1 + 4*(r-s.Low)/(s.High-s.Low), nil
}

// warning returns a warning if ten or more ratings are all far from an end of the scale, else "".
func (s Scale) warning(values []float64) string {
	if len(values) < 10 || s.Low > s.High || s.High < 10 {
		return ""
	}
	limit := slices.Max(values)
	if limit > 10 || s.High < 2*limit {
		return ""
	}
	return texts.Text("wrong scale", s, len(values), number(limit))
}

// FromFive converts a rating on the scale from 1 to 5 to s, rounded to four decimals.
func (s Scale) FromFive(r float64) float64 {
	return math.Round((s.Low+(r-1)/4*(s.High-s.Low))*1e4) / 1e4
}

// Points returns what 1 on the scale is in points of 100: the levels 1 to 5 are 20 to 100.
func (s Scale) Points() float64 { return 80 / math.Abs(s.High-s.Low) }

// MarshalJSON writes the two ends as an array.
func (s Scale) MarshalJSON() ([]byte, error) {
	return rubric.AppendJSON(nil, []float64{s.Low, s.High}), nil
}

// String returns the form that [Scale.Set] accepts.
func (s Scale) String() string { return number(s.Low) + "-" + number(s.High) }

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// parseNumber parses a plain decimal number; ParseFloat alone would also accept "inf" and "0x1p-2".
func parseNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && strings.Trim(s, "0123456789.-+") == ""
}

// Split is a dialogue that several people rated.
type Split struct {
	Name    string    `json:"dialogue"`
	File    string    `json:"file"`
	Raters  []string  `json:"raters"`
	Ratings []float64 `json:"ratings"` // one per rater, from 1 to 5 until they are listed

	Identity run.Identity `json:"-"`
}

// apart returns how far the highest rating is above the lowest.
func (s Split) apart() float64 {
	if len(s.Ratings) == 0 {
		return 0
	}
	return slices.Max(s.Ratings) - slices.Min(s.Ratings)
}

// String returns the dialogue with the ratings: "T-7 of calls.csv (ann: 1, ben: 5)".
func (s Split) String() string {
	var by []string
	for i, name := range s.Raters {
		by = append(by, fmt.Sprintf("%s: %.3g", name, s.Ratings[i]))
	}
	return ui.Visible(fmt.Sprintf("%s of %s (%s)", s.Name, s.File, strings.Join(by, ", ")))
}

// Splits returns the dialogues on which people differ, the most first, with the ratings on a scale,
// and a sentence about the first, if any.
func Splits(all []Split, scale Scale) (apart []Split, says ui.Sentences) {
	several := ui.Without(all, func(s Split) bool { return len(s.Ratings) < 2 })
	apart, most := farthest(several, scale)
	says.If(most != "", texts.Format("differ"), len(apart), len(several), most)
	return apart, says
}

// Missed is like Splits for the dialogues on which satisfaction differs from people's mean.
func Missed(rated []Rated, scale Scale) (apart []Split, says ui.Sentences) {
	for _, r := range rated {
		if r.Overall != nil {
			apart = append(apart, Split{r.Row.Name, r.Row.File, []string{"satisfaction", "people"},
				[]float64{float64(r.Row.Satisfaction) / 100, r.Mean()}, r.Row.Identity})
		}
	}
	apart, most := farthest(apart, scale)
	says.If(most != "", texts.Format("scores differ"), most)
	return apart, says
}

// farthest returns the dialogues whose ratings differ, the most first, and names the first.
func farthest(list []Split, scale Scale) (apart []Split, most string) {
	apart = ui.Without(list, func(s Split) bool { return s.apart() == 0 })
	slices.SortStableFunc(apart, func(a, b Split) int { // of equal ones, the same in every list
		return cmp.Or(cmp.Compare(b.apart(), a.apart()), cmp.Compare(a.Identity, b.Identity))
	})
	for i := range apart {
		apart[i].Ratings = ui.Each(apart[i].Ratings, scale.FromFive)
	}
	return apart, strings.Join(ui.Each(apart[:min(len(apart), 3)], Split.String), "; ")
}

// Split returns the ratings of the whole dialogue with their raters.
func (r Rated) Split() Split {
	s := Split{Name: r.Row.Name, File: r.Row.File, Identity: r.Row.Identity}
	for i, v := range r.Overall {
		if !math.IsNaN(v) && i < len(r.Raters) {
			s.Raters, s.Ratings = append(s.Raters, r.Raters[i]), append(s.Ratings, v)
		}
	}
	return s
}

// Once returns the dialogues without repeats, see [run.Row.Copy], and says how many it leaves out.
func Once(rated []Rated) (once []Rated, left ui.Sentences) {
	once = ui.Once(rated, func(r Rated) run.Key { return r.Row.Copy() })
	n := len(rated) - len(once)
	left.If(n > 0, texts.Format("repeats"), ui.Counted(n, "rated repeat"))
	return once, left
}

// WithoutTraining returns a note for each profile of the runs that was learned from some of the
// rated dialogues. others are the rated dialogues from which no profile was learned.
func WithoutTraining(headers []*run.Header, rated []Rated) (notes []string, others []Rated) {
	others = slices.Clone(rated)
	for _, h := range headers {
		l := h.Basis.Profile.Learned
		if l == nil {
			continue
		}
		isIn := func(r Rated) bool {
			_, is := slices.BinarySearch(l.Digests,
				satisfaction.ShortDigest(hex.EncodeToString(r.Row.Said[:])))
			return is
		}
		same := len(rated) - len(ui.Without(rated, isIn))
		if same == 0 {
			continue
		}
		others = slices.DeleteFunc(others, isIn)
		note := texts.Say("training", map[string]any{"Same": same, "All": len(rated), "Profile": l})
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes, others
}
