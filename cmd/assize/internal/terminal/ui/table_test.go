package ui_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"assize/cmd/assize/internal/terminal/ui"
)

// groups returns a table with a text that is too wide, one that affects a terminal, and one that a
// spreadsheet would run.
func groups() *ui.Table {
	t := &ui.Table{
		Title: "By agent",
		Columns: []ui.Column{{Title: "agent", Max: 20}, {Title: "scored", Right: true},
			{Title: "file", Max: 12, Front: true}},
		Notes: []string{"One | two."},
	}
	t.Add("Bo", 12, "exports/2026/week.csv")
	t.Add("Ann\x1b[31m of the second floor", ui.Cell{Text: "3", Style: ui.Red}, "-")
	t.Add("=1+1", 200, "a|b.txt")
	return t
}

func ExampleTable_Text() {
	var p ui.Page
	groups().Text(&p)
	p.Send(os.Stdout)
	// Output:
	// By agent
	//   agent                         scored  file
	//   Bo                                12  exports/2026/week.csv
	//   Ann␛[31m of the second floor       3  -
	//   =1+1                             200  a|b.txt
	//   One | two.
}

func ExampleTable_Markdown() {
	var p ui.Page
	groups().Markdown(&p)
	p.Send(os.Stdout)
	// Output:
	// **By agent**
	//
	// | agent | scored | file |
	// |---|--:|---|
	// | Bo | 12 | exports/2026/week.csv |
	// | Ann␛\[31m of the second floor | 3 | - |
	// | =1+1 | 200 | a\|b.txt |
	//
	// One \| two.
}

func ExampleTable_CSV() {
	groups().CSV(os.Stdout)
	// Output:
	// agent,scored,file
	// Bo,12,exports/2026/week.csv
	// Ann␛[31m of the second floor,3,-
	// '=1+1,200,a|b.txt
}

func TestTableTextIsColoured(t *testing.T) {
	p := ui.Page{Color: true}
	groups().Text(&p)
	assert.Contains(t, p.String(), "\x1b[31m3\x1b[0m")
	assert.NotContains(t, p.String(), "Ann\x1b", "what a stranger wrote does not act")
}

func TestTableNeedsNoTitles(t *testing.T) {
	table := &ui.Table{Columns: make([]ui.Column, 2)}
	table.Add("a", "b")
	var p ui.Page
	table.Text(&p)
	require.Equal(t, 1, strings.Count(p.String(), "\n"))
	assert.Equal(t, "  a  b\n", p.String())
}

// Every part of a workbook is XML, even if a sheet is ended before the workbook is written.
func TestWorkbookIsXML(t *testing.T) {
	w := ui.NewWorkbook()
	w.Sheet("Scores", groups().Columns)
	require.NoError(t, w.Row("Ann", 3, "a.txt"))
	require.NoError(t, w.Flush())
	w.Sheet("Groups", nil)
	w.Table(groups())
	require.NoError(t, w.Flush())
	var out bytes.Buffer
	require.NoError(t, w.Send(&out))
	book, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, err)
	sheets := 0
	for _, part := range book.File {
		if strings.Contains(part.Name, "worksheets/") {
			sheets++
		}
		in, err := part.Open()
		require.NoError(t, err)
		for d := xml.NewDecoder(in); err == nil; {
			_, err = d.Token()
		}
		assert.Equal(t, io.EOF, err, part.Name)
	}
	assert.Equal(t, 2, sheets)
}

// In a workbook, a column is as wide as it says, and text with line breaks is wrapped.
func TestWorkbookIsReadable(t *testing.T) {
	table := ui.NewTable("", "id", "probability", "text=60")
	table.Add("T-1", 0.5, ui.Cell{Text: strings.Repeat("words ", 40) + "\nend", Lines: true})
	table.Add("T-2", 0.5, "short")
	var b bytes.Buffer
	require.NoError(t, table.XLSX(&b, "Sample"))
	book, err := excelize.OpenReader(&b)
	require.NoError(t, err)
	for column, want := range map[string]float64{"A": 9, "B": 13, "C": 60} {
		width, err := book.GetColWidth("Sample", column)
		require.NoError(t, err)
		assert.Equal(t, want, width, column)
	}
	id, err := book.GetCellStyle("Sample", "C2")
	require.NoError(t, err)
	style, err := book.GetStyle(id)
	require.NoError(t, err)
	assert.True(t, style.Alignment.WrapText)
}
