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

// Options say how to read where the stream does not say it itself. The zero value detects everything.
type Options struct {
	Format Format
	// SystemNames are speakers that are the SYSTEM; any other name that is not a usual one is then a USER. Formats
	// that write roles ignore them.
	SystemNames []string
	Roles       map[string]Role // more speaker names, compared without regard to case and space
	// Columns says which column of a table holds what, by its use: id, turn, time, speaker, text, rating, agent,
	// customer. The id NoColumn makes the whole file one dialogue.
	Columns map[string]string
	Sheet   string // of a workbook, by its name or its number from 1; "" is the first that is not hidden and not empty
	Dates   string // "us" if 03/12/2024 is in March, "eu" if in December; "" as the whole file tells
	// MaxDialogue is how many MiB of its file one dialogue may have, and 5,000 turns for each; 0 means 4. It also bounds
	// tables, by 500,000 rows for each MiB. Memory follows it.
	MaxDialogue int
	Strict      bool                 // a reading that needs a guess is an error of the file
	Note        func(string)         // is told of every reading that needed a guess; may be nil
	Temp        func() (Temp, error) // opens a file for what must be put in order and is large; nil: memory holds it
}

// NoColumn is the name for a use that no column has.
const NoColumn = "none"

// SyntaxError tells what is wrong with one dialogue. The dialogues after it are read all the same, unless nothing
// tells where they begin: after a value of JSON that is broken, save in JSON lines, and after something without an end.
type SyntaxError struct {
	File     string
	Line     int       // 0 where the format has no lines
	Position int       // the dialogue's place in the file, from 1; 0 where the whole file is meant
	Msg      string    // what is wrong
	Hint     string    // what would be right
	Speakers []string  // those whose role is unknown, where that is what is wrong
	Openings []Opening // what they and others say first, by which one can tell who is who
}

// Opening is the first that a speaker says.
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

// DefaultMaxDialogue is Options.MaxDialogue where nothing is said: 20,000 turns, of 200 bytes each.
const DefaultMaxDialogue = 4

// limits are what one dialogue may hold. No conversation comes near; what does is a file of another kind, and it
// must not fill the memory.
type limits struct {
	text  int // bytes of one dialogue in its file
	turns int
	rows  int // of a table, which are known before the first is yielded
}

func (o *Options) limits() limits {
	most := cmp.Or(o.MaxDialogue, DefaultMaxDialogue)
	return limits{text: most << 20, turns: most * 5000, rows: most * 500_000}
}

// longHint says what can be done about a dialogue beyond the limits.
const longHint = "allow more with --max-dialogue, or see with --dry-run that the file is read as what it is"

func (l limits) String() string {
	return fmt.Sprintf("more than %d MiB or %s in one dialogue", l.text>>20, Counted(l.turns, "turn"))
}

// Read yields the dialogues of r one by one, in the order of the stream; name appears in errors and in
// [Source]. The stream may be compressed with gzip, and be UTF-8 or UTF-16.
//
// A [*SyntaxError] takes the place of a broken dialogue and reading continues; any other error, such as
// one of r itself, is the last thing that is yielded. A dialogue may hold no turn or only one side: whether
// it can be judged is not for the reader to say. The sequence reads r to its end and so works once.
func Read(r io.Reader, name string, opt Options) iter.Seq2[Sample, error] {
	return readWithin(opt.limits(), r, name, opt)
}

func readWithin(most limits, r io.Reader, name string, opt Options) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		f := &file{name: name, opt: opt, most: most, yield: yield, isSheet: isHeader}
		f.run(r, f.read)
	}
}

// errStopped ends reading when the consumer wants no more, or when the whole file is wrong.
var errStopped = errors.New("stopped")

// file is one stream while it is read. The method that reads a format goes on while there is no error.
type file struct {
	name     string
	opt      Options
	most     limits
	format   Format
	layout   *layout       // of the format, where that is data
	asked    *asked        // what Options.Columns says of JSON
	in       *bufio.Reader // UTF-8 as far as the source is
	who      *names
	agents   map[string]bool // names that the source gives to the SYSTEM of some dialogue, folded or as in the source
	position int             // of the dialogue that was yielded last
	told     []string        // the notes so far
	unsaid   unsaid          // messages that say nothing
	isWithin bool            // one of them is that of [file.within]
	err      error           // of the stream, or errStopped; nothing more is yielded
	yield    func(Sample, error) bool
	isSheet  func(cells []string) bool // tells the header of a sheet that is to be read

	nothing      int    // turns of the SYSTEM without a text
	requests     int    // dialogues that are requests to a model
	unanswered   int    // and those of them without an answer
	isOpen       bool   // one of these ends with a question
	unrated      int    // dialogues with a rating that cannot be read
	firstUnrated string // and the first of them
	unratedAt    int    // the position of the last of them
}

// run has the stream read from its beginning on, and yields in the end what is wrong with it.
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
		f.tell(fmt.Sprintf("the ratings of %s cannot be read and are left out; the first is %s", Counted(f.unrated, "dialogue"),
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
	case io.ErrUnexpectedEOF: // the other errors of gzip have its name
		f.yield(Sample{}, fmt.Errorf("%s: gzip: %w", f.name, f.err))
	default:
		f.yield(Sample{}, fmt.Errorf("%s: %w", f.name, f.err))
	}
}

// open finds the text of the stream, which may be that of a workbook.
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

// head gives the beginning of the stream. The lines of old Macs end in \r alone, and those of some spreadsheets.
func (f *file) head() []byte {
	head, err := f.in.Peek(headSize)
	if len(head) == 0 {
		f.fail(err)
	}
	if cr := bytes.IndexByte(head, '\r'); cr >= 0 && cr < len(head)-1 && bytes.IndexByte(head, '\n') < 0 {
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

// read detects the format, if it is not known, and reads the dialogues.
func (f *file) read(head []byte) {
	if f.setFormat(f.opt.Format); f.format == Auto {
		f.setFormat(f.detect(head))
	}
	switch f.format {
	case Auto:
		_, err := f.in.Peek(headSize)
		if f.fail(err); !blank(head) { // an error leaves too little to tell
			f.wrong("the format is not recognised", "name it with --input-format (assize help formats lists them)"+
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

// setFormat settles the format. Options.SystemNames are names of people: they say nothing about formats
// that name the speaker's role, so that one folder may hold chats and messages.
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

// use makes a layout that of the file. The roles that it gives to speakers come after those of Options.
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

// note tells what was guessed. Where nothing may be, it is what is wrong with the file, of which no more is yielded.
func (f *file) note(s string) {
	if s != "" && f.opt.Strict {
		f.wrong("read with a guess: "+clean(s), "settle it with --columns or --dates, or allow it")
	} else if s != "" {
		f.tell(s)
	}
}

// tell tells what is no guess, once a file.
func (f *file) tell(s string) {
	if f.opt.Note != nil && f.err == nil && !slices.Contains(f.told, s) {
		f.told = append(f.told, s)
		f.opt.Note(f.name + ": " + clean(s))
	}
}

// leftOut tells how much was left out, if anything.
func (f *file) leftOut(n int, noun, what string) {
	if n > 0 {
		f.tell("left out: " + Counted(n, noun) + what)
	}
}

// wrong yields an error about the whole file, of which nothing more can then be read.
func (f *file) wrong(msg, hint string) {
	f.emit(Sample{}, &SyntaxError{File: f.name, Msg: msg, Hint: hint})
	f.fail(errStopped)
}

// Format names a kind of transcript file.
type Format string

// The formats that Read knows. Auto detects; the others are what --input-format takes.
const (
	Auto      Format = ""
	USS       Format = "uss"       // role, text, ACTION and ratings between tabs; sessions between blank lines
	Plain     Format = "plain"     // "ROLE: words", with continuation lines
	Chat      Format = "chat"      // "[time] Name: words", as WhatsApp and help desks export
	OpenAI    Format = "openai"    // {"messages":[{"role","content"}]}, alone, in an array or as JSON lines
	ShareGPT  Format = "sharegpt"  // {"conversations":[{"from","value"}]}
	Subtitles Format = "subtitles" // WebVTT and SRT of calls
	Mail      Format = "mail"      // one message or an mbox
	Table     Format = "table"     // CSV or TSV with one row per turn: conversation_id, turn, role, text
	ConvoKit  Format = "convokit"  // utterances.jsonl

	openTelemetry Format = "otel"
)

// anyJSON is some JSON whose first value has yet to tell what it is. No Sample ever carries it.
const anyJSON Format = "json"

// byColumns is JSON that Options.Columns describes.
const byColumns Format = "columns"

// Formats lists the names that --input-format takes; those of JSON that are data come last.
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

// headSize is how much of a stream detection looks at.
const headSize = 64 << 10

// detect names the format of a stream by its first lines, or Auto where nothing fits: JSON by its first bracket,
// whose kind its first value tells later; a table by its header; text by the first line that looks like a turn, so that a
// heading above the conversation does no harm.
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
			marked++ // which may be entries of a list in a message
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
		return Plain // with speakers that --role-map or --system-name must tell apart
	}
	return Auto
}

func blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
