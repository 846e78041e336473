package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"assize/cmd/assize/internal/report"
)

// pace tells how far a slow run has come: in a line on the terminal that is put anew, or in plain lines, for a log. The
// zero pace tells nothing.
type pace struct {
	shows, stands bool          // whether the line may be shown; whether it stands on the terminal now
	every         time.Duration // between two times of telling at least
	told          time.Time
}

// How often a person and a log are told.
const (
	everyGlance = 100 * time.Millisecond
	everyEntry  = 30 * time.Second
)

// at gives a pace that begins now, for a person who looks or for a log.
func at(every time.Duration) pace {
	return pace{shows: every == everyGlance, every: every, told: time.Now()}
}

// asked gives the pace of what shows nothing before its end, such as a model that is asked about one dialogue after the
// other.
func (p *program) asked() pace {
	if p.watched() {
		return at(everyGlance)
	}
	return at(everyEntry)
}

// due reports whether it is time to tell, from which on it is told.
func (p *pace) due() bool {
	now := time.Now()
	if p.every == 0 || now.Sub(p.told) < p.every {
		return false
	}
	p.told = now
	return true
}

// paced gives the pace of a run: for a person who looks at standard error, and does not see the results as they come, or
// else for a log, where they go to a file.
func (p *program) paced(output string) pace {
	out, ok := p.stdout.(*os.File)
	shown := output == "" || output == stdinName
	switch seen := shown && ok && term.IsTerminal(int(out.Fd())); {
	case p.watched() && !seen:
		return at(everyGlance)
	case !p.watched() && !shown:
		return at(everyEntry)
	}
	return pace{}
}

// step tells how long a model takes, and of how many dialogues it has judged those; 0 where that is not known.
func (p *program) step(t *benchTally, of int) {
	if t.now == 0 || !p.pace.due() {
		return
	}
	says, each := report.Counted(t.now, "dialogue"), t.busy.Seconds()/float64(t.now)
	if of > 0 {
		says = fmt.Sprintf("%d of %s", t.now, report.Counted(of, "dialogue"))
	}
	says += fmt.Sprintf(", %.1f s each", each)
	if left := of - t.now; left > 0 {
		says += ", " + span(each*float64(left)) + " left"
	}
	p.tell(says)
}

// reads tells how much a command has read that shows what comes of it at the end.
func (p *program) reads(dialogues int) {
	if p.pace.due() {
		p.tell(report.Counted(dialogues, "dialogue") + " read")
	}
}

// tell puts the line on the terminal, or a plain one into the log.
func (p *program) tell(says string) {
	if p.pace.shows {
		p.put(says)
	} else {
		p.note(says)
	}
}

// put puts the line anew. What does not fit is cut off: a second line could not be taken away.
func (p *program) put(line string) {
	p.pace.stands = true
	fmt.Fprintf(p.stderr, "\r\x1b[K%s", report.Clip(report.Visible(line), p.width()-1))
}

// width is how many columns the terminal has.
func (p *program) width() int {
	if f, ok := p.stderr.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 1 {
			return columns
		}
	}
	return report.Columns
}

// clear takes the line away, so that something else can be told.
func (p *program) clear() {
	if p.pace.stands {
		p.pace.stands = false
		fmt.Fprint(p.stderr, "\r\x1b[K")
	}
}
