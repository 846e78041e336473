// Package stream holds what every reader passes on about one stream, and makes dialogues of it.
//
//	What does a reader know of the stream, and how does it report?  file.go: File
//	What is left out, and how is it counted?                        part.go: Omissions
//	What is one message, or one part of a conversation?             part.go: Part, Message
//	Which names are which role?                                     part.go: Names
//	Which side is a speaker of a dialogue? What is rated?           dialogue.go: draft
//	In which order are turns and the results of tools?              dialogue.go: FillTimes
//	Which rows or requests are one dialogue, in which order?        rows.go: Rows, Log
//
// Names and roles are compared without regard to case. Agent, assistant, bot, support and many more
// are the SYSTEM; customer, user, caller and many more the USER (names.txt lists them all); a
// number ("Agent 2") or a name next to the role ("Priya (agent)") makes no difference. Options
// determine the rest: first Roles, then SystemNames. A speaker of unknown role is an error of the
// dialogue, because a guess would judge the wrong side.
//
// What the source records about a dialogue in addition to its text is kept as [dialogue.Meta]: the
// agent, the queue, the channel, the version of a bot. It plays no part in judging and is used only
// to group dialogues. Of rows and single messages, it is a column or member that the reader does
// not use itself, if all rows of the dialogue that have a value agree; of other JSON, scalar
// members next to the messages, and those in the format's own place for metadata. Ratings, labels
// and other judgements are never metadata, even if the reader does not use them, and neither are
// texts; aside.txt lists the words by which their names are recognized. Those of a table are
// reported. A dialogue has at most 32 fields; longer names and values are cut.
package stream

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
)

// emitted is a dialogue, or the error in its place.
type emitted struct {
	dialogue.Sample
	err  error
	open string // its date, if that can be read in two ways
}

// Emit yields a dialogue, or the error in its place. A dialogue whose date can be read in two ways
// waits, with those after it, until a date decides or the size of a dialogue is reached.
func (f *File) Emit(s dialogue.Sample, err error) {
	if f.Err != nil {
		return
	}
	e := emitted{s, err, ""}
	if err == nil {
		e.open = f.dateOf(&s.Source)
	}
	if f.held == nil && e.open == "" {
		f.deliver(e)
		return
	}
	for _, t := range s.Dialogue.Turns {
		f.heldSize += len(t.Text)
	}
	if f.held = append(f.held, e); !f.Dates.IsEither() || f.heldSize > f.Limits.Text {
		f.flush()
	}
}

// dateOf records the dates of a dialogue, and returns its date if that can be read in two ways.
func (f *File) dateOf(s *dialogue.Source) (open string) {
	hasDay, unread := false, ""
	for text, at := range lex.Dates(s.Voices, s.Meta) {
		f.Dates.Add(at, text)
		hasDay = hasDay || at.Day("") != ""
		first := &open
		if !at.HasYear() {
			first = &unread
		}
		*first = cmp.Or(*first, text)
	}
	if hasDay {
		return ""
	}
	for _, field := range s.Meta {
		_, isTime := lex.ParseTime(field.Value)
		if unread == "" && !isTime && strings.ContainsAny(field.Value, "0123456789") &&
			lex.IsDayName(field.Name) {
			unread = field.Value
		}
	}
	if open == "" && unread != "" {
		f.Omissions.First("date", lex.Quote(unread))
	}
	return open
}

// flush yields the dialogues that wait.
func (f *File) flush() {
	for _, e := range f.held {
		if e.open == "" {
		} else if e.Source.Dates = f.Dates.Order(); e.Source.Dates == "" {
			f.Omissions.First("undated", lex.Quote(e.open))
		}
		f.deliver(e)
	}
	f.held, f.heldSize = nil, 0
}

func (f *File) deliver(e emitted) {
	if f.Err != ErrStopped && !f.Yield(e.Sample, e.err) {
		f.Err = ErrStopped
	}
}

// File is the state of reading one stream. Reading continues until Err is set.
type File struct {
	Name   string
	Opt    Options
	Limits Limits
	Format dialogue.Format
	IsJSON bool          // the format is defined by a layout
	IsLog  bool          // and that of a log of requests to a model
	In     *bufio.Reader // UTF-8, except for invalid bytes of the source
	Who    *Names
	// Agents holds the names of the SYSTEM in some dialogue, folded, who are it in the others, too.
	Agents    map[string]dialogue.Role
	Position  int             // of the last dialogue that was yielded
	Reports   []string        // the notices so far
	Omissions Omissions       // what is not read
	Aside     map[string]bool // whether a field is set aside, by its name
	Dates     lex.DateOrder   // what Options and the dates so far reveal
	hasNamed  bool            // somebody in Options.SystemNames has spoken
	held      []emitted       // the dialogues that wait for it
	heldSize  int             // bytes of their texts
	IsWithin  bool            // one of the notices is of a line inside a turn
	Err       error           // of the stream, or ErrStopped; nothing more is yielded
	Yield     func(dialogue.Sample, error) bool
	IsSheet   func(cells []string) bool // whether they are the header of a sheet to be read

	// Speaks holds the roles that speak in some dialogue, at least to a tool.
	Speaks     [dialogue.System + dialogue.User + 1]bool
	Silent     int    // dialogues without a turn, which are left out
	Keys       string // of the first JSON value, for an error
	Requests   int    // dialogues that are requests to a model
	Unanswered int    // those of them without an answer
	IsOpen     bool   // one of these ends with a question
	unratedAt  int    // the position of the last dialogue with one
}

// ErrStopped ends reading when the consumer stops, or when the whole file is wrong.
var ErrStopped = errors.New("stopped")

// Fail ends reading with an error, unless that is the end of the stream.
func (f *File) Fail(err error) {
	if f.Err == nil && err != io.EOF {
		f.Err = err
	}
}

// Note reports a guess, which is an error of the file if Options.Strict is set.
func (f *File) Note(s string) {
	if s != "" && f.Opt.Strict {
		f.Wrong(lex.Problem("guess", dialogue.Clean(s)))
	} else if s != "" {
		f.Report(s)
	}
}

// Report reports something that is not a guess, once per file.
func (f *File) Report(s string) {
	if s != "" && f.Opt.Note != nil && f.Err == nil && !slices.Contains(f.Reports, s) {
		f.Reports = append(f.Reports, s)
		f.Opt.Note(f.Name + ": " + dialogue.Clean(s))
	}
}

// notices are parts of one sentence about a file.
type notices []string

// add adds a text of messages.txt.
func (n *notices) add(is bool, name string, values ...any) {
	if is {
		*n = append(*n, lex.Text(name, values...))
	}
}

// Count returns how many values of a sequence satisfy is.
func Count[T any](values iter.Seq[T], is func(T) bool) (n int) {
	for v := range values {
		if is(v) {
			n++
		}
	}
	return n
}

// Wrong yields an error of the whole file, which ends reading.
func (f *File) Wrong(msg, hint string) {
	f.flush()
	f.Emit(dialogue.Sample{}, &SyntaxError{File: f.Name, Msg: msg, Hint: hint})
	f.Fail(ErrStopped)
}

// IsPrompt reports whether a message of that role is a prompt. Options.Roles can override it.
func (f *File) IsPrompt(name string) bool {
	return f.IsLog && lex.In(lex.FoldName(name), "prompts") &&
		f.Who.Roles[lex.FoldName(name)] == dialogue.Other
}

// IsAsked reports whether the user named a column for use.
func (f *File) IsAsked(use string) bool {
	_, is := f.Opt.Columns[use]
	return is
}

// NameRoles prepares for a format that names the speaker's role. Options.SystemNames are names of
// people: they do not apply to it, so that one folder may hold both chats and messages.
func (f *File) NameRoles() {
	f.Who = NewNames(Options{Roles: f.Opt.Roles})
	f.Who.areRoles = true
}

// Miss counts a message of a side without words. A message without a role is an event.
func (f *File) Miss(role dialogue.Role, n, line int) {
	if role == dialogue.System || role == dialogue.User {
		f.Omissions.First("missing", fmt.Sprintf("message %d on line %d", n, line))
	}
}

// ReportOmissions reports the counts.
func ReportOmissions(f *File) {
	f.flush()
	wrong, _ := f.Dates.Wrong()
	f.Report(wrong)
	for kind, text := range lex.Entries("omitted") {
		noun, text, _ := strings.Cut(text, " ")
		for _, key := range slices.Sorted(maps.Keys(f.Omissions)) {
			at, isKind := strings.CutPrefix(key, kind+"\x00")
			s, are := "", "are"
			if f.Omissions[key] == 1 {
				s, are = "s", "is"
			}
			if isKind {
				f.Report(strings.NewReplacer("{n}", lex.Counted(f.Omissions[key], noun), "{at}", at,
					"{s}", s, "{are}", are).Replace(text))
			}
		}
	}
}

// setsAside reports whether a field is not metadata, and counts ratings that are thus not read.
func (f *File) setsAside(field dialogue.Field) bool {
	is, isKnown := f.Aside[field.Name]
	if !isKnown {
		if is = lex.SetAside(field.Name); len(f.Aside) < lex.MaxGathered {
			f.Aside[strings.Clone(field.Name)] = is
		}
	}
	if !is {
		return false
	}
	list, ok := lex.ParseRatings(field.Value)
	isRead := strings.HasSuffix(lex.FoldColumn(f.Opt.Columns["rating"]), lex.FoldColumn(field.Name))
	if (field.Value == differs || ok && list != nil) && !isRead &&
		lex.IsRatingName(lex.NameWords(field.Name)) {
		f.Omissions.Add("unrated", lex.Quote(field.Name))
	}
	return true
}

// Misrated counts the dialogues with a rating that cannot be parsed.
func Misrated(f *File, line int, s string) {
	if now := f.Position + 1; f.unratedAt != now {
		f.unratedAt = now
		what := lex.Quote(strings.TrimSpace(s))
		f.Omissions.First("rating", fmt.Sprintf("%s on line %d", what, line))
	}
}

// ZipMagic begins archives and workbooks.
const ZipMagic = "PK\x03\x04"

// Blank reports whether b holds nothing but white space.
func Blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// differs is the value of a field in which rows differ; NewMeta drops it, as no text has a NUL.
const differs = "\x00"

// LeaveOtherID removes the id from Options.Columns if another file has it and this one does not.
func LeaveOtherID(f *File, has func(id string) bool) {
	if id := f.Opt.Columns["id"]; f.Opt.OtherID && !has(id) {
		f.Opt.Columns = maps.Clone(f.Opt.Columns)
		delete(f.Opt.Columns, "id")
	}
}

// NewLines returns the lines of a stream.
func NewLines(f *File) Lines { return Lines{in: f.In, most: f.Limits.Text} }

// NewFeed returns the input of a decoder of a stream.
func NewFeed(f *File) *Feed {
	return &Feed{in: f.In, Max: f.Limits.Text, Left: f.Limits.Text, ends: true}
}

// HeadSize is the number of bytes that detection looks at. Buffers are no larger, because each of a
// hundred thousand files in a folder has its own.
const HeadSize = 64 << 10

// Lines reads a stream line by line, where \r alone ends one, too. Lines that are too long are cut.
type Lines struct {
	in     *bufio.Reader
	most   int
	read   []byte   // the line up to the next \n
	Text   []byte   // of the line, without its line ending; valid until the next one
	rest   []byte   // of read, after a \r
	Number int      // of the line, from 1
	Long   *Outline // of a line that is cut; else nil
	Err    error    // of the stream
}

// Next advances to the next line and reports whether one exists.
func (l *Lines) Next() bool {
	l.Number++
	if len(l.rest) > 0 {
		l.Text, l.rest, _ = bytes.Cut(l.rest, []byte("\r"))
		return true
	}
	l.read, l.Long = l.read[:0], nil
	for isPart := true; isPart; {
		var part []byte
		if part, isPart, l.Err = l.in.ReadLine(); l.Err != nil {
			break
		}
		room := l.most - len(l.read)
		if len(part) > room && l.Long == nil {
			l.Long = &Outline{Max: l.most}
			l.Long.End(l.read)
		}
		if l.Long != nil {
			l.Long.End(part)
		}
		l.read = append(l.read, part[:min(len(part), room)]...)
	}
	l.Text, l.rest, _ = bytes.Cut(bytes.TrimRight(l.read, "\r"), []byte("\r"))
	isLine := l.Err == nil
	if l.Err == io.EOF {
		l.Err = nil
	}
	return isLine
}

// Feed passes a stream to a decoder line by line, to know the line, and limits the size of a value.
type Feed struct {
	in   *bufio.Reader
	Max  int
	Left int  // remaining bytes of this value
	Line int  // of the last bytes that were passed on, from 1
	ends bool // they were the end of that line
	Err  error
}

func (r *Feed) Read(p []byte) (int, error) {
	if _, err := r.in.Peek(1); err != nil {
		if err != io.EOF {
			r.Err = err
		}
		return 0, err
	}
	if r.Left <= 0 {
		r.Err = ErrTooLong
		return 0, r.Err
	}
	if r.ends {
		r.Line++
	}
	chunk, _ := r.in.Peek(min(r.in.Buffered(), len(p), r.Left))
	end := bytes.IndexByte(chunk, '\n') + 1
	if r.ends = end > 0; r.ends {
		chunk = chunk[:end]
	}
	r.Left -= len(chunk)
	return r.in.Read(p[:len(chunk)])
}

// ErrTooLong ends a file that has an element without an end.
var ErrTooLong = bufio.ErrTooLong

// Outline is what is kept of a value that is too long for a dialogue: its members that are short
// texts or numbers, among which may be its id.
type Outline struct {
	Kept                []byte
	ID                  string // of the dialogue, if it is known
	size, Max           int    // bytes of the value, and of a dialogue
	depth, begin        int    // begin is where the text that is being read begins in Kept
	inText, isBackslash bool
}

// End reads more bytes, and returns how many of them belong to the value if it ends there; else -1.
func (o *Outline) End(text []byte) int {
	const maxText, maxKept = 200, 64 << 10
	for i, c := range text {
		o.size++
		isIn := o.depth < 2
		switch {
		case o.isBackslash:
			o.isBackslash = false
		case o.inText:
			o.isBackslash, o.inText = c == '\\', c != '"'
		case c == '"':
			o.inText, o.begin = true, len(o.Kept)
		case c == '{' || c == '[':
			o.depth++
		case c == '}' || c == ']':
			o.depth--
			isIn = o.depth < 2
		}
		if isIn && len(o.Kept) < maxKept {
			o.Kept = append(o.Kept, c)
		}
		if o.inText && len(o.Kept)-o.begin > maxText && isIn {
			o.Kept = o.Kept[:o.begin+1]
		}
		if o.depth == 0 && !o.inText {
			return i + 1
		}
	}
	return -1
}

func (o *Outline) Error() string {
	who := "it"
	if o.ID != "" {
		who = lex.Quote(o.ID)
	}
	return fmt.Sprintf("%s has %.1f MiB, more than the limit of %d MiB for one dialogue", who,
		float64(o.size)/(1<<20), o.Max>>20)
}

// Options determine how to read a stream where it is ambiguous. The zero value detects everything.
type Options struct {
	Format dialogue.Format
	// SystemNames lists the speakers that are the SYSTEM; any other name that is not a usual one is
	// then a USER. Formats that contain roles ignore it.
	SystemNames []string
	// Roles holds more speaker names, compared without regard to case and space.
	Roles map[string]dialogue.Role
	// Columns names the column of a table for each use: id, turn, time, speaker, text, rating,
	// agent, customer. The id NoColumn makes the whole file one dialogue. A value of where, such as
	// type=message or type!=note, is a condition that rows and messages must meet; they must meet
	// all if it has several lines.
	Columns map[string]string
	// OtherID means that another file has the id in Columns; a file without it is read as usual.
	OtherID bool
	// Sheet is the name or the number of a sheet; "" is the first visible one that is not empty.
	Sheet string
	// Dates is "us" if 03/12/2024 is in March, "eu" if in December; "" decides by the file.
	Dates string
	// MaxDialogue is the maximum size of one dialogue in MiB, with 5,000 turns per MiB, and of a
	// table with 500,000 rows per MiB; 0 means 4. Memory use is proportional to it.
	MaxDialogue int
	Strict      bool         // a reading that needs a guess is an error of the file
	Note        func(string) // is called for every guess; may be nil
	// Temp opens a file for large data that must be sorted; if nil, memory is used.
	Temp func() (Temp, error)
}

// NoColumn is the column name for a use that has no column.
const NoColumn = "none"

// SyntaxError describes what is wrong with one dialogue. Those after it are still read, unless it
// is unknown where they begin, as after a broken JSON value that is not a line.
type SyntaxError struct {
	File string
	Line int // 0 if the format has no lines
	// Position is the dialogue's position in the file, from 1; 0 for an error of the whole file.
	Position int
	Msg      string    // what is wrong
	Hint     string    // how to fix it
	Speakers []string  // the speakers of unknown role, if that is the error
	Likely   string    // "=system" or "=user" if only that side is missing and Speakers has one
	Openings []Opening // the first words of all speakers, which help to identify them
}

// Opening is the first message of a speaker.
type Opening struct{ Speaker, Text string }

func (e *SyntaxError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, e.Line)
	}
	if e.Position > 0 {
		where = fmt.Sprintf("%s: dialogue %d", where, e.Position)
	}
	return strings.TrimSuffix(where+": "+e.Msg+"; "+e.Hint, "; ")
}

// DefaultMaxDialogue is the default of Options.MaxDialogue in MiB: 20,000 turns of 200 bytes each.
const DefaultMaxDialogue = 4

// Limits are the maximum sizes of one dialogue, which must not fill the memory.
type Limits struct {
	Text  int // bytes of one dialogue in its file
	Turns int
	Rows  int // of a table, which are read before the first dialogue is yielded
}

// Limits returns the limits that follow from MaxDialogue.
func (o *Options) Limits() Limits {
	most := cmp.Or(o.MaxDialogue, DefaultMaxDialogue)
	return Limits{Text: most << 20, Turns: most * 5000, Rows: most * 500_000}
}

func (l Limits) String() string {
	return fmt.Sprintf("more than %d MiB or %s in one dialogue", l.Text>>20,
		lex.Counted(l.Turns, "turn"))
}

// Temp is a temporary file, which is not needed after it is closed.
type Temp interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// The formats that Read supports, which are the values of --input-format; auto detects one.
const (
	Auto dialogue.Format = ""
	// USS has role, text, ACTION and ratings between tabs, and blank lines between sessions.
	USS   dialogue.Format = "uss"
	Plain dialogue.Format = "plain" // "ROLE: words", with continuation lines
	Chat  dialogue.Format = "chat"  // "[time] Name: words", as WhatsApp and help desks export
	// OpenAI has {"messages":[{"role","content"}]}, alone, in an array or as JSON lines.
	OpenAI    dialogue.Format = "openai"
	Subtitles dialogue.Format = "subtitles" // WebVTT and SRT of calls
	Mail      dialogue.Format = "mail"      // one message or an mbox
	// Table is CSV or TSV with one row per turn: conversation_id, turn, role, text.
	Table dialogue.Format = "table"

	OpenTelemetry dialogue.Format = "otel"
)

// AnyJSON is JSON whose format its first value will determine. No Sample ever has it.
const AnyJSON dialogue.Format = "json"

// ByColumns is JSON that Options.Columns describes.
const ByColumns dialogue.Format = "columns"
