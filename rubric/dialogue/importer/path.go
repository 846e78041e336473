package importer

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// paths lists the places where a JSON value may be found, separated by bars; the first that has a
// value counts. A path is a sequence of names separated by dots, compared without regard to case,
// dashes and underscores. After a name, [] selects every element of its list, and [key=a,b] the
// elements in which key has one of these values. At the end, =a,b requires one of these values,
// where a* matches any value that begins with a; :html means that the text is HTML, :json that any
// value is text, and :whole that all parts are text, joined without spaces. "=words" stands for the
// words themselves. A string that holds JSON is parsed if the path continues into it. The name *
// matches every member, and :last takes what follows the last slash of a text.
type paths []path

type path struct {
	text   string // as written
	steps  []step
	kind   string   // html, json, last, whole, empty, or all for the paths in --columns
	values []string // the values that are accepted; any if empty
	words  string   // of "=words"
}

// anyName is the name of a step that matches every member.
const anyName = "*"

type step struct {
	name   string // folded, or anyName; empty for a list in a list
	isList bool
	key    string   // select only the elements in which this member
	values []string // has one of these values
}

var (
	// placeForm matches a path: its names, its kind and its values.
	placeForm = lazy(`^((?:[^\[\]:=]|\[[^\]]*\])+)(?::(html|json|last|whole))?(?:=(.*))?$`)
	stepForm  = lazy(`([^.\[]*)(\[([^\]]*)\])?\.?`)
)

// UnmarshalText parses paths.
func (ps *paths) UnmarshalText(text []byte) error {
	*ps = nil
	for s := range strings.SplitSeq(string(text), "|") {
		p := path{text: strings.TrimSpace(s)}
		form := placeForm().FindStringSubmatch(p.text)
		switch {
		case strings.HasPrefix(p.text, "="):
			p.words = p.text[1:]
		case form == nil:
			return errors.New(quote(p.text) + " names no place in JSON")
		default:
			if p.kind = form[2]; form[3] != "" {
				p.values = strings.Split(form[3], ",")
			}
			for _, m := range stepForm().FindAllStringSubmatch(form[1], -1) {
				key, values, _ := strings.Cut(m[3], "=")
				name := foldColumn(m[1])
				if m[1] == anyName {
					name = anyName
				}
				p.steps = append(p.steps,
					step{name, m[2] != "", foldColumn(key), strings.Split(values, ",")})
			}
		}
		*ps = append(*ps, p)
	}
	return nil
}

// UnmarshalText parses several paths separated by spaces.
func (s *signs) UnmarshalText(text []byte) error {
	for _, place := range strings.Fields(string(text)) {
		var ps paths
		if err := ps.UnmarshalText([]byte(place)); err != nil {
			return err
		}
		*s = append(*s, ps)
	}
	return nil
}

// String returns the paths as written; if there are many, only the first.
func (ps paths) String() string {
	const most = 4
	var all []string
	for _, p := range ps[:min(len(ps), most)] {
		all = append(all, p.text)
	}
	if len(ps) > most {
		all = append(all, "…")
	}
	return strings.Join(all, " or ")
}

// in yields the values at a path in an object, without nulls.
func (p path) in(o object) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		if len(p.steps) > 0 {
			walk(o.get(p.steps[0].name), p.steps, func(v jsontext.Value) bool {
				return p.values != nil && !isOneOf(p.values, plainText(v)) || yield(v)
			})
		}
	}
}

func isOneOf(values []string, s string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		begin, isBegin := strings.CutSuffix(v, "*")
		return v == s || isBegin && strings.HasPrefix(s, begin)
	})
}

// walk follows steps from the value that the first of them names.
func walk(v jsontext.Value, steps []step, yield func(jsontext.Value) bool) bool {
	s := steps[0]
	on := func(v jsontext.Value) bool {
		switch {
		case v == nil:
			return true
		case len(steps) == 1:
			return yield(v)
		case steps[1].name == "":
			return walk(v, steps[1:], yield)
		case steps[1].name == anyName:
			for _, m := range members(unpacked(v)) {
				if !walk(m.value, steps[1:], yield) {
					return false
				}
			}
			return true
		}
		return walk(members(unpacked(v)).get(steps[1].name), steps[1:], yield)
	}
	if !s.isList {
		return on(v)
	}
	for e := range elements(unpacked(v)) {
		if (s.key == "" || isOneOf(s.values, members(e).text(s.key))) && !on(e) {
			return false
		}
	}
	return true
}

// unpacked returns the JSON that a string holds; it returns any other value unchanged.
func unpacked(v jsontext.Value) jsontext.Value {
	if v.Kind() == '"' {
		s := strings.TrimSpace(plainText(v))
		if inside := jsontext.Value(s); s != "" && (s[0] == '{' || s[0] == '[') &&
			inside.IsValid(lenient) {
			return inside
		}
	}
	return v
}

// first returns the first value found, or nil.
func (ps paths) first(o object) jsontext.Value {
	for _, p := range ps {
		for v := range p.in(o) {
			return v
		}
	}
	return nil
}

// words returns the first text that is not empty; several values at one path become one line each.
// It reports whether any value exists, and whether one of them is not text.
func (ps paths) words(o object) (text string, is, bad bool) {
	for _, p := range ps {
		if p.words != "" {
			return p.words, true, false
		}
		var all []string
		for v := range p.in(o) {
			s, ok := wordsIn(v)
			switch is = is || s != "" || p.kind != "html"; {
			case p.kind == "whole" && v.Kind() == '[':
				s = ""
				for e := range elements(v) {
					s += members(e).text("name", "text") // a string is its name
				}
			case p.kind == "all" && v.Kind() == '[':
				s = allText(v)
			case p.kind == "json" && !ok:
				s = string(v)
			case p.kind == "html":
				s = htmlText(s)
			}
			s = p.plain(s)
			bad = bad || !ok && p.kind != "json"
			if s != "" {
				all = append(all, s)
			}
		}
		if bad || len(all) > 0 {
			return strings.Join(all, "\n"), true, bad
		}
	}
	return "", is, false
}

// path returns, as written, the first path that has a value.
func (ps paths) path(o object) string {
	for _, p := range ps {
		for range p.in(o) {
			return p.text
		}
	}
	return ""
}

func (ps paths) text(o object) string {
	s, _, _ := ps.words(o)
	return s
}

// wordsIn returns the text of a value: a string, a number, true or false, or a list of parts, of
// which only text counts; images, audio and files are skipped. It reports whether the value has
// text wherever it should.
func wordsIn(v jsontext.Value) (text string, ok bool) {
	switch v.Kind() {
	case '[':
		var all []string
		for e := range elements(v) {
			s, ok := wordsIn(e)
			if e.Kind() == '{' && !ok && members(e).get("type") != nil {
				return "", false
			}
			if s != "" && (e.Kind() == '{' || e.Kind() == '"') {
				all = append(all, s)
			}
		}
		return strings.Join(all, "\n"), true
	case '{':
		o := members(v)
		kind, said := o.text("type"), o.get("text", "refusal", "content")
		isText := slices.Contains([]string{"text", "input_text", "output_text", "refusal"}, kind)
		if o.get("role") != nil { // a message
			return "", false
		}
		if kind == "" || isText {
			text = plainText(said)
		}
		return text, text != "" || kind != "" && !isText || said.Kind() == '"'
	}
	return plainText(v), true
}

// allText returns the text of a list of parts that --columns names, both strings and objects such
// as inline links, joined without a separator. Images, files and the model's thoughts have no text.
func allText(list jsontext.Value) string {
	var all []string
	hasWords, hasParts, hasStyles := false, false, false
	for e := range elements(list) {
		o := members(e)
		kind := o.text("type")
		s := o.text("text", "content", "value", "refusal")
		if e.Kind() == '"' {
			s, hasWords = plainText(e), true
		}
		hasParts = hasParts || e.Kind() == '{'
		switch kind {
		case "reasoning", "thinking", "tool_use", "tool_result", "image", "file", "audio":
			continue
		}
		if s == "" {
			continue
		}
		isUsual := slices.Contains([]string{"", "text", "input_text", "output_text", "refusal"},
			kind)
		hasStyles = hasStyles || !isUsual
		all = append(all, s)
	}
	if hasStyles || hasWords && hasParts {
		return strings.Join(all, "")
	}
	return strings.Join(all, "\n")
}

// keysIn lists the paths below a value: of the members of objects, and of the objects in lists.
func keysIn(v jsontext.Value, at string) (list []string) {
	const deepest, maxElements, most = 8, 20, 200
	list = []string{}
	add := func(keys ...string) {
		for _, k := range keys {
			if len(list) < most && !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	switch n := 0; {
	case v.Kind() == '{' && strings.Count(at, ".") < deepest:
		for _, m := range members(v) {
			add(keysIn(m.value, strings.TrimPrefix(at+"."+dialogue.Clean(m.name), "."))...)
		}
	case v.Kind() == '[' && strings.Count(at, "[]") < deepest:
		for e := range elements(v) {
			if n++; n <= maxElements {
				add(keysIn(e, at+"[]")...)
			}
		}
	case v.Kind() != '{' && v.Kind() != '[':
		add(at)
	}
	return list
}

// keys lists the paths in an object.
func (o object) keys() (list []string) {
	for _, m := range o {
		list = append(list, keysIn(m.value, dialogue.Clean(m.name))...)
	}
	return list
}

// asked is what Options.Columns says about JSON, and what has not been found yet. If it has a path
// for the text, it is a layout of its own: the list of messages is the one that text and speaker
// share; if they share none, every object is a message, like every row of a table. A list that also
// contains the id is the list of dialogues. Without a text, it extends the detected format.
type asked struct {
	layout
	places    map[string]paths // by use
	unseen    []string         // uses for which no value had anything
	keys      []string         // of the first value that was checked
	list      string           // path of the list of dialogues
	isChecked bool             // the members that every dialogue must have were found
}

// settleColumns parses Options.Columns, and returns the names that lead to the list of dialogues.
func (f *file) settleColumns() (wrap []string) {
	if len(f.opt.Columns) == 0 {
		return nil
	}
	at := map[string]string{}
	for use, place := range f.opt.Columns {
		if place != NoColumn {
			at[use] = strings.TrimPrefix(place, "[].")
		}
	}
	id, text := at[uses[idColumn]], at[uses[textColumn]]
	a := &asked{places: map[string]paths{}, unseen: slices.Sorted(maps.Keys(at))}
	a.list = upTo(id, strings.Index(id, "]"))
	turns := commonList(text, at[uses[speakerColumn]])
	if outer := upTo(text, strings.Index(text, "]")); id == "" && len(outer) < len(turns) {
		a.list = outer
	}
	if len(turns) <= len(a.list) {
		turns = "" // every object is a message
	}
	place := func(use int, list string) (ps paths) {
		defer func() {
			if use == textColumn && len(ps) > 0 && ps[0].kind == "" {
				ps[0].kind = "all"
			}
		}()
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
		ps[0].text = whole
		return ps
	}
	for use, name := range uses {
		a.places[name] = place(use, a.list)
	}
	inner := cmp.Or(turns, a.list)
	m := messages{Speaker: place(speakerColumn, inner), Text: place(textColumn, inner),
		Time: place(timeColumn, inner),
		Turn: place(turnColumn, inner)}
	if m.Text == nil && (m.Speaker != nil || m.Time != nil || m.Turn != nil) && f.err == nil {
		f.wrong("--columns speaker, time and turn need text beside them",
			"want places such as messages[].author.name")
	}
	if f.err != nil {
		return nil
	}
	if turns != "" {
		whole := a.places[uses[textColumn]][0]
		list := slices.Clone(whole.steps[:len(whole.steps)-len(m.Text[0].steps)])
		list[len(list)-1].isList = false
		m.List = paths{{text: whole.text, steps: list}}
	}
	a.layout = layout{format: byColumns, ID: a.places["id"], Agent: a.places["agent"],
		Customer: a.places["customer"],
		Rating:   a.places["rating"], Messages: m, Turns: []messages{m}}
	if f.asked = a; m.Text != nil {
		f.use(&a.layout)
	}
	if names, _, ok := strings.Cut(a.list, "["); ok {
		for name := range strings.SplitSeq(names, ".") {
			wrap = append(wrap, foldColumn(name))
		}
	}
	return wrap
}

// upTo returns a path up to the list that ends at i, or "" if i is -1.
func upTo(place string, i int) string { return place[:i+1] }

// commonList returns the last list that two paths share.
func commonList(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return upTo(a, strings.LastIndex(a[:n], "]"))
}

// check compares the paths that the user names with the next value. The first value that has a
// message must contain everything that every dialogue has.
func (f *file) check(raw jsontext.Value) {
	a := f.asked
	if a == nil || len(a.unseen) == 0 && a.isChecked {
		return
	}
	o := asObject(raw)
	a.unseen = slices.DeleteFunc(a.unseen,
		func(use string) bool { return a.places[use].first(o) != nil })
	if a.isChecked {
		return
	}
	list := a.Messages.List.first(o)
	_, hasMessages := a.Messages.opening(o)
	if a.keys, a.isChecked = keysIn(raw, a.list), hasMessages || list == nil; !a.isChecked {
		return
	}
	a.guessTime(raw, o)
	for _, use := range a.unseen {
		isNull := func(key string) bool { return foldColumn(key) == foldColumn(f.opt.Columns[use]) }
		optional := []string{uses[agentColumn], uses[customerColumn], uses[ratingColumn]}
		if !slices.Contains(optional, use) && !slices.ContainsFunc(a.keys, isNull) {
			f.nothingAt(use)
		}
	}
}

// guessTime finds the time of a message if the user names no path for it: not every export lists
// the messages in order.
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

func (f *file) nothingAt(use string) {
	f.wrong(fmt.Sprintf("there is nothing at %s, which --columns names for the %s",
		quote(f.opt.Columns[use]), use),
		"the keys are "+quoted(f.asked.keys))
}

// askedOf reads a value, and adds what the user names to what its format defines.
func (f *file) askedOf(p *part, raw jsontext.Value) {
	if f.asked == nil || f.layout == &f.asked.layout {
		f.layout.read(f, p, raw)
		f.answer(p, asObject(raw))
		return
	}
	o := asObject(raw)
	f.asked.about(p, o) // before the speakers are read
	f.layout.read(f, p, raw)
	f.asked.about(p, o)
}

// answer makes a text that the user names and that is not a conversation the answer to the question
// next to it, if one exists.
func (f *file) answer(p *part, o object) {
	if !p.isWhole || p.Err != nil || len(p.Said) != 1 || isTranscript(f.who, p.Said[0].Text) {
		return
	}
	if question := layoutNamed("pairs").Turns[0].Text.text(o); question != "" {
		answer := p.Said[0].Text
		p.isWhole, p.isRow = false, false
		p.Said = []utterance{{Name: "user", Text: question}, {Name: "assistant", Text: answer}}
	}
}
