package lex

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseRatings(t *testing.T) {
	none, unread := []float64(nil), []float64{-1}
	for _, c := range []struct {
		reason, in string
		want       []float64
	}{
		{"numbers", "4|4.0|04| 4 |+4", []float64{4}},
		{"numbers of any scale", "-2", []float64{-2}},
		{"half points", "4.5|4.5/5|4.5 stars", []float64{4.5}},
		{"NPS", "10|10/10|10 out of 10|10 (promoter)", []float64{10}},
		{"shares", "80%|80 %", []float64{80}},
		{"a number of some", "4/5|4 / 5|4 of 5|4 out of 5", []float64{4}},
		{"stars in letters", "4 stars|4 Stars|4★|4 ⭐", []float64{4}},
		{"stars", "★★★☆☆|⭐⭐⭐|★★★|★ ★ ★ ☆ ☆|⭐️⭐️⭐️", []float64{3}},
		{"a number and its meaning", "4 - Satisfied|4: good|4 (happy)", []float64{4}},
		{"a meaning and its number", "Satisfied (4)|satisfied - 4|Satisfied: the reply came late",
			[]float64{4}},
		{"help desks: good", "Good|good|GOOD|good_with_comment|Good, I'm satisfied", []float64{5}},
		{"help desks: bad", "Bad|bad_with_comment|Bad (no answer)|Bad!", []float64{1}},
		{"help desks: not rated", "Offered|Unoffered|unoffered|Not rated||-|–|N/A|na|NaN|null|No" +
			"ne|☆☆☆☆☆", none},
		{"five levels: the best",
			"Very satisfied|very_satisfied|Very Satisfied.|Extremely satisfied", []float64{5}},
		{"five levels: the second", "Satisfied|somewhat satisfied", []float64{4}},
		{"five levels: the middle", "Neutral|neither satisfied nor dissatisfied|OK", []float64{3}},
		{"five levels: the fourth", "Dissatisfied|not satisfied|Unsatisfied", []float64{2}},
		{"five levels: the worst", "very dissatisfied|Very-dissatisfied", []float64{1}},
		{"smiling faces", "🙂|😀|😃|🙂 happy", []float64{4}},
		{"other faces", "😐", []float64{3}},
		{"sad faces", "🙁|☹️|☹", []float64{2}},
		{"angry faces", "😡|😠", []float64{1}},
		{"thumbs up", "👍|👍🏽|thumbs up|Thumbs_Up|up|true|TRUE|yes", []float64{5}},
		{"thumbs down", "👎|👎🏿|thumbs down|down|false|no", []float64{1}},
		{"several people", "3,5|3, 5|3 stars,5 stars", []float64{3, 5}},
		{"no rating at all", "call me back|2024-03-12|12:30|1-5|Inf|0x1p-2|1,,2|3,good luck|4 " +
			"apples|1e9|5 (2024)", unread},
		{"taken back", "happy, not|Good (not really)|Satisfied - no!|😀 not", unread},
		{"a word and why", "Bad, not one reply|bad - they never called", []float64{1}},
		{"of none", "5/0|0/0|5 of 00|3 out of 0|5/0 stars|5 / 0 (good)", unread},
		{"too long", strings.Repeat("9", 400), unread},
	} {
		for in := range strings.SplitSeq(c.in, "|") {
			got, ok := ParseRatings(in)
			if !ok {
				got = append(got, -1)
			}
			assert.Equal(t, c.want, got, "%s: %q", c.reason, in)
		}
	}
	for value, word := range Entries("ratings") {
		assert.Equal(t, FoldName(word), word, "a word is folded")
		_, ok := ParseRatings(word)
		assert.True(t, ok, "%s %s", value, word)
	}
}

// FuzzParseRatings checks that parsed ratings are finite, and that writing them as numbers and
// parsing those returns the same.
func FuzzParseRatings(f *testing.F) {
	for _, s := range []string{"4", "4/5", "★★☆", "Good, Bad", "3,4,,", "👍🏽", "5 - Very satisfied",
		"-", "\xff★", "9e999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, ok := ParseRatings(s)
		if !ok {
			assert.Nil(t, list)
			return
		}
		var again []string
		for _, v := range list {
			assert.False(t, math.IsInf(v, 0) || math.IsNaN(v))
			again = append(again, strconv.FormatFloat(v, 'f', -1, 64))
		}
		if text := strings.Join(again, ","); len(text) < 80 {
			same, ok := ParseRatings(text)
			assert.True(t, ok)
			assert.Equal(t, list, same)
		}
	})
}
