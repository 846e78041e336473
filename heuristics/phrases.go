package heuristics

import (
	"fmt"
	"strings"
)

// phrases is the automaton that finds every phrase of one role's lexicon in a turn: a trie over word
// numbers. Its root is a dense table, since almost every token is looked up there; below it a node has few
// edges. A walk starts at each known word and is as long as the longest phrase at most, so a turn takes
// time linear in its length, however many phrases there are.
type phrases struct {
	root  []int32 // node by word number; 0 for none
	nodes []node
}

type node struct {
	edges []edge
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

func newPhrases() *phrases { return &phrases{nodes: make([]node, 1)} }

// add enters one phrase, given as word numbers.
func (p *phrases) add(words []uint32, end phraseEnd) {
	at := int32(0)
	for i, w := range words {
		at = p.step(at, w, i == 0)
	}
	n := &p.nodes[at]
	n.ends = append(n.ends, end)
}

// step follows the edge for w, and makes it where there is none.
func (p *phrases) step(at int32, w uint32, first bool) int32 {
	if to := p.next(at, w, first); to != 0 {
		return to
	}
	to := int32(len(p.nodes))
	p.nodes = append(p.nodes, node{})
	if first {
		for int(w) >= len(p.root) {
			p.root = append(p.root, 0)
		}
		p.root[w] = to
		return to
	}
	p.nodes[at].edges = append(p.nodes[at].edges, edge{w, to})
	return to
}

func (p *phrases) next(at int32, w uint32, first bool) int32 {
	if first {
		if int(w) < len(p.root) {
			return p.root[w]
		}
		return 0
	}
	for _, e := range p.nodes[at].edges {
		if e.word == w {
			return e.to
		}
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
	at, crossed := p.next(0, tokens[i].word, true), false
	for j := i; at != 0; {
		for _, end := range p.nodes[at].ends {
			if (end.anchored && !anchored) || (crossed && !end.anchored) || (end.final && j != len(tokens)-1) {
				continue
			}
			found = append(found, match{phraseEnd: end, first: i, last: j})
		}
		if j++; j == len(tokens) || tokens[j].word == 0 {
			return found
		}
		crossed = crossed || tokens[j].is(opensSentence)
		at = p.next(at, tokens[j].word, false)
	}
	return found
}

// maxFillers is how many words such as "oh" and "well" may stand before what a turn begins with.
const maxFillers = 3

// expand writes a lexicon line out into its phrases: "(a|b|) c" is "a c", "b c" and "c". Groups do not nest.
func expand(line string) ([]string, error) {
	open := strings.IndexByte(line, '(')
	if open < 0 {
		if strings.ContainsAny(line, ")|") {
			return nil, fmt.Errorf("a %q without a group", ")|")
		}
		return []string{strings.Join(strings.Fields(line), " ")}, nil
	}
	length := strings.IndexByte(line[open:], ')')
	if length < 0 {
		return nil, fmt.Errorf("a group is not closed")
	}
	tails, err := expand(line[open+length+1:])
	if err != nil {
		return nil, err
	}
	var all []string
	for _, choice := range strings.Split(line[open+1:open+length], "|") {
		if strings.ContainsRune(choice, '(') {
			return nil, fmt.Errorf("a group stands inside a group")
		}
		for _, tail := range tails {
			all = append(all, strings.Join(strings.Fields(line[:open]+choice+" "+tail), " "))
		}
	}
	return all, nil
}
