package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// The courtesy family reads how the SYSTEM treats the USER: with care, warmth and good manners, or without.
var courtesies = []Detector{
	{
		ID: "courtesy-empathy", Criteria: rubric.SetOf(rubric.Empathy),
		Title: "the SYSTEM names or shares the USER's feeling",
		Why:   "Sorry for the USER, understanding, reassurance. \"Sorry, but\" reports a failure and is none of it.",
		Hit:   "USER: My flight was cancelled.\nSYSTEM: I'm so sorry to hear that.",
		Miss:  "USER: My flight was cancelled.\nSYSTEM: Sorry, but there is no other.",
	},
	{
		ID: "courtesy-warmth", Criteria: rubric.SetOf(rubric.Empathy),
		Title: "the SYSTEM is warm to the USER",
		Why:   "Good wishes, gladness, agreement. It needs no trouble as its occasion, and is weaker than empathy where there is trouble.",
		Hit:   "USER: It is for my wedding.\nSYSTEM: Congratulations! I hope you have a fine day.",
		Miss:  "USER: It is for my wedding.\nSYSTEM: On which date?",
	},
	{
		ID: "courtesy-polite", Criteria: rubric.SetOf(rubric.Empathy),
		Title: "the SYSTEM is polite",
		Why:   "Please, thank you, you're welcome: the forms of courtesy. Their use costs nothing and their lack is felt.",
		Hit:   "USER: I need a refund.\nSYSTEM: Could you tell me the order number, please?",
		Miss:  "USER: I need a refund.\nSYSTEM: Order number?",
	},
	{
		ID: "courtesy-acknowledges", Criteria: rubric.SetOf(rubric.Empathy),
		Title: "the SYSTEM takes up what the USER said before it goes on",
		Why:   "Got it, great, I see: the USER was heard.",
		Hit:   "USER: For four people.\nSYSTEM: Got it. On which day?",
		Miss:  "USER: For four people.\nSYSTEM: On which day?",
	},
	{
		ID: "courtesy-exclaims", Criteria: rubric.SetOf(rubric.Empathy),
		Title: "the SYSTEM speaks with an exclamation mark",
		Why:   "In service an exclamation mark is meant and read as cheer. One in capitals is shouting; see fluency-shouts.",
		Hit:   "USER: It works now.\nSYSTEM: I am glad it does!",
		Miss:  "USER: It works now!\nSYSTEM: I see that it does.",
		find:  findCheer,
	},
	{
		ID: "courtesy-rude", Criteria: rubric.SetOf(rubric.Empathy),
		Title: "the SYSTEM is rude or blames the USER",
		Why:   "Insults, blame, telling an upset person to calm down. Nothing makes good for it.",
		Hit:   "USER: I cannot find the form.\nSYSTEM: That is your own fault.",
		Miss:  "USER: I cannot find the form.\nSYSTEM: That is not your fault.",
	},
	{
		ID: "courtesy-missed", Criteria: rubric.SetOf(rubric.Empathy),
		Title: "the SYSTEM passes over that the USER is upset",
		Why:   "The USER was upset, and the SYSTEM answered without empathy, warmth or an apology. An answer to \"What did you dislike?\" is let be; that what upsets is a film and not the service cannot always be told.",
		Hit:   "USER: I waited for a week, this is terrible.\nSYSTEM: What is the order number?",
		Miss:  "USER: I waited for a week, this is terrible.\nSYSTEM: I apologise. What is the order number?",
		find:  findMissed,
	},
}

func findCheer(s *scene, det *detectorAt) {
	s.eachSystem(func(i int, t *turnText) {
		if t.exclaims > 0 {
			s.emit(det, i, 0, t.words-1, det.Points)
		}
	})
}

// findMissed looks from each block of an upset USER to the block in which the SYSTEM answers. The lexicon file
// of the detector has the apologies that are enough.
func findMissed(s *scene, det *detectorAt) {
	upset, dislikes := s.lex.class("reaction-upset"), s.lex.class("words-dislikes")
	enough := [...]int16{det.class, s.lex.class("courtesy-empathy"), s.lex.class("courtesy-warmth")}
	for b := 0; b+1 < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.User {
			continue
		}
		about := -1
		for _, i := range s.blocks[b].turns {
			asked := s.before(i, dialogue.System)
			if s.has(i, upset) && !s.benign(i) && (asked < 0 || !s.has(asked, dislikes)) {
				about = i
			}
		}
		answer := s.blocks[b+1].turns
		if about < 0 || s.anyHas(answer, enough[:]) {
			continue
		}
		s.emitAbout(det, answer[0], 0, s.turns[answer[0]].words-1, about, det.Points)
	}
}

// anyHas reports whether one of the turns has a phrase of one of the classes.
func (s *scene) anyHas(turns []int, classes []int16) bool {
	for _, i := range turns {
		if s.hasAny(i, classes) {
			return true
		}
	}
	return false
}
