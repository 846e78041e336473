package console

import (
	"fmt"
	"regexp"
	"strings"

	"assize/cmd/assize/internal/ui"
)

// problem is one or more messages that differ only in names and numbers.
type problem struct {
	kind, first string         // the latter is the first message
	count       int            // how many there are
	speakers    map[string]int // those of unknown role, by name: in how many dialogues
}

// list has the problems in the order in which the first of each came.
type list []*problem

// varying matches what differs between messages of one kind.
var varying = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|\d[\d,.]*`)

// add adds a message to those of its kind.
func (l *list) add(kind, text string) *problem {
	kind = varying.ReplaceAllString(kind, "#")
	for _, k := range *l {
		if k.kind == kind {
			k.count++
			return k
		}
	}
	k := &problem{kind: kind, first: text, count: 1, speakers: map[string]int{}}
	*l = append(*l, k)
	return k
}

// String is the first message, with the number of the others; of speakers of unknown role, the names.
func (k *problem) String() string {
	switch {
	case k.count == 1:
		return k.first
	case len(k.speakers) == 0:
		return fmt.Sprintf("%s (and %d more like this)", k.first, k.count-1)
	}
	const most = 8
	names := ui.ByFrequency(k.speakers)
	rest := len(names) - most
	for i, name := range names {
		names[i] = fmt.Sprintf("%q in %d", name, k.speakers[name])
	}
	if rest > 0 {
		names = append(names[:most], fmt.Sprintf("and %s more", ui.Counted(rest, "name")))
	}
	place, _, _ := strings.Cut(k.first, ": ")
	return fmt.Sprintf("%s: the first of %d dialogues with speakers of unknown role: %s; say who is judged with "+
		"--system-name NAME,NAME, which makes all others the USER, or give each a role with --role-map NAME=ROLE",
		place, k.count, strings.Join(names, ", "))
}
