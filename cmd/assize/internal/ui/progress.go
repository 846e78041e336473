package ui

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// How often a person at a terminal and a log are told how far the work is.
const (
	TerminalPace = 100 * time.Millisecond
	LogPace      = 30 * time.Second
)

// Progress tells how far slow work has come: on a terminal in a line that is replaced, in a log in plain lines. The
// zero Progress is silent.
type Progress struct {
	Pace  time.Duration // the least time between two reports; 0 for none at all
	Last  time.Time     // of the last report, or the beginning
	w     io.Writer
	plain func(string) // writes a line of a log
	shown bool         // a line is on the terminal now
}

// NewProgress makes a Progress that reports to w, at the pace of a terminal or a log. plain writes a line of a log.
func NewProgress(w io.Writer, pace time.Duration, plain func(string)) Progress {
	return Progress{Pace: pace, Last: time.Now(), w: w, plain: plain}
}

// Due reports whether it is time for a report, and starts the time until the next one.
func (p *Progress) Due() bool {
	now := time.Now()
	if p.Pace == 0 || now.Sub(p.Last) < p.Pace {
		return false
	}
	p.Last = now
	return true
}

// Tell replaces the line on the terminal, or adds one to the log. What does not fit the terminal is cut off: a second
// line could not be replaced.
func (p *Progress) Tell(s string) {
	if p.Pace != TerminalPace {
		p.plain(s)
		return
	}
	page := NewPage(p.w, false)
	p.shown = true
	fmt.Fprintf(p.w, "\r\x1b[K%s", Clip(Visible(s), page.Columns()-1))
}

// Clear removes the line from the terminal, so that something else can be written.
func (p *Progress) Clear() {
	if p.shown {
		p.shown = false
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// OnTerminal reports whether a person sees on a terminal what is written to w.
func OnTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Pace says how far work is: "10 of 30 dialogues, 2 a second, 5.0 s left". Now of those that are done took the time
// that has elapsed. A total of 0 is not known.
func Pace(done, total, now int, elapsed time.Duration) string {
	s := Counted(done, "dialogue")
	if total > 0 {
		s = fmt.Sprintf("%d of %s", done, Counted(total, "dialogue"))
	}
	if now > 0 && elapsed > 0 {
		s += ", " + Rate(now, elapsed)
		if left := total - done; left > 0 {
			s += ", " + Duration(elapsed.Seconds()/float64(now)*float64(left)) + " left"
		}
	}
	return s
}

// Duration gives seconds as precisely as a reader wants to know them: "12.3 s", "5 min", "1.5 h".
func Duration(seconds float64) string {
	switch {
	case seconds < 100:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 100*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}

// Rate says how fast n things were done: "3.2 s each", "840 a second".
func Rate(n int, elapsed time.Duration) string {
	if each := elapsed / time.Duration(n); each >= time.Second {
		return fmt.Sprintf("%.1f s each", each.Seconds())
	}
	return fmt.Sprintf("%.0f a second", float64(n)/elapsed.Seconds())
}
