package console

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/terminal/ui"
)

func TestProgressOnATerminal(t *testing.T) {
	var w bytes.Buffer
	p := progress{console: &Console{Err: &w}, onTerminal: true, pace: time.Minute, last: time.Now()}
	assert.False(t, p.Due(), "it is too early")
	p.Clear()
	assert.Empty(t, w.String(), "there is nothing to remove")
	p.Print("1 dialogue")
	p.Print(strings.Repeat("x", 200) + "\n")
	p.Clear()
	p.Clear()
	assert.Equal(t, "\r\x1b[K1 dialogue\r\x1b[K"+strings.Repeat("x", 78)+"…\r\x1b[K", w.String(),
		"what does not fit is cut off")
}

func TestProgressInALog(t *testing.T) {
	var w bytes.Buffer
	c := Console{Err: &w}
	assert.False(t, c.Progress.Due(), "the zero value is silent")
	c.ShowProgress()
	c.Progress.last = time.Now().Add(-time.Hour)
	assert.True(t, c.Progress.Due())
	assert.False(t, c.Progress.Due(), "the time until the next one begins again")
	c.Progress.Print("36000 dialogues")
	c.Progress.Clear()
	assert.Equal(t, "assize: 36000 dialogues\n", w.String())
	assert.False(t, ui.OnTerminal(&w))
}
