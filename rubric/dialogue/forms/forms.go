// Package forms reads texts and regular expressions (RE2) by name. Each line of their files has a
// name and a text, and an indented line continues the text above it.
package forms

import (
	"regexp"
	"strings"
	"sync"
)

// Texts returns the texts of a file by name, with between in place of the line breaks in them.
func Texts(file, between string) map[string]string {
	all, name := map[string]string{}, ""
	for line := range strings.Lines(file) {
		begin, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if text = strings.TrimLeft(text, " "); begin != "" {
			name = begin
		} else if text != "" {
			text = between + text
		}
		all[name] += text
	}
	return all
}

// In returns a function that returns the expression of a name in a file. In an expression, «date»
// stands for the one of that name, and a name that the file does not have for what others returns,
// which may panic. An expression is compiled when it is first used, because compiling all of them
// would add 10 ms to every start.
func In(file string, others func(name string) string) func(name string) *regexp.Regexp {
	texts := sync.OnceValue(func() map[string]string { return Texts(file, "") })
	var textOf func(name string) string
	textOf = func(name string) string {
		text, ok := texts()[name]
		if !ok {
			return others(name)
		}
		return reference.ReplaceAllStringFunc(text,
			func(s string) string { return textOf(strings.Trim(s, "«»")) })
	}
	var compiled sync.Map // the expressions that were used, by name
	return func(name string) *regexp.Regexp {
		re, ok := compiled.Load(name)
		if !ok {
			re = regexp.MustCompile(textOf(name))
			compiled.Store(name, re)
		}
		return re.(*regexp.Regexp)
	}
}

var reference = regexp.MustCompile(`«[^»]*»`)

// None panics, for files whose expressions refer only to one another.
func None(name string) string { panic("no expression is called " + name) }
