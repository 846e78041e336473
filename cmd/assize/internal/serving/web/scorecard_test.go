package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/serving/web"
	"assize/rubric"
)

// scorecard asks two questions, of which the first fails a dialogue.
const scorecard = `questions:
  - id: identified
    ask: Did SYSTEM ask for a <b>name</b>?
    yes: {system: [your name]}
    fail: no
    weight: 3
  - id: put-off
    ask: Did SYSTEM name a day?
    when: {user: [refund, order]}
    yes: {system: [friday]}
    good: no
`

// openCard serves the desk with a scorecard.
func openCard(t *testing.T, change ...func(*web.Options)) (http.Handler, *review.Store) {
	t.Helper()
	r, err := rubric.Parse("rubric.yaml", []byte(scorecard))
	require.NoError(t, err)
	store := openStoreWith(t, desk, r)
	o := web.Options{Store: store, Title: "desk", Reviewer: "me",
		Log: func(line string) { t.Error(line) }}
	for _, c := range change {
		c(&o)
	}
	return web.New(o), store
}

// The scorecard is on the page of a dialogue, in the list, in the filter and in the overview.
func TestScorecard(t *testing.T) {
	h, _ := openCard(t)
	get := func(path string) string {
		answer := ask(t, h, "GET", path, "ann", nil)
		require.Equal(t, http.StatusOK, answer.Code, path)
		return answer.Body.String()
	}
	page := get("/d/12")
	for _, words := range []string{"Checklist of the scorecard: 100.00 %", "&lt;b&gt;name&lt;/b&gt;?",
		`title="good">&nbsp;✓&nbsp;yes`,
		`<a class="cite" href="#t2" dir="auto">“What is your name?”`} {
		assert.Contains(t, page, words)
	}
	page = get("/d/11")
	assert.Contains(t, page, "Checklist of the scorecard: 0.00 % (failed by identified)")
	assert.Contains(t, page, `title="bad">&nbsp;✗&nbsp;yes`)
	queue := get("/?order=checklist")
	assert.Less(t, strings.Index(queue, ">11<"), strings.Index(queue, ">12<"))
	assert.Contains(t, queue, `<option value="put-off: n/a">put-off: n/a (1)</option>`)
	assert.Contains(t, queue, `data-label="Checklist" title="100.00"`)
	overview := get("/overview")
	assert.Contains(t, overview, "put-off: Did SYSTEM name a day?</a></th><td>1</td>"+
		"<td>1</td>")
	assert.Contains(t, overview, "<td>50.0 % ")
	assert.Contains(t, overview, "checklist</th>", "the groups' means")
	answered := url.Values{"answer": {"identified: no"}, "state": {"all"}}.Encode()
	assert.Contains(t, html.UnescapeString(overview), answered)
	assert.Contains(t, get("/?"+answered), "1–2 of 2")
	table := get("/list.csv")
	assert.Contains(t, table, ",checklist,identified,put-off\n")
	assert.Contains(t, table, ",0.00,no,yes\n")
	assert.Contains(t, get("/report.html"), "Answers by question")
}

// The queue, on the page and in the API, is filtered by the states of claims.
func TestClaims(t *testing.T) {
	call := `{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":` +
		`{"name":"refund","arguments":"{\"order\":7}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"{\"ok\":%t}"},` +
		`{"role":"assistant","content":"I have refunded it."}]}`
	text := ""
	for i, ok := range []bool{true, false, false} {
		text += fmt.Sprintf(`{"id":%d,"messages":[{"role":"user","content":"Please refund order 7, %d."},`,
			i+1, i) + fmt.Sprintf(call, ok) + "\n"
	}
	h := web.New(web.Options{Store: openStoreWith(t, text, rubric.Default()), Title: "calls",
		Reviewer: "me", Log: func(line string) { t.Error(line) }})
	get := func(path string) string {
		answer := ask(t, h, "GET", path, "ann", nil)
		require.Equal(t, http.StatusOK, answer.Code, path)
		return answer.Body.String()
	}
	page := get("/")
	assert.Contains(t, page, `<option value="claim: contradicted">claim: contradicted (2)</option>`)
	assert.NotContains(t, page, "Lowest checklist", "a claim is no answer to a question")
	filter := url.Values{"answer": {"claim: contradicted"}, "state": {"all"}}.Encode()
	assert.Contains(t, get("/?"+filter), "1–2 of 2")
	assert.Contains(t, get("/v1/dialogues?"+filter), `"all":2`)
}

// A reviewer who rates blind sees no answer before rating, in no form and by no filter.
func TestScorecardIsBlind(t *testing.T) {
	h, store := openCard(t, func(o *web.Options) { o.Blind = true })
	get := func(path string) string { return ask(t, h, "GET", path, "ann", nil).Body.String() }
	list, err := store.List(t.Context(), review.Filter{State: review.All, Reviewer: "ann",
		Blind: true}, 0, 9)
	require.NoError(t, err)
	require.Len(t, list, 3)
	for _, d := range list {
		assert.Nil(t, d.Checklist)
	}
	assert.NotContains(t, get("/d/12"), "Scorecard")
	assert.NotContains(t, get("/d/12"), `class="cite"`)
	assert.NotContains(t, get("/?state=all"), "Checklist")
	assert.Contains(t, get("/?state=all&answer=identified:+no"), "No dialogue matches")
	assert.NotContains(t, get("/list.csv?state=all"), "identified")
	assert.NotContains(t, get("/v1/dialogues/12"), "identified")
	assert.Equal(t, http.StatusBadRequest,
		ask(t, h, "GET", "/?order=checklist", "ann", nil).Code)
	assert.NotContains(t, get("/?state=all"), "identified", "no totals in the filter")
	assert.NotContains(t, get("/?state=all"), `name="reason"`)
	report := get("/report.html")
	assert.NotContains(t, report, "Checklist of the scorecard: ")
	assert.NotContains(t, report, "identified")
	assert.NotContains(t, report, "✓")

	require.Equal(t, http.StatusSeeOther, ask(t, h, "POST", "/rate", "ann",
		url.Values{"dialogue": {"12"}, "satisfaction": {"2"}}).Code)
	assert.Contains(t, get("/d/12"), "Checklist of the scorecard: 100.00 %")
	assert.NotContains(t, get("/d/11"), "Checklist of the scorecard")
	assert.Contains(t, get("/?state=all"), ">identified: yes (1)<")
	assert.NotContains(t, get("/?state=all"), "identified: no")
	table := get("/list.csv?state=all")
	assert.Contains(t, table, ",100.00,yes,no\n")
	assert.NotContains(t, table, ",0.00,no,yes\n")
	assert.Equal(t, 1, strings.Count(get("/report.html"), "<h3>Checklist of the scorecard"))
}

// A reviewer agrees with an answer or gives another one. Both are in the form, in the ratings and,
// after rating, on the page of others.
func TestAnswersAreReviewed(t *testing.T) {
	h, _ := openCard(t, func(o *web.Options) { o.Blind = true })
	get := func(as, path string) string { return ask(t, h, "GET", path, as, nil).Body.String() }
	rate := func(as string, form url.Values) int {
		form.Set("dialogue", "12")
		return ask(t, h, "POST", "/rate", as, form).Code
	}
	assert.NotContains(t, get("ann", "/ratings.csv"), "identified")
	answers := url.Values{"satisfaction": {"2"}, "answer.identified": {"agree"},
		"answer.put-off": {"n/a"}, "why.put-off": {"<i>no order</i>"}}
	require.Equal(t, http.StatusSeeOther, rate("ann", answers), "the hidden answers are not kept")
	assert.NotContains(t, get("ann", "/ratings.csv"), "identified")
	require.Equal(t, http.StatusSeeOther, rate("ann", answers))
	page := get("ann", "/d/12")
	assert.Contains(t, page, `<option value="agree" selected>agree`)
	assert.Contains(t, page, `<option selected>n/a`)
	assert.Contains(t, page, `value="&lt;i&gt;no order&lt;/i&gt;"`)
	table := get("ann", "/ratings.csv")
	assert.Contains(t, table, ",Fluency,identified,put-off,note,")
	assert.Contains(t, table, ",yes,n/a,,")

	require.Equal(t, http.StatusSeeOther, rate("ben", url.Values{"satisfaction": {"1"}}))
	assert.Contains(t, get("ben", "/d/12"), "put-off n/a: &lt;i&gt;no order&lt;/i&gt;")
	assert.Contains(t, get("ben", "/d/12"), "identified yes, agrees")
	assert.Equal(t, http.StatusBadRequest, rate("ben", url.Values{"answer.identified": {"maybe"}}))
	assert.Equal(t, http.StatusBadRequest, rate("ben", url.Values{"answer.identified": {"open"}}))

	d := describe(t, h)
	for answers, status := range map[string]int{
		`12 {"identified":{"agree":true,"reason":"asked"}}`: 201,
		`12 {"identified":{"answer":"no"}}`:                 201,
		`12 {"identified":{"answer":"no","agree":true}}`:    400,
		`12 {"unknown":{"answer":"no"}}`:                    400,
		`11 {"identified":{"answer":"no"}}`:                 400, // hidden
	} {
		id, answers, _ := strings.Cut(answers, " ")
		body := `{"dialogue":"` + id + `","satisfaction":1,"answers":` + answers + `}`
		got := call(h, "POST", "/v1/reviews?as=ben", body)
		assert.Equal(t, status, got.Code, body)
		d.check("/v1/reviews", "POST", got)
	}
}
