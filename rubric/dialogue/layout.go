package dialogue

import (
	"cmp"
	"embed"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"
)

// layout says where a format of JSON has its dialogues and messages. Each file of formats/ is one, and --columns makes
// one. Places of the dialogue begin at its object, those of a message at the message.
type layout struct {
	format      Format
	Signs       []signs           // a value of the format has all places of one of them
	Dialogues   paths             // the dialogues in a value that holds several
	ID          paths             // of the dialogue
	NewestFirst bool              // messages come so, if their times did not order them
	Needs       paths             // what every dialogue has besides its messages
	Session     paths             // of requests: what several of them have in common
	Request     paths             // a dialogue that has this is a request to a model, as all in a log are
	Log         bool              // of requests: a value without messages is no dialogue
	Agent       paths             // names of those who serve
	Customer    paths             // and of those who are served
	Others      string            // the role of whoever else speaks where there is a customer
	Rating      paths             // that the customer gave
	Roles       map[string]string // the role of a speaker
	People      listed
	Meta        paths            // objects and lists of {"name","value"} whose members are metadata, too
	Fields      map[string]paths // more metadata by name
	Unused      string           // members of the dialogue that are not metadata, folded
	Messages    messages         `yaml:",inline"` // if there are no turns, or what they do not say themselves
	Turns       []messages
}

// signs are places by which a format is recognised.
type signs []paths

// listed is a list beside the messages that says who the speakers are.
type listed struct{ List, ID, Speaker, Name paths }

// messages says where messages are. Without a list the object of the dialogue is one itself.
type messages struct {
	List    paths
	Last    paths // the list is an object that has the messages by their ids, each with its parent, and this is the last
	Speaker paths
	Name    paths // of the person, where the speaker is a role or a number
	Text    paths // a message without any is none; without a speaker, it is the whole conversation
	Calls   paths // what tools are asked
	Time    paths
	Turn    paths // the number of the message
	Skip    paths // a message that has this is none, such as an internal note; beside turns, a dialogue
	Answer  bool  // of a log of requests: what the model answered
	Joined  bool  // what a speaker says in several messages is one turn, as in the segments of a recording
}

//go:embed formats
var formatFiles embed.FS

// layoutNames are the formats of formatFiles.
var layoutNames = sync.OnceValue(func() (names []Format) {
	files, err := formatFiles.ReadDir("formats")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		names = append(names, Format(strings.TrimSuffix(file.Name(), ".yaml")))
	}
	return names
})

// layouts are the formats of formatFiles in the order of their names.
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
		}
		if len(l.Turns) == 0 {
			l.Turns = []messages{l.Messages}
		}
		list = append(list, l)
	}
	return list
})

func layoutNamed(f Format) *layout { return layouts()[slices.Index(layoutNames(), f)] }

// inherit takes from base what m does not say itself.
func (m *messages) inherit(base *messages) {
	for _, p := range []struct{ own, base *paths }{{&m.Speaker, &base.Speaker}, {&m.Name, &base.Name},
		{&m.Text, &base.Text}, {&m.Calls, &base.Calls}, {&m.Time, &base.Time}} {
		if *p.own == nil {
			*p.own = *p.base
		}
	}
}

// asObject gives the members of a value; a list is one of messages.
func asObject(raw jsontext.Value) object {
	if raw.Kind() == '[' {
		return object{{"messages", "messages", raw}}
	}
	return members(raw)
}

// layoutOf finds the format of a value: the one of which it has most signs.
func layoutOf(raw jsontext.Value) (found *layout) {
	o, most := asObject(raw), 0
	for _, l := range layouts() {
		for _, set := range l.Signs {
			if len(set) > most && l.missing(o, set) == nil && (l.format != OpenAI || l.Turns[0].isSpoken(o)) {
				found, most = l, len(set)
			}
		}
	}
	return found
}

// opening gives the first message, and whether there is a list of them that has one.
func (m *messages) opening(o object) (first object, ok bool) {
	for e := range elements(m.List.first(o)) {
		return members(e), true
	}
	return nil, false
}

// isSpoken reports whether the first message, if there is one, says who speaks.
func (m *messages) isSpoken(o object) bool {
	first, ok := m.opening(o)
	return !ok || m.Speaker.first(first) != nil
}

func (l *layout) missing(o object, set signs) (none []paths) {
	for _, sign := range set {
		if sign.first(o) == nil {
			none = append(none, sign)
		}
	}
	return none
}

// nearest tells which format a value is like, and what it lacks; nothing where it has less than half of any.
func nearest(raw jsontext.Value) (told string) {
	o, best := asObject(raw), 0.0
	for _, l := range layouts() {
		for _, set := range l.Signs {
			none := l.missing(o, set)
			if share := 1 - float64(len(none))/float64(len(set)); share >= 0.5 && share > best && share < 1 {
				best = share
				told = fmt.Sprintf("it looks like %s, but %s is missing", l.format, none[0])
			}
		}
	}
	return told
}

type message struct {
	speaker, name, text string
	at                  Moment
	hasTime, isAnswer   bool
}

func (l *layout) about(d *draft, o object) {
	if id, _, _ := strings.Cut(l.ID.text(o), "\n"); id != "" {
		d.id = id
	}
	if s := l.Session.text(o); s != "" {
		d.request.session = s
	}
	d.addNames(strings.Split(l.Customer.text(o), "\n"), User)
	agent := l.Agent.text(o)
	d.addNames(strings.Split(agent, "\n"), System)
	d.meta = append(d.meta, Field{"agent", agent})
	if s := l.Rating.text(o); s != "" {
		d.rate(d.line, s)
	}
}

func (l *layout) fields(o object) []Field {
	used := l.Unused
	for _, ps := range []paths{l.ID, l.Session, l.Agent, l.Customer, l.Rating, l.Messages.Speaker, l.Messages.Name,
		l.Messages.Text, l.Messages.Time} {
		for _, p := range ps {
			if len(p.steps) > 0 {
				used += " " + p.steps[0].name
			}
		}
	}
	list := o.fields(nil, used)
	for _, p := range l.Meta {
		for v := range p.in(o) {
			list = members(v).fields(list, used)
			for e := range elements(v) {
				if f := members(e); e.Kind() == '{' && len(list) < mostGathered {
					list = append(list, Field{f.text("title", "name", "key", "id"), f.text("value")})
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Fields)) {
		list = append(list, Field{name, l.Fields[name].text(o)})
	}
	return list
}

// read reads a dialogue, or a row where the value is one message.
func (l *layout) read(d *draft, raw jsontext.Value) *Row {
	o := asObject(raw)
	d.meta = append(d.meta, l.fields(o)...)
	l.about(d, o)
	if t := &l.Turns[0]; len(l.Turns) == 1 && (t.List == nil ||
		t.List.first(o) == nil && t.Text.first(o) != nil && t.Speaker.first(o) != nil) {
		return l.row(d, t, o)
	}
	if l.Needs != nil && l.Needs.first(o) == nil {
		d.wrong(d.line, fmt.Sprintf("%s is missing, which every dialogue of %s has", l.Needs, l.format), "the keys are "+
			quoted(keysIn(raw, "")))
		return nil
	}
	if d.isEmpty = len(l.Turns) > 1 && l.Messages.Skip.first(o) != nil; d.isEmpty {
		return nil
	}
	var list []message
	var isFound [2]bool // messages in a list, among what is asked and among what is answered
	hasList := false
	for i := range l.Turns {
		t, kind := &l.Turns[i], 0
		if t.Answer {
			kind = 1
		}
		if t.List == nil && isFound[kind] || t.Answer && !isFound[1] && d.file.isAnswered(list) {
			continue
		}
		more, is := l.messages(d, t, o)
		hasList, isFound[kind] = hasList || is, isFound[kind] || is && len(more) > 0
		if t.Answer && len(more) > 0 && len(list) > 0 && more[0] == list[0] {
			more = more[min(len(list), len(more)):] // the answer repeats the request
		}
		for j := range more {
			more[j].isAnswer = t.Answer && l.Session != nil
		}
		list = append(list, more...)
	}
	if d.err == nil && len(list) == 0 && (!hasList && l.Needs == nil || l.Log) {
		if d.isEmpty = l.Log; !d.isEmpty {
			d.wrong(d.line, fmt.Sprintf("no messages at %s", l.Turns[0].List), "the keys are "+quoted(keysIn(raw, "")))
		}
		return nil
	}
	d.isRequest = l.Log || l.Request.first(o) != nil
	if l.inOrder(d, list); d.request.session != "" {
		d.request.time = l.Turns[0].Time.text(o)
	}
	other, err := ParseRole(l.Others)
	isServed := func(m message) bool { return d.file.who.find(m.speaker) == User }
	hasOthers := err == nil && (l.Customer.first(o) != nil || slices.ContainsFunc(list, isServed))
	for _, m := range list {
		if m.isAnswer {
			d.request.say(m.speaker, m.text)
		} else if l.Session != nil {
			d.ask(m.speaker, m.text)
		}
		if d.file.isPrompt(m.speaker) {
			d.sayOrPrompt(d.line, m.speaker, m.text)
			continue
		}
		role := d.file.who.find(m.speaker)
		known := role != nobody
		if !known && hasOthers {
			if role, known = d.roles[FoldName(m.speaker)]; !known {
				role, known = other, true
			}
		}
		if m.text != "" || role != Other || !known {
			d.sayAs(cmp.Or(m.name, m.speaker), role, known, m.text)
		}
	}
	return nil
}

// isAnswered reports whether messages end with one of the SYSTEM, so that nothing beside them is the answer to them.
func (f *file) isAnswered(list []message) bool {
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1].speaker
	return f.who.find(last) == System && !f.isPrompt(last)
}

// row gives a message that is a value of its own, or a whole conversation in one text.
func (l *layout) row(d *draft, t *messages, o object) *Row {
	r := &Row{Turn: math.NaN(), Meta: d.meta, Time: t.Time.text(o), whole: t.Speaker == nil}
	if d.isEmpty = t.Skip.first(o) != nil; d.isEmpty {
		return nil
	}
	for _, p := range l.ID {
		if isOwn := t.List != nil && len(p.steps) == 1 && p.steps[0].name == "id"; !isOwn && r.ID == "" {
			r.ID = paths{p}.text(o)
		}
	}
	r.Agent, r.Customer = strings.Split(l.Agent.text(o), "\n"), strings.Split(l.Customer.text(o), "\n")
	r.Rating = l.Rating.text(o)
	if n, err := strconv.ParseFloat(t.Turn.text(o), 64); err == nil {
		r.Turn = n
	}
	list := t.take(d, o, 0, nil)
	if len(list) == 0 {
		if d.isEmpty = d.err == nil; d.isEmpty {
			return nil
		}
		return r
	}
	r.Name, r.Text = list[0].speaker, list[0].text
	if !d.file.who.knows(r.Name) {
		r.Name = cmp.Or(list[0].name, r.Name)
	}
	return r
}

// messages gives the messages of a dialogue, and whether there is a list of them.
func (l *layout) messages(d *draft, t *messages, o object) (all []message, isFound bool) {
	if t.List == nil {
		if _, _, isOther := t.Text.words(o); isOther && l.Log {
			return nil, false
		}
		return t.take(d, o, 0, nil), false
	}
	who := map[string]object{}
	for e := range elements(l.People.List.first(o)) {
		person := members(e)
		who[l.People.ID.text(person)] = person
	}
	n, without := 0, 0
	for _, p := range t.List {
		if isFound {
			break
		}
		for v := range p.in(o) {
			inside := unpacked(v)
			list := flat(inside)
			if isOne := inside.Kind() == '{' && t.Speaker.first(members(inside)) != nil; isOne {
				list = slices.Values([]jsontext.Value{inside})
			} else if !isList(inside) && t.Last == nil {
				if len(l.Turns) == 1 {
					d.wrong(d.line, fmt.Sprintf("%q is not a list", p.text), "want one")
				}
				continue // another of the turns may take it
			}
			isFound = true
			if t.Last != nil {
				list = d.branch(inside, t.Last.text(o))
			}
			for e := range list {
				m := members(e)
				if n++; e.Kind() != '{' {
					d.wrong(d.line, fmt.Sprintf("message %d is no object: %s", n, quote(string(e))), "")
					break
				}
				if t.Skip.first(m) != nil {
					continue
				}
				before := len(all)
				if all = t.take(d, m, n, all); len(all) == before {
					without++
				}
				for i := before; i < len(all); i++ {
					if person, ok := who[all[i].speaker]; ok {
						all[i].name = cmp.Or(all[i].name, l.People.Name.text(person), all[i].speaker)
						all[i].speaker = cmp.Or(l.People.Speaker.text(person), all[i].speaker)
					}
				}
				if d.err != nil || len(all) > d.file.most.turns {
					break
				}
			}
		}
	}
	if without > 0 && len(all) == 0 && !l.Log {
		d.wrong(d.line, fmt.Sprintf("%s without any %s", Counted(without, "message"), t.Text), "")
	}
	return all, isFound
}

// take adds what a message says to a list: its words, and what tools are asked in it.
func (t *messages) take(d *draft, m object, n int, list []message) []message {
	what := "message " + strconv.Itoa(n)
	if n == 0 {
		what = "it"
	}
	text, is, bad := t.Text.words(m)
	if bad {
		d.wrong(d.line, fmt.Sprintf("%s has no text at %s", what, t.Text), "want a string there")
		return list
	}
	calls := callsIn(m)
	for i := 0; i < len(t.Calls) && calls == ""; i++ {
		for v := range t.Calls[i].in(m) {
			calls = strings.TrimPrefix(calls+"\n"+callIn(members(v)), "\n")
		}
	}
	if !is && calls == "" || t.List == nil && n == 0 && text == "" && calls == "" {
		return list
	}
	s := message{name: t.Name.text(m), text: text}
	if s.speaker = cmp.Or(t.Speaker.text(m), s.name); t.Answer {
		s.speaker = cmp.Or(s.speaker, "assistant")
	}
	s.at, s.hasTime = ParseTime(t.Time.text(m))
	if v, err := strconv.ParseFloat(t.Turn.text(m), 64); err == nil && math.Abs(v) < 1<<53 {
		s.at, s.hasTime = Moment{US: int64(v * 1000), EU: int64(v * 1000)}, true
	}
	if last := len(list) - 1; t.Joined && last >= 0 && (s.speaker == "" || s.speaker == list[last].speaker) {
		list[last].text += " " + strings.TrimSpace(text)
		return list
	}
	if s.speaker == "" && t.Speaker != nil {
		d.wrong(d.line, fmt.Sprintf("%s has no speaker at %s", what, t.Speaker), "")
		return list
	}
	if text != "" || calls == "" {
		list = append(list, s)
	}
	if calls != "" {
		s.speaker, s.name, s.text = toolCall, "", calls
		list = append(list, s)
	}
	return list
}

// branch yields the messages of a tree from the first one to the last, from which their parents lead back.
func (d *draft) branch(tree jsontext.Value, last string) iter.Seq[jsontext.Value] {
	nodes := map[string]jsontext.Value{}
	for _, m := range membersWithin(tree, math.MaxInt) {
		nodes[m.name] = m.value
	}
	var list []jsontext.Value
	for id := last; id != ""; {
		if nodes[id] == nil {
			d.wrong(d.line, "no message "+quote(id)+", to which others lead", "")
			break
		}
		node := nodes[id]
		delete(nodes, id) // a circle ends
		list = append(list, node)
		id = members(node).text("parent")
	}
	slices.Reverse(list)
	return slices.Values(list)
}

// inOrder puts messages in the order of their times. Those of the same time keep the direction of the list, and one
// without a time belongs to the one before it.
func (l *layout) inOrder(d *draft, list []message) {
	isUS := d.file.opt.Dates == "us"
	key := func(m *message) int64 {
		if isUS {
			return m.at.US
		}
		return m.at.EU
	}
	known := slices.IndexFunc(list, func(m message) bool { return m.hasTime })
	if known < 0 {
		if l.NewestFirst && len(list) > 1 {
			d.wrong(d.line, fmt.Sprintf("no times at %s, which order the messages", l.Messages.Time), "")
		}
		return
	}
	list[0].at, list[0].hasTime = list[known].at, true
	down, isEither := 0, false
	for i := 1; i < len(list); i++ {
		a, b := &list[i-1], &list[i]
		if !b.hasTime {
			b.at, b.hasTime = a.at, a.hasTime
		}
		down += cmp.Compare(key(a), key(b))
		isEither = isEither || b.at.US != b.at.EU
	}
	sorted := func(a, b message) int { return cmp.Compare(key(&a), key(&b)) }
	if !l.NewestFirst && !slices.IsSortedFunc(list, sorted) {
		d.file.tell("messages are read in the order of their times, which is not that of the file")
	}
	if down > 0 {
		slices.Reverse(list)
	}
	slices.SortStableFunc(list, sorted)
	if isUS = !isUS; isEither && d.file.opt.Dates == "" && !slices.IsSortedFunc(list, sorted) {
		d.wrong(d.line, "nothing tells whether the day or the month comes first in the times, and the order depends on it",
			"say it with --dates us (month first) or --dates eu (day first)")
	}
}
