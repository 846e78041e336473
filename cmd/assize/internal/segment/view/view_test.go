package view

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/segment"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hostile is what a stranger may write.
const hostile = "\x1b]0;owned\x07\x1b[31mred\u202egnp.exe | <script>alert(1)</script> =1+1 \u0085\r\n日本語のとても長い文章"

// sheet has a group of every kind.
var sheet = &segment.Table{By: "agent " + hostile, Groups: []segment.Group{
	{Name: "Bo", Scored: 4310, Unscored: 12, Below: 1003, Average: segment.Mean{Value: 7120, Low: 6610, High: 7600, Ranges: true},
		Satisfaction: segment.Mean{Value: 321, Low: 305, High: 333, Ranges: true}},
	{Name: "=cmd|' /C calc'!A0", Scored: 20, Average: segment.Mean{Value: 10000, Low: 10000, High: 10000, Ranges: true},
		Satisfaction: segment.Mean{Value: 500, Low: 500, High: 500, Ranges: true}},
	{Name: hostile, Scored: 1, Below: 1, TooFew: true, Average: segment.Mean{Value: 2000}, Satisfaction: segment.Mean{Value: 100}},
	{Name: "nothing scored", Unscored: 100000, TooFew: true},
	{Name: segment.None, None: true, Scored: 2, TooFew: true, Average: segment.Mean{Value: 8000, Low: 8000, High: 8000, Ranges: true},
		Satisfaction: segment.Mean{Value: 400, Low: 400, High: 400, Ranges: true}},
}}

func TestForms(t *testing.T) {
	for name, write := range map[string]func(io.Writer, *segment.Table) error{
		"groups.txt": Text(false), "color.txt": Text(true), "groups.md": Markdown, "groups.csv": CSV,
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, write(&b, sheet))
			path := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o777))
				require.NoError(t, os.WriteFile(path, b.Bytes(), 0o666))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err, "go test -update writes it")
			assert.Equal(t, string(want), b.String())
			if name != "color.txt" {
				assert.NotContains(t, b.String(), "\x1b", "what a stranger writes does not act")
			}
			assert.NotContains(t, b.String(), "\u202e")
			assert.Error(t, write(full{}, sheet), "a full disk is told of")
		})
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestTextIsNoWiderThanATerminal(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Text(false)(&b, sheet))
	for line := range strings.Lines(b.String()) {
		assert.LessOrEqual(t, report.Cells(strings.TrimSuffix(line, "\n")), report.Columns, line)
	}
}

func TestCSVIsATable(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, CSV(&b, sheet))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err, "every row has as many cells")
	assert.Len(t, rows, 1+len(sheet.Groups))
	assert.Equal(t, "'=cmd|' /C calc'!A0", rows[2][1], "no formula")
}

// TestBehind writes the groups behind what another sink writes, or alone.
func TestBehind(t *testing.T) {
	r := &record.Record{Reason: "nobody speaks", Source: record.Source{Meta: dialogue.Meta{{Name: "agent", Value: "Ann"}}}}
	var both, alone bytes.Buffer
	for w, s := range map[*bytes.Buffer]report.Sink{
		&both: NewBehind(&both, report.NewText(&both, report.TextOptions{}), "agent", Text(false)), &alone: NewBehind(&alone, nil, "agent", Text(false)),
	} {
		require.NoError(t, s.Record(r))
		require.NoError(t, s.Record(r))
		require.NoError(t, s.Flush())
		assert.Contains(t, w.String(), "Ann")
	}
	assert.True(t, strings.HasSuffix(both.String(), "\n\n"+alone.String()), "an empty line stands between them")

	var b bytes.Buffer
	s := NewBehind(&b, nil, "agent", Text(false))
	require.NoError(t, s.Flush())
	assert.Empty(t, b.String(), "no dialogue, no table")
	s = NewBehind(&b, report.NewText(&b, report.TextOptions{}), "agnt", Text(false))
	require.NoError(t, s.Record(r))
	assert.ErrorContains(t, s.Flush(), "want one of agent")
	assert.Contains(t, b.String(), "nobody speaks", "the rest is written all the same")
}
