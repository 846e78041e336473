package dialogue

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A log of requests to a model has the conversation so far in every line and, next to it, the
// model's answer. The next request of a session repeats both, so only the longest request is read,
// with its answer. If the requests contain only the USER's latest message, those of a session are
// concatenated.

// request is one line of a log.
type request struct {
	session string
	time    string
	// said holds, for every message, a hash of the session and everything up to the message; the
	// answer comes last.
	said    []uint64
	asked   int  // messages without the answer
	prompts int  // number of those that are prompts
	ends    Role // the last speaker
	isOld   bool // another request repeats this one
	piece
}

// log holds the requests of a file until all of them are known.
type log struct {
	file  *file
	spool spool
	list  []request
	said  int // number of messages, plus a constant per request for its own memory
}

// say adds a message, which may be the answer or a prompt.
func (r *request) say(name, text string, isAnswer, isPrompt bool) {
	if !isAnswer {
		r.asked++
	}
	if isPrompt && !isAnswer {
		r.prompts++
	}
	h, before := fnv.New64a(), uint64(0)
	if n := len(r.said); n > 0 {
		before = r.said[n-1]
	}
	fmt.Fprintf(h, "%s\x00%d\x00%s\x00%s", r.session, before, FoldName(name), text)
	r.said = append(r.said, h.Sum64())
}

// isLogged reports whether a conversation is a request that others may repeat.
func (p *part) isLogged() bool {
	return p.request.session != "" || len(p.request.said) > p.request.asked
}

func (l *log) put(p *part) {
	r := p.request
	if l.said += len(r.said) + 20; l.said > 8*l.file.most.rows {
		l.file.wrong("more requests than can be compared",
			"split it between two sessions, or allow more with "+
				"the setting max-dialogue")
	}
	if n := len(p.Said); n > 0 {
		r.ends = p.Said[n-1].side(l.file)
	}
	r.piece = l.spool.put(l.file, p)
	l.list = append(l.list, r)
}

// finish yields the dialogues of the log, each at the position of its first request.
func (l *log) finish() {
	if len(l.list) == 0 {
		return
	}
	defer l.spool.close()
	f := l.file
	l.markOld()
	sessions, order := map[string][]int{}, []string{}
	for i, r := range l.list {
		name := cmp.Or(r.session, fmt.Sprintf("\x00%d", i)) // a session of its own
		if sessions[name] == nil {
			order = append(order, name)
		}
		sessions[name] = append(sessions[name], i)
	}
	var dialogues [][]int // of requests
	old, joined, parted := 0, 0, 0
	for _, name := range order {
		of := slices.DeleteFunc(slices.Clone(sessions[name]),
			func(i int) bool { return l.list[i].isOld })
		old += len(sessions[name]) - len(of)
		isMore := func(i int) bool { return l.list[i].asked-l.list[i].prompts != 1 }
		switch {
		case len(of) > 1 && !slices.ContainsFunc(of, isMore):
			joined += len(of)
			slices.SortStableFunc(of, func(a, b int) int { return cmp.Compare(l.at(a), l.at(b)) })
			dialogues = append(dialogues, of)
			continue
		case len(of) > 1:
			parted++
		}
		dialogues = slices.AppendSeq(dialogues, slices.Chunk(of, 1))
	}
	var told []string
	tell := func(is bool, text string) {
		if is {
			told = append(told, text)
		}
	}
	tell(old > 0, fmt.Sprintf("%d of them repeated by a longer one and left out", old))
	tell(joined > 0, fmt.Sprintf("%d of them put together by their session", joined))
	tell(parted > 0, "several of which do not go on from each other in "+Counted(parted, "session"))
	isAnswered := func(r request) bool { return len(r.said) > r.asked || r.ends == System }
	tell(len(l.list) > 1 && !slices.ContainsFunc(l.list, isAnswered),
		"none of which has an answer beside it")
	if len(told) > 0 {
		f.note("a log of requests: " + Counted(len(dialogues), "dialogue") + " in " +
			Counted(len(l.list), "request") + ", " +
			strings.Join(told, ", "))
	}
	for _, of := range dialogues {
		var parts []part
		for _, i := range of {
			parts = append(parts, l.spool.get(f, l.list[i].piece))
		}
		if name := l.list[of[0]].session; len(sessions[name]) > 1 {
			parts[0].ID = name
		}
		if f.conversation(parts, false); f.err != nil {
			return
		}
	}
}

// at returns the time of a request.
func (l *log) at(i int) int64 {
	m, _ := ParseTime(l.list[i].time)
	return m.in(l.file.opt.Dates == "us")
}

// markOld marks the requests that another one repeats, and those that were sent again, of which
// only the last counts.
func (l *log) markOld() {
	// byKey finds a request by its content, including the answer if the log has no sessions.
	byKey := map[uint64]int{}
	for i, r := range l.list {
		asked := len(r.said)
		if r.session != "" && r.asked > 0 {
			asked = r.asked
		}
		if asked == 0 {
			continue
		}
		if first, ok := byKey[r.said[asked-1]]; ok && r.session != "" && r.asked > 0 {
			l.list[first].isOld = true
		}
		byKey[r.said[asked-1]] = i
	}
	for i, r := range l.list {
		for _, key := range r.said[:max(0, r.asked-1)] {
			if k, ok := byKey[key]; ok && k != i {
				l.list[k].isOld = true
			}
		}
	}
}

// isPrompt reports whether a message of that role is a prompt. Options.Roles can override it.
func (f *file) isPrompt(name string) bool {
	if f.layout == nil || f.layout.Session == nil {
		return false
	}
	folded := FoldName(name)
	role, mapped := f.who.roles[folded]
	return (!mapped || role == Other) && (folded == "system" || folded == "developer")
}

// hasWords reports whether a record of a log in which no message was found contains one after all:
// an object that names a speaker and has words, or words that a model read or wrote.
func (f *file) hasWords(raw jsontext.Value) bool {
	o := members(raw)
	isModel := anyIn([]string{foldColumn(o.text("type", "runtype", "kind"))}, "model")
	for _, place := range []string{"input", "inputs", "output", "outputs"} {
		if isModel && f.holds(o.get(place), 0, false) {
			return true
		}
	}
	return f.holds(raw, 0, true)
}

// holds reports whether a value holds a text of several words; if needsSpeaker is set, the text
// must belong to an object with a speaker.
func (f *file) holds(v jsontext.Value, depth int, needsSpeaker bool) bool {
	const deepest = 10
	v = unpacked(v)
	switch v.Kind() {
	case '"':
		return !needsSpeaker && strings.Contains(strings.TrimSpace(plainText(v)), " ")
	case '[':
		for e := range elements(v) {
			if depth < deepest && f.holds(e, depth+1, needsSpeaker) {
				return true
			}
		}
	case '{':
		o := members(v)
		who := o.text("role", "sender", "author")
		if who != "" && f.who.knows(who[:min(len(who), maxName)]) {
			needsSpeaker = false
		}
		for _, m := range o {
			if depth < deepest && f.holds(m.value, depth+1, needsSpeaker) {
				return true
			}
		}
	}
	return false
}
