package heuristics

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed profile.json
var profileFile []byte

// ProfileVersion is the version of the form of profiles.
const ProfileVersion = 2

// Profile maps what the panel saw onto the scale of the people who rate, from 1.00 to 5.00. It never touches
// the six scores, their average or the OverallExperience. [DefaultProfile] is the line through the ratings of
// the four USS sets, each centred on its own mean; `assize fit` learns one from a team's own ratings.
type Profile struct {
	Version int            `json:"profile"`
	Input   Input          `json:"input"`             // what is mapped
	Before  []string       `json:"before,omitempty"`  // of reactions: detectors on the SYSTEM's turn whose points the USER's next turns are read with
	Whole   []string       `json:"whole,omitempty"`   // of reactions: detectors whose points add to the score of the whole dialogue
	Weights map[string]int `json:"weights,omitempty"` // of scores: whole percents, by criterion; they sum to 100
	Line    *Line          `json:"line,omitempty"`    // the map is this line,
	Knots   []Knot         `json:"knots,omitempty"`   // or runs through these, level before the first and after the last

	Cuts    []rubric.Hundredths `json:"cuts,omitempty"`   // the satisfaction from which the levels 2, 3, 4 and 5 begin; none says nothing of levels
	Triage  *Triage             `json:"triage,omitempty"` // whom to flag
	Learned *Learned            `json:"learned,omitempty"`
}

// Input is what a profile maps.
type Input string

// The inputs.
const (
	Reactions Input = "reactions" // the mean of the USER's reactions, in points
	Scores    Input = "scores"    // the final scores, weighted by the profile's own weights, from 20 to 100
)

// Line is a straight map.
type Line struct {
	Intercept Millionths `json:"intercept"` // the rating where the input is zero
	Slope     Millionths `json:"slope"`     // rating per unit of the input
}

// Knot is a point of a map that is no line.
type Knot struct {
	At     Millionths `json:"at"`     // of the input
	Rating Millionths `json:"rating"` // from 1 to 5
}

// Triage tells which dialogues a person should read.
type Triage struct {
	Rate Millionths        `json:"rate"` // the share of dialogues that is wanted, between 0 and 1
	Cut  rubric.Hundredths `json:"cut"`  // a satisfaction at or below it is flagged
}

// Learned is what a profile was learnt from and how well it does, for people to read.
type Learned struct {
	Dialogues int        `json:"dialogues"`         // how many rated dialogues
	Ratings   int        `json:"ratings"`           // by how many ratings
	Scale     [2]float64 `json:"scale"`             // the ends of the scale on which people rated
	Mean      Millionths `json:"mean"`              // of the dialogues' mean ratings, on the scale from 1 to 5
	Before    Millionths `json:"mae_before"`        // mean absolute error in points of 100: as it was before, on folds not used for fitting,
	After     Millionths `json:"mae_after"`         // with the profile,
	Constant  Millionths `json:"mae_constant"`      // and of the mean alone
	Seed      uint64     `json:"seed"`              // of folds and intervals
	Notes     []string   `json:"notes,omitempty"`   // what was decided and why, a sentence each
	Program   string     `json:"program,omitempty"` // the version that learnt it
	Lexicon   string     `json:"lexicon,omitempty"` // the digest of the lexicon whose signals it was learnt from
}

// DefaultProfile gives the embedded profile.
func DefaultProfile() Profile {
	p, err := ParseProfile("profile.json", profileFile)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return p
}

// ParseProfile reads a profile file. Its error names the file and what is wrong there.
func ParseProfile(name string, data []byte) (Profile, error) {
	var p Profile
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	dec.DisallowUnknownFields()
	err := dec.Decode(&p)
	if err == nil && p.Version != ProfileVersion {
		err = fmt.Errorf("profile is %d; want %d", p.Version, ProfileVersion)
	}
	if err == nil {
		if _, e := dec.Token(); !errors.Is(e, io.EOF) {
			err = errors.New("something follows the profile; want one JSON object")
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

// validate reports the first thing in p that makes it no profile.
func (p *Profile) validate() error {
	switch {
	case p.Input != Reactions && p.Input != Scores:
		return fmt.Errorf("input is %q; want reactions or scores", p.Input)
	case (p.Input == Scores) != (p.Weights != nil):
		return fmt.Errorf("input is %s and there are %d weights; want weights for scores and for nothing else", p.Input, len(p.Weights))
	case (p.Line == nil) == (p.Knots == nil):
		return errors.New("want either line or knots")
	case p.Line != nil && p.Line.Slope < 0:
		return fmt.Errorf("line: the slope is %s; want none below 0", p.Line.Slope)
	case p.Triage != nil && (p.Triage.Rate <= 0 || p.Triage.Rate >= one):
		return fmt.Errorf("triage: the rate is %s; want a share between 0 and 1", p.Triage.Rate)
	case p.Triage != nil && !onScale(p.Triage.Cut):
		return fmt.Errorf("triage: the cut is %s; want a rating from 1 to 5", p.Triage.Cut)
	case p.Cuts != nil && (len(p.Cuts) != 4 || !slices.IsSorted(p.Cuts) || !onScale(p.Cuts[0]) || !onScale(p.Cuts[3])):
		return errors.New("cuts: want four ratings from 1 to 5, lowest first")
	}
	return errors.Join(p.validateKnots(), p.validateWeights())
}

func (p *Profile) validateKnots() error {
	for i, k := range p.Knots {
		switch {
		case k.Rating < one || k.Rating > 5*one:
			return fmt.Errorf("knots: number %d has the rating %s; want one from 1 to 5", i+1, k.Rating)
		case i > 0 && (k.At <= p.Knots[i-1].At || k.Rating < p.Knots[i-1].Rating):
			return fmt.Errorf("knots: number %d is not beyond the one before; want at to rise and no rating to fall", i+1)
		}
	}
	if p.Knots != nil && len(p.Knots) < 2 {
		return errors.New("knots: want two or more")
	}
	return nil
}

func (p *Profile) validateWeights() error {
	sum := 0
	for _, c := range rubric.Criteria() {
		w, ok := p.Weights[c.String()]
		if p.Weights != nil && (!ok || w < 0 || len(p.Weights) != rubric.NumCriteria) {
			return fmt.Errorf("weights: %s has %d; want whole percents for the six criteria and nothing else", c, w)
		}
		sum += w
	}
	if p.Weights != nil && sum != 100 {
		return fmt.Errorf("weights: they sum to %d; want 100", sum)
	}
	return nil
}

func onScale(h rubric.Hundredths) bool { return h >= 100 && h <= 500 }

// AppendJSON appends the profile as one line of JSON. The same profile always has the same bytes.
func (p Profile) AppendJSON(b []byte) []byte {
	data, err := json.Marshal(p) // the keys of maps are sorted
	if err != nil {
		panic(err) // numbers and strings always encode
	}
	return append(b, data...)
}

// Digest identifies the profile: the SHA-256, in hexadecimal, of all that it says.
func (p Profile) Digest() string {
	sum := sha256.Sum256(p.AppendJSON(nil))
	return hex.EncodeToString(sum[:])
}

// Estimate is what a profile says of one dialogue.
type Estimate struct {
	Satisfaction rubric.Hundredths // the rating that people would give, from 1.00 to 5.00
	Level        int               // the level, 1 to 5, that this rating is likely to be; 0 where the profile has no cuts
	Flagged      bool              // whether a person should read the dialogue, by the profile's triage
}

// Estimate applies the profile to an evaluation.
func (p Profile) Estimate(e *rubric.Evaluation) Estimate {
	rating := rubric.Hundredths(p.Rating(p.Value(e)).Rounded())
	return p.Place(min(max(rating, 100), 500))
}

// Place says what the profile makes of a satisfaction.
func (p Profile) Place(satisfaction rubric.Hundredths) Estimate {
	est := Estimate{Satisfaction: satisfaction, Flagged: p.Triage != nil && satisfaction <= p.Triage.Cut}
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

// Value is the input of the map for an evaluation: points of reaction, or the weighted mean of the final scores.
func (p Profile) Value(e *rubric.Evaluation) Millionths {
	if p.Input == Reactions {
		return p.reaction(e)
	}
	var sum Millionths
	for i, r := range e.Final {
		sum += Millionths(p.Weights[rubric.Criterion(i).String()]) * Millionths(r.Score) * one
	}
	return sum / 100
}

// Rating maps an input; the outcome of a line may lie beyond the scale.
func (p Profile) Rating(at Millionths) Millionths {
	if p.Line != nil {
		return p.Line.Intercept + Millionths(floorDiv(int64(p.Line.Slope)*int64(at), int64(one)))
	}
	i, _ := slices.BinarySearchFunc(p.Knots, at, func(k Knot, at Millionths) int { return cmp.Compare(k.At, at) })
	if i == 0 || i == len(p.Knots) {
		return p.Knots[min(i, len(p.Knots)-1)].Rating
	}
	a, b := p.Knots[i-1], p.Knots[i]
	return a.Rating + Millionths(floorDiv(int64(b.Rating-a.Rating)*int64(at-a.At), int64(b.At-a.At)))
}

// reaction is the reaction score of a dialogue: the mean over the USER's turns, later ones weighing more, of what
// the USER shows there and of what the SYSTEM had reported just before.
func (p Profile) reaction(e *rubric.Evaluation) Millionths {
	var rd reading
	var whole int64
	next, before := 0, 0
	for i, t := range e.Dialogue.Turns {
		shown, reported := 0, 0
		for ; next < len(e.Signals) && e.Signals[next].Turn == i+1; next++ {
			switch s := e.Signals[next]; {
			case strings.HasPrefix(s.ID, "reaction-"):
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
			rd.turns, rd.points = append(rd.turns, i+1), append(rd.points, bound(shown+before))
		}
	}
	return Millionths(rd.mean() + whole)
}
