package importer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// This file finds which column of a table holds what: the column that the user names, else one with
// a usual name, else one whose name has the right words and whose values have the right shape. A
// column that is not found by a usual name is a guess, and reported. If no column can be the id of
// a conversation, nothing is read: many dialogues would be judged as one.

// settle finds the columns from their usual names and a sample of the rows. If the table cannot be
// read, it returns the reason and a hint.
func (h *header) settle(f *file, isWhole func(row []string, v string) bool, sample [][]string,
	parts []int) (msg, hint string) {
	if h.isNameless = h.isData(f, sample); h.isNameless {
		sample, parts = append([][]string{slices.Clone(h.names)}, sample...),
			append([]int{0}, parts...)
		for i := range h.names {
			h.names[i] = fmt.Sprintf("column %d", i+1)
		}
	}
	if msg, hint = h.apply(f.opt.Columns); msg != "" {
		return msg, hint
	}
	c := &finder{header: h, file: f, sample: sample, parts: parts,
		list: shapesOf(f.who, isWhole, h.names, sample)}
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
		what := "what is said"
		if h.place[speakerColumn] < 0 {
			what = "who speaks"
		}
		return "no column tells " + what + "; the columns are " + described(c.list),
			"name them with --columns " +
				"id=NAME,speaker=NAME,text=NAME, or text=NAME alone where a cell holds a whole " +
				"conversation"
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
	isBoth := func(row []string) bool {
		return !slices.ContainsFunc(h.wide,
			func(w wideColumn) bool { return strings.TrimSpace(row[w.at]) == "" })
	}
	if h.pairs && h.place[idColumn] < 0 && len(sample) > 1 && !slices.ContainsFunc(sample, isBoth) {
		return "each row has words of one side, and no column has the id of a conversation",
			"add that column; the columns are " + quoted(h.names)
	}
	c.settleTime()
	c.settleVersions()
	c.settleSides()
	c.find(ratingColumn, (*shape).size, (*shape).isRating)
	if i := h.place[ratingColumn]; i >= 0 {
		h.decimals, h.ratingGuess = c.list[i].decimals(h.delimiter)
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
	hasWords := func(s *shape) bool {
		return !s.isTime() && 2*s.spaces > s.filled && s.length() >= 12
	}
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
			addAgents(c.file, people(cells[i]))
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
