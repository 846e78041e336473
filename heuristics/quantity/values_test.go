package quantity_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
)

// lexicon returns the single words that the program knows.
func lexicon(t testing.TB) *talk.Lexicon {
	files := fstest.MapFS{}
	for _, name := range []string{"values", "facts", "stop", "negators", "contractions",
		"modals"} {
		file := "lexicon/words-" + name + ".txt"
		data, err := os.ReadFile("../" + file)
		require.NoError(t, err)
		files[file] = &fstest.MapFile{Data: data}
	}
	l, err := talk.Load(files, &quantity.Words{}, nil, nil)
	require.NoError(t, err)
	return l
}

// read returns the reader of a turn and the values in it.
func read(l *talk.Lexicon, said string) (*quantity.Reader, []quantity.Value) {
	turn := &text.Turn{N: 1, Text: said}
	turn.Tokens = l.Vocabulary.Tokenise(turn, nil)
	r := &quantity.Reader{Turn: turn, Known: l.Words}
	return r, r.Append(nil, 0)
}

// spell formats a value as in the tables below: its kind, its limit and its number or range,
// preceded by "~" if it is loose.
func spell(v *quantity.Value) string {
	kind := strings.Fields(
		"- weekday relative date clock count amount bare percent duration habit")[v.Slot.Kind]
	number := func(n int32) string {
		switch v.Slot.Kind {
		case quantity.Date:
			return fmt.Sprintf("%d-%d", n/32, n%32)
		case quantity.Clock:
			return fmt.Sprintf("%d:%02d%s", n%1440/60, n%60, [...]string{"", "am", "pm"}[n/1440])
		case quantity.Count:
			return fmt.Sprintf("%d of %d", n, v.Slot.Unit)
		case quantity.Amount:
			return [...]string{"£", "$", "€", "c"}[v.Slot.Unit] + fmt.Sprintf("%d.%02d", n/100, n%100)
		}
		return fmt.Sprint(n)
	}
	out := kind + [...]string{" ", " at least ", " at most "}[v.Bound] + number(v.N)
	if v.Loose {
		out = "~" + out
	}
	if v.High != v.N {
		out += " to " + number(v.High)
	}
	return out
}

func TestValues(t *testing.T) {
	tests := []struct {
		text string
		want string // the values, in order
	}{
		{"on Monday", "weekday 1"},
		{"this Thursday or friday", "weekday 4, ~weekday 5"},
		{"any day but not Monday", "~weekday 1"},
		{"on Sundays", "habit 7"},
		{"come tomorrow", "relative 2"},
		{"anything else today?", "~relative 1"},
		{"a table for today", "relative 1"},
		{"today and tomorrow", "~relative 1, relative 2"},

		{"on March 3rd", "date 3-3"},
		{"the 3rd of March", "date 3-3"},
		{"3 March", "date 3-3"},
		{"the first of May", "date 5-1"},
		{"on the 9th", "date 0-9"},
		{"on the 9th floor", "~bare 9"},
		{"on 03.05.2026", "date 5-3"},
		{"on 2026-05-03", "date 5-3"},
		{"on 25/12/2026", "date 12-25"},
		{"it costs 3.05. Bye", ""},
		{"it may be May", ""},
		{"on March 31", "date 3-31"},
		{"on March 32", "~bare 32"},
		{"the 31st of March", "date 3-31"},
		{"March 9.30", ""},
		{"by the 9th", "~date 0-9"},
		{"3/5/2026", "date 5-3 to 3-5"},
		{"12/25/2026", "date 12-25"},
		{"13/13/2026", "~bare 13, ~bare 13"},
		{"2026-13-03", "~bare 13, ~bare 3"},
		{"24/7", "~bare 24, ~bare 7"},

		{"at 9:30", "clock 9:30"},
		{"at 14:30", "clock 2:30pm"},
		{"at 9 am", "clock 9:00am"},
		{"9pm", "clock 9:00pm"},
		{"9:30 p.m.", "clock 9:30pm"},
		{"9.30 pm", "clock 9:30pm"},
		{"at 9", "clock 9:00"},
		{"at nine tomorrow", "clock 9:00, relative 2"},
		{"at 9 people's places", "~bare 9"},
		{"9 o'clock", "clock 9:00"},
		{"half past one", "clock 1:30"},
		{"half past 12 in the afternoon", "clock 0:30"},
		{"quarter to ten", "clock 9:45"},
		{"quarter to midnight", "clock 11:45pm"},
		{"quarter past midnight", "clock 0:15am"},
		{"quarter to noon", "clock 11:45am"},
		{"quarter to 12 pm", "clock 11:45am"},
		{"quarter to 1 pm", "clock 0:45pm"},
		{"at noon", "clock 0:00pm"},
		{"at midnight", "clock 0:00am"},
		{"until 8", "~clock at most 8:00"},
		{"10 am to 4 pm", "clock 10:00am to 4:00pm"},
		{"after 9:30", "~clock 9:30"},
		{"it leaves Leeds at 9:30", "~clock 9:30"},
		{"99:99", ""},
		{"at 12", "clock 0:00"},
		{"at 13", "~bare 13"},
		{"at 24:00", "clock 0:00"},
		{"at 25:00", ""},
		{"at 12:59", "clock 0:59"},
		{"at 12:60", ""},
		{"at 4.5", ""},
		{"at 9 of them", "~bare 9"},
		{"at 5 in the afternoon", "clock 5:00pm"},
		{"at 5 in the morning", "clock 5:00am"},
		{"at 5 at night", "clock 5:00"},
		{"at 6 at night", "clock 6:00pm"},
		{"at 11 tonight", "clock 11:00pm, ~relative 1"},
		{"at 12 tonight", "clock 0:00, ~relative 1"},
		{"9 A.M. sharp", "clock 9:00am"},
		{"4p", "clock 4:00pm"},
		{"quarter past 12", "clock 0:15"},
		{"half past 13", "~bare 13"},
		{"10 to 4 pm", "clock 10:00am to 4:00pm"},
		{"between 9 and 5 pm", "~clock 9:00am to 5:00pm"},
		{"9 pm to 2 am", "clock 9:00pm to 2:00am"},
		{"24 to 25", "~bare 24, ~bare 25"},
		{"we close at 9 pm", "~clock at most 9:00pm"},
		{"the shop opens at nine", "~clock at least 9:00"},
		{"it opens every day of the week at 9 am", "clock 9:00am"},

		{"4 people", "count 4 of 1"},
		{"four guests", "count 4 of 1"},
		{"two nights", "count 2 of 2"},
		{"2 economy tickets", "count 2 of 3"},
		{"a table for 4", "count 4 of 1"},
		{"a party of six, please", "count 6 of 1"},
		{"a table for 2 hours", "duration 120"},
		{"at least 4 people", "~count 4 of 1"},
		{"make it four", "~bare 4"},
		{"three instead of 2", "~bare 3"},
		{"five of us", "count 5 of 1"},
		{"4 of the tickets", "~bare 4"},
		{"a table for 4 on Friday", "count 4 of 1, weekday 5"},
		{"999 people", "count 999 of 1"},
		{"1000 people", ""},
		{"4.5 people", ""},
		{"25:30 people", ""},
		{"4th people", "~bare 4"},
		{"99 bottles", "~bare 99"},
		{"100 bottles", ""},
		{"over 4 people", "~count 4 of 1"},

		{"send $40", "amount $40.00"},
		{"transfer 1,200.50 dollars", "amount $1200.50"},
		{"it costs $40", "~amount $40.00"},
		{"15 percent", "~percent 1500"},
		{"a fortnight", "duration 20160"},
		{"3 to 5 working days", "duration 4320 to 7200"},
		{"within 2 weeks", "~duration at most 20160"},
		{"send £40", "amount £40.00"},
		{"under 50 pounds", "~amount at most £50.00"},
		{"£40 or more", "~amount at least £40.00"},
		{"£40 and up", "~amount at least £40.00"},
		{"£40 minimum", "~amount at least £40.00"},
		{"£40 or less", "~amount at most £40.00"},
		{"over £40", "~amount at least £40.00"},
		{"over the next few years you pay £40", "~amount £40.00"},
		{"£3 to £5", "~amount £3.00 to £5.00"},
		{"£3-5", "~amount £3.00 to £5.00"},
		{"12,50 euros", "~amount €12.50"},
		{"12.5 euros", "~amount €12.50"},
		{"999,999 euros", "~amount €999999.00"},
		{"1,000,000 euros", ""},
		{"1000,000 euros", ""},
		{"$1,000,000", ""},
		{"it is $1,000,000, or $3", "~amount $3.00"},
		{"send $40 to 4 economy tickets", "amount $40.00, count 4 of 3"},
		{"send $40 to 4 people", "amount $40.00, count 4 of 1"},
		{"less than £40", "~amount at most £40.00"},
		{"more than £40", "~amount at least £40.00"},
		{"no more than £40", "~amount at most £40.00"},
		{"you never pay more than £40", "~amount at most £40.00"},
		{"not after more than 10 days", "~duration at least 14400"},
		{"not less than £40", "~amount at least £40.00"},
		{"at most £40", "~amount at most £40.00"},
		{"£40 at most", "~amount at most £40.00"},
		{"£40 at least", "~amount at least £40.00"},
		{"fewer than 10 days", "~duration at most 14400"},
		{"10 days or longer", "duration at least 14400"},
		{"10 days or fewer", "duration at most 14400"},
		{"10 days. Or longer", "duration 14400"},
		{"over £40 within 10 days", "~amount at least £40.00, ~duration at most 14400"},
		{"20 cents", "~amount c0.20"},
		{"twenty cents a bag", "~amount c0.20"},
		{"99¢", "~amount c0.99"},
		{"99 ¢ each", "~amount c0.99"},
		{"20 ct", "~amount c0.20"},
		{"20ct a page", "~amount c0.20"},
		{"20c a bag", "~amount c0.20"},
		{"seat 20c", ""},
		{"it is 20 C", "~bare 20"},
		{"20p", "~amount £0.20"},
		{"5p a bag", "~amount £0.05"},
		{"at 5p", "clock 5:00pm"},
		{"in 1080p", ""},
		{"until ten p.m.", "~clock at most 10:00pm"},
		{"£59 p.p.", "~amount £59.00"},
		{"form 12-P", "~bare 12"},
		{"20p people", "~amount £0.20"},
		{"20 pence", "~amount £0.20"},
		{"twenty pence", "~amount £0.20"},
		{"20 euro cents", "~amount €0.20"},
		{"0.5 cents", ""},
		{"20 to 30 cents", "~amount c0.20 to c0.30"},
		{"up to 20 cents", "~amount at most c0.20"},
		{"2 euros 20", "~amount €2.20"},
		{"2 euros 20 each", "~amount €2.20"},
		{"two euros twenty", "~amount €2.20"},
		{"2 euros and 20 cents", "~amount €2.20"},
		{"$2 20 cents", "~amount $2.20"},
		{"£2 50p", "~amount £2.50"},
		{"2 euros, 20 days", "~amount €2.00, duration 28800"},
		{"2 euros 20 percent off", "~amount €2.00, ~percent 2000"},
		{"2 euros 5", "~amount €2.00, ~bare 5"},
		{"2.50 euros 20", "~amount €2.50, ~bare 20"},
		{"2 euros and 20", "~amount €2.00, ~bare 20"},
		{"20 per cent", "~percent 2000"},
		{"goods worth £206", "~amount £206.00"},
		{"$40 €50", "~amount $40.00, ~amount €50.00"},
		{"one thousand two hundred and six pounds", "~amount £1206.00"},
		{"the bag that we found on the bus to Leeds last week will cost you " +
			"two hundred and six pounds", "~amount £206.00"},
		{"a hundred pounds", "~amount £100.00"},
		{"ten five pounds", "~bare 10, ~amount £5.00"},
		{"two hundred three hundred pounds", "~amount £300.00"},
		{"two thousand three hundred pounds", "~amount £2300.00"},
		{"two hundred and five thousand pounds", "~amount £205000.00"},
		{"one thousand two thousand pounds", "~amount £2000.00"},
		{"twenty, five pounds", "~amount £5.00"},
		{"100 per cent", "~percent 10000"},
		{"3 to 5 percent", "~percent 300 to 500"},

		{"half an hour", "duration 30"},
		{"1.5 hours", "duration 90"},
		{"a couple of days", "duration 2880"},
		{"3 – 5 days", "duration 4320 to 7200"},
		{"3 or 5 days", "duration 4320 to 7200"},
		{"3 days to 5 days", "duration 4320 to 7200"},
		{"3 days. To 5 days", "duration 4320, duration 7200"},
		{"3 hours to 5 days", "duration 180, duration 7200"},
		{"3 and 5 days", "~bare 3, duration 7200"},
		{"between 3 and 5 days", "~duration 4320 to 7200"},
		{"30 (thirty) days", "duration 43200"},
		{"5 happy days", "count 5 of 12"},
		{"you have 10 days to claim", "duration at most 14400"},
		{"it has been 10 days", "duration 14400"},
		{"no, 10 days", "duration 14400"},
		{"no later than 10 days", "~duration at most 14400"},
		{"999999 days", "duration 1439998560"},
		{"1000000 days", ""},

		{"from Monday to Friday", "weekday 1, weekday 5"},

		{"", ""},
		{"flat 2b, code X4471Y", ""},
		{"99999999999999999999 people", ""},
	}
	l := lexicon(t)
	for _, tt := range tests {
		var got []string
		_, values := read(l, tt.text)
		for k := range values {
			got = append(got, spell(&values[k]))
		}
		assert.Equal(t, tt.want, strings.Join(got, ", "), tt.text)
	}
}

// A value is quoted with the words that it is read from: here those in brackets.
func TestValuesAreQuoted(t *testing.T) {
	l := lexicon(t)
	for _, want := range []string{
		"come at [9 a.m]. on [31 March]", "[half past ten p.m].", "[10 am to 4pm], [half an hour]",
		"the [3rd of May], at [9 o'clock]", "[03.05.2026] at [9]", "a party of [four].",
		"send $[40] for [4 economy tickets]", "[40 quid] for [4 tickets]", "[30 (thirty) calendar days]",
		"[two hundred and six pounds] or £[3 - £5]", "[3 – 5 days], a [couple of days]",
		"[15 percent] or [20]%", "[20 euro cents], [2 euros and 20 cents], [1,200.50 euros] within [3 days to 5 days]",
	} {
		r, values := read(l, strings.NewReplacer("[", "", "]", "").Replace(want))
		got := r.Text
		for _, v := range slices.Backward(values) {
			from, to := r.Tokens[v.First].Start, r.Tokens[v.Last].End
			got = got[:from] + "[" + got[from:to] + "]" + got[to:]
		}
		assert.Equal(t, want, got)
	}
	_, values := read(l, strings.Repeat("on Monday ", 40))
	assert.Len(t, values, 32, "more values are a list")
}

func TestSameValue(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"at 9:30", "9:30 pm", true},
		{"9:30 am", "9:30 pm", false},
		{"21:30", "9:30 pm", true},
		{"noon", "12 pm", true},
		{"on March 3rd", "on the 3rd", true},
		{"on March 3rd", "on April 3rd", false},
		{"8 pm", "20:00", true},
		{"at 8", "20:00", true},
		{"the 3rd of May", "on 3 May", true},
		{"3 May", "on 03.05.2026", true},
		{"May 3rd", "2026-05-03", true},
		{"3/5/2026", "5 March", true},
		{"3/5/2026", "3 May", true},
		{"3/5/2026", "3 June", false},
		{"3 weeks", "21 days", true},
		{"within 14 days", "10 days", true},
		{"within 14 days", "20 days", false},
		{"within 14 days", "within 10 days", false},
		{"3 to 5 days", "4 days", true},
		{"3 to 5 days", "6 days", false},
		{"10 am to 4 pm", "at noon", true},
		{"10 am to 4 pm", "at 17:00", false},
		{"10 am to 4 pm", "10:00 to 16:00", true},
		{"7 am to 10 pm", "7:00 to 22:00", true},
		{"8 am to 10 pm", "7:00 to 22:00", false},
		{"12 pm to 10 pm", "12:00 to 22:00", true},
		{"ten pounds", "£10", true},
		{"over £40", "£60", true},
		{"over £40", "£30", false},
		{"over £40", "£40", true},
		{"up to £40", "£40", true},
		{"£40", "$40", false},
		{"20 cents", "0.20 euros", true},
		{"20 cents", "$0.20", true},
		{"20 cents", "20 euro cents", true},
		{"20 cents", "£0.20", false},
		{"20 cents", "20p", false},
		{"20 pence", "£0.20", true},
		{"20 cents", "20 euros", false},
		{"£0", "$0", true},
		{"3 to 5 days", "3 days", true},
		{"3 to 5 days", "5 days", true},
		{"3 to 5 days", "4 to 6 days", false},
		{"3 to 5 days", "3 to 4 days", true},
		{"5 working days", "7 days", true},
		{"5 working days", "5 days", false},
		{"5 working days", "5 working days", true},
		{"3 to 5 working days", "7 days", true},
		{"3 to 5 working days", "3 days", true},
		{"3 to 5 working days", "8 days", false},
		{"four weeks", "a month", true},
		{"40 days", "a month", false},
		{"27 days", "28 days", false},
		{"10 am to 4 pm", "at 10", true},
		{"10 am to 4 pm", "16:00", true},
		{"10 am to 4 pm", "9:59 am", false},
		{"10 am to 4 pm", "10 am to 5 pm", false},
		{"9 pm to 2 am", "1 am", true},
		{"9 pm to 2 am", "3 am", false},
		{"10 am to 4 pm", "opens at 10", true},
		{"10 am to 4 pm", "opens at 11", false},
		{"10 am to 4 pm", "closes at 16:00", true},
		{"10 am to 4 pm", "closes at 15:00", false},
		{"Monday", "Mondays", true},
		{"Monday", "Tuesday", false},
		{"4 people", "4 tickets", false},
		{"twenty five percent", "25 %", true},
	}
	l := lexicon(t)
	for _, tt := range tests {
		_, a := read(l, tt.a)
		_, b := read(l, tt.b)
		require.True(t, len(a) == 1 && len(b) == 1, "%s and %s", tt.a, tt.b)
		same := quantity.Relate(&a[0], &b[0]) == quantity.Agreeing
		assert.Equal(t, tt.same, same, "%s and %s", tt.a, tt.b)
		turned := quantity.Relate(&b[0], &a[0]) == quantity.Agreeing
		assert.Equal(t, tt.same, turned, "%s and %s", tt.b, tt.a)
	}
}

// A value in a sentence about what happened, what was arranged or what somebody did states no rule.
func TestValuesThatStateNoRule(t *testing.T) {
	l := lexicon(t)
	for said, want := range map[string]string{
		"A refund takes 12 days.":                                            "",
		"It went missing 12 days ago.":                                       "past",
		"It took 12 days.":                                                   "past",
		"We open 9 am Monday.":                                               "",
		"Refunds are paid within 12 days.":                                   "",
		"They were paid within 12 days.":                                     "past",
		"It arrived after 12 days.":                                          "past",
		"You paid us for the parcel and the bag £40.":                        "",
		"The parcel arrived and the refund is usually back here in 12 days.": "",
		"A refund does not take 12 days.":                                    "past",
		"A refund does not take more than 12 days.":                          "",
		"The last 12 days count.":                                            "past",
		"In 12 days' time it is over.":                                       "past",
		"You get it in 12 days time.":                                        "past",
		"Your appointment lasts 30 minutes.":                                 "past",
		"Your appointment costs £30.":                                        "",
		"A callback costs £30.":                                              "",
		"We open at 11 am.":                                                  "",
		"Come at 11 am tomorrow.":                                            "past",
		"Come on Monday at 11 am.":                                           "past",
		"On Mondays at 11 am.":                                               "",
		"Come on May 3 at 11 am.":                                            "past",
		"Monday 9 am to 5 pm.":                                               "",
		"We open Monday at 11 am.":                                           "",
		"Come on 3 May, at 11 am.":                                           "past",
		"We kept £50 of it.":                                                 "done",
		"They have £50.":                                                     "",
		"We kept from your deposit for all that £50.":                        "done",
		"We kept from your deposit for all of that £50.":                     "",
		"Your car is ready from 10 am.":                                      "done",
		"Your car is ready for £50.":                                         "",
	} {
		r, values := read(l, said)
		var got []string
		for k := range values {
			v := &values[k]
			first, last := r.SentenceStart(v.First), r.SentenceEnd(v.Last)
			if r.IsPast(v, first, last) {
				got = append(got, "past")
			}
			if r.IsDone(v, first) {
				got = append(got, "done")
			}
		}
		assert.Equal(t, want, strings.Join(got, ", "), said)
	}
}

// A statement agrees with a fact or not. It may be near it, tell when something comes, and be a
// limit that is kept sooner.
func TestStatements(t *testing.T) {
	l := lexicon(t)
	for _, tt := range []struct{ fact, says, want string }{
		{"14 days", "A refund takes 14 days.", "agrees, comes"},
		{"14 days", "A refund takes 12 days.", "contrary, comes"},
		{"14 days", "A refund takes ten working days.", "agrees, comes"},
		{"14 days", "Send it within 14 days.", "agrees"},
		{"14 days", "We have it in 14 days.", "agrees, comes"},
		{"£8", "It is 14 days.", "unrelated"},
		{"over £40", "It is £60.", "unrelated"},
		{"over £40", "It is £30.", "unrelated"},
		{"over £40", "It is over £40.", "agrees"},
		{"over £40", "It is over £50.", "contrary"},
		{"up to £40", "It is £30.", "unrelated"},
		{"up to £40", "It is £50.", "contrary"},
		{"up to £40", "It is up to £30.", "contrary"},
		{"at least 10 %", "It is 12 %.", "unrelated"},
		{"at least 10 %", "It is 9 %.", "contrary"},
		{"up to 10 %", "It is 9 %.", "unrelated"},
		{"£7.95", "It is under £8.", "unrelated"},
		{"£7.95", "It is under £7.", "contrary"},
		{"£35", "A refund is less than £40.", "unrelated"},
		{"£35", "A refund is less than £30.", "contrary"},
		{"£8", "It is about £7.20.", "contrary, near"},
		{"£8", "It is about £8.81.", "contrary"},
		{"£8", "It is just over £8.10.", "contrary, near"},
		{"£8", "It is £8.10.", "contrary"},
		{"£0", "It is $5.", "contrary"},
		{"3 to 5 days", "It takes 4 days.", "agrees, comes"},
		{"3 to 5 days", "It takes 3 to 6 days.", "contrary, comes"},
		{"3 to 5 working days", "It takes 7 days.", "agrees, comes"},
		{"3 to 5 working days", "It takes 3 to 6 working days.", "contrary, comes"},
		{"within 14 days", "It takes 10 days.", "inside, comes"},
		{"within 14 days", "You can return it for 10 days.", "contrary"},
		{"within 14 days", "You have to wait for 10 days.", "inside, comes"},
		{"within 14 days", "There are 10 days to return it.", "contrary"},
		{"within 14 days", "You get it within 10 days.", "contrary, comes, sooner"},
		{"within 14 days", "You get it within 14 days.", "agrees, comes, sooner"},
		{"within 14 days", "You get it within 15 days.", "contrary, comes"},
		{"within 14 days", "You will get it within 10 days.", "contrary, comes, sooner"},
		{"within 14 days", "You get it in up to 10 days.", "contrary, comes, sooner"},
		{"within 14 days", "Usually within 10 days.", "contrary, sooner"},
		{"within 14 days", "You must get it within 10 days.", "contrary, comes"},
		{"within 14 days", "The refund takes anything from 5 to 10 days.", "inside, comes"},
		{"within 14 days", "The refund takes at least 3 days.", "unrelated, comes"},
		{"within 14 days", "The refund takes 14 days or more.", "unrelated, comes"},
		{"within 14 days", "The refund takes 3 days or later.", "unrelated, comes"},
		{"within 14 days", "The refund takes at least 20 days.", "contrary, comes"},
		{"at most 10 euros", "Shipping costs over 10 euros.", "unrelated"},
		{"at most 10 euros", "Delivery costs 10 euros and up.", "unrelated"},
		{"at least 30 days", "You can cancel with at most 30 days' notice.", "unrelated"},
		{"within 14 days", "You get it when you ask within 10 days.", "contrary"},
		{"within 14 days", "You get it within 10 days to keep.", "contrary, comes"},
		{"9 am to 8 pm", "We open at 9 am.", "agrees"},
		{"9 am to 8 pm", "We open at 10 am.", "contrary"},
		{"9 am to 8 pm", "We are open at 10 am.", "inside"},
		{"9 am to 8 pm", "It closes at 8 pm.", "agrees"},
		{"9 am to 8 pm", "It closes at 7 pm.", "contrary"},
		{"9 am to 8 pm", "Come at 7 pm.", "inside"},
		{"9 am to 8 pm", "Come at 9 pm.", "contrary"},
		{"Sunday", "On Mondays.", "contrary"},
		{"Sunday", "On Sundays.", "agrees"},
	} {
		_, fact := read(l, tt.fact)
		r, values := read(l, tt.says)
		require.True(t, len(fact) == 1 && len(values) == 1, "%s: %s", tt.fact, tt.says)
		f := &fact[0]
		q := r.AsRule(values[0], f)
		got := []string{"unrelated", "agrees", "contrary", "inside"}[q.Against(f)]
		if q.Slot.Kind == quantity.Duration && r.Comes(&q) {
			got += ", comes"
		}
		if r.IsNear(&q, f) {
			got += ", near"
		}
		if r.IsSooner(&q, f) {
			got += ", sooner"
		}
		assert.Equal(t, tt.want, got, "%s: %s", tt.fact, tt.says)
	}
}

// TestOpeningHours reads hours that are only times because something opens then.
func TestOpeningHours(t *testing.T) {
	l := lexicon(t)
	for said, want := range map[string]string{
		"Open 8-6.":                           "clock 8:00am to 6:00pm",
		"Our hours are 9 to 17.":              "clock 9:00am to 5:00pm",
		"Our hours are from 9 to 17.":         "clock 9:00am to 5:00pm",
		"We are open 10 to 4, close 11 to 2.": "clock 10:00am to 4:00pm, clock 11:00am to 2:00pm",
		"Open 10 to 25.":                      "",
		"Open 0 to 8.":                        "",
		"Open 8 to 6 pm.":                     "",
		"Seats 8-6.":                          "",
		"Open 8, 6.":                          "",
	} {
		r, _ := read(l, said)
		var got []string
		for _, v := range r.OpeningHours(text.Passage{Last: len(r.Tokens) - 1}) {
			got = append(got, spell(&v))
		}
		assert.Equal(t, want, strings.Join(got, ", "), said)
	}
}

// What a turn mentions includes the dates, times and numbers that are written in words.
func TestMentionedInWords(t *testing.T) {
	l := lexicon(t)
	r, values := read(l, "Three of us on 4 May at nine, and on the 7th at 10:30 pm.")
	g := quantity.NewGrounds()
	g.Values(r.Turn, values)
	for said, want := range map[string]bool{"May 4": true, "5 April": false, "June 7": true,
		"June 8": false, "at 9 am": true, "9 pm": true, "at 8": false, "10:30 pm": false} {
		_, v := read(l, said)
		require.Len(t, v, 1, said)
		assert.Equal(t, want, g.Holds(&v[0]), said)
	}
	g.Number(25_00)
	assert.True(t, g.Follows(75_00, l.SaidBy(r.Turn)), "three times 25")
	assert.False(t, g.Follows(75_00, quantity.NewGrounds()))
}

// Values read from any text are parts of the text, in order.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{
		"A table for 4 at half past 7 on March 3rd", "from New York to Leeds, 3/4 or $1,200.50",
		"9 a.m. 9 p.m. my name is Ann", "3 to 5 working days, within 2 weeks, over £40 to 50 %",
		"10 to 4 pm, 03.05. at 8 in the evening, 3/5/2026, half an hour on Sundays",
		"quarter to", "at 9/", "£", "$,1", "１２ people", "12:", "May 99 99:99:99",
		"from A to B in THE under the name of",
	} {
		f.Add(seed)
	}
	l := lexicon(f)
	f.Fuzz(func(t *testing.T, text string) {
		r, values := read(l, text)
		last := -1
		for _, v := range values {
			require.LessOrEqual(t, v.First, v.Last)
			require.Less(t, last, v.First)
			require.Less(t, v.Last, len(r.Tokens))
			require.GreaterOrEqual(t, v.N, int32(0))
			last = v.Last
		}
		require.LessOrEqual(t, len(values), 32)
		for k := range values { // the comparison is symmetric
			a := &values[k]
			require.Equal(t, quantity.Agreeing, quantity.Relate(a, a), "%+v", a)
			for m := range values[:k] {
				b := &values[m]
				require.Equal(t, quantity.Relate(a, b), quantity.Relate(b, a), "%+v, %+v", a, b)
			}
		}
	})
}
