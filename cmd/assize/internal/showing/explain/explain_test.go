package explain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric"
)

var all = All(rubric.Default(), heuristics.New())

func TestFind(t *testing.T) {
	for id, want := range map[string]string{
		"Empathy":              "Empathy",
		"EMPATHY":              "Empathy",
		"80":                   "80",
		"case":                 "service case",
		"service case":         "service case",
		"unproven":             "claim-unproven",
		"claim-unproven":       "claim-unproven",
		"fluency-GRAMMAR":      "fluency-grammar",
		"Empathy: or not":      "Empathy",
		"empath":               "",
		"":                     "",
		"fluency":              "Fluency",
		"no such id":           "",
		"service":              "service case",
		"request":              "request",
		"overall":              "OverallExperience",
		"icc(K)":               "ICC",
		"α":                    "alpha",
		"α ordinal":            "alpha",
		"repeats":              "duplicates",
		"task":                 "TaskSuccess",
		"help":                 "Helpfulness",
		"contradiction-values": "",
	} {
		e, ok := Find(all, id)
		assert.Equal(t, want, e.ID, id)
		assert.Equal(t, want != "", ok, id)
	}
	for _, number := range []string{"R1", "r5"} {
		e, ok := Find(all, number)
		assert.True(t, ok, number)
		assert.Equal(t, "rulings", e.Group, number)
		assert.True(t, strings.HasPrefix(strings.ToLower(e.ID), strings.ToLower(number)+"-"), e.ID)
	}
	_, ok := Find([]Entry{{ID: "r1-x", Group: "words"}}, "r1")
	assert.False(t, ok, "only rulings have numbers")
}

// Every ID is explained once. The IDs of a group follow one another; the detectors come last.
func TestAll(t *testing.T) {
	seen, groups := map[string]bool{}, map[string]bool{}
	for i, e := range all {
		assert.False(t, seen[e.ID], "%s is explained twice", e.ID)
		seen[e.ID] = true
		assert.NotEmpty(t, e.Title, e.ID)
		isDetector := strings.HasPrefix(e.Group, "detectors: ")
		if i > 0 && all[i-1].Group != e.Group {
			assert.False(t, groups[e.Group], "%s is in two places", e.Group)
		}
		groups[e.Group] = true
		groups["detectors"] = groups["detectors"] || isDetector
		assert.Equal(t, groups["detectors"], isDetector, e.ID)
	}
	for _, d := range heuristics.New().Detectors() {
		assert.True(t, seen[d.ID], d.ID)
	}
	for _, g := range []string{"criteria", "scores", "rulings", "findings",
		"flags of a model's answers", "failures of a model"} {
		assert.True(t, groups[g], g)
	}
}

// text returns an entry as it is printed, with the words of each paragraph on one line.
func text(t *testing.T, id string) string {
	t.Helper()
	e, ok := Find(all, id)
	require.True(t, ok, id)
	var w ui.Page
	e.Text(&w)
	return strings.Join(strings.Fields(w.String()), " ")
}

// The explanation of a criterion has the weight, levels and demands of the rubric.
func TestCriterion(t *testing.T) {
	r := rubric.Default()
	for _, c := range rubric.Criteria() {
		got := text(t, c.String())
		last := 0
		for i, s := range []string{"100 ", "80 ", "60 ", "40 ", "20 "} {
			level := s + r.Levels[c][len(r.Levels[c])-1-i]
			at := strings.Index(got, level)
			assert.Greater(t, at, last, "%s: %s", c, level)
			last = at
		}
		assert.Contains(t, got, "How the rules decide If a fault was found, the lowest rung")
	}
	assert.Contains(t, text(t, "Empathy"), "Weight 10 % of the weighted average")
	assert.Contains(t, text(t, "Empathy"),
		"Demands one of: empathy-reacts, empathy-shares, courtesy-empathy. 80 ")
	assert.NotContains(t, text(t, "Fluency"), "Demands one of", "the rubric demands nothing")
	for _, c := range rubric.Criteria() {
		assert.Contains(t, text(t, "80"), c.String()+" "+r.Levels[c][3])
	}
	assert.NotContains(t, text(t, "80"), "Weight")
}

// The explanation of a detector says what it adds and caps, and shows its examples.
func TestDetector(t *testing.T) {
	agents := heuristics.New()
	for _, d := range agents.Detectors() {
		got := text(t, d.ID)
		assert.Contains(t, got, d.ID+" detectors: "+d.Family())
		assert.Equal(t, d.Once, strings.Contains(got, d.Points.String()+" once a dialogue"), d.ID)
		assert.Equal(t, !d.Once, strings.Contains(got, d.Points.String()+" each time"), d.ID)
		assert.Equal(t, d.Points != d.InService, strings.Contains(got,
			"; in a service case "+d.InService.String()), d.ID)
		assert.Equal(t, d.Cue, strings.Contains(got, "is evidence about no score"), d.ID)
		capped := ""
		for _, c := range rubric.Criteria() {
			if score, ok := rubric.Default().Caps[c][d.ID]; ok {
				capped = " " + c.String() + " scores " + score.String() + " at most."
				assert.Contains(t, got, capped, d.ID)
			}
		}
		assert.Equal(t, capped != "", strings.Contains(got, " Caps "), d.ID)
	}
	assert.Contains(t, text(t, "claim-unproven"), "Claims listed as "+
		rubric.DeedStateOf("claim-unproven").Mark()+" unproven")
	assert.NotContains(t, text(t, "fluency-grammar"), "Claims listed as")
}

func TestText(t *testing.T) {
	e := Entry{"x-y", "words", "What it is.", []part{{"How", "A line.\n80\tA " +
		strings.Repeat("long ", 14) + "level."}, {"Nothing", ""}, {"Bad", "\x1b[2J"}}}
	var w ui.Page
	e.Text(&w)
	assert.Equal(t, `x-y  words
  What it is.

  How
    A line.
    80A long long long long long long long long long long long long long long
      level.

  Bad
    ␛[2J
`, w.String(), "parts without text are left out, and a lead stays at the left")
	w = ui.Page{Color: true}
	e.Text(&w)
	assert.Contains(t, w.String(), "\x1b[")
}

func TestList(t *testing.T) {
	var w ui.Page
	List(&w, []Entry{{ID: "a", Group: "one", Title: "First."},
		{ID: "b", Group: "one", Title: "Second, " + strings.Repeat("long ", 9)},
		{ID: "c", Group: "two", Title: "Third."}})
	gap := strings.Repeat(" ", 28)
	assert.Equal(t, "one\n  a"+gap+"First.\n  b"+gap+
		"Second, long long long long long long long long\n   "+gap+"long\n\ntwo\n  c"+gap+
		"Third.\n", w.String())
}

func TestScorecard(t *testing.T) {
	phrases := func(texts ...string) (list []rubric.Phrase) {
		for _, s := range texts {
			list = append(list, rubric.Phrase{Text: s})
		}
		return list
	}
	entries := Scorecard(rubric.Rubric{
		Questions: []rubric.Question{
			{ID: "greeted", Ask: "Did it greet?",
				Yes: &rubric.Pattern{System: phrases("hello", "good\tday"), AtLeast: 2,
					Before: &rubric.Pattern{User: phrases("bye")}},
				Examples: rubric.Examples{Hit: phrases("S: hello\n", "S: good day"),
					Miss: phrases("S: what?")}},
			{ID: "calm", Ask: "Was it angry?", By: rubric.ByBoth, Good: rubric.No, Weight: 3,
				Fail: rubric.Yes, No: &rubric.Pattern{Any: phrases("x"), AtLeast: 1}},
			{ID: "sure", Ask: "Sure?", By: rubric.ByModel, Unsure: &rubric.Range{From: 30, To: 60}},
		},
		Facts: []rubric.Fact{
			{ID: "returns", Line: 12, Value: rubric.Phrase{Text: "14 days"},
				About: &rubric.Pattern{Any: phrases("return")}, Never: phrases("a month", "never"),
				When: &rubric.Validity{From: "2026-01-01", Until: "2026-06-30",
					Queues: []string{"shop", "web"}}},
			{ID: "fee", Line: 20, Value: rubric.Phrase{Text: "£4"}, When: &rubric.Validity{}},
		},
	}, "rubric.yaml")
	require.Len(t, entries, 5)
	assert.Equal(t, Entry{"greeted", "questions of the scorecard", "Did it greet?", []part{
		{inRubric, "\tid: greeted\n\task: Did it greet?\n\t\"yes\":\n  \tsystem:\n" +
			"    \t- hello\n    \t- good day\n  \tbefore:\n    \tuser:\n" +
			"      \t- bye\n  \tat-least: 2\n\thit:\n  \t- |\n    \tS: hello\n" +
			"  \t- \"S: good day\"\n\tmiss:\n  \t- \"S: what?\"\n"}}}, entries[0])
	for _, line := range []string{"by: both\n", "good: \"no\"\n", "weight: 3\n",
		"fail: \"yes\"\n"} {
		assert.Contains(t, entries[1].Parts[0].Text, line)
	}
	assert.Contains(t, entries[2].Parts[0].Text, "\tunsure:\n  \tfrom: 30\n  \tto: 60\n")
	assert.Equal(t, "What the SYSTEM states about this must agree with “14 days”.", entries[3].Title)
	assert.Equal(t, part{"Stated in", "rubric.yaml:12"}, entries[3].Parts[0])
	for _, line := range []string{"value: 14 days\n", "- a month\n", "from: \"2026-01-01\"\n",
		"- shop\n"} {
		assert.Contains(t, entries[3].Parts[1].Text, line)
	}
}
