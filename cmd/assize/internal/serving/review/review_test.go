package review_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
