package dialogue

import (
	"bytes"
	"encoding/json"
	"slices"
)

// wrappers are the keys under which exports put a list of conversations.
var wrappers = []string{"tickets", "conversations", "dialogues", "dialogs", "data", "items", "results"}

// enterWrapper goes into the array of an object such as {"tickets":[{…},…]}, if that is what comes next. A
// list of messages is a conversation and no wrapper.
func (s *jsonStream) enterWrapper() bool {
	head, _ := s.in.Peek(headSize)
	at := findWrapper(head)
	if at == 0 {
		return false
	}
	s.discard(at)
	s.wrapped = true
	s.enterArray()
	return true
}

// findWrapper gives the offset after the opening bracket of a wrapped list, or 0.
func findWrapper(head []byte) int {
	dec := json.NewDecoder(bytes.NewReader(head))
	depth, isKey, key := 0, false, ""
	for {
		t, err := dec.Token()
		if err != nil {
			return 0
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '[' && depth == 1 && slices.Contains(wrappers, key) && !messagesFollow(head[dec.InputOffset():]) {
				return int(dec.InputOffset())
			}
			if t == '{' || t == '[' {
				depth++
			} else if depth--; depth == 0 {
				return 0
			}
			isKey = depth == 1
		case string:
			if depth == 1 && isKey {
				key = t
			}
			isKey = depth == 1 && !isKey
		default:
			isKey = depth == 1
		}
	}
}

// messagesFollow reports whether the elements of a list, whose beginning is b, are messages.
func messagesFollow(b []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(b))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return true
	}
	for depth, isKey := 1, true; ; {
		t, err := dec.Token()
		if err != nil {
			return false
		}
		if d, ok := t.(json.Delim); ok {
			if d == '{' || d == '[' {
				depth++
			} else if depth--; depth == 0 {
				return false
			}
			isKey = true
			continue
		}
		if depth > 1 {
			continue
		}
		if isKey && (t == "from" || t == "role") {
			return true
		}
		isKey = !isKey
	}
}
