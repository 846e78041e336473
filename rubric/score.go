package rubric

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Score is a level of the scale: 20, 40, 60, 80 or 100 (003, "Scoring Scale"). Zero means not scored,
// which is never the same as low.
type Score uint8

// Scale is the five levels, lowest first.
var Scale = [5]Score{20, 40, 60, 80, 100}

// Valid reports whether s is on the scale. Zero is not.
func (s Score) Valid() bool { return s >= 20 && s <= 100 && s%20 == 0 }

// String gives the number.
func (s Score) String() string { return strconv.Itoa(int(s)) }

// Level is the place of a valid score on the scale, from 0 for 20 to 4 for 100.
func (s Score) Level() int { return int(s)/20 - 1 }

// Step gives the score that lies by levels above s (below it for a negative number), and stops at the ends
// of the scale.
func (s Score) Step(by int) Score { return Scale[min(max(s.Level()+by, 0), len(Scale)-1)] }

// Hundredths is a fixed-point number: 8800 is 88.00. Everything that is scored is computed in it.
type Hundredths int

// String prints two decimals, as both documents do.
func (h Hundredths) String() string { return string(h.Append(nil)) }

// Append adds the two-decimal form of h to b.
func (h Hundredths) Append(b []byte) []byte {
	if h < 0 {
		b = append(b, '-')
		h = -h
	}
	b = strconv.AppendInt(b, int64(h/100), 10)
	return append(b, '.', byte('0'+h/10%10), byte('0'+h%10))
}

// MarshalJSON writes a number with exactly two decimals.
func (h Hundredths) MarshalJSON() ([]byte, error) { return h.Append(nil), nil }

// ParseHundredths reads a decimal number with at most two decimals, such as "88", "-0.5" or "88.00".
func ParseHundredths(s string) (Hundredths, error) {
	const most = 13 // characters: the number is exact in a float64
	_, decimals, _ := strings.Cut(s, ".")
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || len(s) > most || len(decimals) > 2 || strings.Trim(s, "0123456789.+-") != "" {
		return 0, fmt.Errorf("%q is not a number with at most two decimals", s)
	}
	return Hundredths(math.Round(f * 100)), nil
}

// UnmarshalJSON reads a JSON number with at most two decimals.
func (h *Hundredths) UnmarshalJSON(b []byte) (err error) {
	*h, err = ParseHundredths(string(b))
	return err
}

// offScale is the error of a criterion that holds no score of the scale.
func offScale(c Criterion, s Score) error {
	if s == 0 {
		return fmt.Errorf("%s is not scored; want 20, 40, 60, 80 or 100", c)
	}
	return fmt.Errorf("%s has the score %d; want 20, 40, 60, 80 or 100", c, s)
}

// Mapping says how the weighted average becomes the OverallExperience.
type Mapping uint8

// The mappings. Down is the protocol's (003); Nearest reproduces 004's first example.
const (
	Down    Mapping = iota // the highest level that the average reaches
	Nearest                // the level closest to the average; ties go down
)

// mappings are their names, and how the audit and the justification of the OverallExperience put them.
var mappings = [...]struct{ name, rule, rounded string }{
	Down:    {"down", "round down", "rounded down to"},
	Nearest: {"nearest", "round to the nearest", "rounded to the nearest level,"},
}

// ParseMapping reads a mapping's name: down or nearest.
func ParseMapping(s string) (Mapping, error) {
	for m := range mappings {
		if s == mappings[m].name {
			return Mapping(m), nil
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
func (m Mapping) String() string { return mappings[m].name }

// Criterion is one of the six questions that a dialogue is judged by (003, "Evaluation Criteria and
// Weights"). Its value is its place in the rubric's order.
type Criterion uint8

// The criteria in rubric order.
const (
	TaskSuccess   Criterion = iota // did the SYSTEM reach the USER's goal
	Helpfulness                    // was what it gave sufficient, actionable, detailed
	Accuracy                       // did it contradict nobody and claim nothing without ground
	Understanding                  // did it read the USER's intent with little clarification
	Empathy                        // was it polite, caring, aware of feelings
	Fluency                        // was its language clear, grammatical, coherent
	NumCriteria   = 6
)

var criterionNames = [NumCriteria]string{"TaskSuccess", "Helpfulness", "Accuracy", "Understanding", "Empathy", "Fluency"}

// String gives the name that documents use, such as "TaskSuccess".
func (c Criterion) String() string { return criterionNames[c] }

// ParseCriterion reads a criterion's name; case does not matter.
func ParseCriterion(s string) (Criterion, error) {
	for i, n := range criterionNames {
		if strings.EqualFold(n, s) {
			return Criterion(i), nil
		}
	}
	return 0, fmt.Errorf("unknown criterion %q; want one of %s", s, strings.Join(criterionNames[:], ", "))
}

// AppendText appends the name, as JSON has it.
func (c Criterion) AppendText(b []byte) ([]byte, error) { return append(b, c.String()...), nil }

// MarshalText gives the name.
func (c Criterion) MarshalText() ([]byte, error) { return c.AppendText(nil) }

// UnmarshalText reads a name as [ParseCriterion] does.
func (c *Criterion) UnmarshalText(name []byte) (err error) {
	*c, err = ParseCriterion(string(name))
	return err
}

// Criteria yields the six in rubric order.
func Criteria() [NumCriteria]Criterion {
	return [NumCriteria]Criterion{TaskSuccess, Helpfulness, Accuracy, Understanding, Empathy, Fluency}
}

// Set is a set of criteria: bit i is criterion i. The zero Set is empty.
type Set uint8

// AllCriteria is the set of all criteria.
const AllCriteria = Set(1<<NumCriteria - 1)

// SetOf gathers criteria.
func SetOf(cs ...Criterion) Set {
	var s Set
	for _, c := range cs {
		s |= 1 << c
	}
	return s
}

// Has reports whether c is in s.
func (s Set) Has(c Criterion) bool { return s&(1<<c) != 0 }

// List gives the criteria of s in rubric order.
func (s Set) List() []Criterion {
	var list []Criterion
	for _, c := range Criteria() {
		if s.Has(c) {
			list = append(list, c)
		}
	}
	return list
}

// MarshalJSONTo writes the criteria as a list.
func (s Set) MarshalJSONTo(enc *jsontext.Encoder) error {
	b := append(enc.AvailableBuffer(), '[')
	for _, c := range Criteria() {
		if s.Has(c) {
			b = append(append(append(b, '"'), c.String()...), `",`...)
		}
	}
	return enc.WriteValue(append(bytes.TrimSuffix(b, []byte(",")), ']'))
}

// UnmarshalJSONFrom reads a list of criteria.
func (s *Set) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var list []Criterion
	err := json.UnmarshalDecode(dec, &list)
	*s = SetOf(list...)
	return err
}
