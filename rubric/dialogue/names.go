package dialogue

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// ParseRole reads a value of --role-map: system, user or other, in any case.
func ParseRole(s string) (Role, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "system":
		return System, nil
	case "user":
		return User, nil
	case "other":
		return Other, nil
	}
	return Other, fmt.Errorf("unknown role %q; want system, user or other", s)
}

// FoldName gives the form in which the names of speakers are compared: lower case, with single spaces
// where the source has spaces, underscores or hyphens, and without the marks of bold text.
func FoldName(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '*' || r == '\t' || r == '\u00a0'
	})
	return strings.Join(words, " ")
}

//go:embed names.txt
var usualNamesFile string

// usualNames are the speaker names that need no --role-map, folded.
var usualNames = sync.OnceValue(func() map[string]Role {
	roles := make(map[string]Role)
	for line := range strings.Lines(usualNamesFile) {
		if role, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && role != "#" {
			r, err := ParseRole(role)
			if err != nil {
				panic("names.txt: " + err.Error()) // the file is ours
			}
			roles[name] = r
		}
	}
	return roles
})

// names tells who speaks under a name.
type names struct {
	system map[string]bool
	roles  map[string]Role
	usual  map[string]Role
	known  map[string]identity // answers by name as written, since a file repeats few names many times
}

// identity is the answer for one name.
type identity struct {
	role Role
	ok   bool
}

// maxKnown bounds the cache: a research corpus may have a speaker a dialogue.
const maxKnown = 4096

func newNames(opt Options) *names {
	n := &names{
		system: make(map[string]bool, len(opt.SystemNames)),
		roles:  make(map[string]Role, len(opt.Roles)),
		usual:  usualNames(),
		known:  make(map[string]identity),
	}
	for _, s := range opt.SystemNames {
		n.system[FoldName(s)] = true
	}
	for s, r := range opt.Roles {
		n.roles[FoldName(s)] = r
	}
	return n
}

// role gives the role of a name, and whether it has one. Options.Roles comes first, then Options.SystemNames, then
// the usual names, so that files with and without them can be read together; where there are SystemNames,
// everybody else is a USER.
func (n *names) role(name string) (Role, bool) {
	if n.knows(name) {
		return n.known[name].role, true
	}
	return User, len(n.system) > 0
}

// knows reports whether the name itself says who speaks, without the rule that everybody whom
// --system-name does not list is a USER.
func (n *names) knows(name string) bool {
	id, ok := n.known[name]
	if !ok {
		id.role, id.ok = n.look(name)
		if len(n.known) >= maxKnown {
			clear(n.known)
		}
		n.known[strings.Clone(name)] = id
	}
	return id.ok
}

func (n *names) look(name string) (Role, bool) {
	folded := FoldName(name)
	if r, ok := n.roles[folded]; ok {
		return r, true
	}
	if n.system[folded] {
		return System, true
	}
	return n.lookUsual(folded)
}

// lookUsual finds "agent", "Agent 2", "agent #2", "Priya (agent)" and "Agent (Priya)".
func (n *names) lookUsual(folded string) (Role, bool) {
	base, inside, _ := strings.Cut(strings.TrimSuffix(folded, ")"), "(")
	for _, s := range [...]string{folded, base, inside} {
		s = strings.TrimRight(s, "0123456789 ")
		if r, ok := n.usual[strings.TrimSpace(strings.TrimSuffix(s, "#"))]; ok {
			return r, true
		}
	}
	return Other, false
}

// mapped gives the role that Options.Roles gives a name, for formats that tell the role without a name.
func (f *file) mapped(name string) (Role, bool) {
	r, ok := f.who.roles[FoldName(name)]
	return r, ok
}

// quote puts a name of the source between quotes, short enough for an error.
func quote(name string) string {
	const most = 60
	if r := []rune(name[:min(len(name), 4*most)]); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strconv.Quote(clean(name))
}
