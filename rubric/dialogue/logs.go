package dialogue

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A log of requests to a model: every line holds the conversation so far and, beside it, the answer of the model. The
// next request of a session repeats both, so that only the longest is read, with its answer. Where a request holds no
// more than what the USER says next, those of a session are put together.

// Request is one line of a log.
type Request struct {
	Session string
	Time    string
	Said    []uint64 // for every message, a hash of the session and all that was said up to it; then of the answer, too
	Asked   int      // messages without the answer
	Prompts int      // those of them that are prompts
	Ends    Role     // who speaks last
}

// log holds the requests of a file until all of them are known.
type log struct {
	file  *file
	shelf Shelf
	n     int
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
		d.request.say(name, text)
	}
}

// ask notes a message of a request.
func (d *draft) ask(name, text string) {
	d.request.say(name, text)
	if d.request.Asked++; d.file.isPrompt(name) {
		d.request.Prompts++
	}
}

// say notes what was said.
func (r *Request) say(name, text string) {
	h := fnv.New64a()
	before := uint64(0)
	if len(r.Said) > 0 {
		before = r.Said[len(r.Said)-1]
	}
	fmt.Fprintf(h, "%s\x00%d\x00%s\x00%s", r.Session, before, FoldName(name), text)
	r.Said = append(r.Said, h.Sum64())
}

// isLogged reports whether a conversation is a request that others may repeat.
func (d *draft) isLogged() bool {
	return d.request.Session != "" || len(d.request.Said) > d.request.Asked
}

// put puts a request aside.
func (l *log) put(raw []byte, d *draft) error {
	if l.said += len(d.request.Said) + 20; l.said > 8*l.file.most.rows {
		return l.file.wrong("more requests than can be compared", "split it between two sessions, or allow more with "+
			"--max-dialogue")
	}
	if l.n == 0 {
		l.shelf = l.file.shelf()
	}
	l.n++
	if n := len(d.dialogue.Turns); n > 0 {
		d.request.Ends = d.dialogue.Turns[n-1].Role
	}
	return l.shelf.Put(Row{Line: d.line, Text: string(raw), Request: &d.request})
}

// finish yields the dialogues of the log, each where its first request is.
func (l *log) finish() error {
	if l.n == 0 {
		return nil
	}
	defer l.shelf.Close()
	f := l.file
	taken, err := f.take(l.shelf, false)
	if err == nil && len(taken.Told) > 0 {
		err = f.note("a log of requests: " + Counted(taken.Dialogues, "dialogue") + " in " + Counted(l.n, "request") + ", " +
			strings.Join(taken.Told, ", "))
	}
	if err != nil {
		return err
	}
	var d *draft
	for r, err := range taken.Rows {
		if err != nil {
			return err
		}
		if r.Begins {
			if d != nil {
				if err := d.emit(); err != nil {
					return err
				}
			}
			d = f.draft(r.Line, "")
		}
		f.readValue(d, []byte(r.Text))
		d.id = cmp.Or(r.ID, d.id)
	}
	return d.emit()
}
