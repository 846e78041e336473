package rubric

import "fmt"

// Rubric is the measure that a dialogue is held against.
type Rubric struct {
	Weights [NumCriteria]int         // whole percents; they sum to 100
	Levels  [NumCriteria][5]string   // what each score means, lowest first
	Demands [NumCriteria][5][]string // detectors of which at least one must have fired for that score; empty demands nothing
	Mapping Mapping
}

// Mapping says how the weighted average becomes the OverallExperience.
type Mapping uint8

// The mappings. Down is the protocol's (003); Nearest reproduces 004's first example.
const (
	Down    Mapping = iota // the highest level that the average reaches
	Nearest                // the level closest to the average; ties go down
)

// String gives the name that --mapping takes.
func (m Mapping) String() string {
	if m == Nearest {
		return "nearest"
	}
	return "down"
}

// ParseMapping reads a mapping's name.
func ParseMapping(s string) (Mapping, error) {
	switch s {
	case "down":
		return Down, nil
	case "nearest":
		return Nearest, nil
	}
	return 0, fmt.Errorf("unknown mapping %q; want down or nearest", s)
}

// rule gives the mapping as the audit names it.
func (m Mapping) rule() string {
	if m == Nearest {
		return "round to the nearest"
	}
	return "round down"
}

// rounded gives the mapping as a sentence does.
func (m Mapping) rounded() string {
	if m == Nearest {
		return "rounded to the nearest level,"
	}
	return "rounded down to"
}

// Average is the weighted average of six scores, computed in whole hundredths. Its error is a *ScoreError
// that names the first criterion without a valid score; nothing is clamped.
func (r Rubric) Average(scores [NumCriteria]Score) (Hundredths, error) {
	var sum Hundredths
	for i, s := range scores {
		if !s.Valid() {
			return 0, &ScoreError{Criterion: Criterion(i), Score: s}
		}
		sum += Hundredths(r.Weights[i]) * Hundredths(s)
	}
	return sum, nil
}

// Overall maps a weighted average onto the scale (003, "OverallExperience Rule"): 100.00 gives 100,
// 98.00 gives 80 under Down and 100 under Nearest; anything below 40.00 gives 20 under Down.
func (m Mapping) Overall(average Hundredths) Score {
	if m == Nearest {
		average += 999 // half a level up, less the tie
	}
	return Score(min(max(average/2000, 1), 5) * 20)
}
