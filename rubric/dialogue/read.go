package dialogue

import (
	"fmt"
	"io"
	"iter"
)

// Format names a kind of transcript file.
type Format string

// The formats that Read knows. Auto detects; the others are what --input-format takes.
const (
	Auto     Format = ""
	USS      Format = "uss"      // role, text, ACTION and ratings between tabs; sessions between blank lines
	Plain    Format = "plain"    // "ROLE: words", with continuation lines
	Chat     Format = "chat"     // "[time] Name: words", as WhatsApp and help desks export
	OpenAI   Format = "openai"   // {"messages":[{"role","content"}]}, alone, in an array or as JSON lines
	ShareGPT Format = "sharegpt" // {"conversations":[{"from","value"}]}
	Table    Format = "table"    // CSV or TSV, a row a turn: conversation_id, turn, role, text
	Connect  Format = "connect"  // Amazon Connect Contact Lens: {"Transcript":[{"ParticipantId","Content"}]}
	Zendesk  Format = "zendesk"  // a ticket with its comments
	Intercom Format = "intercom" // a conversation with its parts
	ConvoKit Format = "convokit" // utterances.jsonl
)

// Options say how to read where the stream does not say it itself. The zero value detects everything.
type Options struct {
	Format      Format
	SystemNames []string        // speakers that are the SYSTEM; every other name is then a USER
	Roles       map[string]Role // more speaker names, compared without regard to case and space
}

// SyntaxError tells what is wrong with one dialogue. The dialogues after it are read all the same.
type SyntaxError struct {
	File     string
	Line     int    // 0 where the format has no lines to speak of
	Position int    // the dialogue's place in the file, from 1; 0 where the whole file is meant
	Msg      string // what is wrong
	Hint     string // what would be right
}

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

// Read yields the dialogues of r one by one. A [*SyntaxError] stands in the place of a broken dialogue and
// reading goes on; any other error, such as one of r itself, is the last thing that is yielded.
func Read(r io.Reader, name string, opt Options) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {}
}
