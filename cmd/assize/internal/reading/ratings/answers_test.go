package ratings_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/rubric"
)

// A column with the ID of a question has answers, which are no ratings.
func TestAnswersOfATable(t *testing.T) {
	type answers = map[string]rubric.Answer
	for _, tt := range []struct {
		reason, table string
		want          []answers // of the rated dialogues
		note          string
	}{
		{"all words", "id,resolved,verified-caller\n1,yes,N/A\n2,FALSE,1\n3,,0\n",
			[]answers{{"resolved": "yes", "verified-caller": "n/a"},
				{"resolved": "no", "verified-caller": "yes"}, {"verified-caller": "no"}}, ""},
		{"another spelling of the column", "id,Verified Caller\n1,Yes\n2,true\n",
			[]answers{{"verified-caller": "yes"}, {"verified-caller": "yes"}}, ""},
		{"beside a rating", "id,rating,resolved\n1,4,no\n2,3,\n", []answers{{"resolved": "no"}, nil},
			""},
		{"most of three count, and a tie does not", "id,rater,resolved\n1,a,yes\n1,b,no\n1,c,yes\n" +
			"2,a,yes\n2,b,no\n", []answers{{"resolved": "yes"}, {"resolved": ""}}, ""},
		{"unreadable", "id,resolved\n1,yes\n2,perhaps\n", []answers{{"resolved": "yes"}},
			`people.csv: not read: 1 rating: "perhaps" in row 3 (dialogue 2)`},
		{"unreadable, below a header of two lines", "id,resolved,\"a\nnote\"\n1,yes,\n2,perhaps,\n",
			[]answers{{"resolved": "yes"}},
			`people.csv: not read: 1 rating: "perhaps" in row 3 (dialogue 2)`},
		{"without a dialogue", "id,resolved\n1,yes\n77,no\n", []answers{{"resolved": "yes"}},
			"people.csv: not scored in the run: 1 rated dialogue 77"},
	} {
		f, err := ratings.ReadFile(strings.NewReader(tt.table), "people.csv", nil, nil, "resolved",
			"verified-caller")
		require.NoError(t, err, tt.reason)
		rated, notes, err := ratings.Collect(shopRun(t), []*ratings.File{f}, nil,
			ratings.DefaultScale)
		require.NoError(t, err, tt.reason)
		var got []answers
		for _, r := range rated {
			got = append(got, r.Answers)
		}
		assert.Equal(t, tt.want, got, tt.reason)
		if tt.note != "" {
			assert.Contains(t, notes, tt.note, tt.reason)
		}
	}

	_, err := ratings.ReadFile(strings.NewReader("id,resolved\n,yes\n"), "people.csv", nil, nil, "resolved")
	assert.EqualError(t, err, "people.csv:2: the id is empty; want the id of a dialogue")
	f, err := ratings.ReadFile(strings.NewReader("id,resolved\n77,yes\n"), "people.csv", nil, nil, "resolved")
	require.NoError(t, err)
	_, _, err = ratings.Collect(shopRun(t), []*ratings.File{f}, nil, ratings.DefaultScale)
	assert.ErrorContains(t, err, "no rating belongs to a dialogue of the run")
}
