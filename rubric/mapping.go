package rubric

import "fmt"

// Mapping says how the weighted average becomes the OverallExperience.
type Mapping uint8

// The mappings. Down is the protocol's (003); Nearest reproduces 004's first example.
const (
	Down    Mapping = iota // the highest level that the average reaches
	Nearest                // the level closest to the average; ties go down
)

// ParseMapping reads a mapping's name: down or nearest.
func ParseMapping(s string) (Mapping, error) {
	for _, m := range []Mapping{Down, Nearest} {
		if s == m.String() {
			return m, nil
		}
	}
	return 0, fmt.Errorf("unknown mapping %q; want down or nearest", s)
}

// Overall maps a weighted average onto the scale (003, "OverallExperience Rule"): 100.00 gives 100,
// 98.00 gives 80 under Down and 100 under Nearest; anything below 40.00 gives 20 under Down.
func (m Mapping) Overall(average Hundredths) Score {
	if m == Nearest {
		average += 999 // half a level up, less the tie
	}
	return Score(min(max(average/2000, 1), 5) * 20)
}

// String gives the name that --mapping takes.
func (m Mapping) String() string {
	if m == Nearest {
		return "nearest"
	}
	return "down"
}

// rule gives the mapping as the audit's mapping_rule begins.
func (m Mapping) rule() string {
	if m == Nearest {
		return "round to the nearest"
	}
	return "round down"
}

// rounded gives the mapping as the justification of the OverallExperience puts it.
func (m Mapping) rounded() string {
	if m == Nearest {
		return "rounded to the nearest level,"
	}
	return "rounded down to"
}
