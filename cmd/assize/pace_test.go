package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPaceIsWipedBeforeANote(t *testing.T) {
	var stderr bytes.Buffer
	p := program{stderr: &stderr, pace: pace{shows: true}}
	tally := benchTally{}
	p.step(&tally)
	assert.Empty(t, stderr.String(), "nothing is done yet")
	tally.now = 1
	p.step(&tally)
	p.note("something")
	p.note("else")
	p.clear()
	assert.Equal(t, "\r\x1b[K1 dialogue, 0.0 s each\r\x1b[Kassize: something\nassize: else\n", stderr.String())
}

func TestPaceIsForATerminal(t *testing.T) {
	p := program{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	assert.False(t, p.paced("run.jsonl").shows, "a log needs no progress")
	assert.Zero(t, p.pace)
}
