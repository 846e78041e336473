package dialogue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonFormats are the formats whose dialogues are JSON values. A value is of the first format of which it has all the
// members in signs. Another format needs a file with its structs and its read function, which fills the draft from one
// value, or gives a row instead where the value is one turn of a dialogue.
var jsonFormats = []jsonFormat{
	{Connect, "transcript", readConnect},
	{OpenAI, "messages", readMessages},
	{ShareGPT, "conversations", readMessages},
	{Intercom, "conversation_parts", readIntercom},
	{Zendesk, "comments", readZendesk},
	{ShareGPT, "from value", readMessages},
	{ConvoKit, "speaker text conversation_id", readMessages},
	{ConvoKit, "speaker text root", readMessages},
	{ConvoKit, "user text root", readMessages},
	{ConvoKit, "role text conversation_id", readMessages},
	{OpenAI, "role content", readMessages},
	{OpenAI, "role text", readMessages},
	{ShareGPT, "conversation", readMessages},
	{Zendesk, "ticket", readZendesk},
	{Intercom, "type source", readIntercom},
}

type jsonFormat struct {
	format Format
	signs  string
	read   func(*draft, jsontext.Value) *row
}

// sniffJSON names the format of a value by its members, or anyJSON. A list is taken for a list of messages.
func sniffJSON(raw jsontext.Value) Format {
	const most = 1000 // members; no export has as many
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient)
	if raw.Kind() == '[' {
		dec.ReadToken()
		if dec.PeekKind() == ']' {
			return OpenAI
		}
	}
	members := map[string]bool{}
	for name := range memberNames(dec) {
		if dec.PeekKind() != 'n' && len(members) < most {
			members[strings.ToLower(name)] = true
		}
		dec.SkipValue()
	}
	for _, f := range jsonFormats {
		if !slices.ContainsFunc(strings.Fields(f.signs), func(name string) bool { return !members[name] }) {
			return f.format
		}
	}
	return anyJSON
}

// readJSON reads any of the formats in JSON. If it is not known which one, the first valid value tells.
func (f *file) readJSON() error {
	in := f.values()
	g := rows{file: f}
	for {
		raw, line, broken := in.next()
		if broken == io.EOF {
			return g.flush()
		}
		if in.feed.err != nil || in.lines.Err() != nil {
			return broken
		}
		d, hint := f.draft(line, ""), ""
		if syntax := (*jsontext.SyntacticError)(nil); errors.As(broken, &syntax) {
			broken = fmt.Errorf("not valid JSON: %w", syntax.Err)
		}
		if !in.byLine {
			hint = "nothing after it can be read"
		}
		var r *row
		switch {
		case broken == nil:
			r = f.readValue(d, raw)
		case g.open != nil: // in the middle of a conversation
			r = &row{sameID: true}
			fallthrough
		default:
			d.wrong(line, broken.Error(), hint)
		}
		var err error
		if r != nil {
			r.line, r.err = line, d.err
			err = g.add(*r)
		} else if err = g.flush(); err == nil {
			err = d.emit()
		}
		if err != nil {
			return err
		}
		if broken != nil && !in.byLine { // nobody can tell where the next value begins
			return g.flush()
		}
	}
}

// readValue reads a dialogue or a row of one, in the format of the file.
func (f *file) readValue(d *draft, raw jsontext.Value) *row {
	if raw.Kind() != '{' && raw.Kind() != '[' {
		d.wrong(d.line, "no JSON object: "+quote(string(raw)), "want an object for every dialogue")
		return nil
	}
	if f.format == anyJSON {
		f.setFormat(sniffJSON(raw))
	}
	for _, j := range jsonFormats {
		if j.format == f.format {
			return j.read(d, raw)
		}
	}
	d.wrong(d.line, "this JSON is no conversation of a known format",
		`want {"messages":[{"role":"user","content":"words"}]} or one of the formats `+formatNames())
	return nil
}

// lenient reads what exports hold: names in any case, with or without dashes and underscores, so that structs need no
// tags; names twice, of which the last counts; bytes that are not UTF-8; and values of another kind than the struct
// wants, which leave it empty. A number, true and false are strings, too, and a string in place of an object is its
// first member.
var lenient = json.JoinOptions(
	jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true),
	json.MatchCaseInsensitiveNames(true),
	json.WithUnmarshalers(json.UnmarshalFromFunc(unmarshalLenient)),
)

func unmarshalLenient(dec *jsontext.Decoder, v any) error {
	kind := dec.PeekKind()
	switch v := v.(type) {
	case *string:
		switch kind {
		case '"':
			return errors.ErrUnsupported
		case '0', 't', 'f':
			raw, err := dec.ReadValue()
			*v = string(raw)
			return err
		}
		return dec.SkipValue()
	case *jsontext.Value, json.UnmarshalerFrom:
		return errors.ErrUnsupported
	}
	object := reflect.ValueOf(v).Elem()
	switch {
	case kind == '{' || object.Kind() != reflect.Struct:
		return errors.ErrUnsupported
	case kind == '"' && object.Field(0).Kind() == reflect.String:
		return json.UnmarshalDecode(dec, object.Field(0).Addr().Interface())
	}
	return dec.SkipValue()
}

// unmarshal reads a valid value.
func (d *draft) unmarshal(raw jsontext.Value, v any) {
	if err := json.Unmarshal(raw, v, lenient); err != nil {
		d.wrong(d.line, err.Error(), "")
	}
}

// elements yields the elements of an array, decoded one by one, so that a list of a million messages costs little
// memory. It stops when the dialogue has an error. The array may be a member of an object, which has the number of the
// page beside it. If there must be one, name is what the error calls it.
func elements[T any](d *draft, list jsontext.Value, name string) iter.Seq[T] {
	return func(yield func(T) bool) {
		dec := jsontext.NewDecoder(bytes.NewBuffer(list), lenient)
		for range memberNames(dec) {
			if dec.PeekKind() == '[' {
				break
			}
			dec.SkipValue()
		}
		if dec.PeekKind() != '[' {
			if name != "" {
				d.wrong(d.line, fmt.Sprintf("%q is not a list", name), "want one")
			}
			return
		}
		dec.ReadToken()
		for d.err == nil && dec.PeekKind() != ']' {
			var v T
			if err := json.UnmarshalDecode(dec, &v, lenient); err != nil {
				d.wrong(d.line, err.Error(), "")
			} else if !yield(v) {
				return
			}
		}
	}
}

// scalars adds the members of an object that are strings, numbers, true or false to list, in their order.
func scalars(list []Field, object jsontext.Value) []Field {
	dec := jsontext.NewDecoder(bytes.NewBuffer(object), lenient)
	for name := range memberNames(dec) {
		f := Field{Name: name}
		json.UnmarshalDecode(dec, &f.Value, lenient) // valid; another kind leaves it empty
		if list = append(list, f); len(list) >= mostGathered {
			break
		}
	}
	return list
}

// ref names a person or a thing: an object, or its name alone.
type ref struct{ Name, ID, Type, Role, Channel string }

// firstValue gives the first of values that is there and not null.
func firstValue(values ...jsontext.Value) jsontext.Value {
	for _, v := range values {
		if len(v) > 0 && v.Kind() != 'n' {
			return v
		}
	}
	return nil
}
