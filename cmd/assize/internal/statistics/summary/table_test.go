package summary

import (
	"bytes"
	"encoding/csv"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hostile is text that a stranger may write.
const hostile = "\x1b]0;owned\x07\x1b[31mred\u202egnp.exe | <script>alert(1)</script> =1+1 " +
	"\u0085\r\n日本語のとても長い文章"

func interval(n int, value, low, high float64) stats.Figure {
	return stats.Figure{N: n, Value: value, Low: low, High: high, Decimals: 2}
}

// none is the mean of no dialogues.
var none = meansOf(nil)[0]

// groups returns a group of every kind.
var groups = &Groups{By: "agent", List: []Group{
	{Name: "Bo", Scored: 4310, Unscored: 12, Below: 1003, Average: interval(2, 71.20, 66.10, 76.00),
		Satisfaction: interval(2, 3.21, 3.05, 3.33)},
	{Name: "=cmd|' /C calc'!A0", Scored: 20, Average: interval(2, 100.00, 100.00, 100.00),
		Satisfaction: interval(2, 5.00, 5.00, 5.00)},
	{Name: hostile, Scored: 1, Below: 1, TooFew: true,
		Average:      interval(1, 20.00, math.NaN(), math.NaN()),
		Satisfaction: interval(1, 1.00, math.NaN(), math.NaN())},
	{Name: "nothing scored", Unscored: 100000, TooFew: true, Average: none, Satisfaction: none,
		Checklist: none},
	{Name: NoGroup, None: true, Scored: 2, TooFew: true, Average: interval(2, 80.00, 80.00, 80.00),
		Satisfaction: interval(2, 4.00, 4.00, 4.00)},
}}

func text(table *ui.Table, color bool) string {
	p := ui.Page{Color: color}
	table.Text(&p)
	return p.String()
}

func TestGroupForms(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"groups.txt": func(w io.Writer) error {
			_, err := io.WriteString(w, text(groups.scores(),
				false))
			return err
		},
		"groups.md": func(w io.Writer) error {
			p := ui.Page{}
			groups.scores().Markdown(&p)
			return p.Send(w)
		},
		"groups.csv": Figures(groups).CSV,
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		path := filepath.Join("testdata", name)
		if *update {
			require.NoError(t, os.WriteFile(path, b.Bytes(), 0o666))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err, "go test -update writes it")
		assert.Equal(t, string(want), b.String())
		assert.NotContains(t, b.String(), "\x1b", "what a stranger writes does not act")
		assert.NotContains(t, b.String(), "\u202e")
	}
}

func TestGroupsAreNoWiderThanATerminal(t *testing.T) {
	for line := range strings.Lines(text(groups.scores(), false)) {
		assert.LessOrEqual(t, ui.Cells(strings.TrimSuffix(line, "\n")), ui.Columns, line)
	}
}

func TestGroupCSVIsATable(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Figures(groups).CSV(&b))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err, "every row has as many cells")
	assert.Len(t, rows, 1+len(groups.List))
	assert.Equal(t, "'=cmd|' /C calc'!A0", rows[2][1], "no formula")
}

// If no column is named, the agent is compared, and columns with few values that most dialogues
// have, the one with the fewest values first.
func TestGroupBy(t *testing.T) {
	var rows []*run.Row
	for i := range 40 {
		rows = append(rows,
			&run.Row{Said: run.Key{byte(i)}, Place: i, Overall: 60, Average: 6000,
				Meta: dialogue.NewMeta([]dialogue.Field{
					{Name: "id", Value: strings.Repeat("x", i+1)}, {Name: "queue", Value: []string{"a", "b",
						"c"}[i%3]},
					{Name: "bot", Value: []string{"old", "new"}[i%2]}, {Name: "site", Value: "one"},
				})})
	}
	list, err := GroupBy(rows, nil, nil)
	require.NoError(t, err)
	var by []string
	for _, g := range list {
		by = append(by, g.By)
	}
	assert.Equal(t, []string{"bot", "queue"}, by)
	for i, r := range rows {
		r.Meta = append(r.Meta, dialogue.Field{Name: "Handled By", Value: string(rune('A' + i%9))},
			dialogue.Field{Name: "form", Value: string(rune('x' + i%2))})
	}
	list, err = GroupBy(rows, nil, nil)
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Equal(t, "Handled By", list[0].By, "though others have fewer values")
	list, err = GroupBy(rows, []string{"site"}, nil)
	require.NoError(t, err)
	assert.Equal(t, 40, list[0].List[0].Scored)
	_, err = GroupBy(rows, []string{"sight"}, nil)
	assert.ErrorContains(t, err, "no dialogue has this column")
}

func TestTables(t *testing.T) {
	var s Summary
	assert.Nil(t, s.Tables())
	s.Add(&run.Row{Overall: 100, Average: 10000,
		Final: [rubric.NumCriteria]rubric.Score{100, 100, 100, 100, 100, 100}})
	s.Add(&run.Row{Overall: 20, Average: 2000, Final: [rubric.NumCriteria]rubric.Score{20, 20, 20,
		20, 20, 20}})
	s.Add(&run.Row{Reason: "silence"})
	tables := s.Tables()
	require.Len(t, tables, 2)
	assert.Contains(t, text(tables[0], false), "  100  ████████████████████          1  50.0 %\n")
	assert.Contains(t, text(tables[0], true), "\x1b[31m████████████████████\x1b[0m",
		"low scores are red")
	assert.Contains(t, text(tables[1], false), "TaskSuccess            60.00\n")
}

// A report does not offer the addresses and numbers of customers, but those of agents are names.
func TestAddressesAreNoGroups(t *testing.T) {
	for _, values := range [][]string{
		{"ann@example.org", "bob@example.org", "cy@example.org", "-"},
		{"+44 20 7946 0018", "+44 20 7946 0951", "020 7946 0123", "unknown"},
	} {
		var rows []*run.Row
		for i := range 40 {
			value := values[i%4]
			meta := []dialogue.Field{{Name: "contact", Value: value},
				{Name: "plan", Value: []string{"old", "new"}[i%2]}}
			rows = append(rows, &run.Row{Said: run.Key{byte(i)}, Overall: 60,
				Meta: dialogue.NewMeta(meta)})
		}
		list, err := GroupBy(rows, nil, nil)
		require.NoError(t, err)
		require.Len(t, list, 1, values)
		assert.Equal(t, "plan", list[0].By)
		list, err = GroupBy(rows, []string{"contact"}, nil)
		require.NoError(t, err)
		assert.Len(t, list[0].List, 4, "on request they are")
		for _, r := range rows {
			r.Agent, _ = r.Meta.Value("contact")
		}
		list, err = GroupBy(rows, nil, nil)
		require.NoError(t, err)
		assert.Len(t, list, 2)
	}
}
