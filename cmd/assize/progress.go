package main

import (
	"fmt"
	"os"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
)

// watched reports whether a person looks at standard error.
func (p *program) watched() bool { return ui.OnTerminal(p.stderr) }

// onTerminal reports whether a person looks at standard output.
func (p *program) onTerminal() bool { return ui.OnTerminal(p.stdout) }

// colored reports whether what goes to standard output is to be in colour.
func (p *program) colored(when string) bool {
	return when == "always" || when == "auto" && os.Getenv("NO_COLOR") == "" && p.onTerminal()
}

// page makes a page for standard output.
func (p *program) page(color string) ui.Page { return ui.NewPage(p.stdout, p.colored(color)) }

// asked gives the progress of work that shows nothing before its end, such as asking a model.
func (p *program) asked() ui.Progress {
	pace := ui.LogPace
	if p.watched() {
		pace = ui.TerminalPace
	}
	return ui.NewProgress(p.stderr, pace, p.note)
}

// paced gives the progress of a batch: for a person who looks at standard error and does not see the results as they
// come, or for a log where the results go to a file.
func (p *program) paced(output string) ui.Progress {
	if toStdout := output == "" || output == stdinName; toStdout && (p.onTerminal() || !p.watched()) {
		return ui.Progress{}
	}
	return p.asked()
}

// step reports how far a model is, of a number of dialogues; 0 where that is not known.
func (p *program) step(u *judge.Usage, of int) {
	if u.Asked > 0 && p.progress.Due() {
		p.progress.Tell(ui.Pace(u.Asked, of, u.Asked, u.Busy))
	}
}

// reads reports how many dialogues a command has read that shows its results at the end.
func (p *program) reads(dialogues int) {
	if p.progress.Due() {
		p.progress.Tell(ui.Counted(dialogues, "dialogue") + " read")
	}
}

func (p *program) clear() { p.progress.Clear() }

// reportUsage tells what a model has done, and warns where that means little.
func (p *program) reportUsage(u *judge.Usage, m *localllm.Model) {
	if u.Asked > 0 {
		p.note(u.Text(m.Identity().Name))
	}
	if n, constant := m.Constant(); constant {
		p.note(fmt.Sprintf("the model gave all %d dialogues the same six scores, which say nothing about them; "+
			"assize explain constant", n))
	}
	switch {
	case u.Unscored == 0:
	case u.Unscored == u.Dialogues:
		err := fmt.Errorf("the model judged none of the %s; the results hold the reasons",
			ui.Counted(u.Dialogues, "dialogue"))
		p.complain(withHints(err, "--fallback rules lets the rules judge instead"))
	default:
		p.note(fmt.Sprintf("the model did not judge %d of %d dialogues, which %s unscored", u.Unscored, u.Dialogues,
			is(u.Unscored)))
	}
}
