package dialogue

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// ParseRole reads a value of --role-map: system, user or other, in any case.
func ParseRole(s string) (Role, error) {
	for _, r := range []Role{Other, System, User} {
		if strings.EqualFold(strings.TrimSpace(s), r.String()) {
			return r, nil
		}
	}
	return Other, fmt.Errorf("unknown role %q; want system, user or other", s)
}

// FoldName gives the form in which the names of speakers are compared: lower case, with single spaces
// where the source has spaces, underscores or hyphens, and without the marks of bold text.
func FoldName(name string) string {
	const gaps = " _-*\t\u00a0"
	if name = strings.ToLower(name); !strings.ContainsAny(name, gaps) {
		return name // as most
	}
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(gaps, r) }), " ")
}

//go:embed names.txt aside.txt ratings.txt unsaid.txt
var wordFiles embed.FS

// kinds gives the kinds of words, by the file that has them. A line has a kind, a space and a word, or begins with #.
var kinds = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, name := range []string{"names", "aside", "ratings", "unsaid"} {
		data, err := wordFiles.ReadFile(name + ".txt")
		if err != nil {
			panic(err)
		}
		all[name] = map[string]string{}
		for line := range strings.Lines(string(data)) {
			if kind, word, ok := strings.Cut(strings.TrimSpace(line), " "); ok && kind != "#" {
				all[name][word] = kind
			}
		}
	}
	return all
})

// learn adds names of a side to those that are known.
func learn(known map[string]Role, list []string, role Role) {
	for _, name := range list {
		if name = FoldName(name); name != "" && len(name) <= maxName && len(known) < maxSpeakers {
			if _, ok := known[name]; !ok {
				known[name] = role
			}
		}
	}
}

// names tells who speaks under a name.
type names struct {
	roles    map[string]Role // those of Options, folded
	elseUser bool            // any other name is a USER
	areRoles bool            // the format names roles, so that Options.SystemNames do not count
	found    map[string]Role // answers by name as written, since a file repeats few names many times
}

// nobody is the answer for a name that does not say who speaks.
const nobody Role = 255

func newNames(opt Options) *names {
	n := &names{roles: map[string]Role{}, elseUser: len(opt.SystemNames) > 0, found: map[string]Role{}}
	for _, s := range opt.SystemNames {
		n.roles[FoldName(s)] = System
	}
	for s, r := range opt.Roles {
		n.roles[FoldName(s)] = r
	}
	return n
}

// role gives the role of a name, and whether it has one. Where there are Options.SystemNames, any name that does not
// say itself who speaks is a USER.
func (n *names) role(name string) (Role, bool) {
	if r := n.find(name); r != nobody {
		return r, true
	}
	return User, n.elseUser
}

func (n *names) knows(name string) bool { return n.find(name) != nobody }

// find finds a name in Options.Roles, then in Options.SystemNames, then among the usual names, which it may extend:
// "agent", "Agent 2", "agent #2", "Priya (agent)" and "Agent (Priya)".
func (n *names) find(name string) Role {
	if r, ok := n.found[name]; ok {
		return r
	}
	folded := FoldName(name)
	r, ok := n.roles[folded]
	if !ok {
		r = nobody
		base, inside, _ := strings.Cut(strings.TrimSuffix(folded, ")"), "(")
		for _, s := range []string{folded, base, inside} {
			s = strings.TrimSuffix(strings.TrimRight(s, "0123456789 "), "#")
			if usual, err := ParseRole(kinds()["names"][strings.TrimSpace(s)]); err == nil && r == nobody {
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

// personal gives the name of a person; "" for one that says the role alone, such as "Agent 2".
func personal(name string) string {
	folded := strings.TrimRight(FoldName(name), "#0123456789 ")
	_, usual := kinds()["names"][folded]
	if usual || folded == "true" || folded == "false" { // as in a column that tells who speaks
		return ""
	}
	return within(name, MaxFieldName)
}

// people gives the names in a cell, which may hold several.
func people(cell string) []string {
	isBetween := func(r rune) bool { return strings.ContainsRune(",;|/&", r) }
	return append(strings.FieldsFunc(cell, isBetween), cell)
}

// addAgents notes names that the source gives to the SYSTEM of one dialogue: in the others they speak for the SYSTEM, too.
func (f *file) addAgents(names []string) {
	const most = 10_000
	for _, name := range names {
		if !f.agents[name] && name != "" && len(f.agents) < most {
			f.agents[strings.Clone(name)], f.agents[FoldName(name)] = true, true
		}
	}
}

// quote puts a name of the source between quotes, short enough for an error.
func quote(name string) string {
	const most = 60
	if r := []rune(name[:min(len(name), 4*most)]); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strconv.Quote(clean(name))
}
