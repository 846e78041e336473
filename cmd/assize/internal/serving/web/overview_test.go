package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
)

// Each figure of the overview links to that number of dialogues.
func TestOverview(t *testing.T) {
	const confused = `,agent,"Sorry, I do not understand.",`
	export := strings.NewReplacer("\n12"+confused, "\n12,agent,We cannot refund it.,",
		"\n24"+confused, "\n24,agent,Do not be so stupid.,",
		"\n36"+confused, "\n36,agent,We will look into it.,",
		"\n48"+confused, "\n48,agent,It is is in the the post and will comes.,").Replace(shop(60))
	h, _, _ := openShop(t, 60, func(o *web.Options) {
		o.Titles = map[string]string{"pairing-missed": "the SYSTEM misses what the USER wants"}
		o.Store = openStore(t, export)
	})
	get := func(path string) string {
		answer := ask(t, h, "GET", path, "ann", nil)
		require.Equal(t, http.StatusOK, answer.Code, path)
		return answer.Body.String()
	}
	rateShop(t, h, "ann", 0, 24)
	rateShop(t, h, "ben", 0, 24)
	page := get("/overview")
	assert.Contains(t, page, "<b>36</b> not rated by anybody")
	assert.Contains(t, page, "on 24 dialogues with two ratings or more: enough to rely on.")
	assert.Contains(t, page, `id="chart-weeks"`)
	assert.NotContains(t, page, "style=")
	assert.Contains(t, page, "the agent misses what the customer wants",
		"a reason in a lead's words")
	rateShop(t, h, "ann", 24, 60) // otherwise the lists leave out dialogues with hidden scores
	page = get("/overview")
	links := 0
	for _, pattern := range []string{
		// distributions, agents, queues, weeks
		`<a href="(/\?[^"]*)">[^<]*</a></th><td>(\d+)<`,
		// themes
		`<a href="(/\?reason[^"]*)">[^<]*<b>(\d+)<`,
	} {
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(page, -1) {
			n, err := strconv.Atoi(found[2])
			require.NoError(t, err)
			assert.Contains(t,
				get(html.UnescapeString(found[1])), fmt.Sprintf("of %d ", n), found[1])
			links++
		}
	}
	assert.Greater(t, links, 20)
	ann := get("/overview?agent=Ann")
	assert.Contains(t, ann, "30 dialogues · agent Ann")
	assert.Contains(t, ann, "agent=Ann&amp;queue=refunds")
	assert.Equal(t, http.StatusBadRequest, ask(t, h, "GET", "/overview?low=Beauty", "ann",
		nil).Code)
}

// Dialogues without an agent are counted, but are not a group of the agents.
func TestOverviewWithoutAgents(t *testing.T) {
	export := desk
	for i := range 5 {
		export += fmt.Sprintf("%d,user,Where is my refund %[1]d?,,\n%[1]d,agent,It is on its way.,,\n",
			20+i)
	}
	h := web.New(web.Options{Store: openStore(t, export), Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }})
	page := ask(t, h, "GET", "/overview", "ann", nil).Body.String()
	assert.Contains(t, page, "Satisfaction by agent")
	assert.Contains(t, page, "No agent: 5 dialogues.")
	assert.NotContains(t, page, "(none)")
	assert.NotContains(t, page, "Satisfaction by queue")
}

// For a person who rates blind, neither the list nor the links between dialogues reveal which are
// the worst.
func TestBlindOrder(t *testing.T) {
	h, store, _ := openShop(t, 30, func(o *web.Options) { o.Blind = true })
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 30)
	require.NoError(t, err)
	var worst []string
	for _, d := range list {
		worst = append(worst, d.Name)
	}
	var shown, gone []string
	queue := ask(t, h, "GET", "/?state=all", "ann", nil).Body.String()
	assert.Contains(t, queue, "the list is shuffled")
	links := regexp.MustCompile(
		`<a dir="auto" href="([^"]*)">(\d+)<`).FindAllStringSubmatch(queue, -1)
	for at := html.UnescapeString(links[0][1]); at != ""; {
		page := ask(t, h, "GET", at, "ann", nil).Body.String()
		gone = append(gone, regexp.MustCompile(`<h1><span class="name">(\d+)<`).FindStringSubmatch(page)[1])
		at = ""
		if next := regexp.MustCompile(
			`<a href="([^"]*)" data-key="j"`).FindStringSubmatch(page); next != nil {
			at = html.UnescapeString(next[1])
		}
	}
	for _, link := range links {
		shown = append(shown, link[2])
	}
	assert.ElementsMatch(t, worst, shown)
	assert.NotEqual(t, worst, shown)
	assert.Equal(t, shown, gone)
	angry := 0
	for _, name := range shown[:10] { // the ten that go wrong have names divisible by three
		if n, _ := strconv.Atoi(name); n%3 == 0 {
			angry++
		}
	}
	assert.Less(t, angry, 8, shown)
}

// If scores are hidden until the dialogue is rated, the overview quotes none of the reasons.
func TestOverviewIsBlind(t *testing.T) {
	h, _, _ := openShop(t, 30, func(o *web.Options) { o.Blind, o.Redact = true, true })
	page := ask(t, h, "GET", "/overview", "ann", nil).Body.String()
	assert.Contains(t, page, "What goes wrong most often")
	assert.NotContains(t, page, "<q>")
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann",
		url.Values{"dialogue": {"0"}, "satisfaction": {"1"}}).Code)
	page = ask(t, h, "GET", "/overview", "ann", nil).Body.String()
	assert.Equal(t, 1, strings.Count(page, "<q>"))
	// A note added later does not make the rating less blind, but a change after the scores were
	// seen does.
	for i, form := range []url.Values{{"satisfaction": {"1"}, "note": {"rude"}},
		{"satisfaction": {"3"}}} {
		form.Set("dialogue", "0")
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", form).Code)
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ben",
			url.Values{"dialogue": {"0"}, "satisfaction": {"2"}}).Code)
		want := []string{"1 dialogue with two ratings or more", "0 dialogues with two ratings or more"}[i]
		assert.Contains(t, ask(t, h, "GET", "/overview", "ann", nil).Body.String(), want)
	}
}

// Nor does it tell other people's ratings of a dialogue that the reviewer has not rated.
func TestBlindOverviewTellsNoRatings(t *testing.T) {
	h, _, _ := openShop(t, 3, func(o *web.Options) { o.Blind = true })
	for i, name := range []string{"ann", "ben", "cat"} {
		page := ask(t, h, "GET", "/overview", "cat", nil).Body.String()
		assert.NotContains(t, page, "People differ on")
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", name,
			url.Values{"dialogue": {"0"}, "satisfaction": {strconv.Itoa(1 + i)}}).Code)
	}
	page := ask(t, h, "GET", "/overview", "cat", nil).Body.String()
	assert.Contains(t, page, "People differ on 1 of the dialogues that you and others rated, most on")
}

// A random sample is what people have rated without a gap in random order, in steps of ten. The
// table of ratings says so.
func TestOverviewCorrects(t *testing.T) {
	h, store, _ := openShop(t, 60)
	list, err := store.List(t.Context(), review.Filter{Order: review.Shuffled, State: review.All},
		0, 60)
	require.NoError(t, err)
	rate := func(d review.Dialogue) {
		form := url.Values{"dialogue": {string(d.Identity)}, "satisfaction": {"2"},
			"level.Empathy": {"40"}}
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", form).Code)
	}
	overview := func() string { return ask(t, h, "GET", "/overview", "ann", nil).Body.String() }
	for _, d := range list[5:15] {
		rate(d)
	}
	assert.Contains(t, overview(), "To estimate how your team would rate all 60 scored dialogues, "+
		"rate at least 20 in random order; 0 are rated so far in this order. ")
	for _, d := range list[:5] {
		rate(d)
	}
	page := overview()
	assert.Contains(t, page, "15 are rated so far in this order; only full tens count, so "+
		"far 10. <a", "none is rated after these")
	rate(list[18])
	rate(list[40])
	link := func(d review.Dialogue) string {
		return `<a class="name" href="/d/` + string(d.Identity) + `?order=shuffled">` + d.Name + "</a>"
	}
	assert.Contains(t, overview(), "Nobody has rated "+link(list[15])+", "+link(list[16])+", "+
		link(list[17])+", "+link(list[19])+": once these are rated, those after them in the order "+
		"count. <a")
	assert.NotContains(t, page, "too few;", "of the first ten")
	for _, d := range slices.Concat(list[15:24], list[30:40]) {
		rate(d)
	}
	page = overview()
	assert.Contains(t, page, "Of 60 scored dialogues, 24 are rated in random order; "+
		"only full tens count, so far the first 20.")
	assert.Contains(t, page, "about 100.0 % (81.9–100.0 %) if your team rated all 60, "+
		"estimated from 20 that were drawn at random.")
	assert.Contains(t, page, "about 40.0 (40.0–40.0) if your team rated all 60", "Empathy")
	assert.Contains(t, page, "By agent, as people rate: corrected from a random sample")
	assert.Contains(t, page, "<td>too few; want 20 or all dialogues rated</td>")
	report := ask(t, h, "GET", "/report.html", "ann", nil).Body.String()
	for _, says := range []string{"about 40.0 (40.0–40.0) if your team rated all 60",
		"about 100.0 % (81.9–100.0 %) if your team rated all 60, estimated from 20 that were drawn at random.",
		"By agent, as people rate: corrected from a random sample"} {
		assert.Contains(t, report, says)
	}
	report = ask(t, h, "GET", "/report.html?state=done", "ann", nil).Body.String()
	assert.NotContains(t, report, "if your team rated")
	assert.Contains(t, report, "The page Overview has the figures corrected by the random sample")
	assert.NotContains(t, ask(t, h, "GET", "/overview?by=ann", "ann", nil).Body.String(),
		"in random order", "rated dialogues are no random ones")
	table := ask(t, h, "GET", "/ratings.csv", "ann", nil).Body.String()
	assert.Equal(t, 20, strings.Count(table, ",0.3333333333333333,"))
	for _, d := range list[24:] {
		rate(d)
	}
	page = overview()
	assert.Contains(t, page, "All 60 scored dialogues are rated.")
	assert.Contains(t, page, "none is left for you")
	for _, list := range []string{"Rate in random order", "another reviewer", "state=todo"} {
		assert.NotContains(t, page, list, "it is empty")
	}
}

// The names of groups are masked in every table, and a report without personal data has the same
// corrected figures.
func TestCorrectedAndRedacted(t *testing.T) {
	export := strings.ReplaceAll(shop(60), ",Ann,", ",ann@example.org,")
	require.Contains(t, export, "ann@example.org")
	store := openStore(t, export)
	h := web.New(web.Options{Store: store, Title: "shop", Reviewer: "me", Redact: true,
		Log: func(line string) { t.Error(line) }})
	rateShop(t, h, "ann", 0, 60)
	for _, path := range []string{"/overview", "/report.html"} {
		page := ask(t, h, "GET", path, "ann", nil).Body.String()
		assert.Contains(t, page, "by the ratings of your team, who rated all 60", path)
		assert.NotContains(t, page, "ann@example.org", path)
	}
}
