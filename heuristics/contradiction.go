package heuristics

import "assize/rubric"

// The contradiction family holds what the SYSTEM says against what the USER said, and against itself.
var contradictions = []Detector{
	{
		ID: "contradiction-value", Criteria: rubric.SetOf(rubric.Accuracy, rubric.Understanding, rubric.TaskSuccess),
		Title: "the SYSTEM confirms a value that the USER did not give",
		Why:   "A day, date, time, number, sum, place or name that the SYSTEM books or restates is not the one that the USER asked for. Offers, lists, questions about alternatives and timetables are left alone, as are values that the USER gave several of or let stand when the SYSTEM named them.",
		Hit:   "USER: A table for 4 people please.\nSYSTEM: I have booked a table for 2 people.",
		Miss:  "USER: A table for 4 people please.\nSYSTEM: There is no table for 4 people. How about two tables for 2 people?",
		find:  findContradicted,
	},
	{
		ID: "contradiction-corrected", Criteria: rubric.SetOf(rubric.Accuracy, rubric.Understanding, rubric.TaskSuccess),
		Title: "the USER has to restate a value that the SYSTEM got wrong",
		Why:   "No, I said four people: the one who knows corrects a value that the SYSTEM just named. A USER who changes the mind is left alone.",
		Hit:   "USER: A table for 4 people please.\nSYSTEM: For 2 people, is that right?\nUSER: No, I said 4 people.",
		Miss:  "USER: A table for 2 people please.\nSYSTEM: For 2 people, is that right?\nUSER: No, make it 4 people.",
		find:  findCorrected,
	},
	{
		ID: "contradiction-flip", Criteria: rubric.SetOf(rubric.Accuracy), Once: true,
		Title: "the SYSTEM says the opposite of what it said before",
		Why:   "First there is none and then there is, or the reverse, with the same request: one of the two was wrong.",
		Hit:   "USER: Is there a pool?\nSYSTEM: There is no pool at the hotel.\nUSER: Are you sure?\nSYSTEM: Yes, there is a pool at the hotel.",
		Miss:  "USER: Is there a pool?\nSYSTEM: There is no pool at the Bell hotel.\nUSER: And at the Crown?\nSYSTEM: Yes, there is a pool at the Crown hotel.",
		find:  findFlip,
	},
	{
		ID: "contradiction-hedges", Criteria: rubric.SetOf(rubric.Accuracy),
		Title: "the SYSTEM is not sure of what it states",
		Why:   "I think, probably, not sure: nobody can act on it without checking. A small sign, since care with words is a virtue too.",
		Hit:   "USER: When does it open?\nSYSTEM: I think it opens at nine.",
		Miss:  "USER: When does it open?\nSYSTEM: It opens at nine. What do you think of that?",
		find:  findHedges,
	},
	{
		ID: "contradiction-self-corrects", Criteria: rubric.SetOf(rubric.Accuracy),
		Title: "the SYSTEM takes back what it said",
		Why:   "What is taken back was wrong when the USER heard it. Sorry for the wait is no correction.",
		Hit:   "USER: The shop on Elm Road?\nSYSTEM: My mistake, it is on Oak Road.",
		Miss:  "USER: The shop on Elm Road?\nSYSTEM: Yes. Sorry for the wait.",
	},
}
