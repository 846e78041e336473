package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// Intake is how a file was read.
type Intake struct {
	File   string
	Broken int                 // dialogues that could not be read
	Show   func(string) string // what names pass through before they are printed

	format    dialogue.Format
	dialogues int
	turns     int
	rated     int
	oneSided  int
	speakers  map[speaker]int            // turns
	meta      map[string]map[string]bool // values by name
}

// speaker is who spoke, as far as the intake tells them apart.
type speaker struct {
	name string
	role dialogue.Role
}

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
		in.speakers = make(map[speaker]int)
	}
	for _, sp := range s.Source.Speakers {
		in.speakers[speaker{sp.Name, sp.Role}] += sp.Turns
	}
	in.addMeta(s.Source.Meta)
}

// mostValues is how many names, and how many values of each, are told apart.
const mostValues = 1000

func (in *Intake) addMeta(m dialogue.Meta) {
	for _, f := range m {
		values, ok := in.meta[f.Name]
		if !ok && len(in.meta) < mostValues {
			if in.meta == nil {
				in.meta = make(map[string]map[string]bool)
			}
			values = make(map[string]bool)
			in.meta[f.Name] = values
		}
		if values != nil && len(values) <= mostValues {
			values[f.Value] = true
		}
	}
}

// Write tells what was counted.
func (in *Intake) Write(w io.Writer) error {
	var p Page
	p.Line(Plain, Visible(in.Show(in.File)))
	if in.dialogues > 0 {
		p.WriteString("  format     " + string(in.format) + "\n")
	}
	for _, role := range []dialogue.Role{dialogue.System, dialogue.User, dialogue.Other} {
		if names := in.names(role); names != "" {
			p.Paragraph(Plain, fmt.Sprintf("  %-10s ", role), strings.Repeat(" ", 13), names)
		}
	}
	if columns := in.columns(); columns != "" {
		p.Paragraph(Plain, "  metadata   ", strings.Repeat(" ", 13), columns)
	}
	counts := []string{fmt.Sprintf("%d with %s", in.dialogues, Counted(in.turns, "turn"))}
	for _, c := range []struct {
		n    int
		what string
	}{{in.rated, "rated by people"}, {in.oneSided, "with one side only"}, {in.Broken, "broken"}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	p.Paragraph(Plain, "  dialogues  ", strings.Repeat(" ", 13), strings.Join(counts, ", "))
	return p.Send(w)
}

// mostNames is how many speakers of a role are named.
const mostNames = 8

// names lists the speakers of a role as the source writes them, the most frequent first.
func (in *Intake) names(role dialogue.Role) string {
	var of []dialogue.Speaker
	for sp, turns := range in.speakers {
		if sp.role == role {
			of = append(of, dialogue.Speaker{Name: sp.name, Role: role, Turns: turns})
		}
	}
	slices.SortFunc(of, func(a, b dialogue.Speaker) int {
		return cmp.Or(cmp.Compare(b.Turns, a.Turns), cmp.Compare(a.Name, b.Name))
	})
	var list []string
	for _, sp := range of[:min(len(of), mostNames)] {
		list = append(list, fmt.Sprintf("%q %s", Visible(in.Show(sp.Name)), Counted(sp.Turns, "turn")))
	}
	if rest := len(of) - len(list); rest > 0 {
		list = append(list, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(list, ", ")
}

// columns lists what the source says of dialogues besides their words, by name, each with how many values it has.
func (in *Intake) columns() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(in.meta))[:min(len(in.meta), mostColumns)] {
		values := Counted(len(in.meta[name]), "value")
		if len(in.meta[name]) > mostValues {
			values = fmt.Sprintf("more than %d values", mostValues)
		}
		list = append(list, fmt.Sprintf("%q %s", Visible(in.Show(name)), values))
	}
	if rest := len(in.meta) - len(list); rest > 0 {
		list = append(list, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(list, ", ")
}

// mostColumns is how many columns of metadata are named.
const mostColumns = dialogue.MaxFields
