package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/portion"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// Tally holds a run against gates.
type Tally struct {
	gates            []held
	allowed          portion.Portion // so many may be below; none where nobody says
	scored, unscored int
	below            int // scored dialogues that a gate is shut for
	file             string
	files            bool // the dialogues come from several files
}

// held is a gate with those it is shut for.
type held struct {
	Gate
	below int
	worst []below // at most mostWorst, the worst first
}

// below is a dialogue that a gate is shut for.
type below struct {
	name, file string
	score      rubric.Score
	average    rubric.Hundredths
}

// mostWorst is how many dialogues a verdict names for each gate.
const mostWorst = 5

// NewTally holds dialogues against gates, of which so many as are allowed may shut one.
func NewTally(gates []Gate, allowed portion.Portion) *Tally {
	t := &Tally{allowed: allowed}
	for _, g := range gates {
		t.gates = append(t.gates, held{Gate: g})
	}
	return t
}

// Add holds one dialogue against the gates.
func (t *Tally) Add(r *record.Record) {
	if !r.Scored() {
		t.unscored++
		return
	}
	if t.scored == 0 {
		t.file = r.Source.File
	}
	t.files = t.files || r.Source.File != t.file
	t.scored++
	shut := false
	for i := range t.gates {
		if g := &t.gates[i]; g.Shut(r.Evaluation) {
			shut = true
			g.add(r)
		}
	}
	if shut {
		t.below++
	}
}

// add keeps the worst: the lowest score, then the lowest average, then what came first.
func (g *held) add(r *record.Record) {
	g.below++
	b := below{r.Name(), r.Source.File, g.Score(r.Evaluation), r.Evaluation.Average}
	at, _ := slices.BinarySearchFunc(g.worst, b, func(have, b below) int {
		if c := cmp.Or(cmp.Compare(have.score, b.score), cmp.Compare(have.average, b.average)); c != 0 {
			return c
		}
		return -1 // what is equal stays before what comes later
	})
	if at < mostWorst {
		g.worst = slices.Insert(g.worst, at, b)
		g.worst = g.worst[:min(len(g.worst), mostWorst)]
	}
}

// Verdict is the answer to the gates.
type Verdict struct {
	Passed bool
	Lines  []string // what there is to say: which gate is shut for how many dialogues, and for which
}

// Verdict gives the answer. The error tells that there is none, because no dialogue is scored.
func (t *Tally) Verdict() (Verdict, error) {
	switch {
	case len(t.gates) > 0 && t.scored == 0 && t.unscored > 0:
		return Verdict{}, fmt.Errorf("no dialogue is scored, so --fail-under has no answer")
	case t.below == 0:
		return Verdict{Passed: true}, nil
	}
	v := Verdict{Passed: t.below <= t.allowed.Within(t.scored)}
	shut := 0
	for i := range t.gates {
		if g := &t.gates[i]; g.below > 0 {
			shut++
			v.Lines = append(v.Lines, fmt.Sprintf("%d of %s below --fail-under %s; the lowest: %s", g.below, t.all(), g.Gate, g.named(t.files)))
		}
	}
	if shut > 1 || !t.allowed.None() {
		v.Lines = append(v.Lines, t.sum())
	}
	return v, nil
}

// sum tells how many dialogues are below any gate, and how many may be.
func (t *Tally) sum() string {
	s := fmt.Sprintf("%d of %s below a gate", t.below, t.all())
	if t.allowed.None() {
		return s
	}
	return fmt.Sprintf("%s (%.1f %%); --max-below %s allows %d", s, 100*float64(t.below)/float64(t.scored), t.allowed, t.allowed.Within(t.scored))
}

// all is how many dialogues are scored.
func (t *Tally) all() string {
	if t.scored == 1 {
		return "1 dialogue"
	}
	return fmt.Sprintf("%d dialogues", t.scored)
}

// named names the worst with their scores: "1007 (20), 1013 (40) and 2 more".
func (g *held) named(files bool) string {
	var list []string
	for _, b := range g.worst {
		name := b.name
		if files {
			name += " of " + b.file
		}
		list = append(list, fmt.Sprintf("%s (%d)", name, b.score))
	}
	s := strings.Join(list, ", ")
	if rest := g.below - len(list); rest > 0 {
		s += fmt.Sprintf(" and %d more", rest)
	}
	return s
}
