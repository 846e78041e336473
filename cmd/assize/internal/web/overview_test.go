package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/web"
)

// Each figure of the overview leads to as many dialogues.
func TestOverview(t *testing.T) {
	h, _, _ := openShop(t, 60)
	get := func(path string) string {
		answer := ask(t, h, "GET", path, "ann", nil)
		require.Equal(t, http.StatusOK, answer.Code, path)
		return answer.Body.String()
	}
	rateShop(t, h, "ann", 0, 12)
	rateShop(t, h, "ben", 0, 12)
	page := get("/overview")
	assert.Contains(t, page, "<b>48</b> not rated by anybody")
	assert.Contains(t, page, "on 12 dialogues rated by two or more: enough to rely on.")
	assert.Contains(t, page, `<polyline class="line"`)
	assert.NotContains(t, page, "style=")
	rateShop(t, h, "ann", 12, 60) // or the lists leave out those whose scores are hidden
	page = get("/overview")
	links := 0
	for _, pattern := range []string{
		`<a href="(/\?[^"]*)">[^<]*</a></th><td><svg [^>]*><rect [^>]*/></svg></td><td class="num">(\d+)<`, // distributions
		`<a href="(/\?[^"]*)">[^<]*</a></th><td class="num">(\d+)<`,                                        // agents, queues, weeks
		`<a href="(/\?reason[^"]*)">[^<]*<b>(\d+)<`,                                                        // themes
	} {
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(page, -1) {
			n, err := strconv.Atoi(found[2])
			require.NoError(t, err)
			assert.Contains(t, get(html.UnescapeString(found[1])), fmt.Sprintf("of %d ", n), found[1])
			links++
		}
	}
	assert.Greater(t, links, 20)
	ann := get("/overview?agent=Ann")
	assert.Contains(t, ann, "30 dialogues · agent Ann")
	assert.Contains(t, ann, "agent=Ann&amp;queue=refunds")
	assert.Equal(t, http.StatusBadRequest, ask(t, h, "GET", "/overview?low=Beauty", "ann", nil).Code)
}

// Where the scores are hidden until one has rated, nothing of what is behind them is quoted.
func TestOverviewIsBlind(t *testing.T) {
	h, _, _ := openShop(t, 30, func(o *web.Options) { o.Blind, o.Redact = true, true })
	page := ask(t, h, "GET", "/overview", "ann", nil).Body.String()
	assert.Contains(t, page, "What goes wrong most often")
	assert.NotContains(t, page, "<q>")
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", url.Values{"dialogue": {"0"}, "satisfaction": {"1"}}).Code)
	page = ask(t, h, "GET", "/overview", "ann", nil).Body.String()
	assert.Equal(t, 1, strings.Count(page, "<q>"))
	// A note that is added later does not make the rating less blind; one that was changed after the scores were seen is.
	for i, form := range []url.Values{{"satisfaction": {"1"}, "note": {"rude"}}, {"satisfaction": {"3"}}} {
		form.Set("dialogue", "0")
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", form).Code)
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ben", url.Values{"dialogue": {"0"}, "satisfaction": {"2"}}).Code)
		want := []string{"1 dialogue rated by two or more", "no dialogue is rated by two"}[i]
		assert.Contains(t, ask(t, h, "GET", "/overview", "ann", nil).Body.String(), want)
	}
}
