package heuristics

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A lexicon line stands for many phrases: "(a|b|) (c|d)" for six. Written out, the lexicon would be a hundred
// thousand of them. So a line becomes a small graph in which alternatives run side by side and meet again, and
// the graphs of all lines are merged, by the subset construction, into one automaton that shares what they share.

// pattern is a place in a line's graph.
type pattern struct {
	edges []edge     // words that lead on
	skip  int32      // a place that is reached without a word, for an alternative that may be left out; 0 for none
	end   *phraseEnd // the line is over
}

// patterns are the graphs of all lines of one role. Place 0 is none.
type patterns struct {
	places []pattern
	starts []int32
}

func newPatterns() *patterns { return &patterns{places: make([]pattern, 1)} }

func (g *patterns) place() int32 {
	g.places = append(g.places, pattern{})
	return int32(len(g.places) - 1)
}

// add enters a line. Each word is numbered by number.
func (g *patterns) add(line string, end phraseEnd, number func(word string) uint32) error {
	groups, err := parseLine(line)
	if err != nil {
		return err
	}
	start := g.place()
	at, optional := start, true
	for _, choices := range groups {
		to := g.place()
		skips := false
		for _, choice := range choices {
			words := strings.Fields(choice)
			if len(words) == 0 {
				g.places[at].skip, skips = to, true
				continue
			}
			from := at
			for i, w := range words {
				next := to
				if i < len(words)-1 {
					next = g.place()
				}
				g.places[from].edges = append(g.places[from].edges, edge{number(w), next})
				from = next
			}
		}
		at, optional = to, optional && skips
	}
	if optional {
		return fmt.Errorf("%q stands for an empty phrase", line)
	}
	g.places[at].end = &end
	g.starts = append(g.starts, start)
	return nil
}

// parseLine cuts a line into groups of alternatives: "thank(s|) you" is {"thanks", "thank"}, {"you"}.
func parseLine(line string) (groups [][]string, err error) {
	for line != "" {
		open := strings.IndexByte(line, '(')
		if open < 0 {
			open = len(line)
		}
		plain := line[:open]
		if strings.ContainsAny(plain, ")|") {
			return nil, errors.New("a ) or | without a group")
		}
		prefix := ""
		if open < len(line) {
			prefix = plain[strings.LastIndexByte(plain, ' ')+1:]
		}
		for _, word := range strings.Fields(strings.TrimSuffix(plain, prefix)) {
			groups = append(groups, []string{word})
		}
		if open == len(line) {
			break
		}
		length := strings.IndexByte(line[open:], ')')
		if length < 0 {
			return nil, errors.New("a group is not closed")
		}
		choices := strings.Split(line[open+1:open+length], "|")
		for i := range choices {
			if strings.ContainsRune(choices[i], '(') {
				return nil, errors.New("a group stands inside a group")
			}
			choices[i] = prefix + choices[i]
		}
		groups = append(groups, choices)
		line = line[open+length+1:]
	}
	return groups, nil
}

// compile merges the graphs into one automaton. A state of it is the set of places that the same words lead to.
func (g *patterns) compile() *phrases {
	p := &phrases{states: make([]state, 1)}
	c := compiler{patterns: g, numbers: map[string]int32{}, out: p}
	for _, e := range c.edges(g.starts) {
		for int(e.word) >= len(p.root) {
			p.root = append(p.root, 0)
		}
		p.root[e.word] = e.to
	}
	for n := 1; n < len(c.sets); n++ {
		p.states[n].edges = c.edges(c.sets[n])
	}
	return p
}

// compiler numbers the sets of places that it meets.
type compiler struct {
	*patterns
	numbers map[string]int32 // of a set, by its places written one after the other
	sets    [][]int32        // by number; 0 is none
	out     *phrases
	key     []byte
}

// edges gives the states that the words behind a set of places lead to, by word.
func (c *compiler) edges(set []int32) []edge {
	var all []edge
	for _, at := range set {
		for ; at != 0; at = c.places[at].skip {
			all = append(all, c.places[at].edges...)
		}
	}
	slices.SortFunc(all, func(a, b edge) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.to, b.to)) })
	all = slices.Compact(all)
	edges := all[:0]
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].word == all[from].word {
			to++
		}
		places := make([]int32, 0, to-from)
		for _, e := range all[from:to] {
			places = append(places, e.to)
		}
		edges = append(edges, edge{all[from].word, c.number(places)})
		from = to
	}
	return slices.Clip(edges)
}

// number gives the state of a set of places, and makes it where there is none.
func (c *compiler) number(set []int32) int32 {
	c.key = c.key[:0]
	for _, at := range set {
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(at))
	}
	if n, ok := c.numbers[string(c.key)]; ok {
		return n
	}
	if c.sets == nil {
		c.sets = append(c.sets, nil)
	}
	n := int32(len(c.sets))
	c.numbers[string(c.key)] = n
	c.sets = append(c.sets, set)
	c.out.states = append(c.out.states, state{ends: c.ends(set)})
	return n
}

// ends gives what the phrases mean that end in a set of places, each meaning once.
func (c *compiler) ends(set []int32) (ends []phraseEnd) {
	for _, at := range set {
		for ; at != 0; at = c.places[at].skip {
			if end := c.places[at].end; end != nil && !slices.Contains(ends, *end) {
				ends = append(ends, *end)
			}
		}
	}
	return ends
}
