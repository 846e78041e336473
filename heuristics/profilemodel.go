package heuristics

import (
	"fmt"
	"strings"

	"assize/rubric"
)

// Model is what the judgement of one model adds to the rating that the map gives: the weight times what the model's
// weighted average, as the Evaluator, lies above the centre. A model that adds nothing has the weight 0.
type Model struct {
	Digest string            `json:"digest"` // SHA-256 in hexadecimal: what holds for this model holds for no other
	Name   string            `json:"name"`
	Weight Millionths        `json:"weight"` // rating per point of the weighted average
	Centre rubric.Hundredths `json:"centre"` // the weighted average that adds nothing, from 20 to 100
}

// Adds gives what a weighted average of the model adds to a rating.
func (m Model) Adds(average rubric.Hundredths) Millionths {
	return Millionths(floorDiv(int64(m.Weight)*int64(average-m.Centre), 100))
}

// Identified reports whether the model has a name and a digest that is one.
func (m Model) Identified() bool {
	const hexadecimals = 64
	return m.Name != "" && len(m.Digest) == hexadecimals && strings.Trim(m.Digest, "0123456789abcdef") == ""
}

func (p *Profile) validateModel() error {
	m := p.Model
	switch {
	case m == nil:
		return nil
	case !m.Identified():
		return fmt.Errorf("model: the name is %q and the digest %q; want a name, and a SHA-256 in hexadecimal", m.Name, m.Digest)
	case m.Weight < 0:
		return fmt.Errorf("model: the weight is %s; want none below 0", m.Weight)
	case m.Centre < 2000 || m.Centre > 10000:
		return fmt.Errorf("model: the centre is %s; want a weighted average from 20 to 100", m.Centre)
	}
	return nil
}
