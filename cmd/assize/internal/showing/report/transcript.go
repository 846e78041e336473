package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/results"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Transcript is a complete dialogue as the template "dialogue" shows it: what was said, what the
// panel decided and why, and the form to rate it. Its text is safe to display.
type Transcript struct {
	Identity string
	Facts    dialogue.Meta
	File     string // with the number of turns
	Link     string // the address of the dialogue in the page, or ""
	Turns    []turn
	Strip    *strip      // nil if the dialogue is unscored
	Scores   []Judgement // nil if the dialogue is unscored
	Card     *scorecard  // nil without questions
	Deeds    []statement // the ledger: what was said to be done, and the result that decides
	Because  []statement // the main reasons that lowered or raised satisfaction
	Warnings []string
	Reviews  []run.Review
	Form     Form

	prefix string // of the anchors
	// by turn: the words that are quoted, and the lowest score that a quote of them supports
	quoted map[int]map[string]rubric.Score
}

// Form is the state of the form in which a reader rates a dialogue. A served page sends it to the
// server. A file has no server: its script keeps the rating.
type Form struct {
	Served bool
	Query  string // of the queue that the reader came from, with its "?"
	Failed string // why the form could not be saved, or ""
	run.Review
}

type turn struct {
	Number      int
	Anchor      string // its ID in the page
	Role        string
	Speaker, At string            // as the source writes them
	Points      rubric.Hundredths // its friction
	Text        string
	Tool        string  // the summary line of a turn of OTHER, which is shown folded
	Pieces      []piece // the parts of the text
}

// Long reports whether the turn scrolls within the page.
func (t turn) Long() bool { return len(t.Text) > 1500 }

// Judgement is the decision on a criterion. Only Criterion is set if the scores are hidden.
type Judgement struct {
	Criterion     rubric.Criterion
	Before, After rubric.Score // 0 if not judged
	Unshown       bool         // see [rubric.Rating.Unshown]
	Ruling        string
	Says          []statement
	Check         *rubric.Comparison // of the model with the rules; nil if not compared
}

// statement is what an agent claims about a criterion.
type statement struct {
	Who      string
	Score    rubric.Score
	Followed bool // the Referee followed it
	Claim    string
	Quotes   []quote
}

// scorecard contains the answers to the questions of a rubric.
type scorecard struct {
	Heading string // the score in words
	Answers []answered
}

// answered is the answer to a question, whose text is the claim.
type answered struct {
	statement
	Question string
	Answer   rubric.Answer
	Level    rubric.Score // 100 for a good answer, 20 for a bad one, 0 for none
	Why      string       // why it is open, or who answered what
}

// quote is evidence, which leads to its turn.
type quote struct {
	Turn               int
	Anchor, Role, Text string
}

// strip draws the friction of a dialogue: a bar for each turn of the SYSTEM, below the middle where
// the turn went wrong and above it where the turn went well.
type strip struct {
	Bars           []string // their classes, from f0 for the worst to f6 for the best
	Wrong, WorstAt int      // how many turns went wrong, and the number of the worst
}

// newStrip returns the strip of an evaluation, or nil if the SYSTEM has no turns.
func newStrip(e *rubric.Evaluation, points []rubric.Hundredths) *strip {
	const maxBars = 40
	worst, s := '▄', &strip{}
	for _, cell := range summary.Sparkline(e, points, maxBars) {
		s.Bars = append(s.Bars, fmt.Sprint("f", cell-'▁'))
		if cell < '▃' {
			s.Wrong++
		}
		if cell < worst {
			worst, s.WorstAt = cell, len(s.Bars)
		}
	}
	if s.Bars == nil {
		return nil
	}
	return s
}

// NewTranscript returns the transcript of a record, in which the ID of each turn begins with
// prefix.
func NewTranscript(r *run.Record, prefix string) *Transcript {
	t := &Transcript{Identity: string(r.Identity()), prefix: prefix,
		quoted: map[int]map[string]rubric.Score{}}
	t.Warnings = ui.Each(r.Remarks(), func(s string) string { return ui.PlainRoles(ui.Visible(s)) })
	if !r.Scored() {
		t.Warnings = append(t.Warnings, ui.PlainRoles(ui.Visible("Unscored: "+r.Reason+".")))
		t.addTurns(r, nil)
		return t
	}
	calls := r.Dialogue.Tools()
	for _, c := range r.Deeds {
		t.Deeds = append(t.Deeds, statement{Claim: ui.Visible(c.Shown(calls)),
			Quotes: t.quotes(r, results.QuotesOf(r, c, calls)...)})
	}
	for _, why := range r.Reasons {
		t.Because = append(t.Because, statement{Claim: sentence(why.String()),
			Quotes: t.cite(r, 0, rubric.Quote{Turn: why.Turn, Text: why.Quote})})
	}
	for _, c := range rubric.Criteria() {
		t.Scores = append(t.Scores, t.judgement(r, c))
	}
	t.Card = t.scorecard(r)
	friction := summary.Friction(r.Evaluation)
	t.Strip = newStrip(r.Evaluation, friction)
	t.addTurns(r, friction)
	return t
}

// scorecard returns the answers of a record, or nil if its rubric has no questions.
func (t *Transcript) scorecard(r *run.Record) *scorecard {
	if r.Checklist == nil {
		return nil
	}
	s := &scorecard{Heading: r.Checklist.String()}
	for i, q := range r.Evaluation.Rubric.Questions {
		j := &r.Checklist.Answers[i]
		a := answered{statement: statement{Who: "by " + string(j.By), Claim: ui.Visible(q.Ask)},
			Question: q.ID, Answer: j.Answer, Why: ui.PlainRoles(ui.Visible(j.Why))}
		switch j.Answer {
		case q.GoodAnswer():
			a.Level = 100
		case rubric.Yes, rubric.No:
			a.Level = 20
		}
		if j.Quote != "" {
			a.Quotes = t.cite(r, a.Level, rubric.Quote{Turn: j.Turn, Text: j.Quote})
		}
		s.Answers = append(s.Answers, a)
	}
	return s
}

// judgement returns the Evaluator's claims about a criterion and the Critic's objections.
func (t *Transcript) judgement(r *run.Record, c rubric.Criterion) Judgement {
	e := r.Evaluation
	g, rating, o := e.Rulings[c], e.Evaluator[c], e.Critique[c]
	j := Judgement{Criterion: c, Before: g.Before, After: g.After, Ruling: g.ID.String(),
		Unshown: e.Final[c].Unshown()}
	if r.CrossCheck != nil {
		j.Check = &r.CrossCheck.Criteria[c]
	}
	say := func(who string, score rubric.Score, claim string, said []rubric.Quote, followed bool) {
		supports := g.After
		if !followed || (rubric.Rating{Claim: claim}).Unfounded() {
			supports = 0
		}
		j.Says = append(j.Says, statement{Who: who, Score: score, Followed: followed,
			Claim: sentence(claim), Quotes: t.cite(r, supports, said...)})
	}
	// whether the Referee followed the Critic
	critic := g.ID != rubric.Agreed && g.ID != rubric.Ambiguous
	say("Evaluator", rating.Score, rating.Claim, rating.Quotes, !critic)
	if o.Against(rating.Score) {
		who, said := "Critic", o.Quotes
		if o.By != "" {
			who += " (" + ui.Visible(o.By) + ")"
		}
		if critic {
			said = e.Final[c].Quotes
		}
		say(who, o.Suggested, o.Claim, said, critic)
	}
	return j
}

// quotes returns quotes as a page shows them.
func (t *Transcript) quotes(r *run.Record, said ...rubric.Quote) (list []quote) {
	for _, q := range said {
		turn, _ := r.Dialogue.Turn(q.Turn)
		list = append(list, quote{q.Turn, t.anchor(q.Turn), roleName(turn.Role), shown(q.Text)})
	}
	return list
}

// cite is like quotes, and marks the quotes in their turns as evidence for a score, or 0 for none.
func (t *Transcript) cite(r *run.Record, score rubric.Score, said ...rubric.Quote) []quote {
	list := t.quotes(r, said...)
	for _, q := range list {
		if t.quoted[q.Turn] == nil {
			t.quoted[q.Turn] = map[string]rubric.Score{}
		}
		words := strings.TrimSuffix(q.Text, "…")
		t.quoted[q.Turn][words] = lower(t.quoted[q.Turn][words], score)
	}
	return list
}

// anchor returns the ID of a turn.
func (t *Transcript) anchor(turn int) string { return fmt.Sprintf("%st%d", t.prefix, turn) }

// sentence returns a claim as a sentence that is safe to display.
func sentence(claim string) string { return ui.PlainRoles(ui.Sentence(ui.Visible(claim))) }

// roleName returns the name that pages have for a role.
func roleName(r dialogue.Role) string { return strings.ToLower(ui.PlainRoles(r.String())) }

// dayOf matches the day before a time of day, such as "2024-05-31 " or "31.05.2024T".
var dayOf = regexp.MustCompile(`^\d[\d./-]{9}[ T]`)

// addTurns adds the turns of a record, with its quotes marked. There are points for every turn or
// for none.
func (t *Transcript) addTurns(r *run.Record, points []rubric.Hundredths) {
	tools := folded(r.Dialogue)
	for i, said := range r.Dialogue.Turns {
		one := turn{Number: i + 1, Anchor: t.anchor(i + 1), Role: roleName(said.Role),
			Text: shown(said.Text), Tool: tools[i+1]}
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
		one.mark(t.quoted[one.Number])
		t.Turns = append(t.Turns, one)
	}
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
		switch says := u.Read().Outcome; {
		case u.Result == 0:
			outcome = " → no result"
		case says != dialogue.Succeeded && says != dialogue.Silent:
			outcome = " → " + says.String()
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
func shown(s string) string { return ui.ByLine(strings.ReplaceAll(s, "\r\n", "\n"), ui.Visible) }

// piece is a part of a turn. If it is quoted, its class is "s" followed by the lowest score that a
// quote of it supports, or 0 if the Referee did not follow them, or nothing was found in them.
type piece struct{ Text, Class string }

// mark splits the turn at the ends of quotes. A quote that does not occur word for word is not
// marked. If quotes overlap, the lowest score determines the class.
func (t *turn) mark(quoted map[string]rubric.Score) {
	type span struct {
		from, to int
		score    rubric.Score
	}
	var spans []span
	cuts := []int{0, len(t.Text)}
	for words, score := range quoted {
		if from := strings.Index(t.Text, words); from >= 0 && words != "" {
			spans = append(spans, span{from, from + len(words), score})
			cuts = append(cuts, from, from+len(words))
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := range len(cuts) - 1 {
		p := piece{Text: t.Text[cuts[i]:cuts[i+1]]}
		lowest := rubric.Score(0)
		for _, s := range spans {
			if s.from <= cuts[i] && cuts[i+1] <= s.to {
				lowest = lower(lowest, s.score)
				p.Class = "s" + strconv.Itoa(int(lowest))
			}
		}
		t.Pieces = append(t.Pieces, p)
	}
}

// lower returns the lower of two scores, where 0 means no score.
func lower(a, b rubric.Score) rubric.Score {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
