package heuristics

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/talk"
	"assize/rubric"
)

// The last state of a request that anybody reports decides, whatever came before it and whatever
// pleasantries follow.
func TestRequests(t *testing.T) {
	a := newAgents(t)
	for _, test := range []struct{ reason, want, dialogue string }{
		{"a polite goodbye is no success", "failed", `
USER: Can you get me a seat on the noon ferry?
SYSTEM: I'm sorry, your booking request was unsuccessful.
USER: That's okay. Thanks, have a nice day!`},
		{"a success follows trouble", "confirmed", `
USER: My scanner is dead.
SYSTEM: Please unplug it for a minute.
USER: Still nothing.
SYSTEM: Then press the reset button at the back.
USER: The problem is solved, thank you.`},
		{"what could not be booked failed, whatever is offered next", "failed", `
USER: Please book me a haircut at ten.
SYSTEM: Sorry, the haircut could not be booked. Is there anything else you need?
USER: No, thanks though.`},
		{"a no about a fact is an answer", "answered", `
USER: Could you tell me if parking costs extra?
SYSTEM: No, it is free.
USER: Good.`},
		{"a refusal says of nothing else that it is done", "refused", `
USER: Can you cancel the lid?
SYSTEM: You can't cancel, it's already shipped.`},
		{"a refusal with another deed is done", "done", `
USER: Please cancel the lid.
SYSTEM: I can't cancel it, but I've refunded the lid.`},
		{"another deed after a refusal, whatever is said before", "done", `
USER: Please cancel the lid.
SYSTEM: I have checked it for you. I can't cancel it, but I've refunded the lid.`},
		{"another deed after a refusal, whatever is said before", "done", `
USER: Please cancel the lid.
SYSTEM: So, I looked. I can't cancel it, but I've refunded the lid.`},
		{"another deed after a refusal, whatever is said before", "done", `
USER: Please cancel the lid.
SYSTEM: I'm sorry, but it is late. I can't cancel it, but I've refunded the lid.`},
		{"a deed in a clause of its own explains no refusal", "done", `
USER: Please exchange the lid.
SYSTEM: I can't exchange it and the lid has been refunded.`},
		{"a deed in the reason for a refusal", "refused", `
USER: Can you change the lid?
SYSTEM: You can't change it, it was packed and has been shipped.`},
		{"another cancellation than of what was sent", "done", `
USER: I had to cancel my holiday, so please send my lamp soon.
SYSTEM: It has been shipped today.
USER: Wonderful, thank you!`},
		{"a cancellation only in case it is not sent", "done", `
USER: If it takes long I will cancel. Could you please ship my chair today?
SYSTEM: It has been shipped today.`},
		{"a wish to cancel only in case it is not sent", "done", `
USER: If it takes long I want to cancel. Where is my chair?
SYSTEM: It has been shipped today.`},
		{"what is sent after a cancellation", "done", `
USER: Please cancel my lamp.
SYSTEM: Your lamp has been cancelled.
USER: And please send my chair today.
SYSTEM: It has been shipped today.`},
		{"money is not what is sent", "failed", `
USER: Please cancel my lamp and send my money back.
SYSTEM: It has been shipped today.`},
		{"a cancellation that is asked for later", "failed", `
USER: I had to cancel my holiday. Where is my lamp?
SYSTEM: Could you tell me your order number?
USER: It is 4417. Can I still cancel it?
SYSTEM: It has been shipped today.`},
		{"what has left is not cancelled", "failed", `
USER: I want to cancel the lid.
SYSTEM: It's already shipped.`},
		{"no idea is no answer", "-", `
USER: When do I get my deposit back?
SYSTEM: No idea.`},
		{"nor is it if it is polite", "-", `
USER: When do I get my deposit back?
SYSTEM: I don't know.`},
		{"not sure, and then an answer", "answered", `
USER: When do I get my deposit back?
SYSTEM: Not sure yet. It is paid back on 3 May.`},
		{"hours are no price", "-", `
USER: How much is delivery to the island?
SYSTEM: Sundays 10 to 4.`},
		{"free is a price, whatever time is named", "answered", `
USER: How much is parking at the museum?
SYSTEM: Parking is free until 6 pm.
USER: Thanks`},
		{"so is a number with decimals", "answered", `
USER: How much is the day pass?
SYSTEM: The day pass is 12.50 until 3 May.
USER: Thanks`},
		{"a time is an answer to a USER who also asks when", "answered", `
USER: How much are you able to lend me, and until when?
SYSTEM: You keep the loan until 3 May.
USER: Thanks`},
		{"hours with decimals are no price", "-", `
USER: How much is delivery to the island?
SYSTEM: We open at 9.30 on Sunday.`},
		{"a sum in words is a price", "answered", `
USER: How much is the day pass?
SYSTEM: It costs fifty euros until 3 May.
USER: Thanks`},
		{"a price after the hours is one", "answered", `
USER: How much is delivery to the island?
SYSTEM: On Sundays we're open from 10 to 4. Delivery to the island is 59 because of the ferry.
USER: Thanks`},
		{"what is moved is cancelled elsewhere", "done", `
USER: Can I move my Monday class to Sunday?
SYSTEM: Done: you are booked for Sunday 10:15 and Monday has been cancelled.
USER: Thank you, that's perfect!`},
		{"no problem is no refusal", "answered", `
USER: Could you remove the charge?
SYSTEM: No problem, the charge is removed.
USER: Good.`},
		{"what they never do with the USER's data is an answer", "answered", `
USER: Do you keep my card details?
SYSTEM: We don't keep card details.
USER: Good.`},
		{"a way over the site is a way", "answered", `
USER: How do I change my address?
SYSTEM: Please go to our website, log in, choose Profile and then Address.
USER: Done, thank you.`},
		{"what was not added failed", "failed", `
USER: Can you add my suitcase to the booking?
SYSTEM: There was a problem with the payment, and the suitcase was not added.
USER: ok`},
		{"our own site is nobody else", "confirmed", `
USER: Can I return a kettle?
SYSTEM: You can return it within 30 days. The form is on our site.
USER: ok found it`},
		{"a question for details can be objected to", "objected", `
USER: I want to change the delivery address.
SYSTEM: I can help with orders and invoices. What would you like to do?
USER: this bot is a joke`},
		{"nobody says that a step helped", "advised", `
USER: My kettle leaks since yesterday, please help me.
SYSTEM: Please replace the seal of the kettle.`},
		{"stock phrases are no answer", "-", `
USER: My kettle leaks since yesterday, please help me.
SYSTEM: If anything else happens, please tell the editor of this page.`},
		{"a failure follows a success", "refused", `
USER: Please move my lesson to Friday.
SYSTEM: Your lesson has been moved to Friday.
USER: And can I get a refund for the last one?
SYSTEM: We can't refund lessons.`},
		{"a slip that was put right works now", "confirmed", `
USER: Where do I find the manual?
SYSTEM: It is at docs.example/manul.
USER: That page doesn't open.
SYSTEM: Sorry! It is docs.example/manual.
USER: That opens now.`},
		{"thanks and a goodbye answer no question", "unanswered", `
USER: My kettle leaks.
SYSTEM: Please descale it with vinegar once a month.
USER: And where do I get a new lid?
USER: Ok thanks, bye`},
		{"thanks and a goodbye give no details", "pending", `
USER: My kettle leaks.
SYSTEM: Could you send us its serial number?
USER: Thank you, goodbye`},
		{"another desk is no answer", "postponed", `
USER: Why does my kettle leak?
SYSTEM: Please go to our nearest service center with the invoice.`},
		{"a hand-over is no deed", "postponed", `
USER: Please repair my kettle.
SYSTEM: We have transferred your request to the workshop staff.`},
		{"what was restored is done", "done", `
USER: Please bring my recipes back.
SYSTEM: All your recipes were recovered.`},
		{"a failure after a success, without a new request", "failed", `
USER: Please book a table for two.
SYSTEM: Your table is booked for Friday.
USER: Lovely, the terrace.
SYSTEM: I was unable to book the terrace.`},
		{"what works stays so, whatever courtesy follows", "confirmed", `
USER: My kettle leaks. How can I stop it?
SYSTEM: Please turn the lid to the left.
USER: It is OK now. I don't know much about kettles, thanks.
SYSTEM: You are welcome. Please tell us about any other problem.`},
		{"a machine's life support is no feeling", "done", `
USER: Help! The life support of our submarine is failing!
SYSTEM: Please enter the color of the valve.
USER: Blue
SYSTEM: Successful! The life support was recovered.`},
		{"a no to a question for details closes nothing", "pending", `
USER: My kettle hums. What can I do?
SYSTEM: Hello! Have you filled it to the brim?
USER: No, I haven't.`},
		{"what follows the details answers the request", "answered", `
USER: Can you tell me my meter reading?
SYSTEM: What is your street, please?
USER: Mill Lane
SYSTEM: Your current meter reading is 3237 units.
USER: Thanks!`},
		{"what failed is not withdrawn by a goodbye", "failed", `
USER: I need a room at the Lake Inn.
SYSTEM: I'm sorry, there is no room available at the Lake Inn.
USER: Well, I need to see my aunt all the same.
SYSTEM: Is there anything else that I can do for you?
USER: That's all. Thanks for trying.`},
		{"staff that was arranged is no deed", "postponed", `
USER: My line is dead.
SYSTEM: We have arranged the staff to contact you on phone.`},
		{"a farewell is no answer", "-", `
USER: My kettle leaks since it was repaired.
SYSTEM: Kettles are a fine thing in winter.
USER: Have a good evening.
SYSTEM: I'm happy to help with kettles.`},
		{"a USER who goes elsewhere after the wrong deed gives up", "left", `
USER: Please send the black lid.
SYSTEM: I have sent the white lid.
USER: That is the wrong one.
SYSTEM: I have sent the grey lid.
USER: I'll ask the shop.`},
		{"a USER who gets it elsewhere no longer asks", "withdrawn", `
USER: I need the lenses by Friday.
SYSTEM: Please upload the prescription.
USER: I did, twice.
SYSTEM: We have received nothing.
USER: I'll buy them at the corner shop.`},
		{"to ask whom the SYSTEM named is no giving up", "-", `
USER: Who can tell me when the pool opens?
SYSTEM: The lifeguard can, at the pool on floor 2.
USER: I'll ask the lifeguard.`},
		{"a grudging yes accepts", "done", `
USER: Please send the black lid.
SYSTEM: I have sent the black lid.
USER: Not happy that it costs extra, but fine`},
		{"an answer, and an offer that the USER declines", "answered", `
USER: May I bring my dog to the cabin?
SYSTEM: Dogs stay free of charge there. Shall I reserve it for you?
USER: Thank you, that is all.`},
		{"a question for details, and thanks", "-", `
USER: May I bring my dog to the cabin?
SYSTEM: We can see how much that matters to you. Please send us your booking number.
USER: Thanks, I have found it myself, that is all.`},
		{"somebody else sees the money", "confirmed", `
USER: When do I get my deposit back?
SYSTEM: It should have gone on Monday and did not.
USER: That is two weeks now.
SYSTEM: I have sent it this minute, reference 7714.
USER: Bank sees it. I won't rent from you again.`},
		{"all of it", "confirmed", `
USER: My tickets do not load.
SYSTEM: Please refresh the page once more.
USER: It still does not work.
SYSTEM: Then close the app and open it again.
USER: got all four!`},
		{"no errors any more", "confirmed", `
USER: The import of my recipes stops.
SYSTEM: Please save the file as UTF-8.
USER: Importing now, no errors`},
		{"a slip that is put right is an answer", "answered", `
USER: A desk for six people on Monday, please.
SYSTEM: Certainly! I have booked a desk for seven.
USER: No, I said six.
SYSTEM: My apologies, it is six now. Is there anything else?
USER: That is all, thank you.
SYSTEM: Good bye!`},
		{"another way is no failure", "withdrawn", `
USER: I need a ride to the museum.
SYSTEM: What is your name, please?
USER: I just found a nice scooter here, so I will take one of those.
SYSTEM: Goodbye.`},
		{"not yet is no objection to the answer before the offer", "answered", `
USER: Which hut has a stove?
SYSTEM: The north hut has a stove, it costs $40. Would you like to reserve this hut
USER: No, not yet
SYSTEM: What else can I do for you`},
		{"details that were asked for are no objection", "postponed", `
USER: Your shop is the worst, my lamp was never sent!
SYSTEM: Please send us the details via private message so that we will check it.
USER: I ordered it in May, it never came and nobody helps me.`},
		{"an apology without the right value is no answer", "objected", `
USER: A desk for six people on Monday, please.
SYSTEM: Certainly! I have booked a desk for seven.
USER: No, I said six.
SYSTEM: My apologies for that. Is there anything else?`},
		{"sarcasm rejects the answer", "objected", `
USER: When does the engineer come?
SYSTEM: The engineer comes on the 14th of May.
USER: Oh lovely, another fortnight without heating.`},
		{"the same menu to a USER who shouts is no answer", "objected", `
USER: My invoice 4417 is wrong.
SYSTEM: Please choose: 1 addresses, 2 meter readings, 3 tariffs.
USER: Person please.
SYSTEM: Please choose: 1 addresses, 2 meter readings, 3 tariffs.
USER: PERSON!!
SYSTEM: Please choose: 1 addresses, 2 meter readings, 3 tariffs.`},
		{"the same report after a change says that the change is done", "done", `
USER: I need bike 12 for Sunday.
SYSTEM: Your bike for the whole day is now reserved!
USER: No, change it to 14.
SYSTEM: Your bike for the whole day is now reserved!
USER: That will be all.`},
		{"the same failure again is a failure", "failed", `
USER: I need a kayak for the 5th of May, please.
SYSTEM: I'm sorry, your kayak booking request was unsuccessful.
USER: But you told me that it was free!
SYSTEM: I'm sorry, your kayak booking request was unsuccessful.
USER: Okay.`},
		{"a deed that the USER has said not to do is a failure", "failed", `
USER: Please move my lesson, don't cancel it.
SYSTEM: Your lesson has been cancelled.
USER: What? I said move!
SYSTEM: Your cancellation is confirmed.`},
		{"the same question again is not answered by praise", "unsettled", `
USER: Does the tent have a floor?
SYSTEM: Our tents are sewn in our own workshop!
USER: Yes, but does it have a floor?
SYSTEM: You will love this tent. Campers rate it 4.7 stars.`},
		{"a deed that the USER named is done, though no list has it", "done", `
USER: Please pause my subscription.
SYSTEM: I have paused your subscription.`},
		{"another deed that no list has is no silence", "-", `
USER: Your messages wake me up at night.
SYSTEM: I have muted them.`},
		{"to use what the answer names is not to give up", "answered", `
USER: Can I pay with a cheque?
SYSTEM: No, only with a card or in cash, sorry.
USER: Okay, then I'll use my card. Thanks.`},
		{"to ask somebody else is to give up", "left", `
USER: Can I pay with a cheque?
SYSTEM: No, only with a card or in cash, sorry.
USER: Okay, then I'll ask another shop.`},
		{"a no is the answer to a question about facts", "answered", `
USER: Does the hostel serve breakfast?
SYSTEM: No, it has a kitchen for guests.
USER: Okay, thanks.`},
		{"a no after a refusal stays a refusal", "refused", `
USER: I want my deposit back.
SYSTEM: We cannot refund deposits.
USER: And is there no exception?
SYSTEM: No, none.`},
		{"somebody else's seat is not the USER's", "-", `
USER: Is seat 14 free?
SYSTEM: Seat 14 is reserved by another guest.`},
		{"a cancellation that nobody asked for is a failure", "failed", `
USER: Is my excursion on Sunday still on?
SYSTEM: Your excursion has been cancelled.
USER: Oh.`},
		{"a cancellation that was asked for is done", "done", `
USER: Please cancel my excursion on Sunday.
SYSTEM: Your excursion has been cancelled.
USER: Thanks.`},
		{"a condition reports nothing", "-", `
USER: I need my diploma translated.
SYSTEM: Once it is done, it has been sent to you.`},
		{"the details that were asked for are no objection", "dropped", `
USER: My parcel is lost.
SYSTEM: Could you tell me what is in it?
USER: A lamp, it doesn't work without it.`},
		{"a withdrawal is no failure", "withdrawn", `
USER: I need a cab to the harbour.
SYSTEM: For what time?
USER: I no longer need the cab, my sister drives me.`},
		{"giving up after a failure adds nothing", "failed", `
USER: Book the blue room for Monday.
SYSTEM: The blue room is not available on Monday.
USER: Never mind.`},
		{"giving up without an answer", "left", `
USER: Book the blue room for Monday.
SYSTEM: We will look into it.
USER: Forget it.`},
		{"taking it back before an answer", "withdrawn", `
USER: Book the blue room for Monday.
SYSTEM: Which blue room do you mean?
USER: Never mind, I have found a room elsewhere.`},
		{"a no to the closing offer rejects nothing", "answered", `
USER: When does the pool open?
SYSTEM: It opens at 7 am. Can I help you with anything else?
USER: No, that's all.`},
		{"the question comes after the report", "done", `
USER: Please renew my library card.
SYSTEM: Your card has been renewed, is there anything else?
USER: No, thanks.`},
		{"the dialogue ends with a question", "unanswered", `
USER: When does the pool open?
SYSTEM: It opens at 7 am.
USER: And how much is it for a child?`},
		{"an objection to the answer", "objected", `
USER: My e-bike does not charge.
SYSTEM: Please press the button for ten seconds.
USER: That didn't help.`},
		{"a statement of the USER that denies what an answer assumes", "objected", `
USER: My broken freezer was never fetched.
SYSTEM: The crew rings twice and leaves at 5 pm.
USER: I sat by the window, and nobody rang.`},
		{"what the USER does not have is no objection to a question", "pending", `
USER: My broken freezer was never fetched.
SYSTEM: Did the crew ring?
USER: Nobody rang.`},
		{"thanks after the details that were asked for", "dropped", `
USER: My parcel is lost.
SYSTEM: Could you tell me what is in it?
USER: A lamp. Thank you for looking into it. My name is Ann Bell.`},
		{"a longer reply leaves what was advised open", "postponed", `
USER: My kettle leaks since yesterday, please help me.
SYSTEM: Please replace the seal of the kettle.
USER: The seal is new, and it is the base where the water comes out every morning.
SYSTEM: We will improve the base.`},
		{"the SYSTEM asks no longer when it ends", "-", `
USER: My bike has a flat tyre.
SYSTEM: Do you want to tell me what happened?
USER: I rode over some glass.
SYSTEM: You could walk.`},
		{"a complaint about what came in place of an answer", "objected", `
USER: I'm stuck on the A8, the car won't start!
SYSTEM: Have you read the manual?
USER: I need help.
SYSTEM: We have great deals on convertibles.
USER: This is unacceptable.
SYSTEM: We have them in red.`},
		{"a complaint about a question that leads nowhere", "objected", `
USER: I had a fight with my best friend.
SYSTEM: Do you want to tell me what happened?
USER: This is useless.
SYSTEM: You should calm down.`},
		{"an answer to one part, and none to the other", "-", `
USER: Can I drive the car to Malta and Gozo?
SYSTEM: Yes, you can drive it to Malta. I can't say for Gozo.`},
		{"a doubt with a source is an objection", "objected", `
USER: How much is it?
SYSTEM: It is 40 EUR.
USER: Really? Your website says 25.`},
		{"so is a but with a question mark", "unsettled", `
USER: How much is it?
SYSTEM: It is 40 EUR.
USER: But your website says 25?
SYSTEM: You can pay at the gate from 9:00.`},
		{"another question with a source is no objection", "unanswered", `
USER: How much is it?
SYSTEM: It is 40 EUR.
USER: And for two? The website says 25 for one.`},
		{"the SYSTEM asks again, without a question mark", "pending", `
USER: My bike has a flat tyre, could somebody come?
SYSTEM: Describe your problem in a few words.
USER: A flat tyre, as I said.
SYSTEM: Sorry, that was not clear. Describe your problem in a few words.`},
		{"a private channel is a question", "pending", `
USER: My broadband was cut off.
SYSTEM: We suggest you contact us and describe it via private message.`},
		{"the problem was solved after a step", "confirmed", `
USER: The map never opens.
SYSTEM: Please use another browser.
USER: After I changed the browser, the problem was solved.`},
		{"the last answer is better", "answered", `
USER: I need a cheap hotel, please.
SYSTEM: The Swan costs 40 euros and lies east.
USER: Sorry, anywhere but east.
SYSTEM: The Hart is cheap and lies west of the river.
USER: Perfect, thanks.`},
		{"what is recorded in a calendar is no promise", "answered", `
USER: How can I drag an event to next month?
SYSTEM: Put the event recorded there on the last line, then next month pops up.
USER: Wow, nice.`},
		{"praise alone settles nothing", "-", `
USER: I love your new ferry, the crew is great!
SYSTEM: So glad you like it.`},
		{"no praise with a wish", "unanswered", `
USER: I love your new ferry, the crew is great!
SYSTEM: So glad you like it.
USER: But can I get a refund?`},
		{"a day is promised", "promised", `
USER: My boiler is cold.
SYSTEM: A technician will call you on Tuesday.`},
		{"a trial that the SYSTEM asks for after the deed leaves nothing open", "done", `
USER: My line does not work.
SYSTEM: Please send us your account.
USER: I have sent it.
SYSTEM: Your problem has been solved. Will you try it again?`},
		{"relief confirms", "confirmed", `
USER: The door to the deck is locked, help!
SYSTEM: The door is now unlocked.
USER: You saved us all!`},
		{"the answer to the closing offer confirms nothing", "done", `
USER: I need a room at the inn.
SYSTEM: Your room is booked. Is there anything else that I can do for you?
USER: No, that was it.`},
		{"to pay attention to something is no answer that is still to come", "answered", `
USER: Does the package cover calls abroad?
SYSTEM: No, it covers calls at home. Please pay attention to it.
USER: Okay, thanks.`},
		{"a deed that no list names, to the thing that the USER names", "done", `
USER: Please get the walnut shelf to my sister instead of me.
SYSTEM: I have redirected the walnut shelf.
USER: Okay, thanks.`},
		{"a deed that the USER names, before the answer in the same turn", "done", `
USER: Please reserve the kiln for Sunday. And may my son come along?
SYSTEM: Your place at the kiln was secured. Children may come along from the age of six.
USER: Okay, thanks.`},
		{"a fact is no deed", "answered", `
USER: Can I pay the kiln by card?
SYSTEM: Yes, payment by card is accepted.
USER: Okay, thanks.`},
		{"nor is attention, though the USER is to pay", "answered", `
USER: Why do I have to pay twice as much as we agreed?
SYSTEM: We have paid attention to your problem. The price is 40 euros since May.
USER: Okay, thanks.`},
		{"nor is a deed that the USER no longer wants", "answered", `
USER: I would like a van from the fair to the inn.
SYSTEM: I found a van for 35 euros. Should I book that for you?
USER: Oh yes.
SYSTEM: Okay, I booked the van for you, is there anything else you need?
USER: Actually I just found a bike, I guess I will take that, cancel the van please.
SYSTEM: Okay, I will cancel the van.
USER: That's it, thanks.`},
		{"a question about what is done asks for nothing else", "done", `
USER: Please book me a seat on the noon ferry.
SYSTEM: Your seat is booked.
USER: Does the ferry have a bar?
SYSTEM: Yes, on the upper deck.
USER: Thanks.`},
		{"a complaint about what was done is no question", "answered", `
USER: Please book me a seat on the noon ferry.
SYSTEM: Your seat is booked.
USER: No, that is wrong! Does the ferry even have seats?
SYSTEM: Yes, on the upper deck, at 12 euros.
USER: Okay, thanks.`},
		{"an offer is no answer, so nothing was answered when the USER goes another way", "withdrawn", `
USER: I need a van from the fair to the inn.
SYSTEM: I can also search for the colour, the seats and the make.
USER: Never mind, I see a free bike, I will take it. Goodbye.`},
		{"an answer elsewhere is none here", "postponed", `
USER: When do you repair the lamps in our stairwell?
SYSTEM: We have already replied to you in a private message. Please have a look.
USER: Okay.`},
		{"a no to a question without a question mark is no objection", "answered", `
USER: Could you check when the kiln is free?
SYSTEM: The kiln is free on Friday at 9 am.
USER: Good.
SYSTEM: Would you like to reserve the kiln.
USER: No, I don't want to reserve it now.`},
		{"nor is patience", "postponed", `
USER: The kiln in our studio stays cold.
SYSTEM: We will record it and report it.
USER: Thank you for recording it! I will continue waiting for the repair.`},
		{"a negation in a question is no objection", "answered", `
USER: My parcel is late. When does it come?
SYSTEM: It comes on Friday at 9 am.
USER: Can't it come earlier?
SYSTEM: No, the van is full until then.`},
		{"consent outweighs what stands next to it", "answered", `
USER: My laptop is flat. Which charger do I need for it?
SYSTEM: The one for 39.00.
USER: Makes sense, shame about the price.`},
		{"a note fulfils nothing", "-", `
USER: My kiln is cold, please send a fitter.
SYSTEM: I've added a note that you would like one.`},
		{"to be in good hands is no deed", "-", `
USER: My kiln is cold, please send a fitter.
SYSTEM: You're in good hands.`},
		{"praise of the USER is no deed", "answered", `
USER: The alarm of my kiln went off, what do I do?
SYSTEM: Please open the window.
USER: It is open.
SYSTEM: Well done.`},
		{"a USER who finds another way after an objection gives up", "left", `
USER: My parcel goes to the old flat, please change the address.
SYSTEM: I have changed the address.
USER: So you didn't change it.
SYSTEM: I have updated the address.
USER: I'll sort it out with the tenant.`},
		{"thanks outweigh a doubt about an answer", "answered", `
USER: My softener beeps. Which salt do I need?
SYSTEM: You need coarse salt, 10 kg a month.
USER: My husband bought the fine one because it was on offer, so that will be a long talk tonight.
SYSTEM: Good luck.
USER: Thank you.`},
		{"what was sent is here", "confirmed", `
USER: My door code is gone, please send it again.
SYSTEM: I have sent it.
USER: Took long enough. Code's here.`},
		{"a payment went through", "confirmed", `
USER: My card is blocked.
SYSTEM: Please try it with the chip.
USER: Went through!`},
		{"who asks for a person objects to the machine's answer", "objected", `
USER: My locker stays shut.
SYSTEM: Please restart the app.
USER: Human please.`},
		{"who holds an earlier word against the SYSTEM objects", "objected", `
USER: Does my lease allow a dog?
SYSTEM: Dogs cost 40 a month.
USER: You just said free.`},
		{"who insists on one thing at least objects", "unsettled", `
USER: My parcel is still in the van.
SYSTEM: It comes on Friday at 9 am.
USER: Could you at least call the driver?
SYSTEM: It comes at 9 am.`},
		{"thanks for nothing but time give up", "left", `
USER: My key does not open the flat, is there a telephone for the night?
SYSTEM: You can reach us until 23:00.
USER: Understood. Thank you for your time.`},
		{"no day is promised", "postponed", `
USER: My boiler is cold.
SYSTEM: A technician will call you.`},
	} {
		d := spoken(strings.Split(strings.TrimSpace(test.dialogue), "\n")...)
		signals, err := a.Observe(d)
		require.NoError(t, err)
		found := "-"
		for _, s := range signals {
			name, ok := strings.CutPrefix(s.ID, "request-")
			if ok && name != "partly" && name != "alone" {
				require.Equal(t, "-", found, "two states")
				found = name
			}
		}
		assert.Equal(t, test.want, found, "%s%s", test.reason, test.dialogue)
	}
}

// Whoever has got what was asked for first has not left without anything.
func TestASideQuestionLeavesTheRestDone(t *testing.T) {
	a := newAgents(t)
	ask := []string{"USER: Will somebody be there?",
		"SYSTEM: I can't see the staff plan, so please call the station to be sure."}
	first := []string{"USER: Please move my pickup to 22:30.",
		"SYSTEM: I have changed the pickup to 22:30."}
	score := func(turns ...string) rubric.Score {
		return judge(t, a, spoken(turns...)).Final[rubric.TaskSuccess].Score
	}
	assert.Equal(t, rubric.Score(20), score(ask...))
	assert.Equal(t, rubric.Score(40), score(append(first, ask...)...))
	last := []string{"USER: When do you open?", "SYSTEM: We open at 9:30 am.",
		"USER: And when do you close on Sunday?"}
	assert.Equal(t, rubric.Score(40), score(last...), "the last question is open")
	last[1] = "SYSTEM: We are sorry."
	assert.Equal(t, rubric.Score(20), score(last...), "nothing was answered")
}

// Stock courtesy to somebody in danger, or after sarcasm, is not friendly.
func TestCourtesyThatDoesNotCount(t *testing.T) {
	for _, test := range []struct {
		user string
		want bool
	}{
		{"The kettle has a crack in its lid.", true},
		{"The kettle gives off sparks, and my son is next to it.", false},
		{"Oh brilliant, another month without a kettle.", false},
		{"Brilliant, I am away for another month anyway.", true},
	} {
		signals, err := New().Observe(spoken("USER: "+test.user,
			"SYSTEM: Thank you for telling us! New kettles are in our shop."))
		require.NoError(t, err)
		assert.Equal(t, test.want, slices.ContainsFunc(signals, func(s rubric.Signal) bool {
			return s.ID == "courtesy-warmth"
		}), test.user)
	}
}

// Every state has a detector, and TaskSuccess reads it.
func TestEveryStateIsRead(t *testing.T) {
	a := New()
	for name := range talk.States {
		i, known := a.index["request-"+name]
		require.True(t, known, name)
		file, err := dataFiles.ReadFile("detectors/request-" + name + ".txt")
		require.NoError(t, err)
		assert.Contains(t, string(file), "@final "+name+"\n")
		assert.True(t, slices.ContainsFunc(a.ladders[0].Rungs[:], func(r rung) bool {
			return slices.ContainsFunc(r.Rules,
				func(r rule) bool { return slices.Contains(r.ids, i) })
		}), name)
	}
}
