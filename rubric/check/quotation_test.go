package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

// quoteBrief formats a quotation as in the tables of this file: speaker, turn, words; ~ for a scare
// quote.
func quoteBrief(q quotation) string {
	var b strings.Builder
	if q.speaker != dialogue.Other {
		b.WriteString(q.speaker.String() + " ")
	}
	if q.turn > 0 {
		fmt.Fprintf(&b, "%d ", q.turn)
	}
	if q.isScareQuote {
		b.WriteString("~")
	}
	return b.String() + "|" + q.words
}

func quoteBriefs(qs []quotation) []string {
	list := []string{}
	for _, q := range qs {
		list = append(list, quoteBrief(q))
	}
	return list
}

func TestQuotations(t *testing.T) {
	nobody := NewTranscript(dialogue.Dialogue{})
	for _, tt := range []struct {
		reason, sentence string
		want             []string
	}{
		// Sentences of this program.
		{"our own form", `The USER turns the offer down: USER: "No"; USER: "No thanks".`,
			[]string{"USER |No", "USER |No thanks"}},
		{"our own form, both speakers", `It fits: USER: "A table for four."; SYSTEM: "I have one."`,
			[]string{"USER |A table for four.", "SYSTEM |I have one."}},
		{"semicolons inside", `It is upset: USER: "no; never"; SYSTEM: "ok; fine".`,
			[]string{"USER |no; never", "SYSTEM |ok; fine"}},
		{"no quote",
			`The SYSTEM's tone is neutral, but no words of the transcript were quoted for it.`,
			[]string{}},
		{"an audit's sentence",
			`R3-contradicted: Accuracy goes from 100 to 60, because USER: "No, I said four" and USER: ` +
				`"Four!" speak for a lower score.`, []string{"USER |No, I said four", "USER |Four!"}},
		{"never across a label", `He said "so: USER: "No".`, []string{"USER |No"}},

		// Marks.
		{"straight", `It says "we are closed today" twice.`, []string{"|we are closed today"}},
		{"single", `It says 'we are closed today' twice.`, []string{"|we are closed today"}},
		{"curly", `It says “we are closed today” twice.`, []string{"|we are closed today"}},
		{"curly single", `It says ‘we’re closed today’ twice.`, []string{"|we’re closed today"}},
		{"opened curly and closed straight", `It says “we are closed today" twice.`,
			[]string{"|we are closed today"}},
		{"in brackets", `It names a film ('Best of the Lot').`, []string{"|Best of the Lot"}},
		{"side by side", `"We are closed"/"we are full"—"sorry about that".`,
			[]string{"|We are closed", "|we are full", "|sorry about that"}},
		{"single in double", `It says "the film 'Best of the Lot' is on" twice.`,
			[]string{"|the film 'Best of the Lot' is on"}},
		{"double in single", `It says 'the film "Best of the Lot" is on' twice.`,
			[]string{`|the film "Best of the Lot" is on`}},
		{"dots first", `It says "...and so on and on" twice.`, []string{"|...and so on and on"}},
		{"the sentence's mark inside", `It says "we are closed," and "we are full."`,
			[]string{"|we are closed,", "|we are full."}},

		// No quotes.
		{"apostrophes",
			`The user’s wish isn't met, and the agents' answers don't help the users' cause.`,
			[]string{}},
		{"a quote that ends in s", `It says 'yes' to that and "no problem at all" to this.`,
			[]string{"~|yes", "|no problem at all"}},
		{"inches and feet", `The 55" screen and the 32" one are 6' wide.`, []string{}},
		{"never closed", `It says "we are closed and leaves.`, []string{}},
		{"never opened", `It says we are closed" and leaves.`, []string{}},
		{"closed for nobody, then a real one",
			`It says "we are closed and 'come back tomorrow' then.`,
			[]string{"|come back tomorrow"}},
		{"no words", `It says "?!" and "…" and "".`, []string{}},
		{"nothing", ``, []string{}},
		{"only a mark", `"`, []string{}},

		// Speakers.
		{"label, single marks", `SYSTEM: 'all right, would you...'`,
			[]string{"SYSTEM |all right, would you..."}},
		{"label without space", `USER:"No thanks"`, []string{"USER |No thanks"}},
		{"other names",
			`AGENT: "Hello there"; CUSTOMER: "Hi there"; Bot: "How are you"; client: "I am fine"`,
			[]string{"SYSTEM |Hello there", "USER |Hi there", "SYSTEM |How are you",
				"USER |I am fine"}},
		{"verb", `The SYSTEM says "we are closed" twice.`, []string{"|we are closed"}},
		{"verb and colon", `User said: 'we are four'.`, []string{"|we are four"}},
		{"in brackets", `It is clear (USER: "we are four").`, []string{"USER |we are four"}},
		{"with another spoken to", `The SYSTEM asks the USER: "how many are you" first.`,
			[]string{"|how many are you"}},
		{"was told", `The user was told "we are closed" twice.`, []string{"|we are closed"}},
		{"said to the user", `It was clear to the user: "we are closed" is final.`,
			[]string{"|we are closed"}},
		{"other people", `The waiter says "we are closed" twice.`, []string{"|we are closed"}},
		{"label inside the marks", `Clear: "USER: we are four".`, []string{"USER |we are four"}},
		{"never closed, but attributed", `USER: "we are four`, []string{}},

		// Turns.
		{"turn before our label",
			`See turn 40: SYSTEM: "it will be here", and turn 9 USER: "it is not"`,
			[]string{"SYSTEM 40 |it will be here", "USER 9 |it is not"}},
		{"turn in words", `In turn 7: "we are four" is clear.`, []string{"7 |we are four"}},
		{"turn and speaker", `Turn 7, USER: "we are four"; turn 8 SYSTEM: "how many are you".`,
			[]string{"USER 7 |we are four", "SYSTEM 8 |how many are you"}},
		{"the number of an order",
			`Order #7 "a table for four" is late at terminal T7 "in the north wing".`,
			[]string{"|a table for four", "|in the north wing"}},

		// Scare quotes.
		{"one word", `The "help" was none.`, []string{"~|help"}},
		{"two words", `A 'quick fix' was offered.`, []string{"~|quick fix"}},
		{"three words", `The 'quick old fix' was offered.`, []string{"|quick old fix"}},
		{"one word of somebody", `USER: "yes"`, []string{"USER |yes"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			assert.Equal(t, tt.want, quoteBriefs(quotations(tt.sentence, nobody)), tt.sentence)
		})
	}
}

func TestQuotationRange(t *testing.T) {
	s := `Es heißt “so ist es” – USER: "No", "USER: yes" again`
	var got []string
	for _, q := range quotations(s, nil) {
		got = append(got, s[q.start:q.end])
	}
	assert.Equal(t, []string{`“so ist es”`, `USER: "No"`, `"USER: yes"`}, got)
}

func TestAttributed(t *testing.T) {
	for _, tt := range []struct{ reason, entry, want string }{
		{"plain words", `USER: we are four, please`, "USER |we are four, please"},
		{"other name, turn in front", `turn 7 Agent: how many are you?`,
			"SYSTEM 7 |how many are you?"},
		{"turn in words", `Turn 7: USER: we are four`, "USER 7 |we are four"},
		{"brackets at the end that name no turn", `USER: we are four (and a dog)`,
			"USER |we are four (and a dog)"},
		{"marks inside", `USER: I said "no" to him`, `USER |I said "no" to him`},
		{"marks around what looks like dropped letters", `USER: "Cuz I like it"`, ""},
		{"single marks around it", `USER: 'Cuz I like it'.`, ""},
		{"a number in marks", `USER: "54 of them"`, ""},
		{"only a turn", `Turn 7: we are four`, "7 |we are four"},
		{"marks follow: quotations reads it", `USER: "we are four"`, ""},
		{"no label", `we are four`, ""},
		{"a label of something else", `Time: we are four`, ""},
		{"a time", `10:30 is fine`, ""},
		{"no words", `USER: `, ""},
		{"only marks", `USER: ?!`, ""},
	} {
		q, ok := parseAttributed(tt.entry, nil)
		if assert.Equal(t, tt.want != "", ok, tt.reason); ok {
			assert.Equal(t, tt.want, quoteBrief(q), tt.reason)
		}
	}
}

// TestQuotedUtterances checks that utterances containing quote marks are recognised as a whole when
// quoted.
func TestQuotedUtterances(t *testing.T) {
	said := NewTranscript(dialogue.Dialogue{Turns: []dialogue.Turn{
		{Role: dialogue.System, Text: `"Up" is a film. It is "great". Do see it!`},
		{Role: dialogue.User, Text: `Was "Up"`},
	}})
	list := quotations(
		`It is clear: SYSTEM: ""Up" is a film. It is "great". Do see it!"; USER: "Was "Up"".`, said)
	assert.Equal(t, []string{`SYSTEM |"Up" is a film. It is "great". Do see it!`, `USER |Was "Up"`},
		quoteBriefs(list))
}
