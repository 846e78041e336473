// Package satisfaction estimates the rating that people would give a dialogue, and says why, from
// the signals of the detectors: a [Profile] holds the weights, learnt from our own dialogues in
// testdata/desk alone (see .ci/train) or from a team's ratings (assize fit).
//
//   - profile.go: the file, the line through the USER's reactions, the weight of a model.
//   - quality.go, training.go: how good a service case is as a whole, and what that is learnt from.
//   - linear.go: words, detectors and scores that raise or lower a rating; the [Reason]s shown.
//   - millionths.go: weights with six decimals, which have the same sum everywhere.
package satisfaction

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/heuristics"
	"assize/heuristics/evidence"
	"assize/heuristics/talk"
	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed profile.json
var profileFile []byte

// ProfileVersion is the version of the profile file format.
const ProfileVersion = 3

// Profile maps the rules' findings to people's rating scale, from 1.00 to 5.00, and defines what a
// model adds to the estimate. It never affects the six scores, their average or the
// OverallExperience. The line of [DefaultProfile] is two round numbers, chosen by hand and tried on
// USS; in a service case it maps the [Quality] learnt from our own dialogues instead of the
// reactions. `assize fit` learns a profile from a team's own ratings.
type Profile struct {
	Version int    `json:"profile"`
	Input   string `json:"input"` // the input of the map: [Reactions]
	// detectors that count together with the USER's next turn
	Before []string `json:"before,omitempty"`
	Whole  []string `json:"whole,omitempty"` // detectors that count once for the whole dialogue
	Line   *Line    `json:"line,omitzero"`   // the map
	Linear *Linear  `json:"linear,omitzero"` // what detectors and words add to the line; optional
	Model  *Model   `json:"model,omitzero"`  // what a model as the Evaluator adds; optional

	Cuts    []rubric.Hundredths `json:"cuts,omitempty"`  // where the levels 2 to 5 begin; optional
	Triage  *Triage             `json:"triage,omitzero"` // which dialogues to flag
	Learned *Learned            `json:"learned,omitzero"`

	// of the other fields, in files written by fit; cleared when read
	Checksum string `json:"digest,omitempty"`
}

// Reactions is the input of profiles: the mean of the USER's reactions, in points.
const Reactions = "reactions"

// Line is a linear map.
type Line struct {
	Intercept Millionths `json:"intercept"` // the rating at input zero
	Slope     Millionths `json:"slope"`     // rating per unit of the input
}

// Model defines what the judgement of one model adds to the rating of the map. If ratings are
// available, Scores holds the weights learnt from them. Otherwise the model has a rating of its
// own, which is Rating at the quality Centre and changes by Weight per point of quality. The two
// ratings are averaged, with the weight Share for the model's. A model may add nothing.
type Model struct {
	// SHA-256 in hexadecimal; the weights apply to no other model
	Digest string            `json:"digest"`
	Name   string            `json:"name"`
	Scores Scored            `json:"scores,omitempty"` // learnt
	Weight Millionths        `json:"weight,omitzero"`  // rating per point of the quality
	Centre rubric.Hundredths `json:"centre,omitzero"`  // a quality, from 0 to 100
	Rating Millionths        `json:"rating,omitzero"`  // from 1 to 5
	// from 0 to 1; 0, as in older files, means one half
	Share Millionths `json:"share,omitzero"`
}

// Scored holds what a model's scores add to a rating, by criterion.
type Scored map[string]ScoreWeight

// ScoreWeight is the weight of one score.
type ScoreWeight struct {
	Weight Millionths        `json:"weight"` // rating per point of the score
	Usual  rubric.Hundredths `json:"usual"`  // the score that adds nothing, from 0 to 100
}

// Adds returns what a model's judgement of the criteria adds to a rating. A judgement of 0 means
// unknown and counts as the usual score.
func (s Scored) Adds(judged [rubric.NumCriteria]rubric.Hundredths) Millionths {
	var sum int64
	for name, w := range s {
		if c, err := rubric.ParseCriterion(name); err == nil && judged[c] != 0 {
			sum += int64(w.Weight) * int64(judged[c]-w.Usual)
		}
	}
	return Millionths(floorDiv(sum, 100))
}

// Reasons returns what the model's judgement of each criterion adds to a rating, with the quotes
// for the score.
func (m *Model) Reasons(judged [rubric.NumCriteria]rubric.Hundredths, card rubric.Scorecard,
) (list []Reason) {
	for _, c := range rubric.Criteria() {
		w, rating := m.Scores[c.String()], card[c]
		points := int64(w.Weight) * int64(judged[c]-w.Usual) / 100
		if len(rating.Quotes) > 0 && judged[c] != 0 {
			q := rating.Quotes[0]
			list = append(list, Reason{rubric.Hundredths(Millionths(points).rounded()), q.Turn,
				fmt.Sprintf("%s %d of 100 by %s", c, (judged[c]+50)/100, m.Name), q.Text})
		}
	}
	return list
}

// validate returns an error if s is invalid.
func (s Scored) validate() error {
	for name, w := range s {
		switch _, err := rubric.ParseCriterion(name); {
		case err != nil:
			return fmt.Errorf("scores: %w", err)
		case w.Weight < -one || w.Weight > one:
			return fmt.Errorf("scores: %s has the weight %s; want one from -1 to 1 for each point",
				name, w.Weight)
		case w.Usual < 0 || w.Usual > 10000:
			return fmt.Errorf("scores: %s has the usual score %s; want one from 0 to 100", name,
				w.Usual)
		}
	}
	return nil
}

// Triage defines which dialogues a person should read.
type Triage struct {
	Rate Millionths        `json:"rate"` // the intended share of dialogues, between 0 and 1
	Cut  rubric.Hundredths `json:"cut"`  // a dialogue with this satisfaction or less is flagged
}

// Learned documents for readers what a profile was learnt from and how accurate it is.
type Learned struct {
	Dialogues int        `json:"dialogues"` // number of rated dialogues
	Ratings   int        `json:"ratings"`   // number of ratings
	Scale     [2]float64 `json:"scale"`     // the ends of the rating scale, the worst first
	// of the dialogues' mean ratings, on the scale from 1 to 5
	Mean      Millionths `json:"mean"`
	Deviation Millionths `json:"deviation"` // their standard deviation
	// mean absolute error in points of 100, on held-out folds: of the embedded profile,
	Before Millionths `json:"mae_before"`
	// of a profile learnt on the other folds in the same way,
	After    Millionths `json:"mae_after"`
	Constant Millionths `json:"mae_constant"` // and of the mean rating of the other folds
	// rank correlation of estimates and ratings; optional
	Spearman *Measured `json:"spearman,omitzero"`
	// Krippendorff's alpha for interval data; absent if no dialogue has two ratings
	Alpha *Millionths `json:"alpha,omitzero"`
	Folds int         `json:"folds"`
	Seed  uint64      `json:"seed"` // of folds and intervals
	// of the ratings, with weights, if one was selected
	Source string `json:"source,omitempty"`
	// decisions with their reasons, and caveats, one sentence each
	Notes   []string `json:"notes,omitempty"`
	Program string   `json:"program,omitempty"` // the version of the program that learnt it
	// the digest of the lexicon that produced the signals
	Lexicon string `json:"lexicon,omitempty"`
	// the first day of the dialogues according to their metadata, such as 2024-03-12
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"` // the last day
	// of the dialogues' turns, as returned by [ShortDigest], in ascending order
	Digests []string `json:"digests,omitempty"`
}

// ShortDigest returns the beginning of a dialogue's digest, which is enough to recognise whether a
// profile was learnt from it. Among 10,000 different dialogues, the probability that any two share
// it by chance is about 1 %.
func ShortDigest(digest string) string { return digest[:min(len(digest), 8)] }

// Measured is a figure with its 95 % interval.
type Measured struct {
	Value Millionths `json:"value"`
	Low   Millionths `json:"low"`
	High  Millionths `json:"high"`
}

// DefaultProfile returns the embedded profile.
func DefaultProfile() Profile {
	p, err := ParseProfile("profile.json", profileFile)
	if err != nil {
		panic(err) // the file is embedded
	}
	return p
}

// ParseProfile parses a profile file. Its error names the file and the invalid part.
func ParseProfile(name string, data []byte) (Profile, error) {
	var p Profile
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	err := rubric.ParseJSON(data, &p)
	if err != nil && !bytes.HasPrefix(data, []byte("{")) {
		err = errors.New("not a profile, which is a JSON object; want one as assize fit writes")
	} else if err != nil {
		err = fmt.Errorf("not a profile: %w; want one as assize fit writes", err)
	} else if p.Version != ProfileVersion {
		err = fmt.Errorf(`"profile", the version, is %d; want %d, as assize fit writes it`,
			p.Version, ProfileVersion)
	} else if sum := p.Checksum; sum != "" {
		if p.Checksum = ""; p.Digest() != sum {
			err = errors.New("was changed after fit wrote it; " +
				"run fit again, or remove its digest to use it as it is")
		}
	}
	if err == nil {
		err = p.validate()
	}
	if err != nil {
		return Profile{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// validate returns an error for the first invalid part of p.
func (p *Profile) validate() error {
	onScale := func(h rubric.Hundredths) bool { return h >= 100 && h <= 500 }
	switch {
	case p.Input != Reactions:
		return fmt.Errorf("input is %q; want %s", p.Input, Reactions)
	case p.Line == nil:
		return errors.New("there is no line; want one, which maps reactions to ratings")
	case p.Line.Slope < 0 && p.Linear == nil:
		return fmt.Errorf("line: the slope is %s; want none below 0", p.Line.Slope)
	case p.Triage != nil && (p.Triage.Rate <= 0 || p.Triage.Rate >= one):
		return fmt.Errorf("triage: the rate is %s; want a share between 0 and 1", p.Triage.Rate)
	case p.Triage != nil && !onScale(p.Triage.Cut):
		return fmt.Errorf("triage: the cut is %s; want a rating from 1 to 5", p.Triage.Cut)
	case p.Cuts != nil && (len(p.Cuts) != 4 || !slices.IsSorted(p.Cuts) || !onScale(p.Cuts[0]) ||
		!onScale(p.Cuts[3])):
		return errors.New("cuts: want four ratings from 1 to 5, lowest first")
	}
	err := p.Linear.validate()
	if p.Model != nil {
		err = cmp.Or(p.Model.Validate(), err)
	}
	return err
}

// CheckDetectors returns an error if p, a file of this name, lists a detector that this program
// does not have. A learnt profile may list those of an older lexicon, which its digest identifies.
func (p Profile) CheckDetectors(name string) error {
	err := cmp.Or(checkDetectors("before", p.Before), checkDetectors("whole", p.Whole))
	if err == nil || p.Learned != nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Validate returns an error for the first field of m that is out of range.
func (m *Model) Validate() error {
	switch {
	case !m.Identified():
		return fmt.Errorf("model: the name is %q and the digest %q; want a name, and a SHA-256 "+
			"in hexadecimal", m.Name, m.Digest)
	case m.Weight < 0 || m.Weight > one:
		return fmt.Errorf("model: the weight is %s; want one from 0 to 1", m.Weight)
	case m.Weight > 0 && m.Rating == 0:
		return errors.New("model: there is a weight and no rating; want both, or scores")
	case m.Rating != 0 && (m.Centre < 0 || m.Centre > 10000):
		return fmt.Errorf("model: the centre is %s; want a quality from 0 to 100", m.Centre)
	case m.Share < 0 || m.Share > one:
		return fmt.Errorf("model: the share is %s; want one from 0 to 1", m.Share)
	case m.Rating != 0 && (m.Rating < one || m.Rating > 5*one):
		return fmt.Errorf("model: the rating is %s; want one from 1 to 5, or none", m.Rating)
	}
	return m.Scores.validate()
}

// checkDetectors returns an error for an unknown detector ID, whose points would otherwise be
// missing silently.
func checkDetectors(list string, ids []string) error {
	for i, id := range ids {
		_, ok := heuristics.DetectorTitle(id)
		switch {
		case !ok || strings.HasPrefix(id, evidence.ReactionFamily):
			return fmt.Errorf("%s: %q; want the id of a detector other than a reaction, "+
				"which counts anyway", list, id)
		case slices.Contains(ids[:i], id):
			return fmt.Errorf("%s: %s is listed twice", list, id)
		}
	}
	return nil
}

// WeighsModel reports whether a model's scores change an estimate of p.
func (p Profile) WeighsModel() bool {
	return p.Model != nil && (p.Model.Scores != nil || p.Model.Rating > 0)
}

// WithoutModel returns p without the weights of a model's scores.
func (p Profile) WithoutModel() Profile {
	p.Model = nil
	return p
}

// Identified reports whether the model has a name and a valid digest.
func (m Model) Identified() bool {
	digest := len(m.Digest) == hex.EncodedLen(sha256.Size) &&
		strings.Trim(m.Digest, "0123456789abcdef") == ""
	return m.Name != "" && digest
}

// File returns the profile as a file for people to read: indented JSON, from which [ParseProfile]
// reads the same profile. A digest of the other fields reveals changes.
func (p Profile) File() []byte {
	p.Checksum = p.Digest()
	return append(rubric.AppendJSON(nil, p, jsontext.WithIndent("  ")), '\n')
}

// Digest identifies the profile. It returns the SHA-256, in hexadecimal, of its content, which does
// not depend on the layout of the file.
func (p Profile) Digest() string {
	sum := sha256.Sum256(rubric.AppendJSON(nil, p))
	return hex.EncodeToString(sum[:])
}

// Estimate is the estimate of a profile for one dialogue.
type Estimate struct {
	// Satisfaction is the expected rating by people, from 1.00 to 5.00.
	Satisfaction rubric.Hundredths `json:"satisfaction,omitzero"`
	// Level is the level of that rating, 1 to 5, or 0 if the profile has no cuts.
	Level int `json:"level,omitzero"`
	// Flagged reports whether a person should read the dialogue, according to the profile's triage.
	Flagged bool `json:"flagged,omitzero"`
}

// Estimate applies the profile to an evaluation by the rules alone.
func (p Profile) Estimate(e *rubric.Evaluation) Estimate {
	added, _ := p.Linear.Adds(e.Dialogue, e.Signals)
	return p.EstimateAt(p.Value(e), added)
}

// EstimateAt applies the profile to an input returned by [Profile.Value] and to what the dialogue's
// features and a model add; see [Linear.Adds] and [Scored.Adds].
func (p Profile) EstimateAt(at, added Millionths) Estimate {
	rating := rubric.Hundredths((p.Rating(at) + added).rounded())
	return p.Place(min(max(rating, 100), 500))
}

// Place returns the estimate for a satisfaction: its level, and whether it is flagged.
func (p Profile) Place(satisfaction rubric.Hundredths) Estimate {
	est := Estimate{Satisfaction: satisfaction, Flagged: p.Triage != nil &&
		satisfaction <= p.Triage.Cut}
	if p.Cuts != nil {
		est.Level = 1
	}
	for _, cut := range p.Cuts {
		if satisfaction >= cut {
			est.Level++
		}
	}
	return est
}

// Rating maps an input to a rating, which may be outside the scale.
func (p Profile) Rating(at Millionths) Millionths {
	return p.Line.Intercept + Millionths(floorDiv(int64(p.Line.Slope)*int64(at), int64(one)))
}

// Blend returns what the model's own rating, derived from its quality, adds to the rating of the
// rules.
func (m Model) Blend(rating Millionths, quality rubric.Hundredths) Millionths {
	own := m.Rating + Millionths(floorDiv(int64(m.Weight)*int64(quality-m.Centre), 100))
	share := cmp.Or(m.Share, one/2)
	return Millionths(floorDiv(int64(own-rating)*int64(share), int64(one)))
}

// Value returns the input of the map. It is the mean over the USER's turns, where later turns weigh
// more and each counts the USER's reactions in it and what the SYSTEM reported just before, plus
// the points of the detectors in Whole. In a service case, Value is the service quality.
func (p Profile) Value(e *rubric.Evaluation) Millionths {
	if heuristics.KindOf(e.Signals) == talk.ServiceKind {
		sum, _ := serviceQuality().of(e.Dialogue, e.Signals)
		return Millionths(sum)
	}
	var total, whole, user int64 // of the turns, weighted; of the dialogue; the turns so far
	users, weights := int64(e.Dialogue.Count(dialogue.User)), int64(1)
	next, before := 0, 0
	for i, t := range e.Dialogue.Turns {
		shown, reported := 0, 0
		for ; next < len(e.Signals) && e.Signals[next].Turn == i+1; next++ {
			switch s := e.Signals[next]; {
			case strings.HasPrefix(s.ID, evidence.ReactionFamily):
				shown += int(s.Points)
			case slices.Contains(p.Before, s.ID):
				reported += int(s.Points)
			case slices.Contains(p.Whole, s.ID):
				whole += int64(s.Points) * microPerHundredth
			}
		}
		switch t.Role {
		case dialogue.System:
			before = reported
		case dialogue.User:
			weight, all := recency(user, users)
			total += weight * int64(min(max(shown+before, -maxReaction), maxReaction))
			user, weights = user+1, all
		}
	}
	return Millionths(total*microPerHundredth/weights + whole)
}

// maxReaction is the maximum weight of one turn of the USER, up or down, in hundredths of a point.
// Beyond four points a turn is simply very good or very bad.
const maxReaction = 400

// recency returns the weight of the USER's turn i of n, and the sum of all weights. The last turn
// weighs three times as much as the first, and those between in proportion, because the end of a
// conversation shapes how it is remembered.
func recency(i, n int64) (weight, sum int64) {
	if n == 1 {
		return 1, 1
	}
	return n - 1 + 2*i, 2 * n * (n - 1)
}
