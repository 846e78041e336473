package summary

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

// add adds a dialogue in which the USER answers every SYSTEM turn; points are those of the SYSTEM
// turns.
func add(c *Course, points ...rubric.Hundredths) {
	var d dialogue.Dialogue
	var all []rubric.Hundredths
	for _, p := range points {
		d.Turns = append(d.Turns, dialogue.Turn{Role: dialogue.System, Text: "x"},
			dialogue.Turn{Role: dialogue.User, Text: "y"})
		all = append(all, p, 0)
	}
	c.Add(d, all)
}

// The SYSTEM's last turn does not count if the USER does not answer it.
func TestCourseLeavesOutTheLastWord(t *testing.T) {
	var with, without Course
	add(&without, 100, 0, -200)
	turns := []dialogue.Turn{{Role: dialogue.System}, {Role: dialogue.User},
		{Role: dialogue.System}, {Role: dialogue.User}, {Role: dialogue.System},
		{Role: dialogue.User}, {Role: dialogue.System}, {Role: dialogue.Other},
		{Role: dialogue.System}}
	with.Add(dialogue.Dialogue{Turns: turns}, []rubric.Hundredths{100, 0, 0, 0, -200, 0, 400, 0,
		400})
	assert.Equal(t, without, with)
}

// With 20 turns, every part is the mean of two; with five, every turn covers two parts.
func TestCourse(t *testing.T) {
	var c Course
	points := make([]rubric.Hundredths, 20)
	points[0], points[1], points[19] = -100, -300, 400
	add(&c, points...)
	assert.Equal(t, []float64{-2, 0, 0, 0, 0, 0, 0, 0, 0, 2}, means(&c))

	c = Course{}
	add(&c, 100, 0, -200, 0, 50)
	assert.Equal(t, []float64{1, 1, 0, 0, -2, -2, 0, 0, .5, .5}, means(&c))

	add(&c, 0, 0, 0, 0, 0)
	assert.Equal(t, []float64{.5, .5, 0, 0, -1, -1, 0, 0, .25, .25}, means(&c),
		"every dialogue counts the same")
	add(&c, -400, -400)
	assert.Equal(t, 2, c.N, "two turns have no middle")
}

func TestOfSystem(t *testing.T) {
	d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: "a"},
		{Role: dialogue.System, Text: "b"}, {Role: dialogue.System, Text: "c"}}}
	assert.Equal(t, []rubric.Hundredths{0, 10}, systemPoints(d, []rubric.Hundredths{-50, 0, 10}))
}
