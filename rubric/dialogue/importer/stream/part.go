package stream

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
)

// Part is what a source says about a conversation in one place: in a row, in a message that is a
// value of its own, or in the whole file. A spool does not keep what is embedded.
type Part struct {
	ID        string  // of the conversation; if empty, that of the part above
	Turn      float64 // number within the conversation; NaN if the source has none
	Messages  []Message
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
	Truth   dialogue.Truth // of all turns
	Request Request        // what a log needs to know about it
	IsRow   bool           // the conversation may have other parts
	Reply   string         // reply to the whole conversation, if that ends with the USER
	IsWhole bool           // the text is a whole conversation
	IsEmpty bool           // it has no message, as in a step of a trace
	IsUnmet bool           // a message does not meet the condition of --columns
	Parent  string         // the id of the message that this one answers

	Omissions Omissions // of the file
	Version   Version   // of the message, if the source has several
	Link      Link      // of the message, if nothing else separates conversations
}

// Message is what one speaker says, as the source writes it.
type Message struct {
	Name     string // of the speaker; empty for nobody
	Text     string
	Time     string        // see ParseTime
	Role     dialogue.Role // of the speaker, if known
	IsKnown  bool          // the source states the role
	IsOurs   bool          // in the form of assize, so that no format gives SYSTEM another role
	IsNote   bool          // it was not said to the other side
	Person   string        // the name of the speaker, if Name is a role or a kind of message
	Line     int           // 0 means that of the part
	CallIDs  string        // the ids of its tool calls, one line per line of Text
	ResultID string        // the id of the call whose result it is
	unspooledMessage
}

// unspooledMessage is what only the reader of a message needs.
type unspooledMessage struct {
	Speaker  string // the role label, if Name is a person's name
	Conv     string // the id of the conversation, if the message itself has one
	At       lex.Moment
	HasTime  bool
	IsAnswer bool // the answer to a request in a log
	IsData   bool // JSON instead of words
}

// Wrong records an error of the part, at its own line or at another. Only the first error counts.
func (p *Part) Wrong(msg, hint string, line ...int) {
	if p.Err == nil {
		p.Err = &SyntaxError{Line: append(line, p.Line)[0], Msg: msg, Hint: hint}
	}
}

// Link has the ids of the message in a row, and of those that it answers or that answer it: in
// tables of a social network, these are a conversation.
type Link struct {
	Message string
	Others  []string
}

// Linked returns the ids in a cell, which may hold several.
func Linked(cell string) (list []string) {
	isBetween := func(r rune) bool { return r == ',' || r == ';' || r == ' ' }
	list = lex.Each(strings.FieldsFunc(cell, isBetween), lex.PlainID)
	return slices.DeleteFunc(list, func(id string) bool { return strings.EqualFold(id, "nan") })
}

// Version identifies the message of a row, and the version of that message. Exports of data
// warehouses have a row for every version: as it was sent, as it was edited, as it was loaded
// again. Of rows with the same message id, the newest version counts.
type Version struct {
	of uint64     // a hash of the id of the message; 0 for none
	at lex.Moment // the later, the newer
}

// seed differs from process to process, so that nobody can write texts whose hashes are equal.
var seed = maphash.MakeSeed()

// Hash returns a hash of an id.
func Hash(id string) uint64 { return maphash.String(seed, id) }

// NewVersion returns the version of a message that has an id; at orders its versions.
func NewVersion(id, at string) (v Version) {
	if id == "" {
		return v
	}
	v.of = max(1, Hash(id))
	if is, ok := lex.IsTrue(at); ok && is {
		v.at = lex.Moment{US: 1, EU: 1}
	} else if m, ok := lex.ParseTime(at); ok {
		v.at = m
	}
	return v
}

// Request is one line of a log.
type Request struct {
	Session string
	Time    string
	said    []uint64 // hashes of the session and all up to each message; the answer is last
	inputs  int      // messages without the answer
	prompts int      // number of those that are prompts
}

// Say adds a message, which may be the answer or a prompt.
func (r *Request) Say(name, text string, isAnswer, isPrompt bool) {
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
		Hash(fmt.Sprintf("%s\x00%d\x00%s\x00%s", r.Session, before, lex.FoldName(name), text)))
}

// IsLogged reports whether a conversation is a request that others may repeat.
func (p *Part) IsLogged() bool {
	return p.Request.Session != "" || len(p.Request.said) > p.Request.inputs
}

// Side returns the role of the speaker as far as the message itself shows it.
func (n *Names) Side(s *Message) dialogue.Role {
	if s.IsKnown {
		return s.Role
	}
	role, _ := n.Role(s.Name)
	return role
}

// Omissions counts what is not read, by its kind in omitted.txt, a NUL and its place.
type Omissions map[string]int

// Add counts something at a place, which may be empty.
func (u Omissions) Add(kind, at string) {
	if u != nil {
		u[kind+"\x00"+at]++
	}
}

// First counts something of a kind, of which only the first place is reported.
func (u Omissions) First(kind, at string) {
	for key := range u {
		if before, is := strings.CutPrefix(key, kind+"\x00"); is {
			at = before
		}
	}
	u.Add(kind, at)
}

// Untyped counts a message without a member, among those of skip, that tells it from events.
func (u Omissions) Untyped(skip lex.Paths, m lex.Object) {
	for _, place := range skip {
		name, _, _ := strings.Cut(place.Text, "=")
		if lex.In(name, "message-kind") && (lex.Paths{{Steps: place.Steps}}).First(m) == nil {
			u.Add("untyped", lex.Quote(name))
		}
	}
}

// LookElsewhere counts a message without a text that has words in another member.
func (u Omissions) LookElsewhere(o lex.Object) {
	for _, m := range o {
		isInside := m.Value.Kind() == '{' || m.Value.Kind() == '['
		if isInside && !lex.NameHas(m.Name, "who") &&
			!lex.In(m.Folded, "no-words") && lex.HasWords(m.Value) {
			u.Add("elsewhere", lex.Quote(m.Name))
			return
		}
	}
}

// ToolCall is the speaker of a message in which the model calls a tool and says nothing, and
// ToolResult the speaker of a result; names.txt makes both OTHER.
const ToolCall, ToolResult = "function call", "tool"

// Names finds the role of a speaker's name.
type Names struct {
	Roles    map[string]dialogue.Role // those of Options, folded
	ElseUser bool                     // any other name is a USER
	areRoles bool                     // the format names roles, so Options.SystemNames do not count
	found    map[string]usual         // results by name as written, as a file repeats few names
}

// usual is what a name shows: a role, and the words of names.txt by which it does.
type usual struct {
	role  dialogue.Role
	words string
}

// Nobody is the result for a name that does not show who speaks.
const Nobody dialogue.Role = 255

// NewNames returns the names whose roles the options determine.
func NewNames(opt Options) *Names {
	n := &Names{Roles: map[string]dialogue.Role{}, ElseUser: len(opt.SystemNames) > 0,
		found: map[string]usual{}}
	for _, s := range opt.SystemNames {
		n.Roles[lex.FoldName(s)] = dialogue.System
	}
	for _, s := range slices.Sorted(maps.Keys(opt.Roles)) { // of equal names the last counts
		n.Roles[lex.FoldName(s)] = opt.Roles[s]
	}
	return n
}

// Role returns the role of a name, and reports whether it has one. If Options.SystemNames is set,
// any name that does not itself show who speaks is a USER.
func (n *Names) Role(name string) (dialogue.Role, bool) {
	if r := n.Find(name); r != Nobody {
		return r, true
	}
	return dialogue.User, n.ElseUser
}

// Knows reports whether a name shows who speaks.
func (n *Names) Knows(name string) bool { return n.Find(name) != Nobody }

// Find looks up a name in Options.Roles, then in Options.SystemNames, then among the usual names,
// with or without additions: "agent", "Agent 2", "agent #2", "Priya (agent)" and "Agent (Priya)".
func (n *Names) Find(name string) dialogue.Role { return n.find(name).role }

func (n *Names) find(name string) usual {
	if u, ok := n.found[name]; ok {
		return u
	}
	folded := lex.FoldName(name)
	u := usualName(folded)
	if r, ok := n.Roles[folded]; ok {
		u = usual{role: r}
	}
	if len(n.found) >= 4096 { // every dialogue of a research corpus may have a speaker of its own
		clear(n.found)
	}
	n.found[strings.Clone(name)] = u
	return u
}

// usualName returns what a folded name shows that is usual, perhaps with additions, or Nobody.
func usualName(folded string) usual {
	base, inside, _ := strings.Cut(strings.TrimSuffix(folded, ")"), "(")
	if u := (usual{dialogue.Other, inside}); u.isNote() { // as in Agent (private note)
		return u
	}
	inside, _, _ = strings.Cut(inside, ",") // as in Ann Lee (customer, Leeds)
	for _, s := range []string{folded, base, inside} {
		s = strings.TrimSuffix(s, " says") // as in "Bot says"
		if role, id, ok := strings.Cut(s, " "); ok && strings.ContainsAny(id, "0123456789") {
			s = role + strings.TrimRight(" "+id, "0123456789abcdef") // Visitor 3f9a21
		}
		s = strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(s, "0123456789 "), "#"))
		if r, err := dialogue.ParseRole(lex.Kind("names", s)); err == nil {
			return usual{r, s}
		}
	}
	return usual{role: Nobody}
}

// isNote reports whether a name marks what agents tell each other.
func (u usual) isNote() bool {
	return u.role == dialogue.Other && lex.Kind("names", u.words) != "" &&
		lex.In(lex.FoldColumn(u.words), "note")
}

// Learn adds names of a side to the known ones, folded and, to find them soon, as they are.
func Learn(known map[string]dialogue.Role, list []string, role dialogue.Role) {
	const most = 10_000
	for _, name := range list {
		_, isKnown := known[name] // as in nearly all rows
		if isKnown || len(name) > lex.MaxName || len(known) >= most || lex.FoldName(name) == "" {
			continue
		}
		for _, key := range []string{name, lex.FoldName(name)} {
			if _, ok := known[key]; !ok {
				known[strings.Clone(key)] = role
			}
		}
	}
}

// personal returns the name of a person, or "" for a name that is only a role, such as "Agent 2".
func personal(name string) string {
	folded := strings.TrimRight(lex.FoldName(name), "#0123456789 ")
	// The others are in a column that marks who speaks.
	if lex.Kind("names", folded) != "" || folded == "true" || folded == "false" {
		return ""
	}
	return dialogue.Short(name, dialogue.MaxFieldName)
}

// People returns the names in a cell, which may hold several.
func People(cell string) []string {
	isBetween := func(r rune) bool { return strings.ContainsRune(",;|/&", r) }
	return append(strings.FieldsFunc(cell, isBetween), cell)
}

const maxSpeakers, maxListed = 100, 6 // listed for a dialogue, and named in an error
