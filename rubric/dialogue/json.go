package dialogue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonFormats are the formats whose dialogues are JSON values. A value is of the first format of which it has all the
// members in signs. Another format needs a line here and a read function, which fills the draft from one value, or
// gives a row instead where the value is one turn of a dialogue.
var jsonFormats = []jsonFormat{
	{Connect, "transcript", readConnect},
	{OpenAI, "messages", readMessages},
	{OpenAI, "request response", readMessages},
	{ShareGPT, "conversations", readMessages},
	{Intercom, "conversationparts", readIntercom},
	{Zendesk, "comments", readZendesk},
	{ShareGPT, "from value", readMessages},
	{ConvoKit, "speaker text conversationid", readMessages},
	{ConvoKit, "speaker text root", readMessages},
	{ConvoKit, "user text root", readMessages},
	{ConvoKit, "role text conversationid", readMessages},
	{OpenAI, "role content", readMessages},
	{OpenAI, "role text", readMessages},
	{ShareGPT, "conversation", readMessages},
	{Zendesk, "ticket", readZendesk},
	{Intercom, "type source", readIntercom},
}

type jsonFormat struct {
	format Format
	signs  string // as foldColumn gives names
	read   func(*draft, jsontext.Value) *row
}

// readJSON reads any of the formats in JSON. If it is not known which one, the first valid value tells.
func (f *file) readJSON() error {
	in := f.values()
	g := rows{file: f, spool: spool{open: f.opt.Scratch}}
	g.again = func(raw []byte, line int) row {
		d := f.draft(line, "")
		r := &row{turn: math.NaN()}
		if raw = bytes.TrimSpace(raw); jsontext.Value(raw).IsValid(lenient) {
			r = f.readValue(d, raw)
		}
		r.line, r.err = line, d.err
		return *r
	}
	log := log{spool: spool{open: f.opt.Scratch}}
	for {
		raw, line, err := in.next()
		if err == io.EOF {
			if err := g.finish(false); err != nil {
				return err
			}
			return log.finish(f)
		}
		if in.feed.err != nil || in.lines.Err() != nil {
			if e := g.finish(true); e != nil {
				return e
			}
			if e := log.finish(f); e != nil {
				return e
			}
			return err
		}
		d := f.draft(line, "")
		isLost := err != nil && !in.byLine // nobody can tell where the next value begins
		var r *row
		if err == nil {
			r = f.readValue(d, raw)
		} else {
			if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
				err = fmt.Errorf("not valid JSON: %w", syntax.Err)
			}
			hint := ""
			if isLost {
				hint = "nothing after it can be read"
			}
			if d.wrong(line, err.Error(), hint); len(g.list) > 0 {
				r, raw = &row{turn: math.NaN()}, nil // of the conversation that is being read
			}
		}
		if r != nil {
			r.line, r.err = line, d.err
			if err = g.put(raw, line); err == nil {
				g.index(len(g.list)-1, r)
			}
		} else if err = g.finish(false); err == nil && d.err == nil && d.isLogged() {
			err = log.put(raw, d)
		} else if err == nil {
			err = d.emit()
		}
		if err != nil {
			return err
		}
		if isLost {
			if err := g.finish(false); err != nil {
				return err
			}
			return log.finish(f)
		}
	}
}

// readValue reads a dialogue or a row of one, in the format of the file. Where that is not known, the members of the
// first value tell it; a list is taken for a list of messages.
func (f *file) readValue(d *draft, raw jsontext.Value) *row {
	if raw.Kind() != '{' && raw.Kind() != '[' {
		d.wrong(d.line, "no JSON object: "+quote(string(raw)), "want an object for every dialogue")
		return nil
	}
	if f.format == anyJSON {
		o, isEmpty := members(raw), raw.Kind() == '['
		for first := range elements(raw) {
			if isEmpty = false; raw.Kind() == '[' {
				o = members(first)
			}
			break
		}
		isMissing := func(name string) bool { return o.get(name) == nil }
		i := slices.IndexFunc(jsonFormats, func(j jsonFormat) bool {
			return isEmpty && j.format == OpenAI || !slices.ContainsFunc(strings.Fields(j.signs), isMissing)
		})
		if i >= 0 {
			f.setFormat(jsonFormats[i].format)
		}
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

// lenient reads what exports hold: names twice, of which the last counts, and bytes that are not UTF-8.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// object is the members of a JSON object. They are found in any case, with or without dashes and underscores.
type object []member

type member struct {
	name, folded string
	value        jsontext.Value // not taken apart yet, so that a long list costs little memory
}

// members gives the members of an object. A string in place of an object is its name.
func members(raw jsontext.Value) (o object) {
	if raw.Kind() == '"' {
		return object{{"name", "name", raw}}
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient)
	for name := range memberNames(dec) {
		value, err := dec.ReadValue()
		if err != nil || len(o) == mostGathered {
			break
		}
		end := int(dec.InputOffset())
		o = append(o, member{name, foldColumn(name), raw[end-len(value) : end]})
	}
	return o
}

// get gives the first of the members that is there and not null; nil where there is none.
func (o object) get(folded ...string) jsontext.Value {
	for _, name := range folded {
		for _, m := range slices.Backward(o) {
			if m.folded == name && m.value.Kind() != 'n' {
				return m.value
			}
		}
	}
	return nil
}

// text gives the first of the members that has one; see [plainText].
func (o object) text(folded ...string) string {
	for _, name := range folded {
		if s := plainText(o.get(name)); s != "" {
			return s
		}
	}
	return ""
}

// fields adds the members that are strings, numbers, true or false to list, in their order, save those whose names are
// in used.
func (o object) fields(list []Field, used string) []Field {
	names := strings.Fields(used)
	for _, m := range o {
		if !slices.Contains(names, m.folded) {
			list = append(list, Field{m.name, plainText(m.value)})
		}
	}
	return list
}

// plainText gives a string, and a number, true or false as they are written; "" for anything else.
func plainText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		s, _ := jsontext.AppendUnquote(nil, v) // the error tells of what is not UTF-8, which becomes U+FFFD
		return string(s)
	case '0', 't', 'f':
		return string(v)
	}
	return ""
}

// elements yields the elements of an array. The array may be a member of an object, which has the number of the page
// beside it.
func elements(list jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewBuffer(list), lenient)
		for range memberNames(dec) {
			if dec.PeekKind() == '[' {
				break
			}
			dec.SkipValue()
		}
		if dec.PeekKind() != '[' {
			return
		}
		dec.ReadToken()
		for dec.PeekKind() != ']' {
			if v, err := dec.ReadValue(); err != nil || !yield(v) {
				return
			}
		}
	}
}

// wantList gives the dialogue an error where the list of its turns is none: neither an array nor an object that has one.
func (d *draft) wantList(list jsontext.Value, name string) {
	isArray := func(m member) bool { return m.value.Kind() == '[' }
	if list.Kind() != '[' && !slices.ContainsFunc(members(list), isArray) {
		d.wrong(d.line, fmt.Sprintf("%q is not a list", name), "want one")
	}
}
