package fit

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// A rare word with a large weight matters less than a frequent one. Words shared with a stronger
// feature are left out.
func TestStrongest(t *testing.T) {
	f := func(g satisfaction.Group, name string, have int, weight float64) weighed {
		return weighed{&feature{group: g, name: name, have: make([]int32, have)}, weight}
	}
	got := strongest([]weighed{f(0, "thanks, last", 50, 0.2), f(0, "thanks", 60, 0.1),
		f(1, "gem", 1, 0.3), f(6, "refund", 40, -0.2), f(5, "the refund", 30, -0.15)}, 100,
		map[string]string{"thanks": "the USER thanks"})
	assert.Equal(t, []weight{
		{"'refund' by the SYSTEM, opening", stats.Four(-0.2), 40},
		{"USER's last turn: the USER thanks (thanks)", stats.Four(0.2), 50},
		{"'gem' by the USER", stats.Four(0.3), 1},
	}, got)
}

// Of a dialogue's source, only the day is kept.
func TestDay(t *testing.T) {
	for value, want := range map[string]string{"2024-03-12T23:15:00Z": "2024-03-12",
		"31/03/2024": "2024-03-31", "10:15": "", "soon": ""} {
		r := run.Record{Evaluation: &rubric.Evaluation{}}
		r.Source.Meta = dialogue.NewMeta([]dialogue.Field{{Name: "agent", Value: "2020-01-01"},
			{Name: "Created at", Value: value}})
		assert.Equal(t, want, NewDialogue(&r, 0, satisfaction.Profile{}).Day, value)
	}
}

// Five words are listed for each sign, but three detectors if there are words; nothing that is
// printed as 0 is.
func TestStrongestLimits(t *testing.T) {
	f := func(g satisfaction.Group, name string, weight float64) weighed {
		return weighed{&feature{group: g, name: name, have: make([]int32, 50)}, weight}
	}
	var words, detectors []weighed
	for i, name := range []string{"refund", "parcel", "ticket", "lamp", "coat", "chair"} {
		words = append(words, f(1, name, .01*float64(9-i)))
		detectors = append(detectors, f(satisfaction.ByDetectors, name, .02*float64(9-i)))
	}
	what := func(all ...weighed) (list []string) {
		for _, w := range strongest(all, 100, nil) {
			list = append(list, w.What)
		}
		return list
	}
	assert.Equal(t, []string{"'refund' by the USER", "'parcel' by the USER", "'ticket' by the USER",
		"'lamp' by the USER", "'coat' by the USER"}, what(words...))
	assert.Equal(t, []string{"refund", "parcel", "ticket", "lamp", "coat"}, what(detectors...))
	mixed := append(detectors, words...)
	assert.Equal(t, []string{"refund", "parcel", "ticket", "'lamp' by the USER",
		"'coat' by the USER"}, what(mixed...), "a word of a stronger detector is left out")
	assert.Equal(t, []string{"'lamp' by the USER"}, what(f(1, "lamp", .0005), f(1, "coat", .00049)))
	assert.Empty(t, what(f(1, "the", .5)), "a function word says nothing")
}

func TestEffect(t *testing.T) {
	for _, tt := range []struct {
		points    float64
		dialogues int
		want      string
	}{
		{.25, 1, "raises the rules' estimate by 0.25 on the scale 1 to 5; found in 1 dialogue"},
		{-.25, 2, "lowers the rules' estimate by 0.25 on the scale 1 to 5; found in 2 dialogues"},
	} {
		w := weight{Points: stats.Four(tt.points), Dialogues: tt.dialogues}
		assert.Equal(t, tt.want, w.Effect())
	}
}

// Cuts split where people's ratings do, and never between equal estimates.
func TestCutsAtTies(t *testing.T) {
	for _, tt := range []struct {
		estimates []rubric.Hundredths
		wanted    [5]int
		want      []rubric.Hundredths
	}{
		{[]rubric.Hundredths{100, 200, 300, 400, 500}, [5]int{1, 1, 1, 1, 1},
			[]rubric.Hundredths{150, 250, 350, 450}},
		{[]rubric.Hundredths{500, 101, 200}, [5]int{1, 0, 0, 0, 2},
			[]rubric.Hundredths{151, 151, 151, 151}},
		{[]rubric.Hundredths{300, 300, 300, 400}, [5]int{0, 2, 0, 2, 0},
			[]rubric.Hundredths{100, 350, 350, 500}},
		{[]rubric.Hundredths{300, 300, 400}, [5]int{0, 1, 0, 2, 0},
			[]rubric.Hundredths{100, 350, 350, 500}},
	} {
		assert.Equal(t, tt.want, cuts(tt.estimates, tt.wanted), "%v", tt.estimates)
	}
	for rating, want := range map[float64]int{1: 1, 1.49: 1, 1.5: 2, 4.49: 4, 4.5: 5, 5: 5, .2: 1,
		6: 5} {
		assert.Equal(t, want, ratings.Level(rating), rating)
	}
}
