package heuristics

import (
	"fmt"
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Kind is what sort of conversation a dialogue is. People rate the handling of a service case by other things than that
// of a request: there, an apology is a phrase, and what counts is whether something is done.
type Kind uint8

// The kinds. A dialogue that shows no service case is a request.
const (
	Request Kind = iota // the USER wants something found, booked or recommended, or just talks
	Service             // the USER has a matter with the company that the SYSTEM speaks for: a fault, an order, a contract
)

var namesOfKinds = [...]string{"request", "service"}

// String gives the name that people read and set.
func (k Kind) String() string { return namesOfKinds[k] }

// ParseKind reads a kind's name.
func ParseKind(name string) (Kind, error) {
	i := slices.Index(namesOfKinds[:], name)
	if i < 0 {
		return Request, fmt.Errorf("unknown kind %q; want one of %q", name, namesOfKinds)
	}
	return Kind(i), nil
}

// ServiceID is the detector whose signal marks a service case.
const ServiceID = "kind-service"

// KindOf reads the kind from the signals of a dialogue.
func KindOf(signals []rubric.Signal) Kind {
	if slices.ContainsFunc(signals, func(s rubric.Signal) bool { return s.ID == ServiceID }) {
		return Service
	}
	return Request
}

// pointsIn gives the points of one signal in a dialogue of a kind.
func (d *Detector) pointsIn(k Kind) rubric.Hundredths {
	if k == Service {
		return d.InService
	}
	return d.Points
}

// openingTurns is how many turns of the USER are read for what kind of conversation this is.
const openingTurns = 2

// What the phrases must sum to, in hundredths of a point, for a service case: where either side speaks of an errand, a
// whole point, and half a point by the USER alone; without one, any sign in the USER's opening is enough.
const (
	enoughBeside  = 100
	enoughBrought = 50
	enoughAlone   = 25
)

// findService adds up the phrases' points in the USER's opening and in what the SYSTEM says. The signal is at the
// strongest phrase of the USER's.
func findService(s *analysis, det *detector) {
	if s.setKind != nil {
		s.findGiven(det)
		return
	}
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
	errand := len(s.of[s.lex.class.WordsErrand]) > 0
	if errand && brought >= enoughBrought && brought+answered >= enoughBeside || !errand && brought >= enoughAlone {
		s.kind = Service
		s.emitHit(det, best)
	}
}

// findGiven takes the kind that somebody has set. The signal is at the USER's first words.
func (s *analysis) findGiven(det *detector) {
	for i, t := range s.spoken(dialogue.User) {
		if s.kind = *s.setKind; s.kind == Service {
			s.emit(det, i, 0, t.words-1)
		}
		return
	}
}
