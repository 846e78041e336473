package evidence

import (
	"slices"

	"assize/heuristics/deeds"
	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// findUnsettled reports the SYSTEM's last failed answer, unless the USER is satisfied later. Talk
// about films has none.
func findUnsettled(s *analysis, det *detector) {
	failed := s.LastFailed
	if failed < 0 {
		return
	}
	b := slices.IndexFunc(s.Blocks, func(b talk.Block) bool {
		return slices.Contains(b.Turns, failed)
	})
	u := s.Uptakes[failed]
	if s.AsksFor(b) || u.How == talk.Resigned || s.IsPleased(u.By.Turn) || s.Films ||
		s.Has(u.By.Turn, s.Lex.Class.StateWithdrawn) {
		return
	}
	for i, t := range s.Spoken(dialogue.User) {
		before := s.Before(i, dialogue.System)
		if i > failed && t.Has.Meets(&det.unless) && (!s.Has(i, s.Lex.Class.WordsCivil) ||
			s.Completes(before) || s.Has(before, s.Lex.Class.SubstanceSteps)) {
			return
		}
	}
	s.report(det, s.Turns[failed].Whole(), u.By.Turn)
}

// findShut reports turns in which the SYSTEM ends the conversation or asks for a rating although
// its last answer failed or the USER has just asked something.
func findShut(s *analysis, det *detector) {
	for b, turns := range s.BlocksOf(dialogue.System) {
		if b == 0 {
			continue
		}
		asks := s.LastTurn(b - 1)
		open := s.Turns[asks].Asks > 0 || s.Turns[asks].Has.Meets(&det.needs) ||
			b > 1 && s.Uptakes[s.FirstTurn(b-2)].How != talk.Held
		for _, i := range turns {
			if open && s.Has(i, det.class) && !s.Completes(i) {
				s.report(det, s.Hit(i, det.class).Passage, asks)
			}
		}
	}
}

// findUptakes returns a function that reports the last turn of each answer that fails in a way.
func findUptakes(how talk.Failure) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, turns := range s.BlocksOf(dialogue.System) {
			i := turns[len(turns)-1]
			if u := s.Uptakes[i]; u.How == how && s.Turns[i].Words > 0 {
				s.report(det, s.Turns[i].Whole(), u.By.Turn)
			}
		}
	}
}

// findTaken reports the SYSTEM's statements that take up what the USER asks or wishes for, with
// @words of its words, and with three or a fifth; and the report in one of them that it is done.
func findTaken(s *analysis, det *detector) {
	for _, r := range s.Requests {
		if r.State == talk.Done && r.Asked < r.Shown.Turn {
			done := s.WordsOf(s.Turns[r.Shown.Turn].Around(r.Shown))
			for _, p := range wishesIn(s, r.Asked) {
				if slices.ContainsFunc(done, func(tok text.Token) bool {
					return tok.IsContent() && text.HasStem(s.WordsOf(p), tok.Stem)
				}) {
					s.report(det, r.Shown, r.Asked)
					break
				}
			}
		}
	}
	for b := range s.BlocksOf(dialogue.System) {
		if b == 0 || s.SaysAgain(b) {
			continue
		}
		for _, j := range s.LastOf(b - 1) {
			for _, p := range wishesIn(s, j) {
				at, shared := s.TakesUp(b, p)
				if shared >= det.words && !s.IsAsked(at) &&
					(p.Last-p.First < 5*shared || shared >= 3) {
					s.report(det, at, j)
					break
				}
			}
		}
	}
}

// maxWishes is how many wishes are read in a turn, which keeps the time linear.
const maxWishes = 8

// wishesIn returns the first sentences of the USER's turn j that ask or wish for something. An
// opening of one sentence may also describe a problem.
func wishesIn(s *analysis, j int) (list []text.Passage) {
	c, whole := &s.Lex.Class, s.Turns[j].Whole()
	for p := range s.Turns[j].Sentences() {
		if len(list) < maxWishes && (p == whole && s.Before(j, dialogue.User) < 0 ||
			s.IsAsked(p) || s.Hit(j, c.WordsFavours).Meets(p) ||
			s.Hit(j, c.WordsSeeks).Meets(p) || s.Hit(j, c.WordsWanted).Meets(p)) {
			list = append(list, p)
		}
	}
	return list
}

// findFinal reports the last state of the USER's last request if it is the one that the detector's
// file names, and if before it the SYSTEM asked for details in @words turns, and nobody said
// anything that @unless lists.
func findFinal(s *analysis, det *detector) {
	r, asked, asks := s.Final(), 0, -1
	if r == nil || len(s.Blocks) < 2 {
		return
	}
	found := r.State == det.final
	if det.final == talk.Partly {
		isAsked := r.State == talk.Unanswered
		open := isAsked || r.State == talk.Failed || r.State == talk.Refused || r.State == talk.Left
		found = open && slices.ContainsFunc(s.Requests, func(o talk.Request) bool {
			return o.State == talk.Done || o.State == talk.Confirmed || isAsked && o.WasMet()
		})
	}
	for i := range s.Turns[:r.Shown.Turn+1] {
		found = found && !s.Turns[i].Has.Meets(&det.unless)
	}
	for b := 0; found && asked < det.words && b < len(s.Blocks); b++ {
		if i := s.LastTurn(b); i < r.Shown.Turn && s.AsksFor(b) && s.AsksDetail(i) {
			asked, asks = asked+1, i
		}
	}
	if !found || asked < det.words || !det.keeps(s, &talk.Hit{Passage: r.Shown}) {
		return
	}
	sig := s.emit(det, r.Shown)
	if asks >= 0 {
		sig.About = s.Turns[asks].N
	} else if det.final == talk.Unsettled {
		sig.About = s.Objected
	} else if s.Turns[r.Shown.Turn].Role == dialogue.System && r.Asked < r.Shown.Turn {
		sig.About = s.Turns[s.Concerns(r)].N
	} else if by := s.Before(r.Shown.Turn, dialogue.System); by >= 0 {
		sig.About = s.Turns[by].N
	}
}

// findEntries returns a function that reports the entries with a state.
func findEntries(state deeds.State) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, e := range s.Entries {
			if e.State == state {
				s.emit(det, e.Passage).About = e.Proof
			}
		}
	}
}

// findUndone reports a call that failed at the end of a dialogue, after which the SYSTEM says
// nothing.
func findUndone(s *analysis, det *detector) {
	if by, result := s.Undone(); result > 0 && s.Turns[by].Words > 0 {
		s.emit(det, s.Turns[by].Whole()).About = result
	}
}

// findStatements returns a function that reports the SYSTEM's grounded statements, or those that
// are neither grounded nor follow from known values.
func findStatements(isGrounded bool) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, x := range s.Statements {
			state := s.StateOf(x.Passage)
			isEntered := state == deeds.DoneOtherwise || isGrounded && state != deeds.Proven
			if x.IsGrounded == isGrounded && !isEntered {
				s.emit(det, x.Passage)
			}
		}
	}
}
