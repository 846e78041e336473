package dialogue

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A table has a row a turn and a header that names its columns: conversation_id, turn, role, text and
// perhaps a rating, by these or similar names and in any order, parted by commas, semicolons or tabs. The
// rows of a conversation stand together; an empty id means the same conversation as above. Without an id
// column the whole file is one dialogue.

// header says which column holds what; -1 where there is none.
type header struct {
	delimiter                      byte
	width                          int
	id, turn, speaker, text, marks int
}

// columns are the names of a header, folded to letters and digits, best first.
var columns = [...]struct {
	names []string
	place func(*header) *int
}{
	{[]string{"conversationid", "convid", "dialogueid", "dialogid", "sessionid", "ticketid", "chatid", "callid", "threadid",
		"contactid", "caseid", "interactionid", "conversation", "conv", "dialogue", "dialog", "session", "ticket", "ticketnumber",
		"chat", "call", "thread", "case", "interaction", "id"}, func(h *header) *int { return &h.id }},
	{[]string{"turn", "turnno", "turnnumber", "turnid", "turnindex", "utteranceno", "utteranceindex", "messageno", "messagenumber",
		"messageindex", "seq", "seqno", "sequence", "sequencenumber", "index", "idx", "position", "order", "no", "nr"}, func(h *header) *int { return &h.turn }},
	{[]string{"role", "speakerrole", "authorrole", "senderrole", "participantrole", "authortype", "sendertype", "speakertype", "speaker",
		"author", "sender", "participant", "from", "who", "party", "speakername", "authorname", "sendername", "name"}, func(h *header) *int { return &h.speaker }},
	{[]string{"text", "utterance", "message", "content", "body", "messagetext", "messagebody", "messagecontent", "utterancetext", "msg",
		"words", "transcript", "value"}, func(h *header) *int { return &h.text }},
	{[]string{"overall", "overallrating", "rating", "csat", "satisfaction", "customersatisfaction", "usersatisfaction", "stars",
		"userrating"}, func(h *header) *int { return &h.marks }},
}

// parseHeader reads the first line of a table, and reports whether it names a speaker and a text column.
func parseHeader(line string) (header, bool) {
	h := header{delimiter: ','}
	for _, c := range []byte(";\t") {
		if strings.Count(line, string(c)) > strings.Count(line, string(h.delimiter)) {
			h.delimiter = c
		}
	}
	const mostColumns = 1000
	names := strings.SplitN(line, string(h.delimiter), mostColumns)
	cells := make([]string, len(names))
	h.width = len(cells)
	for i, c := range names {
		cells[i] = foldColumn(c)
	}
	for _, c := range columns {
		place := c.place(&h)
		*place = -1
		for _, name := range c.names {
			if *place = slices.Index(cells, name); *place >= 0 {
				break
			}
		}
	}
	return h, h.speaker >= 0 && h.text >= 0
}

// others names the columns that the reader does not use itself.
func (h *header) others(line string) (list []column) {
	for i, name := range strings.SplitN(line, string(h.delimiter), h.width) {
		name = strings.Trim(name, " \t\"")
		if !slices.Contains([]int{h.id, h.turn, h.speaker, h.text, h.marks}, i) && !setAside(name) {
			list = append(list, column{i, name})
		}
	}
	return list
}

// column is one of a table, by its place.
type column struct {
	place int
	name  string
}

func foldColumn(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name[:min(len(name), maxName)])
}

// readTable reads the rows and groups them into dialogues.
func (f *file) readTable() error {
	t := table{lines: f.lines(), rows: rows{file: f}}
	found := t.lines.next()
	for found && blank(t.lines.text) {
		found = t.lines.next()
	}
	if !found {
		return t.lines.err
	}
	h, ok := parseHeader(string(t.lines.text))
	if !ok {
		return f.wrong("the header names no column for the speaker or none for the text: "+quote(string(t.lines.text)),
			"want one such as conversation_id,turn,role,text")
	}
	t.header, t.others = h, h.others(string(t.lines.text))
	for t.lines.next() {
		if !t.lines.tooLong && blank(t.lines.text) {
			continue
		}
		if err := t.row(); err != nil {
			return err
		}
	}
	if t.lines.err != nil {
		return t.lines.err
	}
	return t.rows.flush()
}

// table is the state of reading one.
type table struct {
	header
	lines  lines
	rows   rows
	cells  []string
	others []column // those that are metadata
	meta   []Field  // of the row
}

// row reads the record that begins on the current line.
func (t *table) row() error {
	r := row{line: t.lines.number}
	msg, hint := t.record()
	last := len(t.cells)
	for last > t.width && t.cells[last-1] == "" {
		last--
	}
	if msg == "" && last != t.width {
		msg = fmt.Sprintf("%d fields where the header names %d", last, t.width)
		hint = fmt.Sprintf("put texts that hold %q into double quotes", string(t.delimiter))
	}
	if msg != "" {
		r.err = &SyntaxError{Line: r.line, Msg: msg, Hint: hint}
	}
	r.id, r.turn = strings.TrimSpace(t.cell(t.id)), strings.TrimSpace(t.cell(t.turn))
	r.name, r.text, r.marks = strings.TrimSpace(t.cell(t.speaker)), t.cell(t.text), t.cell(t.marks)
	r.goesOn = r.id == ""
	t.meta = t.meta[:0]
	for _, c := range t.others {
		t.meta = append(t.meta, Field{c.name, t.cell(c.place)})
	}
	r.meta = t.meta
	return t.rows.add(r)
}

func (t *table) cell(column int) string {
	if column < 0 || column >= len(t.cells) {
		return ""
	}
	return t.cells[column]
}

// record splits the current line into cells, and reads on where a quoted cell goes over the end of the line.
// What is wrong with it comes back as text; the cells before that are kept, since they may hold the id.
func (t *table) record() (msg, hint string) {
	t.cells = t.cells[:0]
	if t.lines.tooLong {
		return tooLong, longHint
	}
	line := string(t.lines.text)
	for {
		if !strings.HasPrefix(line, `"`) {
			cell, rest, more := strings.Cut(line, string(t.delimiter))
			t.cells = append(t.cells, cell)
			if !more {
				return "", ""
			}
			line = rest
			continue
		}
		cell, rest, msg := t.quotedCell(line[1:])
		if msg != "" {
			return msg, `double every quote inside a quoted text, as in "the ""big"" one"`
		}
		t.cells = append(t.cells, cell)
		if rest == "" {
			return "", ""
		}
		line = rest[1:]
	}
}

// quotedCell reads a cell after its opening quote. What follows it is empty or begins with the delimiter.
func (t *table) quotedCell(line string) (cell, rest, msg string) {
	var b bytes.Buffer
	for {
		before, after, closed := strings.Cut(line, `"`)
		b.WriteString(before)
		switch {
		case closed && strings.HasPrefix(after, `"`):
			b.WriteByte('"')
			line = after[1:]
			continue
		case closed && (after == "" || after[0] == t.delimiter):
			return b.String(), after, ""
		case closed:
			return "", "", "a quote inside a quoted text"
		}
		if !t.lines.next() {
			return "", "", "a quote that is never closed"
		}
		if t.lines.tooLong || b.Len()+len(t.lines.text) > t.lines.most {
			return "", "", "a quote that is not closed within 64 MiB"
		}
		b.WriteByte('\n')
		line = string(t.lines.text)
	}
}
