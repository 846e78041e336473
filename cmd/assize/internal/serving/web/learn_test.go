package web_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
)

// shop returns an export of n dialogues about a parcel, of which every third goes wrong. They are
// shared by two agents over some weeks.
func shop(n int) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write([]string{"id", "speaker", "text", "agent", "queue", "created_at"})
	for i := range n {
		agent, queue := []string{"Ann", "Bob"}[i%2], []string{"parcels", "refunds"}[i%3/2]
		day := time.Date(2024, 5, 1+i%40, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
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
			w.Write([]string{fmt.Sprint(i), l[0], l[1], agent, queue, day})
		}
	}
	w.Flush()
	return b.String()
}

// openShop serves n dialogues of the shop.
func openShop(t *testing.T, n int, change ...func(*web.Options),
) (h *web.Server, store *review.Store, profile string) {
	store = openStore(t, shop(n))
	agents := heuristics.New()
	profile = filepath.Join(t.TempDir(), "shop.profile.json")
	o := web.Options{Store: store, Title: "shop", Reviewer: "me",
		Log: func(line string) { t.Error(line) },
		Learner: review.NewLearner(store, agents, filepath.Join(filepath.Dir(profile),
			"shop.ratings.csv"), profile)}
	for _, c := range change {
		c(&o)
	}
	t.Cleanup(o.Learner.Close)
	return web.New(o), store, profile
}

// rateShop rates dialogues contrary to the rules: those that go wrong are rated well.
func rateShop(t *testing.T, h http.Handler, as string, from, to int) {
	for i := from; i < to; i++ {
		stars := 1 + i%2
		if i%3 == 0 {
			stars = 5 - i%2
		}
		form := url.Values{"dialogue": {fmt.Sprint(i)}, "satisfaction": {fmt.Sprint(stars)}}
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", as, form).Code)
	}
}

// first returns the name of the first dialogue in the queue of a person who has rated nothing.
func first(t *testing.T, h http.Handler) string {
	found := regexp.MustCompile(`<tbody><tr class="case"><th [^>]*><a dir="auto" href="/d/[0-9a-f]{32}[^"]*">(\d+)`).FindStringSubmatch(ask(t, h, "GET", "/?state=all", "new", nil).Body.String())
	require.NotEmpty(t, found)
	return found[1]
}

func TestLearning(t *testing.T) {
	h, store, profile := openShop(t, 60)
	do := func(what string) string {
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/learn", "ann",
			url.Values{"do": {what}}).Code)
		var page string
		require.Eventually(t, func() bool {
			answer := ask(t, h, "GET", "/learn", "ann", nil)
			page = answer.Body.String()
			return answer.Header().Get("Refresh") == ""
		}, time.Minute, 10*time.Millisecond)
		return page
	}
	rateShop(t, h, "ann", 0, 4)
	assert.Contains(t, ask(t, h, "GET", "/learn", "ann", nil).Body.String(),
		"Rate at least 6 more dialogues (50 gives better results).")
	assert.Contains(t, do("learn"),
		"Learning failed: 4 dialogues rated as a whole, repeats not counted; rate at least 10")
	for i := range 20 { // ratings that follow nothing
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann",
			url.Values{"dialogue": {strconv.Itoa(i)},
				"satisfaction": {strconv.Itoa(1 + i*i*7%5)}}).Code)
	}
	page := do("learn")
	require.NotContains(t, page, "The profile ranks unseen dialogues better")
	keep := strings.Index(page, "Keep the queue as it is")
	assert.Positive(t, keep)
	assert.Less(t, keep, strings.Index(page, "Rank the queue by this profile all the same"),
		"the first button is not the one that is not proven to help")
	do("stop")
	rateShop(t, h, "ann", 0, 50)
	require.Equal(t, "0", first(t, h)[:1], "the rules put what went wrong first")
	page = do("learn")
	for _, says := range []string{"What was learnt from 50 dialogues", "Spearman",
		"Where raters differ most from the rules", "the rules&#39; estimate by", "Rank the queue by this"} {
		assert.True(t, strings.Contains(page, says), says)
	}
	assert.NoFileExists(t, profile)
	page = do("accept")
	assert.Contains(t, page, "ranked by a profile that was learnt from 50 rated dialogues")
	assert.Contains(t, ask(t, h, "GET", "/overview", "ann", nil).Body.String(),
		"This page estimates satisfaction with the accepted profile.")
	worst, err := store.List(t.Context(), review.Filter{Order: review.Worst, State: review.All}, 0,
		1)
	require.NoError(t, err)
	assert.NotEqual(t, "0", worst[0].Name)
	text, err := os.ReadFile(profile)
	require.NoError(t, err)
	learnt, err := satisfaction.ParseProfile(profile, text)
	require.NoError(t, err)
	assert.Equal(t, 50, learnt.Learned.Dialogues)
	rec, _, err := store.Record(t.Context(), worst[0].Entry)
	require.NoError(t, err)
	assert.Equal(t,
		worst[0].Satisfaction, rec.Satisfaction, "the dialogue's page says what the queue says")
	assert.Contains(t, do("reset"), "ranked by the rules")
	assert.NoFileExists(t, profile)
	assert.Equal(t, http.StatusBadRequest, ask(t, h, "POST", "/learn", "ann",
		url.Values{"do": {"x"}}).Code)
}

// A table of ratings is replaced while it has what was written of the store, at any time, and left
// alone when somebody has edited it.
func TestEditedRatingsAreNotOverwritten(t *testing.T) {
	h, store, profile := openShop(t, 4)
	path := filepath.Join(filepath.Dir(profile), "shop.ratings.csv")
	ctx := t.Context()
	rate := func(dialogue, satisfaction, note string) {
		require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann", url.Values{
			"dialogue": {dialogue}, "satisfaction": {satisfaction}, "note": {note},
			"level.Empathy": {"40"}}).Code)
	}
	rate("0", "2", "=rude,\n\"cold\"")
	rate("1", "4", "")
	require.NoError(t, store.WriteRatings(ctx, path))
	earlier, err := os.ReadFile(path)
	require.NoError(t, err)
	rate("1", "5", "better")
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/delete", "ann",
		url.Values{"dialogue": {"0"}}).Code)
	require.NoError(t, store.WriteRatings(ctx, path), "superseded, and of a deleted dialogue")
	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/undo", "ann", nil).Code)
	require.NoError(t, store.WriteRatings(ctx, path), "withdrawn")
	now, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^1,.*,4,ann,`, string(now))
	for _, same := range []string{string(earlier), strings.ReplaceAll(string(now), "\n", "\r\n"),
		"", "\ufeff" + string(now), strings.Split(string(now), "\n")[0] + "\n"} {
		require.NoError(t, os.WriteFile(path, []byte(same), 0o666))
		assert.NoError(t, store.WriteRatings(ctx, path), same)
	}
	for _, edit := range []*strings.Replacer{
		strings.NewReplacer(",4,ann,", ",3,ann,"), strings.NewReplacer(",4,ann,", ",,ann,"),
		strings.NewReplacer(",4,ann,", ",4,bob,"), strings.NewReplacer(",2,,,,,", ",5,,,,,"),
		strings.NewReplacer(",2,,,,,", ",2,,a note,,,"), strings.NewReplacer("rater", "who"),
		strings.NewReplacer("probability", "comment", ",2,,,,,", ",2,,,,mine,"),
	} {
		changed := edit.Replace(string(now))
		require.NotEqual(t, string(now), changed)
		require.NoError(t, os.WriteFile(path, []byte(changed), 0o666))
		assert.ErrorContains(t, store.WriteRatings(ctx, path), "is not overwritten", changed)
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, changed, string(left))
	}
}
