package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

// Intake says how a file was read.
type Intake struct {
	File   string
	Broken int                 // dialogues that could not be read
	Show   func(string) string // masks names before they are printed

	format                            dialogue.Format
	dialogues, turns, rated, oneSided int
	speakers                          map[dialogue.Speaker]int   // turns, by name and role
	meta                              map[string]map[string]bool // values, by column
}

const (
	mostValues = 1000 // columns that are told apart, and values of each
	mostNames  = 8    // speakers of a role that are shown
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
		in.speakers, in.meta = map[dialogue.Speaker]int{}, map[string]map[string]bool{}
	}
	for _, sp := range s.Source.Speakers {
		in.speakers[dialogue.Speaker{Name: sp.Name, Role: sp.Role}] += sp.Turns
	}
	for _, f := range s.Source.Meta {
		if in.meta[f.Name] == nil && len(in.meta) < mostValues {
			in.meta[f.Name] = map[string]bool{}
		}
		if values := in.meta[f.Name]; values != nil && len(values) <= mostValues {
			values[f.Value] = true
		}
	}
}

// Write says what was counted.
func (in *Intake) Write(w io.Writer) error {
	var p ui.Page
	line := func(what string, parts []string, most int) {
		if rest := len(parts) - most; rest > 0 {
			parts = append(parts[:most], fmt.Sprintf("and %d more", rest))
		}
		if len(parts) > 0 {
			p.Paragraph(ui.Plain, fmt.Sprintf("  %-10s ", what), strings.Repeat(" ", 13), strings.Join(parts, ", "))
		}
	}
	show := func(name, counted string) string { return fmt.Sprintf("%q %s", ui.Visible(in.Show(name)), counted) }

	p.Line(ui.Plain, ui.Visible(in.Show(in.File)))
	if in.dialogues > 0 {
		line("format", []string{string(in.format)}, 1)
	}
	speakers := slices.SortedFunc(maps.Keys(in.speakers), func(a, b dialogue.Speaker) int { // the most frequent first
		return cmp.Or(cmp.Compare(in.speakers[b], in.speakers[a]), cmp.Compare(a.Name, b.Name))
	})
	for _, role := range []dialogue.Role{dialogue.System, dialogue.User, dialogue.Other} {
		var names []string
		for _, sp := range speakers {
			if sp.Role == role {
				names = append(names, show(sp.Name, ui.Counted(in.speakers[sp], "turn")))
			}
		}
		line(role.String(), names, mostNames)
	}
	var columns []string
	for _, name := range slices.Sorted(maps.Keys(in.meta)) {
		values := ui.Counted(len(in.meta[name]), "value")
		if len(in.meta[name]) > mostValues {
			values = fmt.Sprintf("more than %d values", mostValues)
		}
		columns = append(columns, show(name, values))
	}
	line("metadata", columns, dialogue.MaxFields)
	counts := []string{fmt.Sprintf("%d with %s", in.dialogues, ui.Counted(in.turns, "turn"))}
	for _, c := range []struct {
		n    int
		what string
	}{{in.rated, "rated by people"}, {in.oneSided, "with one side only"}, {in.Broken, "unreadable"}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	line("dialogues", counts, len(counts))
	return p.Send(w)
}
