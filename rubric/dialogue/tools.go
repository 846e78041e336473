package dialogue

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
	Failed    bool   // whether the result reports a failure
}

var (
	// call matches a line that calls a tool.
	call = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.:/-]{0,99})\((.*)\)$`)
	// openCall matches the first line of a call of several lines.
	openCall = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.:/-]{0,99})\(\s*(?:$|[\[{].*$)`)
)

// Tools returns the calls of tools in the order of their turns. Calls between which nobody speaks
// are a batch; results are paired with the calls of the latest batch in that order. A turn of OTHER
// without an open call before it, such as a system prompt, is not a result.
func (d Dialogue) Tools() []ToolUse {
	var uses []ToolUse
	open := 0         // the first call without a result
	isClosed := false // the next call begins a batch
	for i, t := range d.Turns {
		if t.Role != Other {
			isClosed = true
			continue
		}
		calls := callsIn(t.Text)
		switch {
		case len(calls) > 0:
			if isClosed {
				open, isClosed = len(uses), false
			}
			for _, c := range calls {
				c.Call = i + 1
				uses = append(uses, c)
			}
		case open < len(uses):
			u := &uses[open]
			u.Result, u.Answer, u.Failed = i+1, t.Text, Failed(t.Text)
			open++
			isClosed = true
		}
	}
	return uses
}

// callsIn returns the calls in a text, each on one line, or on several if its arguments are JSON.
func callsIn(text string) (list []ToolUse) {
	name, begin := "", 0 // of a call of several lines, and the offset of its arguments
	depth, isQuoted, at := 0, false, 0
	for line := range strings.Lines(text) {
		from := at
		if at += len(line); name == "" {
			trimmed := strings.TrimSpace(line)
			if m := call.FindStringSubmatch(trimmed); m != nil {
				list = append(list, ToolUse{Name: m[1], Arguments: m[2]})
				continue
			}
			m := openCall.FindStringSubmatch(trimmed)
			if m == nil {
				continue
			}
			from += strings.IndexByte(line, '(') + 1
			name, begin, depth, isQuoted = m[1], from, 1, false
		}
		if end := endOfCall(text[from:at], &depth, &isQuoted); end >= 0 {
			if strings.TrimSpace(text[from+end+1:at]) == "" {
				list = append(list, ToolUse{Name: name, Arguments: text[begin : from+end]})
			}
			name = ""
		}
	}
	return list
}

// endOfCall returns the index of the bracket in line that closes the call, or -1. The call's
// brackets were open to the given depth at the start of the line; brackets in quotation marks do
// not count. It updates depth and isQuoted.
func endOfCall(line string, depth *int, isQuoted *bool) int {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			*isQuoted = !*isQuoted
		case c == '\\' && *isQuoted:
			i++
		case *isQuoted:
		case c == '(' || c == '[' || c == '{':
			*depth++
		case c == ')' || c == ']' || c == '}':
			if *depth--; *depth == 0 {
				return i
			}
		}
	}
	return -1
}

//go:embed tools.txt
var toolsFile string

// failures returns the signs that a call failed, from tools.txt: the values of a member of a JSON
// result by the member's name, and as "text" the words at the beginning of a text.
var failures = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(toolsFile) {
		names, values, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			all[name] = append(all[name], strings.Split(values, ", ")...)
		}
	}
	return all
})

// Failed reports whether the result of a tool says that the call failed.
func Failed(text string) bool {
	text = strings.TrimSpace(text)
	var result any
	err := json.Unmarshal([]byte(text), &result, jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return beginsWithFailure(text)
	}
	return failedValue(result)
}

// failedValue reports whether a JSON value shows a failure in its own members, or in those of a
// single member that wraps them.
func failedValue(v any) bool {
	members, isObject := v.(map[string]any)
	if !isObject {
		text, isText := v.(string)
		return isText && beginsWithFailure(text)
	}
	for name, value := range members {
		failed := false
		switch value := value.(type) {
		case bool:
			failed = shows(name, strconv.FormatBool(value))
		case string:
			failed = shows(name, strings.ToLower(value)) || value != "" && shows(name, "*")
		case float64:
			failed = value >= 400 && value < 600 && shows(name, "400")
		case []any:
			failed = len(value) > 0 && shows(name, "*")
		case map[string]any:
			failed = len(value) > 0 && shows(name, "*") || len(members) == 1 && failedValue(value)
		}
		if failed {
			return true
		}
	}
	return false
}

// shows reports whether tools.txt lists a value of a member.
func shows(name, value string) bool {
	return slices.Contains(failures()[strings.ToLower(name)], value)
}

// beginsWithFailure reports whether a text begins with words of tools.txt.
func beginsWithFailure(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(failures()["text"],
		func(words string) bool { return strings.HasPrefix(text, words) })
}
