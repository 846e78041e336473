package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// deskFolder creates a folder with some of the desk dialogues.
func deskFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "desk")
	require.NoError(t, os.Mkdir(folder, 0o777))
	files, err := filepath.Glob("../../testdata/desk/[012]*.txt")
	require.NoError(t, err)
	require.Greater(t, len(files), 20)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, filepath.Base(file)), data, 0o666))
	}
	return folder
}

// serving runs assize review until stop is called, and returns its address.
func serving(t *testing.T, args ...string) (address string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	args = append([]string{"review", "--listen", "127.0.0.1:0", "as: ann"}, args...)
	args = configured(t, args)
	go func() {
		ended <- execute(ctx, args, nil, in, &errs)
		in.Close()
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		<-ended
		require.NoError(t, err, errs.String())
	}
	stop = func() {
		cancel()
		assert.Equal(t, console.Fine, <-ended, errs.String())
	}
	return strings.TrimSpace(address), stop
}

// A person rates twelve dialogues by keyboard and blind, undoes one rating, and stops the server.
// Then all ratings are stored.
func TestAPersonReviews(t *testing.T) {
	browser := openBrowser(t)
	folder := deskFolder(t)
	address, stop := serving(t, folder, "--blind")
	s := openAddress(t, browser, address, look{width: 1440, height: 1000})
	s.until(`document.querySelectorAll(".cases tbody tr").length > 20`)
	assert.Zero(t, ask[int](s, `document.querySelectorAll(".cases .scores, .cases .v20, .cases .v80").length`), "blind")
	s.keep("review-queue-blind")
	visible := `(() => { const r = document.querySelector("#keys p").getBoundingClientRect();
		return r.height > 0 && r.top >= 0 && r.bottom <= innerHeight; })()`
	assert.False(t, ask[bool](s, visible))
	s.do(chromedp.KeyEvent("?"))
	assert.True(t, ask[bool](s, visible), "the keys are seen where ? is pressed")
	s.do(chromedp.Click(chromedp.CSS("#keys input")), chromedp.KeyEvent("\x1b"),
		chromedp.KeyEvent("?"), chromedp.KeyEvent("j"))
	assert.False(t, ask[bool](s, visible), "Escape closes them, and no key opens them again")
	assert.False(t, ask[bool](s, `document.activeElement.matches(".cases a")`), "keys are off")
	ask[bool](s, `(document.querySelector("#keys").open = true)`)
	s.do(chromedp.Click(chromedp.CSS("#keys input")), chromedp.KeyEvent("\x1b"))
	at := `[...document.querySelectorAll(".cases .id a")].indexOf(document.activeElement)`
	for _, press := range []struct {
		key  string
		want int
	}{{"j", 0}, {"j", 1}, {"j", 2}, {"k", 1}, {"k", 0}} {
		s.do(chromedp.KeyEvent(press.key))
		assert.Equal(t, press.want, ask[int](s, at), press.key)
	}
	ask[string](s, `document.activeElement.blur() ?? ""`)
	first := ask[string](s, `document.querySelector(".cases .id a").pathname.slice(3)`)
	s.do(chromedp.KeyEvent("\r"))
	s.until(`document.readyState === "complete" && document.querySelector(".turns li") !== null`)
	assert.Equal(t, first, ask[string](s, `document.querySelector("[name=dialogue]").value`),
		"Enter opens the first")
	s.keep("review-dialogue-blind")
	var names []string
	rate := func(key string) {
		t.Helper()
		assert.Equal(t, 0,
			ask[int](s, `document.querySelectorAll(".level, .says, mark, .friction").length`), "blind")
		was := ask[string](s, `document.querySelector("[name=dialogue]").value`)
		names = append(names, was)
		s.do(chromedp.KeyEvent(key))
		s.until(fmt.Sprintf(`document.readyState === "complete" && document.querySelector("[name=dialogue]")?.value !== %q`, was))
		require.Contains(t, ask[string](s, `document.querySelector("[role=status]").textContent`),
			"Saved")
		require.Contains(t, ask[string](s, `document.title`), "Saved. ",
			"which screen readers read when a page has come")
	}
	for i := range 12 {
		rate(fmt.Sprint(i%5 + 1))
	}
	s.do(chromedp.KeyEvent("u"))
	withdrawn := fmt.Sprintf(`document.readyState === "complete" && document.querySelector("[name=dialogue]")?.value === %q && document.querySelector("[role=status]").textContent.includes(%%q)`, names[11])
	s.until(fmt.Sprintf(withdrawn, "Withdrawn: your review of "))
	s.do(chromedp.KeyEvent("u"))
	s.until(fmt.Sprintf(withdrawn, "Saved: "))
	s.do(chromedp.KeyEvent("u"))
	s.until(fmt.Sprintf(withdrawn, "Withdrawn: your review of "))
	rate("5")
	s.do(chromedp.KeyEvent("k")) // no unrated dialogue precedes this one
	s.do(chromedp.KeyEvent("n"))
	ask[string](s, `document.activeElement.value = ""`) // a synthetic key is typed too
	s.do(chromedp.KeyEvent("1 is no rating in a note"))
	assert.Equal(t, "1 is no rating in a note",
		ask[string](s, `document.querySelector("textarea").value`))
	s.do(chromedp.KeyEvent("\x1b"), chromedp.KeyEvent("f"))
	s.until(`document.querySelector("[data-key=f]")?.getAttribute("aria-pressed") === "true"`)
	assert.Equal(t, "1 is no rating in a note",
		ask[string](s, `document.querySelector("textarea")?.value`), "it is kept")
	requests, told := s.heard()
	for _, to := range requests {
		assert.True(t, strings.HasPrefix(to, address) || strings.HasPrefix(to, "data:"), to)
	}
	assert.Empty(t, told)
	stop()

	table, err := os.ReadFile(folder + ".run.ratings.csv")
	require.NoError(t, err)
	assert.Equal(t, 1+12+1, strings.Count(string(table), "\n"),
		"a heading, twelve ratings and a note:\n%s", table)
	stdout, stderr, code := call(t, nil, "agree", folder+".run.jsonl", "--ratings",
		folder+".run.ratings.csv", "draws: 0")
	assert.Equal(t, console.Fine, code, stderr)
	assert.NotContains(t, stdout, "not read")
	assert.Contains(t, stdout, "12 rated dialogues")

	address, stop = serving(t, folder)
	defer stop()
	s = openAddress(t, browser, address+"?state=done", look{width: 1440, height: 1000})
	s.until(`document.querySelectorAll(".cases tbody tr").length === 12`)
	s = openAddress(t, browser, address+"d/"+names[11], look{width: 1440, height: 1000})
	assert.Equal(t, "5",
		ask[string](s, `document.querySelector("[aria-pressed=true]").textContent`))
}

// From a fresh export, a person draws a random sample, rates 60 dialogues, and reads the corrected
// share, with the keyboard alone. Then assize agree corrects by the same sample.
func TestAPersonSamples(t *testing.T) {
	browser := openBrowser(t)
	folder := helpDesk(t)
	address, stop := serving(t, folder)
	s := openAddress(t, browser, address, look{width: 1440, height: 1000})
	// reach presses Tab until an expression is true of the focused element.
	reach := func(is string) {
		t.Helper()
		for range 200 {
			if ask[bool](s, `(e => `+is+`)(document.activeElement)`) {
				return
			}
			s.do(chromedp.KeyEvent("\t"))
		}
		require.Fail(t, "no Tab leads there", is)
	}
	came := func(is string) { t.Helper(); s.until(`document.readyState === "complete" && ` + is) }
	came(`document.querySelector("[name=order]") !== null`)
	reach(`e.name === "order"`)
	s.do(chromedp.KeyEvent("Random"))
	reach(`e.textContent === "Filter"`)
	s.do(chromedp.KeyEvent("\r"))
	came(`location.search.includes("order=shuffled")`)
	reach(`e.closest(".cases .id") !== null`)
	s.do(chromedp.KeyEvent("\r"))
	came(`document.querySelector("[name=dialogue]") !== null`)
	for i := range 60 {
		was := ask[string](s, `document.querySelector("[name=dialogue]").value`)
		s.do(chromedp.KeyEvent(fmt.Sprint(1 + i%5)))
		came(fmt.Sprintf(`document.querySelector("[name=dialogue]")?.value !== %q`, was))
	}
	reach(`e.textContent === "Overview"`)
	s.do(chromedp.KeyEvent("\r"))
	came(`document.title.includes("Overview")`)
	s.keep("review-sample")
	text := ask[string](s, `document.querySelector("main").innerText`)
	assert.Contains(t, text, "Of 64 scored dialogues, 60 are rated in random order.")
	share := regexp.MustCompile(`Below 60: .* by the scores; about \d\d\.\d % \(.*\) if your team ` +
		`rated all 64, estimated from 60 that were drawn at random\.`).FindString(text)
	assert.NotEmpty(t, share, text)
	stop()
	said, stderr, code := call(t, nil, "agree", folder+".run.jsonl", "--ratings",
		folder+".run.ratings.csv")
	require.Equal(t, console.Fine, code, stderr)
	assert.Contains(t, strings.Join(strings.Fields(said), " "), share)
}

// Two people rate the same dialogues at the same time, each in their own browser: nothing is lost,
// each sees their own ratings, and undoing affects only one's own.
func TestTwoReviewersAtOnce(t *testing.T) {
	browser := openBrowser(t)
	address, stop := serving(t, shopExport(t, 24))
	defer stop()
	all, people := identities(t, address), []string{"carla", "dmitri"}
	// they differ on the last four
	stars := func(person, i int) int { return 1 + (i+i/20*person)%5 }
	var tabs []*sight
	for _, name := range people {
		s := openAddress(t, browser, address, look{width: 1000, height: 800},
			chromedp.WithNewBrowserContext())
		ask[bool](s, `(document.querySelector("[name=name]").value = "", true)`)
		s.do(chromedp.SendKeys(chromedp.CSS("[name=name]"), name+"\r"))
		s.until(loaded +
			fmt.Sprintf(` && document.querySelector("[name=name]")?.defaultValue === %q`, name))
		s.do(chromedp.Navigate(address + "d/" + all[0] + "?state=all"))
		tabs = append(tabs, s)
	}
	at := func(i int) string {
		return loaded + fmt.Sprintf(` && document.querySelector("[name=dialogue]")?.value === %q`,
			all[i])
	}
	pressed := `document.querySelector(".stars [aria-pressed=true]")?.textContent ?? ""`
	for i := range all {
		for person, s := range tabs { // both have the page open before one of them rates
			s.until(at(i))
			assert.Empty(t, ask[string](s, pressed), people[person])
		}
		for person, s := range tabs {
			s.do(chromedp.KeyEvent(fmt.Sprint(stars(person, i))))
		}
	}
	for _, s := range tabs {
		// it was the last one
		s.until(loaded + ` && document.querySelector(".cases") !== null`)
	}
	tabs[1].do(chromedp.KeyEvent("u"))
	tabs[1].until(at(23))
	assert.Empty(t, ask[string](tabs[1], pressed), "it is taken back")
	tabs[0].do(chromedp.Navigate(address + "d/" + all[23]))
	tabs[0].until(at(23))
	assert.Equal(t, fmt.Sprint(stars(0, 23)), ask[string](tabs[0], pressed))
	assert.Zero(t, ask[int](tabs[0], `document.querySelectorAll(".others").length`))
	for person, s := range tabs {
		s.do(chromedp.Navigate(address + "d/" + all[22]))
		s.until(at(22))
		assert.Equal(t, fmt.Sprint(stars(person, 22)), ask[string](s, pressed))
		assert.Equal(t, fmt.Sprintf("%s %d", people[1-person], stars(1-person, 22)),
			ask[string](s, `document.querySelector(".others li").textContent`))
		s.do(chromedp.Navigate(address + "overview"))
		s.until(loaded + ` && document.querySelector(".plain + .remarks") !== null`)
		assert.Equal(t, "carla 24 dmitri 23",
			ask[string](s,
				`[...document.querySelectorAll("[aria-label=Progress] tbody tr")].map(r => r.cells[0].textContent + " " + r.cells[1].textContent).join(" ")`))
		assert.Contains(t, ask[string](s, `document.querySelector(".plain + .remarks").textContent`),
			"23 dialogues with two ratings or more")
		assert.Contains(t, ask[string](s, `document.querySelector(".plain + .remarks").textContent`),
			"carla and dmitri rank dialogues")
	}
	answer, err := http.Get(address + "ratings.csv?as=carla")
	require.NoError(t, err)
	defer answer.Body.Close()
	table, err := csv.NewReader(answer.Body).ReadAll()
	require.NoError(t, err)
	assert.Len(t, table, 1+24+23)
	for _, row := range table[1:] {
		i, person := slices.Index(all, row[len(row)-1]), slices.Index(people, row[3])
		assert.Equal(t, fmt.Sprint(stars(person, i)), row[2])
	}
}

// A deleted dialogue stays deleted when the same command is started again, also if the run is
// created anew, and also if another dialogue has the same text.
func TestDeletedStaysAway(t *testing.T) {
	file := filepath.Join(t.TempDir(), "desk.jsonl")
	var export strings.Builder
	for _, said := range [][2]string{{"a", "Where is my refund?"}, {"b", "Where is it?"},
		{"c", "Where is my refund?"}, {"d", "Bye."}} {
		fmt.Fprintf(&export,
			`{"id":"%s","messages":[{"role":"user","content":"%s"},{"role":"assistant","content":"Here."}]}`+"\n", said[0], said[1])
	}
	require.NoError(t, os.WriteFile(file, []byte(export.String()), 0o666))
	address, stop := serving(t, file)
	answer, err := http.PostForm(address+"delete", url.Values{"dialogue": {"a"}})
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)
	stop()
	runFile := strings.TrimSuffix(file, ".jsonl") + ".run.jsonl"
	_, stop = serving(t, file)
	stop()
	text, err := os.ReadFile(runFile)
	require.NoError(t, err)
	assert.Equal(t, 1+3+1, bytes.Count(text, []byte("\n")),
		"a header, three dialogues and a closing line")
	require.NoError(t, os.Remove(runFile))
	_, stop = serving(t, file)
	stop()
	anew, err := os.ReadFile(runFile)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(anew))
}

// The same transcripts under another path, such as from another folder, resume their run and
// reviews.
func TestAnotherPathResumes(t *testing.T) {
	folder := deskFolder(t)
	first := ""
	for i, path := range []string{folder, folder + "/", filepath.Dir(folder) + "/./desk", "desk",
		"../" + filepath.Base(filepath.Dir(folder)) + "/desk"} {
		t.Chdir(filepath.Dir(folder))
		address, stop := serving(t, path)
		answer, err := http.Get(address + "v1/dialogues?state=done")
		require.NoError(t, err)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		answer.Body.Close()
		if i > 0 {
			assert.Contains(t, string(body), first, path)
			stop()
			continue
		}
		answer, err = http.Get(address)
		require.NoError(t, err)
		body, err = io.ReadAll(answer.Body)
		require.NoError(t, err)
		answer.Body.Close()
		first = regexp.MustCompile(`/d/([0-9a-f]{32})`).FindStringSubmatch(string(body))[1]
		answer, err = http.PostForm(address+"rate", url.Values{"dialogue": {first},
			"satisfaction": {"2"}})
		require.NoError(t, err)
		answer.Body.Close()
		stop()
	}
}

// Flags for transcripts apply to those from which the run is made, and again when it is resumed.
func TestReviewWithFlagsForTranscripts(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("october.csv", []byte("Ref,Party,Said,When,Colleague\n"+
		"PD-1,Desk,Hello.,03/12/2024,Ann\nPD-1,Rider,My bike is locked.,03/12/2024,Ann\n"), 0o666))
	flags := []string{"october.csv", "--system-name", "Desk", "--role-map", "Rider=user",
		"--columns", "id=Ref,speaker=Party,text=Said,time=When,agent=Colleague", "--dates", "eu",
		"--kind", "request", "--input-format", "table"}
	for range 2 {
		address, stop := serving(t, flags...)
		answer, err := http.Get(address + "overview")
		require.NoError(t, err)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Contains(t, string(body), "Ann")
		stop()
	}
}

// A folder that is named as "." or ".." gives its own name to the files and to the pages.
func TestFilesAreNamedAfterTheFolder(t *testing.T) {
	folder := deskFolder(t)
	inner := filepath.Join(folder, "inner")
	require.NoError(t, os.Mkdir(inner, 0o777))
	for _, test := range []struct{ from, path string }{{folder, "."}, {folder, "./"}, {inner, ".."},
		{folder, "../desk/."}, {folder, "inner/.."}} {
		t.Chdir(test.from)
		address, stop := serving(t, test.path)
		answer, err := http.Get(address)
		require.NoError(t, err)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Contains(t, string(body), "<title>Queue – desk</title>", test.path)
		stop()
		hidden, err := filepath.Glob(filepath.Join(filepath.Dir(folder), "*", ".*"))
		require.NoError(t, err)
		assert.Empty(t, hidden)
		in := filepath.Dir(folder)
		if test.path != "../desk/." {
			in = folder
		}
		for _, name := range []string{"desk.run.jsonl", "desk.run.review.sqlite",
			"desk.run.ratings.csv"} {
			assert.FileExists(t, filepath.Join(in, name), test.path)
			os.Remove(filepath.Join(in, name))
		}
	}
}

// The run that is written with --redact is masked too.
func TestReviewRedacts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chats of jo@example.org.txt")
	require.NoError(t,
		os.WriteFile(file, []byte("Customer: Write to jo@example.org\nAgent: Done.\n"), 0o666))
	address, stop := serving(t, file, "--redact")
	answer, err := http.Get(address)
	require.NoError(t, err)
	page, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	stop()
	assert.Contains(t, string(page), "chats of [email]")
	assert.NotContains(t, string(page), "jo@example.org")
	run, err := os.ReadFile(strings.TrimSuffix(file, ".txt") + ".run.jsonl")
	require.NoError(t, err)
	assert.Contains(t, string(run), `"redacted":true`)
	assert.Contains(t, string(run), "Write to [email]")
}

// Next to a run in the clear, --redact leaves nothing in the clear either: no store, no ratings
// and no answer of the API, whether or not the store was in the clear before.
func TestReviewRedactsBesideARawRun(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "chats.csv")
	require.NoError(t, os.WriteFile(file, []byte("id,role,text,agent\n"+
		"jo@example.org,user,Where is my refund? I am jo@example.org,ann@example.org\n"+
		"jo@example.org,agent,That is not my problem.,ann@example.org\n"+
		"bo@example.org,user,Where is my refund? I am jo@example.org,ann@example.org\n"+
		"bo@example.org,agent,That is not my problem.,ann@example.org\n"), 0o666))
	run := runFile(t, "jo@example.org.jsonl", file)
	rate := func(address, page, reviewer string) {
		dialogues := regexp.MustCompile(`/d/([0-9a-f]{32})`).FindAllStringSubmatch(page, -1)
		require.NotEmpty(t, dialogues)
		for _, is := range dialogues {
			answer, err := http.PostForm(address+"rate?as="+reviewer,
				url.Values{"dialogue": {is[1]}, "satisfaction": {"3"}})
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
		}
	}
	address, stop := serving(t, run)
	answer, err := http.Get(address + "?state=all")
	require.NoError(t, err)
	page, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	rate(address, string(page), "cy@example.org") // before
	stop()
	t.Setenv("ASSIZE_AS", "di@example.org")
	address, stop = serving(t, run, "--redact")
	read := func(path string) string {
		answer, err := http.Get(address + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return string(body)
	}
	queue := read("?state=all")
	identity := regexp.MustCompile(`/d/([0-9a-f]{32})`).FindAllStringSubmatch(queue, -1)
	require.NotEmpty(t, identity)
	all := []string{queue}
	rate(address, queue, "di@example.org")
	for _, is := range identity {
		all = append(all, read("d/"+is[1]), read("v1/dialogues/"+is[1]))
	}
	all = append(all, read("ratings.csv"), read("report.html?state=all"), read("overview"))
	assert.Contains(t, read("ratings.csv"), ",3,cy,")
	assert.Contains(t, read("ratings.csv"), ",3,di,")
	stop()
	beside, err := filepath.Glob(filepath.Join(filepath.Dir(run), "*.*"))
	require.NoError(t, err)
	require.Greater(t, len(beside), 1)
	for _, name := range beside {
		if name != run {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			// the store names the run from which it was read
			all = append(all, strings.ReplaceAll(string(data), run, ""))
		}
	}
	for _, text := range all {
		assert.NotContains(t, text, "@example.org")
	}
}

// No acknowledged rating is lost, however the program is killed.
func TestKilledWhileRating(t *testing.T) {
	folder := deskFolder(t)
	acknowledged := map[string]bool{} // by the name of a reviewer who rated once
	start := func() (*exec.Cmd, string) {
		cmd := exec.Command("assize", "serve", folder, "--listen", "127.0.0.1:0")
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		address, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		return cmd, strings.TrimSpace(address)
	}
	read := func(address string) string {
		answer, err := http.Get(address)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return string(body)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	for round := range 20 {
		cmd, address := start()
		identity := regexp.MustCompile(
			`/d/([0-9a-f]{32})`).FindStringSubmatch(read(address + "?state=all"))
		require.NotNil(t, identity)
		rated, ended := make(chan string), make(chan struct{})
		go func() {
			defer close(ended)
			for i := 0; ; i++ {
				who := fmt.Sprintf("r%d-%d", round, i)
				answer, err := client.PostForm(address+"rate?as="+who,
					url.Values{"dialogue": {identity[1]}, "satisfaction": {"3"}})
				if err != nil {
					return
				}
				answer.Body.Close()
				if answer.StatusCode == http.StatusSeeOther {
					rated <- who
				}
			}
		}()
		for n := 0; n <= round%4; n++ {
			acknowledged[<-rated] = true
		}
		require.NoError(t, cmd.Process.Kill())
		for done := false; !done; {
			select {
			case who := <-rated:
				acknowledged[who] = true
			case <-ended:
				done = true
			}
		}
		_ = cmd.Wait() // it was killed
	}
	cmd, address := start()
	// each as seen by this reviewer, since ratings may be hidden from others
	for who := range acknowledged {
		assert.Contains(t, read(address+"ratings.csv?as="+who), ",3,"+who+",")
	}
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	assert.GreaterOrEqual(t, len(acknowledged), 40)
}

// A server that starts again replaces its own table of ratings, also one with the ratings of a
// reviewer whose name a spreadsheet would compute.
func TestReviewReplacesItsOwnRatings(t *testing.T) {
	folder := helpDesk(t)
	for range 2 {
		address, stop := serving(t, folder)
		giveRating(t, address, identities(t, address)[0], "=ann", 2)
		giveRating(t, address, identities(t, address)[1], "bob", 3)
		stop()
	}
	table, err := os.ReadFile(folder + ".run.ratings.csv")
	require.NoError(t, err)
	assert.Equal(t, 3, strings.Count(string(table), "\n"))
}

// The only dialogue of a file has the file's name on every page, and in the sentences about it.
func TestFilesNameTheirDialogues(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "calls")
	require.NoError(t, os.Mkdir(folder, 0o777))
	for _, name := range []string{"a-1", "b-2", "c-3"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+".txt"),
			[]byte("USER: Where is my parcel "+name+"?\nSYSTEM: I do not know.\nUSER: Useless.\n"),
			0o666))
	}
	address, stop := serving(t, folder)
	defer stop()
	page := func(answer *http.Response, err error) string {
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return string(text)
	}
	all := identities(t, address)
	one := page(http.Get(address + "d/" + all[0]))
	name := regexp.MustCompile(`<h1><span class="name">([abc]-[123]\.txt)<`).FindStringSubmatch(one)
	require.Len(t, name, 2, one)
	assert.Contains(t, one, "<title>"+name[1]+" – ")
	rated := page(http.PostForm(address+"rate", url.Values{"dialogue": {all[0]},
		"satisfaction": {"5"}}))
	assert.Contains(t, rated, ">dialogue <span class=\"name\">"+name[1]+"</span></a>")
	giveRating(t, address, all[0], "ben", 1)
	overview := page(http.Get(address + "overview"))
	assert.Contains(t, overview, `">`+name[1]+"</a>", "an example")
	assert.Regexp(t, `href="/d/`+all[0]+`[^"]*">`+name[1]+`</a> \(ann: 5, ben: 1\)`, overview)
	assert.Contains(t, page(http.PostForm(address+"undo", nil)),
		"Withdrawn: your review of <span class=\"name\">"+name[1]+"</span>, ")
	assert.Contains(t, page(http.Get(address+"?state=all")), ">"+name[1]+"</a></th>")
	assert.Contains(t, page(http.Get(address+"report.html?state=all")), "<b class=\"name\">"+name[1]+"</b>")
	assert.Contains(t, page(http.Get(address+"v1/dialogues")), `"id":"1"`, "programs have the id")
	assert.Contains(t, page(http.PostForm(address+"delete", url.Values{"dialogue": {all[0]}})),
		"Deleted: <span class=\"name\">"+name[1]+"</span>.")
}
