package heuristics

import (
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Kind is what sort of conversation a dialogue is. People rate a complaint by other things than a request: there, an
// apology is a phrase, and what counts is whether something is done.
type Kind uint8

// The kinds. A dialogue that holds no complaint is a request.
const (
	Request   Kind = iota // the USER wants something found, booked, told or recommended
	Complaint             // the USER brings a problem with something bought, used or promised
)

var namesOfKinds = [...]string{"request", "complaint"}

// String gives the name that people read and set.
func (k Kind) String() string { return namesOfKinds[k] }

// complaintID is the detector whose signal marks a complaint.
const complaintID = "kind-complaint"

// KindOf reads the kind from the signals of a dialogue.
func KindOf(signals []rubric.Signal) Kind {
	if slices.ContainsFunc(signals, func(s rubric.Signal) bool { return s.ID == complaintID }) {
		return Complaint
	}
	return Request
}

// pointsIn gives the points of one signal in a dialogue of a kind.
func (d *Detector) pointsIn(k Kind) rubric.Hundredths {
	if k == Complaint {
		return d.Complain
	}
	return d.Points
}

// openingTurns is how many turns of the USER are read for what kind of conversation this is.
const openingTurns = 2

// findComplaint adds up the phrases' points in the USER's opening and in what the SYSTEM says. From a whole point on,
// half a point of it the USER's own, the dialogue is a complaint, and the USER's strongest turn says so.
func findComplaint(s *analysis, det *detector) {
	lastOpening, openings := -1, 0
	for i := range s.spoken(dialogue.User) {
		if lastOpening, openings = i, openings+1; openings == openingTurns {
			break
		}
	}
	var best *hit
	var brought, answered int32 // points, in hundredths
	for h := range s.hitsOf(det.class) {
		switch {
		case h.points <= 0:
		case s.turns[h.turn].role == dialogue.System:
			answered += h.points
		case int(h.turn) <= lastOpening:
			if brought += h.points; best == nil || h.points > best.points {
				best = h
			}
		}
	}
	if brought >= 50 && brought+answered >= 100 {
		s.kind = Complaint
		s.emitHit(det, best)
	}
}
