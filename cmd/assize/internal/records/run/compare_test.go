package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

func TestDifferences(t *testing.T) {
	model := func(change func(*localllm.Identity)) func(*run.Header) {
		return func(h *run.Header) {
			id := localllm.Identity{Name: "tiny:latest", Digest: strings.Repeat("a", 64),
				Options: localllm.Settings{NumCtx: 6144}}
			if change != nil {
				change(&id)
			}
			h.Model = &id
		}
	}
	for _, tt := range []struct {
		reason   string
		was, now func(*run.Header)
		want     []string
	}{
		{"nothing differs", nil, nil, nil},
		{"a mapping is told once", nil, func(h *run.Header) {
			h.Basis.Rubric.Mapping = 1 - h.Basis.Rubric.Mapping
			h.Configuration.Mapping = "nearest"
		}, []string{"rubric.mapping: down, nearest"}},
		{"a weight", nil,
			func(h *run.Header) { h.Basis.Rubric.Weights[0], h.Basis.Rubric.Weights[1] = 15, 40 },
			[]string{"rubric.weights.TaskSuccess: 40, 15", "rubric.weights.Helpfulness: 15, 40"}},
		{"options", nil,
			func(h *run.Header) { h.Configuration.Redacted = true },
			[]string{"configuration.redacted: false, true"}},
		{"who is who", nil, func(h *run.Header) {
			h.Configuration.SystemNames, h.Configuration.Roles = []string{"Bot"},
				map[string]string{"Ann": "OTHER"}
		}, []string{"configuration.roles.Ann: USER, OTHER", "configuration.roles.Bot: SYSTEM, ",
			"configuration.system_names.0: , Bot"}},
		{"the lexicon and the program", nil,
			func(h *run.Header) { h.Lexicon, h.Program = strings.Repeat("0", 64), "v9" },
			[]string{"program: v1.2.3, v9", "lexicon: bb, " + strings.Repeat("0", 64)}},
		{"a model where there was none", nil, model(nil), []string{"model.name: , tiny:latest"}},
		{"another model", model(nil),
			model(
				func(id *localllm.Identity) { id.Digest, id.Options.NumCtx = strings.Repeat("b", 64), 4096 }),
			[]string{"model.digest: " + strings.Repeat("a", 64) + ", " + strings.Repeat("b", 64),
				"model.options.num_ctx: 6144, 4096"}},
	} {
		was, now := header(), header()
		if tt.was != nil {
			tt.was(&was)
		}
		if tt.now != nil {
			tt.now(&now)
		}
		var got []string
		for _, d := range was.Differences(now) {
			got = append(got, fmt.Sprintf("%s: %s, %s", d.What, d.A, d.B))
		}
		assert.Equal(t, tt.want, got, tt.reason)
	}
}

func TestDiffOfNumbers(t *testing.T) {
	for _, tt := range []struct {
		reason, was, now string
		want             string // the message of the difference
	}{
		{"other digits", "84.0", "84.00", "has other white space, escapes, digits or order than in " +
			"a run; all its values are right"},
		{"an exponent", "100", "1e2", "has other white space, escapes, digits or order than in " +
			"a run; all its values are right"},
		{"another number", "84.0", "84.5", "is 84.0; its evidence yields 84.5"},
		{"integers above 2^53", "9007199254740993", "9007199254740992",
			"is 9007199254740993; its evidence yields 9007199254740992"},
	} {
		list := run.Diff([]byte(`{"n":`+tt.was+`}`), []byte(`{"n":`+tt.now+`}`), "its evidence yields")
		if assert.Len(t, list, 1, tt.reason) {
			assert.Equal(t, tt.want, list[0].Message, tt.reason)
		}
	}
}

// A learned profile has a weight for each word; its digest says that they differ.
func TestDifferencesOfProfiles(t *testing.T) {
	was, now := header(), header()
	weights := map[string]satisfaction.Millionths{}
	for i := range 1000 {
		weights[fmt.Sprint("word", i)] = satisfaction.Millionths(i + 1)
	}
	now.Basis.Profile.Linear = satisfaction.NewLinear(
		map[string]map[string]satisfaction.Millionths{"USER": weights})
	now.Program = "v9"
	assert.Equal(t, []run.Change{{What: "program", A: "v1.2.3", B: "v9"}, {What: "profile",
		A: was.Basis.Profile.Digest(), B: now.Basis.Profile.Digest()}}, was.Differences(now))
	now = header()
	now.Basis.Profile.Line = &satisfaction.Line{Intercept: 3_000_000, Slope: 300_000}
	assert.Equal(t, []run.Change{{What: "profile.line.intercept", A: "3.15", B: "3"}},
		was.Differences(now), "a few values are shown")
}

// A phrase more or less would move everything after it, so items are named instead.
func TestDifferencesOfScorecards(t *testing.T) {
	asking := func(ids ...string) (h run.Header) {
		for _, id := range ids {
			id, ask, _ := strings.Cut(id, " ")
			h.Basis.Rubric.Questions = append(h.Basis.Rubric.Questions,
				rubric.Question{ID: id, Ask: ask, Yes: &rubric.Pattern{
					System: []rubric.Phrase{{Text: "yes"}}}})
		}
		return h
	}
	for _, tt := range []struct {
		a, b []string
		want []run.Change
	}{
		{[]string{"x", "y"}, []string{"x", "y"}, nil},
		{nil, []string{"x", "y"}, []run.Change{{What: "rubric.questions", B: "2 more: x, y"}}},
		{[]string{"x", "y", "z"}, []string{"v", "w", "u", "y 2"},
			[]run.Change{{What: "rubric.questions", A: "2 more: x, z; 1 changed: y",
				B: "3 more: v, w, u; 1 changed: y"}}},
		{[]string{"x", "y"}, []string{"y", "x"},
			[]run.Change{{What: "rubric.questions", B: "another order"}}},
	} {
		assert.Equal(t, tt.want, asking(tt.a...).Differences(asking(tt.b...)))
	}
	shown := asking("x")
	shown.Basis.Rubric.Questions[0].Hit = rubric.Dialogues{{Text: "SYSTEM: Yes."}}
	assert.Empty(t, shown.Differences(asking("x")), "examples decide nothing")
}
