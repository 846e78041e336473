package talk

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
	RequestKind Kind = iota // the USER wants something found, booked or recommended, or just chats
	ServiceKind             // the USER has a matter with the company, such as a fault or an order
)

var namesOfKinds = [...]string{"request", "service"}

// String returns the name to show to people.
func (k Kind) String() string { return namesOfKinds[k] }

// ParseKind returns the kind with a name.
func ParseKind(name string) (Kind, error) {
	i := slices.Index(namesOfKinds[:], name)
	if i < 0 {
		return RequestKind, fmt.Errorf("unknown kind %q; want one of %q", name, namesOfKinds)
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
	s.Kind, s.Shows = RequestKind, Hit{Turn: -1}
	lastOpening, openings, words := -1, 0, 0
	for i, t := range s.Spoken(dialogue.User) {
		if openings == 0 {
			s.Shows = Hit{Turn: int32(i), Last: int32(t.Words - 1)}
		}
		words += t.Words
		if lastOpening, openings = i, openings+1; openings >= openingTurns &&
			words >= fewestOpening {
			break
		}
	}
	first := s.Shows
	var brought, answered int32 // points, in hundredths
	for h := range s.HitsOf(s.Lex.Class.KindService) {
		switch {
		case h.Points <= 0:
		case s.Turns[h.Turn].Role == dialogue.System:
			answered += h.Points
		case int(h.Turn) <= lastOpening:
			if brought += h.Points; h.Points > s.Shows.Points {
				s.Shows = *h
			}
		}
	}
	for i := range s.Turns[:lastOpening+1] {
		if t := &s.Turns[i]; t.Role == dialogue.User &&
			slices.ContainsFunc(t.Tokens, t.IsReference) {
			brought += reference
		}
	}
	inOpening := func(i int32) bool { return int(s.Hits[i].Turn) <= lastOpening }
	c := &s.Lex.Class
	films := len(s.Of[c.WordsFilms]) > 1 || slices.ContainsFunc(s.Of[c.WordsFilms], inOpening)
	errand := slices.ContainsFunc(s.Of[c.WordsErrand], inOpening)
	wanted := slices.ContainsFunc(s.Of[c.WordsWanted], inOpening)
	seeks := wanted || slices.ContainsFunc(s.Of[c.WordsSeeks], inOpening)
	felt := int32(0)
	for h := range s.HitsOf(c.WordsFeelings) {
		if int(h.Turn) <= lastOpening && s.Turns[h.Turn].Role == dialogue.User {
			felt += h.Points
		}
	}
	matter := len(s.Of[c.WordsMatter]) > 0 && !slices.ContainsFunc(s.Of[c.WordsGrave], inOpening)
	s.Confides = !matter && felt > brought && felt >= enoughFelt &&
		(felt >= enoughFeltBeside && len(s.Of[c.WordsFilms]) <= openingTurns || !films && !errand)
	switch {
	case s.Confides:
	case films && (seeks || len(s.Of[c.WordsFilms]) > 1):
		if brought >= enoughOfFilms {
			s.Kind = ServiceKind
		}
	case films || errand || wanted:
		beside := brought >= enoughBrought && brought+answered >= enoughBeside
		if beside || brought >= enoughUnsought && !seeks {
			s.Kind = ServiceKind
		}
	case words < fewestOpening:
	case brought >= enoughBrought || felt == 0 && brought+answered >= enoughShown:
		s.Kind = ServiceKind
	}
	s.Films = films && s.Kind == RequestKind
	if s.setKind != nil {
		s.Kind, s.Shows = *s.setKind, first
	}
}
