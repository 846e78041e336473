package ui

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/xuri/excelize/v2"
)

// Workbook makes a file for spreadsheets (.xlsx), sheet after sheet and row after row. What is text stays text: no cell
// is a formula. Rows lie in a temporary file until they are written. After an error it does nothing.
type Workbook struct {
	book  *excelize.File
	sheet *excelize.StreamWriter
	row   int
	bold  int   // the style of headings
	Err   error // the first
}

// NewWorkbook makes a workbook without sheets.
func NewWorkbook() *Workbook {
	w := &Workbook{book: excelize.NewFile()}
	w.bold, w.Err = w.book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	return w
}

// Sheet begins a sheet. Where there is a heading, it stays in sight when the rows are scrolled.
func (w *Workbook) Sheet(name string, heading ...string) {
	w.flush()
	if w.Err != nil {
		return
	}
	if w.sheet == nil {
		w.Err = w.book.SetSheetName(w.book.GetSheetName(0), name)
	} else {
		_, w.Err = w.book.NewSheet(name)
	}
	if w.Err == nil {
		w.sheet, w.Err = w.book.NewStreamWriter(name)
	}
	w.row = 0
	if w.Err == nil && len(heading) > 0 {
		w.Err = w.sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"})
		for i, title := range heading {
			if w.Err == nil {
				w.Err = w.sheet.SetColWidth(i+1, i+1, float64(min(max(len(title)+2, 9), 40)))
			}
		}
		w.Heading(heading)
	}
}

// Heading adds a row in bold.
func (w *Workbook) Heading(titles []string) {
	cells := make([]any, len(titles))
	for i, title := range titles {
		cells[i] = excelize.Cell{StyleID: w.bold, Value: Visible(title)}
	}
	w.put(cells)
}

// Row adds a row. Strings are text; a value that prints as a number is one.
func (w *Workbook) Row(values ...any) {
	cells := make([]any, len(values))
	for i, v := range values {
		s, isText := v.(string)
		if !isText {
			s = fmt.Sprint(v)
		}
		if n, err := strconv.ParseFloat(s, 64); err == nil && !isText {
			cells[i] = n
		} else if s != "" {
			cells[i] = Visible(s)
		}
	}
	w.put(cells)
}

func (w *Workbook) put(cells []any) {
	w.row++
	at, err := excelize.CoordinatesToCellName(1, w.row)
	if w.Err == nil && err == nil {
		err = w.sheet.SetRow(at, cells)
	}
	if w.Err == nil {
		w.Err = err
	}
}

func (w *Workbook) flush() {
	if w.Err == nil && w.sheet != nil {
		w.Err = w.sheet.Flush()
	}
}

// Table adds the table's title and heading, its rows and an empty row. Columns without a title are pictures for a
// terminal and left out.
func (w *Workbook) Table(t *Table) {
	w.Heading([]string{t.Title})
	var titles []string
	for _, c := range t.Columns {
		if c.Title != "" {
			titles = append(titles, c.Title)
		}
	}
	w.Heading(titles)
	for _, row := range t.Rows {
		w.Row(t.values(row)...)
	}
	w.Row()
}

// values are the cells of a row below columns with a title.
func (t *Table) values(row []Cell) (values []any) {
	for i, c := range row {
		switch n, err := strconv.ParseFloat(c.Text, 64); {
		case t.Columns[i].Title == "":
		case c.isNumber && err == nil:
			values = append(values, n)
		default:
			values = append(values, c.Text)
		}
	}
	return values
}

// WriteTo writes the workbook and removes what lies on the disk.
func (w *Workbook) WriteTo(out io.Writer) (n int64, err error) {
	defer w.book.Close()
	var parts bytes.Buffer
	if w.flush(); w.Err == nil {
		_, w.Err = w.book.WriteTo(&parts)
	}
	if w.Err != nil {
		return 0, w.Err
	}
	return sorted(&parts).WriteTo(out)
}

// sorted puts the parts of a workbook in the order of their names; the library leaves it to chance.
func sorted(parts *bytes.Buffer) *bytes.Buffer {
	in, _ := zip.NewReader(bytes.NewReader(parts.Bytes()), int64(parts.Len())) // was written just now
	slices.SortFunc(in.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, part := range in.File {
		w.Copy(part)
	}
	w.Close()
	return &out
}

// XLSX writes the table as the only sheet of a workbook.
func (t *Table) XLSX(out io.Writer, sheet string) error {
	w := NewWorkbook()
	var titles []string
	for _, c := range t.Columns {
		titles = append(titles, c.Title)
	}
	w.Sheet(sheet, titles...)
	for _, row := range t.Rows {
		w.Row(t.values(row)...)
	}
	_, err := w.WriteTo(out)
	return err
}
