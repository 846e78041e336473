package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/report"
)

// reasons gather why there is no figure. What shares a reason is told together.
type reasons struct {
	order []string
	of    map[string]*reason
}

type reason struct {
	group, missing, why  string
	measures, statistics []string
}

func newReasons() *reasons { return &reasons{of: map[string]*reason{}} }

func (r *reasons) add(group string, k accord.Key, f accord.Figure) {
	if f.Why == "" {
		return
	}
	missing := "no "
	if !math.IsNaN(f.Value) {
		missing = "no interval for "
	}
	id := strings.Join([]string{group, k.Rated, missing, f.Why}, "\x00")
	one, ok := r.of[id]
	if !ok {
		one = &reason{group: group, missing: missing, why: f.Why}
		if k.Rated != "" && k.Rated != accord.OverallRating {
			one.group = strings.TrimSpace(group + " " + k.Rated)
		}
		r.of[id] = one
		r.order = append(r.order, id)
	}
	one.measures = with(one.measures, Label(k.Measure))
	one.statistics = with(one.statistics, statisticName(k.Statistic))
}

func with(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// mostReasons is how many are told of.
const mostReasons = 8

func (r *reasons) write(p *report.Page) {
	for i, id := range r.order {
		if i == 0 {
			p.WriteByte('\n')
		}
		if i == mostReasons && len(r.order) > mostReasons+1 {
			p.Paragraph(report.Yellow, "– ", "  ", fmt.Sprintf("and %d more reasons; --format csv has them all", len(r.order)-i))
			return
		}
		one := r.of[id]
		where := ""
		if one.group != "" {
			where = one.group + ": "
		}
		p.Paragraph(report.Yellow, "– ", "  ", fmt.Sprintf("%s%s%s of %s: %s", where, one.missing, few(one.statistics), few(one.measures), one.why))
	}
}

// few joins words, or says that there are many.
func few(words []string) string {
	if len(words) > 4 {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:3], ", "), len(words)-3)
	}
	return strings.Join(words, ", ")
}
