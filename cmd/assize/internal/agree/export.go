package agree

import (
	"encoding/json"
	"io"
	"slices"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/ui"
)

type figureJSON struct {
	Value   stats.Fixed `json:"value"`
	Low     stats.Fixed `json:"low"`
	High    stats.Fixed `json:"high"`
	N       int         `json:"n"`
	Groups  *int        `json:"groups,omitempty"` // of means only
	Warning string      `json:"warning,omitempty"`
}

// MarshalJSON nests figures by what was rated, where something was, by measure and by statistic.
func (list Figures) MarshalJSON() ([]byte, error) { return json.Marshal(nested(list, false)) }

// MarshalJSON is as that of [Figures], with the number of groups in each.
func (list Mean) MarshalJSON() ([]byte, error) { return json.Marshal(nested(list, true)) }

func nested(list []Figure, mean bool) any {
	type measures map[string]map[Statistic]figureJSON
	all := map[string]measures{}
	for _, f := range list {
		k, s := f.Key, f.Statistic
		if all[k.Rated] == nil {
			all[k.Rated] = measures{}
		}
		if all[k.Rated][k.Measure] == nil {
			all[k.Rated][k.Measure] = map[Statistic]figureJSON{}
		}
		one := figureJSON{s.fixed(f.Value), s.fixed(f.Low), s.fixed(f.High), f.N, nil, f.Why}
		if mean {
			one.Groups = &f.Groups
		}
		all[k.Rated][k.Measure][s] = one
	}
	if judges := all[""]; judges != nil {
		return judges
	}
	return all
}

// list gives a list that JSON does not write as null.
func list[T any](of ...[]T) []T { return append([]T{}, slices.Concat(of...)...) }

// JSON writes the report as one object. What cannot be measured is null, and its warning says why.
func (rep *Report) JSON(w io.Writer) error {
	verdicts := map[string]map[string]Verdict{}
	for _, rated := range rep.Rated {
		verdicts[rated] = map[string]Verdict{}
		for _, m := range MeasuresOf(rated) {
			verdicts[rated][m] = rep.Verdict(rated, m)
		}
	}
	o := &rep.Options
	return ui.WriteJSON(w, struct {
		Version   int                           `json:"assize_agreement"`
		Answer    []string                      `json:"answer"`
		Notes     []string                      `json:"notes"`
		Ratings   string                        `json:"ratings"` // the file; empty for those in the runs
		Scale     [2]float64                    `json:"scale"`
		Worst     float64                       `json:"worst"`
		Precision float64                       `json:"precision_at"`
		Draws     int                           `json:"draws"`
		Seed      uint64                        `json:"seed"`
		Unscored  int                           `json:"unscored"`
		Verdicts  map[string]map[string]Verdict `json:"verdicts"`
		*Table
	}{1, list(rep.Sentences()), list(rep.Source.Notes, rep.Notes), rep.Source.Ratings,
		[2]float64{o.Scale.Low, o.Scale.High},
		o.Worst, o.Precision(), o.Draws, o.Seed, rep.Source.Unscored, verdicts, &rep.Table}, "  ")
}

// judgeJSON is a run as programs read it.
type judgeJSON struct {
	File         string    `json:"file"`
	Dialogues    int       `json:"dialogues"`
	Scored       int       `json:"scored"`
	Fingerprints []*string `json:"fingerprints"`
}

type opponentJSON struct {
	Judge     judgeJSON           `json:"judge"`
	Answer    string              `json:"answer"`
	Notes     []string            `json:"notes"`
	Different []map[string]string `json:"made_differently"`
	*Table
}

type togetherJSON struct {
	Answer string   `json:"answer"`
	Notes  []string `json:"notes"`
	*Table
}

// JSON writes the comparison of judges as one object.
func (js *Judges) JSON(w io.Writer) error {
	judge := func(r *compare.Run) judgeJSON { return judgeJSON{r.File, r.Dialogues, r.Scored, r.Fingerprints} }
	doc := struct {
		Version  int            `json:"assize_judges"`
		Judge    judgeJSON      `json:"judge"`
		Draws    int            `json:"draws"`
		Seed     uint64         `json:"seed"`
		Against  []opponentJSON `json:"against"`
		Together *togetherJSON  `json:"together,omitempty"`
	}{Version: 1, Judge: judge(js.First), Draws: js.Options.Draws, Seed: js.Options.Seed}
	for i := range js.Against {
		o := &js.Against[i]
		one := opponentJSON{judge(&o.B), o.Sentence(), list(o.Caveats()), []map[string]string{}, &o.Table}
		for _, d := range o.Different {
			one.Different = append(one.Different, map[string]string{"what": d.What, "first": d.A, "other": d.B})
		}
		doc.Against = append(doc.Against, one)
	}
	if js.Together != nil {
		doc.Together = &togetherJSON{js.Stability(), list(js.Together.Notes), js.Together}
	}
	return ui.WriteJSON(w, doc, "  ")
}

// long is a table in long form, a row for each figure.
func long(columns ...string) *ui.Table {
	t := &ui.Table{}
	for _, c := range append(columns, "measure", "statistic", "value", "low", "high", "n", "warning") {
		t.Columns = append(t.Columns, ui.Column{Title: c})
	}
	return t
}

// add adds every figure of every group to a table in long form. lead gives the cells before the measure.
func (t *Table) add(to *ui.Table, lead func(group string, k Key) []any) {
	for _, g := range append([]Group{{Name: "(mean of groups)", Figures: Figures(t.Mean)}}, t.Groups...) {
		for _, f := range g.Figures {
			s := f.Statistic
			to.Add(append(lead(g.Name, f.Key), f.Measure, s, s.fixed(f.Value), s.fixed(f.Low), s.fixed(f.High), f.N,
				f.Why)...)
		}
	}
}

// CSV writes the report in long form, for spreadsheets (RFC 4180).
func (rep *Report) CSV(w io.Writer) error {
	all := long("group", "rated")
	rep.add(all, func(group string, k Key) []any { return []any{group, k.Rated} })
	return all.CSV(w)
}

// CSV writes the comparison of judges in long form. Figures of all judges have no "against".
func (js *Judges) CSV(w io.Writer) error {
	all := long("against", "group")
	for i := range js.Against {
		o := &js.Against[i]
		o.add(all, func(group string, _ Key) []any { return []any{o.B.File, group} })
	}
	if js.Together != nil {
		js.Together.add(all, func(group string, _ Key) []any { return []any{"", group} })
	}
	return all.CSV(w)
}
