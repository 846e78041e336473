package summary

import (
	"errors"
	"time"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/localllm"
)

// Usage counts a model's work in a run.
type Usage struct {
	// in the whole run: dialogues about which it was asked, and those of them left unscored
	Dialogues, Unscored     int
	Judged                  int // dialogues in this session, as in the following fields
	Calls, Cached           int
	PromptTokens, Generated int // tokens
	ServerTime              time.Duration
	Fallback                int            // dialogues in which the rules replaced the model
	Failures                map[string]int // failed answers by kind
	// dialogues by reason to doubt the model's scores, see [localllm.Account]
	Flags map[string]int
}

// Add counts a record; now reports whether it was judged in this session.
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
	u.Judged++
	for _, c := range r.Model.Calls {
		u.Calls++
		u.PromptTokens += c.PromptTokens
		u.Generated += c.Generated
		if c.Failure != "" {
			u.Failures[string(c.Failure)]++
		}
	}
	for _, f := range r.Model.Flags {
		u.Flags[f]++
	}
	u.ServerTime += r.Model.Timings.Spent()
	for _, c := range r.Model.Timings.Calls {
		if c.Cached {
			u.Cached++
		}
	}
}

// Work returns the calls and tokens in words.
func (u *Usage) Work() string { return texts.Say("work", u) }

// Text summarises the model's work in words; it must have been asked about at least one dialogue.
func (u *Usage) Text(model string) string {
	seconds := u.ServerTime.Seconds()
	return texts.Say("usage", struct {
		*Usage
		Name          string
		Seconds, Each float64
	}{u, model, seconds, seconds / float64(u.Judged)})
}

// Report reports a model's work, and warns if its scores are unreliable.
func (u *Usage) Report(c *console.Console, m *localllm.Model) {
	if u.Judged > 0 {
		c.Advise(u.Text(m.Identity().Name))
	}
	if n, constant := m.Constant(); constant {
		c.Note(texts.Say("constant", n))
	}
	switch said := texts.Say("unscored", u); u.Unscored {
	case 0:
	case u.Dialogues:
		c.Complain(console.Hint(errors.New(said), texts.Text("fallback")))
	default:
		c.Note(said)
	}
}
