package dialogue

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Which column of a table holds what: the one that the user names, else the one with a usual name, else the one whose
// name has the right words and whose values have the right shape. What is not found by a usual name is a guess, and
// told. Where nothing can be the id of a conversation, nothing is read: many dialogues would be judged as one.

//go:embed columns.txt
var columnsFile string

// columnWords are the lists of columns.txt.
var columnWords = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(columnsFile) {
		if words := strings.Fields(line); len(words) > 1 && words[0] != "#" {
			lists[words[0]] = append(lists[words[0]], words[1:]...)
		}
	}
	return lists
})

// nameWords gives the words of a column's name in lower case; "#" is a number.
func nameWords(name string) []string {
	name = humps.ReplaceAllString(humps.ReplaceAllString(name[:min(len(name), maxName)], "$1$3 $2$4"), "$1$3 $2$4")
	name = strings.ToLower(strings.ReplaceAll(name, "#", " number "))
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

// anyIn reports whether one of the words is in a list of columns.txt.
func anyIn(words []string, list string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(columnWords()[list], w) })
}

// usualColumn finds the column of a use by its usual names, the best first; -1 for none.
func usualColumn(names []string, use string) int {
	for _, usual := range columnWords()[use] {
		if i := slices.IndexFunc(names, func(name string) bool { return foldColumn(name) == usual }); i >= 0 {
			return i
		}
	}
	return -1
}

// FindColumn finds the column of a table that by its name holds the id of a conversation or a rating; -1 for none.
func FindColumn(names []string, use string) int {
	if i := usualColumn(names, use); i >= 0 {
		return i
	}
	return slices.IndexFunc(names, func(name string) bool {
		s := shape{name: name, words: nameWords(name)}
		return use == uses[idColumn] && s.isID() || use == uses[ratingColumn] && s.isRating()
	})
}

// shape is what the values of a column are like.
type shape struct {
	name                  string
	words                 []string
	filled, distinct      int
	known, marks, spaces  int             // values that are usual speakers, that have a digit and no space, that have a space
	times, dates, clocks  int             // values that are times of any kind, those with a day, those with a clock
	numbers               int             // those of the times that are plain numbers
	letters               int             // bytes in all
	kinds                 map[string]Role // who speaks by its values, where these are kinds of messages or true and false
	sides                 [System + User + 1]bool
	rounded               int // values such as 7.35E+09
	transcripts, examined int
	values                map[string]int
}

// rounded matches a long number as a spreadsheet shortens it.
var rounded = regexp.MustCompile(`^\d([.,]\d+)?E\+\d+$`)

// shapes looks at the columns of a sample.
func (f *file) shapes(names []string, sample [][]string) []shape {
	list := make([]shape, len(names))
	for i, name := range names {
		s := shape{name: name, words: nameWords(name), values: map[string]int{}}
		for _, cells := range sample {
			v := strings.TrimSpace(cells[i])
			if v == "" {
				continue
			}
			s.filled++
			s.letters += len(v)
			s.values[v]++
			if f.who.knows(v[:min(len(v), maxName)]) {
				s.known++
			}
			if rounded.MatchString(v) {
				s.rounded++
			}
			if strings.ContainsAny(v, " \n") {
				s.spaces++
			} else if strings.ContainsAny(v, "0123456789") && len(v) <= 64 {
				s.marks++
			}
			if m, ok := ParseTime(v); ok {
				s.times++
				if m.IsNumber {
					s.numbers++
				}
				if m.HasDate {
					s.dates++
				}
				if m.HasTime {
					s.clocks++
				}
			}
			if s.examined < 200 {
				if s.examined++; isTranscript(f.withNames(cells), v) {
					s.transcripts++
				}
			}
		}
		s.distinct = len(s.values)
		f.settleKinds(&s)
		list[i] = s
	}
	return list
}

// withNames gives who speaks under a name if the other cells of a row are names, too.
func (f *file) withNames(cells []string) *names {
	who := newNames(f.opt)
	for _, name := range cells {
		if name = FoldName(name); name != "" && len(name) <= maxName && !who.knows(name) {
			who.roles[name] = Other
		}
	}
	return who
}

// isNamed reports whether the whole name is in a list of columns.txt.
func (s *shape) isNamed(list string) bool { return anyIn([]string{foldColumn(s.name)}, list) }

// most reports whether at least nine of ten values are so.
func (s *shape) most(n int) bool { return s.filled > 0 && 10*n >= 9*s.filled }

// isTime reports whether a column holds times. A plain number is one where the name says so.
func (s *shape) isTime() bool {
	return s.most(s.times) && (!s.most(s.numbers) || anyIn(s.words, "time"))
}

// isSpeaker reports whether the name of a column says that it has who speaks, as in "Author" or "Comment created by".
func (s *shape) isSpeaker() bool {
	words := slices.DeleteFunc(slices.Clone(s.words), func(w string) bool { return w == "name" })
	isBy := len(words) > 1 && words[len(words)-1] == "by" && !s.isNamed("agent") && !s.isNamed("customer") && !anyIn(s.words, "other-time")
	return anyIn(s.words, "who") || s.isNamed("who") || isBy
}

// isRecipient reports whether the name of a column says that it has who is spoken to, as "To" and "Sent to" do.
func (s *shape) isRecipient() bool { return anyIn(s.words, "recipient") && !s.isSpeaker() }

// isID reports whether the name of a column says that it has the id of a conversation.
func (s *shape) isID() bool {
	return anyIn(s.words, "conversation") && anyIn(s.words, "mark") &&
		(!anyIn(s.words, "other-id") || anyIn(s.words[:1], "conversation"))
}

// isRating reports whether the name of a column speaks of ratings, and most of its values are some.
func (s *shape) isRating() bool {
	n := 0
	for v := range s.values {
		if _, ok := ParseRatings(v); ok {
			n++
		}
	}
	isOther := func(w string) bool { return !anyIn([]string{w}, "rated") && !anyIn([]string{w}, "whose") }
	return anyIn(s.words, "rated") && !slices.ContainsFunc(s.words, isOther) && 10*n >= 6*len(s.values)
}

// settleKinds settles who speaks by the values of a column, if these say so: names of roles, kinds of messages of which
// one may be told by the others, or true and false where the column is one such as "Is agent".
func (f *file) settleKinds(s *shape) {
	words := slices.DeleteFunc(slices.Clone(s.words), func(w string) bool { return anyIn([]string{w}, "flag") })
	whoIf, _ := ParseRole(usualNames()[strings.Join(words, " ")]) // it is true
	kinds, isKind, rest, strange := map[string]Role{}, anyIn(s.words, "kind"), "", 0
	for v := range s.values {
		role := f.who.find(v[:min(len(v), maxName)])
		is, isFlag := isTrue(v)
		switch folded := []string{foldColumn(v)}; {
		case role != nobody:
		case isFlag && whoIf != Other:
			role = map[bool]Role{true: whoIf, false: System + User - whoIf}[is]
		case isKind && anyIn(folded, "note"):
			role = Other
		case isKind && anyIn(folded, "of-user"):
			role = User
		case isKind && anyIn(folded, "of-system"):
			role = System
		default:
			rest = v
			strange++
			continue
		}
		kinds[v], s.sides[role] = role, true
	}
	if isKind && strange == 1 && len(kinds) > 0 && s.sides[User] != s.sides[System] {
		kinds[rest] = map[bool]Role{true: System, false: User}[s.sides[User]]
		s.sides[User], s.sides[System] = true, true
	}
	if len(kinds) == len(s.values) && (isKind || whoIf != Other) {
		s.kinds, s.known = kinds, s.filled
	}
}

// hasKinds reports whether the values of a column are kinds of rows, of which some are messages and some are not.
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

// isTrue reads a value of a column that holds true or false.
func isTrue(s string) (is, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "y", "1", "t":
		return true, true
	case "false", "no", "n", "0", "f":
		return false, true
	}
	return false, false
}

// isData reports whether the first line of the table is a row: it has a time or a number in the place of a name, or a
// speaker who speaks again below.
func (h *header) isData(f *file, sample [][]string) bool {
	if slices.ContainsFunc(h.place[:], func(i int) bool { return i >= 0 }) {
		return false
	}
	for i, name := range h.names {
		if _, ok := ParseTime(name); ok {
			return true
		}
		again := func(cells []string) bool { return cells[i] == name }
		if f.who.knows(name) && slices.ContainsFunc(sample, again) {
			return true
		}
	}
	return false
}

// settle finds the columns, from those that have the usual names and a sample of the rows. It tells why the table
// cannot be read, if it cannot.
func (h *header) settle(f *file, sample [][]string) (msg, hint string) {
	if h.isNameless = h.isData(f, sample); h.isNameless {
		sample = append([][]string{slices.Clone(h.names)}, sample...)
		for i := range h.names {
			h.names[i] = fmt.Sprintf("column %d", i+1)
		}
	}
	if msg, hint = h.asked(f.opt.Columns); msg != "" {
		return msg, hint
	}
	list := f.shapes(h.names, sample)
	asked := func(use int) bool { _, ok := f.opt.Columns[uses[use]]; return ok }
	free := func(i int, s *shape) bool { return s.filled > 0 && !slices.Contains(h.place[:], i) }
	best := func(good func(i int, s *shape) bool, measure func(s *shape) int) int {
		found := -1
		for i := range list {
			if s := &list[i]; good(i, s) && (found < 0 || measure(s) > measure(&list[found])) {
				found = i
			}
		}
		return found
	}
	whole := best(func(_ int, s *shape) bool { return s.examined > 0 && 10*s.transcripts >= 6*s.examined },
		func(s *shape) int { return s.letters })
	if i := whole; i >= 0 && !asked(speakerColumn) && (!asked(textColumn) || h.place[textColumn] == i) {
		h.transcripts = true
		for use := range h.place {
			if h.place[use] == i && use != textColumn {
				h.place[use] = -1
			}
		}
		h.place[textColumn], h.place[turnColumn], h.place[speakerColumn] = i, -1, -1
	}
	length := func(s *shape) int { return s.letters / max(1, s.filled) }
	if h.place[textColumn] < 0 && !asked(textColumn) {
		h.place[textColumn] = best(func(i int, s *shape) bool {
			n := len(s.words)
			return free(i, s) && n > 0 && anyIn(s.words[n-1:], "said") && !s.isTime()
		}, length)
	}
	if h.place[textColumn] < 0 && !asked(textColumn) {
		h.place[textColumn] = best(func(i int, s *shape) bool {
			return free(i, s) && !s.isTime() && 2*s.spaces > s.filled && length(s) >= 12
		}, length)
	}
	filled := func(s *shape) int { return s.filled }
	usual := h.place[speakerColumn]
	isSure := h.transcripts || asked(speakerColumn) || usual >= 0 && 2*list[usual].known >= list[usual].filled
	if !isSure {
		known := best(func(i int, s *shape) bool {
			return (free(i, s) || i == usual) && !s.isRecipient() && s.most(s.known) && 2*s.filled > len(sample) &&
				(i == usual || s.isSpeaker() || s.sides[User] && s.sides[System])
		}, filled)
		if known >= 0 {
			h.place[speakerColumn] = known
		} else if usual < 0 {
			h.place[speakerColumn] = best(func(i int, s *shape) bool {
				return free(i, s) && s.isSpeaker() && !s.isTime() && !anyIn(s.words, "mark")
			}, filled)
		}
	}
	if h.place[speakerColumn] < 0 && !h.transcripts && !asked(textColumn) && !asked(speakerColumn) {
		of := func(words string, side Role) int { // a question, or what the USER said
			return best(func(i int, s *shape) bool {
				n := len(s.words)
				role, isSide := f.who.role(strings.Join(s.words[:max(0, n-1)], " "))
				isSide = isSide && role == side && n > 0 && (anyIn(s.words[n-1:], words) || anyIn(s.words[n-1:], "said"))
				isSaid := isSide || n > 0 && anyIn(s.words[n-1:], words) && 2*s.spaces > s.filled
				return isSaid && !anyIn(s.words, "other-text") && !s.isTime()
			}, length)
		}
		if q, a := of("asked", User), of("answered", System); q >= 0 && a >= 0 && q != a {
			h.place[textColumn], h.answer = q, a
		}
	}
	h.transcripts = h.transcripts || asked(textColumn) && !asked(speakerColumn) && h.place[speakerColumn] < 0
	if !h.transcripts && h.answer < 0 && (h.place[speakerColumn] < 0 || h.place[textColumn] < 0) {
		what := map[bool]string{true: "who speaks", false: "what is said"}[h.place[speakerColumn] < 0]
		return "no column tells " + what + "; the columns are " + described(list), "name them with --columns " +
			"id=NAME,speaker=NAME,text=NAME, or text=NAME alone where a cell holds a whole conversation"
	}
	if i := h.place[speakerColumn]; i >= 0 {
		h.kinds = list[i].kinds
	}
	if msg, hint = h.settleID(f, list, sample, asked(idColumn)); msg != "" {
		return msg, hint
	}
	h.settleTime(list, sample, asked(timeColumn))
	for _, use := range []int{agentColumn, customerColumn} {
		if !asked(use) {
			h.place[use] = h.side(uses[use], list, sample)
		}
	}
	if i := h.place[agentColumn]; i >= 0 && h.transcripts { // rows of turns are read twice
		for _, cells := range sample {
			f.addAgents(people(cells[i]))
		}
	}
	if h.place[ratingColumn] < 0 && !asked(ratingColumn) {
		h.place[ratingColumn] = best(func(i int, s *shape) bool { return free(i, s) && s.isRating() }, filled)
	}
	if i := h.place[ratingColumn]; i >= 0 {
		commas := map[int]bool{}
		for v := range list[i].values {
			commas[strings.Count(v, ",")] = true
		}
		h.decimals = h.delimiter == ';' || len(commas) == 2 && commas[0] && commas[1]
	}
	for i, s := range list {
		hasMessages, hasOthers := s.hasKinds()
		if isOther := !slices.Contains(h.place[:speakerColumn], i) && i != h.place[textColumn]; isOther &&
			(anyIn(s.words, "kind") || hasMessages && hasOthers) {
			h.notes, h.hasEvents = append(h.notes, i), h.hasEvents || hasMessages
		}
	}
	for i, name := range h.names {
		if !slices.Contains(h.place[:timeColumn], i) && i != h.answer && !setAside(name) {
			h.other = append(h.other, i)
		}
	}
	return "", ""
}

// side finds the column that names the agent or the customer of a conversation: of those whose names say so, the one
// whose values most often speak, or else the one with a usual name.
func (h *header) side(of string, list []shape, sample [][]string) int {
	found, most := -1, 0
	for i := range list {
		if s := &list[i]; !slices.Contains(h.place[:], i) && (s.isNamed(of) || anyIn(s.words, of)) {
			spoke := 0
			for _, cells := range sample {
				if name := strings.TrimSpace(cells[i]); h.place[speakerColumn] >= 0 && name != "" &&
					strings.EqualFold(name, strings.TrimSpace(cells[h.place[speakerColumn]])) {
					spoke++
				}
			}
			if spoke > most || found < 0 && (spoke > 0 || s.isNamed(of)) {
				found, most = i, spoke
			}
		}
	}
	return found
}

// settleID finds the column that tells the conversations apart.
func (h *header) settleID(f *file, list []shape, sample [][]string, asked bool) (msg, hint string) {
	id := h.place[idColumn]
	if asked {
		return "", ""
	}
	n, perRow := len(sample), h.transcripts || h.answer >= 0
	repeats := func(s *shape) bool { return s.distinct < s.filled }
	if id >= 0 && list[id].most(list[id].rounded) {
		return "the ids in " + described(list[id:id+1]) + " were rounded by a spreadsheet", "export that column as text"
	}
	if id >= 0 && (perRow || repeats(&list[id]) || n < 4) {
		return "", ""
	}
	type candidate struct{ rank, groups, at int }
	var found []candidate
	for i := range list {
		s := &list[i]
		if slices.Contains(h.place[:], i) || s.filled == 0 || i == h.date {
			continue
		}
		isOther, isConversation := anyIn(s.words, "other-id"), anyIn(s.words, "conversation")
		isMark := anyIn(s.words, "mark")
		c := candidate{groups: s.distinct, at: i}
		switch {
		case !perRow && !repeats(s) && n > 1, s.most(s.dates) && !s.most(s.marks), 2*s.spaces > s.filled && !isMark:
			continue
		case s.isID():
			c.rank = 3
		case isConversation && !isOther && s.most(s.marks):
			c.rank = 2
		case isOther || perRow && !isMark || !s.most(s.marks) || setAside(s.name):
			continue
		case perRow || s.distinct > 1 && h.bothSides(f, sample, i):
			c.rank = 1
		default:
			continue
		}
		found = append(found, c)
	}
	if len(found) > 0 {
		h.place[idColumn] = slices.MaxFunc(found, func(a, b candidate) int {
			if a.rank != b.rank {
				return a.rank - b.rank
			}
			return a.groups - b.groups
		}).at
		return "", ""
	}
	speaks := func(want Role) bool {
		return slices.ContainsFunc(sample, func(cells []string) bool {
			role, ok := f.who.role(cells[h.place[speakerColumn]])
			return ok && role == want
		})
	}
	if perRow || id >= 0 && (foldColumn(list[id].name) != "id" || !speaks(System) || !speaks(User)) {
		return "", ""
	}
	h.place[idColumn] = -1 // which tells messages apart
	var varying []shape    // columns that one conversation would not have
	for i, s := range list {
		if !slices.Contains(h.place[:], i) && i != h.date && s.distinct > 1 && repeats(&s) && !s.isTime() &&
			!s.isNamed("agent") && !s.isNamed("customer") && !h.bySpeaker(sample, i) {
			varying = append(varying, s)
		}
	}
	if t := h.place[turnColumn]; t >= 0 && repeats(&list[t]) {
		varying = append(varying, list[t])
	}
	const most = 200 // rows of one conversation
	if names := &list[h.place[speakerColumn]]; n > most || names.distinct > 4 && 2*names.known < names.filled {
		varying = append(varying, *names)
	}
	if len(varying) == 0 {
		return "", ""
	}
	return "no column tells which rows are one conversation, and " + described(varying) + " differ within the file",
		"name it with --columns id=NAME, or say --columns id=" + NoColumn + " where the file is one conversation; " +
			"the columns are " + quoted(h.names)
}

// bothSides reports whether most groups of rows with the same value have more than one speaker.
func (h *header) bothSides(f *file, sample [][]string, i int) bool {
	first, both := map[string]string{}, map[string]bool{}
	for _, cells := range sample {
		v, name := cells[i], cells[h.place[speakerColumn]]
		if _, ok := first[v]; !ok {
			first[v] = name
		}
		both[v] = both[v] || first[v] != name
	}
	n := 0
	for _, b := range both {
		if b {
			n++
		}
	}
	return 10*n >= 6*len(both)
}

// bySpeaker reports whether a column says no more than who speaks, such as the e-mail address.
func (h *header) bySpeaker(sample [][]string, i int) bool {
	of := map[string]string{}
	for _, cells := range sample {
		name := cells[h.place[speakerColumn]]
		if v, ok := of[name]; ok && v != cells[i] {
			return false
		}
		of[name] = cells[i]
	}
	return true
}

// settleTime finds the column that tells when a turn was said: of those that hold times the one that differs most
// within conversations. The day may be in one column and the time of day in another.
func (h *header) settleTime(list []shape, sample [][]string, asked bool) {
	if asked || h.transcripts {
		return
	}
	changes := make([]int, len(list))
	for i := range list {
		last := map[string]string{}
		for _, cells := range sample {
			id := ""
			if h.place[idColumn] >= 0 {
				id = cells[h.place[idColumn]]
			}
			if v := cells[i]; v != "" {
				if last[id] != "" && last[id] != v {
					changes[i]++
				}
				last[id] = v
			}
		}
	}
	found, day := -1, -1
	for i := range list {
		s := &list[i]
		isNamed, isOther := anyIn(s.words, "time"), anyIn(s.words, "other-time")
		isTime := 20*s.times >= 19*s.filled && 2*s.filled > len(sample)
		switch {
		case slices.Contains(h.place[:], i) || !isTime || isOther || !isNamed && !(s.most(s.dates) && s.most(s.clocks)):
		case s.most(s.dates) && s.clocks == 0:
			if day < 0 {
				day = i
			}
		case changes[i] > 0 && (found < 0 || 10*changes[i] > 11*changes[found]):
			found = i
		}
	}
	if found >= 0 && day >= 0 && list[found].dates == 0 {
		h.date = day
	}
	if found < 0 {
		found = day
	}
	h.place[timeColumn] = found
	for i := range list {
		s := &list[i]
		if found < 0 && changes[i] > 0 && s.spaces+s.marks == s.filled && 2*s.times < s.filled && anyIn(s.words, "time") &&
			!anyIn(s.words, "other-time") && !slices.Contains(h.place[:], i) && allDigits(s.values) {
			h.unread = append(h.unread, *s)
		}
	}
}

// allDigits reports whether every value has a digit.
func allDigits(values map[string]int) bool {
	for v := range values {
		if !strings.ContainsAny(v, "0123456789") {
			return false
		}
	}
	return true
}

// described lists columns with a few of their values.
func described(list []shape) string {
	const most = 8
	var all []string
	for _, s := range list[:min(len(list), most)] {
		values := make([]string, 0, 2)
		for v := range s.values {
			values = append(values, v)
		}
		slices.SortFunc(values, func(a, b string) int {
			if s.values[a] != s.values[b] {
				return s.values[b] - s.values[a]
			}
			return strings.Compare(a, b)
		})
		text := quote(s.name)
		if len(values) > 0 {
			for i, v := range values[:min(2, len(values))] {
				values[i] = quote(v) // which shortens it
			}
			text += " (" + strings.Join(values[:min(2, len(values))], ", ") + ")"
		}
		all = append(all, text)
	}
	if len(list) > most {
		all = append(all, fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(all, ", ")
}

// told says which column holds what, where that was a guess; nothing where all have usual names.
func (h *header) told(f *file) (list []string) {
	usual, _ := parseHeader(strings.Join(h.names, string(h.delimiter)), h.delimiter)
	_, isAsked := f.opt.Columns[uses[textColumn]]
	guessed := h.isNameless || h.answer >= 0 || h.transcripts && !isAsked
	for _, use := range []int{idColumn, textColumn, speakerColumn, ratingColumn} {
		_, asked := f.opt.Columns[uses[use]]
		guessed = guessed || !asked && h.place[use] >= 0 && h.place[use] != usual.place[use]
	}
	if !guessed {
		return nil
	}
	for _, use := range []int{idColumn, textColumn, speakerColumn, timeColumn, agentColumn, customerColumn, ratingColumn} {
		if i := h.place[use]; i >= 0 && (use != ratingColumn || i != usual.place[use]) {
			name := h.names[i]
			if use == timeColumn && h.date >= 0 {
				name = h.names[h.date] + " + " + name
			}
			list = append(list, uses[use]+" = "+clean(name))
		}
	}
	if h.answer >= 0 {
		list = append(list, "answer = "+clean(h.names[h.answer]))
	}
	return list
}
