package report

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/explain"
	"assize/cmd/assize/internal/showing/triage"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// data is the JSON that the script draws. Untrusted text in it has passed through [ui.Visible].
type data struct {
	Criteria []string               `json:"criteria"`
	Overall  [len(rubric.Scale)]int `json:"overall"` // dialogues per level
	Counts   []summary.Counts       `json:"counts"`  // per criterion
	Course   []course               `json:"course"`
	Rulings  []string               `json:"rulings"` // the IDs of the rulings
	// dialogues by disagreement, in steps of half a level
	Apart     []int            `json:"apart"`
	Groups    []summary.Groups `json:"groups"`
	Agreement []correlation    `json:"agreement"` // with people
	// people's level in rows, the level of satisfaction in columns
	Confusion   [][]int      `json:"confusion"`
	Cases       []listed     `json:"cases"`
	Transcripts []Transcript `json:"transcripts"`
}

// listed is a dialogue in the list. It has no scores if it is unscored.
type listed struct {
	ID     string `json:"id"`
	File   string `json:"file"`
	Agent  string `json:"agent,omitempty"`
	Team   string `json:"queue,omitempty"`
	Day    string `json:"day,omitempty"` // such as 2024-05-31
	Turns  int    `json:"turns"`
	Reason string `json:"reason,omitempty"` // why it is unscored
	// the scored dialogue with the same turns
	Copy         string                           `json:"copy,omitempty"`
	Satisfaction rubric.Hundredths                `json:"satisfaction"`
	Average      rubric.Hundredths                `json:"average"`
	Overall      rubric.Score                     `json:"overall"`
	Final        [rubric.NumCriteria]rubric.Score `json:"final,omitzero"`
	// where the Referee changed a score
	Proposed [rubric.NumCriteria]rubric.Score `json:"proposed,omitzero"`
	// the criterion that lowered satisfaction most, such as "Empathy 20", or "nothing"
	Failed string `json:"failed,omitempty"`
	// the claim behind the final score of that criterion
	Claim string  `json:"claim,omitempty"`
	Why   []Quote `json:"why,omitempty"`
	// see [summary.Sparkline]
	Friction string `json:"friction,omitempty"`
	Flagged  bool   `json:"flagged,omitempty"`
	// levels between rules and model; nil without a model
	Apart       *rubric.Hundredths `json:"apart,omitempty"`
	Contradicts bool               `json:"contradicts,omitempty"`
	// the mean of people's ratings
	People float64 `json:"people,omitempty"`
	// the names of its groups
	Groups  []string `json:"groups,omitempty"`
	Reviews []string `json:"reviews,omitempty"`
}

// newListed returns the list entry of a dialogue. The explanation is needed only if the dialogue is
// scored.
func newListed(r *run.Row, e *rubric.Evaluation, why *triage.Explanation) listed {
	const maxCells = 40 // characters of friction
	l := listed{ID: ui.Visible(r.Name), File: ui.Visible(r.File), Agent: ui.Visible(r.Agent),
		Team: ui.Visible(r.Queue),
		Day:  r.Day, Turns: r.Turns, Reason: ui.Visible(r.Reason),
		Copy: ui.Visible(r.Repeats), Satisfaction: r.Satisfaction,
		Average: r.Average, Overall: r.Overall, Final: r.Final, Flagged: r.Flagged}
	if e == nil {
		return l
	}
	if r.Changed() {
		l.Proposed = r.Proposed
	}
	if k := r.CrossCheck; k != nil {
		l.Apart, l.Contradicts = &k.Disagreement, k.Count(rubric.Contradict) > 0
	}
	l.Claim = why.Finding()
	l.Failed, l.Friction = why.Failed(), summary.Sparkline(e, why.Friction, maxCells)
	for _, q := range why.Evidence {
		l.Why = append(l.Why, Quote{Turn: q.Turn, Text: ui.Visible(q.Text)})
	}
	return l
}

// course is the mean friction of a set of dialogues.
type course struct {
	Name   string        `json:"name"`
	N      int           `json:"n"`
	Points []stats.Fixed `json:"points"` // by tenth of the dialogue
}

// correlation is a Spearman correlation with its reference values. A value that cannot be computed
// is NaN.
type correlation struct {
	Name  string      `json:"name"`
	Group bool        `json:"group"` // within a single group
	N     int         `json:"n"`
	Value stats.Fixed `json:"value"`
	Low   stats.Fixed `json:"low"`
	High  stats.Fixed `json:"high"`
	One   stats.Fixed `json:"one"`   // one person against the others
	Limit stats.Fixed `json:"limit"` // the upper limit, √ICC(k)
}

func (p *Page) data(shown []Transcript) data {
	s := &p.Summary
	d := data{Overall: s.Overall, Counts: s.Criteria[:], Apart: s.Apart[:], Rulings: rulingIDs(),
		Course: p.courses(),
		Cases:  p.cases(), Transcripts: append([]Transcript{}, shown...)}
	for _, c := range rubric.Criteria() {
		d.Criteria = append(d.Criteria, c.String())
	}
	for _, of := range p.Groups {
		g := summary.Groups{By: ui.Visible(of.By), List: slices.Clone(of.List)}
		for i := range g.List {
			g.List[i].Name = ui.Visible(g.List[i].Name)
		}
		d.Groups = append(d.Groups, g)
	}
	if d.Agreement = p.correlations(); p.ratedOverall() {
		d.Confusion = p.People.Confusion()
	}
	return d
}

// cases lists the dialogues with their groups and people's ratings. Ratings are on the scale from 1
// to 5 if they are compared with the scores, otherwise on the scale of the source.
func (p *Page) cases() []listed {
	list := slices.Clone(p.listed)
	for i := range list {
		if r := p.Rows[i].Ratings; p.People == nil && len(r) > 0 {
			list[i].People = math.Round(100*stats.Mean(r, nil)) / 100
		}
	}
	for _, g := range p.Groups {
		for i := range list {
			value, ok := p.Rows[i].Column(g.By)
			if !ok {
				value = summary.NoGroup
			}
			list[i].Groups = append(list[i].Groups, ui.Visible(value))
		}
	}
	for i := range p.Rated {
		if r := &p.Rated[i]; r.Overall != nil && p.People != nil {
			list[r.Row.Place].People = math.Round(100*r.Mean()) / 100
		}
	}
	return list
}

func (p *Page) courses() (list []course) {
	for i, k := range []*summary.Course{&p.below, &p.rest} {
		c := course{Name: []string{"Below 60", "60 or more"}[i], N: k.N}
		for part := range summary.Parts {
			c.Points = append(c.Points, stats.Fixed{Value: k.Mean(part), Decimals: 4})
		}
		if k.N > 0 {
			list = append(list, c)
		}
	}
	return list
}

// ratedOverall reports whether people rated whole dialogues, and not only single criteria.
func (p *Page) ratedOverall() bool {
	return p.People != nil && slices.Contains(p.People.Rated, agree.OverallRating)
}

// correlations returns the correlations of the means over all groups, then that of satisfaction in
// each group. It returns nil if nobody rated.
func (p *Page) correlations() (list []correlation) {
	rep := p.People
	if rep == nil {
		return nil
	}
	add := func(name string, group bool, figures []agree.Figure, rated, measure string) {
		at := func(m string, s agree.Statistic) agree.Figure {
			return rep.Of(figures, agree.Key{Rated: rated, Measure: m, Statistic: s})
		}
		short := func(v float64) stats.Fixed { return stats.Fixed{Value: v, Decimals: 4} }
		rho := at(measure, agree.Spearman)
		one, limit := at(agree.OneAnnotator, agree.Spearman), at(agree.Raters, agree.Ceiling)
		list = append(list, correlation{name, group, rho.N,
			short(rho.Value), short(rho.Low), short(rho.High), short(one.Value),
			short(limit.Value)})
	}
	for _, rated := range rep.Rated {
		for _, m := range agree.MeasuresOf(rated) {
			add(agree.Label(m), false, rep.Mean, rated, m)
		}
	}
	const maxGroups = 20
	names := rep.GroupNames()
	if len(names) < 2 || !p.ratedOverall() {
		return list
	}
	for i, g := range rep.Groups[:min(len(rep.Groups), maxGroups)] {
		add(names[i], true, g.Figures, agree.OverallRating, agree.Satisfaction)
	}
	return list
}

// Transcript is a complete dialogue: its turns and the judgements of the panel.
type Transcript struct {
	Place    int         `json:"n"` // the position of the dialogue among all
	Identity string      `json:"identity"`
	Turns    []Turn      `json:"turns"`
	Scores   []Judgement `json:"scores"` // nil if the dialogue is unscored
	// the main reasons that lowered or raised satisfaction
	Because  []Statement `json:"because,omitempty"`
	Warnings []string    `json:"warnings,omitempty"`
	Reviews  []Review    `json:"reviews,omitempty"`
	Dialogue *listed     `json:"-"` // for readers without scripts
}

// Turn is a turn of a dialogue.
type Turn struct {
	Number int    `json:"n"`
	Role   string `json:"role"`
	// as the source writes it, and so is the time
	Speaker string            `json:"speaker,omitempty"`
	At      string            `json:"at,omitempty"`
	Points  rubric.Hundredths `json:"points,omitempty"` // its friction
	Text    string            `json:"text,omitempty"`
	// Tool is the summary line of a turn of OTHER, which is shown folded.
	Tool   string  `json:"tool,omitempty"`
	Pieces []Piece `json:"-"` // of the text, see [Transcript.Mark]
}

// Judgement is the decision on a criterion.
type Judgement struct {
	Criterion string       `json:"criterion"`
	Before    rubric.Score `json:"before"`
	After     rubric.Score `json:"after"`
	Ruling    string       `json:"ruling"`
	Says      []Statement  `json:"says"`
	Check     string       `json:"check,omitempty"` // how far the rules agree with the model
	// people's expected rating according to the profile
	People string `json:"people,omitempty"`
}

// Statement is what an agent claims about a criterion.
type Statement struct {
	Who      string       `json:"who,omitempty"`
	Score    rubric.Score `json:"score,omitempty"`
	Followed bool         `json:"followed"` // the Referee followed it
	Claim    string       `json:"claim"`
	Quotes   []Quote      `json:"quotes"`
}

// Quote is evidence. The script marks it in its turn.
type Quote struct {
	Turn int    `json:"turn"`
	Role string `json:"role,omitempty"`
	Text string `json:"text"`
}

// Review is a person's review of a dialogue.
type Review struct {
	Who          string   `json:"who"`
	Satisfaction int      `json:"satisfaction,omitempty"` // 1 to 5; 0 if not rated
	Flag         bool     `json:"flag,omitempty"`
	Says         []string `json:"says,omitempty"` // the verdicts on criteria, and the note
}

// short returns the review in a few words, such as "ann 2 ⚑".
func (r *Review) short() string {
	s := r.Who
	if r.Satisfaction > 0 {
		s += fmt.Sprintf(" %d", r.Satisfaction)
	}
	if r.Flag {
		s += " ⚑"
	}
	return s
}

// The maximum size of all transcripts of a page and of a single one, in bytes. Of a dialogue that
// does not fit, the page shows only the figures.
const (
	maxPage     = 4 << 20
	maxDialogue = 400 << 10
)

// transcripts returns the transcripts that fit into room, and subtracts their size from it.
func (p *Page) transcripts(chosen []kept, room *int) (list []Transcript) {
	for _, k := range chosen {
		t := NewTranscript(k.record)
		t.Place, t.Dialogue, t.Reviews = k.row.Place, &p.listed[k.row.Place],
			p.Reviews[k.row.Identity]
		written, _ := json.Marshal(t) // cannot fail: it holds only strings and numbers
		if len(written) <= min(*room, maxDialogue) {
			*room -= len(written)
			list = append(list, t)
		}
	}
	return list
}

// NewTranscript returns the transcript of a record.
func NewTranscript(r *run.Record) Transcript {
	t := Transcript{Identity: string(r.Identity()), Scores: []Judgement{}}
	for _, s := range r.Remarks() {
		t.Warnings = append(t.Warnings, ui.Visible(s))
	}
	if !r.Scored() {
		t.Warnings = append(t.Warnings, ui.Visible("Unscored: "+r.Reason+"."))
		t.Turns = turns(r, nil)
		return t
	}
	for _, why := range r.Reasons {
		said, _ := r.Dialogue.Turn(why.Turn)
		t.Because = append(t.Because,
			Statement{Followed: true, Claim: explain.Sentence(ui.Visible(why.String())),
				Quotes: []Quote{{Turn: why.Turn, Role: said.Role.String(),
					Text: shown(why.Quote)}}})
	}
	for _, c := range rubric.Criteria() {
		j := newJudgement(r.Evaluation, c)
		if r.CrossCheck != nil {
			k := r.CrossCheck.Criteria[c]
			j.Check = fmt.Sprintf("cross-check: model %d, rules %d, %s", k.Model, k.Rules,
				k.Verdict())
		}
		if est, ok := r.PeopleEstimates[c.String()]; ok {
			j.People = fmt.Sprintf("people would give %s of 5, by the profile", est)
		}
		t.Scores = append(t.Scores, j)
	}
	t.Turns = turns(r, summary.Friction(r.Evaluation))
	return t
}

// newJudgement returns the Evaluator's claims about a criterion and the Critic's objections.
func newJudgement(e *rubric.Evaluation, c rubric.Criterion) Judgement {
	g, r, o := e.Rulings[c], e.Evaluator[c], e.Critique[c]
	j := Judgement{Criterion: c.String(), Before: g.Before, After: g.After, Ruling: g.ID.String()}
	say := func(who string, score rubric.Score, claim string, quotes []rubric.Quote,
		followed bool) {
		s := Statement{who, score, followed, explain.Sentence(ui.Visible(claim)), []Quote{}}
		for _, q := range quotes {
			t, _ := e.Dialogue.Turn(q.Turn)
			s.Quotes = append(s.Quotes, Quote{Turn: q.Turn, Role: t.Role.String(),
				Text: shown(q.Text)})
		}
		j.Says = append(j.Says, s)
	}
	// whether the Referee followed the Critic
	critic := g.ID != rubric.Agreed && g.ID != rubric.Ambiguous
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

// dayOf matches the day before a time of day, such as "2024-05-31 " or "31.05.2024T".
var dayOf = regexp.MustCompile(`^\d[\d./-]{9}[ T]`)

// turns returns the turns of a record. There are points for every turn or for none.
func turns(r *run.Record, points []rubric.Hundredths) (list []Turn) {
	tools := folded(r.Dialogue)
	for i, t := range r.Dialogue.Turns {
		one := Turn{Number: i + 1, Role: t.Role.String(), Text: shown(t.Text), Tool: tools[i+1]}
		if i < len(r.Voices) {
			one.Speaker = ui.Visible(r.Voices[i].Speaker)
			at := r.Voices[i].At
			// the part that turns share, such as the day, is shown only once
			if i == 0 || r.Voices[i-1].At != at {
				if day := dayOf.FindString(at); i > 0 && strings.HasPrefix(r.Voices[i-1].At, day) {
					at = at[len(day):]
				}
				one.At = ui.Visible(at)
			}
		}
		if points != nil {
			one.Points = points[i]
		}
		list = append(list, one)
	}
	return list
}

// maxSummary is the maximum length of the summary line of a folded turn, in characters.
const maxSummary = 80

// folded returns the summary lines of the turns of OTHER, by turn number: "refund({"order":7}) →
// failed" for a call, "result of refund" for its result, and "not judged" for any other turn.
func folded(d dialogue.Dialogue) map[int]string {
	lines := map[int]string{}
	for i, t := range d.Turns {
		if t.Role == dialogue.Other {
			lines[i+1] = "not judged"
		}
	}
	for _, u := range d.Tools() {
		outcome := ""
		switch {
		case u.Result == 0:
			outcome = " → no result"
		case u.Failed:
			outcome = " → failed"
		}
		line := ui.Visible(u.Name + "(" + u.Arguments + ")")
		if r := []rune(line); len(r) > maxSummary {
			line = string(r[:maxSummary]) + "…"
		}
		if before := lines[u.Call]; before != "not judged" {
			line = before + "; " + line
		}
		lines[u.Call] = line + outcome
		if u.Result > 0 {
			lines[u.Result] = "result of " + ui.Visible(u.Name) +
				strings.Replace(outcome, " →", ":", 1)
		}
	}
	return lines
}

// shown makes a text of a transcript safe to display, but keeps its line breaks.
func shown(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = ui.Visible(l)
	}
	return strings.Join(lines, "\n")
}
