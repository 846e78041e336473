package view

import (
	"io"
	"strconv"

	"assize/cmd/assize/internal/accord"
	"assize/rubric"
)

// JSON writes a report as one object, whose keys stand in the package comment.
func (s *Sheet) JSON(w io.Writer) error {
	d := document{first: true}
	d.open("", "{")
	d.plain("assize_agreement", 1)
	d.texts("answer", s.Sentences())
	d.texts("notes", append(append([]string{}, s.Source.Notes...), s.Notes...))
	d.text("ratings", s.Source.Ratings)
	d.open("scale", "[")
	d.plain("", s.Options.Scale.Low)
	d.plain("", s.Options.Scale.High)
	d.close("]")
	d.plain("worst", s.Options.Worst)
	d.plain("precision_at", s.Options.Precision())
	d.plain("draws", float64(s.Options.Draws))
	d.item("seed")
	d.b = strconv.AppendUint(d.b, s.Options.Seed, 10)
	d.plain("unscored", float64(s.Source.Unscored))
	d.open("verdicts", "{")
	for _, rated := range s.Rated {
		d.open(rated, "{")
		for _, m := range accord.MeasuresOf(rated) {
			d.text(m, s.Verdict(rated, m).String())
		}
		d.close("}")
	}
	d.close("}")
	d.table(&s.Table)
	d.close("}")
	_, err := w.Write(append(d.b, '\n'))
	return err
}

// JSON writes a report as one object, whose keys stand in the package comment.
func (b *Bench) JSON(w io.Writer) error {
	d := document{first: true}
	d.open("", "{")
	d.plain("assize_judges", 1)
	d.run("judge", b.Judge)
	d.plain("draws", float64(b.Options.Draws))
	d.item("seed")
	d.b = strconv.AppendUint(d.b, b.Options.Seed, 10)
	d.open("against", "[")
	for i := range b.Against {
		o := &b.Against[i]
		d.open("", "{")
		d.run("judge", &accord.Judge{Run: o.B})
		d.text("answer", o.Sentence())
		d.texts("notes", o.Remarks())
		d.open("made_differently", "[")
		for _, diff := range o.Different {
			d.item("")
			d.b = rubric.AppendString(append(d.b, `{"what":`...), []byte(diff.What))
			d.b = rubric.AppendString(append(d.b, `,"first":`...), []byte(diff.A))
			d.b = append(rubric.AppendString(append(d.b, `,"other":`...), []byte(diff.B)), '}')
		}
		d.close("]")
		d.table(&o.Table)
		d.close("}")
	}
	d.close("]")
	if b.Together != nil {
		d.open("together", "{")
		d.text("answer", b.Stability())
		d.texts("notes", b.Together.Notes)
		d.table(b.Together)
		d.close("}")
	}
	d.close("}")
	_, err := w.Write(append(d.b, '\n'))
	return err
}

func (d *document) run(key string, j *accord.Judge) {
	d.open(key, "{")
	d.text("file", j.File)
	d.plain("dialogues", float64(len(j.Cases)))
	d.plain("scored", float64(j.Scored))
	d.open("fingerprints", "[")
	for _, h := range j.Headers {
		if h == nil {
			d.item("")
			d.b = append(d.b, "null"...)
			continue
		}
		d.text("", h.Fingerprint())
	}
	d.close("]")
	d.close("}")
}
