package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// answer says what the comparison means, the most important first. Each word follows from the figures as printed.
func (c *Comparison) answer() []string {
	list := []string{c.verdict()}
	if c.All[0].NA > 0 && c.All[0].NB > 0 && (c.Mode == Unpaired || c.Matched.Changed > 0) {
		list = append(list, c.criteria())
	}
	if n := len(c.Lost); n > 0 {
		list = append(list, "Scored in A but not in B, and in no mean: "+ui.Counted(n, "dialogue")+".")
	}
	if n := len(c.Gained); n > 0 {
		list = append(list, "Scored in B but not in A, and in no mean: "+ui.Counted(n, "dialogue")+".")
	}
	return list
}

// verdict says whether B is better or worse.
func (c *Comparison) verdict() string {
	f := &c.All[Average]
	apart := "the means of the weighted average are the same"
	if d := hundredths(f.Difference); d > 0 {
		apart = fmt.Sprintf("B is %s points higher on the weighted average", d)
	} else if d < 0 {
		apart = fmt.Sprintf("B is %s points lower on the weighted average", -d)
	}
	paired := c.Mode == Paired
	switch {
	case paired && f.NA == 0:
		return "Nothing can be compared: no dialogue is scored in both runs."
	case f.NA == 0:
		return "Nothing can be compared: no dialogue of A is scored."
	case f.NB == 0:
		return "Nothing can be compared: no dialogue of B is scored."
	case paired && c.Matched.Changed == 0:
		return fmt.Sprintf("Nothing changed: scores, average and satisfaction of %s are the same.", c.counted())
	case c.differs("rubric.weights"):
		return "The weighted averages cannot be compared: the rubrics weigh the criteria differently."
	case paired && f.Rose+f.Fell == 0:
		return fmt.Sprintf("No change in the weighted average over %s.", c.counted())
	case f.Interval == nil:
		return fmt.Sprintf("Over %s, too few to rule out chance, %s.", c.counted(), apart)
	case f.Excludes():
		return fmt.Sprintf("%s; the interval from %s to %s excludes 0.", apart, f.Interval[0], f.Interval[1])
	}
	return fmt.Sprintf("No difference that %s could show: %s, and the interval from %s to %s includes 0.",
		c.counted(), apart, f.Interval[0], f.Interval[1])
}

// criteria says which criteria fell and rose by more than chance: in pairs by the signed-rank test, in two different
// sets by their intervals. Where a few large moves turn the mean against many small ones, a criterion did neither.
func (c *Comparison) criteria() string {
	var fell, rose []string
	tested := 0
	for _, f := range c.All[len(c.All)-rubric.NumCriteria:] {
		down, up, certain := f.Difference.Value < 0, f.Difference.Value > 0, f.Excludes()
		if f.Moves != nil {
			down, up, certain = down && f.Fell >= f.Rose, up && f.Rose >= f.Fell, f.Holm.Value < .05
			if f.Rose+f.Fell > 0 {
				tested++
			}
		}
		switch {
		case certain && down:
			fell = append(fell, f.Measure.String())
		case certain && up:
			rose = append(rose, f.Measure.String())
		}
	}
	by := "95 % intervals"
	if c.Mode == Paired {
		by = "signed-rank test, p < .05 after Holm's correction for " + ui.Counted(tested, "test")
	}
	var parts []string
	if fell != nil {
		parts = append(parts, "fell: "+strings.Join(fell, ", "))
	}
	if rose != nil {
		parts = append(parts, "rose: "+strings.Join(rose, ", "))
	}
	switch {
	case c.Mode == Paired && tested == 0:
		return "No criterion changed."
	case parts == nil:
		return fmt.Sprintf("No criterion moved by more than chance (%s).", by)
	}
	return fmt.Sprintf("Criteria that %s (%s).", strings.Join(parts, "; "), by)
}

// warnings gathers what a reader must know before believing a figure, the gravest first.
func (c *Comparison) warnings() []string {
	list := []string{}
	add := func(is bool, format string, args ...any) {
		if is {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	n := min(c.All[0].NA, c.All[0].NB)
	add(c.differs("rubric.mapping"), "The rubrics map averages differently, so the OverallExperience and what is "+
		"below 60 cannot be compared.")
	add(c.differs("profile"), "The profiles differ, so satisfaction cannot be compared.")
	add(c.Mode == Unpaired && c.differs("program", "lexicon", "rubric", "configuration.evaluator", "configuration.critic"),
		"The two runs were not judged alike, so the difference may come from the judge and not from the dialogues; "+
			"score both with the same program and rubric.")
	for i, r := range c.each() {
		add(len(r.Fingerprints) > 1, "%c holds records of %d runs that were made differently; weights and origin are "+
			"those of the first.", 'A'+i, len(r.Fingerprints))
		add(len(r.Fingerprints) > 0 && r.first == nil, "%c has no header, so it is unknown how it was made; the "+
			"embedded rubric and profile are assumed.", 'A'+i)
	}
	const few = 20 // with fewer dialogues resampling makes intervals that are too narrow
	add(n > 0 && n < fewest, "There are too few dialogues for an interval; want %d or more, better %d.", fewest, few)
	add(n >= fewest && n < few, "Fewer than %d dialogues are compared: the intervals are too narrow.", few)
	add(c.Options.ByFile && len(c.Files) == 0 && n > 0, "No file of A has the name of a file of B, so nothing can be "+
		"compared by file.")
	return list
}

// Difference is one thing in which the two runs were made differently.
type Difference struct {
	What          string `json:"what"` // such as "rubric.weights.Empathy"
	Sides[string]        // empty for none
}

// differs reports whether the runs were made differently in something whose name begins with one of the prefixes.
func (c *Comparison) differs(prefixes ...string) bool {
	return slices.ContainsFunc(c.Different, func(d Difference) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(d.What, p) })
	})
}

// differences lists in what two headers differ, each by its path. What a profile was learnt from changes no estimate.
func differences(a, b run.Header) []Difference {
	a.Basis.Profile.Learned, b.Basis.Profile.Learned = nil, nil
	list := []Difference{}
	for _, d := range run.Compare(a.Append(nil), b.Append(nil), "", 10_000) {
		what := strings.ReplaceAll(strings.TrimPrefix(d.Path, "/provenance")[1:], "/", ".")
		if slices.Contains([]string{"fingerprint", "rubric", "profile", "configuration.mapping"}, what) {
			continue // it follows from the rest
		}
		if string(d.Recorded) == "[]" || string(d.Recomputed) == "[]" {
			continue // its elements tell
		}
		list = append(list, Difference{what, Sides[string]{text(d.Recorded), text(d.Recomputed)}})
	}
	return list
}

// text gives what a JSON string says, and any other value as it is.
func text(v jsontext.Value) string {
	if s, err := jsontext.AppendUnquote(nil, v); err == nil {
		return string(s)
	}
	return string(v)
}
