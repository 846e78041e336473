package redact

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

func TestText(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		// What identifies a person is masked.
		{"Write to ann.lee+shop@example.co.uk, please.", "Write to [email], please."},
		{"it is ann dot lee at example dot com", "it is [email]"},
		{"mailto:bo@example.org!", "mailto:[email]!"},
		{"Call me on +44 20 7946 0958.", "Call me on [phone]."},
		{"Call me on +44 (0)20 7946 0958.", "Call me on [phone]."},
		{"my mobile: 07700 900123", "my mobile: [phone]"},
		{"(555) 010-4477 or 555-010-4477 or 555.010.4477", "[phone] or [phone] or [phone]"},
		{"1-800-555-0199 is free", "[phone] is free"},
		{"5552340199", "[phone]"},
		{"the number is 555-0199", "the number is [phone]"},
		{"my phone number is 5550199", "my phone number is [phone]"},
		{"card 4111 1111 1111 1111 expires 12/27", "card [card] expires [card]"},
		{"the card number 4111 1111 1111 1112 is mistyped", "the card number [card] is mistyped"},
		{"card 4111-1111-1111-1111 123", "card [card] 123"},
		{"4111111111111111", "[card]"},
		{"447700900417", "[phone]"}, // an ID
		{"IBAN GB82 WEST 1234 5698 7654 32", "IBAN [account]"},
		{"send it to DE89370400440532013000.", "send it to [account]."},
		{"send it to NO9386011117947.", "send it to [account]."}, // the shortest
		{"card 4111\u00a01111\u00a01111\u00a01111 is mine", "card [card] is mine"},
		{"send it to IBANDE89370400440532013000 5 days ago", "send it to IBAN[account] 5 days ago"},
		{"file where915747286/001/none of 212-555-0187", // its check digits are right
			"file where915747286/001/none of [phone]"},
		{"Joanna 555 0142", "Joanna [phone]"},
		{"Ticket 555 0142", "Ticket 555 0142"},
		{"my account number is 12345678", "my account number is [account]"},
		{"sort code 12-34-56 and account 87654321", "sort code [account] and account [account]"},

		// What looks similar but identifies nobody is not.
		{"order number 482913", "order number 482913"},
		{"48291377", "48291377"},
		{"1717171717123", "1717171717123"},
		{"4111111111111112", "4111111111111112"},
		{"my order 4829137 on my account", "my order 4829137 on my account"},
		{"booking reference 00481516", "booking reference 00481516"},
		{"at 10:30 on 2024-05-01", "at 10:30 on 2024-05-01"},
		{"call me on 01-05-2024 at 10", "call me on 01-05-2024 at 10"},
		{"from 1999 to 2004, or 1999-2004", "from 1999 to 2004, or 1999-2004"},
		{"it costs 1,234,567.89 euros, or $1200.00", "it costs 1,234,567.89 euros, or $1200.00"},
		{"The balance of your account is $2578.35, or £ 12345678",
			"The balance of your account is $2578.35, or £ 12345678"},
		{"The balance of my account is 250 000.", "The balance of my account is 250 000."},
		{"train TR4417 leaves at 9.45 from platform 11",
			"train TR4417 leaves at 9.45 from platform 11"},
		{"room 101, 102 and 103", "room 101, 102 and 103"},
		{"version 10.0.19041.1", "version 10.0.19041.1"},
		{"meet me @ 5", "meet me @ 5"},
		{"complaints go to @ Acme Station @ www.acme.example",
			"complaints go to @ Acme Station @ www.acme.example"},
		{"type your password or dial 10010", "type your password or dial 10010"},
		{"the password policy is Policy2024", "the password policy is Policy2024"},
		{"claim PW-3391 is open", "claim PW-3391 is open"},
		{"the password page shows 'access denied'", "the password page shows 'access denied'"},
		{"the password: take four words", "the password: take four words"},
		{"train TR5678 departs Broxbourne at 10:32", "train TR5678 departs Broxbourne at 10:32"},
		{"he acted at that point in time", "he acted at that point in time"},
		{`I liked "Born Free (1966)"`, `I liked "Born Free (1966)"`},
		{"the version of the app is 2.14.2.132", "the version of the app is 2.14.2.132"},
		{"I was at home. Dot by dot, at last.", "I was at home. Dot by dot, at last."},
		{"", ""},
	} {
		assert.Equal(t, tt.want, Text(tt.in), tt.in)
		assert.Equal(t, tt.want, Text(tt.want), "masking twice changes nothing")
	}
}

func TestAnAnswerIsReadWithItsQuestion(t *testing.T) {
	for _, tt := range []struct{ question, answer, want string }{
		{"What is your account number?", "It's 44120987.", "It's [account]."},
		{"Could I have a contact number?", "5550199", "[phone]"},
		{"How many?", "5550199", "5550199"},
		{"What is your phone number?", "My order is 44120987", "My order is 44120987"},
		{"What is your PIN?", "Sure, it's 4821.", "Sure, it's [secret]."},
		{"What is your PIN?", "four eight two one", "[secret]"},
		{"What is your PIN?", "I do not know it since 2019", "I do not know it since 2019"},
		{"Please read me the 6-digit code.", "482913", "[secret]"},
		{"Could you tell me the password?", "It's sunshine", "It's [secret]"},
		{"What's the password?", "It should be Blue-Lagoon-22.", "It should be [secret]."},
		{"Did you forget your password?", "Yes, I did.", "Yes, I did."},
		{"What is your password? Never mind.", "I forgot it", "I forgot it"},
		{"And your date of birth?", "4th of May 1979.", "[birthdate]."},
		{"May I have your date of birth?", "12/03/1985", "[birthdate]"},
		{"May I have your date of birth?", "the third of May, nineteen sixty-eight",
			"the [birthdate]"},
		{"What is your date of birth?", "September twentieth two thousand and four", "[birthdate]"},
		{"And your birthday?", "it's the ninth of June nineteen ninety", "it's the [birthdate]"},
		{"When was it delivered?", "the ninth of June nineteen ninety",
			"the ninth of June nineteen ninety"},
		{"Your passport number, please.", "That's C01X00T47.", "That's [id]."},
		{"And the account number?", "double 4 1 oh 7 3 treble 9", "[account]"},
		{"What is your PIN?", "oh 7 double 1", "[secret]"},
		{"What is your PIN?", "Oh, 4821", "Oh, [secret]"},
		{"What is your phone number?", "oh 7 9 triple 4 1 2 double 8 3", "[phone]"},
		{"How many rooms did you book?", "2 double and 3 triple, oh, 4 double rooms",
			"2 double and 3 triple, oh, 4 double rooms"},
		{"The code we texted to you, please.", "It says 208 771", "It says [secret]"},
		{"Please read out the code that we sent to your phone.", "660 198", "[secret]"},
		{"And the three digits on the back of your card, please?", "It's 402", "It's [secret]"},
		{"How many digits has the code we texted you?", "six", "six"},
		{"What is your social security number?", "078 05 1120", "[id]"},
		{"The last four of your social?", "That would be 1120.", "That would be [id]."},
		{"Can you read me the last 4 digits of the card?", "Yes. 4242.", "Yes. [card]."},
		{"And the CVV?", "It's 123", "It's [secret]"},
		{"And the expiry date of the card?", "09/27", "[card]"},
		{"The last four digits and the expiry date?", "It's 0366, 08/27", "It's [card], [card]"},
		{"Your email address?", "annlee at example.com", "[email]"},
		{"What is your zip code?", "90210", "90210"},
		{"Whats your mobil nubmer?", "0191 498 0442", "[phone]"},
		{"And the passcode you set?",
			"i think it was one nine seven seven", "i think it was [secret]"},
		{"What's the memorable word for telephone banking?", "bumblebee", "[secret]"},
		{"Which licence key did you enter?", "XK4TQ-9PLM2-77RVB-ZC3HD", "[secret]"},
		{"Please tell me the MAC of the receiver, it is printed below the serial.",
			"DC A6 32 0F 9B 71", "[mac]"},
		{"What is the number on your identity card?", "its L 01X 00T 47 1", "its [id]"},
		{"Can I have the verification code we just sent to your mobile?",
			"sure, its 559 020", "sure, its [secret]"},
		{"What token does the header carry?", "b1f0e2d94c7a45f88f01aa34cd56ef78", "[secret]"},
		{"And the expiry date?", "07/29", "[card]"},
		{"What's your account number?", "five double two, zero nine, seven one one", "[account]"},
		{"Which password did you use?", "Sommer2024", "[secret]"},
		{"And your secret answer?", "grandma's rose", "[secret]"},
		{"What is your PIN please?", "its 0 0 4 7", "its [secret]"},
		{"Could you read me the six digits from the app?", "118 904", "[secret]"},
		{"Which IBAN should we use?", "DE89 3704 0044 0532 0130 00", "[account]"},
		{"Please enter the OTP", "55 81 92", "[secret]"},
		{"What code did you receive?", "8842", "[secret]"},
		{"Can you tell me the CVV2?", "yes, 771", "yes, [secret]"},
		{"What's the API key you are sending?", "sk9f8a7c6b5d4e3f2a1b", "[secret]"},
		{"What is your tax ID?", "81 872 495 633", "[id]"},
		{"And the number of your residence permit?", "YX 8812 0034", "[id]"},
		{"What is the wifi password on the sticker?", "hX7-pqR-22kL", "[secret]"},
		{"what do you have as your security word?",
			"it should be blackbird", "it should be [secret]"},
		{"Please confirm the last four digits of your SSN.", "4 4 1 9", "[id]"},
		{"Can I have the 3-digit number on the back?", "906", "[secret]"},
		{"What is the puk?", "8812 4430", "[secret]"},
		{"When does your card expire?", "march 2028", "[card]"},
		{"Which password manager do you use?", "bitwarden 2024.6", "bitwarden 2024.6"},
		{"What code do I have to enter?", "you don't need one", "you don't need one"},
		{"What does it cost?", "1200", "1200"},
		{"Which key do I press?", "F12", "F12"},
		{"Is that the code on the box?", "yes B-220", "yes B-220"},
		{"Can I have your name?", "Peter Marlow", "Peter Marlow"},
		{"What is your post code?", "SW1A 1AA", "SW1A 1AA"},
		{"And the invoice number?", "RE 2024 00017", "RE 2024 00017"},
		{"Which card do you want to play?", "queen of hearts", "queen of hearts"},
		{"When does your contract expire?", "12/2026", "12/2026"},
		{"When does your subscription end?", "june 2027", "june 2027"},
		{"What is the code of the colour?", "RAL 7016", "RAL 7016"},
		{"What was the error code?", "0x8007", "0x8007"},
		{"How long is your PIN?", "6 digits", "6 digits"},
		{"What floor is the ID office?", "4", "4"},
		{"Which account plan?", "premium 2024", "premium 2024"},
		{"What is the promo code?", "SAVE20", "SAVE20"},
		{"What do you get when you enter the code?", "error 1042", "error 1042"},
		{"Which security update did you install?", "KB5031445", "KB5031445"},
		{"Do you have your card with you?", "yes, two of them", "yes, two of them"},
		{"Did you check your date of birth in the form?", "yes 3 times", "yes 3 times"},
		{"Can you describe the key?", "silver, 5 cm long", "silver, 5 cm long"},
		{"How can I help with your password?", "I want a longer one", "I want a longer one"},
		{"Which token do I put in the machine?", "the 2 euro one", "the 2 euro one"},
		{"Please confirm your order.", "2 x 4410", "2 x 4410"},
		{"What is the number of your flight?", "LH 4410", "LH 4410"},
		{"What day is the exam?", "12 june", "12 june"},
		{"What is the best email?", "nina88 at posteo dot de", "[email]"},
		{"And your e-mail, letter by letter?", "t o m dot b r o w n at aol dot com", "[email]"},
		{"Which number should we text?",
			"oh one six one, four nine six, oh seven three three", "[phone]"},
		{"What are the three digits on the back?", "four one nine", "[secret]"},
		{"Sort code?", "twenty, forty five, seventy seven", "[account]"},
		{"account no?", "its 8839 2015", "its [account]"},
		{"What was the password you tried?", "i think Falcon99", "i think [secret]"},
		{"Password?", "correcthorse", "[secret]"},
		{"What is the answer to your security question?", "Rex", "[secret]"},
		{"Type in the code from the SMS.", "K4-88-ZP", "[secret]"},
		{"Could you read out the token on your key fob?", "229 401", "[secret]"},
		{"did you get a code?", "yes 331207", "yes [secret]"},
		{"Could you share the client secret?", "vT8~kk2.LmQ0-xx91Zz", "[secret]"},
		{"What key is in your config?", "it's AbC123dEf456GhI789", "it's [secret]"},
		{"birth date?", "01.02.1999", "[birthdate]"},
		{"Your NHS number please", "485 777 3456", "[id]"},
		{"What's the number of your passport?", "C01 X00 T47", "[id]"},
		{"driver's license?", "S530-4607-9012", "[id]"},
		{"What MAC does the label show?", "001B.4411.3AB7", "[mac]"},
		{"Your public IP?", "eighty one dot two dot sixty nine dot one four two", "[ip]"},
		{"Which key feature matters most?", "120 hz and HDR1000", "120 hz and HDR1000"},
		{"Do you have a token for the washer?", "2 of them", "2 of them"},
		{"Have you tried the key combination?", "ctrl alt F12", "ctrl alt F12"},
		{"What code language do you use?", "PYTHON3", "PYTHON3"},
		{"What is the dress code?", "casual", "casual"},
		{"Did the code arrive?", "nope, 3 days now", "nope, 3 days now"},
		{"Is there a code on the order?", "yes ABC-123", "yes ABC-123"},
		{"What is your account type?", "BASIC2024", "BASIC2024"},
		{"How many cards do you have?", "3", "3"},
		{"Which pin is bent?", "pin 14 and pin 17", "pin 14 and pin 17"},
		{"What is the security level?", "WPA2", "WPA2"},
		{"Which secret menu item?", "number 7", "number 7"},
		{"Is your password long enough?", "it has 12", "it has 12"},
		{"Can you access your account?", "Yes.", "Yes."},
		{"Did you forget your password?", "Nope", "Nope"},
		{"Do you remember the answer to your security question?", "Sadly no", "Sadly no"},
		{"Would you like a password reset link?", "Sure thing", "Sure thing"},
		{"Should I reset your password?", "Please do", "Please do"},
		{"What happened with your password?", "Nothing works", "Nothing works"},
		{"Where did you enter the password?", "website", "website"},
		{"Who else knows the password?", "my wife", "my wife"},
		{"When did you change your password?", "Monday", "Monday"},
		{"How did you pay?", "with my card, 4 instalments", "with my card, 4 instalments"},
		{"When was the card charged?", "07/26", "07/26"},
		{"Which month does the card bill?", "june", "june"},
		{"What is your card limit?", "5000", "5000"},
		{"Which bank is your account with?", "Barclays", "Barclays"},
		{"What is the expiry of the offer?", "12/26", "12/26"},
		{"Which MAC do you own?", "macbook pro 2021", "macbook pro 2021"},
		{"Which passport photo size?", "35 x 45", "35 x 45"},
		{"What is the speed of your account?", "250 Mbit", "250 Mbit"},
		{"What ID does the page ask for?", "passport or licence", "passport or licence"},
		{"Which birthday cake would you like?", "number 4, chocolate", "number 4, chocolate"},
		{"Which mobile do you have?", "galaxy s23", "galaxy s23"},
		{"Which phone model is it?", "SM-G991B", "SM-G991B"},
		{"Do you have an account number?", "no", "no"},
		{"mobile number?", "oh seven seven oh oh, nine double oh, one two three", "[phone]"},
		{"can you give me the expiration?", "it's nov 2029", "it's [card]"},
		{"and CVC please", "zero nine four", "[secret]"},
		{"what is your iban", "nl 91 abna 0417 1643 00", "[account]"},
		{"and the security phrase?", "silver lining", "[secret]"},
		{"log in with jens.t", "pw Zugspitze9", "pw [secret]"},
		{"Whats the password of the router?", "its printed, qT7-99x-PPl", "its printed, [secret]"},
		{"Your voice password, please", "lighthouse", "[secret]"},
		{"We emailed you a code, what is it?", "QF-7719", "[secret]"},
		{"code?", "6651", "[secret]"},
		{"Which api token do you send", "tok-88f7a6b5c4d3", "[secret]"},
		{"When were you born?", "5 5 71", "[birthdate]"},
		{"Passport please?", "XR 90 221 8", "[id]"},
		{"What's the MAC id of the printer", "00-80-92-aa-01-fe", "[mac]"},
		{"What is the phrase on the poster?", "keep calm and carry on", "keep calm and carry on"},
		{"Which recovery phrase page?", "the second page please", "the second page please"},
		{"What did the text say?", "see you at 10 15", "see you at 10 15"},
		{"what is the problem with the account", "it shows 4410 twice", "it shows 4410 twice"},
		{"what do you want", "2 tickets for 30 june", "2 tickets for 30 june"},
		{"What is the card for?", "25 years of service", "25 years of service"},
		{"what colour is the card", "RED2000", "RED2000"},
		{"How old is the account?", "12 years", "12 years"},
		{"What does the card cost?", "49 a year", "49 a year"},
		{"What do you need the code for?", "project 2024", "project 2024"},
		{"Which account do you mean?", "premium", "premium"},
		{"Do you have a receipt number?", "4410 2231", "4410 2231"},
		{"please give me the order code", "AB-4410", "AB-4410"},
		{"please describe the key problem", "printer jams 3 times", "printer jams 3 times"},
		{"What is your date of arrival?", "12 june 2026", "12 june 2026"},
		{"Which date of birth format?", "dd mm yyyy", "dd mm yyyy"},
		{"Please confirm the delivery date", "14.05.2026", "14.05.2026"},
		{"What email did you sign up with?", "j o n e s y 4 4 at icloud dot com", "[email]"},
		{"Read me the code from the app please", "44 81 07", "[secret]"},
		{"What is your driving licence number?", "its MORGA 657054 SM9IJ", "its [id]"},
		{"Which account number should we pay into?", "3 1 5 5 0 9 2 8", "[account]"},
		{"For security, what's your mother's maiden name or the secret word?",
			"pineapple", "[secret]"},
		{"Could you give me your customer PIN?", "64 02", "[secret]"},
		{"What is the expiration date on the card?", "it says october 2026", "it says [card]"},
		{"I sent the passwords.", "4821", "4821"},
		{"For security, what is the name of your first school?", "St Cuthbert's",
			"[secret]"},
		{"Security check: your first pet?", "it was called biscuit", "it was called [secret]"},
		{"And which city were you born in? I mean, which town were you born in?",
			"I think it was Market Harborough.", "I think it was [secret]."},
		{"What was the name of your first pet?", "I don't know", "I don't know"},
		{"What was the name of your first pet?", "Why do you ask?", "Why do you ask?"},
		{"What was the name of your first order?", "Blue Lamp", "Blue Lamp"},
		{"And the last four?", "4410, valid to 05/29", "[id], valid to [card]"},
		{"What is your OIB?", "33190047718", "[id]"},
		{"I need the number of your account.", "HB-22834", "[account]"},
		{"Now your account number.", "48213377", "[account]"},
		{"Now your account number.", "HB-22834", "[account]"},
		{"Just the account then.", "HB-22834", "[account]"},
		{"Your contact number", "48213377", "[phone]"},
		{"Then I only lack your phone number.", "48213377", "[phone]"},
		{"Phone number for the courier.", "555 1234", "[phone]"},
		{"We will call you on the phone number.", "that is 5551234", "that is [phone]"},
		{"I see your account here.", "48213377 right?", "[account] right?"},
		{"I see your account here.", "Yes, my account you mentioned is 48213377.",
			"Yes, my account you mentioned is [account]."},
		{"I see your account here.", "My account is HB-22834.", "My account is [account]."},
		{"The parcel is not in my account.", "I have your return under HB-82146.",
			"I have your return under HB-82146."},
		{"I have found your account.", "HB-22834 is the trip I mean.",
			"HB-22834 is the trip I mean."},
	} {
		turns := dialogueTurns([]dialogue.Turn{{Role: dialogue.System, Text: tt.question},
			{Role: dialogue.User, Text: tt.answer}})
		assert.Equal(t, tt.want, turns.all[1].masked, tt.question)
	}
}

// A number that is masked once is masked wherever it is repeated, also in other groups and in a
// model's answer, whose words say less about it.
func TestANumberIsMaskedWhereverItOccurs(t *testing.T) {
	turns := dialogueTurns([]dialogue.Turn{
		{Role: dialogue.System, Text: "So you are 441 209 87?"},
		{Role: dialogue.User, Text: "What?"},
		{Role: dialogue.System, Text: "Your account number, please."},
		{Role: dialogue.User, Text: "44120987, or mail 1234@example.org. I paid 1234 pounds."},
	})
	assert.Equal(t, "So you are [account]?", turns.all[0].masked)
	assert.Equal(t, "[account], or mail [email]. I paid 1234 pounds.", turns.all[3].masked)
	assert.Equal(t, `{"why":"USER gives [account]"}`, turns.text(`{"why":"USER gives 4412-0987"}`))
	assert.Equal(t, "order 44120988 stays, and so does 1234",
		turns.text("order 44120988 stays, and so does 1234"))
}

// A secret is masked wherever the dialogue repeats it, even where nothing announces it.
func TestASecretIsMaskedWhereverItIsRepeated(t *testing.T) {
	turns := dialogueTurns([]dialogue.Turn{
		{Role: dialogue.User, Text: "I typed sunshine, and hunter2 before."},
		{Role: dialogue.System, Text: "What is your password?"},
		{Role: dialogue.User, Text: "sunshine"},
		{Role: dialogue.System, Text: "And before?"},
		{Role: dialogue.User, Text: "The old password was hunter2. The PIN is 4821."},
		{Role: dialogue.System, Text: "So sunshine or 4821? Sunshines are fine."},
	})
	assert.Equal(t, "I typed [secret], and [secret] before.", turns.all[0].masked)
	assert.Equal(t, "So [secret] or [secret]? Sunshines are fine.", turns.all[5].masked)
	assert.Equal(t, `{"why":"USER says [secret]"}`, turns.text(`{"why":"USER says hunter2"}`))
}

// The same speaker may say something else before the answer.
func TestAnAnswerMayComeLater(t *testing.T) {
	turns := dialogueTurns([]dialogue.Turn{
		{Role: dialogue.System, Text: "What is your PIN?"},
		{Role: dialogue.User, Text: "One second."},
		{Role: dialogue.User, Text: "4821"},
	})
	assert.Equal(t, "[secret]", turns.all[2].masked)
	turns = dialogueTurns([]dialogue.Turn{
		{Role: dialogue.User, Text: "This is about my account."},
		{Role: dialogue.User, Text: "It is 77120934."},
	})
	assert.Equal(t, "It is [account].", turns.all[1].masked, "the same speaker goes on")
	turns = dialogueTurns([]dialogue.Turn{
		{Role: dialogue.System, Text: "I can see your account here."},
		{Role: dialogue.User, Text: "It is about my other account."},
		{Role: dialogue.User, Text: "The one is HB-22834."},
	})
	assert.Equal(t, "The one is [account].", turns.all[2].masked)
}

// These forms were promised and missed once.
func TestPromisedForms(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"I changed my password from Blue42Sky to Red43Sea",
			"I changed my password from [secret] to [secret]"},
		{"it's hunter22, that's my password", "it's [secret], that's my password"},
		{"My password, which I set yesterday, is Blue42Sky",
			"My password, which I set yesterday, is [secret]"},
		{"I tried Blue42Sky as my password", "I tried [secret] as my password"},
		{"I set Cactus41Rain as the wifi password", "I set [secret] as the wifi password"},
		{"Passphrase: correct horse battery staple", "Passphrase: [secret]"},
		{"the code you texted me is 839201", "the code you texted me is [secret]"},
		{"4111 1111 and then 1111 1111", "[card]"},
		{"4111 1111\n1111 1111", "[card]"},
		{"visa4111111111111111", "visa[card]"},
		{"1984-03-14 is my birth date", "[birthdate] is my birth date"},
		{"born on 4th of March '85", "born on [birthdate]"},
		{"born March 4th ’85", "born [birthdate]"},
		{"date of birth: 4/3/'85", "date of birth: [birthdate]"},
		{"ordered on 4th of March '85", "ordered on 4th of March '85"},
		{"its MAC is aa:bb:cc:dd:ee:ff", "its MAC is [mac]"},
		{"DE-AD-BE-EF-CA-FE", "[mac]"},
		{"aa:bb:cc:dd:ee", "aa:bb:cc:dd:ee"},
		{"visit face.cafe.babe", "visit face.cafe.babe"},
		{"NIE X1234567L", "NIE [id]"},
		{"hf\u005fabcdEFGHijklMNOPqrstUVWXyzabCDEFGH", "[secret]"},
		{"IBAN GB82 WEST 1234\n5698 7654 32", "IBAN [account]"},
		{"the one-time code I just got is 558 213", "the one-time code I just got is [secret]"},
		{"your verification code arrived: 914402", "your verification code arrived: [secret]"},
		{"G-482913 is your Google verification code",
			"[secret] is your Google verification code"},
		{"4829 is what I paid for the security code", "4829 is what I paid for the security code"},
		{"my pin board arrived with 1500 pins", "my pin board arrived with 1500 pins"},
		{"write to me at tom dot baker at outlook dot com", "write to me at [email]"},
		{"9th at Charles de Gaulle. Bye, email me", "9th at Charles de Gaulle. Bye, email me"},
		{"mein Geburtsdatum ist der 3. Mai 1988", "mein Geburtsdatum ist der [birthdate]"},
	} {
		assert.Equal(t, tt.want, Text(tt.in), tt.in)
	}
}

func TestANumberBelongsToTheSubjectOfItsSentence(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"My contact number is 0664 1234567 and the model number is 40021 88",
			"My contact number is [phone] and the model number is 40021 88"},
		{"My contact number for questions on the model number is 0664 1234567",
			"My contact number for questions on the model number is [phone]"},
		{"My contact number, not the model number, is 0664 1234567",
			"My contact number, not the model number, is [phone]"},
		{"The mobile number on order number 4002188 is 664 1234567",
			"The mobile number on order number 4002188 is [phone]"},
		{"My phone number is on the order, number 4002188",
			"My phone number is on the order, number 4002188"},
		{"Call me back, the order number is 4002188", "Call me back, the order number is 4002188"},
		{"number of my office: 664 1234567", "number of my office: [phone]"},
		{"The number of users was 12 345 678 last year",
			"The number of users was 12 345 678 last year"},
		{"The number on my account should be (646) 555-0199",
			"The number on my account should be [account]"},
		{"I changed it from Blue42Sky to Red43Sea, my password",
			"I changed it from [secret] to [secret], my password"},
	} {
		assert.Equal(t, tt.want, Text(tt.in), tt.in)
	}
}

func TestSizesAreNoTelephoneNumber(t *testing.T) {
	for _, s := range []string{"It comes in 36 38 40 42", "We have 600 610 620 and 630 in stock"} {
		assert.Equal(t, s, Text(s))
	}
	assert.Equal(t, "It comes in [phone]", Text("It comes in 36 38 41 42"), "no equal steps")
}

func TestACardNumberMayBeSaidInTwoTurns(t *testing.T) {
	turns := dialogueTurns([]dialogue.Turn{
		{Role: dialogue.User, Text: "It starts with 4532 0158."},
		{Role: dialogue.System, Text: "Go on. That was 1234 5678 before."},
		{Role: dialogue.User, Text: "7766 3499"},
	})
	assert.Equal(t, "It starts with [card].", turns.all[0].masked)
	assert.Equal(t, "Go on. That was 1234 5678 before.", turns.all[1].masked)
	assert.Equal(t, "[card]", turns.all[2].masked)
}

// If the SYSTEM asked for it, the card number need not be valid.
func TestACardNumberMayBeSaidInSeveralTurns(t *testing.T) {
	const asks = "What is your card number?"
	for _, tt := range []struct {
		question string
		answers  []string
		want     string
	}{
		{"Hello!", []string{"5555 5555", "5555", "4444 and exp 09/29"},
			"[card]|[card]|[card] and exp [card]"},
		{"Hello!", []string{"5555 5555", "5555", "4445"}, "5555 5555|5555|4445"},
		{asks, []string{"5555 5555", "5555", "4445"}, "[card]|[card]|[card]"},
		{asks, []string{"5555", "5555", "5555", "4445"}, "[card]|[card]|[card]|[card]"},
		{asks, []string{"5555 5555"}, "5555 5555"},
		{"Do you pay by card?", []string{"yes, for order 7712 8890", "7713 4406"},
			"yes, for order 7712 8890|7713 4406"},
		{"What is your order number?", []string{"5555 5555", "5555", "4445"},
			"5555 5555|5555|4445"},
	} {
		turns := []dialogue.Turn{{Role: dialogue.System, Text: tt.question}}
		for _, answer := range tt.answers {
			turns = append(turns, dialogue.Turn{Role: dialogue.User, Text: answer},
				dialogue.Turn{Role: dialogue.System, Text: "Yes?"})
		}
		var got []string
		for i, m := range dialogueTurns(turns).all {
			if i%2 == 1 {
				got = append(got, m.masked)
			}
		}
		assert.Equal(t, tt.want, strings.Join(got, "|"))
	}
}

// The SYSTEM may ask for the rest of a number.
func TestTheSecondHalfOfANumberIsMasked(t *testing.T) {
	for _, tt := range []struct{ question, first, rest, second string }{
		{"Your account number?", "first half is 4410", "And the second half?", "7781"},
		{"Which account?", "it starts with 6612", "and then?", "0943"},
		{"What is the IBAN?", "DE12 5001 0517", "Go on, please.", "5407 3249 31"},
	} {
		turns := dialogueTurns([]dialogue.Turn{
			{Role: dialogue.System, Text: tt.question}, {Role: dialogue.User, Text: tt.first},
			{Role: dialogue.System, Text: tt.rest}, {Role: dialogue.User, Text: tt.second},
		})
		assert.Contains(t, turns.all[1].masked, "[account]")
		assert.Equal(t, "[account]", turns.all[3].masked)
	}
}

// A misspelled word is read as the nearest cue, but an ordinary word is not.
func TestAMisspelledCueIsRead(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"pasword", "password"}, {"accuont", "account"}, {"verfication", "verification"},
		{"febuary", "february"}, {"septmber", "september"}, {"bornn", "born"},
		{"dateofbirth", "dateofbirth"}, {"acountnumber", "accountnumber"}, {"numbr", "number"},
		{"experation", "expiration"}, {"passed", "passed"}, {"cookies", "cookies"},
		{"drives", "drives"}, {"lassword", "lassword"}, {"cad", "cad"}, {"passw0rd", "passw0rd"},
	} {
		got, _ := words().read(tt.in)
		assert.Equal(t, tt.want, got)
	}
}

// A model's answer is JSON, in which a word may follow an escape directly.
func TestAModelsAnswerIsMasked(t *testing.T) {
	turns := dialogueTurns([]dialogue.Turn{{Role: dialogue.User, Text: "The password is hunter2."}})
	assert.Equal(t, `{"why":"USER says:\n[phone]\t[email]\n[secret]\"","path":"C:\\new"}`,
		turns.json(`{"why":"USER says:\n4155550123\tann@example.org\nhunter2\"","path":"C:\\new"}`))
}

func TestFold(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain text", "plain text"},
		{"４１５－５５５", "415-555"},
		{"𝟜𝟙𝟝 ①⑤", "415 15"},
		{"a\u200bb\u00adc\u2060d\ufeffe", "abcde"},
		{"415–555—0123−4‑5", "415-555 0123-4-5"},
		{"contraseña, Müller, ﬁn", "contrasena, Muller, fin"},
		{"ann＠example．com", "ann@example.com"},
		{"a\u00a0b\u2003c\u3000d", "a b c d"},
		{"4\ufe0f\u20e31\ufe0f\u20e3", "41"},
		{"\xff bad", "\ufffd bad"},
	} {
		f := fold(tt.in)
		assert.Equal(t, tt.want, f.s, tt.in)
		assert.Len(t, f.low, len(f.s))
		start, end := f.place(0, len(f.s))
		assert.Equal(t, tt.in, tt.in[start:end], "all is all")
	}
	f := fold("xﬁy")
	start, end := f.place(1, 2)
	assert.Equal(t, "ﬁ", f.original[start:end], "half a ligature is the whole of it")
}

func TestWordsFile(t *testing.T) {
	for line := range strings.Lines(wordsFile) {
		name, list, ok := strings.Cut(line, ":")
		isOther := slices.Contains([]string{"prefix", "parameter", "sign", "form", "tld",
			"double", "triple"}, name) || isDigit(name[0])
		if !ok || name[0] == '#' {
			continue
		}
		assert.True(t, isOther || kindsOf(name) != 0, "the kind %s is known", name)
		for p := range strings.SplitSeq(list, ",") {
			assert.NotEmpty(t, strings.TrimSpace(p), line)
		}
	}
	for _, f := range words().forms {
		for _, region := range f.regions {
			assert.NotZero(t, phonenumbers.GetCountryCodeForRegion(region), region)
		}
	}
}

// Rows name kinds and checks that exist: unknown ones would be left out, and nothing would say so.
func TestRowsNameKnownKinds(t *testing.T) {
	for _, m := range regexp.MustCompile(`\b(?:cue|needs|with|unless): '?([a-z,]+)`).
		FindAllStringSubmatch(string(rowsFile), -1) {
		for name := range strings.SplitSeq(m[1], ",") {
			assert.NotZero(t, kindsOf(name), name)
		}
	}
	all, _ := rows()
	for _, r := range all {
		assert.True(t, r.check != nil || r.Check == "", "the check %s exists", r.Check)
	}
}

func TestAQuoteIsMaskedAsItsTurnIs(t *testing.T) {
	const turn = "You reach me on 555-010-4477, or at bo@example.org after six."
	m := newText(turn, "").maskKnown(knownData{})
	require.Equal(t, "You reach me on [phone], or at [email] after six.", m.masked)
	for _, tt := range []struct{ quote, want string }{
		{turn, m.masked},
		{"You reach me", "You reach me"},
		{"me on 555-010-4477", "me on [phone]"},
		{"me on 555…", "me on [phone]…"},
		{"4477, or at bo", "[phone], or at [email]"},
		{"010", "[phone]"},
		{"after six.", "after six."},
		{"at bo@example.org after six.", "at [email] after six."},
		{"words of nobody, 555-010-4477", "words of nobody, [phone]"},
	} {
		assert.Equal(t, tt.want, maskedTurns{all: []*text{m}}.quote(1, tt.quote), tt.quote)
	}
}

func TestRecordMasksAllThatIsWritten(t *testing.T) {
	const secret = "5552340199"
	d := dialogue.Dialogue{ID: 1, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "My number is " + secret + ", thanks."},
		{Role: dialogue.System, Text: "I noted " + secret + "."},
	}}
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: 80, Claim: "the SYSTEM notes " + secret,
			Quotes: []rubric.Quote{{Turn: 2, Text: d.Turns[1].Text}}}
	}
	var critique rubric.Critique
	critique[rubric.Accuracy] = rubric.Objection{Suggested: 60, Claim: "but " + secret,
		Quotes: []rubric.Quote{{Turn: 1, Text: "number is " + secret}}}
	c := rubric.Case{Dialogue: d,
		Signals: []rubric.Signal{{ID: "reaction-corrects", Criteria: rubric.SetOf(rubric.Accuracy),
			Turn: 1, Points: -100, Start: 3, End: 9}}}
	e, err := rubric.Default().Settle(c, card, critique)
	require.NoError(t, err)
	require.Equal(t, rubric.Contradicted, e.Rulings[rubric.Accuracy].ID)

	r := run.New(dialogue.Sample{
		Dialogue: d,
		Truth:    dialogue.Truth{Labels: []string{"phone=" + secret, ""}},
		Source: dialogue.Source{File: "chat with " + secret + ".txt", Format: importer.Chat,
			ID: secret,
			Meta: dialogue.Meta{{Name: "account_no", Value: "20481177"},
				{Name: "agent", Value: "Ann, " + secret}, {Name: "case", Value: "20481177"}}},
	})
	r.Evaluation, r.Estimate = e, satisfaction.DefaultProfile().Estimate(e)
	r.Reasons = []satisfaction.Reason{{Points: -9, Turn: 1, What: "number " + secret,
		Quote: d.Turns[0].Text}}
	original := r.Source.Digest
	before := string(r.Append(nil))
	Record(r)
	line := string(r.Append(nil))
	assert.NotContains(t, line, secret)
	assert.Equal(t, strings.Count(before, secret), strings.Count(line, maskPhone))
	assert.NotEqual(t, original,
		r.Source.Digest, "a digest of the words would let guesses be tested")
	assert.Equal(t, r.Dialogue.Digest(), r.Source.Digest)
	assert.Equal(t,
		dialogue.Meta{{Name: "account_no",
			Value: "[account]"}, {Name: "agent", Value: "Ann, " + maskPhone},
			{Name: "case", Value: "20481177"}}, r.Source.Meta)
	assert.Contains(t, d.Turns[0].Text, secret, "the sample itself is left alone")
	assert.Contains(t, e.Evaluator[0].Claim, secret, "and so is the evaluation")

	got, err := run.Line{Text: []byte(line),
		Header: &run.Header{Basis: run.DefaultBasis()}}.Decode()
	require.NoError(t, err)
	for _, r := range got.Evaluation.Final {
		for _, q := range r.Quotes {
			assert.True(t, q.Verify(got.Dialogue), "%q is still in its turn", q.Text)
		}
	}
	assert.Equal(t, rubric.Contradicted, got.Evaluation.Rulings[rubric.Accuracy].ID)
}

// askedAbout are questions whose answers are masked.
var askedAbout = []string{"", "What is your phone number?", "Your password?", "The PIN, please.",
	"Which card, and when does it expire?", "May I have your date of birth?"}

func FuzzMasked(f *testing.F) {
	f.Add("call 555-010-4477 or bo@example.org", uint8(3), uint8(9))
	f.Add("4111 1111 1111 1111 GB82 WEST 1234 5698 7654 32", uint8(0), uint8(40))
	f.Add("ann dot lee at example dot com 0770090012 3", uint8(5), uint8(200))
	for _, part := range hostile {
		f.Add(part+part+part, uint8(len(part)), uint8(9))
	}
	f.Fuzz(func(t *testing.T, s string, from, length uint8) {
		asked := newText(askedAbout[int(from)%len(askedAbout)], "").about(true)
		m := newText(s, asked).maskKnown(knownData{})
		end := 0
		for _, sp := range m.spans {
			require.LessOrEqual(t, end, sp.start, "spans overlap")
			require.Less(t, sp.start, sp.end)
			end = sp.end
		}
		require.LessOrEqual(t, end, len(s))
		start := min(int(from), len(s))
		quote := s[start:min(start+int(length), len(s))]
		if quote != "" && !strings.HasSuffix(quote, "…") {
			masked := maskedTurns{all: []*text{m}}.quote(1, quote)
			assert.Contains(t, m.masked, masked, "a quote is no longer in its turn")
		}
	})
}

func TestANumberThatWasSaidIsMaskedInMetadataToo(t *testing.T) {
	r := run.New(dialogue.Sample{
		Dialogue: dialogue.Dialogue{ID: 1, Turns: []dialogue.Turn{
			{Role: dialogue.System, Text: "What is your account number?"},
			{Role: dialogue.User, Text: "20481177"},
		}},
		Source: dialogue.Source{Meta: dialogue.Meta{{Name: "case", Value: "20481177"},
			{Name: "order", Value: "20481178"}}},
	})
	Record(r)
	assert.Equal(t,
		dialogue.Meta{{Name: "case",
			Value: "[account]"}, {Name: "order", Value: "20481178"}}, r.Source.Meta)
}

func TestMessagesMaskIDsOfDigits(t *testing.T) {
	assert.Equal(t, `a.csv: dialogue [phone]: no "[phone]", and order 12 of 1234567`,
		Message(`a.csv: dialogue 447700900417: no "447700900418", and order 12 of 1234567`))
}

// An output is called redacted if it is masked now, or if any of its runs was.
func TestNotes(t *testing.T) {
	masked := &run.Header{}
	masked.Configuration.Redacted = true
	assert.Empty(t, Notes(false, &run.Header{}))
	assert.Len(t, Notes(false, &run.Header{}, masked), 1)
	assert.Equal(t, Notes(true), Notes(false, masked))
}
