package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// settle finds which column holds what: the column that the user names, else one with a usual name,
// else, as a guess that is reported, one whose name and values have the right form. If none can be
// the id of a conversation, nothing is read: many dialogues would be judged as one. If the table
// cannot be read, it returns the reason and a hint.
func (h *Header) settle(f *stream.File, sample [][]string, parts []int) (msg, hint string) {
	if h.IsNameless = h.isData(f, sample); h.IsNameless {
		sample, parts = append([][]string{slices.Clone(h.Names)}, sample...),
			append([]int{0}, parts...)
		for i := range h.Names {
			h.Names[i] = fmt.Sprintf("column %d", i+1)
		}
	}
	stream.LeaveOtherID(f, func(id string) bool { return h.find(id) >= 0 })
	if msg, hint = h.apply(f.Opt.Columns); msg != "" {
		return msg, hint
	}
	c := newFinder(f, h, sample, parts)
	for _, w := range h.where {
		if n := len(sample); 0 < n && n < MaxSampled && !slices.ContainsFunc(sample, w.isMet) {
			values := slices.Sorted(maps.Keys(c.list[w.at].values))
			return lex.Problem("no-value", lex.Quote(w.text), lex.Quoted(values))
		}
	}
	if msg, hint = c.rivals(); msg != "" {
		return msg, hint
	}
	if c.findTranscripts(); !c.transcripts {
		c.find(textColumn)
		c.find(speakerColumn)
	}
	asksText, asksSpeaker := isAsked(f, textColumn), isAsked(f, speakerColumn)
	if !h.transcripts && !asksText && !asksSpeaker {
		if h.place[speakerColumn] >= 0 {
			if msg, hint = c.settleBlocks(); msg != "" {
				return msg, hint
			}
		} else if !c.settleWide() {
			c.settlePair(-1)
		}
		if left := c.leftNumbered(); len(c.wide) > 0 && !h.Pairs && len(left) > 0 {
			return lex.Problem("numbered", described(left))
		}
	}
	hasText := asksText && !asksSpeaker && h.place[speakerColumn] < 0
	if hasText && !h.transcripts {
		c.settlePair(h.place[textColumn])
	}
	h.transcripts = h.transcripts || hasText && !h.Pairs
	if !h.transcripts && !h.Pairs && (h.place[speakerColumn] < 0 || h.place[textColumn] < 0) {
		what := "tells what is said"
		if h.place[speakerColumn] < 0 {
			what = "names the speaker"
		}
		return lex.Problem("no-column", what, described(c.list))
	}
	if h.transcripts && len(h.wide) == 0 && !asksText {
		if c.settleReply(); len(h.replies) > 1 {
			return lex.Problem("answers", h.Names[h.place[textColumn]], described(h.replies))
		}
	}
	if i := h.place[speakerColumn]; i >= 0 {
		if h.kinds = c.list[i].kinds; c.list[i].has("kind") {
			c.find(nameColumn)
		}
	}
	if msg, hint = c.settleID(); msg != "" {
		return msg, hint
	}
	if h.Pairs {
		isIn := func(row []string, i int) bool { return strings.TrimSpace(row[h.wide[i].at]) != "" }
		both := stream.Count(slices.Values(sample),
			func(row []string) bool { return isIn(row, 0) && isIn(row, 1) })
		h.isApart = c.list[h.wide[1].at].filled > 2*both // most answers are alone
		if h.place[idColumn] < 0 && len(sample) > 1 && both == 0 {
			return lex.Problem("one-sided", lex.Quoted(h.Names))
		}
	}
	c.findTimes()
	c.settleVersions()
	c.find(agentColumn)
	if i, who := h.place[agentColumn], h.place[speakerColumn]; i >= 0 && h.transcripts {
		for _, cells := range sample { // rows of turns are read twice
			stream.Learn(f.Agents, stream.People(cells[i]), dialogue.System)
		}
	} else if i >= 0 && who >= 0 && i != who {
		groups, mixed, _ := c.spread(c.cells(i), who)
		if 2*mixed < groups && c.changes(&c.list[i]) > 0 { // it names each speaker
			h.place[nameColumn], h.place[agentColumn] = i, -1
		}
	}
	c.find(customerColumn)
	c.find(ratingColumn)
	if i := h.place[ratingColumn]; i >= 0 {
		h.decimals, h.ratingGuess = c.list[i].decimals(h.delimiter)
	}
	c.noticeKinds()
	c.settleRest()
	return "", ""
}

// rivals finds columns with versions of what the SYSTEM said, only one of which can be judged, such
// as the chosen and the rejected answer. If they exist, it returns an error message and a hint.
func (c *finder) rivals() (msg, hint string) {
	if isAsked(c.file, textColumn) {
		return "", ""
	}
	var rivals []string
	stems := map[string]string{} // of transcript columns whose names differ only in the last word
	for i := range c.list {
		s := &c.list[i]
		if !s.areTranscripts() && 2*s.spaces <= s.filled {
			continue
		}
		if s.has("rival") {
			rivals = append(rivals, s.name)
		}
		m := lex.Expr("last-mark").FindStringSubmatch(s.name)
		if m == nil || !s.areTranscripts() {
			continue
		}
		if other, ok := stems[lex.FoldColumn(m[1])]; ok {
			rivals = append(rivals, other, s.name)
		}
		stems[lex.FoldColumn(m[1])] = s.name
	}
	if len(rivals) < 2 {
		return "", ""
	}
	return lex.Problem("rivals", lex.Quoted(rivals), rivals[0])
}

// findTranscripts finds the column of whole conversations.
func (c *finder) findTranscripts() {
	i := c.best((*shape).areTranscripts, func(_ *finder, s *shape) int { return s.letters })
	if i < 0 || isAsked(c.file, speakerColumn) ||
		isAsked(c.file, textColumn) && c.place[textColumn] != i {
		return
	}
	c.transcripts = true
	for use := range c.place {
		if c.place[use] == i {
			c.place[use] = -1
		}
	}
	c.place[textColumn], c.place[turnColumn], c.place[speakerColumn] = i, -1, -1
}

// findTimes finds the columns of the time of a turn and, if that is in another, of the date. It
// also lists the columns that seem to hold times in an unknown form. Where a row is a conversation,
// its time is the column that the user names, else one with a usual name, else the only one of
// dates.
func (c *finder) findTimes() {
	isAsked := isAsked(c.file, timeColumn)
	if c.transcripts {
		days := c.all(func(s *shape) bool {
			return c.isFree(s) && s.filled == len(c.sample) && s.dates == s.filled &&
				s.numbers == 0 && !s.has("other-time")
		})
		if !isAsked && len(days) == 1 && !slices.ContainsFunc(c.Names, lex.IsDayName) {
			c.place[timeColumn] = days[0].at
		}
		if i := c.place[timeColumn]; i >= 0 && FindColumn(c.Names, "day") != i {
			c.serving = append(c.serving, timeColumn)
		}
	}
	if isAsked || c.transcripts {
		return
	}
	c.find(timeColumn)
	c.find(dateColumn)
	clock := c.place[timeColumn]
	if day := c.place[dateColumn]; clock < 0 {
		c.place[timeColumn], c.place[dateColumn] = day, -1
	} else if c.list[clock].dates > 0 {
		c.place[dateColumn] = -1
	}
	hasNone := func(v string) bool { return !strings.ContainsAny(v, "0123456789") }
	c.unread = c.all(func(s *shape) bool {
		return c.place[timeColumn] < 0 && !slices.Contains(c.place[:], s.at) &&
			s.has("time") && !s.has("other-time") && 2*s.times < s.filled &&
			s.spaces+s.marks == s.filled && c.changes(s) > 0 &&
			!slices.ContainsFunc(slices.Collect(maps.Keys(s.values)), hasNone)
	})
}

// settleRest finds the columns of notes and events, the metadata, and what is left out by its name.
func (c *finder) settleRest() {
	used, aside := slices.Concat(c.place[:timeColumn], c.place[threadColumn:]), []string{}
	for _, use := range []int{agentColumn, queueColumn} {
		if i := c.place[use]; i >= 0 && FindColumn(c.Names, Uses[use]) != i {
			if c.serving = append(c.serving, use); isAsked(c.file, use) {
				used = append(used, i) // the use is its name
			}
		}
	}
	indexOf := func(s shape) int { return s.at }
	c.notes = map[int]bool{}
	used = append(used, lex.Each(slices.Concat(c.replies, c.links), indexOf)...)
	for i, s := range c.list {
		hasMessages, hasOthers := s.hasKinds()
		isUsed := slices.Contains(c.place[:speakerColumn], i) || i == c.place[textColumn]
		isKind := s.has("kind") || s.has("state") || hasMessages && hasOthers
		if !isUsed && (s.isAudience() || isKind) {
			c.notes[i] = hasMessages
		}
		switch {
		case slices.Contains(used, i) || c.isWide(i):
		case !lex.SetAside(s.name) || s.isRating():
			c.other = append(c.other, i)
		case s.filled > 0:
			aside = append(aside, s.name)
		}
	}
	for range aside {
		c.file.Omissions.Add("aside", lex.Quoted(aside))
	}
}

// isAudience reports whether a column says who saw each message, such as all or staff.
func (s *shape) isAudience() bool {
	return s.isNamed("audience") &&
		lex.AnyIn(lex.Each(slices.Collect(maps.Keys(s.values)), lex.FoldColumn), "for-all")
}

// noticeKinds says how to leave out rows with an unusual value in a column of who saw each message
// or of kinds: that of notes is rare, and whoever speaks also has rows of another kind.
func (c *finder) noticeKinds() {
	who := c.place[speakerColumn]
	for _, s := range c.list {
		isAudience := s.isAudience()
		isKind := s.has("kind") && !s.isNamed("audience") && c.isFree(&s) && !c.transcripts &&
			who >= 0 && c.changes(&s) > 0 && c.varies(c.cells(who), s.at)
		values := slices.Sorted(maps.Keys(s.values))
		i := slices.IndexFunc(values, func(v string) bool {
			if isAudience {
				return !lex.In(lex.FoldColumn(v), "for-all", "for-agents")
			}
			return isKind && 4*s.values[v] < s.filled && !lex.IsNote(s.name, v, true) &&
				!lex.AnyIn(lex.NameWords(v), "said")
		})
		if i >= 0 && len(c.where) == 0 {
			c.file.Note(lex.Text("audience", lex.Quote(values[i]), lex.Quote(s.name),
				lex.Quote(s.name+"!="+values[i])))
		}
	}
}

// settlePair finds the columns of a question and its answer, or of the words of each side, in one
// row. If the user names the column of the answers, that is answer; else it is -1.
func (c *finder) settlePair(answer int) {
	of := func(side dialogue.Role, words string) int {
		return c.best(func(s *shape) bool {
			role, isSure := c.sideOf(s)
			if answer >= 0 {
				return role == side && s.at != answer && s.filled > 0 && s.has(words)
			}
			hasWords := s.spaces > 0 && s.letters >= 12*s.filled // names are shorter
			return role == side && (isSure && hasWords || s.has(words) && 2*s.spaces > s.filled)
		}, length)
	}
	question := of(dialogue.User, "asked")
	if answer < 0 {
		answer = of(dialogue.System, "answered")
	} else if side, _ := c.sideOf(&c.list[answer]); side != dialogue.System &&
		!c.list[answer].has("rival") {
		return
	}
	if question >= 0 && answer >= 0 {
		c.place[textColumn], c.Pairs = question, true
		c.wide = []wideColumn{{0, question, -1, dialogue.User}, {1, answer, -1, dialogue.System}}
	}
}

// settleBlocks finds the columns of a whole dialogue per row, with one column for every speaker and
// one for every text: From 1, Body 1, From 2, Body 2 and so on. If the names have two numbers, they
// may be those of several dialogues, and it returns an error message and a hint.
func (c *finder) settleBlocks() (msg, hint string) {
	numbers := lex.Expr("number-in")
	stem := func(i int) string { return numbers.ReplaceAllString(lex.FoldColumn(c.Names[i]), "") }
	alike := func(use int) (list []int) { // the columns whose names differ only in their numbers
		for i := range c.Names {
			if c.place[use] >= 0 && stem(i) == stem(c.place[use]) {
				list = append(list, i)
			}
		}
		return list
	}
	speakers, texts := alike(speakerColumn), alike(textColumn)
	if len(texts) < 2 || len(texts) != len(speakers) || stem(texts[0]) == stem(speakers[0]) {
		return "", ""
	}
	numbersOf := func(i int) []string { return numbers.FindAllString(c.Names[i], -1) }
	inOrder := func(a, b int) int {
		byLength := func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) }
		return slices.CompareFunc(numbersOf(a), numbersOf(b), byLength)
	}
	slices.SortStableFunc(speakers, inOrder)
	slices.SortStableFunc(texts, inOrder)
	first, last := numbersOf(texts[0]), numbersOf(texts[len(texts)-1])
	if len(first) > 1 && first[0] != last[0] {
		return lex.Problem("two-numbers", lex.Quote(c.Names[texts[0]]))
	}
	for i, at := range texts {
		c.wide = append(c.wide, wideColumn{number: i, at: at, speaker: speakers[i]})
	}
	c.transcripts = true
	c.place[textColumn], c.place[speakerColumn], c.place[turnColumn] = texts[0], -1, -1
	return "", ""
}

// settleReply finds the column with the model's answer to the conversation in a cell.
func (c *finder) settleReply() {
	c.replies = c.all(func(s *shape) bool {
		side, _ := c.sideOf(s)
		hasWords := 2*s.spaces > s.filled ||
			slices.ContainsFunc(slices.Collect(maps.Keys(s.values)), lex.IsData)
		return c.isFree(s) && side == dialogue.System &&
			lex.AnyIn(s.words[len(s.words)-1:], "replies") && hasWords
	})
}

// leftNumbered returns the numbered columns that hold words but are not turns of a dialogue with a
// column for each turn, such as output.0.content next to input.0.content and input.1.content.
func (c *finder) leftNumbered() []shape {
	numbers := lex.Expr("number-in")
	stem := func(name string) string { return numbers.ReplaceAllString(lex.FoldColumn(name), "#") }
	family := map[string]int{}
	for _, name := range c.Names {
		family[stem(name)]++
	}
	return c.all(func(s *shape) bool {
		number := numbers.FindString(s.name)
		isNumbered := number != "" && (family[stem(s.name)] > 1 || number == "0" || number == "1")
		return isNumbered && 2*s.spaces > s.filled && !s.isTime() && !c.isWide(s.at) &&
			!slices.Contains(c.place[:], s.at)
	})
}

// settleWide finds the columns of a whole dialogue per row, one for every turn: user_1, agent_1,
// user_2 and so on. A name that occurs twice counts as numbered. It reports whether they exist.
func (c *finder) settleWide() bool {
	numbers := map[dialogue.Role]map[int]bool{dialogue.System: {}, dialogue.User: {}}
	again := map[string]int{}
	filled, letters := 0, 0
	for i := range c.list {
		s := &c.list[i]
		side, _ := c.sideOf(s)
		if side == stream.Nobody {
			continue
		}
		name := strings.Join(s.words, " ")
		again[name]++
		number, err := strconv.Atoi(lex.Expr("number-in").FindString(s.name))
		if err != nil {
			number = again[name]
		}
		numbers[side][number] = true
		filled, letters = filled+s.filled, letters+s.letters
		c.wide = append(c.wide, wideColumn{number, i, -1, side})
	}
	if len(numbers[dialogue.System]) < 2 || len(numbers[dialogue.User]) < 2 || letters < 12*filled {
		c.wide = nil
		return false
	}
	slices.SortStableFunc(c.wide, func(a, b wideColumn) int { return a.number - b.number })
	c.transcripts, c.place[textColumn], c.place[turnColumn] = true, c.wide[0].at, -1
	return true
}

// turnList is a list in JSON of an unknown format whose objects may be the messages of a dialogue.
type turnList struct {
	Columns map[string]string // as in Options.Columns
	IsUsual bool              // they are found by the usual names of a speaker and a text
}

// TurnLists returns the lists below a value whose objects have a speaker and a text, as the rows of
// a table have them. Next to lists with usual names, others do not count.
func TurnLists(f *stream.File, raw jsontext.Value) (found []turnList) {
	o, keys, id := formats.AsObject(raw), lex.KeysIn(raw, ""), ""
	if i := usualColumn(keys, Uses[idColumn]); i >= 0 {
		id = keys[i]
	}
	seen := map[string]bool{}
	for _, key := range keys {
		at := key[:strings.Index(key, "]")+1]
		var list lex.Paths
		if seen[at] || list.UnmarshalText([]byte(at)) != nil {
			continue
		}
		seen[at] = true
		h := NewHeader(nil, ',')
		var rows []map[string]string
		for e := range list[0].In(o) {
			row := map[string]string{}
			if len(rows) < MaxSampled && CellsIn(e, "", &h.Names, row) {
				rows = append(rows, row)
			}
		}
		sample := lex.Each(rows,
			func(row map[string]string) []string { return CellsOf(row, h.Names) })
		h.place = usualPlaces(h.Names)
		c := newFinder(f, &h, sample, nil)
		l := turnList{map[string]string{}, true}
		if id != "" {
			l.Columns[Uses[idColumn]] = id
		}
		for _, use := range []int{textColumn, speakerColumn, timeColumn} {
			if c.find(use); h.place[use] < 0 {
				continue
			}
			s := &c.list[h.place[use]]
			l.Columns[Uses[use]] = at + "." + s.name
			isNamed := s.at == c.usual[use] || s.has("said") || s.isSpeaker()
			isSpoken := use != speakerColumn || s.known > 0 || s.repeats() // unlike settings
			l.IsUsual = l.IsUsual && (use == timeColumn || isNamed && isSpoken)
		}
		if h.place[textColumn] >= 0 && h.place[speakerColumn] >= 0 {
			found = append(found, l)
		}
	}
	if slices.ContainsFunc(found, func(l turnList) bool { return l.IsUsual }) {
		found = slices.DeleteFunc(found, func(l turnList) bool { return !l.IsUsual })
	}
	return found
}

// ColumnsOf returns columns in the form of --columns.
func ColumnsOf(columns map[string]string) string {
	var list []string
	for _, use := range Uses {
		if place := columns[use]; place != "" {
			list = append(list, use+"="+place)
		}
	}
	return strings.Join(list, ",")
}

// CellsIn adds the plain members of a value to cells, by name, and reports whether the value
// contains no list of objects: if none does, such as the lines of an event log, JSON is a table.
// Objects below the deepest level do not count.
func CellsIn(raw jsontext.Value, at string, names *[]string, cells map[string]string) bool {
	for _, m := range lex.Members(raw) {
		name := at + dialogue.Clean(m.Name)
		switch {
		case at == "" && slices.Contains(formats.CallMembers, m.Folded):
		case m.Value.Kind() == '{':
			if strings.Count(at, ".") < lex.Deepest && !CellsIn(m.Value, name+".", names, cells) {
				return false
			}
		default:
			for e := range lex.Elements(m.Value) {
				if e.Kind() == '{' && lex.Members(e).Get("type") == nil { // not a part of a text
					return false
				}
			}
			text, _ := lex.WordsIn(m.Value)
			if cells[name] = lex.WithoutEntities(text); !slices.Contains(*names, name) &&
				len(*names) < lex.MaxGathered {
				*names = append(*names, name)
			}
		}
	}
	return raw.Kind() == '{'
}

// CellsOf returns cells in the order of the names.
func CellsOf(by map[string]string, names []string) []string {
	return lex.Each(names, func(name string) string { return by[name] })
}

// RivalsIn is like [finder.rivals] for the members of a value.
func RivalsIn(f *stream.File, first jsontext.Value) (msg, hint string) {
	var names []string
	for _, m := range lex.Members(first) {
		isWords := m.Value.Kind() == '[' || strings.Contains(lex.PlainText(m.Value), " ")
		if lex.NameHas(m.Name, "rival") && isWords {
			names = append(names, dialogue.Clean(m.Name))
		}
	}
	if len(names) < 2 {
		return "", ""
	}
	place := "text=" + names[0]
	for _, l := range TurnLists(f, first) {
		if columns := ColumnsOf(l.Columns); strings.Contains(columns, "="+names[0]+"[]") {
			place = columns
			break
		}
	}
	return lex.Problem("rival-values", lex.Quoted(names), place)
}
