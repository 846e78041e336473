package importer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer/stream"
)

// TestDatesOfAFile reads dates of which only some show the order of day and month, in every kind
// of file. Each dialogue has the day that the whole file shows, or a notice says that it has none.
func TestDatesOfAFile(t *testing.T) {
	forms := map[string]func(dates []string) string{
		"rows of turns": func(dates []string) string {
			return "id,date,role,text\n" + listed(dates, "%[1]d,%[2]s,user,a\n%[1]d,%[2]s,agent,b\n")
		},
		"times of turns": func(dates []string) string {
			return "id,time,role,text\n" +
				listed(dates, "%[1]d,%[2]s 10:15,user,a\n%[1]d,%[2]s 10:16,agent,b\n")
		},
		"conversations in cells": func(dates []string) string {
			return "id,Opened,text\n" + listed(dates, "%d,%s,\"Agent: a\nCustomer: b\nAgent: c\"\n")
		},
		"a column with another name": func(dates []string) string {
			return "id,Chat date,text\n" +
				listed(dates, "%d,%s,\"Agent: a\nCustomer: b\nAgent: c\"\n")
		},
		"a column for when it began": func(dates []string) string {
			return "id,Conversation started,text\n" +
				listed(dates, "%d,%s,\"Agent: a\nCustomer: b\nAgent: c\"\n")
		},
		"days apart from times": func(dates []string) string {
			return "id,Started,Message time,role,text\n" +
				listed(dates, "%[1]d,%[2]s,4:29 pm,user,a\n%[1]d,%[2]s,4:30 pm,agent,b\n")
		},
		"JSON lines": func(dates []string) string {
			return listed(dates, `{"id":%d,"created":"%s","messages":[{"role":"user",`+
				`"content":"a"},{"role":"assistant","content":"b"}]}`+"\n")
		},
		"chats": func(dates []string) string {
			return listed(dates, "=== %[1]d ===\n[%[2]s, 10:15] Agent: a\n[%[2]s, 10:16] Customer: b\n")
		},
	}
	for _, c := range []struct {
		reason, order, dates, want, note string
	}{
		{"a later row decides", "", "08/04/2026 09/04/2026 23/04/2026",
			"2026-04-08 2026-04-09 2026-04-23", ""},
		{"an earlier row decides", "", "04/23/2026 05/08/2026", "2026-04-23 2026-05-08", ""},
		{"none decides", "", "08/04/2026 09/04/2026", "- -",
			"2 dialogues without a date, since nothing shows whether "},
		{"the user decides", "us", "08/04/2026 09/04/2026", "2026-08-04 2026-09-04", ""},
		{"dots decide", "", "08.04.2026 09.04.2026", "2026-04-08 2026-04-09", ""},
		{"nothing to decide", "", "2026-04-08 08/08/2026", "2026-04-08 2026-08-08", ""},
	} {
		for name, form := range forms {
			t.Run(c.reason+"/"+name, func(t *testing.T) {
				days, notes := daysOf(form(strings.Fields(c.dates)), Options{Dates: c.order})
				assert.Equal(t, c.want, strings.Join(days, " "))
				notes = slices.DeleteFunc(notes,
					func(s string) bool { return strings.Contains(s, "one dialogue per row") })
				if c.note == "" {
					assert.Empty(t, notes)
				} else if assert.Len(t, notes, 1) {
					assert.Contains(t, notes[0], c.note)
					assert.Contains(t, notes[0], "--dates us (month first)")
				}
			})
		}
	}
}

// listed applies a format to the number and the date of every dialogue.
func listed(dates []string, format string) string {
	var text strings.Builder
	for i, date := range dates {
		fmt.Fprintf(&text, format, i+1, date)
	}
	return text.String()
}

// daysOf returns the days of the dialogues of a file, "-" for none, and the notices.
func daysOf(text string, opt Options) (days, notes []string) {
	opt.Note = func(s string) { notes = append(notes, s) }
	for s, err := range Read(strings.NewReader(text), "f", opt) {
		if err != nil {
			return []string{err.Error()}, notes
		}
		days = append(days, "-")
		for _, at := range Dates(s.Source.Voices, s.Source.Meta) {
			if day := at.Day(s.Source.Dates); day != "" {
				days[len(days)-1] = day
				break
			}
		}
	}
	return days, notes
}

// TestDatesNotRead reports what is dropped of the dates, the times and the ratings of a file.
func TestDatesNotRead(t *testing.T) {
	const rows = "%d,%s,\"Agent: a\nCustomer: b\nAgent: c\"\n"
	for _, c := range []struct {
		reason, in string
		want       []string
	}{
		{"two orders", "id,Opened,text\n" + listed([]string{"23/04/2026", "04/23/2026",
			"05/04/2026"}, rows),
			[]string{`f: 1 dialogue without a date, since nothing shows whether "05/04/2026" has ` +
				`the day or the month first; say it with --dates us (month first) or --dates eu ` +
				`(day first)`, `f: the dates contradict each other: "04/23/2026" has the month ` +
				`first, "23/04/2026" the day`}},
		{"a date in words", "id,Datum,text\n" + listed([]string{"8 avril 2026"}, rows),
			[]string{`f: 1 dialogue without a date, since it cannot be read or has no year; the ` +
				`first is "8 avril 2026"`}},
		{"a date without a year", "id,Date,text\n" + listed([]string{"Tue 13th Oct"}, rows),
			[]string{`f: 1 dialogue without a date, since it cannot be read or has no year; the ` +
				`first is "Tue 13th Oct"`}},
		{"some times that cannot be read", "id,role,text,time\n1,user,a,2026-04-08 10:15\n" +
			"1,agent,b,2026-04-08 10:16\n1,user,c,10 past 9\n1,agent,d,2026-04-08 10:18\n",
			[]string{`f: the times of 1 message cannot be read, so that they stay where the file ` +
				`has them; the first is "10 past 9"`}},
		{"a time of JSON that cannot be read", `{"messages":[{"role":"user","content":"a",` +
			`"time":"t+5"},{"role":"assistant","content":"b","time":"t+9"}]}`,
			[]string{`f: the times of 2 messages cannot be read, so that they stay where the ` +
				`file has them; the first is "t+5"`}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			_, notes := daysOf(c.in, Options{})
			notes = slices.DeleteFunc(notes,
				func(s string) bool { return strings.Contains(s, "one dialogue per row") })
			slices.Sort(notes)
			assert.Equal(t, c.want, notes)
		})
	}
}

// TestDatesWait holds back no more than the size of a dialogue, and says how many have no date.
func TestDatesWait(t *testing.T) {
	words := strings.Repeat("word ", 100<<10)
	in := "id,Opened,text\n" + listed([]string{"01/02/2026", "02/03/2026", "03/04/2026",
		"23/04/2026"}, "%d,%s,\"Agent: a\nCustomer: "+words+"\nAgent: c\"\n")
	days, notes := daysOf(in, Options{MaxDialogue: 1})
	assert.Equal(t, []string{"-", "-", "-", "2026-04-23"}, days)
	if assert.NotEmpty(t, notes) {
		assert.Contains(t, notes[len(notes)-1], "3 dialogues without a date")
	}
}

// TestDayOfRows finds the day of a conversation that has a row of its own, whatever its column is
// called, and says what was guessed.
func TestDayOfRows(t *testing.T) {
	const said = "\"[10:42] Customer: b\n[10:41] Agent: a\n[10:40] Customer: c\"\n"
	const numbered = "f: rows are numbered; --columns id=NAME names a column"
	for _, c := range []struct {
		reason, named, in, want string
		notes                   []string
	}{
		{"one that the user names", "Ouvert le",
			"Référence,Créé,Ouvert le,Text\nR-1,05.09.2026,07.09.2026 08:03," + said, "2026-09-07",
			[]string{"f: id = Référence, text = Text, time = Ouvert le: one dialogue per row"}},
		{"one that the user names, next to a usual name", "Fin",
			"Created,Fin,Text\n05.09.2026,06.09.2026," + said + "05.09.2026,08.09.2026," + said,
			"2026-09-06 2026-09-08",
			[]string{numbered, "f: text = Text, time = Fin: one dialogue per row"}},
		{"the only one of dates", "", "N° dossier,Eröffnet am,Text\nR-1,07.09.2026 08:03," + said,
			"2026-09-07",
			[]string{"f: id = N° dossier, text = Text, time = Eröffnet am: one dialogue per row"}},
		{"two of dates", "", "Referencia,Ouvert le,Pris le,Text\nR-1,07.09.2026,08.09.2026," + said,
			"-", []string{"f: id = Referencia, text = Text: one dialogue per row"}},
		{"a birthday", "", "Referencia,Geburtsdatum,Text\nR-1,07.09.1996," + said, "-",
			[]string{"f: id = Referencia, text = Text: one dialogue per row"}},
		{"none", stream.NoColumn, "Referencia,Eröffnet am,Text\nR-1,07.09.2026 08:03," + said, "-",
			[]string{"f: id = Referencia, text = Text: one dialogue per row"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			opt := Options{Dates: "eu"}
			if c.named != "" {
				opt.Columns = map[string]string{"time": c.named}
			}
			days, notes := daysOf(c.in, opt)
			assert.Equal(t, c.want, strings.Join(days, " "))
			newest := "f: newest first, so read from the end" // the times within order the turns
			assert.Equal(t, append(c.notes, newest), notes)
		})
	}
	assert.Equal(t, 1, FindColumn([]string{"Text", "File d’attente"}, "queue"))
}
