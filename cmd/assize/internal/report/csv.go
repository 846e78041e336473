package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// CSV writes a row a dialogue, for spreadsheets (RFC 4180). A cell that a spreadsheet would take for a
// formula has an apostrophe before it.
type CSV struct {
	w       *csv.Writer
	row     []string
	columns int
}

// NewCSV makes a CSV that writes to w, and writes the heading.
func NewCSV(w io.Writer) (*CSV, error) {
	c := &CSV{w: csv.NewWriter(w)}
	c.row = append(c.row, "file", "dialogue_id", "source_id", "turns", "status", "reason",
		"OverallExperience", "numeric_weighted_average", "satisfaction")
	for _, criterion := range rubric.Criteria() {
		c.row = append(c.row, criterion.String())
	}
	c.row = append(c.row, "changed", "level", "flagged", "disagreement")
	c.columns = len(c.row)
	return c, c.w.Write(c.row)
}

// Record writes r.
func (c *CSV) Record(r *record.Record) error {
	c.row = append(c.row[:0], r.Source.File, strconv.Itoa(r.Dialogue.ID), r.Source.ID, strconv.Itoa(r.Source.Turns))
	if r.Scored() {
		c.scored(r)
	} else {
		c.row = append(c.row, "unscored", r.Reason)
		c.row = append(c.row, make([]string, c.columns-len(c.row))...)
	}
	for i, cell := range c.row {
		c.row[i] = Inert(cell)
	}
	return c.w.Write(c.row)
}

func (c *CSV) scored(r *record.Record) {
	e := r.Evaluation
	c.row = append(c.row, "scored", "", strconv.Itoa(int(e.Overall)), e.Average.String(), r.Satisfaction.String())
	for i := range e.Final {
		c.row = append(c.row, strconv.Itoa(int(e.Final[i].Score)))
	}
	c.row = append(c.row, changes(e), level(r), strconv.FormatBool(r.Flagged), disagreement(r))
}

// level gives the level that the profile expects people to choose; "" where the profile knows none.
func level(r *record.Record) string {
	if r.Level == 0 {
		return ""
	}
	return strconv.Itoa(r.Level)
}

// changes tells what the Referee changed: "Accuracy 80>60 R3-contradicted; Empathy 60>40 R4-unsupported".
func changes(e *rubric.Evaluation) string {
	var list []string
	for _, c := range changed(e) {
		g := e.Rulings[c]
		list = append(list, fmt.Sprintf("%s %d>%d %s", c, g.Before, g.After, g.ID))
	}
	return strings.Join(list, "; ")
}

// Inert keeps a cell from being run as a formula, and from acting on a terminal that shows the file.
// A sign alone, such as the "-" of standard input, is no formula.
func Inert(cell string) string {
	if len(cell) > 1 && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
		cell = "'" + cell
	}
	return Visible(cell)
}

// Flush writes what is left.
func (c *CSV) Flush() error {
	c.w.Flush()
	return c.w.Error()
}
