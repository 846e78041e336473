package dialogue

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// asked is what Options.Columns says of JSON, and what was not found yet. With a place of the text it is a layout of its
// own: text and speaker have the list of messages in common; where there is none, every object is a message, as every
// row of a table is. A list in which the id is, too, is that of the dialogues. Without a text it adds to the format.
type asked struct {
	layout
	places map[string]paths // by use
	unseen []string         // uses for which no value had anything
	keys   []string         // of the first value that was checked

	wrapper string // the place of the dialogues

	isChecked bool // what every dialogue has was found
}

// settleColumns reads Options.Columns, and gives the names that lead to the list of dialogues.
func (f *file) settleColumns() (wrap []string, err error) {
	if len(f.opt.Columns) == 0 {
		return nil, nil
	}
	a := &asked{places: map[string]paths{}}
	refuse := func(err error) ([]string, error) {
		return nil, f.wrong("--columns "+err.Error(), "want places such as messages[].author.name")
	}
	for _, use := range slices.Sorted(maps.Keys(f.opt.Columns)) {
		var ps paths
		if err := ps.UnmarshalText([]byte(strings.TrimPrefix(f.opt.Columns[use], "[]."))); err != nil {
			return refuse(err)
		}
		if f.opt.Columns[use] != NoColumn {
			a.places[use], a.unseen = ps, append(a.unseen, use)
		}
	}
	at := func(use int) paths { return a.places[uses[use]] }
	list := at(idColumn).list()
	if turns := common(at(textColumn), at(speakerColumn)); at(idColumn) == nil && len(turns) > len(at(textColumn).list()) {
		list = at(textColumn).list()
	}
	for _, use := range slices.Sorted(maps.Keys(a.places)) {
		if a.places[use], err = a.places[use].within(list); err != nil {
			return refuse(err)
		}
	}
	for _, s := range list {
		wrap = append(wrap, s.name)
		a.wrapper = strings.TrimPrefix(a.wrapper+"."+s.name, ".")
	}
	if len(list) > 0 {
		a.wrapper += "[]"
	}
	m := messages{Speaker: at(speakerColumn), Text: at(textColumn), Time: at(timeColumn), Turn: at(turnColumn)}
	if turns := common(m.Text, m.Speaker); len(turns) > 0 {
		list := slices.Clone(turns)
		list[len(list)-1].isList = false
		m.List = paths{{text: m.Text.String(), steps: list}}
		for _, ps := range []*paths{&m.Speaker, &m.Text, &m.Time, &m.Turn} {
			if *ps, err = ps.within(turns); err != nil {
				return refuse(err)
			}
		}
	} else if m.Text == nil && (m.Speaker != nil || m.Time != nil || m.Turn != nil) {
		return refuse(fmt.Errorf("speaker, time and turn need text beside them"))
	}
	a.layout = layout{format: byColumns, ID: at(idColumn), Agent: at(agentColumn), Customer: at(customerColumn),
		Rating: at(ratingColumn), Messages: m, Turns: []messages{m}}
	if f.asked = a; m.Text != nil {
		f.use(&a.layout)
	}
	return wrap, nil
}

// list gives the steps to the elements of the first list.
func (ps paths) list() []step {
	if len(ps) == 0 {
		return nil
	}
	return ps[0].steps[:slices.IndexFunc(ps[0].steps, func(s step) bool { return s.isList })+1]
}

// within gives what is left of places after the steps that they must begin with.
func (ps paths) within(steps []step) (inner paths, err error) {
	for _, p := range ps {
		if len(p.steps) <= len(steps) || len(common(paths{p}, paths{{steps: steps}})) < len(steps) {
			return nil, fmt.Errorf("%s is not in the same list as the others", quote(p.text))
		}
		p.steps = p.steps[len(steps):]
		inner = append(inner, p)
	}
	return inner, nil
}

// common gives the steps up to the last list that two places have in common.
func common(a, b paths) []step {
	n := 0
	for i := 0; len(a) > 0 && len(b) > 0 && i < min(len(a[0].steps), len(b[0].steps)); i++ {
		s, t := a[0].steps[i], b[0].steps[i]
		if s.name != t.name || s.isList != t.isList || s.key != t.key {
			break
		}
		if s.isList {
			n = i + 1
		}
	}
	if n == 0 {
		return nil
	}
	return a[0].steps[:n]
}

// check holds the places that the user names against the next value. What every dialogue has must be in the first one
// that has a message.
func (f *file) check(raw jsontext.Value) error {
	a := f.asked
	if a == nil || len(a.unseen) == 0 && a.isChecked {
		return nil
	}
	o := asObject(raw)
	a.unseen = slices.DeleteFunc(a.unseen, func(use string) bool { return a.places[use].first(o) != nil })
	if a.isChecked {
		return nil
	}
	for range elements(a.Messages.List.first(o)) {
		a.isChecked = true
		break
	}
	a.isChecked = a.isChecked || a.Messages.List.first(o) == nil
	if a.keys = keysIn(raw, a.wrapper); a.isChecked {
		a.guessTime(raw, o)
	}
	for _, use := range a.unseen {
		isNull := func(key string) bool { return foldColumn(key) == foldColumn(f.opt.Columns[use]) }
		optional := []string{uses[agentColumn], uses[customerColumn], uses[ratingColumn]}
		if a.isChecked && !slices.Contains(optional, use) && !slices.ContainsFunc(a.keys, isNull) {
			return f.nothingAt(use)
		}
	}
	return nil
}

// guessTime finds when a message was sent, where the user names no place for it: the order of the messages is not that of
// the file in every export.
func (a *asked) guessTime(raw jsontext.Value, o object) {
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

// unseen tells of a place that no value had.
func (f *file) unseen() error {
	if f.asked == nil || !f.asked.isChecked || len(f.asked.unseen) == 0 {
		return nil
	}
	return f.nothingAt(f.asked.unseen[0])
}

func (f *file) nothingAt(use string) error {
	return f.wrong(fmt.Sprintf("there is nothing at %s, which --columns names for the %s", quote(f.opt.Columns[use]), use),
		"the keys are "+quoted(f.asked.keys))
}

// askedOf reads a value, and takes from it what the user names besides its format.
func (f *file) askedOf(d *draft, raw jsontext.Value) *Row {
	if f.asked == nil || f.layout == &f.asked.layout {
		return f.layout.read(d, raw)
	}
	o := asObject(raw)
	f.asked.about(d, o) // before the speakers are read
	r := f.layout.read(d, raw)
	if f.asked.about(d, o); r != nil {
		r.ID, r.Rating = cmp.Or(f.asked.ID.text(o), r.ID), cmp.Or(f.asked.Rating.text(o), r.Rating)
		r.Agent = append(r.Agent, strings.Split(f.asked.Agent.text(o), "\n")...)
	}
	return r
}
