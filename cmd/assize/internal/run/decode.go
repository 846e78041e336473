package run

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Bounds of what is read, so that a hostile line can keep nobody busy: they are a hundred times what people need.
const (
	maxTurns  = 1_000_000 // of a dialogue of which only cited turns are kept
	maxQuotes = 200       // of one answer; each is looked up in its turn
)

const (
	six     = "the six criteria in their order"
	onScale = "20, 40, 60, 80 or 100"
)

// decode reads a line that [Record.Append] wrote. What it checks is what the rest of the program relies on.
func decode(line []byte, b *Basis) (*Record, error) {
	w, err := parse(line)
	if err != nil {
		return nil, err
	}
	var c check
	r := w.record(b, &c)
	if c.err != nil {
		return nil, w.named(c.err)
	}
	return r, nil
}

// parse reads a line as JSON, and checks what a row needs of it.
func parse(line []byte, opts ...json.Options) (*wire, error) {
	w := &wire{Signals: make([]signal, 0, 16), Turns: make([]turn, 0, 32)} // room for an ordinary record
	if err := json.Unmarshal(line, w, opts...); err != nil {
		return nil, w.named(asFieldError(err))
	}
	var c check
	switch w.Status {
	case "scored":
		w.complete(&c)
	case "unscored":
	case "":
		return nil, &FieldError{Msg: "is no record; want one, as assize score -o run.jsonl writes"}
	default:
		c.want(false, w.Status, "scored or unscored", "status")
	}
	if c.err != nil {
		return nil, w.named(c.err)
	}
	return w, nil
}

// named gives an error that names the dialogue.
func (w *wire) named(err error) error {
	if w.DialogueID == 0 { // it may not have been read
		return err
	}
	return fmt.Errorf("dialogue %d: %w", w.DialogueID, err)
}

// complete checks what every scored record has.
func (w *wire) complete(c *check) {
	c.want(w.Evaluator != nil, phrase("missing"), "the Evaluator's ratings", "evaluator")
	c.want(w.Final != nil, phrase("missing"), "the final ratings", "referee_final")
	c.want(w.Panel != nil && len(w.Panel.Rulings) == rubric.NumCriteria, phrase("incomplete"), six, "panel", "rulings")
	c.want(w.Satisfaction != nil && *w.Satisfaction >= 100 && *w.Satisfaction <= 500, phrase("missing or out of bounds"),
		"1.00 to 5.00", "satisfaction")
	c.want(w.Level >= 0 && w.Level <= 5, w.Level, "1 to 5", "level")
	if x := w.CrossCheck; x != nil {
		c.want(x.Disagreement >= 0 && x.Disagreement <= 400, x.Disagreement, "0.00 to 4.00", "cross_check", "disagreement")
		c.want(len(x.Criteria) == rubric.NumCriteria, listOf(len(x.Criteria)), six, "cross_check", "criteria")
	}
	if c.err != nil {
		return
	}
	for name, average := range map[string]rubric.Hundredths{"evaluator": w.Evaluator.Average, "referee_final": w.Final.Average} {
		c.want(average >= 2000 && average <= 10000, average, "20.00 to 100.00", name, "numeric_weighted_average")
	}
	c.score(w.Final.Overall, "referee_final", "OverallExperience")
	proposed, final := w.Evaluator.List(), w.Final.List()
	for i, k := range rubric.Criteria() {
		g := &w.Panel.Rulings[i]
		c.score(proposed[i].Score, "evaluator", k, "score")
		c.score(final[i].Score, "referee_final", k, "score")
		c.want(g.Criterion == k.String(), g.Criterion, six, "panel", "rulings", i, "criterion")
		c.want(g.id() != 0, g.Ruling, "R1-agreed to R5-majority", "panel", "rulings", i, "ruling")
		if w.CrossCheck != nil {
			c.score(w.CrossCheck.Criteria[i].Model, "cross_check", "criteria", i, "model")
			c.score(w.CrossCheck.Criteria[i].Rules, "cross_check", "criteria", i, "rules")
		}
	}
}

func (g *ruling) id() rubric.RulingID { return value(g.Ruling, rubric.Agreed, rubric.Majority) }

// source gives the source as the line says it.
func (w *wire) source() Source {
	s := &w.Source
	var fields []dialogue.Field
	for name, value := range s.Meta {
		fields = append(fields, dialogue.Field{Name: name, Value: value})
	}
	slices.SortFunc(fields, func(a, b dialogue.Field) int { return strings.Compare(a.Name, b.Name) })
	return Source{
		File: s.File, Format: s.Format, ID: s.ID, Turns: s.Turns, Digest: s.Digest,
		Meta: dialogue.NewMeta(fields), DuplicateOf: s.DuplicateOf,
	}
}

// crossCheck gives the cross-check of a complete record; nil for none.
func (w *wire) crossCheck() *rubric.CrossCheck {
	if w.CrossCheck == nil || w.Status == "unscored" {
		return nil
	}
	check := &rubric.CrossCheck{Disagreement: w.CrossCheck.Disagreement}
	for i, pair := range w.CrossCheck.Criteria {
		check.Criteria[i] = rubric.Comparison{Model: pair.Model, Rules: pair.Rules}
	}
	return check
}

// record makes a record of what was parsed.
func (w *wire) record(b *Basis, c *check) *Record {
	r := &Record{
		Dialogue: dialogue.Dialogue{ID: w.DialogueID}, Source: w.source(), Reason: w.Reason,
		Model: w.Model, Fallback: w.Fallback, CrossCheck: w.crossCheck(),
	}
	r.CitedOnly = len(w.Turns) == 0 && w.Source.Turns > 0 || slices.ContainsFunc(w.Turns, func(t turn) bool { return t.Number != 0 })
	if !r.CitedOnly {
		r.Source.Turns = len(w.Turns)
	} else if r.Source.Turns < 0 || r.Source.Turns > maxTurns {
		c.want(false, r.Source.Turns, fmt.Sprintf("0 to %d", maxTurns), "source", "turns")
		return nil
	}
	turns := make([]dialogue.Turn, r.Source.Turns)
	r.Dialogue.Turns = turns
	numbers, each := fmt.Sprintf("1 to %d, as /source/turns says", len(turns)), fmt.Sprintf("one for each of the %d turns", len(turns))
	for i, t := range w.Turns {
		at := i + 1
		if r.CitedOnly {
			at = t.Number
		}
		role := value(t.Role, dialogue.Other, dialogue.User)
		c.want(role.String() == t.Role, t.Role, "SYSTEM, USER or OTHER", "turns", i, "role")
		c.want(at >= 1 && at <= len(turns), at, numbers, "turns", i, "turn")
		if c.err != nil {
			return nil
		}
		turns[at-1] = dialogue.Turn{Role: role, Text: t.Text}
	}
	if t := w.Truth; t != nil {
		r.Truth = dialogue.Truth(*t)
		c.want(t.Turns == nil || len(t.Turns) == len(turns), listOf(len(t.Turns)), each, "truth", "turns")
		c.want(t.Labels == nil || len(t.Labels) == len(turns), listOf(len(t.Labels)), each, "truth", "labels")
	}
	for i, a := range w.Fallback {
		c.want(a == Evaluator || a == Critic, string(a), "evaluator or critic", "fallback", i)
	}
	if w.Model != nil {
		purposes := []localllm.Purpose{localllm.ForCard, localllm.ForCriterion, localllm.ForObjection}
		for i, call := range w.Model.Calls {
			c.want(slices.Contains(purposes, call.Purpose), string(call.Purpose), "card, criterion or objection",
				"model", "calls", i, "purpose")
		}
	}
	if w.Status == "scored" && c.err == nil {
		r.Evaluation = w.evaluation(r.Dialogue, b.Rubric, c)
		r.Evaluation.Remarks = r.Remarks()
		r.Estimate = heuristics.Estimate{Satisfaction: *w.Satisfaction, Level: w.Level, Flagged: w.Flagged}
	}
	return r
}

// evaluation takes the evaluation as it is recorded.
func (w *wire) evaluation(d dialogue.Dialogue, rub rubric.Rubric, c *check) *rubric.Evaluation {
	p := w.Panel
	e := &rubric.Evaluation{
		Dialogue: d, Rubric: rub, Signals: make([]rubric.Signal, len(w.Signals)),
		EvaluatorAverage: w.Evaluator.Average, Average: w.Final.Average, Overall: w.Final.Overall,
	}
	c.want(len(w.Critic) == rubric.NumCriteria, listOf(len(w.Critic)), six, "critic")
	c.want(len(p.Evaluator) == rubric.NumCriteria, listOf(len(p.Evaluator)), six, "panel", "evaluator")
	c.want(len(p.Critic) <= rubric.NumCriteria, listOf(len(p.Critic)), "at most one for each criterion", "panel", "critic")
	least := 1 // detectors leave their signals in the order of the turns
	for i, s := range w.Signals {
		c.want(s.Turn >= least && s.Turn <= len(d.Turns), s.Turn, "a turn, in the order of the turns", "signals", i, "turn")
		c.want(s.About >= 0 && s.About <= len(d.Turns), s.About, "a turn", "signals", i, "about")
		least = s.Turn
		e.Signals[i] = rubric.Signal{ID: s.ID, Turn: s.Turn, About: s.About, Points: s.Points}
		for _, name := range s.Criteria {
			k, err := rubric.ParseCriterion(name)
			c.want(err == nil, name, "a criterion", "signals", i, "criteria")
			e.Signals[i].Criteria |= rubric.SetOf(k)
		}
	}
	if c.err != nil {
		return e
	}
	for i, given := range w.Evaluator.List() {
		a := &p.Evaluator[i]
		c.want(a.Criterion == rubric.Criterion(i).String(), a.Criterion, six, "panel", "evaluator", i, "criterion")
		said := a.join(c, "panel", "evaluator", i)
		e.Evaluator[i] = rubric.Rating{Score: given.Score, Claim: claim(d, given.Justification, said), Quotes: said}
	}
	for i, o := range p.Critic {
		k, err := rubric.ParseCriterion(o.Criterion)
		c.want(err == nil, o.Criterion, "a criterion", "panel", "critic", i, "criterion")
		kind := value(o.Kind, rubric.Contradicts, rubric.MissingEvidence)
		c.want(kind.String() == o.Kind, o.Kind, "contradicts or missing-evidence", "panel", "critic", i, "kind")
		c.want(o.Suggested != 0, 0, "a score", "panel", "critic", i, "suggested") // the Referee rules on one off the scale
		said := o.join(c, "panel", "critic", i)
		e.Critique[k] = rubric.Objection{
			Suggested: o.Suggested, Kind: kind, Claim: claim(d, w.Critic[k].Comment, said), Quotes: said, By: o.By,
		}
	}
	for i := range p.Rulings {
		w.ruling(e, rubric.Criterion(i), c)
	}
	return e
}

// ruling takes what the Referee decided on a criterion. A changed rating has the quotes of the objection that are in the
// transcript, or else those that its sentence shows instead.
func (w *wire) ruling(e *rubric.Evaluation, k rubric.Criterion, c *check) {
	g, final := &w.Panel.Rulings[k], w.Final.List()[k]
	made := rubric.Ruling{ID: g.id(), Ground: value(g.Ground, rubric.NoObjection, rubric.NotShown), Before: g.Before, After: g.After}
	c.want(made.Ground.String() == g.Ground, g.Ground, "the ground of a ruling", "panel", "rulings", int(k), "ground")
	c.score(g.Before, "panel", "rulings", int(k), "before")
	c.score(g.After, "panel", "rulings", int(k), "after")
	c.want(len(g.Turns) <= maxQuotes, listOf(len(g.Turns)), "at most 200", "panel", "rulings", int(k), "turns")
	if c.err != nil {
		return
	}
	is := e.Evaluator[k]
	is.Score = final.Score
	if made.ID != rubric.Agreed && made.ID != rubric.Ambiguous {
		is.Quotes = slices.DeleteFunc(slices.Clone(e.Critique[k].Quotes), func(q rubric.Quote) bool { return !q.Verify(e.Dialogue) })
		if len(is.Quotes) == 0 {
			is.Quotes = shown(e.Dialogue, final.Justification, g.Turns)
		}
		turns := g.Turns
		for _, q := range is.Quotes {
			if len(turns) > 0 && turns[0] == q.Turn {
				made.Quotes, turns = append(made.Quotes, q), turns[1:]
			}
		}
	}
	if final.Justification != w.Evaluator.List()[k].Justification {
		is.Claim = claim(e.Dialogue, final.Justification, is.Quotes)
	}
	e.Final[k], e.Rulings[k] = is, made
}

// claim takes the claim out of a sentence that [rubric.Rating.Sentence] made of it and its quotes.
func claim(d dialogue.Dialogue, sentence string, quotes []rubric.Quote) string {
	const stand = "X"
	tail := rubric.Rating{Claim: stand, Quotes: quotes}.Sentence(d)[len(stand):]
	if head, ok := strings.CutSuffix(sentence, tail); ok {
		return head
	}
	return "" // the sentence is of quotes alone
}

// shown takes the quotes out of such a sentence, by their turns.
func shown(d dialogue.Dialogue, sentence string, turns []int) (quotes []rubric.Quote) {
	for i, n := range turns {
		t, _ := d.Turn(n)
		_, rest, found := strings.Cut(sentence, t.Role.String()+`: "`)
		if !found {
			break
		}
		text := strings.TrimSuffix(strings.TrimSuffix(rest, "."), `"`)
		if i+1 < len(turns) {
			next, _ := d.Turn(turns[i+1])
			text, _, _ = strings.Cut(rest, `"; `+next.Role.String()+`: "`)
		}
		quotes, sentence = append(quotes, rubric.Quote{Turn: n, Text: text}), rest[len(text):]
	}
	return quotes
}

// join is the inverse of split.
func (q *quotes) join(c *check, path ...any) []rubric.Quote {
	if len(q.Turns) != len(q.Quotes) || len(q.Turns) > maxQuotes {
		is := phrase(fmt.Sprintf("of %d turns and %d quotes", len(q.Turns), len(q.Quotes)))
		c.want(false, is, "as many of both, at most 200", path...)
		return nil
	}
	list := make([]rubric.Quote, len(q.Turns))
	for i := range list {
		list[i] = rubric.Quote{Turn: q.Turns[i], Text: q.Quotes[i]}
	}
	return list
}

// value gives the value from first to last that has a name; the zero value for none.
func value[T interface {
	~uint8
	fmt.Stringer
}](name string, first, last T) (none T) {
	for v := first; v <= last; v++ {
		if v.String() == name {
			return v
		}
	}
	return none
}

// phrase describes a member where its value is not shown.
type phrase string

// listOf is a list that is described by its length.
type listOf int

func (n listOf) String() string { return fmt.Sprintf("a list of %d", int(n)) }

// check notes the first member that is not as it should be.
type check struct{ err error }

func (c *check) score(s rubric.Score, path ...any) { c.want(s.Valid(), s, onScale, path...) }

func (c *check) want(ok bool, is any, want string, path ...any) {
	if ok || c.err != nil {
		return
	}
	if text, ok := is.(string); ok {
		is = strconv.Quote(text)
	}
	pointer := ""
	for _, name := range path {
		pointer += fmt.Sprintf("/%v", name)
	}
	c.err = &FieldError{pointer, clip(fmt.Sprintf("is %v; want %s", is, want))}
}

// FieldError is what is wrong with one member of a line, so that the line cannot be read.
type FieldError struct {
	Pointer string // where, as a JSON pointer (RFC 6901); empty for the line as a whole
	Msg     string // what is there and what would be right: "is 70; want 20, 40, 60, 80 or 100"
}

func (e *FieldError) Error() string {
	if e.Pointer == "" {
		return "the line " + e.Msg
	}
	return e.Pointer + " " + e.Msg
}

// clip shortens what a hostile line makes long.
func clip(s string) string {
	const most = 300 // bytes
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// asFieldError words an error of the JSON library.
func asFieldError(err error) *FieldError {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax) && errors.Is(err, io.ErrUnexpectedEOF):
		return &FieldError{clip(string(syntax.JSONPointer)), "breaks off here; want a whole line"}
	case errors.As(err, &syntax):
		return &FieldError{clip(string(syntax.JSONPointer)), clip("is not written as JSON: " + syntax.Err.Error())}
	case !errors.As(err, &semantic):
		return &FieldError{Msg: clip("cannot be read: " + err.Error())}
	case semantic.Err != nil:
		return &FieldError{clip(string(semantic.JSONPointer)), clip("cannot be read: " + semantic.Err.Error())}
	}
	want := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Int: "a whole number", reflect.Uint8: "one of " + onScale, reflect.Float64: "a number",
		reflect.Bool: "true or false", reflect.Slice: "a list",
	}
	name := "an object"
	if semantic.GoType != nil && want[semantic.GoType.Kind()] != "" {
		name = want[semantic.GoType.Kind()]
	}
	return &FieldError{clip(string(semantic.JSONPointer)), "is not " + name}
}
