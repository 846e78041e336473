package text

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// A line of a list represents many phrases: "(a|b|) (c|d)" represents six. Expanded, the lists
// would contain a hundred thousand. Therefore a line becomes a small graph with parallel
// alternatives, and the graphs of all lines are merged by the subset construction into one
// automaton that shares their common parts.

// Automaton finds every phrase of one role's lists in a turn. Its states are reached word by word
// from the root. The root is a dense table, since almost every token is looked up there; the other
// states have few edges. A search starts at each known word and is at most as long as the longest
// phrase, so the time for a turn is linear in its length, however many phrases there are.
type Automaton struct {
	root   []int32 // state by word number, or 0
	states []state // with an additional one that marks the end of the last
	edges  []edge
	ends   []PhraseEnd
}

// state contains the start of its edges, sorted by word, and of the phrases that end here, in the
// automaton's lists. They extend to those of the next state, so that data used together is close in
// memory.
type state struct{ edges, ends int32 }

type edge struct {
	word uint32
	to   int32
}

// PhraseEnd is the meaning of a phrase: its class, and the positions where it may occur.
type PhraseEnd struct {
	Class    Class
	Anchored bool // only at the start of a turn, after fillers
	opening  bool // only at the start of a sentence
	final    bool // only at the end of a turn
	// own points in hundredths, for a list whose phrases have different points; 0 for those of the
	// list
	Points int16
}

// Match is a phrase found in a turn: the tokens from first to last, inclusive.
type Match struct {
	PhraseEnd
	First, Last int
}

// MaxFillers is the maximum number of words such as "oh" and "well" before the beginning of a turn.
const MaxFillers = 3

// Scan appends every phrase in tokens to found. A phrase may extend over a comma, but not over the
// end of a sentence unless it is anchored ("No. I said four").
func (a *Automaton) Scan(tokens []Token, found []Match) []Match {
	anchored := true
	for i := range tokens {
		var at int32
		if w := tokens[i].Word; int(w) < len(a.root) {
			at = a.root[w] // the root has no edge for word 0, which is in no list
		}
		crossed := false
		for j := i; at != 0; {
			for _, end := range a.ends[a.states[at].ends:a.states[at+1].ends] {
				if end.Anchored && !anchored || end.opening && !tokens[i].Is(OpensSentence) ||
					crossed && !end.Anchored || end.final && j != len(tokens)-1 {
					continue
				}
				found = append(found, Match{PhraseEnd: end, First: i, Last: j})
			}
			if j++; j == len(tokens) || tokens[j].Word == 0 {
				break
			}
			crossed = crossed || tokens[j].Is(OpensSentence)
			at = a.next(at, tokens[j].Word)
		}
		anchored = anchored && tokens[i].Is(Filler) && i < MaxFillers
	}
	return found
}

// next returns the state that follows a state after a word, or 0.
func (a *Automaton) next(from int32, word uint32) int32 {
	edges := a.edges[a.states[from].edges:a.states[from+1].edges]
	i, found := slices.BinarySearchFunc(edges, word,
		func(e edge, word uint32) int { return cmp.Compare(e.word, word) })
	if !found {
		return 0
	}
	return edges[i].to
}

// Patterns are the graphs of all lines of one role. Place, link and end 0 are unused. A link is
// an edge in the list of its place. No part has a pointer, because a program that scores one
// dialogue spends most of its time here.
type Patterns struct {
	places []pattern
	links  []link
	ends   []PhraseEnd
	starts []int32
}

// pattern is a place in a line's graph.
type pattern struct {
	links int32 // the first of the words that lead to other places, or 0
	skip  int32 // the place reached by omitting an optional word, or 0
	end   int32 // the end of the line, or 0
}

type link struct {
	edge
	next int32 // the next link of the same place, or 0
}

// NewPatterns returns patterns without a line, with room for a number of words.
func NewPatterns(words int) *Patterns {
	return &Patterns{places: make([]pattern, 1, 1+words), links: make([]link, 1, 1+2*words),
		ends: make([]PhraseEnd, 1, 1+words/8)}
}

func (p *Patterns) place() int32 {
	p.places = append(p.places, pattern{})
	return int32(len(p.places) - 1)
}

func (p *Patterns) link(from int32, word uint32, to int32) {
	p.links = append(p.links, link{edge{word, to}, p.places[from].links})
	p.places[from].links = int32(len(p.links) - 1)
}

// Add adds a line as parsed by ParseLine.
func (p *Patterns) Add(groups [][]string, end PhraseEnd, v Vocabulary) {
	at := p.place()
	p.starts = append(p.starts, at)
	for _, choices := range groups {
		to := p.place()
		for _, choice := range choices {
			from, last := at, uint32(0)
			for word := range strings.FieldsSeq(choice) {
				if last != 0 {
					next := p.place()
					p.link(from, last, next)
					from = next
				}
				last = v.Enter(word, 0)
			}
			if last == 0 {
				p.places[at].skip = to
			} else {
				p.link(from, last, to)
			}
		}
		at = to
	}
	p.ends = append(p.ends, end)
	p.places[at].end = int32(len(p.ends) - 1)
}

// ParseLine splits a line into groups of alternatives: "thank(s|) you" becomes {"thanks", "thank"},
// {"you"}.
func ParseLine(line string) (groups [][]string, err error) {
	whole, optional := line, true
	for line != "" {
		plain, rest, group := strings.Cut(line, "(")
		prefix := ""
		if group {
			prefix = plain[strings.LastIndexByte(plain, ' ')+1:]
		}
		for word := range strings.FieldsSeq(strings.TrimSuffix(plain, prefix)) {
			groups, optional = append(groups, []string{word}), false
		}
		inside, behind, closed := strings.Cut(rest, ")")
		if group != closed || strings.ContainsAny(plain, ")|") || strings.Contains(inside, "(") {
			return nil, fmt.Errorf("%q; want each group closed, none in another, and | only inside",
				line)
		}
		if !group {
			break
		}
		choices, skips := strings.Split(inside, "|"), false
		for i := range choices {
			choices[i] = prefix + choices[i]
			skips = skips || strings.TrimSpace(choices[i]) == ""
		}
		groups, line, optional = append(groups, choices), behind, optional && skips
	}
	if optional {
		return nil, fmt.Errorf("%q is an empty phrase", whole)
	}
	return groups, nil
}

// Compile merges the graphs into one automaton. Each state is the set of places that the same words
// lead to. It returns nil if there are more than most states.
func (p *Patterns) Compile(most int) *Automaton {
	out := &Automaton{states: make([]state, 1, len(p.places)),
		edges: make([]edge, 0, 3*len(p.links))}
	c := compiler{Patterns: p, out: out, sets: make([]int32, 2, len(p.places)+1),
		members: make([]int32, 0, 2*len(p.places))}
	c.alone, c.others = make([]int32, len(p.places)), make(map[string]int32, len(p.places)/4)
	for _, e := range c.edges(nil, p.starts) {
		out.root = append(out.root, make([]int32, int(e.word)+1-len(out.root))...)
		out.root[e.word] = e.to
	}
	for n := 1; n < len(out.states); n++ {
		if n > most {
			return nil
		}
		out.states[n].edges = int32(len(out.edges))
		out.edges = c.edges(out.edges, c.members[c.sets[n]:c.sets[n+1]])
	}
	out.states = append(out.states, state{edges: int32(len(out.edges)), ends: int32(len(out.ends))})
	return out
}

// compiler numbers the sets of places that it encounters.
type compiler struct {
	*Patterns
	out     *Automaton
	members []int32          // the places of all sets
	sets    []int32          // the start of each set in members, by number; 0 is unused
	alone   []int32          // the numbers of sets with a single place, which most are, by place
	others  map[string]int32 // of other sets, by their concatenated places
	// buffers for reuse
	set []int32
	key []byte
	all []uint64
}

// edges appends the states that the words after a set of places lead to, sorted by word.
func (c *compiler) edges(edges []edge, set []int32) []edge {
	all := c.all[:0] // a word above the place that it leads to, so that they sort fast
	for _, at := range set {
		for ; at != 0; at = c.places[at].skip {
			for n := c.places[at].links; n != 0; n = c.links[n].next {
				all = append(all, uint64(c.links[n].word)<<32|uint64(c.links[n].to))
			}
		}
	}
	slices.Sort(all)
	c.all = all
	all = slices.Compact(all)
	for from, to := 0, 0; from < len(all); from = to {
		c.set = c.set[:0]
		for ; to < len(all) && all[to]>>32 == all[from]>>32; to++ {
			c.set = append(c.set, int32(all[to]))
		}
		edges = append(edges, edge{uint32(all[from] >> 32), c.number(c.set)})
	}
	return edges
}

// number returns the state of a set of places, and creates it if necessary.
func (c *compiler) number(set []int32) int32 {
	n := int32(len(c.out.states))
	if len(set) == 1 {
		if old := c.alone[set[0]]; old != 0 {
			return old
		}
		c.alone[set[0]] = n
	} else {
		c.key = c.key[:0]
		for _, at := range set {
			c.key = binary.LittleEndian.AppendUint32(c.key, uint32(at))
		}
		if old, ok := c.others[string(c.key)]; ok {
			return old
		}
		c.others[string(c.key)] = n
	}
	c.members = append(c.members, set...)
	c.sets = append(c.sets, int32(len(c.members)))
	first := len(c.out.ends) // the start of the phrases that end here, each meaning once
	for _, at := range set {
		for ; at != 0; at = c.places[at].skip {
			end := c.ends[c.places[at].end]
			if c.places[at].end != 0 && !slices.Contains(c.out.ends[first:], end) {
				c.out.ends = append(c.out.ends, end)
			}
		}
	}
	c.out.states = append(c.out.states, state{ends: int32(first)})
	return n
}

// CutMarks returns a phrase without the marks of where it may occur, and these.
func CutMarks(text string, of Class) (phrase string, end PhraseEnd) {
	text, end.Class = strings.TrimSpace(text), of
	if text, end.opening = strings.CutPrefix(text, "^^"); !end.opening {
		text, end.Anchored = strings.CutPrefix(text, "^")
	}
	text, end.final = strings.CutSuffix(text, "$")
	return text, end
}
