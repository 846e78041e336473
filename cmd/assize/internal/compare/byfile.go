package compare

import (
	"path"
	"strings"
)

// byFile compares file with file. Of pairs, A says which file a dialogue belongs to; of two different sets, those files
// are compared that both runs have.
func (c *Comparison) byFile() {
	name := nameFiles(c.A, c.B)
	g := groups{paired: c.Paired, at: map[string]*sides{}}
	c.each(func(file string, a, b *row) { g.of(name(file)).add(a, b) })
	var both []*sides
	for _, s := range g.order {
		if len(s.a) > 0 && len(s.b) > 0 {
			both = append(both, s)
			c.Files = append(c.Files, s.part())
		}
	}
	c.OverFile = intervals(both, c.Files, c.Options.Draws, c.Options.Seed)
}

// groups are sides by file, in the order in which the files come.
type groups struct {
	paired bool
	at     map[string]*sides
	order  []*sides
}

func (g *groups) of(file string) *sides {
	s, ok := g.at[file]
	if !ok {
		s = &sides{file: file, paired: g.paired}
		g.at[file], g.order = s, append(g.order, s)
	}
	return s
}

// nameFiles says under which name a file of one run meets that of the other: without its folder, so that v1/calls.txt
// and v2/calls.txt are compared, unless a run has two files that then have the same name.
func nameFiles(runs ...*Run) func(file string) string {
	for _, r := range runs {
		whole := map[string]string{}
		for i := range r.Cases {
			file := r.Cases[i].File
			if other, ok := whole[base(file)]; ok && other != file {
				return func(file string) string { return file }
			}
			whole[base(file)] = file
		}
	}
	return base
}

// base is the name of a file without its folder, on whichever system the run was made.
func base(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }
