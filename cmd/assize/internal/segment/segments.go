package segment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// MostGroups is how many groups there may be. A column with more values, such as an id or a time, makes no groups that
// anybody could read.
const MostGroups = 1000

// mostColumns is how many columns are remembered for the error that names them.
const mostColumns = 100

// Segments gathers the records of a run by the value of one column.
type Segments struct {
	by      string
	groups  map[key]*members
	columns map[string]bool
	found   bool // a dialogue has the column
	over    bool // there are more groups than there may be
}

// key tells groups apart. The group of the dialogues without the column is not that of a value.
type key struct {
	value string
	none  bool
}

// members are the dialogues of a group.
type members struct {
	scored   []scored
	unscored int
	below    int
}

// scored is what is kept of a dialogue, in hundredths: 20.00 to 100.00 and 1.00 to 5.00.
type scored struct{ average, satisfaction uint16 }

// New gathers by the column called by, in any case.
func New(by string) *Segments {
	return &Segments{by: by, groups: map[key]*members{}, columns: map[string]bool{}}
}

// Add puts a dialogue into its group.
func (s *Segments) Add(r *record.Record) {
	value, ok := s.value(r)
	s.found = s.found || ok
	s.see(r.Source.Meta)
	if s.over {
		return
	}
	k := key{value, !ok}
	g := s.groups[k]
	if g == nil {
		if s.over = len(s.groups) == MostGroups; s.over {
			s.groups = nil
			return
		}
		g = &members{}
		s.groups[k] = g
	}
	if !r.Scored() {
		g.unscored++
		return
	}
	g.scored = append(g.scored, scored{uint16(r.Evaluation.Average), uint16(r.Satisfaction)})
	if r.Evaluation.Overall < Low {
		g.below++
	}
}

// value gives the value of the column. File stands for the file of the dialogue where that has no column of this name.
func (s *Segments) value(r *record.Record) (string, bool) {
	if value, ok := r.Source.Meta.Value(s.by); ok || s.by != File {
		return value, ok
	}
	return r.Source.File, true
}

// File is what tells the dialogues of different files apart.
const File = "file"

// Low is the OverallExperience below which a dialogue counts as a bad one.
const Low rubric.Score = 60

// see remembers what columns there are, as long as none is the one that is wanted.
func (s *Segments) see(m dialogue.Meta) {
	for _, f := range m {
		if !s.found && len(s.columns) < mostColumns {
			s.columns[f.Name] = true
		}
	}
}

// Table gives the figures of every group, in the order of [Table]. The error tells that there are too many groups, or
// that no dialogue has the column.
func (s *Segments) Table() (*Table, error) {
	t := &Table{By: s.by}
	switch {
	case s.over:
		return nil, fmt.Errorf("--by %s: more than %d groups; want a column with fewer values", s.by, MostGroups)
	case !s.found && len(s.groups) > 0:
		return nil, fmt.Errorf("--by %s: no dialogue has this column; %s", s.by, s.others())
	}
	for k, g := range s.groups {
		t.Groups = append(t.Groups, g.figures(k))
	}
	slices.SortFunc(t.Groups, Group.compare)
	return t, nil
}

// others says which columns there are.
func (s *Segments) others() string {
	const most = 10
	names := slices.Sorted(maps.Keys(s.columns))
	switch n := len(names); {
	case n == 0:
		return "their source has none besides what was said"
	case n > most:
		return fmt.Sprintf("want one of %s and %d more", strings.Join(names[:most], ", "), n-most)
	}
	return "want one of " + strings.Join(names, ", ")
}
