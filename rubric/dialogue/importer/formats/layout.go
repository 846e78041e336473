// Package formats reads the messages of JSON, whose places a [Layout] describes.
//
//	Where does a product have its messages?              *.yaml: Layout
//	Where is a format of JSON recognised?                layout.go: Of, OfDotted
//	What does a dialogue or a row of JSON say?           messages.go: Layout.Read
//	Which messages are notes, events, or not understood? messages.go: asides, unread
//	What is a call of a tool, or its result?             calls.go: stretches
//	Is a text a whole conversation?                      layout.go: IsTranscript
package formats

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
	"assize/rubric/dialogue/importer/transcript"
)

// Layout describes where a JSON format has its dialogues and messages, by a file of formats/ or by
// --columns. Paths of the dialogue are relative to its object, those of a message to the message.
type Layout struct {
	Format      dialogue.Format
	Signs       [][]lex.Paths     // a value of the format has all paths of one of them
	Dialogues   lex.Paths         // the dialogues in a value that holds several
	ID          lex.Paths         // of the dialogue
	NewestFirst bool              // messages are newest first, unless their times say otherwise
	Needs       lex.Paths         // what every dialogue has in addition to its messages
	Session     lex.Paths         // of requests: what those of one session have in common
	Request     lex.Paths         // marks a request to a model; in a log, all dialogues are
	Tools       lex.Paths         // the names of those that the SYSTEM could call
	Log         bool              // of requests: a value without messages is not a dialogue
	Says        duty              // of a log: which values must hold messages
	Events      bool              // messages without words are events, such as an assignment
	Dotted      bool              // a member may be named by its path: messages.0.message.role
	Agent       lex.Paths         // names of the agents
	Customer    lex.Paths         // names of the customers
	Queue       lex.Paths         // the team or queue
	OthersServe bool              // if there is a customer, everybody else is the SYSTEM
	Try         lex.Paths         // of the same task; it becomes part of the id
	Shares      bool              // ratings are shares from 0 to 1, which are mapped to 1 to 5
	Rating      lex.Paths         // by the customer
	Ratings     map[string]string // words for numbers that are not on a scale; see ratings.txt
	Roles       map[string]string // role of a speaker, by name
	// People is a separate list that defines the speakers.
	People struct{ List, ID, Speaker, Name lex.Paths }
	Meta   lex.Paths            // objects, lists of {"name","value"} that hold metadata
	Fields map[string]lex.Paths // more metadata by name
	Unused string               // members of the dialogue that are not metadata, folded
	// Messages describes the messages if there are no Turns, and is the default for each of Turns.
	Messages Messages `yaml:",inline"`
	Turns    []Messages
}

// Messages describes where messages are. Without a list, the dialogue's object is itself one.
type Messages struct {
	List    lex.Paths
	Last    lex.Paths // id of the last message, if List has messages by id, each with its parent
	Speaker lex.Paths
	Name    lex.Paths // of the person, if the speaker is a role or a number
	Text    lex.Paths // is not empty; without a speaker, it is the whole conversation
	Calls   lex.Paths // tool calls
	Time    lex.Paths
	Turn    lex.Paths  // the number of the message
	Skip    lex.Paths  // marks a message to skip, such as a note, or next to turns a dialogue
	Auto    lex.Paths  // a message that has this was sent automatically and belongs to nobody
	Answer  bool       // of a log of requests: the answer of the model
	Earlier bool       // these messages precede the current request
	Row     []string   // names of the elements of a message that is a list: ["agent", "Hello"]
	InTurn  []string   // the speakers, in turn, if a message does not name its speaker
	Then    []Messages // what else the element of the list holds, such as the answer to a question
	Joined  bool       // consecutive messages of a speaker are one turn, as in a recording

	IsNamed bool        // by --columns, so that messages without a speaker are left out
	Where   []lex.Paths // what --columns demands of a message, all of which must hold
}

// duty describes which records of a log must hold messages, so that a record whose messages are not
// found is reported rather than taken for empty.
type duty struct {
	If      lex.Paths
	Request lex.Paths // where the request is
	Answer  lex.Paths // where the answer is
}

// unmet returns the paths of a record that must hold messages but have only other words. isSaid is
// whether it has messages, separately for answers and the rest.
func (d *duty) unmet(o lex.Object, isSaid map[bool]bool) (places []string) {
	for i, at := range []lex.Paths{d.Request, d.Answer} {
		v, isAnswer := at.First(o), i == 1
		if d.If.First(o) != nil && !isSaid[isAnswer] && v != nil && lex.HasWords(v) {
			places = append(places, at.String())
		}
	}
	return places
}

//go:embed *.yaml
var formatFiles embed.FS

// Names returns the formats of formatFiles.
var Names = sync.OnceValue(func() []dialogue.Format {
	files, _ := fs.Glob(formatFiles, "*.yaml") // the error is about the pattern
	return lex.Each(files, func(file string) dialogue.Format {
		return dialogue.Format(strings.TrimSuffix(file, ".yaml"))
	})
})

// All returns the layouts of formatFiles, sorted by name.
var All = sync.OnceValue(func() (list []*Layout) {
	for _, name := range Names() {
		data, err := formatFiles.ReadFile(string(name) + ".yaml")
		l := &Layout{Format: name}
		if err == nil {
			err = yaml.UnmarshalWithOptions(data, l, yaml.Strict())
		}
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		for i := range l.Turns {
			l.Turns[i].inherit(&l.Messages)
			for j := range l.Turns[i].Then {
				l.Turns[i].Then[j].inherit(&l.Turns[i])
			}
		}
		if len(l.Turns) == 0 {
			l.Turns = []Messages{l.Messages}
		}
		list = append(list, l)
	}
	return list
})

// Named returns the layout of a format.
func Named(f dialogue.Format) *Layout { return All()[slices.Index(Names(), f)] }

// OfMessages returns a layout of messages that the user describes, or a guess.
func OfMessages(m Messages) Layout {
	return Layout{Format: stream.ByColumns, Messages: m, Turns: []Messages{m}}
}

// inherit copies from base what t does not define itself.
func (t *Messages) inherit(base *Messages) {
	for _, p := range []struct{ own, base *lex.Paths }{
		{&t.Speaker, &base.Speaker}, {&t.Name, &base.Name}, {&t.Text, &base.Text},
		{&t.Calls, &base.Calls}, {&t.Time, &base.Time},
	} {
		if *p.own == nil {
			*p.own = *p.base
		}
	}
}

// AsObject returns the members of a value. A list becomes an object with that list of messages.
func AsObject(raw jsontext.Value) lex.Object {
	if raw.Kind() == '[' {
		return lex.Object{lex.NewMember("messages", raw)}
	}
	return lex.Members(raw)
}

// Of returns the layout of a value: the one with the most signs, or nil if none matches. It
// also describes which format the value resembles and the one sign that it lacks, or returns "".
func Of(raw jsontext.Value) (found *Layout, like string) {
	o, most, best := AsObject(raw), 0, 1
	for i := range o {
		o[i].Value = distinct(o[i].Value)
	}
	isText := func(t Messages) bool { return t.List != nil || t.Text.Text(o) != "" }
	for _, l := range All() {
		for _, set := range l.Signs {
			none := slices.DeleteFunc(slices.Clone(set),
				func(sign lex.Paths) bool { return sign.First(o) != nil })
			switch {
			case len(none) == 1 && len(set) > best && slices.ContainsFunc(l.Turns, isText):
				best, like = len(set),
					fmt.Sprintf("it looks like %s, but %s is missing", l.Format, none[0])
			case len(none) == 0 && len(set) > most &&
				(l.Format != stream.OpenAI || l.Turns[0].isSpoken(o)):
				found, most = l, len(set)
			}
		}
	}
	return found, like
}

// Opening returns the first message that names its speaker or, if none does, the first element of
// the list of messages, and reports whether the list has any.
func (t *Messages) Opening(o lex.Object) (first lex.Object, ok bool) {
	for e := range lex.Elements(t.List.First(o)) {
		m := lex.Members(e)
		if t.Speaker.First(m) != nil {
			return m, true
		} else if !ok {
			first, ok = m, true
		}
	}
	return first, ok
}

// distinct returns a long list without the elements that differ from one before only in texts and
// numbers, since the signs of every format are searched for in all; any other value is unchanged.
func distinct(v jsontext.Value) jsontext.Value {
	const long, maxWord, maxKept = 64 << 10, 32, 4000
	if v.Kind() != '[' || len(v) < long {
		return v
	}
	seen, out := map[string]bool{}, []byte{'['}
	for e := range lex.Elements(v) {
		key := lex.Expr("token").ReplaceAllStringFunc(string(e), func(s string) string {
			if len(s) > maxWord || strings.ContainsAny(s, " 0123456789") {
				return ""
			}
			return s
		})
		if !seen[key] && len(seen) < maxKept {
			seen[key] = true
			out = append(append(out, e...), ',')
		}
	}
	out[len(out)-1] = ']' // a list this long has elements
	return out
}

// isSpoken reports whether a message names its speaker, or there is none in the list.
func (t *Messages) isSpoken(o lex.Object) bool {
	if list := t.List.First(o); list.Kind() == '{' && !lex.IsList(list) {
		return false // such as {"id":7}
	}
	first, ok := t.Opening(o)
	return !ok || t.Speaker.First(first) != nil
}

// About copies into p what an object says about the conversation.
func (l *Layout) About(p *stream.Part, o lex.Object) {
	isBreak := func(r rune) bool { return r == '\n' }
	names := func(ps lex.Paths) []string { return strings.FieldsFunc(ps.Text(o), isBreak) }
	id, _, _ := strings.Cut(lex.Visible(l.ID.Text(o)), "\n")
	if try := l.Try.Text(o); id != "" && try != "" {
		id += "/" + try
	}
	p.ID = cmp.Or(id, p.ID)
	p.Request.Session = cmp.Or(l.Session.Text(o), p.Request.Session)
	rating := l.Rating.Text(o)
	if len(l.Rating) > 0 && strings.Contains(l.Rating[0].Text, "[]") {
		rating = strings.ReplaceAll(rating, "\n", ",") // of several people
	}
	rating = cmp.Or(l.Ratings[rating], rating)
	if l.Shares {
		rating = lex.Scaled(rating)
	}
	p.Rating = cmp.Or(rating, p.Rating)
	p.Agent, p.Customer = append(p.Agent, names(l.Agent)...),
		append(p.Customer, names(l.Customer)...)
	p.Meta = append(p.Meta, dialogue.Field{Name: "agent", Value: l.Agent.Text(o)},
		dialogue.Field{Name: "queue", Value: l.Queue.Text(o)})
}

func (l *Layout) fields(o lex.Object) []dialogue.Field {
	used := strings.Fields(l.Unused)
	for _, ps := range []lex.Paths{l.ID, l.Session, l.Agent, l.Customer, l.Queue, l.Rating,
		l.Messages.Speaker, l.Messages.Name, l.Messages.Text, l.Messages.Time} {
		for _, p := range ps {
			if len(p.Steps) > 0 {
				used = append(used, p.Steps[0].Name)
			}
		}
	}
	isPrompt := func(f dialogue.Field) bool {
		return lex.FoldColumn(f.Name) == "system" && lex.Match("sentence", f.Value)
	}
	list := slices.DeleteFunc(o.Fields(nil, used), isPrompt)
	for _, p := range l.Meta {
		for v := range p.In(o) {
			list = lex.Members(v).Fields(list, used)
			for e := range lex.Elements(v) {
				if f := lex.Members(e); e.Kind() == '{' && len(list) < lex.MaxGathered {
					list = append(list, dialogue.Field{Name: f.Text("title", "name", "key", "id"),
						Value: f.Text("value")})
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Fields)) {
		list = append(list, dialogue.Field{Name: name, Value: l.Fields[name].Text(o)})
	}
	return list
}

// IsTranscript reports whether a cell holds a whole conversation, as text or as JSON.
func IsTranscript(who *stream.Names, cell string) bool {
	if strings.HasPrefix(cell, "[{") || strings.HasPrefix(cell, "{") {
		return len(messagesIn(cell)) > 0
	}
	return (strings.Contains(cell, ":") || lex.Match("name-clock", cell)) &&
		transcript.IsDialogue(who, transcript.Unfold(who, cell))
}

// messagesIn returns the list of messages that a cell holds as JSON, or nil.
func messagesIn(cell string) jsontext.Value {
	raw := jsontext.Value(cell)
	if !raw.IsValid(lex.Lenient) {
		return nil
	}
	if raw.Kind() == '{' {
		raw = lex.Members(raw).Get("messages", "conversation", "conversations", "transcript")
	}
	for e := range lex.Elements(raw) {
		t, m := &Named(stream.OpenAI).Turns[0], lex.Members(e)
		if _, is, bad := t.Text.Words(m); is && !bad && t.Speaker.First(m) != nil {
			return raw
		}
		break
	}
	return nil
}

// maxPlaces is the maximum number of names in a path, and the maximum depth to which values are
// expanded. Anything beyond it is left unexpanded.
const maxPlaces = 32

// tree is what dotted names describe: the members of an object, or the elements of a list by their
// numbers. Each is a tree or a [jsontext.Value].
type tree map[string]any

// put adds a member, whose name may be a path. The members of an object are merged with existing
// ones; of several other values, the first counts.
func (t tree) put(path string, v jsontext.Value, depth int) {
	name, rest, isPath := strings.Cut(path, ".")
	var list lex.Object
	if depth == maxPlaces {
		name, isPath = path, false
	} else if !isPath {
		list = placesIn(v)
	}
	before, _ := t[name].(jsontext.Value)
	inner, isTree := t[name].(tree)
	if !isTree && (isPath || list != nil) {
		inner = tree{}
		t[name] = inner
	}
	switch {
	case isPath:
		inner.put(rest, v, depth+1)
	case list != nil:
		for _, m := range list {
			inner.put(m.Name, m.Value, depth+1)
		}
	case !isTree && (before == nil || before.Kind() == 'n'):
		t[name] = v
	}
}

// placesIn returns the members of an object, of the attributes of OpenTelemetry, and, with numbers
// as names, of a list of objects or a string that holds a list of messages; else none.
func placesIn(v jsontext.Value) (list lex.Object) {
	if v.Kind() == '{' {
		return lex.MembersWithin(v, math.MaxInt)
	}
	isMessage := func(m lex.Member) bool { return strings.HasPrefix(m.Name+".", "message.") }
	isAttributes := false
	for e := range lex.Elements(lex.Unpacked(v)) {
		m, n := lex.Members(e), len(list)
		key, value := m.Text("key"), m.Get("value")
		isAttributes = isAttributes || n == 0 && v.Kind() == '[' && key != "" && value.Kind() == '{'
		if inside := lex.Members(value); isAttributes {
			if len(inside) > 0 {
				value = inside[0].Value // such as "a" in {"stringValue":"a"}
			}
			list = append(list, lex.Member{Name: key, Value: value})
			continue
		}
		if n == 0 && (e.Kind() != '{' || v.Kind() != '[' && !slices.ContainsFunc(m, isMessage)) {
			return nil
		}
		list = append(list, lex.Member{Name: strconv.Itoa(n), Value: e})
	}
	return list
}

// withLists returns a tree in which members whose names are all numbers are a list in their order.
func withLists(v any) any {
	t, _ := v.(tree)
	number := func(name string) int {
		n, err := strconv.ParseUint(name, 10, 31)
		if err != nil {
			return -1
		}
		return int(n)
	}
	names := slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a, b))
	})
	var list []any
	for _, name := range names {
		t[name] = withLists(t[name])
		list = append(list, t[name])
	}
	if len(names) > 0 && number(names[0]) >= 0 {
		return list
	}
	return v
}

// Nested returns a value with its dotted names expanded: a format whose layout says so names
// members by their full path, "llm.input.0.message.role", also in a table with such columns.
func Nested(raw jsontext.Value) jsontext.Value {
	t := tree{}
	t.put("", raw, 0)
	out, err := json.Marshal(withLists(t[""]), lex.Lenient, json.Deterministic(true))
	if err != nil {
		return raw
	}
	return out
}

// OfDotted returns the layout of a value with dotted names, or nil if it has no such format.
func OfDotted(raw jsontext.Value) *Layout {
	if l, _ := Of(Nested(raw)); l != nil && l.Dotted {
		return l
	}
	return nil
}

// RowOf returns the object that a row of a table describes. Empty cells are omitted.
func RowOf(names, cells []string) jsontext.Value {
	out := []byte{'{'}
	for i, name := range names[:min(len(names), len(cells))] {
		if cell := strings.TrimSpace(cells[i]); cell != "" {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out, _ = jsontext.AppendQuote(out, dialogue.Clean(name))
			out, _ = jsontext.AppendQuote(append(out, ':'), dialogue.Clean(cell))
		}
	}
	return append(out, '}')
}
