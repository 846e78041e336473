package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// A log of requests to a model has the conversation so far in every line and the model's answer. As
// the next request of a session repeats both, only the longest is read. If the requests contain
// only the USER's latest message, those of a session are concatenated.

// logged is a request of a log, and where its conversation is.
type logged struct {
	request
	piece
	served bool // it has words of the SYSTEM
	isOld  bool // another request repeats this one
}

// log holds the requests of a file until all of them are known.
type log struct {
	file  *file
	spool spool
	list  []logged
	said  int // number of messages, plus a constant per request for its own memory
}

func (l *log) put(p *part) {
	r := logged{request: p.request}
	if l.said += len(r.said) + 20; l.said > 8*l.file.most.rows {
		l.file.wrong("more requests than can be compared",
			"split it between two sessions, or allow more with the setting max-dialogue")
	}
	r.served = slices.ContainsFunc(p.Messages, func(m message) bool {
		return l.file.who.side(&m) == dialogue.System
	})
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
		isMore := func(i int) bool { return l.list[i].inputs-l.list[i].prompts != 1 }
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
	var found notices
	found.add(old > 0, fmt.Sprintf("%d of them repeated by a longer one and left out", old))
	found.add(joined > 0, fmt.Sprintf("%d of them put together by their session", joined))
	found.add(parted > 0, "those of "+counted(parted, "session")+" do not continue one another")
	isAnswered := func(r logged) bool { return len(r.said) > r.inputs || r.served }
	found.add(len(l.list) > 1 && !slices.ContainsFunc(l.list, isAnswered),
		"none of which has an answer")
	if len(found) > 0 {
		f.note("a log of requests: " + counted(len(dialogues), "dialogue") + " in " +
			counted(len(l.list), "request") + ", " + strings.Join(found, ", "))
	}
	for _, of := range dialogues {
		var parts []part
		for _, i := range of {
			parts = append(parts, l.spool.get(f, l.list[i].piece))
		}
		if name := l.list[of[0]].session; len(sessions[name]) > 1 {
			parts[0].ID = name
		}
		if assemble(f, parts, false); f.err != nil {
			return
		}
	}
}

// at returns the time of a request.
func (l *log) at(i int) int64 {
	m, _ := ParseTime(l.list[i].time)
	return m.in(l.file.isUS())
}

// markOld marks the requests that another one repeats, and all but the last of those sent again.
func (l *log) markOld() {
	// byKey finds a request by its content, including the answer if the log has no sessions.
	byKey := map[uint64]int{}
	for i, r := range l.list {
		inputs := len(r.said)
		if r.session != "" && r.inputs > 0 {
			inputs = r.inputs
		}
		if inputs == 0 {
			continue
		}
		if first, ok := byKey[r.said[inputs-1]]; ok && r.session != "" && r.inputs > 0 {
			l.list[first].isOld = true
		}
		byKey[r.said[inputs-1]] = i
	}
	for i, r := range l.list {
		for _, key := range r.said[:max(0, r.inputs-1)] {
			if k, ok := byKey[key]; ok && k != i {
				l.list[k].isOld = true
			}
		}
	}
}
