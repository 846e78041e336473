package summary

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPortion(t *testing.T) {
	type counts [4]int // of 1, 39, 250 and 100,000
	for _, tt := range []struct {
		given, string string // printed form; empty for invalid input
		within, of    counts
	}{
		{"5%", "5%", counts{0, 1, 12, 5000}, counts{1, 2, 13, 5000}},
		{"0.50%", "0.5%", counts{0, 0, 1, 500}, counts{1, 1, 1, 500}},
		{"12.25%", "12.25%", counts{0, 4, 30, 12250}, counts{1, 5, 31, 12250}},
		{"100%", "100%", counts{1, 39, 250, 100000}, counts{1, 39, 250, 100000}},
		{"7", "7", counts{7, 7, 7, 7}, counts{1, 7, 7, 7}},
		{"0%", "0", counts{}, counts{}},
		{"0", "0", counts{}, counts{}},
		{given: ""}, {given: "%"}, {given: "-1"}, {given: "-1%"}, {given: "100.01%"}, {given: "1.005%"},
		{given: "1.5"}, {given: "ten"}, {given: "10 %"},
	} {
		p := Portion{Count: 3}
		err := p.Set(tt.given)
		if tt.string == "" {
			assert.ErrorContains(t, err, "want a share", tt.given)
			assert.Equal(t, Portion{Count: 3}, p, tt.given)
			continue
		}
		assert.NoError(t, err, tt.given)
		assert.Equal(t, tt.string, p.String(), tt.given)
		assert.Equal(t, tt.string == "0", p.None(), tt.given)
		for i, n := range []int{1, 39, 250, 100000} {
			assert.Equal(t, tt.within[i], p.within(n), "%s of %d", p, n)
			assert.Equal(t, tt.of[i], p.Of(n), "%s of %d", p, n)
		}
	}
	assert.Zero(t, Portion{Share: 1000}.Of(0))
}

func ExamplePortion() {
	var p Portion
	if err := p.Set("2.5%"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(p, p.within(100), p.Of(100))
	// Output: 2.5% 2 3
}

// An accepted portion is printed in an equivalent form, and is never more than the number of
// dialogues.
func FuzzPortion(f *testing.F) {
	for _, s := range []string{"10%", "0.01%", "33.33%", "0", "1", "99999999999999999999", "1e3%",
		"٣%"} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		var p, again Portion
		if p.Set(s) != nil {
			assert.True(t, p.None())
			return
		}
		assert.NoError(t, again.Set(p.String()))
		assert.Equal(t, p, again)
		if n < 1 || n > 1_000_000_000 {
			return
		}
		assert.Equal(t, p.None(), p.Of(n) == 0, "%s of %d", s, n)
		assert.LessOrEqual(t, p.Of(n), n, "%s of %d", s, n)
		if p.Share > 0 {
			assert.LessOrEqual(t, p.within(n), p.Of(n), "%s of %d", s, n)
		}
	})
}
