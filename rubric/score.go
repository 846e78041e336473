package rubric

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Score is a level of the scale: 20, 40, 60, 80 or 100 (PROTOCOL.md, "Arithmetic"). Zero means not
// scored, which is not the same as a low score.
type Score uint8

// Scale holds the five levels, lowest first.
var Scale = [5]Score{20, 40, 60, 80, 100}

// Valid reports whether s is on the scale. Zero is not.
func (s Score) Valid() bool { return s >= 20 && s <= 100 && s%20 == 0 }

// String returns the number in decimal.
func (s Score) String() string { return strconv.Itoa(int(s)) }

// Level returns the index of a valid score on the scale, from 0 for 20 to 4 for 100.
func (s Score) Level() int { return int(s)/20 - 1 }

// Step returns the score that is by levels above s (below it if by is negative), limited to the
// ends of the scale.
func (s Score) Step(by int) Score { return Scale[min(max(s.Level()+by, 0), len(Scale)-1)] }

// Hundredths is a fixed-point number: 8800 is 88.00. All scoring arithmetic uses it.
type Hundredths int

// String returns the number with two decimals, as in both documents.
func (h Hundredths) String() string { return string(h.Append(nil)) }

// Append appends the two-decimal form of h to b.
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

// ParseHundredths reads a decimal number with at most two decimals, such as "88", "-0.5" or
// "88.00".
func ParseHundredths(s string) (Hundredths, error) {
	const limit = 13 // characters: the number is exact in a float64
	_, decimals, _ := strings.Cut(s, ".")
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || len(s) > limit || len(decimals) > 2 || strings.Trim(s, "0123456789.+-") != "" {
		return 0, fmt.Errorf("%q is not a number with at most two decimals", s)
	}
	return Hundredths(math.Round(f * 100)), nil
}

// UnmarshalJSON reads a JSON number with at most two decimals.
func (h *Hundredths) UnmarshalJSON(b []byte) (err error) {
	*h, err = ParseHundredths(string(b))
	return err
}

// offScale returns the error for a criterion whose score is not on the scale.
func offScale(c Criterion, s Score) error {
	if s == 0 {
		return fmt.Errorf("%s is not scored; want 20, 40, 60, 80 or 100", c)
	}
	return fmt.Errorf("%s has the score %d; want 20, 40, 60, 80 or 100", c, s)
}

// Mapping determines how the weighted average becomes the OverallExperience.
type Mapping uint8

// The mappings. Down is the protocol's; Nearest is the other reading of the specifications
// (PROTOCOL.md, "Contradictions").
const (
	Down    Mapping = iota // the highest level that the average reaches
	Nearest                // the level closest to the average; ties go down
)

// mappings holds the names of the mappings and the words that the audit and the justification of
// the OverallExperience use for them.
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

// Overall maps a weighted average onto the scale (PROTOCOL.md, "Arithmetic"): 100.00 maps to 100;
// 98.00 maps to 80 under Down and to 100 under Nearest; anything below 40.00 maps to 20 under Down.
func (m Mapping) Overall(average Hundredths) Score {
	if m == Nearest {
		average += 999 // half a level, less 0.01 so that ties go down
	}
	return Score(min(max(average/2000, 1), 5) * 20)
}

// String returns the name that a rubric file accepts.
func (m Mapping) String() string { return mappings[m].name }

// Criterion is one of the six criteria by which a dialogue is judged (PROTOCOL.md, "Arithmetic").
// Its value is its index in rubric order.
type Criterion uint8

// The criteria in rubric order.
const (
	TaskSuccess   Criterion = iota // did the SYSTEM reach the USER's goal
	Helpfulness                    // was the answer sufficient, actionable, detailed
	Accuracy                       // did it avoid contradictions and unfounded claims
	Understanding                  // did it understand the USER's intent with little clarification
	Empathy                        // was it polite, caring, aware of feelings
	Fluency                        // was its language clear, grammatical, coherent
	NumCriteria   = 6
)

var criterionNames = [NumCriteria]string{"TaskSuccess", "Helpfulness", "Accuracy", "Understanding",
	"Empathy", "Fluency"}

// String returns the name used in documents, such as "TaskSuccess".
func (c Criterion) String() string { return criterionNames[c] }

// ParseCriterion reads a criterion's name; case does not matter.
func ParseCriterion(s string) (Criterion, error) {
	for i, n := range criterionNames {
		if strings.EqualFold(n, s) {
			return Criterion(i), nil
		}
	}
	return 0, fmt.Errorf("unknown criterion %q; want one of %s", s,
		strings.Join(criterionNames[:], ", "))
}

// MarshalText returns the name, as used in JSON.
func (c Criterion) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a name as [ParseCriterion] does.
func (c *Criterion) UnmarshalText(name []byte) (err error) {
	*c, err = ParseCriterion(string(name))
	return err
}

// Criteria returns the six criteria in rubric order.
func Criteria() [NumCriteria]Criterion {
	return [NumCriteria]Criterion{TaskSuccess, Helpfulness, Accuracy, Understanding, Empathy,
		Fluency}
}

// Set is a set of criteria: bit i is criterion i. The zero Set is empty.
type Set uint8

// AllCriteria is the set of all criteria.
const AllCriteria = Set(1<<NumCriteria - 1)

// SetOf returns the set of the given criteria.
func SetOf(cs ...Criterion) (s Set) {
	for _, c := range cs {
		s |= 1 << c
	}
	return s
}

// Has reports whether c is in s.
func (s Set) Has(c Criterion) bool { return s&(1<<c) != 0 }

// List returns the criteria of s in rubric order.
func (s Set) List() (list []Criterion) {
	for _, c := range Criteria() {
		if s.Has(c) {
			list = append(list, c)
		}
	}
	return list
}

// MarshalJSONTo writes the criteria as a list.
func (s Set) MarshalJSONTo(enc *jsontext.Encoder) error {
	return json.MarshalEncode(enc, s.List())
}

// UnmarshalJSONFrom reads a list of criteria.
func (s *Set) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var list []Criterion
	err := json.UnmarshalDecode(dec, &list)
	*s = SetOf(list...)
	return err
}
