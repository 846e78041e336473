package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/flags"
)

// reportFlagsOf parses flags as the command does.
func reportFlagsOf(t *testing.T, terminal bool, args ...string) (*reportFlags, error) {
	t.Helper()
	o := reportFlags{terminal: terminal}
	fs := flags.NewSet(pflag.NewFlagSet("report", pflag.ContinueOnError))
	fs.AddAll(&o)
	require.NoError(t, fs.Parse(args))
	given := map[string]bool{}
	fs.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	return &o, o.validate(given, nil)
}

func TestReportIsNothingForATerminal(t *testing.T) {
	_, err := reportFlagsOf(t, true)
	assert.ErrorContains(t, err, "want -o report.html")
	_, err = reportFlagsOf(t, true, "--format", "markdown")
	assert.NoError(t, err)
	_, err = reportFlagsOf(t, false)
	assert.NoError(t, err, "into a pipe")
}

// TestReportKeeps checks how many dialogues are kept in full, by format and --top.
func TestReportKeeps(t *testing.T) {
	for _, tt := range []struct {
		reason        string
		args          []string
		worst, others int
	}{
		{"a page", nil, 200, 100},
		{"as many as asked for", []string{"--top", "31"}, 31, 15},
		{"none", []string{"--no-transcript"}, 0, 0},
		{"a summary has reasons alone", []string{"--format", "markdown"}, 10, 0},
	} {
		o, err := reportFlagsOf(t, false, tt.args...)
		require.NoError(t, err, tt.reason)
		worst, others := o.kept()
		assert.Equal(t, []int{tt.worst, tt.others}, []int{worst, others}, tt.reason)
	}
}

// More raters than can have a column each are not written, which a note says.
func TestReportOfManyRaters(t *testing.T) {
	folder := t.TempDir()
	var chats, people strings.Builder
	chats.WriteString("id,role,text\n")
	people.WriteString("dialogue_id,rating,rater\n")
	for i := range 70 {
		fmt.Fprintf(&chats, "d%d,user,Where is parcel %d?\nd%d,agent,It is here.\n", i, i, i)
		fmt.Fprintf(&people, "d%d,4,customer %d\n", i, i)
	}
	file, rated := filepath.Join(folder, "chats.csv"), filepath.Join(folder, "people.csv")
	require.NoError(t, os.WriteFile(file, []byte(chats.String()), 0o600))
	require.NoError(t, os.WriteFile(rated, []byte(people.String()), 0o600))
	stdout, stderr, code := call(t, nil, "report", file, "--ratings", rated, "--format", "csv")
	require.Zero(t, code, stderr)
	assert.NotContains(t, stdout, "rating by")
	assert.Contains(t, stdout, ",4,")
	assert.Contains(t, stderr, "too many raters for a column each")
}
