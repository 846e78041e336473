package importer

import (
	"testing"

	"assize/rubric/dialogue"
)

func TestReadUSS(t *testing.T) {
	runReadCases(t, USS, []readCase{
		{"ratings and labels stand aside",
			"USER\thi\tGREET\t3,4\nSYSTEM\thello\tGREET\t\nUSER\tOVERALL\t\t4,5\n", Options{}, `
uss 1 at 1: USER=USER*1 SYSTEM=SYSTEM*1 truth [4 5] [[3 4] []] ["GREET" "GREET"]
  USER "hi"
  SYSTEM "hello"
`},
		{"sessions between blank lines, ids from 1, OVERALL may be absent",
			"\n\nUSER\ta\n \t\nSYSTEM\tb\n\n\n", Options{}, `
uss 1 at 3: USER=USER*1
  USER "a"
uss 2 at 5: SYSTEM=SYSTEM*1
  SYSTEM "b"
`},
		{"utterances may be empty and turns unrated",
			"USER\t\t\t\nSYSTEM\t\nUSER\tx\t\t 2.5 , 3\n", Options{}, `
uss 1 at 1: USER=USER*2 SYSTEM=SYSTEM*1 truth [] [[] [] [2.5 3]] []
  USER ""
  SYSTEM ""
  USER "x"
`},
		{"a word that only looks like OVERALL is a turn", "USER\tOVERALL it was fine\t\t3\n",
			Options{}, `
uss 1 at 1: USER=USER*1 truth [] [[3]] []
  USER "OVERALL it was fine"
`},
		{"each broken session costs one error and its place", "USER\ta\nno tab\nno tab\n\n" +
			"USER\tOVERALL\nUSER\tb\n\nUSER\tc\tx\t3\tmore\n\nUSER\td\n", Options{}, `
! f:2: dialogue 1: 0 tabs; want SYSTEM or USER, the text, the ACTION and the ratings, with a ` +
			`tab between them
! f:6: dialogue 2: a row after OVERALL; put a blank line before the next session
! f:8: dialogue 3: 4 tabs; want SYSTEM or USER, the text, the ACTION and the ratings, with a ` +
			`tab between them
uss 4 at 10: USER=USER*1
  USER "d"
`},
		{"a missing blank line must not merge two sessions",
			"USER\ta\nUSER\tOVERALL\t\t3\nUSER\tb\n", Options{}, `
! f:3: dialogue 1: a row after OVERALL; put a blank line before the next session
`},
		{"a rating that cannot be read is left out",
			"USER\ta\t\tInf\nUSER\tb\t\t2\n\nUSER\ta\t\t1,,2\n", Options{}, `
uss 1 at 1: USER=USER*2 truth [] [[] [2]] []
  USER "a"
  USER "b"
uss 2 at 4: USER=USER*1
  USER "a"
`},
		{"an odd name is told by --role-map; --system-name is not for roles", "USER\ta\nNORA\tb\n",
			Options{Roles: map[string]dialogue.Role{"nora": dialogue.System},
				SystemNames: []string{"USER"}}, `
uss 1 at 1: USER=USER*1 NORA=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
	})
}

func TestReadPlain(t *testing.T) {
	runReadCases(t, Plain, []readCase{
		{"names in any case, numbered, or bold; a list is part of its turn",
			"AGENT 1: a\ncustomer: b\n**Agent 2:** c\n**Customer**: d\n- Agent 1: e\n", Options{}, `
plain 1 at 1: AGENT 1=SYSTEM*1 customer=USER*1 Agent 2=SYSTEM*1 Customer=USER*1
  SYSTEM "a"
  USER "b"
  SYSTEM "c"
  USER "d\n- Agent 1: e"
`},
		{"lines go on, and blank lines part nothing",
			"Agent: one\n  two\n\nthree\n\nCustomer:\n four: five\n", Options{}, `
plain 1 at 1: Agent=SYSTEM*1 Customer=USER*1
  SYSTEM "one\n  two\n\nthree"
  USER "four: five"
`},
		{"a label within one speaker's turns is no speaker, even twice",
			"Agent: here it is\nNote: the fee is 5\nTotal: 12\nCustomer: ok\nAgent: again\n" +
				"Note: the fee is 6\nhttps://example.org\n", Options{}, `
plain 1 at 1: Agent=SYSTEM*2 Customer=USER*1
  SYSTEM "here it is\nNote: the fee is 5\nTotal: 12"
  USER "ok"
  SYSTEM "again\nNote: the fee is 6\nhttps://example.org"
`},
		{"a name that follows both sides is a speaker, and unknown",
			"Agent: a\nCustomer: b\nPriya: c\nCustomer: d\nAgent: e\nPriya: f\n", Options{}, `
! f:3: dialogue 1: unknown speaker "Priya"; say who it is with --role-map "Priya=system" (or ` +
				`=user, =other)
`},
		{"a name that takes the place of a missing side is a speaker",
			"Customer: a\nPriya: b\nCustomer: c\nPriya: d\nNote: e\n", Options{}, `
! f:2: dialogue 1: unknown speaker "Priya"; say who it is with --role-map "Priya=system" (or ` +
				`=user, =other)
`},
		{"people's names need --system-name", "Priya: a\nTom: b\nPriya: c\nTom: d\n", Options{}, `
! f:1: dialogue 1: unknown speaker "Priya"; say who is judged with --system-name NAME, where ` +
			`NAME is one of "Priya", "Tom"
`},
		{"with it, everybody else is a USER", "Priya: a\nTom: b\nNote: c\nPriya: d\nTom: e\n",
			Options{SystemNames: []string{"priya"}}, `
plain 1 at 1: Priya=SYSTEM*2 Tom=USER*2
  SYSTEM "a"
  USER "b\nNote: c"
  SYSTEM "d"
  USER "e"
`},
		{"one side only is read", "Customer: hello?\nCustomer: anybody?\n", Options{}, `
plain 1 at 1: Customer=USER*2
  USER "hello?"
  USER "anybody?"
`},
		{"a heading is no turn", "Chat transcript\nDate: 3 May\n\nAgent: a\nCustomer: b\n",
			Options{}, `
plain 1 at 1: Agent=SYSTEM*1 Customer=USER*1
  SYSTEM "a"
  USER "b"
`},
		{"rules, bars and titles part dialogues", "Agent: a\n---\nAgent: b\n=====\nCustomer: c\n" +
			"\n--- 25 ---\nAgent: d\n## Conversation 335\nAgent: e\n=== x7 ===\nAgent: f\n",
			Options{}, `
plain 1 at 1: Agent=SYSTEM*1
  SYSTEM "a"
plain 2 at 3: Agent=SYSTEM*1
  SYSTEM "b"
plain 3 at 5: Customer=USER*1
  USER "c"
plain 25 at 8: Agent=SYSTEM*1
  SYSTEM "d"
plain 335 at 10: Agent=SYSTEM*1
  SYSTEM "e"
plain 6 (x7) at 12: Agent=SYSTEM*1
  SYSTEM "f"
`},
		{"a rule inside a message parts nothing",
			"Agent: your bill\nCoffee 3\n---\nTotal: 3\nCustomer: thanks\n", Options{}, `
plain 1 at 1: Agent=SYSTEM*1 Customer=USER*1
  SYSTEM "your bill\nCoffee 3\n---\nTotal: 3"
  USER "thanks"
`},
		{"a part without a speaker is an error, and the rest is read",
			"Agent: a\n===\nwords of nobody\n===\nAgent: b\n", Options{}, `
plain 1 at 1: Agent=SYSTEM*1
  SYSTEM "a"
! f:3: dialogue 2: no line, or none of the first, begins a turn; want lines such as "Agent: ` +
				`Good morning" or "[10:15] Agent: Good morning"
plain 3 at 5: Agent=SYSTEM*1
  SYSTEM "b"
`},
		{"times in brackets after the name", "Agent (10:15 AM): a\n**Customer [10:16]:** b (or " +
			"c): d\nthe (first: second) one\n", Options{}, `
plain 1 at 1: Agent=SYSTEM*1 Customer=USER*1
  SYSTEM "a"
  USER "b (or c): d\nthe (first: second) one"
`},
		{"no newline at the end, and a bracketed name", "Agent (Priya): a: b\nTom (customer): c",
			Options{}, `
plain 1 at 1: Agent (Priya)=SYSTEM*1 Tom (customer)=USER*1
  SYSTEM "a: b"
  USER "c"
`},
	})
}

func TestReadChat(t *testing.T) {
	runReadCases(t, Chat, []readCase{
		{"what the software says is nobody's, also where the newest comes first",
			"[12/03/24, 10:17] Agent: Hello\n" +
				"[12/03/24, 10:16] Customer: Hi\n[12/03/24, 10:15] System: Chat started\n",
			Options{}, `
chat 1 at 1: System=OTHER*1 Customer=USER*1 Agent=SYSTEM*1
  OTHER "Chat started"
  USER "Hi"
  SYSTEM "Hello"
`},
		{"every kind of time", "[12/03/24, 10:15:22] Agent: a\n12/03/2024, 10:15 - Customer: b\n" +
			"[10:15] Agent: c\n2024-03-12T10:15:00Z Customer: d\n" +
			"[2024-03-12 10:15:22] Agent: e\n(10:15:03 AM) Customer: f\n\u200e[12.03.24, " +
			"10:15:22\u202fPM] Agent: g\n10:15 Customer: h\n3/12/24, 9:05 pm - Agent: i\n",
			Options{}, `
chat 1 at 1: Agent=SYSTEM*5 Customer=USER*4
  SYSTEM "a"
  USER "b"
  SYSTEM "c"
  USER "d"
  SYSTEM "e"
  USER "f"
  SYSTEM "g"
  USER "h"
  SYSTEM "i"
`},
		{"lines go on, even where they begin with a time", "[10:00] Agent: come at\n10:30 or " +
			"later\nNote: bring a pen\n[10:01] Customer: ok\n", Options{}, `
chat 1 at 1: Agent=SYSTEM*1 Customer=USER*1
  SYSTEM "come at\n10:30 or later\nNote: bring a pen"
  USER "ok"
`},
		{"notices are nobody's", "[10:00] Mira joined the chat\n[10:00] Agent: a\n[10:01] " +
			"Customer: \u200eimage omitted\n[10:02] Customer: b\n", Options{}, `
chat 1 at 1: Agent=SYSTEM*1 Customer=USER*1
  OTHER "Mira joined the chat"
  SYSTEM "a"
  OTHER "image omitted"
  USER "b"
`},
		{"names of people need --system-name", "[10:00] Ana: a\n[10:01] Tom B.: b\n", Options{}, `
! f:1: dialogue 1: unknown speaker "Ana"; say who is judged with --system-name NAME, where NAME ` +
			`is one of "Ana", "Tom B."
`},
		{"with it, everybody else is a USER", "[10:00] Ana: a\n[10:01] Tom B.: b\n",
			Options{SystemNames: []string{"ANA"}}, `
chat 1 at 1: Ana=SYSTEM*1 Tom B.=USER*1
  SYSTEM "a"
  USER "b"
`},
		{"bars part dialogues, and a broken one harms no other",
			"[10:00] Agent: a\n---\n[10:00] Zed: b\n===\n[10:00] Customer: c\n", Options{}, `
chat 1 at 1: Agent=SYSTEM*1
  SYSTEM "a"
! f:3: dialogue 2: unknown speaker "Zed"; say who is judged with --system-name NAME, where NAME ` +
				`is one of "Zed"
chat 3 at 5: Customer=USER*1
  USER "c"
`},
	})
}
