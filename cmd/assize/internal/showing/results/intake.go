package results

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// Intake counts what was read from a file, and how it was interpreted.
type Intake struct {
	File   string
	Broken int                 // dialogues that could not be read; see AddBroken
	Show   func(string) string // redacts names before they are printed
	Notes  []string            // guesses made when reading

	openings []importer.Opening // the first words of the speakers whose role must be named

	format                            dialogue.Format
	dialogues, turns, rated, oneSided int
	speakers                          map[dialogue.Role]map[string]int // turns, by role and name
	meta                              map[string]map[string]bool       // values, by column
	filled                            map[string]int                   // dialogues, by column
	events                            int                              // turns of nobody
}

const (
	// the maximum number of columns, and of values of each, that are distinguished
	maxValues  = 1000
	maxNames   = 8  // the maximum number of speakers shown for a role
	firstWords = 60 // columns of a speaker's first words
)

// Add counts a dialogue that was read.
func (in *Intake) Add(s dialogue.Sample) {
	in.format = s.Source.Format
	in.dialogues++
	in.turns += len(s.Dialogue.Turns)
	if len(s.Truth.Overall) > 0 {
		in.rated++
	}
	if s.Dialogue.Count(dialogue.System) == 0 || s.Dialogue.Count(dialogue.User) == 0 {
		in.oneSided++
	}
	if in.speakers == nil {
		in.speakers, in.filled = map[dialogue.Role]map[string]int{}, map[string]int{}
		in.meta = map[string]map[string]bool{}
	}
	listed := 0
	for _, sp := range s.Source.Speakers {
		if sp.Role == dialogue.Other {
			listed += sp.Turns
		}
		if in.speakers[sp.Role] == nil {
			in.speakers[sp.Role] = map[string]int{}
		}
		in.speakers[sp.Role][sp.Name] += sp.Turns
	}
	in.events += max(0, s.Dialogue.Count(dialogue.Other)-listed)
	for _, f := range s.Source.Meta {
		in.filled[f.Name]++
		if in.meta[f.Name] == nil && len(in.meta) < maxValues {
			in.meta[f.Name] = map[string]bool{}
		}
		if values := in.meta[f.Name]; values != nil && len(values) <= maxValues {
			values[f.Value] = true
		}
	}
}

// AddBroken counts a dialogue that could not be read.
func (in *Intake) AddBroken(err error) {
	in.Broken++
	if syntax, ok := errors.AsType[*importer.SyntaxError](err); ok {
		in.openings = console.AddOpenings(in.openings, syntax.Openings)
	}
}

// Write writes the counts as text.
func (in *Intake) Write(w io.Writer) error {
	var p ui.Page
	show := func(name string) string { return ui.Visible(in.Show(name)) }
	p.Line(ui.Plain, show(in.File))
	t := ui.NewTable("", "", fmt.Sprintf("=%d", ui.Columns-13))
	if in.dialogues > 0 {
		t.Add("format", in.format)
	}
	for _, note := range in.Notes {
		t.Add("read as", show(strings.TrimPrefix(note, in.File+": ")))
	}
	for _, role := range []dialogue.Role{dialogue.System, dialogue.User, dialogue.Other} {
		names := ui.ByFrequency(in.speakers[role])
		for i, name := range names {
			names[i] = fmt.Sprintf("%q %s", show(name), ui.Counted(in.speakers[role][name], "turn"))
		}
		if role == dialogue.Other && in.events > 0 {
			names = append(names, ui.Counted(in.events, "turn")+" without a speaker")
		}
		if len(names) > 0 {
			t.Add(role, ui.First(names, maxNames))
		}
	}
	for _, o := range in.openings {
		t.Add("says", fmt.Sprintf("%s: %q", show(o.Speaker), ui.Clip(show(o.Text), firstWords)))
	}
	var columns []string
	names := slices.Sorted(maps.Keys(in.meta))
	for i, name := range names {
		values := ui.Counted(len(in.meta[name]), "value")
		if len(in.meta[name]) > maxValues {
			values = fmt.Sprintf("more than %d values", maxValues)
		}
		if n := in.filled[name]; n < in.dialogues { // in others it is empty or its rows differ
			values += " in " + ui.Counted(n, "dialogue")
		}
		for _, use := range []string{"agent", "queue"} { // see [run.Row.Agent]
			if importer.FindColumn(names, use) == i && !strings.EqualFold(name, use) {
				values += " (" + use + ")"
			}
		}
		columns = append(columns, fmt.Sprintf("%q %s", show(name), values))
	}
	if len(columns) > 0 {
		t.Add("metadata", strings.Join(columns, ", "))
	}
	counts := fmt.Sprintf("%d with %s", in.dialogues, ui.Counted(in.turns, "turn"))
	t.Add("dialogues", counts+ui.Nonzero(in.rated, "rated by people",
		in.oneSided, "with one side only", in.Broken, "unreadable"))
	t.Text(&p)
	return p.Send(w)
}
