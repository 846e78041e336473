package ratings

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"assize/rubric/dialogue"
)

// File is a file of ratings: a table, JSON lines, or a transcript that carries ratings.
type File struct {
	name    string
	rows    []row    // of a table or of JSON lines
	samples []sample // of a transcript
	notes   []string // what was not read, in words
}

// row is one rating as it stands in the file.
type row struct {
	line  int
	id    string
	file  string // "" where the file does not say
	rater string
	mark  int // overall or a criterion
	value float64
}

// ReadFile reads a file of ratings, which may be compressed with gzip and be UTF-8 or, with a byte-order mark,
// UTF-16; name stands in errors. An error names the line and spoils the file: who measures on half of the ratings
// measures something else.
func ReadFile(r io.Reader, name string) (*File, error) {
	text, err := readAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{name: name}
	first, _, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	switch {
	case bytes.HasPrefix(first, []byte(`{"assize_run"`)):
		return nil, fmt.Errorf("%s: is a run; want people's ratings, and for those in the run itself no --ratings", name)
	case isLine(first):
		err = f.readLines(text)
	case isHeader(string(first)):
		err = f.readTable(text)
	default:
		err = f.readTranscript(text)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// readAll gives the text of a file, free of what wraps it.
func readAll(r io.Reader) ([]byte, error) {
	in, err := dialogue.Unwrap(r)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(in, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = fmt.Errorf("more than %d MB; want ratings", mostBytes>>20)
	}
	return data, err
}

// mostBytes bounds what a small archive can make of itself, and what a device gives that has no end.
const mostBytes = 1 << 30

// wrong is an error of a line.
func (f *File) wrong(line int, format string, a ...any) error {
	return fmt.Errorf("%s:%d: %s", f.name, line, fmt.Sprintf(format, a...))
}

// add takes a row in, unless its rating is empty.
func (f *File) add(r row, criterion, rating string, comma bool) error {
	switch r.id, r.rater = strings.TrimSpace(r.id), strings.TrimSpace(r.rater); {
	case r.id == "":
		return f.wrong(r.line, "the dialogue_id is empty; want the id of a dialogue")
	case none(rating):
		return nil
	}
	var err error
	if r.mark, err = parseMark(criterion); err != nil {
		return f.wrong(r.line, "%v", err)
	}
	if comma {
		rating = strings.Replace(rating, ",", ".", 1)
	}
	value, ok := parseNumber(rating)
	if !ok {
		return f.wrong(r.line, "the rating is %s; want a number", quote(rating))
	}
	r.value = value
	f.rows = append(f.rows, r)
	return nil
}

// none reports whether a rating stands for none, in the words of spreadsheets, R and pandas.
func none(rating string) bool {
	switch strings.ToLower(strings.TrimSpace(rating)) {
	case "", "na", "n/a", "nan", "null", "none":
		return true
	}
	return false
}
