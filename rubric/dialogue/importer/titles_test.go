package importer

import (
	"cmp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
)

// TestTitles reads texts whose dialogues have titles, and others with lines that look like titles.
func TestTitles(t *testing.T) {
	const parted, kept = " begin a dialogue", " part of the turn above"
	auto := "*** This is an automated message ***\n"
	for _, c := range []struct{ reason, in, want, note string }{
		{"an id between rules", "=== session K-1 ===\nAgent: a\nCustomer: b\n\n" +
			"=== session K-2 ===\nCustomer: c\nAgent: d\n", "K-1:AC K-2:CA", parted},
		{"words between rules", "*** Torn tent ***\nAgent: a\nCustomer: b\n*** Lost parcel ***\n" +
			"Customer: c\nAgent: d\n", "Torn tent:AC Lost parcel:CA", parted},
		{"fields below the titles", "--- Tent ---\nChannel: web\n\nAgent: a\nCustomer: b\n" +
			"--- Parcel ---\nChannel: phone\nCustomer: c\nAgent: d\n", "Tent:AC Parcel:CA", parted},
		{"an id without rules", "Session K\nAgent: a\nCustomer: b\nSession L\nCustomer: c\nAgent: d\n",
			"K:AC L:CA", parted},
		{"headings of Markdown", "## Chat K-1\nAgent: a\nCustomer: b\n## Chat K-2\nCustomer: c\n",
			"K-1:AC K-2:C", parted},
		{"one id, which names nothing", "Agent: a\nCustomer: b\n=== session K-2 ===\nCustomer: c\n",
			"1:AC 2:C", parted},
		{"an id beside rules between turns", "Agent: a\n---\nCustomer: b\n---\nAgent: c\n---\n" +
			"Customer: d\nSession K\nAgent: e\n---\nCustomer: f\n", "1:ACAC 2:AC", parted},
		{"other marks within the dialogues", "=== Tent ===\nAgent: a\n" + auto + "Customer: b\n" +
			"=== Parcel ===\nCustomer: c\nAgent: d\n", "Tent:AC Parcel:CA", parted},
		{"the same words again", "Agent: a\n" + auto + "Customer: b\nAgent: c\n" + auto +
			"Customer: d\n", "1:ACAC", kept},
		{"one title of words", "Agent: a\n=== second call ===\nCustomer: b\n", "1:AC", kept},
		{"words of a message", "Agent: a\n=== Your plan ===\n10 euros\nCustomer: b\n=== my list ===\n" +
			"bread\nAgent: c\n", "1:ACA", ""},
		{"days of a chat", "[10:00] Agent: a\n--- Today ---\n[10:01] Customer: b\n--- Later ---\n" +
			"[10:02] Agent: c\n", "1:ACA", kept},
		{"events", "Agent: a\n=== Chat transferred to Ann ===\nAgent: b\n=== Chat ended by Ann ===\n" +
			"Customer: c\n", "1:AAC", "comments and events"},
		{"titles of single turns", "=== Greeting ===\nAgent: a\n=== Problem ===\nCustomer: b\n" +
			"=== Answer ===\nAgent: c\n=== End ===\nCustomer: d\n", "1:ACAC", kept},
		{"headings that are ids", "# My chats\n\n# conv-1\n\nAgent: a\nCustomer: b\n\n# conv-2\n\n" +
			"Customer: c\nAgent: d\n", "conv-1:AC conv-2:CA", parted},
		{"lines with the id of a dialogue", "Dialogue ID: c-1\nAgent: a\nCustomer: b\n" +
			"Dialogue ID: c-2\nCustomer: c\n", "c-1:AC c-2:C", parted},
		{"a joined name", "conversation_id: 7\nAgent: a\nCustomer: b\nconversation_id: 8\nCustomer: c\n",
			"7:AC 8:C", parted},
		{"headings of an answer", "# Help\nAgent: a\n# Steps\n# 1\nPress\nCustomer: b\n# 2\nAgent: c\n",
			"1:ACA", "no title"},
		{"numbers of orders", "Agent: Which?\nCustomer: It is\n# 4711\nAgent: Or?\nCustomer: Or\n# 4712\n" +
			"Agent: c\n", "1:ACACA", "no title"},
		{"parts of a dialogue", "# part-1\nAgent: a\nCustomer: b\n# part-2\nAgent: c\n", "1:ACA",
			"comments and events"},
		{"what a turn announces", "Agent: Your reference:\nTicket #881\nCustomer: b\n", "1:AC", ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var notes, got []string
			opt := Options{Note: func(s string) { notes = append(notes, s) }}
			for s, err := range Read(strings.NewReader(c.in), "f", opt) {
				if !assert.NoError(t, err) {
					return
				}
				who := cmp.Or(s.Source.ID, strconv.Itoa(s.Dialogue.ID)) + ":"
				for _, turn := range s.Dialogue.Turns {
					who += map[dialogue.Role]string{dialogue.System: "A", dialogue.User: "C"}[turn.Role]
				}
				got = append(got, who)
			}
			assert.Equal(t, c.want, strings.Join(got, " "))
			assert.Contains(t, strings.Join(notes, "\n"), c.note)
			assert.Equal(t, c.note == "", notes == nil, "%q", notes)
		})
	}
}
