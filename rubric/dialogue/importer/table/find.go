package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// finder finds the columns of a table from a sample of its rows.
type finder struct {
	*Header
	file   *stream.File
	sample [][]string
	parts  []int        // number of blank rows above each row of the sample
	usual  [numUses]int // the columns with usual names
	list   []shape      // one per column
}

func newFinder(f *stream.File, h *Header, sample [][]string, parts []int) *finder {
	return &finder{Header: h, file: f, sample: sample, parts: parts, usual: h.place,
		list: shapesOf(f, h.Names, sample)}
}

// cells returns a function that returns the cell of column i in row n.
func (c *finder) cells(i int) func(n int) string {
	return func(n int) string { return strings.TrimSpace(c.sample[n][i]) }
}

// bothSides reports whether most groups of rows with the same value have more than one speaker.
func (c *finder) bothSides(by func(n int) string) bool {
	groups, mixed, _ := c.spread(by, c.place[speakerColumn])
	return 10*mixed >= 6*groups
}

// varies reports whether a column has several values in some group of rows; see spread.
func (c *finder) varies(by func(n int) string, of int) bool {
	_, mixed, _ := c.spread(by, of)
	return mixed > 0
}

// spread returns how the values of a column vary within groups of rows: the number of groups, the
// number of groups with several values, and how often the value changes from one row of a group to
// the next, ignoring empty cells. A row without a group belongs to that of the row above.
func (c *finder) spread(by func(n int) string, of int) (groups, mixed, changes int) {
	group, last, isMixed := "", map[string]string{}, map[string]bool{}
	for n, cells := range c.sample {
		group = cmp.Or(by(n), group)
		v := cells[of]
		before, ok := last[group]
		if ok && v != before {
			isMixed[group] = true
			if v != "" && before != "" {
				changes++
			}
		}
		if v != "" || !ok {
			last[group] = v
		}
	}
	return len(last), len(isMixed), changes
}

// isMerged reports whether only the first row of each conversation has a value, as in merged cells.
func (c *finder) isMerged(i int) bool {
	s, n := &c.list[i], len(c.sample)
	return n > 3 && len(s.values) > 1 && s.filled < n && strings.TrimSpace(c.sample[0][i]) != "" &&
		c.place[speakerColumn] >= 0 && c.bothSides(c.cells(i))
}

// sideOf returns the side whose words a column holds by its name, as in "Agent reply". The result
// isSure reports whether the name has both a side and a word for speech.
func (c *finder) sideOf(s *shape) (side dialogue.Role, isSure bool) {
	last := len(s.words) - 1
	if last < 0 || s.has("other-text") || s.isTime() {
		return stream.Nobody, false
	}
	isMore := func(w string) bool { return w == "turn" || lex.In(w, "said") }
	words := slices.DeleteFunc(slices.Clone(s.words), isMore)
	if len(words) == 0 {
		words = s.words
	}
	what := words[len(words)-1:]
	isAsked, isAnswered := lex.AnyIn(what, "asked"), lex.AnyIn(what, "answered")
	for n := len(words); n >= len(words)-1; n-- {
		role, ok := c.file.Who.Role(strings.Join(words[:n], " "))
		if n < len(words) && !isAsked && !isAnswered {
			break
		} else if ok && role != dialogue.Other {
			return role, n < len(words) || len(words) < len(s.words)
		}
	}
	switch {
	case isAsked:
		return dialogue.User, false
	case isAnswered:
		return dialogue.System, false
	}
	return stream.Nobody, false
}

// settleID finds the column of the conversation's id if no column has a usual name and usual
// values. If the rows cannot be separated, it returns the reason and a hint.
func (c *finder) settleID() (msg, hint string) {
	if isAsked(c.file, idColumn) {
		return "", ""
	}
	id, n, perRow := c.place[idColumn], len(c.sample), c.transcripts || c.Pairs
	if id >= 0 && c.list[id].most(c.list[id].rounded) {
		return lex.Problem("rounded", described(c.list[id:id+1]))
	}
	// An example is the id of a case with several chats.
	if c.transcripts && id >= 0 && c.list[id].repeats() {
		isOwn := func(s shape) bool { return s.isNamed("id") && s.filled == n && !s.repeats() }
		if own := slices.IndexFunc(c.list, isOwn); own >= 0 {
			c.place[idColumn] = own
		} else {
			c.file.Report(lex.Text("shared-id", described(c.list[id:id+1])))
		}
	}
	isOwn := id >= 0 && lex.FoldColumn(c.list[id].name) != "id"
	if hasThreads := c.findThreads(); !isOwn && hasThreads && (id < 0 || !c.list[id].repeats()) {
		c.ByThread, c.place[idColumn] = true, -1
		return "", ""
	}
	const few = 4 // so few rows may each be a dialogue, unless each has an id and both sides speak
	bothSpeak := func() bool {
		s := &c.list[c.place[speakerColumn]]
		isUser := s.sides[dialogue.User] || c.file.Who.ElseUser && s.known < s.filled
		return s.sides[dialogue.System] && isUser
	}
	isFew := func() bool { return n < few && (isOwn || c.list[id].filled < n || !bothSpeak()) }
	if c.Merged = id >= 0 && c.isMerged(id); c.Merged ||
		id >= 0 && (perRow || c.list[id].repeats() || isFew()) {
		return "", ""
	}
	rank := func(_ *finder, s *shape) int {
		return c.rankID(s.at, perRow)*MaxSampled*2 + len(s.values)
	}
	found := c.best(func(s *shape) bool { return c.rankID(s.at, perRow) > 0 }, rank)
	if found >= 0 {
		c.Merged = !perRow && c.isMerged(found)
		if c.place[idColumn] = found; c.place[turnColumn] == found {
			c.place[turnColumn] = -1
		}
		return "", ""
	}
	if id < 0 && c.transcripts && n > 1 {
		c.file.Report("rows are numbered; --columns id=NAME names a column")
	}
	if perRow || isOwn || id >= 0 && !bothSpeak() {
		return "", ""
	}
	// With more rows, an error reports that nothing separates the conversations.
	if id >= 0 && n == 2 {
		c.file.Report("1 dialogue, since " + described(c.list[id:id+1]) + " identifies messages")
	}
	c.place[idColumn] = -1
	part := func(n int) string { return strconv.Itoa(c.parts[n]) }
	if c.byBlank = len(c.parts) > 0 && c.parts[len(c.parts)-1] > c.parts[0] &&
		c.bothSides(part); c.byBlank {
		return "", ""
	}
	varying := c.varying()
	if len(varying) == 0 {
		return "", ""
	}
	return lex.Problem("no-id", described(varying), lex.Quoted(c.Names))
}

// rankID returns how likely column i holds the id of the conversation: 0 (impossible) to 3.
func (c *finder) rankID(i int, perRow bool) int {
	s, isMerged := &c.list[i], !perRow && c.isMerged(i)
	isOther, isMark := s.has("other-id"), s.has("mark")
	isUsed := slices.Contains(c.place[:], i) && !(isMerged && i == c.place[turnColumn])
	switch {
	case isUsed || s.filled == 0, !perRow && !s.repeats() && !isMerged && len(c.sample) > 1,
		s.most(s.dates) && (isMerged || !s.most(s.marks)), 2*s.spaces > s.filled && !isMark:
		return 0
	case s.isID():
		return 3
	case s.has("conversation") && !isOther && s.most(s.marks):
		return 2
	case isOther || perRow && !isMark || !s.most(s.marks) || lex.SetAside(s.name):
		return 0
	case perRow || len(s.values) > 1 && c.bothSides(c.cells(i)):
		return 1
	}
	return 0
}

// varying returns the columns of a table without ids whose values should not vary within one
// conversation. Rows without a speaker and a text do not count.
func (c *finder) varying() []shape {
	said := *c
	said.sample = slices.DeleteFunc(slices.Clone(c.sample), func(cells []string) bool {
		return strings.TrimSpace(cells[c.place[speakerColumn]]+cells[c.place[textColumn]]) == ""
	})
	list := c.all(func(s *shape) bool {
		return !slices.Contains(c.place[:], s.at) && len(s.values) > 1 &&
			(s.repeats() || c.isMerged(s.at)) && !s.isTime() && !s.isNamed("agent") &&
			!s.isNamed("customer") && // others only repeat who speaks
			said.varies(said.cells(c.place[speakerColumn]), s.at)
	})
	if t := c.place[turnColumn]; t >= 0 && c.list[t].repeats() {
		list = append(list, c.list[t])
	}
	const most = 200 // rows of one conversation
	names := &c.list[c.place[speakerColumn]]
	if i := c.place[nameColumn]; i >= 0 {
		names = &c.list[i]
	}
	if len(c.sample) > most || len(names.values) > 4 && 2*names.known < names.filled {
		list = append(list, *names)
	}
	return list
}

// findThreads finds the column with the id of a message, and those that refer to the messages it
// answers or that answer it: most of their values are such ids. It reports whether they exist.
func (c *finder) findThreads() bool {
	if c.transcripts || c.Pairs || c.place[turnColumn] >= 0 || isAsked(c.file, turnColumn) {
		return false
	}
	for i := range c.list {
		s := &c.list[i]
		isID := s.has("mark") || lex.FoldColumn(s.name) == "id"
		if !isID || s.filled < len(c.sample) || s.repeats() || s.has("answers") {
			continue
		}
		links := c.all(func(k *shape) bool {
			isTo := slices.Contains(k.words, "to") || slices.Contains(k.words, "parent")
			return k.at != i && (isTo || k.has("mark")) && k.has("answers") && k.refersTo(s)
		})
		if links != nil {
			isParent := func(k shape) bool { return slices.Contains(k.words, "parent") }
			who := &c.list[c.place[speakerColumn]]
			c.IsTree = slices.ContainsFunc(links, isParent) && who.known == who.filled &&
				who.kinds == nil
			c.place[threadColumn], c.links = i, links
			return true
		}
	}
	return false
}

// settleVersions finds the column with the id of a message and the one that distinguishes its
// versions. All rows of a message have the same conversation, speaker and time.
func (c *finder) settleVersions() {
	if c.transcripts || c.Pairs || c.place[idColumn] < 0 {
		return
	}
	for i := range c.list {
		s, rows := &c.list[i], c.cells(i)
		isID := lex.FoldColumn(s.name) == "id" || s.has("mark") && s.has("message-id")
		differ := func(use int) bool { return c.place[use] >= 0 && c.varies(rows, c.place[use]) }
		used := []int{c.place[idColumn], c.place[speakerColumn], c.place[textColumn]}
		if !isID || slices.Contains(used, i) || !s.repeats() || s.filled < len(c.sample) ||
			differ(idColumn) || differ(speakerColumn) || differ(timeColumn) {
			continue
		}
		isNewer := func(v *shape) bool { return v.has("version") && c.varies(rows, v.at) }
		newer := c.best(func(v *shape) bool { return isNewer(v) && v.isTime() }, first)
		if newer < 0 {
			newer = c.best(isNewer, first)
		}
		switch {
		case newer >= 0:
			c.place[messageColumn], c.place[versionColumn] = i, newer
		case !differ(textColumn): // a duplicate row, as joins produce
			c.place[messageColumn] = i
		default:
			c.file.Note(lex.Text("versions", lex.Quote(s.name)))
		}
		return
	}
}

// rule finds a column: of those that pass the first test that any passes, the one of most measure.
type rule struct {
	measure func(c *finder, s *shape) int
	tests   []func(c *finder, s *shape) bool
}

var rules = [numUses]rule{
	textColumn: {length, tests{
		isUsual(textColumn),
		func(_ *finder, s *shape) bool {
			return lex.AnyIn(s.words[max(0, len(s.words)-1):], "said") && !s.isTime()
		},
		func(_ *finder, s *shape) bool {
			return !s.isTime() && 2*s.spaces > s.filled && s.letters >= 12*s.filled
		},
	}},
	speakerColumn: {size, tests{
		func(c *finder, s *shape) bool {
			return isUsual(speakerColumn)(c, s) && 2*s.known >= s.filled
		},
		func(c *finder, s *shape) bool {
			isRecipient := s.has("recipient") && !s.isSpeaker() // "To" and "Sent to"
			return !isRecipient && s.most(s.known) && 2*s.filled > len(c.sample) &&
				(isUsual(speakerColumn)(c, s) || s.isSpeaker() ||
					s.sides[dialogue.User] && s.sides[dialogue.System])
		},
		func(c *finder, s *shape) bool { // incoming, outgoing and auto, next to names
			return s.has("kind") && s.sides[dialogue.User] && s.sides[dialogue.System] &&
				2*s.known >= len(c.sample) && !c.file.Who.ElseUser &&
				(len(c.file.Opt.Roles) == 0 || s.sides[dialogue.Other]) && // no names are mapped
				FindColumn(c.Names, "agent") < 0 && FindColumn(c.Names, "customer") < 0
		},
		isUsual(speakerColumn),
		func(_ *finder, s *shape) bool { return s.isSpeaker() && !s.isTime() && !s.has("mark") },
	}},
	ratingColumn: {size, tests{
		isUsual(ratingColumn), func(_ *finder, s *shape) bool { return s.isRating() },
	}},
	timeColumn: {(*finder).changes, tests{func(c *finder, s *shape) bool {
		return c.isClock(s) && !s.isDay() && c.changes(s) > 0
	}}},
	dateColumn: {first, tests{
		func(c *finder, s *shape) bool { return c.isClock(s) && s.isDay() },
	}},
	nameColumn: {size, tests{func(c *finder, s *shape) bool {
		return (s.isSpeaker() || s.at == c.usual[speakerColumn]) && 2*s.known < s.filled
	}}},
	agentColumn:    {(*finder).spoken, tests{isPerson(agentColumn)}},
	customerColumn: {(*finder).spoken, tests{isPerson(customerColumn)}},
}

type tests []func(c *finder, s *shape) bool

// find finds the column for a use, unless the user names it.
func (c *finder) find(use int) {
	if isAsked(c.file, use) {
		return
	}
	c.place[use] = -1
	for _, good := range rules[use].tests {
		if c.place[use] < 0 {
			isGood := func(s *shape) bool {
				isUsual := s.at == c.usual[use] && (s.filled > 0 || len(c.sample) == 0)
				return (c.isFree(s) || isUsual) && good(c, s)
			}
			c.place[use] = c.best(isGood, rules[use].measure)
		}
	}
}

// isFree reports whether a column has values and is not used yet.
func (c *finder) isFree(s *shape) bool {
	return s.filled > 0 && !slices.Contains(c.place[:], s.at)
}

// best returns the index of the column that satisfies good and has the largest measure, or -1.
func (c *finder) best(good func(s *shape) bool, measure func(c *finder, s *shape) int) int {
	found, most := -1, -1
	for i := range c.list {
		if s := &c.list[i]; good(s) && measure(c, s) > most {
			found, most = i, measure(c, s)
		}
	}
	return found
}

// all returns the columns that satisfy good.
func (c *finder) all(good func(s *shape) bool) (list []shape) {
	for i := range c.list {
		if good(&c.list[i]) {
			list = append(list, c.list[i])
		}
	}
	return list
}

func first(*finder, *shape) int { return 0 }

func size(_ *finder, s *shape) int { return s.filled }

func length(_ *finder, s *shape) int { return s.letters }

// changes returns how often a column changes within conversations.
func (c *finder) changes(s *shape) int {
	conversation := func(int) string { return "" }
	if id := c.place[idColumn]; id >= 0 {
		conversation = c.cells(id)
	}
	_, _, n := c.spread(conversation, s.at)
	return n
}

// spoken returns how often the person in a column is the speaker.
func (c *finder) spoken(s *shape) int {
	speaker := c.place[speakerColumn]
	return stream.Count(slices.Values(c.sample), func(cells []string) bool {
		name := strings.TrimSpace(cells[s.at])
		return speaker >= 0 && name != "" &&
			strings.EqualFold(name, strings.TrimSpace(cells[speaker]))
	})
}

// isUsual returns the test for the best of the usual names for a use.
func isUsual(use int) func(c *finder, s *shape) bool {
	return func(c *finder, s *shape) bool { return s.at == c.usual[use] }
}

// isPerson returns the test for the names of a side: they speak, or the name is a usual one.
func isPerson(use int) func(c *finder, s *shape) bool {
	return func(c *finder, s *shape) bool {
		return s.isNamed(Uses[use]) || s.has(Uses[use]) && c.spoken(s) > 0
	}
}

// isClock reports whether a column may hold the times or the days of turns.
func (c *finder) isClock(s *shape) bool {
	return !s.has("other-time") && 2*s.filled > len(c.sample) &&
		(s.has("time") && 2*s.times >= s.filled || 20*s.times >= 19*s.filled && s.most(s.clocks))
}
