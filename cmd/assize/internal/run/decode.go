package run

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Decode reads the record. What the agents and detectors said, the scores, averages, rulings and figures are as the line
// has them; the grounds and quotes of the Referee are decided again, by the rubric above the line. The error is a
// [*LineError].
func (l Line) Decode() (*Record, error) {
	w, r, err := l.record()
	if err == nil && r.Scored() {
		w.rule(r.Evaluation)
	}
	return r, err
}

// rule enters the scores, averages and rulings as the line has them.
func (w *wire) rule(e *rubric.Evaluation) {
	e.EvaluatorAverage, e.Average, e.Overall = w.Evaluator.Average, w.Final.Average, w.Final.Overall
	proposed, final := w.Evaluator.List(), w.Final.List()
	for i, r := range w.Panel.Rulings {
		e.Evaluator[i].Score, e.Final[i].Score = proposed[i].Score, final[i].Score
		e.Rulings[i].ID = value(r.Ruling, rubric.Agreed, rubric.Majority)
	}
}

// Settle gives the record as it follows from its own evidence alone: what the detectors and the agents said, and the
// turns. The error is a [*LineError].
func (l Line) Settle() (*Record, error) {
	_, r, err := l.record()
	if err != nil {
		return nil, err
	}
	r.Source.Digest = r.Dialogue.Digest()
	if r.Model != nil {
		r.Model.DeriveFlags()
	}
	if r.Scored() {
		r.Rate(l.Header.Basis.Profile)
	}
	return r, nil
}

// parse reads the line as JSON, and checks what all readers rely on. What rules and model are apart follows from their
// scores.
func (l Line) parse(opts ...json.Options) (*wire, error) {
	w := &wire{Signals: make([]rubric.Signal, 0, 16), Turns: make([]turn, 0, 32)} // room for an ordinary record
	err := json.Unmarshal(l.Text, w, opts...)
	if err != nil {
		err = unreadable(err)
	} else if wrong := w.check(); wrong != nil {
		err = wrong
	} else if w.CrossCheck != nil {
		var model, rules [rubric.NumCriteria]rubric.Score
		for i, rating := range w.Evaluator.List() {
			model[i], rules[i] = rating.Score, w.CrossCheck.Criteria[i].Rules
		}
		*w.CrossCheck, err = l.Header.Basis.Rubric.CrossCheck(model, rules)
	}
	if err == nil {
		return w, nil
	}
	if w.DialogueID != 0 {
		err = fmt.Errorf("dialogue %d: %w", w.DialogueID, err)
	}
	return nil, &LineError{l.File, l.Number, err}
}

// check finds what is outside of the bounds in which all of a record can be computed and shown. Whatever else is not as
// it should be is found where the record is settled again and compared with the line.
func (w *wire) check() *Difference {
	const onScale = "20, 40, 60, 80 or 100"
	turns := w.Source.Turns
	switch {
	case w.Status == "":
		return problem("", "is no record; want one, as assize score -o run.jsonl writes")
	case w.Status != "scored" && w.Status != "unscored":
		return wrong(strconv.Quote(w.Status), "scored or unscored", "status")
	case w.Truth.Turns != nil && len(w.Truth.Turns) != turns:
		return wrong(fmt.Sprint("a list of ", len(w.Truth.Turns)), fmt.Sprint("one of ", turns, ", a turn each"), "truth", "turns")
	case w.Truth.Labels != nil && len(w.Truth.Labels) != turns:
		return wrong(fmt.Sprint("a list of ", len(w.Truth.Labels)), fmt.Sprint("one of ", turns, ", a turn each"), "truth", "labels")
	}
	switch {
	case w.Status == "unscored":
		w.CrossCheck, w.Signals = nil, nil
		return nil
	case w.Evaluator == nil || w.Final == nil || w.Panel == nil:
		return problem("", "is no whole record: it lacks evaluator, referee_final or panel; want all of them")
	case w.Satisfaction < 100 || w.Satisfaction > 500:
		return wrong(w.Satisfaction, "1.00 to 5.00", "satisfaction")
	case w.Level < 0 || w.Level > 5:
		return wrong(w.Level, "1 to 5", "level")
	case w.Final.Average < 2000 || w.Final.Average > 10000:
		return wrong(w.Final.Average, "20.00 to 100.00", "referee_final", "numeric_weighted_average")
	case !w.Final.Overall.Valid():
		return wrong(w.Final.Overall, onScale, "referee_final", "OverallExperience")
	}
	proposed, final := w.Evaluator.List(), w.Final.List()
	for i, k := range rubric.Criteria() {
		switch {
		case value(w.Panel.Rulings[i].Ruling, rubric.Agreed, rubric.Majority) == 0:
			return wrong(strconv.Quote(w.Panel.Rulings[i].Ruling), "a ruling, such as R1-agreed", "panel", "rulings", i, "ruling")
		case !proposed[i].Score.Valid():
			return wrong(proposed[i].Score, onScale, "evaluator", k, "score")
		case !final[i].Score.Valid():
			return wrong(final[i].Score, onScale, "referee_final", k, "score")
		case w.CrossCheck != nil && !w.CrossCheck.Criteria[i].Rules.Valid():
			return wrong(w.CrossCheck.Criteria[i].Rules, onScale, "cross_check", "criteria", i, "rules")
		}
	}
	if n := len(w.Critic); n < rubric.NumCriteria && len(w.Panel.Critic) > 0 {
		return wrong(fmt.Sprint("a list of ", n), "the six criteria in their order", "critic")
	}
	least := 1 // detectors leave their signals in the order of the turns
	for i, s := range w.Signals {
		if s.Turn < least || max(s.Turn, s.About) > turns || s.About < 0 {
			return wrong(fmt.Sprintf("at %d about %d", s.Turn, s.About), "turns of the dialogue, in their order", "signals", i)
		}
		least = s.Turn
	}
	return nil
}

// record makes a record of the line: its evidence, and what the Referee decides on it.
func (l Line) record() (*wire, *Record, error) {
	w, err := l.parse()
	if err != nil {
		return nil, nil, err
	}
	if n := len(w.Turns); n != w.Source.Turns {
		return nil, nil, &LineError{l.File, l.Number, wrong(fmt.Sprint("a list of ", n), fmt.Sprint("one of ", w.Source.Turns), "turns")}
	}
	r := w.figures()
	r.Dialogue.Turns = make([]dialogue.Turn, len(w.Turns))
	for i, t := range w.Turns {
		r.Dialogue.Turns[i] = dialogue.Turn{Role: value(t.Role, dialogue.Other, dialogue.User), Text: t.Text}
		if v := (dialogue.Voice{Speaker: t.Speaker, At: t.At}); v != (dialogue.Voice{}) {
			if r.Voices == nil {
				r.Voices = make([]dialogue.Voice, len(w.Turns))
			}
			r.Voices[i] = v
		}
	}
	if w.Status == "unscored" {
		return w, r, nil
	}
	var card rubric.Scorecard
	for i, given := range w.Evaluator.List() {
		said := w.Panel.Evaluator[i].quoted()
		card[i] = rubric.Rating{Score: given.Score, Claim: claim(r.Dialogue, given.Justification, said), Quotes: said}
	}
	var critique rubric.Critique
	for _, o := range w.Panel.Critic {
		said := o.quoted()
		critique[o.Criterion] = rubric.Objection{
			Suggested: o.Suggested, Kind: value(o.Kind, rubric.Contradicts, rubric.MissingEvidence), Quotes: said, By: o.By,
			Claim: claim(r.Dialogue, w.Critic[o.Criterion].Comment, said),
		}
	}
	of := rubric.Case{Dialogue: r.Dialogue, Signals: w.Signals}
	if r.Evaluation, err = l.Header.Basis.Rubric.Settle(of, card, critique); err != nil {
		return nil, nil, &LineError{l.File, l.Number, err}
	}
	r.Evaluation.Remarks = r.Remarks()
	return w, r, nil
}

// figures makes a record with what the line says of the dialogue as a whole.
func (w *wire) figures() *Record {
	r := &Record{Dialogue: dialogue.Dialogue{ID: w.DialogueID}, Source: w.Source, Reason: w.Reason, Model: w.Model,
		Fallback: w.Fallback, CrossCheck: w.CrossCheck, Truth: w.Truth}
	if w.Status == "scored" {
		r.Estimate, r.Learnt = w.Estimate, w.Learnt
	}
	return r
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

// wrong tells what a member is, and what would be right.
func wrong(is any, want string, path ...any) *Difference {
	pointer := ""
	for _, name := range path {
		pointer += fmt.Sprintf("/%v", name)
	}
	return problem(pointer, fmt.Sprintf("is %v; want %s", is, want))
}

// problem makes a difference of a line that cannot be read. What a hostile line makes long is cut.
func problem(path, msg string) *Difference {
	const most = 300 // bytes
	for _, s := range []*string{&path, &msg} {
		if len(*s) > most {
			*s = strings.ToValidUTF8((*s)[:most], "") + "…"
		}
	}
	return &Difference{Path: path, Message: msg}
}

// unreadable words an error of the JSON library.
func unreadable(err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax) && errors.Is(err, io.ErrUnexpectedEOF):
		return problem(string(syntax.JSONPointer), "breaks off here; want a whole line")
	case errors.As(err, &syntax):
		return problem(string(syntax.JSONPointer), "is not written as JSON: "+syntax.Err.Error())
	case !errors.As(err, &semantic):
		return problem("", "cannot be read: "+err.Error())
	case semantic.Err != nil:
		return problem(string(semantic.JSONPointer), "cannot be read: "+semantic.Err.Error())
	}
	kinds := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Int: "a number", reflect.Uint8: "a number", reflect.Float64: "a number",
		reflect.Bool: "true or false", reflect.Slice: "a list", reflect.Array: "a list",
	}
	return problem(string(semantic.JSONPointer), "is not "+cmp.Or(kinds[semantic.GoType.Kind()], "an object"))
}
