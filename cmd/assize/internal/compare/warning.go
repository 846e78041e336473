package compare

import (
	"fmt"
	"math"

	"assize/cmd/assize/internal/report"
)

const (
	// few is how many dialogues a side should have: with fewer, resampling makes intervals that are too narrow.
	few = 20
	// mixed is by how much the share of a file may differ between two different sets before it is told of.
	mixed = 0.05
)

// warnings gathers what a reader must know before believing a figure, the gravest first.
func (c *Comparison) warnings() []string {
	var list []string
	add := func(is bool, format string, args ...any) {
		if is {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(c.Reweighted(), "The rubrics weigh the criteria differently, so the weighted averages cannot be compared; the answer is by A's weights on both sides.")
	add(c.differs("rubric.mapping"), "The rubrics map averages differently, so the OverallExperience and what is below 60 cannot be compared.")
	add(c.differs("profile"), "The profiles differ, so satisfaction cannot be compared.")
	add(!c.Paired && c.differs("program", "lexicon", "rubric", "configuration.evaluator", "configuration.critic"),
		"The two runs were not judged alike, so what differs may be the judge and not the dialogues; score both with the same program and rubric.")
	add(c.Paired && c.unexplained(), "Both runs were made alike, and yet %s; the same judge says the same, so one run was edited or its program's version says too little: assize replay tells.", c.unequal())
	for _, side := range []struct {
		name string
		run  *Run
	}{{"A", c.A}, {"B", c.B}} {
		add(len(side.run.Headers) > 1, "%s was put together from %d runs that were made differently; what is said of weights and origin holds for the first.", side.name, len(side.run.Headers))
		add(len(side.run.Headers) > 0 && side.run.Headers[0] == nil, "%s has no header, so nothing is known of how it was made; the embedded rubric and profile are taken for its own.", side.name)
	}
	n := min(c.All.NA, c.All.NB)
	add(n > 0 && n < fewest, "There are too few dialogues for an interval; want %d or more, better %d.", fewest, few)
	add(n >= fewest && n < few, "Fewer than %d dialogues are compared: the intervals are too narrow.", few)
	return append(list, c.matchWarnings()...)
}

// matchWarnings tells of dialogues that are compared with the wrong ones, or not at all.
func (c *Comparison) matchWarnings() []string {
	var list []string
	if c.differs("configuration.redacted") && len(c.OnlyA) > 0 && len(c.OnlyB) > 0 {
		list = append(list, "Only one of the runs is redacted: dialogues in which something was masked have no partner.")
	}
	smaller := min(len(c.A.Cases), len(c.B.Cases))
	switch {
	case !c.Paired && c.mostlySame():
		list = append(list, fmt.Sprintf("%s in both runs; --paired would tell smaller differences from chance.", are(len(c.Pairs))))
	case c.Paired && 2*len(c.Pairs) < smaller:
		list = append(list, fmt.Sprintf("Only %s in both runs; the others are left out.", are(len(c.Pairs))))
	}
	if c.Options.ByFile && len(c.Files) == 0 && c.All.NA > 0 {
		list = append(list, "No file of A has the name of one of B, so there is nothing to compare by file.")
	}
	if s := c.mixture(); s != "" {
		list = append(list, s)
	}
	return list
}

// mixture tells of a file that two different sets hold in different shares: then a difference may be that of the files.
func (c *Comparison) mixture() string {
	if c.Paired || c.Options.ByFile || c.All.NA == 0 || c.All.NB == 0 {
		return ""
	}
	name := nameFiles(c.A, c.B)
	a, b := c.A.shares(name), c.B.shares(name)
	shared, worst, widest := 0, "", mixed
	for i := range c.A.Cases {
		file := name(c.A.Cases[i].File)
		if a[file] == 0 || b[file] == 0 {
			continue
		}
		if off := math.Abs(a[file] - b[file]); off > widest {
			worst, widest = file, off
		}
		shared++
	}
	if shared == 0 || worst == "" {
		return ""
	}
	return fmt.Sprintf("%s is %.0f %% of A and %.0f %% of B, so a difference may be that of the files; --by file compares file with file.",
		report.Visible(worst), 100*a[worst], 100*b[worst])
}

// shares gives the part of the scored dialogues that each file has.
func (r *Run) shares(name func(string) string) map[string]float64 {
	shares := map[string]float64{}
	for i := range r.Cases {
		if r.Cases[i].Scored() {
			shares[name(r.Cases[i].File)] += 1 / float64(r.Scored)
		}
	}
	return shares
}

// differs reports whether the runs were made differently in something whose name begins with one of the prefixes.
func (c *Comparison) differs(prefixes ...string) bool {
	for i := range c.Different {
		if c.Different[i].Concerns(prefixes...) {
			return true
		}
	}
	return false
}

// unexplained reports whether rules judged the same dialogues differently though both runs were made alike.
func (c *Comparison) unexplained() bool {
	for _, r := range []*Run{c.A, c.B} {
		if len(r.Headers) != 1 || r.Headers[0] == nil {
			return false
		}
		if k := r.Headers[0].Configuration; k.Evaluator != "rules" || k.Critic != "rules" {
			return false
		}
	}
	return !c.differs("program", "lexicon", "rubric", "profile", "configuration.input_format", "configuration.evaluator", "configuration.critic") &&
		c.Unequal+len(c.Lost)+len(c.Gained) > 0
}

// unequal counts the dialogues that changed: "7 dialogues differ".
func (c *Comparison) unequal() string {
	if n := c.Unequal + len(c.Lost) + len(c.Gained); n != 1 {
		return fmt.Sprintf("%d dialogues differ", n)
	}
	return "1 dialogue differs"
}

func are(n int) string {
	if n == 1 {
		return "1 dialogue is"
	}
	return fmt.Sprintf("%d dialogues are", n)
}
