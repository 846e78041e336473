package importer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// This file finds which column of a table holds what: the column that the user names, else one with
// a usual name, else, as a guess that is reported, one whose name and values have the right form.
// If none can be the id of a conversation, nothing is read: many dialogues would be judged as one.

// settle finds the columns. If the table cannot be read, it returns the reason and a hint.
func (h *header) settle(f *file, sample [][]string, parts []int) (msg, hint string) {
	if h.isNameless = h.isData(f, sample); h.isNameless {
		sample, parts = append([][]string{slices.Clone(h.names)}, sample...),
			append([]int{0}, parts...)
		for i := range h.names {
			h.names[i] = fmt.Sprintf("column %d", i+1)
		}
	}
	leaveOtherID(f, func(id string) bool { return h.find(id) >= 0 })
	if msg, hint = h.apply(f.opt.Columns); msg != "" {
		return msg, hint
	}
	c := newFinder(f, h, sample, parts)
	if msg, hint = c.rivals(); msg != "" {
		return msg, hint
	}
	if c.findTranscripts(); !c.transcripts {
		c.find(textColumn)
		c.find(speakerColumn)
	}
	if !h.transcripts && !c.file.isAsked(textColumn) && !c.file.isAsked(speakerColumn) {
		if h.place[speakerColumn] >= 0 {
			c.settleBlocks()
		} else if !c.settleWide() {
			c.settlePair(-1)
		}
		if left := c.leftNumbered(); len(c.wide) > 0 && !h.pairs && len(left) > 0 {
			return "the speaker is unknown for " + described(left) +
					"; other numbered columns are turns",
				"rename them so that each has its side and its number, such as user_1 and agent_1"
		}
	}
	hasText := c.file.isAsked(textColumn) && !c.file.isAsked(speakerColumn) &&
		h.place[speakerColumn] < 0
	if hasText && !h.transcripts {
		c.settlePair(h.place[textColumn])
	}
	h.transcripts = h.transcripts || hasText && !h.pairs
	if !h.transcripts && !h.pairs && (h.place[speakerColumn] < 0 || h.place[textColumn] < 0) {
		what := "tells what is said"
		if h.place[speakerColumn] < 0 {
			what = "names the speaker"
		}
		return "no column " + what + "; the columns are " + described(c.list),
			"name them with --columns " +
				"id=NAME,speaker=NAME,text=NAME and, if there are such columns, time=NAME," +
				"agent=NAME,queue=NAME, or text=NAME alone where a cell holds a whole conversation"
	}
	if h.transcripts && len(h.wide) == 0 && !c.file.isAsked(textColumn) {
		if c.settleReply(); len(h.replies) > 1 {
			return "several columns may hold the answer to the conversation in " +
					h.names[h.place[textColumn]] + ": " + described(h.replies),
				"leave one of them, or name the conversation alone with --columns text=NAME"
		}
	}
	if i := h.place[speakerColumn]; i >= 0 {
		h.kinds = c.list[i].kinds
	}
	if msg, hint = c.settleID(); msg != "" {
		return msg, hint
	}
	both, alone := 0, 0 // rows with a question and its answer, and with an answer alone
	for _, row := range sample {
		if h.pairs && strings.TrimSpace(row[h.wide[1].at]) != "" {
			if alone++; strings.TrimSpace(row[h.wide[0].at]) != "" {
				both, alone = both+1, alone-1
			}
		}
	}
	h.isApart = alone > both
	if h.pairs && h.place[idColumn] < 0 && len(sample) > 1 && both == 0 {
		return "each row has words of one side, and no column has the id of a conversation",
			"add that column; the columns are " + quoted(h.names)
	}
	c.findTimes()
	c.settleVersions()
	c.find(agentColumn)
	c.find(customerColumn)
	if i := h.place[agentColumn]; i >= 0 && h.transcripts { // rows of turns are read twice
		for _, cells := range sample {
			learn(f.agents, people(cells[i]), dialogue.System)
		}
	}
	c.find(ratingColumn)
	if i := h.place[ratingColumn]; i >= 0 {
		h.decimals, h.ratingGuess = c.list[i].decimals(h.delimiter)
	}
	c.settleRest()
	return "", ""
}

// rivals finds columns with versions of what the SYSTEM said, only one of which can be judged, such
// as the chosen and the rejected answer. If they exist, it returns an error message and a hint.
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
		m := expr("last-mark").FindStringSubmatch(s.name)
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

// rule finds a column: of those that pass the first test that any passes, the one of most measure.
type rule struct {
	measure func(c *finder, s *shape) int
	tests   []func(c *finder, s *shape) bool
}

var rules = [numUses]rule{
	textColumn: {length, tests{
		isUsual(textColumn),
		func(_ *finder, s *shape) bool {
			return anyIn(s.words[max(0, len(s.words)-1):], "said") && !s.isTime()
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
			isRecipient := anyIn(s.words, "recipient") && !s.isSpeaker() // "To" and "Sent to"
			return !isRecipient && s.most(s.known) && 2*s.filled > len(c.sample) &&
				(isUsual(speakerColumn)(c, s) || s.isSpeaker() ||
					s.sides[dialogue.User] && s.sides[dialogue.System])
		},
		isUsual(speakerColumn),
		func(_ *finder, s *shape) bool {
			return s.isSpeaker() && !s.isTime() && !anyIn(s.words, "mark")
		},
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
	agentColumn:    {(*finder).spoken, tests{isPerson(agentColumn)}},
	customerColumn: {(*finder).spoken, tests{isPerson(customerColumn)}},
}

type tests []func(c *finder, s *shape) bool

// find finds the column for a use, unless the user names it.
func (c *finder) find(use int) {
	if c.file.isAsked(use) {
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

func length(_ *finder, s *shape) int { return s.letters / max(1, s.filled) }

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
	return number(slices.Values(c.sample), func(cells []string) bool {
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
		return s.isNamed(uses[use]) || anyIn(s.words, uses[use]) && c.spoken(s) > 0
	}
}

// isClock reports whether a column may hold the times or the days of turns.
func (c *finder) isClock(s *shape) bool {
	return !anyIn(s.words, "other-time") && 2*s.filled > len(c.sample) &&
		(anyIn(s.words, "time") && 2*s.times >= s.filled ||
			20*s.times >= 19*s.filled && s.most(s.clocks))
}

// isDay reports whether a column holds dates without times of day.
func (s *shape) isDay() bool { return s.most(s.dates) && s.clocks == 0 }

// findTranscripts finds the column of whole conversations.
func (c *finder) findTranscripts() {
	i := c.best(
		func(s *shape) bool { return s.examined > 0 && 10*s.transcripts >= 6*s.examined },
		func(_ *finder, s *shape) int { return s.letters })
	if i < 0 || c.file.isAsked(speakerColumn) ||
		c.file.isAsked(textColumn) && c.place[textColumn] != i {
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
	isAsked := c.file.isAsked(timeColumn)
	if c.transcripts {
		days := c.all(func(s *shape) bool {
			return c.isFree(s) && s.filled == len(c.sample) && s.dates == s.filled &&
				s.numbers == 0 && !anyIn(s.words, "other-time")
		})
		if !isAsked && len(days) == 1 && !slices.ContainsFunc(c.names, isDayName) {
			c.place[timeColumn] = days[0].at
		}
		if i := c.place[timeColumn]; i >= 0 && FindColumn(c.names, "day") != i {
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
			anyIn(s.words, "time") && !anyIn(s.words, "other-time") && 2*s.times < s.filled &&
			s.spaces+s.marks == s.filled && c.changes(s) > 0 &&
			!slices.ContainsFunc(slices.Collect(maps.Keys(s.values)), hasNone)
	})
}

// settleRest finds the columns of notes and events, the metadata, and what is left out by its name.
func (c *finder) settleRest() {
	used, aside := append(slices.Clone(c.place[:timeColumn]), c.place[threadColumn]), []string{}
	for _, use := range []int{agentColumn, queueColumn} {
		if i := c.place[use]; i >= 0 && FindColumn(c.names, uses[use]) != i {
			if c.serving = append(c.serving, use); c.file.isAsked(use) {
				used = append(used, i) // the use is its name
			}
		}
	}
	for _, s := range slices.Concat(c.replies, c.links) {
		used = append(used, s.at)
	}
	for i, s := range c.list {
		hasMessages, hasOthers := s.hasKinds()
		if isOther := !slices.Contains(c.place[:speakerColumn], i) &&
			i != c.place[textColumn]; isOther &&
			(anyIn(s.words, "kind") || hasMessages && hasOthers) {
			c.notes, c.hasEvents = append(c.notes, i), c.hasEvents || hasMessages
		}
		switch {
		case slices.Contains(used, i) || c.isWide(i):
		case !setAside(s.name) || s.isRating():
			c.other = append(c.other, i)
		case s.filled > 0:
			aside = append(aside, s.name)
		}
	}
	for range aside {
		c.file.omissions.add("aside", quoted(aside))
	}
}

// In some tables, a row has the words of both sides: a question and its answer,
// or a whole dialogue with a column for every turn.

// settlePair finds the columns of a question and its answer, or of the words of each side, in one
// row. If the user names the column of the answers, that is answer; else it is -1.
func (c *finder) settlePair(answer int) {
	of := func(side dialogue.Role, words string) int {
		return c.best(func(s *shape) bool {
			role, isSure := c.sideOf(s)
			if answer >= 0 {
				return role == side && s.at != answer && s.filled > 0 && anyIn(s.words, words)
			}
			hasWords := s.spaces > 0 && s.letters >= 12*s.filled // names are shorter
			return role == side &&
				(isSure && hasWords || anyIn(s.words, words) && 2*s.spaces > s.filled)
		}, length)
	}
	question := of(dialogue.User, "asked")
	if answer < 0 {
		answer = of(dialogue.System, "answered")
	} else if side, _ := c.sideOf(&c.list[answer]); side != dialogue.System &&
		!anyIn(c.list[answer].words, "rival") {
		return
	}
	if question >= 0 && answer >= 0 {
		c.place[textColumn], c.pairs = question, true
		c.wide = []wideColumn{{0, question, -1, dialogue.User}, {1, answer, -1, dialogue.System}}
	}
}

// settleBlocks finds the columns of a whole dialogue per row, with one column for every speaker and
// one for every text: From 1, Body 1, From 2, Body 2 and so on.
func (c *finder) settleBlocks() {
	numbers := expr("number-in")
	stem := func(i int) string { return numbers.ReplaceAllString(foldColumn(c.names[i]), "") }
	alike := func(use int) (list []int) { // the columns whose names differ only in their numbers
		for i := range c.names {
			if c.place[use] >= 0 && stem(i) == stem(c.place[use]) {
				list = append(list, i)
			}
		}
		return list
	}
	speakers, texts := alike(speakerColumn), alike(textColumn)
	if len(texts) < 2 || len(texts) != len(speakers) || stem(texts[0]) == stem(speakers[0]) {
		return
	}
	for i, at := range texts {
		c.wide = append(c.wide, wideColumn{number: i, at: at, speaker: speakers[i]})
	}
	c.transcripts, c.place[textColumn], c.place[speakerColumn], c.place[turnColumn] = true,
		texts[0], -1, -1
}

// settleReply finds the column with the model's answer to the conversation in a cell.
func (c *finder) settleReply() {
	c.replies = c.all(func(s *shape) bool {
		side, _ := c.sideOf(s)
		hasWords := 2*s.spaces > s.filled ||
			slices.ContainsFunc(slices.Collect(maps.Keys(s.values)), isData)
		return c.isFree(s) && side == dialogue.System &&
			anyIn(s.words[len(s.words)-1:], "replies") && hasWords
	})
}

// leftNumbered returns the numbered columns that hold words but are not turns of a dialogue with a
// column for each turn, such as output.0.content next to input.0.content and input.1.content.
func (c *finder) leftNumbered() []shape {
	numbers := expr("number-in")
	stem := func(name string) string { return numbers.ReplaceAllString(foldColumn(name), "#") }
	family := map[string]int{}
	for _, name := range c.names {
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
		if side == nobody {
			continue
		}
		name := strings.Join(s.words, " ")
		again[name]++
		number, err := strconv.Atoi(expr("number-in").FindString(s.name))
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
