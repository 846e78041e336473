package view

import (
	"bytes"
	"fmt"
	"io"

	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/segment"
)

// Markdown writes a table for tickets and merge requests.
func Markdown(w io.Writer, t *segment.Table) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "| By %s | Scored | Unscored | Average (95 %%) | Satisfaction (95 %%) | Below %d | |\n|---|--:|--:|--:|--:|--:|---|\n",
		report.Escape(t.By), segment.Low)
	for i := range t.Groups {
		g := &t.Groups[i]
		few := ""
		if g.TooFew {
			few = "too few"
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s | %s | %s |\n", report.Escape(g.Name), g.Scored, g.Unscored,
			ranged(g.Average, g.Scored, 0), ranged(g.Satisfaction, g.Scored, 0), share(g), few)
	}
	_, err := w.Write(b.Bytes())
	return err
}
