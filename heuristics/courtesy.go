package heuristics

import (
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The courtesy family detects how the SYSTEM treats the USER.

// findToUpset returns a function that reports the SYSTEM's answers to an upset USER that have one
// of the detector's phrases, or those that have none. The USER's turn has a phrase of the lists in
// @needs, and the whole answer none of those in @unless. Talk about films and a USER who confides
// feelings are no service.
func findToUpset(has bool) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for b, answer := range s.blocksOf(dialogue.System) {
			if b == 0 || s.confides || len(s.of[s.lex.class.WordsFilms]) > 0 {
				continue
			}
			about := -1
			for _, i := range s.lastOf(b - 1) {
				if s.turns[i].has.meets(&det.needs) {
					about = i
				}
			}
			enough := func(i int) bool { return s.turns[i].has.meets(&det.unless) }
			if about < 0 || slices.ContainsFunc(answer, enough) {
				continue
			}
			said := slices.IndexFunc(answer, func(i int) bool { return s.has(i, det.class) })
			switch {
			case has && said >= 0:
				s.emitHit(det, s.hit(answer[said], det.class)).About = s.turns[about].n
			case !has && said < 0 && s.kind == Service:
				s.emitTurn(det, answer[0], about)
			}
		}
	}
}

// farthest is the maximum number of sentences to look back for the same one.
const farthest = 32

// findMechanical reports a formula of the detector if the SYSTEM has said the same sentence before
// and the USER, who has answered since, did not thank for it.
func findMechanical(s *analysis, det *detector) {
	var said []passage
	for h := range s.hitsOf(det.class) {
		i, t := int(h.turn), &s.turns[h.turn]
		p := passage{i, t.sentenceStart(int(h.first)), t.sentenceEnd(int(h.last))}
		by := s.before(i, dialogue.User)
		k := slices.IndexFunc(said, func(old passage) bool {
			return slices.EqualFunc(s.wordsOf(old), s.wordsOf(p),
				func(a, b token) bool { return a.stem == b.stem })
		})
		if k >= 0 && p.last-p.first >= det.words && said[k].turn < by &&
			!s.turns[by].has.meets(&det.unlessBefore) {
			s.report(det, p, said[k].turn)
		}
		if said = append(said, p); len(said) > farthest {
			said = said[1:]
		}
	}
}

// findFormula reports each kind of stock courtesy in the SYSTEM's turns of a service case, except
// replies to the USER's thanks: phrases of the detector's @needs, and exclamation marks.
func findFormula(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		before := s.before(i, dialogue.User)
		if s.kind != Service || before >= 0 && s.has(before, s.lex.class.ReactionThanks) {
			continue
		}
		kinds := min(t.exclaims, 1) // 1 for any number of exclamation marks
		for k := t.hits.start; k < t.hits.end; k++ {
			if h := &s.hits[k]; det.needs.has(h.class) && !h.negated {
				kinds++
			}
		}
		if kinds > 0 {
			s.emit(det, i, 0, t.words-1).Points *= rubric.Hundredths(kinds)
		}
	}
}

// maxCare is the maximum number of a detector's signs that count in one turn, if they are added up.
const maxCare = 4

// findCare reports the phrases with which the SYSTEM answers a USER who confides feelings, if
// together they are worth at least the detector's points. The Evaluator counts only the first
// signal of each detector, because a phrase in every turn is a habit.
func findCare(s *analysis, det *detector) {
	for h := range s.hitsOf(det.class) {
		points, isAnswer := rubric.Hundredths(h.points), s.before(int(h.turn), dialogue.User) >= 0
		if s.confides && isAnswer && points >= det.Points {
			s.emitHit(det, h).Points = min(points, maxCare*det.Points)
		}
	}
}

// The conduct family reports what no service may do, however good the rest is: show contempt, ask
// for secrets, disclose other customers' data, or give unsafe advice. Each detector caps the
// criteria that it is evidence for, as rubric/default.yaml says.

// findUnsafe reports advice that plays down a danger that the USER has mentioned.
func findUnsafe(s *analysis, det *detector) {
	danger := -1
	for i := range s.turns {
		t := &s.turns[i]
		switch {
		case t.role == dialogue.User && t.has.meets(&det.needs):
			danger = i
		case t.role == dialogue.System && danger >= 0 && t.has.has(det.class) &&
			!t.has.meets(&det.unless):
			s.emitHit(det, s.hit(i, det.class)).About = s.turns[danger].n
		}
	}
}
