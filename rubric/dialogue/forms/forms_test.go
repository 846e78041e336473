package forms

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIn(t *testing.T) {
	const file = "# A date such as 2026-11-30.\ndate «year»-\\d\\d\n  -\\d\\d\n" +
		"year  \\d{4}\nnamed «other.day»\nlost «nobody»\nbroken (\n"
	form := In(file, func(name string) string {
		if name == "other.day" {
			return "Monday"
		}
		return None(name)
	})
	assert.Equal(t, `\d{4}-\d\d-\d\d`, form("date").String())
	assert.Same(t, form("date"), form("date"), "it is compiled once")
	assert.Equal(t, "Monday", form("named").String())
	assert.PanicsWithValue(t, "no expression is called nobody", func() { form("lost") })
	assert.Panics(t, func() { form("nobody") })
	assert.Panics(t, func() { form("broken") })
}

func TestTexts(t *testing.T) {
	assert.Equal(t, map[string]string{"a": "one two", "b": "three"},
		Texts("a one\n  two\nb   three", " "))
}
