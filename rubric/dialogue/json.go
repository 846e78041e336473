package dialogue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
)

// object is a JSON value of an export by its keys, folded to lower case.
type object map[string]json.RawMessage

// readJSON reads any of the formats in JSON. Which one it is, the first valid value tells.
func (f *file) readJSON() error {
	in := newJSONStream(f.in, f.most.text)
	g := rows{file: f}
	group := 0
	for in.next() {
		if in.group != group { // messages of two arrays are two conversations
			group = in.group
			if err := g.flush(); err != nil {
				return err
			}
		}
		if err := f.jsonValue(in.value, &g); err != nil {
			return err
		}
	}
	if in.err != nil {
		return in.err
	}
	return g.flush()
}

// jsonValue reads one value of the stream: a conversation, which it yields, or a row for g.
func (f *file) jsonValue(v value, g *rows) error {
	bad := &SyntaxError{Line: v.line, Msg: v.broken}
	if v.broken == "" {
		bad = invalid(v)
	}
	if bad != nil && g.open != nil {
		return g.add(row{goesOn: true, line: bad.Line, err: bad})
	}
	if bad != nil {
		return f.fail(bad.Line, bad.Msg, bad.Hint)
	}
	if f.format == anyJSON {
		if f.setFormat(sniffJSON(v.raw)); f.format == anyJSON {
			return f.fail(v.line, "this JSON is no conversation that is known",
				`want {"messages":[{"role":"user","content":"words"}]} or one of the formats `+formatNames())
		}
	}
	if r, ok := f.jsonRow(v); ok {
		return g.add(r)
	}
	if err := g.flush(); err != nil {
		return err
	}
	d := f.draft(v.line, "")
	switch f.format {
	case Connect:
		d.connect(v.raw)
	case Zendesk:
		d.zendesk(v.raw)
	case Intercom:
		d.intercom(v.raw)
	default:
		d.messages(v.raw)
	}
	return d.emit()
}

// jsonRow reads a value that is one turn and makes one dialogue with those around it.
func (f *file) jsonRow(v value) (row, bool) {
	switch f.format {
	case ConvoKit:
		return utterance(v), true
	case OpenAI, ShareGPT:
		return messageRow(v)
	}
	return row{}, false
}

// invalid tells what is wrong with the JSON of a value, or nil.
func invalid(v value) *SyntaxError {
	var syntax *json.SyntaxError
	var whole json.RawMessage
	err := json.Unmarshal(v.raw, &whole)
	if err == nil {
		if c := v.raw[0]; c != '{' && c != '[' {
			return &SyntaxError{Line: v.line, Msg: "no JSON object: " + quote(string(v.raw)), Hint: "want an object for every dialogue"}
		}
		return nil
	}
	line := v.line
	if errors.As(err, &syntax) {
		line += bytes.Count(v.raw[:min(int(syntax.Offset), len(v.raw))], []byte("\n"))
	}
	return &SyntaxError{Line: line, Msg: "not valid JSON: " + strings.TrimPrefix(err.Error(), "json: ")}
}

// sniffJSON tells the format by the keys of a value.
func sniffJSON(raw []byte) Format {
	if raw[0] == '[' {
		for first := range elements(raw) {
			return sniffMessage(parseObject(first))
		}
		return OpenAI
	}
	o := parseObject(raw)
	switch {
	case o.has("transcript"):
		return Connect
	case o.has("conversation_parts"), o.has("source") && o.text("type") == "conversation":
		return Intercom
	case o.has("comments"), o.has("ticket"):
		return Zendesk
	case o.has("messages"):
		return OpenAI
	case o.has("conversations"), o.has("conversation") && o["conversation"][0] == '[':
		return ShareGPT
	}
	return sniffMessage(o)
}

// sniffMessage tells the format of a value that is one message.
func sniffMessage(o object) Format {
	speaker := o.has("speaker") || o.has("user") || o.has("role")
	switch {
	case o.has("from") && o.has("value"):
		return ShareGPT
	case speaker && o.has("text") && (o.has("conversation_id") || o.has("root")):
		return ConvoKit
	case o.has("role") && (o.has("content") || o.has("text")):
		return OpenAI
	}
	return anyJSON
}

// parseObject reads the keys of an object that is known to be valid JSON; a value of another kind has none.
// Of keys that differ in case only, the last in the file counts, as in encoding/json.
func parseObject(raw json.RawMessage) object {
	const mostKeys = 1000 // no export has as many
	o := object{}
	for key, v := range members(raw) {
		if len(o) < mostKeys {
			o[strings.ToLower(jsonString(key))] = v
		}
	}
	return o
}

// members yields the members of an object that is known to be valid JSON, each key as it is written; a value of
// another kind has none.
func members(raw json.RawMessage) iter.Seq2[json.RawMessage, json.RawMessage] {
	return func(yield func(key, value json.RawMessage) bool) {
		if len(raw) == 0 || raw[0] != '{' {
			return
		}
		var key json.RawMessage
		for part := range elements(raw) {
			if key == nil {
				key = part
				continue
			}
			if !yield(key, part) {
				return
			}
			key = nil
		}
	}
}

// elements yields the values between the brackets of an array that is known to be valid JSON; of an object,
// its keys and values in turn. Nothing is copied, so that a list of a million messages costs no memory.
func elements(raw json.RawMessage) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		depth, start := 0, 0
		for i := 0; i < len(raw); i++ {
			switch c := raw[i]; {
			case c == '"':
				i = stringEnd(raw, i)
			case c == '{', c == '[':
				if depth++; depth == 1 {
					start = i + 1
				}
			case depth == 1 && (c == ',' || c == ':' || c == ']' || c == '}'):
				if part := bytes.TrimSpace(raw[start:i]); len(part) > 0 && !yield(part) {
					return
				}
				start = i + 1
				if c == ']' || c == '}' {
					return
				}
			case c == ']', c == '}':
				depth--
			}
		}
	}
}

// stringEnd gives the place of the quote that closes the string whose opening quote is at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw) && raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i
}

func (o object) has(key string) bool { return len(o[key]) > 0 && string(o[key]) != "null" }

// first gives the value of the first of keys that is there and not null.
func (o object) first(keys ...string) json.RawMessage {
	for _, k := range keys {
		if o.has(k) {
			return o[k]
		}
	}
	return nil
}

// text gives the first of keys as text: a string as it is, a number as it is written, anything else empty.
func (o object) text(keys ...string) string { return jsonText(o.first(keys...)) }

// child gives the object under key; it is empty where there is none.
func (o object) child(key string) object { return parseObject(o[key]) }

func jsonText(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
		return ""
	case raw[0] == '"':
		return jsonString(raw)
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return string(raw)
	}
	return ""
}

// jsonString unquotes a string; a lone surrogate in it becomes U+FFFD.
func jsonString(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// kind names what a JSON value is, for an error.
func kind(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
		return "missing"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "a list"
	case raw[0] == '"':
		return "a string"
	case raw[0] == 't', raw[0] == 'f':
		return "true or false"
	case raw[0] == 'n':
		return "null"
	}
	return "a number"
}

// list gives the elements under key, and spoils the dialogue where there is no list.
func (d *draft) list(raw json.RawMessage, name string) iter.Seq[json.RawMessage] {
	if len(raw) == 0 || raw[0] != '[' {
		d.wrong(d.line, fmt.Sprintf("%q is %s", name, kind(raw)), "want a list")
		return func(func(json.RawMessage) bool) {}
	}
	return elements(raw)
}

// ids are the keys under which conversations carry their id.
var ids = []string{"id", "dialogue_id", "conversation_id", "dialog_id", "session_id"}
