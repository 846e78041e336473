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
	omissions omissions       // messages that say nothing
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

// omissions counts messages that say nothing.
type omissions struct {
	missing   int            // messages of a side without words
	first     string         // where the first of them is
	data      int            // messages with JSON instead of words
	endless   int            // thoughts of the SYSTEM that have no end
	answers   int            // answers next to conversations that end with the SYSTEM
	places    []string       // paths of messages that are not read
	comments  int            // lines such as "# state: Ask" between turns
	unmet     int            // messages that do not meet the condition of --columns
	without   int            // messages without a speaker where --columns names it
	broken    int            // tool calls and results that are not understood
	kindless  map[string]int // messages without a member such as their type
	elsewhere map[string]int // messages with words in another member, by its name
}

// unread records paths of messages that are not read, each once.
func (u *omissions) unread(places []string) {
	for _, at := range places {
		if !slices.Contains(u.places, at) && len(u.places) < maxListed {
			u.places = append(u.places, at)
		}
	}
}

// miss counts a message of a side without words. A message without a role is an event.
func (u *omissions) miss(role dialogue.Role, n, line int) {
	if role != dialogue.System && role != dialogue.User {
		return
	}
	if u.missing == 0 {
		u.first = fmt.Sprintf("message %d on line %d", n, line)
	}
	u.missing++
}

// untyped counts a message without a member that distinguishes messages from events, whose places
// are among those of skip.
func (u *omissions) untyped(skip paths, m object) {
	for _, place := range skip {
		name, _, _ := strings.Cut(place.text, "=")
		if anyIn([]string{name}, "message-kind") && (paths{{steps: place.steps}}).first(m) == nil {
			u.kindless[name]++
		}
	}
}

// lookElsewhere counts a message without a text that has words in another member.
func (u *omissions) lookElsewhere(o object) {
	for _, m := range o {
		isInside := m.value.Kind() == '{' || m.value.Kind() == '['
		if isInside && !anyIn(nameWords(m.name), "who") &&
			!anyIn([]string{m.folded}, "no-words") && hasWords(m.value) {
			u.elsewhere[m.name]++
			return
		}
	}
}

// unknownHint says what to do about JSON of an unknown form; the list of keys follows it.
const unknownHint = "name the places with --columns, such as text=messages[].body; the keys are "

// reportOmissions reports the counts.
func reportOmissions(f *file) {
	u := &f.omissions
	if u.missing > 0 {
		f.report(fmt.Sprintf("left out: %s of a side whose words are null or missing; "+
			"the first is %s", counted(u.missing, "message"), u.first))
	}
	f.leftOut(u.endless, "message",
		" of the SYSTEM that begins with a thought without an end, such "+
			"as <think>, so that nobody can tell what was said")
	f.leftOut(u.comments, "line", " of comments between turns, such as # state")
	f.leftOut(u.unmet, "message", " that --columns where= excludes")
	f.leftOut(u.without, "message", " without a speaker at the place that --columns names")
	if u.broken > 0 {
		f.report("not understood: " + counted(u.broken, "call") + " of tools or their results; " +
			"the name, the arguments or the output may be under a key that assize does not know")
	}
	for _, at := range slices.Sorted(maps.Keys(u.kindless)) {
		f.report(counted(u.kindless[at], "message") + " without " + quote(at) +
			", which tells messages from events; some of them may be events")
	}
	for _, at := range slices.Sorted(maps.Keys(u.elsewhere)) {
		f.report("not read: the words of " + counted(u.elsewhere[at], "message") + " in " +
			quote(at) + "; --columns text= names their place")
	}
	f.leftOut(u.answers, "answer", " next to a conversation that does not end with the customer")
	if len(u.places) > 0 {
		f.report("left out: messages at " + quoted(u.places) +
			", a place that the format does not have")
	}
	if u.data > 0 {
		hint := ""
		if f.isJSON {
			hint = "; name the place of the words with --columns, such as " +
				"text=messages[].content.reply"
		}
		f.report(agreed(u.data, "message", "contains JSON instead of words and is ignored",
			"contain JSON instead of words and are ignored") + hint)
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
