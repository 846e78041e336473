package report

import (
	"cmp"
	"fmt"
	"io"
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
	speakers  map[speaker]int // turns
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
