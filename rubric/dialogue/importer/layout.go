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

	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"

	"assize/rubric/dialogue"
)

// layout describes where a JSON format has its dialogues and messages. Each file of formats/
// defines one, and --columns creates one. Paths of the dialogue are relative to its object, those
// of a message to the message.
type layout struct {
	format      dialogue.Format
	Signs       []signs // a value of the format has all paths of one of them
	Dialogues   paths   // the dialogues in a value that holds several
	ID          paths   // of the dialogue
	NewestFirst bool    // messages are newest first, unless their times say otherwise
	Needs       paths   // what every dialogue has in addition to its messages
	Session     paths   // of requests: what those of one session have in common
	// Request marks a dialogue as a request to a model; in a log, all dialogues are.
	Request paths
	Log     bool // of requests: a value without messages is not a dialogue
	Says    duty // of a log: which values must hold messages
	Events  bool // messages without words are events, such as an assignment
	// Dotted means that a member may be named by its full path, as in
	// input_messages.0.message.role.
	Dotted      bool
	Agent       paths // names of the agents
	Customer    paths // names of the customers
	OthersServe bool  // if there is a customer, everybody else is the SYSTEM
	Try         paths // of the same task; it becomes part of the id
	ByName      bool  // a value may hold several dialogues by their ids
	// Shares means that ratings are shares from 0 to 1, which are mapped to the scale from 1 to 5.
	Shares  bool
	Rating  paths             // by the customer
	Ratings map[string]string // words for numbers that are not on a scale; see ratings.txt
	Roles   map[string]string // role of a speaker, by name
	People  listed
	// Meta lists objects and lists of {"name","value"} whose members are metadata, too.
	Meta   paths
	Fields map[string]paths // more metadata by name
	Unused string           // members of the dialogue that are not metadata, folded
	// Messages describes the messages if there are no Turns, and is the default for each of Turns.
	Messages messages `yaml:",inline"`
	Turns    []messages
}

// signs is a set of paths by which a format is recognized.
type signs []paths

// listed describes a separate list that defines the speakers.
type listed struct{ List, ID, Speaker, Name paths }

// messages describes where messages are. Without a list, the object of the dialogue is itself a
// message.
type messages struct {
	List paths
	// Last is the id of the last message, if the list is an object of messages by id, each with its
	// parent.
	Last    paths
	Speaker paths
	Name    paths // of the person, if the speaker is a role or a number
	// Text is the text. A value without any is not a message; without a speaker, it is the whole
	// conversation.
	Text  paths
	Calls paths // tool calls
	Time  paths
	Turn  paths // the number of the message
	// Skip marks a message that is skipped, such as an internal note. Next to turns, it marks a
	// dialogue to skip.
	Skip    paths
	Auto    paths // a message that has this was sent automatically and belongs to nobody
	Answer  bool  // of a log of requests: the answer of the model
	Earlier bool  // these messages precede the current request
	// Row holds the names of the elements of a message that is a list, such as ["agent", "Hello"].
	Row    []string
	InTurn []string   // the speakers, in turn, if a message does not name its speaker
	Then   []messages // what else the element of the list holds, such as the answer to a question
	// Joined means that consecutive messages of a speaker are one turn, as in the segments of a
	// recording.
	Joined bool
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

// inherit copies from base what m does not define itself.
func (m *messages) inherit(base *messages) {
	for _, p := range []struct{ own, base *paths }{{&m.Speaker, &base.Speaker},
		{&m.Name, &base.Name},
		{&m.Text, &base.Text}, {&m.Calls, &base.Calls}, {&m.Time, &base.Time}} {
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
// also describes which format the value resembles and what it lacks, or returns "" if the value has
// less than half of the signs of every format.
func layoutOf(raw jsontext.Value) (found *layout, like string) {
	o, most, best := asObject(raw), 0, 0.49
	for _, l := range layouts() {
		for _, set := range l.Signs {
			none := slices.DeleteFunc(slices.Clone(set),
				func(sign paths) bool { return sign.first(o) != nil })
			share := 1 - float64(len(none))/float64(len(set))
			first, ok := l.Turns[0].opening(o)
			switch isSpoken := !ok || l.Turns[0].Speaker.first(first) != nil; {
			case len(none) > 0 && share > best:
				best, like = share,
					fmt.Sprintf("it looks like %s, but %s is missing", l.format, none[0])
			case len(none) == 0 && len(set) > most && (l.format != OpenAI || isSpoken):
				found, most = l, len(set)
			}
		}
	}
	return found, like
}

// opening returns the first message in the list of messages, and reports whether it exists.
func (m *messages) opening(o object) (first object, ok bool) {
	for e := range elements(m.List.first(o)) {
		return members(e), true
	}
	return nil, false
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
	p.Meta = append(p.Meta, dialogue.Field{"agent", l.Agent.text(o)})
}

func (l *layout) fields(o object) []dialogue.Field {
	used := strings.Fields(l.Unused)
	for _, ps := range []paths{l.ID, l.Session, l.Agent, l.Customer, l.Rating, l.Messages.Speaker,
		l.Messages.Name,
		l.Messages.Text, l.Messages.Time} {
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
						dialogue.Field{f.text("title", "name", "key", "id"), f.text("value")})
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Fields)) {
		list = append(list, dialogue.Field{name, l.Fields[name].text(o)})
	}
	return list
}

// read reads a dialogue, or a row if the value is a single message.
func (l *layout) read(f *file, p *part, raw jsontext.Value) {
	o := asObject(raw)
	p.Meta = append(p.Meta, l.fields(o)...)
	l.about(p, o)
	if t := &l.Turns[0]; len(l.Turns) == 1 && (t.List == nil ||
		t.List.first(o) == nil && t.Text.first(o) != nil && t.Speaker.first(o) != nil) {
		l.row(f, p, t, o)
		return
	}
	if l.Needs != nil && l.Needs.first(o) == nil {
		p.wrong(fmt.Sprintf("%s is missing, which every dialogue of %s has", l.Needs, l.format),
			"the keys are "+
				quoted(keysIn(raw, "")))
		return
	}
	if p.isEmpty = len(l.Turns) > 1 && l.Messages.Skip.first(o) != nil; p.isEmpty {
		return
	}
	var list []utterance
	isFound := map[bool]bool{} // messages in a list, separately for answers and the rest
	isSaid := map[bool]bool{}  // messages of any kind
	hasList, isEarlier := false, false
	for i := range l.Turns {
		t := &l.Turns[i]
		last := utterance{}
		if n := len(list); n > 0 {
			last = list[n-1]
		}
		// isAnswered means that the last message is already an answer.
		isAnswered := f.who.find(last.speaker) == dialogue.System && !f.isPrompt(last.speaker)
		if t.List == nil && isFound[t.Answer] || t.Answer && !isFound[true] && isAnswered {
			isSaid[t.Answer] = true
			continue
		}
		more, is := l.messages(f, p, t, o)
		hasList, isFound[t.Answer] = hasList || is, isFound[t.Answer] ||
			is && len(more) > 0 && !t.Earlier
		isSaid[t.Answer] = isSaid[t.Answer] || len(more) > 0 && !t.Earlier
		isEarlier = isEarlier || len(more) > 0 && t.Earlier
		if t.Answer && len(more) > 0 && len(list) > 0 && more[0] == list[0] {
			more = more[min(len(list), len(more)):] // the answer repeats the request
		}
		for j := range more {
			more[j].isAnswer = t.Answer && l.Session != nil
			more[j].isData = t.List != nil && isData(more[j].Text)
		}
		list = append(list, more...)
	}
	places := l.Says.unmet(o, isSaid[false], isSaid[true])
	if isEarlier && !isSaid[false] {
		places = []string{l.Says.Asked.String() + ", next to what was said before"}
	}
	f.unsaid.unread(l.unread(o))
	if len(places) > 0 {
		p.wrong("not understood: "+strings.Join(places, " and "),
			unknownHint+quoted(keysIn(raw, "")))
		return
	}
	if p.isEmpty = p.isEmpty && p.Err == nil; p.isEmpty {
		return
	}
	if p.Err == nil && len(list) == 0 && (!hasList && l.Needs == nil || l.Log) {
		if p.isEmpty = l.Log && !f.hasWords(raw); l.Log && !p.isEmpty {
			p.wrong("this record holds words, but its structure is not understood; the keys are "+
				quoted(keysIn(raw, "")),
				"name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, "+
					"or remove the record")
		} else if !p.isEmpty {
			p.wrong(fmt.Sprintf("no messages at %s", l.Turns[0].List),
				"the keys are "+quoted(keysIn(raw, "")))
		}
		return
	}
	p.IsRequest = l.Log || l.Request.first(o) != nil
	if l.inOrder(f, p, list); p.request.session != "" {
		p.request.time = l.Turns[0].Time.text(o)
	}
	isServed := func(s utterance) bool { return f.who.find(s.speaker) == dialogue.User }
	othersServe := l.OthersServe &&
		(l.Customer.first(o) != nil || slices.ContainsFunc(list, isServed))
	sides := map[string]dialogue.Role{}
	learn(sides, p.Agent, dialogue.System)
	learn(sides, p.Customer, dialogue.User)
	for _, s := range list {
		isPrompt, role := f.isPrompt(s.speaker), f.who.find(s.speaker)
		said := withoutStop(s.Text)
		if role == dialogue.System {
			said = withoutThoughts(said)
		}
		if said == "" && s.Text != "" {
			if role == dialogue.System && !strings.Contains(s.Text, "</") {
				f.unsaid.endless++
			}
			continue
		}
		s.Text = said
		if l.Session != nil {
			p.request.say(s.speaker, s.Text, s.isAnswer, isPrompt)
		}
		if s.isData && role != dialogue.Other && !isPrompt {
			s.IsKnown = true
			f.unsaid.data++
		}
		switch {
		case s.IsKnown:
			s.Name, s.speaker = "", ""
		case isPrompt:
			s.Name = s.speaker
		case role != nobody:
			s.Role, s.IsKnown = role, true
		case othersServe:
			if s.Role, s.IsKnown = dialogue.System, true; sides[FoldName(s.speaker)] == dialogue.User {
				s.Role = dialogue.User
			}
		}
		if s.Name = cmp.Or(s.Name, s.speaker); s.Text != "" || s.Role != dialogue.Other || !s.IsKnown {
			p.Said = append(p.Said, s)
		}
	}
}

// row reads a message that is a value of its own, or a whole conversation in one text.
func (l *layout) row(f *file, p *part, t *messages, o object) {
	if p.isEmpty = t.Skip.first(o) != nil; p.isEmpty {
		return
	}
	p.ID = ""
	for _, place := range l.ID {
		if isOwn := t.List != nil && len(place.steps) == 1 && place.steps[0].name == "id"; !isOwn &&
			p.ID == "" {
			p.ID = paths{place}.text(o)
		}
	}
	if n, err := strconv.ParseFloat(t.Turn.text(o), 64); err == nil {
		p.Turn = n
	}
	list := t.take(p, o, 0, nil)
	if p.isEmpty = len(list) == 0 && p.Err == nil; p.isEmpty {
		return
	}
	p.isRow, p.isWhole = true, t.Speaker == nil
	s := utterance{Time: t.Time.text(o)}
	if len(list) == 0 {
		list = []utterance{{}}
	}
	for _, said := range list {
		if s.Name, s.Text, s.Asks, s.Answers = said.speaker, said.Text, said.Asks,
			said.Answers; !f.who.knows(s.Name) {
			s.Name = cmp.Or(said.Name, s.Name)
		}
		p.Said = append(p.Said, s)
	}
}

// messages returns the messages of a dialogue, and reports whether it has a list of them.
func (l *layout) messages(f *file, p *part, t *messages, o object) (all []utterance, isFound bool) {
	if t.List == nil {
		text, _, isOther := t.Text.words(o)
		isJSON := isData(text) && !t.Text.has("json")
		switch {
		case l.Log && (isOther || isJSON && l.Says.If != nil):
			p.isEmpty = p.isEmpty || isJSON
			return nil, false
		case isJSON:
			p.wrong(fmt.Sprintf("JSON and no words at %s", t.Text),
				unknownHint+quoted(keysIn(unpacked(t.Text.first(o)), "")))
			return nil, false
		}
		isFixed := len(t.Speaker) > 0 && t.Speaker[0].words != ""
		if all = t.take(p, o, 0, nil); len(all) == 1 && len(l.Turns) > 1 && isFixed {
			if list := turnsIn(all[0].Text); list != nil {
				for i := range list {
					list[i].Time, list[i].at, list[i].hasTime = all[0].Time, all[0].at,
						all[0].hasTime
				}
				all = list
			}
		}
		return all, false
	}
	who := map[string]object{}
	for e := range elements(l.People.List.first(o)) {
		person := members(e)
		who[l.People.ID.text(person)] = person
	}
	n, without := 0, 0
	for _, place := range t.List {
		if isFound {
			break
		}
		for v := range place.in(o) {
			inside := unpacked(v)
			list := flat(inside)
			switch {
			case t.Row != nil:
				list = slices.Collect(elements(inside))
			case t.Last != nil:
				list = p.branch(inside, t.Last.text(o))
			// A single message may take the place of a list.
			case inside.Kind() == '{' && t.Speaker.first(members(inside)) != nil:
				list = []jsontext.Value{inside}
			case !isList(inside) || l.Log && inside.Kind() == '{':
				continue // another of the turns may read it
			}
			isFound = true
			for _, e := range list {
				m := members(e)
				if t.Row != nil && e.Kind() == '[' {
					m = t.named(e)
				}
				if n++; m == nil {
					p.wrong(fmt.Sprintf("message %d is no object: %s", n, quote(string(e))), "")
					break
				}
				if t.Skip.first(m) != nil {
					continue
				}
				before := len(all)
				if all = t.take(p, m, n, all); len(all) == before {
					without++
					f.unsaid.miss(l, f.who.find(t.Speaker.text(m)), n, p.Line)
				}
				for i := range t.Then {
					all = t.Then[i].take(p, m, n, all)
				}
				for i := before; i < len(all); i++ {
					if person, ok := who[all[i].speaker]; ok {
						all[i].Name = cmp.Or(all[i].Name, l.People.Name.text(person),
							all[i].speaker)
						all[i].speaker = cmp.Or(l.People.Speaker.text(person), all[i].speaker)
					}
				}
				// Many messages of a speaker are one turn.
				if t.Joined && len(all) > 3*f.most.turns {
					p.wrong(f.most.String(), longHint)
				}
				if p.Err != nil || len(all) > f.most.turns && !t.Joined {
					break
				}
			}
		}
	}
	if t.Joined {
		l.inOrder(f, p, all) // channels may come one after another
		all = joined(all)
	}
	if without > 0 && len(all) == 0 && !l.Log {
		p.wrong(fmt.Sprintf("%s without any %s", Counted(without, "message"), t.Text),
			"name the place with --columns speaker=PLACE,text=PLACE; the keys are "+
				quoted(o.keys()))
	}
	return all, isFound
}

// joined merges consecutive messages of a speaker into one. A message without a speaker continues
// the message before it.
func joined(list []utterance) (all []utterance) {
	for from, to := 0, 0; from < len(list); from = to {
		s := list[from]
		var texts []string
		for to = from; to < len(list) &&
			(to == from || list[to].speaker == "" || list[to].speaker == s.speaker); to++ {
			texts = append(texts, strings.TrimSpace(list[to].Text))
		}
		s.Text = strings.Join(texts, " ")
		all = append(all, s)
	}
	return all
}

// take appends what a message says to a list: its text and its tool calls.
func (t *messages) take(p *part, m object, n int, list []utterance) []utterance {
	what := "message " + strconv.Itoa(n)
	if n == 0 {
		what = "it"
	}
	all, is, bad := t.stretches(m)
	if bad {
		p.wrong(fmt.Sprintf("%s has no text at %s", what, t.Text), "want a string there")
		return list
	}
	isBare := len(all) == 1 && all[0].text == "" && all[0].exchanges == nil
	if _, isResult := returnsAlone(t.Speaker.text(m), m); !is && !isResult ||
		isBare && (t.List == nil && n == 0 || isEmptyList(t.Text.first(m))) {
		return list
	}
	s := utterance{Name: t.Name.text(m), conv: m.text(columnWords()["conv-key"]...)}
	if s.speaker = cmp.Or(t.Speaker.text(m), s.Name); t.Answer {
		s.speaker = cmp.Or(s.speaker, "assistant")
	}
	if n > 0 && len(t.InTurn) > 0 {
		s.speaker = cmp.Or(s.speaker, t.InTurn[(n-1)%len(t.InTurn)])
	}
	s.IsKnown = t.Auto.first(m) != nil
	s.Time = t.Time.text(m)
	s.at, s.hasTime = ParseTime(s.Time)
	if v, err := strconv.ParseFloat(t.Turn.text(m), 64); err == nil && math.Abs(v) < 1<<53 {
		s.at, s.hasTime = Moment{US: int64(v * 1000), EU: int64(v * 1000)}, true
	}
	if s.speaker == "" && t.Speaker != nil && !(t.Joined && len(list) > 0) {
		p.wrong(fmt.Sprintf("%s has no speaker at %s", what, t.Speaker), "")
		return list
	}
	for i := range all {
		list = all[i].add(s, m, list)
	}
	return list
}

// isEmptyList reports whether a value is a list without elements, such as the parts of a message
// with neither text nor attachments.
func isEmptyList(v jsontext.Value) bool {
	if v.Kind() != '[' {
		return false
	}
	for range elements(v) {
		return false
	}
	return true
}

// named returns the members of a message that is a list.
func (t *messages) named(list jsontext.Value) object {
	o := object{}
	for v := range elements(list) {
		if len(o) == len(t.Row) {
			break
		}
		o = append(o, member{t.Row[len(o)], foldColumn(t.Row[len(o)]), v})
	}
	return o
}

// branch returns the messages of a tree on the path from the first one to the last, following the
// parents back from the last.
func (p *part) branch(tree jsontext.Value, last string) (list []jsontext.Value) {
	nodes := map[string]jsontext.Value{}
	for _, m := range membersWithin(tree, math.MaxInt) {
		nodes[m.name] = m.value
	}
	for id := last; id != ""; {
		if nodes[id] == nil {
			p.wrong("no message "+quote(id)+", to which others lead", "")
			break
		}
		node := nodes[id]
		delete(nodes, id) // breaks cycles
		list = append(list, node)
		id = members(node).text("parent")
	}
	slices.Reverse(list)
	return list
}

// inOrder sorts messages by time. Messages of the same time keep the direction of the list, and a
// message without a time stays with the one before it.
func (l *layout) inOrder(f *file, p *part, list []utterance) {
	isUS := f.opt.Dates == "us"
	sorted := func(a, b utterance) int { return cmp.Compare(a.at.in(isUS), b.at.in(isUS)) }
	known := slices.IndexFunc(list, func(m utterance) bool { return m.hasTime })
	if known < 0 {
		if t := l.Turns[0]; t.Joined && len(list) > 2 {
			f.note(fmt.Sprintf("no times at %s, so the turns are in the order of the file", t.Time))
		}
		if l.NewestFirst && len(list) > 1 {
			slices.Reverse(list)
			f.note(fmt.Sprintf("no times at %s, so the messages are read from the end: "+
				"%s lists the newest first", l.Messages.Time, l.format))
		}
		return
	}
	list[0].at, list[0].hasTime = list[known].at, true
	down, isEither, backs, goesBack := 0, false, 0, false
	for i := 1; i < len(list); i++ {
		a, b := &list[i-1], &list[i]
		if !b.hasTime {
			b.at, b.hasTime = a.at, a.hasTime
		}
		if setBack(a.at, b.at, isUS) {
			backs++
		} else {
			down += sorted(*a, *b)
			goesBack = goesBack || sorted(*a, *b) > 0
		}
		isEither = isEither || b.at.US != b.at.EU
	}
	if backs == 1 && !goesBack && !l.NewestFirst {
		f.tell("times go back in a night in which clocks were set back; the file's order is kept")
		return
	}
	if !l.NewestFirst && !slices.IsSortedFunc(list, sorted) {
		f.tell("messages are read in the order of their times, which is not that of the file")
	}
	if down > 0 {
		slices.Reverse(list)
	}
	slices.SortStableFunc(list, sorted)
	if isUS = !isUS; isEither && f.opt.Dates == "" && !slices.IsSortedFunc(list, sorted) {
		p.wrong("nothing tells whether the day or the month comes first in the times, and the order depends on it",
			"say it with --dates us (month first) or --dates eu (day first)")
	}
}
