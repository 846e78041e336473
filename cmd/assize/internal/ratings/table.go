package ratings

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/rubric"
)

// The columns of a table of ratings.
const (
	colID = iota
	colRater
	colRating
	colCriterion
	colFile
	numColumns
)

var columnNames = [numColumns]string{"dialogue_id", "rater", "rating", "criterion", "file"}

const wantColumns = "want dialogue_id, rater and rating, and perhaps criterion and file"

// isHeader reports whether a line names columns of ratings: enough of them to say what is missing.
func isHeader(line string) bool {
	names := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",;\t\r", r) })
	for i, n := range names {
		names[i] = column(n)
	}
	if slices.Contains(names, "text") { // a transcript with a column of ratings
		return false
	}
	return slices.Contains(names, columnNames[colID]) || slices.Contains(names, columnNames[colRating])
}

// column folds the name of a column.
func column(s string) string {
	s = strings.ToLower(strings.Trim(strings.TrimSpace(s), `"`))
	return strings.NewReplacer(" ", "_", "-", "_").Replace(s)
}

// readTable reads ratings from a table.
func (f *File) readTable(text []byte) error {
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma = delimiter(text)
	in.ReuseRecord, in.FieldsPerRecord = true, -1
	cells, err := in.Read()
	if err != nil {
		return f.broken(err)
	}
	places, err := f.columns(cells)
	if err != nil {
		return err
	}
	width := len(cells)
	for {
		cells, err = in.Read()
		if errors.Is(err, io.EOF) {
			return f.filled()
		} else if err != nil {
			return f.broken(err)
		}
		line, _ := in.FieldPos(0)
		if len(cells) != width {
			return f.wrong(line, "%d fields, and the heading has %d; want as many", len(cells), width)
		}
		cell := func(c int) string {
			if places[c] < 0 {
				return ""
			}
			return cells[places[c]]
		}
		r := row{line: line, id: strings.Clone(cell(colID)), rater: strings.Clone(cell(colRater)), file: strings.Clone(cell(colFile))}
		if err := f.add(r, cell(colCriterion), cell(colRating), in.Comma == ';'); err != nil {
			return err
		}
	}
}

// delimiter is what parts the columns: whichever of comma, semicolon and tab stands most often in the heading.
func delimiter(text []byte) rune {
	heading, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n"))
	best := ','
	for _, c := range ";\t" {
		if bytes.Count(heading, []byte(string(c))) > bytes.Count(heading, []byte(string(best))) {
			best = c
		}
	}
	return best
}

// columns finds the columns by their names.
func (f *File) columns(cells []string) (places [numColumns]int, err error) {
	for i := range places {
		places[i] = -1
	}
	var others []string
	for i, cell := range cells {
		c := slices.Index(columnNames[:], column(cell))
		switch {
		case c < 0:
			others = append(others, quote(cell))
		case places[c] >= 0:
			return places, f.wrong(1, "two columns are named %s; want one", columnNames[c])
		default:
			places[c] = i
		}
	}
	for _, c := range []int{colID, colRating} {
		if places[c] < 0 {
			return places, f.wrong(1, "no column is named %s; %s", columnNames[c], wantColumns)
		}
	}
	if len(others) > 0 {
		f.notes = append(f.notes, f.unread("column", others))
	}
	return places, nil
}

// unread is the note about columns or keys that mean nothing to us.
func (f *File) unread(what string, names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("%s: the %s %s is not read", f.name, what, names[0])
	}
	return fmt.Sprintf("%s: the %ss %s are not read", f.name, what, listed(names))
}

// broken words an error of the package csv.
func (f *File) broken(err error) error {
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return f.wrong(parse.Line, "%v; want quotes around a field, doubled within it", parse.Err)
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

// filled reports a file without ratings.
func (f *File) filled() error {
	if len(f.rows) == 0 {
		return fmt.Errorf("%s: holds no rating; %s", f.name, wantColumns)
	}
	return nil
}

// parseMark reads the name of a criterion; "" and "overall" are the whole dialogue.
func parseMark(s string) (int, error) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "", "overall", "overallexperience":
		return overall, nil
	}
	c, err := rubric.ParseCriterion(s)
	if err != nil {
		return 0, fmt.Errorf("the criterion is %s; want one of %s, or overall", quote(s), criteria())
	}
	return int(c), nil
}

func criteria() string {
	var names []string
	for _, c := range rubric.Criteria() {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}
