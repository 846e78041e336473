package view

import (
	"path"
	"strings"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/report"
)

// labels are what people read in place of the keys.
var labels = map[string]string{
	accord.Average:      "average",
	accord.Overall:      "overall",
	accord.OneAnnotator: "annotator",
}

// Label is what people read in place of a measure's key.
func Label(measure string) string {
	if l, ok := labels[measure]; ok {
		return l
	}
	return measure
}

// row is a line of a table of statistics.
type row struct {
	accord.Statistic
	name     string
	decimals int
	main     bool // shown without --full
}

// rows are the statistics of a table beside people.
var rows = []row{
	{accord.Spearman, "Spearman", 2, true},
	{accord.InSeat, "in a seat", 2, true},
	{accord.Kendall, "Kendall", 2, false},
	{accord.Pearson, "Pearson", 2, false},
	{accord.Kappa, "kappa", 2, true},
	{accord.UAR, "UAR", 2, false},
	{accord.AUC, "AUC", 2, true},
	{accord.Precision, "precision", 2, true},
	{accord.MAE, "MAE", 1, true},
	{accord.RMSE, "RMSE", 1, false},
}

// statisticName is what people read in place of a statistic's key.
func statisticName(s accord.Statistic) string {
	for _, r := range rows {
		if r.Statistic == s {
			return r.name
		}
	}
	names := map[accord.Statistic]string{
		accord.AlphaNominal: "nominal alpha", accord.AlphaOrdinal: "ordinal alpha", accord.AlphaInterval: "interval alpha",
		accord.ICC1: "ICC(1)", accord.ICCk: "ICC(k)", accord.Ceiling: "limit", accord.Lead: "lead",
		accord.MeanDifference: "difference",
	}
	if n, ok := names[s]; ok {
		return n
	}
	return strings.ReplaceAll(string(s), "_", " ")
}

// GroupNames gives the groups the names that a table shows: of files without folders, unless two are then the same.
func GroupNames(t *accord.Table) []string {
	names := make([]string, len(t.Groups))
	seen := map[string]bool{}
	for i, g := range t.Groups {
		names[i] = g.Name
		if t.By == accord.ByFile || t.By == accord.ByFolder {
			names[i] = path.Base(strings.ReplaceAll(g.Name, `\`, "/"))
		}
		if seen[names[i]] {
			for k, g := range t.Groups {
				names[k] = g.Name
			}
			break
		}
		seen[names[i]] = true
	}
	for i, n := range names {
		names[i] = report.Visible(n)
	}
	return names
}
