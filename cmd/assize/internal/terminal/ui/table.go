package ui

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/xuri/excelize/v2"
)

// Table is a result in rows and columns. It can be written as text for a terminal, as Markdown and
// as CSV; each format escapes untrusted content in its own way.
type Table struct {
	Title   string // above the table; text and Markdown only
	Columns []Column
	Rows    [][]Cell
	Notes   []string // sentences below the table; text and Markdown only
}

// Column describes a column of a table.
type Column struct {
	Title string
	Right bool // aligned to the right, as numbers are
	Max   int  // maximum width of text before it is wrapped, in terminal columns; 0 for no limit
	// Front makes cells wider than Max lose their beginning, as paths may.
	Front bool
}

// Cell is one value of a table.
type Cell struct {
	Text  string
	Style Style  // on a terminal with colours
	Lines bool   // keep line breaks, except in text on a terminal
	Link  string // the address that it leads to on a page

	isNumber bool
}

// made returns the text of the cell escaped by harmless, line by line if it keeps its line breaks.
func (c Cell) made(harmless func(string) string) string {
	if !c.Lines {
		return harmless(c.Text)
	}
	return ByLine(c.Text, harmless)
}

// NewTable returns an empty table. The title of a column of numbers ends in ">", that of text to
// wrap at a width in "=width", and that of text to cut at the front in "<width".
func NewTable(title string, columns ...string) *Table {
	t := &Table{Title: title}
	for _, c := range columns {
		column := Column{Title: c}
		if at := strings.IndexAny(c, ">=<"); at >= 0 {
			column.Title, column.Right, column.Front = c[:at], c[at] == '>', c[at] == '<'
			fmt.Sscan(c[at+1:], &column.Max)
		}
		t.Columns = append(t.Columns, column)
	}
	return t
}

// Add appends a row. A value is a Cell or any value that fmt prints.
func (t *Table) Add(values ...any) { t.Rows = append(t.Rows, cells(values)) }

func cells(values []any) []Cell {
	row := make([]Cell, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil: // a missing value
		case Cell:
			row[i] = v
		case string:
			row[i].Text = v
		default:
			row[i] = Cell{Text: fmt.Sprint(v), isNumber: true}
		}
	}
	return row
}

// fit returns the maximum width of each column, 0 for no limit. Columns that are clipped or wrapped
// use the remaining space, and shrink if there is too little, the first one first. They shrink only
// so far that words stay whole: long ones if possible, short ones always.
func (t *Table) fit(p *Page) []int {
	const long, short, narrow = 40, 20, 10 // words, such as a UUID and a name; a column
	n, room := len(t.Columns), p.Columns()
	widths, whole, full := make([]int, n), make([]int, n), make([]int, n)
	for i, c := range t.Columns {
		full[i], whole[i] = Cells(c.Title), min(narrow, c.Max)
		for _, row := range t.Rows {
			if i >= len(row) {
				continue
			}
			text := Visible(row[i].Text)
			full[i] = max(full[i], Cells(text))
			for word := range strings.FieldsSeq(text) {
				if n := Cells(word); n <= long && !c.Front {
					whole[i] = max(whole[i], n)
				}
			}
		}
		width := full[i]
		if c.Max > 0 {
			width = min(max(c.Max, min(whole[i], short)), full[i])
			widths[i] = width
		}
		room -= width + 2
	}
	for _, to := range [][]int{whole, full} {
		for i, c := range t.Columns {
			if room < 0 {
				full[i] = min(whole[i], short)
			}
			if change := to[i] - widths[i]; c.Max > 0 {
				change = min(max(room, min(change, 0)), max(change, 0))
				widths[i], room = widths[i]+change, room-change
			}
		}
	}
	return widths
}

// Text writes the table to a page, indented by two spaces and with columns two spaces apart.
func (t *Table) Text(p *Page) {
	if t.Title != "" {
		p.Line(Bold, t.Title)
	}
	w, style := table.NewWriter(), table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box = table.BoxStyle{PaddingRight: "  ", UnfinishedRow: "…"}
	style.Format.Header = text.FormatDefault
	w.SetStyle(style)
	head := make(table.Row, len(t.Columns))
	configs := make([]table.ColumnConfig, len(t.Columns))
	widths := t.fit(p)
	for i, c := range t.Columns {
		head[i] = p.styled(Dim, c.Title)
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMax: widths[i],
			WidthMaxEnforcer: text.WrapSoft}
		if c.Right {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	w.SetColumnConfigs(configs)
	if slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Title != "" }) {
		w.AppendHeader(head)
	}
	for _, cells := range t.Rows {
		row := make(table.Row, len(cells))
		for i, c := range cells {
			s := Visible(c.Text)
			if column := t.Columns[i]; column.Front && column.Max > 0 {
				s = ClipFront(s, widths[i])
			}
			row[i] = p.styled(c.Style, s)
		}
		w.AppendRow(row)
	}
	for line := range strings.Lines(w.Render()) {
		p.WriteString("  ")
		p.EndLine(strings.TrimRight(line, "\n"))
	}
	for _, note := range t.Notes {
		p.Paragraph(Dim, "  ", "  ", Visible(note))
	}
}

// Markdown writes the table to a page in GitHub Flavored Markdown (GFM 4.10).
func (t *Table) Markdown(p *Page) {
	if t.Title != "" {
		fmt.Fprintf(p, "**%s**\n\n", Escape(t.Title))
	}
	rule := ""
	for _, c := range t.Columns {
		fmt.Fprintf(p, "| %s ", Escape(c.Title))
		if c.Right {
			rule += "|--:"
		} else {
			rule += "|---"
		}
	}
	fmt.Fprintf(p, "|\n%s|\n", rule)
	for _, row := range t.Rows {
		for _, c := range row {
			fmt.Fprintf(p, "| %s ", strings.ReplaceAll(c.made(Escape), "\n", "<br>"))
		}
		p.WriteString("|\n")
	}
	for _, note := range t.Notes {
		fmt.Fprintf(p, "\n%s\n", Escape(note))
	}
}

// Rows is a file for spreadsheets that is written row by row. It keeps the first error.
type Rows interface {
	// Sheet begins a sheet with these columns. A file of CSV has only one.
	Sheet(name string, columns []Column)
	// Row adds a row of values as accepted by [Table.Add].
	Row(values ...any) error
	// Flush ends the sheet and returns the first error.
	Flush() error
}

// CSV writes the column titles and the rows for spreadsheets.
func (t *Table) CSV(w io.Writer) error { return t.sheet(NewCSV(w), "") }

// XLSX writes the table as the only sheet of a workbook.
func (t *Table) XLSX(out io.Writer, sheet string) error {
	w := NewWorkbook()
	t.sheet(w, sheet) // w keeps the error
	return w.Send(out)
}

func (t *Table) sheet(w Rows, name string) error {
	w.Sheet(name, t.Columns)
	for _, row := range t.Rows {
		w.Row(Each(row, func(c Cell) any { return c })...) // Flush returns the error
	}
	return w.Flush()
}

// csvWriter writes rows for spreadsheets (RFC 4180). No cell is a formula.
type csvWriter struct{ w *csv.Writer }

// NewCSV returns a file of CSV that is written to w.
func NewCSV(w io.Writer) Rows { return csvWriter{csv.NewWriter(w)} }

func (c csvWriter) Sheet(_ string, columns []Column) {
	c.Row(Each(columns, func(column Column) any { return column.Title })...) // c.w keeps the error
}

func (c csvWriter) Row(values ...any) error {
	return c.w.Write(Each(cells(values),
		func(cell Cell) string { return cell.made(EscapeFormula) }))
}

func (c csvWriter) Flush() error {
	c.w.Flush()
	return c.w.Error()
}

// Workbook writes a spreadsheet file (.xlsx), sheet by sheet and row by row. Text remains text: no
// cell is a formula. Rows are in a temporary file until they are written. After an error all calls
// do nothing.
type Workbook struct {
	book       *excelize.File
	sheet      *excelize.StreamWriter // the current sheet
	sheets     int                    // number of sheets so far
	row        int
	bold, wrap int   // styles of headings, and of cells with line breaks
	err        error // the first error
}

// NewWorkbook returns a workbook without sheets.
func NewWorkbook() *Workbook {
	w := &Workbook{book: excelize.NewFile()} // which fails only if a style does not exist
	w.bold, _ = w.book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	w.wrap, _ = w.book.NewStyle(&excelize.Style{
		Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	return w
}

// Sheet begins a sheet. A column is as wide as its Max, or else as its title. If there are columns,
// the heading remains visible when the rows are scrolled.
func (w *Workbook) Sheet(name string, columns []Column) {
	if w.Flush() != nil {
		return
	}
	if w.sheets++; w.sheets == 1 {
		w.err = w.book.SetSheetName(w.book.GetSheetName(0), name)
	} else {
		_, w.err = w.book.NewSheet(name)
	}
	if w.err == nil {
		w.sheet, w.err = w.book.NewStreamWriter(name)
	}
	if w.row = 0; w.err != nil || len(columns) == 0 {
		return
	}
	w.err = w.sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2",
		ActivePane: "bottomLeft"})
	for i, c := range columns {
		width := cmp.Or(c.Max, min(max(len(c.Title)+2, 9), 40))
		w.err = cmp.Or(w.err, w.sheet.SetColWidth(i+1, i+1, float64(width)))
	}
	w.heading(columns)
}

// heading adds a row of titles in bold.
func (w *Workbook) heading(columns []Column) {
	w.put(Each(columns, func(c Column) any {
		return excelize.Cell{StyleID: w.bold, Value: Visible(c.Title)}
	}))
}

// Row adds a row. Strings are text; a value that prints as a number is a number.
func (w *Workbook) Row(row ...any) error {
	values := make([]any, len(row))
	for i, c := range cells(row) {
		if n, err := strconv.ParseFloat(c.Text, 64); c.isNumber && err == nil {
			values[i] = n
		} else if c.Lines {
			values[i] = excelize.Cell{StyleID: w.wrap, Value: c.made(Visible)}
		} else if c.Text != "" {
			values[i] = Visible(c.Text)
		}
	}
	return w.put(values)
}

func (w *Workbook) put(cells []any) error {
	if w.row++; w.err == nil {
		w.err = w.sheet.SetRow(fmt.Sprint("A", w.row), cells)
	}
	return w.err
}

// Flush ends the sheet once, since the library would write the end of its XML on every call.
func (w *Workbook) Flush() error {
	if w.err == nil && w.sheet != nil {
		w.err = w.sheet.Flush()
		w.sheet = nil
	}
	return w.err
}

// Table adds the table's title and heading, its rows and an empty row. It leaves out columns
// without a title, which are pictures for a terminal.
func (w *Workbook) Table(t *Table) {
	picture := func(c Column) bool { return c.Title == "" }
	w.heading([]Column{{Title: t.Title}})
	w.heading(Without(t.Columns, picture))
	for _, row := range t.Rows {
		var shown []any
		for i, c := range row {
			if !picture(t.Columns[i]) {
				shown = append(shown, c)
			}
		}
		w.Row(shown...)
	}
	w.Row()
}

// Send writes the workbook, with its parts sorted by name because the library's order is random,
// and removes temporary files.
func (w *Workbook) Send(out io.Writer) error {
	defer w.book.Close()
	var parts bytes.Buffer
	if w.Flush() == nil {
		_, w.err = w.book.WriteTo(&parts)
	}
	if w.err != nil {
		return w.err
	}
	// It was just written, so it is valid.
	in, _ := zip.NewReader(bytes.NewReader(parts.Bytes()), int64(parts.Len()))
	slices.SortFunc(in.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	sorted := zip.NewWriter(out)
	for _, part := range in.File {
		if err := sorted.Copy(part); err != nil {
			return err
		}
	}
	return cmp.Or(sorted.SetComment(Seal(in.File)), sorted.Close())
}

// Seal returns the comment that a workbook with these parts has unless somebody changed it.
func Seal(parts []*zip.File) string {
	sum := crc32.NewIEEE()
	for _, part := range parts {
		fmt.Fprintln(sum, part.Name, part.CRC32)
	}
	return fmt.Sprintf("assize seal s%08x", sum.Sum32())
}
