package rubric

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"assize/rubric/dialogue"
)

// Question is a question of a scorecard, answered yes or no for each dialogue to which it applies.
// Answers are additional to the six scores and never change them. See `assize help scorecards`.
type Question struct {
	ID   string   `json:"id"`
	Ask  string   `json:"ask"`
	By   Answerer `json:"by,omitempty"`   // rules unless set
	When *Pattern `json:"when,omitempty"` // the dialogues to which it applies; nil for all
	// The rules answer yes if Yes occurs, and no if No does. If only one of them is set, its
	// absence is the other answer. If both are set and both or neither occur, the question stays
	// open.
	Yes *Pattern `json:"yes,omitempty"`
	No  *Pattern `json:"no,omitempty"`
	// the P(yes) of a model that leave the question open: UnsureFrom to UnsureTo if nil; see
	// `assize doctor --questions`
	Unsure   *Range `json:"unsure,omitempty"`
	Good     Answer `json:"good,omitempty"`  // the answer in favour of the SYSTEM: yes unless set
	Weight   int    `json:"weight,omitzero"` // in the checklist: 1 unless set, at most 100
	Fail     Answer `json:"fail,omitempty"`  // the answer that makes the checklist 0; "" for none
	Examples `yaml:",inline" json:"-"`
}

// Range is a range of percentages.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Fact is a statement of a fact sheet. Package heuristics compares its value with what the SYSTEM
// states about it, which is evidence for Accuracy.
type Fact struct {
	ID    string   `json:"id"`
	Line  int      `json:"-"` // in the rubric file; justifications name it
	About *Pattern `json:"about"`
	// an amount, percentage, duration, time, day or date: "14 days", "over £40", "3 to 5 days"
	Value    Phrase    `json:"value,omitzero"`  // optional with Never
	Never    []Phrase  `json:"never,omitempty"` // words that contradict it in a sentence about it
	When     *Validity `json:"when,omitempty"`  // the dialogues that it holds for; nil for all
	Examples `yaml:",inline" json:"-"`
}

// Says returns the value of the fact or, without one, the phrases that contradict it.
func (f *Fact) Says() string {
	if f.Value.Text == "" {
		var never []string
		for _, p := range f.Never {
			never = append(never, p.Text)
		}
		return "never: " + strings.Join(never, "; ")
	}
	return f.Value.Text
}

// Validity limits a fact to dialogues of some days or queues. A dialogue with an unknown day or
// queue is outside of that limit.
type Validity struct {
	From   string   `json:"from,omitempty"`  // the first day: 2026-01-31
	Until  string   `json:"until,omitempty"` // the last day
	Queues []string `json:"queues,omitempty"`
}

// Pattern describes turns by the phrases in them. It occurs in a dialogue if at least AtLeast turns
// match. Phrases are written as in the detectors.
type Pattern struct {
	User    []Phrase `json:"user,omitempty"` // looked for in the turns of the USER
	System  []Phrase `json:"system,omitempty"`
	Any     []Phrase `json:"any,omitempty"`
	Unless  []Phrase `json:"unless,omitempty"`  // a turn with one of these does not match
	Where   []Phrase `json:"where,omitempty"`   // conditions on the position, see Positions
	Before  *Pattern `json:"before,omitempty"`  // only before the first turn that matches this
	After   *Pattern `json:"after,omitempty"`   // only after the first turn that matches this
	AtLeast int      `json:"at-least,omitzero"` // 1 unless set
}

// Phrase is a phrase with its position in the rubric file.
type Phrase struct {
	Text         string
	Line, Column int    // from 1
	notText      string // what the file has instead of a text, such as "a mapping"
}

// UnmarshalYAML reads a scalar and its position. Anything else is an empty phrase.
func (p *Phrase) UnmarshalYAML(n ast.Node) error {
	at := n.GetToken().Position
	*p = Phrase{Line: at.Line, Column: at.Column}
	switch n := n.(type) {
	case *ast.LiteralNode:
		p.Text = n.Value.Value
	case ast.ScalarNode:
		p.Text = n.GetToken().Value
	case *ast.SequenceNode:
		p.notText = "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		p.notText = "a mapping"
	}
	return nil
}

func (p Phrase) MarshalText() ([]byte, error) { return []byte(p.Text), nil }

// Examples are short dialogues, a line per turn, that show what a question or a fact means.
// `assize check` tests them. No answer depends on them, so they are part of the rubric file, but
// neither of its form in JSON nor of the Rubric's digest.
type Examples struct {
	Hit  Dialogues `json:"hit,omitempty"`  // the answer is yes, or the fact is contradicted
	Miss Dialogues `json:"miss,omitempty"` // the answer is no, or the fact is not contradicted
	NA   Dialogues `json:"na,omitempty"`   // the question does not apply
}

// Dialogues are examples, as a list in the file or a single text.
type Dialogues []Phrase

// UnmarshalYAML reads a list of texts, or one text.
func (d *Dialogues) UnmarshalYAML(n ast.Node) error {
	nodes := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		nodes = list.Values
	}
	*d = make(Dialogues, len(nodes))
	for i, n := range nodes {
		if err := (*d)[i].UnmarshalYAML(n); err != nil {
			return err
		}
	}
	return nil
}

// Answer is the answer to a question.
type Answer string

// The answers.
const (
	Yes           Answer = "yes"
	No            Answer = "no"
	NotApplicable Answer = "n/a"
	Open          Answer = "open" // nothing decides it, so a person must
)

// IsClosed reports whether the answer is yes or no.
func (a Answer) IsClosed() bool { return a == Yes || a == No }

// Answerer says who answers a question.
type Answerer string

// The answerers. If both answer, they must agree; otherwise the question stays open.
const (
	ByRules Answerer = "rules"
	ByModel Answerer = "model"
	ByBoth  Answerer = "both"
)

// The range of P(yes), in percent, in which a model's answer leaves a question open unless the
// question has a range of its own.
const UnsureFrom, UnsureTo = 35, 65

// The suffixes of a question's ID in the IDs of its signals, see [Question.Signal].
const (
	WhenSignal = "when"
	YesSignal  = "yes"
	NoSignal   = "no"
)

// Signal returns the ID of the signal of one of the question's patterns, which is given by its
// suffix. It contains a colon, so that it cannot be the ID of a detector.
func (q *Question) Signal(suffix string) string { return q.ID + ":" + suffix }

// Judged is the answer to one question for a dialogue.
type Judged struct {
	Question string   `json:"question"`
	Answer   Answer   `json:"answer"`
	By       Answerer `json:"by"`
	Why      string   `json:"why,omitempty"`  // why it is open, or who answered what
	Turn     int      `json:"turn,omitempty"` // where the words of Quote are; 0 for none
	Quote    string   `json:"quote,omitempty"`
}

// Checklist holds a dialogue's answers to a scorecard.
type Checklist struct {
	// the weight of the good answers in percent of that of all answers yes and no; 0 if one of them
	// fails the dialogue; nil if no question was answered
	Score    *Hundredths `json:"score"`
	FailedBy []string    `json:"failed_by,omitempty"` // questions with a failing answer
	Answers  []Judged    `json:"answers"`             // in the order of the rubric
}

// WithoutQuotes returns a copy of the list that keeps no text of the dialogue.
func (l *Checklist) WithoutQuotes() *Checklist {
	if l == nil {
		return nil
	}
	short := *l
	short.Answers = slices.Clone(l.Answers)
	for i := range short.Answers {
		short.Answers[i].Quote, short.Answers[i].Why = "", ""
	}
	return &short
}

// Value returns the score; nil for a nil list and for one without a score.
func (l *Checklist) Value() *Hundredths { return cmp.Or(l, new(Checklist)).Score }

// String returns the score with its reasons in words: "66.67 % (failed by verified-caller)".
func (l *Checklist) String() string {
	text := "no question applies"
	if l.Score != nil {
		text = l.Score.String() + " %"
	}
	if len(l.FailedBy) > 0 {
		text += " (failed by " + strings.Join(l.FailedBy, ", ") + ")"
	}
	return text
}

// Answer returns the answer to a question, or "" if the list does not contain it.
func (l *Checklist) Answer(question string) Answer {
	for _, a := range cmp.Or(l, new(Checklist)).Answers {
		if a.Question == question {
			return a.Answer
		}
	}
	return ""
}

// Checklist answers the questions of the rubric from the signals of their patterns and from the
// model's probabilities of yes, in thousandths by ID of question. It returns nil if the rubric has
// no question.
func (r Rubric) Checklist(c Case, model map[string]int) *Checklist {
	if len(r.Questions) == 0 {
		return nil
	}
	list := &Checklist{Answers: make([]Judged, len(r.Questions))}
	good, all := 0, 0
	for i := range r.Questions {
		q := &r.Questions[i]
		p, asked := model[q.ID]
		a := q.answer(c, p, asked)
		list.Answers[i] = a
		if !a.Answer.IsClosed() {
			continue
		}
		all += q.weight()
		if a.Answer == q.GoodAnswer() {
			good += q.weight()
		}
		if a.Answer == q.Fail {
			list.FailedBy = append(list.FailedBy, q.ID)
		}
	}
	if all > 0 {
		score := Hundredths((20000*good + all) / (2 * all))
		if len(list.FailedBy) > 0 {
			score = 0
		}
		list.Score = &score
	}
	return list
}

// answer returns the answer to one question, given the model's P(yes) p in thousandths if it was
// asked. The question stays open, and Why says why, if the rules found words for both answers or
// for neither, if no model answered, if p is in the range of unsure:, or if rules and model differ.
func (q *Question) answer(c Case, p int, asked bool) Judged {
	a := Judged{Question: q.ID, By: q.by()}
	if q.When != nil && c.first(q.Signal(WhenSignal)) == nil {
		a.Answer, a.By = NotApplicable, ByRules
		return a
	}
	byRules, at := Open, (*Signal)(nil)
	yes, no := c.first(q.Signal(YesSignal)), c.first(q.Signal(NoSignal))
	switch {
	case yes != nil && no != nil:
		a.Why = "words for yes and for no were found"
	case yes != nil:
		byRules, at = Yes, yes
	case no != nil:
		byRules, at = No, no
	case q.Yes != nil && q.No != nil:
		a.Why = "no words for yes or for no were found"
	case q.Yes != nil:
		byRules = No
	case q.No != nil:
		byRules = Yes
	}
	if a.Answer = byRules; a.By != ByRules {
		byModel := Open
		a.Why = "no model answered"
		if asked {
			byModel = q.ByProbability(p)
			a.Why = fmt.Sprintf("the model answers yes with a probability of %d.%d %%", p/10, p%10)
		}
		if a.Answer = byModel; a.By == ByBoth && byModel != byRules {
			a.Answer = Open
			a.Why += fmt.Sprintf(", the rules answer %s", byRules)
		}
	}
	if at != nil {
		t, _ := c.Dialogue.Turn(at.Turn)
		quote := Excerpt(at.Turn, t.Text, at.Start, at.End)
		a.Turn, a.Quote = quote.Turn, quote.Text
	}
	return a
}

// ByProbability returns the answer for a model's P(yes) in thousandths: Open in the unsure range.
func (q *Question) ByProbability(p int) Answer {
	switch unsure := cmp.Or(q.Unsure, &Range{UnsureFrom, UnsureTo}); {
	case p < 10*unsure.From:
		return No
	case p > 10*unsure.To:
		return Yes
	}
	return Open
}

// first returns the first signal with an ID, or nil.
func (c Case) first(id string) *Signal {
	i := slices.IndexFunc(c.Signals, func(s Signal) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &c.Signals[i]
}

func (q *Question) by() Answerer { return cmp.Or(q.By, ByRules) }

// GoodAnswer returns the answer in favour of the SYSTEM.
func (q *Question) GoodAnswer() Answer { return cmp.Or(q.Good, Yes) }

func (q *Question) weight() int { return max(q.Weight, 1) }

// AsksModel returns the questions for a model about a case: those that apply to it and that the
// rules do not answer alone.
func (r Rubric) AsksModel(c Case) []Question {
	return slices.DeleteFunc(slices.Clone(r.Questions), func(q Question) bool {
		return q.by() == ByRules || q.When != nil && c.first(q.Signal(WhenSignal)) == nil
	})
}

// NeedsModel reports whether a model must answer any of the questions.
func (r Rubric) NeedsModel() bool {
	return slices.ContainsFunc(r.Questions, func(q Question) bool { return q.by() != ByRules })
}

// DependsOn reports whether a fact holds only for dialogues of some days, and whether one holds
// only for some queues.
func (r Rubric) DependsOn() (day, queue bool) {
	for i := range r.Facts {
		if v := r.Facts[i].When; v != nil {
			day, queue = day || v.From != "" || v.Until != "", queue || len(v.Queues) > 0
		}
	}
	return day, queue
}

// Holds reports whether a fact applies to a dialogue with a day, such as 2026-01-31, and a queue.
// Both are "" if unknown.
func (v *Validity) Holds(day, queue string) bool {
	if v == nil {
		return true
	}
	if (v.From != "" || v.Until != "") &&
		(day == "" || day < v.From || v.Until != "" && day > v.Until) {
		return false
	}
	return len(v.Queues) == 0 || slices.ContainsFunc(v.Queues,
		func(name string) bool { return strings.EqualFold(name, queue) })
}

// ExampleDialogue parses an example: a line per turn, "USER: words" or "SYSTEM: words"; a line
// without a role continues the turn above it.
func ExampleDialogue(text string) (d dialogue.Dialogue, err error) {
	d.ID = 1
	for line := range strings.Lines(text) {
		role, words, labelled := strings.Cut(strings.TrimSpace(line), ":")
		r, err := dialogue.ParseRole(role)
		switch {
		case labelled && err == nil:
			d.Turns = append(d.Turns, dialogue.Turn{Role: r, Text: strings.TrimSpace(words)})
		case strings.TrimSpace(line) == "":
		case len(d.Turns) == 0:
			return d, fmt.Errorf("%q is not a turn; want USER: words, or SYSTEM: words", line)
		default:
			d.Turns[len(d.Turns)-1].Text += " " + strings.TrimSpace(line)
		}
	}
	if len(d.Turns) == 0 {
		return d, errors.New("the example is empty; want " + forms()["hit"])
	}
	return d, nil
}

// fault is an error in a member of a rubric file.
type fault struct {
	path      []string // of the member
	msg, want string   // if want is "", the error says what forms describes
}

var (
	itemID = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)
	isoDay = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`)
)

// columns are the other columns of the tables that have a column for each question.
var columns = strings.Fields("checklist satisfaction average overall overallexperience file " +
	"status reason turns level changed flagged disagreement rating ratings score csat note flag " +
	"flags reviewer reviewers yours rater criterion source at text scale picked rank group more " +
	"day week month identity probability agent queue name id dialogue-id claim seal " +
	strings.ToLower(strings.Join(criterionNames[:], " ")))

// check returns the first error in questions and facts, or nil. Package heuristics checks the
// phrases themselves.
func (s scorecard) check() *fault {
	ids := map[string]bool{}
	item := func(list string, i int, id string, check func() *fault) *fault {
		wrong := &fault{path: []string{"id"}}
		switch {
		case !itemID.MatchString(id):
			wrong.msg = fmt.Sprintf("the id %q is not a word", id)
		case ids[id]:
			wrong.msg, wrong.want = "the id "+id+" is used twice", "want another id"
		case slices.Contains(columns, id):
			wrong.msg, wrong.want = "the id "+id+" is a column of tables", "want another id"
		default:
			if wrong = check(); wrong == nil {
				ids[id] = true
				return nil
			}
			wrong.msg = id + ": " + wrong.msg
		}
		wrong.path = append([]string{list, strconv.Itoa(i)}, wrong.path...)
		return wrong
	}
	var first *fault
	for i := range s.Questions {
		q := &s.Questions[i]
		first = cmp.Or(first, item("questions", i, q.ID, q.check))
	}
	for i := range s.Facts {
		f := &s.Facts[i]
		first = cmp.Or(first, item("facts", i, f.ID, f.check))
	}
	return first
}

func (q *Question) check() *fault {
	isAnswer := func(a Answer) bool { return a == "" || a.IsClosed() }
	rules := q.Yes != nil || q.No != nil
	switch {
	case !isAnswer(q.Good):
		return &fault{[]string{"good"}, fmt.Sprintf("%q is not an answer", q.Good), ""}
	case !isAnswer(q.Fail):
		return &fault{[]string{"fail"}, fmt.Sprintf("%q is not an answer", q.Fail), ""}
	case !hasWords(q.Ask):
		return &fault{[]string{"ask"}, "the question is empty", ""}
	case q.by() != ByRules && q.by() != ByModel && q.by() != ByBoth:
		return &fault{[]string{"by"}, fmt.Sprintf("%q cannot answer", q.By), ""}
	case q.by() != ByModel && !rules:
		return &fault{nil, "the rules cannot answer without yes: or no:",
			"want phrases for one of them, or by: model"}
	case q.by() == ByModel && rules:
		return &fault{nil, "yes: and no: are for the rules, but the model answers",
			"want by: both, or no phrases"}
	case q.Unsure != nil && q.by() == ByRules:
		return &fault{[]string{"unsure"}, "the rules are never unsure", "want by: model or both"}
	case q.Unsure != nil && (q.Unsure.From < 0 || q.Unsure.To < q.Unsure.From || q.Unsure.To > 100):
		return &fault{[]string{"unsure"}, fmt.Sprintf("%d to %d is not a range of percentages",
			q.Unsure.From, q.Unsure.To), ""}
	case q.Fail != "" && q.Fail == q.GoodAnswer():
		return &fault{[]string{"fail"}, "the good answer fails the dialogue",
			"want the other answer, or good: no"}
	case q.Weight < 0 || q.Weight > 100:
		return &fault{[]string{"weight"}, fmt.Sprintf("the weight is %d", q.Weight), ""}
	}
	return cmp.Or(q.When.check(0, "when"), q.Yes.check(0, "yes"), q.No.check(0, "no"))
}

func (f *Fact) check() *fault {
	v := cmp.Or(f.When, &Validity{})
	for _, day := range [][2]string{{"from", v.From}, {"until", v.Until}} {
		if day[1] != "" && !isoDay.MatchString(day[1]) {
			return &fault{[]string{"when", day[0]}, fmt.Sprintf("%q is not a day", day[1]), ""}
		}
	}
	switch {
	case f.About == nil:
		return &fault{[]string{"about"}, "about: is missing", ""}
	case f.About.Before != nil || f.About.After != nil || f.About.AtLeast != 0:
		return &fault{[]string{"about"}, "a fact is about single sentences",
			"want only phrases, unless: and where:"}
	case f.Value.Text == "" && (f.Value.Line > 0 || len(f.Never) == 0):
		return &fault{[]string{"value"}, "value: is missing, or is not one text", ""}
	case len(f.NA) > 0:
		return &fault{[]string{"na"}, "a fact always applies", "want only hit and miss"}
	case v.Until != "" && v.Until < v.From:
		return &fault{[]string{"when", "until"}, "it ends on " + v.Until + ", before it begins",
			"want a day from " + v.From + " on"}
	}
	return cmp.Or(f.About.check(0, "about"), noEmpty(f.Never, nil, "never"))
}

// check returns the first error in a pattern at a path, or nil. Level is the number of patterns
// around it.
func (p *Pattern) check(level int, path ...string) *fault {
	switch {
	case p == nil:
		return nil
	case len(p.User)+len(p.System)+len(p.Any) == 0:
		return &fault{path, "no phrases are given", ""}
	case p.AtLeast < 0 || p.AtLeast > 100:
		return &fault{append(path, "at-least"), fmt.Sprintf("at-least is %d", p.AtLeast), ""}
	case level == 2:
		return &fault{path, "before and after are nested too deeply", "want at most two levels"}
	}
	return cmp.Or(noEmpty(p.User, path, "user"), noEmpty(p.System, path, "system"),
		noEmpty(p.Any, path, "any"), noEmpty(p.Unless, path, "unless"),
		noEmpty(p.Where, path, "where"), p.Before.check(level+1, append(path, "before")...),
		p.After.check(level+1, append(path, "after")...))
}

// noEmpty returns a fault for the first phrase of a list that has no text, such as null or a
// mapping, or nil.
func noEmpty(list []Phrase, path []string, name string) *fault {
	i := slices.IndexFunc(list, func(p Phrase) bool { return p.Text == "" })
	if i < 0 {
		return nil
	}
	path = append(slices.Clip(path), name, strconv.Itoa(i))
	if is := list[i].notText; is != "" {
		return &fault{path, "the phrase is " + is, "want words alone, in quotes if they contain " +
			"a colon; conditions have a list of their own, such as where: [number]"}
	}
	return &fault{path, "the phrase is empty",
		"want words, with quotes around them if a colon is among them"}
}
