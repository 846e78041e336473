package main

import (
	"fmt"
	"os"

	"golang.org/x/term"

	"assize/cmd/assize/internal/report"
)

// pace is a line on the terminal that tells how far a slow run has come. The zero pace shows nothing.
type pace struct {
	shows, stands bool // whether it may be shown; whether it stands on the terminal now
}

// paced gives the pace of a run: shown where a person looks at standard error, and does not see the results as they come.
func (p *program) paced(output string) pace {
	out, ok := p.stdout.(*os.File)
	seen := (output == "" || output == stdinName) && ok && term.IsTerminal(int(out.Fd()))
	return pace{shows: p.watched() && !seen}
}

// step tells how long a model takes.
func (p *program) step(t *benchTally) {
	if t.now > 0 {
		p.put(fmt.Sprintf("%s, %.1f s each", report.Counted(t.now, "dialogue"), t.busy.Seconds()/float64(t.now)))
	}
}

// put puts the line anew. What does not fit is cut off: a second line could not be taken away.
func (p *program) put(line string) {
	if p.pace.shows {
		p.pace.stands = true
		fmt.Fprintf(p.stderr, "\r\x1b[K%s", report.Clip(report.Visible(line), p.width()-1))
	}
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
