package ui_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/terminal/ui"
)

func TestDurationAndRate(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0.0 s", 99.94: "99.9 s", 100: "2 min",
		5940: "99 min", 6000: "1.7 h"} {
		assert.Equal(t, want, ui.Duration(seconds))
	}
	assert.Equal(t, "100.0 s each", ui.Rate(2, 200*time.Second))
	assert.Equal(t, "10 a second", ui.Rate(10, time.Second))
	assert.Equal(t, "0 dialogues", ui.Pace(0, 0, 0, 0))
	assert.Equal(t, "10 dialogues, 2 a second", ui.Pace(10, 0, 10, 5*time.Second),
		"the total is unknown")
	assert.Equal(t, "10 of 3000 dialogues, 5.0 s each, 4.2 h left",
		ui.Pace(10, 3000, 10, 50*time.Second))
	assert.Equal(t, "110 of 120 dialogues, 2 a second, 5.0 s left",
		ui.Pace(110, 120, 10, 5*time.Second))
}
