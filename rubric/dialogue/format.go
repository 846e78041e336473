package dialogue

import (
	"bytes"
	"strings"
)

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
)

// anyJSON is some JSON whose first value has yet to tell what it is. No Sample ever carries it.
const anyJSON Format = "json"

// byColumns is JSON that Options.Columns describes.
const byColumns Format = "columns"

// Formats lists the names that --input-format takes; those of JSON that are data come last.
func Formats() []Format {
	return append([]Format{USS, Plain, Chat, Subtitles, Mail, OpenAI, Table}, layoutNames()...)
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
	repeated, messages, labels := false, 0, 0
	for line := range strings.Lines(text) {
		name, _, isLabel := label(line)
		role, _, isRow := strings.Cut(line, "\t")
		sender, _, isMessage := chatLine(line)
		switch {
		case isRow && f.who.knows(role) && messages+labels == 0:
			return USS
		case isMessage && sender != "":
			messages++
		case isLabel && f.who.knows(name):
			labels++
		case isLabel && nameLike.MatchString(name):
			repeated = repeated || seen[name]
			seen[name] = true
		}
	}
	switch {
	case messages > labels: // which may be above them, such as "Agent: Ann Lee"
		return Chat
	case labels > 0 || repeated:
		return Plain // with speakers that --role-map or --system-name must tell apart
	}
	return Auto
}

// blank reports whether nothing but white space is in b.
func blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
