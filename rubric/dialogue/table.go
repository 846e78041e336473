package dialogue

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A table has one row per turn and a header that names its columns: conversation_id, turn, role, text and
// perhaps a rating, by these or similar names and in any order, between commas, semicolons or tabs. The
// rows of a conversation are consecutive; an empty id means the same conversation as above. Without an id
// column the whole file is one dialogue. All other columns are metadata.

// What the reader uses a column for.
const (
	idColumn = iota
	turnColumn
	speakerColumn
	textColumn
	ratingColumn
	numUses
)

// columns are the names by which the column of a use is found, folded by foldColumn, best first.
var columns = [numUses][]string{
	idColumn: strings.Fields(`conversationid convid dialogueid dialogid sessionid ticketid chatid callid threadid
		contactid caseid interactionid conversation conv dialogue dialog session ticket ticketnumber chat call thread
		case interaction id`),
	turnColumn: strings.Fields(`turn turnno turnnumber turnid turnindex utteranceno utteranceindex messageno
		messagenumber messageindex seq seqno sequence sequencenumber index idx position order no nr`),
	speakerColumn: strings.Fields(`role speakerrole authorrole senderrole participantrole authortype sendertype
		speakertype speaker author sender participant from who party speakername authorname sendername name`),
	textColumn: strings.Fields(`text utterance message content body messagetext messagebody messagecontent
		utterancetext msg words transcript value`),
	ratingColumn: strings.Fields(`overall overallrating rating csat satisfaction customersatisfaction
		usersatisfaction stars userrating`),
}

// header says which column holds what.
type header struct {
	delimiter rune
	names     []string
	place     [numUses]int // of the column in a row; -1 where there is none
	other     []int        // the columns that are metadata
}

// parseHeader reads the first line of a table, and reports whether it names a speaker and a text column.
func parseHeader(line string) (header, bool) {
	h := header{delimiter: ','}
	for _, c := range ";\t" {
		if strings.Count(line, string(c)) > strings.Count(line, string(h.delimiter)) {
			h.delimiter = c
		}
	}
	const mostColumns = 1000
	h.names = strings.SplitN(line, string(h.delimiter), mostColumns)
	folded := make([]string, len(h.names))
	for i, name := range h.names {
		h.names[i] = strings.Trim(name, " \t\r\"")
		folded[i] = foldColumn(name)
	}
	for use, names := range columns {
		i := slices.IndexFunc(names, func(name string) bool { return slices.Contains(folded, name) })
		if h.place[use] = -1; i >= 0 {
			h.place[use] = slices.Index(folded, names[i])
		}
	}
	for i, name := range h.names {
		if !slices.Contains(h.place[:], i) && !setAside(name) {
			h.other = append(h.other, i)
		}
	}
	return h, h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0
}

// readTable reads the rows and groups them into dialogues.
func (f *file) readTable() error {
	head, _ := f.in.Peek(headSize)
	first, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	h, ok := parseHeader(string(first))
	switch {
	case len(first) == 0:
		return nil
	case !ok:
		return f.wrong("the header names no column for the speaker or none for the text: "+quote(string(first)),
			"want one such as conversation_id,turn,role,text")
	}
	feed := f.feed()
	var seen bytes.Buffer // the text of the row
	in := csv.NewReader(io.TeeReader(&feed, &seen))
	in.Comma, in.FieldsPerRecord, in.ReuseRecord = h.delimiter, -1, true
	if _, err := in.Read(); err != nil { // the header
		return err
	}
	g := rows{file: f}
	for {
		feed.left = feed.most
		seen.Reset()
		cells, err := in.Read()
		broken := (*csv.ParseError)(nil)
		line := 0
		if errors.As(err, &broken) {
			line = broken.StartLine
		} else if err == nil {
			line, _ = in.FieldPos(0)
		}
		if errors.Is(err, csv.ErrBareQuote) { // as in 15" screen; what is wrong with one row cannot reach another
			lazy := csv.NewReader(&seen)
			lazy.Comma, lazy.LazyQuotes = h.delimiter, true
			if again, e := lazy.Read(); e == nil && len(again) == len(h.names) {
				cells, broken = again, nil
			}
		}
		switch {
		case err == io.EOF:
			return g.flush()
		case feed.err != nil:
			return feed.err
		}
		r := h.row(cells)
		r.line = line
		if broken != nil {
			r.err = &SyntaxError{Line: line, Msg: broken.Err.Error(),
				Hint: `put texts with quotes into quotes and double each one inside, as in "the ""big"" one"`}
		} else if len(cells) != len(h.names) {
			r.err = &SyntaxError{Line: line, Msg: fmt.Sprintf("%d fields where the header names %d", len(cells), len(h.names)),
				Hint: fmt.Sprintf("put texts that hold %q into double quotes", string(h.delimiter))}
		}
		if err := g.add(r); err != nil {
			return err
		}
	}
}

// row gives the row with these cells, of which some may be missing.
func (h *header) row(cells []string) row {
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[i])
	}
	r := row{id: cell(h.place[idColumn]), name: cell(h.place[speakerColumn]), text: cell(h.place[textColumn])}
	r.rating = cell(h.place[ratingColumn])
	var err error
	if r.turn, err = strconv.ParseFloat(cell(h.place[turnColumn]), 64); err != nil {
		r.turn = math.NaN()
	}
	for _, i := range h.other {
		r.meta = append(r.meta, Field{h.names[i], cell(i)})
	}
	return r
}
