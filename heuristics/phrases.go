package heuristics

// phrases is the automaton that finds every phrase of one role's lexicon in a turn. Its states are reached
// word by word from the root, which is a dense table, since almost every token is looked up there; the
// other states have few edges. A walk starts at each known word and is as long as the longest phrase at most,
// so a turn takes time linear in its length, however many phrases there are.
type phrases struct {
	root   []int32 // state by word number; 0 for none
	states []state
}

type state struct {
	edges []edge      // by word
	ends  []phraseEnd // the phrases that end here
}

type edge struct {
	word uint32
	to   int32
}

// phraseEnd is what a phrase means: the class that it belongs to, and where it may stand.
type phraseEnd struct {
	class    int16
	anchored bool  // only at the start of a turn, after fillers
	final    bool  // only at the end of a turn
	points   int16 // own points in hundredths, for a list whose words differ; 0 for the class's
}

// next gives the state behind a word, 0 for none.
func (p *phrases) next(at int32, word uint32) int32 {
	edges := p.states[at].edges
	low, high := 0, len(edges)
	for low < high {
		if middle := (low + high) / 2; edges[middle].word < word {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(edges) && edges[low].word == word {
		return edges[low].to
	}
	return 0
}

// match is a phrase found in a turn: the tokens from first up to last, both included.
type match struct {
	phraseEnd
	first, last int
}

// scan appends every phrase in tokens to found. A phrase may run over a comma but not over the end of a
// sentence, unless it is anchored ("No. I said four").
func (p *phrases) scan(tokens []token, found []match) []match {
	anchored := true
	for i := range tokens {
		if tokens[i].word != 0 {
			found = p.walk(tokens, i, anchored, found)
		}
		anchored = anchored && tokens[i].is(filler) && i < maxFillers
	}
	return found
}

func (p *phrases) walk(tokens []token, i int, anchored bool, found []match) []match {
	var at int32
	if w := tokens[i].word; int(w) < len(p.root) {
		at = p.root[w]
	}
	crossed := false
	for j := i; at != 0; {
		for _, end := range p.states[at].ends {
			if (end.anchored && !anchored) || (crossed && !end.anchored) || (end.final && j != len(tokens)-1) {
				continue
			}
			found = append(found, match{phraseEnd: end, first: i, last: j})
		}
		if j++; j == len(tokens) || tokens[j].word == 0 {
			return found
		}
		crossed = crossed || tokens[j].is(opensSentence)
		at = p.next(at, tokens[j].word)
	}
	return found
}

// maxFillers is how many words such as "oh" and "well" may stand before what a turn begins with.
const maxFillers = 3
