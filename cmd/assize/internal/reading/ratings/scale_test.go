package ratings

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A rating such as 7/10 has a scale of its own, whose lower end is that of the file if it can be.
func TestOwnScale(t *testing.T) {
	five, reversed := Scale{Low: 1, High: 5}, Scale{Low: 5, High: 1}
	for _, tt := range []struct {
		value      float64
		own, asked Scale
		want       Scale
	}{
		{4, Scale{}, five, five},
		{4, Scale{High: 5}, five, five},
		{4, Scale{High: 5}, reversed, reversed},
		{7, Scale{High: 10}, five, Scale{Low: 1, High: 10}},
		{1, Scale{High: 10}, five, Scale{Low: 1, High: 10}},
		{0, Scale{High: 10}, five, Scale{High: 10}},
		{7, Scale{High: 10}, reversed, Scale{High: 10}},
		{80, Scale{High: 100}, five, Scale{High: 100}},
		{80, Scale{High: 99}, five, Scale{Low: 1, High: 99}},
	} {
		r := rating{value: tt.value, ownScale: tt.own}
		assert.Equal(t, tt.want, r.scale(tt.asked), "%v of %v, asked %v", tt.value, tt.own, tt.asked)
	}
	assert.Equal(t, "1-10.125", Scale{Low: 1, High: 10.125}.String())
	assert.Equal(t, 2.5, Scale{Low: 0, High: 10}.FromFive(2))
	assert.Equal(t, 8., Scale{Low: 10, High: 0}.Points())
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{"a-7": "a-7", "": `""`, "a b": `"a b"`, `"a"`: `"\"a\""`,
		",a": `",a"`, "é": `"é"`, strings.Repeat("a", 41): strings.Repeat("a", 39) + "…"} {
		assert.Equal(t, want, quote(s))
	}
}
