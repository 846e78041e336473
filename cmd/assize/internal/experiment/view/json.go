package view

import (
	"encoding/json"
	"io"
	"math"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/experiment"
	"assize/rubric"
)

// JSON writes a table as one object, whose keys stand in the package comment.
func JSON(w io.Writer, t *experiment.Table) error {
	d := tableWire{Version: 1, File: words(t.File), Dialogues: t.Dialogues, Draws: t.Draws, Seed: t.Seed, Rows: []rowWire{}, Notes: []words{}}
	for _, r := range t.Rows {
		d.Rows = append(d.Rows, rowOf(r))
	}
	for _, n := range t.Notes {
		d.Notes = append(d.Notes, words(n))
	}
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// words are what strangers wrote, escaped as records are.
type words string

func (s words) MarshalJSON() ([]byte, error) { return rubric.AppendString(nil, []byte(s)), nil }

// number is a figure with a fixed number of decimals; null where there is none.
type number struct {
	value    float64
	decimals int
}

func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(n.value) {
		return []byte("null"), nil
	}
	return []byte(fixed(n.value, n.decimals)), nil
}

type tableWire struct {
	Version   int       `json:"assize_experiment"`
	File      words     `json:"file"`
	Dialogues int       `json:"dialogues"`
	Draws     int       `json:"draws"`
	Seed      uint64    `json:"seed"`
	Rows      []rowWire `json:"rows"`
	Notes     []words   `json:"notes"`
}

type rowWire struct {
	Model        words         `json:"model"`
	Panel        words         `json:"panel"`
	Prompts      words         `json:"prompts"`
	Runs         []words       `json:"runs"`
	Missing      int           `json:"missing"`
	Dialogues    int           `json:"dialogues"`
	Unscored     int           `json:"unscored"`
	ByRules      int           `json:"by_rules"`
	Agreement    agreementWire `json:"agreement"`
	OverRules    agreementWire `json:"over_rules"`
	Evidence     number        `json:"evidence"`
	ByChance     number        `json:"evidence_by_chance"`
	Cited        int           `json:"cited"`
	Flips        number        `json:"flips"`
	Disagreement number        `json:"disagreement"`
	Generated    number        `json:"generated"`
	Tokens       number        `json:"tokens"`
	Seconds      number        `json:"seconds"`
	Timed        int           `json:"timed"`
}

type agreementWire struct {
	Satisfaction figureWire `json:"satisfaction"`
	Average      figureWire `json:"numeric_weighted_average"`
}

type figureWire struct {
	Value   number `json:"value"`
	Low     number `json:"low"`
	High    number `json:"high"`
	N       int    `json:"n"`
	Warning words  `json:"warning,omitempty"`
}

func rowOf(r *experiment.Row) rowWire {
	share, chance := r.Relevance()
	w := rowWire{
		Model: words(r.Cell.Model), Panel: words(r.Cell.Panel.Name), Prompts: words(r.Cell.Prompts), Runs: []words{},
		Missing: r.Missing, Dialogues: r.Judged, Unscored: r.Unscored, ByRules: r.ByRules,
		Agreement: agreementWire{figureOf(r.Satisfaction.Figure), figureOf(r.Average.Figure)},
		OverRules: agreementWire{figureOf(r.Satisfaction.OverRules), figureOf(r.Average.OverRules)},
		Evidence:  number{share, 4}, ByChance: number{chance, 4}, Cited: r.Evidence.Cited,
		Flips: number{r.Flips(), 4}, Disagreement: number{r.Disagreement(), 4},
		Generated: number{r.GeneratedEach(), 1}, Tokens: number{r.TokensEach(), 1},
		Seconds: number{r.SecondsEach(), 3}, Timed: r.Timed,
	}
	for _, f := range r.Files {
		w.Runs = append(w.Runs, words(f))
	}
	return w
}

func figureOf(f accord.Figure) figureWire {
	return figureWire{number{f.Value, 4}, number{f.Low, 4}, number{f.High, 4}, f.N, words(f.Why)}
}
