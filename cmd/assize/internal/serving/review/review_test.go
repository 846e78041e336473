package review_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

var rules = judge.New(heuristics.New(), judge.Options{Rubric: rubric.Default(),
	Profile: satisfaction.DefaultProfile()})

// shop writes a run of dialogues 0 to n-1 about parcels and returns its path. Every third goes
// wrong, and the last has the turns of the first.
func shop(t *testing.T, n int) string {
	t.Helper()
	return shopJudgedBy(t, n, rules)
}

// shopJudgedBy is like shop with another judge.
func shopJudgedBy(t *testing.T, n int, rules *judge.Judge) string {
	t.Helper()
	export := filepath.Join(t.TempDir(), "export.csv")
	f, err := os.Create(export)
	require.NoError(t, err)
	w := csv.NewWriter(f)
	w.Write([]string{"id", "speaker", "text", "agent", "queue", "created_at"})
	for i := range n {
		of := i % (n - 1)
		thing := []string{"red", "green", "large", "small", "used", "new", "blue"}[of%7] + " " +
			[]string{"phone", "lamp", "table", "coat", "book", "ticket", "bike", "chair", "watch",
				"bag", "camera"}[of%11]
		lines := []string{fmt.Sprint("Where is parcel ", of, ", the ", thing, " that I ordered?"),
			"I have found it. It will come on Friday.", "Great, thank you so much!"}
		if of%3 == 0 {
			lines = []string{fmt.Sprint("Parcel ", of, ", the ", thing, ", never came and I waited for weeks."),
				"What is your order number?", "I told you already. This is ridiculous.",
				"Sorry, I do not understand.", "Useless. I want to talk to a human."}
		}
		for j, l := range lines {
			w.Write([]string{fmt.Sprint(i), []string{"user", "agent"}[j%2], l,
				[]string{"Ann", "Bob"}[of%2], []string{"parcels", "refunds"}[of%3/2],
				fmt.Sprintf("2024-05-%02d", 1+of)})
		}
	}
	w.Flush()
	require.NoError(t, f.Close())
	path := filepath.Join(t.TempDir(), "run.jsonl")
	h := rules.Header(importer.Options{})
	to, err := run.Create(path, &h)
	require.NoError(t, err)
	for it := range source.Read(nil, []string{export}, importer.Options{}) {
		require.NoError(t, it.Err)
		it.Sample.Source.File = "export.csv"
		r, err := rules.Judge(t.Context(), it.Sample)
		require.NoError(t, err)
		require.NoError(t, to.Add(r))
	}
	require.NoError(t, to.Close())
	require.NoError(t, to.Release())
	return path
}

// fill reads runs into a store.
func fill(t *testing.T, s *review.Store, runs ...string) error {
	t.Helper()
	c, err := corpus.Open(t.Context(), &console.Console{Err: io.Discard, Out: io.Discard},
		corpus.Options{Command: "review", Paths: runs, Jobs: 1})
	require.NoError(t, err)
	return s.Fill(t.Context(), c)
}

// open returns a store of one run of n dialogues, and the run.
func open(t *testing.T, n int) (*review.Store, string) {
	t.Helper()
	path := shop(t, n)
	return openRun(t, path), path
}

// openRun returns a store of a run.
func openRun(t *testing.T, path string) *review.Store {
	t.Helper()
	s, err := review.Open(review.Path(path))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	require.NoError(t, fill(t, s, path))
	return s
}

// names lists the names of the dialogues that match a filter.
func names(t *testing.T, s *review.Store, f review.Filter) (list []string) {
	t.Helper()
	found, err := s.List(t.Context(), f, 0, 100)
	require.NoError(t, err)
	for _, d := range found {
		list = append(list, d.Name)
	}
	return list
}

// find returns the only dialogue with a name, as ann sees it.
func find(t *testing.T, s *review.Store, name string) *review.Dialogue {
	t.Helper()
	list, err := s.Find(t.Context(), review.Filter{Reviewer: "ann"}, name)
	require.NoError(t, err)
	require.Len(t, list, 1)
	return &list[0]
}

// rate saves a review, and changes it before if change is not nil.
func rate(t *testing.T, s *review.Store, who, name string, stars int, change func(*run.Review)) {
	t.Helper()
	r := run.Review{Identity: find(t, s, name).Identity, Reviewer: who, Satisfaction: stars,
		At: time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)}
	if change != nil {
		change(&r)
	}
	require.NoError(t, s.Save(t.Context(), &r))
}

func TestPath(t *testing.T) {
	assert.Equal(t, "a/run.review.sqlite", review.Path("a/run.jsonl"))
}

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
	for back, want := range map[bool]string{false: worst[5], true: worst[3]} {
		next, err := s.Adjacent(t.Context(), review.Filter{}, d, back)
		require.NoError(t, err)
		assert.Equal(t, want, next.Name)
	}
	last, err := s.Adjacent(t.Context(), review.Filter{}, find(t, s, worst[8]), false)
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
	assert.Equal(t, review.Counts{Todo: 5, All: 5}, counts("ann", 0))
	rate(t, s, "ann", "1", 4, nil)
	rate(t, s, "ann", "2", 0, func(r *run.Review) { r.Flag = true })
	rate(t, s, "ben", "3", 2, nil)
	assert.Equal(t, review.Counts{Todo: 3, Done: 1, Flagged: 1, Second: 1, All: 5}, counts("ann", 0))
	assert.Equal(t, review.Counts{Todo: 3, Done: 1, Flagged: 1, Second: 1, All: 5}, counts("ben", 0))
	assert.Equal(t, review.Counts{Todo: 4, Done: 1, Flagged: 1, Second: 1, All: 5}, counts("ann", 1),
		"if everything is rated twice, ann has the one of ben to do")
	left := counts("ann", 1)
	assert.Equal(t, 4, left.Left(review.Todo))
	assert.Equal(t, 1, left.Left(review.Second))
	rate(t, s, "ann", "2", 3, nil)
	assert.Equal(t, review.Counts{Todo: 2, Done: 2, Second: 1, All: 5}, counts("ann", 0),
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

// A review can be withdrawn, so that the one before it counts, and taken back until another review
// follows.
func TestUndo(t *testing.T) {
	s, _ := open(t, 4)
	mine := func() int { return find(t, s, "1").Mine }
	_, err := s.Undo(t.Context(), "ann", "", false)
	assert.ErrorIs(t, err, review.ErrUnknown, "there is nothing to withdraw")
	rate(t, s, "ann", "1", 2, nil)
	rate(t, s, "ann", "1", 5, nil)
	rate(t, s, "ben", "1", 3, nil)
	for _, tt := range []struct {
		undo  bool
		stars int // of the review; 0 for ErrUnknown
		mine  int
	}{{false, 0, 5}, {true, 5, 2}, {true, 2, 0}, {true, 0, 0}, {false, 2, 2}, {false, 5, 5},
		{false, 0, 5}, {true, 5, 2}} {
		r, err := s.Undo(t.Context(), "ann", "", !tt.undo)
		if tt.stars == 0 {
			assert.ErrorIs(t, err, review.ErrUnknown)
		} else {
			require.NoError(t, err)
			assert.Equal(t, tt.stars, r.Satisfaction)
			assert.Equal(t, "1", r.Name)
		}
		assert.Equal(t, tt.mine, mine())
	}
	rate(t, s, "ann", "2", 1, nil)
	_, err = s.Undo(t.Context(), "ann", "", true)
	assert.ErrorIs(t, err, review.ErrUnknown, "another review followed")
	assert.Equal(t, 2, mine())
	older := find(t, s, "1").Identity
	for _, back := range []bool{true, false, true} { // whatever was said of others later
		_, err = s.Undo(t.Context(), "ann", older, back)
		require.NoError(t, err)
		assert.Equal(t, map[bool]int{true: 5, false: 2}[back], mine())
		assert.Equal(t, 1, find(t, s, "2").Mine)
	}
	_, err = s.Undo(t.Context(), "ann", find(t, s, "3").Identity, false)
	assert.ErrorIs(t, err, review.ErrUnknown, "no review of it, and none of another is touched")
	reviews, err := s.Reviews(t.Context(), "")
	require.NoError(t, err)
	assert.Len(t, reviews, 3, "the review of ben was never touched")
}

// A run that was changed, left out or added makes the index out of date; reviews stay.
func TestChanged(t *testing.T) {
	s, path := open(t, 4)
	changed := func(files ...string) []string {
		list, err := s.Changed(t.Context(), files)
		require.NoError(t, err)
		return list
	}
	other := shop(t, 6)
	assert.Empty(t, changed(path))
	assert.Equal(t, []string{other}, changed(path, other))
	assert.Equal(t, []string{path}, changed())
	rate(t, s, "ann", "1", 2, nil)
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(1, 0)))
	assert.Equal(t, []string{path}, changed(path))

	apart := func() int {
		n, err := s.Apart(t.Context())
		require.NoError(t, err)
		return n
	}
	gone := shop(t, 2) // has dialogue 0 and its copy only
	assert.Zero(t, apart())
	require.NoError(t, fill(t, s, gone))
	assert.Empty(t, changed(gone))
	assert.Equal(t, 1, apart())
	assert.Equal(t, []string{"0"}, names(t, s, review.Filter{}))
	require.NoError(t, fill(t, s, path))
	assert.Zero(t, apart())
	assert.Equal(t, 2, find(t, s, "1").Mine, "it counts again")
}

// A deleted dialogue is gone from the run, the index and the reviews, and does not return.
func TestDelete(t *testing.T) {
	s, path := open(t, 5)
	rate(t, s, "ann", "1", 2, nil)
	identity := find(t, s, "1").Identity
	require.NoError(t, s.Delete(t.Context(), find(t, s, "1")))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "parcel 1,")
	assert.Contains(t, string(text), "parcel 2,")
	assert.ElementsMatch(t, []string{"0", "2", "3"}, names(t, s, review.Filter{}))
	reviews, err := s.Reviews(t.Context(), "")
	require.NoError(t, err)
	assert.Empty(t, reviews)
	changed, err := s.Changed(t.Context(), []string{path})
	require.NoError(t, err)
	assert.Empty(t, changed, "the index knows what it did itself")
	require.NoError(t, fill(t, s, shop(t, 5)))
	assert.ElementsMatch(t, []string{"0", "2", "3"}, names(t, s, review.Filter{}))
	deleted, err := review.Deleted(review.Path(path))
	require.NoError(t, err)
	assert.Equal(t, map[run.Identity]bool{identity: true}, deleted)
	deleted, err = review.Deleted(filepath.Join(t.TempDir(), "none.sqlite"))
	require.NoError(t, err)
	assert.Nil(t, deleted)
}

// The table of ratings has a row for each review that says something.
func TestRatings(t *testing.T) {
	s, _ := open(t, 4)
	rate(t, s, "ann", "1", 4, func(r *run.Review) {
		r.Verdicts = map[rubric.Criterion]run.Verdict{rubric.Empathy: {Level: 60}}
		r.Note, r.Flag = "=1+1, see", true
	})
	rate(t, s, "ben", "2", 0, nil) // empty
	rate(t, s, "ben", "0", 0, func(r *run.Review) {
		r.Answers = map[string]run.Opinion{"greeted": {Answer: rubric.Yes}}
	})
	var w bytes.Buffer
	require.NoError(t, s.Ratings(t.Context(), &w, nil))
	cells, err := csv.NewReader(&w).ReadAll()
	require.NoError(t, err)
	require.Len(t, cells, 3)
	row := func(i int) map[string]string {
		m := map[string]string{}
		for j, name := range cells[0] {
			if cells[i][j] != "" {
				m[name] = cells[i][j]
			}
		}
		return m
	}
	got := row(1)
	assert.Contains(t, got["note"], "1+1, see")
	delete(got, "note")
	assert.Equal(t, map[string]string{"dialogue_id": "1", "file": "export.csv", "rating": "4",
		"rater": "ann", "at": "2024-06-01T12:00:00Z", "Empathy": "3", "flag": "yes",
		"identity": string(find(t, s, "1").Identity)}, got)
	assert.Equal(t, "yes", row(2)["greeted"])
	assert.NotContains(t, row(2), "rating")

	w.Reset()
	require.NoError(t, s.Ratings(t.Context(), &w, func(r *run.Review) bool {
		return r.Reviewer == "ann"
	}))
	assert.Equal(t, 2, strings.Count(w.String(), "\n"))
}

// Ratings that were not saved in the store are never overwritten.
func TestWriteRatings(t *testing.T) {
	s, _ := open(t, 4)
	path := filepath.Join(t.TempDir(), "ratings.csv")
	require.NoError(t, s.WriteRatings(t.Context(), ""))
	rate(t, s, "ann", "1", 4, nil)
	require.NoError(t, s.WriteRatings(t.Context(), path))
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	rate(t, s, "ann", "1", 2, nil)
	require.NoError(t, s.WriteRatings(t.Context(), path), "its own earlier ratings")
	second, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotEqual(t, first, second)
	for reason, text := range map[string]string{
		"another rating": strings.Replace(string(second), ",2,ann,", ",3,ann,", 1),
		"another person": strings.Replace(string(second), ",ann,", ",eve,", 1),
		"another table":  "dialogue_id,rating\n1,4\n",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		assert.ErrorContains(t, s.WriteRatings(t.Context(), path),
			path+": contains more than the ratings in ", reason)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(after), reason)
	}
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	require.NoError(t, s.WriteRatings(t.Context(), path), "an empty file")
}

// The learner needs ratings, ranks by what was accepted, and forgets it on request.
func TestLearner(t *testing.T) {
	s, path := open(t, 61)
	ratings := filepath.Join(filepath.Dir(path), "ratings.csv")
	profile := filepath.Join(filepath.Dir(path), "profile.json")
	l := review.NewLearner(s, heuristics.New(), ratings, profile)
	defer l.Close()
	wait := func() review.Learning {
		require.Eventually(t, func() bool { return l.State().Doing == "" }, 2*time.Minute,
			time.Millisecond)
		return l.State()
	}
	l.Accept()
	assert.Equal(t, review.Learning{}, l.State(), "nothing was learnt")
	l.Learn()
	state := wait()
	assert.NotEmpty(t, state.Failed, "nobody rated")
	assert.Nil(t, state.Result)
	l.Stop()
	assert.Empty(t, l.State().Failed)

	before := names(t, s, review.Filter{})
	for i := range 60 { // contrary to the rules
		stars := 1 + i%2
		if i%3 == 0 {
			stars = 5 - i%2
		}
		rate(t, s, "ann", fmt.Sprint(i), stars, nil)
	}
	l.Learn()
	state = wait()
	require.Empty(t, state.Failed)
	require.NotNil(t, state.Result)
	assert.Equal(t, before, names(t, s, review.Filter{}), "it is not accepted yet")
	l.Accept()
	state = wait()
	assert.Equal(t, review.Learning{}, state)
	after := names(t, s, review.Filter{})
	for i, name := range after {
		n := 0
		fmt.Sscan(name, &n)
		assert.Equal(t, i >= 40, n%3 == 0, "those that go wrong were rated best: %s", name)
	}
	assert.FileExists(t, ratings)
	assert.FileExists(t, profile)
	require.NotNil(t, s.Profile())
	h := rules.Header(importer.Options{})
	assert.Equal(t, *s.Profile(), review.ProfileOf(s.Profile(), &h))
	assert.Equal(t, h.Basis.Profile, review.ProfileOf(nil, &h))
	h.Lexicon = "another"
	assert.Equal(t, h.Basis.Profile, review.ProfileOf(s.Profile(), &h))

	again, err := review.Open(review.Path(path))
	require.NoError(t, err)
	assert.NotNil(t, again.Profile(), "the store keeps it")
	require.NoError(t, again.Close())
	require.NoError(t, fill(t, s, path))
	assert.Equal(t, after, names(t, s, review.Filter{}), "also when the runs are read again")

	l.Reset()
	assert.Equal(t, review.Learning{}, wait())
	assert.Nil(t, s.Profile())
	assert.Equal(t, before, names(t, s, review.Filter{}))
	assert.NoFileExists(t, profile)
}

// An accepted profile is on disk before Accept returns. If the program ends before the queue is
// ranked by it, the next one ranks it; if ranking is stopped, the earlier order stays.
func TestAnAcceptedProfileIsKept(t *testing.T) {
	s, path := open(t, 61)
	profile := filepath.Join(filepath.Dir(path), "profile.json")
	l := review.NewLearner(s, heuristics.New(), filepath.Join(filepath.Dir(path), "ratings.csv"),
		profile)
	for i := range 60 { // contrary to the rules
		stars := 1 + i%2
		if i%3 == 0 {
			stars = 5 - i%2
		}
		rate(t, s, "ann", fmt.Sprint(i), stars, nil)
	}
	l.Learn()
	require.Eventually(t, func() bool { return l.State().Result != nil }, 2*time.Minute,
		time.Millisecond)
	learnt := l.State().Result.Profile
	before := names(t, s, review.Filter{})

	// Stopped after it was kept, as by a program that is killed: its store is copied then.
	ctx, stop := context.WithCancel(t.Context())
	copied := filepath.Join(t.TempDir(), "copy.review.sqlite")
	err := s.Accept(ctx, &learnt, func() {
		for _, end := range []string{"", "-wal"} {
			data, err := os.ReadFile(review.Path(path) + end)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(copied+end, data, 0o666))
		}
		stop()
	}, func(int, int) {})
	require.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, s.Profile())
	assert.Equal(t, before, names(t, s, review.Filter{}))
	changed, err := s.Changed(t.Context(), []string{path})
	require.NoError(t, err)
	assert.Empty(t, changed)
	again, err := review.Open(review.Path(path))
	require.NoError(t, err)
	assert.Nil(t, again.Profile())
	require.NoError(t, again.Close())

	killed, err := review.Open(copied)
	require.NoError(t, err)
	defer killed.Close()
	assert.Equal(t, learnt.File(), killed.Profile().File())
	changed, err = killed.Changed(t.Context(), []string{path})
	require.NoError(t, err)
	assert.Equal(t, []string{path}, changed, "the queue is still to be ranked")
	require.NoError(t, fill(t, killed, path))
	assert.NotEqual(t, before, names(t, killed, review.Filter{}))

	l.Accept()
	written, err := os.ReadFile(profile)
	require.NoError(t, err, "Accept has returned, and ranking may go on")
	assert.Equal(t, learnt.File(), written)
	l.Close()
}

// The random sample grows in steps of ten, from the start of the shuffled order.
func TestSample(t *testing.T) {
	s, _ := open(t, 31)
	shuffled := names(t, s, review.Filter{Order: review.Shuffled})
	require.Len(t, shuffled, 30)
	says := func() string {
		p, err := s.Sample(t.Context(), review.Filter{})
		require.NoError(t, err)
		assert.Equal(t, 30, p.All)
		return p.String()
	}
	drawn := func() int {
		var w bytes.Buffer
		require.NoError(t, s.Ratings(t.Context(), &w, nil))
		cells, err := csv.NewReader(&w).ReadAll()
		require.NoError(t, err)
		n := 0
		for _, row := range cells[1:] {
			if row[len(row)-2] != "" {
				n++
			}
		}
		return n
	}
	assert.Contains(t, says(), "; 0 are rated so far.")
	for i, name := range shuffled {
		rate(t, s, "ann", name, 3, nil)
		switch i + 1 {
		case 9:
			assert.Zero(t, drawn())
		case 10, 19:
			assert.Equal(t, 10, drawn())
		}
	}
	assert.Equal(t, "All 30 scored dialogues are rated.", says())
	assert.Equal(t, 30, drawn())
	p, err := s.Sample(t.Context(), review.Filter{By: "ann"})
	require.NoError(t, err)
	assert.Zero(t, p.All, "ann chose what she rated")
}

func TestOverview(t *testing.T) {
	s, _ := open(t, 10)
	rate(t, s, "ann", "1", 4, nil)
	o, err := s.Overview(t.Context(), review.Filter{})
	require.NoError(t, err)
	assert.Equal(t, []int{9, 8}, []int{o.Dialogues, o.Unrated})
	assert.Equal(t, 9, o.Scored)
	o, err = s.Overview(t.Context(), review.Filter{Agent: "Bob"})
	require.NoError(t, err)
	assert.Equal(t, []int{4, 3}, []int{o.Dialogues, o.Unrated})

	themes, err := s.Themes(t.Context(), review.Filter{}, 2, 1)
	require.NoError(t, err)
	require.Len(t, themes, 2)
	assert.GreaterOrEqual(t, themes[0].Dialogues, themes[1].Dialogues)
	for _, theme := range themes {
		require.Len(t, theme.Examples, 1, theme.Reason)
		assert.NotEmpty(t, theme.Examples[0].Said)
	}
	assert.NotEqual(t, themes[0].Examples[0].Name, themes[1].Examples[0].Name)

	steps := review.Steps()
	assert.Equal(t, "1.00 to 1.49", steps[0].String())
	assert.Equal(t, "4.50 to 5.00", steps[7].String())
	n := 0
	for _, step := range steps {
		n += len(names(t, s, review.Filter{Satisfaction: step}))
	}
	assert.Equal(t, 9, n, "each dialogue is in one step")
}

// With redaction, the index has no personal data, and the run keeps it.
func TestRedacted(t *testing.T) {
	path := shop(t, 4)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	s, err := review.Open(review.Path(path))
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, fill(t, s, path))
	s.Redact = true
	changed, err := s.Changed(context.Background(), []string{path})
	require.NoError(t, err)
	assert.Contains(t, changed, path, "what was read without redaction is read again")
	require.NoError(t, fill(t, s, path))
	changed, err = s.Changed(context.Background(), []string{path})
	require.NoError(t, err)
	assert.Empty(t, changed)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, text, after)
}
