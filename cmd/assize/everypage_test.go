package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// helpDesk creates a folder of exports with everything that pages show: agents, queues, days,
// times, ratings, long words, and two dialogues with the same name.
func helpDesk(t *testing.T) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "helpdesk")
	require.NoError(t, os.Mkdir(folder, 0o777))
	var b strings.Builder
	w := csv.NewWriter(&b)
	heading := []string{"id", "role", "text", "agent", "queue", "created_at", "time", "rating"}
	w.Write(heading)
	for i := range 64 {
		if i == 63 { // the same name as the first
			w.Flush()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "may.csv"), []byte(b.String()),
				0o666))
			b.Reset()
			w.Write(heading)
		}
		agent, queue := []string{"Ann Lee", "Marek Nowak",
			"Wolfeschlegelsteinhausenbergerdorff"}[i%3], []string{"Refunds and returns",
			"Chat"}[i%2]
		thing := []string{"phone", "lamp", "table", "coat", "book"}[i%5] + " " + fmt.Sprint(7000+i)
		said := []string{"Where is the " + thing + " that I ordered?",
			"I have found it. It will come on Friday.", "Great, thank you so much!"}
		if i%3 == 0 {
			said = []string{"The " + thing + " never came and I waited for weeks.",
				"What is your order number?", "I told you already. This is ridiculous.",
				"See https://desk.example/" + strings.Repeat("very-long-", 20),
				"Useless. I want to talk to a human."}
		}
		day := fmt.Sprintf("2024-0%d-%02d", 5+i/28, 1+i%28)
		for n, text := range said {
			w.Write([]string{fmt.Sprint(48000 + i%63), []string{"customer", "agent"}[n%2], text,
				agent, queue, day, fmt.Sprintf("%s 10:%02d:05", day, n),
				fmt.Sprint(1 + i*7%5)})
		}
	}
	w.Flush()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "more.csv"), []byte(b.String()), 0o666))
	return folder
}

// giveRating rates a dialogue as the form does.
func giveRating(t *testing.T, address, identity, reviewer string, rating int) {
	t.Helper()
	answer, err := http.PostForm(address+"rate?as="+reviewer, url.Values{"dialogue": {identity},
		"satisfaction": {fmt.Sprint(rating)}, "do": {"save"},
		"note": {map[bool]string{true: "promised a call"}[rating == 2]}})
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)
}

// identities returns those of all dialogues, the worst first.
func identities(t *testing.T, address string) (list []string) {
	t.Helper()
	answer, err := http.Get(address + "v1/dialogues?state=all&limit=200")
	require.NoError(t, err)
	defer answer.Body.Close()
	var page struct{ Dialogues []struct{ Identity string } }
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&page))
	for _, d := range page.Dialogues {
		list = append(list, d.Identity)
	}
	return list
}

// scene is a page in a particular state.
type scene struct {
	name, address string
	prepare       []string // expressions that must each become true
}

const (
	unfold = `(document.querySelectorAll("details").forEach(d => d.open = true), true)`
	loaded = `document.readyState === "complete"`
)

// Every page, with everything unfolded, fits a phone, a tablet and a screen, in light and dark
// mode. It sends no request to another host and logs no error, and axe-core finds nothing.
func TestEveryPage(t *testing.T) {
	browser := openBrowser(t)
	folder := helpDesk(t)
	address, stop := serving(t, folder, "--blind", "double: 20%",
		"link: https://desk.example/tickets/{id}")
	defer stop()
	all := identities(t, address)
	require.Len(t, all, 64)
	for i, identity := range all[4:] {
		giveRating(t, address, identity, "ann", 1+i/12)
		if i%3 == 0 {
			giveRating(t, address, identity, "bob", 1+(i/12+i%2)%5)
		}
	}
	tokens := filepath.Join(t.TempDir(), "tokens")
	require.NoError(t, os.WriteFile(tokens, []byte("ann "+strings.Repeat("0123456789", 3)), 0o600))
	locked, stopLocked := serving(t, folder+".run.jsonl", "--tokens", tokens)
	defer stopLocked()
	page := folder + ".html"
	_, stderr, code := call(t, nil, "report", folder+".run.jsonl", "-o", page)
	require.Equal(t, console.Fine, code, stderr)
	report := (&url.URL{Scheme: "file", Path: page}).String()
	rated := ratedReport(t, folder+".run.jsonl")
	click := func(selector string) string { return `(document.querySelector("` + selector + `").click(), true)` }
	scenes := []scene{
		{"queue", address + "?state=all", nil},
		{"queue-nothing", address + "?q=zebra", nil},
		{"dialogue-blind", address + "d/" + all[0], []string{unfold}},
		{"dialogue", address + "d/" + all[5] + "?state=all", []string{unfold}},
		{"several", address + "d/48000", nil},
		{"error", address + "nothing", nil},
		{"overview", address + "overview", []string{unfold}},
		{"learn", address + "learn", nil},
		{"learnt", address + "learn",
			[]string{click("button[value=learn]"),
				loaded + ` && document.querySelector("button[value=accept]") !== null`}},
		{"sign-in", locked, nil},
		{"report", report, nil},
		{"report-opened", report,
			[]string{click(".cases tbody .id a"), click(".opened .stars button"), unfold,
				`document.querySelector("#chart-critic svg") !== null`}},
		{"report-rated", rated, []string{unfold}},
		{"report-tables", report, []string{unfold, click("#as-tables")}},
	}
	t.Run("without script", func(t *testing.T) {
		s := openAddress(t, browser, address+"d/"+all[1]+"?state=all", look{width: 390, height: 844,
			noScript: true})
		s.do(chromedp.Click(chromedp.CSS(".stars button[value='4']")))
		s.until(loaded + ` && document.querySelector(".saved").textContent.includes("Saved")`)
	})
	tab := openAddress(t, browser, "about:blank", look{width: 1440, height: 1000})
	axe := axeCore(t)
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			s := tab
			s.t = t
			_, before := s.heard()
			s.do(chromedp.Navigate(sc.address))
			s.until(loaded)
			for _, p := range sc.prepare {
				s.until(p)
			}
			assert.Empty(t, ask[[]string](s,
				`document.documentElement.textContent.match(/\b(SYSTEM|USER)\b.{0,40}/g) ?? []`),
				"people know agents and customers")
			for _, l := range []look{{width: 390, height: 844},
				{width: 390, height: 844, dark: true}, {width: 800, height: 1000},
				{width: 800, height: 1000, dark: true}, {width: 1440, height: 1000},
				{width: 1440, height: 1000, dark: true}} {
				s.do(l.emulate)
				s.until(fmt.Sprintf("innerWidth === %[1]d && document.documentElement.scrollWidth <= %[1]d", l.width))
				s.keep(fmt.Sprintf("%s-%d-%s",
					sc.name, l.width, map[bool]string{true: "dark", false: "light"}[l.dark]))
				if axe != "" && l.width != 800 {
					assert.Empty(t, s.findings(axe), "at %d, dark: %t", l.width, l.dark)
				}
			}
			_, after := s.heard()
			if sc.name != "error" { // the browser logs it
				assert.Empty(t, after[len(before):])
			}
		})
	}
	tab.t = t
	requests, _ := tab.heard()
	assert.Contains(t, requests, address+"assets/page.css")
	for _, to := range requests {
		// For a date field, the browser draws its own calendar from a data: address.
		ours := strings.HasPrefix(to, address) || strings.HasPrefix(to, locked) ||
			slices.Contains([]string{report, rated}, to)
		assert.True(t, ours || strings.HasPrefix(to, "data:"), to)
	}
	t.Run("axe-core", func(t *testing.T) {
		if axe == "" {
			t.Skip("SKIPPED: nobody looks for what people with a screen reader or poor sight cannot use; want axe.min.js in ASSIZE_TEST_AXE; .ci/run fetches it")
		}
	})
}

// ratedReport returns the address of a report of a run, in which people rated all.
func ratedReport(t *testing.T, run string) string {
	t.Helper()
	sheet, page := filepath.Join(t.TempDir(), "sheet.csv"), filepath.Join(t.TempDir(), "page.html")
	_, stderr, code := call(t, nil, "triage", run, "--sample", "64", "-o", sheet)
	require.Equal(t, console.Fine, code, stderr)
	text, err := os.ReadFile(sheet)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))).ReadAll()
	require.NoError(t, err)
	rating := slices.Index(rows[0], "rating")
	require.GreaterOrEqual(t, rating, 0, rows[0])
	for i, row := range rows[1:] {
		row[rating] = strconv.Itoa(1 + i%5)
	}
	var filled bytes.Buffer
	require.NoError(t, csv.NewWriter(&filled).WriteAll(rows))
	require.NoError(t, os.WriteFile(sheet, filled.Bytes(), 0o666))
	_, stderr, code = call(t, nil, "report", run, "--ratings", sheet, "-o", page)
	require.Equal(t, console.Fine, code, stderr)
	text, err = os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), `id="sample"`)
	return (&url.URL{Scheme: "file", Path: page}).String()
}

// axeCore returns the accessibility checker named by ASSIZE_TEST_AXE, or "".
func axeCore(t *testing.T) string {
	t.Helper()
	path := os.Getenv("ASSIZE_TEST_AXE")
	if path == "" {
		return ""
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// findings returns the problems that axe-core finds on a page, one per line.
func (s *sight) findings(axe string) []string {
	s.t.Helper()
	if ask[bool](s, `typeof axe === "undefined"`) {
		ask[bool](s, axe+"\n;true")
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`axe.run(document, {resultTypes: ["violations"],
		rules: {"label-content-name-mismatch": {enabled: true}}}).then((r) => r.violations
		.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.failureSummary.replace(/\s+/g, " ") + " " + n.html.slice(0, 200))))`, chromedp.EvalAwaitPromise))
	require.NoError(s.t, err)
	return found
}
