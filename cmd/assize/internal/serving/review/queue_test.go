package review_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/showing/triage"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// The filters of the queue; of dialogues with the same turns, the first stands for all.
func TestFilter(t *testing.T) {
	s, _ := open(t, 10)
	all := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8"}
	for _, tt := range []struct {
		reason string
		f      review.Filter
		want   []string
	}{
		{"all", review.Filter{}, all},
		{"an agent", review.Filter{Agent: "Bob"}, []string{"1", "3", "5", "7"}},
		{"a queue", review.Filter{Queue: "refunds"}, []string{"2", "5", "8"}},
		{"both", review.Filter{Agent: "Bob", Queue: "refunds"}, []string{"5"}},
		{"days", review.Filter{From: "2024-05-03", To: "2024-05-05"}, []string{"2", "3", "4"}},
		{"words", review.Filter{Words: "never ridic"}, []string{"0", "3", "6"}},
		{"not all of the words", review.Filter{Words: "never friday"}, nil},
		{"no syntax", review.Filter{Words: `"never" OR "friday"`}, nil},
		{"a lone quote", review.Filter{Words: `never "`}, []string{"0", "3", "6"}},
		{"a file", review.Filter{Words: "EXPORT.csv never"}, []string{"0", "3", "6"}},
		{"the id and words of a repeat", review.Filter{Words: "9 never"}, []string{"0"}},
		{"a low score", review.Filter{Low: true, Criterion: rubric.Understanding},
			[]string{"0", "3", "6"}},
		{"a reason", review.Filter{Reason: "no-such-reason"}, nil},
		{"who rated", review.Filter{By: "ann"}, nil},
		{"low scores, unseen", review.Filter{Low: true, Blind: true, Reviewer: "ann"}, nil},
	} {
		assert.ElementsMatch(t, tt.want, names(t, s, tt.f), tt.reason)
		n, err := s.Count(t.Context(), tt.f)
		require.NoError(t, err)
		assert.Equal(t, len(tt.want), n.All, tt.reason)
	}
	worst := names(t, s, review.Filter{})
	assert.ElementsMatch(t, []string{"0", "3", "6"}, worst[:3], "the worst first")
	assert.Empty(t, names(t, s, review.Filter{Order: review.Differ}), "no model was asked")
	assert.Empty(t, names(t, s, review.Filter{Order: review.Failing}), "there is no scorecard")

	d := find(t, s, worst[4])
	for side, want := range map[string]string{"after": worst[5], "before": worst[3]} {
		next, err := s.Adjacent(t.Context(), review.Filter{}, d, side)
		require.NoError(t, err)
		assert.Equal(t, want, next.Name)
	}
	last, err := s.Adjacent(t.Context(), review.Filter{}, find(t, s, worst[8]), "after")
	require.NoError(t, err)
	assert.Nil(t, last)

	assert.Equal(t, 2, find(t, s, "0").Copies)
	assert.Zero(t, find(t, s, "9").Copies)
	assert.Equal(t, "0", find(t, s, string(find(t, s, "0").Identity)).Name)
	_, err = s.Find(t.Context(), review.Filter{}, "no such name")
	assert.ErrorIs(t, err, review.ErrUnknown)
	r, h, err := s.Record(t.Context(), find(t, s, "4").Entry)
	require.NoError(t, err)
	assert.Contains(t, r.Dialogue.Turns[0].Text, "parcel 4")
	assert.Equal(t, rules.Header(importer.Options{}).Lexicon, h.Lexicon)
	_, _, err = s.Record(t.Context(), 99)
	assert.ErrorIs(t, err, review.ErrUnknown)

	for column, want := range map[string][]review.Choice{
		"agent": {{Value: "Ann", Count: 5}, {Value: "Bob", Count: 4}},
		"queue": {{Value: "parcels", Count: 6}, {Value: "refunds", Count: 3}},
	} {
		got, err := s.Choices(t.Context(), column, review.Filter{})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	reasons, err := s.Choices(t.Context(), "reason", review.Filter{})
	require.NoError(t, err)
	require.NotEmpty(t, reasons)
	assert.Len(t, names(t, s, review.Filter{Reason: reasons[0].Value}), reasons[0].Count)
	hidden, err := s.Choices(t.Context(), "reason", review.Filter{Blind: true, Reviewer: "ann"})
	require.NoError(t, err)
	assert.Empty(t, hidden, "they would reveal the scores")
}

// The order of the random sample is that of a sheet, with triage's default seed; and the last
// dialogue, whose words are the first's, is found by its id.
func TestSheetAndQueueMeet(t *testing.T) {
	s, path := open(t, 40)
	c, err := corpus.Open(t.Context(), &console.Console{Err: io.Discard, Out: io.Discard},
		corpus.Options{Command: "triage", Paths: []string{path}, Jobs: 1})
	require.NoError(t, err)
	sheet, err := (&triage.Ranker{Corpus: c, Agents: heuristics.New(),
		Draw: triage.Draw{N: 12, Seed: 1}}).Rank(t.Context())
	require.NoError(t, err)
	var drawn []string
	for _, r := range sheet.Worst {
		drawn = append(drawn, r.Name)
	}
	require.Len(t, drawn, 12)
	assert.Equal(t, drawn, names(t, s, review.Filter{Order: review.Shuffled})[:12])
	rate(t, s, "ann", "39", 4, nil)
	rate(t, s, "ann", "38", 4, nil)
	assert.Equal(t, []string{"39"}, names(t, s, review.Filter{By: "ann", Words: "39"}))
}

// The states of the queue as ann and ben rate.
func TestStates(t *testing.T) {
	s, _ := open(t, 6)
	counts := func(who string, twice float64) review.Counts {
		c, err := s.Count(t.Context(), review.Filter{Reviewer: who, Twice: twice})
		require.NoError(t, err)
		for state, n := range map[review.State]int{review.Todo: c.Todo, review.Done: c.Done,
			review.Flagged: c.Flagged, review.Second: c.Second, review.All: c.All} {
			assert.Len(t, names(t, s, review.Filter{State: state, Reviewer: who, Twice: twice}), n,
				"%s of %s", state, who)
			assert.Equal(t, n, c.Of(state))
		}
		return c
	}
	assert.Equal(t, review.Counts{Todo: 5, All: 5, Copies: 1}, counts("ann", 0))
	rate(t, s, "ann", "1", 4, nil)
	rate(t, s, "ann", "2", 0, func(r *run.Review) { r.Flag = true })
	rate(t, s, "ben", "3", 2, nil)
	assert.Equal(t, review.Counts{Todo: 3, Done: 1, Flagged: 1, Second: 1, All: 5, Copies: 1}, counts("ann", 0))
	assert.Equal(t, review.Counts{Todo: 3, Done: 1, Flagged: 1, Second: 1, All: 5, Copies: 1}, counts("ben", 0))
	assert.Equal(t, review.Counts{Todo: 4, Done: 1, Flagged: 1, Second: 1, All: 5, Copies: 1}, counts("ann", 1),
		"if everything is rated twice, ann has the one of ben to do")
	left := counts("ann", 1)
	assert.Equal(t, 4, left.Left(review.Todo))
	assert.Equal(t, 1, left.Left(review.Second))
	rate(t, s, "ann", "2", 3, nil)
	assert.Equal(t, review.Counts{Todo: 2, Done: 2, Second: 1, All: 5, Copies: 1}, counts("ann", 0),
		"the last review counts, and it has no flag")

	assert.Equal(t, []string{"3"}, names(t, s, review.Filter{By: "ben"}))
	d := find(t, s, "3")
	assert.Equal(t, []string{"ben"}, d.Others)
	assert.Equal(t, []int{0, 1}, []int{d.Mine, d.Reviewers})
	d = find(t, s, "1")
	assert.Equal(t, []int{4, 1}, []int{d.Mine, d.Reviewers})
	all, different, err := s.Rated(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []int{3, 3}, []int{all, different})
	p, err := s.Progress(t.Context())
	require.NoError(t, err)
	require.Len(t, p, 2)
	assert.Equal(t, "ann", p[0].Name)
	assert.Equal(t, 2, p[0].Rated)

	err = s.Save(t.Context(), &run.Review{Identity: "none", Reviewer: "ann", Satisfaction: 1})
	assert.ErrorIs(t, err, review.ErrUnknown)
}

// A blind reviewer sees no scores before having rated, and can find nothing by them.
func TestBlind(t *testing.T) {
	s, _ := open(t, 6)
	blind := review.Filter{Blind: true, Reviewer: "ann"}
	rate(t, s, "ann", "3", 4, nil)
	list, err := s.List(t.Context(), blind, 0, 100)
	require.NoError(t, err)
	for _, d := range list {
		assert.Equal(t, d.Name != "3", d.Hidden, d.Name)
		assert.Equal(t, d.Name == "3", d.Scored(), d.Name)
		assert.Equal(t, d.Name == "3", d.Satisfaction > 0, d.Name)
		assert.Equal(t, d.Name == "3", d.Why != "", d.Name)
		assert.Equal(t, d.Hidden, d.Values()["status"] == "hidden", d.Name)
	}
	blind.Low, blind.Criterion = true, rubric.Understanding
	assert.Equal(t, []string{"3"}, names(t, s, blind))

	card, err := rubric.Parse("rubric.yaml", []byte("questions: "+
		"[{id: found, ask: Was it found?, yes: {system: [found it]}}]"))
	require.NoError(t, err)
	s = openRun(t, shopJudgedBy(t, 6, judge.New(heuristics.New(), judge.Options{Rubric: card,
		Profile: satisfaction.DefaultProfile()})))
	found := review.Filter{Answer: "found: yes"}
	assert.ElementsMatch(t, []string{"1", "2", "4"}, names(t, s, found))
	found.Blind, found.Reviewer = true, "ann"
	assert.Empty(t, names(t, s, found))
}
