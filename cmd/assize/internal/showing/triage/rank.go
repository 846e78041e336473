// Package triage finds the dialogues that a person should read first and explains each in a line or
// two.
//
// Dialogues are ranked worst first by a [run.Order], and a [Least] keeps only the requested number.
// [Choose] spends a model's time where it can make a difference: on the worst dialogues, and on
// those for which the rules are unsure on which side of the cut they belong. A [Ranking] writes the
// result.
package triage

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/results"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Least keeps the n least of the values added to it, by an order, and drops all others. It stores
// at most 2n values.
type Least[T any] struct {
	n       int
	compare func(a, b T) int
	list    []T
}

// NewLeast returns a Least that keeps n values.
func NewLeast[T any](n int, compare func(a, b T) int) *Least[T] {
	return &Least[T]{n: n, compare: compare}
}

// Add adds a value, which is kept unless there are n smaller ones.
func (l *Least[T]) Add(v T) {
	if l.list = append(l.list, v); len(l.list) > 2*l.n {
		l.cut()
	}
}

// List returns the kept values, the least first.
func (l *Least[T]) List() []T {
	l.cut()
	return slices.Clone(l.list)
}

func (l *Least[T]) cut() {
	slices.SortFunc(l.list, l.compare)
	l.list = slices.Delete(l.list, min(l.n, len(l.list)), len(l.list))
}

// Choose spends a budget of n dialogues on rows, which it sorts by satisfaction. One half is spent
// on the worst. The other half is spent on those whose satisfaction is nearest to the cut, on
// either side, above which nobody needs to read: there the rules are most often wrong about the
// side. The cut is that of the profile, if it has one, or else the satisfaction of the last of the
// top dialogues; if all dialogues are shown there is no cut, and everything is spent on the worst.
// The reason for each pick is a phrase that assize explain describes: "worst", or "unsure: 0.03
// above the cut of 2.71".
//
// Distance to the cut is the only known measure of uncertainty. On the rated dialogues (USS), the
// error of the rules' estimate cannot be predicted from the number of signals, the rulings or how
// mixed the USER's reactions are.
func Choose(rows []run.Row, n, top int, flag *satisfaction.Triage) (picks []Ranked) {
	slices.SortFunc(rows, func(a, b run.Row) int { return run.BySatisfaction.Compare(&a, &b) })
	n = min(n, len(rows))
	worst, cut := n, rubric.Hundredths(0)
	switch {
	case flag != nil:
		worst, cut = (n+1)/2, flag.Cut
	case top < len(rows):
		worst, cut = (n+1)/2, rows[top-1].Satisfaction
	}
	for _, r := range rows[:worst] {
		picks = append(picks, Ranked{Row: r, Picked: "worst"})
	}
	away := func(r run.Row) rubric.Hundredths { return max(r.Satisfaction-cut, cut-r.Satisfaction) }
	nearer := func(a, b run.Row) int { return cmp.Compare(away(a), away(b)) }
	rest := slices.SortedStableFunc(slices.Values(rows[worst:]), nearer)
	for _, r := range rest[:n-worst] {
		why := fmt.Sprintf("unsure: at the cut of %s", cut)
		if r.Satisfaction < cut {
			why = fmt.Sprintf("unsure: %s below the cut of %s", away(r), cut)
		} else if r.Satisfaction > cut {
			why = fmt.Sprintf("unsure: %s above the cut of %s", away(r), cut)
		}
		picks = append(picks, Ranked{Row: r, Picked: why})
	}
	return picks
}

// Explanation is the reason for a dialogue's rank.
type Explanation struct {
	Criterion rubric.Criterion // the criterion that failed most
	Score     rubric.Score     // its score; 0 if nothing failed
	Claim     string           // the claim of its final rating as a sentence for display
	Evidence  []rubric.Quote   // up to maxEvidence verified quotes of that rating
	Friction  []rubric.Hundredths
}

// Finding returns the finding without the sentence about the score at the beginning of a rule's
// claim: next to "TaskSuccess 20", "the USER gives up" says more than "the request failed".
func (e *Explanation) Finding() string {
	for _, subject := range []string{": the SYSTEM", ": the USER", ": the conversation"} {
		if _, finding, ok := strings.Cut(e.Claim, subject); ok {
			return strings.TrimSuffix(subject[len(": "):]+finding, ".")
		}
	}
	return strings.TrimSuffix(e.Claim, ".")
}

// maxEvidence limits the quotes of an explanation.
const maxEvidence = 2

// Explain returns the explanation of an evaluation: the final rating that cost the weighted average
// most.
func Explain(e *rubric.Evaluation) Explanation {
	r := Explanation{Friction: summary.Friction(e)}
	c, ok := failed(e)
	if !ok {
		return r
	}
	r.Criterion, r.Score, r.Claim = c, e.Final[c].Score, results.Sentence(e.Final[c].Claim)
	for _, q := range e.Final[c].Quotes {
		if len(r.Evidence) < maxEvidence && q.Verify(e.Dialogue) {
			r.Evidence = append(r.Evidence, q)
		}
	}
	return r
}

// Failed returns the criterion that failed most with its score, such as "TaskSuccess 20", or
// "nothing".
func (r *Explanation) Failed() string {
	if r.Score == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s %d", r.Criterion, r.Score)
}

// Reason returns why the criterion failed, or "" if nothing failed. The evidence comes first, the
// last words before earlier ones, since it differs between dialogues that failed alike. Quotes are
// as they were said; the finding is in plain words.
func (r *Explanation) Reason() string {
	if r.Score == 0 {
		return ""
	}
	why := ""
	for _, q := range slices.Backward(r.Evidence) {
		why += "“" + q.Text + "” "
	}
	return why + ui.Name(r.Failed()) + ": " + ui.PlainRoles(r.Finding())
}

// failed returns the criterion that cost the weighted average most points: its weight times 100
// minus its score. Ties are broken by the lower score, then by the order in the rubric. It returns
// false if all scores are 100.
func failed(e *rubric.Evaluation) (worst rubric.Criterion, ok bool) {
	highest := 0
	for i, r := range e.Final {
		lost := e.Rubric.Weights[i] * (100 - int(r.Score))
		if lost > highest || lost > 0 && lost == highest && r.Score < e.Final[worst].Score {
			worst, highest = rubric.Criterion(i), lost
		}
	}
	return worst, highest > 0
}

// Draw draws a random sample. The same seed draws the same dialogues of a run, in whatever order
// they are read.
type Draw struct {
	N      int            // maximum number of dialogues of each group; 0 draws no sample
	Column summary.Column // that has the groups; without a name, all dialogues are one group
	Seed   uint64
	redact bool // mask the names of groups and of unscored dialogues

	groups map[string]*drawn
	below  int // scored dialogues whose OverallExperience is below [summary.Low]
}

// drawn contains the dialogues drawn from a group.
type drawn struct {
	of   int // all dialogues of the group
	list *Least[Ranked]
}

// add adds a dialogue to its group, and reports whether it is the first. The dialogues drawn are
// those with the lowest lots; a lot is a digest of the seed, the name and the turns.
func (d *Draw) add(r Ranked) (first bool) {
	if d.Column.By != "" {
		if r.Group, _ = d.Column.Group(&r.Row); d.redact {
			r.Group = redact.Text(r.Group)
		}
	}
	if r.Overall < summary.Low {
		d.below++
	}
	g := d.groups[r.Group]
	if first = g == nil; first {
		if d.groups == nil {
			d.groups = map[string]*drawn{}
		}
		g = &drawn{list: NewLeast(d.N, byLot)}
		d.groups[r.Group] = g
	}
	r.lot = sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%x", d.Seed, r.Name, r.Said))
	g.of++
	g.list.Add(r)
	return first
}

// byLot orders dialogues by their lots. Equal lots have the same name and turns, so that the file
// and the place decide.
func byLot(a, b Ranked) int {
	return cmp.Or(slices.Compare(a.lot[:], b.lot[:]), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Place, b.Place))
}

// list returns the sample in random order, each dialogue with the probability with which it was
// drawn.
func (d *Draw) list() (all []Ranked) {
	for _, g := range d.groups {
		list := g.list.List()
		for i := range list {
			list[i].Probability = float64(len(list)) / float64(g.of)
		}
		all = append(all, list...)
	}
	slices.SortFunc(all, byLot)
	return all
}

// sentences reports what was drawn, and how wide the interval of the share below 60 would be. The
// sample has n of the scored dialogues, and also of the worst were added to it.
func (d *Draw) sentences(n, scored, also int) (list ui.Sentences) {
	groups, few := "", ""
	small, spread := 0, 0.0 // groups with too few; the variance as a multiple of one dialogue's
	for _, name := range slices.Sorted(maps.Keys(d.groups)) {
		g := d.groups[name]
		drawn, weight := min(g.of, d.N), float64(g.of)/float64(scored)
		if spread += float64(weight * weight / float64(drawn)); drawn < stats.MinSampled {
			small++
		}
	}
	if by := d.Column.By; by != "" {
		groups = fmt.Sprintf(", up to %d of each of %s by %s", d.N,
			ui.Counted(len(d.groups), "group"), ui.Visible(by))
		few = fmt.Sprintf(" for %d of %s", small, ui.Counted(len(d.groups), "group"))
	}
	if n == scored {
		list.Add("All of %s%s, in random order.", ui.Counted(scored, "scored dialogue"), groups)
		return list
	}
	list.Add("%d of %s, drawn at random with seed %d%s.", n, ui.Counted(scored, "scored dialogue"),
		d.Seed, groups)
	share := float64(d.below) / float64(scored)
	in := stats.Wilson(share, 1/spread, stats.StudentT(max(float64(n-1), 1), .975))
	list.Add("By the scores, %.1f %% of all dialogues are below 60. If people find that share "+
		"among the %d, it is %.1f to %.1f %% of all dialogues (95 %% interval, Wilson).",
		100*share, n, 100*in.Low, 100*in.High)
	list.If(small > 0, "A figure needs %d ratings; fewer are drawn%s.", stats.MinSampled, few)
	list.If(also > 0, "Added: %d of the worst, which were not drawn and count in no figure.", also)
	return list
}

// sheetHelp explains the sheet of a sample, a sentence in each of its first rows.
//
//go:embed sheet.txt
var sheetHelp string

// words returns what was said, up to about maxWords characters.
func (r *Ranked) words() ui.Cell {
	const maxWords = 8000
	var b strings.Builder
	for _, t := range r.Record.Dialogue.Turns {
		if b.Len() > maxWords {
			b.WriteString("…")
			break
		}
		name := map[dialogue.Role]string{dialogue.System: "Agent", dialogue.User: "Customer",
			dialogue.Other: "Other"}[t.Role]
		fmt.Fprintf(&b, "%s: %.*s\n", name, maxWords, t.Text)
	}
	return ui.Cell{Text: strings.TrimSpace(b.String()), Lines: true}
}
