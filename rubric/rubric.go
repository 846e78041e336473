package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
)

// Rubric is the measure that a dialogue is held against. [Default] gives the protocol's, [Parse] a file's.
type Rubric struct {
	Weights [NumCriteria]int         // whole percents; they sum to 100
	Levels  [NumCriteria][5]string   // what each score means, lowest first
	Demands [NumCriteria][5][]string // detectors of which at least one must have fired for that score; empty demands nothing
	Mapping Mapping
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

// DemandedDetectors lists the detectors that the rubric demands anywhere, sorted, each once. Only those who
// know the detectors can tell whether there are such.
func (r Rubric) DemandedDetectors() []string {
	var ids []string
	for _, levels := range r.Demands {
		for _, demanded := range levels {
			ids = append(ids, demanded...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// AppendJSON appends the rubric as one line of JSON in the form that [Parse] reads, with nothing left out. The same
// rubric always has the same bytes.
func (r Rubric) AppendJSON(b []byte) []byte {
	b = append(b, `{"weights":{`...)
	for i, w := range r.Weights {
		b = strconv.AppendInt(openMember(b, i, criterionNames[i]), int64(w), 10)
	}
	b = append(b, `},"mapping":"`...)
	b = append(append(b, r.Mapping.String()...), `","levels":{`...)
	for i, texts := range r.Levels {
		b = append(openMember(b, i, criterionNames[i]), '{')
		for k, text := range texts {
			b = AppendString(openMember(b, k, Scale[k].String()), []byte(text))
		}
		b = append(b, '}')
	}
	b = append(b, `},"demands":{`...)
	for i, levels := range r.Demands {
		b = append(openMember(b, i, criterionNames[i]), '{')
		for k, demanded := range levels {
			b = append(openMember(b, k, Scale[k].String()), '[')
			for n, id := range slices.Compact(slices.Sorted(slices.Values(demanded))) {
				if n > 0 {
					b = append(b, ',')
				}
				b = AppendString(b, []byte(id))
			}
			b = append(b, ']')
		}
		b = append(b, '}')
	}
	return append(b, `}}`...)
}

// openMember opens member i of an object.
func openMember(b []byte, i int, name string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return append(append(append(b, '"'), name...), `":`...)
}

// Digest identifies the rubric: the SHA-256, in hexadecimal, of all that it says. How a file was written and
// the order in which it lists what is demanded make no difference.
func (r Rubric) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%v\n", r.Mapping)
	for _, c := range Criteria() {
		fmt.Fprintf(h, "%v %d\n", c, r.Weights[c])
		for i, score := range Scale {
			fmt.Fprintf(h, "%d %q %q\n", score, r.Levels[c][i], slices.Compact(slices.Sorted(slices.Values(r.Demands[c][i]))))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
