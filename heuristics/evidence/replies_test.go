package evidence

import (
	"testing"

	"assize/rubric/dialogue"
)

// BenchmarkFamilies measures what the three families that compare turns with each other add to the
// time for a dialogue.
func BenchmarkFamilies(b *testing.B) {
	a := newRules(b)
	d := dialogueOf(
		"USER: I need a table for 4 people on Friday at 7 pm.",
		"SYSTEM: Which area of town do you prefer?",
		"USER: The north, and not too expensive. Is there parking?",
		"SYSTEM: The Olive Tree has parking. It is at 12 Mill Lane. Shall I book it?",
		"USER: Yes please.", "SYSTEM: Unfortunately I was unable to book it. How about 8 pm?",
		"USER: Fine, 8 pm then.", "SYSTEM: I have booked a table for 2 people on Friday at 8 pm.",
		"USER: No, I said 4 people.", "SYSTEM: My mistake. It is for 4 people now.",
		"USER: Thank you.", "SYSTEM: You are welcome. Anything else?",
	)
	s := &analysis{}
	b.Run("analysis", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Prepare(a.Lexicon, a.terms, d, nil)
		}
	})
	for _, family := range []string{"contradiction", "pairing", "substance"} {
		b.Run(family, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.signals = s.signals[:0]
				run(s, a, family)
			}
		})
	}
}

// run runs the detectors of a family that have code of their own.
func run(s *analysis, a *Rules, family string) {
	for i := range a.detectors {
		if det := a.detectors[i]; det.find != nil && det.Family() == family {
			det.find(s, det)
		}
	}
}

// A dialogue of 100,000 turns takes a moment. If a search backwards were unbounded, the test would
// time out.
func TestLongDialogue(t *testing.T) {
	a := newRules(t)
	pair := dialogueOf("USER: Where is the table for 4 people on Friday?",
		"SYSTEM: Which table do you want to book for 3 people?")
	var d dialogue.Dialogue
	for range 50_000 {
		d.Turns = append(d.Turns, pair.Turns...)
	}
	s := &analysis{}
	s.Prepare(a.Lexicon, a.terms, d, nil)
	for _, family := range []string{"contradiction", "pairing", "substance"} {
		run(s, a, family)
	}
	if len(s.signals) == 0 {
		t.Fatal("nothing was seen in a dialogue full of repetition")
	}
}
