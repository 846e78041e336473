package judge

import (
	"fmt"
	"time"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
)

// Usage counts what a model has done in a run.
type Usage struct {
	Dialogues, Unscored int // of the whole run: those that it was asked about, and those of them that it left unscored
	Asked               int // dialogues in this session; the rest is about these
	Calls, Cached       int
	Read, Generated     int // tokens
	Busy                time.Duration
	Fallback            int            // dialogues in which the rules replaced the model
	Failures            map[string]int // answers by the kind of their failure
	Flags               map[string]int // dialogues by what makes the model's scores doubtful, see [localllm.Account]
}

// Add counts a record; now tells whether it was judged in this session.
func (u *Usage) Add(r *run.Record, now bool) {
	if len(r.Fallback) > 0 {
		u.Fallback++
	}
	if r.Model == nil {
		return
	}
	if u.Failures == nil {
		u.Failures, u.Flags = map[string]int{}, map[string]int{}
	}
	u.Dialogues++
	if !r.Scored() {
		u.Unscored++
	}
	if !now {
		return
	}
	u.Asked++
	for _, c := range r.Model.Calls {
		u.Calls++
		u.Read += c.PromptTokens
		u.Generated += c.Generated
		if c.Failure != "" {
			u.Failures[string(c.Failure)]++
		}
	}
	for _, f := range r.Model.Flags {
		u.Flags[f]++
	}
	u.Busy += r.Model.Timings.Primed
	for _, c := range r.Model.Timings.Calls {
		u.Busy += c.Total
		if c.Cached {
			u.Cached++
		}
	}
}

// Work gives the calls and the tokens in words.
func (u *Usage) Work() string {
	return fmt.Sprintf("%s, %d tokens read and %d generated", ui.Counted(u.Calls, "call"), u.Read, u.Generated)
}

// Text sums up what the model took, in words; it must have been asked about a dialogue.
func (u *Usage) Text(model string) string {
	s := fmt.Sprintf("%s: %s, %s, %.1f s (%.1f per dialogue)", model, ui.Counted(u.Asked, "dialogue"), u.Work(),
		u.Busy.Seconds(), u.Busy.Seconds()/float64(u.Asked))
	if u.Cached > 0 {
		s += fmt.Sprintf("; %d answers from the cache", u.Cached)
	}
	return s
}

// ShowProgress shows how far a model is, of a number of dialogues; 0 where that is not known.
func (u *Usage) ShowProgress(c *console.Console, of int) {
	if u.Asked > 0 && c.Progress.Due() {
		c.Progress.Tell(ui.Pace(u.Asked, of, u.Asked, u.Busy))
	}
}

// Tell tells what a model has done, and warns where that means little.
func (u *Usage) Tell(c *console.Console, m *localllm.Model) {
	if u.Asked > 0 {
		c.Note(u.Text(m.Identity().Name))
	}
	if n, constant := m.Constant(); constant {
		c.Note(fmt.Sprintf("the model gave all %d dialogues the same six scores, which say nothing about them; "+
			"assize explain constant", n))
	}
	switch {
	case u.Unscored == 0:
	case u.Unscored == u.Dialogues:
		err := fmt.Errorf("the model judged none of the %s; the results hold the reasons",
			ui.Counted(u.Dialogues, "dialogue"))
		c.Complain(console.Hint(err, "--fallback rules lets the rules judge instead"))
	default:
		c.Note(fmt.Sprintf("the model did not judge %d of %d dialogues, which %s unscored", u.Unscored, u.Dialogues,
			ui.Is(u.Unscored)))
	}
}
