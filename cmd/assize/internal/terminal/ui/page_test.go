package ui_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"assize/cmd/assize/internal/terminal/ui"
)

// result is a result in every format.
type result struct {
	Name string `json:"name"`
	List []int  `json:"list"`
}

func (result) Text(p *ui.Page) {
	p.Heading("##", "Head*ing")
	p.Say(ui.Bold, "An answer.")
	p.Say(ui.Yellow, "A warning <b>.")
	p.Say(ui.Plain, "A sentence.")
	p.Item(ui.Plain, "an item")
	p.Table(groups())
}
func (result) Figures() *ui.Table { return groups() }
func (result) JSONL(w io.Writer) error {
	return errors.Join(ui.WriteJSON(w, 1, ""), ui.WriteJSON(w, 2, ""))
}

func TestWriteAs(t *testing.T) {
	write := func(format string, color bool) (stdout, page string) {
		var w bytes.Buffer
		p := ui.Page{Color: color}
		require.NoError(t, ui.WriteAs(format, &w, &p, result{Name: "a\u202eb"}))
		return w.String(), p.String()
	}
	for format, want := range map[string]string{
		"json":  "{\n  \"name\": \"a\\u202eb\",\n  \"list\": []\n}\n",
		"jsonl": "1\n2\n",
		"csv": "agent,scored,file\nBo,12,exports/2026/week.csv\n" +
			"Ann␛[31m of the second floor,3,-\n'=1+1,200,a|b.txt\n",
	} {
		got, page := write(format, false)
		assert.Equal(t, want, got, format)
		assert.Empty(t, page, format)
	}
	got, page := write("text", false)
	assert.Empty(t, got)
	assert.True(t, strings.HasPrefix(page, "Head*ing\nAn answer.\n! A warning <b>.\n"+
		"A sentence.\n  an item\n\nBy agent\n  agent "), page)
	_, page = write("text", true)
	assert.True(t, strings.HasPrefix(page, "\x1b[1mHead*ing\x1b[0m\n\x1b[1mAn answer.\x1b[0m\n"+
		"! \x1b[33mA warning <b>.\x1b[0m\n"), page)
	assert.Contains(t, page, "\nA sentence.\n", "plain text has no style")
	_, page = write("markdown", false)
	assert.True(t, strings.HasPrefix(page, "## Head\\*ing\n\n\n**An answer.**\n\n"+
		"> A warning &lt;b&gt;.\n\nA sentence.\n- an item\n\n**By agent**\n\n| agent "), page)

	book, _ := write("xlsx", false)
	f, err := excelize.OpenReader(strings.NewReader(book))
	require.NoError(t, err)
	defer f.Close()
	assert.Equal(t, []string{"By agent"}, f.GetSheetList())
	rows, err := f.GetRows("By agent")
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"agent", "scored", "file"}, {"Bo", "12", "exports/2026/week.csv"},
		{"Ann␛[31m of the second floor", "3", "-"}, {"=1+1", "200", "a|b.txt"}}, rows)
	kind, err := f.GetCellType("By agent", "B2")
	require.NoError(t, err)
	assert.NotEqual(t, excelize.CellTypeInlineString, kind, "a number is one")
	formula, err := f.GetCellFormula("By agent", "A4")
	require.NoError(t, err)
	assert.Empty(t, formula)
	for column, want := range map[string]float64{"A": 20, "B": 9, "C": 12} {
		width, err := f.GetColWidth("By agent", column)
		require.NoError(t, err)
		assert.Equal(t, want, width, column)
	}
	panes, err := f.GetPanes("By agent")
	require.NoError(t, err)
	assert.True(t, panes.Freeze)
}

// A workbook of several sheets; columns without a title are for a terminal only.
func TestWorkbook(t *testing.T) {
	w := ui.NewWorkbook()
	w.Sheet("One", ui.NewTable("", "a", strings.Repeat("long ", 10)).Columns)
	require.NoError(t, w.Row("x", ui.Cell{Text: "1\n\x1b2", Lines: true}, "", 1.5))
	w.Sheet("Two", nil)
	table := ui.NewTable("Title", "name", "")
	table.Add("n", "███")
	w.Table(table)
	w.Table(table)
	var out bytes.Buffer
	require.NoError(t, w.Send(&out))
	f, err := excelize.OpenReader(&out)
	require.NoError(t, err)
	defer f.Close()
	assert.Equal(t, []string{"One", "Two"}, f.GetSheetList())
	rows, err := f.GetRows("One")
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "1\n␛2", "", "1.5"}, rows[1])
	width, err := f.GetColWidth("One", "B")
	require.NoError(t, err)
	assert.Equal(t, 40., width)
	rows, err = f.GetRows("Two")
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"Title"}, {"name"}, {"n"}, nil, {"Title"}, {"name"}, {"n"}}, rows)

	w = ui.NewWorkbook()
	w.Sheet("[no such name]", nil)
	assert.Error(t, w.Row("x"))
	assert.Error(t, w.Send(io.Discard))
}

// On a terminal, columns that would be wrapped use the room that there is.
func TestTableFits(t *testing.T) {
	for _, tt := range []struct {
		width int
		want  string
	}{
		{0, "  name  text\n  one   some words to wrap here\n"},
		{80, "  name  text\n  one   some words to wrap here\n"},
		{24, "  name  text\n  one   some words to\n        wrap here\n"},
		{20, "  name  text\n  one   some words\n        to wrap here\n"},
		{8, "  name  text\n  one   some words\n        to wrap\n        here\n"},
	} {
		table := ui.NewTable("", "name", "text=14")
		table.Add("one", "some words to wrap here")
		p := ui.Page{Width: tt.width}
		table.Text(&p)
		assert.Equal(t, tt.want, p.String(), tt.width)
	}
	// words stay whole: a long one while other columns can give way, a short one always
	wide := ui.NewTable("", "agent=13", "what was said=30")
	wide.Add("Anne-Marie Smith-Johnson-Jones", "some more words that can be wrapped")
	for width, want := range map[int]string{
		53: "  agent                what was said\n" +
			"  Anne-Marie           some more words that can be\n  Smith-Johnson-Jones  wrapped\n",
		20: "  agent                what was\n                       said\n" +
			"  Anne-Marie           some more\n" +
			"  Smith-Johnson-Jones  words that\n                       can be\n" +
			"                       wrapped\n"} {
		p := ui.Page{Width: width}
		wide.Text(&p)
		assert.Equal(t, want, p.String(), width)
	}
	table := ui.NewTable("T", "n>", "path<9")
	assert.Equal(t, []ui.Column{{Title: "n", Right: true}, {Title: "path", Front: true, Max: 9}},
		table.Columns)
}

func TestPage(t *testing.T) {
	var p ui.Page
	p.EndLine("a  ")
	p.Paragraph(ui.Plain, "- ", "  ", strings.Repeat("x", 78)+" y")
	assert.Equal(t, "a\n- "+strings.Repeat("x", 78)+"\n  y\n", p.String(), "80 columns")
	p.Reset()
	p.Width = 200
	p.Paragraph(ui.Plain, "", "", strings.Repeat("x", 100)+" y")
	assert.Equal(t, strings.Repeat("x", 100)+"\ny\n", p.String(), "100 columns can be read")
	var w bytes.Buffer
	require.NoError(t, p.Send(&w))
	assert.Zero(t, p.Len(), "it is empty after it was sent")
	assert.Equal(t, 80, (&ui.Page{}).Columns())
	assert.False(t, ui.OnTerminal(&w))
}

// A cell that a spreadsheet would run is text, also after a separator and in wide characters.
func TestNoFormula(t *testing.T) {
	for cell, want := range map[string]string{"-": "-", "-1.5": "-1.5", "-x": "'-x", "=A1": "'=A1",
		" +1a": "' +1a", "＝A1": "'＝A1", "a;=1": "a;'=1", "a=b": "a=b", "@x": "'@x"} {
		var w bytes.Buffer
		c := ui.NewCSV(&w)
		require.NoError(t, c.Row(cell))
		require.NoError(t, c.Flush())
		assert.Equal(t, want+"\n", strings.ReplaceAll(w.String(), `"`, ""), cell)
	}
}
