package replay

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// Difference is a place where a line is not what it should be.
type Difference struct {
	Pointer    string // where: a JSON pointer (RFC 6901) into the line; empty for the line as a whole
	Recorded   string // what is there, as JSON; empty for nothing
	Recomputed string // what comes out, as JSON; empty for nothing, and where nothing can be worked out
	Says       string // the rest of a sentence that begins with the place: "is 80; the rulings give 60"
	Follows    bool   // it may go back to one that comes before it
}

// String is the sentence.
func (d *Difference) String() string {
	if d.Pointer == "" {
		return "the line " + d.Says
	}
	return d.Pointer + " " + d.Says
}

// mostCompared is how many bytes a line may have to be compared member by member: three hundred times as many as an
// ordinary record has. Beyond that a hostile line could fill the memory.
const mostCompared = 4 << 20

// differ lists where a line is not what was recomputed, in the order in which the places stand there. What comes out
// at a pointer is introduced by gives. The tree is that of the line; nil where there is none to be had.
func differ(recorded, recomputed []byte, gives func(pointer string) string) (list []Difference, tree *node) {
	if max(len(recorded), len(recomputed)) > mostCompared {
		return []Difference{{Says: fmt.Sprintf("is not what its evidence gives, and too long to be compared member by member; want at most %d MB", mostCompared>>20)}}, nil
	}
	a, err := parse(recorded)
	if err != nil {
		return []Difference{{Says: fmt.Sprintf("cannot be read as JSON: %v", err)}}, nil
	}
	b, err := parse(recomputed)
	if err != nil {
		panic(err) // this program has just written it
	}
	c := comparison{gives: gives}
	c.compare("", a, b)
	if len(c.list) == 0 && c.form == nil {
		c.form = &Difference{Says: "has white space that no record has; all its values are right"}
	}
	if c.form != nil {
		c.list = append(c.list, *c.form)
	}
	return c.list, a
}

// comparison gathers differences.
type comparison struct {
	gives func(pointer string) string
	list  []Difference
	form  *Difference // the first that lies in the writing alone
}

// mostListed is how many differences of one line are listed; a record has some five hundred values.
const mostListed = 1000

func (c *comparison) add(at string, a, b *node, says string) {
	if len(c.list) == mostListed {
		c.list = append(c.list, Difference{Says: fmt.Sprintf("has more than %d differences; the rest is not listed", mostListed)})
	}
	if len(c.list) > mostListed {
		return
	}
	d := Difference{Pointer: at, Says: says}
	if a != nil {
		d.Recorded = string(a.raw)
	}
	if b != nil {
		d.Recomputed = string(b.raw)
	}
	c.list = append(c.list, d)
}

// compare compares the value a with the value b that should be there.
func (c *comparison) compare(at string, a, b *node) {
	switch kind := b.kind(); {
	case a.is(b):
	case a.kind() == '{' && kind == '{':
		c.members(at, a, b)
	case a.kind() == '[' && kind == '[' && len(a.members) == len(b.members):
		for i := range b.members {
			c.compare(pointer(at, b.members[i].name), a.members[i].node, b.members[i].node)
		}
	case a.kind() == '"' && kind == '"' && a.text == b.text, number(a) && number(b) && value(a) == value(b):
		is, as := spelt(a, b)
		c.written(at, fmt.Sprintf("is written %s; its value is right, but a record has it as %s", is, as))
	default:
		is, gives := shown(a, b)
		says := fmt.Sprintf("is %s; %s %s", is, c.gives(at), gives)
		if either := placeOf(at).either; either != "" {
			says += ": " + either
		}
		c.add(at, a, b, says)
	}
}

// members compares two objects.
func (c *comparison) members(at string, a, b *node) {
	last := map[string]int{} // where a name stands for the last time
	for i, m := range a.members {
		last[m.name] = i
	}
	var order []string // in which the members of b stand in a
	for i, m := range a.members {
		at := pointer(at, m.name)
		switch {
		case last[m.name] != i:
			c.add(at, m.node, nil, "stands there more than once; want it once")
		case b.at(m.name) == nil:
			is, _ := shown(m.node, nil)
			c.add(at, m.node, nil, "is "+is+", and nothing should be there")
		default:
			order = append(order, m.name)
		}
	}
	for i, m := range b.members {
		here := a.at(m.name)
		if here == nil {
			_, gives := shown(nil, m.node)
			c.add(pointer(at, m.name), nil, m.node, fmt.Sprintf("is missing; %s %s", c.gives(pointer(at, m.name)), gives))
			order = slices.Insert(order, min(i, len(order)), m.name)
			continue
		}
		if order[i] != m.name {
			c.written(pointer(at, m.name), "stands in another place than in a record; its value is not the matter")
		}
		c.compare(pointer(at, m.name), here, m.node)
	}
}

// written notes a difference in the writing alone.
func (c *comparison) written(at, says string) {
	if c.form == nil {
		c.form = &Difference{Pointer: at, Says: says}
	}
}

// number reports whether a value is a number that float64 holds without loss.
func number(n *node) bool {
	k := n.kind()
	return (k == '-' || k >= '0' && k <= '9') && len(n.raw) <= 15
}

func value(n *node) float64 {
	f, _ := strconv.ParseFloat(string(n.raw), 64) // JSON numbers of so few digits are in range, or infinite
	return f
}

// shown gives two values for people: of long strings, the part where they begin to differ.
func shown(a, b *node) (string, string) {
	if a != nil && b != nil && a.kind() == '"' && b.kind() == '"' && !digest(a.text) && !digest(b.text) {
		return parting(a.text, b.text)
	}
	return brief(a), brief(b)
}

// spelt gives two values as they are written.
func spelt(a, b *node) (string, string) {
	if a.kind() == '"' {
		return parting(string(a.raw[1:len(a.raw)-1]), string(b.raw[1:len(b.raw)-1]))
	}
	return clip(string(a.raw)), clip(string(b.raw))
}

// brief gives a value in a few words.
func brief(n *node) string {
	switch {
	case n == nil:
		return ""
	case n.kind() == '{':
		return "an object"
	case n.kind() == '[':
		return fmt.Sprintf("a list of %d", len(n.members))
	case n.kind() == '"' && digest(n.text):
		return n.text[:12] + "…"
	case n.kind() == '"':
		s, _ := parting(n.text, "")
		return s
	}
	return clip(string(n.raw))
}

// digest reports whether s is a SHA-256 in hexadecimal.
func digest(s string) bool {
	return len(s) == 64 && len(bytes.Trim([]byte(s), "0123456789abcdef")) == 0
}

// The lengths of what is shown, in signs: of a text as a whole, and of it before the place where it begins to differ.
const (
	mostShown  = 60
	mostBefore = 24
)

// parting quotes two texts: as a whole where both are short, or else from shortly before they part.
func parting(a, b string) (string, string) {
	ra, rb := []rune(a), []rune(b)
	same := 0
	for same < min(len(ra), len(rb)) && ra[same] == rb[same] {
		same++
	}
	from := 0
	if same > mostBefore && max(len(ra), len(rb)) > mostShown {
		from = same - mostBefore
	}
	return excerpt(ra, from), excerpt(rb, from)
}

func excerpt(s []rune, from int) string {
	from = min(from, len(s))
	lead, tail, end := "", "", len(s)
	if from > 0 {
		lead = "…"
	}
	if end-from > mostShown {
		end, tail = from+mostShown-1, "…"
	}
	return `"` + lead + string(s[from:end]) + tail + `"`
}

// clip shortens what is shown as it is written.
func clip(s string) string {
	if r := []rune(s); len(r) > mostShown {
		return string(r[:mostShown-1]) + "…"
	}
	return s
}
