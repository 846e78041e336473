package importer

import (
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// This file finds the column with the id of the conversation, or the columns that take its place.

// settleID finds the column of the conversation's id if no column has a usual name and usual
// values. If the rows cannot be separated, it returns the reason and a hint.
func (c *finder) settleID() (msg, hint string) {
	if c.file.isAsked(idColumn) {
		return "", ""
	}
	id, n, perRow := c.place[idColumn], len(c.sample), c.transcripts || c.pairs
	if id >= 0 && c.list[id].most(c.list[id].rounded) {
		return "the ids in " + described(c.list[id:id+1]) + " were rounded by a spreadsheet",
			"export that column as text"
	}
	// An example is the id of a case with several chats.
	if c.transcripts && id >= 0 && c.list[id].repeats() {
		isOwn := func(s shape) bool { return s.isNamed("id") && s.filled == n && !s.repeats() }
		if own := slices.IndexFunc(c.list, isOwn); own >= 0 {
			c.place[idColumn] = own
		} else {
			c.file.report("several dialogues have the same id, which is from " +
				described(c.list[id:id+1]))
		}
	}
	isOwn := id >= 0 && foldColumn(c.list[id].name) != "id"
	if hasThreads := c.findThreads(); !isOwn && hasThreads && (id < 0 || !c.list[id].repeats()) {
		c.byThread, c.place[idColumn] = true, -1
		return "", ""
	}
	speaks := func(want dialogue.Role) bool {
		return slices.ContainsFunc(c.sample, func(cells []string) bool {
			who := strings.TrimSpace(cells[c.place[speakerColumn]])
			role, ok := c.file.who.role(who)
			return ok && role == want || c.kinds[who] == want && want != dialogue.Other
		})
	}
	const few = 4 // so few rows may each be a dialogue, unless each has an id and both sides speak
	bothSpeak := func() bool { return speaks(dialogue.System) && speaks(dialogue.User) }
	isFew := func() bool { return n < few && (isOwn || c.list[id].filled < n || !bothSpeak()) }
	if c.merged = id >= 0 && c.isMerged(id); c.merged ||
		id >= 0 && (perRow || c.list[id].repeats() || isFew()) {
		return "", ""
	}
	found := c.best(func(s *shape) bool { return c.rankID(s.at, perRow) > 0 },
		func(c *finder, s *shape) int {
			return c.rankID(s.at, perRow)*maxSampled*2 + len(s.values)
		})
	if found >= 0 {
		c.merged = !perRow && c.isMerged(found)
		if c.place[idColumn] = found; c.place[turnColumn] == found {
			c.place[turnColumn] = -1
		}
		return "", ""
	}
	if perRow || isOwn || id >= 0 && !bothSpeak() {
		return "", ""
	}
	// With more rows, an error reports that nothing separates the conversations.
	if id >= 0 && n == 2 {
		c.file.report("1 dialogue, since " + described(c.list[id:id+1]) + " tells messages apart")
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
	return "no column tells which rows are one conversation, and " + described(varying) +
			" differ within the file",
		"name it with --columns id=NAME, or say --columns id=" + noColumn +
			" where the file is one conversation; " +
			"the columns are " + quoted(c.names)
}

// rankID returns how likely it is that column i holds the id of the conversation, from 0
// (impossible) to 3 (most likely).
func (c *finder) rankID(i int, perRow bool) int {
	s, isMerged := &c.list[i], !perRow && c.isMerged(i)
	isOther, isMark := anyIn(s.words, "other-id"), anyIn(s.words, "mark")
	isUsed := slices.Contains(c.place[:], i) && !(isMerged && i == c.place[turnColumn])
	switch {
	case isUsed || s.filled == 0,
		!perRow && !s.repeats() && !isMerged && len(c.sample) > 1,
		s.most(s.dates) && (isMerged || !s.most(s.marks)), 2*s.spaces > s.filled && !isMark:
		return 0
	case s.isID():
		return 3
	case anyIn(s.words, "conversation") && !isOther && s.most(s.marks):
		return 2
	case isOther || perRow && !isMark || !s.most(s.marks) || setAside(s.name):
		return 0
	case perRow || len(s.values) > 1 && c.bothSides(c.cells(i)):
		return 1
	}
	return 0
}

// varying returns the columns of a table without ids whose values should not vary within one
// conversation.
func (c *finder) varying() []shape {
	list := c.all(func(s *shape) bool {
		return !slices.Contains(c.place[:], s.at) && len(s.values) > 1 &&
			(s.repeats() || c.isMerged(s.at)) && !s.isTime() && !s.isNamed("agent") &&
			!s.isNamed("customer") && // others only repeat who speaks
			c.varies(c.cells(c.place[speakerColumn]), s.at)
	})
	if t := c.place[turnColumn]; t >= 0 && c.list[t].repeats() {
		list = append(list, c.list[t])
	}
	const most = 200 // rows of one conversation
	names := &c.list[c.place[speakerColumn]]
	if len(c.sample) > most || len(names.values) > 4 && 2*names.known < names.filled {
		list = append(list, *names)
	}
	return list
}

// findThreads finds the column with the id of a message and the columns that name the messages it
// answers or that answer it: their values are mostly ids of other messages. It reports whether they
// exist.
func (c *finder) findThreads() bool {
	if c.transcripts || c.pairs || c.place[turnColumn] >= 0 || c.file.isAsked(turnColumn) {
		return false
	}
	for i := range c.list {
		s := &c.list[i]
		isID := anyIn(s.words, "mark") || foldColumn(s.name) == "id"
		if !isID || s.filled < len(c.sample) || s.repeats() || anyIn(s.words, "answers") {
			continue
		}
		var links []int
		for k := range c.list {
			if k != i && c.list[k].isLink() && c.areLinks(k, s) {
				links = append(links, k)
			}
		}
		if links != nil {
			isParent := func(k int) bool { return slices.Contains(c.list[k].words, "parent") }
			who := &c.list[c.place[speakerColumn]]
			c.isTree = slices.ContainsFunc(links, isParent) && who.known == who.filled &&
				who.kinds == nil
			c.place[threadColumn], c.links = i, links
			return true
		}
	}
	return false
}

// areLinks reports whether most values of a column are ids in another column.
func (c *finder) areLinks(k int, ids *shape) bool {
	found, all := 0, 0
	for v, n := range c.list[k].values {
		for _, id := range linked(v) {
			if all += n; ids.values[id] > 0 {
				found += n
			}
		}
	}
	return found > 1 && 10*found >= 6*all
}

// settleVersions finds the column with the id of a message and the one that distinguishes its
// versions. All rows of a message have the same conversation, speaker and time.
func (c *finder) settleVersions() {
	if c.transcripts || c.pairs || c.place[idColumn] < 0 {
		return
	}
	for i := range c.list {
		s := &c.list[i]
		isID := foldColumn(s.name) == "id" || anyIn(s.words, "mark") && anyIn(s.words, "message-id")
		used := []int{c.place[idColumn], c.place[speakerColumn], c.place[textColumn]}
		isUsed := slices.Contains(used, i)
		if !isID || isUsed || !s.repeats() || s.filled < len(c.sample) || !c.areVersions(i) {
			continue
		}
		newer := c.best(func(v *shape) bool {
			return anyIn(v.words, "version") && c.varies(c.cells(i), v.at)
		}, func(_ *finder, v *shape) int {
			if v.isTime() {
				return 1
			}
			return 0
		})
		switch {
		case newer >= 0:
			c.place[messageColumn], c.place[versionColumn] = i, newer
		case !c.varies(c.cells(i), c.place[textColumn]): // a duplicate row, as joins produce
			c.place[messageColumn] = i
		default:
			c.file.note("rows with the same " + quote(s.name) +
				" say different things, and no column " +
				"says which is the newest; all of them are turns")
		}
		return
	}
}

// areVersions reports whether rows with the same value of a column agree in everything that is
// unique to a message.
func (c *finder) areVersions(by int) bool {
	unique := []int{c.place[idColumn], c.place[speakerColumn], c.place[timeColumn]}
	return !slices.ContainsFunc(unique,
		func(of int) bool { return of >= 0 && c.varies(c.cells(by), of) })
}
