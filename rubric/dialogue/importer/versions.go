package importer

import (
	"hash/fnv"
	"slices"
)

// Exports of data warehouses have a row for every version of a message: as it was sent, as it was
// edited, as it was loaded again. Of rows with the same message id, the newest version counts.

// version identifies the message of a row, and the version of that message.
type version struct {
	of     uint64 // a hash of the id of the message; 0 for none
	us, eu int64  // the larger, the newer; read with the month or the day first
}

func newVersion(id, at string) (v version) {
	if id == "" {
		return v
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	v.of = max(1, h.Sum64())
	if is, ok := isTrue(at); ok && is {
		v.us, v.eu = 1, 1
	} else if m, ok := ParseTime(at); ok {
		v.us, v.eu = m.US, m.EU
	}
	return v
}

// newest returns the rows without those that have a newer version; the newest takes the place of
// the first. The rows must be sorted by conversation.
func newest(list []key, isUS bool) []key {
	at := func(k *key) int64 { return Moment{US: k.version.us, EU: k.version.eu}.in(isUS) }
	var kept []key
	place, conv := map[uint64]int{}, int32(-1)
	for _, k := range list {
		if k.conv != conv {
			conv = k.conv
			clear(place)
		}
		i, ok := place[k.version.of]
		switch {
		case k.version.of == 0 || !ok:
			place[k.version.of] = len(kept)
			kept = append(kept, k)
		case at(&k) >= at(&kept[i]):
			kept[i].piece, kept[i].version = k.piece, k.version
		}
	}
	return kept
}

// settleVersions finds the column with the id of a message and the one that distinguishes its
// versions. All rows of a message have the same conversation, speaker and time.
func (c *finder) settleVersions() {
	if c.transcripts || c.pairs || c.place[idColumn] < 0 {
		return
	}
	for i := range c.list {
		s := &c.list[i]
		isID := foldColumn(s.name) == "id" || anyIn(s.words, "mark") && anyIn(s.words, "message-id")
		used := []int{c.place[idColumn], c.place[speakerColumn], c.place[textColumn]}
		isUsed := slices.Contains(used, i)
		if !isID || isUsed || !s.repeats() || s.filled < len(c.sample) || !c.areVersions(i) {
			continue
		}
		for k := range c.list {
			v := &c.list[k]
			if !anyIn(v.words, "version") ||
				c.version >= 0 && (!v.isTime() || c.list[c.version].isTime()) {
				continue
			}
			if _, mixed, _ := c.spread(c.cells(i), k); mixed > 0 {
				c.message, c.version = i, k
			}
		}
		_, otherWords, _ := c.spread(c.cells(i), c.place[textColumn])
		switch {
		case c.message >= 0:
		case otherWords == 0: // a duplicate row, as joins produce
			c.message = i
		default:
			c.file.note("rows with the same " + quote(s.name) +
				" say different things, and no column " +
				"says which is the newest; all of them are turns")
		}
		return
	}
}

// areVersions reports whether rows with the same value of a column agree in everything that is
// unique to a message.
func (c *finder) areVersions(by int) bool {
	for _, of := range []int{c.place[idColumn], c.place[speakerColumn], c.place[timeColumn]} {
		if of < 0 {
			continue
		}
		if _, mixed, _ := c.spread(c.cells(by), of); mixed > 0 {
			return false
		}
	}
	return true
}
