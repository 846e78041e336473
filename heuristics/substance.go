package heuristics

import "assize/rubric"

// The substance family reads what the SYSTEM gives: facts and ways on, or phrases that lead nowhere.
var substances = []Detector{
	{
		ID: "substance-concrete", Criteria: rubric.SetOf(rubric.Helpfulness),
		Title: "the SYSTEM gives facts that can be acted on",
		Why:   "A time, a price, an address, a number to call, a link. How many places were found is none: nobody can act on it.",
		Hit:   "USER: Where is it?\nSYSTEM: At 12 Mill Lane, open until 9 pm.",
		Miss:  "USER: Where is it?\nSYSTEM: I found 12 places for you.",
		find:  findConcrete,
	},
	{
		ID: "substance-steps", Criteria: rubric.SetOf(rubric.Helpfulness),
		Title: "the SYSTEM says step by step what to do",
		Why:   "Instructions that the USER can follow.",
		Hit:   "USER: It does not start.\nSYSTEM: First unplug the router, then press the button for ten seconds.",
		Miss:  "USER: It does not start.\nSYSTEM: That happens now and then.",
	},
	{
		ID: "substance-alternative", Criteria: rubric.SetOf(rubric.Helpfulness, rubric.TaskSuccess),
		Title: "the SYSTEM offers another way where one failed",
		Why:   "A no with a next step is worth more than a no. It counts only where the SYSTEM says that something failed.",
		Hit:   "USER: A room for tonight please.\nSYSTEM: Sorry, there are no rooms left tonight. How about tomorrow?",
		Miss:  "USER: A room for tonight please.\nSYSTEM: How about the Crown?",
		find:  findAlternative,
	},
	{
		ID: "substance-no-alternative", Criteria: rubric.SetOf(rubric.Helpfulness, rubric.TaskSuccess),
		Title: "the SYSTEM says that it failed and leaves it at that",
		Why:   "Neither another way nor a question: the USER is left alone. \"Anything else?\" is no other way. A plain no to a question about what something has is an answer and left alone.",
		Hit:   "USER: Please book it.\nSYSTEM: Unfortunately I was unable to book it.",
		Miss:  "USER: Please book it.\nSYSTEM: Unfortunately I was unable to book it. Shall I try the Crown?",
		find:  findNoAlternative,
	},
	{
		ID: "substance-generic", Criteria: rubric.SetOf(rubric.Helpfulness),
		Title: "the SYSTEM answers with a phrase that fits everything",
		Why:   "Try again later, as I said, your call is important to us: nothing in it is about this USER.",
		Hit:   "USER: The payment failed.\nSYSTEM: Please try again later.",
		Miss:  "USER: The payment failed.\nSYSTEM: I released the payment, it works now.",
	},
	{
		ID: "substance-deflects", Criteria: rubric.SetOf(rubric.Helpfulness, rubric.TaskSuccess),
		Title: "the SYSTEM sends the USER elsewhere",
		Why:   "Call us, visit the website, I cannot help with that: the need goes out of the door unmet. Where the USER asked whom to call, it is the answer.",
		Hit:   "USER: My order never came.\nSYSTEM: Please contact our support team.",
		Miss:  "USER: Whom do I call about it?\nSYSTEM: Please call our front desk.",
		find:  findDeflects,
	},
}
