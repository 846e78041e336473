package check

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The mistakes that people and models make where JSON is wanted, each by its name.

// noValue fails over what stands where a value or a key should be.
func (p *parser) noValue(what string) {
	rest := p.src[p.at:]
	word := p.token(p.at)
	switch {
	case strings.HasPrefix(rest, "..."):
		p.fail("three points where a " + what + " should be: something was left out")
	case rest[0] == '\'':
		p.fail("a " + what + " in single quotes; want double ones")
	case strings.HasPrefix(rest, "“"), strings.HasPrefix(rest, "”"), strings.HasPrefix(rest, "‘"), strings.HasPrefix(rest, "’"):
		p.fail("a " + what + " in typographic quotes; want straight double ones")
	case isComment(rest):
		p.fail("a comment: " + glimpse(rest) + "; JSON has none")
	case rest[0] == ',':
		p.fail("a comma where a " + what + " should be")
	case rest[0] == '}' || rest[0] == ']':
		p.fail("a closing " + rest[:1] + " where a " + what + " should be")
	case strings.HasPrefix(rest, "\ufeff"):
		p.fail("a byte-order mark inside the text")
	case what == "key" && word != "":
		p.fail("a key without quote marks: " + glimpse(word))
	case word == "NaN", word == "Infinity", word == "-Infinity", word == "inf", word == "nan":
		p.fail("no JSON number: " + word + "; want digits or null")
	case word == "None", word == "undefined", word == "nil", word == "NULL", word == "Null":
		p.fail("no JSON value: " + word + "; want null")
	case strings.EqualFold(word, "true"), strings.EqualFold(word, "false"):
		p.fail("no JSON value: " + word + "; want " + strings.ToLower(word))
	case rest[0] == '+' || rest[0] == '.':
		p.fail("no JSON number: " + glimpse(word))
	case rest[0] == '<':
		p.fail("a place that was not filled in: " + glimpse(rest))
	default:
		p.fail("no JSON " + what + ": " + glimpse(rest))
	}
}

// noComma fails over what stands where a comma or the end of a list or an object should be.
func (p *parser) noComma(name string) {
	rest := p.src[p.at:]
	switch c := rest[0]; {
	case isComment(rest):
		p.fail("a comment: " + glimpse(rest) + "; JSON has none")
	case c == '"' || c == '{' || c == '[':
		p.fail("no comma between two entries of the " + name)
	case c == '}' || c == ']':
		p.fail("a closing " + rest[:1] + " inside the " + name)
	case c == ':' && name == "list":
		p.fail("a key inside a list")
	case strings.HasPrefix(rest, "..."):
		p.fail("three points inside the " + name + ": something was left out")
	default:
		p.fail("no comma and no closing bracket behind an entry of the " + name + ": " + glimpse(rest))
	}
}

func isComment(s string) bool {
	return strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*") || strings.HasPrefix(s, "#") || strings.HasPrefix(s, "<!--")
}

// token gives the letters, digits and signs from a place on that belong together.
func (p *parser) token(from int) string {
	rest := p.src[from:]
	for i, r := range rest {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_+-.", r) || i > 64 {
			return rest[:i]
		}
	}
	return rest
}

// glimpse shows the beginning of a text in an error.
func glimpse(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strconv.Quote(shorten(strings.TrimRight(line, "\r")))
}

// shorten cuts a text that is too long to be shown within a line.
func shorten(s string) string {
	const most = 60 // runes
	return shortenTo(most, s)
}

func shortenTo(most int, s string) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > most {
			return strings.TrimRightFunc(s[:i], func(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }) + "…"
		}
	}
	return s
}
