package view

import (
	"math"

	"assize/cmd/assize/internal/compare"
	"assize/rubric"
)

// number is a figure with a fixed number of decimals; null where there is none.
type number struct {
	value    float64
	decimals int
}

func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(n.value) {
		return []byte("null"), nil
	}
	return []byte(compare.Fixed(n.value, n.decimals)), nil
}

// words are what strangers wrote, escaped as records are.
type words string

func (s words) MarshalJSON() ([]byte, error) { return rubric.AppendString(nil, []byte(s)), nil }

type docWire struct {
	Version   int           `json:"assize_compare"`
	Mode      string        `json:"mode"`
	Answer    []string      `json:"answer"`
	Warnings  []words       `json:"warnings"`
	Draws     int           `json:"draws"`
	Seed      uint64        `json:"seed"`
	A         runWire       `json:"a"`
	B         runWire       `json:"b"`
	Matched   matchedWire   `json:"matched"`
	Measures  []measureWire `json:"measures"`
	Files     []fileWire    `json:"files"`
	OverFiles []measureWire `json:"mean_of_files"`
	Different []originWire  `json:"made_differently"`
	Changed   []changeWire  `json:"changed_most"`
	Lost      []caseWire    `json:"became_unscored"`
	Gained    []caseWire    `json:"became_scored"`
}

type runWire struct {
	File      words `json:"file"`
	Dialogues int   `json:"dialogues"`
	Scored    int   `json:"scored"`
	Runs      []any `json:"fingerprints"`
	Only      int   `json:"without_partner"`
}

type matchedWire struct {
	Dialogues int `json:"dialogues"`
	Scored    int `json:"scored"`
	Changed   int `json:"changed"`
}

type measureWire struct {
	Measure    string     `json:"measure"`
	NA         *int       `json:"n_a,omitempty"`
	NB         *int       `json:"n_b,omitempty"`
	A          number     `json:"mean_a"`
	B          number     `json:"mean_b"`
	Difference number     `json:"difference"`
	Interval   *[2]number `json:"interval"`
	*movesWire
	Above *number `json:"chance_b_above_a,omitempty"`
}

type movesWire struct {
	Rose         int    `json:"rose"`
	Fell         int    `json:"fell"`
	Stayed       int    `json:"stayed"`
	Sign         number `json:"sign_p"`
	SignHolm     number `json:"sign_p_holm"`
	Wilcoxon     number `json:"wilcoxon_p"`
	WilcoxonHolm number `json:"wilcoxon_p_holm"`
}

type fileWire struct {
	File     words         `json:"file"`
	Measures []measureWire `json:"measures"`
}

type originWire struct {
	What words `json:"what"`
	A    words `json:"a"`
	B    words `json:"b"`
}

type caseWire struct {
	A      placeWire `json:"a"`
	B      placeWire `json:"b"`
	Reason words     `json:"reason"`
}

type placeWire struct {
	Dialogue words `json:"dialogue"`
	File     words `json:"file"`
	Line     int   `json:"line"`
}

type changeWire struct {
	A        judgedWire   `json:"a"`
	B        judgedWire   `json:"b"`
	Criteria []reasonWire `json:"criteria"`
}

type judgedWire struct {
	placeWire
	Overall      int               `json:"OverallExperience"`
	Average      rubric.Hundredths `json:"numeric_weighted_average"`
	Satisfaction rubric.Hundredths `json:"satisfaction"`
}

type reasonWire struct {
	Criterion string       `json:"criterion"`
	A         *settledWire `json:"a"`
	B         *settledWire `json:"b"`
}

type settledWire struct {
	Score         int    `json:"score"`
	Ruling        string `json:"ruling"`
	Justification words  `json:"justification"`
}
