package run

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// wire is the JSON form of a record, and thus the schema of a line. It begins with the document of
// the three-agent protocol, of which an unscored dialogue has only the ID.
type wire struct {
	rubric.Debate
	Source Source `json:"source"`
	Status string `json:"status"` // "scored" or "unscored"; "hidden" only from a server
	// only for an unscored dialogue, which omits everything up to the cross-check
	Reason string `json:"reason,omitempty"`
	satisfaction.Estimate
	Reasons []satisfaction.Reason `json:"satisfaction_because,omitempty"`
	Signals []rubric.Signal       `json:"signals,omitzero"`
	// the ledger of what the SYSTEM says was done; only if the dialogue has calls of tools
	Deeds []rubric.Deed `json:"claims,omitempty"`
	Panel *panel        `json:"panel,omitzero"`
	// only if a model proposed all six scores
	CrossCheck *rubric.CrossCheck `json:"cross_check,omitzero"`
	// only if the rubric has questions
	Checklist *rubric.Checklist `json:"checklist,omitzero"`
	// only if a model was asked, scored or not
	Model    *localllm.Account `json:"model,omitzero"`
	Fallback []Agent           `json:"fallback,omitempty"`
	Tools    []string          `json:"tools,omitempty"` // those that the source lists
	Turns    []turn            `json:"turns"`
	Truth    dialogue.Truth    `json:"truth,omitempty"`
}

// panel contains the agents' answers, for which the protocol's document has only sentences. The
// Referee's rulings follow from them.
type panel struct {
	Evaluator [rubric.NumCriteria]answer `json:"evaluator"`
	Critic    []answer                   `json:"critic,omitempty"`
}

// answer holds the quotes of a rating or an objection; only an objection has the other members.
type answer struct {
	Criterion rubric.Criterion `json:"criterion"`
	By        string           `json:"by,omitzero"`
	Kind      string           `json:"kind,omitzero"`
	Turns     []int            `json:"turns"`
	Quotes    []string         `json:"quotes"` // one per turn
	Suggested rubric.Score     `json:"suggested,omitzero"`
}

type turn struct {
	Role    string `json:"role"`
	Speaker string `json:"speaker,omitzero"` // as written in the source, like the time
	At      string `json:"at,omitzero"`
	Text    string `json:"text"`
}

// Append appends the record to b as one line of JSON, without a line break.
func (r *Record) Append(b []byte) []byte {
	w := &wire{Source: r.Source, Status: "unscored", Reason: r.Reason, Model: r.Model,
		Fallback: r.Fallback, Truth: r.Truth}
	if r.Scored() {
		w.score(r)
	} else if r.Hidden {
		w.Status = "hidden"
	}
	w.DialogueID, w.Tools = r.Dialogue.ID, r.Dialogue.Listed
	w.Turns = make([]turn, 0, len(r.Dialogue.Turns))
	for i, t := range r.Dialogue.Turns {
		one := turn{Role: t.Role.String(), Text: t.Text}
		if i < len(r.Voices) {
			one.Speaker, one.At = r.Voices[i].Speaker, r.Voices[i].At
		}
		w.Turns = append(w.Turns, one)
	}
	return rubric.AppendJSON(slices.Grow(b, 16<<10), w) // room for an ordinary record
}

// score sets the members that only a scored dialogue has.
func (w *wire) score(r *Record) {
	e := r.Evaluation
	w.Debate, w.Status, w.Reason = e.Debate(), "scored", ""
	w.Estimate, w.Reasons, w.CrossCheck, w.Checklist, w.Panel = r.Estimate, r.Reasons,
		r.CrossCheck, r.Checklist, &panel{}
	w.Deeds = r.Deeds
	w.Signals = append([]rubric.Signal{}, e.Signals...) // never null
	for i, k := range rubric.Criteria() {
		w.Panel.Evaluator[i] = answer{Criterion: k}
		w.Panel.Evaluator[i].setQuotes(e.Evaluator[i].Quotes)
		if o := &e.Critique[i]; o.Suggested != 0 {
			against := answer{Criterion: k, By: o.By, Kind: o.Kind.String(), Suggested: o.Suggested}
			against.setQuotes(o.Quotes)
			w.Panel.Critic = append(w.Panel.Critic, against)
		}
	}
}

func (a *answer) setQuotes(list []rubric.Quote) {
	a.Turns, a.Quotes = make([]int, len(list)), make([]string, len(list))
	for i, q := range list {
		a.Turns[i], a.Quotes[i] = q.Turn, q.Text
	}
}

// toQuotes is the inverse of setQuotes.
func (a *answer) toQuotes() []rubric.Quote {
	const limit = 200 // a hundred times what people need; each must be looked up in its turn
	list := make([]rubric.Quote, min(len(a.Turns), len(a.Quotes), limit))
	for i := range list {
		list[i] = rubric.Quote{Turn: a.Turns[i], Text: a.Quotes[i]}
	}
	return list
}

// Source decodes only the source of a record and its name, see [Record.Name]; both are zero if the
// line has none.
func (l Line) Source() (s Source, name string) {
	number, rest, _ := bytes.Cut(l.Text, []byte(`,`))
	_, rest, _ = bytes.Cut(rest, []byte(`"source":`))
	if json.UnmarshalDecode(jsontext.NewDecoder(bytes.NewReader(rest)), &s) != nil {
		return Source{}, ""
	}
	return s, cmp.Or(s.ID, string(bytes.TrimPrefix(number, []byte(`{"dialogue_id":`))))
}

// Decode decodes the record. Agents' answers, detectors' signals and the satisfaction are taken
// from the line; the Referee's decision is recomputed with the rubric in the header above the line.
// The error is a [*LineError].
func (l Line) Decode() (*Record, error) {
	// capacity for an ordinary record
	w := &wire{Signals: make([]rubric.Signal, 0, 64), Turns: make([]turn, 0, 32)}
	err := json.Unmarshal(l.Text, w)
	if err != nil {
		err = unreadable(err)
	} else if wrong := w.check(); wrong != nil {
		err = wrong
	} else {
		var r *Record
		if r, err = w.record(l.Header); err == nil {
			r.Position = l.Number - 1 // the header is above it
			return r, nil
		}
		err = problem("", "cannot be recomputed: %v", err)
	}
	if w.DialogueID != 0 {
		err = fmt.Errorf("dialogue %s: %w", cmp.Or(w.Source.ID, strconv.Itoa(w.DialogueID)), err)
	}
	return nil, &LineError{l.File, l.Number, err}
}

// Recompute returns the record recomputed from its own evidence: the detectors' signals, the
// agents' answers and the turns. Only if the run was made with another lexicon, whose weights this
// program does not have, is the satisfaction taken from the line. The error is a [*LineError].
func (l Line) Recompute(lexicon string) (*Record, error) {
	r, err := l.Decode()
	if err != nil {
		return nil, err
	}
	r.Source.Digest = r.Dialogue.Digest()
	if r.Model != nil {
		r.Model.DeriveFlags()
		r.Model.DeriveClaims(l.Header.Basis.Calibration.ClaimScales())
	}
	if r.Scored() && !l.Header.Configuration.Redacted {
		r.Deeds = r.Evaluation.Deeds()
	}
	if r.Scored() && l.Header.Lexicon == lexicon {
		r.Rate(l.Header.Basis.Profile)
	}
	return r, nil
}

// check returns the first value outside of the bounds within which a record can be computed and
// shown. Any other errors are found when the record is settled again and compared with the line.
func (w *wire) check() *Difference {
	const oneEach = "is a list of %d; want one of %d, a turn each"
	turns := w.Source.Turns
	switch {
	case w.Status == "":
		return problem("", "is not a record; want one, as assize score -o run.jsonl writes")
	case w.Status != "scored" && w.Status != "unscored":
		return problem("/status", "is %q; want scored or unscored", w.Status)
	case len(w.Turns) != turns:
		return problem("/turns", "is a list of %d; want one of %d", len(w.Turns), turns)
	case w.Truth.Turns != nil && len(w.Truth.Turns) != turns:
		return problem("/truth/turns", oneEach, len(w.Truth.Turns), turns)
	case w.Truth.Labels != nil && len(w.Truth.Labels) != turns:
		return problem("/truth/labels", oneEach, len(w.Truth.Labels), turns)
	case w.Status == "unscored":
		return nil
	case w.Evaluator == nil || w.Panel == nil:
		return problem("", "is an incomplete record: it lacks evaluator or panel; want both")
	case w.Satisfaction < 100 || w.Satisfaction > 500:
		return problem("/satisfaction", "is %v; want 1.00 to 5.00", w.Satisfaction)
	case w.Level < 0 || w.Level > 5:
		return problem("/level", "is %d; want 1 to 5", w.Level)
	}
	for i, c := range w.Deeds {
		if c.Turn < 1 || max(c.Turn, c.Proof) > turns || c.Proof < 0 ||
			!slices.Contains(rubric.DeedStates(), c.State) {
			return problem(fmt.Sprint("/claims/", i), "is %q at %d; want a state of a claim, at a "+
				"turn of the dialogue", c.State, c.Turn)
		}
	}
	minimum := 1 // signals are in the order of the turns
	for i, s := range w.Signals {
		if s.Turn < minimum || max(s.Turn, s.About) > turns || s.About < 0 || s.Start < 0 ||
			s.End < s.Start {
			return problem(fmt.Sprint("/signals/", i), "is at %d about %d; want turns of the "+
				"dialogue, in their order", s.Turn, s.About)
		}
		minimum = s.Turn
	}
	return nil
}

// record builds a record from the line's evidence and the Referee's decision by the rubric. It
// recomputes the cross-check from the scores.
func (w *wire) record(h *Header) (r *Record, err error) {
	said := dialogue.Dialogue{ID: w.DialogueID, Listed: w.Tools,
		Turns: make([]dialogue.Turn, len(w.Turns))}
	r = &Record{Dialogue: said, Source: w.Source, Reason: w.Reason, Model: w.Model,
		Fallback: w.Fallback, Truth: w.Truth, Masked: h.Configuration.Redacted}
	for i, t := range w.Turns {
		r.Dialogue.Turns[i] = dialogue.Turn{Role: parseName(t.Role, dialogue.User), Text: t.Text}
		if v := (dialogue.Voice{Speaker: t.Speaker, At: t.At}); v != (dialogue.Voice{}) {
			if r.Voices == nil {
				r.Voices = make([]dialogue.Voice, len(w.Turns))
			}
			r.Voices[i] = v
		}
	}
	if r.Model != nil && h.Model != nil {
		answered := func(c localllm.Call) bool {
			return c.Yes != nil && c.Purpose == localllm.ForQuestion
		}
		if !r.Measure(h.Model) && slices.ContainsFunc(r.Model.Calls, answered) {
			return nil, texts.Error("other questions")
		}
	}
	if w.Status == "unscored" {
		return r, nil
	}
	r.Estimate, r.Reasons, r.Deeds = w.Estimate, w.Reasons, w.Deeds
	// the scores that follow from what the model answered; 0 if it did not answer
	var byModel [rubric.NumCriteria]rubric.Score
	if r.Goodness != nil {
		byModel = h.Basis.Calibration.Scales().Scores(*r.Goodness)
	}
	seats := h.Basis.Calibration.Evaluates(h.Configuration.Evaluator)
	var card rubric.Scorecard
	for i, given := range w.Evaluator.List() {
		if byModel[i] > 0 && seats.Has(rubric.Criterion(i)) &&
			!slices.Contains(w.Fallback, Evaluator) {
			given.Score = byModel[i]
		}
		said := w.Panel.Evaluator[i].toQuotes()
		card[i] = rubric.Rating{Score: given.Score, Claim: claim(r.Dialogue, given.Justification,
			said), Quotes: said}
	}
	var critique rubric.Critique
	for _, o := range w.Panel.Critic {
		said, comment := o.toQuotes(), ""
		if int(o.Criterion) < len(w.Critic) {
			comment = w.Critic[o.Criterion].Comment
		}
		kind := parseName(o.Kind, rubric.MissingEvidence)
		critique[o.Criterion] = rubric.Objection{Suggested: o.Suggested, Kind: kind,
			Claim: claim(r.Dialogue, comment, said), Quotes: said, By: o.By}
	}
	of := rubric.Case{Dialogue: r.Dialogue, Signals: w.Signals}
	if r.Evaluation, err = h.Basis.Rubric.Settle(of, card, critique); err != nil {
		return nil, err
	}
	r.Evaluation.Remarks = r.Remarks()
	r.AnswerChecklist()
	if w.CrossCheck != nil {
		var model, rules [rubric.NumCriteria]rubric.Score
		for i, k := range w.CrossCheck.Criteria {
			model[i], rules[i] = cmp.Or(byModel[i], k.Model), k.Rules
		}
		r.CrossCheck = w.CrossCheck
		if *r.CrossCheck, err = h.Basis.Rubric.CrossCheck(model, rules); err != nil {
			return nil, fmt.Errorf("cross_check: %w", err)
		}
	}
	return r, nil
}

// claim extracts the claim from a sentence made by [rubric.Rating.Sentence].
func claim(d dialogue.Dialogue, sentence string, quotes []rubric.Quote) string {
	const stand = "X"
	tail := rubric.Rating{Claim: stand, Quotes: quotes}.Sentence(d)[len(stand):]
	if head, ok := strings.CutSuffix(sentence, tail); ok {
		return head
	}
	return "" // the sentence consists of quotes only
}

// parseName returns the value up to last with the given name, or the zero value if there is none.
func parseName[T interface {
	~uint8
	fmt.Stringer
}](name string, last T) (none T) {
	for v := range last + 1 {
		if v.String() == name {
			return v
		}
	}
	return none
}

// problem returns the difference for an unreadable line, with a message cut to a limit.
func problem(path, format string, values ...any) *Difference {
	const limit = 300 // bytes
	msg := fmt.Sprintf(format, values...)
	for _, s := range []*string{&path, &msg} {
		if len(*s) > limit {
			*s = strings.ToValidUTF8((*s)[:limit], "") + "…"
		}
	}
	return &Difference{Path: path, Message: msg}
}

// unreadable rewords an error of the JSON library.
func unreadable(err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax) && errors.Is(err, io.ErrUnexpectedEOF):
		return problem(string(syntax.JSONPointer), "ends here; want a complete line")
	case errors.As(err, &syntax):
		return problem(string(syntax.JSONPointer), "is not valid JSON: %v", syntax.Err)
	case !errors.As(err, &semantic):
		return problem("", "cannot be read: %v", err)
	case semantic.Err != nil:
		return problem(string(semantic.JSONPointer), "cannot be read: %v", semantic.Err)
	}
	kinds := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Int: "a number", reflect.Uint8: "a number",
		reflect.Float64: "a number",
		reflect.Bool:    "true or false", reflect.Slice: "a list", reflect.Array: "a list",
	}
	kind := cmp.Or(kinds[semantic.GoType.Kind()], "an object")
	return problem(string(semantic.JSONPointer), "is not %s", kind)
}
