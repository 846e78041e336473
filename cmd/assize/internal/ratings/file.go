package ratings

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// File is a file of ratings: a table, JSON lines, or a transcript that carries ratings.
type File struct {
	name    string
	ratings []rating
	samples []clues  // of the rated dialogues of a transcript, in order; nil for the other forms
	notes   []string // what was not read
}

// rating is what one person gave a dialogue.
type rating struct {
	line   int // of the file; 0 in a transcript
	sample int // of a transcript, the place of the dialogue in samples
	id     string
	file   string // "" where the file does not say
	rater  string
	mark   int // a criterion, or overall
	value  float64
}

// The marks that a person may give a dialogue: those of the criteria, in rubric order, and that of the whole dialogue.
const (
	overall  = rubric.NumCriteria
	numMarks = rubric.NumCriteria + 1
)

const wantColumns = "want dialogue_id, rater and rating, and perhaps criterion and file"

// mostBytes bounds what a small archive can make of itself, and what a device gives that has no end.
const mostBytes = 1 << 30

// ReadFile reads a file of ratings, which may be compressed with gzip and be UTF-8 or UTF-16; name is that of
// the file in errors. An error names the line, and no rating of the file is used: half of the
// ratings would measure something else.
func ReadFile(r io.Reader, name string) (*File, error) {
	var text []byte
	in, err := dialogue.Unwrap(r)
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(in, mostBytes+1))
	}
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("more than %d MB; want ratings", mostBytes>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{name: name}
	first, _, _ := strings.Cut(strings.TrimLeft(string(text), " \t\r\n"), "\n")
	var object struct {
		ID     json.RawMessage `json:"dialogue_id"`
		Rating json.RawMessage `json:"rating"`
	}
	comma := separator(first)
	names := columnNames(strings.Split(first, string(comma)))
	switch {
	case strings.HasPrefix(first, `{"assize_run"`):
		err = fmt.Errorf("%s: is a run; want people's ratings, and for those in the run itself no --ratings", name)
	case json.Unmarshal([]byte(first), &object) == nil && object.ID != nil && object.Rating != nil:
		err = f.readLines(text)
	case !slices.Contains(names, "text") && (slices.Contains(names, "dialogue_id") || slices.Contains(names, "rating")):
		err = f.readTable(text, comma)
	default: // also a transcript with a column of ratings
		err = f.readTranscript(text)
	}
	if err == nil && len(f.ratings) == 0 {
		err = fmt.Errorf("%s: holds no rating; %s", name, wantColumns)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// wrong is an error of a line.
func (f *File) wrong(line int, format string, a ...any) error {
	return fmt.Errorf("%s:%d: %s", f.name, line, fmt.Sprintf(format, a...))
}

// add adds the rating of a line, unless it is empty, in the words of spreadsheets, R and pandas.
func (f *File) add(line int, cells map[string]string) (err error) {
	cell := func(name string) string { return strings.Clone(strings.TrimSpace(cells[name])) }
	r := rating{line: line, id: cell("dialogue_id"), rater: cell("rater"), file: cell("file"), mark: overall}
	if r.id == "" {
		return f.wrong(line, "the dialogue_id is empty; want the id of a dialogue")
	}
	value := cell("rating")
	switch strings.ToLower(value) {
	case "", "na", "n/a", "nan", "null", "none":
		return nil
	}
	switch name := cell("criterion"); strings.ToLower(name) {
	case "", "overall", "overallexperience":
	default:
		c, err := rubric.ParseCriterion(name)
		if err != nil {
			return f.wrong(line, "%v, or overall", err)
		}
		r.mark = int(c)
	}
	var ok bool
	if r.value, ok = parseNumber(value); !ok {
		return f.wrong(line, "the rating is %s; want a number", quote(value))
	}
	f.ratings = append(f.ratings, r)
	return nil
}

// separator is whichever of comma, semicolon and tab is most frequent in a heading.
func separator(heading string) rune {
	most := ','
	for _, c := range ";\t" {
		if strings.Count(heading, string(c)) > strings.Count(heading, string(most)) {
			most = c
		}
	}
	return most
}

// columnNames gives the names of columns their usual form.
func columnNames(heading []string) (names []string) {
	usual := strings.NewReplacer(" ", "_", "-", "_")
	for _, n := range heading {
		names = append(names, usual.Replace(strings.ToLower(strings.Trim(strings.TrimSpace(n), `"`))))
	}
	return names
}

// readTable reads ratings from a table. Where semicolons separate the columns, a comma is the decimal sign.
func (f *File) readTable(data []byte, comma rune) error {
	in := csv.NewReader(bytes.NewReader(data))
	in.Comma = comma
	var names []string
	cells := map[string]string{}
	for {
		fields, err := in.Read()
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			return f.wrong(parse.Line, "%v; want as many fields as the heading has, with quotes doubled within quotes",
				parse.Err)
		}
		if err != nil { // the end, since the data are in memory
			return nil
		}
		if names == nil {
			names = columnNames(fields)
			if err := f.checkColumns(names); err != nil {
				return err
			}
			continue
		}
		for i, name := range names {
			if name == "rating" && comma == ';' {
				fields[i] = strings.Replace(fields[i], ",", ".", 1)
			}
			cells[name] = fields[i]
		}
		line, _ := in.FieldPos(0)
		if err := f.add(line, cells); err != nil {
			return err
		}
	}
}

// checkColumns refuses columns without the names that are needed, and names that come twice; it notes the rest.
func (f *File) checkColumns(names []string) error {
	var others []string
	found := map[string]bool{}
	twice := false
	for _, n := range names {
		switch n {
		case "dialogue_id", "rater", "rating", "criterion", "file":
			twice, found[n] = twice || found[n], true
		default:
			others = append(others, quote(n))
		}
	}
	if twice || !found["dialogue_id"] || !found["rating"] {
		return f.wrong(1, "the columns are %s; %s, once each", listed(names), wantColumns)
	}
	if others != nil {
		f.notes = append(f.notes, fmt.Sprintf("%s: not read: %s %s", f.name, ui.Counted(len(others), "column"),
			listed(others)))
	}
	return nil
}

// readLines reads ratings from JSON lines. Other keys are passed over.
func (f *File) readLines(data []byte) error {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(line, &members); err != nil {
			return f.wrong(number, "%v; want one JSON object a line", err)
		}
		cells := map[string]string{}
		for name, raw := range members {
			var text string // of a string; a number counts as it is written
			if json.Unmarshal(raw, &text) != nil {
				text = string(raw)
			}
			cells[name] = text
		}
		if err := f.add(number, cells); err != nil {
			return err
		}
	}
	return nil
}

// readTranscript reads ratings from a transcript. Dialogues without ratings are left out. Raters have no names but
// numbers, written so that they sort.
func (f *File) readTranscript(data []byte) error {
	for s, err := range dialogue.Read(bytes.NewReader(data), f.name, dialogue.Options{}) {
		if syntax := (*dialogue.SyntaxError)(nil); errors.As(err, &syntax) && syntax.Position == 0 {
			return fmt.Errorf("%s: neither a table of ratings nor a transcript: %s; %s, or a transcript that "+
				"carries ratings", f.name, syntax.Msg, wantColumns)
		} else if err != nil {
			return err
		}
		name := cmp.Or(s.Source.ID, strconv.Itoa(s.Dialogue.ID))
		for i, value := range s.Truth.Overall {
			r := rating{sample: len(f.samples), id: name, rater: fmt.Sprintf("%06d", i+1), mark: overall, value: value}
			f.ratings = append(f.ratings, r)
		}
		f.samples = append(f.samples, cluesOf(run.KeyOf(s.Dialogue.Digest()), name, f.name, len(s.Dialogue.Turns)))
	}
	return nil
}

// listed joins names: the first five, and how many more there are.
func listed(names []string) string {
	const most = 5
	if rest := len(names) - most; rest > 1 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(names, ", ")
}

// quote shows a text of a file, not too long of it: in quotes, unless it is an id or a number.
func quote(s string) string {
	short := ui.Clip(s, 40)
	odd := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;`, r) }
	if s != "" && strings.IndexFunc(s, odd) < 0 {
		return short
	}
	return strconv.Quote(short)
}
