package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
)

// Table is what an experiment comes to.
type Table struct {
	File      string
	Dialogues int // that every cell is of
	Rows      []*Row
	Rated     bool // people rated some of the dialogues
	Draws     int  // of the bootstrap
	Seed      uint64
	Notes     []string // what a reader must know, a sentence each

	rules []ratings.Rated // what the rules alone say of the rated dialogues; nil where they are no cell
}

// Agree measures how a row agrees with people, who rated these dialogues, and by how much better than the rules, where
// these have been measured before.
func (t *Table) Agree(ctx context.Context, r *Row, rated []ratings.Rated, opt accord.Options) {
	t.Rated = true
	rep := accord.New(ctx, rated, opt)
	of := func(table *accord.Table, measure string, s accord.Statistic) accord.Figure {
		return table.Of(table.Mean, accord.Key{Rated: accord.OverallRating, Measure: measure, Statistic: s})
	}
	r.Satisfaction.Figure = of(&rep.Table, accord.Satisfaction, accord.Spearman)
	r.Average.Figure = of(&rep.Table, accord.Average, accord.Spearman)
	t.Note(rep.Notes...)
	if r.Cell.ByRules() {
		t.rules = rated
		return
	}
	if t.rules == nil {
		return
	}
	gain := accord.NewGain(ctx, t.rules, rated, opt)
	r.Satisfaction.OverRules = of(gain, accord.Satisfaction, accord.Gain)
	r.Average.OverRules = of(gain, accord.Average, accord.Gain)
}

// Note adds sentences, each once.
func (t *Table) Note(sentences ...string) {
	for _, s := range sentences {
		if !slices.Contains(t.Notes, s) {
			t.Notes = append(t.Notes, s)
		}
	}
}

// Close adds what is to be told of the whole.
func (t *Table) Close() {
	for _, r := range t.Rows {
		if r.Missing > 0 {
			t.Note(fmt.Sprintf("%s: nothing is measured; not complete: %s.", r.Cell.Row(), report.Counted(r.Missing, "run")))
		}
		if r.ByRules > 0 {
			t.Note(fmt.Sprintf("%s: the rules took the model's place in %d of %d dialogues.", r.Cell.Row(), r.ByRules, r.Judged))
		}
		if of(r.Made, func(h *record.Header) string { return h.Fingerprint() }) > 1 {
			t.Note(fmt.Sprintf("%s: the repeats were not made alike, so flips may stem from that; assize compare tells how they differ.", r.Cell.Row()))
		}
	}
	if t.Rated && t.rules == nil {
		t.Note("There is no cell of the rules to hold the models against; rules among models adds it.")
	}
	t.alike()
}

// alike tells where rows differ in more than they are meant to.
func (t *Table) alike() {
	var all []*record.Header
	models := map[string][]*record.Header{}
	var names []string
	for _, r := range t.Rows {
		all = append(all, r.Made...)
		if _, ok := models[r.Cell.Model]; !ok {
			names = append(names, r.Cell.Model)
		}
		models[r.Cell.Model] = append(models[r.Cell.Model], r.Made...)
	}
	for _, what := range []struct {
		name string
		of   func(*record.Header) string
	}{
		{"versions of the program", func(h *record.Header) string { return h.Program }},
		{"lexicons", func(h *record.Header) string { return h.Lexicon }},
		{"rubrics", func(h *record.Header) string { return h.Provenance().Rubric }},
		{"profiles", func(h *record.Header) string { return h.Provenance().Profile }},
	} {
		if n := of(all, what.of); n > 1 {
			t.Note(fmt.Sprintf("The runs were made by %d %s, so they differ in more than the table shows.", n, what.name))
		}
	}
	for _, name := range names {
		if n := of(models[name], digest); n > 1 {
			t.Note(fmt.Sprintf("%d different models are called %s: it was pulled or made again between the runs.", n, name))
		}
	}
}

// digest is that of the model that judged; empty where none did.
func digest(h *record.Header) string {
	if h.Model == nil {
		return ""
	}
	return h.Model.Digest
}

// of counts the different values that headers have.
func of(headers []*record.Header, value func(*record.Header) string) int {
	seen := map[string]bool{}
	for _, h := range headers {
		seen[value(h)] = true
	}
	return len(seen)
}

// Labels names the rows by what tells them apart: the model, and its panel and its prompts where there are several.
func (t *Table) Labels() []string {
	panels, prompts := map[string]bool{}, map[string]bool{}
	for _, r := range t.Rows {
		if !r.Cell.ByRules() {
			panels[r.Cell.Panel.Name], prompts[r.Cell.Prompts] = true, true
		}
	}
	var labels []string
	for _, r := range t.Rows {
		parts := []string{Short(r.Cell.Model)}
		if !r.Cell.ByRules() && len(panels) > 1 {
			parts = append(parts, r.Cell.Panel.Name)
		}
		if !r.Cell.ByRules() && len(prompts) > 1 {
			parts = append(parts, r.Cell.Prompts)
		}
		labels = append(labels, strings.Join(parts, " "))
	}
	return labels
}
