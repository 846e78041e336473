package evidence

import (
	"fmt"
	"strings"
	"testing"

	"assize/heuristics/quantity"
	"assize/rubric/dialogue"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// valueKinds are the kinds of values, in the order of their constants.
var valueKinds = strings.Fields(
	"- weekday relative date clock count amount bare percent duration habit")

// spell formats a value as in the tables below: its kind and value, preceded by "~" if it is loose.
func spell(v *quantity.Value) string {
	out := ""
	if v.Loose {
		out = "~"
	}
	out += valueKinds[v.Slot.Kind] + " "
	switch v.Slot.Kind {
	case quantity.Date:
		return out + fmt.Sprintf("%d-%d", v.N/32, v.N%32)
	case quantity.Clock:
		return out + fmt.Sprintf("%d:%02d%s", v.N%1440/60, v.N%60,
			[...]string{"", "am", "pm"}[v.N/1440])
	case quantity.Count:
		return out + fmt.Sprintf("%d of %d", v.N, v.Slot.Unit)
	case quantity.Amount:
		return out + fmt.Sprintf("%d.%02d", v.N/100, v.N%100)
	}
	return out + fmt.Sprint(v.N)
}

func analysisOf(a *Rules, d dialogue.Dialogue) *analysis {
	s := &analysis{}
	s.Prepare(a.Lexicon, a.terms, d, nil)
	return s
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
		{"quarter to 1 pm", "clock 0:45pm"},
		{"at noon", "clock 0:00pm"},
		{"at midnight", "clock 0:00am"},
		{"until 8", "~clock 8:00"},
		{"10 am to 4 pm", "clock 10:00am"},
		{"after 9:30", "~clock 9:30"},
		{"it leaves Leeds at 9:30", "~clock 9:30"},
		{"99:99", ""},

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

		{"send $40", "amount 40.00"},
		{"transfer 1,200.50 dollars", "amount 1200.50"},
		{"it costs $40", "~amount 40.00"},
		{"15 percent", "~percent 1500"},
		{"a fortnight", "duration 20160"},
		{"3 to 5 working days", "duration 4320"},
		{"within 2 weeks", "~duration 20160"},
		{"send £40", "amount 40.00"},
		{"under 50 pounds", "~amount 50.00"},

		{"from Monday to Friday", "weekday 1, weekday 5"},

		{"", ""},
		{"flat 2b, code X4471Y", ""},
		{"99999999999999999999 people", ""},
	}
	a := newRules(t)
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			s := analysisOf(a, dialogueOf("USER: "+tt.text))
			var got []string
			for k := range s.Values {
				got = append(got, spell(&s.Values[k]))
			}
			assert.Equal(t, tt.want, strings.Join(got, ", "))
		})
	}
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
		{"ten pounds", "£10", true},
		{"over £40", "£60", true},
		{"over £40", "£30", false},
		{"twenty five percent", "25 %", true},
	}
	a := newRules(t)
	for _, tt := range tests {
		t.Run(tt.a+" and "+tt.b, func(t *testing.T) {
			s := analysisOf(a, dialogueOf("USER: "+tt.a, "SYSTEM: "+tt.b))
			require.Len(t, s.Values, 2)
			assert.Equal(t, tt.same, quantity.IsSameSlot(&s.Values[0], &s.Values[1]) &&
				quantity.Relate(&s.Values[0], &s.Values[1]) == quantity.Agreeing)
			assert.Equal(t, tt.same, quantity.IsSameSlot(&s.Values[1], &s.Values[0]) &&
				quantity.Relate(&s.Values[1], &s.Values[0]) == quantity.Agreeing, "turned round")
		})
	}
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
	a := newRules(f)
	s := &analysis{}
	f.Fuzz(func(t *testing.T, text string) {
		s.Prepare(a.Lexicon, a.terms, dialogueOf("USER: "+text, "SYSTEM: "+text), nil)
		last := -1
		for k := range s.ValuesOf(0) {
			v := &s.Values[k]
			require.LessOrEqual(t, v.First, v.Last)
			require.Less(t, last, v.First)
			require.Less(t, v.Last, len(s.Turns[0].Tokens))
			require.GreaterOrEqual(t, v.N, int32(0))
			last = v.Last
		}
		require.LessOrEqual(t, len(s.ValuesOf(0)), 32)
		require.Equal(t, len(s.ValuesOf(0)), len(s.ValuesOf(1)))
		for k := range s.Values { // the comparison is symmetric
			for m := range s.Values[:k] {
				a, b := &s.Values[k], &s.Values[m]
				require.Equal(t, quantity.Relate(a, b), quantity.Relate(b, a), "%+v, %+v", a, b)
			}
		}
		for k := range s.ValuesOf(0) {
			require.True(t, quantity.Relate(&s.Values[k], &s.ValuesOf(1)[k]) == quantity.Agreeing, "%+v", s.Values[k])
		}
	})
}
