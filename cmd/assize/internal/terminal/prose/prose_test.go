package prose

import (
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/terminal/ui"
)

// A sentence is wrapped in the file, not in the report, and what a stranger wrote begins none.
func TestTexts(t *testing.T) {
	texts := parse("{{define \"one\"}}\nAt {{short .}}\n  - and more.\n{{end}}\n" +
		"{{define \"list\"}}\n{{if .}}\n- First, of\n{{visible .}}.\n{{end}}\n- Second.\n{{end}}")
	assert.Equal(t, "At .25 - and more.", texts.Say("one", .25))
	assert.Equal(t, ui.Sentences{"First, of a - b.", "Second."}, texts.List("list", "a\n- b"))
	assert.Equal(t, ui.Sentences{"Second."}, texts.List("list", ""))
	assert.Panics(t, func() { texts.Say("none", nil) })
	own := parse("{{define \"few\"}}{{counted 2 \"call\"}}, {{arrow 1 2}}{{end}}", template.FuncMap{
		"counted": func(int, string) string { return "two calls" }})
	assert.Equal(t, "two calls, 1 → 2", own.Say("few", nil), "own functions come first")
}
