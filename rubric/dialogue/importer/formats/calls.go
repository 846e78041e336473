package formats

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// This file reads the calls that the SYSTEM makes to tools in a message, and their results: as
// members of the message, or as parts among its text.

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
func (t *Messages) stretches(m lex.Object) (all []stretch, is, bad bool) {
	beside := exchangesBeside(m)
	for _, list := range []jsontext.Value{m.Get("parts"), m.Get("content")} {
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
		for v := range t.Calls[i].In(m) {
			beside = append(beside, exchangeIn(lex.Members(v), true))
		}
	}
	isItem := strings.HasSuffix(m.Text("type"), "call")
	if isItem && len(beside) == 1 && beside[0].isResult { // its output is not text
		return []stretch{{exchanges: beside}}, true, false
	}
	text, is, bad := t.Text.Words(m)
	if !is {
		if x := exchangeIn(m, false); x.isResult {
			return []stretch{{exchanges: []exchange{x}}}, true, false
		}
	}
	if text != "" {
		call := m.Text("callid") // of a telephone, if it has no arguments
		isPhone := call != "" && m.Get(arguments...) == nil
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

// CallMembers lists the members of a message that hold a call, or several.
var CallMembers = []string{"functioncall", "toolcalls", "toolinvocations"}

// exchangesBeside returns the exchanges of a message itself and of its members that list calls.
func exchangesBeside(m lex.Object) (list []exchange) {
	if x := callOf(lex.Members(m.Get(CallMembers[0]))); x.call != "" {
		list = append(list, x)
	}
	isItem := strings.HasSuffix(m.Text("type"), "call")
	if isItem && m.Get(arguments...) != nil || m.Get("callid") != nil && m.Get("output") == nil {
		x := callOf(m)
		if x.call != "" && m.Get("output", "error") != nil {
			x.returns(m, m.Get("output", "error"))
		}
		list = append(list, x)
	}
	for _, name := range CallMembers[1:] {
		for e := range lex.Elements(m.Get(name)) {
			list = append(list, exchangeIn(lex.Members(e), true))
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
	for e := range lex.Elements(list) {
		if x := exchangeIn(lex.Members(e), false); x != (exchange{}) {
			found, hasResult, ok = append(found, x), hasResult || x.isResult, true
			continue
		}
		if isCallLike(lex.Members(e)) && lex.Members(e).Text("type") == "" {
			found, ok = append(found, exchange{isBroken: true}), true
		}
		if text, _ := lex.WordsIn(e); text != "" {
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
func exchangeIn(o lex.Object, isListed bool) (x exchange) {
	kind := strings.ReplaceAll(o.Text("partkind", "type"), "-", "_")
	if kind == "tool_invocation" {
		kind, o = "dynamic_tool", lex.Members(o.Get("toolinvocation"))
	}
	called, returned := o.Get("functioncall", "tooluse"), o.Get("functionresponse", "toolresult")
	isShown := o.Get("state") != nil      // as a user interface stores them
	isTool := strings.Contains(kind, "_") // unlike most parts, which are text
	switch {
	case kind == "" && called.Kind() == '{':
		return callOf(lex.Members(called))
	case kind == "" && returned.Kind() == '{':
		o = lex.Members(returned)
		x.id = idOf(o)
		x.returns(o, o.Get("response", "content"))
	case isTool && lex.Match("result-part", kind):
		x.id = idOf(o)
		x.returns(o, o.Get("content", "output", "response", "result"))
	case isTool && lex.Match("call-part", kind):
		return callOf(o)
	case isShown && (isListed || strings.HasPrefix(kind, "tool_") || kind == "dynamic_tool"):
		if x = callOf(o); x.call == "" || strings.HasPrefix(x.call, noName+"(") {
			name := strings.TrimPrefix(o.Text("type"), "tool-")
			x = callOf(append(lex.Object{lex.NewMember("name", lex.QuoteJSON(name))}, o...))
		}
		if state := o.Text("state"); state == "result" || strings.HasPrefix(state, "output") {
			x.returns(o, o.Get("output", "result", "errortext"))
		}
	case isListed:
		return callOf(o)
	}
	return x
}

func idOf(o lex.Object) string { return o.Text("callid", "toolcallid", "tooluseid", "id") }

// callOf writes a tool call on one line; it returns the zero exchange if the object is not a call.
func callOf(o lex.Object) (x exchange) {
	x.id = idOf(o)
	if f := o.Get("function"); f.Kind() == '{' {
		o = lex.Members(f)
	}
	name := o.Text("name", "toolname", "function")
	args := o.Get(arguments...)
	if x.isBroken = args == nil && hides(o) || name == "" && len(o) > 0; name == "" {
		if x.id == "" || args == nil {
			return exchange{isBroken: x.isBroken}
		}
		name = noName
	}
	if strings.ContainsAny(name, "(){}[]\"\r\n") { // so that the call can be read again
		name = lex.Expr("call-sign").ReplaceAllString(name, "_")
	}
	words := lex.PlainText(args)
	if args.Kind() != '"' {
		words = string(args)
	}
	if strings.ContainsAny(words, "\r\n") {
		if one := jsontext.Value(words); one.Compact(lex.Lenient) == nil {
			words = string(one)
		} else {
			words = string(lex.QuoteJSON(words))
		}
	}
	x.call = name + "(" + words + ")"
	return x
}

// hides reports whether an unknown member of a call may hold its arguments or its result.
func hides(o lex.Object) bool {
	return slices.ContainsFunc(o, func(m lex.Member) bool {
		kind := m.Value.Kind()
		return (kind == '"' || kind == '{' || kind == '[') && !lex.In(m.Folded, "call-members")
	})
}

// countUnread counts the calls in the lists of a message under names that are not read.
func countUnread(p *stream.Part, o lex.Object) {
	for _, m := range o {
		if m.Value.Kind() != '[' || m.Folded == "content" || m.Folded == "parts" {
			continue
		}
		for e := range lex.Elements(m.Value) {
			if isCallLike(lex.Members(e)) {
				p.Omissions.Add("broken", "")
			}
		}
	}
}

// isCallLike reports whether an object has members of a call or of a result.
func isCallLike(o lex.Object) bool {
	return o.Get("function", "callid", "toolcallid", "tooluseid") != nil ||
		o.Get(arguments...) != nil && o.Get("name", "toolname") != nil
}

// returns sets the result of x to v, as the text of a turn; o is the object that contains it.
func (x *exchange) returns(o lex.Object, v jsontext.Value) {
	x.isResult, x.isBroken = true, x.isBroken || v == nil && hides(o)
	inner := lex.Members(v)
	if v.Kind() == '{' && inner.Get("value") != nil && inner.Get("type") != nil {
		// An example is {"type":"error-text","value":"no stock"}.
		o, v = append(slices.Clone(o), inner...), inner.Get("value")
	}
	text, ok := lex.WordsIn(v)
	if ok = ok && (text != "" || v.Kind() == '"'); !ok && v != nil && string(v) != "[]" {
		raw := slices.Clone(v)
		raw.Compact(lex.Lenient) // it is valid
		text = string(raw)
	}
	x.result = resultText(text, o)
}

// resultText returns the text of a result, or noResult, with any failure that o reports.
func resultText(text string, o lex.Object) string {
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
func reportsFailure(o lex.Object) bool {
	return slices.ContainsFunc(o, func(m lex.Member) bool {
		text := strings.ToLower(lex.PlainText(m.Value))
		name := "around-" + m.Folded
		isObject := m.Value.Kind() == '{' && string(m.Value) != "{}"
		hasText := isObject || m.Value.Kind() == '"' && text != ""
		return lex.In(text, name) || hasText && lex.In("*", name)
	})
}

// returnsAlone reports whether the speaker of a message shows that it is the result of a tool. It
// returns the object that holds the id of the call and says whether the call failed.
func returnsAlone(speaker string, m lex.Object) (of lex.Object, is bool) {
	if !lex.In(strings.ReplaceAll(lex.FoldName(speaker), " ", ""), "speakers") {
		return m, false
	}
	for _, name := range []string{"kwargs", "data"} {
		if inner := m.Get(name); inner.Kind() == '{' {
			m = append(slices.Clone(m), lex.Members(inner)...)
		}
	}
	return m, true
}

// add appends the messages of a stretch to a list. s holds what they have in common.
func (t *stretch) add(p *stream.Part, s stream.Message, m lex.Object,
	list []stream.Message) []stream.Message {
	words := s
	words.Text = t.text
	if of, is := returnsAlone(s.Speaker, m); is && len(t.exchanges) == 0 {
		words.Text, words.ResultID = resultText(t.text, of), idOf(of)
	}
	if lex.In(strings.ReplaceAll(lex.FoldName(s.Speaker), " ", ""), "callers") {
		words.Text = callsOf(words.Text)
	}
	isRead := func(x exchange) bool { return x.call != "" || x.isResult }
	if words.Text != "" || !slices.ContainsFunc(t.exchanges, isRead) {
		list = append(list, words)
	}
	calls := s
	calls.Speaker, calls.Name, calls.Text = stream.ToolCall, "", ""
	var texts, ids []string
	var results []stream.Message
	for _, x := range t.exchanges {
		if x.isBroken {
			p.Omissions.Add("broken", "")
		}
		if x.call != "" {
			texts, ids = append(texts, x.call), append(ids, x.id)
		}
		if x.isResult {
			result := s
			result.Speaker, result.Name = stream.ToolResult, ""
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
	if !raw.IsValid(lex.Lenient) {
		return text
	}
	list := []jsontext.Value{raw}
	if raw.Kind() == '[' {
		list = slices.Collect(lex.Elements(raw))
	}
	var calls []string
	for _, e := range list {
		x := callOf(lex.Members(e))
		if e.Kind() != '{' || x.call == "" {
			return text
		}
		calls = append(calls, x.call)
	}
	return strings.Join(calls, "\n")
}

// WithTools returns the messages of a row of JSON: its text, tool calls and results.
func WithTools(p *stream.Part, s stream.Message, m lex.Object) (list []stream.Message) {
	all, _, _ := (&Messages{Text: lex.Paths{{Words: s.Text}}}).stretches(m)
	if isSaid := func(t stretch) bool { return t.text != "" }; !slices.ContainsFunc(all, isSaid) {
		all[len(all)-1].text = s.Text
	}
	s.Speaker = s.Name
	for i := range all {
		list = all[i].add(p, s, m, list)
	}
	for i := range list {
		if said := &list[i]; said.Speaker != s.Speaker { // a tool
			said.Name, said.Role, said.IsKnown = said.Speaker, dialogue.Other, false
		}
	}
	return list
}
