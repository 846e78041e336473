package deeds

import (
	"os"
	"strings"
	"testing"

	"assize/heuristics/quantity"
	"assize/rubric/dialogue"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCalls checks the effect of a call as far as its name, arguments and result show it.
func TestCalls(t *testing.T) {
	l := NewWords(&quantity.Words{})
	data, err := os.ReadFile("../lexicon/words-tools.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
			require.NoError(t, l.Add(strings.TrimSpace(line)))
		}
	}
	said := func(word string) deeds { return l.words[word].said }
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
		call := l.readCall(&dialogue.ToolUse{Name: c.name, Arguments: c.arguments,
			Answer: c.answer})
		assert.Equal(t, c.changes, call.changes, c.name)
		assert.Equal(t, c.does != "", call.deeds != 0, c.name)
		assert.Equal(t, said(c.does), call.deeds&said(c.does), c.name)
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
