package view

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/report"
)

// meanName is the group of the means over the groups. No file is named so, nor any format.
const meanName = "(mean of groups)"

// CSV writes a report in long form, a row a figure, for spreadsheets (RFC 4180). What cannot be had is empty, and the
// last column says why.
func (s *Sheet) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"group", "rated", "measure", "statistic", "value", "low", "high", "n", "warning"})
	long(&s.Table, func(group string, k accord.Key, rest []string) {
		c.Write(append([]string{report.Inert(group), k.Rated, k.Measure, string(k.Statistic)}, rest...))
	})
	c.Flush()
	return c.Error()
}

// CSV writes a report in long form, a row a figure. Figures of all judges have no "against".
func (b *Bench) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"against", "group", "measure", "statistic", "value", "low", "high", "n", "warning"})
	rows := func(against string, t *accord.Table) {
		long(t, func(group string, k accord.Key, rest []string) {
			c.Write(append([]string{report.Inert(against), report.Inert(group), k.Measure, string(k.Statistic)}, rest...))
		})
	}
	for i := range b.Against {
		rows(b.Against[i].B.File, &b.Against[i].Table)
	}
	if b.Together != nil {
		rows("", b.Together)
	}
	c.Flush()
	return c.Error()
}

// long gives every figure of a table, the means first.
func long(t *accord.Table, row func(group string, k accord.Key, rest []string)) {
	all := append([]accord.Group{{Name: meanName, Figures: t.Mean}}, t.Groups...)
	for _, g := range all {
		for i, k := range t.Keys {
			f := g.Figures[i]
			places := k.Statistic.Decimals()
			row(g.Name, k, []string{digits(f.Value, places), digits(f.Low, places), digits(f.High, places), strconv.Itoa(f.N), f.Why})
		}
	}
}

func digits(v float64, decimals int) string {
	if math.IsNaN(v) {
		return ""
	}
	return fixed(v, decimals)
}
