package page

import (
	"fmt"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/friction"
	"assize/cmd/assize/internal/overview"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// transcript is a dialogue in full: what was said, and what the panel made of it.
type transcript struct {
	overview.Kept `json:"-"`
	Of            int         `json:"n"` // the number of the case
	Turns         []turn      `json:"turns"`
	Scores        []judgement `json:"scores"` // none where the dialogue is unscored
	Remarks       []string    `json:"remarks,omitempty"`
}

// turn is something that was said, or a gap where turns are left out.
type turn struct {
	Number  int     `json:"n"`
	Role    string  `json:"role,omitempty"`
	Points  string  `json:"points,omitempty"` // of the friction map, where they are not zero
	Pieces  []piece `json:"text,omitempty"`
	Skipped int     `json:"skipped,omitempty"` // how many turns, from this one on
}

// judgement is what was decided on a criterion.
type judgement struct {
	Criterion string      `json:"criterion"`
	Before    int         `json:"before"`
	After     int         `json:"after"`
	Ruling    string      `json:"ruling"`
	Says      []statement `json:"says"`
	Check     string      `json:"check,omitempty"` // how far the rules go together with the model
}

// statement is what an agent says of a criterion.
type statement struct {
	Who    string  `json:"who"`
	Score  int     `json:"score"`
	Stands bool    `json:"stands"` // the Referee went by it
	Claim  string  `json:"claim"`
	Quotes []quote `json:"quotes"`
}

// quote is evidence. Its number is unique in its transcript; pieces of turns name it.
type quote struct {
	Number int    `json:"k"`
	Turn   int    `json:"turn"`
	Role   string `json:"role"`
	Text   string `json:"text"`
}

// The most that a page holds, in bytes of text. A dialogue beyond its share is shown with its cited turns only, and
// a page that is full shows no further transcripts.
const (
	mostPage     = 4 << 20
	mostDialogue = 200 << 10
	mostTurn     = 10_000
)

// transcripts makes the transcripts that the page has room for, in the order in which they were chosen.
func (p *Page) transcripts() []transcript {
	var list []transcript
	room := mostPage
	for _, k := range p.Overview.Kept() {
		t, size := newTranscript(k)
		if size > room {
			continue
		}
		room -= size
		list = append(list, t)
	}
	return list
}

// newTranscript also gives the size of its text.
func newTranscript(k overview.Kept) (t transcript, size int) {
	k.ID, k.File = report.Visible(k.ID), report.Visible(k.File)
	t = transcript{Kept: k, Of: k.Number, Scores: []judgement{}, Remarks: remarks(k.Record)}
	var quotes []placed
	if k.Scored() {
		for _, c := range rubric.Criteria() {
			j := newJudgement(k.Record.Evaluation, c, &quotes)
			j.Check = checked(k.Record.CrossCheck, c)
			for _, s := range j.Says {
				size += len(s.Claim)
				for _, q := range s.Quotes {
					size += len(q.Text)
				}
			}
			t.Scores = append(t.Scores, j)
		}
	}
	spoken := 0
	t.Turns, spoken = turns(k.Record, quotes)
	return t, size + spoken
}

// newJudgement tells what the Evaluator says of a criterion, and what the Critic says against it.
func newJudgement(e *rubric.Evaluation, c rubric.Criterion, quotes *[]placed) judgement {
	g, o := e.Rulings[c], e.Critique[c]
	j := judgement{Criterion: c.String(), Before: int(g.Before), After: int(g.After), Ruling: g.ID.String()}
	taken := g.ID != rubric.Agreed && g.ID != rubric.Ambiguous
	say := func(who string, r rubric.Rating, stands bool) {
		s := statement{Who: who, Score: int(r.Score), Stands: stands, Claim: explain.Sentence(report.Visible(r.Claim)), Quotes: []quote{}}
		for _, q := range r.Quotes {
			t, _ := e.Dialogue.Turn(q.Turn)
			s.Quotes = append(s.Quotes, quote{len(*quotes), q.Turn, t.Role.String(), report.Visible(q.Text)})
			*quotes = append(*quotes, placed{q, tone(g.After), stands})
		}
		j.Says = append(j.Says, s)
	}
	say("Evaluator", e.Evaluator[c], !taken)
	if !o.Against(e.Evaluator[c].Score) {
		return j
	}
	who := "Critic"
	if o.By != "" {
		who += " (" + report.Visible(o.By) + ")"
	}
	objection := rubric.Rating{Score: o.Suggested, Claim: o.Claim, Quotes: o.Quotes}
	if taken {
		objection.Quotes = e.Final[c].Quotes
	}
	say(who, objection, taken)
	return j
}

// checked tells how far the rules go together with the model on a criterion; "" where there was no model.
func checked(all *rubric.CrossCheck, c rubric.Criterion) string {
	if all == nil {
		return ""
	}
	k := all.Criteria[c]
	return fmt.Sprintf("cross-check: model %d, rules %d, %s", k.Model, k.Rules, k.Verdict())
}

// remarks are what else must be known of a dialogue.
func remarks(r *record.Record) []string {
	list := r.Remarks()
	if !r.Scored() {
		list = append([]string{"Unscored: " + r.Reason + "."}, list...)
	}
	for i, s := range list {
		list[i] = report.Visible(s)
	}
	return list
}

// turns lays out what was said, and gives the size of the text.
func turns(r *record.Record, quotes []placed) (list []turn, size int) {
	said := r.Dialogue.Turns
	long := 0
	for _, t := range said {
		long += min(len(t.Text), mostTurn)
	}
	var points []rubric.Hundredths
	if r.Scored() {
		points = friction.Points(r.Evaluation)
	}
	for i, t := range said {
		number := i + 1
		here := at(quotes, number)
		if left := t.Role == dialogue.Other && t.Text == "" || long > mostDialogue && len(here) == 0; left || size > mostDialogue {
			if last := len(list) - 1; last >= 0 && list[last].Skipped > 0 {
				list[last].Skipped++
			} else {
				list = append(list, turn{Number: number, Skipped: 1})
			}
			continue
		}
		text := clipped(t.Text)
		size += len(text)
		one := turn{Number: number, Role: t.Role.String(), Pieces: pieces(text, here)}
		if points != nil && points[i] != 0 {
			one.Points = points[i].String()
		}
		list = append(list, one)
	}
	return list, size
}
