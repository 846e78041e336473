package table

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
	"assize/rubric/dialogue/importer/transcript"
)

// shape describes the values of a column.
type shape struct {
	at                   int // index of the column
	name                 string
	words                []string
	filled               int
	known, marks, spaces int // values that are usual speakers, with a digit but no space, spaced
	times, dates, clocks int // values that are times of any kind, with a date, with a clock time
	numbers              int // number of times that are plain numbers
	letters              int // bytes in total
	// kinds holds the roles by value, if the values are kinds of messages or true and false.
	kinds                 map[string]dialogue.Role
	sides                 [dialogue.System + dialogue.User + 1]bool
	rounded               int // number of values such as 7.35E+09
	transcripts, examined int
	values                map[string]int
}

// shapesOf describes the columns of a sample.
func shapesOf(f *stream.File, names []string, sample [][]string) []shape {
	list := make([]shape, len(names))
	for i, name := range names {
		s := shape{at: i, name: name, words: lex.NameWords(name), values: map[string]int{}}
		for _, cells := range sample {
			v := strings.TrimSpace(cells[i])
			if v == "" {
				continue
			}
			s.filled++
			s.letters += len(v)
			s.values[v]++
			count := func(n *int, is bool) {
				if is {
					*n++
				}
			}
			isSpaced, isMark := strings.ContainsAny(v, " \n"), strings.ContainsAny(v, "0123456789")
			m, isTime := lex.ParseTime(v)
			count(&s.known, f.Who.Knows(v[:min(len(v), lex.MaxName)]))
			count(&s.rounded, lex.Match("rounded", v))
			count(&s.spaces, isSpaced)
			count(&s.marks, !isSpaced && isMark && len(v) <= 64)
			count(&s.times, isTime)
			count(&s.numbers, isTime && m.IsNumber)
			count(&s.dates, isTime && m.HasDate)
			count(&s.clocks, isTime && m.HasTime)
			if s.examined < 200 {
				s.examined++
				who := stream.NewNames(f.Opt) // and the other cells, which may be names
				for _, name := range cells {
					name = lex.FoldName(name)
					if !who.Knows(name[:min(len(name), lex.MaxName)]) {
						stream.Learn(who.Roles, []string{name}, dialogue.Other)
					}
				}
				count(&s.transcripts, formats.IsTranscript(who, v))
			}
		}
		settleKinds(f.Who, &s)
		list[i] = s
	}
	return list
}

// has reports whether one of the words of the name is in a list of columns.txt.
func (s *shape) has(list string) bool { return lex.AnyIn(s.words, list) }

// isNamed reports whether the whole name is in a list of columns.txt.
func (s *shape) isNamed(list string) bool { return lex.In(lex.FoldColumn(s.name), list) }

// most reports whether n is at least nine tenths of the values.
func (s *shape) most(n int) bool { return s.filled > 0 && 10*n >= 9*s.filled }

// areTranscripts reports whether most values are whole conversations.
func (s *shape) areTranscripts() bool {
	return s.examined > 0 && 10*s.transcripts >= 6*s.examined
}

// repeats reports whether a value occurs more than once.
func (s *shape) repeats() bool { return len(s.values) < s.filled }

// isTime reports whether a column holds times. Plain numbers are times only if the name says so.
func (s *shape) isTime() bool {
	return s.most(s.times) && (!s.most(s.numbers) || s.has("time"))
}

// isSpeaker reports whether a column is named for speakers, as "Author" or "Comment created by".
func (s *shape) isSpeaker() bool {
	words := slices.DeleteFunc(slices.Clone(s.words), func(w string) bool { return w == "name" })
	isBy := len(words) > 1 && words[len(words)-1] == "by" && !s.isNamed("agent") &&
		!s.isNamed("customer") && !s.has("other-time")
	return s.has("who") || s.isNamed("who") || isBy
}

// isID reports whether the name of a column says that it holds the id of a conversation.
func (s *shape) isID() bool {
	return s.has("conversation") && s.has("mark") &&
		(!s.has("other-id") || lex.AnyIn(s.words[:1], "conversation"))
}

// isRating reports whether a column is named for ratings, and most of its values are some.
func (s *shape) isRating() bool {
	isRead := func(v string) bool { _, ok := lex.ParseRatings(v); return ok }
	n := stream.Count(maps.Keys(s.values), isRead)
	return lex.IsRatingName(s.words) && 10*n >= 6*len(s.values)
}

// decimals reports whether the commas in a column of ratings are decimal signs rather than between
// several people's. If both are possible, guess says which one was assumed.
func (s *shape) decimals(delimiter rune) (is bool, guess string) {
	example, isList := "", false
	for _, v := range slices.Sorted(maps.Keys(s.values)) {
		m := lex.Expr("only-comma").FindStringSubmatch(v)
		switch {
		case m != nil:
			example = cmp.Or(example, v)
			is = is || len(m[1]) > 1
			isList = isList || strings.Trim(m[1], "05") != ""
		case strings.Contains(v, ","):
			return false, ""
		default:
			is = true
		}
	}
	is = is || !isList || delimiter == ';'
	if example != "" && delimiter != ';' {
		what := map[bool]string{true: "have a decimal comma", false: "are those of two people"}
		guess = fmt.Sprintf("ratings such as %q %s", example, what[is])
	}
	return is, guess
}

// settleKinds derives the roles from the values of a column, if possible: names of roles, kinds of
// messages, one of which may follow from the others, or true and false, as in "Is agent".
func settleKinds(who *stream.Names, s *shape) {
	words := slices.DeleteFunc(slices.Clone(s.words),
		func(w string) bool { return lex.In(w, "flag") })
	// whoIf is the role if the value is true.
	whoIf, _ := dialogue.ParseRole(lex.Kind("names", strings.Join(words, " ")))
	kinds, isKind, rest, strange := map[string]dialogue.Role{}, s.has("kind"), "", 0
	for v := range s.values {
		role := who.Find(v[:min(len(v), lex.MaxName)])
		is, isFlag := lex.IsTrue(v)
		switch folded := lex.FoldColumn(v); {
		case role != stream.Nobody:
		case isFlag && whoIf != dialogue.Other:
			if role = whoIf; !is {
				role = dialogue.System + dialogue.User - whoIf // the other side
			}
		case isKind && lex.In(folded, "note"):
			role = dialogue.Other
		case isKind && lex.In(folded, "of-user"):
			role = dialogue.User
		case isKind && lex.In(folded, "of-system"):
			role = dialogue.System
		default:
			rest = v
			strange++
			continue
		}
		kinds[v], s.sides[role] = role, true
	}
	if isKind && strange == 1 && s.sides[dialogue.User] != s.sides[dialogue.System] {
		if kinds[rest] = dialogue.User; s.sides[dialogue.User] {
			kinds[rest] = dialogue.System
		}
		s.sides[dialogue.User], s.sides[dialogue.System] = true, true
	}
	if len(kinds) == len(s.values) && (isKind || whoIf != dialogue.Other) {
		s.kinds, s.known = kinds, s.filled
	}
}

// hasKinds reports whether some values are kinds of messages, and some of other rows. A state, such
// as "Awaiting reply", is one of the conversation.
func (s *shape) hasKinds() (messages, others bool) {
	const most = 30
	for v := range s.values {
		words := lex.NameWords(v)
		if len(words) > 3 || len(s.values) > most || s.has("state") {
			return false, false
		}
		messages = messages || lex.AnyIn(words, "said")
		others = others || lex.IsNote(s.name, v, true)
	}
	return messages, others
}

// described lists columns with a few of their values.
func described(list []shape) string {
	const most, maxValues = 8, 2
	var all []string
	for _, s := range list[:min(len(list), most)] {
		text := lex.Quote(s.name)
		by := func(a, b string) int { return cmp.Or(s.values[b]-s.values[a], cmp.Compare(a, b)) }
		values := slices.SortedFunc(maps.Keys(s.values), by)
		if len(values) > 0 {
			text += " (" + lex.Quoted(values[:min(maxValues, len(values))]) + ")"
		}
		all = append(all, text)
	}
	if len(list) > most {
		all = append(all, fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(all, ", ")
}

// refersTo reports whether most values of a column are ids in another column.
func (s *shape) refersTo(ids *shape) bool {
	found, all := 0, 0
	for v, n := range s.values {
		for _, id := range stream.Linked(v) {
			if all += n; ids.values[id] > 0 {
				found += n
			}
		}
	}
	return found > 1 && 10*found >= 6*all
}

// isDay reports whether a column holds dates without times of day.
func (s *shape) isDay() bool { return s.most(s.dates) && s.clocks == 0 }

// The columns are identified from at most this many rows and bytes at the beginning of a table.
const MaxSampled, MaxBytes = 2000, 8 << 20

// Uses of a column.
const (
	idColumn = iota
	turnColumn
	speakerColumn
	textColumn
	ratingColumn
	timeColumn
	agentColumn
	customerColumn
	queueColumn
	whereColumn
	dateColumn    // the date, if the time is in another column
	messageColumn // the id of a message that may come in several versions
	versionColumn // what orders these versions
	threadColumn  // the id of a message, if messages form threads
	nameColumn    // the name of the speaker, if the speaker's column has roles
	numUses
	numNamed = timeColumn // the uses before it are found by names alone
	numAsked = dateColumn // the user can name only those before it
)

// Uses lists the names of the uses in Options.Columns and in messages.
var Uses = [numAsked]string{"id", "turn", "speaker", "text", "rating", "time", "agent", "customer",
	"queue", "where"}

// isAsked reports whether the user named a column for use.
func isAsked(f *stream.File, use int) bool { return use < numAsked && f.IsAsked(Uses[use]) }

// FindColumn returns the index of the column whose name says that it holds the id of a
// conversation, a rating, its rater, the agent or the queue, or -1 if no column does.
func FindColumn(names []string, use string) int {
	if i := usualColumn(names, use); i >= 0 {
		return i
	}
	return slices.IndexFunc(names, func(name string) bool {
		s := shape{name: name, words: lex.NameWords(name)}
		return use == Uses[idColumn] && s.isID() || use == Uses[ratingColumn] && s.isRating()
	})
}

// Header describes the columns of a table.
type Header struct {
	stream.Grouping
	delimiter  rune
	above      int // bytes of the lines above it
	Names      []string
	place      [numUses]int // index of the column for each use; -1 if none
	other      []int        // the columns that are metadata
	IsNameless bool         // the first line is a row
	// kinds holds the roles by the values of the speaker's column, if these are not names.
	kinds map[string]dialogue.Role
	// notes holds the columns that may mark notes between agents, and whether they mark events.
	notes       map[int]bool
	decimals    bool         // a comma in a rating is the decimal sign, not between several ratings
	transcripts bool         // the text is a whole conversation
	wide        []wideColumn // the turns in a row: a whole dialogue, or a question and its answer
	isApart     bool         // or one of them, so that an empty cell is no answer
	replies     []shape      // the columns with the answer to a conversation that has none
	byBlank     bool         // blank rows separate the conversations
	ratingGuess string       // how ratings with a comma are read
	links       []shape      // the columns with the ids of the messages that it answers
	where       []condition  // that rows must meet
	serving     []int        // the uses agent, queue and time, of columns whose names do not say so
	unread      []shape      // columns that are named like times but cannot be parsed as such
}

// condition is what a row must have in a column; text is as written, and values as in [lex.Path].
type condition struct {
	text   string
	at     int
	values []string
}

// isMet reports whether a row meets the condition.
func (c condition) isMet(cells []string) bool {
	return c.at < len(cells) && lex.IsOneOf(c.values, strings.TrimSpace(cells[c.at]))
}

// Where returns a function that reports whether a row of a table with these columns meets the
// conditions of a use where, and the conditions on other columns, which it leaves out.
func Where(columns, conditions []string) (isMet func(cells []string) bool, others []string) {
	h := NewHeader(columns, ',')
	for _, text := range conditions {
		if msg, _ := h.apply(map[string]string{Uses[whereColumn]: text}); msg != "" {
			others = append(others, text)
		}
	}
	return func(cells []string) bool {
		isUnmet := func(c condition) bool { return !c.isMet(cells) }
		return !slices.ContainsFunc(h.where, isUnmet)
	}, others
}

// maxColumns is the maximum number of columns of a table.
const maxColumns = 1000

// NewHeader returns the header with the names in cells.
func NewHeader(cells []string, delimiter rune) Header {
	h := Header{delimiter: delimiter, Names: lex.Each(cells[:min(len(cells), maxColumns)],
		func(name string) string { return strings.Trim(name, " \t\r\n\"") })}
	h.place = usualPlaces(h.Names)
	return h
}

func usualPlaces(names []string) (place [numUses]int) {
	for use := range place {
		if place[use] = -1; use < numNamed {
			place[use] = usualColumn(names, Uses[use])
		}
	}
	return place
}

// usualColumn returns the index of the column with the best of the usual names for a use, or -1.
func usualColumn(names []string, use string) int {
	folded := lex.Each(names, lex.FoldColumn)
	for _, usual := range lex.Lists()[use] {
		if i := slices.Index(folded, usual); i >= 0 {
			return i
		}
	}
	return -1
}

// IsHeader reports whether the cells name a speaker and a text.
func IsHeader(cells []string) bool {
	isSpeaker := func(name string) bool { return lex.NameHas(name, "who") }
	isText := func(name string) bool { return lex.NameHas(name, "said") }
	return slices.ContainsFunc(cells, isSpeaker) && slices.ContainsFunc(cells, isText)
}

// wideColumn is a column that holds a turn of every dialogue.
type wideColumn struct {
	number, at int
	speaker    int           // the column with the speaker; -1 if the name of the column shows it
	side       dialogue.Role // the speaker in that case
}

// isWide reports whether column i is one of those of a wide row.
func (h *Header) isWide(i int) bool {
	return slices.ContainsFunc(h.wide,
		func(w wideColumn) bool { return w.at == i || w.speaker == i })
}

// turns returns the turns of a row. A question has an answer, which may be empty.
func (h *Header) turns(cell func(i int) string, at string) (list []stream.Message) {
	for _, w := range h.wide {
		name := cell(w.speaker)
		if w.speaker < 0 {
			if name = "user"; w.side == dialogue.System {
				name = "assistant"
			}
		}
		if text := cell(w.at); text != "" || h.Pairs && !h.isApart && w.side == dialogue.System {
			list = append(list, stream.Message{Name: name, Text: text, Time: at})
		}
	}
	return list
}

// HasTurns reports whether there are columns of turns.
func (h *Header) HasTurns() bool {
	return len(h.wide) > 0 || h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0
}

// guesses returns a description of the columns, or nil if none of them was guessed.
func (h *Header) guesses(f *stream.File) (list []string) {
	usual := usualPlaces(h.Names)
	with := map[int]int{timeColumn: dateColumn, speakerColumn: nameColumn}
	isGuess := h.IsNameless || h.byBlank || h.Pairs || h.transcripts && !isAsked(f, textColumn)
	for _, use := range []int{idColumn, textColumn, speakerColumn, timeColumn, agentColumn,
		customerColumn, queueColumn, ratingColumn} {
		i := h.place[use]
		if use == queueColumn && i < 0 {
			i = usualColumn(h.Names, Uses[use])
		}
		if i < 0 || use == ratingColumn && i == usual[use] {
			continue
		}
		isGuess = isGuess || !isAsked(f, use) &&
			(use < numNamed && i != usual[use] || h.transcripts && use == timeColumn)
		name := h.Names[i]
		if other, ok := with[use]; ok && h.place[other] >= 0 {
			if name += " + " + h.Names[h.place[other]]; use == timeColumn {
				name = h.Names[h.place[other]] + " + " + h.Names[i] // the date is first
			}
		}
		if use == textColumn && len(h.wide) > 0 && !h.Pairs {
			name = h.Names[h.wide[0].at] + ", " + h.Names[h.wide[1].at] + " and so on"
		}
		list = append(list, Uses[use]+" = "+dialogue.Clean(name))
	}
	if h.ByThread {
		isGuess = true
		names := lex.Each(h.links, func(s shape) string { return dialogue.Clean(s.name) })
		list = append(list, "conversations by "+strings.Join(names, " and "))
	}
	if h.byBlank {
		list = append(list, "blank rows separate the dialogues")
	}
	answers := h.replies
	if h.Pairs {
		answers = []shape{{name: h.Names[h.wide[1].at]}}
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
func (h *Header) isData(f *stream.File, sample [][]string) bool {
	if slices.ContainsFunc(h.place[:], func(i int) bool { return i >= 0 }) {
		return false
	}
	for i, name := range h.Names {
		_, isTime := lex.ParseTime(name)
		again := func(cells []string) bool { return cells[i] == name }
		if isTime || f.Who.Knows(name) && slices.ContainsFunc(sample, again) {
			return true
		}
	}
	return false
}

// find returns the index of the column with the given name, or -1 if there is none.
func (h *Header) find(name string) int {
	if i := slices.Index(h.Names, name); i >= 0 {
		return i
	}
	return slices.IndexFunc(h.Names,
		func(s string) bool { return lex.FoldColumn(s) == lex.FoldColumn(name) })
}

// apply applies the columns that the user names. If they do not fit, it returns why, and a hint.
func (h *Header) apply(columns map[string]string) (msg, hint string) {
	for _, use := range slices.Sorted(maps.Keys(columns)) {
		n, list := slices.Index(Uses[:], use), []string{columns[use]}
		if n == whereColumn {
			list = strings.Split(columns[use], "\n") // the names of columns may have line breaks
		}
		for _, text := range list {
			name, value, hasValue := text, "", false
			if n == whereColumn {
				if name, value, hasValue = strings.Cut(lex.EqualTo(text), "="); !hasValue {
					value = "!" // not empty, as in JSON
				}
			}
			i := h.find(name)
			switch {
			case n < 0:
				return lex.Problem("no-use", lex.Quote(use), strings.Join(Uses[:], ", "))
			case i < 0 && name != stream.NoColumn:
				return lex.Problem("no-such-column", lex.Quote(name), lex.Quoted(h.Names))
			case n == whereColumn && i >= 0:
				h.where = append(h.where, condition{text, i, strings.Split(value, ",")})
			default: // a column of a condition keeps its own use
				h.place[n] = i
			}
		}
	}
	return "", ""
}

// HeaderIn looks for a table at the beginning of a stream: records of which the first names speaker
// and text, or which are equally long and no turns. Shorter lines of a title may be above it.
func HeaderIn(f *stream.File, head string) (best Header, ok bool) {
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
		if n := len(records); len(head) >= stream.HeadSize && 2 < n && n < most {
			records = records[:n-1] // the end of the head may have cut it
		}
		maxFilled := 0 // cells of a record above
		for i := range records[:min(len(records), maxAbove+1)] {
			h := NewHeader(records[i], delimiter)
			h.above = begins[i]
			isFilled := func(name string) bool { return name != "" }
			filled := stream.Count(slices.Values(h.Names), isFilled)
			isNamed := i == 0 || maxFilled < filled && (IsHeader(h.Names) ||
				slices.ContainsFunc(h.place[:], func(i int) bool { return i >= 0 }))
			// Names in another language may be below titles of one cell.
			isNamed = isNamed || filled == len(h.Names) && filled > 2 && maxFilled <= 1
			maxFilled = max(maxFilled, filled)
			score, isUsual := 2*len(h.Names),
				h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0
			isFull := 2*filled >= len(h.Names)
			if isUsual {
				score += 2 * maxColumns
			}
			if isFull {
				score++
			}
			if len(h.Names) > 1 && isNamed && (i == 0 || isFull) && score > bestScore &&
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
func isTable(f *stream.File, records [][]string, text string, delimiter rune) bool {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	if name, stamped, ok := transcript.TurnIn(first); ok && (stamped || f.Who.Knows(name)) ||
		len(records) < 2 || lex.Match("spoken-lines", text) {
		return false
	}
	isTurn := func(line string) bool {
		name, stamped, ok := transcript.TurnIn(line)
		return ok && stamped && lex.Match("name-like", name)
	}
	if transcript.CutStamp(first) > 0 && !strings.Contains(first, "\t") &&
		slices.ContainsFunc(strings.Split(rest, "\n"), isTurn) {
		return false // a chat that begins with an event
	}
	// The records may be a session of USS, perhaps with a broken first line.
	isSession := delimiter == '\t' && !IsHeader(records[0])
	isOther := func(cells []string) bool {
		name, stamped, ok := transcript.TurnIn(cells[0])
		_, isTime := lex.ParseTime(cells[0])
		isText := isTime || strings.Contains(strings.TrimSpace(cells[0]), "\n")
		return !isText && ok && (stamped || f.Who.Knows(name) ||
			lex.Match("name-like", name) && strings.Contains(cells[0], ": ")) ||
			isSession && f.Who.Knows(cells[0]) ||
			lex.Match("cut-name", strings.Join(cells, string(delimiter)))
	}
	// A broken row must not make a table plain text.
	ragged := stream.Count(slices.Values(records),
		func(cells []string) bool { return len(cells) != len(records[0]) })
	if 10*ragged > len(records) || slices.ContainsFunc(records, isOther) {
		return false
	}
	isLine := func(s string) bool { return len(s) > lex.MaxName || strings.Contains(s, ": ") }
	return !slices.ContainsFunc(records[0], isLine) || len(records) > 3 ||
		strings.Contains(strings.Join(records[0], ""), "\n") // as no line of plain text has
}
