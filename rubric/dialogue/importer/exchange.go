package importer

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// This file reads the calls that the SYSTEM makes to tools in a message, and their results: as
// members of the message, or as parts among its text.

// toolCall is the speaker of a message in which the model calls a tool and says nothing, and
// toolResult the speaker of a result; names.txt makes both OTHER.
const (
	toolCall   = "function call"
	toolResult = "tool"
)

// noResult is the text of an empty result, whose turn keeps later results next to their calls.
const noResult = `""`

// noName is the name of a call without one: its result must not become that of the next call.
const noName = "?"

// exchange is a call of a tool, its result, or both.
type exchange struct {
	id       string // of the call
	call     string // as in lookup({"order":7}); empty for a result alone
	result   string
	isResult bool
	isBroken bool // its name, its arguments or its result is under an unknown name
}

// same reports whether y is the same call, or its result.
func (x exchange) same(y exchange) bool { return x.id != "" && x.id == y.id || x == y }

// stretch is a section of a message: text, then tool calls, then their results.
type stretch struct {
	text      string
	exchanges []exchange
}

// stretches splits a message, and reports whether it says anything, and in a malformed text.
func (t *messages) stretches(m object) (all []stretch, is, bad bool) {
	beside := exchangesBeside(m)
	for _, list := range []jsontext.Value{m.get("parts"), m.get("content")} {
		if among, ok := exchangesAmong(list); ok {
			last := &among[len(among)-1]
			for _, x := range beside { // some list their calls twice
				isListed := func(s stretch) bool { return slices.ContainsFunc(s.exchanges, x.same) }
				if !slices.ContainsFunc(among, isListed) {
					last.exchanges = append(last.exchanges, x)
				}
			}
			return among, true, false
		}
	}
	for i := 0; i < len(t.Calls) && len(beside) == 0; i++ {
		for v := range t.Calls[i].in(m) {
			beside = append(beside, exchangeIn(members(v), true))
		}
	}
	isItem := strings.HasSuffix(m.text("type"), "call")
	if isItem && len(beside) == 1 && beside[0].isResult { // its output is not text
		return []stretch{{exchanges: beside}}, true, false
	}
	text, is, bad := t.Text.words(m)
	if !is {
		if x := exchangeIn(m, false); x.isResult {
			return []stretch{{exchanges: []exchange{x}}}, true, false
		}
	}
	if text != "" {
		call := m.text("callid") // of a telephone, if it has no arguments
		isPhone := call != "" && m.get(arguments...) == nil
		beside = slices.DeleteFunc(beside, func(x exchange) bool {
			return !x.isResult && (x.call == "" || isPhone && x.id == call)
		})
	}
	isReturned := func(x exchange) bool { return x.isResult }
	if slices.ContainsFunc(beside, isReturned) { // these results are known before the text is said
		all = append(all, stretch{exchanges: beside})
		beside = nil
	}
	all = append(all, stretch{text, beside})
	return all, is || len(beside) > 0 || len(all) > 1, bad
}

// The members of a message that hold calls.
const (
	functionCall    = "functioncall"
	toolCalls       = "toolcalls"
	toolInvocations = "toolinvocations"
)

// exchangesBeside returns the exchanges of a message itself and of its members that list calls.
func exchangesBeside(m object) (list []exchange) {
	if x := callOf(members(m.get(functionCall))); x.call != "" {
		list = append(list, x)
	}
	isItem := strings.HasSuffix(m.text("type"), "call")
	if isItem && m.get(arguments...) != nil || m.get("callid") != nil && m.get("output") == nil {
		x := callOf(m)
		if x.call != "" && m.get("output", "error") != nil {
			x.returns(m, m.get("output", "error"))
		}
		list = append(list, x)
	}
	for _, name := range []string{toolCalls, toolInvocations} {
		for e := range elements(m.get(name)) {
			list = append(list, exchangeIn(members(e), true))
		}
	}
	return slices.DeleteFunc(list, func(x exchange) bool { return x == exchange{} })
}

// exchangesAmong splits a list of parts, and reports whether it holds any tool call or result.
func exchangesAmong(list jsontext.Value) (all []stretch, ok bool) {
	var said []string
	var found []exchange
	hasResult := false
	flush := func() {
		if len(said)+len(found) > 0 {
			all = append(all, stretch{strings.Join(said, "\n"), found})
		}
		said, found, hasResult = nil, nil, false
	}
	for e := range elements(list) {
		if x := exchangeIn(members(e), false); x != (exchange{}) {
			found, hasResult, ok = append(found, x), hasResult || x.isResult, true
			continue
		}
		if isCallLike(members(e)) && members(e).text("type") == "" {
			found, ok = append(found, exchange{isBroken: true}), true
		}
		if text, _ := wordsIn(e); text != "" {
			if hasResult {
				flush()
			}
			said = append(said, text)
		}
	}
	flush()
	return all, ok
}

// arguments lists the members that hold the arguments of a call.
var arguments = []string{"arguments", "args", "input", "rawinput", "paramsasjson"}

// exchangeIn returns the exchange in a part of a message, or the zero exchange if the part does not
// involve a tool. An object that is listed as a call needs no type.
func exchangeIn(o object, isListed bool) (x exchange) {
	kind := strings.ReplaceAll(o.text("type"), "-", "_")
	is := func(ends ...string) bool {
		isEnd := func(end string) bool { return strings.HasSuffix(kind, end) }
		return slices.ContainsFunc(ends, isEnd)
	}
	if kind == "tool_invocation" {
		kind, o = "dynamic_tool", members(o.get("toolinvocation"))
	}
	called, returned := o.get("functioncall", "tooluse"), o.get("functionresponse", "toolresult")
	isShown := o.get("state") != nil // as a user interface stores them
	switch {
	case kind == "" && called.Kind() == '{':
		return callOf(members(called))
	case kind == "" && returned.Kind() == '{':
		o = members(returned)
		x.id = idOf(o)
		x.returns(o, o.get("response", "content"))
	case is("tool_result", "tool_call_response", "call_output"):
		x.id = idOf(o)
		x.returns(o, o.get("content", "output", "response", "result"))
	case is("tool_use", "tool_call", "function_call"):
		return callOf(o)
	case isShown && (isListed || strings.HasPrefix(kind, "tool_") || kind == "dynamic_tool"):
		if x = callOf(o); x.call == "" || strings.HasPrefix(x.call, noName+"(") {
			name := strings.TrimPrefix(o.text("type"), "tool-")
			x = callOf(append(object{{"name", "name", jsontext.Value(quoteJSON(name))}}, o...))
		}
		if state := o.text("state"); state == "result" || strings.HasPrefix(state, "output") {
			x.returns(o, o.get("output", "result", "errortext"))
		}
	case isListed:
		return callOf(o)
	}
	return x
}

func idOf(o object) string { return o.text("callid", "toolcallid", "tooluseid", "id") }

// callOf writes a tool call on one line; it returns the zero exchange if the object is not a call.
func callOf(o object) (x exchange) {
	x.id = idOf(o)
	if f := o.get("function"); f.Kind() == '{' {
		o = members(f)
	}
	name := o.text("name", "toolname", "function")
	args := o.get(arguments...)
	if x.isBroken = args == nil && hides(o) || name == "" && len(o) > 0; name == "" {
		if x.id == "" || args == nil {
			return exchange{isBroken: x.isBroken}
		}
		name = noName
	}
	if strings.ContainsAny(name, "(){}[]\"\r\n") { // so that the call can be read again
		name = expr("call-sign").ReplaceAllString(name, "_")
	}
	words := plainText(args)
	if args.Kind() != '"' {
		words = string(args)
	}
	if strings.ContainsAny(words, "\r\n") {
		if one := jsontext.Value(words); one.Compact(lenient) == nil {
			words = string(one)
		} else {
			words = quoteJSON(words)
		}
	}
	x.call = name + "(" + words + ")"
	return x
}

// hides reports whether an unknown member of a call may hold its arguments or its result.
func hides(o object) bool {
	return slices.ContainsFunc(o, func(m member) bool {
		kind := m.value.Kind()
		return (kind == '"' || kind == '{' || kind == '[') &&
			!anyIn([]string{m.folded}, "call-members")
	})
}

// callsUnread returns the number of calls in the lists of a message under names that are not read.
func callsUnread(o object) (n int) {
	for _, m := range o {
		if m.value.Kind() != '[' || m.folded == "content" || m.folded == "parts" {
			continue
		}
		for e := range elements(m.value) {
			if isCallLike(members(e)) {
				n++
			}
		}
	}
	return n
}

// isCallLike reports whether an object has members of a call or of a result.
func isCallLike(o object) bool {
	return o.get("function", "callid", "toolcallid", "tooluseid") != nil ||
		o.get(arguments...) != nil && o.get("name", "toolname") != nil
}

// returns sets the result of x to v, as the text of a turn; o is the object that contains it.
func (x *exchange) returns(o object, v jsontext.Value) {
	x.isResult, x.isBroken = true, x.isBroken || v == nil && hides(o)
	inner := members(v)
	if v.Kind() == '{' && inner.get("value") != nil && inner.get("type") != nil {
		// An example is {"type":"error-text","value":"no stock"}.
		o, v = append(slices.Clone(o), inner...), inner.get("value")
	}
	text, ok := wordsIn(v)
	if ok = ok && (text != "" || v.Kind() == '"'); !ok && v != nil && string(v) != "[]" {
		raw := slices.Clone(v)
		raw.Compact(lenient) // it is valid
		text = string(raw)
	}
	x.result = resultText(text, o)
}

// resultText returns the text of a result, or noResult, with any failure that o reports.
func resultText(text string, o object) string {
	switch {
	case reportsFailure(o) && text == "":
		return "error"
	case reportsFailure(o) && (&dialogue.ToolUse{Answer: text}).Read().Outcome != dialogue.Failed:
		return "error: " + text
	case strings.TrimSpace(text) == "":
		return noResult
	}
	return text
}

// reportsFailure reports whether a member says that a call failed; see calls.txt.
func reportsFailure(o object) bool {
	return slices.ContainsFunc(o, func(m member) bool {
		text := strings.ToLower(plainText(m.value))
		name := "around-" + m.folded
		isObject := m.value.Kind() == '{' && string(m.value) != "{}"
		hasText := isObject || m.value.Kind() == '"' && text != ""
		return anyIn([]string{text}, name) || hasText && anyIn([]string{"*"}, name)
	})
}

// returnsAlone reports whether the speaker of a message shows that it is the result of a tool. It
// returns the object that holds the id of the call and says whether the call failed.
func returnsAlone(speaker string, m object) (of object, is bool) {
	if !anyIn([]string{strings.ReplaceAll(FoldName(speaker), " ", "")}, "speakers") {
		return m, false
	}
	for _, name := range []string{"kwargs", "data"} {
		if inner := m.get(name); inner.Kind() == '{' {
			m = append(slices.Clone(m), members(inner)...)
		}
	}
	return m, true
}

// add appends the messages of a stretch to a list. s holds what they have in common.
func (t *stretch) add(p *part, s message, m object, list []message) []message {
	words := s
	words.Text = t.text
	if of, is := returnsAlone(s.speaker, m); is && len(t.exchanges) == 0 {
		words.Text, words.ResultID = resultText(t.text, of), idOf(of)
	}
	if anyIn([]string{strings.ReplaceAll(FoldName(s.speaker), " ", "")}, "callers") {
		words.Text = callsOf(words.Text)
	}
	isRead := func(x exchange) bool { return x.call != "" || x.isResult }
	if words.Text != "" || !slices.ContainsFunc(t.exchanges, isRead) {
		list = append(list, words)
	}
	calls := s
	calls.speaker, calls.Name, calls.Text = toolCall, "", ""
	var texts, ids []string
	var results []message
	for _, x := range t.exchanges {
		if x.isBroken {
			p.omissions.add("broken", "")
		}
		if x.call != "" {
			texts, ids = append(texts, x.call), append(ids, x.id)
		}
		if x.isResult {
			result := s
			result.speaker, result.Name = toolResult, ""
			result.Text, result.ResultID = x.result, x.id
			results = append(results, result)
		}
	}
	if texts != nil {
		calls.Text, calls.CallIDs = strings.Join(texts, "\n"), strings.Join(ids, "\n")
		list = append(list, calls)
	}
	return append(list, results...)
}

// callsOf rewrites the calls that a text holds as JSON, either an object or a list, in the form
// used for other formats. It returns any other text unchanged.
func callsOf(text string) string {
	raw := jsontext.Value(strings.TrimSpace(text))
	if !raw.IsValid(lenient) {
		return text
	}
	list := []jsontext.Value{raw}
	if raw.Kind() == '[' {
		list = slices.Collect(elements(raw))
	}
	var calls []string
	for _, e := range list {
		o := members(e)
		x := callOf(o)
		if e.Kind() != '{' || x.call == "" {
			return text
		}
		calls = append(calls, x.call)
	}
	return strings.Join(calls, "\n")
}

// withTools returns the messages of a row of JSON: its text, tool calls and results.
func withTools(p *part, s message, m object) (list []message) {
	all, _, _ := (&messages{Text: paths{{words: s.Text}}}).stretches(m)
	if isSaid := func(t stretch) bool { return t.text != "" }; !slices.ContainsFunc(all, isSaid) {
		all[len(all)-1].text = s.Text
	}
	s.speaker = s.Name
	for i := range all {
		list = all[i].add(p, s, m, list)
	}
	for i := range list {
		if said := &list[i]; said.speaker != s.speaker { // a tool
			said.Name, said.Role, said.IsKnown = said.speaker, dialogue.Other, false
		}
	}
	return list
}
