package heuristics

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/evidence"
	"assize/rubric"
	"assize/rubric/dialogue"
)

func cardOf(t testing.TB, a *Agents, text string) (*evidence.Scorecard, rubric.Rubric) {
	t.Helper()
	r, err := rubric.Parse("card.yaml", []byte(text))
	require.NoError(t, err)
	c, err := a.Scorecard(r)
	require.NoError(t, err)
	return c, r
}

// refundCard returns a scorecard with one fact, which the examples of detectors use.
func refundCard(t testing.TB, a *Agents) *evidence.Scorecard {
	c, _ := cardOf(t, a, "facts: [{id: refunds, about: {any: [refund]}, value: 14 days}]")
	return c
}

func parcelCard(t testing.TB, a *Agents) (*evidence.Scorecard, rubric.Rubric) {
	t.Helper()
	data, err := os.ReadFile("../testdata/scorecard/parcel.yaml")
	require.NoError(t, err)
	return cardOf(t, a, string(data))
}

// answersTo returns the answers of a scorecard about a dialogue.
func answersTo(t testing.TB, a *Agents, c *evidence.Scorecard, r rubric.Rubric, d dialogue.Dialogue,
) *rubric.Checklist {
	t.Helper()
	signals, err := a.ObserveWith(d, evidence.Watch{Scorecard: c})
	require.NoError(t, err)
	return r.Checklist(rubric.Case{Dialogue: d, Signals: signals}, nil)
}

func TestPatterns(t *testing.T) {
	a := newAgents(t)
	said := []string{"USER: Where is my zebrawood table?", "SYSTEM: May I have your postcode?",
		"USER: LS1. I don't wait.", "SYSTEM: Your table is in Leeds. It comes on Friday by 5 pm."}
	for _, tt := range []struct {
		pattern string
		occurs  bool
	}{
		{"{user: [zebrawood]}", true}, // a word that no detector knows
		{"{system: [zebrawood]}", false},
		{"{any: [ZEBRAWOOD TABLE]}", true},
		{"{user: ['zebra-wood']}", false},
		{"{system: ['your (postcode|name)']}", true},
		{"{user: [wait]}", false}, // negated
		{"{user: ['don''t wait']}", true},
		{"{user: ['dont wait']}", true},
		{"{system: ['^may i']}", true},
		{"{system: ['^it comes']}", false},
		{"{system: ['^^it comes']}", true},
		{"{system: ['5 pm$']}", true},
		{"{system: ['friday$']}", false},
		{"{system: [your], at-least: 2}", true},
		{"{system: [your], at-least: 3}", false},
		{"{system: [your], unless: [leeds, postcode]}", false},
		{"{system: [your], unless: [leeds]}", true},
		{"{system: [postcode], where: [question]}", true},
		{"{system: [postcode], where: [statement]}", false},
		{"{system: [postcode], where: [not-question]}", false},
		{"{system: [comes], where: [last, time, number]}", true},
		{"{system: [comes], where: [first]}", false},
		{"{system: [postcode], where: [first, reply]}", true},
		{"{system: [postcode], where: [time]}", false},
		{"{system: [comes], where: [money]}", false},
		{"{system: [postcode], before: {system: [leeds]}}", true},
		{"{system: [leeds], before: {system: [postcode]}}", false},
		{"{system: [leeds], before: {system: [york]}}", true}, // never, so all is before it
		{"{system: [leeds], after: {user: [ls1]}}", true},
		{"{system: [comes], after: {system: [leeds]}}", true}, // in the same turn
		{"{system: [leeds], after: {system: [comes]}}", false},
		{"{system: [leeds], after: {user: [york]}}", false},
	} {
		c, r := cardOf(t, a, "questions:\n  - id: q\n    ask: Is it?\n    yes: "+tt.pattern)
		want := rubric.No
		if tt.occurs {
			want = rubric.Yes
		}
		assert.Equal(t, want, answersTo(t, a, c, r, spoken(said...)).Answers[0].Answer, tt.pattern)
	}
}

// A "not" right after a phrase voids it, unless it is about what follows.
func TestNotAfterAPhrase(t *testing.T) {
	a := newAgents(t)
	for pattern, want := range map[string]rubric.Answer{"of course": rubric.No,
		"of course not": rubric.Yes, "my desk": rubric.Yes, "sure": rubric.Yes} {
		c, r := cardOf(t, a, "questions:\n  - id: q\n    ask: Is it?\n    yes: {any: ["+pattern+"]}")
		got := answersTo(t, a, c, r, spoken("USER: Is my desk not here? Are you sure?",
			"SYSTEM: No, of course not, I am sure. Not here."))
		assert.Equal(t, want, got.Answers[0].Answer, pattern)
	}
}

func TestPhrasesThatCannotMatch(t *testing.T) {
	a := newAgents(t)
	for phrase, want := range map[string]string{
		"' '":                                `card.yaml|3:18: the phrase is empty`,
		"complain*":                          `"*" means nothing in a phrase; want the words`,
		"'%'":                                `"%" can never match`,
		"to the U.K.":                        `a sentence ends inside "to the U.K."`,
		"'(mr.|mrs.) smith'":                 `a sentence ends inside "(mr.|mrs.) smith"`,
		"refund.":                            "",
		"£5.00":                              "",
		"'^no. four'":                        "",
		"(un|)happy":                         `"(un|)happy" goes on after a group`,
		"'a (b'":                             `want each group closed`,
		"'(a|)'":                             `is an empty phrase`,
		"'a ((b|c) d)'":                      `want each group closed`,
		strings.Repeat("a", 3):               "",
		"'" + strings.Repeat("a ", 33) + "'": "33 words; want at most 32",
	} {
		r, err := rubric.Parse("card.yaml", []byte("questions:\n  - {id: q, ask: Is it?,\n"+
			"     yes: {any: ["+phrase+"]}}"))
		require.NoError(t, err, phrase)
		_, err = a.Scorecard(r)
		if want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, strings.TrimPrefix(want, "card.yaml|"), phrase)
	}
	for value, want := range map[string]string{
		"soon":                 "is not one value of money, percent or time; want one such",
		"between 9 and 2 days": "ends before it begins; want the smaller number first",
		"£40 to £30":           "ends before it begins",
		"5 to 3 working days":  "ends before it begins",
		"-5 days":              "is negative; want a value that the SYSTEM may state",
		"−5 days":              "is negative",
		"Minus 5 days":         "is negative",
		"31 February":          "is not a day of any year",
		"10 am to":             "has one end of a range; want both, as in 10 am to 4 pm",
		"10 am –":              "has one end of a range",
		"between 10 am and":    "has one end of a range",
		"to 4 pm":              "has one end of a range",
		"Monday to":            "has one end of a range",
		"November 31":          "is not a day of any year",
		"closed on Sunday":     "denies something, which a value cannot; want in never: the words",
		"not more than 3 days": "denies something",
		"0.5 cents":            "is not one value of money, percent or time; want one such",
		"20 cents":             "", "twenty pence": "", "20p": "", "2 euros 20": "",
		"no later than 8 pm": "", "on Sundays": "", "14 days from the delivery": "",
		"29 February": "", "2 to 9 days": "", "10 pm to 4 am": "", "24 December": "",
	} {
		r, err := rubric.Parse("card.yaml",
			[]byte("facts:\n  - {id: f, about: {any: [x]}, value: "+value+"}"))
		require.NoError(t, err)
		if _, err = a.Scorecard(r); want == "" {
			assert.NoError(t, err, value)
			continue
		}
		assert.ErrorContains(t, err, "2:39: \""+value+"\" "+want)
	}
}

// A scorecard changes no score, and nothing that the detectors find.
func TestScorecardsChangeNoOtherSignal(t *testing.T) {
	a := newAgents(t)
	c, _ := parcelCard(t, a)
	for _, d := range deskDialogues(t) {
		without, err := a.Observe(d)
		require.NoError(t, err)
		with, err := a.ObserveWith(d, evidence.Watch{Scorecard: c,
			Valid: func(*rubric.Fact) bool { return false }})
		require.NoError(t, err)
		var rest []rubric.Signal
		for _, s := range with {
			if !strings.Contains(s.ID, ":") {
				rest = append(rest, s)
			}
		}
		assert.Equal(t, without, append(without[:0:0], rest...))
	}
}

func deskDialogues(t testing.TB) map[string]dialogue.Dialogue {
	t.Helper()
	return read(t, "../testdata/desk/dialogues.jsonl", func(id string, _ json.RawMessage) {})
}

// read reads dialogues in JSON lines, and passes each line to see.
func read(t testing.TB, file string, see func(id string, line json.RawMessage),
) map[string]dialogue.Dialogue {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	all := map[string]dialogue.Dialogue{}
	for line := range strings.Lines(string(data)) {
		var in struct {
			ID       string
			Messages []struct{ Role, Content string }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &in))
		d := dialogue.Dialogue{ID: len(all) + 1}
		for _, m := range in.Messages {
			role := map[string]dialogue.Role{"user": dialogue.User, "assistant": dialogue.System}
			d.Turns = append(d.Turns, dialogue.Turn{Role: role[m.Role], Text: m.Content})
		}
		all[in.ID] = d
		see(in.ID, json.RawMessage(line))
	}
	return all
}

// The scorecard of the help page gives the answers that two readers gave. Only the second half of
// the dialogues counts, on which no phrase was chosen.
func TestParcelAnswers(t *testing.T) {
	a := newAgents(t)
	c, r := parcelCard(t, a)
	desk := deskDialogues(t)
	for _, reader := range []string{"a", "b"} {
		f, err := os.Open("../testdata/scorecard/labels-" + reader + ".csv")
		require.NoError(t, err)
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		require.NoError(t, f.Close())
		right, all := 0, 0
		for _, row := range rows[21:] {
			list := answersTo(t, a, c, r, desk[row[0]])
			for i, label := range row[1:] {
				all++
				if got := list.Answer(rows[0][i+1]); string(got) == label ||
					got == rubric.NotApplicable && label == "na" {
					right++
				}
			}
		}
		t.Logf("reader %s: %d of %d answers", reader, right, all)
		assert.GreaterOrEqual(t, float64(right), .9*float64(all))
	}
}

// Of the statements that no phrase was chosen on, most contradictions of the fact sheet are found.
func TestParcelFacts(t *testing.T) {
	a := newAgents(t)
	c, _ := parcelCard(t, a)
	type label struct {
		Part, Fact  string
		Contradicts bool
	}
	labels := map[string]label{}
	all := read(t, "../testdata/scorecard/statements.jsonl",
		func(id string, line json.RawMessage) {
			var l label
			require.NoError(t, json.Unmarshal(line, &l))
			labels[id] = l
		})
	found, wrong, contradictions := map[string]int{}, map[string]int{}, map[string]int{}
	for id, d := range all {
		signals, err := a.ObserveWith(d, evidence.Watch{Scorecard: c})
		require.NoError(t, err)
		seen := false
		for _, s := range signals {
			seen = seen || s.ID == evidence.ContradictsFact
		}
		l := labels[id]
		switch {
		case l.Contradicts:
			contradictions[l.Part]++
			if seen {
				found[l.Part]++
			}
		case seen:
			wrong[l.Part]++
		}
	}
	for _, part := range []string{"open", "last"} {
		t.Logf("%s: %d of %d contradictions, %d false", part, found[part], contradictions[part],
			wrong[part])
	}
	assert.GreaterOrEqual(t, found["last"], 17)
	assert.LessOrEqual(t, wrong["last"], 1)
	assert.GreaterOrEqual(t, found["open"], 95)
}

func TestFacts(t *testing.T) {
	a := newAgents(t)
	for _, tt := range []struct{ value, says, want string }{
		{"14 days", "A refund takes 30 days.", "contrary"},
		{"14 days", "A refund takes two weeks.", "agrees"},
		{"14 days", "A refund takes a fortnight.", "agrees"},
		{"14 days", "A refund takes 10 to 14 days.", "agrees"},
		{"14 days", "Your refund of £30 was made 6 days ago.", ""},
		{"14 days", "The refund is £30.", ""},
		{"14 days", "Does a refund take 30 days?", ""},
		{"14 days", "A refund does not take 30 days.", ""},
		{"300 euros", "We kept 50 euros of your refund for the fuel.", ""},
		{"300 euros", "I have already deducted 50 euros from your refund.", ""},
		{"300 euros", "A refund of 50 euros is kept.", "contrary"},
		{"300 euros", "We give a refund of 50 euros.", "contrary"},
		{"7 am to 9 pm", "Your refund is ready at the counter from 10 am.", ""},
		{"7 am to 9 pm", "Your refund will be waiting for you from 10 am.", ""},
		{"7 am to 9 pm", "Refunds are made from 10 am.", "contrary"},
		{"14 days", "Your refund is ready in 30 days.", "contrary"},
		{"14 days", "A refund takes ten working days.", "agrees"},
		{"a month", "A refund takes four weeks.", "agrees"},
		{"3 to 5 working days", "A refund takes 4 working days.", "agrees"},
		{"3 to 5 working days", "A refund takes 3 days to 7 days.", "agrees"},
		{"3 to 5 working days", "A refund takes 6-8 working days.", "contrary"},
		{"over £40", "A refund is made for more than £40.", "agrees"},
		{"over £40", "A refund is made for orders above £1,250.50.", "contrary"},
		{"over £40", "I made a refund for your order of £60.", ""},
		{"up to £20", "We refund up to £50.", "contrary"},
		{"up to £20", "The refund is £15.", ""},
		{"up to £20", "The refund is £35.", "contrary"},
		{"15 %", "You get a refund of 15 percent.", "agrees"},
		{"15 %", "You get a refund of 20%.", "contrary"},
		{"up to 15 %", "You get a refund of 10 %.", ""},
		{"up to 15 %", "You get a refund of up to 20 %.", "contrary"},
		{"at least 10 %", "You get a refund of 12 %.", ""},
		{"at least 10 %", "You get a refund of 5 %.", "contrary"},
		{"£15", "The refund is 15 quid.", "agrees"},
		{"£15", "The refund is $15.", ""},
		{"15 dollars", "The refund is $20.", "contrary"},
		{"£7.95", "The refund is 7,95 pounds.", "agrees"},
		{"£15", "The refund of a missed appointment is charged at 30 pounds.", "contrary"},
		{"£15", "The refund of your appointment was 30 pounds.", ""},
		{"£7.95", "The refund is £8,95.", "contrary"},
		{"£7.95", "The refund is just under eight pounds.", ""},
		{"£7.95", "The refund is about £8.", ""},
		{"£7.95", "The refund is about £9.", "contrary"},
		{"14 days", "The refund takes about 20 days.", "contrary"},
		{"€15", "The refund is fifteen euros.", "agrees"},
		{"€3 to €5", "The refund is 4 euros.", "agrees"},
		{"until 8 pm", "Refunds are made until 20:00.", "agrees"},
		{"until 8 pm", "Refunds are made until eight in the evening.", "agrees"},
		{"until 8 pm", "Refunds are made until 8 am.", "contrary"},
		{"until 8 pm", "Refunds are made until 8 in the morning.", "contrary"},
		{"until 8 pm", "Refunds are made until 8 at night.", "agrees"},
		{"until 8 pm", "I make the refund at 11 tomorrow.", ""},
		{"Sunday", "Refunds are made on Sunday.", "agrees"},
		{"Sunday", "Refunds are made on Monday.", "contrary"},
		{"on Sundays", "Refunds are made on Mondays.", "contrary"},
		{"Sunday", "Sundays are for refunds.", "agrees"},
		{"half an hour", "A refund takes an hour.", "contrary"},
		{"1,200 pounds", "A refund is £1,200.50.", "contrary"},
		{"£7.95", "The refund is under five pounds.", "contrary"},
		{"10 am to 4 pm", "Refunds are made from 9 am to 5 pm on Saturday.", "contrary"},
		{"10 am to 4 pm", "I make the refund between 9 am and 5 pm tomorrow.", ""},
		{"24 December", "Refunds end on December 24th.", "agrees"},
		{"24 December", "Refunds end on 31 December.", "contrary"},
		{"24 December", "Refunds end on 24 November.", "contrary"},
		{"30 minutes", "A refund takes half an hour.", "agrees"},
		{"twenty five days", "A refund takes 25 days.", "agrees"},
		{"within 14 days", "You get your refund in 10 days.", "agrees"},
		{"within 14 days", "A refund takes about a week.", "agrees"},
		{"within 14 days", "A refund takes 3 to 5 days.", "agrees"},
		{"within 14 days", "You get your refund within 20 days.", "contrary"},
		{"within 14 days", "You get your refund in 20 days.", "contrary"},
		{"within 14 days", "You can claim a refund within 10 days.", "contrary"},
		{"within 14 days", "You get your refund within 10 days.", ""},
		{"within 14 days", "A refund takes up to 10 days.", ""},
		{"within 14 days", "You get your refund, usually within 5 days.", ""},
		{"within 14 days", "It is refunded and you will see it within 2 days.", ""},
		{"within 14 days", "You can return it for a refund, within 10 days.", "contrary"},
		{"within 14 days", "You have 10 days to claim a refund.", "contrary"},
		{"within 14 days", "You have 14 days to claim a refund.", "agrees"},
		{"within 14 days", "A refund takes 14 calendar days.", "agrees"},
		{"3 to 5 days", "A refund is valid for 5 days.", "agrees"},
		{"3 to 5 days", "A refund takes 4 days to arrive.", "agrees"},
		{"within 14 days", "You get your refund within 30 calendar days.", "contrary"},
		{"within 14 days", "A refund takes 30 full days.", "contrary"},
		{"within 14 days", "A refund takes 30 (thirty) days.", "contrary"},
		{"within 14 days", "A refund takes fourteen (14) calendar days.", "agrees"},
		{"within 14 days", "A refund has stages: 30) Days are counted.", ""},
		{"10 am to 4 pm", "Refunds are made from 10 am to 4 pm.", "agrees"},
		{"between 10 am and 4 pm", "Refunds are made from 10 to 4 pm.", "agrees"},
		{"10am-4pm", "Refunds are made between 10:00 and 16:00.", "agrees"},
		{"10 am to 4 pm", "Refunds are made 9 am to 5 pm.", "contrary"},
		{"10 am to 4 pm", "Refunds are made from 10 am until 6 pm.", "contrary"},
		{"10 am to 4 pm", "Refunds are made from 10 am to 6 pm on Saturday.", "contrary"},
		{"10-4", "Refunds are made from 10 am until 6 pm.", "contrary"},
		{"10-4pm", "Refunds are made from 10 am until 4 pm.", "agrees"},
		{"10 to 16", "The refund desk is open 10-6.", "contrary"},
		{"10-4", "The refund desk is open from 10 to 4 on Sundays.", "agrees"},
		{"10-4", "The refund desk has 3-5 people.", ""},
		{"10 am to 4 pm", "Refunds are made until 4 pm.", "agrees"},
		{"10 am to 4 pm", "Refunds are made until 5 pm.", "contrary"},
		{"10 am to 4 pm", "Refunds are made from 9 am.", "contrary"},
		{"10 am to 4 pm", "Refunds are made from 10 am.", "agrees"},
		{"10 am to 4 pm", "Call about a refund at 2 pm.", "agrees"},
		{"10 am to 4 pm", "Call about a refund at 8 pm.", "contrary"},
		{"until 8 pm", "Refunds are made from 8 am to 8 pm.", "agrees"},
		{"10 pm to 6 am", "Refunds are made from 10 pm to 6 am.", "agrees"},
		{"10 pm to 6 am", "Refunds are made from 22:00 to 06:00.", "agrees"},
		{"10 pm to 6 am", "Refunds are made from 10 to 6 am.", "agrees"},
		{"22:00 to 06:00", "Refunds are made from 10 pm to 6 am.", "agrees"},
		{"10 pm to 6 am", "Refunds are made from 9 pm to 6 am.", "contrary"},
		{"10 pm to 6 am", "Refunds are made from 10 pm to 5 am.", "contrary"},
		{"10 pm to 6 am", "Refunds are made from 10 am to 6 pm.", "contrary"},
		{"10 pm to 6 am", "Refunds are made until 5 am.", "contrary"},
		{"10 pm to 6 am", "Refunds are made until 6 am.", "agrees"},
		{"10 pm to 6 am", "Call about a refund at 2 am.", "agrees"},
		{"10 pm to 6 am", "Call about a refund at 11 pm.", "agrees"},
		{"10 pm to 6 am", "Call about a refund at 2 pm.", "contrary"},
		{"6 pm to 12 am", "Refunds are made from 18:00 to 24:00.", "agrees"},
		{"6 pm to 12 am", "Refunds are made from 7 pm to 12 am.", "contrary"},
		{"6 pm to midnight", "Refunds are made from 6 pm to 12 am.", "agrees"},
		{"6 pm to midnight", "Refunds are made from 7 pm to midnight.", "contrary"},
		{"10 am to noon", "Refunds are made from 10 am to 2 pm.", "contrary"},
		{"£12.50", "A refund is free.", "contrary"},
		{"£12.50", "Refunds are free of charge.", "contrary"},
		{"£12.50", "A refund is not free.", ""},
		{"£12.50", "A refund is free only for members.", ""},
		{"over £40", "A refund is free.", ""},
		{"until 8 pm", "Refunds are made from 8 am to 9 pm.", "contrary"},
		{"9 am to 7 pm", "Refunds: we're open until 8 pm on Monday.", "contrary"},
		{"9 am to 7 pm", "The refund desk closes at 8 pm on Mondays.", "contrary"},
		{"9 am to 7 pm", "The refund desk closes at 7 pm on Mondays.", "agrees"},
		{"9 am to 7 pm", "The refund desk closes at 5 pm on Mondays.", "contrary"},
		{"9 am to 7 pm", "The refund desk opens at 10 am on Mondays.", "contrary"},
		{"9 am to 7 pm", "The refund desk opens at 9 am on Mondays.", "agrees"},
		{"9 am to 7 pm", "The refund desk is open at 5 pm on Mondays.", "agrees"},
		{"9 am to 7 pm", "The refund desk opens daily until 7 pm.", "agrees"},
		{"9 am to 7 pm", "Refunds until 8 pm on Mondays.", "contrary"},
		{"9 am to 7 pm", "Refunds until 8 pm on Monday.", ""},
		{"9 am to 7 pm", "The refund desk closes at 8 pm today.", ""},
		{"9 am to 7 pm", "I make the refund at 8 pm on Monday.", ""},
		{"9 am to 7 pm", "Your appointment about the refund is tomorrow at 11:30.", ""},
		{"9 am to 7 pm", "Your appointment about the refund is tomorrow at 8 pm.", ""},
		{"9 am to 7 pm", "On Mondays at 8 pm, a refund is made.", "contrary"},
		{"0 euros", "A refund costs £15.", "contrary"},
		{"0 euros", "A refund costs £0.", "agrees"},
		{"£0", "A refund costs 0 dollars.", "agrees"},
		{"€15", "A refund costs £0.", "contrary"},
		{"0.20 euros", "The refund is 20 cents a day, so for 13 days you get 2.60 euros.", "agrees"},
		{"20 cents", "The refund is 20c a day, so for 13 days you get 2 euros 60.", "agrees"},
		{"20 cents", "The refund is 20 euro cents.", "agrees"},
		{"20 cents", "The refund is thirty cents.", "contrary"},
		{"20 cents", "The refund is 2 euros.", "contrary"},
		{"20 cents", "The refund is 20p.", ""},
		{"20p", "The refund is £0.20.", "agrees"},
		{"20 pence", "The refund is 25p.", "contrary"},
	} {
		c, _ := cardOf(t, a, fmt.Sprintf(
			"facts: [{id: f, about: {any: [refund(|s)]}, value: %q}]", tt.value))
		signals, err := a.ObserveWith(spoken("USER: And?", "SYSTEM: "+tt.says),
			evidence.Watch{Scorecard: c})
		require.NoError(t, err)
		got := ""
		for _, s := range signals {
			if s.Fact != "" {
				got += map[string]string{evidence.ContradictsFact: "contrary",
					evidence.ContradictsFact + "-agrees": "agrees"}[s.ID]
			}
		}
		assert.Equal(t, tt.want, got, "%s: %s", tt.value, tt.says)
	}
}

// A limit must be that of the fact, an end of opening hours must be one of its ends, and what is
// only inside of a limit confirms nothing unless it is about the fact.
func TestFactsThatAreRules(t *testing.T) {
	a := newAgents(t)
	c, _ := cardOf(t, a, `facts:
  - {id: return, about: {any: [return(|s), send (it|) back]}, value: within 30 days}
  - {id: hours, about: {any: [open(|s), opening hours, close(|s)]}, value: 9 am to 8 pm}
  - {id: price, about: {any: [how much is delivery, delivery price, delivery slot]}, value: £39}`)
	for _, tt := range []struct{ asks, says, want string }{
		{"Can I send back the lamp?", "Returns are possible for 14 days.", "return contrary"},
		{"Can I send back the lamp?", "No, returns are only possible for 14 days.", "return contrary"},
		{"Can I send back the lamp?", "You can return it within 14 days.", "return contrary"},
		{"Can I return it?", "You can return it up to 14 days after delivery.", "return contrary"},
		{"Can I return it?", "There are 14 days to send it back.", "return contrary"},
		{"Can I return it?", "Yes, for 14 days.", "return contrary"},
		{"Can I return it?", "Give me a minute to look.", ""},
		{"Can I return it?", "Yes, for 30 days.", "return agrees"},
		{"Can I return it?", "You have to wait for 14 days after you return it.", "return agrees"},
		{"Can I return it?", "Send it back, and in 10 days it is here.", "return agrees"},
		{"Can I return it?", "It takes 3 days.", "return agrees"},
		{"How do I return a table?", "We refund you in 5 working days.", ""},
		{"How do I return a table?", "The sofa is 5 days old, return it.", ""},
		{"What are your opening hours?", "We open at 10 and close at 8.", "hours contrary"},
		{"What are your opening hours?", "We close at 8 and open at 10.", "hours contrary"},
		{"What are your opening hours?", "We open at 10 am.", "hours contrary"},
		{"What are your opening hours?", "We open daily at 10.", "hours contrary"},
		{"What are your opening hours?", "We're open from noon to 8 pm.", "hours contrary"},
		{"What are your opening hours?", "We open at 9 and close at 8.", "hours agrees"},
		{"What are your opening hours?", "We are open daily at 10.", "hours agrees"},
		{"What are your opening hours?", "We close at 8 pm, on Saturdays at 4 pm.", "hours agrees"},
		{"What are your opening hours?", "On Saturdays we close at 4 pm.", "hours contrary"},
		{"What are your opening hours?", "Your table comes at 2 pm.", ""},
		{"How much is delivery?", "Nothing, delivery is free.", "price contrary"},
		{"How much is delivery?", "Nothing.", "price contrary"},
		{"How much is delivery?", "No, it's free.", "price contrary"},
		{"How much is delivery?", "There is no charge for delivery.", "price contrary"},
		{"How much is delivery?", "Delivery costs nothing.", "price contrary"},
		{"How much is delivery?", "We offer free delivery on all orders.", "price contrary"},
		{"How much is delivery?", "Delivery is free for members.", ""},
		{"How much is delivery?", "We have no free delivery.", ""},
		{"How much is delivery?", "Delivery is not free.", ""},
		{"How much is delivery?", "Delivery is quick, and collection is free.", ""},
		{"How much is delivery?", "You can collect it for free.", ""},
		{"Is it a delivery slot?", "Nothing.", ""},
		{"I want to return a rug.", "You have 60 days.", "return contrary"},
		{"I'd like to send back a rug.", "You have 60 days.", "return contrary"},
		{"I got a return.", "You have 60 days.", ""},
		{"I got a return.\nSYSTEM: Yes?\nUSER: I want a cup.", "You have 60 days.", ""},
	} {
		said := strings.Split("USER: "+tt.asks+"\nSYSTEM: "+tt.says, "\n")
		signals, err := a.ObserveWith(spoken(said...), evidence.Watch{Scorecard: c})
		require.NoError(t, err)
		got := ""
		for _, s := range signals {
			if s.Fact != "" {
				got += s.Fact + map[bool]string{true: " contrary", false: " agrees"}[s.Points < 0]
			}
		}
		assert.Equal(t, tt.want, got, "%s %s", tt.asks, tt.says)
	}
}

// A fact may say only what contradicts it, and what is free is an amount of 0.
func TestFactsWithoutValues(t *testing.T) {
	a := newAgents(t)
	c, r := cardOf(t, a, "facts: [{id: dogs, about: {any: [dog(|s)]}, never: [travel(|s) free]}, "+
		"{id: bikes, about: {any: [bike(|s)]}, value: 0 euros}]")
	assert.Equal(t, "never: travel(|s) free", r.Facts[0].Says())
	assert.Equal(t, "0 euros", r.Facts[1].Says())
	for said, want := range map[string][]string{
		"A dog travels free.":         {"dogs"},
		"Dogs travel with a ticket.":  nil,
		"A dog costs 12 euros a day.": nil,
		"A bike costs 12 euros.":      {"bikes"},
		"A bike costs 0 euros.":       nil,
	} {
		signals, err := a.ObserveWith(spoken("USER: And?", "SYSTEM: "+said), evidence.Watch{Scorecard: c})
		require.NoError(t, err)
		var got []string
		for _, s := range signals {
			if s.ID == evidence.ContradictsFact {
				got = append(got, s.Fact)
			}
		}
		assert.Equal(t, want, got, said)
	}
}

// What a fact is about may be said before: in the turn, or by the USER.
func TestFactsHaveASubject(t *testing.T) {
	a := newAgents(t)
	c, _ := cardOf(t, a, "facts: [{id: f, about: {any: [refund(|s)], unless: [express]}, "+
		"value: 14 days, never: [no deadline, no refund(|s)]}]")
	for _, tt := range []struct {
		want bool
		said []string
	}{
		{true, []string{"USER: How long does a refund take?", "SYSTEM: It takes 30 days."}},
		{true, []string{"USER: And?", "SYSTEM: We refund it. It takes 30 days."}},
		{false, []string{"USER: I got my refund.", "SYSTEM: Fine. It takes 30 days."}},
		{false, []string{"USER: When is my refund?", "SYSTEM: The parcel takes 30 days."}},
		{false, []string{"USER: How about a refund?", "SYSTEM: Express takes 30 days."}},
		{false, []string{"USER: My refund came 30 days ago?", "SYSTEM: Right, 30 days."}},
		{true, []string{"USER: And?", "SYSTEM: A refund has no deadline."}},
		{true, []string{"USER: And?", "SYSTEM: We give no refunds."}},
		{false, []string{"USER: And?", "SYSTEM: We never say no refunds."}},
		{false, []string{"USER: And?", "SYSTEM: There is no deadline."}},
	} {
		signals, err := a.ObserveWith(spoken(tt.said...), evidence.Watch{Scorecard: c})
		require.NoError(t, err)
		got := false
		for _, s := range signals {
			got = got || s.ID == evidence.ContradictsFact
		}
		assert.Equal(t, tt.want, got, tt.said)
	}
	c, _ = cardOf(t, a, "facts: [{id: f, about: {any: [delivery]}, value: £5}]")
	for _, tt := range []struct {
		want bool
		said []string
	}{
		{false, []string{"SYSTEM: How much is delivery? It is free of charge."}},
		{true, []string{"SYSTEM: How much is delivery? Delivery is free of charge."}},
		{true, []string{"USER: How much is delivery?", "SYSTEM: It is free of charge."}},
	} {
		signals, err := a.ObserveWith(spoken(tt.said...), evidence.Watch{Scorecard: c})
		require.NoError(t, err)
		got := rubric.Case{Signals: signals}.Fired(evidence.ContradictsFact)
		assert.Equal(t, tt.want, got, tt.said)
	}
	c, _ = cardOf(t, a,
		"facts: [{id: f, about: {any: [refund], where: [statement]}, value: 14 days}]")
	signals, err := a.ObserveWith(spoken("USER: When is my refund?", "SYSTEM: It takes 30 days."),
		evidence.Watch{Scorecard: c})
	require.NoError(t, err)
	assert.False(t, rubric.Case{Signals: signals}.Fired(evidence.ContradictsFact), "it is in a question")
}

// A contradiction of the fact sheet is a reason for a low Accuracy, and the justification names the
// fact.
func TestFactsAreEvidenceForAccuracy(t *testing.T) {
	a := newAgents(t)
	c, r := cardOf(t, a, "facts:\n  - {id: refunds, about: {any: [refund]}, value: 14 days}")
	d := spoken("USER: How long does a refund take?", "SYSTEM: A refund takes 30 days.",
		"USER: Thank you.")
	p := rubric.Panel{Rubric: r, Evaluator: a.Evaluator(r), Critic: a.Critic(r),
		Observe: func(d dialogue.Dialogue) ([]rubric.Signal, error) {
			return a.ObserveWith(d, evidence.Watch{Scorecard: c})
		}}
	e, err := p.Judge(t.Context(), d)
	require.NoError(t, err)
	rating := e.Final[rubric.Accuracy]
	assert.EqualValues(t, 40, rating.Score)
	assert.Contains(t, rating.Sentence(d), "where refunds (line 2) says 14 days")
	assert.Contains(t, rating.Sentence(d), `SYSTEM: "A refund takes 30 days."`)

	c, r = cardOf(t, a, "facts:\n  - {id: refunds, about: {any: [refund]}, value: 14 days}\n"+
		"  - {id: fees, about: {any: [fee]}, value: £5}")
	d = spoken("USER: How long?", "SYSTEM: A refund takes 30 days.", "USER: And the fee?",
		"SYSTEM: The fee is £7.")
	p.Rubric, p.Evaluator, p.Critic = r, a.Evaluator(r), a.Critic(r)
	e, err = p.Judge(t.Context(), d)
	require.NoError(t, err)
	assert.NotContains(t, e.Final[rubric.Accuracy].Claim, "in 2 turns", "each fact is in one")
	assert.Contains(t, e.Final[rubric.Accuracy].Claim, "where refunds (line 2) says 14 days; "+
		"the SYSTEM also contradicts fees (line 3), which says £5")
	assert.Contains(t, e.Final[rubric.Accuracy].Sentence(d), `SYSTEM: "The fee is £7."`)
}

// Neither a rubric file nor a dialogue can make the search slow: bombs are refused or linear.
func TestBombs(t *testing.T) {
	a := newAgents(t)
	var lines strings.Builder
	for i := range 24 { // each line has 2^24 phrases, and all of them overlap
		fmt.Fprintf(&lines, "        - %sa%s\n", strings.Repeat("(a|b) ", i),
			strings.Repeat(" (a|b)", 23-i))
	}
	r, err := rubric.Parse("card.yaml",
		[]byte("questions:\n  - id: q\n    ask: Is it?\n    yes:\n      any:\n"+lines.String()))
	require.NoError(t, err)
	_, err = a.Scorecard(r)
	assert.ErrorContains(t, err, "too many combinations")

	c, _ := parcelCard(t, a)
	for _, words := range []string{"refund ", "refund 14 days ", "three four five ", "£5 to ",
		"call us. ", "is it? ", "14,", "the order number is ", "what is the code? "} {
		times := [2]time.Duration{}
		for i, n := range []int{1 << 15, 1 << 17} {
			text := strings.Repeat(words, n/len(words))
			d := spoken("USER: "+text, "SYSTEM: "+text, "USER: "+text, "SYSTEM: "+text)
			begun := time.Now()
			_, err := a.ObserveWith(d, evidence.Watch{Scorecard: c})
			require.NoError(t, err)
			times[i] = time.Since(begun)
		}
		t.Logf("%q: %v, four times as much text: %v", words, times[0], times[1])
	}
}

// FuzzScorecard checks that no rubric file and no text of a dialogue makes the search panic.
func FuzzScorecard(f *testing.F) {
	data, err := os.ReadFile("../testdata/scorecard/parcel.yaml")
	require.NoError(f, err)
	f.Add(string(data), "A refund takes 30 days, or 3 to 5.")
	f.Add("facts: [{id: a, about: {any: [x]}, value: 1-2 %}]", "x of £1,000 to 2 per cent")
	f.Add("questions: [{id: a, ask: b, yes: {any: ['^(a|b) c$'], where: [time]}}]", "a c 9 pm")
	a := New()
	f.Fuzz(func(t *testing.T, file, text string) {
		r, err := rubric.Parse("card.yaml", []byte(file))
		if err != nil {
			return
		}
		c, err := a.Scorecard(r)
		if err != nil {
			return
		}
		d := spoken("USER: "+text, "SYSTEM: "+text)
		signals, err := a.ObserveWith(d, evidence.Watch{Scorecard: c})
		if err != nil {
			return
		}
		for _, s := range signals {
			turn, ok := d.Turn(s.Turn)
			if !ok || s.Start < 0 || s.End > len(turn.Text) || s.Start > s.End {
				t.Fatalf("%+v is outside of its turn", s)
			}
		}
		r.Checklist(rubric.Case{Dialogue: d, Signals: signals}, nil)
	})
}

func BenchmarkScorecard(b *testing.B) {
	a := New()
	c, _ := parcelCard(b, a)
	desk := deskDialogues(b)
	for _, card := range []*evidence.Scorecard{nil, c} {
		b.Run(fmt.Sprint(card != nil), func(b *testing.B) {
			for b.Loop() {
				for _, d := range desk {
					if _, err := a.ObserveWith(d, evidence.Watch{Scorecard: card}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
