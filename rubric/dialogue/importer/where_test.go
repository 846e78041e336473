package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/stream"
)

// TestWhere chooses messages and rows by conditions.
func TestWhere(t *testing.T) {
	const in = `{"case":"c","log":[{"kind":"debug","who":"sys","say":"a"},` +
		`{"kind":"utt","who":"user","say":"b"},{"kind":"thought","who":"bot","say":"c"},` +
		`{"kind":"utt","who":"bot","say":"d"}]}`
	const rows = "id,who,text,kind\n1,user,b,utt\n1,bot,a,debug\n1,bot,c,thought\n1,bot,d,utt\n"
	opt := func(where string) Options {
		return Options{Columns: map[string]string{"id": "case", "speaker": "log[].who",
			"text": "log[].say", "where": where}}
	}
	ofRows := func(where string) Options {
		return Options{Columns: map[string]string{"where": where}}
	}
	const desks = `[{"id":"n","desk":"north","messages":[{"role":"user","content":"a"}]},` +
		`{"id":"s","desk":"south","messages":[{"role":"user","content":"b"}]}]`
	const south = `
openai 1 (s) at 1: user=USER*1 meta [{"desk" "south"}]
  USER "b"
`
	ofDialogues := func(list, where string) Options {
		return Options{Columns: map[string]string{"text": list + "messages[].content",
			"speaker": list + "messages[].role", "where": where}}
	}
	named := strings.Replace(south, "openai 1 (s)", "columns 1", 1)
	named = strings.Replace(named, `{"desk" "south"}`, `{"desk" "south"} {"id" "s"}`, 1)
	runReadCases(t, stream.Auto, []readCase{
		{"dialogues of a known format", desks, ofRows("desk=south"), south},
		{"dialogues without a value", desks, ofRows("desk!=north"), south},
		{"a value that no dialogue has", desks, ofRows("desk=west"), `
! f: nothing meets where="desk=west"; the values there are "north", "south"
`},
		{"dialogues of a list", desks, ofDialogues("", "[].desk=south"), named},
		{"dialogues of a list that has a name", `{"calls":` + desks + `}`,
			ofDialogues("calls[].", "calls[].desk=south\nrole=user"), named},
		{"the name of a member of the messages", in, opt("kind=utt"), `
columns 1 (c) at 1: user=USER*1 bot=SYSTEM*1
  USER "b"
  SYSTEM "d"
`},
		{"several values", in, opt("log[].kind=utt,said"), `
columns 1 (c) at 1: user=USER*1 bot=SYSTEM*1
  USER "b"
  SYSTEM "d"
`},
		{"several conditions", in, opt("log[].kind!=debug\nkind!=thought"), `
columns 1 (c) at 1: user=USER*1 bot=SYSTEM*1
  USER "b"
  SYSTEM "d"
`},
		{"a value that does not occur", in, opt("log[].kind=message"), `
! f: nothing meets where="log[].kind=message"; the values there are "debug", "utt", "thought"
`},
		{"a place that does not exist", in, opt("sort=utt"), `
! f: there is nothing at "log[].sort=utt", which --columns names for the where; the keys are ` +
			`"case", "log[].kind", "log[].who", "log[].say"
`},
		{"a column with a use of its own", "id,sender,text,handled_by\n1,Ida,a,Bo\n1,Bo,b,Bo\n" +
			"2,Ida,c,Lee\n2,Lee,d,Lee\n", ofRows("handled_by=Bo"), `
table 1 at 2: Ida=USER*1 Bo=SYSTEM*1 meta [{"handled_by" "Bo"}]
  USER "a"
  SYSTEM "b"
`},
		{"rows that meet several conditions", rows, ofRows("kind!=debug\nkind!=thought"), `
table 1 at 2: user=USER*1 bot=SYSTEM*1 meta [{"kind" "utt"}]
  USER "b"
  SYSTEM "d"
`},
		{"a value that is in no row", rows, ofRows("kind=message"), `
! f: nothing meets where="kind=message"; the values there are "debug", "thought", "utt"
`},
	})
}

// TestAudience reads columns that say who saw a message: what only agents saw is a note. A
// notice names a value that is not usual.
func TestAudience(t *testing.T) {
	const said = "id,role,text,Shown To\n1,user,a,all\n1,agent,b,all\n1,agent,c,staff\n"
	const rows = "1,user,a,chat\n1,agent,b,chat\n1,user,c,chat\n1,agent,d,chat\n1,user,e,chat\n"
	const kinds = "id,role,text,row_kind\n" + rows
	same := kinds + strings.ReplaceAll(rows, "1,", "2,") + strings.ReplaceAll(rows, "1,", "3,") +
		strings.ReplaceAll(rows, "1,", "4,")
	for _, c := range []struct {
		reason, in, where string
		turns             int
		note              string
	}{
		{"staff alone", said, "", 2, "1 row of notes and events"},
		{"customers and agents", strings.NewReplacer("Shown To", "visible_to", "all", "Customers",
			"staff", "Agents").Replace(said), "", 2, "1 row of notes and events"},
		{"a value that is not usual", said + "1,agent,d,vendor\n", "", 3,
			`"vendor" in "Shown To" count as said to the customer; --columns where="Shown To!=vendor"`},
		{"the user says which", said + "1,agent,d,vendor\n", "Shown To=all", 2, "2 rows"},
		{"one value", strings.ReplaceAll(said, "all", "staff"), "", 3, ""},
		{"a rare kind of row", kinds + "1,agent,f,huddle\n", "", 6,
			`"huddle" in "row_kind" count as said to the customer; --columns ` +
				`where="row_kind!=huddle"`},
		{"notes are no turns", strings.Replace(kinds, "role", "Spoken by", 1) +
			"1,agent,f,note\n", "", 5, "speaker = Spoken by: 1 dialogue, 5 turns"},
		{"a kind that one side alone has", kinds + "1,system,f,form\n", "", 6, ""},
		{"a usual kind", kinds + "1,agent,f,message\n", "", 6, ""},
		{"a kind of the whole dialogue", same + strings.NewReplacer("1,", "5,", "chat", "form").
			Replace(rows), "", 5, ""},
		{"another name", strings.ReplaceAll(said, "Shown To", "Team"), "", 3, ""},
	} {
		var notes []string
		opt := Options{Note: func(s string) { notes = append(notes, s) }}
		if c.where != "" {
			opt.Columns = map[string]string{"where": c.where}
		}
		for s, err := range Read(strings.NewReader(c.in), "f", opt) {
			assert.NoError(t, err, c.reason)
			assert.Len(t, s.Dialogue.Turns, c.turns, c.reason)
		}
		if all := strings.Join(notes, "\n"); c.note == "" {
			assert.Empty(t, all, c.reason)
		} else {
			assert.Contains(t, all, c.note, c.reason)
		}
	}
}

// TestColumnOfTwoLines names a column whose name has a line break, as cells of workbooks do.
func TestColumnOfTwoLines(t *testing.T) {
	const rows = "id,who,\"what\nis said\"\n1,user,a\n1,bot,b\n"
	runReadCases(t, stream.Table, []readCase{{"a line break", rows, Options{
		Columns: map[string]string{"text": "what\nis said"}}, `
table 1 at 3: user=USER*1 bot=SYSTEM*1
  USER "a"
  SYSTEM "b"
`}})
}

// TestCopies reads rows that a table has twice.
func TestCopies(t *testing.T) {
	const head, a, b, c = "id,time,role,text\n", "1,10:00,user,Hello?\n", "1,10:00,agent,Hi\n",
		"1,10:01,user,Bye\n"
	runReadCases(t, stream.Table, []readCase{
		{"all rows twice, each below its copy", head + a + a + b + b + c + c, Options{}, `
table 1 at 2: user=USER*2 agent=SYSTEM*1
  USER "Hello?"
  SYSTEM "Hi"
  USER "Bye"
`},
		{"all rows twice, one after the other", head + a + b + c + "2,10:00,user,Yes\n" + a + b + c,
			Options{}, `
table 1 at 2: user=USER*2 agent=SYSTEM*1
  USER "Hello?"
  SYSTEM "Hi"
  USER "Bye"
table 2 at 5: user=USER*1 meta [{"time" "10:00"}]
  USER "Yes"
`},
		{"one row twice in a minute, as somebody may say it twice", head + a + a + b + c, Options{}, `
table 1 at 2: user=USER*3 agent=SYSTEM*1
  USER "Hello?"
  USER "Hello?"
  SYSTEM "Hi"
  USER "Bye"
`},
		{"one row twice in a second", "id,time,role,text\n1,10:00:05,user,Hello?\n" +
			"1,10:00:05,user,Hello?\n1,10:00:09,agent,Hi\n", Options{}, `
table 1 at 2: user=USER*1 agent=SYSTEM*1
  USER "Hello?"
  SYSTEM "Hi"
`},
		{"another column differs", "id,time,role,text,n\n1,10:00,user,Hello?,1\n" +
			"1,10:00,user,Hello?,2\n", Options{}, `
table 1 at 2: user=USER*2 meta [{"time" "10:00"}]
  USER "Hello?"
  USER "Hello?"
`},
		{"no times", "id,role,text\n1,user,ok\n1,user,ok\n", Options{}, `
table 1 at 2: user=USER*2
  USER "ok"
  USER "ok"
`},
		{"turn numbers", "id,turn,role,text\n1,1,user,ok\n1,2,agent,a\n1,1,user,ok\n1,2,agent,a\n",
			Options{}, `
table 1 at 2: user=USER*1 agent=SYSTEM*1
  USER "ok"
  SYSTEM "a"
`},
	})
}

// TestMappedSpeakers checks that the role of one speaker does not make another one unknown.
func TestMappedSpeakers(t *testing.T) {
	const in = "id,who,text\n1,Customer,a\n1,Varro,b\n2,Customer,c\n2,Varro,d\n2,Oke,e\n"
	runReadCases(t, stream.Table, []readCase{
		{"nobody is mapped", in, Options{}, `
table 1 at 2: Customer=USER*1 Varro=SYSTEM*1
  USER "a"
  SYSTEM "b"
! f:5: dialogue 2: unknown speaker "Varro"; say who is who with --role-map ` +
			`NAME=system,NAME=user,NAME=other, or, if all others are customers, who is judged with ` +
			`--system-name NAME, where NAME is one of "Varro", "Oke", "Customer"
`},
		{"the third speaker is", in, Options{Roles: map[string]dialogue.Role{"Oke": dialogue.System}},
			`
table 1 at 2: Customer=USER*1 Varro=SYSTEM*1
  USER "a"
  SYSTEM "b"
table 2 at 4: Customer=USER*1 Varro=SYSTEM*1 Oke=SYSTEM*1
  USER "c"
  SYSTEM "d"
  SYSTEM "e"
`},
		{"the agent is", in, Options{Roles: map[string]dialogue.Role{"Varro": dialogue.System}}, `
table 1 at 2: Customer=USER*1 Varro=SYSTEM*1
  USER "a"
  SYSTEM "b"
! f:6: dialogue 2: unknown speaker "Oke"; say who it is with ` +
			`--role-map "Oke=system" (or =user, =other)
`},
	})
}

// TestAdvice checks messages about what a file lacks.
func TestAdvice(t *testing.T) {
	runReadCases(t, stream.Auto, []readCase{
		{"answers by somebody unknown", `{"id":"1","m":[{"r":"user","t":"a?"},{"r":"Zed","t":"b"}]}` +
			"\n" + `{"id":"2","m":[{"r":"user","t":"c?"},{"r":"Zed","t":"d"}]}`, Options{
			Columns: map[string]string{"id": "id", "speaker": "m[].r", "text": "m[].t"}}, `
! f:1: dialogue 1: unknown speaker "Zed"; say who it is with ` +
			`--role-map "Zed=system" (or =user, =other)
! f:2: dialogue 2: unknown speaker "Zed"; say who it is with ` +
			`--role-map "Zed=system" (or =user, =other)
`},
		{"a prompt that is no text", `{"prompt":{"name":"v3"},"steps":[{"a":"b"}]}`, Options{}, `
! f:1: dialogue 1: this JSON is no conversation of a known format; the keys are "prompt.name", ` +
			`"steps[].a"; name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as ` +
			`messages[].body
`},
		{"a prompt without an answer", `{"prompt":"What is it?","steps":[{"a":"b"}]}`, Options{}, `
! f:1: dialogue 1: this JSON is no conversation of a known format; the keys are "prompt", ` +
			`"steps[].a"; it looks like pairs, but completion or response or answer or bot_response ` +
			`or … is missing; or name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, ` +
			`such as messages[].body
`},
	})
}

// TestCopiesAreCounted checks what is said about rows that a table has twice, and about answers by
// somebody unknown.
func TestCopiesAreCounted(t *testing.T) {
	var notes []string
	opt := Options{Note: func(s string) { notes = append(notes, s) }}
	dump(strings.NewReader("id,time,role,text\n1,10:00:05,user,a\n1,10:00:05,user,a\n"+
		"1,10:00:09,agent,b\n"), "f", opt)
	assert.Equal(t, []string{
		"f: 1 dialogue, 2 turns, 1 row equal to another in all columns left out"}, notes)
	notes, opt.Columns = nil, map[string]string{"id": "id", "speaker": "m[].r", "text": "m[].t"}
	dump(strings.NewReader(`{"id":1,"m":[{"r":"user","t":"a"},{"r":"Zed","t":"b"}]}`+"\n"+
		`{"id":2,"m":[{"r":"user","t":"c"},{"r":"Zed","t":"d"}]}`), "f", opt)
	assert.Empty(t, notes)
}
