// Package redact masks what identifies a person or opens an account: e-mail addresses, telephone,
// card and account numbers, passwords and keys, numbers of persons such as that of a passport,
// dates of birth, and addresses of computers. It does not mask names and street addresses.
//
// Dialogues are judged by what was really said; masking comes after it, on everything that is
// written. A quote is cut from its masked turn, so that it is still verbatim in the turn that is
// written next to it. Numbers that identify nobody stay: times, dates, years, prices, booking and
// order numbers.
//
// A text is folded first, so that characters that look the same are the same. Then its words and
// numbers are read once, in order: some shapes are enough by themselves, such as that of an e-mail
// address; others need a word that announces them, in the same sentence or in the question before.
// words.txt has these words, phones.txt the national forms of telephone numbers.
package redact

import (
	"errors"
	"regexp"
	"slices"

	"assize/cmd/assize/internal/run"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// The masks. Each says what it replaces.
const (
	Email     = "[email]"
	Phone     = "[phone]"
	Card      = "[card]"
	Account   = "[account]"
	Secret    = "[secret]"
	ID        = "[id]"
	Birthdate = "[birthdate]"
	IP        = "[ip]"
	MAC       = "[mac]"
)

var masks = [...]string{Email, Phone, Card, Account, Secret, ID, Birthdate, IP, MAC}

// Text masks s on its own, without the words around it.
func Text(s string) string { return newMasked(newText(s), 0, known{}).text }

// Record masks everything of r that is written. Its digest becomes that of the masked turns: a
// digest of the original words would let anybody test guesses at what is masked.
//
// What r has in common with its sample or its Evaluation is left as it is; r gets copies.
func Record(r *run.Record) {
	turns := dialogueTurns(r.Dialogue.Turns)
	r.Dialogue.Turns = slices.Clone(r.Dialogue.Turns)
	for i := range r.Dialogue.Turns {
		r.Dialogue.Turns[i].Text = turns.all[i].text
	}
	r.Voices = slices.Clone(r.Voices)
	for i := range r.Voices {
		r.Voices[i].Speaker = turns.text(r.Voices[i].Speaker)
	}
	r.Source.Digest, r.Source.Meta = r.Dialogue.Digest(), turns.meta(r.Source.Meta)
	r.Source.File, r.Source.ID = Text(r.Source.File), Text(r.Source.ID)
	r.Reason = turns.text(r.Reason)
	r.Truth.Labels = slices.Clone(r.Truth.Labels)
	for i, label := range r.Truth.Labels {
		r.Truth.Labels[i] = Text(label)
	}
	if r.Model != nil {
		account := *r.Model
		account.Calls = slices.Clone(account.Calls)
		for i := range account.Calls {
			account.Calls[i].Raw = turns.json(account.Calls[i].Raw)
		}
		r.Model = &account
	}
	if r.Evaluation != nil {
		e := *r.Evaluation
		e.Dialogue = r.Dialogue
		turns.evaluation(&e)
		r.Evaluation = &e
		r.Reasons = slices.Clone(r.Reasons)
		for i, why := range r.Reasons {
			r.Reasons[i].What = turns.text(why.What)
			quote := []rubric.Quote{{Turn: why.Turn, Text: why.Quote}}
			r.Reasons[i].Quote = turns.quotes(quote)[0].Text
		}
	}
}

// cutQuote matches a quote of a file that a message has cut, whose last word is unknown.
var cutQuote = regexp.MustCompile(`"(?:[^"\\]|\\.)*…"`)

// Error masks what an error quotes.
func Error(err error) error {
	syntax, ok := errors.AsType[*dialogue.SyntaxError](err)
	if !ok {
		return errors.New(Message(err.Error()))
	}
	masked := *syntax
	masked.File = Text(masked.File)
	masked.Msg, masked.Hint = Message(masked.Msg), Message(masked.Hint)
	masked.Speakers, masked.Openings = nil, nil
	for _, name := range syntax.Speakers {
		masked.Speakers = append(masked.Speakers, Text(name))
	}
	for _, o := range syntax.Openings {
		masked.Openings = append(masked.Openings,
			dialogue.Opening{Speaker: Text(o.Speaker), Text: Text(o.Text)})
	}
	return &masked
}

// Message masks a message that may quote a file.
func Message(s string) string { return Text(cutQuote.ReplaceAllString(s, `"…"`)) }
