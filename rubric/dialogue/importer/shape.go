package importer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// shape describes the values of a column.
type shape struct {
	at     int // index of the column
	name   string
	words  []string
	filled int
	// Number of values that are usual speakers, with a digit and no space, and with a space.
	known, marks, spaces int
	// Number of values that are times of any kind, those with a date, and those with a clock time.
	times, dates, clocks int
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
func shapesOf(f *file, names []string, sample [][]string) []shape {
	list := make([]shape, len(names))
	for i, name := range names {
		s := shape{at: i, name: name, words: nameWords(name), values: map[string]int{}}
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
			m, isTime := ParseTime(v)
			count(&s.known, f.who.knows(v[:min(len(v), maxName)]))
			count(&s.rounded, expr("rounded").MatchString(v))
			count(&s.spaces, isSpaced)
			count(&s.marks, !isSpaced && isMark && len(v) <= 64)
			count(&s.times, isTime)
			count(&s.numbers, isTime && m.IsNumber)
			count(&s.dates, isTime && m.HasDate)
			count(&s.clocks, isTime && m.HasTime)
			if s.examined < 200 {
				s.examined++
				who := newNames(f.opt) // and the other cells, which may be names
				for _, name := range cells {
					name = FoldName(name)
					if !who.knows(name[:min(len(name), maxName)]) {
						learn(who.roles, []string{name}, dialogue.Other)
					}
				}
				count(&s.transcripts, isTranscript(who, v))
			}
		}
		settleKinds(f.who, &s)
		list[i] = s
	}
	return list
}

// isNamed reports whether the whole name is in a list of columns.txt.
func (s *shape) isNamed(list string) bool { return anyIn([]string{foldColumn(s.name)}, list) }

// most reports whether n is at least nine tenths of the values.
func (s *shape) most(n int) bool { return s.filled > 0 && 10*n >= 9*s.filled }

// repeats reports whether a value occurs more than once.
func (s *shape) repeats() bool { return len(s.values) < s.filled }

// isTime reports whether a column holds times. Plain numbers are times only if the name says so.
func (s *shape) isTime() bool {
	return s.most(s.times) && (!s.most(s.numbers) || anyIn(s.words, "time"))
}

// isSpeaker reports whether a column is named for speakers, as "Author" or "Comment created by".
func (s *shape) isSpeaker() bool {
	words := slices.DeleteFunc(slices.Clone(s.words), func(w string) bool { return w == "name" })
	isBy := len(words) > 1 && words[len(words)-1] == "by" && !s.isNamed("agent") &&
		!s.isNamed("customer") && !anyIn(s.words, "other-time")
	return anyIn(s.words, "who") || s.isNamed("who") || isBy
}

// isID reports whether the name of a column says that it holds the id of a conversation.
func (s *shape) isID() bool {
	return anyIn(s.words, "conversation") && anyIn(s.words, "mark") &&
		(!anyIn(s.words, "other-id") || anyIn(s.words[:1], "conversation"))
}

// isRating reports whether a column is named for ratings, and most of its values are some.
func (s *shape) isRating() bool {
	n := number(maps.Keys(s.values), func(v string) bool { _, ok := ParseRatings(v); return ok })
	return isRatingName(s.words) && 10*n >= 6*len(s.values)
}

// isRatingName reports whether the words of a name indicate ratings.
func isRatingName(words []string) bool {
	isOther := func(w string) bool {
		return !anyIn([]string{w}, "rated") && !anyIn([]string{w}, "whose")
	}
	return anyIn(words, "rated") && !slices.ContainsFunc(words, isOther)
}

// decimals reports whether the commas in a column of ratings are decimal signs rather than between
// several people's. If both are possible, guess says which one was assumed.
func (s *shape) decimals(delimiter rune) (is bool, guess string) {
	example, isList := "", false
	for _, v := range slices.Sorted(maps.Keys(s.values)) {
		m := expr("only-comma").FindStringSubmatch(v)
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
	switch is = is || !isList || delimiter == ';'; {
	case example == "" || delimiter == ';':
		return is, ""
	case is:
		return is, fmt.Sprintf("ratings such as %q have a decimal comma", example)
	}
	return is, fmt.Sprintf("ratings such as %q are those of two people", example)
}

// settleKinds derives the roles from the values of a column, if possible: names of roles, kinds of
// messages, one of which may follow from the others, or true and false, as in "Is agent".
func settleKinds(who *names, s *shape) {
	words := slices.DeleteFunc(slices.Clone(s.words),
		func(w string) bool { return anyIn([]string{w}, "flag") })
	// whoIf is the role if the value is true.
	whoIf, _ := dialogue.ParseRole(kindOf("names", strings.Join(words, " ")))
	kinds, isKind, rest, strange := map[string]dialogue.Role{}, anyIn(s.words, "kind"), "", 0
	for v := range s.values {
		role := who.find(v[:min(len(v), maxName)])
		is, isFlag := isTrue(v)
		switch folded := []string{foldColumn(v)}; {
		case role != nobody:
		case isFlag && whoIf != dialogue.Other:
			if role = whoIf; !is {
				role = dialogue.System + dialogue.User - whoIf // the other side
			}
		case isKind && anyIn(folded, "note"):
			role = dialogue.Other
		case isKind && anyIn(folded, "of-user"):
			role = dialogue.User
		case isKind && anyIn(folded, "of-system"):
			role = dialogue.System
		default:
			rest = v
			strange++
			continue
		}
		kinds[v], s.sides[role] = role, true
	}
	if isKind && strange == 1 && len(kinds) > 0 &&
		s.sides[dialogue.User] != s.sides[dialogue.System] {
		if kinds[rest] = dialogue.User; s.sides[dialogue.User] {
			kinds[rest] = dialogue.System
		}
		s.sides[dialogue.User], s.sides[dialogue.System] = true, true
	}
	if len(kinds) == len(s.values) && (isKind || whoIf != dialogue.Other) {
		s.kinds, s.known = kinds, s.filled
	}
}

// hasKinds reports whether some values are kinds of messages, and some of other rows.
func (s *shape) hasKinds() (messages, others bool) {
	const most = 30
	for v := range s.values {
		words := nameWords(v)
		if len(words) > 3 || len(s.values) > most {
			return false, false
		}
		messages = messages || anyIn(words, "said")
		others = others || anyIn(words, "event") || anyIn([]string{foldColumn(v)}, "note")
	}
	return messages, others
}

// isNote reports whether a value in a column of kinds marks what was not said to the other side. In
// a column that has messages, it may also mark events.
func isNote(name, value string, hasEvents bool) bool {
	is, isFlag := isTrue(value)
	words, kind := nameWords(name), nameWords(value)
	return anyIn([]string{foldColumn(value)}, "note") ||
		isFlag && is != anyIn(words, "shown") && anyIn(words, "aside") ||
		hasEvents && anyIn(kind, "event") && !anyIn(kind, "said")
}

// described lists columns with a few of their values.
func described(list []shape) string {
	const most, maxValues = 8, 2
	var all []string
	for _, s := range list[:min(len(list), most)] {
		text := quote(s.name)
		values := slices.SortedFunc(maps.Keys(s.values), func(a, b string) int {
			return cmp.Or(s.values[b]-s.values[a], strings.Compare(a, b))
		})
		if len(values) > 0 {
			text += " (" + quoted(values[:min(maxValues, len(values))]) + ")"
		}
		all = append(all, text)
	}
	if len(list) > most {
		all = append(all, fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(all, ", ")
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
			c.file.report("several dialogues have the same id, which is from " +
				described(c.list[id:id+1]))
		}
	}
	isOwn := id >= 0 && foldColumn(c.list[id].name) != "id"
	if hasThreads := c.findThreads(); !isOwn && hasThreads && (id < 0 || !c.list[id].repeats()) {
		c.byThread, c.place[idColumn] = true, -1
		return "", ""
	}
	const few = 4 // so few rows may each be a dialogue, unless each has an id and both sides speak
	bothSpeak := func() bool {
		s := &c.list[c.place[speakerColumn]]
		isUser := s.sides[dialogue.User] || c.file.who.elseUser && s.known < s.filled
		return s.sides[dialogue.System] && isUser
	}
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
	if id < 0 && c.transcripts && n > 1 {
		c.file.report("rows are numbered; --columns id=NAME names a column")
	}
	if perRow || isOwn || id >= 0 && !bothSpeak() {
		return "", ""
	}
	// With more rows, an error reports that nothing separates the conversations.
	if id >= 0 && n == 2 {
		c.file.report("1 dialogue, since " + described(c.list[id:id+1]) + " identifies messages")
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
	return "no column shows which rows belong to one conversation, and " + described(varying) +
			" differ within the file",
		"name it with --columns id=NAME, or say --columns id=" + noColumn +
			" where the file is one conversation; the columns are " + quoted(c.names)
}

// rankID returns how likely column i holds the id of the conversation: 0 (impossible) to 3.
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
	if len(c.sample) > most || len(names.values) > 4 && 2*names.known < names.filled {
		list = append(list, *names)
	}
	return list
}

// findThreads finds the column with the id of a message, and those that refer to the messages it
// answers or that answer it: most of their values are such ids. It reports whether they exist.
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
		links := c.all(func(k *shape) bool {
			isTo := slices.Contains(k.words, "to") || slices.Contains(k.words, "parent")
			return k.at != i && (isTo || anyIn(k.words, "mark")) && anyIn(k.words, "answers") &&
				k.refersTo(s)
		})
		if links != nil {
			isParent := func(k shape) bool { return slices.Contains(k.words, "parent") }
			who := &c.list[c.place[speakerColumn]]
			c.isTree = slices.ContainsFunc(links, isParent) && who.known == who.filled &&
				who.kinds == nil
			c.place[threadColumn], c.links = i, links
			return true
		}
	}
	return false
}

// refersTo reports whether most values of a column are ids in another column.
func (s *shape) refersTo(ids *shape) bool {
	found, all := 0, 0
	for v, n := range s.values {
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
		s, rows := &c.list[i], c.cells(i)
		isID := foldColumn(s.name) == "id" || anyIn(s.words, "mark") && anyIn(s.words, "message-id")
		differ := func(use int) bool { return c.place[use] >= 0 && c.varies(rows, c.place[use]) }
		used := []int{c.place[idColumn], c.place[speakerColumn], c.place[textColumn]}
		if !isID || slices.Contains(used, i) || !s.repeats() || s.filled < len(c.sample) ||
			differ(idColumn) || differ(speakerColumn) || differ(timeColumn) {
			continue
		}
		newer := c.best(func(v *shape) bool {
			return anyIn(v.words, "version") && c.varies(rows, v.at)
		}, func(_ *finder, v *shape) int {
			if v.isTime() {
				return 1
			}
			return 0
		})
		switch {
		case newer >= 0:
			c.place[messageColumn], c.place[versionColumn] = i, newer
		case !differ(textColumn): // a duplicate row, as joins produce
			c.place[messageColumn] = i
		default:
			c.file.note("rows with the same " + quote(s.name) +
				" say different things, and no column " +
				"says which is the newest; all of them are turns")
		}
		return
	}
}
