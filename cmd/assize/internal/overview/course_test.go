package overview

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
	"assize/rubric/dialogue"
)

func means(c *Course) (list []float64) {
	for part := range Parts {
		list = append(list, c.Mean(part))
	}
	return list
}

// Of 20 turns every part has two, and their mean; of five, every turn reaches over two parts.
func TestCourse(t *testing.T) {
	var c Course
	points := make([]rubric.Hundredths, 20)
	points[0], points[1], points[19] = -100, -300, 400
	c.add(points)
	assert.Equal(t, []float64{-2, 0, 0, 0, 0, 0, 0, 0, 0, 2}, means(&c))

	c = Course{}
	c.add([]rubric.Hundredths{100, 0, -200, 0, 50})
	assert.Equal(t, []float64{1, 1, 0, 0, -2, -2, 0, 0, .5, .5}, means(&c))

	c.add([]rubric.Hundredths{0, 0, 0, 0, 0})
	assert.Equal(t, []float64{.5, .5, 0, 0, -1, -1, 0, 0, .25, .25}, means(&c), "every dialogue counts the same")
	c.add([]rubric.Hundredths{-400, -400})
	assert.Equal(t, 2, c.N, "two turns have no middle")
}

func TestBySystem(t *testing.T) {
	d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: "a"}, {Role: dialogue.System, Text: "b"}, {}, {Role: dialogue.System, Text: "c"}}}
	assert.Equal(t, []rubric.Hundredths{0, -50, 10}, bySystem(d, []rubric.Hundredths{0, 0, -50, 10}))
}

func TestCourses(t *testing.T) {
	var c Courses
	e := scored(1, 300, 20, 20).Evaluation
	e.Dialogue.Turns = make([]dialogue.Turn, 0)
	for range 3 {
		e.Dialogue.Turns = append(e.Dialogue.Turns, dialogue.Turn{Role: dialogue.System, Text: "x"})
	}
	c.add(e, make([]rubric.Hundredths, 3))
	e.Overall = 60
	c.add(e, make([]rubric.Hundredths, 3))
	c.add(e, make([]rubric.Hundredths, 3))
	assert.Equal(t, 1, c.Below.N)
	assert.Equal(t, 2, c.Rest.N)
}

func TestCourt(t *testing.T) {
	var c Court
	e := &rubric.Evaluation{}
	for i := range e.Rulings {
		e.Rulings[i] = rubric.Ruling{ID: rubric.Agreed, Before: 60, After: 60}
	}
	e.Rulings[0] = rubric.Ruling{ID: rubric.Contradicted, Before: 60, After: 40}
	e.Rulings[1] = rubric.Ruling{ID: rubric.Contradicted, Before: 60, After: 80}
	e.Rulings[2] = rubric.Ruling{ID: rubric.Ambiguous, Before: 60, After: 60}
	c.add(e)
	total := c.Total()
	assert.Equal(t, []int{6, 3, 2, 1, 1}, []int{total.N(), total.Objections(), total.Changed(), total.Raised, total.Lowered})
	assert.Equal(t, 1, c.Criteria[0].Lowered)
}

func TestBench(t *testing.T) {
	var b Bench
	r := scored(1, 300, 60, 60)
	b.add(r)
	assert.Zero(t, b.Checked, "no model was asked")
	k, err := rubric.Default().CrossCheck([6]rubric.Score{100, 60, 80, 60, 60, 60}, [6]rubric.Score{20, 60, 60, 60, 60, 60})
	assert.NoError(t, err)
	r.CrossCheck = &k // 40 % of four levels and 15 % of one: 1.75 apart
	b.add(r)
	assert.Equal(t, Verdicts{4, 1, 1}, b.Total())
	assert.Equal(t, [numApart]int{3: 1}, b.Apart)
}
