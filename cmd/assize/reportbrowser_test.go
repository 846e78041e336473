package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// hostile is a dialogue whose text would do harm on a page that did not treat it as text.
const hostile = "USER: Hello </script><script>window.harm = 1</script> <img src=x onerror=\"window.harm = 2\"> <!-- <b>bold</b>\n" +
	"SYSTEM: I \u202eevah ti\u202c \x1b[31mhere\x1b[0m, javascript:alert(1) &lt;i&gt; \u2028 ]]> ${7*7} {{7*7}}\n" +
	"USER: No, that is wrong </textarea></title><svg onload=\"window.harm = 3\">\n" +
	"SYSTEM: I am sorry, I did not find it.\n" +
	"USER: שלום, this is useless!\n"

// pageOf scores transcripts and reports on them.
func pageOf(t *testing.T, args ...string) (file string) {
	t.Helper()
	return pageOfRun(t, append([]string{"score"}, args...)...)
}

// pageOfRun reports on the run of a score command.
func pageOfRun(t *testing.T, score ...string) (file string) {
	t.Helper()
	folder := t.TempDir()
	run, file := filepath.Join(folder, "run.jsonl"), filepath.Join(folder, "report.html")
	_, stderr, code := call(t, nil, append(score, "-o", run)...)
	require.Equal(t, console.Fine, code, stderr)
	_, stderr, code = call(t, nil, "report", run, "-o", file)
	require.Equal(t, console.Fine, code, stderr)
	require.Empty(t, stderr)
	return file
}

func TestReportInBrowser(t *testing.T) {
	browser := openBrowser(t)
	words := filepath.Join(t.TempDir(), "<b>hostile.txt")
	require.NoError(t, os.WriteFile(words, []byte(hostile), 0o666))
	file := pageOf(t, rated, words, filepath.Join(transcripts, "spanish.txt"))
	desk := look{width: 1280, height: 900}

	t.Run("it draws, asks for nothing, and complains of nothing", func(t *testing.T) {
		s := openPage(t, browser, file, desk)
		s.do(chromedp.Click(chromedp.CSS("#method > summary")))
		s.until(`document.querySelector("#chart-critic svg") !== null && document.querySelector("#chart-spearman svg") !== null`)
		drawn := ask[map[string]int](s,
			`Object.fromEntries([...document.querySelectorAll(".chart")].map(c => [c.id, c.querySelectorAll("svg rect, svg circle, svg path, svg line").length]))`)
		assert.Len(t, drawn, 7)
		for id, marks := range drawn {
			assert.Greater(t, marks, 4, "%s has marks", id)
		}
		s.keep("light")
		requests, told := s.heard()
		assert.Empty(t, requests)
		assert.Empty(t, told)
	})
	t.Run("a click opens a dialogue, with its evidence marked", func(t *testing.T) {
		s := openPage(t, browser, file, desk)
		first := `document.querySelector(".cases tbody .id a")`
		assert.Equal(t, "false", ask[string](s, first+`.getAttribute("aria-expanded")`))
		s.do(chromedp.Click(chromedp.CSS(".cases tbody .id a")))
		assert.Equal(t, "true", ask[string](s, first+`.getAttribute("aria-expanded")`))
		assert.Greater(t, ask[int](s, `document.querySelectorAll(".opened .turns li").length`), 3)
		assert.Greater(t,
			ask[int](s, `document.querySelectorAll(".opened mark.s20, .opened mark.s40").length`),
			0)
		s.do(chromedp.Click(chromedp.CSS(".opened .cite")))
		assert.Equal(t, 1, ask[int](s, `document.querySelectorAll(".opened mark.lit").length`),
			"a quote leads to its place")
		s.keep("opened")
		s.do(chromedp.Click(chromedp.CSS(".cases tbody .id a")))
		assert.Zero(t, ask[int](s, `document.querySelectorAll(".opened").length`))
	})
	t.Run("a link opens a dialogue that has the name of its file", func(t *testing.T) {
		other := filepath.Join(t.TempDir(), "other.txt")
		require.NoError(t, os.WriteFile(other, []byte("USER: Where is my parcel?\nSYSTEM: Late."), 0o666))
		s := openPage(t, browser, pageOf(t, words, other), desk)
		s.do(chromedp.Navigate("about:blank"),
			chromedp.Navigate(s.address+"#"+url.Values{"d": {"1"}, "file": {other}}.Encode()))
		assert.Equal(t, "other.txt", ask[string](s,
			`document.querySelector(".cases tbody .id a[aria-expanded=true]").innerText`))
	})
	t.Run("what was said is words only", func(t *testing.T) {
		s := openPage(t, browser, file, desk)
		s.do(chromedp.SendKeys(chromedp.CSS(".filter input"), "useless javascript:alert"))
		s.until(`document.querySelectorAll(".case").length === 1`)
		s.do(chromedp.Click(chromedp.CSS(".cases tbody .id a")))
		said := ask[string](s, `document.querySelector(".opened .turns").innerText`)
		assert.Contains(t, said,
			"Hello </script><script>window.harm = 1</script> <img src=x onerror=\"window.harm = 2\"> <!-- <b>bold</b>")
		assert.Contains(t, said,
			`I \u202eevah ti\u202c ␛[31mhere␛[0m, javascript:alert(1) &lt;i&gt; \u2028 ]]> ${7*7} {{7*7}}`)
		assert.Contains(t, ask[string](s, `document.querySelector(".opened .about").innerText`),
			"<b>hostile.txt")
		assert.Zero(t,
			ask[int](s,
				`document.querySelectorAll("#list img, #list script, #list b b, #list svg[onload]").length`))
		assert.Equal(t, "undefined", ask[string](s, `typeof window.harm`))
		s.keep("hostile")
		requests, told := s.heard()
		assert.Empty(t, requests)
		assert.Empty(t, told)
	})
	t.Run("filters and sorts", func(t *testing.T) {
		s := openPage(t, browser, file, desk)
		all := ask[string](s, `document.querySelector(".status").innerText`)
		assert.Contains(t, all, "All 72 dialogues")
		satisfactions := `[...document.querySelectorAll(".case")].map(r => Number(r.querySelector("td.num:not(.rating)").textContent)).filter(n => n)`
		up := ask[[]float64](s, satisfactions)
		assert.IsNonDecreasing(t, up)
		s.do(chromedp.Click(chromedp.CSS(`button[data-sort="satisfaction"]`)))
		assert.IsNonIncreasing(t, ask[[]float64](s, satisfactions))
		assert.Equal(t, "descending",
			ask[string](s, `document.querySelector("th[aria-sort]").getAttribute("aria-sort")`))

		choose := func(label, value string) {
			ask[bool](s,
				`(() => { const s = [...document.querySelectorAll(".filter label")].find(l => l.firstChild.textContent === "`+label+`").querySelector("select"); s.value = "`+value+`"; s.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
		}
		choose("Criterion", "Helpfulness")
		choose("Score", "40")
		assert.Equal(t, []string{"40"},
			ask[[]string](s,
				`[...new Set([...document.querySelectorAll(".case [title=Helpfulness]")].map(c => c.textContent))]`), "Helpfulness at 40")
		s.do(chromedp.Click(chromedp.CSS(".status button")))
		choose("Overall", "unscored")
		assert.Equal(t, 1, ask[int](s, `document.querySelectorAll(".case").length`))
		assert.Regexp(t, `\sunscored\s+the dialogue is mostly in Spanish`,
			ask[string](s, `document.querySelector(".case").innerText`))
	})
	t.Run("tables stand in for charts", func(t *testing.T) {
		s := openPage(t, browser, file, desk)
		hidden := `document.querySelector("#overall .table").getBoundingClientRect().width`
		assert.LessOrEqual(t, ask[float64](s, hidden), 1.0, "for screen readers alone")
		s.do(chromedp.Click(chromedp.CSS("#as-tables")))
		assert.Greater(t, ask[float64](s, hidden), 100.0)
		s.keep("tables")
	})
	t.Run("by keyboard alone", func(t *testing.T) {
		s := openPage(t, browser, file, desk)
		ask[bool](s, `(document.querySelector(".cases tbody .id a").focus(), true)`)
		s.do(chromedp.KeyEvent("\r"))
		s.until(`document.querySelectorAll(".opened").length === 1`)
		s.do(chromedp.KeyEvent("/"))
		s.until(`document.activeElement.type === "search"`)
	})
	t.Run("on a phone, in the dark, on paper", func(t *testing.T) {
		for name, l := range map[string]look{"phone": {width: 360, height: 740},
			"dark": {width: 1280, height: 900, dark: true}, "print": {width: 794, height: 1123,
				print: true}} {
			s := openPage(t, browser, file, l)
			s.do(chromedp.Click(chromedp.CSS(".cases tbody .id a")))
			assert.LessOrEqual(t, ask[int](s, `document.documentElement.scrollWidth`), l.width,
				"%s: nothing stands out at the side", name)
			s.keep(name)
			_, told := s.heard()
			assert.Empty(t, told, name)
		}
	})
	t.Run("the worst are on the first screen, in rows of one line, at every width",
		func(t *testing.T) {
			week := pageOf(t, filepath.Join(transcripts, "../teams/week.csv"), rated)
			for _, l := range []look{{width: 390, height: 844}, {width: 770, height: 900},
				{width: 800, height: 900}, {width: 900, height: 900}, {width: 1000, height: 900},
				{width: 1440, height: 900}} {
				s := openPage(t, browser, week, l)
				assert.Less(t,
					ask[float64](s,
						`document.querySelectorAll(".case")[4].getBoundingClientRect().bottom`),
					float64(l.height), "%d: five are seen", l.width)
				ask[bool](s,
					`([...document.querySelectorAll(".case")].find(r => r.querySelector(".agent").textContent).querySelector("a").click(), true)`)
				assert.LessOrEqual(t, ask[int](s, `document.documentElement.scrollWidth`), l.width,
					"%d: nothing stands out at the side", l.width)
				if l.width > 760 {
					assert.Greater(t,
						ask[float64](s,
							`Math.min(...[...document.querySelectorAll(".cases thead th:not(.scores)")].map(c => c.offsetWidth).filter(w => w))`), 60.0, "%d: columns", l.width)
					assert.Greater(t,
						ask[float64](s, `document.querySelector(".case .why").offsetWidth`), 150.0,
						"%d: the reason", l.width)
					assert.Less(t,
						ask[float64](s,
							`Math.max(...[...document.querySelectorAll(".case")].map(r => r.offsetHeight))`), 40.0, "%d: one line", l.width)
				}
				about := ask[string](s, `document.querySelector(".opened .about").innerText`)
				assert.Regexp(t, `(?s)^Agent (Ines|Marek|Sofia)\s+Queue (chat|mail)\s`, about)
			}
		})
	t.Run("charts lead to the dialogues that they count", func(t *testing.T) {
		s := openPage(t, browser, pageOf(t, filepath.Join(transcripts, "../teams/week.csv")), desk)
		// A replaced address is followed at the click, and not later.
		led := ask[map[string][]string](s, `Object.fromEntries([...document.querySelectorAll(".chart a")].map(a => {
			const to = a.href.baseVal;
			history.replaceState(null, "", to);
			a.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
			return [to, [a.querySelector("title").textContent.match(/\d+/)[0], document.querySelector(".status").textContent.match(/\d+/)[0]]];
		}))`)
		for to, counts := range led {
			assert.Equal(t, counts[0], counts[1], to)
		}
		for _, to := range []string{"#overall=40", "#criterion=Empathy&score=60", "#g0=Marek",
			"#g1=chat"} {
			assert.Contains(t, led, to)
		}
		// a score without a criterion is that of the whole dialogue; at first, none is chosen
		low := 0
		for _, to := range []string{"#overall=40", "#overall=20"} {
			if counts := led[to]; counts != nil {
				n, _ := strconv.Atoi(counts[0])
				low += n
			}
		}
		assert.Empty(t, ask[string](s, `document.querySelector("form [name=score] [selected]")?.value ?? ""`))
		assert.Equal(t, strconv.Itoa(low), ask[string](s, `(() => {
			const form = document.querySelector("#list form");
			form.reset();
			form.score.value = "40-";
			form.dispatchEvent(new Event("change", {bubbles: true}));
			return document.querySelector(".status").textContent.match(/\d+/)[0];
		})()`))
		s.keep("filtered")
		_, told := s.heard()
		assert.Empty(t, told)
	})
	t.Run("an address opens a dialogue", func(t *testing.T) {
		s := openPage(t, browser, pageOf(t, filepath.Join(transcripts, "../teams/week.csv")), desk)
		s.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.address+"#d=1033"))
		s.until(`document.querySelectorAll(".opened").length === 1`)
		assert.Equal(t, "1033", ask[string](s, `document.activeElement.textContent`))
		assert.Equal(t, "#d=1033",
			ask[string](s, `document.querySelector(".opened .about a").hash`))
		ask[bool](s, `(location.hash = "#d=none", true)`)
		s.until(`document.querySelector(".status").textContent.includes("There is no dialogue none")`)
		_, told := s.heard()
		assert.Empty(t, told)
	})
	t.Run("a reader rates by keyboard, finds the ratings again, and fit reads them",
		func(t *testing.T) {
			folder := t.TempDir()
			file := pageOf(t, filepath.Join(transcripts, "../teams/week.csv"))
			s := openPage(t, browser, file, desk)
			ask[bool](s,
				`(localStorage.clear(), document.querySelector(".cases tbody .id a").focus(), true)`)
			s.do(chromedp.KeyEvent("\r"), chromedp.KeyEvent("2"),
				chromedp.SendKeys(chromedp.CSS(".opened textarea"), `=1, "no"`))
			assert.Equal(t, "2",
				ask[string](s, `document.querySelector(".opened .stars [aria-pressed=true]").textContent`))
			s.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.address))
			s.do(chromedp.Click(chromedp.CSS(".cases tbody .id a")))
			assert.Equal(t, "2",
				ask[string](s, `document.querySelector(".opened .stars [aria-pressed=true]").textContent`))
			assert.Contains(t, ask[string](s, `document.querySelector(".status").innerText`),
				"You rated 1 dialogue.")
			s.keep("rated")

			// The downloaded file is read from the place where the browser would read it.
			written := ask[string](s, `(() => {
			let text;
			const Blob = window.Blob;
			window.Blob = class extends Blob { constructor(parts, type) { super(parts, type); text = parts.join(""); } };
			document.querySelector(".mine button").click();
			window.Blob = Blob;
			return text;
		})()`)
			assert.Regexp(t,
				`^"dialogue_id","file","rating","rater","note"\n"\d+","[^"]*week.csv","2","reader","'=1, ""no"""\n$`, written)
			ratings, scored := filepath.Join(folder, "ratings.csv"),
				filepath.Join(folder, "run.jsonl")
			require.NoError(t, os.WriteFile(ratings, []byte(written), 0o666))
			_, stderr, code := call(t, nil, "score",
				filepath.Join(transcripts, "../teams/week.csv"), "-o", scored)
			require.Equal(t, console.Fine, code, stderr)
			_, stderr, _ = call(t, nil, "fit", scored, "--ratings", ratings, "-o",
				filepath.Join(folder, "profile.json"))
			assert.Contains(t, stderr, "not rated, so in no figure about ratings: 51 of 52 dialogues")
			_, told := s.heard()
			assert.Empty(t, told)
		})
	t.Run("where the browser keeps nothing, the page says so", func(t *testing.T) {
		s := openPage(t, browser, file, desk)
		s.do(func(ctx context.Context, tab *chromedp.Target) (none chromedp.Void, err error) {
			_, err = cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument,
				page.AddScriptToEvaluateOnNewDocumentParams{Source: `Storage.prototype.setItem = () => { throw new Error("no") }`})
			return none, err
		}, chromedp.Navigate("about:blank"), chromedp.Navigate(s.address))
		s.do(chromedp.Click(chromedp.CSS(".cases tbody .id a")), chromedp.KeyEvent("4"))
		assert.Contains(t, ask[string](s, `document.querySelector(".status").innerText`),
			"This browser keeps no data of the page")
		assert.Equal(t, "4",
			ask[string](s, `document.querySelector(".opened .stars [aria-pressed=true]").textContent`))
	})
	t.Run("a phone sorts by a menu, for it has no headings", func(t *testing.T) {
		s := openPage(t, browser, file, look{width: 390, height: 844})
		assert.Equal(t, "none",
			ask[string](s, `getComputedStyle(document.querySelector(".cases thead")).display`))
		s.do(chromedp.Click(chromedp.CSS(".filter summary")))
		assert.Greater(t,
			ask[float64](s,
				`document.querySelector("select[name=sort]").getBoundingClientRect().width`), 100.0)
		rated := `(sort, way) => { const f = document.querySelector(".filter").elements; f.sort.value = sort; f.sort.dispatchEvent(new Event("change", {bubbles: true})); f.way.value = way; f.way.dispatchEvent(new Event("change", {bubbles: true})); return [...document.querySelectorAll("td.rating")].map(c => Number(c.textContent)).filter(n => n); }`
		assert.IsNonDecreasing(t, ask[[]float64](s, `(`+rated+`)("rating", "up")`))
		assert.IsNonIncreasing(t, ask[[]float64](s, `(`+rated+`)("rating", "down")`))
	})
	t.Run("of few files there is a menu, of many a search finds one", func(t *testing.T) {
		menu := `(() => { const l = [...document.querySelectorAll(".filter label")].find(l => l.firstChild.textContent === "File"); return l ? [...l.querySelectorAll("option")].map(o => o.textContent) : []; })()`
		folder := t.TempDir()
		for i := range 51 {
			require.NoError(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("day-%02d.txt", i)),
				fmt.Appendf(nil, "%sUSER: Goodbye, %d.\n", hostile, i), 0o666))
		}
		s := openPage(t, browser, pageOf(t, filepath.Join(folder, "day-00.txt"),
			filepath.Join(folder, "day-01.txt")), desk)
		assert.Equal(t, []string{"any", "day-00.txt (1)", "day-01.txt (1)"}, ask[[]string](s, menu))
		s = openPage(t, browser, pageOf(t, folder), desk)
		assert.Empty(t, ask[[]string](s, menu))
		s.do(chromedp.SendKeys(chromedp.CSS(".filter input"), "day-17"))
		s.until(`document.querySelectorAll(".case").length === 1`)
	})
	t.Run("by file there is one menu of them, and the headline and the chart have one mean",
		func(t *testing.T) {
			run := filepath.Join(t.TempDir(), "run.jsonl")
			file := strings.TrimSuffix(run, "jsonl") + "html"
			_, stderr, code := call(t, nil, "score", filepath.Join(transcripts, "complaint.txt"),
				filepath.Join(transcripts, "injection.txt"), "-o", run)
			require.Equal(t, console.Fine, code, stderr)
			_, stderr, code = call(t, nil, "report", run, "--by", "file", "-o", file)
			require.Equal(t, console.Fine, code, stderr)
			s := openPage(t, browser, file, desk)
			assert.Equal(t, 1,
				ask[int](s,
					`[...document.querySelectorAll(".filter label")].filter(l => l.firstChild.textContent.toLowerCase() === "file").length`))
			mean := ask[string](s, `document.querySelector(".card b").textContent`)
			assert.Regexp(t, `^[1-5]\.[0-9]{2}$`, mean)
			assert.Contains(t,
				ask[string](s, `document.querySelector("#chart-satisfaction").textContent`),
				"mean "+mean)
		})
	t.Run("of a model's run, with groups", func(t *testing.T) {
		file := pageOfRun(t,
			bySide(serve(t), append([]string{"--id", "1003", "--id", "1004", "--id", "1005", "--id",
				"1006", "--id", "1007"}, filepath.Join(transcripts, "../teams/week.csv"))...)...)
		s := openPage(t, browser, file, desk)
		for _, chart := range []string{"chart-model", "chart-apart", "chart-groups-0"} {
			assert.Equal(t, 1,
				ask[int](s, `document.querySelectorAll("#`+chart+` > svg").length`), chart)
		}
		assert.IsNonDecreasing(t, func() []float64 {
			s.do(chromedp.Click(chromedp.CSS(`button[data-sort="disagreement"]`)),
				chromedp.Click(chromedp.CSS(`button[data-sort="disagreement"]`)))
			return ask[[]float64](s,
				`[...document.querySelectorAll(".case .apart")].map(c => Number(c.textContent))`)
		}())
		s.keep("model")
		_, told := s.heard()
		assert.Empty(t, told)
	})
	t.Run("a dialogue that no model judged is not told of as one that model and rules agree about",
		func(t *testing.T) {
			folder := t.TempDir()
			byModel, byRules, file := filepath.Join(folder, "model.jsonl"),
				filepath.Join(folder, "rules.jsonl"), filepath.Join(folder, "report.html")
			for run, score := range map[string][]string{byModel: bySide(serve(t),
				filepath.Join(transcripts, "restaurant.txt")),
				byRules: {"score", filepath.Join(transcripts, "complaint.txt")}} {
				_, stderr, code := call(t, nil, append(score, "-o", run)...)
				require.Equal(t, console.Fine, code, stderr)
			}
			_, stderr, code := call(t, nil, "report", byModel, byRules, "-o", file)
			require.Equal(t, console.Fine, code, stderr)
			s := openPage(t, browser, file, desk)
			s.do(chromedp.Click(chromedp.CSS(`button[data-sort="disagreement"]`)))
			apart := ask[[]string](s,
				`[...document.querySelectorAll(".case .apart")].map(c => c.textContent)`)
			require.Len(t, apart, 2)
			assert.NotEmpty(t, apart[0])
			assert.Empty(t, apart[1], "it is last")
		})
	t.Run("where nothing could be scored", func(t *testing.T) {
		s := openPage(t, browser, pageOf(t, filepath.Join(transcripts, "spanish.txt")), desk)
		assert.Equal(t, 1, ask[int](s, `document.querySelectorAll(".case").length`))
		assert.Zero(t, ask[int](s, `document.querySelectorAll(".chart").length`))
		s.do(chromedp.Click(chromedp.CSS(".cases tbody .id a")))
		assert.Contains(t, ask[string](s, `document.querySelector(".opened").innerText`),
			"Unscored: the dialogue is mostly in Spanish")
		_, told := s.heard()
		assert.Empty(t, told)
	})
	t.Run("without a script", func(t *testing.T) {
		s := openPage(t, browser, file, look{width: 1280, height: 900, noScript: true})
		assert.Greater(t,
			ask[float64](s,
				`document.querySelector("#overall .table").getBoundingClientRect().width`), 100.0)
		assert.Equal(t, 72, ask[int](s, `document.querySelectorAll("#static > details").length`))
		assert.Equal(t, "none",
			ask[string](s, `getComputedStyle(document.querySelector("#list")).display`))
		s.keep("noscript")
	})
}

// A column that is empty in all rows of a page of the list is left out of it, unless the rows are
// sorted by it.
func TestEmptyColumns(t *testing.T) {
	said := "id,role,text\n"
	for i := range 25 {
		said += fmt.Sprintf("n%[1]d,user,Where is parcel %[1]d?\nn%[1]d,agent,I do not know.\n"+
			"n%[1]d,user,This is useless.\n", i)
	}
	for _, id := range []string{"best", "again"} {
		said += id + ",user,Where is my lamp?\n" + id + ",agent,It is at your door now.\n" + id +
			",user,\"Great, thank you so much!\"\n"
	}
	chats := filepath.Join(t.TempDir(), "chats.csv")
	require.NoError(t, os.WriteFile(chats, []byte(said), 0o666))
	s := openPage(t, openBrowser(t), pageOf(t, chats), look{width: 1280, height: 900})
	shown := `[...document.querySelectorAll(".cases .copies")].filter((c) => c.checkVisibility()).map((c) => c.textContent)`
	assert.Empty(t, ask[[]string](s, shown), "the dialogue with a duplicate is on the next page")
	s.do(chromedp.Click(chromedp.CSS(".pager button:nth-of-type(2)")))
	assert.Equal(t, []string{"Duplicates", "", "", "", "", "", "1"}, ask[[]string](s, shown))
	s.do(chromedp.Click(chromedp.CSS(`button[data-sort="duplicates"]`)))
	assert.Equal(t, []string{"Duplicates", "1", ""}, ask[[]string](s, shown)[:3])
	s.do(chromedp.Click(chromedp.CSS(".pager button:nth-of-type(2)")))
	assert.Len(t, ask[[]string](s, shown), 7, "it stays, since it can be sorted the other way")
}

// TestReportOpens measures how long a page of 10,000 dialogues takes to open.
func TestReportOpens(t *testing.T) {
	file := os.Getenv("ASSIZE_OPEN_REPORT")
	if file == "" {
		t.Skip("ASSIZE_OPEN_REPORT names no page")
	}
	s := openPage(t, openBrowser(t), file, look{width: 1280, height: 900})
	t.Logf("%.0f ms to the load event, scripts run; %s",
		ask[float64](s, `performance.getEntriesByType("navigation")[0].loadEventEnd`),
		strings.TrimSpace(ask[string](s, `document.querySelector(".status").innerText`)))
	s.keep("large")
}
