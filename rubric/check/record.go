package check

import (
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// record is what a line of a run holds beyond the document: the turns, and what agents and detectors cited.
type record struct {
	root     *node
	dialogue dialogue.Dialogue // a turn that the run did not keep is empty and nobody's
	partial  bool              // the run kept only the turns that are cited
}

// mostTurns bounds what a damaged line can make of itself.
const mostTurns = 1 << 20

// readRecord recognises a line of a run; nil where root is a document and no more.
func readRecord(root *node) *record {
	source := root.get("source")
	if !source.is(object) || !root.get("status").is(text) || !root.get("turns").is(array) {
		return nil
	}
	r := &record{root: root}
	r.dialogue.ID, _ = root.get("dialogue_id").integer()
	turns := root.get("turns").list()
	n, _ := source.get("turns").integer()
	n = max(min(n, mostTurns), len(turns))
	r.partial = n > len(turns)
	r.dialogue.Turns = make([]dialogue.Turn, n)
	for i := range r.dialogue.Turns {
		r.dialogue.Turns[i].Role = dialogue.Other
	}
	for i, t := range turns {
		if at, ok := t.get("turn").integer(); ok {
			i = at - 1
		}
		if i < 0 || i >= n {
			continue
		}
		words, _ := t.get("text").words()
		r.dialogue.Turns[i] = dialogue.Turn{Role: role(t.get("role")), Text: words}
	}
	return r
}

func role(n *node) dialogue.Role {
	name, _ := n.words()
	for _, r := range []dialogue.Role{dialogue.System, dialogue.User} {
		if name == r.String() {
			return r
		}
	}
	return dialogue.Other
}

// adds reports whether a run puts a key beside those of the document.
func (r *record) adds(key string) bool {
	return r != nil && key != "dialogue_id" && !slices.Contains(debateKeys[:], key)
}

// signals gives what the detectors saw; ok is false where the record does not hold it.
func (r *record) signals() (signals []rubric.Signal, ok bool) {
	list := r.root.get("signals")
	for _, n := range list.list() {
		var s rubric.Signal
		s.ID, _ = n.get("id").words()
		s.Turn, _ = n.get("turn").integer()
		s.Points, _ = rubric.ParseHundredths(scalar(n.get("points")))
		for _, name := range n.get("criteria").list() {
			if c, err := rubric.ParseCriterion(scalar(name)); err == nil {
				s.Criteria |= rubric.SetOf(c)
			}
		}
		signals = append(signals, s)
	}
	return signals, list.is(array)
}

// evidence gives what an agent cited for each criterion, by the panel of the record.
func (r *record) evidence(agent string) (entries [rubric.NumCriteria]*node, ok bool) {
	list := r.root.get("panel").get(agent)
	for _, n := range list.list() {
		if c, err := rubric.ParseCriterion(scalar(n.get("criterion"))); err == nil {
			entries[c] = n
		}
	}
	return entries, list.is(array)
}

// citations gives the quotes of an entry of the panel.
func citations(entry *node) (quotes []rubric.Quote) {
	turns := entry.get("turns").list()
	for i, n := range entry.get("quotes").list() {
		q := rubric.Quote{Text: scalar(n)}
		if i < len(turns) {
			q.Turn, _ = turns[i].integer()
		}
		quotes = append(quotes, q)
	}
	return quotes
}
