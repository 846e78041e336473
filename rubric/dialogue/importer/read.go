// Package importer reads dialogues from files: exports of help desks and contact centers, chat
// logs, training data and rated research sets.
//
// [Read] detects the format of a stream and yields one [dialogue.Sample] after another. Only data
// that must be sorted, such as a table, is held until its end, using Options.Temp. Guesses are
// reported to Options.Note. A broken dialogue yields one [*SyntaxError] in its place, and reading
// continues.
//
// # How the dialogues of a file are separated
//
//   - [USS]: by a blank line.
//   - [Plain] and [Chat]: by a line of three or more "="; by a line of three or more "-", "*",
//     "_", "#" or "~" if the next line begins a turn, unless such lines separate single turns; by a
//     title such as "=== 25 ===" or "## Conversation 25", which provides the id. Blank lines do not
//     separate dialogues, since people put them between turns and inside them. A name after the
//     mark of a list, a heading or a quotation begins a turn only if all turns of the text have
//     that mark, and a name in a code block never does.
//   - [table] and ConvoKit: by the conversation's id. The rows of a conversation may be scattered
//     and in any order: they are sorted by their numbers or, without numbers, by their times. A
//     table may also have one row per dialogue, with the whole transcript in a cell. Without such
//     an id, messages that refer to the messages they answer form a dialogue with them. If several
//     rows have the same message id, the newest version counts.
//   - JSON: one object, or one list of messages, is one dialogue. Objects may come one per line,
//     one after another, in an array, or in the array of a wrapper such as {"tickets":[…]}.
//
// # Metadata
//
// What the source records about a dialogue in addition to its text is kept as [dialogue.Meta]: the
// agent, the queue, the channel, the version of a bot. It plays no part in judging and is used only
// to group dialogues.
//
//   - [table], ConvoKit and single messages: a column or member that the reader does not use
//     itself, if all rows of the dialogue that have a value agree.
//   - Other JSON: scalar members (a string, a number, true or false) next to the messages, and
//     those in the format's own place for metadata.
//
// Ratings, labels and other judgements are never metadata, even if the reader does not use them,
// and neither are texts; aside.txt lists the words by which their names are recognized. Those of a
// table are reported. A dialogue has at most 32 fields; longer names and values are cut.
//
// # Roles
//
// Names and roles are compared without regard to case. Agent, assistant, bot, support and many more
// are the SYSTEM; customer, user, caller and many more the USER (names.txt lists them all); a
// number ("Agent 2") or a name next to the role ("Priya (agent)") makes no difference. Options
// determine the rest: first Roles, then SystemNames. A speaker of unknown role is an error of the
// dialogue, because a guess would judge the wrong side.
package importer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// Read yields the dialogues of r one by one, in the order of the stream; name appears in errors and
// in [dialogue.Source]. The stream may be compressed with gzip, and may be UTF-8 or UTF-16.
//
// A [*SyntaxError] takes the place of a broken dialogue and reading continues; any other error,
// such as a read error of r, is the last element. A dialogue may have only one side: the reader
// does not decide whether it can be judged. Dialogues without a turn are left out. The sequence
// reads r to its end and so can be used only once.
func Read(r io.Reader, name string, opt Options) iter.Seq2[dialogue.Sample, error] {
	return readWithin(opt.limits(), r, name, opt)
}

func readWithin(
	most limits, r io.Reader, name string, opt Options,
) iter.Seq2[dialogue.Sample, error] {
	return func(yield func(dialogue.Sample, error) bool) {
		f := &file{name: name, opt: opt, most: most, yield: yield, isSheet: isHeader}
		run(f, r, read)
	}
}

// read detects the format, if it is unknown, and reads the dialogues.
func read(f *file, head []byte) {
	if f.format = f.opt.Format; f.format == auto {
		f.format = detect(f, head)
	}
	switch f.format {
	case auto:
		_, err := f.in.Peek(headSize)
		if f.fail(err); !blank(head) { // after an error, the format may be unclear
			f.wrong("the format is not recognised, since no line begins a turn",
				"begin every turn with a speaker and a colon, such as \"Agent:\" or "+
					"\"Customer:\", even if the words are on the next line")
		}
	case USS, Plain, Chat, subtitles, email:
		readTranscripts(f, head)
	case table:
		readTable(f, head, readRecords)
	case anyJSON:
		readJSON(f, nil)
	default:
		i := slices.Index(layoutNames(), f.format)
		if i < 0 {
			f.wrong(fmt.Sprintf("unknown format %q", f.format), "want one of "+formatNames())
			return
		}
		readJSON(f, layouts()[i])
	}
}

// Formats returns the values of --input-format; JSON formats defined by layouts come last.
func Formats() []dialogue.Format {
	return append([]dialogue.Format{USS, Plain, Chat, subtitles, email, table}, layoutNames()...)
}

func formatNames() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// detect returns the format of a stream, or auto: JSON by its first bracket, a table by its header,
// text by the first line that looks like a turn, so that a heading above does no harm.
func detect(f *file, head []byte) dialogue.Format {
	text := strings.TrimLeft(string(head), " \t\r\n")
	if isJSON(text) {
		return anyJSON
	} else if format := formatOfHead(text); format != auto {
		return format
	} else if _, ok := tableIn(f, text); ok {
		return table
	}
	return formatOfTurns(f, text)
}

// file is the state of reading one stream. Reading continues until err is set.
type file struct {
	name   string
	opt    Options
	most   limits
	format dialogue.Format
	isJSON bool          // the format is defined by a layout
	isLog  bool          // and that of a log of requests to a model
	in     *bufio.Reader // UTF-8, except for invalid bytes of the source
	who    *names
	// agents holds the names of the SYSTEM in some dialogue, folded, who are it in the others, too.
	agents    map[string]dialogue.Role
	position  int             // of the last dialogue that was yielded
	reports   []string        // the notices so far
	omissions omissions       // what is not read
	aside     map[string]bool // whether a field is set aside, by its name
	dates     dates           // what the dates so far reveal
	held      []emitted       // the dialogues that wait for it
	heldSize  int             // bytes of their texts
	isWithin  bool            // one of the notices is that of [noteInside]
	err       error           // of the stream, or errStopped; nothing more is yielded
	yield     func(dialogue.Sample, error) bool
	// isSheet reports whether cells are the header of a sheet to be read.
	isSheet func(cells []string) bool

	// speaks holds the roles that speak in some dialogue, at least to a tool.
	speaks     [dialogue.System + dialogue.User + 1]bool
	silent     int    // dialogues without a turn, which are left out
	keys       string // of the first JSON value, for an error
	requests   int    // dialogues that are requests to a model
	unanswered int    // those of them without an answer
	isOpen     bool   // one of these ends with a question
	unratedAt  int    // the position of the last dialogue with one
}

// errStopped ends reading when the consumer stops, or when the whole file is wrong.
var errStopped = errors.New("stopped")

// fail ends reading with an error, unless that is the end of the stream.
func (f *file) fail(err error) {
	if f.err == nil && err != io.EOF {
		f.err = err
	}
}

// note reports a guess, which is an error of the file if Options.Strict is set.
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
	if s != "" && f.opt.Note != nil && f.err == nil && !slices.Contains(f.reports, s) {
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

// wrong yields an error of the whole file, which ends reading.
func (f *file) wrong(msg, hint string) {
	f.flush()
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

// first counts something of a kind, of which only the first place is reported.
func (u omissions) first(kind, at string) {
	for key := range u {
		if before, is := strings.CutPrefix(key, kind+"\x00"); is {
			at = before
		}
	}
	u.add(kind, at)
}

// miss counts a message of a side without words. A message without a role is an event.
func (f *file) miss(role dialogue.Role, n, line int) {
	if role == dialogue.System || role == dialogue.User {
		f.omissions.first("missing", fmt.Sprintf("message %d on line %d", n, line))
	}
}

// untyped counts a message without a member, among those of skip, that tells it from events.
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

const placesHint = "name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as " +
	"messages[].body"

// hintOf says what to do about JSON of an unknown form, which has these keys.
func hintOf(keys []string) string {
	hint := "name the places with --columns, such as text=messages[].body"
	if len(keys) == 0 {
		return hint
	}
	return hint + "; the keys are " + quoted(keys)
}

// reportOmissions reports the counts.
func reportOmissions(f *file) {
	f.flush()
	f.report(f.dates.contradiction())
	f.report(f.dates.against(f.opt.Dates))
	for kind, text := range entries("omitted") {
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

// setsAside reports whether a field is not metadata, and counts ratings that are thus not read.
func (f *file) setsAside(field dialogue.Field) bool {
	is, isKnown := f.aside[field.Name]
	if !isKnown {
		if is = setAside(field.Name); len(f.aside) < maxGathered {
			f.aside[strings.Clone(field.Name)] = is
		}
	}
	if !is {
		return false
	}
	list, ok := ParseRatings(field.Value)
	isRead := strings.HasSuffix(foldColumn(f.opt.Columns["rating"]), foldColumn(field.Name))
	if (field.Value == differs || ok && list != nil) && !isRead &&
		isRatingName(nameWords(field.Name)) {
		f.omissions.add("unrated", quote(field.Name))
	}
	return true
}

// misrated counts the dialogues with a rating that cannot be parsed.
func misrated(f *file, line int, s string) {
	if now := f.position + 1; f.unratedAt != now {
		f.unratedAt = now
		f.omissions.first("rating", fmt.Sprintf("%s on line %d", quote(strings.TrimSpace(s)), line))
	}
}
