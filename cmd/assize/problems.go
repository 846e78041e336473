package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

// problem is what is wrong with one or more things that were read, all in the same way.
type problem struct {
	kind, first string         // the latter is the message on the first of them
	place       string         // of the first
	count       int            // how many there are
	speakers    map[string]int // those of unknown role, by name: in how many dialogues
}

// varying matches what differs between messages of one kind.
var varying = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|\d[\d,.]*`)

// put adds a message to those of its kind.
func put(list []*problem, kind, text string) ([]*problem, *problem) {
	kind = varying.ReplaceAllString(kind, "#")
	for _, k := range list {
		if k.kind == kind {
			k.count++
			return list, k
		}
	}
	k := &problem{kind: kind, first: text, count: 1, speakers: map[string]int{}}
	return append(list, k), k
}

// unread notes what is wrong with one of the things that are read, and makes the exit code say so. It is told by
// tellProblems, in one line with all that are wrong in the same way.
func (p *program) unread(err error) {
	p.complained = true
	if p.redacts {
		err = redact.Error(err)
	}
	syntax, ok := errors.AsType[*dialogue.SyntaxError](err)
	if !ok {
		p.problems, _ = put(p.problems, err.Error(), err.Error())
		return
	}
	kind := syntax.Msg
	if len(syntax.Speakers) > 0 {
		kind = "speakers"
	}
	var k *problem
	if p.problems, k = put(p.problems, kind, err.Error()); k.count == 1 {
		k.place, _, _ = strings.Cut(k.first, ": ")
	}
	for _, name := range syntax.Speakers {
		k.speakers[name]++
	}
}

// tellProblems tells what was noted since the last call.
func (p *program) tellProblems() {
	for _, k := range p.problems {
		p.note(k.String())
	}
	p.problems = nil
}

// String is the message on the first, with the number of the others; of speakers of unknown role, the names.
func (k *problem) String() string {
	switch {
	case k.count == 1:
		return k.first
	case len(k.speakers) == 0:
		return fmt.Sprintf("%s (and %d more like this)", k.first, k.count-1)
	}
	const most = 8
	names := summary.ByFrequency(k.speakers)
	rest := len(names) - most
	for i, name := range names {
		names[i] = fmt.Sprintf("%q in %d", name, k.speakers[name])
	}
	if rest > 0 {
		names = append(names[:most], fmt.Sprintf("and %s more", ui.Counted(rest, "name")))
	}
	return fmt.Sprintf("%s: the first of %d dialogues with speakers of unknown role: %s; say who is judged with "+
		"--system-name NAME,NAME, which makes all others the USER, or give each a role with --role-map NAME=ROLE",
		k.place, k.count, strings.Join(names, ", "))
}
