package compare

import (
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
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
	case f.NA == 0 || f.NB == 0:
		return "Nothing can be compared: no dialogue is scored in both runs."
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

// criteria says which criteria fell and rose by more than chance: those whose interval leaves out 0.
func (c *Comparison) criteria() string {
	var fell, rose []string
	for _, f := range c.All[firstCriterion:] {
		switch {
		case f.Excludes() && f.Difference.Value < 0:
			fell = append(fell, f.Measure.String())
		case f.Excludes():
			rose = append(rose, f.Measure.String())
		}
	}
	var parts []string
	if fell != nil {
		parts = append(parts, "fell: "+strings.Join(fell, ", "))
	}
	if rose != nil {
		parts = append(parts, "rose: "+strings.Join(rose, ", "))
	}
	if parts == nil {
		return "No criterion moved by more than chance (95 % intervals)."
	}
	return fmt.Sprintf("Criteria that %s (95 %% intervals).", strings.Join(parts, "; "))
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
	for i, r := range []*Run{&c.A, &c.B} {
		add(len(r.Fingerprints) > 1, "%c holds records of %d runs that were made differently; weights and origin are "+
			"those of the first.", 'A'+i, len(r.Fingerprints))
	}
	const few = 20 // with fewer dialogues resampling makes intervals that are too narrow
	add(n > 0 && n < fewest, "There are too few dialogues for an interval; want %d or more, better %d.", fewest, few)
	add(n >= fewest && n < few, "Fewer than %d dialogues are compared: the intervals are too narrow.", few)
	return list
}

// differs reports whether the runs were made differently in something whose name begins with one of the prefixes.
func (c *Comparison) differs(prefixes ...string) bool {
	return slices.ContainsFunc(c.Different, func(d run.Change) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(d.What, p) })
	})
}
