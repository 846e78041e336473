package heuristics

import (
	"fmt"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Kind is the sort of conversation that a dialogue is. People rate a service case by other things than a request: an
// apology is a stock phrase there, and what counts is whether something is done.
type Kind uint8

// The kinds. A dialogue without a sign of a service case is a request.
const (
	Request Kind = iota // the USER wants something found, booked or recommended, or just talks
	Service             // the USER has a matter with the company that the SYSTEM speaks for: a fault, an order, a contract
)

var namesOfKinds = [...]string{"request", "service"}

// String gives the name that people read.
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

// pointsIn gives the points of one signal in a dialogue of kind k.
func (d *Detector) pointsIn(k Kind) rubric.Hundredths {
	if k == Service {
		return d.InService
	}
	return d.Points
}

// criteriaIn gives what one signal speaks to in a dialogue of kind k.
func (d *Detector) criteriaIn(k Kind) rubric.Set {
	if k == Service {
		return d.Criteria | d.AlsoThere
	}
	return d.Criteria
}

// openingTurns is how many turns of the USER show the kind of conversation.
const openingTurns = 2

// The sums of the phrases' points, in hundredths, that make a service case. A dialogue about an errand needs more of
// them; without an errand, one sign in the USER's opening is enough.
const (
	enoughBeside  = 75 // with an errand: by both sides
	enoughBrought = 50 // with an errand: by the USER
	enoughAlone   = 25 // without an errand: by the USER
)

// isReference reports whether tok names a matter that the company has on file: five characters or more with letters and
// digits, or a long number.
func (t *turnText) isReference(tok token) bool {
	word := t.text[tok.start:tok.end]
	return len(word) >= 5 && strings.ContainsAny(word, "0123456789") && !strings.ContainsAny(word, ":.")
}

// readKind adds up the points of the phrases in the USER's opening, of references there, and in the SYSTEM's turns, unless somebody has set
// the kind. The USER's strongest phrase, or else the first words, are what shows it.
func (s *analysis) readKind() {
	s.kind, s.shows = Request, hit{turn: -1}
	lastOpening, openings := -1, 0
	for i, t := range s.spoken(dialogue.User) {
		if openings == 0 && s.setKind != nil {
			s.kind, s.shows = *s.setKind, hit{turn: int32(i), last: int32(t.words - 1)}
			return
		}
		if lastOpening, openings = i, openings+1; openings == openingTurns {
			break
		}
	}
	var brought, answered int32 // points, in hundredths
	for h := range s.hitsOf(s.lex.class.KindService) {
		switch {
		case h.points <= 0:
		case s.turns[h.turn].role == dialogue.System:
			answered += h.points
		case int(h.turn) <= lastOpening:
			if brought += h.points; h.points > s.shows.points {
				s.shows = *h
			}
		}
	}
	for i := range s.turns[:max(0, lastOpening+1)] {
		if t := &s.turns[i]; t.role == dialogue.User && slices.ContainsFunc(t.tokens, t.isReference) {
			brought += enoughBrought
			if s.shows.turn < 0 {
				s.shows = hit{turn: int32(i), last: int32(t.words - 1)}
			}
		}
	}
	enough, errand := brought >= enoughAlone, false
	for h := range s.hitsOf(s.lex.class.WordsErrand) {
		errand = errand || int(h.turn) <= lastOpening
		enough = brought >= enoughBrought && (!errand || brought+answered >= enoughBeside)
	}
	if enough {
		s.kind = Service
	}
}

// findService reports a service case where the USER shows it.
func findService(s *analysis, det *detector) {
	if s.kind == Service && s.shows.turn >= 0 {
		s.emitHit(det, &s.shows)
	}
}
