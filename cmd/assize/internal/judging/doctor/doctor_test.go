package doctor

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// read reads the specimens once for all tests.
var read = sync.OnceValues(func() ([]Sample, error) { return Samples(heuristics.New()) })

// opinions returns a model's goodness for the first n specimens.
func opinions(t *testing.T, n int, of func(i int, s *Sample,
	k rubric.Criterion) int) (list []Sample) {
	t.Helper()
	specimens, err := read()
	require.NoError(t, err)
	for i := range specimens[:n] {
		j := specimens[i]
		for k := range j.goodness {
			j.goodness[k] = of(i, &j, rubric.Criterion(k))
		}
		list = append(list, j)
	}
	return list
}

var tiny = localllm.Identity{Name: "tiny", Digest: fakeollama.Tiny().
	Digest}

func TestFitScale(t *testing.T) {
	list := opinions(t, numSpecimens,
		func(_ int, s *Sample, k rubric.Criterion) int { return int(5*s.Levels[k]) + 200 })
	s := fitScale(list, rubric.Empathy)
	assert.Equal(t, [4]int{350, 450, 550, 650}, s.Cuts,
		"each level begins in the middle: 30, 50, 70 and 90 of 100")
	for _, j := range list {
		assert.InDelta(t, j.Levels[rubric.Empathy], float64(s.Score(j.goodness[rubric.Empathy])),
			10)
	}

	list = opinions(t, 40, func(int, *Sample, rubric.Criterion) int { return 500 })
	s = fitScale(list, rubric.TaskSuccess)
	assert.Equal(t, s.Score(1), s.Score(1000),
		"a model that says the same of all dialogues has one level")
	assert.Equal(t, s.Score(500), s.Usual)
}

// A competent model gets seats, one that answers at random is ignored, and one that is good at a
// single criterion gets only that seat.
func TestCalibrate(t *testing.T) {
	knows := func(_ int, s *Sample, k rubric.Criterion) int { return int(8*s.Levels[k]) + 100 }
	guesses := func(i int, _ *Sample, k rubric.Criterion) int {
		return 1 + (i*7919+int(k)*104729)%997
	}
	c := calibrate(opinions(t, numSpecimens, knows), tiny, "lexicon")
	b := blend(opinions(t, numSpecimens, knows), c)
	assert.Equal(t, rubric.AllCriteria, c.Seats(calibration.Evaluator))
	assert.Greater(t, c.Criteria[rubric.Empathy].Model.Low.Float(), .8)
	assert.Greater(t, c.Satisfaction.Share.Float(), .5)
	assert.GreaterOrEqual(t, b.Both.Value, b.Rules.Value)

	c = calibrate(opinions(t, numSpecimens, guesses), tiny, "lexicon")
	blend(opinions(t, numSpecimens, guesses), c)
	assert.Zero(t, c.Heard())
	assert.Zero(t, c.Satisfaction.Rating, "what is no better than chance has no share")

	list := opinions(t, numSpecimens, func(i int, s *Sample, k rubric.Criterion) int {
		switch k {
		case rubric.Empathy:
			return knows(i, s, k)
		case rubric.Fluency:
			return 0 // no answers about this criterion
		}
		return 500 + guesses(i, s, k)/10
	})
	c = calibrate(list, tiny, "lexicon")
	blend(list, c)
	assert.Equal(t, rubric.SetOf(rubric.Empathy), c.Seats(calibration.Evaluator))
	assert.Equal(t, calibration.Ignored, c.Criteria[rubric.Fluency].Role)

	read, err := calibration.Parse("c.json", c.File())
	require.NoError(t, err)
	assert.Equal(t, c, read, "what is written is read")
}

// A complete trial on a fake server: progress, the calibration, the report, and what remains after
// a stop.
func TestExamine(t *testing.T) {
	s := fakeollama.Start()
	defer s.Close()
	dir := t.TempDir()
	o := localllm.Options{Address: s.URL, Model: "tiny", Patience: time.Millisecond}
	var err error
	o.Cache, err = localllm.OpenCache(dir)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	_, err = Examine(ctx, o, Options{Quick: true, Progress: func(_ string, done, _ int) {
		if done == 10 {
			stop()
		}
	}})
	require.Error(t, err)
	asked := len(s.Questions())

	last, of := 0, 0
	r, err := Examine(t.Context(), o, Options{Quick: true,
		Progress: func(_ string, done, all int) { last, of = done, all }})
	require.NoError(t, err)
	require.Len(t, r.Trials, 1)
	trial := r.Trials[0]
	assert.Equal(t, [2]int{Quick + 2*numAttacked, Quick + 2*numAttacked}, [2]int{last, of})
	questions := len(trial.Identity.Questions)
	assert.Less(t, len(s.Questions()), asked+questions*(Quick+2*numAttacked-5),
		"what was answered before the stop is not asked again")
	assert.Equal(t, Quick, trial.Dialogues)
	assert.Equal(t, questions*Quick, trial.Questions)
	assert.Equal(t, numAttacked, trial.Repeated)
	assert.Len(t, trial.Injections, numAttacked)
	assert.Equal(t, chance, trial.Verdict,
		"answers that depend on nothing are no better than chance")
	assert.Nil(t, r.Recommended)
	p := ui.NewPage(io.Discard, false)
	r.Text(&p)
	assert.Contains(t, p.String(), "TaskSuccess")
	assert.Contains(t, p.String(), "no better than chance")
}

// A model that does not answer is abandoned, and an old server is reported.
func TestExamineFails(t *testing.T) {
	for fault, says := range map[string]string{"neither": "no-answer", "server-error": "http-5xx",
		"": "0.12.11"} {
		m := fakeollama.Tiny()
		m.Old = fault == ""
		s := fakeollama.Start(m)
		if fault != "" {
			s.Fail(fault, -1)
		}
		o := localllm.Options{Address: s.URL, Model: "tiny", Patience: time.Millisecond}
		r, err := Examine(t.Context(), o, Options{All: true, Progress: func(string, int, int) {}})
		require.NoError(t, err, fault)
		assert.Equal(t, notUsable, r.Trials[0].Verdict, fault)
		require.NotNil(t, r.Trials[0].Failure, fault)
		assert.Contains(t, r.Trials[0].Failure.Error()+r.Trials[0].Failure.Hint, says, fault)
		assert.LessOrEqual(t, r.Trials[0].Unscored, 3, fault)
		assert.False(t, strings.Contains(r.WhyUnusable(), "\n"))
		s.Close()
	}
}
