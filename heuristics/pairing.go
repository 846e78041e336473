package heuristics

import "assize/rubric"

// The pairing family holds questions against answers, in both directions. Turns in a row by one speaker count
// as one; see scene.blocks.
var pairings = []Detector{
	{
		ID: "pairing-unanswered", Criteria: rubric.SetOf(rubric.Helpfulness, rubric.Understanding),
		Title: "the SYSTEM leaves the USER's question unanswered",
		Why:   "The reply has no word of the question, no yes or no, no number and no name, or is only a question back. A short answer in words of its own can look like this.",
		Hit:   "USER: Where is the nearest pharmacy?\nSYSTEM: Which colour do you prefer?",
		Miss:  "USER: Where is the nearest pharmacy?\nSYSTEM: On Elm Road, next to the bank.",
		find:  findUnanswered,
	},
	{
		ID: "pairing-repeats-question", Criteria: rubric.SetOf(rubric.Understanding),
		Title: "the SYSTEM asks the same question again",
		Why:   "The USER answered, or could not: asking in the same words brings nothing new. Questions that name another value, and \"anything else?\", are left alone.",
		Hit:   "SYSTEM: Which area of town do you prefer?\nUSER: The north.\nSYSTEM: Which area of the town would you prefer?",
		Miss:  "SYSTEM: Shall I book a table at Luigi for Monday?\nUSER: Rather not.\nSYSTEM: Shall I book a table at Carlo for Monday?",
		find:  findRepeatsQuestion,
	},
	{
		ID: "pairing-skipped", Criteria: rubric.SetOf(rubric.Understanding),
		Title: "the SYSTEM asks and goes on to another question before the USER can answer",
		Why:   "One of the two questions is lost on the USER. Two questions in one turn are left alone.",
		Hit:   "SYSTEM: Which area do you prefer?\nSYSTEM: How many people are you?\nUSER: Four.",
		Miss:  "SYSTEM: Which area do you prefer?\nUSER: North.\nSYSTEM: How many people are you?",
		find:  findSkipped,
	},
	{
		ID: "pairing-repeats-itself", Criteria: rubric.SetOf(rubric.Understanding, rubric.Fluency),
		Title: "the SYSTEM says the same again",
		Why:   "A statement in the same words was no help the first time. One with another name or number says something else.",
		Hit:   "USER: The printer is stuck.\nSYSTEM: Please restart the printer and remove the paper.\nUSER: I did that.\nSYSTEM: Please remove the paper and restart the printer.",
		Miss:  "USER: A train at nine?\nSYSTEM: The train leaves at 9:15 from platform 4.\nUSER: And later?\nSYSTEM: The train leaves at 10:15 from platform 4.",
		find:  findRepeatsItself,
	},
	{
		ID: "pairing-elicited", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness),
		Title: "the SYSTEM's question draws a full answer from the USER",
		Why:   "Five words or more that are no refusal: the question was worth asking.",
		Hit:   "SYSTEM: What happened to the parcel?\nUSER: It came with the side torn open.",
		Miss:  "SYSTEM: What happened to the parcel?\nUSER: I don't know what happened to it.",
		find:  findElicited,
	},
	{
		ID: "pairing-accepted", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness),
		Title: "the USER says yes to the SYSTEM's offer or guess",
		Why:   "What was offered or assumed fits. A yes to \"anything else?\" is none.",
		Hit:   "SYSTEM: Shall I send a new one?\nUSER: Yes please.",
		Miss:  "SYSTEM: Is there anything else?\nUSER: Yes please.",
		find:  findAccepted,
	},
	{
		ID: "pairing-user-repeats", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Understanding),
		Title: "the USER has to say the same again",
		Why:   "What was said was not taken up. Thanks and goodbyes, and the same request with another name or number, are left alone.",
		Hit:   "USER: I need a refund for my broken kettle.\nSYSTEM: Do you want to see our kettles?\nUSER: I need a refund, the kettle is broken.",
		Miss:  "USER: I need a train to Leeds on Monday.\nSYSTEM: It is booked.\nUSER: I need a train to York on Monday.",
		find:  findUserRepeats,
	},
	{
		ID: "pairing-clarifies", Criteria: rubric.SetOf(rubric.Understanding),
		Title: "the SYSTEM asks the USER to repeat or explain",
		Why:   "The SYSTEM did not get it. A small sign: to ask is better than to guess.",
		Hit:   "USER: The thing is off.\nSYSTEM: Could you please rephrase that?",
		Miss:  "USER: The thing is off.\nSYSTEM: Could you please turn it on?",
	},
}
