package importer_test

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"assize/rubric/dialogue/importer"
)

// workbook returns a workbook of CSV texts, each a sheet called S1, S2 and so on. Numbers and times
// become cells of these types; the times look like "3/12/24 9:14".
func workbook(t testing.TB, sheets ...string) string {
	book := excelize.NewFile()
	defer book.Close()
	const monthFirst = 22
	style, err := book.NewStyle(&excelize.Style{NumFmt: monthFirst})
	require.NoError(t, err)
	for i, text := range sheets {
		name := fmt.Sprintf("S%d", i+1)
		if i == 0 {
			require.NoError(t, book.SetSheetName("Sheet1", name))
		}
		_, err := book.NewSheet(name)
		require.NoError(t, err)
		in := csv.NewReader(strings.NewReader(text))
		in.FieldsPerRecord = -1
		rows, err := in.ReadAll()
		require.NoError(t, err)
		for y, row := range rows {
			for x, cell := range row {
				at, err := excelize.CoordinatesToCellName(x+1, y+1)
				require.NoError(t, err)
				if n, err := strconv.ParseFloat(cell, 64); err == nil {
					require.NoError(t, book.SetCellValue(name, at, n))
				} else if day, err := time.Parse(time.DateTime, cell); err == nil {
					require.NoError(t, book.SetCellValue(name, at, day))
					require.NoError(t, book.SetCellStyle(name, at, at, style))
				} else if cell != "" {
					require.NoError(t, book.SetCellStr(name, at, cell))
				}
			}
		}
	}
	out, err := book.WriteToBuffer()
	require.NoError(t, err)
	return out.String()
}

const (
	parcels = "id,role,text\n7,user,Where is my parcel?\n7,agent,It is at the depot.\n"
	cover   = "Figures of May\n"
)

func TestSheets(t *testing.T) {
	for _, c := range []struct {
		reason, data, sheet, want, note string
	}{
		{"the first sheet with rows", workbook(t, "", parcels), "", "parcel", ""},
		{"others are told of", workbook(t, parcels, cover), "", "parcel",
			`only sheet "S1" is read; others with rows: "S2"; --sheet NAME reads one`},
		{"a cover sheet is none", workbook(t, "Export,May\nAgent,all\n", parcels), "", "parcel",
			`only sheet "S2" is read; others with rows: "S1"`},
		{"a cover sheet above whole chats",
			workbook(t, cover,
				"No,Chat\n1,\"Agent: Hello, there\nCustomer: Hi\"\n"), "", "Hello, there",
			`only sheet "S2" is read`},
		{"by name", workbook(t, cover, parcels), "s2", "parcel", ""},
		{"by number", workbook(t, cover, parcels), "2", "parcel", ""},
		{"no such sheet", workbook(t, cover, parcels), "S3",
			`f: there is no sheet "S3"; want one of "S1", "S2"`, ""},
		{"no rows at all", workbook(t, "", ""), "", "f: no sheet holds anything", ""},
		{"text in one column", workbook(t, "\"Agent: Hello, there\"\nCustomer: Hi\n"), "",
			"Hello, there", ""},
		{"cut off", workbook(t, parcels)[:3000], "",
			"f: the workbook or archive is damaged or cut off", ""},
	} {
		r := read([]byte(c.data), "f", importer.Options{Sheet: c.sheet})
		got := fmt.Sprint(r.errs)
		for _, s := range r.samples {
			got += said(s.Dialogue)
		}
		assert.Contains(t, got, c.want, c.reason)
		assert.Contains(t, strings.Join(r.notes, "\n"), c.note, c.reason)
	}
}

// TestSheetOfRatings checks that in a workbook of ratings, the sheet with an id and a rating is
// read, wherever it is.
func TestSheetOfRatings(t *testing.T) {
	var names []string
	book := workbook(t, "How we rate,May\n1,bad\n", "id,CSAT\n7,4\n", parcels)
	for c, err := range importer.ReadCells(strings.NewReader(book), "f") {
		require.NoError(t, err)
		names = c.Names
	}
	assert.Equal(t, []string{"id", "CSAT"}, names)
}

// TestDayOfSheet reads the day of a conversation in a date cell.
func TestDayOfSheet(t *testing.T) {
	book := workbook(t, "Ref,Eröffnet am,Kunde seit,Text\n"+
		"R-1,2026-09-07 08:03:00,2020-01-02 00:00:00,\"Agent: a\nCustomer: b\nAgent: c\"\n")
	opt := importer.Options{Columns: map[string]string{"time": "Eröffnet am"}}
	for s, err := range importer.Read(strings.NewReader(book), "f", opt) {
		require.NoError(t, err)
		var days []string
		for _, at := range importer.Dates(s.Source.Voices, s.Source.Meta) {
			days = append(days, at.Day("us"))
		}
		assert.Equal(t, []string{"2026-09-07"}, days)
	}
}

// TestCellsWithoutWords checks that a formula that has no value, and an error in place of one, are
// told and are nobody's words.
func TestCellsWithoutWords(t *testing.T) {
	book := excelize.NewFile()
	defer book.Close()
	for i, row := range [][]any{{"id", "role", "text"}, {1, "user", "Where is it?"},
		{1, "agent", "#REF!"}, {1, "agent", "It is here."}} {
		require.NoError(t, book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row))
	}
	for _, c := range []struct{ formula, want string }{
		{"", ""}, {`CONCAT("a","b")`, "formulas without a saved value are empty cells, such as " +
			`"C5" in sheet1.xml; open the workbook and save it`},
	} {
		if c.formula != "" {
			require.NoError(t, book.SetSheetRow("Sheet1", "A5", &[]any{1, "user"}))
			require.NoError(t, book.SetCellFormula("Sheet1", "C5", c.formula))
		}
		out, err := book.WriteToBuffer()
		require.NoError(t, err)
		r := read(out.Bytes(), "f", importer.Options{})
		require.Len(t, r.samples, 1)
		assert.NotContains(t, said(r.samples[0].Dialogue), "REF")
		notes := strings.Join(r.notes, "\n")
		assert.Contains(t, notes, "1 turn of the SYSTEM that is None, null or #REF!")
		assert.Contains(t, notes, c.want)
		assert.Equal(t, c.want != "", strings.Contains(notes, "formulas"))
	}
}
