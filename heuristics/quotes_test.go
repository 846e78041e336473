package heuristics

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/evidence"
	"assize/heuristics/text"
	"assize/rubric"
)

// The quote shows the claim: the line that helps and not the question before it, both sides of what
// went wrong, and no courtesy where there is a statement.
func TestQuotesShowTheClaim(t *testing.T) {
	a := newAgents(t)
	for _, tt := range []struct {
		reason    string
		lines     []string
		criterion rubric.Criterion
		want      []string
	}{
		{"help is the line with the path, not the read-back", []string{
			"USER: I need the invoice for May as a file.",
			"SYSTEM: Good morning! Please confirm that you mean the one for May.",
			"USER: Yes, May.",
			"SYSTEM: Thank you for waiting. Open Account > Invoices and press Download next to May. Enjoy your day!",
			"USER: Thanks, I will."}, rubric.Helpfulness,
			[]string{"Open Account > Invoices and press Download next to May."}},
		{"a failure is quoted with the request that it is about", []string{
			"USER: Please book me a seat in the Crown.", "SYSTEM: The Crown is not available.",
			"USER: Then try the old Bell.", "SYSTEM: The Bell is not available.",
			"USER: Okay, bye."}, rubric.TaskSuccess,
			[]string{"Then try the old Bell.", "The Bell is not available."}},
		{"questions that lead to a deed are quoted with it", []string{
			"USER: I need a taxi.", "SYSTEM: Where are you now?", "USER: At the station.",
			"SYSTEM: And where do you want to go?", "USER: To the zoo.",
			"SYSTEM: Thank you for waiting. Your taxi is booked. A driver is near."},
			rubric.Helpfulness,
			[]string{"And where do you want to go?", "Your taxi is booked."}},
		{"a telephone number is not what is refused", []string{
			"USER: This is the third time I am writing about the mattress. Nobody answers. Order HW385994 My number is 07700 900650 if you need it.",
			"SYSTEM: There is nothing I can do."}, rubric.TaskSuccess,
			[]string{"This is the third time I am writing about the mattress.", "There is nothing I can do."}},
		{"a read-back with figures is no help", []string{
			"USER: Contract 5518. We move out on 12 May.",
			"SYSTEM: Contract 5518, out on 12 May. Please send the form M-3 to the office by 2 May.",
			"USER: Will do."}, rubric.Helpfulness,
			[]string{"We move out on 12 May.", "Please send the form M-3 to the office by 2 May."}},
		{"a deed is quoted, and not the mail that confirms it", []string{
			"USER: Please cancel my gym membership.",
			"SYSTEM: Your membership is cancelled. I have also sent a letter to your address.",
			"USER: Thanks."}, rubric.TaskSuccess,
			[]string{"Please cancel my gym membership.", "Your membership is cancelled."}},
		{"a deed that a tool shows is no read-back", []string{
			"USER: Wire 250 euros to Ivo Marek.",
			`OTHER: wire({"to":"Ivo Marek","amount":250})`, `OTHER: {"ok":true}`,
			"SYSTEM: Done! I've wired 250 euros to Ivo Marek. The reference is TR-88120.",
			"USER: Lovely."}, rubric.TaskSuccess,
			[]string{`{"ok":true}`, "I've wired 250 euros to Ivo Marek."}},
		{"a figure of a tool is quoted with the result that has it", []string{
			"USER: When does my bus to Ghent leave?",
			`OTHER: next_bus({"to":"Ghent"})`, `OTHER: {"line":"N4","leaves":"18:35"}`,
			"SYSTEM: It leaves at 18:35 from the front of the station."}, rubric.Accuracy,
			[]string{`{"line":"N4","leaves":"18:35"}`,
				"It leaves at 18:35 from the front of the station."}},
		{"a deed in two words is quoted, and not what else the turn says", []string{
			"USER: Could you put me down for the pottery class on Friday?",
			"SYSTEM: All confirmed! Please note that the kiln room closes at half past nine.",
			"USER: Lovely."}, rubric.TaskSuccess,
			[]string{"Could you put me down for the pottery class on Friday?", "All confirmed!"}},
		{"a deed is quoted though its sentence goes on with a question", []string{
			"USER: Does the pottery class have lockers?",
			"SYSTEM: Yes, the pottery class has lockers on the first floor.",
			"USER: Then put me down for it, please.",
			"SYSTEM: You are booked for Friday, is there anything else?",
			"USER: No, that's all."}, rubric.TaskSuccess,
			[]string{"Then put me down for it, please.",
				"You are booked for Friday, is there anything else?"}},
		{"an answer is quoted, and not the offer after it", []string{
			"USER: I just need the way to the pottery class, please.",
			"SYSTEM: The class is on the left after the bridge. Would you like me to book it for you?",
			"USER: Not yet, that's all for now. Thank you."}, rubric.TaskSuccess,
			[]string{"I just need the way to the pottery class, please.",
				"The class is on the left after the bridge."}},
		{"a failure is quoted with the words that ask for something", []string{
			"USER: I saw him there. I need to change it to the garden room. He loves it.",
			"SYSTEM: I'm sorry, there is no garden room available.",
			"USER: Oh."}, rubric.TaskSuccess,
			[]string{"I need to change it to the garden room.",
				"I'm sorry, there is no garden room available."}},
		{"a last question is quoted, and not what precedes it", []string{
			"USER: The lift has been stuck since noon.",
			"SYSTEM: That is a pity on such a warm day for everybody! Which floor is it on?"},
			rubric.TaskSuccess,
			[]string{"The lift has been stuck since noon.", "Which floor is it on?"}},
		{"handles are no request", []string{
			"USER: The lift has been stuck since noon! @ Lift Service @ North Tower",
			"SYSTEM: We are very sorry for the trouble! Which floor is it on?"},
			rubric.Understanding,
			[]string{"The lift has been stuck since noon!", "Which floor is it on?"}},
		{"a plain sentence is quoted as clear, and no farewell or translated one", []string{
			"USER: The lift has been stuck since noon.",
			"SYSTEM: You are welcome to contact us. There is an abnormal case. Press the red button twice.",
			"USER: Done.", "SYSTEM: Thank you and goodbye."},
			rubric.Fluency, []string{"Press the red button twice."}},
		{"a neutral tone is shown by the answer to the words of dismay", []string{
			"USER: The lift is stuck. I have called your hotline three times, and nobody came.",
			"SYSTEM: Which floor is it on?", "USER: The fourth.",
			"SYSTEM: Is there anything else that I can do for you?"},
			rubric.Empathy, []string{
				"I have called your hotline three times, and nobody came.",
				"Which floor is it on?"}},
		{"a promise or an opinion could not be checked", []string{
			"USER: The lift has been stuck since noon.",
			"SYSTEM: We will look into it as soon as we can. The cable is worn. That is a great film."},
			rubric.Accuracy, []string{"The cable is worn."}},
		{"the value that agrees is the last that the USER gave", []string{
			"USER: A table for two at Luigi's on Friday at 18:15, please.",
			"SYSTEM: That time is full. Can we try another one?",
			"USER: Can you try 17:15?", "SYSTEM: I have booked your table for Friday at 17:15."},
			rubric.Accuracy, []string{
				"Can you try 17:15?", "I have booked your table for Friday at 17:15."}},
		{"of two sentences of the USER, the one with the value is quoted", []string{
			"USER: I need a two hour meeting with Michael in the large room upstairs. It is for Monday at 6 pm.",
			"SYSTEM: Your meeting with Michael in the large room is booked for Monday, 6 pm."},
			rubric.Accuracy, []string{"It is for Monday at 6 pm.",
				"Your meeting with Michael in the large room is booked for Monday, 6 pm."}},
		{"an apology states nothing that could be checked", []string{
			"USER: The lift has been stuck since noon.",
			"SYSTEM: We are very sorry for the trouble that this has caused you today! The cable is worn."},
			rubric.Accuracy, []string{"The cable is worn."}},
		{"a statement is quoted that could be checked, and no request, advice or regret", []string{
			"USER: My lift card does not work.",
			"SYSTEM: Please send us the number of your card and the floor. You can try another door.",
			"USER: Card 12, third floor.",
			"SYSTEM: The card was blocked yesterday. Please pay attention to it!"},
			rubric.Accuracy, []string{"The card was blocked yesterday."}},
		{"what follows a sentence that is too long can be quoted", []string{
			"USER: The lift has been stuck since noon.",
			"SYSTEM: If you could please send the name of the house and the street and the floor and the time " +
				"and the number that is on the door of the lift we may see. The cable is worn."},
			rubric.Accuracy, []string{"The cable is worn."}},
		{"a request is quoted with the answer that takes it up, and not with a question in between", []string{
			"USER: Hello, I need a parking permit for the lift hall.", "SYSTEM: May I have your name?",
			"USER: Ann Lee.", "SYSTEM: Which day is it for?", "USER: Monday.",
			"SYSTEM: Your parking permit for the lift hall is ready."},
			rubric.Understanding, []string{"Hello, I need a parking permit for the lift hall.",
				"Your parking permit for the lift hall is ready."}},
		{"clear is a short sentence if there is one", []string{
			"USER: Is the lift working?",
			"SYSTEM: The lift stands still today, and who has the heavy bags can find the stairs at " +
				"the back of the house. It opens again tomorrow."},
			rubric.Fluency, []string{"It opens again tomorrow."}},
		{"one warm sentence is friendly, and it is quoted", []string{
			"USER: When does the lift open?", "SYSTEM: Which lift is it?", "USER: The north one.",
			"SYSTEM: Is it the large one?", "USER: Yes.", "SYSTEM: Which floor is it on?", "USER: Two.",
			"SYSTEM: How many people?", "USER: Six.", "SYSTEM: Which day?", "USER: Today.",
			"SYSTEM: I hope you have a good time in the north lift today with your guests. It opens at noon."},
			rubric.Empathy,
			[]string{"I hope you have a good time in the north lift today with your guests."}},
		{"a bare yes or no is quoted with its question", []string{
			"USER: Does the lift go to the roof?", "SYSTEM: No. I am sorry for your long way up the stairs today.",
			"USER: All right, thanks."}, rubric.TaskSuccess,
			[]string{"Does the lift go to the roof?", "No."}},
		{"what the USER reports is quoted with the help", []string{
			"USER: The lift stands still.", "SYSTEM: Press the red button for five seconds. Is it moving now?",
			"USER: It works now, thank you."}, rubric.Helpfulness,
			[]string{"Press the red button for five seconds."}},
		{"of some help: what helped is quoted with what is missing", []string{
			"USER: My lift at the north tower stands still.",
			"SYSTEM: Hold the red button for five seconds.", "USER: And who repairs it?",
			"SYSTEM: We will look into it."}, rubric.Helpfulness,
			[]string{"Hold the red button for five seconds.", "And who repairs it?",
				"We will look into it."}},
		{"a report of a deed is quoted without a request from long before", []string{
			"USER: I need the lift at the north tower on Monday.", "SYSTEM: Shall I book it?",
			"USER: Yes please.", "SYSTEM: The lift is booked for you."}, rubric.TaskSuccess,
			[]string{"The lift is booked for you."}},
		{"a short no is quoted with the question right before it", []string{
			"USER: Please refund my lift card.", "SYSTEM: We cannot refund this card, I am sorry.",
			"USER: And is there really no exception?", "SYSTEM: No, none.", "USER: Bye then."},
			rubric.TaskSuccess, []string{"And is there really no exception?", "No, none."}},
		{"of two offers the later one is the help", []string{
			"USER: I need a lift for Monday.",
			"SYSTEM: There is a lift at the north tower on Monday that costs no more than 40 euros for the day.",
			"USER: Is there a cheaper one?", "SYSTEM: The south one costs 30 euros."},
			rubric.Helpfulness,
			[]string{"The south one costs 30 euros."}},
		{"names do not hide the request that follows them", []string{
			"USER: @ Lift Service @ North Tower why does the lift at the north tower stand still since noon?",
			"SYSTEM: We are very sorry for the trouble! Which floor is it on?"}, rubric.Understanding,
			[]string{"@ Lift Service @ North Tower why does the lift at the north tower stand still since noon?",
				"Which floor is it on?"}},
		{"a regret takes up no request", []string{
			"USER: My lift at the north tower stands still.",
			"SYSTEM: A lift that stands still is bad, I'm sorry. A technician comes at once.",
			"USER: Good to know."}, rubric.Understanding,
			[]string{"My lift at the north tower stands still.", "A technician comes at once."}},
		{"people begin with the point", []string{
			"USER: I would like to book the north lift. I want to go up to the roof one day.",
			"SYSTEM: Which day would you like?"}, rubric.Understanding,
			[]string{"I would like to book the north lift.", "Which day would you like?"}},
		{"an objection is quoted, and not the request before it", []string{
			"USER: The lift stands still at the north tower.", "SYSTEM: Press the red button.",
			"USER: It still doesn't work.", "SYSTEM: Please press the green button on the panel."},
			rubric.TaskSuccess,
			[]string{"It still doesn't work.", "Please press the green button on the panel."}},
		{"the words of anger are quoted that an answer passes over", []string{
			"USER: I have waited for the lift since 8 May with 12 bags. This is a disgrace.",
			"SYSTEM: What is the order number?"}, rubric.Empathy,
			[]string{"This is a disgrace.", "What is the order number?"}},
		{"a regret shows no lack of warmth, and what follows it is quoted", []string{
			"USER: The lift stands still.", "SYSTEM: We are sorry for the inconvenience. It opens again at noon."},
			rubric.Empathy, []string{"It opens again at noon."}},
		{"a sentence without its space is not clear", []string{
			"USER: The lift stands still.", "SYSTEM: The lift is slow.Take the stairs. The technician comes at noon today."},
			rubric.Fluency, []string{"The technician comes at noon today."}},
		{"an awkward wording is quoted", []string{
			"USER: The lift is slow.", "SYSTEM: Pay attention to the stairs. Our technician is on the way.",
			"USER: When?", "SYSTEM: He will be at the north tower before noon."},
			rubric.Fluency, []string{"Pay attention to the stairs."}},
		{"clear is a plain sentence, and no fragment, list or name", []string{
			"USER: Is the lift at the north tower working?",
			"SYSTEM: The lift, the hall (north) and the stairs are open. (Specialist Ann) Upgrade kit of the lift: B2.",
			"USER: Thanks.", "SYSTEM: The hall is open again."},
			rubric.Fluency, []string{"The hall is open again."}},
		{"a promise is quoted, and not to pay attention to it", []string{
			"USER: My lift at the north tower is slow, what can I do?",
			"SYSTEM: We will report it to the engineers. Please pay attention to the follow-up news."},
			rubric.TaskSuccess, []string{"My lift at the north tower is slow, what can I do?",
				"We will report it to the engineers."}},
		{"a brief answer is no request that is taken up", []string{
			"USER: I need a seat in the north lift on Monday.", "SYSTEM: Which tower is it?",
			"USER: Tower West Ninety.", "SYSTEM: Tower West Ninety is closed."},
			rubric.Understanding, []string{"I need a seat in the north lift on Monday.",
				"Which tower is it?"}},
		{"a courtesy does not take up a request", []string{
			"USER: My lift at the north tower stands still.",
			"SYSTEM: Thank you for your support of the lift at the north tower. A technician comes."},
			rubric.Understanding, []string{"My lift at the north tower stands still.",
				"A technician comes."}},
		{"with what was not understood, the USER's words are quoted", []string{
			"USER: My lift at the north tower stands still.",
			"SYSTEM: I don't understand what you mean. Please rephrase."},
			rubric.Understanding, []string{"My lift at the north tower stands still.",
				"I don't understand what you mean."}},
	} {
		quotes := judge(t, a, spoken(tt.lines...)).Evaluator[tt.criterion].Quotes
		var got []string
		for _, q := range quotes {
			got = append(got, q.Text)
		}
		assert.Equal(t, tt.want, got, tt.reason)
	}
}

// Of what a USER says against an answer, both sides are quoted in their order.
func TestBothSidesAreQuoted(t *testing.T) {
	d := spoken("USER: What size is the screw?", "SYSTEM: It is in the box. Have a look there.",
		"USER: No, it is not in the box.")
	answer := rubric.Signal{ID: "x", Turn: 3, Start: 0, End: 30, Points: -100}
	for name, want := range map[string]int{"failure": 2, "lack": 2, "dispute": 2, "success": 1, "help": 2} {
		q, kind := newQuoter(rubric.Case{Dialogue: d, Signals: []rubric.Signal{answer}}, nil),
			claimKinds[name]
		quotes := q.signal(answer, q.seen(answer, kind), kind)
		require.Len(t, quotes, want, name)
		if want == 2 {
			assert.Equal(t, rubric.Quote{Turn: 2, Text: "It is in the box."}, quotes[0], name)
			assert.Equal(t, 3, quotes[1].Turn, name)
		}
	}
	q, kind := newQuoter(rubric.Case{Dialogue: d}, nil), claimKinds["help"]
	assert.Equal(t, 2, q.signal(answer, q.seen(answer, kind), kind)[0].Turn,
		"help is what the SYSTEM said")
}

// No goodbye shows a success: the last statement of the SYSTEM does, with what it replies to.
func TestNoGoodbyeShowsASuccess(t *testing.T) {
	d := spoken("USER: Is my seat booked?", "SYSTEM: Seat 12 is booked for you. Thank you!",
		"USER: Thanks a lot, bye")
	q, kind := newQuoter(rubric.Case{Dialogue: d}, nil), claimKinds["success"]
	thanks := rubric.Signal{ID: "x", Turn: 3}
	assert.Equal(t, []rubric.Quote{{Turn: 1, Text: "Is my seat booked?"},
		{Turn: 2, Text: "Seat 12 is booked for you."}}, q.signal(thanks, q.seen(thanks, kind), kind))
}

// Where a turn has only courtesies, the one that was found is quoted.
func TestFoundCourtesyIsQuoted(t *testing.T) {
	d := spoken("USER: The lift woke me up.",
		"SYSTEM: We apologize and we will make it up as soon as possible. Thank you for your support.")
	q, found := newQuoter(rubric.Case{Dialogue: d}, nil),
		rubric.Quote{Turn: 2, Text: "We apologize and we will make it up as soon as possible."}
	q.used = []rubric.Quote{found, found}
	assert.Equal(t, found, q.seen(rubric.Signal{Turn: 2, End: 12}, claimKinds["lack"]).Quote)
}

// A sentence of the SYSTEM serves two criteria, and a third only if there is no other.
func TestThirdUseIsAnother(t *testing.T) {
	d := spoken("USER: Where is my parcel?", "SYSTEM: The parcel is in the depot at the harbour today. "+
		"A driver brings it on Monday.")
	q := newQuoter(rubric.Case{Dialogue: d}, nil)
	uses := map[string]int{}
	for _, name := range []string{"fact", "lack", "tone", "language"} {
		quotes := q.plain(claimKinds[name])
		uses[quotes[len(quotes)-1].Text]++
	}
	assert.Len(t, uses, 2)
	for text, n := range uses {
		assert.LessOrEqual(t, n, maxUses, text)
	}
}

func TestIdleSentences(t *testing.T) {
	for text, want := range map[string]bool{
		"Thanks!":                               true,
		"Thank you for your patience with us.":  true,
		"Hello Ms Brand,":                       true,
		"You’re welcome, have a lovely evening": true,
		"Let me know if the light stays red.":   true,
		"Please confirm the address.":           true,
		"Hi, the parcel is in the depot.":       false,
		"Sorry, we cannot refund that.":         false,
		"Thank you, your order 4471 has left.":  false,
		"Great, have a good day!":               true,
		"No, that's all, thanks":                true,
		"Great, it works":                       false,
		"Highway 4 is closed.":                  false,
		"":                                      false,
	} {
		assert.Equal(t, want, newCandidate(rubric.Quote{Turn: 1, Text: text}, 0).idle, text)
	}
	assert.True(t, newCandidate(rubric.Quote{Turn: 1, Text: "Basic | 12 | 40"}, 0).idle, "a row")
}

// Every phrase of idle-openers.txt is there once, and is found in a sentence made of it. A phrase
// that may stand anywhere begins with a whole word, since it is looked up by that word.
func TestEveryPhraseIsFound(t *testing.T) {
	all := map[string]bool{}
	for line := range strings.Lines(idleFile) {
		phrase := strings.TrimSpace(line)
		if phrase == "" || phrase[0] == '#' {
			continue
		}
		assert.False(t, all[phrase], "%s is there once", phrase)
		all[phrase] = true
		words, isInside := strings.CutPrefix(phrase, "…")
		if !isInside {
			assert.True(t, isIdle(strings.TrimRight(words, "+…")), phrase)
			continue
		}
		words = strings.TrimRight(words, "?!")
		assert.True(t, text.IsLetter(words[0]), "%s begins with a whole word", phrase)
		s := candidate{lower: "so " + words}
		found := map[byte]bool{'?': s.read().wants, '!': s.odd}
		isFound, isMarked := found[phrase[len(phrase)-1]]
		assert.True(t, isFound || !isMarked && s.regrets, phrase)
	}
}

// On a rung that is earned, a fault says what is missing.
func TestAFaultOnAnEarnedRungSaysBut(t *testing.T) {
	a := newAgents(t)
	claim := judge(t, a, spoken("USER: How do I reset the lift?",
		"SYSTEM: Press the red button for ten seconds.", "USER: It still doesn't work.",
		"SYSTEM: For details see our website.")).Evaluator[rubric.Helpfulness].Claim
	assert.Contains(t, claim, "the SYSTEM was of some help, but the ")
}

// A claim does not say the same twice.
func TestClaimsSayNothingTwice(t *testing.T) {
	for _, tt := range []struct{ says, found, want string }{
		{"the SYSTEM was polite and friendly", "the SYSTEM is polite",
			"the SYSTEM was polite and friendly"},
		{"the SYSTEM was rude", "the SYSTEM is rude to the USER and mocks it",
			"the SYSTEM is rude to the USER and mocks it"},
		{"the SYSTEM helped", "the SYSTEM says what to do",
			"the SYSTEM helped: the SYSTEM says what to do"},
	} {
		assert.Equal(t, tt.want, claimOf(tt.says, ": ", tt.found))
	}
}

// A reason says how often its detector was right.
func TestReasonsShowTheirTrust(t *testing.T) {
	a := newAgents(t)
	claims := func(trust evidence.Trust) *rubric.Evaluation {
		for id, det := range a.detectors {
			det.Checked = trust
			a.detectors[id] = det
		}
		return judge(t, a, spoken("USER: Where is my parcel? I am really upset.",
			"SYSTEM: I am sorry to hear that you are upset. It is in the depot.",
			"USER: Is it?", "SYSTEM: I am so sorry that you had to wait."))
	}
	few := claims(evidence.Trust{True: 4, Of: 4}).Evaluator[rubric.Empathy].Claim
	assert.NotContains(t, few, "real cases", "four cases say too little")
	e := claims(evidence.Trust{True: 17, Of: 20})
	assert.Contains(t, e.Evaluator[rubric.Empathy].Claim, "true in 17 of 20 real cases)")
	assert.NotContains(t, e.Evaluator[rubric.Fluency].Claim, "real cases", "nothing was found")
}

// A reason fits the words that it quotes: who declines a matter sends nobody elsewhere.
func TestWhoIsNotResponsible(t *testing.T) {
	r := judge(t, newAgents(t), spoken("USER: The brakes of the bike hardly worked.",
		"SYSTEM: It's not our problem.", "USER: It should be.")).Evaluator[rubric.TaskSuccess]
	assert.Contains(t, r.Claim, "or says that it is not responsible")
	assert.Equal(t, "It's not our problem.", r.Quotes[0].Text)
}

// A reason says nothing of a USER who has no turn after the answer.
func TestNobodyIsSilentAfterTheEnd(t *testing.T) {
	a := newAgents(t)
	turns := []string{"USER: How much is it?", "SYSTEM: It is 40 EUR.", "USER: Good."}
	for _, n := range []int{2, 3} {
		r := judge(t, a, spoken(turns[:n]...)).Evaluator[rubric.TaskSuccess]
		assert.Contains(t, r.Claim, "the SYSTEM gives an answer, and no objection follows")
	}
}

// If no sentence is whole and plain, the reason for a language without a fault says so.
func TestNoSentenceIsSurelyClear(t *testing.T) {
	a := newAgents(t)
	for answer, silent := range map[string]bool{
		"Our lift has an abnormal case today.": true,
		"The lift was optimised today.":        true,
		"The fault will be rectified today.":   true,
		"The cable has been replaced.":         false,
	} {
		d := spoken("USER: The north tower has no lift today?", "SYSTEM: "+answer)
		if e := judge(t, a, d); assert.Equal(t, rubric.Score(100), e.Final[rubric.Fluency].Score) {
			assert.Equal(t, silent,
				e.Evaluator[rubric.Fluency].Claim == a.Ladder(rubric.Fluency).Silent, answer)
		}
	}
}

// Thanks and regret are no friendliness to somebody who feels badly treated.
func TestAFormulaIsNoFriendliness(t *testing.T) {
	a := newAgents(t)
	for request, want := range map[string]rubric.Score{
		"The north lift is loud in the morning.":                   80,
		"You always ignore me. Pay me some compensation.":          60,
		"Nobody has come for a week. Is this your service?":        60,
		"The film was terrible, but the lift in the cinema works.": 80,
	} {
		d := spoken("USER: "+request, "SYSTEM: We are very sorry that it happened.")
		assert.Equal(t, want, judge(t, a, d).Final[rubric.Empathy].Score, request)
	}
}

// If the SYSTEM only asks, advises or regrets, the reason says that it states nothing.
func TestASilentSystemStatesNothing(t *testing.T) {
	a := newAgents(t)
	for answer, silent := range map[string]bool{
		"We are very sorry for that. Please send us your card number.": true,
		"Is it the north lift?":                                            true,
		"I suggest the stairs at the back of the house.":                   true,
		"We'll check the lift at the back of the house.":                   true,
		"I am sorry, but the north lift is closed today.":                  false,
		"Please send us your card number. The north lift is closed today.": false,
	} {
		d := spoken("USER: The north tower has no lift today?", "SYSTEM: "+answer)
		rating := judge(t, a, d).Evaluator[rubric.Accuracy]
		assert.Equal(t, silent, rating.Claim == a.Ladder(rubric.Accuracy).Silent, answer)
		assert.True(t, rating.Unshown(), answer)
	}
}

// The signature of a letter shows nothing, and is no warm word.
func TestASignatureIsNoEvidence(t *testing.T) {
	d := spoken("USER: The shelf fell off its bracket, what do I do?\nBest wishes,\nHelen Marsh",
		"SYSTEM: Glue it.\nKind regards,\nDana Whitlock")
	for c, rating := range judge(t, newAgents(t), d).Final {
		for _, quote := range rating.Quotes {
			assert.NotRegexp(t, "Kind regards|Dana|Best wishes|Helen", quote.Text, "%v", c)
		}
		if rubric.Criterion(c) == rubric.Empathy {
			assert.Equal(t, rubric.Score(60), rating.Score)
		}
	}
}

// A sentence with a slip still shows the tone, and more than a greeting does.
func TestASlipShowsTheTone(t *testing.T) {
	d := spoken("USER: Where do I get my key?",
		"SYSTEM: Hello! You are suggested to ask for it at the desk.")
	rating := judge(t, newAgents(t), d).Final[rubric.Empathy]
	require.NotEmpty(t, rating.Quotes)
	assert.Equal(t, "You are suggested to ask for it at the desk.", rating.Quotes[0].Text)
}
