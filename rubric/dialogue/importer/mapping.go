package importer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// This file applies the places that the user names to a JSON format.

// jsonReader collects the rows and the requests of a JSON file, and yields its dialogues at once.
type jsonReader struct {
	*file
	layout    *layout  // nil as long as the format is unknown
	mapping   *mapping // what Options.Columns says; nil if they are not set
	rows      rows
	log       log
	ids       map[uint64]bool // hashes of the ids so far
	isTried   bool            // the file is no table
	firstKeys []string        // of the first value
}

func newJSONReader(f *file) jsonReader {
	return jsonReader{file: f, rows: rows{file: f}, log: log{file: f}, ids: map[uint64]bool{}}
}

// use sets the layout. The roles that it assigns to speakers come after those of Options.
func (r *jsonReader) use(l *layout) {
	f := r.file
	r.layout, f.format, f.isJSON, f.isLog = l, l.format, true, l.Session != nil
	roles := map[string]dialogue.Role{}
	for name, role := range l.Roles {
		roles[FoldName(name)], _ = dialogue.ParseRole(role)
	}
	for _, name := range slices.Sorted(maps.Keys(f.opt.Roles)) {
		roles[FoldName(name)] = f.opt.Roles[name]
	}
	f.who = newNames(Options{Roles: roles, SystemNames: f.opt.SystemNames})
}

// useNamed sets the layout of a format, whose speakers may be roles.
func (r *jsonReader) useNamed(l *layout) {
	if r.use(l); l.format == openAI {
		r.nameRoles()
	}
	if r.mapping != nil {
		r.mapping.Ratings, r.mapping.Shares = l.Ratings, l.Shares
	}
}

// mapping is what Options.Columns says about JSON, and what has not been found yet. If it has a
// path for the text, it is a layout of its own: the list of messages is the one that text and
// speaker share; if they share none, every object is a message, like every row of a table. A list
// that also contains the id is the list of dialogues. Without a text, it extends the detected
// format.
type mapping struct {
	layout
	places    map[string]paths // by use
	unseen    []string         // uses for which no value had anything
	keys      []string         // of the values that were checked
	list      string           // path of the list of dialogues
	isChecked bool             // the members that every dialogue must have were found
	isRead    bool             // a message was found
}

// settleColumns parses Options.Columns, and returns the names that lead to the list of dialogues.
func (r *jsonReader) settleColumns() (wrap []string) {
	f := r.file
	leaveOtherID(f, func(id string) bool { return headHas(f, id) })
	if len(f.opt.Columns) == 0 {
		return nil
	}
	at := map[string]string{}
	for use, place := range f.opt.Columns {
		if place != noColumn {
			at[use] = strings.TrimPrefix(place, "[].")
		}
	}
	id, text := at[uses[idColumn]], at[uses[textColumn]]
	a := &mapping{places: map[string]paths{}, unseen: slices.Sorted(maps.Keys(at))}
	a.list = id[:strings.Index(id, "]")+1]
	turns := commonList(text, at[uses[speakerColumn]])
	if outer := text[:strings.Index(text, "]")+1]; id == "" && len(outer) < len(turns) &&
		f.opt.Columns[uses[idColumn]] != noColumn {
		a.list = outer
	}
	if len(turns) <= len(a.list) {
		turns = "" // every object is a message
	}
	place := func(use int, list string) (ps paths) {
		whole := at[uses[use]]
		inner, ok := strings.CutPrefix(whole, list)
		if whole == "" || f.err != nil {
			return nil
		}
		err := ps.UnmarshalText([]byte(strings.TrimPrefix(inner, ".")))
		if !ok {
			err = errors.New(quote(whole) + " is not in the same list as the others")
		}
		if err != nil {
			f.wrong("--columns "+err.Error(), "want places such as messages[].author.name")
			return nil
		}
		if ps[0].text = whole; use == textColumn && ps[0].kind == "" {
			ps[0].kind = "all"
		}
		return ps
	}
	for use, name := range uses {
		a.places[name] = place(use, a.list)
	}
	inner := cmp.Or(turns, a.list)
	m := messages{Speaker: place(speakerColumn, inner), Text: withCards(place(textColumn, inner)),
		Time: place(timeColumn, inner), Turn: place(turnColumn, inner), isNamed: true,
		where: place(whereColumn, inner)}
	if m.Text == nil && f.err == nil &&
		(m.Speaker != nil || m.Time != nil || m.Turn != nil || m.where != nil) {
		f.wrong("--columns speaker, time, turn and where need text as well",
			"want places such as messages[].author.name")
	}
	for _, list := range []string{a.list, turns} {
		if list != "" && !strings.HasSuffix(list, "[]") && f.err == nil {
			f.wrong("--columns "+quote(list)+" is not a whole list",
				"choose its elements with where=PLACE=VALUE")
		}
	}
	if f.err != nil {
		return nil
	}
	if m.where != nil && m.where[0].values != nil && isOneOf(m.where[0].values, "") {
		a.unseen = slices.DeleteFunc(a.unseen, // as it may be nowhere
			func(use string) bool { return use == uses[whereColumn] })
	}
	if turns != "" {
		whole := a.places[uses[textColumn]][0]
		list := slices.Clone(whole.steps[:len(whole.steps)-len(m.Text[0].steps)])
		list[len(list)-1].isList = false
		m.List = paths{{text: whole.text, steps: list}}
	}
	a.layout = layout{format: byColumns, ID: a.places["id"], Agent: a.places["agent"],
		Customer: a.places["customer"], Queue: a.places["queue"], Rating: a.places["rating"],
		Messages: m, Turns: []messages{m}, keepsLongest: true}
	if r.mapping = a; m.Text != nil {
		r.use(&a.layout)
	}
	if names, _, ok := strings.Cut(a.list, "["); ok {
		for name := range strings.SplitSeq(names, ".") {
			wrap = append(wrap, foldColumn(name))
		}
	}
	return wrap
}

// leaveOtherID removes the id from Options.Columns if another file has it and this one does not.
func leaveOtherID(f *file, has func(id string) bool) {
	if id := f.opt.Columns[uses[idColumn]]; f.opt.OtherID && !has(id) {
		f.opt.Columns = maps.Clone(f.opt.Columns)
		delete(f.opt.Columns, uses[idColumn])
	}
}

// headHas reports whether the head of a JSON stream has the last name of a place as a key.
func headHas(f *file, place string) bool {
	head, _ := f.in.Peek(headSize)
	key := place[strings.LastIndexAny(place, ".]")+1:]
	return bytes.Contains(bytes.ToLower(head), []byte(strings.ToLower(strconv.Quote(key))))
}

// withCards returns the place of a text and those next to it where bots may have their words.
func withCards(ps paths) paths {
	var cards paths
	if len(ps) != 1 || len(ps[0].steps) == 0 ||
		cards.UnmarshalText([]byte(columnWords()["card"][0])) != nil {
		return ps
	}
	above := ps[0].steps[:len(ps[0].steps)-1]
	for _, card := range cards {
		ps = append(ps, path{steps: slices.Concat(above, card.steps)})
	}
	return ps
}

// commonList returns the last list that two paths share.
func commonList(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:strings.LastIndex(a[:n], "]")+1]
}

// check compares the named paths with the next value. The first one with a message must have all.
func (r *jsonReader) check(raw jsontext.Value) {
	a := r.mapping
	if a == nil || len(a.unseen) == 0 && a.isChecked {
		return
	}
	o := asObject(raw)
	a.unseen = slices.DeleteFunc(a.unseen,
		func(use string) bool { return a.places[use].first(o) != nil })
	const most = 200 // an error lists the keys of all values
	for _, key := range keysIn(raw, a.list) {
		if len(a.keys) < most && !slices.Contains(a.keys, key) {
			a.keys = append(a.keys, key)
		}
	}
	_, hasMessages := a.Messages.opening(o)
	if a.isChecked || !hasMessages && a.Messages.List != nil {
		return
	}
	a.isChecked = true
	a.guessTime(raw, o)
	text := r.opt.Columns[uses[textColumn]]
	if inner := text[:strings.LastIndex(text, "]")+1]; a.Messages.List != nil &&
		len(inner) > len(commonList(text, r.opt.Columns[uses[speakerColumn]])) &&
		slices.ContainsFunc(a.keys, func(key string) bool {
			own, isIn := strings.CutPrefix(key, inner+".")
			return isIn && anyIn(nameWords(own), "time") && !anyIn(nameWords(own), "other-time")
		}) {
		r.wrong("each text at "+quote(text)+" has a time of its own, but no speaker",
			"the turns cannot be put in order; export them in one list")
		return
	}
	if a.Messages.List == nil && a.Messages.Speaker != nil {
		return // a row: the next ones may have what this one lacks
	}
	for _, use := range a.unseen {
		isNull := func(key string) bool { return foldColumn(key) == foldColumn(r.opt.Columns[use]) }
		optional := []string{uses[agentColumn], uses[customerColumn], uses[ratingColumn],
			uses[queueColumn], uses[whereColumn]}
		if !slices.Contains(optional, use) && !slices.ContainsFunc(a.keys, isNull) {
			r.nothingAt(use)
		}
	}
}

// guessTime finds the time of a message if no path is named for it, as the order may be another.
func (a *mapping) guessTime(raw jsontext.Value, o object) {
	t := &a.Turns[0]
	if t.Text == nil || t.Time != nil || t.Turn != nil {
		return
	}
	for raw = range elements(t.List.first(o)) {
		break
	}
	for _, key := range keysIn(raw, "") {
		var place paths
		if anyIn(nameWords(key), "other-time") || place.UnmarshalText([]byte(key)) != nil {
			continue
		}
		m, ok := ParseTime(place.text(asObject(raw)))
		if ok && (anyIn(nameWords(key), "time") || m.HasDate && m.HasTime && !m.IsNumber) {
			t.Time, a.Messages.Time = place, place
			return
		}
	}
}

func (r *jsonReader) nothingAt(use string) {
	r.wrong(fmt.Sprintf("there is nothing at %s, which --columns names for the %s",
		quote(r.opt.Columns[use]), use), "the keys are "+quoted(r.mapping.keys))
}
