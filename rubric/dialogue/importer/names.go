package importer

import (
	"strings"

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
	for s, r := range opt.Roles {
		n.roles[FoldName(s)] = r
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
			s = strings.TrimSuffix(strings.TrimRight(s, "0123456789 "), "#")
			usual, err := dialogue.ParseRole(kinds()["names"][strings.TrimSpace(s)])
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

// learn adds names of a side to the known ones.
func learn(known map[string]dialogue.Role, list []string, role dialogue.Role) {
	for _, name := range list {
		if name = FoldName(name); name != "" && len(name) <= maxName && len(known) < maxSpeakers {
			if _, ok := known[name]; !ok {
				known[name] = role
			}
		}
	}
}

// personal returns the name of a person, or "" for a name that is only a role, such as "Agent 2".
func personal(name string) string {
	folded := strings.TrimRight(FoldName(name), "#0123456789 ")
	_, usual := kinds()["names"][folded]
	if usual || folded == "true" || folded == "false" { // as in a column that marks who speaks
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
