package page

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// transcript is a dialogue in full: what was said, and how the panel judged it.
type transcript struct {
	Place    int         `json:"n"` // the number of the case
	Turns    []turn      `json:"turns"`
	Scores   []judgement `json:"scores"` // none where the dialogue is unscored
	Warnings []string    `json:"warnings,omitempty"`

	ID, Heading string `json:"-"` // for readers without scripts
	low, scored bool
}

// turn is something that was said, or a gap where turns are left out.
type turn struct {
	Number  int     `json:"n"`
	Role    string  `json:"role,omitempty"`
	Points  string  `json:"points,omitempty"` // its friction, where that is not zero
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
	Check     string      `json:"check,omitempty"` // how far the rules agree with the model
}

// statement is what an agent says about a criterion.
type statement struct {
	Who      string  `json:"who"`
	Score    int     `json:"score"`
	Followed bool    `json:"followed"` // the Referee followed it
	Claim    string  `json:"claim"`
	Quotes   []quote `json:"quotes"`
}

// quote is evidence. Its number is unique in its transcript; pieces of turns name it.
type quote struct {
	Number int    `json:"k"`
	Turn   int    `json:"turn"`
	Role   string `json:"role"`
	Text   string `json:"text"`
}

// The most that a page holds, in bytes. A dialogue beyond its share is shown with its cited turns only, and a page that
// is full shows no further transcripts.
const (
	mostPage     = 4 << 20
	mostDialogue = 200 << 10
	mostTurn     = 10_000
)

// transcripts makes those that the page has room for, in the order in which they were chosen.
func (p *Page) transcripts() []transcript {
	list, room := []transcript{}, mostPage
	for _, k := range p.chosen() {
		t := newTranscript(k.record)
		t.Place, t.low, t.ID, t.Heading = k.row.Place, k.low, k.row.Name, k.row.File
		written, _ := json.Marshal(t) // cannot fail: there are only strings and numbers
		if room -= len(written); room < 0 {
			room += len(written)
			continue
		}
		if t.scored {
			t.Heading += fmt.Sprintf(" · satisfaction %s · overall %s · %s",
				k.row.Satisfaction, k.row.Overall, p.reasons[k.row.Place].Failed())
		}
		list = append(list, t)
	}
	return list
}

func newTranscript(r *run.Record) transcript {
	t := transcript{scored: r.Scored(), Scores: []judgement{}}
	var marks []mark
	if !t.scored {
		t.Warnings = append(t.Warnings, ui.Visible("Unscored: "+r.Reason+"."))
	}
	for _, s := range r.Remarks() {
		t.Warnings = append(t.Warnings, ui.Visible(s))
	}
	for c := range rubric.Criterion(rubric.NumCriteria) {
		if !t.scored {
			break
		}
		j := newJudgement(r.Evaluation, c, &marks)
		if r.CrossCheck != nil {
			k := r.CrossCheck.Criteria[c]
			j.Check = fmt.Sprintf("cross-check: model %d, rules %d, %s", k.Model, k.Rules, k.Verdict())
		}
		t.Scores = append(t.Scores, j)
	}
	t.Turns = turns(r, marks)
	return t
}

// newJudgement gives what the Evaluator says about a criterion and the Critic against it, and adds their quotes to
// marks.
func newJudgement(e *rubric.Evaluation, c rubric.Criterion, marks *[]mark) judgement {
	g, o := e.Rulings[c], e.Critique[c]
	j := judgement{Criterion: c.String(), Before: int(g.Before), After: int(g.After), Ruling: g.ID.String()}
	followed := g.ID != rubric.Agreed && g.ID != rubric.Ambiguous // the Critic
	say := func(who string, score rubric.Score, claim string, quotes []rubric.Quote, followed bool) {
		claim = explain.Sentence(ui.Visible(claim))
		s := statement{Who: who, Score: int(score), Followed: followed, Claim: claim, Quotes: []quote{}}
		for _, q := range quotes {
			t, _ := e.Dialogue.Turn(q.Turn)
			s.Quotes = append(s.Quotes, quote{len(*marks), q.Turn, t.Role.String(), ui.Visible(q.Text)})
			*marks = append(*marks, mark{Quote: q, number: len(*marks), tone: tone(g.After), followed: followed})
		}
		j.Says = append(j.Says, s)
	}
	r := e.Evaluator[c]
	say("Evaluator", r.Score, r.Claim, r.Quotes, !followed)
	if o.Against(r.Score) {
		who, quotes := "Critic", o.Quotes
		if o.By != "" {
			who += " (" + ui.Visible(o.By) + ")"
		}
		if followed {
			quotes = e.Final[c].Quotes
		}
		say(who, o.Suggested, o.Claim, quotes, followed)
	}
	return j
}

// turns lays out what was said.
func turns(r *run.Record, marks []mark) (list []turn) {
	said, size := r.Dialogue.Turns, 0
	for _, t := range said {
		size += min(len(t.Text), mostTurn)
	}
	points := make([]rubric.Hundredths, len(said))
	if r.Scored() {
		points = summary.Friction(r.Evaluation)
	}
	for i, t := range said {
		var here []mark
		for _, m := range marks {
			if m.Turn == i+1 {
				here = append(here, m)
			}
		}
		if t == (dialogue.Turn{}) || size > mostDialogue && len(here) == 0 {
			if last := len(list) - 1; last >= 0 && list[last].Skipped > 0 {
				list[last].Skipped++
			} else {
				list = append(list, turn{Number: i + 1, Skipped: 1})
			}
			continue
		}
		one := turn{Number: i + 1, Role: t.Role.String(), Pieces: pieces(clipped(t.Text), here)}
		if points[i] != 0 {
			one.Points = points[i].String()
		}
		list = append(list, one)
	}
	return list
}

// clipped cuts a turn that is longer than anybody reads, and says so.
func clipped(text string) string {
	if len(text) <= mostTurn {
		return text
	}
	to := mostTurn
	for !utf8.RuneStart(text[to]) {
		to--
	}
	return text[:to] + "… (" + counted(len(text)-to, "more byte") + ")"
}

// piece is a part of a turn, with the numbers of the quotes that it is part of.
type piece struct {
	Text   string
	Quotes []int
	Tone   string // of the lowest score that a quote supports; empty where the Referee followed none of them
}

// MarshalJSON writes plain text as a string, and what is quoted as [text, tone, number, …].
func (p piece) MarshalJSON() ([]byte, error) {
	if len(p.Quotes) == 0 {
		return json.Marshal(p.Text)
	}
	list := []any{p.Text, p.Tone}
	for _, n := range p.Quotes {
		list = append(list, n)
	}
	return json.Marshal(list)
}

// mark is a quote with the score that it supports, and where in its turn it is found, in bytes.
type mark struct {
	rubric.Quote
	number   int
	tone     string
	followed bool // the Referee followed it
	from, to int
}

// tones, from the worst.
var tones = []string{"low", "fair", "good"}

func tone(s rubric.Score) string { return tones[min(max(int(s)/20-2, 0), 2)] }

// pieces cuts a turn at the ends of the quotes in it. A quote that is not found in it word for word, as in a text that
// was masked, is marked nowhere.
func pieces(text string, marks []mark) (list []piece) {
	unix := strings.NewReplacer("\r\n", "\n").Replace
	text = unix(text)
	cuts := []int{0, len(text)}
	var found []mark
	for _, m := range marks {
		words := strings.TrimSuffix(unix(m.Text), "…")
		if from := strings.Index(text, words); from >= 0 && words != "" {
			m.from, m.to = from, from+len(words)
			found = append(found, m)
			cuts = append(cuts, m.from, m.to)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := range len(cuts) - 1 {
		from, to := cuts[i], cuts[i+1]
		p := piece{Text: shown(text[from:to])}
		for _, m := range found {
			if m.from <= from && to <= m.to {
				p.Quotes = append(p.Quotes, m.number)
				if m.followed && (p.Tone == "" || slices.Index(tones, m.tone) < slices.Index(tones, p.Tone)) {
					p.Tone = m.tone
				}
			}
		}
		list = append(list, p)
	}
	return list
}

// shown makes text of a transcript visible, and keeps its line breaks.
func shown(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = ui.Visible(l)
	}
	return strings.Join(lines, "\n")
}
