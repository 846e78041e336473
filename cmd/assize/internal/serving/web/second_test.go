package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
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

// The dialogues that people rated least like the scores are listed in that order, which follows
// their ratings, and the overview leads to the first of them and to the list.
func TestScoresAgainstRatings(t *testing.T) {
	h, store, _ := openShop(t, 12)
	body := func(path string) string { return ask(t, h, "GET", path, "ann", nil).Body.String() }
	const option = `<option value="missed"`
	assert.NotContains(t, body("/"), option, "nobody has rated")
	assert.NotContains(t, body("/overview"), "order=missed")
	assert.Contains(t, body("/?order=missed"), "No dialogue matches.")
	list, err := store.List(t.Context(), review.Filter{State: review.All}, 0, 12)
	require.NoError(t, err)
	worst, best := list[0], list[11]
	for _, d := range []struct {
		review.Dialogue
		stars string
	}{{worst, "5"}, {best, "2"}, {list[5], "3"}} {
		form := url.Values{"dialogue": {string(d.Identity)}, "satisfaction": {d.stars}}
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ben", form).Code)
	}
	in := func(path string) (names []string) {
		for _, one := range regexp.MustCompile(`<th scope="row" class="id" title="([^"]*)"`).
			FindAllStringSubmatch(body(path), -1) {
			names = append(names, one[1])
		}
		return names
	}
	assert.Contains(t, body("/"), option)
	assert.Equal(t, []string{worst.Name, best.Name, list[5].Name}, in("/?order=missed"))
	assert.Contains(t, body("/?order=missed"), `<option value="all" selected>`)
	overview := body("/overview")
	assert.Regexp(t, `differs most from people's mean rating on <a class="name" href="/d/`+
		string(worst.Identity)+`[^"]*">`+worst.Name+`</a> \(satisfaction: [0-9.]+, people: 5\)`, overview)
	assert.Contains(t, overview, `href="/?order=missed`)
	assert.Regexp(t, `href="/d/`+string(best.Identity)+`[^"]*" data-key="j"`,
		body("/d/"+string(worst.Identity)+"?order=missed"), "next")

	form := url.Values{"dialogue": {string(worst.Identity)}, "satisfaction": {"1"}}
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ben", form).Code)
	assert.Equal(t, best.Name, in("/?order=missed")[0], "of the ratings now")
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/undo", "ben", nil).Code)
	assert.Equal(t, worst.Name, in("/?order=missed")[0])
	assert.Len(t, in("/?order=missed&by=ben"), 3)
	blind, _, _ := openShop(t, 12, func(o *web.Options) { o.Blind = true })
	assert.Equal(t, http.StatusBadRequest, ask(t, blind, "GET", "/?order=missed", "ann", nil).Code)
}
