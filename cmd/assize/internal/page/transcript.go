package page

import (
	"encoding/json"
	"fmt"
	"strings"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// transcript is a dialogue in full: what was said, and how the panel judged it.
type transcript struct {
	Place    int         `json:"n"` // of the dialogue among all
	Turns    []turn      `json:"turns"`
	Scores   []judgement `json:"scores"`            // none where the dialogue is unscored
	Because  []statement `json:"because,omitempty"` // what lowered and raised satisfaction most
	Warnings []string    `json:"warnings,omitempty"`
	Dialogue *listed     `json:"-"` // for readers without scripts
}

// turn is something that was said. One that is not kept has no role, and stands for those that follow as well.
type turn struct {
	Number int               `json:"n"`
	Role   string            `json:"role,omitempty"`
	Points rubric.Hundredths `json:"points,omitempty"` // its friction
	Text   string            `json:"text,omitempty"`
}

// judgement is what was decided on a criterion.
type judgement struct {
	Criterion string       `json:"criterion"`
	Before    rubric.Score `json:"before"`
	After     rubric.Score `json:"after"`
	Ruling    string       `json:"ruling"`
	Says      []statement  `json:"says"`
	Check     string       `json:"check,omitempty"`  // how far the rules agree with the model
	People    string       `json:"people,omitempty"` // what people would give by the profile
}

// statement is what an agent says about a criterion.
type statement struct {
	Who      string       `json:"who,omitempty"`
	Score    rubric.Score `json:"score,omitempty"`
	Followed bool         `json:"followed"` // the Referee followed it
	Claim    string       `json:"claim"`
	Quotes   []quote      `json:"quotes"`
}

// quote is evidence, which the script marks in its turn.
type quote struct {
	Turn int    `json:"turn"`
	Role string `json:"role,omitempty"`
	Text string `json:"text"`
}

// The most that the transcripts of a page take, and one alone, in bytes. A dialogue that does not fit is shown by its
// numbers only.
const (
	mostPage     = 4 << 20
	mostDialogue = 400 << 10
)

// transcripts makes those that there is room for, which it counts down.
func (p *Page) transcripts(chosen []kept, room *int) (list []transcript) {
	for _, k := range chosen {
		t := newTranscript(k.record)
		t.Place, t.Dialogue = k.row.Place, &p.listed[k.row.Place]
		written, _ := json.Marshal(t) // cannot fail: there are only strings and numbers
		if len(written) <= min(*room, mostDialogue) {
			*room -= len(written)
			list = append(list, t)
		}
	}
	return list
}

func newTranscript(r *run.Record) transcript {
	t := transcript{Scores: []judgement{}}
	for _, s := range r.Remarks() {
		t.Warnings = append(t.Warnings, ui.Visible(s))
	}
	if !r.Scored() {
		t.Warnings = append(t.Warnings, ui.Visible("Unscored: "+r.Reason+"."))
		t.Turns = turns(r.Dialogue, nil)
		return t
	}
	for _, why := range r.Reasons {
		said, _ := r.Dialogue.Turn(why.Turn)
		t.Because = append(t.Because, statement{Followed: true, Claim: explain.Sentence(ui.Visible(why.String())),
			Quotes: []quote{{why.Turn, said.Role.String(), shown(why.Quote)}}})
	}
	for _, c := range rubric.Criteria() {
		j := newJudgement(r.Evaluation, c)
		if r.CrossCheck != nil {
			k := r.CrossCheck.Criteria[c]
			j.Check = fmt.Sprintf("cross-check: model %d, rules %d, %s", k.Model, k.Rules, k.Verdict())
		}
		if est, ok := r.PeopleEstimates[c.String()]; ok {
			j.People = fmt.Sprintf("people would give %s of 5, by the profile", est)
		}
		t.Scores = append(t.Scores, j)
	}
	t.Turns = turns(r.Dialogue, summary.Friction(r.Evaluation))
	return t
}

// newJudgement gives what the Evaluator says about a criterion and the Critic against it.
func newJudgement(e *rubric.Evaluation, c rubric.Criterion) judgement {
	g, r, o := e.Rulings[c], e.Evaluator[c], e.Critique[c]
	j := judgement{Criterion: c.String(), Before: g.Before, After: g.After, Ruling: g.ID.String()}
	say := func(who string, score rubric.Score, claim string, quotes []rubric.Quote, followed bool) {
		s := statement{who, score, followed, explain.Sentence(ui.Visible(claim)), []quote{}}
		for _, q := range quotes {
			t, _ := e.Dialogue.Turn(q.Turn)
			s.Quotes = append(s.Quotes, quote{q.Turn, t.Role.String(), shown(q.Text)})
		}
		j.Says = append(j.Says, s)
	}
	critic := g.ID != rubric.Agreed && g.ID != rubric.Ambiguous // is who the Referee followed
	say("Evaluator", r.Score, r.Claim, r.Quotes, !critic)
	if o.Against(r.Score) {
		who, quotes := "Critic", o.Quotes
		if o.By != "" {
			who += " (" + ui.Visible(o.By) + ")"
		}
		if critic {
			quotes = e.Final[c].Quotes
		}
		say(who, o.Suggested, o.Claim, quotes, critic)
	}
	return j
}

// turns lays out what was said. There are points for each turn, or none.
func turns(d dialogue.Dialogue, points []rubric.Hundredths) (list []turn) {
	for i, t := range d.Turns {
		one := turn{Number: i + 1}
		if t != (dialogue.Turn{}) {
			one.Role, one.Text = t.Role.String(), shown(t.Text)
		} else if last := len(list) - 1; last >= 0 && list[last].Role == "" {
			continue
		}
		if points != nil {
			one.Points = points[i]
		}
		list = append(list, one)
	}
	return list
}

// shown makes text of a transcript visible, and keeps its line breaks.
func shown(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = ui.Visible(l)
	}
	return strings.Join(lines, "\n")
}
