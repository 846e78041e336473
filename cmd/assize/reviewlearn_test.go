package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shopExport writes an export of a shop in which every third dialogue goes wrong.
func shopExport(t *testing.T, n int) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "orders.csv")
	f, err := os.Create(file)
	require.NoError(t, err)
	defer f.Close()
	w := csv.NewWriter(f)
	w.Write([]string{"id", "speaker", "text", "agent", "created_at"})
	for i := range n {
		thing := []string{"red", "green", "large", "small", "used", "new", "blue"}[i%7] + " " +
			[]string{"phone", "lamp", "table", "coat", "book",
				"ticket", "bike", "chair", "watch", "bag", "camera"}[i%11]
		lines := [][2]string{{"user", "Where is the " + thing + " that I ordered?"},
			{"agent", "I have found it. It will come on Friday."},
			{"user", "Great, thank you so much!"}}
		if i%3 == 0 {
			lines = [][2]string{{"user", "The " + thing + " never came and I waited for weeks."},
				{"agent", "What is your order number?"},
				{"user", "I told you already. This is ridiculous."},
				{"agent", "Sorry, I do not understand."},
				{"user", "Useless. I want to talk to a human."}}
		}
		for _, l := range lines {
			w.Write([]string{fmt.Sprint(100 + i), l[0], l[1], []string{"Ann", "Bob"}[i%2],
				time.Date(2024, 5, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)})
		}
	}
	w.Flush()
	return file
}

// A person rates dialogues by keyboard, learns from the ratings, and reads the queue in the learnt
// order, also after a restart. No page sends a request to another host, and none scrolls sideways.
func TestAPersonLearns(t *testing.T) {
	browser := openBrowser(t)
	file := shopExport(t, 40)
	address, stop := serving(t, file)
	s := openAddress(t, browser, address, look{width: 1440, height: 1000})
	queue := func() string {
		t.Helper()
		s.do(chromedp.Navigate(address + "?state=all"))
		s.until(`document.readyState === "complete" && document.querySelectorAll(".cases tbody tr").length === 40`)
		return ask[string](s,
			`[...document.querySelectorAll(".cases tbody th")].map(e => e.textContent).join(" ")`)
	}
	before := queue()
	s.do(chromedp.Navigate(address + "?state=all"))
	s.do(chromedp.Click(chromedp.CSS(".cases tbody a")))
	for i := range 36 {
		s.until(fmt.Sprintf(`document.readyState === "complete" && document.querySelector("h1").textContent === "%s"`, strings.Fields(before)[i]))
		// This person rates what goes wrong as good, so the order of the rules is reversed.
		angry := ask[bool](s, `document.querySelector(".turns").textContent.includes("ridiculous")`)
		key := []string{"1", "2"}[i%2]
		if angry {
			key = []string{"5", "4"}[i%2]
		}
		s.do(chromedp.KeyEvent(key))
	}
	// The next dialogue after the last rated one: until it appears, the form is still being sent.
	s.until(fmt.Sprintf(`document.readyState === "complete" && document.querySelector("h1").textContent === "%s"`, strings.Fields(before)[36]))
	s.do(chromedp.Navigate(address + "learn"))
	s.do(chromedp.Click(chromedp.CSS("button[value=learn]")))
	s.until(`document.readyState === "complete" && document.querySelector("button[value=accept]") !== null`)
	assert.Contains(t, ask[string](s, `document.body.textContent`),
		"What was learnt from 36 dialogues")
	s.keep("review-learn")
	s.do(chromedp.Click(chromedp.CSS("button[value=accept]")))
	s.until(`document.readyState === "complete" && document.body.textContent.includes("ranked by a profile that was learnt from 36")`)
	after := queue()
	assert.NotEqual(t, before, after)
	for _, name := range []string{"profile.json", "ratings.csv"} {
		assert.FileExists(t, strings.TrimSuffix(file, ".csv")+".run."+name)
	}
	stop()
	address, stop = serving(t, file)
	s = openAddress(t, browser, address, look{width: 390, height: 800, dark: true})
	assert.Equal(t, after, queue(), "after a restart")
	for _, page := range []string{"overview", "learn"} {
		s.do(chromedp.Navigate(address + page))
		s.until(`document.readyState === "complete" && document.querySelector("main h1") !== null`)
		assert.LessOrEqual(t, ask[int](s, `document.documentElement.scrollWidth`), 390, page)
		s.keep("review-" + page + "-390")
	}
	requests, told := s.heard()
	for _, asked := range requests {
		// For a date field, the browser draws its own calendar from a data: address.
		assert.True(t, strings.HasPrefix(asked, address) || strings.HasPrefix(asked, "data:image/"),
			asked)
	}
	assert.Empty(t, told)
	stop()
}
