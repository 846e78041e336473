package view

import (
	"encoding/json"
	"io"
	"math"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// JSON writes a comparison as one object, whose keys stand in the package comment.
func JSON(w io.Writer, c *compare.Comparison) error {
	data, err := json.MarshalIndent(document(c), "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// document lays a comparison out.
func document(c *compare.Comparison) docWire {
	d := docWire{
		Version: 1, Mode: "unpaired", Answer: c.Sentences(), Warnings: []words{}, Draws: c.Options.Draws, Seed: c.Options.Seed,
		A: runOf(c.A, len(c.OnlyA)), B: runOf(c.B, len(c.OnlyB)),
		Matched:  matchedWire{len(c.Pairs), len(c.Both), c.Unequal},
		Measures: measures(c, &c.All), Files: []fileWire{}, OverFiles: []measureWire{},
		Different: []originWire{}, Changed: []changeWire{},
		Lost: cases(c, c.Lost), Gained: cases(c, c.Gained),
	}
	if c.Paired {
		d.Mode = "paired"
	}
	for _, s := range c.Warnings {
		d.Warnings = append(d.Warnings, words(s))
	}
	for i := range c.Files {
		d.Files = append(d.Files, fileWire{words(c.Files[i].File), measures(c, &c.Files[i])})
	}
	if len(c.Files) > 0 {
		for _, m := range c.Measures() {
			d.OverFiles = append(d.OverFiles, figure(m, &c.OverFile[m]))
		}
	}
	for _, o := range c.Different {
		d.Different = append(d.Different, originWire{words(o.What), words(o.A), words(o.B)})
	}
	for i := range c.Changed {
		d.Changed = append(d.Changed, change(&c.Changed[i]))
	}
	return d
}

func runOf(r *compare.Run, only int) runWire {
	w := runWire{File: words(r.File), Dialogues: len(r.Cases), Scored: r.Scored, Runs: []any{}, Only: only}
	for _, h := range r.Headers {
		if h == nil {
			w.Runs = append(w.Runs, nil)
		} else {
			w.Runs = append(w.Runs, h.Fingerprint())
		}
	}
	return w
}

func measures(c *compare.Comparison, p *compare.Part) []measureWire {
	list := []measureWire{}
	for _, m := range c.Measures() {
		f := &p.Figures[m]
		w := figure(m, f)
		w.NA, w.NB = &p.NA, &p.NB
		if c.Paired {
			w.movesWire = &movesWire{
				f.Rose, f.Fell, f.Stayed, number{f.Sign.P, 6}, number{f.Sign.Holm, 6}, number{f.Wilcoxon.P, 6}, number{f.Wilcoxon.Holm, 6},
			}
		} else {
			w.Above = &number{f.Above, 4}
		}
		list = append(list, w)
	}
	return list
}

func figure(m compare.Measure, f *compare.Figure) measureWire {
	d := m.Decimals()
	w := measureWire{Measure: m.Key(), A: number{f.A, d}, B: number{f.B, d}, Difference: number{f.Difference, d}}
	if !math.IsNaN(f.Interval.Low) {
		w.Interval = &[2]number{{f.Interval.Low, d}, {f.Interval.High, d}}
	}
	return w
}

func cases(c *compare.Comparison, pairs []compare.Pair) []caseWire {
	list := []caseWire{}
	for _, p := range pairs {
		a, b := &c.A.Cases[p.A], &c.B.Cases[p.B]
		list = append(list, caseWire{place(a), place(b), words(a.Reason + b.Reason)}) // one of them has none
	}
	return list
}

func place(c *compare.Case) placeWire { return placeWire{words(c.ID), words(c.File), c.Line} }

func change(ch *compare.Change) changeWire {
	w := changeWire{A: judged(&ch.A), B: judged(&ch.B), Criteria: []reasonWire{}}
	for _, c := range ch.Criteria {
		w.Criteria = append(w.Criteria, reasonWire{c.String(), settled(ch.RecordA, c), settled(ch.RecordB, c)})
	}
	return w
}

func judged(c *compare.Case) judgedWire {
	return judgedWire{place(c), int(c.Overall), c.Average, c.Satisfaction}
}

func settled(r *record.Record, c rubric.Criterion) *settledWire {
	if r == nil {
		return nil
	}
	e := r.Evaluation
	return &settledWire{int(e.Final[c].Score), e.Rulings[c].ID.String(), words(e.Final[c].Sentence(e.Dialogue))}
}
