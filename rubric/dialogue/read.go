package dialogue

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

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// Options determine how to read a stream where it is ambiguous. The zero value detects everything.
type Options struct {
	Format Format
	// SystemNames lists the speakers that are the SYSTEM; any other name that is not a usual one is
	// then a USER. Formats that contain roles ignore it.
	SystemNames []string
	Roles       map[string]Role // more speaker names, compared without regard to case and space
	// Columns names the column of a table for each use: id, turn, time, speaker, text, rating,
	// agent, customer. The id NoColumn makes the whole file one dialogue.
	Columns map[string]string
	// Sheet is the sheet of a workbook, by its name or its number from 1; "" is the first that is
	// neither hidden nor empty.
	Sheet string
	// Dates is "us" if 03/12/2024 is in March and "eu" if it is in December; "" decides by the
	// whole file.
	Dates string
	// MaxDialogue is the maximum size of one dialogue: its MiB in the file, and 5,000 turns per
	// MiB; 0 means 4. It also limits tables, to 500,000 rows per MiB. Memory use is proportional to
	// it.
	MaxDialogue int
	Strict      bool         // a reading that needs a guess is an error of the file
	Note        func(string) // is called for every guess; may be nil
	// Temp opens a file for large data that must be sorted; if nil, memory is used.
	Temp func() (Temp, error)
}

// NoColumn is the column name for a use that has no column.
const NoColumn = "none"

// SyntaxError describes what is wrong with one dialogue. The dialogues after it are still read,
// unless it is unknown where they begin: that is so after an invalid JSON value, except in JSON
// lines, and after an element without an end.
type SyntaxError struct {
	File string
	Line int // 0 if the format has no lines
	// Position is the dialogue's position in the file, from 1; 0 for an error of the whole file.
	Position int
	Msg      string    // what is wrong
	Hint     string    // how to fix it
	Speakers []string  // the speakers of unknown role, if that is the error
	Openings []Opening // the first words of all speakers, which help to identify them
}

// Opening is the first utterance of a speaker.
type Opening struct{ Speaker, Text string }

func (e *SyntaxError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, e.Line)
	}
	if e.Position > 0 {
		where = fmt.Sprintf("%s: dialogue %d", where, e.Position)
	}
	if e.Hint == "" {
		return where + ": " + e.Msg
	}
	return where + ": " + e.Msg + "; " + e.Hint
}

// DefaultMaxDialogue is the default of Options.MaxDialogue in MiB: 20,000 turns of 200 bytes each.
const DefaultMaxDialogue = 4

// limits are the maximum sizes of one dialogue. No conversation comes near them; a file that
// exceeds them is of another kind, and must not fill the memory.
type limits struct {
	text  int // bytes of one dialogue in its file
	turns int
	rows  int // of a table, which are read before the first dialogue is yielded
}

func (o *Options) limits() limits {
	most := cmp.Or(o.MaxDialogue, DefaultMaxDialogue)
	return limits{text: most << 20, turns: most * 5000, rows: most * 500_000}
}

// longHint says what to do about a dialogue that exceeds the limits.
const longHint = "allow more with the setting max-dialogue, or see with --dry-run that the file is read as what it is"

func (l limits) String() string {
	return fmt.Sprintf("more than %d MiB or %s in one dialogue", l.text>>20,
		Counted(l.turns, "turn"))
}

// Read yields the dialogues of r one by one, in the order of the stream; name appears in errors and
// in [Source]. The stream may be compressed with gzip, and may be UTF-8 or UTF-16.
//
// A [*SyntaxError] takes the place of a broken dialogue and reading continues; any other error,
// such as a read error of r, is the last element. A dialogue may have no turns or only one side:
// the reader does not decide whether it can be judged. The sequence reads r to its end and so can
// be used only once.
func Read(r io.Reader, name string, opt Options) iter.Seq2[Sample, error] {
	return readWithin(opt.limits(), r, name, opt)
}

func readWithin(most limits, r io.Reader, name string, opt Options) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		f := &file{name: name, opt: opt, most: most, yield: yield, isSheet: isHeader}
		f.run(r, f.read)
	}
}

// errStopped ends reading when the consumer stops, or when the whole file is wrong.
var errStopped = errors.New("stopped")

// file is the state of reading one stream. The method for each format continues until err is set.
type file struct {
	name     string
	opt      Options
	most     limits
	format   Format
	layout   *layout       // of the format, if that is defined by a layout
	asked    *asked        // what Options.Columns says about JSON
	in       *bufio.Reader // UTF-8, except for invalid bytes of the source
	who      *names
	agents   map[string]bool // names of the SYSTEM in some dialogue, folded or as in the source
	position int             // of the last dialogue that was yielded
	told     []string        // the notes so far
	unsaid   unsaid          // messages that say nothing
	isWithin bool            // one of the notes is that of [file.within]
	err      error           // of the stream, or errStopped; nothing more is yielded
	yield    func(Sample, error) bool
	isSheet  func(cells []string) bool // reports whether cells are the header of a sheet to be read

	nothing      int    // turns of the SYSTEM without a text
	requests     int    // dialogues that are requests to a model
	unanswered   int    // those of them without an answer
	isOpen       bool   // one of these ends with a question
	unrated      int    // dialogues with a rating that cannot be parsed
	firstUnrated string // the first such rating
	unratedAt    int    // the position of the last such dialogue
}

// run reads the stream from its beginning, and finally yields errors of the whole file.
func (f *file) run(r io.Reader, read func(head []byte)) {
	var plain latin
	f.who, f.agents = newNames(f.opt), map[string]bool{}
	closeBook, err := f.open(bufio.NewReader(r), &plain)
	defer closeBook()
	if f.fail(err); err == nil {
		read(f.head())
	}
	if errors.Is(f.err, errTooLong) {
		f.err = nil
		f.wrong(fmt.Sprintf("after dialogue %d: %s", f.position, f.most), longHint)
	}
	if f.unrated > 0 {
		f.tell(fmt.Sprintf("the ratings of %s cannot be read and are left out; the first is %s",
			Counted(f.unrated, "dialogue"),
			f.firstUnrated))
	}
	f.leftOut(f.nothing, "turn",
		" of the SYSTEM that is None or null, as programs write where there is no text")
	if f.err == nil && plain.isLatin {
		f.note("not UTF-8, so read as Windows-1252")
	}
	if f.err == nil && f.position == 0 {
		f.wrong("holds no dialogue", "")
	}
	switch f.err {
	case nil, errStopped:
	case io.ErrUnexpectedEOF: // the other errors of gzip name it
		f.yield(Sample{}, fmt.Errorf("%s: gzip: %w", f.name, f.err))
	default:
		f.yield(Sample{}, fmt.Errorf("%s: %w", f.name, f.err))
	}
}

// open opens the text of the stream, which may be a sheet of a workbook.
func (f *file) open(in *bufio.Reader, plain *latin) (closeBook func(), err error) {
	if magic, _ := in.Peek(len(zipMagic)); string(magic) != zipMagic {
		f.in, err = unwrap(in, plain)
		return func() {}, err
	}
	s, note, err := openSheet(in, f.opt.Sheet, f.isSheet)
	if s == nil {
		return func() {}, err
	}
	if f.note(note); err == nil {
		if f.in = bufio.NewReaderSize(s, bufferSize); s.width > 1 && f.opt.Format == Auto {
			f.opt.Format = Table
		}
	}
	return s.close, err
}

// head returns the beginning of the stream. Files of old Macs and of some spreadsheets have lines
// that end in \r alone.
func (f *file) head() []byte {
	head, err := f.in.Peek(headSize)
	if len(head) == 0 {
		f.fail(err)
	}
	if cr := bytes.IndexByte(head, '\r'); cr >= 0 && cr < len(head)-1 &&
		bytes.IndexByte(head, '\n') < 0 {
		f.in = bufio.NewReaderSize(transform.NewReader(f.in, runes.Map(func(r rune) rune {
			if r == '\r' {
				return '\n'
			}
			return r
		})), bufferSize)
		head, _ = f.in.Peek(headSize)
	}
	return head
}

// read detects the format, if it is unknown, and reads the dialogues.
func (f *file) read(head []byte) {
	if f.setFormat(f.opt.Format); f.format == Auto {
		f.setFormat(f.detect(head))
	}
	switch f.format {
	case Auto:
		_, err := f.in.Peek(headSize)
		if f.fail(err); !blank(head) { // after an error, the format may be unclear
			f.wrong("the format is not recognised",
				"name it with --input-format (assize help formats lists them)"+
					", or begin every turn with a speaker such as \"Agent:\" or \"Customer:\"")
		}
	case USS:
		f.readText(ussBreak, nil, f.parseUSS)
	case Plain:
		look := f.who.styleOf(string(head))
		f.readText(textBreak, f.who.opens(look), func(p *part, text string) {
			f.parse(p, f.who.plain(text, look), text)
			f.doubt(p)
		})
	case Chat:
		begins := parser(chatLine)
		if f.hasHeads(string(head)) {
			begins = headLine
		}
		f.readText(textBreak, begins, func(p *part, text string) { f.parse(p, begins, text) })
	case Subtitles:
		f.readSubtitles()
		f.unsaid.tell(f)
	case Mail:
		f.readMail()
		f.unsaid.tell(f)
	case Table:
		f.readTable(head)
	case anyJSON:
		f.readJSON()
	default:
		if f.layout == nil {
			f.wrong(fmt.Sprintf("unknown format %q", f.format), "want one of "+formatNames())
		}
		f.readJSON()
	}
}

// fail ends reading with an error, unless that is the end of the stream.
func (f *file) fail(err error) {
	if f.err == nil && err != io.EOF {
		f.err = err
	}
}

// setFormat sets the format. Options.SystemNames are names of people: they do not apply to formats
// that name the speaker's role, so that one folder may hold both chats and messages.
func (f *file) setFormat(format Format) {
	f.format = format
	if i := slices.Index(layoutNames(), format); i >= 0 {
		f.use(layouts()[i])
	}
	if format == USS || format == OpenAI {
		f.who = newNames(Options{Roles: f.opt.Roles})
		f.who.areRoles = true
	}
}

// use sets the layout of the file. The roles that it assigns to speakers come after those of
// Options.
func (f *file) use(l *layout) {
	opt := Options{Roles: map[string]Role{}, SystemNames: f.opt.SystemNames}
	for name, role := range l.Roles {
		opt.Roles[name], _ = ParseRole(role)
	}
	maps.Copy(opt.Roles, f.opt.Roles)
	f.format, f.layout, f.who = l.format, l, newNames(opt)
}

// emit yields a dialogue, or the error in its place.
func (f *file) emit(s Sample, err error) {
	if f.err == nil && !f.yield(s, err) {
		f.err = errStopped
	}
}

// note reports a guess. If Options.Strict is set, the guess is an error of the file, and nothing
// more is yielded.
func (f *file) note(s string) {
	if s != "" && f.opt.Strict {
		f.wrong("read with a guess: "+clean(s), "settle it with --columns or --dates, or allow it")
	} else if s != "" {
		f.tell(s)
	}
}

// tell reports something that is not a guess, once per file.
func (f *file) tell(s string) {
	if f.opt.Note != nil && f.err == nil && !slices.Contains(f.told, s) {
		f.told = append(f.told, s)
		f.opt.Note(f.name + ": " + clean(s))
	}
}

// leftOut reports that n items were left out, unless n is 0.
func (f *file) leftOut(n int, noun, what string) {
	if n > 0 {
		f.tell("left out: " + Counted(n, noun) + what)
	}
}

// wrong yields an error of the whole file, which ends reading.
func (f *file) wrong(msg, hint string) {
	f.emit(Sample{}, &SyntaxError{File: f.name, Msg: msg, Hint: hint})
	f.fail(errStopped)
}

// Format is a kind of transcript file.
type Format string

// The formats that Read supports. Auto detects the format; the others are the values of
// --input-format.
const (
	Auto Format = ""
	// USS has role, text, ACTION and ratings separated by tabs, and sessions separated by blank
	// lines.
	USS   Format = "uss"
	Plain Format = "plain" // "ROLE: words", with continuation lines
	Chat  Format = "chat"  // "[time] Name: words", as WhatsApp and help desks export
	// OpenAI has {"messages":[{"role","content"}]}, alone, in an array or as JSON lines.
	OpenAI    Format = "openai"
	ShareGPT  Format = "sharegpt"  // {"conversations":[{"from","value"}]}
	Subtitles Format = "subtitles" // WebVTT and SRT of calls
	Mail      Format = "mail"      // one message or an mbox
	// Table is CSV or TSV with one row per turn: conversation_id, turn, role, text.
	Table    Format = "table"
	ConvoKit Format = "convokit" // utterances.jsonl

	openTelemetry Format = "otel"
)

// anyJSON is JSON whose format its first value will determine. No Sample ever has it.
const anyJSON Format = "json"

// byColumns is JSON that Options.Columns describes.
const byColumns Format = "columns"

// Formats returns the values of --input-format; JSON formats defined by layouts come last.
func Formats() []Format {
	return append([]Format{USS, Plain, Chat, Subtitles, Mail, Table}, layoutNames()...)
}

func formatNames() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// headSize is the number of bytes of a stream that detection looks at.
const headSize = 64 << 10

// detect returns the format of a stream according to its first lines, or Auto if none matches: JSON
// by its first bracket (the first value determines its kind later); a table by its header; text by
// the first line that looks like a turn, so that a heading above the conversation does no harm.
func (f *file) detect(head []byte) Format {
	text := strings.TrimLeft(string(head), " \t\r\n")
	if text == "" {
		return Auto
	}
	if text[0] == '{' || text[0] == '[' && cutStamp(text) == 0 {
		return anyJSON
	}
	if areSubtitles(text) {
		return Subtitles
	}
	if isMail(text) {
		return Mail
	}
	if _, ok := f.tableIn(text); ok {
		return Table
	}
	if f.hasHeads(text) {
		return Chat
	}
	seen := map[string]bool{}
	repeated, messages, labels, marked := false, 0, 0, 0
	for line := range strings.Lines(text) {
		name, _, isLabel := label(line)
		role, _, isRow := strings.Cut(line, "\t")
		sender, _, isMessage := chatLine(line)
		switch {
		case isRow && f.who.knows(role) && messages+labels == 0:
			return USS
		case isMessage && sender != "":
			messages++
		case isLabel && f.who.knows(name) && markOf(line) != "":
			marked++ // which may be items of a list in a message
		case isLabel && f.who.knows(name):
			labels++
		case isLabel && nameLike().MatchString(name):
			repeated = repeated || seen[name]
			seen[name] = true
		}
	}
	switch {
	case messages > labels: // which may be above them, such as "Agent: Ann Lee"
		return Chat
	case labels+marked > 0 || repeated:
		return Plain // with speakers that need --role-map or --system-name
	}
	return Auto
}

func blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
