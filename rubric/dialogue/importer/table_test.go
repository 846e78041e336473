package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

func TestReadTable(t *testing.T) {
	runReadCases(t, stream.Table, []readCase{
		{"header names are matched loosely, in any order, with semicolons",
			"Message;Sender;ID;Ticket #\nhello;Customer;a;7\nhi;Agent;b;7\nbye;Agent;c;x\n",
			Options{}, `
table 7 at 2: Customer=USER*1 Agent=SYSTEM*1
  USER "hello"
  SYSTEM "hi"
table 2 (x) at 4: Agent=SYSTEM*1 meta [{"ID" "c"}]
  SYSTEM "bye"
`},
		{"tabs, and no id column: the file is one dialogue",
			"role\ttext\nuser\tone\nassistant\ttwo, three\n", Options{}, `
table 1 at 2: user=USER*1 assistant=SYSTEM*1
  USER "one"
  SYSTEM "two, three"
`},
		{"quoted cells hold delimiters, quotes and line ends", "id,role,text\r\n1,user,\"a, " +
			"\"\"b\"\"\r\n\r\nc\"\r\n1,agent,\"5\"\" pipe\"\r\n", Options{}, `
table 1 at 2: user=USER*1 agent=SYSTEM*1
  USER "a, \"b\"\n\nc"
  SYSTEM "5\" pipe"
`},
		{"turns that are no numbers keep the file's order",
			"conv_id,turn,speaker,utterance\n1,z,user,a\n1,b,agent,b\n", Options{}, `
table 1 at 2: user=USER*1 agent=SYSTEM*1
  USER "a"
  SYSTEM "b"
`},
		{"an empty id means the conversation above",
			"session,role,text\n1,user,a\n,agent,b\n2,user,c\n", Options{}, `
table 1 at 2: user=USER*1 agent=SYSTEM*1
  USER "a"
  SYSTEM "b"
table 2 at 4: user=USER*1
  USER "c"
`},
		{"one rating a conversation is overall, several are of turns",
			"id,role,text,rating\n1,user,a,4\n1,agent,b,4\n2,user,c,\n2,agent,d,\"3,5,5\"\n3," +
				"user,e,1\n3,agent,f,\n3,user,g,2\n4,user,h,N/A\n", Options{}, `
table 1 at 2: user=USER*1 agent=SYSTEM*1 truth [4] [] []
  USER "a"
  SYSTEM "b"
table 2 at 4: user=USER*1 agent=SYSTEM*1 truth [3 5 5] [] []
  USER "c"
  SYSTEM "d"
table 3 at 6: user=USER*2 agent=SYSTEM*1 truth [] [[1] [] [2]] []
  USER "e"
  SYSTEM "f"
  USER "g"
table 4 at 9: user=USER*1
  USER "h"
`},
		{"merged cells of an odd column", "ref,role,text\nK-7,user,a\n,agent,b\nK-8,user,c\n" +
			",agent,d\n", Options{}, `
table 1 (K-7) at 2: user=USER*1 agent=SYSTEM*1
  USER "a"
  SYSTEM "b"
table 2 (K-8) at 4: user=USER*1 agent=SYSTEM*1
  USER "c"
  SYSTEM "d"
`},
		{"no merged cells, since the first row has none", "ref,role,text\n,user,a\n,agent,b\n" +
			"K-7,user,c\n,agent,d\nK-8,user,e\n,agent,f\n", Options{}, `
table 1 at 2: user=USER*3 agent=SYSTEM*3
  USER "a"
  SYSTEM "b"
  USER "c"
  SYSTEM "d"
  USER "e"
  SYSTEM "f"
`},
		{"an id that comes back is one conversation",
			"id,role,text\n1,user,a\n2,user,b\n1,agent,c\n3,user,d\n", Options{}, `
table 1 at 2: user=USER*1 agent=SYSTEM*1
  USER "a"
  SYSTEM "c"
table 2 at 3: user=USER*1
  USER "b"
table 3 at 5: user=USER*1
  USER "d"
`},
		{"a broken row spoils its own dialogue only", "dialogue,role,text,rating\n1,user,a,5\n2," +
			"user,\"b\" c,5\n2,agent,d,5\n3,user,e, f,5\n4,user,g\n5,user,h,7 of cups\n6,Zed,i," +
			"5\n7,user,j,5\n", Options{}, `
table 1 at 2: user=USER*1 truth [5] [] []
  USER "a"
! f:3: dialogue 2: extraneous or missing " in quoted-field; put texts with quotes into quotes ` +
			`and double each one inside, as in "the ""big"" one"
! f:5: dialogue 3: 5 fields where the header names 4; put texts that hold "," into double quotes
! f:6: dialogue 4: 3 fields where the header names 4; put texts that hold "," into double quotes
table 5 at 7: user=USER*1
  USER "h"
! f:8: dialogue 6: unknown speaker "Zed"; say who it is with --role-map "Zed=system" (or =user, ` +
			`=other)
table 7 at 9: user=USER*1 truth [5] [] []
  USER "j"
`},
		{"a quote that is never closed", "id,role,text\n1,user,a\n2,user,\"b\n3,user,c\n",
			Options{}, `
table 1 at 2: user=USER*1
  USER "a"
! f:3: dialogue 2: extraneous or missing " in quoted-field; put texts with quotes into quotes ` +
				`and double each one inside, as in "the ""big"" one"
`},
		{"ids that are no plain integers give the place in the file",
			"id,role,text\n007,user,a\n-3,user,b\n99999999999999999999,user,c\n12,user,d\n",
			Options{}, `
table 1 (007) at 2: user=USER*1
  USER "a"
table 2 (-3) at 3: user=USER*1
  USER "b"
table 3 (99999999999999999999) at 4: user=USER*1
  USER "c"
table 12 at 5: user=USER*1
  USER "d"
`},
		{"system beside an assistant is the prompt", "id,role,text\n1,system,Be brief.\n1,user," +
			"a\n1,assistant,b\n2,user,c\n2,system,d\n", Options{}, `
table 1 at 2: system=OTHER*1 user=USER*1 assistant=SYSTEM*1
  OTHER "Be brief."
  USER "a"
  SYSTEM "b"
table 2 at 5: user=USER*1 system=SYSTEM*1
  USER "c"
  SYSTEM "d"
`},
		{"people's names in a table", "id,author,text\n1,Priya,a\n1,Tom,b\n",
			Options{SystemNames: []string{"Priya"}}, `
table 1 at 2: Priya=SYSTEM*1 Tom=USER*1
  SYSTEM "a"
  USER "b"
`},
	})
}

// TestTimesWithGaps checks that of two columns of times that vary equally often, one without gaps
// determines the order.
func TestTimesWithGaps(t *testing.T) {
	rows := "id,speaker,text,changed_at,sent_at\n"
	for _, id := range []string{"1", "2"} {
		rows += id + ",agent,three,2024-05-01 10:09,2024-05-01 10:03\n" + id +
			",user,two,,2024-05-01 10:02\n" +
			id + ",agent,one,2024-05-01 10:01,2024-05-01 10:01\n" + id +
			",user,zero,2024-05-01 10:05,2024-05-01 10:00\n"
	}
	want := "  USER \"zero\"\n  SYSTEM \"one\"\n  USER \"two\"\n  SYSTEM \"three\"\n"
	assert.Equal(t, 2, strings.Count(dump(strings.NewReader(rows), "f", Options{}), want))
}

func TestTableWithoutColumns(t *testing.T) {
	got := dump(strings.NewReader("a,b\n1,2\n"), "f", Options{Format: stream.Table})
	assert.Equal(t,
		`! f: no column names the speaker; the columns are "a" ("1"), "b" ("2"); name them with `+
			`--columns id=NAME,speaker=NAME,text=NAME and, if there are such columns, `+
			`time=NAME,agent=NAME,queue=NAME, `+
			"or text=NAME alone where a cell holds a whole conversation\n", got)
}

// TestNoTimes checks that a cell with more numbers than a time has, or with a day that its month
// does not have, is no time.
func TestNoTimes(t *testing.T) {
	for _, cell := range []string{"1. 2 3 4 5 6 7 8 9", "12/03/2024 10.15.1.2.3.4", "1.1 1.1 1.1 1.1",
		"2024-02-30", "31.11.2024 10:15", "29 Feb 2023", "00/04/2024"} {
		_, ok := lex.ParseTime(cell)
		assert.False(t, ok, cell)
	}
}
