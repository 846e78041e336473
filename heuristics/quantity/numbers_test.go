package quantity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/text"
)

// TestNumbers checks how the numbers in a text are read.
func TestNumbers(t *testing.T) {
	for text, want := range map[string][]float64{
		"":              nil,
		"45 and 1.5":    {45, 1.5},
		"1,204.50":      {1, 204.5, 1204.5},
		"95,50":         {95, 50, 9550, 95.5},
		"[1,2,3]":       {1, 2, 3, 123},
		"BA2490, 7.":    {2490, 7},
		"£35":           {35},
		"rate: 1.0842.": {1.0842},
	} {
		var got []float64
		eachNumber(text, func(v float64, begin, end int) {
			require.True(t, 0 <= begin && begin < end && end <= len(text), text)
			got = append(got, v)
		})
		assert.Equal(t, want, got, text)
	}
}

// A statement may be more exact than a rule with a range, and may not widen it at either end.
func TestAgainstARange(t *testing.T) {
	days := func(from, to int32) *Value {
		return &Value{Slot: Slot{Kind: Duration}, N: 1440 * from, High: 1440 * to}
	}
	for _, tt := range []struct {
		from, to int32
		want     Relation
	}{{3, 5, Agreeing}, {4, 4, Agreeing}, {4, 5, Agreeing}, {1, 5, Contrary}, {3, 8, Contrary},
		{1, 8, Contrary}, {2, 2, Contrary}, {6, 7, Contrary}} {
		assert.Equal(t, tt.want, days(tt.from, tt.to).Against(days(3, 5)), "%d to %d days",
			tt.from, tt.to)
	}
}

// TestFigures lists the figures of a turn: their words, their value in hundredths, and what they
// are: £ for an amount, # for a code, and ! for one that is specific enough to be compared.
func TestFigures(t *testing.T) {
	for said, want := range map[string]string{
		"It is £35, or 40 euros.":        "35 3500 £!, 40 4000 £!",
		"Order 18,240 and case 55-20713": "18,240 1824000 !, 55-20713 552071300 #!",
		"It is AB-2490, not A1.":         "AB-2490 249000 #!",
		"both 18, 240 and 3":             "18 1800 , 240 24000 !",
		"7 of 12 on 3/4/2026 at 10:30":   "12 1200 ",
		"in 1999 or 2026 or 2126":        "2126 212600 !",
		"£1999 and 2026.50":              "1999 199900 £!, 2026.50 202650 !",
		"12.345 and 1.5":                 "12.345 1235 !, 1.5 150 ",
		"123456789012345":                "123456789012345 12345678901234500 !",
		"1234567890123456":               "",
		strings.Repeat("10 ", 30):        strings.Repeat("10 1000 , ", 23) + "10 1000 ",
	} {
		turn := &text.Turn{N: 1, Text: said}
		turn.Tokens = text.Vocabulary{}.Tokenise(turn, nil)
		var got []string
		for _, f := range AppendFigures(nil, turn, 4) {
			assert.Equal(t, 4, f.Turn)
			assert.Contains(t, f.Word, turn.Word(f.Last), said)
			mark := ""
			if f.Money {
				mark = "£"
			}
			if f.Code {
				mark += "#"
			}
			if f.IsSpecific() {
				mark += "!"
			}
			got = append(got, fmt.Sprint(f.Word, " ", f.Hundredths(), " ", mark))
		}
		assert.Equal(t, want, strings.Join(got, ", "), said)
	}
}

// A number that the SYSTEM computes from those it was told is not invented.
func TestNumbersThatFollow(t *testing.T) {
	for _, tt := range []struct {
		reason, told, said string
		want               bool
	}{
		{"a sum", "30 and 12.50", "42.50", true},
		{"a difference", "30 and 12.50", "17.50", true},
		{"twice the same", "21", "42", true},
		{"neither", "30 and 12.50", "43", false},
		{"a multiple by a number that was told", "3 tickets of 25", "75", true},
		{"a multiple by a number that is said", "a ticket of 25", "for 3 of them 75", true},
		{"a multiple by itself", "a ticket of 25", "75", false},
		{"a part", "100 for 3", "33.33", true},
		{"a part, rounded", "100 for 3", "33.34", true},
		{"not quite a part", "100 for 3", "33.35", false},
		{"a month of a year", "600", "50", true},
		{"a year of months", "50", "600", true},
		{"a multiple of less than a price", "1.99 and 5", "9.95", false},
		{"anything may follow from a percentage", "80 and 15 %", "68", true},
		{"or from a rate", "80 at 1.0842", "86.74", true},
		{"or from a percentage that is said", "80", "15 percent off is 68", true},
		{"nothing", "", "68", false},
	} {
		g, said := NewGrounds(), NewGrounds()
		g.Text(tt.told)
		said.Text(tt.said)
		figure := tt.said[strings.LastIndexByte(tt.said, ' ')+1:]
		var want uint64
		eachNumber(figure, func(v float64, _, _ int) { want = uint64(100*v + .5) })
		assert.Equal(t, tt.want, g.Follows(want, said), "%s: %s, %s", tt.reason, tt.told, tt.said)
	}
}

func TestNumbersThatRound(t *testing.T) {
	g := NewGrounds()
	g.Text("1234.56")
	for number, want := range map[uint64]bool{123456: true, 123450: true, 123400: true,
		123000: true, 120000: true, 130000: true, 140000: false, 123300: false, 123457: false,
		123460: true, 123470: false} {
		assert.Equal(t, want, g.Rounds(number), number)
	}
	for n := range uint64(64) {
		g.Number(n)
	}
	assert.True(t, g.Rounds(140000), "there are too many numbers to know")
}

// TestMentioned checks which dates and times were mentioned, as far as they are known.
func TestMentioned(t *testing.T) {
	clock := func(hour, minutes int32, half uint8) Value {
		return valued(Clock, clockOf(hour, minutes, half))
	}
	date := func(month, day int32) Value { return valued(Date, month*32+day) }
	for _, tt := range []struct {
		told string
		v    Value
		want bool
	}{
		{"2026-07-19", date(7, 19), true},
		{"2026-07-19", date(0, 19), true},
		{"2026-07-19", date(7, 20), false},
		{"2026-07-19", date(8, 19), false},
		{"3/4/2026", date(3, 4), true},
		{"3/4/2026", date(4, 3), true},
		{"19/07/26", date(7, 19), true},
		{"2026-12-31", date(12, 31), true},
		{"2026-12-32", date(12, 32), false},
		{"2026-12-32", date(0, 32), false},
		{"19/07/26", date(0, 19), true},
		{"19/07/26", date(0, 7), false},
		{"2026-12-00", date(12, 0), false},
		{"x2026-07-19", date(7, 19), false},
		{"12026-07-19", date(7, 19), false},
		{"at 9:30", clock(9, 30, 0), true},
		{"at 9:30", clock(9, 30, 1), true},
		{"at 9:30", clock(9, 30, 2), true},
		{"at 09:30", clock(9, 30, 1), true},
		{"at 09:30", clock(9, 30, 2), false},
		{"at 09:30", clock(9, 30, 0), true},
		{"at 9:30 am", clock(9, 30, 2), false},
		{"at 9:30 P.M.", clock(9, 30, 2), true},
		{"at 9:30 P.M.", clock(9, 30, 1), false},
		{"at 9:30 P.M.", clock(9, 30, 0), true},
		{"at 21:30", clock(9, 30, 2), true},
		{"at 24:00", clock(0, 0, 0), true},
		{"at 25:00", clock(1, 0, 2), false},
		{"at 9:60", clock(10, 0, 0), false},
		{"2026-07-19T09:30:00Z", clock(9, 30, 1), true},
	} {
		g := NewGrounds()
		g.Text(tt.told)
		assert.Equal(t, tt.want, g.Holds(&tt.v), "%s: %d", tt.told, tt.v.N)
	}
	g := NewGrounds()
	g.Text("2026-07-19, 2026-07-19, 20/07/26 and 3/4/2026 at 9:30 and 10:30")
	assert.Equal(t, 4, g.Count(Date), "3/4/2026 may be two days")
	assert.Equal(t, 2, g.Count(Clock))
	assert.False(t, g.IsZoned)
	for _, zoned := range []string{"2026-07-19T09:30:00Z", "09:30:00+02:00", "09:30:00-0500"} {
		g := NewGrounds()
		g.Text(zoned)
		assert.True(t, g.IsZoned, zoned)
	}
}
