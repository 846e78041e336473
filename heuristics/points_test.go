package heuristics

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The parts of the reaction score are what it is made of.
func TestPartsSumToTheReactionScore(t *testing.T) {
	const (
		system, user = dialogue.System, dialogue.User
		before       = "outcome-failed"
	)
	p := DefaultProfile()
	for _, tt := range []struct {
		reason  string
		turns   []dialogue.Role
		signals []rubric.Signal
		want    map[string]float64
	}{
		// Of two turns of the USER the first weighs 1/4, the last 3/4.
		{"the last turn weighs three times the first", []dialogue.Role{system, user, system, user},
			[]rubric.Signal{{ID: "reaction-rejects", Turn: 2, Points: -250}, {ID: "reaction-thanks", Turn: 4, Points: 75}},
			map[string]float64{"reaction-rejects": -0.625, "reaction-thanks": 0.5625}},
		{"what the SYSTEM reported counts with the turn after it, and with every turn of the USER until it speaks again",
			[]dialogue.Role{system, user, user}, []rubric.Signal{{ID: before, Turn: 1, Points: -75}}, map[string]float64{before: -0.75}},
		{"one turn weighs all", []dialogue.Role{system, user}, []rubric.Signal{{ID: "reaction-superb", Turn: 2, Points: 200}}, map[string]float64{"reaction-superb": 2}},
		// -250 and -225 make -475, of which -400 counts: 400/475 of each.
		{"signals share what a turn may weigh", []dialogue.Role{system, user},
			[]rubric.Signal{{ID: "reaction-rejects", Turn: 2, Points: -250}, {ID: "reaction-not-wanted", Turn: 2, Points: -225}},
			map[string]float64{"reaction-rejects": -2.5 * 400 / 475, "reaction-not-wanted": -2.25 * 400 / 475}},
		{"what counts for the whole is not shared out", []dialogue.Role{system, user},
			[]rubric.Signal{{ID: "outcome-unrecovered", Turn: 1, Points: -15}}, map[string]float64{"outcome-unrecovered": -0.15}},
		{"other signals do not count", []dialogue.Role{system, user}, []rubric.Signal{{ID: "courtesy-polite", Turn: 1, Points: 50}}, map[string]float64{}},
		{"nobody to react", []dialogue.Role{system}, nil, map[string]float64{}},
	} {
		var e rubric.Evaluation
		for _, role := range tt.turns {
			e.Dialogue.Turns = append(e.Dialogue.Turns, dialogue.Turn{Role: role})
		}
		e.Signals = tt.signals
		got, sum := map[string]float64{}, 0.0
		p.Parts(&e, func(id string, points float64) {
			got[id] += points
			sum += points
		})
		assert.InDeltaMapValues(t, tt.want, got, 1e-12, tt.reason)
		assert.InDelta(t, p.Value(&e).Float(), sum, 2e-6, tt.reason)
	}
}

// The same holds for every dialogue of the detectors' tests.
func TestPartsOfDialogues(t *testing.T) {
	agents, err := New()
	require.NoError(t, err)
	files, err := filepath.Glob("testdata/detectors/*.txt")
	require.NoError(t, err)
	p, checked := DefaultProfile(), 0
	for _, file := range files {
		for _, sample := range samples(t, file) {
			e := rubric.Evaluation{Dialogue: sample.Dialogue}
			e.Signals, err = agents.Observe(sample.Dialogue)
			if err != nil {
				continue // not in English
			}
			sum := 0.0
			p.Parts(&e, func(_ string, points float64) { sum += points })
			assert.InDelta(t, p.Value(&e).Float(), sum, 1e-5, "%s: dialogue %d", file, sample.Dialogue.ID)
			checked++
		}
	}
	assert.Greater(t, checked, 100)
}

func TestLexiconFile(t *testing.T) {
	agents, err := New()
	require.NoError(t, err)
	for _, d := range agents.Detectors() {
		path, text, err := LexiconFile(d.ID)
		require.NoError(t, err)
		assert.Equal(t, "heuristics/lexicon/"+d.ID+".txt", path)
		assert.Contains(t, text, "\n@points "+d.Points.String()+"\n", "%s: the file has the detector's points", d.ID)
		assert.True(t, strings.HasSuffix(text, "\n"), "%s: a diff of it needs a last line that ends", d.ID)
	}
	_, _, err = LexiconFile("words-stop")
	assert.ErrorContains(t, err, `no detector is called "words-stop"`)
}
