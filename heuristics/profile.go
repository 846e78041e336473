package heuristics

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed profile.json
var profileFile []byte

// Profile maps the reaction score onto the scale of the people who rate: from 1.00 to 5.00. The embedded one is
// the line through the ratings of the four USS sets, each centred on its own mean.
type Profile struct {
	Version   int               `json:"profile"`
	Intercept rubric.Hundredths `json:"intercept"` // the rating of a dialogue without any reaction
	Slope     rubric.Hundredths `json:"slope"`     // rating per point of reaction
	Before    []string          `json:"before"`    // detectors on the SYSTEM's turn whose points the USER's next turns are read with
	Whole     []string          `json:"whole"`     // detectors whose points add to the score of the whole dialogue
}

func loadProfile(data []byte) (Profile, error) {
	var p Profile
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return p, fmt.Errorf("profile.json: %w", err)
	}
	if p.Version != 1 {
		return p, fmt.Errorf("profile.json: profile is %d; want 1", p.Version)
	}
	return p, nil
}

// Satisfaction estimates the rating, from 1.00 to 5.00, that people would give the dialogue: the profile's line
// through the reaction score, in whole hundredths.
func (a *Agents) Satisfaction(c rubric.Case) rubric.Hundredths {
	p := a.profile
	micro := int64(p.Intercept)*microPerHundredth + floorDiv(int64(p.Slope)*p.reaction(c), 100)
	return min(max(rubric.Hundredths(floorDiv(micro+microPerHundredth/2, microPerHundredth)), 100), 500)
}

// reaction is the reaction score of a dialogue in millionths of a point: the mean over the USER's turns, later
// ones weighing more, of what the USER shows there and of what the SYSTEM had reported just before.
func (p Profile) reaction(c rubric.Case) int64 {
	var rd reading
	var whole int64
	next, before := 0, 0
	for i, t := range c.Dialogue.Turns {
		shown, reported := 0, 0
		for ; next < len(c.Signals) && c.Signals[next].Turn == i+1; next++ {
			switch s := c.Signals[next]; {
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
	return rd.mean() + whole
}

// floorDiv divides and rounds towards minus infinity.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
