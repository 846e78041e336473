package dialogue

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
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

// tellMoved tells, once a file, that the times order the messages.
func (d *draft) tellMoved() {
	const told = "messages are read in the order of their times, which is not that of the file"
	if f := d.file; f.opt.Note != nil && !slices.Contains(f.told, told) {
		f.told = append(f.told, told)
		f.opt.Note(f.name + ": " + told)
	}
}

// sayOrPrompt adds a turn of the speaker that the source calls name. A prompt is kept, once, as a turn that nobody is
// judged for.
func (d *draft) sayOrPrompt(line int, name, text string) {
	if !d.file.isPrompt(name) {
		d.say(line, name, text)
	} else if text != "" && text != d.prompt {
		d.prompt = text
		d.add(line, name, Other, text)
	}
}

// isPrompt reports whether a message of that role is what the model was told. Options.Roles can say otherwise.
func (f *file) isPrompt(name string) bool {
	if f.layout == nil || f.layout.Session == nil {
		return false
	}
	folded := FoldName(name)
	role, mapped := f.who.roles[folded]
	return (!mapped || role == Other) && (folded == "system" || folded == "developer")
}

// toolCall is the name for a message in which the model asks a tool and says nothing; names.txt makes it OTHER.
const toolCall = "function call"
