package importer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// readJSON reads any of the JSON formats. If the format is unknown, the first valid value
// determines it.
func (f *file) readJSON() {
	in, r, isTried := f.values(f.settleColumns()), jsonReader{f, rows{file: f}, log{file: f}, 0},
		false
	for f.err == nil {
		raw, line, err := in.next()
		switch {
		case err == io.EOF:
			f.leftOut(r.empty, "record", " in which nobody says anything")
			f.leftOut(len(in.passed), "list",
				" of conversations under an unknown name: "+quoted(in.passed))
			r.finish(false)
			return
		case in.feed.err != nil || in.lines.err != nil:
			r.finish(true)
			f.fail(err)
			return
		case err != nil:
			if r.broken(line, err, in.byLine); !in.byLine {
				r.finish(false)
				return
			}
			continue
		}
		list := f.dialoguesIn(raw)
		if f.format == anyJSON && !isTried {
			if isTried = true; f.readFlat(in, slices.Clone(raw), line) {
				return
			}
			continue
		}
		for _, raw := range list {
			if f.check(raw); f.err == nil {
				r.take(f.readValue(raw, line))
			}
		}
	}
}

// jsonReader collects the contents of a JSON file: rows, requests to a model, and dialogues, which
// it yields at once.
type jsonReader struct {
	*file
	rows  rows
	log   log
	empty int // number of values without a message
}

// take processes a value, which is a whole dialogue or a part of one.
func (r *jsonReader) take(p *part) {
	isOther := func(s utterance) bool { return s.conv != "" && p.Said[0].conv != "" && s.conv != p.Said[0].conv }
	switch {
	case p.Err == nil && (p.isWhole || !p.isRow && !p.isLogged() && len(p.Said) == 1 &&
		isTranscript(r.who, p.Said[0].Text)):
		r.transcript(p)
		return
	case p.isRow:
		r.rows.put(p)
		return
	case p.isEmpty && p.Err == nil:
		r.empty++
		return
	case p.Err == nil && slices.ContainsFunc(p.Said, isOther):
		for _, s := range p.Said { // each is a row
			row := *p
			row.ID, row.Said = s.conv, []utterance{s}
			r.rows.put(&row)
		}
		return
	}
	if r.rows.finish(false); p.Err == nil && p.isLogged() {
		r.log.put(p)
	} else {
		r.conversation([]part{*p}, false)
	}
}

func (r *jsonReader) broken(line int, err error, byLine bool) {
	if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
		err = fmt.Errorf("not valid JSON: %w", syntax.Err)
	}
	msg, hint := err.Error(), ""
	if err == errTooLong {
		msg, hint = r.most.String(), longHint
	} else if !byLine { // the beginning of the next value is unknown
		hint = "nothing after it can be read"
	}
	// The error belongs to the conversation that is being read.
	p := &part{Line: line, Turn: math.NaN(), isRow: len(r.rows.keys) > 0}
	p.wrong(msg, hint)
	r.take(p)
}

func (r *jsonReader) finish(isCut bool) {
	r.rows.finish(isCut)
	r.log.finish()
	r.unsaid.tell(r.file)
	if r.requests > 1 && r.unanswered == r.requests && r.isOpen {
		r.note("all " + Counted(r.requests, "dialogue") +
			" end with the customer, at least one of them with a question; the " +
			"answers may be under a key that assize does not know")
	}
	if a := r.asked; a != nil && a.isChecked && len(a.unseen) > 0 {
		r.nothingAt(a.unseen[0]) // no value had anything there
	}
}

// dialoguesIn determines the format from the members of the first value, if it is unknown, and
// returns the dialogues of a value that holds several. A list is taken for a list of messages.
func (f *file) dialoguesIn(raw jsontext.Value) (list []jsontext.Value) {
	if f.format == anyJSON {
		l, _ := layoutOf(raw)
		if l == nil || l.format == openTelemetry { // which carries the attributes of others, too
			l = cmp.Or(dottedLayout(raw), l)
		}
		if l != nil {
			f.setFormat(l.format)
			if first, ok := l.Turns[0].opening(asObject(raw)); ok && l.format == OpenAI &&
				first.get("role", "from") == nil {
				f.who = newNames(f.opt) // the speakers are people
			}
		}
	}
	if f.layout != nil {
		if f.layout.Dotted {
			raw = nested(raw)
		}
		for _, p := range f.layout.Dialogues {
			list = slices.AppendSeq(list, p.in(asObject(raw)))
		}
	}
	if list == nil {
		list = []jsontext.Value{raw}
	}
	return list
}

func (f *file) readValue(raw jsontext.Value, line int) *part {
	p := &part{Line: line, Turn: math.NaN()}
	switch {
	case raw.Kind() != '{' && raw.Kind() != '[':
		p.wrong("no JSON object: "+quote(string(raw)), "want an object for every dialogue")
	case f.layout != nil:
		f.askedOf(p, raw)
	default:
		hint := "name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as messages[].body"
		if _, like := layoutOf(raw); like != "" {
			hint = like + "; or " + hint
		}
		p.wrong("this JSON is no conversation of a known format; the keys are "+
			quoted(keysIn(raw, "")), hint)
	}
	return p
}

// lenient accepts what exports contain: duplicate names, of which the last counts, and invalid
// UTF-8.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// object is the members of a JSON object. Their names match in any case, with or without dashes and
// underscores.
type object []member

type member struct {
	name, folded string
	value        jsontext.Value // not yet parsed, so that a long list costs little memory
}

// members returns the members of an object. A string in place of an object is its name.
func members(raw jsontext.Value) object { return membersWithin(raw, maxGathered) }

func membersWithin(raw jsontext.Value, most int) (o object) {
	if raw.Kind() == '"' {
		return object{{"name", "name", raw}}
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient)
	for name := range memberNames(dec) {
		value, err := dec.ReadValue()
		if err != nil || len(o) == most {
			break
		}
		end := int(dec.InputOffset())
		o = append(o, member{name, foldColumn(name), raw[end-len(value) : end]})
	}
	return o
}

// get returns the value of the first name that is present and not null, or nil.
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

func (o object) text(folded ...string) string {
	for _, name := range folded {
		if s := plainText(o.get(name)); s != "" {
			return s
		}
	}
	return ""
}

// fields appends the members that are strings, numbers, true or false to list, in their order,
// except those whose names are in used.
func (o object) fields(list []dialogue.Field, used []string) []dialogue.Field {
	for _, m := range o {
		if !slices.Contains(used, m.folded) {
			list = append(list, dialogue.Field{m.name, plainText(m.value)})
		}
	}
	return list
}

// plainText returns the text of a string, a number, true or false, and "" for any other value.
func plainText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		// The error is about invalid UTF-8, which becomes U+FFFD.
		s, _ := jsontext.AppendUnquote(nil, v)
		return string(s)
	case '0', 't', 'f':
		return string(v)
	}
	return ""
}

// elements yields the elements of an array. The array may be a member of an object that also has a
// page number.
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

// isList reports whether a value is a list, or an object that contains one.
func isList(v jsontext.Value) bool {
	isArray := func(m member) bool { return m.value.Kind() == '[' }
	return v.Kind() == '[' || v.Kind() == '{' && slices.ContainsFunc(members(v), isArray)
}

// flat returns the elements of a list and, in place of nested lists, their elements.
func flat(list jsontext.Value) (all []jsontext.Value) {
	for e := range elements(list) {
		if e.Kind() == '[' {
			all = slices.AppendSeq(all, elements(e))
		} else {
			all = append(all, e)
		}
	}
	return all
}
