package importer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// readJSON reads any JSON format. If it is unknown, the first valid value determines it.
func readJSON(f *file, l *layout) {
	r := newJSONReader(f)
	if l != nil {
		r.useNamed(l)
	}
	in := newSplitter(f, r.settleColumns())
	for f.err == nil {
		raw, line, err := in.next()
		switch {
		case err == io.EOF:
			r.finish(false)
			return
		case in.feed.err != nil || in.lines.err != nil:
			r.finish(true)
			f.fail(err)
			return
		case err != nil:
			isLast := !in.goesOn(err)
			if r.broken(line, err, isLast); isLast {
				r.finish(false)
				return
			}
			continue
		}
		list := r.dialoguesIn(raw)
		if f.format == anyJSON && !r.isTried {
			if r.isTried = true; readFlat(f, in, slices.Clone(raw), line) {
				return
			}
			continue
		}
		for _, raw := range list {
			if r.check(raw); f.err == nil {
				r.take(r.readValue(raw, line))
			}
		}
	}
}

// take processes a value, which is a whole dialogue or a part of one.
func (r *jsonReader) take(p *part) {
	isOther := func(s message) bool {
		return s.conv != "" && p.Messages[0].conv != "" && s.conv != p.Messages[0].conv
	}
	switch {
	case p.Err == nil && (p.isWhole || !p.isRow && !p.isLogged() && len(p.Messages) == 1 &&
		isTranscript(r.who, p.Messages[0].Text)):
		readTranscript(r.file, p)
		return
	case p.isRow || p.Err == nil && !p.isEmpty && r.format == byColumns &&
		r.opt.Columns[uses[idColumn]] == noColumn:
		r.rows.put(p)
		return
	case p.isEmpty && p.Err == nil:
		if !p.isUnmet {
			r.omissions.add("empty", "")
		}
		return
	case p.Err == nil && slices.ContainsFunc(p.Messages, isOther):
		for _, s := range p.Messages { // each is a row
			row := *p
			row.ID, row.Messages = s.conv, []message{s}
			r.rows.put(&row)
		}
		return
	}
	id := hashOf(p.ID)
	if p.ID != "" && r.ids[id] && !p.isLogged() {
		r.report("several dialogues have the same id; if they are versions of a conversation, " +
			"keep the longest, or name the places with --columns")
	}
	r.ids[id] = true
	if r.rows.finish(false); p.Err == nil && p.isLogged() {
		r.log.put(p)
	} else {
		assemble(r.file, []part{*p}, false)
	}
}

func (r *jsonReader) broken(line int, err error, isLast bool) {
	if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
		err = fmt.Errorf("not valid JSON: %w", syntax.Err)
	}
	msg, hint := err.Error(), ""
	if long, ok := err.(*outline); ok {
		o := members(long.kept)
		id := o.text(columnWords()["id"]...)
		if r.layout != nil {
			id = cmp.Or(r.layout.ID.text(o), id)
		}
		msg, hint = long.of(id), longHint
	} else if isLast { // the beginning of the next value is unknown
		hint = "nothing after it can be read"
	}
	// The error belongs to the conversation that is being read.
	p := &part{Line: line, Turn: math.NaN()}
	p.isRow = len(r.rows.keys) > 0
	p.wrong(msg, hint)
	r.take(p)
}

func (r *jsonReader) finish(isCut bool) {
	r.rows.finish(isCut)
	r.log.finish()
	reportOmissions(r.file)
	if r.requests > 1 && r.unanswered == r.requests && r.isOpen {
		r.note("all " + counted(r.requests, "dialogue") +
			" end with the customer, at least one of them with a question; the " +
			"answers may be under a key that assize does not know")
	}
	is := r.file.speaks
	if r.firstKeys != nil && len(r.reports) == 0 && is[dialogue.System] != is[dialogue.User] {
		side := dialogue.System
		if is[side] {
			side = dialogue.User
		}
		r.report(fmt.Sprintf("no dialogue has words of the %s; they may be under a key that "+
			"assize does not know; the keys are %s", side, quoted(r.firstKeys)))
	}
	if a := r.mapping; a != nil && len(a.unseen) > 0 && len(a.keys) > 0 {
		r.nothingAt(a.unseen[0]) // no value had anything there
	}
}

// dialoguesIn determines the format from the members of the first value, if it is unknown, and
// returns the dialogues of a value that holds several. A list is taken for a list of messages.
func (r *jsonReader) dialoguesIn(raw jsontext.Value) (list []jsontext.Value) {
	if r.format == anyJSON {
		l, _ := layoutOf(raw)
		if l == nil || l.format == openTelemetry { // which carries the attributes of others, too
			l = cmp.Or(dottedLayout(raw), l)
		}
		if l != nil {
			r.useNamed(l)
			if first, ok := l.Turns[0].opening(asObject(raw)); ok && l.format == openAI &&
				first.get("role", "from") == nil {
				r.who = newNames(r.opt) // the speakers are people
			}
		}
	}
	if r.layout == nil && r.isTried {
		var place paths
		at, maxDots := "", 3 // the place of a string that is a whole conversation
		leaves(raw, "", func(place string, v jsontext.Value) bool {
			if strings.Count(place, ".") <= maxDots && !strings.Contains(place, "[]") &&
				isTranscript(r.who, plainText(v)) {
				at = place
			}
			return at == ""
		})
		if at != "" && place.UnmarshalText([]byte(at)) == nil {
			t := messages{Text: place}
			r.use(&layout{format: byColumns, Messages: t, Turns: []messages{t},
				ID: layoutNamed(openAI).ID})
			r.note("text = " + dialogue.Clean(at) + ": one dialogue per value")
		} else if list := turnLists(r.file, raw); len(list) == 1 && list[0].isUsual {
			r.opt.Columns = list[0].columns
			r.settleColumns()
			r.note(strings.ReplaceAll(columnsOf(list[0].columns), ",", ", ") +
				": the only list with a speaker and words")
		}
	}
	if r.layout != nil {
		if r.layout.Dotted {
			raw = nested(raw)
		}
		for _, p := range r.layout.Dialogues {
			for v := range p.in(asObject(raw)) {
				list = append(list, unpacked(v))
			}
		}
	}
	if list == nil {
		list = []jsontext.Value{raw}
	}
	return list
}

// turnList is a list in JSON of an unknown format whose objects may be the messages of a dialogue.
type turnList struct {
	columns map[string]string // as in Options.Columns
	isUsual bool              // they are found by the usual names of a speaker and a text
}

// turnLists returns the lists below a value whose objects have a speaker and a text, as the rows of
// a table have them. Next to lists with usual names, others do not count.
func turnLists(f *file, raw jsontext.Value) (found []turnList) {
	o, keys, id := asObject(raw), keysIn(raw, ""), ""
	if i := usualColumn(keys, uses[idColumn]); i >= 0 {
		id = keys[i]
	}
	seen := map[string]bool{}
	for _, key := range keys {
		at := key[:strings.Index(key, "]")+1]
		var list paths
		if seen[at] || list.UnmarshalText([]byte(at)) != nil {
			continue
		}
		seen[at] = true
		h := newHeader(nil, ',')
		var rows []map[string]string
		for e := range list[0].in(o) {
			row := map[string]string{}
			if len(rows) < maxSampled && cellsIn(e, "", &h.names, row) {
				rows = append(rows, row)
			}
		}
		h.place = usualPlaces(h.names)
		c := newFinder(f, &h, nil, nil)
		for _, row := range rows {
			c.sample = append(c.sample, cellsOf(row, h.names))
		}
		c.list = shapesOf(f, h.names, c.sample)
		l := turnList{map[string]string{}, true}
		if id != "" {
			l.columns[uses[idColumn]] = id
		}
		for _, use := range []int{textColumn, speakerColumn, timeColumn} {
			if c.find(use); h.place[use] < 0 {
				continue
			}
			s := &c.list[h.place[use]]
			l.columns[uses[use]] = at + "." + s.name
			isNamed := s.at == c.usual[use] || anyIn(s.words, "said") || s.isSpeaker()
			isSpoken := use != speakerColumn || s.known > 0 || s.repeats() // unlike settings
			l.isUsual = l.isUsual && (use == timeColumn || isNamed && isSpoken)
		}
		if h.place[textColumn] >= 0 && h.place[speakerColumn] >= 0 {
			found = append(found, l)
		}
	}
	if slices.ContainsFunc(found, func(l turnList) bool { return l.isUsual }) {
		found = slices.DeleteFunc(found, func(l turnList) bool { return !l.isUsual })
	}
	return found
}

// columnsOf returns columns in the form of --columns.
func columnsOf(columns map[string]string) string {
	var list []string
	for _, use := range uses {
		if place := columns[use]; place != "" {
			list = append(list, use+"="+place)
		}
	}
	return strings.Join(list, ",")
}

func (r *jsonReader) readValue(raw jsontext.Value, line int) *part {
	p := &part{Line: line, Turn: math.NaN()}
	p.omissions = r.omissions
	switch {
	case raw.Kind() != '{' && raw.Kind() != '[':
		p.wrong("no JSON object: "+quote(string(raw)), "want an object for every dialogue")
	case r.layout != nil:
		if r.firstKeys == nil {
			r.firstKeys = keysIn(raw, "")
		}
		o := asObject(raw)
		isOwn := r.mapping == nil || r.layout == &r.mapping.layout
		if !isOwn {
			r.mapping.about(p, o) // before the speakers are read
		}
		if r.layout.read(r.file, p, raw); isOwn {
			addAnswer(r.file, p, o)
			r.reportUnread(p, raw)
		} else {
			r.mapping.about(p, o)
		}
	default:
		hint := placesHint
		if lists := turnLists(r.file, raw); len(lists) > 0 {
			columns := lists[0].columns
			columns[uses[idColumn]] = cmp.Or(columns[uses[idColumn]], "PLACE")
			if hint = "name the list of messages, and the id if there is one, with --columns " +
				columnsOf(columns); len(lists) > 1 {
				hint += ", which reads only one of " + counted(len(lists), "list")
			}
		}
		if _, like := layoutOf(raw); like != "" {
			hint = like + "; or " + hint
		}
		keys := keysIn(raw, "")
		if len(keys) == 0 {
			p.wrong(fmt.Sprintf("this JSON has no text or number in its first %d levels", deepest),
				"want the messages of a dialogue in every object")
			return p
		}
		p.wrong("this JSON is no conversation of a known format; the keys are "+quoted(keys), hint)
	}
	return p
}

// reportUnread reports, for the first message that --columns finds, other lists of its dialogue in
// which a member has the name of the one with its text.
func (r *jsonReader) reportUnread(p *part, raw jsontext.Value) {
	a := r.mapping
	if a == nil || a.isRead || len(p.Messages) == 0 {
		return
	}
	a.isRead = true
	nameOf := func(place string) string { return place[strings.LastIndexAny(place, ".]")+1:] }
	form := expr("place-form").FindStringSubmatch(equalTo(r.opt.Columns[uses[textColumn]]))
	if form == nil || nameOf(form[1]) == "" {
		return
	}
	own := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(form[1], "[]."), a.list), ".")
	list := own[:strings.Index(own, "]")+1]
	for _, key := range keysIn(raw, "") {
		if nameOf(key) == nameOf(own) && !strings.EqualFold(key, own) &&
			strings.Contains(key, "[]") && (list == "" || !strings.HasPrefix(key, list)) {
			r.report("not read: the words at " + quote(key) + ", which --columns does not name")
		}
	}
}

// addAnswer makes a text that the user names and that is not a conversation the answer to the
// question next to it, if one exists.
func addAnswer(f *file, p *part, o object) {
	if !p.isWhole || p.Err != nil || len(p.Messages) != 1 ||
		isTranscript(f.who, p.Messages[0].Text) {
		return
	}
	if question := layoutNamed("pairs").Turns[0].Text.text(o); question != "" {
		answer := p.Messages[0].Text
		p.isWhole, p.isRow = false, false
		p.Messages = []message{{Name: "user", Text: question}, {Name: "assistant", Text: answer}}
	}
}

// JSON of an unknown format whose values are objects without lists, such as the lines of an event
// log, is a table: each value is a row, and the names of its members are those of the columns.

// cellsIn adds the plain members of a value to cells, by name, and reports whether the value
// contains no list of objects. Objects below the deepest level do not count.
func cellsIn(raw jsontext.Value, at string, names *[]string, cells map[string]string) bool {
	for _, m := range members(raw) {
		name := at + dialogue.Clean(m.name)
		isCall := m.folded == functionCall || m.folded == toolCalls || m.folded == toolInvocations
		switch {
		case at == "" && isCall:
		case m.value.Kind() == '{':
			if strings.Count(at, ".") < deepest && !cellsIn(m.value, name+".", names, cells) {
				return false
			}
		default:
			for e := range elements(m.value) {
				if e.Kind() == '{' && members(e).get("type") == nil { // not a part of a text
					return false
				}
			}
			text, _ := wordsIn(m.value)
			if cells[name] = withoutEntities(text); !slices.Contains(*names, name) &&
				len(*names) < maxGathered {
				*names = append(*names, name)
			}
		}
	}
	return raw.Kind() == '{'
}

// cellsOf returns cells in the order of the names.
func cellsOf(by map[string]string, names []string) (cells []string) {
	for _, name := range names {
		cells = append(cells, by[name])
	}
	return cells
}

// readFlat reads a file as such a table. If it is not one, its values remain to be read.
func readFlat(f *file, in *splitter, first jsontext.Value, line int) (is bool) {
	if msg, hint := rivalsIn(f, first); msg != "" {
		f.wrong(msg, hint)
		return true
	}
	h := newHeader(nil, ',')
	in.again = []value{{first, line, nil}}
	for size := 0; ; size += len(in.again[len(in.again)-1].raw) {
		v := in.again[len(in.again)-1]
		if v.err == nil && !cellsIn(v.raw, "", &h.names, map[string]string{}) {
			return false
		}
		if v.err != nil && !in.goesOn(v.err) || len(in.again) == maxSampled || size > maxBytes {
			break
		}
		raw, line, err := in.read()
		in.again = append(in.again, value{bytes.Clone(raw), line, err})
	}
	sampled, names := in.again, slices.Clone(h.names)
	h.place = usualPlaces(h.names)
	next, msg, hint := h.settleBy(f, nil, len(sampled), func() (record, error) {
		raw, line, err := in.next()
		by := map[string]string{}
		r := record{line: line}
		switch {
		case err != nil && !in.goesOn(err):
			return r, err
		case err != nil:
			r.err = &SyntaxError{Line: line, Msg: err.Error()}
		case !cellsIn(raw, "", new([]string), by):
			r.err = &SyntaxError{Line: line, Msg: "no object of plain members, as those above"}
		}
		r.raw = raw
		r.cells = cellsOf(by, names)
		return r, nil
	})
	switch {
	case msg != "" && (len(h.wide) > 0 || h.place[speakerColumn] >= 0 && h.place[textColumn] >= 0):
		f.wrong(msg, hint)
		return true
	case msg != "" || h.isNameless:
		in.again = sampled
		return false
	}
	f.format, h.names = table, names
	readRows(f, &h, next)
	return true
}

// rivalsIn is like [finder.rivals] for the members of a value.
func rivalsIn(f *file, first jsontext.Value) (msg, hint string) {
	var names []string
	for _, m := range members(first) {
		isWords := m.value.Kind() == '[' || strings.Contains(plainText(m.value), " ")
		if anyIn(nameWords(m.name), "rival") && isWords {
			names = append(names, dialogue.Clean(m.name))
		}
	}
	if len(names) < 2 {
		return "", ""
	}
	place := "text=" + names[0]
	for _, l := range turnLists(f, first) {
		if columns := columnsOf(l.columns); strings.Contains(columns, "="+names[0]+"[]") {
			place = columns
			break
		}
	}
	return "the values have " + quoted(names) +
			", each with what the SYSTEM said, and only one can be judged",
		"name it with --columns " + place
}
