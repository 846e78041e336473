package heuristics

import (
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The outcome family detects what the SYSTEM says about the task: done, failed, refused or closed.

// findUnrecovered reports the last failure or denial, unless something is completed in the same
// turn or later.
func findUnrecovered(s *analysis, det *detector) {
	c := &s.lex.class
	for k := len(s.hits) - 1; k >= 0; k-- {
		h := &s.hits[k]
		switch i := int(h.turn); {
		case h.class == c.OutcomeCompleted && s.completes(i):
			return
		case (h.class == c.OutcomeFailed || h.class == c.OutcomeDenied) && s.isRefusal(h):
			if !s.completes(i) {
				s.emitHit(det, h)
			}
			return
		}
	}
}

// lastWords is the number of final USER turns without complaint that a commitment requires.
const lastWords = 2

// findCommits reports the SYSTEM's last commitment, if no answer failed and the USER does not
// object in the last turns. A commitment is a value in a statement that does not deny anything, or
// a report that something is done.
func findCommits(s *analysis, det *detector) {
	if s.lastFailed >= 0 {
		return
	}
	seen := 0
	for i := len(s.turns) - 1; i >= 0 && seen <= lastWords; i-- {
		if t := &s.turns[i]; t.words > 0 && t.role == dialogue.User {
			ends := s.before(len(s.turns)-1, dialogue.System) < i &&
				s.turns[len(s.turns)-1].role == dialogue.User
			if t.has.meets(&det.unless) && !s.benign(i) || ends && t.asks > 0 && seen == 0 {
				return
			}
			seen++
		}
	}
	for i := len(s.turns) - 1; i >= 0; i-- {
		if t := &s.turns[i]; t.role == dialogue.System && t.words > 0 {
			if s.uptakes[i].how == held && s.commits(i) {
				s.emit(det, i, 0, t.words-1)
				return
			}
			if !t.has.has(s.lex.class.OutcomeCloses) && !t.has.has(s.lex.class.OutcomeAsksMore) {
				return
			}
		}
	}
}

// findUnsettled reports the SYSTEM's last failed answer, unless the USER is satisfied later. Talk
// about films has none.
func findUnsettled(s *analysis, det *detector) {
	failed := s.lastFailed
	if failed < 0 {
		return
	}
	b := slices.IndexFunc(s.blocks, func(b block) bool { return slices.Contains(b.turns, failed) })
	u := s.uptakes[failed]
	if s.asksFor(b) || u.how == resigned || s.isPleased(int(u.by)) || s.films ||
		s.has(int(u.by), s.lex.class.StateWithdrawn) {
		return
	}
	for i, t := range s.spoken(dialogue.User) {
		before := s.before(i, dialogue.System)
		if i > failed && t.has.meets(&det.unless) && (!s.has(i, s.lex.class.WordsCivil) ||
			s.completes(before) || s.has(before, s.lex.class.SubstanceSteps)) {
			return
		}
	}
	s.emitTurn(det, failed, int(u.by))
}

// findShut reports turns in which the SYSTEM ends the conversation or asks for a rating although
// its last answer failed or the USER has just asked something.
func findShut(s *analysis, det *detector) {
	for b := 1; b < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.System {
			continue
		}
		asks := s.blocks[b-1].turns[len(s.blocks[b-1].turns)-1]
		open := s.turns[asks].asks > 0 || s.turns[asks].has.meets(&det.needs) ||
			b > 1 && s.uptakes[s.blocks[b-2].turns[0]].how != held
		for _, i := range s.blocks[b].turns {
			if open && s.has(i, det.class) && !s.completes(i) {
				s.emitHit(det, s.hit(i, det.class)).About = s.turns[asks].n
			}
		}
	}
}

// findUptakes returns a function that reports the last turn of each answer that fails in a way.
func findUptakes(how failure) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, turns := range s.blocksOf(dialogue.System) {
			i := turns[len(turns)-1]
			if u := s.uptakes[i]; u.how == how && s.turns[i].words > 0 {
				s.emitTurn(det, i, int(u.by))
			}
		}
	}
}

// findTaken reports the SYSTEM's answers that share a word with the request and after which the
// USER moves on without a negative reaction. A detector with @words reports those that share at
// least that many, however the USER reacts, and the report that a request is done.
func findTaken(s *analysis, det *detector) {
	shown := make([]rubric.Hundredths, len(s.turns)+1) // by turn
	for _, sig := range s.signals {
		if strings.HasPrefix(sig.ID, ReactionFamily) {
			shown[sig.Turn] += sig.Points
		}
	}
	for _, r := range s.requests {
		if det.words > 0 && r.state == done && r.asked < r.shown.turn {
			s.report(det, r.shown, r.asked)
		}
	}
	for b := range s.blocksOf(dialogue.System) {
		objects := func(i int) bool {
			return s.turns[i].has.meets(&det.unless) ||
				shown[s.turns[i].n] < 0 || s.objectsTo(b, i)
		}
		if b == 0 || det.words == 0 && (b+1 == len(s.blocks) ||
			s.uptakes[s.firstTurn(b)].how != held ||
			slices.ContainsFunc(s.blocks[b+1].turns, objects)) {
			continue
		}
		for _, j := range s.lastOf(b - 1) {
			if i, k, shared := s.takesUp(b, j); shared > 0 && shared >= det.words {
				s.emit(det, i, k, k).About = s.turns[j].n
				break
			}
		}
	}
}

// asksDetail reports whether turn i asks for a detail, and not only for a yes: it requests one, or
// its last sentence has a question word.
func asksDetail(s *analysis, i int) bool {
	t := &s.turns[i]
	return s.has(i, s.lex.class.DetailsRequests) ||
		slices.ContainsFunc(t.tokens[t.sentenceStart(t.words-1):], func(tok token) bool {
			return s.lex.valueOf(tok).kind == wordAsks
		})
}

// findFinal reports the last state of the USER's last request if it is the one that the detector's
// file names, and if the SYSTEM asked for details in @words turns before it.
func findFinal(s *analysis, det *detector) {
	n := len(s.requests)
	if n == 0 || len(s.blocks) < 2 {
		return
	}
	r, asked := &s.requests[n-1], 0
	found := r.state == det.final
	if det.final == partly {
		found = (r.state == failed || r.state == refused || r.state == left) &&
			slices.ContainsFunc(s.requests[:n-1], func(o request) bool {
				return o.state == done || o.state == confirmed
			})
	}
	for b := 0; found && asked < det.words && b < len(s.blocks); b++ {
		if s.firstTurn(b) < r.shown.turn && s.asksFor(b) && asksDetail(s, s.lastTurn(b)) {
			asked++
		}
	}
	if !found || asked < det.words {
		return
	}
	sig := s.emit(det, r.shown.turn, r.shown.first, r.shown.last)
	if det.final == unsettled {
		sig.About = s.objected
	} else if s.turns[r.shown.turn].role == dialogue.System && r.asked < r.shown.turn {
		sig.About = s.turns[r.asked].n
	} else if by := s.before(r.shown.turn, dialogue.System); by >= 0 {
		sig.About = s.turns[by].n
	}
}

// findTakes reports each turn of the USER that takes up what the SYSTEM has just recommended.
func findTakes(s *analysis, det *detector) {
	c := &s.lex.class
	seeks := len(s.of[c.WordsSeeks])+len(s.of[c.WordsWanted]) > 0
	for h := range s.hitsOf(c.RequestTakes) {
		i := int(h.turn)
		b := s.before(i, dialogue.System)
		if s.films && seeks && !h.negated && b >= 0 && s.has(b, s.lex.class.RequestRecommends) &&
			!s.isInquiry(i, int(h.last)) && !s.has(i, s.lex.class.WordsSarcasm) {
			s.emitHit(det, h).About = s.turns[b].n
		}
	}
}
