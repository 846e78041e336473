package rubric

import (
	"fmt"
	"math/bits"
	"strings"
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
func (c Criterion) String() string {
	if int(c) < len(criterionNames) {
		return criterionNames[c]
	}
	return fmt.Sprintf("Criterion(%d)", uint8(c))
}

// ParseCriterion reads a criterion's name; case does not matter.
func ParseCriterion(s string) (Criterion, error) {
	for i, n := range criterionNames {
		if strings.EqualFold(n, s) {
			return Criterion(i), nil
		}
	}
	return 0, fmt.Errorf("unknown criterion %q; want one of %s", s, strings.Join(criterionNames[:], ", "))
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

// Len counts the criteria in s.
func (s Set) Len() int { return bits.OnesCount8(uint8(s)) }

// List gives the criteria of s in rubric order.
func (s Set) List() []Criterion {
	list := make([]Criterion, 0, s.Len())
	for _, c := range Criteria() {
		if s.Has(c) {
			list = append(list, c)
		}
	}
	return list
}
