package check

import (
	"slices"
	"strconv"
)

// doubled tells of keys that an object of the document has twice. Which of the values counts depends on the
// reader; here the last does.
func (x *exam) doubled() {
	for _, m := range x.root.members {
		if !x.record.adds(m.key) && hasDoubled(m.value) {
			x.doubledIn(m.value, pointer("", m.key))
		}
	}
	if doubledKey(x.root) {
		x.doubledHere(x.root, "")
	}
}

// hasDoubled reports whether a key is doubled anywhere in n.
func hasDoubled(n *node) bool {
	return n.kind == object && doubledKey(n) ||
		slices.ContainsFunc(n.members, func(m member) bool { return hasDoubled(m.value) }) ||
		slices.ContainsFunc(n.items, hasDoubled)
}

// doubledKey reports whether a key of n itself is doubled.
func doubledKey(n *node) bool {
	if len(n.members) > 16 {
		seen := make(map[string]bool, len(n.members))
		for _, m := range n.members {
			seen[m.key] = true
		}
		return len(seen) < len(n.members)
	}
	for i, m := range n.members {
		for _, before := range n.members[:i] {
			if before.key == m.key {
				return true
			}
		}
	}
	return false
}

func (x *exam) doubledIn(n *node, path string) {
	x.doubledHere(n, path)
	for _, m := range n.members {
		x.doubledIn(m.value, pointer(path, m.key))
	}
	for i, it := range n.items {
		x.doubledIn(it, item(path, i))
	}
}

func (x *exam) doubledHere(n *node, path string) {
	seen := make(map[string]bool, len(n.members))
	for _, m := range n.members {
		if seen[m.key] {
			f := Finding{ID: "key-doubled", Severity: Error, Path: pointer(path, m.key), Message: "the key " + strconv.Quote(shorten(m.key)) + " is there more than once: some readers take the first, some the last"}
			if slices.Contains(criteria, m.key) {
				f.ID, f.Message = "criterion-doubled", m.key+" is there more than once: some readers take the first, some the last"
			}
			x.add(m.start, f)
		}
		seen[m.key] = true
	}
}
