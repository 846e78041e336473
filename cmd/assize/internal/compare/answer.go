package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// answer says what the comparison means, the most important first. Each word follows from the figures as printed.
func (c *Comparison) answer() []string {
	list := []string{c.headline()}
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

// headline says whether B is better or worse.
func (c *Comparison) headline() string {
	f := c.Headline(c.All)
	average := "the weighted average"
	if c.reweighted() {
		average += " with A's weights"
	}
	apart := "the means of " + average + " are the same"
	if d := hundredths(f.Difference.Value); d > 0 {
		apart = fmt.Sprintf("B is %s points higher on %s", d, average)
	} else if d < 0 {
		apart = fmt.Sprintf("B is %s points lower on %s", -d, average)
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
	case paired && f.Rose+f.Fell == 0:
		return fmt.Sprintf("No change in %s over %s.", average, c.counted())
	case f.Interval == nil:
		return fmt.Sprintf("Over %s, too few to rule out chance, %s.", c.counted(), apart)
	case f.Excludes():
		return fmt.Sprintf("%s; the interval from %s to %s excludes 0.", apart, f.Interval[0], f.Interval[1])
	}
	return fmt.Sprintf("No difference that %s could show: %s, and the interval from %s to %s includes 0.",
		c.counted(), apart, f.Interval[0], f.Interval[1])
}

// criteria says which criteria fell and rose by more than chance: in pairs by the signed-rank test, in two different
// sets by their intervals. A few large moves can turn the mean against many small ones; then it says neither.
func (c *Comparison) criteria() string {
	moved := map[string][]string{}
	tested := 0
	for _, f := range c.All[len(c.All)-rubric.NumCriteria:] {
		certain, direction := f.Excludes(), "fell"
		if f.Difference.Value > 0 {
			direction = "rose"
		}
		if f.Moves != nil {
			certain = f.Holm.Value < .05
			if f.Difference.Value == 0 || f.Rose != f.Fell && (f.Rose > f.Fell) != (direction == "rose") {
				direction = "moved one way in the mean and the other way in most dialogues"
			}
			if f.Rose+f.Fell > 0 {
				tested++
			}
		}
		if certain {
			moved[direction] = append(moved[direction], f.Measure.String())
		}
	}
	by := "95 % intervals"
	if c.Mode == Paired {
		by = "signed-rank test, p < .05 after Holm's correction for " + ui.Counted(tested, "test")
	}
	var parts []string
	for _, direction := range slices.Sorted(maps.Keys(moved)) {
		parts = append(parts, direction+": "+strings.Join(moved[direction], ", "))
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
	paired, n := c.Mode == Paired, min(c.All[0].NA, c.All[0].NB)
	add(c.reweighted(), "The rubrics weigh the criteria differently, so the weighted averages cannot be compared; the "+
		"answer uses A's weights on both sides.")
	add(c.differs("rubric.mapping"), "The rubrics map averages differently, so the OverallExperience and what is "+
		"below 60 cannot be compared.")
	add(c.differs("profile"), "The profiles differ, so satisfaction cannot be compared.")
	add(!paired && c.differs("program", "lexicon", "rubric", "configuration.evaluator", "configuration.critic"),
		"The two runs were not judged alike, so the difference may come from the judge and not from the dialogues; "+
			"score both with the same program and rubric.")
	for i, r := range []*Run{&c.A, &c.B} {
		add(len(r.Headers) > 1, "%c holds records of %d runs that were made differently; weights and origin are those "+
			"of the first.", 'A'+i, len(r.Headers))
		add(len(r.Headers) > 0 && r.Headers[0] == nil, "%c has no header, so it is unknown how it was made; the "+
			"embedded rubric and profile are assumed.", 'A'+i)
	}
	const few = 20 // with fewer dialogues resampling makes intervals that are too narrow
	add(n > 0 && n < fewest, "There are too few dialogues for an interval; want %d or more, better %d.", fewest, few)
	add(n >= fewest && n < few, "Fewer than %d dialogues are compared: the intervals are too narrow.", few)
	add(!paired && c.mostlySame(), "%s in both runs; --paired would detect smaller differences.",
		ui.Counted(c.Matched.Dialogues, "dialogue"))
	add(c.Options.ByFile && len(c.Files) == 0 && n > 0, "No file of A has the name of a file of B, so nothing can be "+
		"compared by file.")
	if paired || c.Options.ByFile {
		return list
	}
	for _, s := range c.sets(c.fileName(), 0) {
		a, b := float64(len(s.a))/float64(c.A.Scored), float64(len(s.b))/float64(c.B.Scored)
		if len(s.a) > 0 && len(s.b) > 0 && math.Abs(a-b) > 0.05 {
			add(true, "%s is %.0f %% of A and %.0f %% of B, so the difference may come from the files; --by file "+
				"compares file with file.", ui.Visible(s.file), 100*a, 100*b)
			break
		}
	}
	return list
}

// Difference is one thing in which the two runs were made differently.
type Difference struct {
	What string `json:"what"` // such as "rubric.weights.Empathy"
	A    string `json:"a"`    // empty for none
	B    string `json:"b"`
}

// differs reports whether the runs were made differently in something whose name begins with one of the prefixes.
func (c *Comparison) differs(prefixes ...string) bool {
	return slices.ContainsFunc(c.Different, func(d Difference) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(d.What, p) })
	})
}

// differences lists in what two headers differ: their members as JSON has them, those of the rubric down to its levels.
func differences(a, b run.Header) []Difference {
	list := []Difference{}
	for _, part := range []struct {
		what  string
		depth int
		a, b  any
	}{
		{"program", 0, a.Program, b.Program}, {"lexicon", 0, a.Lexicon, b.Lexicon},
		{"rubric", 3, json.RawMessage(a.Basis.Rubric.AppendJSON(nil)), json.RawMessage(b.Basis.Rubric.AppendJSON(nil))},
		{"profile", 1, a.Basis.Profile, b.Basis.Profile}, {"configuration", 1, a.Configuration, b.Configuration},
		{"model", 1, a.Model, b.Model},
	} {
		ma, mb := map[string]string{}, map[string]string{}
		flatten(ma, part.what, part.depth, part.a)
		flatten(mb, part.what, part.depth, part.b)
		both := maps.Clone(ma)
		maps.Copy(both, mb)
		delete(both, "configuration.mapping") // the rubric's, again
		for _, what := range slices.Sorted(maps.Keys(both)) {
			if ma[what] != mb[what] {
				list = append(list, Difference{what, ma[what], mb[what]})
			}
		}
	}
	return list
}

// flatten fills in the members of a value as JSON has it by their paths, down to a depth.
func flatten(into map[string]string, path string, depth int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // headers are structs of strings, numbers and lists
	}
	var members map[string]json.RawMessage
	var text string
	var words []string
	switch {
	case string(data) == "null":
	case json.Unmarshal(data, &text) == nil:
		into[path] = text
	case depth > 0 && json.Unmarshal(data, &members) == nil:
		for name, member := range members {
			flatten(into, path+"."+name, depth-1, member)
		}
	case json.Unmarshal(data, &words) == nil:
		into[path] = strings.Join(words, ", ")
	default:
		if into[path] = string(data); strings.HasPrefix(path, "rubric.weights.") {
			into[path] += " %"
		}
	}
}
