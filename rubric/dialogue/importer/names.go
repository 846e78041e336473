package importer

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"assize/rubric/dialogue"
)

// names finds the role of a speaker's name.
type names struct {
	roles    map[string]dialogue.Role // those of Options, folded
	elseUser bool                     // any other name is a USER
	areRoles bool                     // the format names roles, so Options.SystemNames do not count
	// found caches the results by name as written, since a file repeats few names many times.
	found map[string]dialogue.Role
}

// nobody is the result for a name that does not show who speaks.
const nobody dialogue.Role = 255

func newNames(opt Options) *names {
	n := &names{roles: map[string]dialogue.Role{}, elseUser: len(opt.SystemNames) > 0,
		found: map[string]dialogue.Role{}}
	for _, s := range opt.SystemNames {
		n.roles[FoldName(s)] = dialogue.System
	}
	for _, s := range slices.Sorted(maps.Keys(opt.Roles)) { // of equal names the last counts
		n.roles[FoldName(s)] = opt.Roles[s]
	}
	return n
}

// role returns the role of a name, and reports whether it has one. If Options.SystemNames is set,
// any name that does not itself show who speaks is a USER.
func (n *names) role(name string) (dialogue.Role, bool) {
	if r := n.find(name); r != nobody {
		return r, true
	}
	return dialogue.User, n.elseUser
}

func (n *names) knows(name string) bool { return n.find(name) != nobody }

// side returns the role of the speaker as far as the message itself shows it.
func (n *names) side(s *message) dialogue.Role {
	if s.IsKnown {
		return s.Role
	}
	role, _ := n.role(s.Name)
	return role
}

// find looks up a name in Options.Roles, then in Options.SystemNames, then among the usual names,
// with or without additions: "agent", "Agent 2", "agent #2", "Priya (agent)" and "Agent (Priya)".
func (n *names) find(name string) dialogue.Role {
	if r, ok := n.found[name]; ok {
		return r
	}
	folded := FoldName(name)
	r, ok := n.roles[folded]
	if !ok {
		r = nobody
		base, inside, _ := strings.Cut(strings.TrimSuffix(folded, ")"), "(")
		for _, s := range []string{folded, base, inside} {
			s = strings.TrimSuffix(s, " says") // as in "Bot says"
			if role, id, ok := strings.Cut(s, " "); ok && strings.ContainsAny(id, "0123456789") {
				s = role + strings.TrimRight(" "+id, "0123456789abcdef") // Visitor 3f9a21
			}
			s = strings.TrimSuffix(strings.TrimRight(s, "0123456789 "), "#")
			usual, err := dialogue.ParseRole(kindOf("names", strings.TrimSpace(s)))
			if err == nil && r == nobody {
				r = usual
			}
		}
	}
	if len(n.found) >= 4096 { // every dialogue of a research corpus may have a speaker of its own
		clear(n.found)
	}
	n.found[strings.Clone(name)] = r
	return r
}

// learn adds names of a side to the known ones, folded and, to find them soon, as they are.
func learn(known map[string]dialogue.Role, list []string, role dialogue.Role) {
	const most = 10_000
	for _, name := range list {
		_, isKnown := known[name] // as in nearly all rows
		if isKnown || len(name) > maxName || len(known) >= most || FoldName(name) == "" {
			continue
		}
		for _, key := range []string{name, FoldName(name)} {
			if _, ok := known[key]; !ok {
				known[strings.Clone(key)] = role
			}
		}
	}
}

// personal returns the name of a person, or "" for a name that is only a role, such as "Agent 2".
func personal(name string) string {
	folded := strings.TrimRight(FoldName(name), "#0123456789 ")
	// The others are in a column that marks who speaks.
	if kindOf("names", folded) != "" || folded == "true" || folded == "false" {
		return ""
	}
	return dialogue.Short(name, dialogue.MaxFieldName)
}

// people returns the names in a cell, which may hold several.
func people(cell string) []string {
	isBetween := func(r rune) bool { return strings.ContainsRune(",;|/&", r) }
	return append(strings.FieldsFunc(cell, isBetween), cell)
}

const (
	maxSpeakers = 100 // listed for a dialogue
	maxListed   = 6   // named in an error
)

// The speaker and the time are at the beginning of a line.

// A parser finds the speaker of a line that begins a turn, and the offset at which the words begin;
// other lines continue the turn before. A turn without a name is OTHER.
type parser func(line string) (name string, words int, ok bool)

// label returns the name before the first colon in a line such as "**Agent:** Good morning" or "-
// Agent 2: Good morning", and the offset at which the words begin.
func label(line string) (name string, words int, ok bool) {
	head := line[:min(len(line), maxName)]
	colon := strings.IndexByte(head, ':')
	if colon < 0 {
		return "", 0, false
	}
	before := head[:colon]
	if strings.LastIndexAny(before, "([") > strings.LastIndexAny(before, ")]") {
		at := expr("timed").FindStringSubmatchIndex(head)
		if at == nil {
			return "", 0, false
		}
		before, colon = head[:at[3]]+head[at[4]:at[5]], at[5]
	}
	_, before = cutMark(before)
	if name = strings.Trim(before, " \t*_[]"); strings.Count(name, "[") > strings.Count(name, "]") {
		name += "]"
	}
	if name == "" || len(strings.Fields(name)) > maxNameWords || isStamped(name, head[colon+1:]) {
		return "", 0, false
	}
	rest := line[colon+1:]
	if strings.HasPrefix(before, "*") && !strings.HasSuffix(before, "*") {
		rest = strings.TrimLeft(rest, "*") // the bold part ends after the colon
	}
	return name, len(line) - len(strings.TrimLeft(rest, " \t")), true
}

// isStamped reports whether the name before a colon is, or begins with, a date or a time. A time in
// a form that the expression stamp does not match is not part of a name.
func isStamped(name, rest string) bool {
	isClock := len(rest) > 1 && isDigit(rest[0]) && isDigit(rest[1]) && isDigit(name[len(name)-1])
	if isClock || !isDigit(name[0]) {
		return isClock
	}
	for end := range name + " " {
		if end == len(name) || name[end] == ' ' || name[end] == ',' {
			if m, ok := ParseTime(name[:end]); ok && !m.IsNumber {
				return true
			}
		}
	}
	return false
}

// isName reports whether a label is like a name, or certainly is one.
func isName(label string) bool {
	return expr("name-like").MatchString(label) || personIn(label, ".") == certain
}

// odds says how likely it is that a label is a person who says what follows.
type odds uint8

const (
	unlikely odds = iota
	possible      // the words may as well begin a sentence
	likely        // if no other label in the dialogue is
	certain       // a phone number, an address, or a name that no heading has the form of
)

// isHeading reports whether a label has a word of headings; see unsaid.txt.
func isHeading(name string) bool {
	return !expr("given-name").MatchString(name) && slices.ContainsFunc(nameWords(name),
		func(w string) bool { return kindOf("unsaid", w) == "heading" })
}

// personIn returns the odds that a label is a person who says the words after it. A heading, as in
// "Order number: 7", is nobody, and most names must be followed by a sentence.
func personIn(name, said string) odds {
	if strings.HasPrefix(name, "(") { // as in (unknown)
		name = strings.Trim(name, "()")
	}
	words := nameWords(name)
	isSaid := strings.HasSuffix(said, "!") || strings.HasSuffix(said, "?") ||
		strings.HasSuffix(said, ".") || len(strings.Fields(said)) > 3
	last := len(words) - 1
	isRole := last > 0 && kindOf("names", words[last]) != "" // as in "Web visitor"
	switch {
	case expr("handle").MatchString(name), isSaid && expr("full-name").MatchString(name),
		isSaid && expr("tagged").MatchString(name) && !isHeading(words[0]),
		isSaid && isRole && !isHeading(strings.Join(words[:last], " ")):
		return certain
	case isSaid && expr("place-name").MatchString(name):
		return possible
	case !isSaid || len(words) == 0 || isHeading(name) || !unicode.IsLetter([]rune(name)[0]):
		return unlikely
	case expr("pair").MatchString(name):
		return certain
	case expr("short-name").MatchString(name):
		return likely
	}
	return possible
}

// cutStamp returns the length of the time at the beginning of a line, or 0.
func cutStamp(line string) int {
	head := line[:min(len(line), maxStamp)]
	if !strings.ContainsAny(head, "0123456789") {
		return 0 // the common case, which needs no regular expression
	}
	if m := expr("stamp").FindStringIndex(head); m != nil {
		return m[1]
	}
	if m := expr("bare-stamp").FindStringIndex(head); m != nil {
		if _, _, ok := label(line[m[1]:]); ok {
			return m[1]
		}
	}
	return 0
}

// turnIn finds the speaker of a line, whether or not the line begins with a time.
func turnIn(line string) (name string, stamped, ok bool) {
	n := cutStamp(line)
	name, words, ok := label(line[n:])
	return name, n > 0, ok && !strings.HasPrefix(line[n+words:], "//")
}
