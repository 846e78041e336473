package importer

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// finder finds the columns of a table from a sample of its rows.
type finder struct {
	*header
	file   *file
	sample [][]string
	parts  []int        // number of blank rows above each row of the sample
	usual  [numUses]int // the columns with usual names
	list   []shape      // one per column
}

func newFinder(f *file, h *header, sample [][]string, parts []int) *finder {
	return &finder{header: h, file: f, sample: sample, parts: parts, usual: h.place,
		list: shapesOf(f, h.names, sample)}
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
	if last < 0 || anyIn(s.words, "other-text") || s.isTime() {
		return nobody, false
	}
	isMore := func(w string) bool { return w == "turn" || anyIn([]string{w}, "said") }
	words := slices.DeleteFunc(slices.Clone(s.words), isMore)
	if len(words) == 0 {
		words = s.words
	}
	what := words[len(words)-1:]
	isAsked, isAnswered := anyIn(what, "asked"), anyIn(what, "answered")
	for n := len(words); n >= len(words)-1; n-- {
		role, ok := c.file.who.role(strings.Join(words[:n], " "))
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
	return nobody, false
}

// FindColumn returns the index of the column whose name says that it holds the id of a
// conversation, a rating, its rater, the agent or the queue, or -1 if no column does.
func FindColumn(names []string, use string) int {
	if i := usualColumn(names, use); i >= 0 {
		return i
	}
	return slices.IndexFunc(names, func(name string) bool {
		s := shape{name: name, words: nameWords(name)}
		return use == uses[idColumn] && s.isID() || use == uses[ratingColumn] && s.isRating()
	})
}

// header describes the columns of a table.
type header struct {
	delimiter  rune
	above      int // bytes of the lines above it
	names      []string
	place      [numUses]int // index of the column for each use; -1 if none
	other      []int        // the columns that are metadata
	isNameless bool         // the first line is a row
	// kinds holds the roles by the values of the speaker's column, if these are not names.
	kinds     map[string]dialogue.Role
	notes     []int // the columns that may distinguish notes between agents from messages
	hasEvents bool  // those columns also mark events
	// decimals means that a comma in a rating is the decimal sign, not between several ratings.
	decimals    bool
	transcripts bool         // the text is a whole conversation
	wide        []wideColumn // the turns in a row: a whole dialogue, or a question and its answer
	pairs       bool         // a row is a question and its answer
	isApart     bool         // or one of them, so that an empty cell is no answer
	// replies lists the columns with the answer to a conversation that ends with the USER.
	replies     []shape
	byBlank     bool     // blank rows separate the conversations
	merged      bool     // only the first row of a conversation has the id
	ratingGuess string   // how ratings with a comma are read
	byThread    bool     // these threads are the conversations
	isTree      bool     // of a model and its user, so that no message has two answers of a side
	links       []shape  // the columns with the ids of the messages that it answers
	where       []string // what the column of the condition may hold
	// serving holds the uses, agent, queue and time, of columns whose names do not say so.
	serving []int
	unread  []shape // columns that are named like times but cannot be parsed as such
}

// maxColumns is the maximum number of columns of a table.
const maxColumns = 1000

// newHeader returns the header with the names in cells.
func newHeader(cells []string, delimiter rune) header {
	h := header{delimiter: delimiter}
	for _, name := range cells[:min(len(cells), maxColumns)] {
		h.names = append(h.names, strings.Trim(name, " \t\r\n\""))
	}
	h.place = usualPlaces(h.names)
	return h
}

func usualPlaces(names []string) (place [numUses]int) {
	for use := range place {
		if place[use] = -1; use < numNamed {
			place[use] = usualColumn(names, uses[use])
		}
	}
	return place
}

// usualColumn returns the index of the column with the best of the usual names for a use, or -1.
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

// isHeader reports whether the cells name a speaker and a text.
func isHeader(cells []string) bool {
	isSpeaker := func(name string) bool { return anyIn(nameWords(name), "who") }
	isText := func(name string) bool { return anyIn(nameWords(name), "said") }
	return slices.ContainsFunc(cells, isSpeaker) && slices.ContainsFunc(cells, isText)
}

// wideColumn is a column that holds a turn of every dialogue.
type wideColumn struct {
	number, at int
	speaker    int           // the column with the speaker; -1 if the name of the column shows it
	side       dialogue.Role // the speaker in that case
}

// isWide reports whether column i is one of those of a wide row.
func (h *header) isWide(i int) bool {
	return slices.ContainsFunc(h.wide,
		func(w wideColumn) bool { return w.at == i || w.speaker == i })
}

// turns returns the turns of a row. A question has an answer, which may be empty.
func (h *header) turns(cell func(i int) string, at string) (list []message) {
	for _, w := range h.wide {
		name := cell(w.speaker)
		if w.speaker < 0 {
			if name = "user"; w.side == dialogue.System {
				name = "assistant"
			}
		}
		if text := cell(w.at); text != "" || h.pairs && !h.isApart && w.side == dialogue.System {
			list = append(list, message{Name: name, Text: text, Time: at})
		}
	}
	return list
}

// guesses returns a description of the columns, or nil if none of them was guessed.
func (h *header) guesses(f *file) (list []string) {
	usual := usualPlaces(h.names)
	isGuess := h.isNameless || h.byBlank || h.pairs || h.transcripts && !f.isAsked(textColumn)
	for _, use := range []int{idColumn, textColumn, speakerColumn, timeColumn, agentColumn,
		customerColumn, queueColumn, ratingColumn} {
		i := h.place[use]
		if use == queueColumn && i < 0 {
			i = usualColumn(h.names, uses[use])
		}
		if i < 0 || use == ratingColumn && i == usual[use] {
			continue
		}
		isGuess = isGuess || !f.isAsked(use) &&
			(use < numNamed && i != usual[use] || h.transcripts && use == timeColumn)
		name := h.names[i]
		if date := h.place[dateColumn]; use == timeColumn && date >= 0 {
			name = h.names[date] + " + " + name
		}
		if use == textColumn && len(h.wide) > 0 && !h.pairs {
			name = h.names[h.wide[0].at] + ", " + h.names[h.wide[1].at] + " and so on"
		}
		list = append(list, uses[use]+" = "+dialogue.Clean(name))
	}
	if h.byThread {
		isGuess = true
		var names []string
		for _, s := range h.links {
			names = append(names, dialogue.Clean(s.name))
		}
		list = append(list, "conversations by "+strings.Join(names, " and "))
	}
	if h.byBlank {
		list = append(list, "blank rows separate the dialogues")
	}
	answers := h.replies
	if h.pairs {
		answers = []shape{{name: h.names[h.wide[1].at]}}
	}
	for _, s := range answers {
		list = append(list, "answer = "+dialogue.Clean(s.name))
	}
	if !isGuess {
		return nil
	}
	return list
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

// find returns the index of the column with the given name, or -1 if there is none.
func (h *header) find(name string) int {
	if i := slices.Index(h.names, name); i >= 0 {
		return i
	}
	return slices.IndexFunc(h.names,
		func(s string) bool { return foldColumn(s) == foldColumn(name) })
}

// apply applies the columns that the user names. If they do not fit, it returns why, and a hint.
func (h *header) apply(columns map[string]string) (msg, hint string) {
	for _, use := range slices.Sorted(maps.Keys(columns)) {
		name := columns[use]
		n := slices.Index(uses[:], use)
		if n == whereColumn {
			place, value, hasValue := strings.Cut(equalTo(name), "=")
			if !hasValue {
				value = "!" // not empty, as in JSON
			}
			name, h.where = place, strings.Split(value, ",")
		}
		i := h.find(name)
		switch {
		case n < 0:
			return "no column can hold " + quote(use), "want one of " + strings.Join(uses[:], ", ")
		case i < 0 && name != noColumn:
			return fmt.Sprintf("there is no column %s", quote(name)),
				"the columns are " + quoted(h.names)
		}
		h.place[n] = i
	}
	return "", ""
}

// A table must be distinguished from other text, and its header may be below a title.

// tableIn looks for a table at the beginning of a stream: records of which the first names speaker
// and text, or which are equally long and no turns. Shorter lines of a title may be above it.
func tableIn(f *file, head string) (best header, ok bool) {
	const most, maxAbove = 50, 10 // records
	bestScore := 0
	for _, delimiter := range ",;\t|" {
		in := csv.NewReader(strings.NewReader(head))
		in.Comma, in.LazyQuotes, in.FieldsPerRecord = delimiter, true, -1
		records, begins := [][]string{}, []int{0}
		for len(records) < most+maxAbove {
			cells, err := in.Read()
			if err != nil {
				break
			}
			records, begins = append(records, cells), append(begins, int(in.InputOffset()))
		}
		if n := len(records); len(head) >= headSize && 2 < n && n < most {
			records = records[:n-1] // the end of the head may have cut it
		}
		maxFilled := 0 // cells of a record above
		for i := range records[:min(len(records), maxAbove+1)] {
			h := newHeader(records[i], delimiter)
			h.above = begins[i]
			filled := number(slices.Values(h.names), func(name string) bool { return name != "" })
			isNamed := i == 0 || maxFilled < filled && (isHeader(h.names) ||
				slices.ContainsFunc(h.place[:], func(i int) bool { return i >= 0 }))
			// Names in another language may be below titles of one cell.
			isNamed = isNamed || filled == len(h.names) && filled > 2 && maxFilled <= 1
			maxFilled = max(maxFilled, filled)
			score, isUsual := 2*len(h.names),
				h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0
			isFull := 2*filled >= len(h.names)
			if isUsual {
				score += 2 * maxColumns
			}
			if isFull {
				score++
			}
			if len(h.names) > 1 && isNamed && (i == 0 || isFull) && score > bestScore &&
				(isUsual || isTable(f, records[i:], head[h.above:], delimiter)) {
				best, bestScore = h, score
			}
			if bestScore == score && isFull {
				break
			}
		}
	}
	return best, bestScore > 0
}

// isTable reports whether records without a usual header are those of a table.
func isTable(f *file, records [][]string, text string, delimiter rune) bool {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	if name, stamped, ok := turnIn(first); ok && (stamped || f.who.knows(name)) ||
		len(records) < 2 {
		return false
	}
	isTurn := func(line string) bool {
		name, stamped, ok := turnIn(line)
		return ok && stamped && expr("name-like").MatchString(name)
	}
	if cutStamp(first) > 0 && !strings.Contains(first, "\t") &&
		slices.ContainsFunc(strings.Split(rest, "\n"), isTurn) {
		return false // a chat that begins with an event
	}
	// The records may be a session of USS, perhaps with a broken first line.
	isSession := delimiter == '\t' && !isHeader(records[0])
	isOther := func(cells []string) bool {
		name, stamped, ok := turnIn(cells[0])
		_, isTime := ParseTime(cells[0])
		isText := isTime || strings.Contains(strings.TrimSpace(cells[0]), "\n")
		return !isText && ok && (stamped || f.who.knows(name) ||
			expr("name-like").MatchString(name) && strings.Contains(cells[0], ": ")) ||
			isSession && f.who.knows(cells[0])
	}
	// A broken row must not make a table plain text.
	ragged := number(slices.Values(records),
		func(cells []string) bool { return len(cells) != len(records[0]) })
	if 10*ragged > len(records) || slices.ContainsFunc(records, isOther) {
		return false
	}
	isLine := func(cell string) bool { return len(cell) > maxName || strings.Contains(cell, ": ") }
	// A cell with a line break cannot come from a line of plain text.
	isQuoted := func(cell string) bool { return strings.Contains(cell, "\n") }
	return !slices.ContainsFunc(records[0], isLine) || len(records) > 3 ||
		slices.ContainsFunc(records[0], isQuoted)
}

// openTable finds the header of a table, and returns it with the records from it on.
func openTable(f *file, head []byte) (h header, in *records) {
	text := strings.TrimLeft(string(head), " \t\r\n")
	h, ok := tableIn(f, text)
	if !ok {
		first, _, _ := strings.Cut(text, "\n")
		often := func(a, b rune) int {
			return strings.Count(first, string(a)) - strings.Count(first, string(b))
		}
		delimiter := slices.MaxFunc([]rune(",;\t"), often)
		h = newHeader(strings.Split(first, string(delimiter)), delimiter)
	}
	title := string(head[:len(head)-len(text)+h.above])
	f.in.Discard(len(title)) // already read from head
	isEnd := func(r rune) bool { return r == '\n' || r == '\r' }
	lines := len(strings.FieldsFunc(title, isEnd))
	if lines > 0 && !strings.HasPrefix(text, "sep=") {
		f.note(counted(lines, "line") + " above the header left out")
	}
	feed := newFeed(f)
	in = &records{feed: &feed, width: len(h.names), above: strings.Count(title, "\n")}
	in.csv = csv.NewReader(io.TeeReader(in.feed, &in.seen))
	in.csv.Comma, in.csv.FieldsPerRecord = h.delimiter, -1
	return h, in
}
