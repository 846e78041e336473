package replay

import (
	"fmt"
	"iter"
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// gather looks for values that contradict others. Where there is but one difference, it is what contradicts the rest,
// unless it is a sentence: that may be right, and the quotes in the panel wrong.
func (s *suspect) gather() {
	if s.record.Scored() {
		s.quoted()
	}
	if len(s.wrong) < 2 {
		return
	}
	s.status()
	s.digest()
	if s.record.Scored() {
		s.ratings()
		s.objections()
	}
}

// quoted suspects the quotes in the panel of which a sentence is wrong.
func (s *suspect) quoted() {
	for i, k := range rubric.Criteria() {
		if s.differs("/evaluator/" + k.String() + "/justification") {
			s.quotes("evaluator", i, s.tree.at("evaluator", k, "justification"))
		}
	}
	for n, k := range s.objected() {
		if s.differs(fmt.Sprintf("/critic/%d/comment", k)) {
			s.quotes("critic", n, s.tree.at("critic", int(k), "comment"))
		}
	}
}

func (s *suspect) differs(pointer string) bool {
	return slices.ContainsFunc(s.wrong, func(d Difference) bool { return d.Pointer == pointer })
}

// objected yields the number of each of the panel's objections, and its criterion.
func (s *suspect) objected() iter.Seq2[int, rubric.Criterion] {
	return func(yield func(int, rubric.Criterion) bool) {
		for n, m := range s.tree.at("panel", "critic").all() {
			if k, err := rubric.ParseCriterion(text(m.node.at("criterion"))); err == nil && !yield(n, k) {
				return
			}
		}
	}
}

// ratings suspects what the Evaluator gave, and what the Critic said that became final.
func (s *suspect) ratings() {
	for i, k := range rubric.Criteria() {
		ruling := s.tree.at("panel", "rulings", i)
		s.doubled(fmt.Sprintf("/evaluator/%s/score", k), s.tree.at("evaluator", k, "score"), ruling.at("before"))
		final := s.tree.at("referee_final", k, "justification")
		if ruling.at("before").is(ruling.at("after")) {
			s.doubled(fmt.Sprintf("/evaluator/%s/justification", k), s.tree.at("evaluator", k, "justification"), final)
		} else {
			s.doubled(fmt.Sprintf("/critic/%d/comment", i), s.tree.at("critic", i, "comment"), final)
		}
	}
}

// status suspects that the status was changed.
func (s *suspect) status() {
	is, was := "unscored", "scored"
	if s.record.Scored() {
		is, was = was, is
	}
	s.suspect(suspicion{
		pointer: "/status", node: s.tree.at("status"), was: jsonString(was), guess: true,
		says: fmt.Sprintf("is %s; all else in the record says %s", is, was),
	})
}

// The size of a dialogue in which the speaker of every turn is tried.
const (
	mostTurns = 200
	mostBytes = 1 << 18
)

// digest suspects, where the turns have another digest than is recorded, a change of a speaker, or of the digest.
func (s *suspect) digest() {
	n, d := s.tree.at("source", "digest"), s.record.Dialogue
	if s.record.CitedOnly || n == nil || n.text == s.record.Source.Digest {
		return
	}
	s.suspect(suspicion{
		pointer: "/source/digest", node: n, was: jsonString(s.record.Source.Digest),
		says: fmt.Sprintf("is %s; the turns have %.12s…", brief(n), s.record.Source.Digest),
	})
	if len(d.Turns) > mostTurns || len(s.line) > mostBytes {
		return
	}
	d.Turns = slices.Clone(d.Turns)
	for i, t := range d.Turns {
		for _, r := range []dialogue.Role{dialogue.System, dialogue.User, dialogue.Other} {
			if d.Turns[i].Role = r; r != t.Role && d.Digest() == n.text {
				s.suspect(suspicion{
					pointer: fmt.Sprintf("/turns/%d/role", i), node: s.tree.at("turns", i, "role"), was: jsonString(r.String()), guess: true,
					says: fmt.Sprintf("is %s; with %s the turns have the digest that is recorded", t.Role, r),
				})
			}
		}
		d.Turns[i].Role = t.Role
	}
}

// objections suspects what the panel has of the Critic besides quotes.
func (s *suspect) objections() {
	for n, k := range s.objected() {
		at, entry := fmt.Sprintf("/panel/critic/%d", n), s.tree.at("panel", "critic", n)
		if suggested := s.tree.at("critic", int(k), "suggested_score"); suggested != nil && suggested.kind() != 'n' {
			s.doubled(at+"/suggested", entry.at("suggested"), suggested)
		}
		s.kind(at+"/kind", entry.at("kind"))
	}
}

// kind suspects that the kind of an objection was changed, where rulings came out otherwise.
func (s *suspect) kind(at string, n *node) {
	if n == nil || !slices.ContainsFunc(s.wrong, func(d Difference) bool { return placeOf(d.Pointer).stage == ofRuling }) {
		return
	}
	other := rubric.MissingEvidence
	if text(n) == other.String() {
		other = rubric.Contradicts
	}
	s.suspect(suspicion{
		pointer: at, node: n, was: jsonString(other.String()), guess: true,
		says: fmt.Sprintf("is %s; all else in the record says %s", text(n), other),
	})
}

// jsonString gives a string as JSON.
func jsonString(s string) []byte { return rubric.AppendString(nil, []byte(s)) }

// text gives what a string says; nothing where there is none.
func text(n *node) string {
	if n == nil {
		return ""
	}
	return n.text
}
