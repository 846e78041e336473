package replay

import (
	"cmp"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/record"
)

// explain lists what is wrong with a record, the causes first.
//
// A record says many things more than once: a score stands in the Evaluator's card and in the ruling, a quote in the
// panel and in the justification. Where two of them contradict each other, one is what somebody has changed, and it
// may be one from which everything else was worked out. Each such suspicion is put to the test: the record is worked
// out again with the value as it was, and nothing must be left to say.
func explain(basis record.Basis, m *record.Mismatch) []Difference {
	list, tree := differ(m.Recorded, m.Recomputed, giving)
	if tree == nil {
		return list
	}
	s := suspect{line: m.Recorded, tree: tree, record: m.Record, wrong: list}
	for i := range list {
		list[i].ending()
	}
	s.gather()
	if causes := s.confirmed(basis); causes != nil {
		var follow []Difference
		for _, d := range list {
			if d.Follows = true; !slices.ContainsFunc(causes, func(c Difference) bool { return c.Pointer == d.Pointer }) {
				follow = append(follow, d)
			}
		}
		return append(causes, follow...)
	}
	return ranked(append(s.unsaid(), list...))
}

// ranked marks what may go back to something else, and puts it last.
func ranked(list []Difference) []Difference {
	stages := make([]stage, len(list))
	for i := range list {
		stages[i] = placeOf(list[i].Pointer).stage
	}
	var causes, follow []Difference
	for i, d := range list {
		from := stages[i].from()
		for j := range list {
			d.Follows = d.Follows || from&stages[j] != 0 && list[j].leads(&d)
		}
		if d.Follows {
			follow = append(follow, d)
		} else {
			causes = append(causes, d)
		}
	}
	return append(causes, follow...)
}

// suspicion is that a value was changed from which others follow.
type suspicion struct {
	pointer string
	node    *node  // as it is recorded
	was     []byte // as it was before: JSON
	says    string // the rest of a sentence that begins with the pointer
	guess   bool   // nothing contradicts the value, but another might be right
}

// suspect is a record that does not follow from its evidence.
type suspect struct {
	line   []byte
	tree   *node
	record *record.Record // as it comes out of the evidence as it stands
	wrong  []Difference
	list   []suspicion
}

// mostSuspicions is how many of one record are put to the test.
const mostSuspicions = 100

// suspect adds a suspicion, unless the value is what it is said to have been.
func (s *suspect) suspect(c suspicion) {
	if c.node != nil && len(s.list) < mostSuspicions && string(c.node.raw) != string(c.was) {
		s.list = append(s.list, c)
	}
}

// doubled adds the suspicion that a value was what its double still is.
func (s *suspect) doubled(pointer string, n, double *node) {
	if n != nil && double != nil {
		is, was := shown(n, double)
		s.suspect(suspicion{pointer: pointer, node: n, was: double.raw, says: fmt.Sprintf("is %s; all else in the record says %s", is, was)})
	}
}

// confirmed gives the causes, if there are suspicions with which everything follows: one or, where several values
// were changed, all.
func (s *suspect) confirmed(basis record.Basis) []Difference {
	for i := range s.list {
		if one := s.list[i : i+1]; s.clears(basis, one) {
			return differences(one)
		}
	}
	all := slices.DeleteFunc(slices.Clone(s.list), func(c suspicion) bool { return c.guess })
	slices.SortStableFunc(all, func(a, b suspicion) int { return cmp.Compare(a.node.start, b.node.start) })
	if len(all) > 1 && s.clears(basis, all) {
		return differences(all)
	}
	return nil
}

func differences(list []suspicion) []Difference {
	var causes []Difference
	for _, c := range list {
		causes = append(causes, Difference{Pointer: c.pointer, Recorded: string(c.node.raw), Recomputed: string(c.was), Says: c.says})
	}
	return causes
}

// clears reports whether everything follows once what is suspected is put right. The list is in the order of the text.
func (s *suspect) clears(basis record.Basis, list []suspicion) bool {
	var line []byte
	done := 0
	for _, c := range list {
		line = append(append(line, s.line[done:c.node.start]...), c.was...)
		done = c.node.start + len(c.node.raw)
	}
	_, err := basis.Decode(append(line, s.line[done:]...))
	return err == nil
}
