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
		{"dialogue-folded", address + "d/" + all[5] + "?state=all", nil},
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
		rules: {"label-content-name-mismatch": {enabled: true}, "target-size": {enabled: true}}}).then((r) => r.violations
		.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.failureSummary.replace(/\s+/g, " ") + " " + n.html.slice(0, 200))))`, chromedp.EvalAwaitPromise))
	require.NoError(s.t, err)
	return found
}

// An id or the name of a file is on one line of every page if a line has room for it: it is not
// broken at its hyphens. One that is longer than a line makes no page wider.
func TestNamesAreNotBroken(t *testing.T) {
	browser := openBrowser(t)
	folder := filepath.Join(t.TempDir(), "calls-2024")
	require.NoError(t, os.Mkdir(folder, 0o777))
	ids := []string{"TICKET-2024-0000123-EU-WEST-9f8e-77", "3f2b8c1e-9d47-4c1a-8e55-0a1b2c3d4e5f",
		"T-2024-1-2-3"}
	long := "LONG-" + strings.Repeat("2024-11-", 20) + "END"
	file := "export-2024-05-team-north-east.csv"
	said := "id,role,text\n"
	for i, id := range append(ids, long) {
		for n := range 1 + i%2 { // of two there is a duplicate
			said += fmt.Sprintf("%[1]s%[2]s,user,Where is parcel %[3]d?\n%[1]s%[2]s,agent,I do not know.\n"+
				"%[1]s%[2]s,user,This is useless.\n", id, strings.Repeat("-again", n), i)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, file), []byte(said), 0o666))
	address, stop := serving(t, folder)
	defer stop()
	all := identities(t, address)
	for i, identity := range all[1:] {
		giveRating(t, address, identity, "ann", 5-i)
		giveRating(t, address, identity, "ben", 1)
	}
	page := folder + ".html"
	_, stderr, code := call(t, nil, "report", folder+".run.jsonl", "-o", page)
	require.Equal(t, console.Fine, code, stderr)
	report := (&url.URL{Scheme: "file", Path: page}).String()
	names, err := json.Marshal(append(ids, file))
	require.NoError(t, err)
	broken := `((names) => { const list = [], all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let n = all.nextNode(); n; n = all.nextNode()) for (const name of names) {
			const at = n.data.indexOf(name), range = document.createRange();
			if (at < 0 || !n.parentElement.checkVisibility() || n.parentElement.closest("script, option")) continue;
			range.setStart(n, at); range.setEnd(n, at + name.length);
			const parts = [...range.getClientRects()], lines = new Set(parts.map((r) => Math.round(r.top))).size;
			const room = n.parentElement.closest("p, li, h1, td, th, main").clientWidth - 30;
			const fits = parts.reduce((all, r) => all + r.width, 0) < room;
			list.push((fits ? lines : 1) + " " + n.parentElement.outerHTML.slice(0, 200));
		} return list; })(` + string(names) + `)`
	tab := openAddress(t, browser, "about:blank", look{width: 1280, height: 900})
	rated := address + "d/" + all[0] + "?saved=" + url.QueryEscape(ids[0]) + "&state=all"
	for name, to := range map[string]string{"queue": address + "?state=all", "dialogue": rated,
		"again": address + "d/" + ids[1] + "-again", "overview": address + "overview",
		"report": report, "opened": report + "#d=" + ids[1]} {
		for _, width := range []int{1280, 390} {
			tab.t = t
			tab.do(chromedp.Navigate("about:blank"), look{width: width, height: 900}.emulate,
				chromedp.Navigate(to))
			tab.until(loaded)
			tab.until(unfold)
			tab.until(fmt.Sprintf("document.documentElement.scrollWidth <= %d", width))
			tab.keep(fmt.Sprintf("names-%s-%d", name, width))
			found := ask[[]string](tab, broken)
			assert.NotEmpty(t, found, name)
			for _, one := range found {
				assert.Regexp(t, "^1 ", one, "%s at %d", name, width)
			}
		}
	}
}
