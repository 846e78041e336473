package main

import (
	"fmt"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
)

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
	toStdout := output == "" || output == stdinName
	switch seen := toStdout && p.onTerminal(); {
	case p.watched() && !seen:
		return ui.NewProgress(p.stderr, ui.TerminalPace, p.note)
	case !p.watched() && !toStdout:
		return ui.NewProgress(p.stderr, ui.LogPace, p.note)
	}
	return ui.Progress{}
}

// watched reports whether a person looks at standard error.
func (p *program) watched() bool { return ui.OnTerminal(p.stderr) }

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
	if u.Dialogues == 0 {
		return
	}
	if u.Asked > 0 {
		p.note(u.Text(m.Identity().Name))
	}
	if n, constant := m.Constant(); constant {
		p.note(fmt.Sprintf("the model gave all %d dialogues the same six scores, so it tells nothing; assize explain constant", n))
	}
	switch {
	case u.Unscored == u.Dialogues:
		p.complain(withHints(fmt.Errorf("the model judged none of the %s; the results hold the reasons", ui.Counted(u.Dialogues, "dialogue")),
			"--fallback rules lets the rules judge instead"))
	case u.Unscored > 0:
		p.note(fmt.Sprintf("the model did not judge %d of %d dialogues, which %s unscored", u.Unscored, u.Dialogues, is(u.Unscored)))
	}
}
