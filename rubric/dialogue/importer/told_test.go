package importer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/encoding/unicode/utf32"

	"assize/rubric/dialogue"
)

// readTold reads a file, and returns its turns and errors, and the notices.
func readTold(in string, opt Options) (turns, told string) {
	opt.Note = func(s string) { told += s + "\n" }
	for s, err := range Read(strings.NewReader(in), "f", opt) {
		if err != nil {
			turns += "! " + err.Error() + "\n"
		}
		for _, t := range s.Dialogue.Turns {
			turns += fmt.Sprintf("%s %q\n", t.Role, t.Text)
		}
	}
	return turns, told
}

// TestUnseen checks that characters that nobody sees do not hide who speaks, or in which column.
func TestUnseen(t *testing.T) {
	for _, form := range []string{
		"Customer: a\n{}Agent: b\nCustomer: c\nAgent: d\n",
		"Customer: a\nA{}gent: b\nCustomer: c\nAgent: d\n",
		"Customer: a\n{}**Agent{}:** b\nCustomer: c\nAgent: d\n",
		"- Customer: a\n{}- {}Agent: b\n- Customer: c\n- Agent: d\n",
		"Customer: a\n" + strings.Repeat("{}", 40) + "Agent: b\nCustomer: c\nAgent: d\n",
		"[10:15] Customer: a\n{}[10:16] {}Agent: b\n[10:17] Customer: c\n[10:18] Agent: d\n",
		"<customer> a\n{}<age{}nt> b\n<customer> c\n<agent> d\n",
		"Customer\t10:15\na\n\nAgent{}\t10:16\nb\n\nCustomer\t10:17\nc\n\nAgent\t10:18\nd\n",
		"USER\ta\n{}SYSTEM\tb\nUSER\tc\nSYSTEM{}\td\n",
		"{}id,ro{}le,te{}xt\n1,customer,a\n1{},ag{}ent,b\n1,customer,c\n1,{}agent,d\n",
		"id,chat\n1,Customer: a {}Agent: b Customer: c Agent: d\n",
		`{"mess{}ages":[{"ro{}le":"user","content":"a"},{"role":"assis{}tant","cont{}ent":"b"},` +
			`{"role":"user","content":"c"},{"role":"{}assistant","content":"d"}]}`,
	} {
		want := "USER \"a\"\nSYSTEM \"b\"\nUSER \"c\"\nSYSTEM \"d\"\n"
		for _, unseen := range []string{"", "\u200b", "\ufeff", "\u202a", "\u2060", "\u00ad",
			"\ufe0f", "\u034f", "\U000e0001"} {
			got, _ := readTold(strings.ReplaceAll(form, "{}", unseen), Options{})
			assert.Equal(t, want, got, "%q %q", form, unseen)
		}
	}
	for _, space := range []string{"\u2007", "\u202f", "\u3000"} {
		got, _ := readTold("Customer: a\n"+space+"Agent"+space+": b\n", Options{})
		assert.Equal(t, "USER \"a\"\nSYSTEM \"b\"\n", got, "%q", space)
	}
	got, _ := readTold("An\u200bn: a\nBob: b\n", Options{SystemNames: []string{"B\u00adob"},
		Roles: map[string]dialogue.Role{"Ann": dialogue.User}})
	assert.Equal(t, "USER \"a\"\nSYSTEM \"b\"\n", got)
}

// TestMixedEncodings checks that bytes that are not UTF-8, in a file that otherwise is, are told.
func TestMixedEncodings(t *testing.T) {
	const head = "From: ann@x.example\nTo: support@y.example\nSubject: s\n" +
		"Date: Mon, 1 Jan 2024 10:00:00 +0000\nContent-Type: text/plain; charset="
	for in, line := range map[string]int{
		"Customer: Café\nAgent: It costs \x805.\n":                  2,
		"Customer: Café\nAgent: It costs 5 \xe2\x82":                2,
		"\ufeffCustomer: Café\nAgent: It costs \x805.\n":            2,
		"id,role,text\n1,user,Café\n1,agent,\"It\ncosts \x805.\"\n": 4,
		`{"messages":[{"role":"user","content":"Café"},` + "\n" +
			`{"role":"assistant","content":"It costs ` + "\x80" + `5."}]}`: 2,
		head + "utf-8\n\nCafé \x80\n":                                          1,
		head + "iso-8859-1\n\nCaf\xe9\n":                                       0,
		"Customer: Café\nAgent: It is €5.\n":                                   0,
		"Customer: Caf\xe9\nAgent: \x805\n":                                    0, // wholly Windows-1252
		strings.Repeat("Customer: Café €\nAgent: €\n", 9999) + "Agent: \x80\n": 19999,
	} {
		want := fmt.Sprintf("some bytes from line %d on are not UTF-8", line)
		_, told := readTold(in, Options{})
		if short := in[:min(len(in), 80)]; line == 0 {
			assert.NotContains(t, told, "some bytes", "%q", short)
		} else {
			assert.Contains(t, told, want, "%q", short)
			got, _ := readTold(in, Options{Strict: true})
			assert.Contains(t, got, "! f: read with a guess: "+want, "%q", short)
		}
	}
	for _, order := range []utf32.Endianness{utf32.LittleEndian, utf32.BigEndian} {
		for _, mark := range []utf32.BOMPolicy{utf32.UseBOM, utf32.IgnoreBOM} {
			in, err := utf32.UTF32(order, mark).NewEncoder().String("id,role,text\n1,agent,Hi\n")
			assert.NoError(t, err)
			got, _ := readTold(in, Options{})
			assert.Equal(t, "! f: this is UTF-32 or no text; save it as UTF-8\n", got)
		}
	}
}

// TestLinesAbove checks that a line above the first turn, which somebody may say, is reported, as
// is a name that looks like another one.
func TestLinesAbove(t *testing.T) {
	const above = "left out: 1 line above the first turn of a dialogue; the first is "
	for _, c := range []struct{ in, told, strict string }{
		{"Bob: You are stupid\nCustomer: a\nAgent: b\n", above + `"Bob: You are stupid"`,
			`"Bob:" is above the first turn and left out; if somebody of that name speaks, say who ` +
				`it is with --role-map "Bob=user"`},
		{"\u0410gent: No\nCustomer: a\nAgent: b\n", above, "--role-map \"\u0410gent=user\""},
		{"Customer: a\n\u0410gent: No way\nCustomer: b\nAgent: c\n", "",
			"\"\u0410gent:\" is taken for words of the turn above"},
		{"Lost parcel\nCustomer: a\nAgent: b\n", above + `"Lost parcel"`, ""},
		{"Chat Started: Monday, 3 June, 10:00\nCustomer: a\nAgent: b\n", above, ""},
		{"Order number: 77 81\nCustomer: a\nAgent: b\n", above + `"Order number: 77 81"`, ""},
		{"Status: still open\nCustomer: a\nAgent: b\n", above + `"Status: still open"`, ""},
		{"Chat Origin: Support page\nCustomer: a\nAgent: b\n", above, ""},
		{"Department: Sales Europe\nCustomer: a\nAgent: b\n", above, ""},
		{"Chat with: Ann Smith\nCustomer: a\nAgent: b\n", above, ""},
		{"Visitor Details: John Doe, Berlin\nCustomer: a\nAgent: b\n", above, ""},
		{"Store: We sell lamps\nCustomer: a\nAgent: b\n", above, ""},
		{"Date: 3 May\nCustomer: a\nAgent: b\n", above, ""},
		{"Team Lead: Ann Smith\nCustomer: a\nAgent: b\n", above, ""},
		{"Date: 3 May\nBob: You are stupid\nCustomer: a\nAgent: b\n",
			"left out: 2 lines above the first turn of a dialogue", `"Bob:" is above the first`},
		{"```\nCustomer: a\nAgent: b\n```\n", "", ""},
	} {
		_, told := readTold(c.in, Options{})
		assert.Contains(t, told, c.told, "%q", c.in)
		assert.Equal(t, c.told == "", !strings.Contains(told, "above the first"), "%q", c.in)
		got, _ := readTold(c.in, Options{Strict: true})
		assert.Contains(t, got, c.strict, "%q", c.in)
		assert.Equal(t, c.strict != "", strings.Contains(got, "! "), "%q: %s", c.in, got)
	}
	export, err := os.ReadFile(filepath.Join("testdata", "formats", "salesforce.json"))
	assert.NoError(t, err)
	got, told := readTold(string(export), Options{Strict: true})
	assert.NotContains(t, got, "! ")
	assert.NotContains(t, told, "is above the first turn")
}

// TestMembersTwice checks that a member of JSON that occurs twice in an object is told.
func TestMembersTwice(t *testing.T) {
	const a, b = `[{"role":"user","content":"a"}]`, `[{"role":"user","content":"b"}]`
	for in, twice := range map[string]string{
		`{"messages":` + a + `,"messages":` + b + `}`:                                      "messages",
		`[{"messages":` + a + `},` + "\n" + `{"messages":` + a + `,"messages":` + b + `}]`: "messages",
		`{"messages":[{"role":"user","role":"user","content":"b"}]}`:                       "role",
		`{"messages":[{"role":"user","content":"a","content":"b"}]}`:                       "content",
		`{"messages":` + b + `,"id":"x"}` + "\n" + `{"messages":` + b + `,"id":"x"}`:       "",
	} {
		got, told := readTold(in, Options{})
		assert.Contains(t, got, "USER \"b\"\n", in)
		assert.Equal(t, twice != "", strings.Contains(told, `1 object with two members of one name, `+
			`of which only the last counts; the first has "`+twice+`" on line `), "%s: %s", in, told)
		got, _ = readTold(in, Options{Strict: true})
		assert.Equal(t, twice != "", strings.Contains(got, "! f: read with a guess: an object"), in)
	}
	_, told := readTold(strings.Repeat(`{"messages":`+a+`,"messages":`+b+"}\n", 300), Options{})
	assert.Contains(t, told, `300 objects with two members of one name, of which only the last `+
		`counts; the first has "messages" on line 1`)
	assert.Equal(t, 1, strings.Count(told, "two members"), told)
}

// TestLettersAreNamed checks that a message that cannot be read is named, with the reason.
func TestLettersAreNamed(t *testing.T) {
	_, told := readTold("From ann@x.example Mon Jan 1 10:00:00 2024\nFrom: ann@x.example\n"+
		"To: support@y.example\nSubject: s\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\na\n\n"+
		"From bob@x.example Mon Jan 1 10:00:00 2024\nFrom: =?utf-8?q?=1B?= <<\nSubject: s\n\nb\n",
		Options{})
	assert.Contains(t, told, "1 message cannot be read and is left out; the first begins on line 10: "+
		"mail: ")
}

// TestManyColumns checks that a table with more columns than can be read says so.
func TestManyColumns(t *testing.T) {
	got, _ := readTold("id,role,text"+strings.Repeat(",x", 1200)+"\n1,user,a"+
		strings.Repeat(",", 1200)+"\n", Options{})
	assert.Contains(t, got, "1203 columns, of which at most 1000 can be read; leave out those that")
}
