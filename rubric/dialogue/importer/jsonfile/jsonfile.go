// Package jsonfile reads files of JSON: one object, or one list of messages, is one dialogue.
// Objects may come one per line, one after another, in an array, or in the array of a wrapper such
// as {"tickets":[…]}.
//
//	Where does a value end, and what is a wrapper?        split.go: splitter
//	Which format has a file whose values are unknown?     jsonfile.go: dialoguesIn, readFlat
//	What do the places of --columns mean?                 jsonfile.go: settleColumns, check
//	What is a dialogue, a row, or a request of a log?     jsonfile.go: take
package jsonfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
	"assize/rubric/dialogue/importer/table"
)

// Read reads any JSON format. If it is unknown, the first valid value determines it.
func Read(f *stream.File, l *formats.Layout) {
	r := newJSONReader(f)
	if l != nil {
		r.useNamed(l)
	}
	in := newSplitter(f, r.settleColumns())
	for f.Err == nil {
		raw, line, err := in.next()
		switch {
		case err == io.EOF:
			r.finish(false)
			return
		case in.feed.Err != nil || in.lines.Err != nil:
			r.finish(true)
			f.Fail(err)
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
		if f.Format == stream.AnyJSON && !r.isTried {
			if r.isTried = true; readFlat(f, in, slices.Clone(raw), line) {
				return
			}
			continue
		}
		for _, raw := range list {
			if r.check(raw); f.Err == nil {
				r.take(r.readValue(raw, line))
			}
		}
	}
}

// take processes a value, which is a whole dialogue or a part of one.
func (r *jsonReader) take(p *stream.Part) {
	isOther := func(s stream.Message) bool {
		return s.Conv != "" && p.Messages[0].Conv != "" && s.Conv != p.Messages[0].Conv
	}
	switch {
	case p.Err == nil && (p.IsWhole || !p.IsRow && !p.IsLogged() && len(p.Messages) == 1 &&
		formats.IsTranscript(r.Who, p.Messages[0].Text)):
		formats.ReadTranscript(r.File, p)
		return
	case p.IsRow || p.Err == nil && !p.IsEmpty && r.Format == stream.ByColumns &&
		r.Opt.Columns["id"] == stream.NoColumn:
		r.rows.Put(p)
		return
	case p.IsEmpty && p.Err == nil:
		if !p.IsUnmet {
			r.Omissions.Add("empty", "")
		}
		return
	case p.Err == nil && slices.ContainsFunc(p.Messages, isOther):
		for _, s := range p.Messages { // each is a row
			row := *p
			row.ID, row.Messages = s.Conv, []stream.Message{s}
			r.rows.Put(&row)
		}
		return
	}
	id := stream.Hash(p.ID)
	if p.ID != "" && r.ids[id] && !p.IsLogged() {
		r.Report(lex.Text("same-id"))
	}
	r.ids[id] = true
	if r.rows.Finish(false); p.Err == nil && p.IsLogged() {
		r.log.Put(p)
	} else {
		stream.Assemble(r.File, []stream.Part{*p}, false)
	}
}

func (r *jsonReader) broken(line int, err error, isLast bool) {
	err = invalid(err)
	msg, hint := err.Error(), ""
	if long, ok := err.(*stream.Outline); ok {
		o := lex.Members(long.Kept)
		if long.ID = o.Text(lex.Lists()["id"]...); r.layout != nil {
			long.ID = cmp.Or(r.layout.ID.Text(o), long.ID)
		}
		msg, hint = lex.Problem("long", long)
	} else if isLast { // the beginning of the next value is unknown
		hint = "nothing after it can be read"
	}
	// The error belongs to the conversation that is being read.
	p := &stream.Part{Line: line, Turn: math.NaN()}
	p.IsRow = len(r.rows.Keys) > 0
	p.Wrong(msg, hint)
	r.take(p)
}

// invalid returns an error of the parser without the offset that it names.
func invalid(err error) error {
	if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
		return fmt.Errorf("not valid JSON: %w", syntax.Err)
	}
	return err
}

func (r *jsonReader) finish(isCut bool) {
	r.rows.Finish(isCut)
	r.log.Finish()
	stream.ReportOmissions(r.File)
	if r.Requests > 1 && r.Unanswered == r.Requests && r.IsOpen {
		r.Note(lex.Text("unanswered", lex.Counted(r.Requests, "dialogue")))
	}
	is := r.File.Speaks
	if r.firstKeys != nil && len(r.Reports) == 0 && is[dialogue.System] != is[dialogue.User] {
		side := dialogue.System
		if is[side] {
			side = dialogue.User
		}
		r.Report(lex.Text("one-side", side, lex.Quoted(r.firstKeys)))
	}
	if a := r.mapping; a != nil && len(a.unseen) > 0 && len(a.keys) > 0 {
		r.nothingAt(&a.unseen[0]) // no value had anything there
	}
}

// dialoguesIn determines the format from the members of the first value, if it is unknown, and
// returns the dialogues of a value that holds several. A list is taken for a list of messages.
func (r *jsonReader) dialoguesIn(raw jsontext.Value) (list []jsontext.Value) {
	if r.Format == stream.AnyJSON {
		l, _ := formats.Of(raw)
		// OpenTelemetry carries the attributes of others, too.
		if l == nil || l.Format == stream.OpenTelemetry {
			l = cmp.Or(formats.OfDotted(raw), l)
		}
		if l != nil {
			r.useNamed(l)
			first, ok := l.Turns[0].Opening(formats.AsObject(raw))
			if ok && l.Format == stream.OpenAI && first.Get("role", "from") == nil {
				r.Who = stream.NewNames(r.Opt) // the speakers are people
			}
		}
	}
	if r.layout == nil && r.isTried {
		var place lex.Paths
		at, maxDots := "", 3 // the place of a string that is a whole conversation
		lex.Leaves(raw, "", func(place string, v jsontext.Value) bool {
			if strings.Count(place, ".") <= maxDots && !strings.Contains(place, "[]") &&
				formats.IsTranscript(r.Who, lex.PlainText(v)) {
				at = place
			}
			return at == ""
		})
		if at != "" && place.UnmarshalText([]byte(at)) == nil {
			l := formats.OfMessages(formats.Messages{Text: place})
			l.ID = formats.Named(stream.OpenAI).ID
			r.use(&l)
			r.Note("text = " + dialogue.Clean(at) + ": one dialogue per value")
		} else if list := table.TurnLists(r.File, raw); len(list) == 1 && list[0].IsUsual {
			r.Opt.Columns = list[0].Columns
			r.settleColumns()
			r.Note(strings.ReplaceAll(table.ColumnsOf(list[0].Columns), ",", ", ") +
				": the only list with a speaker and words")
		}
	}
	if r.layout != nil {
		if r.layout.Dotted {
			raw = formats.Nested(raw)
		}
		for _, p := range r.layout.Dialogues {
			for v := range p.In(formats.AsObject(raw)) {
				list = append(list, lex.Unpacked(v))
			}
		}
	}
	if list == nil {
		list = []jsontext.Value{raw}
	}
	return list
}

func (r *jsonReader) readValue(raw jsontext.Value, line int) *stream.Part {
	p := &stream.Part{Line: line, Turn: math.NaN()}
	p.Omissions = r.Omissions
	switch {
	case raw.Kind() != '{' && raw.Kind() != '[':
		p.Wrong(lex.Problem("no-object", lex.Quote(string(raw))))
	case r.layout != nil:
		if r.firstKeys == nil {
			r.firstKeys = lex.KeysIn(raw, "")
		}
		o := formats.AsObject(raw)
		isOwn := r.mapping == nil || r.layout == &r.mapping.Layout
		fails := func(ps lex.Paths) bool { return !ps[0].IsMet(o) }
		if r.mapping != nil && slices.ContainsFunc(r.mapping.where, fails) {
			p.IsEmpty, p.IsUnmet = true, true
			p.Omissions.Add("unmet-record", "")
			return p
		}
		if !isOwn {
			r.mapping.About(p, o) // before the speakers are read
		}
		if r.layout.Read(r.File, p, raw); isOwn {
			addAnswer(r.File, p, o)
			r.reportUnread(p, raw)
		} else {
			r.mapping.About(p, o)
		}
	default:
		hint := lex.Text("places")
		if lists := table.TurnLists(r.File, raw); len(lists) > 0 {
			columns := lists[0].Columns
			columns["id"] = cmp.Or(columns["id"], "PLACE")
			if hint = lex.Text("list-hint", table.ColumnsOf(columns)); len(lists) > 1 {
				hint += ", which reads only one of " + lex.Counted(len(lists), "list")
			}
		}
		if _, like := formats.Of(raw); like != "" {
			hint = like + "; or " + hint
		}
		keys := lex.KeysIn(raw, "")
		if len(keys) == 0 {
			p.Wrong(lex.Problem("no-leaf", lex.Deepest))
		}
		p.Wrong(lex.Problem("unknown-json", lex.Quoted(keys), hint))
	}
	return p
}

// reportUnread reports, for the first message that --columns finds, other lists of its dialogue in
// which a member has the name of the one with its text.
func (r *jsonReader) reportUnread(p *stream.Part, raw jsontext.Value) {
	a := r.mapping
	if a == nil || a.isRead || len(p.Messages) == 0 {
		return
	}
	a.isRead = true
	nameOf := func(place string) string { return place[strings.LastIndexAny(place, ".]")+1:] }
	form := lex.Expr("place-form").FindStringSubmatch(lex.EqualTo(r.Opt.Columns["text"]))
	if form == nil || nameOf(form[1]) == "" {
		return
	}
	own := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(form[1], "[]."), a.list), ".")
	own = lex.Expr("brackets").ReplaceAllString(own, "[]")
	list := own[:strings.Index(own, "]")+1]
	for _, key := range lex.KeysIn(raw, "") {
		if nameOf(key) == nameOf(own) && !strings.EqualFold(key, own) &&
			strings.Contains(key, "[]") && (list == "" || !strings.HasPrefix(key, list)) {
			r.Report(lex.Text("unread", lex.Quote(key)))
		}
	}
}

// addAnswer makes a text that the user names and that is not a conversation the answer to the
// question next to it, if one exists.
func addAnswer(f *stream.File, p *stream.Part, o lex.Object) {
	if !p.IsWhole || p.Err != nil || len(p.Messages) != 1 ||
		formats.IsTranscript(f.Who, p.Messages[0].Text) {
		return
	}
	if question := formats.Named("pairs").Turns[0].Text.Text(o); question != "" {
		p.IsWhole, p.IsRow, p.Messages[0].Name = false, false, "assistant"
		p.Messages = []stream.Message{{Name: "user", Text: question}, p.Messages[0]}
	}
}

// readFlat reads a file as such a table. If it is not one, its values remain to be read.
func readFlat(f *stream.File, in *splitter, first jsontext.Value, line int) (is bool) {
	if msg, hint := table.RivalsIn(f, first); msg != "" {
		f.Wrong(msg, hint)
		return true
	}
	h := table.NewHeader(nil, ',')
	in.again = []value{{first, line, nil}}
	for size := 0; ; size += len(in.again[len(in.again)-1].raw) {
		v := in.again[len(in.again)-1]
		if v.err == nil && !table.CellsIn(v.raw, "", &h.Names, map[string]string{}) {
			return false
		}
		isFull := len(in.again) == table.MaxSampled || size > table.MaxBytes
		if isFull || v.err != nil && !in.goesOn(v.err) {
			break
		}
		raw, line, err := in.read()
		in.again = append(in.again, value{bytes.Clone(raw), line, err})
	}
	sampled, names := in.again, slices.Clone(h.Names)
	next, msg, hint := h.Identify(f, nil, len(sampled), func() (table.Record, error) {
		raw, line, err := in.next()
		by := map[string]string{}
		r := table.Record{Line: line, Raw: raw}
		switch {
		case err != nil && !in.goesOn(err):
			return r, err
		case err != nil:
			r.Err = &stream.SyntaxError{Line: line, Msg: err.Error()}
		case !table.CellsIn(raw, "", new([]string), by):
			const msg = "no object of plain members, as those above"
			r.Err = &stream.SyntaxError{Line: line, Msg: msg}
		}
		r.Cells = table.CellsOf(by, names)
		return r, nil
	})
	switch {
	case msg != "" && h.HasTurns():
		f.Wrong(msg, hint)
		return true
	case msg != "" || h.IsNameless:
		in.again = sampled
		return false
	}
	f.Format, h.Names = stream.Table, names
	table.ReadRows(f, &h, next)
	return true
}

// ReadRecords reads a table whose rows are records of a log, and reports whether it is one: its
// columns have dotted names, or are the members of such a record, at least one of which holds JSON.
func ReadRecords(f *stream.File, h *table.Header, first table.Record, next table.Next) bool {
	if len(f.Opt.Columns) > 0 || len(first.Cells) != len(h.Names) {
		return false
	}
	raw := formats.RowOf(h.Names, first.Cells)
	l := formats.OfDotted(raw)
	if l == nil && slices.ContainsFunc(first.Cells, lex.IsData) {
		l, _ = formats.Of(raw)
	}
	if l == nil || !l.Log && !l.Dotted {
		return false
	}
	r := newJSONReader(f)
	r.use(l)
	for f.Err == nil {
		rec, err := next()
		if err != nil {
			r.finish(err != io.EOF)
			f.Fail(err)
			break
		}
		if slices.Equal(rec.Cells, h.Names) { // the header of another table below the first
			continue
		}
		if err := h.Row(rec).Err; err != nil {
			r.take(&stream.Part{Line: rec.Line, Turn: math.NaN(), Err: err})
			continue
		}
		for _, raw := range r.dialoguesIn(formats.RowOf(h.Names, rec.Cells)) {
			r.take(r.readValue(raw, rec.Line))
		}
	}
	return true
}

// jsonReader collects the rows and the requests of a JSON file, and yields its dialogues at once.
type jsonReader struct {
	*stream.File
	layout    *formats.Layout // nil as long as the format is unknown
	mapping   *mapping        // what Options.Columns says; nil if they are not set
	rows      stream.Rows
	log       stream.Log
	ids       map[uint64]bool // hashes of the ids so far
	isTried   bool            // the file is no table
	firstKeys []string        // of the first value
}

func newJSONReader(f *stream.File) jsonReader {
	return jsonReader{File: f, ids: map[uint64]bool{}, rows: stream.Rows{File: f},
		log: stream.Log{File: f}}
}

// use sets the layout. The roles that it assigns to speakers come after those of Options.
func (r *jsonReader) use(l *formats.Layout) {
	f := r.File
	r.layout, f.Format, f.IsJSON, f.IsLog = l, l.Format, true, l.Session != nil
	roles := map[string]dialogue.Role{}
	for name, role := range l.Roles {
		roles[lex.FoldName(name)], _ = dialogue.ParseRole(role)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Opt.Roles)) {
		roles[lex.FoldName(name)] = f.Opt.Roles[name]
	}
	f.Who = stream.NewNames(stream.Options{Roles: roles, SystemNames: f.Opt.SystemNames})
}

// useNamed sets the layout of a format, whose speakers may be roles.
func (r *jsonReader) useNamed(l *formats.Layout) {
	if r.use(l); l.Format == stream.OpenAI {
		r.NameRoles()
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
	formats.Layout
	unseen    []named     // those for which no value had anything
	keys      []string    // of the values that were checked
	list      string      // path of the list of dialogues
	where     []lex.Paths // what is demanded of a dialogue, all of which must hold
	isChecked bool        // the members that every dialogue must have were found
	isRead    bool        // a message was found
}

// named is a place that Options.Columns names for a use.
type named struct {
	use, at   string
	lex.Paths          // from the dialogue on
	values    []string // some of those there, if at is a condition
}

// settleColumns parses Options.Columns, and returns the names that lead to the list of dialogues.
func (r *jsonReader) settleColumns() (wrap []string) {
	f := r.File
	stream.LeaveOtherID(f, func(id string) bool { // the head has its last name as a key
		head, _ := f.In.Peek(stream.HeadSize)
		key := lex.QuoteJSON(id[strings.LastIndexAny(id, ".]")+1:])
		return bytes.Contains(bytes.ToLower(head), bytes.ToLower(key))
	})
	if len(f.Opt.Columns) == 0 {
		return nil
	}
	at := map[string]string{}
	for use, place := range f.Opt.Columns {
		if place != stream.NoColumn {
			if at[use] = place; use != "where" { // which may name a member of the dialogue so
				at[use] = strings.TrimPrefix(place, "[].")
			}
		}
	}
	id, text := at["id"], at["text"]
	a := &mapping{}
	a.list = id[:strings.Index(id, "]")+1]
	turns := commonList(text, at["speaker"])
	if outer := text[:strings.Index(text, "]")+1]; id == "" && len(outer) < len(turns) &&
		f.Opt.Columns["id"] != stream.NoColumn {
		a.list = outer
	}
	if len(turns) <= len(a.list) {
		turns = "" // every object is a message
	}
	inner := cmp.Or(turns, a.list)
	place := func(use, whole, list string) (ps lex.Paths) {
		own, ok := strings.CutPrefix(whole, list)
		if whole == "" || f.Err != nil {
			return nil
		}
		err := ps.UnmarshalText([]byte(strings.TrimPrefix(own, ".")))
		if !ok {
			err = errors.New(lex.Quote(whole) + " is not in the same list as the others")
		}
		if err != nil {
			f.Wrong(lex.Problem("columns", err))
			return nil
		}
		if ps[0].Text = whole; use == "text" && ps[0].Kind == "" {
			ps[0].Kind = "all"
		}
		return ps
	}
	places := map[string]lex.Paths{}
	var where []lex.Paths
	parts := text[:strings.LastIndex(text, "[]")+1] // of a message, up to the bracket
	if len(parts) < len(inner) {
		parts = ""
	}
	said := lex.Lists()["said-part"][:1] // the conditions of a part
	for _, use := range slices.Sorted(maps.Keys(at)) {
		for whole := range strings.SplitSeq(at[use], "\n") {
			if use == "where" {
				member, isOuter := strings.CutPrefix(lex.EqualTo(whole), "[].")
				whole = member
				if a.list != "" {
					member, isOuter = strings.CutPrefix(whole, a.list+".")
				}
				name, _, _ := strings.Cut(member, "=")
				isOuter = isOuter && turns != "" && !strings.Contains(name, "[")
				if inner != "" && !isOuter && !strings.ContainsAny(name, ".[") {
					whole = inner + "." + whole // the name of a member of the messages
				}
				own, isPart := strings.CutPrefix(whole, parts+"].")
				switch {
				case isOuter || text == "" && !strings.Contains(name, "["):
					a.where = append(a.where, place(use, whole, a.list))
				case isPart && parts != "" && !strings.ContainsAny(own, ".["):
					said = append(said, own)
				default:
					where = append(where, place(use, whole, inner))
				}
			}
			n := named{use: use, at: whole, Paths: place(use, whole, a.list)}
			if n.Paths == nil { // it is wrong, or empty
				continue
			}
			if places[use] = n.Paths; use != "where" ||
				n.Paths[0].Values == nil || !lex.IsOneOf(n.Paths[0].Values, "") { // may be nowhere
				a.unseen = append(a.unseen, n)
			}
		}
	}
	times, ofDialogue := at["time"], map[string]lex.Paths(nil)
	if own := strings.TrimPrefix(times, a.list); turns != "" && !strings.HasPrefix(times, turns) &&
		!strings.Contains(own, "[") && lex.NameHas(own, "time") {
		times, ofDialogue = "", map[string]lex.Paths{"time": places["time"]} // its day
	}
	m := formats.Messages{Speaker: place("speaker", at["speaker"], inner),
		Text: withCards(place("text", text, inner)), Time: place("time", times, inner),
		Turn: place("turn", at["turn"], inner), IsNamed: true, Where: where}
	if m.Text != nil && parts != "" {
		spoken := parts + strings.Join(said, "&") + strings.TrimPrefix(text, parts)
		m.Text = withCards(place("text", spoken, inner))
		m.Text[0].Text = text
	}
	if m.Text == nil && f.Err == nil &&
		(m.Speaker != nil || m.Time != nil || m.Turn != nil || m.Where != nil) {
		f.Wrong(lex.Problem("columns-text"))
	}
	for _, list := range []string{a.list, turns} {
		if list != "" && !strings.HasSuffix(list, "[]") && f.Err == nil {
			f.Wrong(lex.Problem("no-list", lex.Quote(list)))
		}
	}
	if f.Err != nil {
		return nil
	}
	if turns != "" {
		whole := places["text"][0]
		list := slices.Clone(whole.Steps[:len(whole.Steps)-len(m.Text[0].Steps)])
		list[len(list)-1].IsList = false
		m.List = lex.Paths{{Text: whole.Text, Steps: list}}
	}
	a.Layout = formats.OfMessages(m)
	a.ID, a.Agent, a.Customer = places["id"], places["agent"], places["customer"]
	a.Queue, a.Rating, a.Fields = places["queue"], places["rating"], ofDialogue
	if r.mapping = a; m.Text != nil {
		r.use(&a.Layout)
	}
	if names, _, ok := strings.Cut(a.list, "["); ok {
		wrap = lex.Each(strings.Split(names, "."), lex.FoldColumn)
	}
	return wrap
}

// withCards returns the place of a text and those next to it where bots may have their words.
func withCards(ps lex.Paths) lex.Paths {
	var cards lex.Paths
	if len(ps) != 1 || len(ps[0].Steps) == 0 ||
		cards.UnmarshalText([]byte(lex.Lists()["card"][0])) != nil {
		return ps
	}
	above := ps[0].Steps[:len(ps[0].Steps)-1]
	for _, card := range cards {
		ps = append(ps, lex.Path{Steps: slices.Concat(above, card.Steps)})
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
	o := formats.AsObject(raw)
	a.unseen = slices.DeleteFunc(a.unseen, func(n named) bool { return n.First(o) != nil })
	for i := range a.unseen {
		n := &a.unseen[i]
		for v := range strings.SplitSeq((lex.Paths{{Steps: n.Paths[0].Steps}}).Text(o), "\n") {
			if v != "" && len(n.values) < 10 && !slices.Contains(n.values, v) {
				n.values = append(n.values, v)
			}
		}
	}
	const most = 200 // an error lists the keys of all values
	for _, key := range lex.KeysIn(raw, a.list) {
		if len(a.keys) < most && !slices.Contains(a.keys, key) {
			a.keys = append(a.keys, key)
		}
	}
	_, hasMessages := a.Messages.Opening(o)
	if a.isChecked || !hasMessages && a.Messages.List != nil {
		return
	}
	a.isChecked = true
	a.guessTime(raw, o)
	text := r.Opt.Columns["text"]
	if inner := text[:strings.LastIndex(text, "]")+1]; a.Messages.List != nil &&
		len(inner) > len(commonList(text, r.Opt.Columns["speaker"])) &&
		slices.ContainsFunc(a.keys, func(key string) bool {
			own, isIn := strings.CutPrefix(key, inner+".")
			return isIn && lex.NameHas(own, "time") && !lex.NameHas(own, "other-time")
		}) {
		r.Wrong(lex.Problem("own-times", lex.Quote(text)))
		return
	}
	if a.Messages.List == nil && a.Messages.Speaker != nil {
		return // a row: the next ones may have what this one lacks
	}
	for _, n := range a.unseen {
		place := lex.FoldColumn(n.at)
		isNull := func(key string) bool { return lex.FoldColumn(key) == place }
		optional := []string{"agent", "customer", "rating", "queue", "where"}
		if !slices.Contains(optional, n.use) && !slices.ContainsFunc(a.keys, isNull) {
			r.nothingAt(&n)
		}
	}
}

// guessTime finds the time of a message if no path is named for it, as the order may be another.
func (a *mapping) guessTime(raw jsontext.Value, o lex.Object) {
	t := &a.Turns[0]
	if t.Text == nil || t.Time != nil || t.Turn != nil {
		return
	}
	for raw = range lex.Elements(t.List.First(o)) {
		break
	}
	for _, key := range lex.KeysIn(raw, "") {
		var place lex.Paths
		if lex.NameHas(key, "other-time") || place.UnmarshalText([]byte(key)) != nil {
			continue
		}
		m, ok := lex.ParseTime(place.Text(formats.AsObject(raw)))
		if ok && (lex.NameHas(key, "time") || m.HasDate && m.HasTime && !m.IsNumber) {
			t.Time, a.Messages.Time = place, place
			return
		}
	}
}

func (r *jsonReader) nothingAt(n *named) {
	if len(n.values) > 0 {
		r.Wrong(lex.Problem("no-value", lex.Quote(n.at), lex.Quoted(n.values)))
		return
	}
	r.Wrong(lex.Problem("nothing-at", lex.Quote(n.at), n.use, lex.Quoted(r.mapping.keys)))
}
