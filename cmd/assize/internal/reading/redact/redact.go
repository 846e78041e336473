// Package redact masks data that identifies a person or gives access to an account; `assize help
// formats` lists it. Names, street addresses, and numbers that identify nobody are not masked.
// Dialogues are judged by the original text, and everything that is written is masked afterwards. A
// quote is cut from its masked turn, so that it still occurs in the turn verbatim.
//
// A text is first folded, so that characters that look the same are equal (fold.go), and tagged: a
// letter for private use stands for each word that says something about its neighbours (tags.go).
// The rows of a table, rows.yaml, are expressions over the result. Some forms are enough by
// themselves, such as that of an e-mail address; others need a word of words.txt that announces
// them, in the same sentence or in the question before.
package redact

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/dialogue/importer"
)

// The masks that the code reads, each named after the data it replaces.
const (
	maskPhone = "[phone]"
	maskCard  = "[card]"
	maskIP    = "[ip]"
)

// Text masks s without any context. If it is a number alone, such as an ID, this may be a telephone
// number without its plus sign.
func Text(s string) string {
	masked := newText(s, "").maskKnown(knownData{}).masked
	if masked == s && isDialled(s) {
		return maskPhone
	}
	return masked
}

// Masked reports whether any data in a text has been masked.
func Masked(text string) bool { return masks.MatchString(text) }

var masks = regexp.MustCompile(`\[(email|phone|card|account|secret|id|birthdate|ip|mac)\]`)

// Reviewer masks the name of a reviewer, of whose e-mail address only what is before the @ remains.
func Reviewer(name string) string {
	if Text(name) != name {
		name, _, _ = strings.Cut(name, "@")
	}
	return Text(name)
}

var texts = prose.Of("redact")

// Notes returns a note if an output is masked: all of it, or one of the runs that it is made of.
func Notes(all bool, runs ...*run.Header) []string {
	isMasked := func(h *run.Header) bool { return h.Configuration.Redacted }
	if all || slices.ContainsFunc(runs, isMasked) {
		return []string{texts.Text("note")}
	}
	return nil
}

// Record masks everything in r that is written, in copies of what r shares with others. The digest
// is replaced by that of the masked turns, because a digest of the original words would allow
// anybody to test guesses at the masked data.
func Record(r *run.Record) {
	if !r.Masked {
		row := r.Row(0)
		r.Masked, r.Keys = true, &run.Keys{Said: row.Said, Copy: row.Copy()}
	}
	turns := dialogueTurns(r.Dialogue.Turns)
	for i, t := range copied(&r.Dialogue.Turns) {
		t.Text = turns.all[i].masked
	}
	r.Dialogue.Listed = ui.Each(r.Dialogue.Listed, turns.text) // as in r.Deeds
	slices.Sort(r.Dialogue.Listed)
	for _, v := range copied(&r.Voices) {
		v.Speaker = turns.text(v.Speaker)
		if strings.Trim(v.At, "0123456789.") != "" { // else it is a time in seconds
			v.At = turns.text(v.At)
		}
	}
	r.Source.Digest, r.Source.Meta = r.Dialogue.Digest(), turns.meta(r.Source.Meta)
	if r.Source.ID == "" && Text(r.Name()) != r.Name() {
		r.Source.ID, r.Dialogue.ID = r.Name(), r.Position // which must be a number
	}
	r.Source.File, r.Source.ID = Text(r.Source.File), Text(r.Source.ID)
	if of := r.Source.DuplicateOf; of != nil {
		r.Source.DuplicateOf = &run.Origin{File: Text(of.File), Name: Text(of.Name)}
	}
	r.Reason = turns.text(r.Reason)
	r.Truth.Labels = ui.Each(r.Truth.Labels, Text)
	if r.Model != nil {
		r.Model = new(*r.Model)
		for _, c := range copied(&r.Model.Calls) {
			c.Raw = turns.json(c.Raw)
		}
	}
	if r.Evaluation != nil {
		r.Evaluation = new(*r.Evaluation)
		r.Evaluation.Dialogue = r.Dialogue
		turns.evaluation(r.Evaluation)
		for _, d := range copied(&r.Deeds) {
			d.Tool, d.Text = turns.text(d.Tool), turns.quote(d.Turn, d.Text)
		}
		for _, why := range copied(&r.Reasons) {
			why.What, why.Quote = turns.text(why.What), turns.quote(why.Turn, why.Quote)
		}
		if r.Checklist != nil {
			r.Checklist = new(*r.Checklist)
			for _, a := range copied(&r.Checklist.Answers) {
				a.Quote = turns.quote(a.Turn, a.Quote)
			}
		}
	}
}

// copied replaces a list by a copy, and returns its elements to be changed.
func copied[T any](list *[]T) (elements []*T) {
	*list = slices.Clone(*list)
	for i := range *list {
		elements = append(elements, &(*list)[i])
	}
	return elements
}

// cutQuote matches a quote that a message has truncated, so that its last word is unknown.
var cutQuote = regexp.MustCompile(`"(?:[^"\\]|\\.)*…"`)

// Error masks the quotes in an error.
func Error(err error) error {
	syntax, ok := errors.AsType[*importer.SyntaxError](err)
	if !ok {
		return errors.New(Message(err.Error()))
	}
	masked := *syntax
	masked.File = Text(masked.File)
	masked.Msg, masked.Hint = Message(masked.Msg), Message(masked.Hint)
	masked.Speakers = ui.Each(masked.Speakers, Text)
	for _, o := range copied(&masked.Openings) {
		o.Speaker, o.Text = Text(o.Speaker), Text(o.Text)
	}
	return &masked
}

// bareNumber matches a number that a message may have from an ID.
var bareNumber = regexp.MustCompile(`[ "]\d{10,15}\b`)

// Message masks a message that may quote a file.
func Message(s string) string {
	s = bareNumber.ReplaceAllStringFunc(s, func(n string) string { return n[:1] + Text(n[1:]) })
	return Text(cutQuote.ReplaceAllString(s, `"…"`))
}
