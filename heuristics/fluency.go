package heuristics

import "assize/rubric"

// The fluency family reads how the SYSTEM writes: whether its turns are whole, clean and grammatical. People
// seldom rate down for a missing full stop, so such things cost little; what cannot be read costs much.
var fluencies = []Detector{
	{
		ID: "fluency-salad", Criteria: rubric.SetOf(rubric.Fluency, rubric.Understanding),
		Title: "the SYSTEM's words make no sentence",
		Why:   "Words in an order that English does not have, such as an article before a verb, again and again in one sentence. A screen of neighbouring words picks suspicious sentences, the part-of-speech tags of their words decide. It may miss a salad of nouns.",
		Hit:   "USER: Is my table booked?\nSYSTEM: The is for of table your a booked to the at has.",
		Miss:  "USER: Is my table booked?\nSYSTEM: The one you asked for is booked.",
		find:  findSalad,
	},
	{
		ID: "fluency-loops", Criteria: rubric.SetOf(rubric.Fluency, rubric.Understanding),
		Title: "the SYSTEM repeats itself inside a turn as if stuck",
		Why:   "The same words three times in a row, four or more words twice in a row, or the same sentence twice in a turn: the mark of a stuck program. Numbers, names, and words that people repeat for weight are let be.",
		Hit:   "USER: Where is it?\nSYSTEM: It is in the depot in the depot in the depot in the depot.",
		Miss:  "USER: Where is it?\nSYSTEM: It is in the depot, very, very close to you.",
		find:  findLoops,
	},
	{
		ID: "fluency-truncated", Criteria: rubric.SetOf(rubric.Fluency, rubric.Helpfulness),
		Title: "a turn of the SYSTEM breaks off in mid-sentence",
		Why:   "A turn that ends on an article, a conjunction or a comma was cut off. One that the SYSTEM goes on with in its next turn was not.",
		Hit:   "USER: When will it come?\nSYSTEM: Your order left us on Monday and will come with the",
		Miss:  "USER: When will it come?\nSYSTEM: Where are you calling from",
		find:  findTruncated,
	},
	{
		ID: "fluency-grammar", Criteria: rubric.SetOf(rubric.Fluency),
		Title: "the SYSTEM's grammar is broken",
		Why:   "Verbs that do not agree with their subject, two modal verbs or a modal verb before the wrong form. Only forms that no variety of written English uses in service.",
		Hit:   "USER: Is it here?\nSYSTEM: We was looking for it in the depot.",
		Miss:  "USER: Is it here?\nSYSTEM: The parcel that you asked us about was in the depot.",
		find:  findGrammar,
	},
	{
		ID: "fluency-repeats", Criteria: rubric.SetOf(rubric.Fluency),
		Title: "the SYSTEM says a whole turn again, word for word",
		Why:   "A turn of four words or more that the SYSTEM has said before. Farewells and the question whether there is anything else are let be.",
		Hit:   "SYSTEM: Please tell me your order number.\nUSER: I have none.\nSYSTEM: Please tell me your order number.",
		Miss:  "SYSTEM: Please tell me your order number.\nUSER: 4471.\nSYSTEM: Please tell me your post code.",
		find:  findRepeats,
	},
	{
		ID: "fluency-doubled", Criteria: rubric.SetOf(rubric.Fluency),
		Title: "the SYSTEM doubles a word by mistake",
		Why:   "The same word twice in a row, save those that grammar or emphasis may double (had had, very very) and names.",
		Hit:   "USER: What does it cost?\nSYSTEM: The the fee is 5 pounds.",
		Miss:  "USER: What does it cost?\nSYSTEM: Very very little.",
		find:  findDoubled,
	},
	{
		ID: "fluency-no-apostrophe", Criteria: rubric.SetOf(rubric.Fluency),
		Title: "the SYSTEM leaves out an apostrophe",
		Why:   "Careless spelling that readers notice. Forms that are words of their own, such as wont and its, are left out.",
		Hit:   "USER: Is there a table?\nSYSTEM: I dont see one.",
		Miss:  "USER: Is there a table?\nSYSTEM: It is, as is its wont, by the window.",
	},
	{
		ID: "fluency-spaced-mark", Criteria: rubric.SetOf(rubric.Fluency),
		Title: "the SYSTEM puts a space before a punctuation mark",
		Why:   "A small slip of typing, or of a program that puts texts together.",
		Hit:   "USER: Is there a table?\nSYSTEM: Yes , there is one.",
		Miss:  "USER: Is there a table?\nSYSTEM: Yes, for .NET developers :)",
		find:  findSpacedMark,
	},
	{
		ID: "fluency-shouts", Criteria: rubric.SetOf(rubric.Fluency, rubric.Empathy),
		Title: "the SYSTEM writes in capitals",
		Why:   "Three words in a row in capitals, most of them everyday ones, read as shouting. Names and abbreviations do not.",
		Hit:   "USER: I cannot find it.\nSYSTEM: IT IS ON THE SITE.",
		Miss:  "USER: I cannot find it.\nSYSTEM: It has USB, HDMI and an SD slot.",
		find:  findShouts,
	},
	{
		ID: "fluency-encoding", Criteria: rubric.SetOf(rubric.Fluency),
		Title: "broken characters stand in the SYSTEM's words",
		Why:   "Text that went through the wrong encoding. It may have been broken on the way into the transcript, so it costs little.",
		Hit:   "USER: What is the fee?\nSYSTEM: Itâ€™s Â£5.",
		Miss:  "USER: What is the fee?\nSYSTEM: It’s £5 at the Café São João.",
		find:  findEncoding,
	},
	{
		ID: "fluency-unended", Criteria: rubric.SetOf(rubric.Fluency),
		Title: "the SYSTEM ends a turn without a mark",
		Why:   "Very common in chat and a small thing. Turns of one or two words, web addresses, codes and lists over several lines are let be.",
		Hit:   "USER: Is it open?\nSYSTEM: It opens at nine every day",
		Miss:  "USER: Is it open?\nSYSTEM: It opens at nine every day.",
		find:  findUnended,
	},
	{
		ID: "fluency-lowercase", Criteria: rubric.SetOf(rubric.Fluency),
		Title: "the SYSTEM begins a turn in lower case",
		Why:   "Very common in chat and a very small thing. Names such as iPhone and addresses of web pages are let be.",
		Hit:   "USER: Is it open?\nSYSTEM: it opens at nine.",
		Miss:  "USER: Is it open?\nSYSTEM: iPlayer is always open.",
		find:  findLowercase,
	},
}
