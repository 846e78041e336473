package heuristics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/rubric"
)

// ParseProfile reads a profile file. Its error names the file and what is wrong there.
func ParseProfile(name string, data []byte) (Profile, error) {
	var p Profile
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	dec.DisallowUnknownFields()
	err := dec.Decode(&p)
	if err != nil {
		err = fmt.Errorf("not a profile: %w; want one as assize fit writes", err)
	}
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
	for _, err := range []error{p.validateDetectors(), p.validateKnots(), p.validateWeights(), p.validateModel()} {
		if err != nil {
			return err
		}
	}
	return nil
}

// validateDetectors refuses an id that no detector has: its points would be missing without a word.
func (p *Profile) validateDetectors() error {
	for _, list := range []struct {
		name string
		ids  []string
	}{{"before", p.Before}, {"whole", p.Whole}} {
		for i, id := range list.ids {
			switch {
			case p.Input != Reactions:
				return fmt.Errorf("%s: the input is %s; want detectors for reactions alone", list.name, p.Input)
			case !countable(id):
				return fmt.Errorf("%s: %q; want the id of a detector, and none of a reaction, which counts by itself", list.name, id)
			case slices.Contains(list.ids[:i], id):
				return fmt.Errorf("%s: %s stands twice", list.name, id)
			}
		}
	}
	return nil
}

// countable reports whether id is that of a detector that a profile may count besides the reactions.
func countable(id string) bool {
	for _, family := range families() {
		if slices.ContainsFunc(family, func(d Detector) bool { return d.ID == id }) {
			return !strings.HasPrefix(id, reactionFamily)
		}
	}
	return false
}

// reactionFamily begins the ids of the detectors of the USER's reactions.
const reactionFamily = "reaction-"

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
