package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Review is one person's review of a dialogue. Its tags define its form in the HTTP API.
type Review struct {
	Identity Identity `json:"dialogue"` // of the dialogue
	// the name and file of the dialogue, set when reading
	Name     string    `json:"-"`
	File     string    `json:"-"`
	Reviewer string    `json:"reviewer"`
	At       time.Time `json:"at"`
	// 1 to 5; 0 if not rated
	Satisfaction int                          `json:"satisfaction,omitzero"`
	Verdicts     map[rubric.Criterion]Verdict `json:"verdicts,omitempty"`
	Answers      map[string]Opinion           `json:"answers,omitempty"` // by question
	Note         string                       `json:"note,omitempty"`
	Flag         bool                         `json:"flag,omitzero"`
	Blind        bool                         `json:"blind,omitzero"` // saw no scores
}

// Verdict is a person's judgement of the score on a criterion.
type Verdict struct {
	// the level it should have, which is the score itself if Agree; 0 if none
	Level  rubric.Score `json:"level,omitzero"`
	Agree  bool         `json:"agree,omitzero"`
	Reason string       `json:"reason,omitempty"`
}

// Opinion is a person's answer to a question of a scorecard.
type Opinion struct {
	Answer rubric.Answer `json:"answer,omitzero"` // yes, no or n/a; "" for none
	Agree  bool          `json:"agree,omitzero"`  // the answer is that of the scorecard
	Reason string        `json:"reason,omitempty"`
}

// Empty reports whether the review has no content.
func (r *Review) Empty() bool {
	return r.Satisfaction == 0 && len(r.Verdicts) == 0 && len(r.Answers) == 0 && r.Note == "" &&
		!r.Flag
}

// Short returns the review in a few words, such as "ann 2 ⚑".
func (r Review) Short() string {
	s := r.Reviewer
	if r.Satisfaction > 0 {
		s += fmt.Sprintf(" %d", r.Satisfaction)
	}
	if r.Flag {
		s += " ⚑"
	}
	return s
}

// Says returns the verdicts on criteria, the answers and the note in words, safe to display.
func (r Review) Says() (list []string) {
	say := func(verdict string, agrees bool, reason string) {
		if agrees {
			verdict += ", agrees"
		}
		if reason != "" {
			verdict += ": " + reason
		}
		list = append(list, ui.Visible(verdict))
	}
	for _, c := range rubric.Criteria() {
		if v, is := r.Verdicts[c]; is && v.Level > 0 {
			say(fmt.Sprintf("%s %d", ui.Name(c.String()), v.Level), v.Agree, v.Reason)
		} else if is {
			say(ui.Name(c.String()), v.Agree, v.Reason)
		}
	}
	for _, q := range slices.Sorted(maps.Keys(r.Answers)) {
		a := r.Answers[q]
		say(strings.TrimSpace(q+" "+string(a.Answer)), a.Agree, a.Reason)
	}
	if r.Note != "" {
		list = append(list, ui.Visible(r.Note))
	}
	return list
}
