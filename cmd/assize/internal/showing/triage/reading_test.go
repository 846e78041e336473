package triage

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

func TestACascadeOverAFileThatChanges(t *testing.T) {
	agents := heuristics.New()
	rules := judge.New(agents,
		judge.Options{Rubric: rubric.Default(), Profile: satisfaction.DefaultProfile()})
	c, err := corpus.Open(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard},
		corpus.Options{
			Paths: []string{"../../../../../testdata/transcripts/parcel.txt"}, Jobs: 1,
			Judging: func() (importer.Options, *judge.Judge, error) {
				return importer.Options{}, rules, nil
			},
		})
	require.NoError(t, err)
	reading := &Ranker{Corpus: c, Agents: agents, Model: rules, Budget: summary.Portion{Count: 1}}
	for e := range c.Once(t.Context()) {
		for reason, change := range map[string]func(*run.Record) (place int){
			"another dialogue is there": func(r *run.Record) int { r.Source.ID += "x"; return e.Index },
			"it says something else":    func(r *run.Record) int { r.Satisfaction++; return e.Index },
			"it is gone":                func(*run.Record) int { return e.Index + 1 },
		} {
			was := *e.Record
			place := change(&was)
			s := newRanking(run.BySatisfaction, 1, true)
			s.Add(&was, was.Row(place))
			assert.Equal(t, errChanged, reading.askModel(t.Context(), s), reason)
		}
	}
}
