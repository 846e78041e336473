package importer

import (
	"hash/fnv"
	"slices"
	"strings"
)

// Tables of a social network have no id of a conversation. Each message names the one it answers,
// and connected messages form a conversation.

// link identifies the message in a row and the messages that it answers or that answer it. The
// strings are those of the source.
type link struct {
	message string
	others  []string
}

// forest joins connected messages into trees, as a union-find structure.
type forest struct {
	nodes  map[uint64]int32 // by a hash of the id of the message
	parent []int32
}

func (t *forest) node(id string) int32 {
	h := fnv.New64a()
	h.Write([]byte(id))
	n, ok := t.nodes[h.Sum64()]
	if !ok {
		n = int32(len(t.parent))
		if t.nodes == nil {
			t.nodes = map[uint64]int32{}
		}
		t.nodes[h.Sum64()] = n
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
		a, b := t.root(n), t.root(t.node(id))
		t.parent[max(a, b)] = min(a, b)
	}
	return n
}

// settleThreads numbers the conversations of linked rows in the order of their first rows.
func (g *rows) settleThreads() {
	if g.threads.parent == nil {
		return
	}
	convs := map[int32]int32{}
	for i := range g.keys {
		root := g.threads.root(g.keys[i].conv)
		if _, ok := convs[root]; !ok {
			convs[root] = int32(len(convs))
		}
		g.keys[i].conv = convs[root]
	}
	g.n, g.threads = int32(len(convs)), forest{}
}

// findThreads finds the column with the id of a message and the columns that name the messages it
// answers or that answer it: their values are mostly ids of other messages. It reports whether they
// exist.
func (c *finder) findThreads() bool {
	if c.transcripts || c.pairs || c.place[turnColumn] >= 0 || c.file.isAsked(turnColumn) {
		return false
	}
	for i := range c.list {
		s := &c.list[i]
		isID := anyIn(s.words, "mark") || foldColumn(s.name) == "id"
		if !isID || s.filled < len(c.sample) || s.repeats() || anyIn(s.words, "answers") {
			continue
		}
		var links []int
		for k := range c.list {
			if k != i && c.list[k].isLink() && c.areLinks(k, s) {
				links = append(links, k)
			}
		}
		if links != nil {
			c.thread, c.links, c.place[idColumn] = i, links, -1
			return true
		}
	}
	return false
}

// isLink reports whether the name of a column says that it holds the ids of messages that other
// messages answer.
func (s *shape) isLink() bool {
	isTo := slices.Contains(s.words, "to") || slices.Contains(s.words, "parent")
	return (isTo || anyIn(s.words, "mark")) && anyIn(s.words, "answers")
}

// areLinks reports whether most values of a column are ids in another column.
func (c *finder) areLinks(k int, ids *shape) bool {
	found, all := 0, 0
	for v, n := range c.list[k].values {
		for _, id := range linked(v) {
			if all += n; ids.values[id] > 0 {
				found += n
			}
		}
	}
	return found > 1 && 10*found >= 6*all
}

// linked returns the ids in a cell, which may hold several.
func linked(cell string) (list []string) {
	isBetween := func(r rune) bool { return r == ',' || r == ';' || r == ' ' }
	for id := range strings.FieldsFuncSeq(cell, isBetween) {
		list = append(list, pointZero().ReplaceAllString(id, "$1"))
	}
	return slices.DeleteFunc(list, func(id string) bool { return strings.EqualFold(id, "nan") })
}
