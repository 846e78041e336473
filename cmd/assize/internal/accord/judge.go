package accord

import (
	"context"
	"fmt"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
)

// Judge is what one judge said: all that is kept of a run.
type Judge struct {
	*compare.Run
	formats []string // by case
}

// NewJudge makes a judge who has said nothing yet; file is the run as the user named it.
func NewJudge(file string) *Judge { return &Judge{Run: compare.NewRun(file)} }

// Add takes in what the judge said of a dialogue.
func (j *Judge) Add(l record.Line, r *record.Record) {
	j.Run.Add(l, r)
	j.formats = append(j.formats, string(r.Source.Format))
}

// Judges is how judges of the same dialogues agree.
type Judges struct {
	Judge    *Judge // against whom the others are held
	Options  Options
	Against  []Opponent
	Together *Table // what all of them said of the dialogues that all scored; nil for one opponent
}

// Opponent is another judge beside the first.
type Opponent struct {
	Table
	*compare.Comparison
}

// sitting is one dialogue and what each judge said of it.
type sitting struct {
	of    origin
	cases []*compare.Case
}

// NewJudges measures how judges agree with the first of them. Dialogues are known again by what was said in them.
func NewJudges(ctx context.Context, first *Judge, others []*Judge, opt Options) *Judges {
	js := &Judges{Judge: first, Options: opt}
	for _, other := range others {
		c := compare.New(first.Run, other.Run, compare.Options{Mode: compare.Paired})
		js.Against = append(js.Against, Opponent{Comparison: c})
	}
	for i := range js.Against {
		o := &js.Against[i]
		o.Table = tabulate(ctx, pairedDialogues, js.sittings(o), sittingOrigin, opt, pairGauges)
	}
	if len(others) > 1 {
		t := tabulate(ctx, commonDialogues, js.sittings(), sittingOrigin, opt, togetherGauges(len(others)+1))
		js.Together = &t
	}
	return js
}

func sittingOrigin(s *sitting) origin { return s.of }

// sittings lists the dialogues that the first judge and the opponents scored; all opponents where none is given.
func (js *Judges) sittings(opponents ...*Opponent) []sitting {
	if opponents == nil {
		for i := range js.Against {
			opponents = append(opponents, &js.Against[i])
		}
	}
	by := map[int][]*compare.Case{}
	for _, o := range opponents {
		for _, p := range o.Both {
			by[p.A] = append(by[p.A], &o.B.Cases[p.B])
		}
	}
	var list []sitting
	for i := range js.Judge.Cases {
		if c := &js.Judge.Cases[i]; len(by[i]) == len(opponents) {
			list = append(list, sitting{origin{c.File, js.Judge.formats[i]}, append([]*compare.Case{c}, by[i]...)})
		}
	}
	return list
}

// Sentence says how an opponent agrees with the first judge.
func (o *Opponent) Sentence() string {
	at := func(measure string, s Statistic) Figure { return o.Of(o.Mean, Key{"", measure, s}) }
	exact := at(Overall, Exact)
	same := o.Unequal > 0
	for _, m := range Judged()[:numLevelled] {
		same = same && at(m, Exact).Value == 1
	}
	switch {
	case exact.Groups == 0:
		return fmt.Sprintf("How the two agree cannot be told: %s.", exact.Why)
	case o.Unequal == 0:
		return "The two say the same of every dialogue that both scored."
	case same:
		return "The two give every dialogue the same scores; what differs is computed from them."
	}
	return fmt.Sprintf("The two give %s of the dialogues the same OverallExperience, and %s one that is no more than a level away.",
		percent(exact.Value), percent(at(Overall, Within).Value))
}

// Stability says how often a score changes from one judge to the next.
func (js *Judges) Stability() string {
	changed := js.Together.Of(js.Together.Mean, Key{"", Overall, Changed})
	if changed.Groups == 0 {
		return fmt.Sprintf("How stable the %d judges are together cannot be told: %s.", len(js.Against)+1, changed.Why)
	}
	alpha := js.Together.Of(js.Together.Mean, Key{"", Overall, AlphaOrdinal})
	s := fmt.Sprintf("Over the %d judges the OverallExperience changes in %s of the dialogues", len(js.Against)+1, percent(changed.Value))
	if alpha.Groups > 0 {
		s += fmt.Sprintf(" (alpha %s)", Short(alpha.Value, 2))
	}
	return s + "."
}

// percent prints a part of one with a decimal. Only all is 100 %, and only nothing is 0 %.
func percent(part float64) string {
	switch s := fmt.Sprintf("%.1f %%", 100*part); {
	case part == 1:
		return "all"
	case part == 0:
		return "none"
	case s == "100.0 %":
		return "over 99.9 %"
	case s == "0.0 %":
		return "under 0.1 %"
	default:
		return s
	}
}

// Remarks are what a reader must know of a comparison of judges, a sentence each.
func (o *Opponent) Remarks() []string {
	var list []string
	left := func(n int, what string) {
		if n > 0 {
			list = append(list, fmt.Sprintf("%s %s.", report.Counted(n, "dialogue"), what))
		}
	}
	left(len(o.OnlyA), "only in the first run and left out")
	left(len(o.OnlyB), "only in the other run and left out")
	left(len(o.Lost)+len(o.Gained), "scored by one judge alone and left out")
	if o.Dialogues >= Fewest {
		list = append(list, o.Warnings...)
	}
	return append(list, o.Notes...)
}
