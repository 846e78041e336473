package heuristics

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed profile.json
var profileFile []byte

// ProfileVersion is the version of the form of profiles.
const ProfileVersion = 2

// Profile maps what the rules saw onto the scale of the people who rate, from 1.00 to 5.00, and says what a model adds
// to that. It never touches the six scores, their average or the OverallExperience. [DefaultProfile] is the line
// through the ratings of the four USS sets, each centred on its own mean; `assize fit` learns one from a team's own
// ratings.
type Profile struct {
	Version int            `json:"profile"`
	Input   Input          `json:"input"`             // what is mapped
	Before  []string       `json:"before,omitempty"`  // of reactions: detectors on the SYSTEM's turn whose points the USER's next turns are read with
	Whole   []string       `json:"whole,omitempty"`   // of reactions: detectors whose points add to the score of the whole dialogue
	Weights map[string]int `json:"weights,omitempty"` // of scores: whole percents, by criterion; they sum to 100
	Line    *Line          `json:"line,omitempty"`    // the map is this line,
	Knots   []Knot         `json:"knots,omitempty"`   // or runs through these, level before the first and after the last
	Model   *Model         `json:"model,omitempty"`   // what a model as the Evaluator adds to that; none says nothing of models

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
	Dialogues int         `json:"dialogues"`          // how many rated dialogues
	Ratings   int         `json:"ratings"`            // by how many ratings
	Scale     [2]float64  `json:"scale"`              // the ends of the scale on which people rated, the worst first
	Mean      Millionths  `json:"mean"`               // of the dialogues' mean ratings, on the scale from 1 to 5
	Deviation Millionths  `json:"deviation"`          // their standard deviation
	Before    Millionths  `json:"mae_before"`         // mean absolute error in points of 100, on folds not used for fitting: with the embedded profile,
	After     Millionths  `json:"mae_after"`          // with one learnt on the other folds as this one was,
	Constant  Millionths  `json:"mae_constant"`       // and of the mean rating of the other folds
	Spearman  *Measured   `json:"spearman,omitempty"` // rank correlation of the estimate and the ratings; none where it cannot be had
	Alpha     *Millionths `json:"alpha,omitempty"`    // Krippendorff's alpha of the ratings, interval; none where no two people rated a dialogue
	Folds     int         `json:"folds"`
	Seed      uint64      `json:"seed"`              // of folds and intervals
	Notes     []string    `json:"notes,omitempty"`   // what was decided and why, and what to mind, a sentence each
	Program   string      `json:"program,omitempty"` // the version that learnt it
	Lexicon   string      `json:"lexicon,omitempty"` // the digest of the lexicon whose signals it was learnt from
}

// Measured is a figure with its 95 % interval.
type Measured struct {
	Value Millionths `json:"value"`
	Low   Millionths `json:"low"`
	High  Millionths `json:"high"`
}

// DefaultProfile gives the embedded profile.
func DefaultProfile() Profile {
	p, err := ParseProfile("profile.json", profileFile)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return p
}

// AppendJSON appends the profile as one line of JSON. The same profile always has the same bytes.
func (p Profile) AppendJSON(b []byte) []byte {
	data, err := json.Marshal(p) // the keys of maps are sorted
	if err != nil {
		panic(err) // numbers and strings always encode
	}
	return append(b, data...)
}

// File gives the profile as a file for people to read: indented JSON, which [ParseProfile] reads as the same profile.
func (p Profile) File() []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, p.AppendJSON(nil), "", "  "); err != nil {
		panic(err) // it has just been written
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// Digest identifies the profile: the SHA-256, in hexadecimal, of all that it says, however it is laid out.
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

// Estimate applies the profile to an evaluation by the rules alone.
func (p Profile) Estimate(e *rubric.Evaluation) Estimate { return p.EstimateAt(p.Value(e), 0) }

// EstimateAt applies the profile to an input that [Profile.Value] gave, and to what a model adds: see [Model.Adds].
func (p Profile) EstimateAt(at, added Millionths) Estimate {
	rating := rubric.Hundredths((p.Rating(at) + added).Rounded())
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
			case strings.HasPrefix(s.ID, reactionFamily):
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
