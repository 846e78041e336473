package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// The column of names is as wide as the longest name needs, so that none is cut.
func TestNamesAreWhole(t *testing.T) {
	for length, class := range map[int]string{1: "id", 12: "id", 13: "id id16", 16: "id id16",
		17: "id id24", 36: "id id40", 90: "id id40"} {
		l := NewList([]Entry{{Row: &run.Row{Name: strings.Repeat("x", length)}},
			{Row: &run.Row{Name: "7"}}})
		assert.Equal(t, class, l.Columns[0].Class, length)
	}
}

// The only dialogue of a file has the file's name, unless it has an ID, on the whole page.
func TestFilesAreNames(t *testing.T) {
	row := func(id int, name, file string) *run.Row {
		return &run.Row{ID: id, Name: name, File: file}
	}
	assert.Equal(t, []string{"a.txt", "1", "T-7", "2", "1"}, Titles([]*run.Row{
		row(1, "1", "desk/a.txt"), row(1, "1", "b.txt"), row(1, "T-7", "c.txt"),
		row(2, "2", "b.txt"), row(1, "1", "-")}))
	var records []*run.Record
	for i, file := range []string{"desk/a.txt", "desk/b.txt", "desk/c.txt"} {
		r := judged(t, 1, []string{lost, found, lost + found}[i])
		r.Source.File = file
		records = append(records, r)
	}
	page := written(t, pageOf(records...))
	for _, whole := range []string{`<b class="name">a.txt</b> <span class="name">desk/a.txt`, `href="#d=a.txt"`,
		`"a.txt"`, `"b.txt"`, `"c.txt"`} {
		assert.Contains(t, page, whole)
	}
	assert.NotContains(t, page, `<b class="name">1</b>`)
	assert.NotContains(t, page, `class="twin"`)
}

// A column can be filtered by its only value if some dialogues do not have it.
func TestOneValueIsAFilter(t *testing.T) {
	of := func(values ...string) Control {
		l := List{Columns: []*Column{{Key: "opening", Menu: "opening"}}}
		for _, v := range values {
			l.Rows = append(l.Rows, []Cell{{Column: l.Columns[0], Text: v}})
		}
		return l.menu(0)
	}
	assert.Equal(t, []Option{{"", "any"}, {"contradicted", "contradicted (1)"}},
		of("contradicted", "").Options)
	assert.Equal(t, "hidden", of("contradicted", "contradicted").Type)
	assert.Equal(t, "hidden", of("", "").Type)
}

// A score that nothing shows is hollow, and the list then explains it.
func TestHollow(t *testing.T) {
	row := run.Row{Name: "7", Overall: 80, Unshown: rubric.SetOf(rubric.Accuracy)}
	for c := range row.Final {
		row.Final[c] = 80
	}
	hollow := func(l List) (list []string) {
		for _, c := range l.Rows[0] {
			if c.Hollow {
				list = append(list, c.Key)
			}
		}
		return list
	}
	l := NewList([]Entry{{Row: &row}})
	assert.Equal(t, []string{"Accuracy"}, hollow(l))
	assert.True(t, l.Hollow)
	row.Unshown = 0
	l = NewList([]Entry{{Row: &row}})
	assert.Empty(t, hollow(l))
	assert.False(t, l.Hollow)
	page := written(t, pageOf(judged(t, 1, lost)))
	assert.True(t, strings.Contains(page, "Accuracy: 100 % not shown, of the scored dialogues. "))
}

// Rows differ from their beginning, because the quote comes first.
func TestReasonsBeginWithTheirQuote(t *testing.T) {
	for _, c := range NewList(pageOf(judged(t, 1, lost)).cases(nil)).Rows[0] {
		if c.Key == "why" {
			assert.Regexp(t, `^“[^”]+” after “[^”]+” Task success 40: the customer `, c.Text)
		}
	}
}

// Numbers are sorted by size, and before words.
func TestCompareValues(t *testing.T) {
	want := []string{"-12", "-3", "0.5", "2", "2.0", "10", "1000000", "1e7", "(none)", "10 a",
		"Ann", "ann"}
	got := slices.Sorted(slices.Values(want))
	require.NotEqual(t, want, got)
	slices.SortFunc(got, compareValues)
	assert.Equal(t, want, got)
}

// Groups by the column that serves as the agent have the name that the list has for it.
func TestOneNameForTheAgent(t *testing.T) {
	record := func(id int, agent string) *run.Record {
		r := judged(t, id, lost+found)
		r.Source.Meta = dialogue.Meta{{Name: "Betreuer", Value: agent},
			{Name: "Product", Value: "box"}, {Name: "agent", Value: agent}}
		return r
	}
	p := pageOf(record(1, "Ines"), record(2, "Marek"))
	var err error
	p.Groups, err = summary.GroupBy(p.Rows, []string{"Betreuer", "Product"}, nil)
	require.NoError(t, err)
	page := written(t, p)
	assert.Contains(t, page, `<label>Agent<select name="g0">`)
	assert.NotContains(t, page, `<label>Betreuer`)
}

// A list is filtered by days where any is known, as the queue is.
func TestListIsFilteredByDays(t *testing.T) {
	dated := judged(t, 1, "USER: Where is my parcel?\nSYSTEM: It is in your depot.")
	for _, name := range []string{"from", "to"} {
		input := `<input type="date" name="` + name + `"`
		assert.Contains(t, written(t, pageOf(dated)), input)
		assert.NotContains(t, written(t, of(0, 0, unscored(1, "no words"))), input)
	}
}
