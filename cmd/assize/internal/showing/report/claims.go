package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// claims counts what the SYSTEM says was done, in dialogues with calls of tools, without promises.
type claims struct {
	agents, tools map[string]*claimed
	without       map[string]int // claims without a call, by their participles
}

// claimed counts the claims of an agent, or those about a tool.
type claimed struct {
	Name         string `json:"name"`
	All          int    `json:"claims"`
	Proven       int    `json:"proven"`
	Contradicted int    `json:"contradicted"`
	NoCall       int    `json:"no_call"`
	Unclear      int    `json:"unclear"` // the result does not show whether it is done
}

// countsOf returns the counts for a name, which it adds if they are missing.
func countsOf(all map[string]*claimed, name string) *claimed {
	all[name] = cmp.Or(all[name], &claimed{Name: ui.Visible(name)})
	return all[name]
}

// add counts a claim under a name.
func add(all map[string]*claimed, name string, c rubric.Deed) {
	n := countsOf(all, name)
	n.All++
	switch {
	case c.State == rubric.DeedProven:
		n.Proven++
	case c.State == rubric.DeedContradicted:
		n.Contradicted++
	case c.Proof == 0:
		n.NoCall++
	default:
		n.Unclear++
	}
}

// add counts the claims of a record.
func (c *claims) add(row *run.Row, r *run.Record) {
	for _, name := range r.Dialogue.Listed {
		countsOf(c.tools, name)
	}
	for _, d := range r.Deeds {
		if d.State == rubric.DeedPromised {
			continue
		}
		add(c.agents, cmp.Or(row.Agent, summary.NoGroup), d)
		if d.Tool == "" {
			c.without[participles(d.Text)]++
		} else {
			add(c.tools, d.Tool, d)
		}
	}
}

// noTool is the name under which claims are counted that fit no tool.
const noTool = "(no tool fits)"

// byTool returns the counts by tool. A claim without a call counts for the tool, called or listed,
// whose name has the verb of the claim; of several, for the one with the most claims.
func (c *claims) byTool() []*claimed {
	all := map[string]*claimed{}
	for name, n := range c.tools {
		all[name] = new(*n)
	}
	names := slices.SortedFunc(maps.Keys(c.tools), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.tools[b].All, c.tools[a].All), cmp.Compare(a, b))
	})
	for said, n := range c.without {
		fit := ui.Without(names, func(tool string) bool { return !fits(tool, said) })
		name := append(fit, noTool)[0]
		countsOf(all, name).All += n
		countsOf(all, name).NoCall += n
	}
	maps.DeleteFunc(all, func(_ string, n *claimed) bool { return n.All == 0 }) // only listed
	return sorted(all)
}

var wordOfName = regexp.MustCompile(`[A-Z]?[a-z]+`)

// participles returns the words of a claim that end like "cancelled", in lower case.
func participles(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.Join(slices.DeleteFunc(words,
		func(word string) bool { return !strings.HasSuffix(word, "ed") }), " ")
}

// fits reports whether one of the participles belongs to the name of a tool: "cancelled" to
// cancel_order.
func fits(tool, participles string) bool {
	for _, word := range wordOfName.FindAllString(tool, -1) {
		stem := strings.TrimRight(strings.ToLower(word), "ey")
		for said := range strings.FieldsSeq(participles) {
			end, ok := strings.CutPrefix(said, stem)
			if ok && len(stem) >= 3 && len(end) <= 3 {
				return true
			}
		}
	}
	return false
}

// sorted returns counts, those with the most claims that are not proven first, and noTool last.
func sorted(all map[string]*claimed) []*claimed {
	return slices.SortedFunc(maps.Values(all), func(a, b *claimed) int {
		last := map[string]int{noTool: 1}
		return cmp.Or(cmp.Compare(last[a.Name], last[b.Name]),
			cmp.Compare(b.All-b.Proven, a.All-a.Proven), cmp.Compare(b.All, a.All),
			cmp.Compare(a.Name, b.Name))
	})
}

// table adds a table of counts to the section of claims. Of many names it shows the first.
func (c *claims) table(all tables, title, column string, list []*claimed) {
	const maxNames = 20
	t := all.add("claims", title, column, "Claims", "Proven", "Contradicted", "No call",
		"Result unclear")
	for _, n := range list[:min(len(list), maxNames)] {
		counts(t, n.Name, n.All, n.Proven, n.Contradicted, n.NoCall, n.Unclear)
	}
	if more := len(list) - maxNames; more > 0 {
		t.Title += fmt.Sprintf(" (%d more are not shown)", more)
	}
}

// Worst says which tool has the most claims that are wrong in the same way.
func (c *claims) Worst() string {
	highest, says := 0, "Every claim is proven by the result of a call."
	for _, n := range c.byTool() {
		if n.Name == noTool && highest > 0 {
			break
		}
		for i, k := range []int{n.NoCall, n.Contradicted, n.Unclear} {
			if k > highest {
				highest, says = k, fmt.Sprintf("The worst is %s: %s of %s without %s.", n.Name,
					count(k), counted(n.All, "claim"), []string{"a call", "a result that agrees",
						"a result that shows it"}[i])
			}
		}
	}
	return says
}
