package accord

import (
	"fmt"
	"path"
	"strings"
)

// By says what makes dialogues a group.
type By string

// The ways to group. [Auto] is by file, unless no file holds enough rated dialogues.
const (
	Auto     By = ""
	ByFile   By = "file"
	ByFolder By = "folder"
	ByFormat By = "format"
	ByAll    By = "all"
)

// origin is where a dialogue comes from.
type origin struct{ file, format string }

// of names the group of a dialogue.
func (b By) of(o origin) string {
	switch b {
	case ByFile:
		return o.file
	case ByFolder:
		return path.Dir(strings.ReplaceAll(o.file, `\`, "/"))
	case ByFormat:
		return o.format
	}
	return string(ByAll)
}

// Plural is the word for several groups.
func (b By) Plural() string {
	if b == ByAll {
		return "groups"
	}
	return string(b) + "s"
}

// grouped are things by group, in the order in which the groups first come.
type grouped[T any] struct {
	names   []string
	members [][]T
}

func group[T any](list []T, by func(*T) string) grouped[T] {
	var g grouped[T]
	at := map[string]int{}
	for i := range list {
		name := by(&list[i])
		k, ok := at[name]
		if !ok {
			k = len(g.names)
			at[name] = k
			g.names, g.members = append(g.names, name), append(g.members, nil)
		}
		g.members[k] = append(g.members[k], list[i])
	}
	return g
}

// largest is the size of the largest group.
func (g *grouped[T]) largest() int {
	n := 0
	for _, m := range g.members {
		n = max(n, len(m))
	}
	return n
}

// divide groups dialogues. Where nobody said how and no group would be large enough for a figure, it takes the next
// larger ones that are, and says so.
func divide[T any](what string, list []T, by By, from func(*T) origin) (grouped[T], By, string) {
	try := func(by By) grouped[T] { return group(list, func(v *T) string { return by.of(from(v)) }) }
	if by == ByAll && len(try(ByFile).names) > 1 {
		return try(by), by, "All files are taken together, so the figures also give credit for telling one file from another."
	}
	if by != Auto {
		return try(by), by, ""
	}
	if g := try(ByFile); g.largest() >= Fewest || len(list) < Fewest {
		return g, ByFile, ""
	}
	if g := try(ByFolder); g.largest() >= Fewest {
		return g, ByFolder, fmt.Sprintf("No file holds %d %s, so they are taken together by folder.", Fewest, what)
	}
	return try(ByAll), ByAll, fmt.Sprintf("No file and no folder holds %d %s, so all are taken together.", Fewest, what)
}
