package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/stream"
	"assize/rubric/dialogue/importer/transcript"
)

// inner is part of the note about a line inside a turn.
const inner = " are part of the turn above them"

// TestMarks reads texts in which names follow the marks of lists, headings and quotations. A turn
// is written as its first letter, A or C, and the number of its lines.
func TestMarks(t *testing.T) {
	for _, c := range []struct{ reason, in, want, note string }{
		{"a list in an answer", "Agent: a\n- **Passenger:** b\nc\nCustomer: d\n", "A3 C1",
			`"- **Passenger:** b"` + inner},
		{"stars", "Agent: a\n* Customer: b\n* Agent: c\nCustomer: d\n", "A3 C1",
			`"* Customer: b"` + inner},
		{"pluses", "Agent: a\n+ Customer: b\nCustomer: d\n", "A2 C1", inner},
		{"bullets", "Agent: a\n• Customer: b\n – Agent: c\nCustomer: d\n", "A3 C1", inner},
		{"numbers", "Agent: a\n1. Customer: b\n2) Agent: c\nCustomer: d\n", "A3 C1", inner},
		{"headings", "Agent: a\n## Customer: b\nCustomer: d\n", "A2 C1", inner},
		{"quotations", "Agent: a\n> Customer: b\n> > Agent: c\nCustomer: d\n", "A3 C1", inner},
		{"a table", "Agent: a\n| Customer: b | c |\n| --- | --- |\nCustomer: d\n", "A3 C1", ""},
		{"boxes to tick", "Agent: a\n- [ ] Customer: b\n- [x] Agent: c\nCustomer: d\n", "A3 C1",
			inner},
		{"a list in the first turn, above the second speaker",
			"Agent: a\n- Customer: b\n- Customer: c\nCustomer: d\n", "A3 C1", inner},

		{"all turns are entries of a list", "- Agent: a\n- Customer: b\n- Agent: c\n", "A1 C1 A1",
			""},
		{"all are numbered", "1. Agent: a\n2. Customer: b\n10. Agent: c\n", "A1 C1 A1", ""},
		{"all are headings, with a list inside",
			"### Agent:\na\n- Customer: b\n### Customer:\nc\n", "A2 C1", inner},
		{"all are entries, with a list one level down",
			"- Agent: a\n  - Customer: b\n- Customer: c\n", "A2 C1", inner},
		{"all are bold entries, below a heading",
			"A call, typed\n\n* **Agent:** a\n* **Customer:** b\n", "A1 C1", `first is "A call, typed"`},
		{"all are quotations", "> Agent: a\n> Customer: b\n", "A1 C1", ""},

		{"a closed code block", "Agent: a\n```\nCustomer: b\nAgent: c\n```\nCustomer: d\n",
			"A5 C1", `"Customer: b"` + inner},
		{"one that opens beside the name", "Agent: ```yaml\nCustomer: b\n```\nCustomer: d\n",
			"A3 C1", inner},
		{"one that opens and closes at the end of a line",
			"Agent: so: ```\nCustomer: b\nAgent: c```\nCustomer: d\n", "A3 C1", inner},
		{"tildes, longer fences and fences in a list", "Agent: a\n- ~~~\n  Customer: b\n  ~~~\n" +
			"````\n```\nCustomer: c\n````\nCustomer: d\n", "A8 C1", inner},
		{"code within a line is no block", "Agent: ```a```\nCustomer: b\nAgent: ```c```\n",
			"A1 C1 A1", ""},
		{"a block without an end", "Agent: a\n```\nCustomer: b\nAgent: c\n", "A2 C1 A1", ""},
		{"a block around the whole conversation", "```\nAgent: a\nCustomer: b\n```\n", "A1 C2", ""},

		{"an indented code block", "Agent: a\nCustomer: b\nAgent: c\n\n    Customer: d\n" +
			"\tAgent: e\n\nCustomer: f\n", "A1 C1 A4 C1", `"Customer: d"` + inner},
		{"one side is indented", "Agent: a\n        Customer: b\nAgent: c\n", "A1 C1 A1", ""},
		{"all are indented", "    Agent: a\n    Customer: b\n", "A1 C1", ""},

		{"a list of tickets",
			"Agent: a\n\n- Ticket ID: 4712\n* Case #5\n1. Case #6\nCustomer: d\n", "A5 C1", ""},
		{"a ticket above each dialogue",
			"Ticket #1\nAgent: a\nCustomer: b\n\nTicket #2\nAgent: c\n", "A1 C1 A1", `"Ticket #1` +
				`" begin a dialogue`},

		{"a speaker of one line inside a list", "Agent: a\n- b\nPassenger: c\n- d\nCustomer: e\n",
			"A2 C2 C1", `"Passenger" speaks once`},
		{"a speaker of one line below a list, beside another of that side",
			"Agent: a\n- b\nPassenger: c\nCustomer: e\n", "A2 C1 C1", `"Passenger" speaks once`},
		{"the only one of that side", "Agent: a\n- b\nCustomer: c\nAgent: d\n", "A2 C1 A1", ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var notes []string
			var got []string
			for s, err := range Read(strings.NewReader(c.in), "f",
				Options{Note: func(s string) { notes = append(notes, s) }}) {
				if !assert.NoError(t, err) {
					return
				}
				for _, turn := range s.Dialogue.Turns {
					who := map[dialogue.Role]string{dialogue.System: "A",
						dialogue.User: "C"}[turn.Role]
					got = append(got, who+string(rune('1'+strings.Count(turn.Text, "\n"))))
				}
			}
			assert.Equal(t, c.want, strings.Join(got, " "))
			if c.note == "" {
				assert.Empty(t, notes)
			} else {
				assert.Contains(t, strings.Join(notes, "\n"), c.note)
			}
		})
	}
}

// TestMarksElsewhere reads conversations in table cells and chats, in which bots also answer with
// lists.
func TestMarksElsewhere(t *testing.T) {
	for _, c := range []struct{ reason, in string }{
		{"a cell", "id,transcript\n1,\"Customer: a\nAgent: b\n- **Passenger:** c\n- Agent: d\n" +
			"Customer: e\"\n"},
		{"a cell of HTML", "id,transcript\n1,\"<p>Customer: a</p><p>Agent: " +
			"b</p><ul><li><b>Passenger:</b> c</li><li>Agent: d</li></ul><p>Customer: e</p>\"\n"},
		{"a cell of HTML whose turns are entries", "id,transcript\n1,\"<ul><li>Customer: " +
			"a</li><li>Agent: b</li><li>Customer: e</li></ul>\"\n"},
		{"a text in JSON", `{"id":1,"messages_display":"Customer: a\nAgent: b\n* Passenger: ` +
			`c\nCustomer: e"}`},
		{"a chat", "[10:00] Customer: a\n[10:01] Agent: b\n- Passenger: c\n- Agent: d\n- " +
			"Customer: f\n- Agent: g\n[10:02] Customer: e\n"},
		{"a chat with a log in it", "[10:00] Customer: a\n[10:01] Agent: b\n```\n[09:00] " +
			"Customer: c\n```\n[10:02] Customer: e\n"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var roles []dialogue.Role
			for s, err := range Read(strings.NewReader(c.in), "f", Options{}) {
				assert.NoError(t, err)
				for _, turn := range s.Dialogue.Turns {
					roles = append(roles, turn.Role)
				}
			}
			assert.Equal(t, []dialogue.Role{dialogue.User, dialogue.System, dialogue.User}, roles)
		})
	}
}

// TestMessageWithScript checks that a message with a list or a block of code is not split.
func TestMessageWithScript(t *testing.T) {
	who := stream.NewNames(Options{})
	for _, text := range []string{
		"Follow this script.\n1. Agent: greet the caller\n2. Customer: states the problem\n3. " +
			"Agent: hand over",
		"Here it is:\n```\nAgent: a\nCustomer: b\nAgent: c\n```",
	} {
		assert.False(t, transcript.IsDialogue(who, text), text)
	}
}

// TestMarksAreQuick reads a megabyte of input that could take quadratic time.
func TestMarksAreQuick(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for _, in := range []string{
		"Agent: a\n" + fill("```\n````\n`````\n"),
		"Agent: a\n" + fill("~~~x\n") + "~~~~\n",
		"Agent: a\n" + fill("> - "),
		"Agent: a\n```\n" + fill("> - ") + "\nCustomer: b\n" + fill("1. * ") + "\nAgent: c\n```\n",
		"Agent: a\n" + fill("- b\nClient: c\nGuest: d\n"),
		fill("Agent: `````````````````````\n"),
		fill("- Zed: a\n* Zed: b\n"),
	} {
		for range Read(strings.NewReader(in), "f", Options{MaxDialogue: 64}) {
		}
	}
}
