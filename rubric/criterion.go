package rubric

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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
func (s Set) MarshalJSONTo(enc *jsontext.Encoder) error { return json.MarshalEncode(enc, s.List()) }

// UnmarshalJSONFrom reads a list of criteria.
func (s *Set) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var list []Criterion
	err := json.UnmarshalDecode(dec, &list)
	*s = SetOf(list...)
	return err
}
