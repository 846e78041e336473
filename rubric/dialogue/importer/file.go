package importer

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// file is the state of reading one stream. Reading continues until err is set.
type file struct {
	name      string
	opt       Options
	most      limits
	format    dialogue.Format
	isJSON    bool          // the format is defined by a layout
	isLog     bool          // and that of a log of requests to a model
	in        *bufio.Reader // UTF-8, except for invalid bytes of the source
	who       *names
	agents    map[string]bool // names of the SYSTEM in some dialogue, folded or as in the source
	position  int             // of the last dialogue that was yielded
	reports   []string        // the notices so far
	omissions omissions       // what is not read
	missing   string          // the first message without words
	isWithin  bool            // one of the notices is that of [noteInside]
	err       error           // of the stream, or errStopped; nothing more is yielded
	yield     func(dialogue.Sample, error) bool
	// isSheet reports whether cells are the header of a sheet to be read.
	isSheet func(cells []string) bool

	// speaks holds the roles that speak in some dialogue, at least to a tool.
	speaks       [dialogue.System + dialogue.User + 1]bool
	nothing      int    // turns of the SYSTEM without a text
	silent       int    // dialogues without a turn, which are left out
	keys         string // of the first JSON value, for an error
	requests     int    // dialogues that are requests to a model
	unanswered   int    // those of them without an answer
	isOpen       bool   // one of these ends with a question
	unrated      int    // dialogues with a rating that cannot be parsed
	firstUnrated string // the first such rating
	unratedAt    int    // the position of the last such dialogue
}

// errStopped ends reading when the consumer stops, or when the whole file is wrong.
var errStopped = errors.New("stopped")

// fail ends reading with an error, unless that is the end of the stream.
func (f *file) fail(err error) {
	if f.err == nil && err != io.EOF {
		f.err = err
	}
}

// emit yields a dialogue, or the error in its place.
func (f *file) emit(s dialogue.Sample, err error) {
	if f.err == nil && !f.yield(s, err) {
		f.err = errStopped
	}
}

// note reports a guess. If Options.Strict is set, the guess is an error of the file, and nothing
// more is yielded.
func (f *file) note(s string) {
	if s != "" && f.opt.Strict {
		f.wrong("read with a guess: "+dialogue.Clean(s),
			"settle it with --columns or --dates, or turn strict-import off")
	} else if s != "" {
		f.report(s)
	}
}

// report reports something that is not a guess, once per file.
func (f *file) report(s string) {
	if f.opt.Note != nil && f.err == nil && !slices.Contains(f.reports, s) {
		f.reports = append(f.reports, s)
		f.opt.Note(f.name + ": " + dialogue.Clean(s))
	}
}

// notices are parts of one sentence about a file.
type notices []string

func (n *notices) add(is bool, text string) {
	if is {
		*n = append(*n, text)
	}
}

// number returns how many values of a sequence satisfy is.
func number[T any](values iter.Seq[T], is func(T) bool) (n int) {
	for v := range values {
		if is(v) {
			n++
		}
	}
	return n
}

// leftOut reports that n items were left out, unless n is 0.
func (f *file) leftOut(n int, noun, what string) {
	if n > 0 {
		f.report("left out: " + counted(n, noun) + what)
	}
}

// wrong yields an error of the whole file, which ends reading.
func (f *file) wrong(msg, hint string) {
	f.emit(dialogue.Sample{}, &SyntaxError{File: f.name, Msg: msg, Hint: hint})
	f.fail(errStopped)
}

// isPrompt reports whether a message of that role is a prompt. Options.Roles can override it.
func (f *file) isPrompt(name string) bool {
	if !f.isLog {
		return false
	}
	folded := FoldName(name)
	role, mapped := f.who.roles[folded]
	return (!mapped || role == dialogue.Other) && (folded == "system" || folded == "developer")
}

// isAsked reports whether the user named a column for use.
func (f *file) isAsked(use int) bool {
	if use >= numAsked {
		return false
	}
	_, is := f.opt.Columns[uses[use]]
	return is
}

// nameRoles prepares for a format that names the speaker's role. Options.SystemNames are names of
// people: they do not apply to it, so that one folder may hold both chats and messages.
func (f *file) nameRoles() {
	f.who = newNames(Options{Roles: f.opt.Roles})
	f.who.areRoles = true
}

// addAgents records names that the source assigns to the SYSTEM of one dialogue: they are the
// SYSTEM in the other dialogues, too.
func addAgents(f *file, names []string) {
	const most = 10_000
	for _, name := range names {
		if !f.agents[name] && name != "" && len(f.agents) < most {
			f.agents[strings.Clone(name)], f.agents[FoldName(name)] = true, true
		}
	}
}

func newLines(f *file) lines { return lines{in: f.in, most: f.most.text} }

func newFeed(f *file) feed {
	return feed{in: f.in, most: f.most.text, left: f.most.text, ends: true}
}

// omissions counts what is not read, by its kind in omitted.txt, a NUL and its place.
type omissions map[string]int

// add counts something at a place, which may be empty.
func (u omissions) add(kind, at string) {
	if u != nil {
		u[kind+"\x00"+at]++
	}
}

// miss counts a message of a side without words. A message without a role is an event.
func (f *file) miss(role dialogue.Role, n, line int) {
	if role == dialogue.System || role == dialogue.User {
		f.missing = cmp.Or(f.missing, fmt.Sprintf("message %d on line %d", n, line))
		f.omissions.add("missing", f.missing)
	}
}

// untyped counts a message without a member that distinguishes messages from events, whose places
// are among those of skip.
func (u omissions) untyped(skip paths, m object) {
	for _, place := range skip {
		name, _, _ := strings.Cut(place.text, "=")
		if anyIn([]string{name}, "message-kind") && (paths{{steps: place.steps}}).first(m) == nil {
			u.add("untyped", quote(name))
		}
	}
}

// lookElsewhere counts a message without a text that has words in another member.
func (u omissions) lookElsewhere(o object) {
	for _, m := range o {
		isInside := m.value.Kind() == '{' || m.value.Kind() == '['
		if isInside && !anyIn(nameWords(m.name), "who") &&
			!anyIn([]string{m.folded}, "no-words") && hasWords(m.value) {
			u.add("elsewhere", quote(m.name))
			return
		}
	}
}

// unknownHint says what to do about JSON of an unknown form; the list of keys follows it.
const unknownHint = "name the places with --columns, such as text=messages[].body; the keys are "

// reportOmissions reports the counts.
func reportOmissions(f *file) {
	for line := range strings.Lines(textOf("omitted")) {
		kind, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		noun, text, _ := strings.Cut(text, " ")
		for _, key := range slices.Sorted(maps.Keys(f.omissions)) {
			at, isKind := strings.CutPrefix(key, kind+"\x00")
			s, are := "", "are"
			if f.omissions[key] == 1 {
				s, are = "s", "is"
			}
			if isKind {
				f.report(strings.NewReplacer("{n}", counted(f.omissions[key], noun), "{at}", at,
					"{s}", s, "{are}", are).Replace(text))
			}
		}
	}
}

// agreed returns a number with its noun and the verb for one or for many.
func agreed(n int, noun, one, many string) string {
	if n == 1 {
		many = one
	}
	return counted(n, noun) + " " + many
}

// misrated counts the dialogues with a rating that cannot be parsed.
func misrated(f *file, line int, s string) {
	if f.unrated == 0 {
		f.firstUnrated = fmt.Sprintf("%s on line %d", quote(strings.TrimSpace(s)), line)
	}
	if now := f.position + 1; f.unratedAt != now {
		f.unratedAt = now
		f.unrated++
	}
}
