package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// The outcome family reads what the SYSTEM says of the task: done, failed, refused, closed.
var outcomes = []Detector{
	{
		ID: "outcome-failed", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness),
		Title: "the SYSTEM reports that it could not do or find what was asked for",
		Why:   "A failure that is told honestly is still one. It may be no fault of the SYSTEM's, and the need is unmet all the same.",
		Hit:   "USER: Is there a room on Friday?\nSYSTEM: Unfortunately, I was unable to find one.",
		Miss:  "USER: Is there a room on Friday?\nSYSTEM: There is no fee if you cannot come.",
		find:  findRefusal,
	},
	{
		ID: "outcome-denied", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness),
		Title: "the SYSTEM answers no",
		Why:   "The reply begins with no or with regret, or says that something is not offered. A no can be the right answer; people rate it down nevertheless.",
		Hit:   "USER: Do they have parking?\nSYSTEM: No, they do not have parking.",
		Miss:  "USER: Do they have parking?\nSYSTEM: No problem, they do.",
		find:  findRefusal,
	},
	{
		ID: "outcome-completed", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness),
		Title: "the SYSTEM reports that it is done",
		Why:   "Booked, sent, refunded, a reference number: what was asked for has happened, by the SYSTEM's own word. It is no proof; the USER's reaction says more.",
		Hit:   "USER: Please book it.\nSYSTEM: I have booked it for you.",
		Miss:  "USER: Please book it.\nSYSTEM: Has it been booked by somebody else?",
		find:  findCompleted,
	},
	{
		ID: "outcome-closes", Criteria: rubric.SetOf(rubric.TaskSuccess),
		Title: "the SYSTEM ends the conversation in good order",
		Why:   "A farewell comes when both sides are through. A conversation that breaks off has none.",
		Hit:   "USER: Thanks.\nSYSTEM: You're welcome, have a nice day.",
		Miss:  "SYSTEM: Thank you for calling, how can I help?\nUSER: My card is lost.",
		find:  findCloses,
	},
	{
		ID: "outcome-unrecovered", Criteria: rubric.SetOf(rubric.TaskSuccess),
		Title: "the SYSTEM's last word on the task is that it failed",
		Why:   "What could not be done, or was refused, after everything that was done. A failure that a later success makes good does not count here.",
		Hit:   "USER: A table for two.\nSYSTEM: I have booked it.\nUSER: And a taxi?\nSYSTEM: Sorry, there are no taxis.",
		Miss:  "USER: A taxi, please.\nSYSTEM: Sorry, there are no taxis at six.\nUSER: At seven?\nSYSTEM: I have booked it.",
		Once:  true,
		find:  findUnrecovered,
	},
}

// findCompleted leaves out what the SYSTEM asks.
func findCompleted(s *scene, det *detectorAt) {
	s.eachHit(det, s.reported)
}

// reported reports whether a hit stands in a sentence that is no question.
func (s *scene) reported(h *hit) bool {
	t := &s.turns[h.turn]
	return !t.asked(t.sentenceEnd(int(h.last)))
}

// completes reports whether the SYSTEM's turn i reports that something is done.
func (s *scene) completes(i int) bool {
	h := s.hit(i, s.lex.class("outcome-completed"))
	return h != nil && !h.negated && s.reported(h)
}

// findCloses leaves out how the SYSTEM opens: nothing is closed before the USER has spoken, or with an offer of help.
func findCloses(s *scene, det *detectorAt) {
	greeting := s.lex.class("words-greeting")
	s.eachHit(det, func(h *hit) bool {
		return s.before(int(h.turn), dialogue.User) >= 0 && !s.has(int(h.turn), greeting)
	})
}

// findRefusal reports the lexicon's phrases, save those inside a no that refuses nothing.
func findRefusal(s *scene, det *detectorAt) {
	s.eachHit(det, s.refuses)
}

func (s *scene) refuses(h *hit) bool {
	idle := s.hit(int(h.turn), s.lex.class("words-idle-no"))
	return idle == nil || h.first > idle.last || h.last < idle.first
}

func findUnrecovered(s *scene, det *detectorAt) {
	failed, denied, completed := s.lex.class("outcome-failed"), s.lex.class("outcome-denied"), s.lex.class("outcome-completed")
	for k := len(s.hits) - 1; k >= 0; k-- {
		switch h := &s.hits[k]; {
		case h.class == completed && s.completes(int(h.turn)):
			return
		case (h.class == failed || h.class == denied) && s.refuses(h):
			if !s.completes(int(h.turn)) {
				s.emitHit(det, h)
			}
			return
		}
	}
}
