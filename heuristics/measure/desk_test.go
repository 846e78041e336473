package measure

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// scored returns a dialogue of the desk with these scores, in rubric order.
func scored(id string, satisfaction float64, overall rubric.Score, scores ...rubric.Score) *Judged {
	e := &rubric.Evaluation{Overall: overall}
	for i, s := range scores {
		e.Final[i].Score = s
	}
	return &Judged{Evaluation: e, ID: id, Satisfaction: satisfaction}
}

// The figures of the desk, by hand.
func TestDeskFigures(t *testing.T) {
	rows := Rows{}
	for id, cells := range map[string]string{
		"d-1a": "good 60-80 80 80 80 80 100", "d-1b": "bad 80 20-40 20 20 20 20",
		"d-2a": "bad 20 20 20 20 20 20", "d-2b": "good 20 20 20 20 20 20",
		"d-3a": "good 20 20 20 20 20 20", "d-3b": "good 20 20 20 20 20 20",
	} {
		rows[id] = map[string]string{}
		for i, cell := range strings.Fields(cells) {
			rows[id][append([]string{"quality"}, names()...)[i]] = cell
		}
	}
	f, err := DeskFigures([]*Judged{
		scored("d-1a", 4, 80, 80, 80, 80, 80, 80, 100), // all within
		scored("d-1b", 3, 40, 40, 40, 60, 40, 20, 20),  // two levels off twice, 3 within
		scored("d-2a", 3, 60, 20, 20, 20, 20, 20, 20),  // all within
		scored("d-2b", 2, 40, 20, 20, 20, 20, 20, 40),  // 5 within
		scored("d-3a", 2, 80, 20, 20, 20, 20, 20, 20),  // all within; no pair of good and bad
		scored("d-3b", 2, 80, 20, 20, 20, 20, 20, 20),
	}, rows)
	require.NoError(t, err)
	assert.InDelta(t, 32./36, f["own desk: within the reader's range"], 1e-9)
	assert.InDelta(t, 2./36, f["own desk: two levels or more off"], 1e-9)
	assert.InDelta(t, 1./2, f["own desk: pairs by satisfaction"], 1e-9)
	assert.InDelta(t, 1./2, f["own desk: bad ones below OverallExperience 60"], 1e-9)
	assert.InDelta(t, 1./4, f["own desk: good ones below OverallExperience 60"], 1e-9)
	delete(rows["d-1a"], "Fluency")
	_, err = DeskFigures([]*Judged{scored("d-1a", 4, 80, 80)}, rows)
	assert.ErrorContains(t, err, "ranges.csv: d-1a, Fluency: ")
}

// names returns the names of the criteria.
func names() (list []string) {
	for _, c := range rubric.Criteria() {
		list = append(list, c.String())
	}
	return list
}

// reader is a panel that reads its scores in the first turn, and agrees with itself.
type reader struct{}

func (reader) Evaluate(_ context.Context, c rubric.Case) (card rubric.Scorecard, err error) {
	for i, s := range strings.Fields(c.Dialogue.Turns[0].Text)[:rubric.NumCriteria] {
		_, err = fmt.Sscan(s, &card[i].Score)
	}
	return card, err
}

func (reader) Critique(context.Context, rubric.Case, rubric.Scorecard) (rubric.Critique, error) {
	return rubric.Critique{}, nil
}

// Each edit of the contrast set should spoil its target only: by hand.
func TestContrast(t *testing.T) {
	dir := t.TempDir()
	s := &Sets{Shared: dir, Desk: dir, Panel: rubric.Panel{Rubric: rubric.Default(),
		Observe:   func(dialogue.Dialogue) ([]rubric.Signal, error) { return nil, nil },
		Evaluator: reader{}, Critic: reader{}}}
	_, err := s.contrast(Choosing)
	assert.ErrorIs(t, err, ErrMissing)

	folder := filepath.Join(dir, "data", "contrast")
	require.NoError(t, os.MkdirAll(folder, 0o777))
	var dialogues strings.Builder
	table := "id,base,kind,target," + strings.Join(names(), ",") + "\n"
	for _, line := range strings.Split(strings.TrimSpace(`
c01 c01 base - 80 80 80 80 80 80
c01-E c01 E Empathy 80 80 80 80 40 80     the target falls alone, into its range
c02 c02 base - 80 80 80 80 80 80
c02-E c02 E Empathy 40 80 80 80 60 80     another falls by two levels
c03 c03 base - 80 80 80 80 80 80
c03-T c03 T TaskSuccess 20 40 80 80 80 80 a failure; that it helps less is allowed
c04 c04 base - 80 80 80 80 80 80
c04-T c04 T TaskSuccess 80 80 80 80 80 80 nothing falls
c05 c05 base - 80 80 80 80 80 80
c05-X c05 X Empathy 60 80 80 80 40 40     cold, and curt is allowed
c12 c12 base - 80 80 80 80 80 80
c12-X c12 X Empathy 40 80 80 80 20 80     the success falls, too
c13 c13 base - 80 80 80 80 80 80
c13-E c13 E Empathy 80 80 80 80 80 80     for reporting
`), "\n") {
		cells := strings.Fields(line)
		fmt.Fprintf(&dialogues, `{"id":%q,"messages":[{"role":"user","content":%q},`+
			`{"role":"assistant","content":"Hello."}]}`+"\n", cells[0], strings.Join(cells[4:10], " "))
		table += strings.Join(cells[:4], ",") + strings.Repeat(",20-40", rubric.NumCriteria) + "\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "dialogues.jsonl"),
		[]byte(dialogues.String()), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "expect.csv"), []byte(table), 0o666))
	f, err := s.contrast(Choosing)
	require.NoError(t, err)
	assert.InDelta(t, (1+1./2+1)/3, f["contrast: the target falls, mean of the kinds"], 1e-9)
	assert.InDelta(t, 2./6, f["contrast: another falls by two, or as much"], 1e-9)
	assert.InDelta(t, 4./6, f["contrast: the target is within its range"], 1e-9)
	assert.InDelta(t, 1./2, f["contrast: friendly failures at 60 or less"], 1e-9)
	assert.InDelta(t, 1./2, f["contrast: cold successes within a level"], 1e-9)
	f, err = s.contrast(Reporting)
	require.NoError(t, err)
	assert.Zero(t, f["contrast: the target falls, mean of the kinds"])
}

func TestTargets(t *testing.T) {
	for _, target := range targets() {
		worse := -1e-6
		if target.AtMost {
			worse = -worse
		}
		assert.True(t, target.meets(target.must, target.must), target.Name)
		assert.False(t, target.meets(target.must+worse, target.must), target.Name)
		if target.floor == 0 {
			continue
		}
		assert.NoError(t, Figures{target.Name: target.floor}.CheckFloors())
		assert.ErrorContains(t, Figures{target.Name: target.floor + worse}.CheckFloors(),
			target.Name)
	}
	assert.NoError(t, Figures{}.CheckFloors(), "what was not measured is not worse")
	assert.Len(t, Table(nil), 1+len(targets()))
}
