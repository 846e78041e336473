package importer

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// This file defines the form in which every reader passes on what it read.

// part is what a source says about a conversation in one place: in a row, in a message that is a
// value of its own, or in the whole file. A spool does not keep what is embedded.
type part struct {
	ID        string  // of the conversation; if empty, that of the part above
	Turn      float64 // number within the conversation; NaN if the source has none
	Messages  []message
	Rating    string
	Agent     []string         // names of the agents of this conversation, if the source lists them
	Customer  []string         // names of the customers
	Meta      []dialogue.Field // other metadata
	Line      int
	Err       *SyntaxError // what is wrong with the part
	IsRequest bool         // it is a request to a model with an answer
	Tools     []string     // the names of those that the SYSTEM could call
	unspooledPart
}

// unspooledPart is what only the reader of a part and the first to use it need.
type unspooledPart struct {
	truth   dialogue.Truth // of all turns
	request request        // what a log needs to know about it
	isRow   bool           // the conversation may have other parts
	reply   string         // reply to the whole conversation, if that ends with the USER
	isWhole bool           // the text is a whole conversation
	isEmpty bool           // it has no message, as in a step of a trace
	isUnmet bool           // a message does not meet the condition of --columns
	parent  string         // the id of the message that this one answers

	omissions omissions // of the file
	version   version   // of the message, if the source has several
	link      link      // of the message, if nothing else separates conversations
}

// message is what one speaker says, as the source writes it.
type message struct {
	Name     string // of the speaker; empty for nobody
	Text     string
	Time     string        // see ParseTime
	Role     dialogue.Role // of the speaker, if known
	IsKnown  bool          // the source states the role
	IsOurs   bool          // in the form of assize, so that no format gives SYSTEM another role
	IsNote   bool          // it was not said to the other side
	Line     int           // 0 means that of the part
	CallIDs  string        // the ids of its tool calls, one line per line of Text
	ResultID string        // the id of the call whose result it is
	unspooledMessage
}

// unspooledMessage is what only the reader of a message needs.
type unspooledMessage struct {
	speaker  string // the role label, if Name is a person's name
	conv     string // the id of the conversation, if the message itself has one
	at       Moment
	hasTime  bool
	isAnswer bool // the answer to a request in a log
	isData   bool // JSON instead of words
}

// wrong records an error of the part, at its own line or at another. Only the first error counts.
func (p *part) wrong(msg, hint string, line ...int) {
	if p.Err == nil {
		p.Err = &SyntaxError{Line: append(line, p.Line)[0], Msg: msg, Hint: hint}
	}
}

// In tables of a social network, the messages that answer one another are a conversation.

// link has the ids of the message in a row, and of those that it answers or that answer it.
type link struct {
	message string
	others  []string
}

// linked returns the ids in a cell, which may hold several.
func linked(cell string) (list []string) {
	isBetween := func(r rune) bool { return r == ',' || r == ';' || r == ' ' }
	for id := range strings.FieldsFuncSeq(cell, isBetween) {
		list = append(list, expr("point-zero").ReplaceAllString(id, "$1"))
	}
	return slices.DeleteFunc(list, func(id string) bool { return strings.EqualFold(id, "nan") })
}

// Exports of data warehouses have a row for every version of a message: as it was sent, as it was
// edited, as it was loaded again. Of rows with the same message id, the newest version counts.

// version identifies the message of a row, and the version of that message.
type version struct {
	of uint64 // a hash of the id of the message; 0 for none
	at Moment // the later, the newer
}

// seed differs from process to process, so that nobody can write texts whose hashes are equal.
var seed = maphash.MakeSeed()

func hashOf(id string) uint64 { return maphash.String(seed, id) }

func newVersion(id, at string) (v version) {
	if id == "" {
		return v
	}
	v.of = max(1, hashOf(id))
	if is, ok := isTrue(at); ok && is {
		v.at = Moment{US: 1, EU: 1}
	} else if m, ok := ParseTime(at); ok {
		v.at = m
	}
	return v
}

// request is one line of a log.
type request struct {
	session string
	time    string
	// said holds a hash of the session and everything up to each message; the answer is last.
	said    []uint64
	inputs  int // messages without the answer
	prompts int // number of those that are prompts
}

// say adds a message, which may be the answer or a prompt.
func (r *request) say(name, text string, isAnswer, isPrompt bool) {
	if !isAnswer {
		r.inputs++
	}
	if isPrompt && !isAnswer {
		r.prompts++
	}
	before := uint64(0)
	if n := len(r.said); n > 0 {
		before = r.said[n-1]
	}
	r.said = append(r.said,
		hashOf(fmt.Sprintf("%s\x00%d\x00%s\x00%s", r.session, before, FoldName(name), text)))
}

// isLogged reports whether a conversation is a request that others may repeat.
func (p *part) isLogged() bool {
	return p.request.session != "" || len(p.request.said) > p.request.inputs
}

// joined merges consecutive messages of a speaker, or of nobody, into one.
func joined(list []message) (all []message) {
	for from, to := 0, 0; from < len(list); from = to {
		s := list[from]
		var texts []string
		for to = from; to < len(list) &&
			(to == from || list[to].speaker == "" || list[to].speaker == s.speaker); to++ {
			texts = append(texts, strings.TrimSpace(list[to].Text))
		}
		s.Text = strings.Join(texts, " ")
		all = append(all, s)
	}
	return all
}

// areWords reports whether nearly all messages are single words, to be joined, and says so.
func areWords(f *file, list []message) bool {
	const few = 8
	n := number(slices.Values(list), func(s message) bool {
		return !strings.ContainsAny(strings.TrimSpace(s.Text), " \n")
	})
	is := len(list) >= few && 10*n >= 9*len(list)
	if is {
		f.report("the texts are single words; those of a speaker in a row are one turn")
	}
	return is
}

// forest joins connected messages, or rows with the same id, into trees, as a union-find structure.
type forest struct {
	nodes  map[uint64]int32 // by a hash of the id of a message or a conversation
	parent []int32
}

func (t *forest) node(id string) int32 {
	hash := hashOf(id)
	n, ok := t.nodes[hash]
	if !ok {
		n = int32(len(t.parent))
		if t.nodes == nil {
			t.nodes = map[uint64]int32{}
		}
		t.nodes[hash] = n
		t.parent = append(t.parent, n)
	}
	return n
}

// root returns the root of a tree. It halves the path to the root, which speeds up the next call.
func (t *forest) root(n int32) int32 {
	for t.parent[n] != n {
		t.parent[n] = t.parent[t.parent[n]]
		n = t.parent[n]
	}
	return n
}

// put adds a message, joins it with those it is connected to, and returns its node.
func (t *forest) put(l *link) int32 {
	n := t.node(l.message)
	for _, id := range l.others {
		t.join(n, t.node(id))
	}
	return n
}

// join joins the trees of two nodes.
func (t *forest) join(a, b int32) {
	a, b = t.root(a), t.root(b)
	t.parent[max(a, b)] = min(a, b)
}

// branches finds messages that a side has answered twice, as in versions of a conversation.
type branches struct {
	answered map[string]bool // by role and message
	again    int             // number of further answers
}

// add records that a role has answered a message.
func (b *branches) add(message string, role dialogue.Role) {
	if message == "" || role != dialogue.System && role != dialogue.User {
		return
	}
	if b.answered == nil {
		b.answered = map[string]bool{}
	}
	if key := role.String() + message; b.answered[key] {
		b.again++
	} else {
		b.answered[key] = true
	}
}

// String returns what is wrong with the branches, or "".
func (b *branches) String() string {
	if b.again == 0 {
		return ""
	}
	return counted(b.again, "second answer") +
		" to the same message, and only one belongs to the conversation"
}

const branchHint = "export one branch of the conversation"
