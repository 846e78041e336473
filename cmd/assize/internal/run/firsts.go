package run

import (
	"encoding/hex"
	"sync"
)

// Key identifies what was said in a dialogue, and by whom: half of the digest of its turns. That two dialogues of a
// billion have the same by chance is less likely than one in a hundred million million million.
type Key [16]byte

// KeyOf gives the key of a digest, see [dialogue.Dialogue.Digest].
func KeyOf(digest string) Key {
	var k Key
	_, _ = hex.Decode(k[:], []byte(digest[:min(len(digest), 2*len(k))])) // what is no digest has a key all the same
	return k
}

// Firsts knows where the first dialogue is of each that have the same turns. It is safe for concurrent use, and its
// zero value knows none.
type Firsts[T any] struct {
	mu sync.Mutex
	at map[Key]T
}

// Meet reports whether a dialogue is not the first of its kind.
func (f *Firsts[T]) Meet(k Key) (again bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, again = f.at[k]; again {
		return true
	}
	if f.at == nil {
		f.at = map[Key]T{}
	}
	var unknown T
	f.at[k] = unknown
	return false
}

// Set enters where the first is.
func (f *Firsts[T]) Set(k Key, at T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at[k] = at
}

// At tells where the first is; the zero value where that is not known.
func (f *Firsts[T]) At(k Key) T {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at[k]
}
