package importer

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"assize/rubric/dialogue"
)

// This file finds which column of a table holds what: the column that the user names, else one with
// a usual name, else one whose name has the right words and whose values have the right shape. A
// column that is not found by a usual name is a guess, and reported. If no column can be the id of
// a conversation, nothing is read: many dialogues would be judged as one.

//go:embed columns.txt
var columnsFile string

// columnWords returns the word lists of columns.txt by name.
var columnWords = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(columnsFile) {
		if words := strings.Fields(line); len(words) > 1 && words[0] != "#" {
			lists[words[0]] = append(lists[words[0]], words[1:]...)
		}
	}
	return lists
})

// nameWords returns the words of a column's name in lower case; "#" stands for a number.
func nameWords(name string) []string {
	name = humps().ReplaceAllString(
		humps().ReplaceAllString(name[:min(len(name), maxName)], "$1$3 $2$4"), "$1$3 $2$4")
	name = strings.ToLower(strings.ReplaceAll(name, "#", " number "))
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

// anyIn reports whether one of the words is in a list of columns.txt.
func anyIn(words []string, list string) bool {
	return slices.ContainsFunc(words,
		func(w string) bool { return slices.Contains(columnWords()[list], w) })
}

// usualColumn returns the index of the column for use according to its usual names, best first, or
// -1.
func usualColumn(names []string, use string) int {
	folded := make([]string, len(names))
	for i, name := range names {
		folded[i] = foldColumn(name)
	}
	for _, usual := range columnWords()[use] {
		if i := slices.Index(folded, usual); i >= 0 {
			return i
		}
	}
	return -1
}

// FindColumn returns the index of the column whose name says that it holds the id of a
// conversation, a rating, the agent or the queue, or -1 if no column does.
func FindColumn(names []string, use string) int {
	if i := usualColumn(names, use); i >= 0 {
		return i
	}
	return slices.IndexFunc(names, func(name string) bool {
		s := shape{name: name, words: nameWords(name)}
		return use == uses[idColumn] && s.isID() || use == uses[ratingColumn] && s.isRating()
	})
}

// isData reports whether the first line of the table is a row rather than a header: it has a time
// or a number in the place of a name, or a speaker who speaks again below.
func (h *header) isData(f *file, sample [][]string) bool {
	if slices.ContainsFunc(h.place[:], func(i int) bool { return i >= 0 }) {
		return false
	}
	for i, name := range h.names {
		_, isTime := ParseTime(name)
		again := func(cells []string) bool { return cells[i] == name }
		if isTime || f.who.knows(name) && slices.ContainsFunc(sample, again) {
			return true
		}
	}
	return false
}

// finder finds the columns of a table from a sample of its rows.
type finder struct {
	*header
	file   *file
	sample [][]string
	parts  []int   // number of blank rows above each row of the sample
	list   []shape // one per column
}

// isAsked reports whether the user named a column for use.
func (f *file) isAsked(use int) bool { _, ok := f.opt.Columns[uses[use]]; return ok }

// isFree reports whether column i has values and is not used yet.
func (c *finder) isFree(i int) bool { return c.list[i].filled > 0 && !slices.Contains(c.place[:], i) }

// best returns the index of the column that satisfies good and has the largest measure, or -1.
func (c *finder) best(good func(i int, s *shape) bool, measure func(s *shape) int) int {
	found := -1
	for i := range c.list {
		if s := &c.list[i]; good(i, s) && (found < 0 || measure(s) > measure(&c.list[found])) {
			found = i
		}
	}
	return found
}

// find finds the column for a use that has none yet. It tries the tests in order; of the free
// columns that pass the first successful test, it picks the one with the largest measure.
func (c *finder) find(use int, measure func(*shape) int, tests ...func(*shape) bool) {
	for _, good := range tests {
		if c.place[use] < 0 && !c.file.isAsked(use) {
			c.place[use] = c.best(func(i int, s *shape) bool { return c.isFree(i) && good(s) },
				measure)
		}
	}
}

// settle finds the columns from their usual names and a sample of the rows. If the table cannot be
// read, it returns the reason and a hint.
func (h *header) settle(f *file, sample [][]string, parts []int) (msg, hint string) {
	if h.isNameless = h.isData(f, sample); h.isNameless {
		sample, parts = append([][]string{slices.Clone(h.names)}, sample...),
			append([]int{0}, parts...)
		for i := range h.names {
			h.names[i] = fmt.Sprintf("column %d", i+1)
		}
	}
	if msg, hint = h.asked(f.opt.Columns); msg != "" {
		return msg, hint
	}
	c := &finder{header: h, file: f, sample: sample, parts: parts, list: f.shapes(h.names, sample)}
	if msg, hint = c.rivals(); msg != "" {
		return msg, hint
	}
	c.settleText()
	c.settleSpeaker()
	if !h.transcripts && !c.file.isAsked(textColumn) && !c.file.isAsked(speakerColumn) {
		if h.place[speakerColumn] >= 0 {
			c.settleBlocks()
		} else if !c.settleWide() {
			c.settlePair()
		}
		if left := c.leftNumbered(); len(c.wide) > 0 && !h.pairs && len(left) > 0 {
			return "the speaker is unknown for " + described(left) +
					"; other numbered columns are turns",
				"rename them so that each has its side and its number, such as user_1 and agent_1"
		}
	}
	hasText := c.file.isAsked(textColumn) && !c.file.isAsked(speakerColumn) &&
		h.place[speakerColumn] < 0
	if hasText {
		c.settleAnswer()
	}
	h.transcripts = h.transcripts || hasText && !h.pairs
	if !h.transcripts && !h.pairs && (h.place[speakerColumn] < 0 || h.place[textColumn] < 0) {
		what := map[bool]string{true: "who speaks",
			false: "what is said"}[h.place[speakerColumn] < 0]
		return "no column tells " + what + "; the columns are " + described(c.list),
			"name them with --columns " +
				"id=NAME,speaker=NAME,text=NAME, or text=NAME alone where a cell holds a whole conversation"
	}
	if h.transcripts && len(h.wide) == 0 && !c.file.isAsked(textColumn) {
		if c.settleReply(); len(h.replies) > 1 {
			return "several columns may hold the answer to the conversation in " +
					h.names[h.place[textColumn]] + ": " + described(c.replyColumns()),
				"leave one of them, or name the conversation alone with --columns text=NAME"
		}
	}
	if i := h.place[speakerColumn]; i >= 0 {
		h.kinds = c.list[i].kinds
	}
	if msg, hint = c.settleID(); msg != "" {
		return msg, hint
	}
	c.settleTime()
	c.settleVersions()
	c.settleSides()
	c.find(ratingColumn, (*shape).size, (*shape).isRating)
	if i := h.place[ratingColumn]; i >= 0 {
		h.decimals, h.toldRating = c.list[i].decimals(h.delimiter)
	}
	c.settleRest()
	return "", ""
}

// rivals finds columns that each hold a version of what the SYSTEM said, only one of which can be
// judged: the chosen and the rejected answer, or the conversations of model A and model B. It
// returns an error message and a hint if such columns exist.
func (c *finder) rivals() (msg, hint string) {
	if c.file.isAsked(textColumn) {
		return "", ""
	}
	var rivals []string
	stems := map[string]string{} // of transcript columns whose names differ only in the last word
	for i := range c.list {
		s := &c.list[i]
		isWords := s.examined > 0 && 10*s.transcripts >= 6*s.examined || 2*s.spaces > s.filled
		if s.filled == 0 || !isWords {
			continue
		}
		if anyIn(s.words, "rival") {
			rivals = append(rivals, s.name)
		}
		m := lastMark().FindStringSubmatch(s.name)
		if m == nil || 10*s.transcripts < 6*s.examined {
			continue
		}
		if other, ok := stems[foldColumn(m[1])]; ok {
			rivals = append(rivals, other, s.name)
		}
		stems[foldColumn(m[1])] = s.name
	}
	if len(rivals) < 2 {
		return "", ""
	}
	return "the columns " + quoted(rivals) +
			" each have what the SYSTEM said, and only one can be judged",
		"name it with --columns text=" + rivals[0]
}

// lastMark matches the name of one of several similar columns, such as conversation_a.
var lastMark = lazy(`^(.*[^\pL\pN])(?:[A-Za-z]|\d)$`)

// settleAnswer finds the question in each row if the user names only the column of the answers.
func (c *finder) settleAnswer() {
	answer := c.place[textColumn]
	if c.transcripts || c.pairs || answer < 0 {
		return
	}
	question := c.best(func(i int, s *shape) bool {
		role, _ := c.sideOf(s)
		return i != answer && s.filled > 0 && role == dialogue.User && anyIn(s.words, "asked")
	}, (*shape).length)
	side, _ := c.sideOf(&c.list[answer])
	isAnswer := side == dialogue.System || anyIn(c.list[answer].words, "rival")
	if question >= 0 && isAnswer {
		c.place[textColumn], c.pairs = question, true
		c.wide = []wideColumn{{0, question, -1, dialogue.User}, {1, answer, -1, dialogue.System}}
	}
}

// settleText finds the column of the text by its name or its words, or a column of whole
// conversations.
func (c *finder) settleText() {
	whole := c.best(
		func(_ int, s *shape) bool { return s.examined > 0 && 10*s.transcripts >= 6*s.examined },
		func(s *shape) int { return s.letters })
	if i := whole; i >= 0 && !c.file.isAsked(speakerColumn) &&
		(!c.file.isAsked(textColumn) || c.place[textColumn] == i) {
		c.transcripts = true
		for use := range c.place {
			if c.place[use] == i && use != textColumn {
				c.place[use] = -1
			}
		}
		c.place[textColumn], c.place[turnColumn], c.place[speakerColumn] = i, -1, -1
	}
	isNamed := func(s *shape) bool {
		n := len(s.words)
		return n > 0 && anyIn(s.words[n-1:], "said") && !s.isTime()
	}
	hasWords := func(s *shape) bool { return !s.isTime() && 2*s.spaces > s.filled && s.length() >= 12 }
	c.find(textColumn, (*shape).length, isNamed, hasWords)
}

// settleSpeaker finds the column of the speaker if no column has a usual name and usual values.
func (c *finder) settleSpeaker() {
	usual := c.place[speakerColumn]
	if c.transcripts || c.file.isAsked(speakerColumn) ||
		usual >= 0 && 2*c.list[usual].known >= c.list[usual].filled {
		return
	}
	known := c.best(func(i int, s *shape) bool {
		isRecipient := anyIn(s.words, "recipient") && !s.isSpeaker() // as in "To" and "Sent to"
		return (c.isFree(i) || i == usual) && !isRecipient && s.most(s.known) &&
			2*s.filled > len(c.sample) &&
			(i == usual || s.isSpeaker() || s.sides[dialogue.User] && s.sides[dialogue.System])
	}, (*shape).size)
	if known >= 0 {
		c.place[speakerColumn] = known
	}
	c.find(speakerColumn, (*shape).size, func(s *shape) bool {
		return s.isSpeaker() && !s.isTime() && !anyIn(s.words, "mark")
	})
}

// settleSides finds the columns with the names of the agent and the customer of a conversation: of
// the columns whose names fit, the one whose values most often speak, or else the one with a usual
// name.
func (c *finder) settleSides() {
	speaker := c.place[speakerColumn]
	for _, use := range []int{agentColumn, customerColumn} {
		most := 0
		for i := range c.list {
			s := &c.list[i]
			if c.file.isAsked(use) || slices.Contains(c.place[:use], i) ||
				!s.isNamed(uses[use]) && !anyIn(s.words, uses[use]) {
				continue
			}
			spoke := 0
			for _, cells := range c.sample {
				if name := strings.TrimSpace(cells[i]); speaker >= 0 && name != "" &&
					strings.EqualFold(name, strings.TrimSpace(cells[speaker])) {
					spoke++
				}
			}
			if spoke > most || c.place[use] < 0 && (spoke > 0 || s.isNamed(uses[use])) {
				c.place[use], most = i, spoke
			}
		}
	}
	if i := c.place[agentColumn]; i >= 0 && c.transcripts { // rows of turns are read twice
		for _, cells := range c.sample {
			c.file.addAgents(people(cells[i]))
		}
	}
}

// settleRest finds the columns of notes and events, and the metadata.
func (c *finder) settleRest() {
	isWide := func(i int) bool {
		return slices.Contains(c.replies, i) ||
			slices.ContainsFunc(c.wide,
				func(w wideColumn) bool { return w.at == i || w.speaker == i })
	}
	for i, s := range c.list {
		hasMessages, hasOthers := s.hasKinds()
		if isOther := !slices.Contains(c.place[:speakerColumn], i) &&
			i != c.place[textColumn]; isOther &&
			(anyIn(s.words, "kind") || hasMessages && hasOthers) {
			c.notes, c.hasEvents = append(c.notes, i), c.hasEvents || hasMessages
		}
		isLink := slices.Contains(c.links, i) || i == c.thread
		if !slices.Contains(c.place[:timeColumn], i) && !isWide(i) && !isLink &&
			!setAside(c.names[i]) {
			c.other = append(c.other, i)
		}
	}
}

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
			c.file.tell("several dialogues have the same id, which is from " +
				described(c.list[id:id+1]))
		}
	}
	isOwn := id >= 0 && foldColumn(c.list[id].name) != "id"
	if !isOwn && !perRow && (id < 0 || !c.list[id].repeats()) && c.findThreads() {
		return "", ""
	}
	speaks := func(want dialogue.Role) bool {
		return slices.ContainsFunc(c.sample, func(cells []string) bool {
			role, ok := c.file.who.role(cells[c.place[speakerColumn]])
			return ok && role == want
		})
	}
	const few = 4 // so few rows may each be a dialogue, unless each has an id and both sides speak
	isFew := func() bool {
		return n < few && (isOwn || c.list[id].filled < n || !speaks(dialogue.System) || !speaks(dialogue.User))
	}
	if c.merged = id >= 0 && c.isMerged(id); c.merged ||
		id >= 0 && (perRow || c.list[id].repeats() || isFew()) {
		return "", ""
	}
	found, best := -1, []int{0, 0} // its rank, and the number of ids in it
	for i := range c.list {
		if rank := []int{c.rankID(i, perRow), len(c.list[i].values)}; rank[0] > 0 &&
			slices.Compare(rank, best) > 0 {
			found, best = i, rank
		}
	}
	if found >= 0 {
		c.merged = !perRow && c.isMerged(found)
		if c.place[idColumn] = found; c.place[turnColumn] == found {
			c.place[turnColumn] = -1
		}
		return "", ""
	}
	if perRow || id >= 0 &&
		(foldColumn(c.list[id].name) != "id" || !speaks(dialogue.System) || !speaks(dialogue.User)) {
		return "", ""
	}
	// With more rows, an error reports that nothing separates the conversations.
	if id >= 0 && n == 2 {
		c.file.tell("1 dialogue, since " + described(c.list[id:id+1]) + " tells messages apart")
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
		"name it with --columns id=NAME, or say --columns id=" + NoColumn +
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
	case isUsed || s.filled == 0 || i == c.date,
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
func (c *finder) varying() (list []shape) {
	for i, s := range c.list {
		if !slices.Contains(c.place[:], i) && i != c.date && len(s.values) > 1 &&
			(s.repeats() || c.isMerged(i)) &&
			!s.isTime() && !s.isNamed("agent") && !s.isNamed("customer") {
			// Other columns only repeat who speaks.
			if _, mixed, _ := c.spread(c.cells(c.place[speakerColumn]), i); mixed > 0 {
				list = append(list, s)
			}
		}
	}
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

// isMerged reports whether a column has a value only in the first row of each conversation, like
// merged cells of a workbook.
func (c *finder) isMerged(i int) bool {
	s, n := &c.list[i], len(c.sample)
	return n > 3 && len(s.values) > 1 && s.filled < n && strings.TrimSpace(c.sample[0][i]) != "" &&
		c.place[speakerColumn] >= 0 && c.bothSides(c.cells(i))
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

// settleTime finds the column with the time of a turn: of the columns that hold times, the one that
// varies most within conversations. The date may be in one column and the time of day in another.
func (c *finder) settleTime() {
	if c.file.isAsked(timeColumn) || c.transcripts {
		return
	}
	conversation := func(n int) string { return "" }
	if id := c.place[idColumn]; id >= 0 {
		conversation = c.cells(id)
	}
	found, day, most := -1, -1, 0
	for i := range c.list {
		s := &c.list[i]
		_, _, changes := c.spread(conversation, i)
		isNamed := anyIn(s.words, "time")
		hasNone := func(v string) bool { return !strings.ContainsAny(v, "0123456789") }
		switch {
		case slices.Contains(c.place[:], i) || anyIn(s.words, "other-time"):
		case 20*s.times < 19*s.filled || 2*s.filled <= len(c.sample):
			if isNamed && changes > 0 && s.spaces+s.marks == s.filled && 2*s.times < s.filled &&
				!slices.ContainsFunc(slices.Collect(maps.Keys(s.values)), hasNone) {
				c.unread = append(c.unread, *s)
			}
		case !isNamed && !s.most(s.clocks):
		case s.most(s.dates) && s.clocks == 0:
			if day < 0 {
				day = i
			}
		case changes > 0 && (found < 0 || 10*changes > 11*most):
			found, most = i, changes
		}
	}
	if found >= 0 && day >= 0 && c.list[found].dates == 0 {
		c.date = day
	}
	if c.place[timeColumn] = found; found < 0 {
		c.place[timeColumn] = day
	}
	if c.place[timeColumn] >= 0 {
		c.unread = nil
	}
}

// told returns a description of the columns if any of them was guessed, or nil if all have usual
// names.
func (h *header) told(f *file) (list []string) {
	usual := usualPlaces(h.names)
	isGuess := h.isNameless || h.byBlank || h.pairs || h.transcripts && !f.isAsked(textColumn)
	for _, use := range []int{idColumn, textColumn, speakerColumn, timeColumn, agentColumn,
		customerColumn, ratingColumn} {
		i := h.place[use]
		if i < 0 || use == ratingColumn && i == usual[use] {
			continue
		}
		isGuess = isGuess || use < numNamed && i != usual[use] && !f.isAsked(use)
		name := h.names[i]
		if use == timeColumn && h.date >= 0 {
			name = h.names[h.date] + " + " + name
		}
		if use == textColumn && len(h.wide) > 0 && !h.pairs {
			name = h.names[h.wide[0].at] + ", " + h.names[h.wide[1].at] + " and so on"
		}
		list = append(list, uses[use]+" = "+dialogue.Clean(name))
	}
	if h.thread >= 0 {
		isGuess = true
		var names []string
		for _, i := range h.links {
			names = append(names, dialogue.Clean(h.names[i]))
		}
		list = append(list, "conversations by "+strings.Join(names, " and "))
	}
	if h.byBlank {
		list = append(list, "blank rows part the dialogues")
	}
	for _, i := range h.replies {
		list = append(list, "answer = "+dialogue.Clean(h.names[i]))
	}
	if h.pairs {
		list = append(list, "answer = "+dialogue.Clean(h.names[h.wide[1].at]))
	}
	if !isGuess {
		return nil
	}
	return list
}
