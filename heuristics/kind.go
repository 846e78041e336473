package heuristics

import (
	"fmt"
	"slices"

	"assize/rubric/dialogue"
)

// The opening of a dialogue shows what kind of conversation it is, and whether the USER confides
// feelings.

// Kind is the type of conversation of a dialogue. People rate a service case by other aspects than
// a request: an apology is a stock phrase there, and what matters is whether something is done.
type Kind uint8

// The kinds. A dialogue without an errand, films or feelings is a service case; see readKind.
const (
	Request Kind = iota // the USER wants something found, booked or recommended, or just chats
	Service             // the USER has a matter with the company, such as a fault or an order
)

var namesOfKinds = [...]string{"request", "service"}

// String returns the name to show to people.
func (k Kind) String() string { return namesOfKinds[k] }

// ParseKind returns the kind with a name.
func ParseKind(name string) (Kind, error) {
	i := slices.Index(namesOfKinds[:], name)
	if i < 0 {
		return Request, fmt.Errorf("unknown kind %q; want one of %q", name, namesOfKinds)
	}
	return Kind(i), nil
}

// openingTurns is how many turns of the USER show the kind of conversation. More are read if these
// are mere greetings.
const openingTurns = 2

// Minimum sums of phrase points, in hundredths, that make a dialogue a service case or show that
// the USER confides feelings. The USER's phrases must reach enoughBrought, or those of both sides
// enoughShown. In an errand, both sides must also reach enoughBeside, unless the USER's phrases
// reach enoughUnsought and the USER seeks nothing. In talk about films, the USER's must reach
// enoughOfFilms. Feelings must reach enoughFelt, or enoughFeltBeside if an errand or films are
// mentioned too.
const (
	enoughBrought    = 50
	enoughShown      = 75
	enoughBeside     = 100
	enoughUnsought   = 75
	enoughOfFilms    = 150
	enoughFelt       = 100
	enoughFeltBeside = 225
)

// reference is the points of a reference in the USER's opening, in hundredths.
const reference = 50

// fewestOpening is the minimum number of words of an opening that states a matter; "Hello" does
// not.
const fewestOpening = 4

// readKind determines the kind, unless it has been set, and whether the USER confides feelings. A
// dialogue with confided feelings is not a service case: the feelings must outweigh the phrases of
// a fault or a help desk, and nobody may mention a company's usual matters unless the feelings are
// grave. A USER who opens with no errand, film or feelings has a matter with the company. If there
// is an errand, the points of fault and help desk phrases in the USER's opening and in the SYSTEM's
// turns, and of references there, must reach a threshold. The evidence is the USER's strongest
// phrase, or else the first words.
func (s *Talk) readKind() {
	s.kind, s.shows = Request, hit{turn: -1}
	lastOpening, openings, words := -1, 0, 0
	for i, t := range s.spoken(dialogue.User) {
		if openings == 0 {
			s.shows = hit{turn: int32(i), last: int32(t.words - 1)}
		}
		words += t.words
		if lastOpening, openings = i, openings+1; openings >= openingTurns &&
			words >= fewestOpening {
			break
		}
	}
	first := s.shows
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
	for i := range s.turns[:lastOpening+1] {
		if t := &s.turns[i]; t.role == dialogue.User &&
			slices.ContainsFunc(t.tokens, t.isReference) {
			brought += reference
		}
	}
	inOpening := func(i int32) bool { return int(s.hits[i].turn) <= lastOpening }
	c := &s.lex.class
	films := len(s.of[c.WordsFilms]) > 1 || slices.ContainsFunc(s.of[c.WordsFilms], inOpening)
	errand := slices.ContainsFunc(s.of[c.WordsErrand], inOpening)
	wanted := slices.ContainsFunc(s.of[c.WordsWanted], inOpening)
	seeks := wanted || slices.ContainsFunc(s.of[c.WordsSeeks], inOpening)
	felt := int32(0)
	for h := range s.hitsOf(c.WordsFeelings) {
		if int(h.turn) <= lastOpening && s.turns[h.turn].role == dialogue.User {
			felt += h.points
		}
	}
	matter := len(s.of[c.WordsMatter]) > 0 && !slices.ContainsFunc(s.of[c.WordsGrave], inOpening)
	s.confides = !matter && felt > brought && felt >= enoughFelt &&
		(felt >= enoughFeltBeside && len(s.of[c.WordsFilms]) <= openingTurns || !films && !errand)
	switch {
	case s.confides:
	case films && (seeks || len(s.of[c.WordsFilms]) > 1):
		if brought >= enoughOfFilms {
			s.kind = Service
		}
	case films || errand || wanted:
		beside := brought >= enoughBrought && brought+answered >= enoughBeside
		if beside || brought >= enoughUnsought && !seeks {
			s.kind = Service
		}
	case words < fewestOpening:
	case brought >= enoughBrought || felt == 0 && brought+answered >= enoughShown:
		s.kind = Service
	}
	s.films = films && s.kind == Request
	if s.setKind != nil {
		s.kind, s.shows = *s.setKind, first
	}
}
