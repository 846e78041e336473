package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBudget(t *testing.T) {
	for _, tt := range []struct {
		given  string
		string string // empty for what is refused
		of     [3]int // of 1, 250 and 100,000
	}{
		{"10%", "10%", [3]int{1, 25, 10000}},
		{"0.5%", "0.50%", [3]int{1, 1, 500}},
		{"100%", "100%", [3]int{1, 250, 100000}},
		{"7", "7", [3]int{1, 7, 7}},
		{given: "0"}, {given: "-1"}, {given: "0%"}, {given: "100.01%"}, {given: "1.005%"}, {given: "%"}, {given: ""}, {given: "ten"}, {given: "10 %"},
	} {
		var b budget
		if tt.string == "" {
			assert.Error(t, b.Set(tt.given), tt.given)
			assert.True(t, b.none(), tt.given)
			continue
		}
		assert.NoError(t, b.Set(tt.given), tt.given)
		assert.Equal(t, tt.string, b.String())
		assert.Equal(t, tt.of, [3]int{b.of(1), b.of(250), b.of(100000)}, tt.given)
	}
}

// What is taken is printed as something that means the same, and never allows nothing or more than there is.
func FuzzBudget(f *testing.F) {
	for _, s := range []string{"10%", "0.01%", "33.33%", "1", "99999999999999999999", "1e3%", "٣%"} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		var b, again budget
		if b.Set(s) != nil {
			assert.True(t, b.none())
			return
		}
		assert.NoError(t, again.Set(b.String()))
		assert.Equal(t, b, again)
		if n >= 1 && n <= 1_000_000_000 {
			assert.True(t, b.of(n) >= 1 && b.of(n) <= n, "%s of %d", s, n)
		}
	})
}
