package dialogue

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Which column of a table holds what: the one that the user names, else the one with a usual name, else the one whose
// name has the right words and whose values have the right shape. What is not found by a usual name is a guess, and
// told. Where nothing can be the id of a conversation, nothing is read: many dialogues would be judged as one.

// Words in the names of columns. What people call a conversation, and what they call the mark that tells two apart;
// a word of notConversation means the id of something else.
var (
	conversationWords = set(`conversation conv dialogue dialog session ticket chat call thread case interaction request
		issue incident enquiry inquiry engagement transcript complaint claim contact consultation job matter discussion`)
	markWords       = set(`id no nr num number ref reference key code uuid guid identifier nummer numero`)
	notConversation = set(`message msg comment reply turn utterance agent user customer client author sender speaker
		assignee owner requester account order product parent row line event item participant member person employee team
		queue group brand channel device phone email type status subtype category count time date at priority name`)
	speakerWords = set(`role speaker author sender participant from party who commenter direction poster writer sentby
		postedby createdby repliedby`)
	textWords  = set(`comment comments reply text body message content utterance response post says transcript`)
	timeWords  = set(`time timestamp date datetime created sent posted at when ts received day clock hour`)
	otherTimes = set(`updated modified closed resolved solved due read delivered edited seen birth assigned first last`)

	agentNames = set(`agent agentname agentfullname assignee assigneename assignedto assignedagent owner ownername
		handledby servedby operator operatorname representative rep advisor`)
	customerNames = set(`customer customername requester requestername client clientname visitor visitorname enduser
		consumer contactname`)
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// nameWords gives the words of a column's name in lower case; "#" is a number.
func nameWords(name string) []string {
	name = humps.ReplaceAllString(humps.ReplaceAllString(name[:min(len(name), maxName)], "$1$3 $2$4"), "$1$3 $2$4")
	name = strings.ToLower(strings.ReplaceAll(name, "#", " number "))
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

func anyIn(words []string, of map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return of[w] })
}

// shape is what the values of a column are like.
type shape struct {
	name                  string
	words                 []string
	filled, distinct      int
	known, marks, spaces  int // values that are usual speakers, that have a digit and no space, that have a space
	times, dates, clocks  int // values that are times of any kind, those with a day, those with a clock
	numbers               int // those of the times that are plain numbers
	letters               int // bytes in all
	transcripts, examined int
	values                map[string]int
}

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
			if strings.ContainsAny(v, " \n") {
				s.spaces++
			} else if strings.ContainsAny(v, "0123456789") && len(v) <= 64 {
				s.marks++
			}
			if m, ok := parseTime(v); ok {
				s.times++
				if m.isNumber {
					s.numbers++
				}
				if m.hasDate {
					s.dates++
				}
				if m.hasTime {
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

// most reports whether at least nine of ten values are so.
func (s *shape) most(n int) bool { return s.filled > 0 && 10*n >= 9*s.filled }

// isTime reports whether a column holds times. A plain number is one where the name says so.
func (s *shape) isTime() bool {
	return s.most(s.times) && (!s.most(s.numbers) || anyIn(s.words, timeWords))
}

// isData reports whether the first line of the table is a row: it has a time or a number in the place of a name, or a
// speaker who speaks again below.
func (h *header) isData(f *file, sample [][]string) bool {
	if slices.ContainsFunc(h.place[:], func(i int) bool { return i >= 0 }) {
		return false
	}
	for i, name := range h.names {
		if _, ok := parseTime(name); ok {
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
			return free(i, s) && n > 0 && textWords[s.words[n-1]] && !s.isTime()
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
			return (free(i, s) || i == usual) && s.most(s.known) && 2*s.filled > len(sample)
		}, filled)
		if known >= 0 {
			h.place[speakerColumn] = known
		} else if usual < 0 {
			h.place[speakerColumn] = best(func(i int, s *shape) bool {
				isNamed := anyIn(s.words, speakerWords) || speakerWords[foldColumn(s.name)]
				return free(i, s) && isNamed && !s.isTime() && !anyIn(s.words, markWords)
			}, filled)
		}
	}
	h.transcripts = h.transcripts || asked(textColumn) && !asked(speakerColumn) && h.place[speakerColumn] < 0
	if !h.transcripts && (h.place[speakerColumn] < 0 || h.place[textColumn] < 0) {
		what := map[bool]string{true: "who speaks", false: "what is said"}[h.place[speakerColumn] < 0]
		return "no column tells " + what + "; the columns are " + described(list), "name them with --columns " +
			"id=NAME,speaker=NAME,text=NAME, or text=NAME alone where a cell holds a whole conversation"
	}
	if msg, hint = h.settleID(f, list, sample, asked(idColumn)); msg != "" {
		return msg, hint
	}
	h.settleTime(list, sample, asked(timeColumn))
	for i, s := range list {
		if folded := foldColumn(s.name); free(i, &s) || s.filled == 0 {
			if agentNames[folded] && h.place[agentColumn] < 0 && !asked(agentColumn) {
				h.place[agentColumn] = i
			}
			if customerNames[folded] && h.place[customerColumn] < 0 && !asked(customerColumn) {
				h.place[customerColumn] = i
			}
		}
	}
	for i, name := range h.names {
		if !slices.Contains(h.place[:timeColumn], i) && !setAside(name) {
			h.other = append(h.other, i)
		}
	}
	return "", ""
}

// settleID finds the column that tells the conversations apart.
func (h *header) settleID(f *file, list []shape, sample [][]string, asked bool) (msg, hint string) {
	id := h.place[idColumn]
	if asked {
		return "", ""
	}
	n := len(sample)
	repeats := func(s *shape) bool { return s.distinct < s.filled }
	if id >= 0 && (h.transcripts || repeats(&list[id]) || n < 4) {
		return "", ""
	}
	type candidate struct{ rank, groups, at int }
	var found []candidate
	for i := range list {
		s := &list[i]
		if slices.Contains(h.place[:], i) || s.filled == 0 || i == h.date {
			continue
		}
		isOther, isConversation := anyIn(s.words, notConversation), anyIn(s.words, conversationWords)
		isMark := anyIn(s.words, markWords)
		c := candidate{groups: s.distinct, at: i}
		switch {
		case !h.transcripts && !repeats(s) && n > 1, s.most(s.dates) && !s.most(s.marks), 2*s.spaces > s.filled && !isMark:
			continue
		case isConversation && isMark && (!isOther || anyIn(s.words[:1], conversationWords)):
			c.rank = 3
		case isConversation && !isOther && s.most(s.marks):
			c.rank = 2
		case isOther || h.transcripts && !isMark || !s.most(s.marks) || setAside(s.name):
			continue
		case h.transcripts || s.distinct > 1 && h.bothSides(f, sample, i):
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
	if id >= 0 || h.transcripts {
		return "", ""
	}
	var varying []shape // columns that one conversation would not have
	for i, s := range list {
		if !slices.Contains(h.place[:], i) && i != h.date && s.distinct > 1 && repeats(&s) && !s.isTime() &&
			!agentNames[foldColumn(s.name)] && !customerNames[foldColumn(s.name)] && !h.bySpeaker(sample, i) {
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
		isNamed, isOther := anyIn(s.words, timeWords), anyIn(s.words, otherTimes)
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
		if found < 0 && changes[i] > 0 && s.spaces+s.marks == s.filled && 2*s.times < s.filled && anyIn(s.words, timeWords) &&
			!anyIn(s.words, otherTimes) && !slices.Contains(h.place[:], i) && allDigits(s.values) {
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
	guessed := h.isNameless || h.transcripts && !isAsked
	for _, use := range []int{idColumn, textColumn, speakerColumn} {
		_, asked := f.opt.Columns[uses[use]]
		guessed = guessed || !asked && h.place[use] >= 0 && h.place[use] != usual.place[use]
	}
	if !guessed {
		return nil
	}
	for _, use := range []int{idColumn, textColumn, speakerColumn, timeColumn, agentColumn} {
		if i := h.place[use]; i >= 0 {
			name := h.names[i]
			if use == timeColumn && h.date >= 0 {
				name = h.names[h.date] + " + " + name
			}
			list = append(list, uses[use]+" = "+clean(name))
		}
	}
	return list
}
