package dialogue

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"assize/rubric/dialogue/forms"
)

// ToolUse is one call of a tool by the SYSTEM and its result. Readers represent a call as a turn of
// OTHER, such as refund({"order":7}), with one line per call, and its result as the next turn of
// OTHER.
type ToolUse struct {
	Call      int    // number of the turn that holds the call
	Name      string // of the tool
	Arguments string // as in the source, often JSON
	Result    int    // number of the turn that holds the result; 0 for none
	Answer    string // the text of the result
}

//go:embed forms.txt
var formsFile string

// form returns the expression of that name in forms.txt.
var form = forms.In(formsFile, forms.None)

// Tools returns the calls of tools in the order of their turns. Calls between which nobody speaks
// are a batch; results are paired with the calls of the latest batch in that order. A turn of OTHER
// without an open call before it, such as a system prompt, is not a result.
func (d Dialogue) Tools() (uses []ToolUse) {
	open := 0         // the first call without a result
	isClosed := false // the next call begins a batch
	for i, t := range d.Turns {
		var calls []ToolUse
		switch {
		case t.Role == Other:
			calls = callsIn(t.Text)
		case t.Role == System && strings.Contains(t.Text, "Action:"):
			isClosed = true
			for _, m := range form("action").FindAllStringSubmatch(t.Text, -1) {
				calls = append(calls, ToolUse{Name: m[1], Arguments: m[2] + m[3]})
			}
		}
		switch {
		case len(calls) > 0:
			if isClosed {
				open, isClosed = len(uses), false
			}
			for _, c := range calls {
				c.Call, c.Arguments = i+1, Unescaped(c.Arguments)
				uses = append(uses, c)
			}
		case t.Role != Other:
			isClosed = true
		case open < len(uses):
			u := &uses[open]
			u.Result, u.Answer = i+1, Unescaped(t.Text)
			open++
			isClosed = true
		}
	}
	return uses
}

// Unescaped returns a text of a tool with the characters that JSON may escape without need: £ for
// \u00a3. Pairs, as for emoji, stay as they are.
func Unescaped(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	return form("escaped").ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.ParseUint(s[len(s)-4:], 16, 16)
		if n >= utf8.RuneSelf && !utf16.IsSurrogate(rune(n)) {
			return string(rune(n))
		}
		return s
	})
}

// callsIn returns the calls in a text, each on one line, or on several if its arguments are JSON.
func callsIn(text string) (list []ToolUse) {
	for text != "" {
		line, below, _ := strings.Cut(text, "\n")
		line = strings.TrimSpace(line)
		m := form("call").FindStringSubmatch(line)
		if m == nil {
			m = form("odd-call").FindStringSubmatch(line)
		}
		if r := form("request").FindStringSubmatch(line); m == nil && r != nil {
			m = []string{"", r[1] + r[3] + r[5], r[2] + r[4]}
			if r[5] != "" {
				m[2] = line
			}
		}
		if m != nil {
			list = append(list, ToolUse{Name: m[1], Arguments: m[2]})
		} else if m = form("open-call").FindStringSubmatch(line); m != nil {
			arguments := text[strings.IndexByte(text, '(')+1:]
			end := endOfCall(arguments)
			if end < 0 {
				return list
			}
			line, below, _ = strings.Cut(arguments[end+1:], "\n")
			if strings.TrimSpace(line) == "" {
				list = append(list, ToolUse{Name: m[1], Arguments: arguments[:end]})
			}
		}
		text = below
	}
	return list
}

// endOfCall returns the index of the bracket that closes a call whose arguments begin a text, or
// -1. Brackets in quotation marks do not count.
func endOfCall(text string) int {
	depth, isQuoted := 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			isQuoted = !isQuoted
		case c == '\\' && isQuoted:
			i++
		case isQuoted:
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
