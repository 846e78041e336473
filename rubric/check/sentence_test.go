package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamedScores(t *testing.T) {
	for _, tt := range []struct {
		reason, sentence string
		want             []int
	}{
		{"score of", "The goal is met, hence a score of 80.", []int{80}},
		{"score with a colon", "Score: 60, since it is slow.", []int{60}},
		{"rating of", "This leads to a rating of 100.", []int{100}},
		{"of a hundred", "All in all 80/100.", []int{80}},
		{"of a hundred, with spaces", "All in all 80 / 100 points.", []int{80}},
		{"out of a hundred", "I give 60 out of 100.", []int{60}},
		{"maps to", "The average maps to 100 using specified weights.", []int{100}},
		{"rounds to", "The average rounds to 40 per the mapping.", []int{40}},
		{"rounded down to", "The average of 93.00 is rounded down to 80.", []int{80}},
		{"a sum",
			"100*0.40 + 80*0.15 + 60*0.15 + 80*0.10 + 80*0.10 + 100*0.10 = 87.00, rounded down to 80.",
			[]int{80}},
		{"two, each once",
			"A score of 80; again a score of 80, that is 80/100, but Fluency has a rating of 60.",
			[]int{80, 60}},
		{"off the scale", "A score of 90 is fair.", []int{90}},

		{"people", "It books a table for 80 people.", nil},
		{"pounds", "It is found at 60 pounds, £60 or $80.", nil},
		{"percent", "It scores 80% and scored 60 percent.", nil},
		{"goals", "The team scored 80 goals.", nil},
		{"a price that maps to nothing", "The hotel is rated at £80 a night.", nil},
		{"times", "It leaves at 10:40 and the score of 10:40 is late.", nil},
		{"decades", "It likes the 80s and 90s.", nil},
		{"quotes", `The USER wants "a score of 80".`, nil},
		{"quotes of ours", `It is fair: USER: "rated 60", SYSTEM: "→ 80".`, nil},
		{"another scale", "A score of 4/5, that is 80/5.", nil},
		{"small numbers", "It scores 4.", nil},
		{"decimals", "A score of 88.50 and a score of 98.00.", nil},
		{"an average", "A weighted score of 88 and an average score of 90.", nil},
		{"a range", "A score of 60-80, a score of 60 to 80 or a score between 60 and 80.", nil},
		{"one of two", "A score of 60 or 80.", nil},
		{"not that score", "It does not deserve 100.", nil},
		{"fell short", "It falls short of a score of 100.", nil},
		{"prevented", "The delay prevents a score of 100.", nil},
		{"more than", "It is no better than a score of 60.", nil},
		{"would", "A warmer tone would deserve 100.", nil},
		{"somebody else's", "The critic's score of 60 was rejected.", nil},
		{"suggested", "The suggested score of 60 stands on nothing.", nil},
		{"before a change", "Lowered from a score of 80.", nil},
		{"an example", "Rounded down, e.g. 90 → 80, 79 → 60.", nil},
		{"such as", "For example, a score of 60 means partial.", nil},
		{"a bare number", "A 40 here.", nil},
		{"an id", "Dialogue 335 and 80.", nil},
		{"no number", "A perfect score.", nil},
		{"other things in words", "Sixty people waited eighty minutes, a hundred at least.", nil},
		{"inside a word", "A score of eightyish.", nil},
	} {
		assert.Equal(t, tt.want, namedScores((&inspection{}).withoutQuotes(tt.sentence)), "%s: %s",
			tt.reason,
			tt.sentence)
	}
}

func FuzzSentence(f *testing.F) {
	for _, s := range []string{
		"A score of 80. It's fine (e.g. \"90 → 80\"). 服务很好。回答也很快。", "score: 60/100 -> 80 => 20",
		"1. A.\n2. B... C? D!", "\"a. B\" (c. D", "→100", "80 / 100", "rated 60%", "a\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, score := range namedScores(s) {
			assert.True(t, 10 <= score && score <= 100)
		}
	})
}
