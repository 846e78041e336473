package heuristics

import (
	"strings"
	"testing"

	"assize/rubric/dialogue"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCalls checks the effect of a call as far as its name, arguments and result show it.
func TestCalls(t *testing.T) {
	l, err := readRules(dataFiles)
	require.NoError(t, err)
	said := func(word string) deeds { return l.terms.words[word].said }
	for _, c := range []struct {
		name, arguments, answer string
		changes                 bool
		does                    string // the words for the deeds that it does
	}{
		{"cancel_order", `{"order":7}`, "", true, "cancelled"},
		{"cancelOrder", "", "", true, "cancelled"},
		{"get_order", "", "", false, ""},
		{"get_cancel_policy", "", "", false, ""},
		{"create_refund", "", "", true, "refunded"},
		{"process_request", `{"type":"refund"}`, "", true, "refunded"},
		{"update_order", `{"status":"cancelled"}`, "", true, "cancelled"},
		{"http", `{"method":"POST","path":"/refund"}`, "", true, ""},
		{"http", `{"note":"I get post","method":"DELETE"}`, "", true, "deleted"},
		{"cancel_order", `{"reason":"did not get the post"}`, "", true, "cancelled"},
		{"note", `{"text":"put it on a get-well card"}`, "", false, ""},
		{"curl", `-X GET /orders/7`, "", false, ""},
		{"run", `{"db":"a","sql":"DELETE FROM users WHERE id=9"}`, "", true, "deleted"},
		{"run", `{"sql":"select a from users"}`, "", false, ""},
		{"weather", `{"city":"Leeds"}`, "", false, ""},
	} {
		call := l.terms.readCall(&dialogue.ToolUse{Name: c.name, Arguments: c.arguments,
			Answer: c.answer})
		assert.Equal(t, c.changes, call.changes, c.name)
		assert.Equal(t, c.does != "", call.deeds != 0, c.name)
		assert.Equal(t, said(c.does), call.deeds&said(c.does), c.name)
	}
}

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

// TestReferences checks which words are codes that somebody must have mentioned.
func TestReferences(t *testing.T) {
	for _, word := range strings.Fields("BA2490 QX7T2 W2378156 7Q2T9") {
		assert.True(t, isReference(word), word)
	}
	for _, word := range strings.Fields("100GB A4 2490 Windows11 PS5 ba2490 21ST") {
		assert.False(t, isReference(word), word)
	}
}

func FuzzObserveTools(f *testing.F) {
	f.Add("I have cancelled order 7711 and refunded £95.50 on 3 May.", `{"order":7711}`,
		`{"ok":false}`)
	f.Add("Booked for 8 pm, ten of BA2490: 20% off, call 0800 555 1234.", "qty: 1,2,3",
		"1.0842 20% 2025-03-15T15:00Z")
	f.Add("All done, I have now", "(", "")
	a := newAgents(f)
	f.Fuzz(func(t *testing.T, claimed, arguments, answer string) {
		d := dialogue.Dialogue{Turns: []dialogue.Turn{
			{Role: dialogue.User, Text: "Please cancel it."},
			{Role: dialogue.Other, Text: "cancel_order(" + arguments + ")"},
			{Role: dialogue.Other, Text: answer},
			{Role: dialogue.System, Text: claimed},
			{Role: dialogue.Other, Text: "update(" + answer + ")"},
			{Role: dialogue.Other, Text: arguments},
			{Role: dialogue.System, Text: claimed},
		}}
		signals, err := a.Observe(d)
		if err != nil {
			require.Empty(t, signals)
			return
		}
		for _, s := range signals {
			turn, ok := d.Turn(s.Turn)
			require.True(t, ok)
			require.True(t, 0 <= s.Start && s.Start <= s.End && s.End <= len(turn.Text))
			require.True(t, 0 <= s.About && s.About <= len(d.Turns))
		}
	})
}
