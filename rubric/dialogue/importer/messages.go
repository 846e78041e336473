package importer

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// This file reads the messages of a JSON value as its layout describes them.

// holdsWords reports whether a record names a speaker and has a text of several words.
func holdsWords(f *file, v jsontext.Value) bool {
	return hasWords(v) && !leaves(v, "", func(at string, v jsontext.Value) bool {
		if inside := unpacked(v); inside.Kind() != v.Kind() {
			return !holdsWords(f, inside)
		}
		key, who := foldColumn(at[strings.LastIndexByte(at, '.')+1:]), plainText(v)
		return key != "role" && key != "sender" && key != "author" ||
			!f.who.knows(who[:min(len(who), maxName)])
	})
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
	isMore := func(t messages) bool { return t.List.first(o) != nil || t.Text.first(o) != nil }
	if text := plainText(l.Turns[0].List.first(o)); text != "" && !l.Log && !isData(text) &&
		!slices.ContainsFunc(l.Turns[1:], isMore) && isTranscript(f.who, text) {
		p.isWhole, p.Messages = true, []message{{Text: text}} // in place of a list
		return
	}
	if l.Needs != nil && l.Needs.first(o) == nil {
		p.wrong(fmt.Sprintf("%s is missing, which every dialogue of %s has", l.Needs, l.format),
			hintOf(keysIn(raw, "")))
		return
	}
	if p.isEmpty = len(l.Turns) > 1 && l.Messages.Skip.first(o) != nil; p.isEmpty {
		return
	}
	var list []message
	isFound := map[bool]bool{} // messages in a list, separately for answers and the rest
	isSaid := map[bool]bool{}  // messages of any kind
	hasList, isEarlier := false, false
	for i := range l.Turns {
		t := &l.Turns[i]
		last := message{}
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
		} else if t.Answer && len(more) > 1 && t.List == nil && !isFound[false] &&
			f.who.find(more[0].speaker) == dialogue.User {
			for range list {
				f.omissions.add("prompt", "")
			}
			list = nil
		}
		for j := range more {
			more[j].isAnswer = t.Answer && l.Session != nil
			more[j].isData = t.List != nil && isData(more[j].Text)
		}
		list = append(list, more...)
	}
	places := l.Says.unmet(o, isSaid[false], isSaid[true])
	if isEarlier && !isSaid[false] {
		places = []string{l.Says.Request.String() + ", next to what was said before"}
	}
	for _, at := range l.unread(o) {
		f.omissions.add("place", quote(at))
	}
	if len(places) > 0 {
		p.wrong("not understood: "+strings.Join(places, " and "),
			hintOf(keysIn(raw, "")))
		return
	}
	if p.isEmpty = p.isEmpty && p.Err == nil; p.isEmpty {
		return
	}
	if p.Err == nil && len(list) == 0 && (!hasList && l.Needs == nil || l.Log) {
		isNamed := l.Messages.isNamed
		if p.isEmpty = (l.Log || isNamed) && !holdsWords(f, raw); l.Log && !p.isEmpty {
			p.wrong("this record holds words, but its structure is not understood; the keys are "+
				quoted(keysIn(raw, "")), placesHint+", or remove the record")
		} else if !p.isEmpty {
			p.wrong(fmt.Sprintf("no messages at %s", l.Turns[0].List),
				hintOf(keysIn(raw, "")))
		}
		return
	}
	p.IsRequest = l.Log || l.Request.first(o) != nil
	p.Tools = strings.FieldsFunc(l.Tools.text(o), func(r rune) bool { return r == '\n' })
	if l.inOrder(f, p, list); p.request.session != "" {
		p.request.time = l.Turns[0].Time.text(o)
	}
	isServed := func(s message) bool { return f.who.find(s.speaker) == dialogue.User }
	othersServe := l.OthersServe &&
		(l.Customer.first(o) != nil || slices.ContainsFunc(list, isServed))
	sides := map[string]dialogue.Role{}
	learn(sides, p.Agent, dialogue.System)
	learn(sides, p.Customer, dialogue.User)
	isServing := func(s message) bool { return f.who.find(s.speaker) == dialogue.System }
	isOwn := func(s message) bool { return s.speaker == "SYSTEM" } // as assize writes it
	isOurs := slices.ContainsFunc(list, isOwn) && slices.ContainsFunc(list, isServed) &&
		!slices.ContainsFunc(list, func(s message) bool { return !isOwn(s) && isServing(s) })
	for _, s := range list {
		isPrompt, role := f.isPrompt(s.speaker), f.who.find(s.speaker)
		if isOurs && isOwn(s) {
			isPrompt, role, s.IsOurs = false, dialogue.System, true
		}
		words := withoutStop(s.Text)
		said := words
		if role == dialogue.System {
			said = withoutThoughts(words)
		}
		if said == "" && s.Text != "" {
			if words != "" && !strings.Contains(words, "</") {
				f.omissions.add("endless", "")
			}
			continue
		}
		s.Text = said
		if l.keepsLongest {
			p.request.session = p.ID
		}
		if l.Session != nil || p.request.session != "" {
			p.request.say(s.speaker, s.Text, s.isAnswer, isPrompt)
		}
		if s.isData && role != dialogue.Other && !isPrompt {
			s.IsKnown = true
			f.omissions.add("payload", "")
		}
		switch {
		case s.IsKnown:
			s.Name, s.speaker = "", ""
		case isPrompt:
			s.Name = s.speaker
		case role != nobody:
			s.Role, s.IsKnown = role, true
		case othersServe:
			s.Role, s.IsKnown = dialogue.System, true
			if sides[FoldName(s.speaker)] == dialogue.User {
				s.Role = dialogue.User
			}
		}
		if s.Name = cmp.Or(s.Name, s.speaker); s.Text != "" || s.Role != dialogue.Other ||
			!s.IsKnown {
			p.Messages = append(p.Messages, s)
		}
	}
	if len(p.Messages) == 0 && f.keys == "" {
		if keys := keysIn(raw, ""); len(keys) > 0 {
			f.keys = fmt.Sprintf("no message is at %s; the keys are %s", l.Turns[0].List,
				quoted(keys))
		}
	}
}

// row reads a message that is a value of its own, or a whole conversation in one text.
func (l *layout) row(f *file, p *part, t *messages, o object) {
	if p.isEmpty = t.Skip.first(o) != nil || !t.meets(p, o); p.isEmpty {
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
		f.omissions.lookElsewhere(o)
		return
	}
	p.isRow, p.isWhole, p.Messages, p.parent = true, t.Speaker == nil, list, parentOf(o)
	for i := range list {
		if s := &list[i]; f.who.knows(s.speaker) || s.Name == "" {
			s.Name = s.speaker
		}
	}
}

// messages returns the messages of a dialogue, and reports whether it has a list of them.
func (l *layout) messages(f *file, p *part, t *messages, o object) (all []message, isFound bool) {
	if t.List == nil {
		text, _, isOther := t.Text.words(o)
		isRaw := func(p path) bool { return p.kind == "json" }
		isJSON := isData(text) && !slices.ContainsFunc(t.Text, isRaw)
		switch {
		case l.Log && (isOther || isJSON && l.Says.If != nil):
			p.isEmpty = p.isEmpty || isJSON
			return nil, false
		case isJSON:
			p.wrong(fmt.Sprintf("JSON and no words at %s", t.Text),
				hintOf(keysIn(unpacked(t.Text.first(o)), "")))
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
	n, without, isEmpty := 0, 0, false // isEmpty: there is a list, even if it is empty
	var tree branches
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
				list = branch(p, inside, t.Last.text(o))
			// A single message may take the place of a list.
			case inside.Kind() == '{' && t.Speaker.first(members(inside)) != nil:
				list = []jsontext.Value{inside}
			case !isList(inside) || l.Log && inside.Kind() == '{':
				continue // another of the turns may read it
			}
			isFound, isEmpty = isFound || len(list) > 0, true
			isAside := t.asides(f, list)
			for _, e := range list {
				m := members(e)
				if t.Row != nil && e.Kind() == '[' {
					m = object{}
					for v := range elements(e) {
						if n := len(m); n < len(t.Row) {
							m = append(m, member{t.Row[n], foldColumn(t.Row[n]), v})
						}
					}
				}
				if n++; m == nil {
					p.wrong(fmt.Sprintf("message %d is no object: %s", n, quote(string(e))), "")
					break
				}
				if t.Skip.first(m) != nil || !t.meets(p, m) {
					continue
				} else if isAside(m) {
					f.omissions.add("aside-message", "")
					continue
				}
				if len(l.Turns) == 1 {
					f.omissions.untyped(t.Skip, m)
				}
				before := len(all)
				if all = t.take(p, m, n, all); len(all) == before {
					without++
					who := t.Speaker.text(m)
					isOther := who == "" && t.Text.first(m) == nil && t.Last == nil
					if isOther && !l.Log && !l.Events {
						f.omissions.add("item", "")
					} else if !l.Events {
						f.miss(f.who.find(who), n, p.Line)
					}
				}
				if parent := parentOf(m); parent != "" && len(all) > before && t.Last == nil {
					tree.add(parent, f.who.find(t.Speaker.text(m)))
				}
				for i := range t.Then {
					all = t.Then[i].take(p, m, n, all)
				}
				if len(all) == before || all[before].Text == "" {
					f.omissions.lookElsewhere(m)
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
	if msg := tree.String(); msg != "" {
		p.wrong(msg, branchHint)
	}
	if t.Joined || t.isNamed && areWords(f, all) {
		l.inOrder(f, p, all) // channels may come one after another
		all = joined(all)
	}
	if without > 0 && len(all) == 0 && !l.Log {
		var keys []string
		for _, m := range o {
			keys = append(keys, keysIn(m.value, dialogue.Clean(m.name))...)
		}
		p.wrong(fmt.Sprintf("%s without any %s", counted(without, "message"), t.Text),
			hintOf(keys))
	}
	return all, isFound || isEmpty
}

// take appends what a message says to a list: its text and its tool calls.
func (t *messages) take(p *part, m object, n int, list []message) []message {
	what := "message " + strconv.Itoa(n)
	if n == 0 {
		what = "it"
	}
	all, is, bad := t.stretches(m)
	if bad {
		p.wrong(fmt.Sprintf("%s has no text at %s", what, t.Text),
			"want a string there, or "+placesHint)
		return list
	}
	isBare := len(all) == 1 && all[0].text == "" && all[0].exchanges == nil
	hasNoParts := func() bool { // neither text nor attachments
		parts := t.Text.first(m)
		return parts.Kind() == '[' && flat(parts) == nil
	}
	if _, isResult := returnsAlone(t.Speaker.text(m), m); !is && !isResult ||
		isBare && (t.List == nil && n == 0 || hasNoParts()) {
		return list
	}
	hasCalls := func(s stretch) bool { return s.exchanges != nil }
	if n > 0 && !slices.ContainsFunc(all, hasCalls) {
		for range callsUnread(m) {
			p.omissions.add("broken", "")
		}
	}
	s := message{Name: t.Name.text(m)}
	s.conv = m.text(columnWords()["conv-key"]...)
	if s.speaker = cmp.Or(t.Speaker.text(m), s.Name); t.Answer {
		s.speaker = cmp.Or(s.speaker, "assistant")
	}
	if n > 0 && len(t.InTurn) > 0 {
		s.speaker = cmp.Or(s.speaker, t.InTurn[(n-1)%len(t.InTurn)])
	}
	s.IsKnown = t.Auto.first(m) != nil
	s.Time = t.Time.text(m)
	if s.at, s.hasTime = ParseTime(s.Time); !s.hasTime && s.Time != "" {
		p.omissions.first("time", quote(s.Time))
	}
	if v, err := strconv.ParseFloat(t.Turn.text(m), 64); err == nil && math.Abs(v) < 1<<53 {
		s.at, s.hasTime = Moment{US: int64(v * 1000), EU: int64(v * 1000)}, true
	}
	hasText := slices.ContainsFunc(all, func(s stretch) bool { return s.text != "" || !is })
	// A call needs no speaker, unless the user says where all speakers are.
	isCall := !t.isNamed && !hasText && len(all[0].exchanges) > 0
	if s.speaker == "" && t.Speaker != nil && !isCall && !(t.Joined && len(list) > 0) {
		if t.isNamed {
			p.omissions.add("without", "")
		} else {
			p.wrong(fmt.Sprintf("%s has no speaker at %s", what, t.Speaker), placesHint)
		}
		return list
	}
	for i := range all {
		list = all[i].add(p, s, m, list)
	}
	return list
}

// asides returns a test for notes and events among the messages of a list, which depends on their
// kinds, and reports what may separate conversations or mark notes.
func (t *messages) asides(f *file, list []jsontext.Value) func(m object) bool {
	isKind := func(name string) bool {
		is := func(p path) bool { return strings.HasSuffix(p.text, name) }
		return t.isNamed && anyIn(nameWords(name), "kind") &&
			!slices.ContainsFunc(slices.Concat(t.Speaker, t.Text), is)
	}
	isPart := func(name string) bool { return anyIn(nameWords(name), "parts") }
	isOther := func(m member) bool { return isPart(m.name) || isKind(m.name) }
	if t.where != nil || f.format != byColumns && f.format != openAI || len(list) == 0 ||
		!t.isNamed && !slices.ContainsFunc(members(list[0]), isOther) {
		return func(object) bool { return false } // the common case
	}
	found, hasMessages := map[string]map[string]bool{}, map[string]bool{} // by name
	for _, e := range list {
		for _, m := range members(e) {
			if _, is := found[m.name]; !is {
				if found[m.name] = nil; isOther(m) {
					found[m.name] = map[string]bool{}
				}
			}
			if of := found[m.name]; of != nil {
				of[string(m.value)] = true
				hasMessages[m.name] = hasMessages[m.name] ||
					anyIn(nameWords(plainText(m.value)), "said")
			}
		}
	}
	parting := slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(name string) bool {
		n := len(found[name])
		return n < 2 || n == len(list) || !isPart(name)
	})
	if len(parting) > 0 {
		f.report("messages differ in " + quoted(parting) + ", which may separate conversations " +
			"or mark notes; --columns id=PLACE separates them, and where=PLACE=VALUE chooses some")
	}
	return func(m object) bool {
		return slices.ContainsFunc(m, func(m member) bool {
			return found[m.name] != nil && isKind(m.name) &&
				isNote(m.name, plainText(m.value), hasMessages[m.name])
		})
	}
}

// meets reports whether a message meets the condition of --columns, if there is one.
func (t *messages) meets(p *part, m object) bool {
	lacks := func(place path) bool { // what it need not have
		return place.values != nil && isOneOf(place.values, "") &&
			paths{{steps: place.steps}}.first(m) == nil
	}
	if t.where == nil || t.where.first(m) != nil || slices.ContainsFunc(t.where, lacks) {
		return true
	}
	p.isUnmet = true
	p.omissions.add("unmet", "")
	return false
}

// parentOf returns the id of the message that a message answers, or "".
func parentOf(o object) string { return o.text("parentmessageid", "parentid", "parent") }

// branch returns the messages of a tree from the first to the last, by the parents of the last.
func branch(p *part, tree jsontext.Value, last string) (list []jsontext.Value) {
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

// unread returns the paths of lists of messages in a request that no path of the layout reads.
func (l *layout) unread(o object) (places []string) {
	for _, place := range l.Says.Request {
		known := func(m member) bool {
			return slices.ContainsFunc(l.Turns, func(t messages) bool {
				return slices.ContainsFunc(slices.Concat(t.List, t.Text), func(p path) bool {
					return len(p.steps) > 1 && p.steps[0].name == place.steps[0].name &&
						p.steps[1].name == m.folded
				})
			})
		}
		for v := range place.in(o) {
			for _, m := range members(unpacked(v)) {
				if m.value.Kind() != '[' || len(place.steps) > 1 || known(m) {
					continue
				}
				for _, e := range flat(m.value) {
					text, _, _ := l.Messages.Text.words(members(e))
					if text != "" && l.Messages.Speaker.first(members(e)) != nil {
						places = append(places, place.text+"."+m.name)
					}
					break
				}
			}
		}
	}
	return places
}
