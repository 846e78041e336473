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
	require.NotZero(t, deeds(1)<<(l.count-1), "each deed has a bit")
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

// TestMeasures checks which measures agree, and of which only one can be true.
func TestMeasures(t *testing.T) {
	days, weeks := measure{unit: 11, minutes: 1440, isUnit: true}, measure{unit: 12,
		minutes: 7 * 1440, isUnit: true}
	gigabytes, percent := measure{unit: 13, isUnit: true}, measure{unit: 14, isUnit: true}
	boxes := measure{unit: 15}
	of := func(n uint64, m measure) measure { m.n = n; return m }
	for _, c := range []struct {
		reason string
		a, b   measure
		want   quantity.Relation
	}{
		{"equal", of(2, boxes), of(2, boxes), quantity.Agreeing},
		{"equally long", of(14, days), of(2, weeks), quantity.Agreeing},
		{"another number", of(2, days), of(3, days), quantity.Contrary},
		{"another unit", of(2, days), of(2, weeks), quantity.Contrary},
		{"another unit of no time", of(2, gigabytes), of(2, percent), quantity.Contrary},
		{"a time and a size", of(2, days), of(2, gigabytes), quantity.Unrelated},
		{"a size and things", of(2, gigabytes), of(2, boxes), quantity.Unrelated},
		{"nothing in common", of(2, days), of(3, weeks), quantity.Unrelated},
	} {
		assert.Equal(t, c.want, c.a.relate(c.b), c.reason)
		assert.Equal(t, c.want, c.b.relate(c.a), c.reason)
	}
}
