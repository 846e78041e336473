package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A second reviewer is offered the dialogues that others rated, in random order, and after 20 of
// them the overview says how far both agree.
func TestSecondRatings(t *testing.T) {
	h, _, _ := openShop(t, 30)
	overview := func(as string) string {
		return ask(t, h, "GET", "/overview", as, nil).Body.String()
	}
	rateShop(t, h, "ann", 0, 24)
	assert.NotContains(t, overview("ann"), "that another reviewer has rated", "only by ann")
	page := overview("bob")
	assert.Contains(t, page, "0 dialogues with two ratings or more; at least 20 are needed")
	link := regexp.MustCompile(
		`<a href="/(\?[^"]*state=second[^"]*)">Rate dialogues that another reviewer has rated</a>`).
		FindStringSubmatch(page)
	require.NotEmpty(t, link)
	require.Contains(t, link[1], "order=shuffled")
	queue := regexp.MustCompile(`/d/([0-9a-f]{32})`).FindAllStringSubmatch(
		ask(t, h, "GET", "/?state=second&order=shuffled", "bob", nil).Body.String(), -1)
	require.Len(t, queue, 24)
	for _, page := range []string{"/?state=second&order=shuffled",
		"/d/" + queue[0][1] + "?state=second&order=shuffled"} {
		assert.Contains(t, ask(t, h, "GET", page, "bob", nil).Body.String(), "24 left", page)
	}
	todo := ask(t, h, "GET", "/", "bob", nil).Body.String()
	assert.Contains(t, todo, "6 left")
	assert.Contains(t, todo, "Others have rated 24 more dialogues, which this list leaves out. "+
		`<a href="/`+link[1]+`">Rate dialogues that another reviewer has rated</a>`)
	for who, page := range map[string]string{"ann": "/", "bob": "/?state=all"} {
		assert.NotContains(t, ask(t, h, "GET", page, who, nil).Body.String(), "Others have rated")
	}
	at := "/rate?state=second&order=shuffled"
	next := queue[0][1]
	for range 20 { // on to the next that only ann rated, each time
		answer := ask(t, h, "POST", at, "bob", url.Values{"dialogue": {next},
			"satisfaction": {"3"}})
		require.Equal(t, http.StatusSeeOther, answer.Code)
		to := regexp.MustCompile(`^/d/([0-9a-f]{32})`).FindStringSubmatch(
			answer.Header().Get("Location"))
		require.NotEmpty(t, to)
		next = to[1]
	}
	page = overview("bob")
	assert.Contains(t, page, "Rate dialogues that another reviewer has rated")
	assert.Contains(t, page, "on 20 dialogues with two ratings or more")
	assert.Contains(t, ask(t, h, "GET", "/?state=second", "bob", nil).Body.String(), "1–4 of 4")
}
