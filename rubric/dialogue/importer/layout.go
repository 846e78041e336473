package importer

import (
	"cmp"
	"embed"
	"fmt"
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
)

// layout describes where a JSON format has its dialogues and messages, by a file of formats/ or by
// --columns. Paths of the dialogue are relative to its object, those of a message to the message.
type layout struct {
	format      dialogue.Format
	Signs       [][]paths // a value of the format has all paths of one of them
	Dialogues   paths     // the dialogues in a value that holds several
	ID          paths     // of the dialogue
	NewestFirst bool      // messages are newest first, unless their times say otherwise
	Needs       paths     // what every dialogue has in addition to its messages
	Session     paths     // of requests: what those of one session have in common
	// Request marks a dialogue as a request to a model; in a log, all dialogues are.
	Request paths
	Tools   paths // the names of those that the SYSTEM could call
	// keepsLongest means that of dialogues with the same id that repeat one another, such as the
	// checkpoints of an agent, only the longest counts.
	keepsLongest bool
	Log          bool // of requests: a value without messages is not a dialogue
	Says         duty // of a log: which values must hold messages
	Events       bool // messages without words are events, such as an assignment
	// Dotted means that a member may be named by its path: input_messages.0.message.role.
	Dotted      bool
	Agent       paths // names of the agents
	Customer    paths // names of the customers
	Queue       paths // the team or queue
	OthersServe bool  // if there is a customer, everybody else is the SYSTEM
	Try         paths // of the same task; it becomes part of the id
	// Shares means that ratings are shares from 0 to 1, which are mapped to the scale from 1 to 5.
	Shares  bool
	Rating  paths             // by the customer
	Ratings map[string]string // words for numbers that are not on a scale; see ratings.txt
	Roles   map[string]string // role of a speaker, by name
	People  roster
	// Meta lists objects and lists of {"name","value"} whose members are metadata, too.
	Meta   paths
	Fields map[string]paths // more metadata by name
	Unused string           // members of the dialogue that are not metadata, folded
	// Messages describes the messages if there are no Turns, and is the default for each of Turns.
	Messages messages `yaml:",inline"`
	Turns    []messages
}

// roster describes a separate list that defines the speakers.
type roster struct{ List, ID, Speaker, Name paths }

// messages describes where messages are. Without a list, the dialogue's object is itself one.
type messages struct {
	List paths
	// Last is the id of the last message, if the list holds messages by id, each with its parent.
	Last    paths
	Speaker paths
	Name    paths // of the person, if the speaker is a role or a number
	// Text must not be empty in a message. Without a speaker, it is the whole conversation.
	Text  paths
	Calls paths // tool calls
	Time  paths
	Turn  paths // the number of the message
	// Skip marks a message to skip, such as an internal note, or next to turns a dialogue.
	Skip    paths
	Auto    paths // a message that has this was sent automatically and belongs to nobody
	Answer  bool  // of a log of requests: the answer of the model
	Earlier bool  // these messages precede the current request
	// Row holds the names of the elements of a message that is a list, such as ["agent", "Hello"].
	Row    []string
	InTurn []string   // the speakers, in turn, if a message does not name its speaker
	Then   []messages // what else the element of the list holds, such as the answer to a question
	// Joined means that consecutive messages of a speaker are one turn, as in a recording.
	Joined bool

	isNamed bool  // by --columns, so that messages without a speaker are left out
	where   paths // what --columns demands of a message
}

// duty describes which records of a log must hold messages, so that a record whose messages are not
// found is reported rather than taken for empty.
type duty struct {
	If      paths
	Request paths // where the request is
	Answer  paths // where the answer is
}

// unmet returns the paths of a record that must hold messages but have only other words.
func (d *duty) unmet(o object, isAsked, isAnswered bool) (places []string) {
	if d.If.first(o) == nil {
		return nil
	}
	for _, at := range []struct {
		paths
		isFound bool
	}{{d.Request, isAsked}, {d.Answer, isAnswered}} {
		if v := at.first(o); !at.isFound && v != nil && hasWords(v) {
			places = append(places, at.String())
		}
	}
	return places
}

//go:embed formats
var formatFiles embed.FS

// layoutNames returns the formats of formatFiles.
var layoutNames = sync.OnceValue(func() (names []dialogue.Format) {
	files, err := formatFiles.ReadDir("formats")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		names = append(names, dialogue.Format(strings.TrimSuffix(file.Name(), ".yaml")))
	}
	return names
})

// layouts returns the layouts of formatFiles, sorted by name.
var layouts = sync.OnceValue(func() (list []*layout) {
	for _, name := range layoutNames() {
		data, err := formatFiles.ReadFile("formats/" + string(name) + ".yaml")
		l := &layout{format: name}
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
			l.Turns = []messages{l.Messages}
		}
		list = append(list, l)
	}
	return list
})

func layoutNamed(f dialogue.Format) *layout { return layouts()[slices.Index(layoutNames(), f)] }

// inherit copies from base what t does not define itself.
func (t *messages) inherit(base *messages) {
	for _, p := range []struct{ own, base *paths }{
		{&t.Speaker, &base.Speaker}, {&t.Name, &base.Name}, {&t.Text, &base.Text},
		{&t.Calls, &base.Calls}, {&t.Time, &base.Time},
	} {
		if *p.own == nil {
			*p.own = *p.base
		}
	}
}

// asObject returns the members of a value. A list becomes an object with that list of messages.
func asObject(raw jsontext.Value) object {
	if raw.Kind() == '[' {
		return object{{"messages", "messages", raw}}
	}
	return members(raw)
}

// layoutOf returns the layout of a value: the one with the most signs, or nil if none matches. It
// also describes which format the value resembles and the one sign that it lacks, or returns "".
func layoutOf(raw jsontext.Value) (found *layout, like string) {
	o, most, best := asObject(raw), 0, 1
	for i := range o {
		o[i].value = distinct(o[i].value)
	}
	for _, l := range layouts() {
		for _, set := range l.Signs {
			none := slices.DeleteFunc(slices.Clone(set),
				func(sign paths) bool { return sign.first(o) != nil })
			switch {
			case len(none) == 1 && len(set) > best:
				best, like = len(set),
					fmt.Sprintf("it looks like %s, but %s is missing", l.format, none[0])
			case len(none) == 0 && len(set) > most &&
				(l.format != openAI || l.Turns[0].isSpoken(o)):
				found, most = l, len(set)
			}
		}
	}
	return found, like
}

// opening returns the first message that names its speaker or, if none does, the first element of
// the list of messages, and reports whether the list has any.
func (t *messages) opening(o object) (first object, ok bool) {
	for e := range elements(t.List.first(o)) {
		m := members(e)
		if t.Speaker.first(m) != nil {
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
	for e := range elements(v) {
		key := expr("token").ReplaceAllStringFunc(string(e), func(s string) string {
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
func (t *messages) isSpoken(o object) bool {
	if list := t.List.first(o); list.Kind() == '{' && !isList(list) {
		return false // such as {"id":7}
	}
	first, ok := t.opening(o)
	return !ok || t.Speaker.first(first) != nil
}

// about copies into p what an object says about the conversation.
func (l *layout) about(p *part, o object) {
	names := func(ps paths) []string {
		return slices.DeleteFunc(strings.Split(ps.text(o), "\n"),
			func(s string) bool { return s == "" })
	}
	id, _, _ := strings.Cut(l.ID.text(o), "\n")
	if try := l.Try.text(o); id != "" && try != "" {
		id += "/" + try
	}
	p.ID = cmp.Or(id, p.ID)
	p.request.session = cmp.Or(l.Session.text(o), p.request.session)
	rating := l.Rating.text(o)
	rating = cmp.Or(l.Ratings[rating], rating)
	if l.Shares {
		rating = scaled(rating)
	}
	p.Rating = cmp.Or(rating, p.Rating)
	p.Agent, p.Customer = append(p.Agent, names(l.Agent)...),
		append(p.Customer, names(l.Customer)...)
	p.Meta = append(p.Meta, dialogue.Field{Name: "agent", Value: l.Agent.text(o)},
		dialogue.Field{Name: "queue", Value: l.Queue.text(o)})
}

func (l *layout) fields(o object) []dialogue.Field {
	used := strings.Fields(l.Unused)
	for _, ps := range []paths{l.ID, l.Session, l.Agent, l.Customer, l.Queue, l.Rating,
		l.Messages.Speaker, l.Messages.Name, l.Messages.Text, l.Messages.Time} {
		for _, p := range ps {
			if len(p.steps) > 0 {
				used = append(used, p.steps[0].name)
			}
		}
	}
	list := o.fields(nil, used)
	for _, p := range l.Meta {
		for v := range p.in(o) {
			list = members(v).fields(list, used)
			for e := range elements(v) {
				if f := members(e); e.Kind() == '{' && len(list) < maxGathered {
					list = append(list,
						dialogue.Field{Name: f.text("title", "name", "key", "id"),
							Value: f.text("value")})
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Fields)) {
		list = append(list, dialogue.Field{Name: name, Value: l.Fields[name].text(o)})
	}
	return list
}

// A format whose layout says so names members by their full path, "llm.input.0.message.role", and
// is read as if its objects and lists were nested, also from a table with such columns.

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
	var list object
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
			inner.put(m.name, m.value, depth+1)
		}
	case !isTree && (before == nil || before.Kind() == 'n'):
		t[name] = v
	}
}

// placesIn returns the members of an object, of the attributes of OpenTelemetry, and, with numbers
// as names, of a list of objects or a string that holds a list of messages; else none.
func placesIn(v jsontext.Value) (list object) {
	if v.Kind() == '{' {
		return membersWithin(v, math.MaxInt)
	}
	isMessage := func(m member) bool {
		return m.name == "message" || strings.HasPrefix(m.name, "message.")
	}
	isAttributes := false
	for e := range elements(unpacked(v)) {
		m, n := members(e), len(list)
		key, value := m.text("key"), m.get("value")
		isAttributes = isAttributes || n == 0 && v.Kind() == '[' && key != "" && value.Kind() == '{'
		if inside := members(value); isAttributes {
			if len(inside) > 0 {
				value = inside[0].value // such as "a" in {"stringValue":"a"}
			}
			list = append(list, member{name: key, value: value})
			continue
		}
		if n == 0 && (e.Kind() != '{' || v.Kind() != '[' && !slices.ContainsFunc(m, isMessage)) {
			return nil
		}
		list = append(list, member{name: strconv.Itoa(n), value: e})
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

// nested returns a value with its dotted names expanded.
func nested(raw jsontext.Value) jsontext.Value {
	t := tree{}
	t.put("", raw, 0)
	out, err := json.Marshal(withLists(t[""]), lenient, json.Deterministic(true))
	if err != nil {
		return raw
	}
	return out
}

// dottedLayout returns the layout of a value with dotted names, or nil if it has no such format.
func dottedLayout(raw jsontext.Value) *layout {
	if l, _ := layoutOf(nested(raw)); l != nil && l.Dotted {
		return l
	}
	return nil
}

// valueOf returns the object that a row of a table describes. Empty cells are omitted.
func valueOf(names, cells []string) jsontext.Value {
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
