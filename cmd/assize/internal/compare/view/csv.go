package view

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/report"
)

// CSV writes a row a measure, of all dialogues and then file by file, for spreadsheets (RFC 4180). A cell is empty
// where there is no figure. The mean over the files stands at the end, as the file "mean of the files".
func CSV(w io.Writer, c *compare.Comparison) error {
	out := csv.NewWriter(w)
	rows := [][]string{{
		"file", "measure", "n_a", "n_b", "mean_a", "mean_b", "difference", "low", "high",
		"rose", "fell", "stayed", "sign_p", "sign_p_holm", "wilcoxon_p", "wilcoxon_p_holm", "chance_b_above_a",
	}}
	for _, p := range append([]compare.Part{c.All}, c.Files...) {
		for _, m := range c.Measures() {
			f := &p.Figures[m]
			row := append(figures(p.File, m, f), make([]string, 8)...)
			row[2], row[3] = strconv.Itoa(p.NA), strconv.Itoa(p.NB)
			if c.Paired {
				copy(row[9:], []string{strconv.Itoa(f.Rose), strconv.Itoa(f.Fell), strconv.Itoa(f.Stayed)})
			}
			for i, v := range []float64{f.Sign.P, f.Sign.Holm, f.Wilcoxon.P, f.Wilcoxon.Holm} {
				row[12+i] = cell(v, 6)
			}
			row[16] = cell(f.Above, 4)
			rows = append(rows, row)
		}
	}
	if len(c.Files) > 0 {
		for _, m := range c.Measures() {
			rows = append(rows, append(figures("mean of the files", m, &c.OverFile[m]), make([]string, 8)...))
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}

// figures gives the first nine cells of a row.
func figures(file string, m compare.Measure, f *compare.Figure) []string {
	row := []string{report.Inert(file), m.Key(), "", ""}
	for _, v := range []float64{f.A, f.B, f.Difference, f.Interval.Low, f.Interval.High} {
		row = append(row, cell(v, m.Decimals()))
	}
	return row
}

func cell(f float64, decimals int) string {
	if math.IsNaN(f) {
		return ""
	}
	return compare.Fixed(f, decimals)
}
