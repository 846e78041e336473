package view

import (
	"math"
	"strconv"

	"assize/cmd/assize/internal/accord"
	"assize/rubric"
)

// figure adds a figure on one line.
func (d *document) figure(k accord.Key, f accord.Figure, mean bool) {
	d.item(string(k.Statistic))
	places := k.Statistic.Decimals()
	d.b = appendFixed(append(d.b, `{"value":`...), f.Value, places)
	d.b = appendFixed(append(d.b, `,"low":`...), f.Low, places)
	d.b = appendFixed(append(d.b, `,"high":`...), f.High, places)
	d.b = strconv.AppendInt(append(d.b, `,"n":`...), int64(f.N), 10)
	if mean {
		d.b = strconv.AppendInt(append(d.b, `,"groups":`...), int64(f.Groups), 10)
	}
	if f.Why != "" {
		d.b = rubric.AppendString(append(d.b, `,"warning":`...), []byte(f.Why))
	}
	d.b = append(d.b, '}')
}

// figures adds figures under what was rated, where something was, and under the measure.
func (d *document) figures(key string, t *accord.Table, figures []accord.Figure, mean bool) {
	d.open(key, "{")
	rated := ""
	for i, k := range t.Keys {
		if k.Rated != rated {
			if rated != "" {
				d.close("}")
			}
			d.open(k.Rated, "{")
			rated = k.Rated
		}
		if !earlier(t.Keys[:i], k) {
			d.open(k.Measure, "{")
			for j := i; j < len(t.Keys); j++ {
				if t.Keys[j].Rated == k.Rated && t.Keys[j].Measure == k.Measure {
					d.figure(t.Keys[j], figures[j], mean)
				}
			}
			d.close("}")
		}
	}
	if rated != "" {
		d.close("}")
	}
	d.close("}")
}

// earlier reports whether a key of the same measure has come before.
func earlier(keys []accord.Key, k accord.Key) bool {
	for _, e := range keys {
		if e.Rated == k.Rated && e.Measure == k.Measure {
			return true
		}
	}
	return false
}

func appendFixed(b []byte, v float64, decimals int) []byte {
	if math.IsNaN(v) {
		return append(b, "null"...)
	}
	return append(b, fixed(v, decimals)...)
}

// fixed prints a figure with a fixed number of decimals, halves away from zero, and never as "-0".
func fixed(v float64, decimals int) string {
	unit := math.Pow10(decimals)
	if v = math.Round(v*unit) / unit; v == 0 {
		v = 0
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// table adds what tables have in common.
func (d *document) table(t *accord.Table) {
	d.plain("dialogues", float64(t.Dialogues))
	d.text("by", string(t.By))
	d.figures("mean", t, t.Mean, true)
	d.open("groups", "[")
	for i := range t.Groups {
		g := &t.Groups[i]
		d.open("", "{")
		d.text("name", g.Name)
		d.plain("dialogues", float64(g.Dialogues))
		d.figures("figures", t, g.Figures, false)
		d.confusions(g.Confusion)
		d.close("}")
	}
	d.close("]")
}

// confusions adds tables of levels: a row for each of people's.
func (d *document) confusions(list []accord.Confusion) {
	if list == nil {
		return
	}
	d.open("confusion", "[")
	for _, c := range list {
		d.item("")
		d.b = rubric.AppendString(append(d.b, `{"rated":`...), []byte(c.Rated))
		d.b = rubric.AppendString(append(d.b, `,"measure":`...), []byte(c.Measure))
		d.b = append(d.b, `,"counts":[`...)
		for i, row := range c.Counts {
			if i > 0 {
				d.b = append(d.b, ',')
			}
			d.b = append(d.b, '[')
			for k, n := range row {
				if k > 0 {
					d.b = append(d.b, ',')
				}
				d.b = strconv.AppendInt(d.b, int64(n), 10)
			}
			d.b = append(d.b, ']')
		}
		d.b = append(d.b, "]}"...)
	}
	d.close("]")
}
