package localllm

import (
	"slices"

	"assize/rubric"
)

// window is a run of turns that the model judges at once: those from index from up to to, without to.
type window struct{ from, to int }

// overlap is the share of a window that is shown again in the next one, so that no reaction is parted from what it
// reacts to.
const overlap = 4 // a quarter

// windows cuts the transcript into runs of at most most tokens; one where all of it fits. Of a turn that alone takes
// more than half of that the model sees the beginning, so two fit into a window at least, and one is shown again.
func (t *transcript) windows(most int) []window {
	var list []window
	for from := 0; ; {
		to, size := from, 0
		for to < len(t.lines) && (size+t.sizes[to] <= most || to == from) {
			size += t.sizes[to]
			to++
		}
		list = append(list, window{from, to})
		if to == len(t.lines) {
			return list
		}
		next := max(to-1, from+1)
		for again := t.sizes[to-1]; next-1 > from && again+t.sizes[next-1] <= most/overlap; next-- {
			again += t.sizes[next-1]
		}
		from = next
	}
}

// parts cuts the transcript into the windows that are judged: those in which a turn can be cited. A model is not asked
// about hours of what tools put out, of which it is shown nothing.
func (t *transcript) parts(most int) []window {
	return slices.DeleteFunc(t.windows(most), func(w window) bool { return len(t.turns(w, rubric.TaskSuccess)) == 0 })
}

// whole is the window that holds all of it.
func (t *transcript) whole() window { return window{0, len(t.lines)} }

// size is how many tokens a window is estimated at.
func (t *transcript) size(w window) int {
	n := 0
	for _, size := range t.sizes[w.from:w.to] {
		n += size
	}
	return n
}

// holding gives the window that holds a turn, from 1, farthest from its edges; the first of equals.
func holding(list []window, turn int) int {
	best, depth := 0, -1
	for i, w := range list {
		if turn-1 < w.from || turn-1 >= w.to {
			continue
		}
		if d := min(turn-1-w.from, w.to-turn); d > depth {
			best, depth = i, d
		}
	}
	return best
}
