package overview

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Parts is how many parts of equal length dialogues are cut into to be laid over each other.
const Parts = 10

// fewestTurns is how many turns of the SYSTEM a dialogue must have to have a beginning, a middle and an end.
const fewestTurns = 3

// Course is where dialogues go well and where they go wrong: the points of the friction map, part by part.
type Course struct {
	N   int // dialogues
	sum [Parts]float64
}

// add takes in the points of a dialogue's turns of the SYSTEM. Every dialogue counts the same: a part of it has the mean
// of its turns, and where there are fewer turns than parts, the points of the turn that reaches over the part.
func (c *Course) add(points []rubric.Hundredths) {
	n := len(points)
	if n < fewestTurns {
		return
	}
	c.N++
	for k := range Parts {
		from := k * n / Parts
		to := max((k+1)*n/Parts, from+1)
		sum := 0
		for _, p := range points[from:to] {
			sum += int(p)
		}
		c.sum[k] += float64(sum) / float64(100*(to-from))
	}
}

// Mean gives the mean points of a part, from 0.
func (c *Course) Mean(part int) float64 { return c.sum[part] / float64(max(c.N, 1)) }

// Courses are those of dialogues that fall below 60, and of the rest.
type Courses struct{ Below, Rest Course }

func (c *Courses) add(e *rubric.Evaluation, points []rubric.Hundredths) {
	course := &c.Rest
	if e.Overall < 60 {
		course = &c.Below
	}
	course.add(bySystem(e.Dialogue, points))
}

// bySystem picks the points of the SYSTEM's turns. Of a record that keeps only cited turns, those turns are taken for
// the SYSTEM's that have points.
func bySystem(d dialogue.Dialogue, points []rubric.Hundredths) []rubric.Hundredths {
	var of []rubric.Hundredths
	for i, t := range d.Turns {
		if t.Role == dialogue.System || points[i] != 0 {
			of = append(of, points[i])
		}
	}
	return of
}
