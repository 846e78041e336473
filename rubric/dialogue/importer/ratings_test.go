package importer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRatingLists reads the ratings of several people in a list of each dialogue.
func TestRatingLists(t *testing.T) {
	const in = `{"turns":[{"speaker":"user","text":"a"}],"marks":[{"by":"k","all":6},{"all":"5"}]}`
	opt := Options{Columns: map[string]string{"rating": "marks[].all"}}
	for s, err := range Read(strings.NewReader(in), "f", opt) {
		require.NoError(t, err)
		assert.Equal(t, []float64{6, 5}, s.Truth.Overall)
	}
}

// TestRatingColumns reads tables of chats with ratings in many forms: readable ratings are kept,
// and unreadable ones do not stop the reading.
func TestRatingColumns(t *testing.T) {
	for _, c := range []struct {
		column, given string
		opt           Options
		want, note    string
	}{
		{"CSAT", "5|2|", Options{}, "[5] [2] []", ""},
		{"Satisfaction rating", "Good|Bad|Unoffered", Options{}, "[5] [1] []", ""},
		{"CSAT score", "★★★★★|★★☆☆☆|☆☆☆☆☆", Options{}, "[5] [2] []", ""},
		{"NPS", "10|0|", Options{}, "[10] [0] []", ""},
		{"Customer satisfaction (1-5)", "Very satisfied|Neutral|", Options{}, "[5] [3] []",
			"f: id = Ticket ID, text = Message, speaker = Role, rating = Customer satisfaction " +
				"(1-5): 3 dialogues, 6 turns"},
		{"Thumbs", "👍|👎|", Options{}, "[5] [1] []", ""},
		{"Q1", "7|3|", Options{Columns: map[string]string{"rating": "q1"}}, "[7] [3] []", ""},
		{"CSAT", "5|see notes|7 cups", Options{}, "[5] [] []",
			`f: the ratings of 2 dialogues cannot be read and are left out; the first is "see ` +
				`notes" on line 4`},
		{"Satisfaction comment", "Good|Bad|Good", Options{}, "[] [] []",
			`f: not read: 1 column whose name suggests a comment or a rating: "Satisfaction comment"; ` +
				`--columns queue=NAME keeps one for --by queue, and rating=NAME reads ratings`},
	} {
		t.Run(c.column, func(t *testing.T) {
			var b strings.Builder
			fmt.Fprintf(&b, "Ticket ID;Role;Message;%s\n", c.column)
			for i, given := range strings.Split(c.given, "|") {
				fmt.Fprintf(&b, "%d;customer;Where is it?;%s\n%d;agent;On its way.;%s\n", i+1,
					given, i+1, given)
			}
			var got, notes []string
			c.opt.Note = func(s string) { notes = append(notes, s) }
			for s, err := range Read(strings.NewReader(b.String()), "f", c.opt) {
				require.NoError(t, err)
				require.Len(t, s.Dialogue.Turns, 2)
				got = append(got, fmt.Sprint(s.Truth.Overall))
			}
			assert.Equal(t, c.want, strings.Join(got, " "))
			assert.Equal(t, c.note, strings.Join(notes, "\n"))
		})
	}
}
