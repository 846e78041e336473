package triage

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// numbered returns records of which every tenth is at an end of the range and has many signals.
func numbered(n int) (records []*run.Record) {
	for i := range n {
		text := fmt.Sprintf("Number %d.", i)
		r := run.New(
			dialogue.Sample{Dialogue: dialogue.Dialogue{ID: i + 1,
				Turns: []dialogue.Turn{{Role: dialogue.User, Text: text}}}})
		r.Estimate.Satisfaction = rubric.Hundredths(300 + i%20)
		r.Evaluation = &rubric.Evaluation{Dialogue: r.Dialogue,
			Signals: []rubric.Signal{{ID: "x", Turn: 1}, {ID: "x", Turn: 1}}}
		for k := range i % 7 {
			r.Evaluation.Signals = append(r.Evaluation.Signals,
				rubric.Signal{ID: fmt.Sprint("y", k), Turn: 1})
		}
		if i%10 == 0 {
			r.Estimate.Satisfaction = rubric.Hundredths(100 + i)
		}
		if i%15 == 1 {
			r.Evaluation.Signals = append(r.Evaluation.Signals,
				rubric.Signal{ID: heuristics.ServiceID, Turn: 1, Points: -900})
		}
		records = append(records, r)
	}
	return records
}

func lessons(n int, records []*run.Record) *Candidates {
	s := NewCandidates(n)
	for i, r := range records {
		s.Add(r, i)
	}
	s.Close(func(*run.Record) {})
	return s
}

// For any number, that many are picked, without duplicates and one in five at random, regardless of
// the order of the input.
func TestLessons(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	records := numbered(200)
	for _, n := range []int{1, 4, 30, 100, 500} {
		s := lessons(n, records)
		assert.Len(t, s.Picked, min(n, 200))
		ids, controls := map[int]string{}, 0
		for _, l := range s.Picked {
			ids[l.ID] = l.Why
			if l.Why == Random {
				controls++
			}
		}
		assert.Len(t, ids, min(n, 200))
		assert.Equal(t, (min(n, 200)+4)/5, controls)
		rng.Shuffle(len(records),
			func(i, j int) { records[i], records[j] = records[j], records[i] })
		for _, l := range lessons(n, records).Picked {
			assert.Equal(t, ids[l.ID], l.Why)
		}
	}
}

// The ends of the range and the rare kind are represented as well as the middle, and among similar
// dialogues those in which most detectors fire come first.
func TestLessonsAreSpread(t *testing.T) {
	low, service := 0, 0
	for _, l := range lessons(50, numbered(200)).Picked {
		if l.Why == Random {
			continue
		}
		if l.Satisfaction < 300 {
			low++
		} else if l.Kind == heuristics.Request {
			assert.Equal(t, 7, l.Seen, "a detector that fires twice counts once")
		}
		if l.Kind == heuristics.Service {
			service++
		}
	}
	assert.GreaterOrEqual(t, low, 15, "a tenth of all dialogues")
	assert.GreaterOrEqual(t, service, 4, "one in fifteen")
}

// Rated, unscored and repeated dialogues teach nothing new.
func TestLessonsPassOver(t *testing.T) {
	records := numbered(6)
	records[0].Evaluation = nil
	records[1].Truth.Overall = []float64{4}
	records = append(records, records[2])
	s := lessons(10, records)
	assert.Len(t, s.Picked, 4)
	assert.Equal(t,
		"4 of 6 scored dialogues picked for rating, 1 of them at random as a control. Skipped: 1 with "+
			"ratings, 1 with the turns of another.", s.Summary())
}

func TestTheSheet(t *testing.T) {
	records := numbered(3)
	records[1].Source.Meta = dialogue.NewMeta(
		[]dialogue.Field{{Name: "link", Value: "https://desk.example/1"}})
	records[0].Dialogue.Turns = append(records[0].Dialogue.Turns,
		dialogue.Turn{Role: dialogue.System, Text: "=1+1\nis \x1b[2J"})
	var b strings.Builder
	assert.NoError(t, lessons(3, records).Figures().CSV(&b))
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	assert.NoError(t, err)
	assert.Equal(t, []string{"dialogue_id", "file", "rating", "scale", "rater", "text", "link",
		"picked", "identity"}, rows[0])
	slices.SortFunc(rows[1:], slices.Compare)
	assert.Equal(t, []string{"1", "", "", scale, "", "USER: Number 0.\nSYSTEM: =1+1 is ␛[2J", "",
		"kind request, seen by 1 detector", string(records[0].Identity())}, rows[1])
	assert.Equal(t, "https://desk.example/1", rows[2][6])
}
