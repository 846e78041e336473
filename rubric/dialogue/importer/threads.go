package importer

import "assize/rubric/dialogue"

// forest joins connected messages, or rows with the same id, into trees, as a union-find structure.
type forest struct {
	nodes  map[uint64]int32 // by a hash of the id of a message or a conversation
	parent []int32
}

func (t *forest) node(id string) int32 {
	hash := hashOf(id)
	n, ok := t.nodes[hash]
	if !ok {
		n = int32(len(t.parent))
		if t.nodes == nil {
			t.nodes = map[uint64]int32{}
		}
		t.nodes[hash] = n
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
		t.join(n, t.node(id))
	}
	return n
}

// join joins the trees of two nodes.
func (t *forest) join(a, b int32) {
	a, b = t.root(a), t.root(b)
	t.parent[max(a, b)] = min(a, b)
}

// branches finds messages that a side has answered twice, as in a tree whose branches are versions
// of a conversation.
type branches struct {
	answered map[string]bool // by role and message
	again    int             // number of further answers
}

// add records that a role has answered a message.
func (b *branches) add(message string, role dialogue.Role) {
	if message == "" || role != dialogue.System && role != dialogue.User {
		return
	}
	if b.answered == nil {
		b.answered = map[string]bool{}
	}
	if key := role.String() + message; b.answered[key] {
		b.again++
	} else {
		b.answered[key] = true
	}
}

// String returns what is wrong with the branches, or "".
func (b *branches) String() string {
	if b.again == 0 {
		return ""
	}
	return agreed(b.again, "message", "is", "are") +
		" a second answer to the same message, and only one belongs to the conversation"
}

const branchHint = "export one branch of the conversation"
