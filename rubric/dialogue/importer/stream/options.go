package stream

import (
	"cmp"
	"fmt"
	"io"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
)

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
	if e.Hint == "" {
		return where + ": " + e.Msg
	}
	return where + ": " + e.Msg + "; " + e.Hint
}

// DefaultMaxDialogue is the default of Options.MaxDialogue in MiB: 20,000 turns of 200 bytes each.
const DefaultMaxDialogue = 4

// Limits are the maximum sizes of one dialogue, which must not fill the memory.
type Limits struct {
	Text  int // bytes of one dialogue in its file
	Turns int
	Rows  int // of a table, which are read before the first dialogue is yielded
}

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
	// openAI has {"messages":[{"role","content"}]}, alone, in an array or as JSON lines.
	OpenAI    dialogue.Format = "openai"
	Subtitles dialogue.Format = "subtitles" // WebVTT and SRT of calls
	Mail      dialogue.Format = "mail"      // one message or an mbox
	// table is CSV or TSV with one row per turn: conversation_id, turn, role, text.
	Table dialogue.Format = "table"

	OpenTelemetry dialogue.Format = "otel"
)

// AnyJSON is JSON whose format its first value will determine. No Sample ever has it.
const AnyJSON dialogue.Format = "json"

// ByColumns is JSON that Options.Columns describes.
const ByColumns dialogue.Format = "columns"
