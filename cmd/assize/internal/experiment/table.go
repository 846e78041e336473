package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/ui"
)

// Table is what an experiment comes to. Its JSON is that of --format json.
type Table struct {
	Version   int       `json:"assize_experiment"`
	File      string    `json:"file"`
	Dialogues int       `json:"dialogues"` // that every config judges
	Draws     int       `json:"draws"`     // of the bootstrap
	Seed      uint64    `json:"seed"`
	Results   []*Result `json:"rows"`
	Notes     []string  `json:"notes"` // what a reader must know, a sentence each
	rated     bool      // people rated some of the dialogues
}

// note adds sentences, each once.
func (t *Table) note(sentences ...string) {
	for _, s := range sentences {
		if !slices.Contains(t.Notes, s) {
			t.Notes = append(t.Notes, s)
		}
	}
}

// Formats lists the names of the formats, the default first.
func Formats() []string { return []string{"text", "markdown", "csv", "json"} }

// Write puts the table on a page in a format.
func (t *Table) Write(p *ui.Page, format string) error {
	runs := 0
	for _, r := range t.Results {
		runs += len(r.Runs)
	}
	heading := fmt.Sprintf("%s: %s, %s", t.File, ui.Counted(t.Dialogues, "dialogue"), ui.Counted(runs, "run"))
	switch format {
	case "json":
		return ui.WriteJSON(p, t, "  ")
	case "csv":
		return t.wide().CSV(p)
	case "markdown":
		p.WriteString("# " + ui.Escape(heading) + "\n")
	default:
		p.Paragraph(ui.Bold, "", "", ui.Visible(heading))
	}
	for _, table := range t.tables() {
		p.WriteByte('\n')
		if format == "text" {
			table.Text(p)
		} else if err := table.Markdown(p); err != nil {
			return err
		}
	}
	return nil
}

// tables gives what is shown to people: agreement, how the configs judge, and what a dialogue takes.
func (t *Table) tables() (list []ui.Table) {
	table := func(title, note string, columns ...string) ui.Table {
		table := ui.Table{Title: title, Columns: []ui.Column{{Max: 24}}, Notes: []string{note}} // wider names are wrapped
		for _, c := range columns {
			table.Columns = append(table.Columns, ui.Column{Title: c, Right: true})
		}
		return table
	}
	people := table("Agreement with people",
		"Spearman with people's mean ratings, with its 95 % interval; over the rules: the difference on the dialogues that both scored.",
		"n", "satisfaction", "weighted average")
	people.Columns[2].Right, people.Columns[3].Right = false, false
	judging := table("How they judge",
		"evidence: of the turns cited for scores up to 60, the share at which the rules see a fault of the same criterion; by chance: "+
			"that of turns picked at random. flips: the share of scores that another repeat changes. disagreement: of the model with "+
			"the rules, from 0.00 to 4.00.",
		"unscored", "evidence", "by chance", "flips", "disagreement")
	cost := table("What a dialogue takes",
		"generated: tokens by the Evaluator; all tokens: read and generated in all calls; seconds: as the server reports.",
		"generated", "all tokens", "seconds")
	asked := false
	for _, r := range t.Results {
		label := r.config.Row()
		people.Add(label, r.Agreement.Average.N, r.Agreement.Satisfaction, r.Agreement.Average)
		if over := r.OverRules; !math.IsNaN(over.Average.Value.Value) {
			people.Add("  over the rules", over.Average.N, over.Satisfaction, over.Average)
		}
		unscored := "–"
		if r.Missing == 0 {
			unscored = fmt.Sprintf("%d of %d", r.Unscored, r.Dialogues)
		}
		judging.Add(label, unscored, percent(r.Evidence), percent(r.ByChance), percent(r.Flips.fixed()), shown(r.Disagreement.fixed(), 2))
		cost.Add(label, shown(r.Generated.fixed(), 0), shown(r.Tokens.fixed(), 0), shown(r.Seconds.fixed(), 1))
		asked = asked || r.Tokens.n > 0
	}
	if t.rated {
		list = append(list, people)
	}
	if list = append(list, judging); asked {
		list = append(list, cost)
	}
	last := &list[len(list)-1]
	last.Notes = append(last.Notes, t.Notes...)
	return list
}

func shown(f stats.Fixed, decimals int) string {
	if math.IsNaN(f.Value) {
		return "–"
	}
	return stats.Fixed{Value: f.Value, Decimals: decimals}.String()
}

func percent(f stats.Fixed) string {
	if math.IsNaN(f.Value) {
		return "–"
	}
	return shown(stats.Fixed{Value: 100 * f.Value}, 1) + " %"
}

// wide has a row for each config, with every figure.
func (t *Table) wide() *ui.Table {
	var table ui.Table
	for _, title := range strings.Fields(`model panel prompts repeats missing dialogues unscored by_rules rated
		satisfaction satisfaction_low satisfaction_high
		satisfaction_over_rules satisfaction_over_rules_low satisfaction_over_rules_high
		numeric_weighted_average numeric_weighted_average_low numeric_weighted_average_high
		numeric_weighted_average_over_rules numeric_weighted_average_over_rules_low numeric_weighted_average_over_rules_high
		evidence evidence_by_chance flips disagreement generated tokens seconds cited timed`) {
		table.Columns = append(table.Columns, ui.Column{Title: title})
	}
	for _, r := range t.Results {
		cells := []any{r.Model, r.Panel, r.Prompts, len(r.Runs), r.Missing, r.Dialogues, r.Unscored, r.ByRules, r.Agreement.Average.N}
		for _, f := range []figure{r.Agreement.Satisfaction, r.OverRules.Satisfaction, r.Agreement.Average, r.OverRules.Average} {
			cells = append(cells, f.Value, f.Low, f.High)
		}
		table.Add(append(cells, r.Evidence, r.ByChance, r.Flips, r.Disagreement, r.Generated, r.Tokens, r.Seconds, r.Cited, r.Timed)...)
	}
	return &table
}
