package dialogue

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// A log of requests to a model: every line holds the conversation so far and, beside it, the answer of the model. The
// next request of a session repeats both, so that only the longest is read, with its answer. Where a request holds no
// more than what the USER says next, those of a session are put together.

// request is one line of a log.
type request struct {
	at      int64
	size    int
	line    int
	session string
	time    moment
	said    []uint64 // for every message, a hash of the session and all that was said up to it; then of the answer, too
	asked   int      // messages without the answer
	prompts int      // those of them that are prompts
	isOld   bool     // another request repeats this one
}

// log holds the requests of a file until all of them are known.
type log struct {
	spool spool
	list  []request
	said  int // messages in all, and for each request as much again as it takes itself
}

// messagesOf gives the list of messages of a conversation, which a log may have in its request.
func messagesOf(o object) jsontext.Value {
	if list := o.get("messages", "conversations", "conversation"); list != nil {
		return list
	}
	for _, name := range []string{"request", "input", "body"} {
		v := o.get(name)
		if v.Kind() == '{' {
			v = members(v).get("messages")
		}
		for first := range elements(v) {
			if members(first).get("role") != nil {
				return v
			}
			break
		}
	}
	return nil
}

// answerOf gives the turn that stands beside the messages as the answer to them: text, a message, or the choices of an
// API. The role is that of the message, or the assistant's.
func answerOf(v jsontext.Value) (name, text string) {
	switch v.Kind() {
	case '"':
		return "assistant", plainText(v)
	case '[':
		for e := range elements(v) {
			o := members(e)
			if e.Kind() == '{' && o.get("role", "message", "choices") != nil {
				if name, text = answerOf(e); text != "" || name == toolCall {
					return name, text
				}
			}
		}
		_, text, _ = speech(object{{"role", "role", jsontext.Value(`"assistant"`)}, {"content", "content", v}})
		return "assistant", text
	case '{':
		o := members(v)
		for _, inside := range []string{"choices", "message", "output"} {
			if v := o.get(inside); v != nil {
				return answerOf(v)
			}
		}
		name, text, bad := speech(append(object{{"role", "role", jsontext.Value(`"assistant"`)}}, o...))
		if bad == "" {
			return name, text
		}
	}
	return "", ""
}

// answer adds the answer beside the messages, unless they end with one.
func (d *draft) answer(o object, last string) {
	if role, _ := d.file.who.role(last); role == System && !d.file.isPrompt(last) {
		return
	}
	name, text := answerOf(o.get("response", "output", "completion", "answer", "reply", "choices"))
	if name != "" && (text != "" || name == toolCall) {
		d.say(d.line, name, text)
		d.request.said = append(d.request.said, d.request.hash(name, text))
	}
}

// ask notes a message of a request.
func (d *draft) ask(name, text string) {
	r := &d.request
	r.said = append(r.said, r.hash(name, text))
	if r.asked++; d.file.isPrompt(name) {
		r.prompts++
	}
}

func (r *request) hash(name, text string) uint64 {
	h := fnv.New64a()
	before := uint64(0)
	if len(r.said) > 0 {
		before = r.said[len(r.said)-1]
	}
	fmt.Fprintf(h, "%s\x00%d\x00%s\x00%s", r.session, before, FoldName(name), text)
	return h.Sum64()
}

// isLogged reports whether a conversation is a request that others may repeat.
func (d *draft) isLogged() bool {
	return d.request.session != "" || len(d.request.said) > d.request.asked
}

// put puts a request aside.
func (l *log) put(raw []byte, d *draft) (err error) {
	if l.said += len(d.request.said) + 20; l.said > 8*d.file.most.rows {
		return d.file.wrong("more requests than can be compared", "split it between two sessions, or allow more with "+
			"--max-dialogue")
	}
	r := d.request
	r.line, r.size = d.line, len(raw)
	r.at, err = l.spool.add(raw)
	l.list = append(l.list, r)
	return err
}

// finish yields the dialogues of the log, each where its first request is.
func (l *log) finish(f *file) error {
	defer l.spool.close()
	byKey := map[uint64]int{} // what a request says, in the end with its answer where no session holds it together
	for i := range l.list {
		r := &l.list[i]
		if len(r.said) == 0 {
			continue
		}
		key := r.said[len(r.said)-1]
		if r.session != "" && r.asked > 0 {
			key = r.said[r.asked-1]
			if first, ok := byKey[key]; ok {
				l.list[first].isOld = true // asked again: the later answer counts
			}
		}
		byKey[key] = i
	}
	for i := range l.list {
		for _, key := range l.list[i].said[:max(0, l.list[i].asked-1)] {
			if k, ok := byKey[key]; ok && k != i {
				l.list[k].isOld = true
			}
		}
	}
	sessions, order := map[string][]int{}, []string{}
	old, joined, parted := 0, 0, 0
	for i, r := range l.list {
		name := cmp.Or(r.session, fmt.Sprintf("\x00%d", i)) // one of its own
		if _, ok := sessions[name]; !ok {
			order = append(order, name)
			sessions[name] = nil
		}
		if r.isOld {
			old++
		} else {
			sessions[name] = append(sessions[name], i)
		}
	}
	type reading struct {
		of   []int
		many bool
	}
	var readings []reading
	total := map[string]int{}
	for _, r := range l.list {
		total[r.session]++
	}
	for _, name := range order {
		list := sessions[name]
		isNext := func(i int) bool { return l.list[i].asked-l.list[i].prompts == 1 }
		many := name[0] != 0 && total[name] > 1
		if len(list) > 1 && !slices.ContainsFunc(list, func(i int) bool { return !isNext(i) }) {
			joined += len(list)
			slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(l.list[a].time.eu, l.list[b].time.eu) })
			readings = append(readings, reading{list, true})
			continue
		}
		if len(list) > 1 {
			parted++
		}
		for _, i := range list {
			readings = append(readings, reading{[]int{i}, many})
		}
	}
	note := ""
	for _, told := range []struct {
		n   int
		how string
	}{{old, "repeated by a longer one and left out"}, {joined, "put together by their session"}} {
		if told.n > 0 {
			note += fmt.Sprintf(", %d of them %s", told.n, told.how)
		}
	}
	if parted > 0 {
		note += ", several of which do not go on from each other in " + counted(parted, "session")
	}
	isAnswered := func(r request) bool { return len(r.said) > r.asked }
	if len(l.list) > 1 && !slices.ContainsFunc(l.list, isAnswered) {
		note += ", none of which has an answer beside it"
	}
	if note != "" {
		err := f.note("a log of requests: " + counted(len(readings), "dialogue") + " in " +
			counted(len(l.list), "request") + note)
		if err != nil {
			return err
		}
	}
	for _, r := range readings {
		d := f.draft(l.list[r.of[0]].line, "")
		for _, i := range r.of {
			raw, err := l.spool.piece(l.list[i].at, l.list[i].size)
			if err != nil {
				return err
			}
			f.readValue(d, raw)
		}
		if r.many {
			d.id = l.list[r.of[0]].session
		}
		if err := d.emit(); err != nil {
			return err
		}
	}
	*l = log{spool: spool{open: l.spool.open}}
	return nil
}
