package view

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/segment"
)

// CSV writes a row a group, for spreadsheets (RFC 4180). What a group has none of is empty.
func CSV(w io.Writer, t *segment.Table) error {
	c := csv.NewWriter(w)
	c.Write([]string{"by", "group", "scored", "unscored", "numeric_weighted_average", "average_low", "average_high",
		"satisfaction", "satisfaction_low", "satisfaction_high", fmt.Sprintf("below_%d", segment.Low), "share_below", "too_few"})
	for i := range t.Groups {
		g := &t.Groups[i]
		row := []string{report.Inert(t.By), report.Inert(g.Name), strconv.Itoa(g.Scored), strconv.Itoa(g.Unscored)}
		row = append(append(row, figures(g.Average, g.Scored)...), figures(g.Satisfaction, g.Scored)...)
		part := ""
		if g.Scored > 0 {
			part = strconv.FormatFloat(g.Share(), 'f', 4, 64)
		}
		c.Write(append(row, strconv.Itoa(g.Below), part, strconv.FormatBool(g.TooFew))) // c keeps the error
	}
	c.Flush()
	return c.Error()
}

// figures gives a mean and the ends of its interval.
func figures(m segment.Mean, scored int) []string {
	row := make([]string, 3)
	if scored > 0 {
		row[0] = m.Value.String()
	}
	if m.Ranges {
		row[1], row[2] = m.Low.String(), m.High.String()
	}
	return row
}
