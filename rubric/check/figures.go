package check

import "assize/rubric"

// average holds the numeric_weighted_average of a card against its scores.
func (x *exam) average(c *card) {
	n, path := c.node.get("numeric_weighted_average"), c.path+"/numeric_weighted_average"
	if n == nil || !c.scored {
		return
	}
	f, isNumber := n.float()
	if isNumber && agrees(f, c.average) {
		return
	}
	want := c.average.String()
	if isNumber {
		x.addNode(n, Finding{
			ID: "average-wrong", Severity: Error, Path: path, Want: want,
			Message: "the weighted average of the scores is " + want + ", not " + n.text,
		})
	}
	x.replace(n, path, want)
}

// overall holds the OverallExperience, the number n, against the average of the scores. printed is the
// average as the document has it; nil where it has none.
func (x *exam) overall(n *node, path string, c *card, printed *node) {
	if n == nil || !c.scored {
		return
	}
	want, got := x.Rubric.Mapping.Overall(c.average), onScale(n)
	if got == want {
		return
	}
	if got != 0 {
		x.addNode(n, Finding{
			ID: "overall-wrong", Severity: Error, Path: path, Want: want.String(),
			Message: x.overallWrong(c.average, want, got, printed),
		})
	}
	x.replace(n, path, want.String())
}

// overallWrong tells what is wrong with an OverallExperience, and where it may come from.
func (x *exam) overallWrong(average rubric.Hundredths, want, got rubric.Score, printed *node) string {
	m := x.Rubric.Mapping
	msg := "the weighted average " + average.String() + " maps to " + want.String() + " under " + m.String() + ", not to " + got.String()
	if other := rubric.Down + rubric.Nearest - m; other.Overall(average) == got {
		return msg + ", which " + other.String() + " gives"
	}
	if f, ok := printed.float(); ok && !agrees(f, average) && f >= 0 && f <= 100 && m.Overall(rubric.Hundredths(f*100)) == got {
		return msg + ", which follows from the wrong average " + printed.text
	}
	return msg + ", which no mapping gives"
}

// settled gives the evaluation of the final scores, whose figures and audit are as they should be.
func (x *exam) settled(c *card) *rubric.Evaluation {
	e := &rubric.Evaluation{Rubric: x.Rubric, Average: c.average, Overall: x.Rubric.Mapping.Overall(c.average)}
	for i := range c.ratings {
		e.Final[i].Score = c.ratings[i].score
		e.Rulings[i] = rubric.Ruling{ID: rubric.Agreed, Ground: rubric.NoObjection}
	}
	return e
}

// quoted gives a text as a JSON string.
func quoted(s string) string { return string(rubric.AppendString(nil, []byte(s))) }
