package formats

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
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
	"assize/rubric/dialogue/importer/transcript"
)

// holdsWords reports whether a record names a speaker and has a text of several words.
func holdsWords(f *stream.File, v jsontext.Value) bool {
	return lex.HasWords(v) && !lex.Leaves(v, "", func(at string, v jsontext.Value) bool {
		if inside := lex.Unpacked(v); inside.Kind() != v.Kind() {
			return !holdsWords(f, inside)
		}
		key, who := lex.FoldColumn(at[strings.LastIndexByte(at, '.')+1:]), lex.PlainText(v)
		return key != "role" && key != "sender" && key != "author" ||
			!f.Who.Knows(who[:min(len(who), lex.MaxName)])
	})
}

// Read reads a dialogue, or a row if the value is a single message.
func (l *Layout) Read(f *stream.File, p *stream.Part, raw jsontext.Value) {
	o := AsObject(raw)
	p.Meta = append(p.Meta, l.fields(o)...)
	l.About(p, o)
	if t := &l.Turns[0]; len(l.Turns) == 1 && (t.List == nil ||
		t.List.First(o) == nil && t.Text.First(o) != nil && t.Speaker.First(o) != nil) {
		l.row(f, p, t, o)
		return
	}
	isMore := func(t Messages) bool { return t.List.First(o) != nil || t.Text.First(o) != nil }
	if text := lex.PlainText(l.Turns[0].List.First(o)); text != "" && !l.Log && !lex.IsData(text) &&
		!slices.ContainsFunc(l.Turns[1:], isMore) && IsTranscript(f.Who, text) {
		p.IsWhole, p.Messages = true, []stream.Message{{Text: text}} // in place of a list
		return
	}
	if l.Needs != nil && l.Needs.First(o) == nil {
		p.Wrong(lex.Text("needs", l.Needs, l.Format), hintOf(lex.KeysIn(raw, "")))
		return
	}
	if p.IsEmpty = len(l.Turns) > 1 && l.Messages.Skip.First(o) != nil; p.IsEmpty {
		return
	}
	var list []stream.Message
	isFound := map[bool]bool{} // messages in a list, separately for answers and the rest
	isSaid := map[bool]bool{}  // messages of any kind
	hasList, isEarlier := false, false
	for i := range l.Turns {
		t := &l.Turns[i]
		last := stream.Message{}
		if n := len(list); n > 0 {
			last = list[n-1]
		}
		// isAnswered means that the last message is already an answer.
		isAnswered := f.Who.Find(last.Speaker) == dialogue.System && !f.IsPrompt(last.Speaker)
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
			f.Who.Find(more[0].Speaker) == dialogue.User {
			for range list {
				f.Omissions.Add("prompt", "")
			}
			list = nil
		}
		for j := range more {
			more[j].IsAnswer = t.Answer && l.Session != nil
			more[j].IsData = t.List != nil && lex.IsData(more[j].Text)
		}
		list = append(list, more...)
	}
	places := l.Says.unmet(o, isSaid)
	if isEarlier && !isSaid[false] {
		places = []string{l.Says.Request.String() + ", next to what was said before"}
	}
	for _, at := range l.unread(o) {
		f.Omissions.Add("place", lex.Quote(at))
	}
	if len(places) > 0 {
		p.Wrong("not understood: "+strings.Join(places, " and "), hintOf(lex.KeysIn(raw, "")))
		return
	}
	if p.IsEmpty = p.IsEmpty && p.Err == nil; p.IsEmpty {
		return
	}
	if p.Err == nil && len(list) == 0 && (!hasList && l.Needs == nil || l.Log) {
		isNamed := l.Messages.IsNamed
		if p.IsEmpty = (l.Log || isNamed) && !holdsWords(f, raw); l.Log && !p.IsEmpty {
			p.Wrong(lex.Problem("not-understood", lex.Quoted(lex.KeysIn(raw, ""))))
		} else if !p.IsEmpty {
			p.Wrong(fmt.Sprintf("no messages at %s", l.Turns[0].List), hintOf(lex.KeysIn(raw, "")))
		}
		return
	}
	p.IsRequest = l.Log || l.Request.First(o) != nil
	p.Tools = strings.FieldsFunc(l.Tools.Text(o), func(r rune) bool { return r == '\n' })
	if l.inOrder(f, p, list); p.Request.Session != "" {
		p.Request.Time = l.Turns[0].Time.Text(o)
	}
	isServed := func(s stream.Message) bool { return f.Who.Find(s.Speaker) == dialogue.User }
	othersServe := l.OthersServe &&
		(l.Customer.First(o) != nil || slices.ContainsFunc(list, isServed))
	sides := map[string]dialogue.Role{}
	stream.Learn(sides, p.Agent, dialogue.System)
	stream.Learn(sides, p.Customer, dialogue.User)
	isServing := func(s stream.Message) bool { return f.Who.Find(s.Speaker) == dialogue.System }
	isOwn := func(s stream.Message) bool { return s.Speaker == "SYSTEM" } // as assize writes it
	isOurs := slices.ContainsFunc(list, isOwn) && slices.ContainsFunc(list, isServed) &&
		!slices.ContainsFunc(list, func(s stream.Message) bool { return !isOwn(s) && isServing(s) })
	for _, s := range list {
		isPrompt, role := f.IsPrompt(s.Speaker), f.Who.Find(s.Speaker)
		if isOurs && isOwn(s) {
			isPrompt, role, s.IsOurs = false, dialogue.System, true
		}
		words := lex.WithoutStop(s.Text)
		said := words
		if role == dialogue.System {
			said = lex.WithoutThoughts(words)
		}
		if said == "" && s.Text != "" {
			if words != "" && !strings.Contains(words, "</") {
				f.Omissions.Add("endless", "")
			}
			continue
		}
		s.Text = said
		if l.Messages.IsNamed { // checkpoints of an agent may repeat one another
			p.Request.Session = p.ID
		}
		if l.Session != nil || p.Request.Session != "" {
			p.Request.Say(s.Speaker, s.Text, s.IsAnswer, isPrompt)
		}
		if s.IsData && role != dialogue.Other && !isPrompt {
			s.IsKnown = true
			f.Omissions.Add("payload", "")
		}
		switch {
		case s.IsKnown:
			s.Name, s.Speaker = "", ""
		case isPrompt:
			s.Name = s.Speaker
		case role != stream.Nobody:
			s.Role, s.IsKnown = role, true
		case othersServe:
			s.Role, s.IsKnown = dialogue.System, true
			if sides[lex.FoldName(s.Speaker)] == dialogue.User {
				s.Role = dialogue.User
			}
		}
		s.Name = cmp.Or(s.Name, s.Speaker)
		if s.Text != "" || s.Role != dialogue.Other || !s.IsKnown {
			p.Messages = append(p.Messages, s)
		}
	}
	if len(p.Messages) > 0 || f.Keys != "" {
		return
	} else if keys := lex.KeysIn(raw, ""); len(keys) > 0 {
		f.Keys = fmt.Sprintf("no message is at %s; the keys are %s", l.Turns[0].List,
			lex.Quoted(keys))
	}
}

// row reads a message that is a value of its own, or a whole conversation in one text.
func (l *Layout) row(f *stream.File, p *stream.Part, t *Messages, o lex.Object) {
	if p.IsEmpty = t.Skip.First(o) != nil || !t.meets(p, o); p.IsEmpty {
		return
	}
	isOwn := func(place lex.Path) bool { // the id of the message
		return t.List != nil && len(place.Steps) == 1 && place.Steps[0].Name == "id"
	}
	p.ID = slices.DeleteFunc(slices.Clone(l.ID), isOwn).Text(o)
	if n, err := strconv.ParseFloat(t.Turn.Text(o), 64); err == nil {
		p.Turn = n
	}
	list := t.take(p, o, 0, nil)
	if p.IsEmpty = len(list) == 0 && p.Err == nil; p.IsEmpty {
		f.Omissions.LookElsewhere(o)
		return
	}
	p.IsRow, p.IsWhole, p.Messages, p.Parent = true, t.Speaker == nil, list, parentOf(o)
	for i := range list {
		if s := &list[i]; f.Who.Knows(s.Speaker) || s.Name == "" {
			s.Name = s.Speaker
		}
	}
}

// messages returns the messages of a dialogue, and reports whether it has a list of them.
func (l *Layout) messages(f *stream.File, p *stream.Part, t *Messages, o lex.Object) (
	all []stream.Message, isFound bool) {
	if t.List == nil {
		text, _, isOther := t.Text.Words(o)
		isRaw := func(p lex.Path) bool { return p.Kind == "json" }
		isJSON := lex.IsData(text) && !slices.ContainsFunc(t.Text, isRaw)
		isFlag := strings.ContainsRune("tf0", rune(t.Text.First(o).Kind()))
		switch {
		case isFlag && l.Turns[0].List != nil: // next to messages, only strings are speech
			return nil, false
		case l.Log && (isOther || isJSON && l.Says.If != nil):
			p.IsEmpty = p.IsEmpty || isJSON
			return nil, false
		case isJSON:
			p.Wrong(fmt.Sprintf("JSON and no words at %s", t.Text),
				hintOf(lex.KeysIn(lex.Unpacked(t.Text.First(o)), "")))
			return nil, false
		}
		isFixed := len(t.Speaker) > 0 && t.Speaker[0].Words != ""
		if all = t.take(p, o, 0, nil); len(all) == 1 && len(l.Turns) > 1 && isFixed {
			if list := transcript.TurnsIn(all[0]); list != nil {
				all = list
			}
		}
		return all, false
	}
	who := map[string]lex.Object{}
	for e := range lex.Elements(l.People.List.First(o)) {
		person := lex.Members(e)
		who[l.People.ID.Text(person)] = person
	}
	n, without, isEmpty := 0, 0, false // isEmpty: there is a list, even if it is empty
	var tree stream.Branches
	for _, place := range t.List {
		if isFound {
			break
		}
		for v := range place.In(o) {
			inside := lex.Unpacked(v)
			list := lex.Flat(inside)
			switch {
			case t.Row != nil:
				list = slices.Collect(lex.Elements(inside))
			case t.Last != nil:
				list = branch(p, inside, t.Last.Text(o))
			// A single message may take the place of a list.
			case inside.Kind() == '{' && t.Speaker.First(lex.Members(inside)) != nil:
				list = []jsontext.Value{inside}
			case !lex.IsList(inside) || l.Log && inside.Kind() == '{':
				continue // another of the turns may read it
			}
			isFound, isEmpty = isFound || len(list) > 0, true
			isAside := t.asides(f, place.Text, list)
			for _, e := range list {
				m := lex.Members(e)
				if t.Row != nil && e.Kind() == '[' {
					m = lex.Object{}
					for v := range lex.Elements(e) {
						if n := len(m); n < len(t.Row) {
							m = append(m, lex.NewMember(t.Row[n], v))
						}
					}
				}
				if n++; m == nil {
					p.Wrong(fmt.Sprintf("message %d is no object: %s", n, lex.Quote(string(e))), "")
					break
				}
				if t.Skip.First(m) != nil || !t.meets(p, m) {
					continue
				} else if isAside(m) {
					f.Omissions.Add("aside-message", "")
					continue
				}
				if len(l.Turns) == 1 {
					f.Omissions.Untyped(t.Skip, m)
				}
				before := len(all)
				if all = t.take(p, m, n, all); len(all) == before {
					without++
					who := t.Speaker.Text(m)
					isOther := who == "" && t.Text.First(m) == nil && t.Last == nil
					if isOther && !l.Log && !l.Events {
						f.Omissions.Add("item", "")
					} else if !l.Events {
						f.Miss(f.Who.Find(who), n, p.Line)
					}
				}
				if parent := parentOf(m); parent != "" && len(all) > before && t.Last == nil {
					tree.Add(parent, f.Who.Find(t.Speaker.Text(m)))
				}
				for i := range t.Then {
					all = t.Then[i].take(p, m, n, all)
				}
				if len(all) == before || all[before].Text == "" {
					f.Omissions.LookElsewhere(m)
				}
				for i := before; i < len(all); i++ {
					if person, ok := who[all[i].Speaker]; ok {
						s := &all[i]
						s.Name = cmp.Or(s.Name, l.People.Name.Text(person), s.Speaker)
						s.Speaker = cmp.Or(l.People.Speaker.Text(person), s.Speaker)
					}
				}
				// Many messages of a speaker are one turn.
				if t.Joined && len(all) > 3*f.Limits.Turns {
					p.Wrong(lex.Problem("long", f.Limits))
				}
				if p.Err != nil || len(all) > f.Limits.Turns && !t.Joined {
					break
				}
			}
		}
	}
	if msg, hint := tree.Problem(); msg != "" {
		p.Wrong(msg, hint)
	}
	if t.Joined || t.IsNamed && stream.AreWords(f, all) {
		l.inOrder(f, p, all) // channels may come one after another
		all = stream.Joined(all)
	}
	switch {
	case without == 0 || len(all) > 0 || l.Log:
	case f.Opt.Columns["id"] == stream.NoColumn: // the values of the file are one dialogue
		p.IsEmpty = true
	default:
		var keys []string
		for _, m := range o {
			keys = append(keys, lex.KeysIn(m.Value, dialogue.Clean(m.Name))...)
		}
		p.Wrong(fmt.Sprintf("%s without any %s", lex.Counted(without, "message"), t.Text),
			hintOf(keys))
	}
	return all, isFound || isEmpty
}

// take appends what a message says to a list: its text and its tool calls.
func (t *Messages) take(p *stream.Part, m lex.Object, n int,
	list []stream.Message) []stream.Message {
	what := "message " + strconv.Itoa(n)
	if n == 0 {
		what = "it"
	}
	all, is, bad := t.stretches(m)
	if bad {
		p.Wrong(lex.Problem("no-text", what, t.Text))
		return list
	}
	isBare := len(all) == 1 && all[0].text == "" && all[0].exchanges == nil
	hasNoParts := func() bool { // neither text nor attachments
		parts := t.Text.First(m)
		return parts.Kind() == '[' && lex.Flat(parts) == nil
	}
	if _, isResult := returnsAlone(t.Speaker.Text(m), m); !is && !isResult ||
		isBare && (t.List == nil && n == 0 || hasNoParts()) {
		return list
	}
	hasCalls := func(s stretch) bool { return s.exchanges != nil }
	if n > 0 && !slices.ContainsFunc(all, hasCalls) {
		countUnread(p, m)
	}
	s := stream.Message{Name: t.Name.Text(m)}
	s.Conv = m.Text(lex.Lists()["conv-key"]...)
	if s.Speaker = cmp.Or(t.Speaker.Text(m), s.Name); t.Answer {
		s.Speaker = cmp.Or(s.Speaker, "assistant")
	}
	if n > 0 && len(t.InTurn) > 0 {
		s.Speaker = cmp.Or(s.Speaker, t.InTurn[(n-1)%len(t.InTurn)])
	}
	s.IsKnown = t.Auto.First(m) != nil
	s.Time = t.Time.Text(m)
	if s.At, s.HasTime = lex.ParseTime(s.Time); !s.HasTime && s.Time != "" {
		p.Omissions.First("time", lex.Quote(s.Time))
	}
	if v, err := strconv.ParseFloat(t.Turn.Text(m), 64); err == nil && math.Abs(v) < 1<<53 {
		s.At, s.HasTime = lex.Moment{US: int64(v * 1000), EU: int64(v * 1000)}, true
	}
	hasText := slices.ContainsFunc(all, func(s stretch) bool { return s.text != "" || !is })
	// A call needs no speaker, unless the user says where all speakers are.
	isCall := !t.IsNamed && !hasText && len(all[0].exchanges) > 0
	if s.Speaker == "" && t.Speaker != nil && !isCall && !(t.Joined && len(list) > 0) {
		if t.IsNamed {
			p.Omissions.Add("without", "")
		} else {
			p.Wrong(lex.Problem("no-name", what, t.Speaker))
		}
		return list
	}
	for i := range all {
		list = all[i].add(p, s, m, list)
	}
	return list
}

// asides returns a test for notes and events among the messages of a list, which depends on their
// kinds, and reports what may separate conversations or mark notes. The list is at that place.
func (t *Messages) asides(f *stream.File, at string, list []jsontext.Value) func(lex.Object) bool {
	isKind := func(name string) bool {
		is := func(p lex.Path) bool { return strings.HasSuffix(p.Text, name) }
		return t.IsNamed && lex.NameHas(name, "kind") &&
			!slices.ContainsFunc(slices.Concat(t.Speaker, t.Text), is)
	}
	isPart := func(name string) bool { return lex.NameHas(name, "parts") }
	isOther := func(m lex.Member) bool { return isPart(m.Name) || isKind(m.Name) }
	isOpenAI := f.Format == stream.OpenAI
	if t.Where != nil || f.Format != stream.ByColumns && !isOpenAI || len(list) == 0 ||
		!t.IsNamed && !slices.ContainsFunc(lex.Members(list[0]), isOther) {
		return func(lex.Object) bool { return false } // the common case
	}
	found, hasMessages := map[string]map[string]bool{}, map[string]bool{} // by name
	for _, e := range list {
		for _, m := range lex.Members(e) {
			of, isKnown := found[m.Name]
			if !isKnown && isOther(m) {
				of = map[string]bool{}
			}
			if found[m.Name] = of; of != nil {
				of[string(m.Value)] = true
				isSaid := lex.NameHas(lex.PlainText(m.Value), "said")
				hasMessages[m.Name] = hasMessages[m.Name] || isSaid
			}
		}
	}
	parting := slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(name string) bool {
		n := len(found[name])
		return n < 2 || n == len(list) || !isPart(name)
	})
	if len(parting) > 0 {
		id := lex.KeysIn(lex.Members(list[0]).Get(lex.FoldColumn(parting[0])), parting[0])
		at, _, _ = strings.Cut(at, "[]")
		f.Report(lex.Text("parting", lex.Quoted(parting), at+"[]."+id[0]))
	}
	return func(m lex.Object) bool {
		return slices.ContainsFunc(m, func(m lex.Member) bool {
			return found[m.Name] != nil && isKind(m.Name) &&
				lex.IsNote(m.Name, lex.PlainText(m.Value), hasMessages[m.Name])
		})
	}
}

// meets reports whether a message meets all conditions of --columns.
func (t *Messages) meets(p *stream.Part, m lex.Object) bool {
	isMet := func(place lex.Path) bool { return place.IsMet(m) }
	for _, places := range t.Where {
		if !slices.ContainsFunc(places, isMet) {
			p.IsUnmet = true
			p.Omissions.Add("unmet", "")
			return false
		}
	}
	return true
}

// parentOf returns the id of the message that a message answers, or "".
func parentOf(o lex.Object) string { return o.Text("parentmessageid", "parentid", "parent") }

// branch returns the messages of a tree from the first to the last, by the parents of the last.
func branch(p *stream.Part, tree jsontext.Value, last string) (list []jsontext.Value) {
	nodes := map[string]jsontext.Value{}
	for _, m := range lex.MembersWithin(tree, math.MaxInt) {
		nodes[m.Name] = m.Value
	}
	for id := last; id != ""; {
		if nodes[id] == nil {
			p.Wrong("no message "+lex.Quote(id)+", to which others lead", "")
			break
		}
		node := nodes[id]
		delete(nodes, id) // breaks cycles
		list = append(list, node)
		id = lex.Members(node).Text("parent")
	}
	slices.Reverse(list)
	return list
}

// unread returns the paths of lists of messages in a request that no path of the layout reads.
func (l *Layout) unread(o lex.Object) (places []string) {
	for _, place := range l.Says.Request {
		known := func(m lex.Member) bool {
			return slices.ContainsFunc(l.Turns, func(t Messages) bool {
				return slices.ContainsFunc(slices.Concat(t.List, t.Text), func(p lex.Path) bool {
					return len(p.Steps) > 1 && p.Steps[0].Name == place.Steps[0].Name &&
						p.Steps[1].Name == m.Folded
				})
			})
		}
		for v := range place.In(o) {
			for _, m := range lex.Members(lex.Unpacked(v)) {
				if m.Value.Kind() != '[' || len(place.Steps) > 1 || known(m) {
					continue
				}
				first := lex.Members(append(lex.Flat(m.Value), nil)[0])
				if l.Messages.Text.Text(first) != "" && l.Messages.Speaker.First(first) != nil {
					places = append(places, place.Text+"."+m.Name)
				}
			}
		}
	}
	return places
}

// hintOf says what to do about JSON of an unknown form, which has these keys.
func hintOf(keys []string) string {
	return strings.TrimSuffix(lex.Text("text-place", lex.Quoted(keys)), "; the keys are ")
}

// inOrder sorts messages by time. Those of the same time or without one keep their order.
func (l *Layout) inOrder(f *stream.File, p *stream.Part, list []stream.Message) {
	for i := range list {
		f.Dates.Add(list[i].At, list[i].Time)
	}
	isUS := f.Dates.IsUS()
	sorted := func(a, b stream.Message) int { return cmp.Compare(a.At.In(isUS), b.At.In(isUS)) }
	if !slices.ContainsFunc(list, func(m stream.Message) bool { return m.HasTime }) {
		if t := l.Turns[0]; t.Joined && len(list) > 2 {
			f.Note(fmt.Sprintf("no times at %s, so the turns are in the order of the file", t.Time))
		}
		if l.NewestFirst && len(list) > 1 {
			slices.Reverse(list)
			f.Note(lex.Text("newest-first", l.Messages.Time, l.Format))
		}
		return
	}
	up, back, nights := stream.FillTimes(list, stream.TimeOf, true, isUS)
	isEither := false
	for i := range list {
		isEither = isEither || i > 0 && list[i].At.US != list[i].At.EU
		list[i].HasTime = true
	}
	if nights == 1 && back == 0 && !l.NewestFirst {
		f.Report("times go back in a night in which clocks were set back; the file's order is kept")
		return
	} else if !l.NewestFirst && nights+back > 0 {
		f.Report("messages are read in the order of their times, which is not that of the file")
	}
	if back > up {
		slices.Reverse(list)
	}
	slices.SortStableFunc(list, sorted)
	if isUS = !isUS; isEither && f.Dates.Order() == "" && !slices.IsSortedFunc(list, sorted) {
		p.Wrong(lex.Problem("two-orders"))
	}
}

// ReadTranscript yields the conversation in the text of a part.
func ReadTranscript(f *stream.File, p *stream.Part) {
	text := p.Messages[0].Text
	p.Messages = nil
	if list := messagesIn(text); list != nil && p.Err == nil {
		Named(stream.OpenAI).Read(f, p, list)
	} else if text != "" && p.Err == nil {
		transcript.ParseCell(f, p, transcript.Unfold(f.Who, text))
	}
	addReply(f, p)
	stream.Assemble(f, []stream.Part{*p}, true)
}

// addReply appends the model's reply to a conversation that does not contain it already.
func addReply(f *stream.File, p *stream.Part) {
	n := len(p.Messages)
	if p.Reply == "" || p.Err != nil || n == 0 {
		return
	}
	// This may be "Assistant:", where the reply begins.
	if n > 1 && strings.TrimSpace(p.Messages[n-1].Text) == "" {
		n--
		p.Messages = p.Messages[:n]
	}
	if last := &p.Messages[n-1]; f.Who.Side(last) != dialogue.User {
		if strings.TrimSpace(last.Text) != p.Reply {
			f.Omissions.Add("answer", "")
		}
		return
	}
	if !lex.IsData(p.Reply) {
		p.Messages = append(p.Messages, stream.Message{Name: "assistant", Text: p.Reply})
		return
	}
	for _, text := range []string{"[" + p.Reply + "]", p.Reply} {
		if list := messagesIn(text); list != nil {
			Named(stream.OpenAI).Read(f, p, list)
			return
		}
	}
	p.Wrong(lex.Problem("data-answer", lex.Quoted(lex.KeysIn(jsontext.Value(p.Reply), ""))))
}
