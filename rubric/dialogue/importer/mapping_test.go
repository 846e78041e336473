package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPlaces reads JSON of unknown formats with the paths that --columns names.
func TestPlaces(t *testing.T) {
	const (
		one = `{"case":{"no":"K-7"},"log":[{"by":{"kind":"customer"},"say":"Hi",` +
			`"on":"2024-03-01 10:01"},{"by":{"kind":"agent"},"say":"Hello","on":"2024-03-01 ` +
			`10:02"}],"stars":4,"owner":"Ann"}`
		two = `{"case":{"no":"K-8"},"log":[{"by":{"kind":"agent"},"say":"Yes",` +
			`"on":"2024-03-01 10:09"},{"by":{"kind":"customer"},"say":"You there?",` +
			`"on":"2024-03-01 10:04"}],"stars":null}`
		wantA = `
columns 1 (K-7) at 1: customer=USER*1 agent=SYSTEM*1 truth [4] [] [] meta [{"agent" "Ann"}]
  USER "Hi"
  SYSTEM "Hello"
`
		wantB = `columns 2 (K-8) at 1: customer=USER*1 agent=SYSTEM*1
  USER "You there?"
  SYSTEM "Yes"
`
	)
	places := func(list string) Options {
		opt := Options{Columns: map[string]string{}}
		for _, s := range strings.Fields(list) {
			use, place, _ := strings.Cut(s, "=")
			opt.Columns[use] = place
		}
		return opt
	}
	all := places(
		"id=case.no text=log[].say speaker=log[].by.kind time=log[].on agent=owner rating=stars")
	inside := places(
		"id=answer.rows[].case.no text=answer.rows[].log[].say speaker=answer.rows[].log[].by.ki" +
			"nd time=answer.rows[].log[].on agent=answer.rows[].owner rating=answer.rows[].stars")
	const loose = `{"conv":"a","who":"agent","words":"one"}` + "\n" +
		`{"conv":"b","who":"customer","words":"two"}` + "\n" +
		`{"conv":"a","who":"customer","words":"three"}`
	const looseWant = `
columns 1 (a) at 1: agent=SYSTEM*1 customer=USER*1
  SYSTEM "one"
  USER "three"
columns 2 (b) at 2: customer=USER*1
  USER "two"
`
	for _, c := range []readCase{
		{"one object, in the order of its times", one, all, wantA},
		{"in an array", "[" + one + "," + two + "]", all, wantA + wantB},
		{"two conditions in a place", `{"id":"K-7","log":[{"by":"customer","parts":[{"is":"note",` +
			`"say":"x"},{"is":"text","say":"Hi"}]},{"by":"agent","parts":[{"is":"text",` +
			`"say":"Hello"}]},{"by":"agent","parts":[{"is":"text","say":"none"}]}]}`,
			places("id=id text=log[].parts[is!=note].say!=none speaker=log[].by"), `
columns 1 (K-7) at 1: customer=USER*1 agent=SYSTEM*1
  USER "Hi"
  SYSTEM "Hello"
`},
		{"as lines", one + "\n" + two, all,
			strings.Replace(wantA+wantB, "(K-8) at 1", "(K-8) at 2", 1)},
		{"in a wrapper of any name", `{"n":2,"answer":{"more":[1],"rows":[` + one + "," + two +
			"]}}", inside, wantA + wantB},
		{"in a usual wrapper, which needs no name", `{"data":[` + one + "," + two + "]}", all,
			wantA + wantB},
		{"in an array that is named", "[" + one + "," + two + "]",
			places("id=[].case.no text=[].log[].say speaker=[].log[].by.kind time=[].log[].on " +
				"agent=[].owner rating=[].stars"), wantA + wantB},
		{"messages apart", loose, places("id=conv text=words speaker=who"), looseWant},
		{"a whole conversation in a text", `{"no":7,"log":"Agent: one\nCustomer: two"}`,
			places("id=no text=log"), `
columns 7 at 1: Agent=SYSTEM*1 Customer=USER*1
  SYSTEM "one"
  USER "two"
`},
		{"HTML, and parts of a text",
			`{"m":[{"r":"user","t":[{"x":"<p>a</p>"},{"x":"b&amp;c"}]}]}`, places("text=m[].t[]." +
				"x:html speaker=m[].r"), `
columns 1 at 1: user=USER*1
  USER "a\nb&c"
`},
		{"no id: the outer list is that of the dialogues",
			`{"chats":[{"m":[{"r":"user","t":"a"}]},{"m":[{"r":"user","t":"b"}]}]}`,
			places("text=chats[].m[].t speaker=chats[].m[].r"), `
columns 1 at 1: user=USER*1
  USER "a"
columns 2 at 1: user=USER*1
  USER "b"
`},
		{"a known format with a rating of its own",
			`{"ticket":8,"messages":[{"role":"user","content":"a"}],"q":{"csat":"2"}}`,
			places("id=ticket rating=q.csat"), `
openai 8 at 1: user=USER*1 truth [2] [] [] meta [{"ticket" "8"}]
  USER "a"
`},
		{"a wrong name", one, places("id=case.no text=log[].words speaker=log[].by.kind"), `
! f: there is nothing at "log[].words", which --columns names for the text; the keys are ` +
			`"case.no", "log[].by.kind", "log[].say", "log[].on", "stars", "owner"
`},
		{"a wrong name of what a dialogue may lack", one,
			places("id=case.no text=log[].say speaker=log[].by.kind rating=csat"), `
columns 1 (K-7) at 1: customer=USER*1 agent=SYSTEM*1 meta [{"owner" "Ann"}]
  USER "Hi"
  SYSTEM "Hello"
! f: there is nothing at "csat", which --columns names for the rating; the keys are "case.no", ` +
				`"log[].by.kind", "log[].say", "log[].on", "stars", "owner"
`},
		{"a place outside of the list", one,
			places("text=log[].say speaker=log[].by.kind time=stars"), `
! f: --columns "stars" is not in the same list as the others; want places such as ` +
				`messages[].author.name
`},
		{"the day of the dialogue", `{"all":[{"rec":{"no":"K-7","date":"2024-03-01"},"log":[` +
			`{"by":"customer","say":"Hi"},{"by":"agent","say":"Hello"}]}]}`,
			places("id=all[].rec.no text=all[].log[].say speaker=all[].log[].by " +
				"time=all[].rec.date"), `
columns 1 (K-7) at 1: customer=USER*1 agent=SYSTEM*1 meta [{"time" "2024-03-01"}]
  USER "Hi"
  SYSTEM "Hello"
`},
		{"a time in another list", `{"no":"K-7","days":[{"date":"2024-03-01"}],"log":[` +
			`{"by":"customer","say":"Hi"}]}`,
			places("id=no text=log[].say speaker=log[].by time=days[].date"), `
! f: --columns "days[].date" is not in the same list as the others; want places such as ` +
				`messages[].author.name
`},
		{"a place that is none", one, places("text=log[.say"), `
! f: --columns "log[.say" names no place in JSON; want places such as messages[].author.name
`},
		{"a text that is none", `{"m":[{"r":"user","t":{"a":1}}]}`,
			places("text=m[].t speaker=m[].r"), `
! f:1: dialogue 1: message 1 has no text at m[].t; want a string there, or ` +
				`name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as messages[].body
`},
		{"no speaker", `{"m":[{"r":"user","t":"a"},{"r":null,"t":"b"}]}`,
			places("text=m[].t speaker=m[].r"), `
columns 1 at 1: user=USER*1
  USER "a"
`},
		{"day or month", `{"m":[{"r":"user","t":"a","d":"03/04/2024"},{"r":"agent","t":"b",` +
			`"d":"04/03/2024"}]}`, places("text=m[].t speaker=m[].r time=m[].d"), `
! f:1: dialogue 1: nothing shows whether the day or the month comes first in the times, and the ` +
			`order depends on it; say it with --dates us (month first) or --dates eu (day first)
`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			assert.Equal(t, strings.TrimPrefix(c.want, "\n"),
				dump(strings.NewReader(c.in), "f", c.opt))
		})
	}
}

// TestUnknownJSON checks the error for JSON of an unknown format: it names the keys of the JSON and
// what the nearest format requires.
func TestUnknownJSON(t *testing.T) {
	for _, c := range []readCase{
		{"nothing like it", `{"name":"x","list":[{"a":1}]}`, Options{}, `
! f:1: dialogue 1: this JSON is no conversation of a known format; the keys are "name", ` +
			`"list[].a"; name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such ` +
			`as messages[].body
`},
		{"nearly Freshdesk",
			`{"id":1,"conversations":[{"incoming":true,"private":false,"words":"a"}]}`, Options{}, `
! f:1: dialogue 1: this JSON is no conversation of a known format; the keys are "id", ` +
				`"conversations[].incoming", "conversations[].private", ` +
				`"conversations[].words"; it looks like freshdesk, but ` +
				`conversations[].body_text or conversations[].body is missing; or name the ` +
				`places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as messages[].body
`},
		{"a format whose lists are none", `{"id":1,"messages":"none"}`, Options{Format: "gorgias"},
			`
! f:1: dialogue 1: no messages at messages; name the places with ` +
				`--columns, such as text=messages[].body; the keys are "id", "messages"
`},
		{"a format without what every dialogue has",
			`{"id":1,"conversations":[{"incoming":true,"body_text":"a"}]}`, Options{}, `
! f:1: dialogue 1: description_text or description or description_html is missing, which every ` +
				`dialogue of freshdesk has; name the places with --columns, such as ` +
				`text=messages[].body; the keys are "id", "conversations[].incoming", ` +
				`"conversations[].body_text"
`},
		{"hostile keys", `{"\u001b[31m\u0000":1,"deep":` + strings.Repeat(`{"a":`, 900) + "1" +
			strings.Repeat("}", 901), Options{}, `
! f:1: dialogue 1: this JSON is no conversation of a known format; the keys are "\x1b[31m"; ` +
			`name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as ` +
			`messages[].body
`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			assert.Equal(t, strings.TrimPrefix(c.want, "\n"),
				dump(strings.NewReader(c.in), "f", c.opt))
		})
	}
}
