package importer

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// This file handles tables in which a row has the words of both sides: a question and its answer,
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
	stem := func(i int) string { return numberIn().ReplaceAllString(foldColumn(c.names[i]), "") }
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

// settleReply finds the column with the model's answer to the conversation in a cell, such as
// completion next to prompt.
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
	stem := func(name string) string { return numberIn().ReplaceAllString(foldColumn(name), "#") }
	family := map[string]int{}
	for _, name := range c.names {
		family[stem(name)]++
	}
	return c.all(func(s *shape) bool {
		number := numberIn().FindString(s.name)
		isNumbered := number != "" && (family[stem(s.name)] > 1 || number == "0" || number == "1")
		return isNumbered && 2*s.spaces > s.filled && !s.isTime() && !c.isWide(s.at) &&
			!slices.Contains(c.place[:], s.at)
	})
}

var numberIn = lazy(`\d+`)

// settleWide finds the columns of a whole dialogue per row, with one column for every turn: user_1,
// agent_1, user_2 and so on. A name that occurs twice counts as numbered. It reports whether they
// exist.
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
		number, err := strconv.Atoi(numberIn().FindString(s.name))
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
