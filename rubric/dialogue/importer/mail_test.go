package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer/stream"
)

func TestReadMailThreads(t *testing.T) {
	letter := func(id, from, head, text string) string {
		return "From x Mon Apr  2 20:21:52 2012\nDate: Mon, 2 Apr 2012 1" + id +
			":00:00 +0000\nMessage-ID: <" + id +
			"@m>\nReferences: <0@m>\nSubject: Kite\nFrom: " + from + "\nTo: x@m.example\n" + head +
			"\n" + text + "\n"
	}
	const html = "Content-Type: text/html; charset=utf-8\n"
	runReadCases(t, stream.Mail, []readCase{
		{"replies below the quote, and a message that quotes alone",
			letter("0", "Mia <mia@m.example>", "", "a?\n") +
				letter("1", "Support <support@s.example>", "",
					"Hi Mia,\n\nOn Mon, Mia wrote:\n> a?\n\nb\n") +
				letter("2", "Mia <mia@m.example>", "",
					"On Mon, Support wrote:\n> b\n"), Options{}, `
mail 1 at 2: Mia=USER*1 Support=SYSTEM*1
  USER "a?"
  SYSTEM "Hi Mia,\n\nb"
`},
		{"replies below the quote in HTML",
			letter("0", "Mia <mia@m.example>", html, "<p>a?</p>\n") +
				letter("1", "Support <support@s.example>", html,
					"<p>Hi</p><div>On Mon, Mia wrote:<br></div><blockquote><p>a?</p>"+
						"<blockquote>z</blockquote></blockquote><p>b</p>"), Options{}, `
mail 1 at 2: Mia=USER*1 Support=SYSTEM*1
  USER "a?"
  SYSTEM "Hi\n\nb"
`},
		{"a message without a date",
			"Subject: Kite\nFrom: mia@m.example\nTo: shop@s.example\nX-Tag: tag\n\na\n", Options{},
			`
mail 1 at 1: mia@m.example=USER*1
  USER "a"
`},
	})
	var notes []string
	note := func(s string) { notes = append(notes, s) }
	for range Read(
		strings.NewReader(letter("0", "Mia <mia@m.example>", "", "On Mon, b wrote:\n> c\n")), "f",
		Options{Note: note}) {
	}
	assert.Contains(t, strings.Join(notes, "\n"),
		`left out: 1 message with nothing but a quote, in the thread "Kite"`)
}

// TestMailIsQuick reads a megabyte of quotes of every kind.
func TestMailIsQuick(t *testing.T) {
	const size = 1 << 20
	const head = "From: Mia <mia@m.example>\nDate: Mon, 2 Apr 2012 10:00:00 +0000\n\n"
	for _, s := range []string{"> a\nb\n", "On a wrote:\n> a\nb\n", "On a\n", "> \n\n",
		"-- \n> a\n", "regards,\na\n> b\n", "Le \n", "From: a\n"} {
		for range Read(strings.NewReader(head+strings.Repeat(s, size/len(s))), "f", Options{}) {
		}
	}
}
