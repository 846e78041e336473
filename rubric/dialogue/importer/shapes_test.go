package importer_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// turnOf is a turn of the conversations that every table below represents in its own way.
type turnOf struct {
	ticket, minute         int
	role, name, mail, text string
}

// shop has four conversations of a bicycle shop. In each but the last, two turns occur in the same
// minute.
var shop = []turnOf{
	{4101, 0, "customer", "Lena Ott", "lena@mail.example",
		"Hello, the chain of my new bike fell off twice, is that normal?"},
	{4101, 2, "agent", "Ravi", "shop@shop.example",
		"No, that should not happen. Could you send me a photo of the rear wheel?"},
	{4101, 2, "customer", "Lena Ott", "lena@mail.example", "Here it is, and the bolt looks loose"},
	{4101, 9, "agent", "Ravi", "shop@shop.example",
		"Thanks; bring it in today, and we will fix it for free."},
	{4102, 30, "customer", "Sam Hill", "sam@mail.example", "Is the blue helmet in stock, size M?"},
	{4102, 31, "agent", "Mona", "shop@shop.example",
		"Yes, two are left. Shall I keep one for you?"},
	{4102, 31, "customer", "Sam Hill", "sam@mail.example", "Please do"},
	{4107, 45, "customer", "Ida Berg", "ida@mail.example",
		"My order never arrived, and nobody answers the phone"},
	{4107, 50, "agent", "Ravi", "shop@shop.example",
		"I am sorry. It went back to us, because the street number was missing."},
	{4107, 50, "customer", "Ida Berg", "ida@mail.example", "It is 14, send it again please"},
	{4107, 58, "agent", "Ravi", "shop@shop.example",
		"It leaves tonight, and I took off the shipping."},
	{4110, 59, "customer", "Tom Lang", "tom@mail.example", "Do you rent tandems, too?"},
	{4110, 61, "agent", "Mona", "shop@shop.example", "We do, from Friday to Sunday."},
}

// table returns rows with the cells that a function returns, below a header with the names, which
// are separated by bars.
func table(delimiter rune, names string, rows []turnOf, cells func(s turnOf) []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = delimiter
	if names != "" {
		w.Write(strings.Split(names, "|"))
	}
	for _, s := range rows {
		w.Write(cells(s))
	}
	w.Flush()
	return b.String()
}

// at formats the time of a turn with a layout of package time.
func at(layout string, s turnOf) string {
	return time.Date(2024, 3, 14, 9, s.minute, 0, 0, time.UTC).Format(layout)
}

// readAll reads a stream and returns the text of each dialogue, sorted, then the notes and errors.
func readAll(in string, opt importer.Options) (talks, notes []string) {
	opt.Note = func(s string) { notes = append(notes, s) }
	for s, err := range importer.Read(strings.NewReader(in), "f", opt) {
		if err != nil {
			notes = append(notes, "! "+err.Error())
			continue
		}
		var b strings.Builder
		for _, t := range s.Dialogue.Turns {
			fmt.Fprintf(&b, "%s %s\n", t.Role, strings.ReplaceAll(t.Text, "\n", " "))
		}
		talks = append(talks, b.String())
	}
	slices.Sort(talks)
	return talks, notes
}

// wanted returns the dialogues of shop.
func wanted() []string {
	talks, _ := readAll(table(',', "id|role|text", shop, func(s turnOf) []string {
		return []string{fmt.Sprint(s.ticket), s.role, s.text}
	}), importer.Options{})
	return talks
}

// interleaved returns the turns in the order of time, so that the conversations are mixed.
func interleaved() []turnOf {
	list := slices.Clone(shop)
	for i := range list {
		list[i].minute -= map[int]int{4101: 0, 4102: 29, 4107: 44, 4110: 57}[list[i].ticket]
	}
	slices.SortStableFunc(list, func(a, b turnOf) int { return a.minute - b.minute })
	return list
}

func reversed(list []turnOf) []turnOf {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func TestTables(t *testing.T) {
	require.Len(t, wanted(), 4)
	num := func(s turnOf) string { return fmt.Sprint(s.ticket) }
	plain := func(s turnOf) []string { return []string{num(s), s.role, s.text} }
	with := func(layout string) func(s turnOf) []string {
		return func(s turnOf) []string { return append(plain(s), at(layout, s)) }
	}
	const four = "4 dialogues, 13 turns"
	newest := ": " + four + ", newest first, so read from the end"
	for _, c := range []struct {
		reason, in string
		opt        importer.Options
		note       string // the only one; empty for none
	}{
		{"the usual names need no word", table(',', "conversation_id|role|text", shop, plain),
			importer.Options{}, ""},
		{"an id by the words of its name",
			table(',', "Case Number|Author type|Comment", shop, plain), importer.Options{},
			"f: id = Case Number, text = Comment, speaker = Author type: " + four},
		{"a ticket's number", table(';', "Ticket No|Role|Message", shop, plain),
			importer.Options{}, "f: id = Ticket No, text = Message, speaker = Role: " + four},
		{"a request", table('\t', "Request ID|Sender|Body", shop, plain), importer.Options{},
			"f: id = Request ID, text = Body, speaker = Sender: " + four},
		{"a reference", table(',', "Chat Ref|Speaker|Text", shop, plain), importer.Options{},
			"f: id = Chat Ref, text = Text, speaker = Speaker: " + four},
		{"bars between the cells", table('|', "Ticket|Author|Remarks", shop, plain),
			importer.Options{}, "f: id = Ticket, text = Remarks, speaker = Author: " + four},
		{"an id by its values", table(',', "Vorgang|role|text", shop, plain), importer.Options{},
			"f: id = Vorgang, text = text, speaker = role: " + four},
		{"a message's id is not the conversation's",
			table(',', "id|Enquiry|role|text", shop, func(s turnOf) []string {
				return append([]string{fmt.Sprint("m", s.ticket*100+len(s.text))}, plain(s)...)
			}), importer.Options{}, "f: id = Enquiry, text = text, speaker = role: " + four},
		{"a column of any name that says who speaks", table(',', "Case|Kind|Reply", shop, plain),
			importer.Options{}, "f: id = Case, text = Reply, speaker = Kind: " + four},
		{"no header", table(',', "", shop, plain), importer.Options{},
			"f: id = column 1, text = column 3, speaker = column 2: " + four},
		{"no header and no number", table(',', "", shop, func(s turnOf) []string {
			return []string{"T-" + num(s), s.role, s.text}
		}), importer.Options{},
			"f: id = column 1, text = column 3, speaker = column 2: " + four},
		{"asked for", table(',', "Alpha|Beta|Gamma|Delta", shop, func(s turnOf) []string {
			return []string{s.mail, s.text, s.role, num(s)}
		}),
			importer.Options{Columns: map[string]string{"id": "delta", "text": "Beta",
				"speaker": "Gamma"}}, ""},
		{"names of people, and the agent beside them",
			table(',', "Ticket ID|Author|Comment|Assignee", shop, func(s turnOf) []string {
				agent := map[int]string{4101: "Ravi", 4102: "Mona", 4107: "Ravi",
					4110: "Mona"}[s.ticket]
				return []string{num(s), s.name, s.text, agent}
			}), importer.Options{},
			"f: id = Ticket ID, text = Comment, speaker = Author, agent = Assignee: " + four},

		{"newest first, ISO",
			table(',', "id|role|text|created_at", reversed(shop),
				with("2006-01-02T15:04:00Z")), importer.Options{}, "f" + newest},
		{"newest first, with a zone",
			table(',', "id|role|text|Date", reversed(shop),
				with("2006/01/02 15:04 +0200")), importer.Options{}, "f" + newest},
		{"newest first, US",
			table(',', "id|role|text|Sent", reversed(shop),
				with("01/02/2006 3:04 PM")), importer.Options{}, "f" + newest},
		{"newest first, European",
			table(',', "id|role|text|Zeit", reversed(shop),
				with("02.01.2006 15:04")), importer.Options{}, "f" + newest},
		{"newest first, in words",
			table(',', "id|role|text|Created", reversed(shop),
				with("Jan 2, 2006 03:04:05 PM")), importer.Options{}, "f" + newest},
		{"newest first, the clock alone",
			table(',', "id|role|text|time", reversed(shop),
				with("15:04")), importer.Options{}, "f" + newest},
		{"a clock alone past midnight",
			strings.NewReplacer("09:", "23:", "10:",
				"00:").Replace(table(',', "id|role|text|time", shop,
				with("15:04"))), importer.Options{}, ""},
		{"days alone, newest first",
			table(',', "id|role|text|date", reversed(shop), func(s turnOf) []string {
				return append(plain(s), fmt.Sprintf("2024-03-%02d", s.ticket-4100))
			}), importer.Options{}, "f" + newest},
		{"times that cannot be read",
			table(',', "id|role|text|Created", shop,
				with("on the 2nd at noon, 15h04")), importer.Options{},
			`f: no times can be read in "Created" ("on the 14nd at noon, 09h02", "on the 14nd ` +
				`at noon, 09h31"), so the turns are in the order of the file`},
		{"no id where nothing differs", table(',', "role|text", shop[:4], func(s turnOf) []string {
			return []string{s.role, s.text}
		}), importer.Options{}, "f: 1 dialogue, 4 turns, since nothing tells conversations apart"},
		{"newest first, day and clock apart",
			table(',', "id|role|text|Date|Time", reversed(shop), func(s turnOf) []string {
				return append(plain(s), at("2006-01-02", s), at("15:04", s))
			}), importer.Options{}, "f" + newest},
		{"newest first, Unix",
			table(',', "id|role|text|ts", reversed(shop), func(s turnOf) []string {
				return append(plain(s), fmt.Sprint(1710407000+60*s.minute))
			}), importer.Options{}, "f" + newest},
		{"newest first, milliseconds",
			table(',', "id|role|text|timestamp", reversed(shop), func(s turnOf) []string {
				return append(plain(s), fmt.Sprint(1710407000123+60_000*s.minute))
			}), importer.Options{}, "f" + newest},
		{"the turns' numbers are enough",
			table(',', "id|role|text|turn", reversed(shop), func(s turnOf) []string {
				return append(plain(s), fmt.Sprint(slices.Index(shop, s)))
			}), importer.Options{}, ""},
		{"by time of day", table(',', "id|role|text|time", interleaved(), with("15:04")),
			importer.Options{},
			"f: " + four + ", the rows of 3 conversations are not adjacent and were put together"},
		{"by time of day, newest first",
			table(',', "id|role|text|time", reversed(interleaved()),
				with("15:04")), importer.Options{},
			"f" + newest + ", the rows of 3 conversations are not adjacent and were put together"},
		{"a ticket's own time does not count",
			table(',', "id|role|text|Ticket created|Posted", reversed(shop),
				func(s turnOf) []string {
					return append(plain(s), fmt.Sprintf("2024-03-%02d 08:00", s.ticket-4100),
						at("2006-01-02 15:04", s))
				}), importer.Options{}, "f" + newest},
		{"dates that can be read in two ways and tell the same",
			strings.ReplaceAll(table(',', "id|role|text|time", reversed(shop),
				with("01/02/2006 15:04")), "/14/", "/04/"),
			importer.Options{}, "f" + newest + "\nf: 4 dialogues without a date, since nothing " +
				"shows whether \"03/04/2024 09:59\" has the day or the month first; say it with " +
				"--dates us (month first) or --dates eu (day first)"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			talks, notes := readAll(c.in, c.opt)
			if want := wanted(); len(talks) == 1 {
				assert.Contains(t, want, talks[0])
			} else {
				assert.Equal(t, want, talks)
			}
			var want []string
			if c.note != "" {
				want = strings.Split(c.note, "\n")
			}
			assert.Equal(t, want, notes)
		})
	}
}

// TestRagged checks that a row with too many cells is an error of its own, and that the file
// remains a table.
func TestRagged(t *testing.T) {
	var b strings.Builder
	b.WriteString("Ticket ID,Queue,Conversation\n")
	for n := range 12 {
		fmt.Fprintf(&b, "%d,mail,\"Agent: one\nCustomer: two\"\n", n+1)
	}
	b.WriteString("13,mail,too,many\n")
	talks, notes := readAll(b.String(), importer.Options{})
	assert.Len(t, talks, 12)
	assert.Equal(t, []string{"f: id = Ticket ID, text = Conversation, queue = Queue: one dialogue per row",
		`! f:26: dialogue 13: 4 fields where the header names 3; put texts that hold "," into ` +
			`double quotes`}, notes)
}

func TestStrict(t *testing.T) {
	in := table(',', "Case Number|role|text", shop,
		func(s turnOf) []string { return []string{fmt.Sprint(s.ticket), s.role, s.text} })
	talks, notes := readAll(in, importer.Options{Strict: true})
	assert.Empty(t, talks)
	assert.Equal(t,
		[]string{"! f: read with a guess: id = Case Number, text = text, speaker = role: 4 " +
			"dialogues, 13 turns; " +
			"settle it with --columns or --dates, or turn strict-import off"}, notes)
	talks, notes = readAll(in,
		importer.Options{Strict: true, Columns: map[string]string{"id": "Case Number"}})
	assert.Equal(t, wanted(), talks)
	assert.Empty(t, notes)
}

// TestSpool reads a table that does not fit the memory it may use.
func TestSpool(t *testing.T) {
	const tickets, turns = 400, 60
	var b strings.Builder
	b.WriteString("id,role,text,time\n")
	words := strings.Repeat("words and words ", 50)
	for n := turns - 1; n >= 0; n-- {
		for id := range tickets {
			fmt.Fprintf(&b, "%d,%s,%d %s,%d\n", id+1, []string{"user", "agent"}[n%2], n, words,
				1710000000+60*n)
		}
	}
	made := 0
	temp := func() (importer.Temp, error) {
		made++
		return os.CreateTemp(t.TempDir(), "")
	}
	dialogues := 0
	for s, err := range importer.Read(strings.NewReader(b.String()), "f",
		importer.Options{Temp: temp}) {
		require.NoError(t, err)
		dialogues++
		assert.Equal(t, dialogues, s.Dialogue.ID)
		require.Len(t, s.Dialogue.Turns, turns)
		for n, turn := range s.Dialogue.Turns {
			require.Equal(t, fmt.Sprintf("%d %s", n, strings.TrimSpace(words)), turn.Text)
		}
	}
	assert.Equal(t, tickets, dialogues)
	assert.Equal(t, 1, made, "files")
}

func TestTablesRefused(t *testing.T) {
	twoDays := "id,role,text,time\n1,user,a,03/04/2024 09:00\n1,agent,b,04/03/2024 10:00\n"
	for _, c := range []struct {
		reason, in string
		opt        importer.Options
		want       string
	}{
		{"nothing tells the conversations apart", "role,text,queue\nuser,hello there,mail\n" +
			"agent,hi,mail\nuser,other thing,chat\nagent,yes,chat\n", importer.Options{},
			`! f: no column shows which rows belong to one conversation, and "queue" ("chat", "mail") ` +
				`differ within the file; ` +
				`name it with --columns id=NAME, or say --columns id=none where the file is one ` +
				`conversation; the columns are "role", "text", "queue"`},
		{"a column that is not there", "id,role,text\n1,user,a\n",
			importer.Options{Columns: map[string]string{"id": "Case"}},
			`! f: there is no column "Case"; the columns are "id", "role", "text"`},
		{"a list of other things", "sku,price,colour\na-1,12,red\nb-2,14,blue\n",
			importer.Options{},
			`! f: no column names the speaker; the columns are "sku" ("a-1", "b-2"), "price" ` +
				`("12", "14"), "colour" ("blue", "red"); ` +
				`name them with --columns id=NAME,speaker=NAME,text=NAME and, if there are such ` +
				`columns, time=NAME,agent=NAME,queue=NAME, or text=NAME alone where a cell holds ` +
				`a whole conversation`},
		{"day or month", twoDays, importer.Options{}, `! f: nothing shows whether "03/04/2024 ` +
			`09:00" has the day or the month first, and the order of the turns depends on it; ` +
			`say it with --dates us (month first) or --dates eu (day first)`},
		{"both", "id,role,text,time\n1,user,a,13/04/2024 09:00\n1,agent,b,04/13/2024 10:00\n",
			importer.Options{},
			`! f: the dates contradict each other: "04/13/2024 10:00" has the month first, ` +
				`"13/04/2024 09:00" the day; write them in one way, such as 2024-03-12 10:15`},
		{"asked for the wrong one",
			"id,role,text,time\n1,user,a,13/04/2024 09:00\n1,agent,b,14/04/2024 10:00\n",
			importer.Options{Dates: "us"},
			`! f: "13/04/2024 09:00" is no date with the month first; leave --dates out, or ` +
				`give the other one`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			talks, notes := readAll(c.in, c.opt)
			assert.Empty(t, talks)
			assert.Equal(t, []string{c.want}, notes)
		})
	}
	us, _ := readAll(twoDays, importer.Options{Dates: "us"})
	eu, notes := readAll(twoDays, importer.Options{Dates: "eu"})
	assert.Equal(t, []string{"USER a\nSYSTEM b\n"}, us)
	assert.Equal(t, []string{"SYSTEM b\nUSER a\n"}, eu)
	assert.Equal(t,
		[]string{`f: 1 dialogue, 2 turns, newest first, so read from the end, "03/04/2024 ` +
			`09:00" has the day first`}, notes)
}

// TestCells reads tables whose rows are whole conversations, in the forms in which help desks write
// them into a cell.
func TestCells(t *testing.T) {
	turns := map[int][]turnOf{}
	for _, s := range shop {
		turns[s.ticket] = append(turns[s.ticket], s)
	}
	each := func(between string, line func(s turnOf) string) func(list []turnOf) string {
		return func(list []turnOf) string {
			var lines []string
			for _, s := range list {
				lines = append(lines, line(s))
			}
			return strings.Join(lines, between)
		}
	}
	for _, c := range []struct {
		reason string
		cell   func(list []turnOf) string
	}{
		{"lines", each("\n", func(s turnOf) string { return s.role + ": " + s.text })},
		{"lines with CRLF and blank ones", each("\r\n\r\n", func(s turnOf) string {
			return s.role + ": " + s.text
		})},
		{"times before the names", each("\n", func(s turnOf) string {
			return at("[15:04:00] ", s) + s.role + ": " + s.text
		})},
		{"dates before the names", each("\n", func(s turnOf) string {
			return at("2006-01-02 15:04 - ", s) + s.role + ": " + s.text
		})},
		{"times after the names", each("\n", func(s turnOf) string {
			return s.role + at(" (15:04)", s) + ": " + s.text
		})},
		{"the name on a line of its own", each("\n\n", func(s turnOf) string {
			return s.role + at(" - 02/01/2006 15:04\n", s) + s.text
		})},
		{"HTML", each("", func(s turnOf) string {
			return "<p><b>" + s.role + ":</b> " + s.text + "</p>"
		})},
		{"breaks", each("<br/>", func(s turnOf) string {
			return "( " + fmt.Sprint(s.minute+1) + "m 3s ) " + s.role + ": " + s.text
		})},
		{"bars", each(" | ", func(s turnOf) string { return s.role + ": " + s.text })},
		{"a break in letters", each(`\n`, func(s turnOf) string { return s.role + ": " + s.text })},
		{"nothing but spaces", each(" ", func(s turnOf) string {
			return strings.ToUpper(s.role[:1]) + s.role[1:] + ": " + s.text
		})},
		{"semicolons and \"says\"", func(list []turnOf) string {
			return each(";", func(s turnOf) string {
				return strings.ToUpper(s.role[:1]) + s.role[1:] + " says: " + s.text
			})(list) + ";"
		}},
		{"JSON", func(list []turnOf) string {
			return "[" + each(",",
				func(s turnOf) string {
					return fmt.Sprintf("{%q:%q,%q:%q}", "role", s.role, "content", s.text)
				})(list) + "]"
		}},
		{"names of people", each("\n", func(s turnOf) string { return s.name + ": " + s.text })},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var firsts []turnOf
			for _, ticket := range []int{4101, 4102, 4107, 4110} {
				firsts = append(firsts, turns[ticket][0])
			}
			in := table(',', "Ticket ID|Agent|Opened|CSAT|Conversation", firsts,
				func(s turnOf) []string {
					return []string{fmt.Sprint(s.ticket), turns[s.ticket][1].name,
						at("2006-01-02", s),
						"4", c.cell(turns[s.ticket])}
				})
			talks, notes := readAll(in, importer.Options{})
			assert.Equal(t, wanted(), talks)
			assert.Equal(t,
				[]string{"f: id = Ticket ID, text = Conversation, agent = Agent: one dialogue " +
					"per row"}, notes)
			for s, err := range importer.Read(strings.NewReader(in), "f", importer.Options{}) {
				require.NoError(t, err)
				assert.Contains(t, []int{4101, 4102, 4107, 4110}, s.Dialogue.ID)
				assert.Equal(t, []float64{4}, s.Truth.Overall)
				assert.Contains(t, s.Source.Meta,
					dialogue.Field{Name: "Opened", Value: "2024-03-14"})
			}
		})
	}
}
